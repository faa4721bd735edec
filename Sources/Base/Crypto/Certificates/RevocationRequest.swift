internal import COpenSSL
internal import Glibc

/// Asks an authority whether it took a certificate back (RFC 6960 §4.1).
public struct RevocationRequest: Sendable {
    public static let mediaType = "application/ocsp-request"

    public let der: [UInt8]

    public init(about certificate: X509Certificate, of authority: X509Certificate) throws(CryptoError) {
        guard let request = OCSP_REQUEST_new() else { throw .outOfMemory }
        defer { OCSP_REQUEST_free(request) }
        // Answers are made long before, and found by this digest; nothing rests on it.
        guard
            let identity = OCSP_cert_to_id(
                EVP_sha1(), certificate.handle.pointer, authority.handle.pointer),
            OCSP_request_add0_id(request, identity) != nil
        else { throw openSSLRefusal("asking about a certificate") }
        der = X509Certificate.encoded { i2d_OCSP_REQUEST(request, $0) }
    }
}

extension X509Certificate {
    /// Where its authority answers whether it was taken back.
    public var answerAddresses: [String] {
        addresses { quire_openssl_access_address(handle.pointer, NID_ad_OCSP, $0) }
    }

    /// Where its authority publishes what it took back.
    public var listAddresses: [String] { addresses { quire_openssl_list_address(handle.pointer, $0) } }

    /// Where the certificate of its authority lies.
    public var authorityAddresses: [String] {
        addresses { quire_openssl_access_address(handle.pointer, NID_ad_ca_issuers, $0) }
    }

    private func addresses(_ next: (Int32) -> UnsafeMutablePointer<CChar>?) -> [String] {
        defer { forgetOpenSSLErrors() }
        var found: [String] = []
        while found.count < 5, let text = next(Int32(found.count)) {
            found.append(String(cString: text))
            quire_openssl_free_text(text)
        }
        return found.filter { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
    }
}

extension SigningIdentity {
    /// What this authority publishes of those it took back: nobody (RFC 5280 §5).
    /// - Parameters:
    ///   - from, end: seconds since 1970.
    public func emptyRevocationList(from: Int64, until end: Int64) throws(CryptoError) -> RevocationList {
        guard let list = X509_CRL_new(), let begins = ASN1_TIME_set(nil, time_t(from)),
            let ends = ASN1_TIME_set(nil, time_t(end)), let number = ASN1_INTEGER_new()
        else { throw .outOfMemory }
        defer {
            X509_CRL_free(list)
            ASN1_TIME_free(begins)
            ASN1_TIME_free(ends)
            ASN1_INTEGER_free(number)
        }
        let own = certificate.handle.pointer
        var context = X509V3_CTX()
        quire_openssl_set_list_context(&context, own, list)
        // Whose key signed it; who has other lists of this authority sees by the number which is the newest.
        guard X509_CRL_set_version(list, 1) == 1,
            X509_CRL_set_issuer_name(list, X509_get_subject_name(own)) == 1,
            X509_CRL_set1_lastUpdate(list, begins) == 1, X509_CRL_set1_nextUpdate(list, ends) == 1,
            let whose = X509V3_EXT_conf_nid(nil, &context, NID_authority_key_identifier, "keyid:always")
        else { throw openSSLRefusal("describing what was taken back") }
        defer { X509_EXTENSION_free(whose) }
        guard X509_CRL_add_ext(list, whose, -1) == 1, ASN1_INTEGER_set_int64(number, from) == 1,
            X509_CRL_add1_ext_i2d(list, NID_crl_number, number, 0, 0) == 1,
            X509_CRL_sign(list, key.pointer, EVP_sha256()) > 0
        else { throw openSSLRefusal("signing what was taken back") }
        return RevocationList(sharing: list)
    }
}
