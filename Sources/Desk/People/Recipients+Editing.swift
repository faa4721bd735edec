public import Access
import Bytes
import SQL
public import Storage
import Tables
import Transfer
import Work

extension Recipients {
    /// What a change did, and the edition to name when it is to be taken back.
    public struct Changed: Sendable, Equatable {
        public var list: RecipientList
        public var count: Int
        /// Those that were added or changed, unless there were very many.
        public var recipients: [Recipient]

        public var edition: Int { list.edition }
    }

    /// Adds recipients typed by hand: for each one the texts of its columns by name. Columns the list does not
    /// have are made.
    @discardableResult
    public func add(
        _ people: [[String: String]], to id: ID<RecipientList>, source: RecipientSource.Kind = .manual,
        named sourceName: String = "", by caller: Caller
    ) throws -> Changed {
        try caller.require(.edit)
        guard !people.isEmpty, people.count <= 10_000 else {
            throw Failure(.invalid, "Add between one and 10,000 recipients at a time.")
        }
        return try store.write { tx in
            var edition = try changeable(id, in: tx)
            for name in people.flatMap({ $0.keys.sorted() }) where !Self.has(name, edition.columns) {
                try append(name, to: &edition)
            }
            let isTyped = source == .manual
            let source = edition.sourceForHand(kind: source, name: sourceName, at: tx.now, by: caller.name)
            var records: [RowRecord] = []
            for person in people {
                var texts = [String](repeating: "", count: edition.columns.count)
                for (name, text) in person {
                    let place = try Self.place(of: name, in: edition.columns)
                    texts[place] = try Self.typed(text)
                    if isTyped { try Self.checkAddress(text, in: edition.columns[place]) }
                }
                guard texts.contains(where: { !$0.trimmed.isEmpty }) else {
                    throw Failure(.invalid, "At least one column has to be filled.")
                }
                records.append(
                    RowRecord(
                        number: edition.nextNumber, place: 0,
                        cells: PackedRow(place: 0, cells: texts.map { Cell($0) }).bytes))
                edition.nextNumber += 1
            }
            try append(records, to: source, &edition, of: id, in: tx)
            let list = try save(
                edition, of: id, act: .added, by: Author(caller), ["count": .int(records.count)], in: tx)
            return Changed(
                list: list, count: records.count,
                recipients: records.prefix(100).map { recipient($0, source: source, of: list) })
        }
    }

    static func has(_ name: String, _ columns: [RecipientColumn]) -> Bool {
        (try? place(of: name, in: columns)) != nil
    }

    func append(_ name: String, to edition: inout Edition) throws {
        guard edition.columns.count < 1000 else {
            throw Failure(.tooLarge, "A list may have 1,000 columns of its own making.")
        }
        let name = try Self.cleaned(name)
        let taken = Set(edition.columns.compactMap(\.role))
        let role = ColumnGuess.role(of: name).flatMap { taken.contains($0) ? nil : $0 }
        edition.columns.append(RecipientColumn(name: name, role: role))
    }

    /// Rows go behind the others of their source; the last chunk is filled up before a new one begins.
    private func append(
        _ records: [RowRecord], to source: Int, _ edition: inout Edition, of id: ID<RecipientList>,
        in tx: borrowing Transaction
    ) throws {
        var records = records
        var place = edition.chunks.endIndex
        if let last = edition.chunks.lastIndex(where: { $0.source == source && !$0.isSetAside }) {
            place = last + 1
            if edition.chunks[last].count + UInt32(clamping: records.count) < ChunkBuilder.rowCount {
                records = try self.records(edition.chunks[last], of: id, in: tx) + records
                edition.chunks.remove(at: last)
                place = last
            }
        }
        let entries = try write(records, source: source, isSetAside: false, of: id, in: tx)
        edition.chunks.insert(contentsOf: entries, at: place)
    }

    /// Types over one cell. What the source said stays with it, so that bringing the source in again knows whether
    /// it has changed there.
    @discardableResult
    public func change(
        _ id: ID<Recipient>, column: String, to text: String, by caller: Caller
    ) throws -> Changed {
        try change(id, [column: text], by: caller)
    }

