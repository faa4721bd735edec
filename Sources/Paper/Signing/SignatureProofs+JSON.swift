public import Bytes
import Crypto

extension SignatureProofs {
    /// Each as DER in Base64.
    public var json: JSON {
        func all(_ values: [[UInt8]]) -> JSON { .array(values.map { .string(Base64.encode($0)) }) }
        return [
            "certificates": all(certificates.map(\.der)), "lists": all(lists.map(\.der)),
            "answers": all(answers.map(\.der)),
        ]
    }

    public init(_ json: JSON) {
        func all(_ key: String) -> [[UInt8]] {
            (json[key]?.array ?? []).compactMap { $0.string.flatMap { Base64.decode($0) } }
        }
        self.init(
            certificates: all("certificates").compactMap { try? X509Certificate(der: $0) },
            lists: all("lists").compactMap { try? RevocationList(der: $0) },
            answers: all("answers").map(RevocationAnswer.init(der:)))
    }
}
