import Access
import Bytes
import SQL
import Storage
import Tables
import Work

/// One pass over a file, beside the rows that came from the same source before: counts what is new, changed and
/// gone, and, when it is not only a trial, writes the rows as they will stand in the list.
///
/// The rows are written as chunks nobody knows of yet, in short transactions, so that others can go on working
/// meanwhile. The last transaction makes the edition that names them.
struct ImportRun {
    static let reservedChunks: Int64 = 1 << 24
    /// About two megabytes: long enough for the sync to disk not to matter, short enough not to keep others waiting.
    private static let chunksAtOnce = 40

    private let pending: RecipientImport
    private let base: Edition
    private let listID: ID<RecipientList>
    private let recipients: Recipients
    private let isTrial: Bool
    private let path: String
    private let shape: TableShape
    private let sourceNumber: Int
    private let isKnownSource: Bool
    private let layout: SourceLayout
    private var columns: [RecipientColumn]
    private let newColumns: Set<Int>
    private let isStraight: Bool
    private let key: KeyChoice
    private let keyPlace: Int?
    private let namePlaces: [Int]
    private var known = KnownRows()
    private var counts = ImportCounts()
    private var emails: [EmailChoice.Counts]
    private var watched: [Int]
    private var examples: [ImportPreview.Example] = []
    private var firstRows: [TableRow] = []
    private var nextNumber: UInt32
    private var keysSeen: Set<UInt64> = []
    private var entries: [ChunkEntry] = []
    private var asideEntries: [ChunkEntry] = []

    private var isWhole = false

    private static let mostExamples = 50

    init(
        _ pending: RecipientImport, _ found: Recipients.Found, _ recipients: Recipients, isTrial: Bool
    ) throws {
        self.pending = pending
        self.recipients = recipients
        self.isTrial = isTrial
        base = found.edition
        listID = found.list.id
        path = try recipients.store.blobs.path(of: pending.digest)
        let table = try TableReader(path: path, name: pending.name, options: pending.settings.options)
        let shape = table.shape
        self.shape = shape
        let before = base.sources.first { $0.kind == pending.kind && $0.name == pending.name }
        isKnownSource = before != nil
        sourceNumber = before?.number ?? (base.sources.map(\.number).max() ?? 0) + 1
        var columns = base.columns
        var added: Set<Int> = []
        var layout = SourceLayout()
        layout.separator = shape.separator ?? "\t"
        layout.quote = shape.format == .csv ? shape.quote.map { String($0) } ?? "" : "\""
        for column in shape.columns {
            if let place = columns.firstIndex(where: { Folding.key($0.name) == Folding.key(column.name) }),
                !layout.places.contains(place)
            {
                layout.places.append(place)
                if columns[place].kind != column.kind, column.kind != .empty {
                    columns[place].kind = columns[place].kind == .empty ? column.kind : .text
                }
            } else {
                layout.places.append(columns.count)
                added.insert(columns.count)
                columns.append(RecipientColumn(name: Self.free(column.name, columns), kind: column.kind))
            }
        }
        guard columns.count <= pending.settings.options.limits.columnCount else {
            throw Failure(.tooLarge, "Together with its other columns the list would have \(columns.count).")
        }
        self.layout = layout
        newColumns = added
        isStraight = layout.places == Array(columns.indices)
        let key = Self.key(pending, shape, before)
        self.key = key
        keyPlace = key.column.flatMap { name in
            shape.columns.firstIndex { $0.name == name }
        }.map { layout.places[$0] }
        Self.assignRoles(&columns, layout, shape, pending.settings, added, key.column)
        self.columns = columns
        let names: Set<ColumnRole?> = [.firstName, .lastName, .name]
        namePlaces = columns.indices.filter { names.contains(columns[$0].role) }
        emails = shape.columns.map { EmailChoice.Counts(name: $0.name) }
        watched = Array(shape.columns.indices)
        nextNumber = base.nextNumber
    }

    private static func free(_ name: String, _ columns: [RecipientColumn]) -> String {
        var free = name
        var number = 2
        while columns.contains(where: {
            Folding.key($0.name) == Folding.key(free) && !Folding.key(free).isEmpty || $0.name == free
        }) {
            free = "\(name) \(number)"
            number += 1
        }
        return free
    }

