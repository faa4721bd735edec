internal import COpenSSL
internal import Glibc

/// A certificate as somebody sent it (RFC 5280): whom it names, who vouches for them, and for how long.
public struct X509Certificate: Sendable {
    /// Owns one X509, which is never changed after it was read.
    final class Handle {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { X509_free(pointer) }
    }

    public enum Key: Sendable, Equatable {
        case rsa(bits: Int)
        case elliptic(bits: Int)
        case ed25519
        case other(name: String, bits: Int)
    }

    public let der: [UInt8]
    /// What a person would call whom it names: the common name, else an organisation, else an address.
    public let name: String
    public let issuerName: String
    /// All of the name (RFC 4514): `CN=Ana,O=Some Company,C=BG`.
    public let subject: String
    public let issuer: String
    /// In hexadecimal.
    public let serialNumber: String
    /// Seconds since 1970.
    public let begins: Int64
    public let ends: Int64
    public let key: Key
    /// `sha256`, in which the one who vouches signed it; empty when that cannot be said.
    public let signedWith: String
    public let isAuthority: Bool
    /// Issued by whom it names, and signed so.
    public let vouchesForItself: Bool
    public let usage: Usage

    /// What its key is for (RFC 5280 §4.2.1.3); all when it does not say.
    public struct Usage: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let signatures = Usage(rawValue: 0x80)
        public static let commitments = Usage(rawValue: 0x40)
        public static let certificates = Usage(rawValue: 0x04)
    }

    let handle: Handle

    public init(der: [UInt8]) throws(CryptoError) {
        let read = der.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            return d2i_X509(nil, &at, bytes.count)
        }
        guard let read else { throw openSSLRefusal("reading a certificate") }
        self.init(owning: read)
    }

    /// All certificates of a PEM text, in its order; other things in it are passed over.
    public static func all(pem: [UInt8]) -> [X509Certificate] {
        defer { forgetOpenSSLErrors() }
        guard !pem.isEmpty else { return [] }
        // What is read from keeps the place of the bytes, not the bytes.
        return pem.withUnsafeBytes { bytes in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
                return []
            }
            defer { BIO_free(bio) }
            var found: [X509Certificate] = []
            while found.count < 2_000, let next = PEM_read_bio_X509(bio, nil, nil, nil) {
                found.append(X509Certificate(owning: next))
            }
            return found
        }
    }

    init(owning pointer: OpaquePointer) {
        handle = Handle(pointer)
        der = Self.encoded { i2d_X509(pointer, $0) }
        let subjectName = X509_get_subject_name(pointer)
        let issuerName = X509_get_issuer_name(pointer)
        subject = Self.whole(subjectName)
        issuer = Self.whole(issuerName)
        name = Self.short(subjectName) ?? subject
        self.issuerName = Self.short(issuerName) ?? issuer
        serialNumber = Self.hex(X509_get_serialNumber(pointer))
        begins = Self.seconds(X509_get0_notBefore(pointer)) ?? 0
        ends = Self.seconds(X509_get0_notAfter(pointer)) ?? 0
        key = Self.key(of: X509_get0_pubkey(pointer))
        var digest: Int32 = 0
        X509_get_signature_info(pointer, &digest, nil, nil, nil)
        signedWith = digest == NID_undef ? "" : Self.text(OBJ_nid2sn(digest)).lowercased()
        // Reads the extensions, too, for what follows.
        isAuthority = X509_check_ca(pointer) > 0
        usage = Usage(rawValue: X509_get_key_usage(pointer))
        vouchesForItself =
            X509_NAME_cmp(subjectName, issuerName) == 0
            && X509_get0_pubkey(pointer).map { X509_verify(pointer, $0) == 1 } == true
        forgetOpenSSLErrors()
    }

    init(sharing pointer: OpaquePointer) {
        X509_up_ref(pointer)
        self.init(owning: pointer)
    }

    /// SHA-256 of the whole: what programs show as fingerprint.
    public var fingerprint: [UInt8] { SHA256.hash(der) }

    public var pem: String {
        (try? PEM.text("writing a certificate") { PEM_write_bio_X509($0, handle.pointer) }) ?? ""
    }

    /// What the key may do beyond (RFC 5280 §4.2.1.12), as object identifiers; nil when it does not say.
    var extendedUsage: UInt32? {
        let usage = X509_get_extended_key_usage(handle.pointer)
        return usage == UInt32.max ? nil : usage
    }

    public var mayStampTimes: Bool { extendedUsage.map { $0 & UInt32(XKU_TIMESTAMP) != 0 } ?? false }

    // MARK: Reading

    private static func key(of pointer: OpaquePointer?) -> Key {
        guard let pointer else { return .other(name: "", bits: 0) }
        let bits = Int(EVP_PKEY_get_bits(pointer))
        switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_RSA, NID_rsassaPss: return .rsa(bits: bits)
        case EVP_PKEY_EC: return .elliptic(bits: bits)
        case NID_ED25519: return .ed25519
        default: return .other(name: EVP_PKEY_get0_type_name(pointer).map(text) ?? "", bits: bits)
        }
    }

    private static func short(_ name: OpaquePointer?) -> String? {
        for part in [
            NID_commonName, NID_organizationalUnitName, NID_organizationName, NID_pkcs9_emailAddress,
        ] {
            // The last one is the most particular.
            var at: Int32 = -1
            var last: Int32 = -1
            while true {
                at = X509_NAME_get_index_by_NID(name, part, at)
                guard at >= 0 else { break }
                last = at
            }
            guard last >= 0, let entry = X509_NAME_get_entry(name, last) else { continue }
            var start: UnsafeMutablePointer<UInt8>?
            let count = ASN1_STRING_to_UTF8(&start, X509_NAME_ENTRY_get_data(entry))
            defer { CRYPTO_free(start, nil, 0) }
            guard count > 0, let start else { continue }
            return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
        }
        return nil
    }

    private static func whole(_ name: OpaquePointer?) -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        guard quire_openssl_print_name(bio, name) >= 0 else { return "" }
        var start: UnsafeMutablePointer<CChar>?
        let count = quire_openssl_bio_bytes(bio, &start)
        guard count > 0, let start else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    private static func hex(_ number: UnsafeMutablePointer<ASN1_INTEGER>?) -> String {
        guard let number, let value = ASN1_INTEGER_to_BN(number, nil) else { return "" }
        defer { BN_free(value) }
        guard let digits = BN_bn2hex(value) else { return "" }
        defer { CRYPTO_free(digits, nil, 0) }
        return String(cString: digits).lowercased()
    }

    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Int64(timegm(&parts))
    }

    static func text(_ start: UnsafePointer<CChar>?) -> String { start.map { String(cString: $0) } ?? "" }

    /// What one of OpenSSL's writers gives.
    static func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = write(&start)
        defer { CRYPTO_free(start, nil, 0) }
        guard count > 0, let start else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}

extension X509Certificate: Hashable {
    public static func == (a: X509Certificate, b: X509Certificate) -> Bool { a.der == b.der }
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

// Nothing of it is changed after it was read; what OpenSSL keeps beside it, it keeps under a lock of its own.
extension X509Certificate.Handle: @unchecked Sendable {}
