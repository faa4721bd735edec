public import PDF
public import PDFForms
public import Work

/// Labels for all fields of a form: the author's own words where there are any, else the words a reader would take
/// for it on the page, else the technical name made readable.
///
///     let labels = try FieldLabels(of: form, in: PDFFile(bytes: template), reader: reader)
///     for (field, label) in zip(form.fields, labels.all) { print(field.name, label.text) }
public struct FieldLabels: Sendable {
    /// In the order of the form's fields.
    public let all: [FieldLabel]
    /// Why the pages themselves could not be read, when only the fields' own words were used.
    public private(set) var trouble: ReadingError?

    private let byName: [String: Int]

    public subscript(name: String) -> FieldLabel? { byName[name].map { all[$0] } }

    /// Below this a guess is worth less than the field's technical name.
    private static let leastConfidence = 0.42

    /// Of an open file. Without poppler the labels are those that the fields bring with them.
    public init(
        of form: Form, in file: PDFFile, reader: PageReader?, cancellation: Cancellation = Cancellation()
    ) {
        var texts: [PageText] = []
        var trouble: ReadingError?
        // Fields that bring their own words still need the headings over them.
        if let reader, form.fields.contains(where: { $0.kind != .pushButton }) {
            do throws(ReadingError) {
                let sheets: Sheets
                do throws(PDFError) { sheets = try Sheets(file) } catch {
                    throw .unreadable(error.description)
                }
                texts = try reader.text(of: sheets, cancellation: cancellation)
            } catch {
                trouble = error
            }
        }
        let drawings = texts.isEmpty ? [] : PageDrawing.all(file)
        self.init(form, texts: texts, drawings: drawings)
        self.trouble = trouble
    }

    /// From pages that were read before. `usesTooltips` is for measuring how good the guesses are without them.
    public init(
        _ form: Form, texts: [PageText], drawings: [PageDrawing] = [], usesTooltips: Bool = true
    ) {
        var labels = [FieldLabel?](repeating: nil, count: form.fields.count)
        var sections = [String?](repeating: nil, count: form.fields.count)
        var section: String?
        for page in texts {
            let drawing = drawings.indices.contains(page.page) ? drawings[page.page] : nil
            let found = PageLabels(form, page, drawing)
            for (index, label) in found.labels where labels[index] == nil { labels[index] = label }
            let headings = found.sections(after: section)
            for (index, heading) in headings.of where sections[index] == nil { sections[index] = heading }
            section = headings.last
        }
        let fields = form.fields
        all = fields.indices.map { index in
            var label = Self.label(fields[index], labels[index], usesTooltips: usesTooltips)
            label.section = sections[index]
            return label
        }
        byName = Dictionary(
            fields.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    private static func label(_ field: Field, _ guess: FieldLabel?, usesTooltips: Bool) -> FieldLabel {
        let choices = guess?.choices ?? []
        if usesTooltips, let words = tooltip(of: field) {
            return FieldLabel(
                words, source: .tooltip, confidence: 1, part: guess?.part, row: guess?.row,
                choices: choices)
        }
        let readable = field.readableName
        let saysSomething = LabelText.saysSomething(readable)
        if let guess, guess.confidence >= leastConfidence || !saysSomething { return guess }
        return FieldLabel(
            readable, source: .name, confidence: saysSomething ? 0.5 : 0.1, choices: choices)
    }

    /// The author's words for a field, unless they are only its technical name once more.
    private static func tooltip(of field: Field) -> String? {
        let words = LabelText.clean(
            (field.alternateName ?? "").split { $0.isWhitespace }.map(String.init))
        guard words.contains(where: \.isLetter), words != field.name else { return nil }
        return words.contains(" ") || LabelText.saysSomething(words) ? words : nil
    }
}

extension Field {
    /// The last part of the name that says something, as words.
    var readableName: String {
        var plain = self
        plain.alternateName = nil
        return plain.label
    }
}
