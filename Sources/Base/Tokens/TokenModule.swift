internal import CTokens
internal import Crypto

/// One library that speaks to tokens. Sessions are used by one thread at a time.
final class TokenModule: @unchecked Sendable {
    private let functions: CK_FUNCTION_LIST
    private var sessions: [CK_SLOT_ID: CK_SESSION_HANDLE] = [:]

    init(_ functions: CK_FUNCTION_LIST) { self.functions = functions }

    deinit {
        for session in sessions.values { _ = functions.C_CloseSession?(session) }
    }

    // MARK: Looking

    func holders() throws(TokenTrouble) -> [TokenDoor.Holder] {
        var found: [TokenDoor.Holder] = []
        for slot in try slots() {
            guard let token = name(of: slot), let session = try? session(slot) else { continue }
            let all = try objects(session, [(CKA_CLASS, Self.bytes(CKO_CERTIFICATE))])
                .compactMap { object -> (label: String, key: [UInt8], certificate: X509Certificate)? in
                    guard let der = value(object, CKA_VALUE, session),
                        let certificate = try? X509Certificate(der: der)
                    else { return nil }
                    let label = value(object, CKA_LABEL, session).map { String(decoding: $0, as: UTF8.self) }
                    return (label ?? "", value(object, CKA_ID, session) ?? [], certificate)
                }
            for one in all where !one.certificate.isAuthority {
                found.append(
                    TokenDoor.Holder(
                        label: one.label, token: token, certificate: one.certificate,
                        chain: Self.chain(above: one.certificate, among: all.map(\.certificate)),
                        module: self, slot: slot,
                        key: one.key))
            }
        }
        return found
    }

    private static func chain(
        above certificate: X509Certificate, among all: [X509Certificate]
    ) -> [X509Certificate] {
        var chain: [X509Certificate] = []
        var last = certificate
        while chain.count < 8, !last.vouchesForItself,
            let next = all.first(where: { $0.subject == last.issuer && $0.isAuthority }),
            !chain.contains(next)
        {
            chain.append(next)
            last = next
        }
        return chain
    }

    private func slots() throws(TokenTrouble) -> [CK_SLOT_ID] {
        var count: CK_ULONG = 0
        try check(functions.C_GetSlotList?(1, nil, &count), "C_GetSlotList")
        var slots = [CK_SLOT_ID](repeating: 0, count: Int(min(count, 64)))
        count = CK_ULONG(slots.count)
        try check(functions.C_GetSlotList?(1, &slots, &count), "C_GetSlotList")
        return Array(slots.prefix(Int(count)))
    }

    private func info(of slot: CK_SLOT_ID) -> CK_TOKEN_INFO? {
        var info = CK_TOKEN_INFO()
        return functions.C_GetTokenInfo?(slot, &info) == CK_RV(CKR_OK) ? info : nil
    }

    /// Nil for a token that was never set up.
    private func name(of slot: CK_SLOT_ID) -> String? {
        guard let info = info(of: slot) else { return nil }
        // Fields of a fixed length, filled up with blanks.
        var label = withUnsafeBytes(of: info.label) { String(decoding: $0, as: UTF8.self) }
        while let last = label.last, last == " " || last == "\0" { label.removeLast() }
        return label.isEmpty ? nil : label
    }

    // MARK: Signing

    func writer(for holder: TokenDoor.Holder, pin: String?) throws -> SignatureWriter {
        let session = try session(holder.slot)
        try logIn(session, holder.slot, pin)
        let keys = try objects(
            session, [(CKA_CLASS, Self.bytes(CKO_PRIVATE_KEY)), (CKA_ID, holder.key)])
        guard let key = keys.first else { throw TokenTrouble.noKey(holder.certificate.name) }
        return try SignatureWriter(holder.certificate, chain: holder.chain) { [self] order in
            switch order {
            case .elliptic(let digest): try sign(digest, CK_MECHANISM_TYPE(CKM_ECDSA), key, session)
            case .rsa(let named): try sign(named, CK_MECHANISM_TYPE(CKM_RSA_PKCS), key, session)
            }
        }
    }

    private func session(_ slot: CK_SLOT_ID) throws(TokenTrouble) -> CK_SESSION_HANDLE {
        if let open = sessions[slot] { return open }
        var session: CK_SESSION_HANDLE = 0
        try check(functions.C_OpenSession?(slot, tokens_reading, nil, nil, &session), "C_OpenSession")
        sessions[slot] = session
        return session
    }

