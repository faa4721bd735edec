internal import COpenSSL

/// Something signed as CMS has it (RFC 5652): who signed, how, and whether it holds.
public struct SignedMessage: Sendable {
    final class Handle {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { CMS_ContentInfo_free(pointer) }
    }

    /// One who signed. What was signed is checked with `holds`.
    public struct Signer: Sendable {
        /// Nil when the message does not carry it.
        public let certificate: X509Certificate?
        /// `sha256`, by which what was signed is known.
        public let digest: String
        /// When, as the signer's own clock said; seconds since 1970.
        public let signingTime: Int64?
        public let signature: [UInt8]
        /// Time stamps over the signature, each a message of its own.
        public let timeStamps: [[UInt8]]
        /// Whether it says itself by whose certificate it is to be read (RFC 5035), and that is the one here. Nil when it does
        /// not say.
        public let namesItsCertificate: Bool?
        let index: Int32
        let digestNumber: Int32
        /// The digest it promises; nil when it signs the content itself.
        let promised: [UInt8]?
    }

    public enum Outcome: Sendable, Equatable {
        case holds
        /// The content is not what was signed.
        case otherContent
        /// The signature is not of the certificate's key.
        case wrongSignature
        /// It cannot be said, as the certificate is missing or the method is not known.
        case unknown(String)
    }

    public let signers: [Signer]
    public let certificates: [X509Certificate]
    public let revocationLists: [RevocationList]
    /// What it carries itself; nil when what was signed lies elsewhere.
    public let content: [UInt8]?
    /// `1.2.840.113549.1.9.16.1.4` for a time stamp.
    public let contentType: String
    private let handle: Handle