    private static func key(
        _ pending: RecipientImport, _ shape: TableShape, _ before: RecipientSource?
    ) -> KeyChoice {
        let names = shape.columns.map(\.name)
        if let given = pending.settings.keyColumn {
            guard !given.isEmpty else {
                return KeyChoice(
                    column: nil, reason: "You said that no column tells them apart.", isGiven: true)
            }
            if let name = names.first(where: { $0 == given || Folding.key($0) == Folding.key(given) }) {
                return KeyChoice(column: name, reason: "You chose it.", isGiven: true)
            }
        }
        if let earlier = before?.keyColumn,
            let name = names.first(where: { Folding.key($0) == Folding.key(earlier) })
        {
            return KeyChoice(
                column: name, reason: "As the last time this file was brought in.", isGiven: false)
        }
        if let name = names.first(where: ColumnGuess.looksLikeKey) {
            return KeyChoice(
                column: name, reason: "Its name says that it numbers or names each row.", isGiven: false)
        }
        let mails = names.filter(ColumnGuess.looksLikeEmail)
        if mails.count == 1 {
            return KeyChoice(
                column: mails[0], reason: "Addresses tell people apart, and there is no number or id.",
                isGiven: false)
        }
        return KeyChoice(
            column: nil,
            reason:
                "No column is sure to tell them apart: a row that changes will count as one gone and one added.",
            isGiven: false)
    }

    private static func assignRoles(
        _ columns: inout [RecipientColumn], _ layout: SourceLayout, _ shape: TableShape,
        _ settings: ImportSettings, _ added: Set<Int>, _ key: String?
    ) {
        for (column, place) in zip(shape.columns, layout.places) {
            if let role = settings.roles[column.name] {
                if let role, ![.email, .cc, .bcc].contains(role) {
                    for other in columns.indices where columns[other].role == role {
                        columns[other].role = nil
                    }
                }
                columns[place].role = role
            } else if added.contains(place), let role = ColumnGuess.role(of: column.name), role != .email,
                !columns.contains(where: { $0.role == role })
            {
                columns[place].role = role
            }
        }
    }

    // MARK: The pass

    /// At most `limit` rows, for a look.
    mutating func go(
        limit: Int? = nil, progress: Progress,
        flush: ((inout ImportRun, inout [(ChunkEntry, [UInt8])]) throws -> Void)? = nil
    ) throws {
        try learn(progress)
        progress.phase("Reading “\(pending.name)”")
        var table = try TableReader(path: path, name: pending.name, options: pending.settings.options)
        var row = PackedRow()
        var builder = ChunkBuilder(source: sourceNumber, isSetAside: false)
        var aside = ChunkBuilder(source: sourceNumber, isSetAside: true)
        var full: [(ChunkEntry, [UInt8])] = []
        var rowCount = 0
        var cellsByteCount = 0
        let limits = pending.settings.options.limits
        let fileByteCount = Int(try recipients.store.blobs.byteCount(of: pending.digest))
        while limit.map({ rowCount < $0 }) ?? true, try table.read(into: &row) {
            rowCount += 1
            if rowCount % 1024 == 0 {
                try progress.check()
                progress.advance(1024)
            }
            if firstRows.count < 200 { firstRows.append(row.row) }
            if row.flaw != nil {
                takeFlawed(row, &builder, &aside)
            } else {
                count(addressesIn: row, rowCount)
                take(row, &builder)
                // Beside the columns of a wide list a narrow row takes room that its file does not.
                cellsByteCount += isStraight ? row.bytes.count : arranged.count
                try limits.check(cells: cellsByteCount, ofFile: fileByteCount, line: row.place)
            }
            guard !isTrial else {
                if builder.isFull { _ = builder.take(number: 0) }
                if aside.isFull { _ = aside.take(number: 0) }
                continue
            }
            if builder.isFull { full.append(builder.take(number: 0)) }
            if aside.isFull { full.append(aside.take(number: 0)) }
            if full.count >= Self.chunksAtOnce { try flush?(&self, &full) }
        }
        if !isTrial {
            if !builder.isEmpty { full.append(builder.take(number: 0)) }
            if !aside.isEmpty { full.append(aside.take(number: 0)) }
            if !full.isEmpty { try flush?(&self, &full) }
        }
        counts.hidden = table.hiddenRowCount
        isWhole = limit.map { rowCount < $0 } ?? true
        if isWhole { finishGone() }
        chooseEmail()
    }

