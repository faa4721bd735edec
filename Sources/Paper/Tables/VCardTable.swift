import Bytes
public import Cards

extension CardFile {
    /// What a file is written in that is no UTF-8 and does not say so, found as it is for tables.
    public static func letters(of bytes: [UInt8]) -> String {
        guard bytes[...].firstInvalidUTF8 != nil else { return "UTF-8" }
        return EncodingFinder.find(bytes[...]).name
    }
}

/// A file of cards as a table.
enum VCardTable {
    static func open(_ source: ByteSource, _ options: TableOptions) throws(TableError) -> OpenedTable {
        let bytes = try source.read(whole: options.limits.heldByteCount)
        var found: [CardFile.Found] = []
        CardFile.each(bytes, letters: CardFile.letters(of: bytes)) { one in
            // A card that says nothing is nobody.
            if case .refusal(let refusal) = one, [.empty, .noCard].contains(refusal.reason) { return }
            found.append(one)
        }
        var names: [String] = []
        for case .card(let card) in found {
            for (name, _) in card.fields where !names.contains(name) { names.append(name) }
        }
        if names.isEmpty, !found.isEmpty { names = ["Name"] }
        // In one order, whichever card comes first.
        let order = Dictionary(
            (0..<5).flatMap { round in
                Self.order.enumerated().map { (round == 0 ? $1 : "\($1) \(round + 1)", $0 * 10 + round) }
            },
            uniquingKeysWith: { first, _ in first })
        names.sort { (order[$0] ?? 9999, $0) < (order[$1] ?? 9999, $1) }
        let rows = VCardRows(found, names)
        var shape = TableShape(format: .vcard)
        shape.encoding = "UTF-8"
        var opened = OpenedTable(shape: shape, rows: rows, columnNames: names)
        opened.emptySentence = "There is no card in the file."
        return opened
    }

    private static let order = [
        "Name", "Title", "First name", "Middle name", "Last name", "Suffix", "Nickname", "E-mail", "Phone",
        "Organization", "Department", "Job title", "Street", "City", "Region", "Postal code", "Country",
        "Birthday",
        "Website", "Categories", "Note",
    ]
}

private final class VCardRows: RowSource {
    private let found: [CardFile.Found]
    private let names: [String]
    private var next = 0

    init(_ found: [CardFile.Found], _ names: [String]) {
        self.found = found
        self.names = names
    }

    var lastSource: String {
        guard next > 0 else { return "" }
        switch found[next - 1] {
        case .card(let card): return card.withoutFiles
        case .refusal(let refusal): return refusal.name
        }
    }

    func read(into row: inout PackedRow) -> Bool {
        guard next < found.count else { return false }
        defer { next += 1 }
        switch found[next] {
        case .card(let card): fill(&row, with: card)
        case .refusal(let refusal):
            // Nobody is left out without a word.
            row.clear(place: refusal.line)
            for name in names { row.append(Cell(name == "Name" ? refusal.name : "")) }
            row.flaw = "\(refusal)"
        }
        return true
    }

    private func fill(_ row: inout PackedRow, with card: ContactCard) {
        row.clear(place: card.line)
        let cells = Dictionary(
            card.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for name in names {
            let text = cells[name] ?? ""
            // Telephone numbers and postcodes are no amounts.
            var cell = Cell(text)
            if cell.kind == .number { cell.kind = .text }
            row.append(cell)
        }
    }
}
