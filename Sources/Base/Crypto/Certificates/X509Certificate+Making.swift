internal import COpenSSL
internal import Glibc

extension X509Certificate {
    /// The one maker of certificates.
    /// - Parameters:
    ///   - name: what it is called, at most 64 characters (RFC 5280 appendix A).
    ///   - from, end: seconds since 1970.
    ///   - authority: who vouches; nil for a certificate that vouches for itself.
    ///   - extensions: in the little language in which OpenSSL reads them.
    static func make(
        named name: String, _ key: KeyHandle, from: Int64, until end: Int64, by authority: SigningIdentity?,
        _ extensions: [(Int32, String)]
    ) throws(CryptoError) -> X509Certificate {
        guard !name.isEmpty, name.unicodeScalars.count <= 64,
            !name.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw .badName(name) }
        guard let pointer = X509_new() else { throw .outOfMemory }
        // Frees it, whatever becomes of it.
        let certificate = Handle(pointer)
        let above = authority?.certificate.handle ?? certificate
        try describe(certificate.pointer, named: name, key, from: from, until: end, by: above.pointer)
        try extend(certificate.pointer, by: above.pointer, extensions)
        guard X509_sign(certificate.pointer, (authority?.key ?? key).pointer, EVP_sha256()) > 0 else {
            throw openSSLRefusal("signing a certificate")
        }
        return try X509Certificate(der: encoded { i2d_X509(certificate.pointer, $0) })
    }

    private static func describe(
        _ certificate: OpaquePointer, named name: String, _ key: KeyHandle, from: Int64, until end: Int64,
        by above: OpaquePointer
    ) throws(CryptoError) {
        let common = Array(name.utf8)
        let subject = X509_get_subject_name(certificate)
        // RFC 5280 §4.1.2.2: a positive number of at most 20 octets, not to be guessed.
        var serial = SecureRandom.bytes(16)
        serial[0] = serial[0] & 0x7F | 0x40
        let number = BN_bin2bn(serial, Int32(serial.count), nil)
        defer { BN_free(number) }
        guard X509_set_version(certificate, 2) == 1,
            BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil,
            ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(from)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(end)) != nil,
            X509_set_pubkey(certificate, key.pointer) == 1,
            X509_NAME_add_entry_by_txt(
                subject, "CN", V_ASN1_UTF8STRING, common, Int32(common.count), -1, 0) == 1,
            X509_set_issuer_name(certificate, X509_get_subject_name(above)) == 1
        else { throw openSSLRefusal("describing a certificate") }
    }

    private static func extend(
        _ certificate: OpaquePointer, by above: OpaquePointer, _ extensions: [(Int32, String)]
    ) throws(CryptoError) {
        var context = X509V3_CTX()
        quire_openssl_set_issuing_context(&context, above, certificate)
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
}
