internal import COpenSSL

/// Asks a time stamp authority about some bytes, of which it sees the digest alone (RFC 3161 §2.4).
public struct TimeStampRequest: Sendable {
    public static let mediaType = "application/timestamp-query"
    public static let answerMediaType = "application/timestamp-reply"

    public let der: [UInt8]
    private let bytes: [UInt8]
    private let nonce: [UInt8]

    /// - Parameter nonce: bytes nobody can guess, so that no old answer fits.
    public init(for bytes: [UInt8], nonce: [UInt8]) {
        self.bytes = bytes
        self.nonce = nonce
        let algorithm = DER.sequence(DER.identifier(2, 16, 840, 1, 101, 3, 4, 2, 1), DER.null)
        der = DER.sequence(
            DER.integer(1), DER.sequence(algorithm, DER.octets(SHA256.hash(bytes))), DER.positive(nonce),
            DER.yes)
    }

    /// The time stamp of an answer, when it is one to this request.
    public func stamp(from answer: [UInt8]) throws(CryptoError) -> (stamp: TimeStamp, der: [UInt8]) {
        let read = answer.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            return d2i_TS_RESP(nil, &at, bytes.count)
        }
        guard let read else { throw openSSLRefusal("reading the answer of a time stamp authority") }
        defer { TS_RESP_free(read) }
        guard let status = TS_RESP_get_status_info(read),
            let number = TS_STATUS_INFO_get0_status(status), (0...1).contains(ASN1_INTEGER_get(number)),
            let token = TS_RESP_get_token(read), let info = TS_RESP_get_tst_info(read)
        else {
            forgetOpenSSLErrors()
            throw .refused("the time stamp authority gave none")
        }
        let returned = TS_TST_INFO_get_nonce(info).map { number in
            X509Certificate.encoded { i2d_ASN1_INTEGER(number, $0) }
        }
        let der = X509Certificate.encoded { i2d_PKCS7(token, $0) }
        let stamp = try TimeStamp(der: der)
        guard returned == DER.positive(nonce), stamp.holds(for: bytes) == .holds else {
            throw .refused("the time stamp is for something else")
        }
        return (stamp, der)
    }
}
