public import Crypto
import PDF

/// What goes behind a signed paper so that it can be checked when those who vouched do not answer any more (PAdES B-LT,
/// ISO 32000-2 §12.8.4.3).
public struct SignatureProofs: Sendable {
    public var certificates: [X509Certificate]
    public var lists: [RevocationList]
    public var answers: [RevocationAnswer]

    public init(
        certificates: [X509Certificate] = [], lists: [RevocationList] = [], answers: [RevocationAnswer] = []
    ) {
        self.certificates = certificates
        self.lists = lists
        self.answers = answers
    }

    /// Those that a paper has.
    init(_ file: PDFFile) {
        self.init()
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

    /// The paper with these behind it, beside those that it has already.
    func put(behind signed: [UInt8]) throws -> [UInt8] {
        let base = try AppendableFile(signed)
        let file = base.file
        guard let root = file.trailer["Root"]?.reference, !base.wasMended else {
            throw SigningTrouble.damaged
        }
        let known = SignatureProofs(file)
        var revision = base.revision()
        var store = file.dictionary(file.catalog["DSS"]) ?? ["Type": .name("DSS")]
        func add(_ key: PDFName, _ new: [[UInt8]], beside old: [[UInt8]]) {
            var seen = Set(old)
            let added = new.filter { seen.insert($0).inserted }.map { bytes -> PDFObject in
                let place = revision.newReference()
                revision.putStream([:], bytes, at: place)
                return .reference(place)
            }
            guard !added.isEmpty else { return }
            store[key] = .array(file.array(store[key]) + added)
        }
        add("Certs", certificates.map(\.der), beside: known.certificates.map(\.der))
        add("CRLs", lists.map(\.der), beside: known.lists.map(\.der))
        add("OCSPs", answers.map(\.der), beside: known.answers.map(\.der))
        var catalog = file.catalog
        if let place = catalog["DSS"]?.reference {
            revision.put(.dictionary(store), at: place)
        } else {
            let place = revision.newReference()
            revision.put(.dictionary(store), at: place)
            catalog["DSS"] = .reference(place)
            revision.put(.dictionary(catalog), at: root)
        }
        return signed + revision.finish(identity: Array(SHA256.hash(revision.out).prefix(16)))
    }
}
