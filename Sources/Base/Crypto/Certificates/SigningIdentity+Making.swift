internal import COpenSSL
internal import Glibc

extension SigningIdentity {
    private static let day: Int64 = 86_400

    /// Somebody who vouches for others: the authority of a desk.
    /// - Parameter from: seconds since 1970.
    public static func authority(
        named name: String, from: Int64, days: Int64 = 3652
    ) throws(CryptoError) -> SigningIdentity {
        try make(
            named: name, mail: "", kind: .ec, from: from, days: days, by: nil,
            [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"), (NID_subject_key_identifier, "hash"),
            ])
    }

    /// Somebody who signs papers, vouched for by this authority.
    public func issue(
        to name: String, mail: String = "", kind: KeyKind = .ec, from: Int64, days: Int64 = 1096
    ) throws(CryptoError) -> SigningIdentity {
        var extensions: [(Int32, String)] = [
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature,nonRepudiation"),
            // Signing documents (RFC 9336), and mail, which older programs ask for.
            (NID_ext_key_usage, "1.3.6.1.5.5.7.3.36,emailProtection"),
            (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid"),
        ]
        if !mail.isEmpty {
            // OpenSSL reads these as a little language, in which a comma would begin another name.
            guard
                mail.utf8.allSatisfy({
                    $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";")
                }),
                mail.contains("@"), mail.utf8.count <= 254
            else { throw .badName(mail) }
            extensions.append((NID_subject_alt_name, "email:" + mail))
        }
        return try Self.make(
            named: name, mail: mail, kind: kind, from: from, days: days, by: self, extensions)
    }

    private static func make(
        named name: String, mail: String, kind: KeyKind, from: Int64, days: Int64,
        by authority: SigningIdentity?,
        _ extensions: [(Int32, String)]
    ) throws(CryptoError) -> SigningIdentity {
        let common = Array(name.utf8)
        // RFC 5280 appendix A.
        guard !name.isEmpty, name.unicodeScalars.count <= 64,
            !name.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw .badName(name) }
        let made = kind == .ec ? quire_openssl_make_ec_key() : quire_openssl_make_rsa_key(3072)
        guard let key = KeyHandle(made) else { throw openSSLRefusal("making a key") }
        guard let certificate = X509_new() else { throw .outOfMemory }
        let subject = X509_get_subject_name(certificate)
        var serial = SecureRandom.bytes(16)
        serial[0] = serial[0] & 0x7F | 0x40
        let number = BN_bin2bn(serial, Int32(serial.count), nil)
        defer { BN_free(number) }
        let above = authority?.certificate.handle.pointer ?? certificate
        guard X509_set_version(certificate, 2) == 1,
            BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil,
            // An hour earlier, for clocks that are behind.
            ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(from - 3600)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(from + days * day)) != nil,
            X509_set_pubkey(certificate, key.pointer) == 1,
            X509_NAME_add_entry_by_txt(
                subject, "CN", V_ASN1_UTF8STRING, common, Int32(common.count), -1, 0) == 1,
            X509_set_issuer_name(certificate, X509_get_subject_name(above)) == 1
        else {
            X509_free(certificate)
            throw openSSLRefusal("describing a certificate")
        }
        var context = X509V3_CTX()
        quire_openssl_set_issuing_context(&context, above, certificate)
        for (kind, value) in extensions {
            let made = X509V3_EXT_conf_nid(nil, &context, kind, value)
            let isAdded = made.map { X509_add_ext(certificate, $0, -1) == 1 } ?? false
            if let made { X509_EXTENSION_free(made) }
            guard isAdded else {
                X509_free(certificate)
                throw openSSLRefusal("writing into a certificate")
            }
        }
        let signer = authority?.key ?? key
        guard X509_sign(certificate, signer.pointer, EVP_sha256()) > 0 else {
            X509_free(certificate)
            throw openSSLRefusal("signing a certificate")
        }
        let der = X509Certificate.encoded { i2d_X509(certificate, $0) }
        X509_free(certificate)
        return try SigningIdentity(
            key, X509Certificate(der: der), chain: authority.map { [$0.certificate] + $0.chain } ?? [])
    }
}
