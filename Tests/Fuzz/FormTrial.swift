import Bytes
import PDF
import PDFForms
import Work

/// Everything the engine can do with one file, one after the other.
struct FormTrial {
    let bytes: [UInt8]

    private static let texts = [
        "Zoë", "a", "On", "Yes", "王小明 مريم", "नमस्ते कृष्ण", "", "1234.5", "2026-02-29", "x\ny\rz\t", "(\\)", "🇫🇷 👩‍👩‍👧",
        String(repeating: "long words ", count: 60), "\u{202E}\u{200D}\u{FE0F}", "a;b|c", "Off", "true",
    ]

    /// True when the form could be filled.
    func run(_ chance: Chance) -> Bool {
        guard let read = try? Form(bytes: bytes) else { return false }
        for field in read.fields { _ = (field.label, field.meaning, field.states) }
        var options = PreparedForm.Options()
        options.flattens = chance.integer(below: 3) == 0 ? .all : .none
        if chance.integer(below: 3) == 0 {
            options.flattens = .fields(Set(read.fields.prefix(2).map(\.name)))
        }
        options.base = [.append, .rewrite, .automatic(copies: 1000)][chance.integer(below: 3)]
        guard let form = try? PreparedForm(bytes: bytes, options: options) else { return false }
        let names = form.form.fields.prefix(60).map(\.name)
        let columns = form.columns(names)
        for _ in 0..<2 {
            let row: [FieldValue?] = names.map { _ in
                switch chance.integer(below: 6) {
                case 0: nil
                case 1: .flag(chance.integer(below: 2) == 0)
                case 2:
                    .texts(
                        (0..<chance.integer(below: 4)).map { _ in
                            Self.texts[chance.integer(below: Self.texts.count)]
                        })
                default: .text(Self.texts[chance.integer(below: Self.texts.count)])
                }
            }
            let filled = form.fill(columns: columns, row: row)
            let doubts = form.prove(filled, columns: columns, row: row)
            _ = form.receipt(filled, columns: columns, row: row, template: "", doubts: doubts).json.text
            _ = try? Form(bytes: filled.bytes)
        }
        return true
    }
}
