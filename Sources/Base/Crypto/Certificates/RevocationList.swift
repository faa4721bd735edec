internal import COpenSSL
internal import Glibc

/// What is known of a certificate having been taken back before its time.
public enum Revocation: Sendable, Equatable {
    /// Nobody was asked, and nothing that was kept tells.
    case unknown
    /// Not taken back, as of that second since 1970.
    case notRevoked(asOf: Int64)
    case revoked(at: Int64)
}

/// A list of certificates that were taken back, as their authority publishes it (RFC 5280 §5).
public struct RevocationList: Sendable {
    final class Handle {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { X509_CRL_free(pointer) }
    }

    public let der: [UInt8]
    private let handle: Handle

    public init(der: [UInt8]) throws(CryptoError) {
        let read = der.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            return d2i_X509_CRL(nil, &at, bytes.count)
        }
        guard let read else { throw openSSLRefusal("reading a list of certificates taken back") }
        handle = Handle(read)
        self.der = der
    }

    init(sharing pointer: OpaquePointer) {
        X509_CRL_up_ref(pointer)
        der = X509Certificate.encoded { i2d_X509_CRL(pointer, $0) }
        handle = Handle(pointer)
    }

    /// What it says of a certificate of that authority; unknown when it is another's list.
    public func says(of certificate: X509Certificate, from authority: X509Certificate) -> Revocation {
        defer { forgetOpenSSLErrors() }
        guard
            X509_NAME_cmp(
                X509_CRL_get_issuer(handle.pointer), X509_get_subject_name(authority.handle.pointer)) == 0,
            let key = X509_get0_pubkey(authority.handle.pointer), X509_CRL_verify(handle.pointer, key) == 1
        else { return .unknown }
        var entry: OpaquePointer?
        let found = X509_CRL_get0_by_cert(handle.pointer, &entry, certificate.handle.pointer)
        if found == 1, let entry {
            return .revoked(at: X509Certificate.seconds(X509_REVOKED_get0_revocationDate(entry)) ?? 0)
        }
        return X509Certificate.seconds(X509_CRL_get0_lastUpdate(handle.pointer))
            .map { .notRevoked(asOf: $0) } ?? .unknown
    }
}

// Read once and never changed; what OpenSSL keeps beside it, it keeps under a lock of its own.
extension RevocationList.Handle: @unchecked Sendable {}

/// An authority's answer about one certificate (RFC 6960).
public struct RevocationAnswer: Sendable {
    public let der: [UInt8]

    public init(der: [UInt8]) { self.der = der }

    public func says(
        of certificate: X509Certificate, from authority: X509Certificate, with others: [X509Certificate]
    ) -> Revocation {
        defer { forgetOpenSSLErrors() }
        let read = der.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            return d2i_OCSP_RESPONSE(nil, &at, bytes.count)
        }
        defer { OCSP_RESPONSE_free(read) }
        guard let read, let basic = OCSP_response_get1_basic(read) else { return .unknown }
        defer { OCSP_BASICRESP_free(basic) }
        guard let store = X509_STORE_new(), let known = quire_openssl_new_certificates() else {
            return .unknown
        }
        defer {
            X509_STORE_free(store)
            quire_openssl_free_certificates(known)
        }
        X509_STORE_add_cert(store, authority.handle.pointer)
        // The answer was kept to be read long after those who gave it have ended.
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME))
        for other in [authority] + others.prefix(100) {
            quire_openssl_add_certificate(known, other.handle.pointer)
        }
        guard OCSP_basic_verify(basic, known, store, 0) == 1 else { return .unknown }
        for method in [EVP_sha1(), EVP_sha256()] {
            guard
                let identity = OCSP_cert_to_id(
                    method, certificate.handle.pointer, authority.handle.pointer)
            else { continue }
            defer { OCSP_CERTID_free(identity) }
            var status: Int32 = -1
            var reason: Int32 = 0
            var revoked: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            var made: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            guard OCSP_resp_find_status(basic, identity, &status, &reason, &revoked, &made, nil) == 1 else {
                continue
            }
            switch status {
            case V_OCSP_CERTSTATUS_GOOD:
                return X509Certificate.seconds(made).map { .notRevoked(asOf: $0) } ?? .unknown
            case V_OCSP_CERTSTATUS_REVOKED:
                return .revoked(at: X509Certificate.seconds(revoked) ?? 0)
            default: return .unknown
            }
        }
        return .unknown
    }
}
