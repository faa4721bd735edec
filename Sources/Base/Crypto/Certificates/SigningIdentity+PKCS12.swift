internal import COpenSSL

extension SigningIdentity {
    /// A `.p12` or `.pfx` file (RFC 7292), as authorities and other programs hand them out.
    public init(pkcs12: [UInt8], password: String) throws(CryptoError) {
        // Most of these files are locked in ways that OpenSSL keeps apart by now; they are known here alone.
        guard let apart = OSSL_LIB_CTX_new() else { throw .outOfMemory }
        let current = OSSL_PROVIDER_load(apart, "default")
        let legacy = OSSL_PROVIDER_load(apart, "legacy")
        defer {
            if let legacy { OSSL_PROVIDER_unload(legacy) }
            if let current { OSSL_PROVIDER_unload(current) }
            OSSL_LIB_CTX_free(apart)
            forgetOpenSSLErrors()
        }
        var file = PKCS12_init_ex(NID_pkcs7_data, apart, nil)
        defer { PKCS12_free(file) }
        let isRead = pkcs12.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            return d2i_PKCS12(&file, &at, bytes.count) != nil
        }
        guard isRead, file != nil else { throw .refused("it is no PKCS #12 file") }
        var key: OpaquePointer?
        var certificate: OpaquePointer?
        var others: OpaquePointer?
        guard PKCS12_parse(file, password, &key, &certificate, &others) == 1 else {
            throw .badKey("the password does not open it")
        }
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
            quire_openssl_free_certificates(others)
        }
        guard let key, let certificate else { throw .badKey("it holds no key with its certificate") }
        // Read anew, so that nothing leans on what is let go here.
        let text = X509Certificate.encoded { i2d_PrivateKey(key, $0) }
        let again = text.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            return KeyHandle(d2i_AutoPrivateKey(nil, &at, bytes.count))
        }
        guard let again else { throw openSSLRefusal("reading a key") }
        var chain: [X509Certificate] = []
        for at in 0..<min(20, quire_openssl_certificate_count(others)) {
            guard let other = quire_openssl_certificate(others, at) else { continue }
            chain.append(try X509Certificate(der: X509Certificate.encoded { i2d_X509(other, $0) }))
        }
        try self.init(
            again, try X509Certificate(der: X509Certificate.encoded { i2d_X509(certificate, $0) }),
            chain: chain)
    }

}
