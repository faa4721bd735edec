internal import Bytes
internal import Crypto

/// Proof that somebody holds a passkey, as the browser hands it over. Reading it already checks everything that
/// does not need the stored key (WebAuthn §7.2); `check` does the rest.
struct Assertion {
    let credentialID: [UInt8]
    let userHandle: [UInt8]?
    let clientData: ClientData
    let authenticator: AuthenticatorData
    private let signature: [UInt8]

    init(_ json: JSON, for party: RelyingParty) throws(PasskeyRefusal) {
        let envelope = try CredentialEnvelope(json)
        credentialID = envelope.id
        clientData = try ClientData(try envelope.part("clientDataJSON", limit: 8192))
        authenticator = try AuthenticatorData(try envelope.part("authenticatorData", limit: 4096))
        signature = try envelope.part("signature", limit: 2048)
        let handle = envelope.response["userHandle"]
        userHandle = handle == nil || handle == .null ? nil : try envelope.part("userHandle", limit: 64)
        try clientData.check(type: ClientData.assertion, for: party)
        try authenticator.check(for: party)
    }

    /// §7.2 steps 20-22. A counter that stays at zero means the authenticator keeps none, as synced ones do.
    func check(_ key: PublicKey, storedCount: UInt32) throws(PasskeyRefusal) {
        guard key.verify(signature, of: authenticator.bytes + clientData.hash) else { throw .badSignature }
        let sent = authenticator.signCount
        guard (storedCount == 0 && sent == 0) || sent > storedCount else {
            throw .counterWentBack(stored: storedCount, sent: sent)
        }
    }
}

/// The outer form that registrations and assertions share.
struct CredentialEnvelope {
    let id: [UInt8]
    let response: JSON

    init(_ json: JSON) throws(PasskeyRefusal) {
        guard json["type"]?.string == "public-key", let text = json["id"]?.string, text.utf8.count <= 1364,
            let id = Base64.urlDecode(text), !id.isEmpty, json["rawId"].map({ $0.string == text }) ?? true,
            let response = json["response"], response.object != nil
        else { throw .malformed("credential") }
        self.id = id
        self.response = response
    }

    func part(_ name: String, limit: Int) throws(PasskeyRefusal) -> [UInt8] {
        guard let text = response[name]?.string, text.utf8.count <= (limit + 2) / 3 * 4,
            let bytes = Base64.urlDecode(text)
        else { throw .malformed(name) }
        return bytes
    }
}