    @discardableResult
    public func change(
        _ id: ID<Recipient>, _ texts: [String: String], by caller: Caller
    ) throws -> Changed {
        try caller.require(.edit)
        let listID = id.series(of: RecipientList.self)
        return try store.write { tx in
            var edition = try changeable(listID, in: tx)
            for name in texts.keys where !Self.has(name, edition.columns) {
                throw Failure(.notFound, "The list has no column “\(name)”.", field: "column")
            }
            var changed: (record: RowRecord, source: Int)?
            let columns = edition.columns
            try rewrite([id.memberNumber], &edition, of: listID, in: tx) { record, chunk in
                var cells = PackedRow.cells(in: record.cells)
                while cells.count < columns.count { cells.append(.empty) }
                for (name, text) in texts {
                    let place = try Self.place(of: name, in: columns)
                    if cells[place].shown != text { try Self.checkAddress(text, in: columns[place]) }
                    cells[place] = try Self.retyped(cells[place], text, isManual: record.place == 0)
                }
                record.cells = PackedRow(place: 0, cells: cells).bytes
                if cells.contains(where: \.isEdited) {
                    record.flags |= RowRecord.isEdited
                } else {
                    record.flags &= ~RowRecord.isEdited
                }
                changed = (record, chunk.source)
                return true
            }
            guard let changed else {
                throw Failure(.notFound, "This recipient is no longer on the list.")
            }
            let list = try save(
                edition, of: listID, act: .changed, by: Author(caller), ["count": 1], in: tx)
            return Changed(
                list: list, count: 1,
                recipients: [recipient(changed.record, source: changed.source, of: list)])
        }
    }

    private static func retyped(_ cell: Cell, _ text: String, isManual: Bool) throws -> Cell {
        var typed = Cell(try self.typed(text))
        guard !isManual, text != cell.raw || cell.raw != cell.shown && !cell.isEdited else { return typed }
        typed.raw = cell.raw
        typed.isEdited = true
        return typed
    }

    static func typed(_ text: String) throws -> String {
        guard text.utf8.count <= TableLimits().cellByteCount, !text.utf8.contains(0) else {
            throw Failure(.tooLarge, "A cell may hold a million characters, and no zero among them.")
        }
        return text
    }

    /// A table may bring what it has; who types an address is told at once that no mail would get there.
    private static func checkAddress(_ text: String, in column: RecipientColumn) throws(Failure) {
        guard [.email, .cc, .bcc].contains(column.role), !text.trimmed.isEmpty else { return }
        let parts = MailAddress.parts(of: text)
        guard parts.isEmpty || parts.contains(where: { MailAddress(typed: $0) == nil }) else { return }
        throw .notAnAddress(text, field: "cell:\(column.name)")
    }

    /// Takes recipients off their list.
    @discardableResult
    public func remove(
        _ ids: [ID<Recipient>], from list: ID<RecipientList>, by caller: Caller
    ) throws -> Changed {
        let numbers = Set(ids.filter { $0.series(of: RecipientList.self) == list }.map(\.memberNumber))
        return try remove(from: list, by: caller) { _ in numbers }
    }

    /// Takes off all recipients that a filter finds.
    @discardableResult
    public func remove(
        _ filter: RecipientFilter, from list: ID<RecipientList>, by caller: Caller
    ) throws -> Changed {
        try caller.require(.edit)
        return try store.write { tx in
            let found = try found(list, in: tx)
            var matcher = try RowMatcher(filter, of: found.list)
            var edition = try changeable(list, in: tx)
            let count = try rewriteAll(&edition, of: list, in: tx) { chunk, row in
                if let source = matcher.source, source != chunk.source { return false }
                return matcher.matches(row.cells, number: row.number)
            }
            return try removed(count, edition, list, by: caller, in: tx)
        }
    }

