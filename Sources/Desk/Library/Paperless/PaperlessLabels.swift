import Bytes
import Storage
import Work

/// How what Paperless-ngx wrote on papers is written on them here.
struct PaperlessLabels {
    private let export: PaperlessExport
    /// The desk's field for each of theirs.
    private var fields: [Int: (name: String, kind: PaperField.Kind)] = [:]
    private let titles: [Int: String]

    init(_ export: PaperlessExport, fields there: [PaperField]) throws {
        self.export = export
        titles = Dictionary(
            export.papers.map { ($0.number, $0.title) }, uniquingKeysWith: { first, _ in first })
        var kinds = Dictionary(
            there.map { (Tag.folded($0.name), $0.kind) }, uniquingKeysWith: { first, _ in first })
        let own = [
            (Documents.documentTypeField, PaperField.Kind.text), (Documents.serialNumberField, .number),
        ]
        for (name, kind) in own { kinds[Tag.folded(name)] = kind }
        for (number, field) in export.fields.sorted(by: { $0.key < $1.key }) {
            let kind = kind(of: number, field)
            var name = Self.fieldName(field.name)
            if field.kind == "monetary", kind == .number, let currency = currency(of: number) {
                name = Self.fieldName("\(field.name) (\(currency))")
            }
            // A field of this name that holds something else, or a word of the search box, is not to be taken for it.
            if kinds[Tag.folded(name)].map({ $0 != kind }) ?? PaperField.isReserved(name) {
                name = Self.fieldName("\(field.name) (Paperless)")
            }
            kinds[Tag.folded(name)] = kind
            fields[number] = (name, kind)
        }
    }

    /// Fields that have to be made first.
    func neededFields(knownTo there: [PaperField]) -> [(name: String, kind: PaperField.Kind)] {
        var wanted = fields.sorted { $0.key < $1.key }.map(\.value)
        if !export.documentTypes.isEmpty { wanted.append((Documents.documentTypeField, .text)) }
        if export.papers.contains(where: { $0.serialNumber != nil }) {
            wanted.append((Documents.serialNumberField, .number))
        }
        var seen = Set(there.map { Tag.folded($0.name) })
        return wanted.filter { seen.insert(Tag.folded($0.name)).inserted }
    }

    func filing(
        of paper: PaperlessExport.Paper, into place: ID<Folder>?, folder: ([String]) throws -> ID<Folder>?
    ) throws -> Documents.Filing {
        var filing = Documents.Filing(folder: .some(place), date: paper.created)
        filing.addedTags = paper.tags.compactMap { export.tags[$0] }.filter { Tag.cleaned($0) != nil }
        if let name = paper.correspondent.flatMap({ export.correspondents[$0] }), Tag.cleaned(name) != nil {
            filing.people = [PaperPerson(name: name)]
        }
        if let name = paper.storagePath.flatMap({ export.storagePaths[$0] }) {
            let names = name.split(separator: "/").compactMap { FileName.cleaned(String($0)) }
            filing.folder = .some(try folder(names))
        }
        if let type = paper.documentType.flatMap({ export.documentTypes[$0] }) {
            filing.values.append(PaperValue(field: Documents.documentTypeField, value: type))
        }
        if let number = paper.serialNumber {
            filing.values.append(PaperValue(field: Documents.serialNumberField, value: String(number)))
        }
        var lines = (export.notes[paper.number] ?? []).map { note in
            let author = note.author.flatMap { export.users[$0] } ?? ""
            let origin = [note.day, author].filter { !$0.isEmpty }.joined(separator: ", ")
            return origin.isEmpty ? note.text : "\(note.text) (\(origin))"
        }
        for (number, value) in export.values[paper.number] ?? [] {
            guard let field = fields[number], let text = text(of: value, number), !text.isEmpty else {
                continue
            }
            if let cleaned = field.kind.cleaned(text),
                cleaned.count < PaperField.longestValue || field.kind != .text
            {
                filing.values.append(PaperValue(field: field.name, value: cleaned))
            } else {
                // Nothing is cut off: what has no room in a field stands in the note.
                lines.append("\(field.name): \(text)")
            }
        }
        let note = lines.joined(separator: "\n\n").filter { $0 != "\0" }
        guard note.unicodeScalars.count <= 10_000 else {
            throw Failure(.tooLarge, "Its notes are longer than the 10,000 characters a note has here.")
        }
        filing.note = note.isEmpty ? nil : note
        return filing
    }

    /// On a paper that was there already, only what nobody wrote.
    func missing(_ filing: Documents.Filing, on document: Document) -> Documents.Filing {
        var filing = filing
        if document.folder != nil { filing.folder = nil }
        if !document.date.isEmpty || filing.date?.isEmpty ?? true { filing.date = nil }
        if !document.people.isEmpty { filing.people = nil }
        if let note = filing.note, !document.note.isEmpty {
            filing.note = document.note.contains(note) ? nil : "\(document.note)\n\n\(note)"
        }
        let written = Set(document.values.map { Tag.folded($0.field) })
        filing.values = filing.values.filter { !written.contains(Tag.folded($0.field)) }
        return filing
    }

    // MARK: Fields

    private func kind(of number: Int, _ field: PaperlessExport.Field) -> PaperField.Kind {
        switch field.kind {
        case "date": .date
        case "integer", "float": .number
        // Amounts in several currencies are not to be added up or compared.
        case "monetary": currency(of: number) == nil ? .text : .number
        default: .text
        }
    }

    /// The only currency that is written in this field; empty when none is, nil when there are several.
    private func currency(of number: Int) -> String? {
        var found: Set<String> = []
        for values in export.values.values {
            for (field, value) in values where field == number {
                found.insert(String((value.string ?? "").prefix { $0.isLetter }))
            }
        }
        return found.count <= 1 ? found.first.flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    private func text(of value: JSON, _ number: Int) -> String? {
        guard let field = export.fields[number] else { return nil }
        switch value {
        case .string(let text):
            if field.kind == "select" { return field.choices.first { $0.id == text }?.label ?? text }
            if field.kind == "monetary", fields[number]?.kind == .number {
                return String(text.drop { $0.isLetter })
            }
            return text
        case .integer(let whole):
            if field.kind == "select" { return field.choices.first { $0.id == String(whole) }?.label }
            return String(whole)
        case .number(let value): return String(value)
        case .bool(let flag): return flag ? "yes" : "no"
        case .array(let others):
            return others.compactMap(\.int).map { titles[$0] ?? "#\($0)" }.joined(separator: ", ")
        case .null, .object: return nil
        }
    }

    private static func fieldName(_ text: String) -> String {
        let plain = text.map { ":<>=\"".contains($0) ? " " : String($0) }.joined()
        return Tag.cleaned(plain) ?? "Field"
    }
}