    public init(der: [UInt8]) throws(CryptoError) {
        let read = der.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            return d2i_CMS_ContentInfo(nil, &at, bytes.count)
        }
        guard let read else { throw openSSLRefusal("reading a signature") }
        handle = Handle(read)
        guard OBJ_obj2nid(CMS_get0_type(read)) == NID_pkcs7_signed else {
            throw .refused("it is no signed message")
        }
        let all = CMS_get1_certs(read)
        defer { quire_openssl_free_certificates(all) }
        certificates = (0..<min(500, quire_openssl_certificate_count(all))).compactMap {
            quire_openssl_certificate(all, $0).map(X509Certificate.init(sharing:))
        }
        let lists = CMS_get1_crls(read)
        defer { quire_openssl_free_crls(lists) }
        revocationLists = (0..<min(100, quire_openssl_crl_count(lists))).compactMap {
            quire_openssl_crl(lists, $0).map(RevocationList.init(sharing:))
        }
        contentType = Self.identifier(CMS_get0_eContentType(read))
        content = CMS_get0_content(read).flatMap { $0.pointee }.map { Self.bytes(OpaquePointer($0)) }
        let known = certificates
        signers = (0..<min(20, quire_openssl_signer_count(read))).compactMap { index in
            quire_openssl_signer(read, index).map { Self.signer($0, index, known) }
        }
        forgetOpenSSLErrors()
    }

    /// Whether this signer signed exactly these pieces, one behind the other.
    public func holds(
        _ signer: Signer, for pieces: [UnsafeRawBufferPointer], by other: X509Certificate? = nil
    ) -> Outcome {
        defer { forgetOpenSSLErrors() }
        guard let certificate = signer.certificate ?? other else {
            return .unknown("the certificate is missing")
        }
        guard let one = quire_openssl_signer(handle.pointer, signer.index) else {
            return .unknown("no signer")
        }
        guard let method = EVP_get_digestbyname(OBJ_nid2sn(signer.digestNumber)) else {
            return .unknown("the digest is not known")
        }
        guard let promised = signer.promised else {
            return Self.holdsDirectly(signer, method, certificate, pieces)
        }
        guard let digest = Self.digest(pieces, method) else { return .unknown("the digest is not known") }
        guard digest == promised else { return .otherContent }
        CMS_SignerInfo_set1_signer_cert(one, certificate.handle.pointer)
        return CMS_SignerInfo_verify(one) == 1 ? .holds : .wrongSignature
    }

    public func holds(_ signer: Signer, for bytes: [UInt8]) -> Outcome {
        bytes.withUnsafeBytes { holds(signer, for: [$0]) }
    }

    /// Without signed attributes the signature is over the content itself (RFC 5652 §5.4).
    private static func holdsDirectly(
        _ signer: Signer, _ method: OpaquePointer, _ certificate: X509Certificate,
        _ pieces: [UnsafeRawBufferPointer]
    ) -> Outcome {
        guard let context = EVP_MD_CTX_new(), let key = X509_get0_pubkey(certificate.handle.pointer) else {
            return .unknown("the key cannot be read")
        }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, method, nil, key) == 1 else {
            return .unknown("the method is not known")
        }
        for piece in pieces {
            guard let start = piece.baseAddress else { continue }
            EVP_DigestVerifyUpdate(context, start, piece.count)
        }
        return EVP_DigestVerifyFinal(context, signer.signature, signer.signature.count) == 1
            ? .holds : .wrongSignature
    }

    static func digest(_ pieces: [UnsafeRawBufferPointer], _ method: OpaquePointer) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestInit_ex(context, method, nil) == 1 else { return nil }
        for piece in pieces {
            guard let start = piece.baseAddress else { continue }
            guard EVP_DigestUpdate(context, start, piece.count) == 1 else { return nil }
        }
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &result, &count) == 1 else { return nil }
        return Array(result.prefix(Int(count)))
    }

    // MARK: Reading

    private static func signer(
        _ one: OpaquePointer, _ index: Int32, _ certificates: [X509Certificate]
    ) -> Signer {
        let certificate = certificates.first { CMS_SignerInfo_cert_cmp(one, $0.handle.pointer) == 0 }
        var digestMethod: UnsafeMutablePointer<X509_ALGOR>?
        CMS_SignerInfo_get0_algs(one, nil, nil, &digestMethod, nil)
        var object: OpaquePointer?
        X509_ALGOR_get0(&object, nil, nil, digestMethod)
        let number = OBJ_obj2nid(object)
        let isBare = CMS_signed_get_attr_count(one) < 0
        let promised = CMS_signed_get0_data_by_OBJ(
            one, OBJ_nid2obj(NID_pkcs9_messageDigest), -3, V_ASN1_OCTET_STRING)
        let time = attribute(one, NID_pkcs9_signingTime, isSigned: true).first.flatMap(seconds)
        return Signer(
            certificate: certificate, digest: X509Certificate.text(OBJ_nid2sn(number)).lowercased(),
            signingTime: time,
            signature: CMS_SignerInfo_get0_signature(one).map { bytes(OpaquePointer($0)) } ?? [],
            timeStamps: attribute(one, NID_id_smime_aa_timeStampToken, isSigned: false),
            namesItsCertificate: namesCertificate(one, certificate), index: index, digestNumber: number,
            // Attributes without the one that says what was signed promise nothing that could be so.
            promised: isBare ? nil : promised.map { bytes(OpaquePointer($0)) } ?? [])
    }

    private static func namesCertificate(_ one: OpaquePointer, _ certificate: X509Certificate?) -> Bool? {
        let first = attribute(one, NID_id_smime_aa_signingCertificate, isSigned: true).first
        let second = attribute(one, NID_id_smime_aa_signingCertificateV2, isSigned: true).first
        guard first != nil || second != nil else { return nil }
        guard let certificate, let chain = quire_openssl_new_certificates() else { return false }
        defer { quire_openssl_free_certificates(chain) }
        quire_openssl_add_certificate(chain, certificate.handle.pointer)
        let old = first.flatMap { der in
            der.withUnsafeBufferPointer {
                var at = $0.baseAddress
                return d2i_ESS_SIGNING_CERT(nil, &at, $0.count)
            }
        }
        let new = second.flatMap { der in
            der.withUnsafeBufferPointer {
                var at = $0.baseAddress
                return d2i_ESS_SIGNING_CERT_V2(nil, &at, $0.count)
            }
        }
        defer {
            ESS_SIGNING_CERT_free(old)
            ESS_SIGNING_CERT_V2_free(new)
        }
        guard (first == nil) == (old == nil), (second == nil) == (new == nil) else { return false }
        return OSSL_ESS_check_signing_certs(old, new, chain, 0) > 0
    }

    /// The values of an attribute, each as DER.
    private static func attribute(_ one: OpaquePointer, _ number: Int32, isSigned: Bool) -> [[UInt8]] {
        let object = OBJ_nid2obj(number)
        let at =
            isSigned
            ? CMS_signed_get_attr_by_OBJ(one, object, -1) : CMS_unsigned_get_attr_by_OBJ(one, object, -1)
        guard at >= 0,
            let attribute = isSigned ? CMS_signed_get_attr(one, at) : CMS_unsigned_get_attr(one, at)
        else { return [] }
        return (0..<min(20, X509_ATTRIBUTE_count(attribute))).map { index in
            X509Certificate.encoded { quire_openssl_attribute_bytes(attribute, index, $0) }
        }
    }

    private static func seconds(_ der: [UInt8]) -> Int64? {
        der.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            guard let time = d2i_ASN1_TIME(nil, &at, bytes.count) else { return nil }
            defer { ASN1_TIME_free(time) }
            return X509Certificate.seconds(time)
        }
    }

    static func bytes(_ text: OpaquePointer) -> [UInt8] {
        let text = UnsafePointer<ASN1_OCTET_STRING>(text)
        guard let start = ASN1_STRING_get0_data(text) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: max(0, Int(ASN1_STRING_length(text)))))
    }

    static func identifier(_ object: OpaquePointer?) -> String {
        guard let object else { return "" }
        var text = [CChar](repeating: 0, count: 128)
        let count = OBJ_obj2txt(&text, Int32(text.count), object, 1)
        guard count > 0, Int(count) < text.count else { return "" }
        return String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

// Checking sets the signer's certificate, always to the same one, and is done by one thread at a time: a message is read where
// it is checked and not handed on.
extension SignedMessage.Handle: @unchecked Sendable {}

extension SHA1 {
    /// SHA-1 (FIPS 180-4) of pieces one behind the other. Only for what was made when it still held.
    public static func hash(_ pieces: [UnsafeRawBufferPointer]) -> [UInt8] {
        SignedMessage.digest(pieces, EVP_sha1()) ?? []
    }
}

/// For old papers alone: since 2017 two texts with one digest can be made.
public enum SHA1 {}
