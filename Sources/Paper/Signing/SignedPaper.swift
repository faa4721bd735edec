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
        let proofs = KeptProofs(file)
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

/// What was put into a file so that it can be checked for long (ISO 32000-2 §12.8.4.3).
struct KeptProofs {
    private(set) var certificates: [X509Certificate] = []
    private(set) var lists: [RevocationList] = []
    private(set) var answers: [RevocationAnswer] = []

    init(_ file: PDFFile) {
        guard let store = file.dictionary(file.catalog["DSS"]) else { return }
        func streams(_ key: PDFName) -> [[UInt8]] {
            file.array(store[key]).prefix(200).compactMap { object in
                object.reference.flatMap { file.stream($0, limit: 16 << 20) }
            }
        }
        certificates = streams("Certs").compactMap { try? X509Certificate(der: $0) }
        lists = streams("CRLs").compactMap { try? RevocationList(der: $0) }
        answers = streams("OCSPs").map(RevocationAnswer.init(der:))
    }
}