    /// What came from this source before.
    private mutating func learn(_ progress: Progress) throws {
        guard isKnownSource else { return }
        progress.phase("Looking at what is there")
        let chunks = base.chunks.filter { $0.source == sourceNumber && !$0.isSetAside }
        let keyPlace = keyPlace
        let namePlaces = namePlaces
        for chunk in chunks {
            try progress.check()
            let content = try recipients.store.read { desk in
                try recipients.content(chunk, of: listID, in: desk)
            }
            content.withUnsafeBytes { raw in
                var walk = RowWalk(raw)
                while let row = walk.next() { known.learn(row, keyPlace: keyPlace, namePlaces: namePlaces) }
            }
        }
    }

    private var arranged: [UInt8] = []

    /// The cells in the order of the list's columns.
    private mutating func arrange(_ bytes: UnsafeRawBufferPointer) {
        var places: [Range<Int>] = Array(repeating: 0..<0, count: columns.count)
        var cells = PackedCells(bytes)
        var index = 0
        while index < layout.places.count {
            let start = cells.position
            guard cells.next() != nil else { break }
            places[layout.places[index]] = start..<cells.position
            index += 1
        }
        arranged.removeAll(keepingCapacity: true)
        for range in places {
            if range.isEmpty {
                arranged.append(0)
            } else {
                arranged.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
    }

    private mutating func take(_ row: PackedRow, _ builder: inout ChunkBuilder) {
        if isStraight {
            row.bytes.withUnsafeBytes { place($0, row, &builder) }
        } else {
            row.bytes.withUnsafeBytes { arrange($0) }
            let cells = arranged
            cells.withUnsafeBytes { place($0, row, &builder) }
        }
    }

    private mutating func place(
        _ cells: UnsafeRawBufferPointer, _ row: PackedRow, _ builder: inout ChunkBuilder
    ) {
        var keyHash: UInt64?
        if let keyPlace, let key = cells.cell(keyPlace), !key.isEmpty {
            let hash = KnownRows.hash(of: key.shown)
            keyHash = hash
            if !keysSeen.insert(hash).inserted {
                counts.duplicates += 1
                example(
                    .duplicate, row,
                    "“\(String(decoding: key.shown, as: UTF8.self))” came before in the file.")
            }
        }
        guard isKnownSource else {
            counts.added += 1
            builder.append(nextNumber, place: row.place, cells: cells)
            nextNumber += 1
            return
        }
        let content = KnownRows.hash(ofCells: cells)
        let person = KnownRows.hash(ofPerson: cells, namePlaces)
        guard let index = known.find(key: keyHash ?? content, content: content, person: person) else {
            counts.added += 1
            builder.append(nextNumber, place: row.place, cells: cells)
            nextNumber += 1
            return
        }
        known.isSeen[index] = true
        let number = known.numbers[index]
        let isSame = known.contents[index] == content
        if let edited = known.edited[number] {
            let (merged, kept, lost) = Self.merge(edited, cells)
            counts.keptEdits += kept
            counts.lostEdits += lost
            if lost > 0 {
                example(.changed, row, "A cell typed over by hand has changed in the file, which wins.")
            }
            var record = RowRecord(number: number, place: row.place, cells: merged)
            if kept > 0 { record.flags = RowRecord.isEdited }
            builder.append(record)
        } else {
            builder.append(number, place: row.place, cells: cells)
        }
        if isSame {
            counts.unchanged += 1
        } else {
            counts.changed += 1
            changedNumbers.append((number, row.place))
            if changedNumbers.count <= Self.mostExamples { changedCells[number] = [UInt8](cells) }
        }
    }

    private var changedNumbers: [(number: UInt32, place: Int)] = []
    private var changedCells: [UInt32: [UInt8]] = [:]

    /// What was typed over stays where the file says the same as then.
    private static func merge(
        _ old: [UInt8], _ new: UnsafeRawBufferPointer
    ) -> (cells: [UInt8], kept: Int, lost: Int) {
        let before = PackedRow.cells(in: old)
        var cells = PackedRow.cells(in: [UInt8](new))
        var kept = 0
        var lost = 0
        for (place, cell) in before.enumerated() where cell.isEdited {
            while cells.count <= place { cells.append(.empty) }
            if cells[place].raw == cell.raw {
                cells[place] = cell
                kept += 1
            } else {
                lost += 1
            }
        }
        return (PackedRow(place: 0, cells: cells).bytes, kept, lost)
    }

    private mutating func takeFlawed(
        _ row: PackedRow, _ builder: inout ChunkBuilder, _ aside: inout ChunkBuilder
    ) {
        if let index = known.mended[row.source] {
            var record = index
            known.markSeen(record.number)
            record.place = row.place
            counts.mended += 1
            counts.unchanged += 1
            builder.append(record)
            return
        }
        counts.flawed += 1
        example(.flawed, row, row.flaw ?? "")
        aside.append(
            RowRecord(
                number: nextNumber, place: row.place, flags: RowRecord.isFlawed, flaw: row.flaw ?? "",
                sourceText: String(row.source.prefix(100_000)), cells: row.bytes))
        nextNumber += 1
    }

    private mutating func example(_ what: ImportPreview.Example.What, _ row: PackedRow, _ detail: String) {
        guard examples.count(where: { $0.what == what }) < Self.mostExamples else { return }
        let name =
            row.flaw == nil
            ? row.cells.first { !$0.shown.isEmpty }?.shown ?? "" : String(row.source.prefix(200))
        examples.append(ImportPreview.Example(what: what, place: row.place, name: name, detail: detail))
    }

    private mutating func count(addressesIn row: PackedRow, _ rowCount: Int) {
        // After a thousand rows only the columns in which addresses have turned up.
        if rowCount == 1000 {
            watched = watched.filter {
                emails[$0].addresses > 0 || ColumnGuess.looksLikeEmail(emails[$0].name)
            }
        }
        guard !watched.isEmpty else { return }
        row.bytes.withUnsafeBytes { raw in
            var cells = PackedCells(raw)
            var place = 0
            for wanted in watched {
                while place < wanted, cells.next() != nil { place += 1 }
                guard let cell = cells.next() else { return }
                place += 1
                guard !cell.isEmpty else { continue }
                emails[wanted].filled += 1
                if Addresses.isOne(cell.shown.bindMemory(to: UInt8.self)) { emails[wanted].addresses += 1 }
            }
        }
    }

    private mutating func finishGone() {
        guard isKnownSource else { return }
        for index in known.numbers.indices where !known.isSeen[index] { counts.gone += 1 }
    }

    private var email = EmailChoice([])

    /// A column that already has the role, or was given it, is not argued with.
    private mutating func chooseEmail() {
        let places = zip(shape.columns, layout.places)
        if let given = places.first(where: { columns[$1].role == .email }) {
            let isNow = pending.settings.roles[given.0.name] == .email
            email = EmailChoice(emails)
            email.column = given.0.name
            email.reason = isNow ? "You chose it." : "The list has it as its e-mail column already."
            return
        }
        email = EmailChoice(emails)
        guard !columns.contains(where: { $0.role == .email }), let chosen = email.column,
            let place = places.first(where: { $0.0.name == chosen })?.1, columns[place].role == nil,
            pending.settings.roles[chosen] == nil
        else { return }
        columns[place].role = .email
    }
}

// Showing and saving.
extension ImportRun {
    func preview(rows: Int) -> ImportPreview {
        var examples = examples
        // What was not read is not gone.
        if isKnownSource { examples += changes() + (isWhole ? goneOnes() : []) }
        return ImportPreview(
            pending: pending, shape: shape, rows: Array(firstRows.prefix(rows)),
            columns: zip(shape.columns, layout.places).map { column, place in
                ImportPreview.Column(
                    name: columns[place].name, kind: column.kind, role: columns[place].role,
                    isNew: newColumns.contains(place))
            },
            email: email, key: key, replacesSource: isKnownSource, isWhole: isWhole, counts: counts,
            examples: examples,
            notices: shape.notices)
    }

    private func old(_ numbers: Set<UInt32>) -> [UInt32: [Cell]] {
        var found: [UInt32: [Cell]] = [:]
        for chunk in base.chunks where chunk.source == sourceNumber && !chunk.isSetAside {
            guard numbers.contains(where: { $0 >= chunk.first && $0 <= chunk.last }),
                let records = try? recipients.store.read({ desk in
                    try recipients.records(chunk, of: listID, in: desk)
                })
            else { continue }
            for record in records where numbers.contains(record.number) {
                found[record.number] = PackedRow.cells(in: record.cells)
            }
        }
        return found
    }

    private func changes() -> [ImportPreview.Example] {
        let before = old(Set(changedNumbers.prefix(Self.mostExamples).map(\.number)))
        return changedNumbers.prefix(Self.mostExamples).map { number, place in
            let now = PackedRow.cells(in: changedCells[number] ?? [])
            let then = before[number] ?? []
            var parts: [String] = []
            for column in columns.indices {
                let (a, b) = (
                    column < then.count ? then[column] : .empty, column < now.count ? now[column] : .empty
                )
                if a.shown != b.shown, !a.isEdited {
                    parts.append("\(columns[column].name): \(a.shown) → \(b.shown)")
                }
            }
            return ImportPreview.Example(
                what: .changed, place: place, name: now.first { !$0.shown.isEmpty }?.shown ?? "",
                detail: parts.prefix(5).joined(separator: "; "))
        }
    }

    private func goneOnes() -> [ImportPreview.Example] {
        let gone = known.numbers.indices.filter { !known.isSeen[$0] }.prefix(Self.mostExamples).map {
            known.numbers[$0]
        }
        let cells = old(Set(gone))
        return gone.map { number in
            ImportPreview.Example(
                what: .gone, place: 0, name: cells[number]?.first { !$0.shown.isEmpty }?.shown ?? "",
                detail: (cells[number] ?? []).prefix(5).map(\.shown).joined(separator: ", "))
        }
    }

    /// Nil when somebody has changed the same rows meanwhile, and it has to be done again.
    mutating func apply(by author: Author, progress: Progress) throws -> RecipientImport? {
        let store = recipients.store
        let listID = listID
        let recipients = recipients
        let first: Int64 = try store.write { tx in
            let first = try recipients.reserve(Int(Self.reservedChunks), of: listID, in: tx)
            try tx.run(
                """
                INSERT INTO recipient_staging (list_id, first, begun_at)
                VALUES (\(listID), \(first), \(tx.now))
                """)
            return first
        }
        var next = first
        do {
            try go(progress: progress) { run, full in
                for place in full.indices {
                    full[place].0.number = next
                    next += 1
                }
                let writing = full
                try store.write { tx in
                    for (entry, content) in writing {
                        try recipients.insert(entry, content, of: listID, in: tx)
                    }
                }
                for (entry, _) in full {
                    if entry.isSetAside { run.asideEntries.append(entry) } else { run.entries.append(entry) }
                }
                full.removeAll()
            }
            progress.phase("Saving what came")
            let done = try save(by: author, first: first)
            if done == nil { try store.write { tx in try recipients.clear(first, of: listID, in: tx) } }
            return done
        } catch {
            // What cannot be cleared now goes with the next sweep.
            _ = try? store.write { tx in try recipients.clear(first, of: listID, in: tx) }
            throw error
        }
    }

    private func save(by author: Author, first: Int64) throws -> RecipientImport? {
        try recipients.store.write { tx in
            let pending = try recipients.found(pending.id, in: tx)
            guard pending.appliedAt == nil else { return pending }
            var edition = try recipients.changeable(listID, in: tx)
            let mine: (ChunkEntry) -> Bool = { $0.source == sourceNumber }
            guard edition.columns == base.columns, edition.nextNumber == base.nextNumber,
                edition.chunks.filter(mine) == base.chunks.filter(mine),
                edition.sources.contains(where: { $0.number == sourceNumber }) == isKnownSource
            else { return nil }
            edition.columns = columns
            edition.nextNumber = nextNumber
            let at = edition.chunks.firstIndex(where: mine) ?? edition.chunks.endIndex
            edition.chunks.removeAll(where: mine)
            edition.chunks.insert(contentsOf: entries + asideEntries, at: min(at, edition.chunks.endIndex))
            edition.sources.removeAll { $0.number == sourceNumber }
            edition.sources.append(
                RecipientSource(
                    number: sourceNumber, kind: pending.kind, name: pending.name, count: 0, flawCount: 0,
                    importedAt: tx.now, importedByName: author.name, digest: pending.digest,
                    format: shape.format, keyColumn: key.column, hiddenRowCount: counts.hidden, layout: layout
                ))
            edition.sources.sort { $0.number < $1.number }
            try tx.run("DELETE FROM recipient_staging WHERE list_id = \(listID) AND first = \(first)")
            try tx.run(
                """
                UPDATE recipient_import SET applied_at = \(tx.now), result = \(counts.view.text)
                WHERE id = \(pending.id)
                """)
            var detail = counts.view
            detail["source"] = .string(pending.name)
            try recipients.save(edition, of: listID, act: .imported, by: author, detail, in: tx)
            return try recipients.found(pending.id, in: tx)
        }
    }
}

/// The rows a source had, by their keys and contents as numbers: a million of them take some forty megabytes.
struct KnownRows {
    /// The first row of each key, and behind each row the next of its key: a family may have one address for all.
    private var byKey: [UInt64: UInt32] = [:]
    private var following: [UInt32: UInt32] = [:]
    /// Who it is by name.
    private var people: [UInt64] = []
    private(set) var numbers: [UInt32] = []
    private(set) var contents: [UInt64] = []
    var isSeen: [Bool] = []
    /// Rows some of whose cells were typed over.
    private(set) var edited: [UInt32: [UInt8]] = [:]
    /// Rows made by hand out of flawed ones, by their text in the file.
    private(set) var mended: [String: RowRecord] = [:]

    mutating func learn(_ row: RowWalk.Place, keyPlace: Int?, namePlaces: [Int]) {
        let index = UInt32(clamping: numbers.count)
        let content = Self.hash(ofCells: row.cells)
        numbers.append(row.number)
        contents.append(content)
        people.append(Self.hash(ofPerson: row.cells, namePlaces))
        isSeen.append(false)
        if row.flags & RowRecord.isEdited != 0 { edited[row.number] = [UInt8](row.cells) }
        if row.flags & RowRecord.isMended != 0 {
            mended[String(decoding: row.sourceText, as: UTF8.self)] = row.record
        }
        // A row without a key is known again by all it says.
        var key = content
        if let keyPlace, let cell = row.cells.cell(keyPlace), !cell.isEmpty {
            key = Self.hash(of: cell.isEdited ? cell.raw : cell.shown)
        }
        guard var before = byKey[key] else {
            byKey[key] = index
            return
        }
        for _ in 0..<Self.mostOfOneKey {
            guard let next = following[before] else {
                following[before] = index
                return
            }
            before = next
        }
    }

    /// A row that was not yet taken for another one. Of several with one key it is the one that says the same, or else
    /// has the same name: nobody becomes their sister because she stood before them.
    func find(key: UInt64, content: UInt64, person: UInt64) -> Int? {
        guard let first = byKey[key] else { return nil }
        guard following[first] != nil else { return isSeen[Int(first)] ? nil : Int(first) }
        var namesake: Int?
        var at: UInt32? = first
        var steps = 0
        while let index = at, steps < Self.mostOfOneKey {
            if !isSeen[Int(index)] {
                if contents[Int(index)] == content { return Int(index) }
                if namesake == nil, people[Int(index)] == person { namesake = Int(index) }
            }
            at = following[index]
            steps += 1
        }
        return namesake
    }

    private static let mostOfOneKey = 64

    /// Where no column holds names, all are the same person to it, and their order decides.
    static func hash(ofPerson cells: UnsafeRawBufferPointer, _ places: [Int]) -> UInt64 {
        var hasher = Hasher()
        for place in places {
            guard let cell = cells.cell(place) else { continue }
            let text = cell.isEdited ? cell.raw : cell.shown
            hasher.combine(place)
            hasher.combine(bytes: text)
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    mutating func markSeen(_ number: UInt32) {
        if let index = numbers.firstIndex(of: number) { isSeen[index] = true }
    }

    static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var bytes = bytes
        while bytes.first == 0x20 { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) }
        while bytes.last == 0x20 { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropLast()) }
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Of what the source said: cells typed over count as they were. Empty cells at the end do not count.
    static func hash(ofCells bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hasher = Hasher()
        var cells = PackedCells(bytes)
        var place: UInt32 = 0
        while let cell = cells.next() {
            place += 1
            if cell.raw.isEmpty { continue }
            hasher.combine(place)
            hasher.combine(bytes: cell.raw)
            hasher.combine(cell.raw.count)
            if !cell.isEdited, cell.shown.baseAddress != cell.raw.baseAddress {
                hasher.combine(bytes: cell.shown)
            }
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