    private func logIn(
        _ session: CK_SESSION_HANDLE, _ slot: CK_SLOT_ID, _ pin: String?
    ) throws(TokenTrouble) {
        let hasKeyboard = info(of: slot).map { $0.flags & tokens_own_keyboard != 0 } ?? false
        guard pin != nil || hasKeyboard else { throw .pinNeeded }
        var typed = Array((pin ?? "").utf8)
        let result = typed.withUnsafeMutableBufferPointer { buffer in
            functions.C_Login?(
                session, CK_USER_TYPE(CKU_USER), pin == nil ? nil : buffer.baseAddress,
                CK_ULONG(buffer.count))
        }
        switch result ?? CK_RV(CKR_GENERAL_ERROR) {
        case CK_RV(CKR_OK), CK_RV(CKR_USER_ALREADY_LOGGED_IN): return
        case CK_RV(CKR_PIN_INCORRECT), CK_RV(CKR_PIN_INVALID), CK_RV(CKR_PIN_LEN_RANGE): throw .wrongPIN
        case CK_RV(CKR_PIN_LOCKED): throw .lockedPIN
        case let other: throw .refused(other, "C_Login")
        }
    }

    private func sign(
        _ bytes: [UInt8], _ kind: CK_MECHANISM_TYPE, _ key: CK_OBJECT_HANDLE, _ session: CK_SESSION_HANDLE
    ) throws(TokenTrouble) -> [UInt8] {
        var mechanism = CK_MECHANISM(mechanism: kind, pParameter: nil, ulParameterLen: 0)
        try check(functions.C_SignInit?(session, &mechanism, key), "C_SignInit")
        var bytes = bytes
        // As long as the longest key of today: RSA with 8192 bits.
        var signature = [UInt8](repeating: 0, count: 1_024)
        var count = CK_ULONG(signature.count)
        try check(functions.C_Sign?(session, &bytes, CK_ULONG(bytes.count), &signature, &count), "C_Sign")
        return Array(signature.prefix(Int(count)))
    }

    // MARK: Objects

    private static func bytes(_ number: UInt) -> [UInt8] {
        withUnsafeBytes(of: CK_ULONG(number)) { Array($0) }
    }

    private func objects(
        _ session: CK_SESSION_HANDLE, _ like: [(kind: UInt, value: [UInt8])]
    ) throws(TokenTrouble) -> [CK_OBJECT_HANDLE] {
        // What is asked for lies behind one pointer each, for as long as the question takes.
        let values = like.map { UnsafeMutableBufferPointer<UInt8>.allocate(capacity: $0.value.count) }
        defer { for value in values { value.deallocate() } }
        var question: [CK_ATTRIBUTE] = []
        for (index, one) in like.enumerated() {
            _ = values[index].initialize(from: one.value)
            question.append(
                CK_ATTRIBUTE(
                    type: CK_ATTRIBUTE_TYPE(one.kind), pValue: values[index].baseAddress,
                    ulValueLen: CK_ULONG(one.value.count)))
        }
        try check(
            functions.C_FindObjectsInit?(session, &question, CK_ULONG(question.count)), "C_FindObjectsInit")
        defer { _ = functions.C_FindObjectsFinal?(session) }
        var found = [CK_OBJECT_HANDLE](repeating: 0, count: 200)
        var count: CK_ULONG = 0
        try check(functions.C_FindObjects?(session, &found, CK_ULONG(found.count), &count), "C_FindObjects")
        return Array(found.prefix(Int(count)))
    }

    private func value(
        _ object: CK_OBJECT_HANDLE, _ kind: UInt, _ session: CK_SESSION_HANDLE
    ) -> [UInt8]? {
        var question = CK_ATTRIBUTE(type: CK_ATTRIBUTE_TYPE(kind), pValue: nil, ulValueLen: 0)
        guard functions.C_GetAttributeValue?(session, object, &question, 1) == CK_RV(CKR_OK),
            question.ulValueLen <= 1 << 20
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(question.ulValueLen))
        let result = bytes.withUnsafeMutableBytes { buffer in
            question.pValue = buffer.baseAddress
            return functions.C_GetAttributeValue?(session, object, &question, 1)
        }
        return result == CK_RV(CKR_OK) ? Array(bytes.prefix(Int(question.ulValueLen))) : nil
    }

    private func check(_ result: CK_RV?, _ call: String) throws(TokenTrouble) {
        guard let result else { throw .refused(CK_RV(CKR_FUNCTION_NOT_SUPPORTED), call) }
        guard result == CK_RV(CKR_OK) else { throw .refused(result, call) }
    }
}
