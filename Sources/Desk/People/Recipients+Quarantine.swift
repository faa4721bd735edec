public import Access
import Bytes
public import Storage
import Tables

extension Recipients {
    /// Rows that were set aside when their file came in, each with its place, what is wrong with it, and its text.
    public func quarantine(
        _ id: ID<RecipientList>, source: Int? = nil, offset: Int = 0, limit: Int = 50, by caller: Caller
    ) throws -> (rows: [Recipient], count: Int) {
        try caller.require(.view)
        return try store.read { desk in
            let found = try found(id, in: desk)
            let chunks = found.edition.chunks.filter {
                $0.isSetAside && (source == nil || $0.source == source)
            }
            var rows: [Recipient] = []
            var before = 0
            let end = max(0, offset) + min(max(1, limit), Self.mostPerPage)
            for chunk in chunks {
                let next = before + Int(chunk.count)
                if next > offset, before < end {
                    for (place, record) in try records(chunk, of: id, in: desk).enumerated()
                    where before + place >= offset && before + place < end {
                        rows.append(recipient(record, source: chunk.source, of: found.list))
                    }
                }
                before = next
            }
            return (rows, chunks.reduce(0) { $0 + Int($1.count) })
        }
    }

    /// Reads a row again after its text was mended. In order, it becomes a recipient, and bringing the same file in
    /// again will know it; otherwise the failure says what is still wrong.
    @discardableResult
    public func mend(_ id: ID<Recipient>, text: String, by caller: Caller) throws -> Changed {
        try caller.require(.edit)
        let listID = id.series(of: RecipientList.self)
        let text = try Self.typed(text)
        return try store.write { tx in
            var edition = try changeable(listID, in: tx)
            var taken: (record: RowRecord, source: Int)?
            try rewrite([id.memberNumber], &edition, of: listID, isSetAside: true, in: tx) { record, chunk in
                taken = (record, chunk.source)
                return false
            }
            guard let source = taken?.source, var record = taken?.record else {
                throw Failure(.notFound, "This row has been mended or dropped already.")
            }
            guard let origin = edition.sources.first(where: { $0.number == source }) else {
                throw Self.notFound
            }
            record.cells = try cells(of: text, as: origin, edition, flaw: record.flaw)
            record.flags = RowRecord.isMended
            record.flaw = ""
            try putBack(record, source, &edition, of: listID, in: tx)
            let list = try save(edition, of: listID, act: .mended, by: Author(caller), ["count": 1], in: tx)
            return Changed(list: list, count: 1, recipients: [recipient(record, source: source, of: list)])
        }
    }

    /// Gives up rows that were set aside.
    @discardableResult
    public func drop(
        _ ids: [ID<Recipient>], from list: ID<RecipientList>, by caller: Caller
    ) throws -> Changed {
        try caller.require(.edit)
        let numbers = Set(ids.filter { $0.series(of: RecipientList.self) == list }.map(\.memberNumber))
        return try store.write { tx in
            var edition = try changeable(list, in: tx)
            let count = try rewrite(numbers, &edition, of: list, isSetAside: true, in: tx) { _, _ in false }
            guard count > 0 else {
                return Changed(list: try found(list, in: tx).list, count: 0, recipients: [])
            }
            let list = try save(
                edition, of: list, act: .dropped, by: Author(caller), ["count": .int(count)], in: tx)
            return Changed(list: list, count: count, recipients: [])
        }
    }

    /// The text of one row under the same columns and separators as the rest of its file.
    private func cells(
        of text: String, as source: RecipientSource, _ edition: Edition, flaw: String
    ) throws -> [UInt8] {
        let layout = source.layout
        var options = TableOptions()
        options.format = .csv
        options.encoding = "UTF-8"
        options.headerRow = 0
        options.separator = layout.separator
        options.quote = layout.quote
        let rows: [TableRow]
        do {
            var table = try TableReader(bytes: Array(text.utf8), options: options)
            var all: [TableRow] = []
            while let row = try table.next() { all.append(row) }
            rows = all
        } catch {
            throw Failure(.invalid, "The row is empty.", field: "text", cause: "\(error)")
        }
        guard rows.count == 1, let row = rows.first else {
            throw Failure(
                .invalid, "This would make \(rows.count) rows. Mend one row at a time.", field: "text")
        }
        if let flaw = row.flaw { throw Failure(.invalid, flaw, field: "text") }
        guard row.cells.count == layout.places.count else {
            throw Failure(
                .invalid,
                "The row has \(row.cells.count) cells, but its file has \(layout.places.count) columns, separated by “\(layout.separator)”.",
                field: "text")
        }
        var cells = [Cell](repeating: .empty, count: edition.columns.count)
        for (cell, place) in zip(row.cells, layout.places) where place < cells.count { cells[place] = cell }
        return PackedRow(place: 0, cells: cells).bytes
    }

    /// Where it would have stood: before the first row of its source that comes later in the file.
    private func putBack(
        _ record: RowRecord, _ source: Int, _ edition: inout Edition, of id: ID<RecipientList>,
        in tx: borrowing Transaction
    ) throws {
        let own = edition.chunks.indices.filter {
            edition.chunks[$0].source == source && !edition.chunks[$0].isSetAside
        }
        for index in own {
            var records = try records(edition.chunks[index], of: id, in: tx)
            let isLast = index == own.last
            guard isLast || (records.last?.place ?? 0) > record.place else { continue }
            let place = records.firstIndex { $0.place > record.place } ?? records.endIndex
            records.insert(record, at: place)
            let entries = try write(records, source: source, isSetAside: false, of: id, in: tx)
            edition.chunks.replaceSubrange(index...index, with: entries)
            return
        }
        let entries = try write([record], source: source, isSetAside: false, of: id, in: tx)
        edition.chunks.append(contentsOf: entries)
    }
}
