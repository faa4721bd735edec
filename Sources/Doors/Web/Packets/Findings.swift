import Filling
import Mappings
import Markup

// What the desk found, in the reader's language. The desk's own sentences are English and say everything; in other
// languages the kind of thing is named, and what the sentence quotes - fields, values, file names - stands behind it.
extension Visit {
    /// `labels` are what people call the fields.
    func sentence(_ problem: PacketProblem, _ labels: [String: String] = [:]) -> String {
        if let value = problem.value, let field = problem.field,
            let sentence = sentence(
                problem.kind, of: value, meant: problem.meant, in: labels[field] ?? field)
        {
            return sentence
        }
        return sentence(problem.kind, problem.message, field: problem.field)
    }

    func sentence(_ kind: PacketProblem.Kind, _ message: String, field: String? = nil) -> String {
        let whole = texts.said(message)
        // What nobody has said otherwise is told by its kind, with the words that were quoted.
        guard language != .english, whole == message else { return whole }
        var quoted = Visit.quoted(message)
        if quoted.isEmpty, let field { quoted = ["“\(field)”"] }
        let words = texts("finding.\(kind.rawValue)")
        return quoted.isEmpty ? "\(words)." : "\(words): \(quoted.joined(separator: ", "))."
    }

    /// What is counted for all packets: a word of the list with its field, or a field.
    func sentence(_ count: PlanSummary.ProblemCount) -> String {
        guard let field = count.label ?? count.field else { return sentence(count.kind, count.example) }
        if let value = count.value {
            return sentence(count.kind, of: value, meant: count.meant, in: field)
                ?? sentence(count.kind, count.example, field: field)
        }
        guard language == .english else { return sentence(count.kind, "“\(field)”") }
        return count.example.contains("“\(field)”") ? count.example : "“\(field)”: \(count.example)"
    }

    private func sentence(
        _ kind: PacketProblem.Kind, of value: String, meant: String?, in field: String
    ) -> String? {
        switch (kind, meant) {
        case (.noSuchChoice, _):
            texts("finding.noSuchChoice.word", ["word": .text(value), "field": .text(field)])
        case (.takenAs, let meant?):
            texts(
                "finding.takenAs.word",
                ["word": .text(value), "field": .text(field), "choice": .text(meant)])
        default: nil
        }
    }

    /// What is wrong with a line of a mapping, as the page that matches says it.
    func sentence(_ problem: MappingProblem) -> String {
        let whole = problem.hint.map { "\(problem.message) \($0)" } ?? problem.message
        let said = texts.said(whole)
        guard language != .english, said == whole else { return said }
        let kind: PacketProblem.Kind =
            switch problem.kind {
            case .required: .missingValue
            case .tooLong: .tooLong
            case .noSuchChoice: .noSuchChoice
            case .takenAs: .takenAs
            case .notFillable: .notFillable
            case .unknownField: .unknownField
            case .kind, .formula, .unknownColumn, .unusedColumn, .text, .mappedTwice, .setting, .name:
                .formula
            }
        return sentence(kind, problem.message)
    }

    /// Where a problem of a field can be put right: the table of its words, or the field among the others.
    func cure(
        _ problem: PlanSummary.ProblemCount, of batch: Batch
    ) -> (address: String, label: String)? {
        guard let part = problem.part, let field = problem.field else { return nil }
        let address =
            "/batches/\(batch.id)/mapping?part=\(part + 1)&field=\(Pages.queryEncoded(field))&then=plan"
        return problem.value == nil
            ? (address, texts("check.cure.field"))
            : (
                address + "&word=\(Pages.queryEncoded(problem.value ?? ""))#words", texts("check.cure.word")
            )
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
