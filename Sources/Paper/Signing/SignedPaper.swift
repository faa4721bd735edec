public import Crypto
public import PDF

/// The signatures of a paper, each checked.
public struct SignedPaper: Sendable {
    /// In the order in which they were given, as far as the file shows it.
    public let signatures: [CheckedSignature]
    /// The names of fields that wait to be signed.
    public let openFields: [String]

    /// Each takes as long as reading the paper does.
    private static let most = 100

    /// - Parameter now: seconds since 1970.
    public init(
        _ bytes: [UInt8], password: String? = nil, trusting anchors: TrustAnchors, now: Int64
    ) throws(PDFError) {
        let file = try PDFFile(bytes: bytes, password: password)
        let proofs = SignatureProofs(file)
        var checked: [(end: Int, signature: CheckedSignature)] = []
        var open: [String] = []
        var names: Set<String> = []
        for field in FieldPairs.fields(of: file) where field.isSignature {
            guard names.insert(field.name).inserted else { continue }
            guard let signature = field.signature else {
                open.append(field.name)
                continue
            }
            var check = SignatureCheck(
                file: file, password: password, name: field.name, signature: signature, proofs: proofs,
                anchors: anchors, now: now)
            if checked.count < Self.most { check.run() } else { check.leaveOut() }
            checked.append((check.end, check.result))
        }
        signatures = checked.enumerated()
            .sorted { ($0.element.end, $0.offset) < ($1.element.end, $1.offset) }
            .map(\.element.signature)
        openFields = open
    }
}
