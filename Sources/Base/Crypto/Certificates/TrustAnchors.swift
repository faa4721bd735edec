internal import COpenSSL

/// Whom one believes when they vouch for others.
public struct TrustAnchors: Sendable {
    public var certificates: [X509Certificate]
    /// Also those of this machine.
    public var includesSystem: Bool

    public init(_ certificates: [X509Certificate] = [], includesSystem: Bool = true) {
        self.certificates = certificates
        self.includesSystem = includesSystem
    }

    public enum Finding: String, Sendable {
        case trusted
        /// It vouches for itself, and nobody said that it may be believed.
        case vouchesForItself
        /// Nobody who is believed vouches for it.
        case unknownIssuer
        /// At the time in question.
        case expired, notYetValid
        /// One in the chain may not vouch for others, is signed too weakly, or its signature is wrong.
        case brokenChain
    }

    public struct Judgement: Sendable {
        public var finding: Finding
        /// From the certificate up to who is believed, as far as it went.
        public var chain: [X509Certificate]
        /// In OpenSSL's words, for a log.
        public var details: String
    }

    /// Looks for a way up from a certificate, by others that came with it, as things were at that second since 1970.
    public func judge(
        _ certificate: X509Certificate, with others: [X509Certificate], at seconds: Int64
    ) -> Judgement {
        defer { forgetOpenSSLErrors() }
        guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new(),
            let between = quire_openssl_new_certificates()
        else { return Judgement(finding: .unknownIssuer, chain: [certificate], details: "no memory") }
        defer {
            X509_STORE_CTX_free(context)
            X509_STORE_free(store)
            quire_openssl_free_certificates(between)
        }
        if includesSystem { X509_STORE_set_default_paths(store) }
        for anchor in certificates { X509_STORE_add_cert(store, anchor.handle.pointer) }
        for other in others.prefix(200) { quire_openssl_add_certificate(between, other.handle.pointer) }
        guard X509_STORE_CTX_init(context, store, certificate.handle.pointer, between) == 1 else {
            return Judgement(finding: .brokenChain, chain: [certificate], details: "no beginning")
        }
        // One may believe a person's own certificate without believing who issued it.
        X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        X509_STORE_CTX_set_time(context, 0, Int(seconds))
        X509_STORE_CTX_set_depth(context, 12)
        let isTrusted = X509_verify_cert(context) == 1
        let error = X509_STORE_CTX_get_error(context)
        let built = X509_STORE_CTX_get0_chain(context)
        let chain = (0..<max(0, quire_openssl_certificate_count(built))).compactMap {
            quire_openssl_certificate(built, $0).map(X509Certificate.init(sharing:))
        }
        return Judgement(
            finding: isTrusted ? .trusted : Self.finding(error),
            chain: chain.isEmpty ? [certificate] : chain,
            details: isTrusted ? "" : X509Certificate.text(X509_verify_cert_error_string(Int(error))))
    }

    private static func finding(_ error: Int32) -> Finding {
        switch error {
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .vouchesForItself
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_CERT_UNTRUSTED:
            .unknownIssuer
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        default: .brokenChain
        }
    }
}
