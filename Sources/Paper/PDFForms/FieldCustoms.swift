/// What a form does with values by its scripts, as far as it is known without running them: dates are brought into its
/// pattern, limits are held, and what only its own program could do is said.
struct FieldCustoms: Sendable {
    private struct Custom: Sendable {
        var place: Int
        var date: DateNotation?
        var validation: FieldValidation?
        /// Formats or checks with a script of its own.
        var hasScript: Bool
        var isComputed: Bool
    }

    private let customs: [Custom]

    /// `language`: what the form says it is written in.
    init(_ fields: [Field], language: String? = nil) {
        customs = fields.enumerated().compactMap { place, field in
            guard [.text, .combo, .barcode].contains(field.kind) else { return nil }
            var custom = Custom(
                place: place, validation: field.validation,
                hasScript: field.format == .script || field.validation == .script,
                isComputed: field.isComputedByScript)
            switch field.format {
            case .date(let pattern), .time(let pattern):
                custom.date = DateNotation(pattern: pattern, language: language)
            default: break
            }
            let isPlain =
                custom.date == nil && custom.validation == nil && !custom.hasScript && !custom.isComputed
            return isPlain ? nil : custom
        }
    }

    var isEmpty: Bool { customs.isEmpty }

    /// Looks through the values of one document; `change` puts another in place.
    func apply(
        to fields: (Int) -> Field, value: (Int) -> FieldValue?, change: (Int, FieldValue) -> Void,
        finding: (Finding) -> Void
    ) {
        for custom in customs {
            let field = fields(custom.place)
            guard let given = value(custom.place), case let text = given.texts.joined(separator: "\n"),
                !text.isEmpty
            else {
                if custom.isComputed {
                    finding(
                        Finding(
                            field: field.name, kind: .scriptNotRun,
                            message:
                                "This field is computed by the form's own script; it was not computed."))
                }
                continue
            }
            if let date = custom.date {
                switch date.read(text) {
                case .text(let written): if written != text { change(custom.place, .text(written)) }
                case .ambiguous:
                    finding(
                        Finding(
                            field: field.name, kind: .ambiguous,
                            message:
                                "“\(text)” can be read as more than one date; it was left as it is. Write the year first: 2026-11-21."
                        ))
                case .none:
                    finding(
                        Finding(
                            field: field.name, kind: .notInPattern,
                            message:
                                "“\(text)” is nothing that “\(date.pattern)” can show; it was left as it is."
                        ))
                }
            }
            if let objection = custom.validation?.objection(to: text) {
                finding(
                    Finding(
                        field: field.name, kind: .outOfRange,
                        message: "The form would refuse “\(text)”: \(objection)."))
            }
            if custom.hasScript {
                finding(
                    Finding(
                        field: field.name, kind: .scriptNotRun,
                        message:
                            "The form checks or shows this field by a script of its own, which was not run."))
            }
        }
    }
}
