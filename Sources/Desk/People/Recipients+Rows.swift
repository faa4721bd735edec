import Access
import Storage
import Tables

// How a row becomes a recipient.
extension Recipients {
    func recipient(_ record: RowRecord, source: Int, of list: RecipientList) -> Recipient {
        var cells = PackedRow.cells(in: record.cells)
        if record.isFlawed {
            // As many as the row happens to have.
        } else {
            while cells.count < list.columns.count { cells.append(.empty) }
            if cells.count > list.columns.count { cells.removeLast(cells.count - list.columns.count) }
        }
        func texts(_ role: ColumnRole) -> [String] {
            record.isFlawed
                ? []
                : list.places(of: role).filter { $0 < cells.count }.map { cells[$0].shown.trimmed }.filter {
                    !$0.isEmpty
                }
        }
        let emails = texts(.email)
        return Recipient(
            id: list.id.member(record.number), list: list.id, source: source, place: record.place,
            cells: cells, name: Self.name(cells, list, texts), email: emails.first ?? "", emails: emails,
            cc: texts(.cc), bcc: texts(.bcc), flaw: record.isFlawed ? record.flaw : nil,
            sourceText: record.sourceText)
    }

    private static func name(
        _ cells: [Cell], _ list: RecipientList, _ texts: (ColumnRole) -> [String]
    ) -> String {
        let whole = texts(.name)
        if let name = whole.first { return name }
        let parts = texts(.firstName) + texts(.lastName)
        if !parts.isEmpty { return parts.joined(separator: " ") }
        return cells.first { $0.kind == .text && !$0.shown.isEmpty }?.shown.trimmed
            ?? cells.first { !$0.shown.isEmpty }?.shown ?? ""
    }
}

extension String {
    var trimmed: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
