import Filling
import Markup

// What the desk found, in the reader's language. The desk's own sentences are English and say everything; in other
// languages the kind of thing is named, and what the sentence quotes - fields, values, file names - stands behind it.
extension Visit {
    func sentence(_ problem: PacketProblem) -> String {
        sentence(problem.kind, problem.message, field: problem.field)
    }

    func sentence(_ kind: PacketProblem.Kind, _ message: String, field: String? = nil) -> String {
        guard language != .english else { return message }
        var quoted = Visit.quoted(message)
        if quoted.isEmpty, let field { quoted = ["“\(field)”"] }
        let words = texts("finding.\(kind.rawValue)")
        return quoted.isEmpty ? "\(words)." : "\(words): \(quoted.joined(separator: ", "))."
    }

    /// The parts of a sentence in quotation marks, with them.
    static func quoted(_ sentence: String) -> [String] {
        var found: [String] = []
        var rest = sentence[...]
        while let open = rest.firstIndex(of: "“"), let close = rest[open...].firstIndex(of: "”") {
            found.append(String(rest[open...close]))
            rest = rest[rest.index(after: close)...]
        }
        return found
    }
}