    private func remove(
        from list: ID<RecipientList>, by caller: Caller, _ choose: (Edition) throws -> Set<UInt32>
    ) throws -> Changed {
        try caller.require(.edit)
        return try store.write { tx in
            var edition = try changeable(list, in: tx)
            let numbers = try choose(edition)
            let count = try rewrite(numbers, &edition, of: list, in: tx) { _, _ in false }
            return try removed(count, edition, list, by: caller, in: tx)
        }
    }

    private func removed(
        _ count: Int, _ edition: Edition, _ list: ID<RecipientList>, by caller: Caller,
        in tx: borrowing Transaction
    ) throws -> Changed {
        guard count > 0 else { return Changed(list: try found(list, in: tx).list, count: 0, recipients: []) }
        let list = try save(
            edition, of: list, act: .removed, by: Author(caller), ["count": .int(count)], in: tx)
        return Changed(list: list, count: count, recipients: [])
    }

    /// Takes away everything that came from one source.
    @discardableResult
    public func removeSource(
        _ number: Int, from id: ID<RecipientList>, by caller: Caller
    ) throws -> Changed {
        try caller.require(.edit)
        return try store.write { tx in
            var edition = try changeable(id, in: tx)
            guard let source = edition.sources.first(where: { $0.number == number }) else {
                throw Failure(.notFound, "The list has no such source.")
            }
            edition.sources.removeAll { $0.number == number }
            edition.chunks.removeAll { $0.source == number }
            let list = try save(
                edition, of: id, act: .sourceRemoved, by: Author(caller),
                ["source": .string(source.name), "count": .int(source.count)], in: tx)
            return Changed(list: list, count: source.count, recipients: [])
        }
    }

    // MARK: Writing chunks anew

    /// Gives each of these rows to `body`, which changes it or says that it goes. Only the chunks that hold them
    /// are written anew. How many there were.
    @discardableResult
    func rewrite(
        _ numbers: Set<UInt32>, _ edition: inout Edition, of id: ID<RecipientList>, isSetAside: Bool = false,
        in tx: borrowing Transaction, _ body: (inout RowRecord, ChunkEntry) throws -> Bool
    ) throws -> Int {
        guard let lowest = numbers.min(), let highest = numbers.max() else { return 0 }
        var chunks: [ChunkEntry] = []
        var count = 0
        for chunk in edition.chunks {
            guard chunk.isSetAside == isSetAside, chunk.first <= highest, chunk.last >= lowest,
                count < numbers.count
            else {
                chunks.append(chunk)
                continue
            }
            var kept: [RowRecord] = []
            var isTouched = false
            for var record in try records(chunk, of: id, in: tx) {
                guard numbers.contains(record.number) else {
                    kept.append(record)
                    continue
                }
                isTouched = true
                count += 1
                if try body(&record, chunk) { kept.append(record) }
            }
            if isTouched {
                chunks += try write(kept, source: chunk.source, isSetAside: isSetAside, of: id, in: tx)
            } else {
                chunks.append(chunk)
            }
        }
        edition.chunks = chunks
        return count
    }

    /// Takes away all rows of which `goes` is true.
    private func rewriteAll(
        _ edition: inout Edition, of id: ID<RecipientList>, in tx: borrowing Transaction,
        goes: (ChunkEntry, RowWalk.Place) -> Bool
    ) throws -> Int {
        var chunks: [ChunkEntry] = []
        var count = 0
        for chunk in edition.chunks {
            guard !chunk.isSetAside else {
                chunks.append(chunk)
                continue
            }
            let content = try content(chunk, of: id, in: tx)
            var builder = ChunkBuilder(source: chunk.source, isSetAside: false)
            var gone = 0
            content.withUnsafeBytes { raw in
                var walk = RowWalk(raw)
                while let row = walk.next() {
                    if goes(chunk, row) { gone += 1 } else { builder.append(row.record) }
                }
            }
            count += gone
            if gone == 0 {
                chunks.append(chunk)
            } else if !builder.isEmpty {
                let (entry, content) = builder.take(number: try reserve(1, of: id, in: tx))
                try insert(entry, content, of: id, in: tx)
                chunks.append(entry)
            }
        }
        edition.chunks = chunks
        return count
    }
}
