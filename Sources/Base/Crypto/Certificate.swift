internal import COpenSSL
internal import Glibc

/// A certificate that vouches for itself, for TLS inside a house where no authority will. Phones show a warning
/// once and remember the fingerprint, which is why we show it too.
public struct Certificate: Sendable {
    public let certificatePEM: String
    public let keyPEM: String
    /// SHA-256 of the DER form: what browsers show as fingerprint.
    public let fingerprint: [UInt8]

    /// - Parameters:
    ///   - names: host names and addresses it stands for; the first is also its common name.
    ///   - from: seconds since 1970. It begins a day earlier, for clocks that are behind.
    ///   - days: Apple refuses more than 825.
    public static func selfSigned(
        for names: [String], from: Int64, days: Int = 397
    ) throws(CryptoError) -> Certificate {
        guard let first = names.first else { throw .badName("a certificate needs a name") }
        let alternatives = try names.map(alternative).joined(separator: ",")
        let key = try PrivateKey.make(.es256)
        guard let certificate = X509_new() else { throw .outOfMemory }
        defer { X509_free(certificate) }

        try describe(certificate, commonName: first, key: key, from: from, days: days)
        try extend(
            certificate,
            [
                (NID_subject_alt_name, alternatives),
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"),
            ])
        guard X509_sign(certificate, key.key.pointer, EVP_sha256()) > 0 else {
            throw openSSLRefusal("signing a certificate")
        }

        return Certificate(
            certificatePEM: try PEM.text("writing a certificate") { PEM_write_bio_X509($0, certificate) },
            keyPEM: try key.pem(),
            fingerprint: digest(of: certificate))
    }

    private static func describe(
        _ certificate: OpaquePointer, commonName: String, key: PrivateKey, from: Int64, days: Int
    ) throws(CryptoError) {
        let day = 86_400
        let name = X509_get_subject_name(certificate)
        // RFC 5280 §4.1.2.2: a positive number of at most 20 octets, not to be guessed.
        let serial = [UInt8](SecureRandom.bytes(16).enumerated().map { $0 == 0 ? $1 & 0x7F | 0x40 : $1 })
        let number = BN_bin2bn(serial, Int32(serial.count), nil)
        defer { BN_free(number) }
        // RFC 5280 appendix A: a common name has at most 64 characters; the whole name is among the alternatives.
        let common = Array(commonName.utf8.prefix(64))
        guard X509_set_version(certificate, 2) == 1,
            BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil,
            ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(from) - day) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(from) + days * day) != nil,
            X509_set_pubkey(certificate, key.key.pointer) == 1,
            X509_NAME_add_entry_by_txt(
                name, "CN", V_ASN1_UTF8STRING, common, Int32(common.count), -1, 0) == 1,
            X509_set_issuer_name(certificate, name) == 1
        else { throw openSSLRefusal("describing a certificate") }
    }

    private static func extend(
        _ certificate: OpaquePointer, _ extensions: [(Int32, String)]
    ) throws(CryptoError) {
        var context = X509V3_CTX()
        quire_openssl_set_extension_context(&context, certificate)
        for (kind, value) in extensions {
            guard let made = X509V3_EXT_conf_nid(nil, &context, kind, value) else {
                throw openSSLRefusal("writing \(value) into a certificate")
            }
            defer { X509_EXTENSION_free(made) }
            guard X509_add_ext(certificate, made, -1) == 1 else {
                throw openSSLRefusal("adding to a certificate")
            }
        }
    }

    /// OpenSSL reads these as a little language, in which a comma would begin another name.
    private static func alternative(_ name: String) throws(CryptoError) -> String {
        var address = in6_addr()
        if inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1 {
            return "IP:" + name
        }
        let allowed = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
                || byte == 0x2E
        }
        guard allowed, !name.isEmpty, name.utf8.count <= 253 else { throw .badName(name) }
        return "DNS:" + name
    }

    private static func digest(of certificate: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: SHA256.byteCount)
        var count: UInt32 = 0
        X509_digest(certificate, EVP_sha256(), &bytes, &count)
        return bytes
    }
}
