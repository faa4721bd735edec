internal import COpenSSL
internal import Glibc

/// What a third party says about when something was there already (RFC 3161).
public struct TimeStamp: Sendable {
    /// Seconds since 1970.
    public let time: Int64
    public let message: SignedMessage
    private let digestNumber: Int32
    private let imprint: [UInt8]
    private let statement: [UInt8]

    public init(der: [UInt8]) throws(CryptoError) {
        message = try SignedMessage(der: der)
        guard message.contentType == "1.2.840.113549.1.9.16.1.4", let content = message.content else {
            throw .refused("it is no time stamp")
        }
        statement = content
        let read = content.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            return d2i_TS_TST_INFO(nil, &at, bytes.count)
        }
        guard let read else { throw openSSLRefusal("reading a time stamp") }
        defer { TS_TST_INFO_free(read) }
        guard let time = X509Certificate.seconds(TS_TST_INFO_get_time(read)),
            let imprint = TS_TST_INFO_get_msg_imprint(read), let text = TS_MSG_IMPRINT_get_msg(imprint)
        else { throw .refused("the time stamp says no time") }
        self.time = time
        var object: OpaquePointer?
        X509_ALGOR_get0(&object, nil, nil, TS_MSG_IMPRINT_get_algo(imprint))
        digestNumber = OBJ_obj2nid(object)
        self.imprint = SignedMessage.bytes(OpaquePointer(text))
    }

    public var digest: String { X509Certificate.text(OBJ_nid2sn(digestNumber)).lowercased() }
    public var signer: SignedMessage.Signer? { message.signers.first }

    /// Whether it is about exactly these pieces, and signed.
    public func holds(for pieces: [UnsafeRawBufferPointer]) -> SignedMessage.Outcome {
        defer { forgetOpenSSLErrors() }
        guard let method = EVP_get_digestbyname(OBJ_nid2sn(digestNumber)) else {
            return .unknown("the digest is not known")
        }
        guard SignedMessage.digest(pieces, method) == imprint else { return .otherContent }
        guard message.signers.count == 1, let signer else { return .unknown("it has no signer") }
        return message.holds(signer, for: statement)
    }

    public func holds(for bytes: [UInt8]) -> SignedMessage.Outcome {
        bytes.withUnsafeBytes { holds(for: [$0]) }
    }
}
