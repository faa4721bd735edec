import Bytes
public import Access
import Glibc
public import Storage
import Tables

extension Recipients {
    /// Which recipients, in which order, and how many at a time.
    public struct Listing: Sendable, Equatable {
        public var filter: RecipientFilter
        /// The name of a column; nil for the order of the list: source after source, each as its file has it.
        public var sort: String?
        public var isDescending: Bool
        public var offset: Int
        public var limit: Int

        public init(
            _ filter: RecipientFilter = .all, sort: String? = nil, isDescending: Bool = false,
            offset: Int = 0,
            limit: Int = 50
        ) {
            self.filter = filter
            self.sort = sort
            self.isDescending = isDescending
            self.offset = offset
            self.limit = limit
        }
    }

    public struct Page: Sendable, Equatable {
        public var list: RecipientList
        public var recipients: [Recipient]
        /// All that match the filter, on every page together.
        public var matchCount: Int
    }

    public static let mostPerPage = 1000

    public func page(
        _ id: ID<RecipientList>, _ listing: Listing = Listing(), by caller: Caller
    ) throws -> Page {
        try caller.require(.view)
        try follow(id)
        return try store.read { desk in try page(id, listing, in: desk) }
    }

    private func page(
        _ id: ID<RecipientList>, _ listing: Listing, in desk: borrowing Reading
    ) throws -> Page {
        let found = try found(id, in: desk)
        let offset = max(0, listing.offset)
        let limit = min(max(1, listing.limit), Self.mostPerPage)
        if listing.filter.isEmpty, listing.sort == nil {
            let rows = try plain(found, offset, limit, listing.isDescending, in: desk)
            return Page(list: found.list, recipients: rows, matchCount: found.edition.count)
        }
        let places = try places(listing, found, in: desk)
        let wanted = places.dropFirst(offset).prefix(limit).map {
            RowPlace(chunk: $0.chunk, offset: $0.offset)
        }
        return Page(
            list: found.list, recipients: try recipients(at: wanted, of: found, in: desk),
            matchCount: places.count)
    }

    /// All that fit, in the order that is asked for.
    private func places(
        _ listing: Listing, _ found: Found, in desk: borrowing Reading
    ) throws -> [FoundShelf.Place] {
        let key = FoundShelf.Key(
            list: found.list.id, edition: found.edition.number, filter: listing.filter, sort: listing.sort,
            isDescending: listing.isDescending)
        if let known = shelf.places(key) { return known }
        var rows = try matching(found, listing.filter, in: desk, sortedBy: listing.sort)
        if listing.sort != nil {
            sort(&rows, listing.isDescending)
        } else if listing.isDescending {
            rows.places.reverse()
        }
        let places = rows.places.map { FoundShelf.Place(chunk: $0.chunk, offset: $0.offset) }
        shelf.keep(places, for: key)
        return places
    }

    /// How many recipients a filter finds.
    public func count(
        _ id: ID<RecipientList>, _ filter: RecipientFilter = .all, by caller: Caller
    ) throws -> Int {
        try caller.require(.view)
        try follow(id)
        return try store.read { desk in
            let found = try found(id, in: desk)
            if filter.isEmpty { return found.edition.count }
            let key = FoundShelf.Key(list: id, edition: found.edition.number, filter: filter)
            if let known = shelf.count(key) { return known }
            let count = try matching(found, filter, in: desk, sortedBy: nil).places.count
            shelf.keep(count, for: key)
            return count
        }
    }

    public func recipient(_ id: ID<Recipient>, by caller: Caller) throws -> Recipient {
        guard let recipient = try recipients([id], of: id.series(), by: caller).first else {
            throw Failure(.notFound, "This recipient is no longer on the list.")
        }
        return recipient
    }

    /// These recipients as they are now, in the list's order; those who have left it are left out.
    public func recipients(
        _ ids: [ID<Recipient>], of list: ID<RecipientList>, by caller: Caller
    ) throws -> [Recipient] {
        try caller.require(.view)
        try follow(list)
        return try store.read { desk in
            let found = try found(list, in: desk)
            let numbers = Set(ids.filter { $0.series(of: RecipientList.self) == list }.map(\.memberNumber))
            let places = try self.places(of: numbers, found, in: desk)
            return try recipients(at: places, of: found, in: desk)
        }
    }

    /// All recipients of a list, or those of a filter, one after the other in the order of the list, without holding
    /// them. They are those of one edition, whatever is changed meanwhile.
    public func each(
        _ id: ID<RecipientList>, _ filter: RecipientFilter = .all, by caller: Caller,
        _ body: (Recipient) throws -> Void
    ) throws {
        try caller.require(.view)
        try follow(id)
        try store.read { desk in
            let found = try found(id, in: desk)
            var matcher = try RowMatcher(filter, of: found.list)
            for chunk in found.edition.chunks where !chunk.isSetAside {
                if let source = matcher.source, source != chunk.source { continue }
                for record in try records(chunk, of: id, in: desk)
                where record.cells.withUnsafeBytes({ matcher.matches($0, number: record.number) }) {
                    try body(recipient(record, source: chunk.source, of: found.list))
                }
            }
        }
    }

    // MARK: In the order of the list

    /// Chunks are counted, so any page is found without looking at the rows before it.
    private func plain(
        _ found: Found, _ offset: Int, _ limit: Int, _ isDescending: Bool,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> [Recipient] {
        let total = found.edition.count
        let start = isDescending ? max(0, total - offset - limit) : offset
        let end = isDescending ? max(0, total - offset) : min(total, offset + limit)
        var rows: [Recipient] = []
        var before = 0
        for chunk in found.edition.chunks where !chunk.isSetAside {
            let next = before + Int(chunk.count)
            if next > start, before < end {
                let records = try records(chunk, of: found.list.id, in: desk)
                for (place, record) in records.enumerated()
                where before + place >= start && before + place < end {
                    rows.append(recipient(record, source: chunk.source, of: found.list))
                }
            }
            before = next
            if before >= end { break }
        }
        return isDescending ? rows.reversed() : rows
    }

    // MARK: By looking at all of them

    /// Where a row lies.
    struct RowPlace {
        var chunk: Int32
        var offset: Int32
        /// The first eight bytes of what it is sorted by, and where all of it is.
        var prefix: UInt64 = 0
        var key: Range<Int> = 0..<0
    }

    struct RowPlaces {
        var places: [RowPlace] = []
        var keys: [UInt8] = []
    }

    func matching(
        _ found: Found, _ filter: RecipientFilter, in desk: borrowing some Readable & ~Copyable,
        sortedBy sort: String?
    ) throws -> RowPlaces {
        var matcher = try RowMatcher(filter, of: found.list)
        let column = try sort.map { try Self.place(of: $0, in: found.list.columns) }
        var result = RowPlaces()
        for (index, chunk) in found.edition.chunks.enumerated() where !chunk.isSetAside {
            if let source = matcher.source, source != chunk.source { continue }
            let content = try content(chunk, of: found.list.id, in: desk)
            content.withUnsafeBytes { raw in
                var walk = RowWalk(raw)
                while let row = walk.next() {
                    guard matcher.matches(row.cells, number: row.number) else { continue }
                    var place = RowPlace(chunk: Int32(index), offset: Int32(clamping: row.offset))
                    if let column {
                        let start = result.keys.count
                        SortKey.append(row.cells.cell(column), to: &result.keys)
                        place.key = start..<result.keys.count
                        place.prefix = SortKey.prefix(result.keys[place.key])
                    }
                    result.places.append(place)
                }
            }
        }
        return result
    }

    private func sort(_ rows: inout RowPlaces, _ isDescending: Bool) {
        rows.keys.withUnsafeBytes { keys in
            guard let base = keys.baseAddress else { return }
            func isBefore(_ a: RowPlace, _ b: RowPlace) -> Bool {
                if a.prefix != b.prefix { return (a.prefix < b.prefix) != isDescending }
                let order = memcmp(
                    base + a.key.lowerBound, base + b.key.lowerBound, min(a.key.count, b.key.count))
                if order != 0 { return (order < 0) != isDescending }
                if a.key.count != b.key.count { return (a.key.count < b.key.count) != isDescending }
                // Rows that are alike stay in the order of the list.
                return (a.chunk, a.offset) < (b.chunk, b.offset)
            }
            rows.places.sort(by: isBefore)
        }
    }

    func places(
        of numbers: Set<UInt32>, _ found: Found, in desk: borrowing some Readable & ~Copyable,
        setAside: Bool = false
    ) throws -> [RowPlace] {
        guard let lowest = numbers.min(), let highest = numbers.max() else { return [] }
        var places: [RowPlace] = []
        for (index, chunk) in found.edition.chunks.enumerated()
        where chunk.isSetAside == setAside && chunk.first <= highest && chunk.last >= lowest {
            if numbers.count < 50, !numbers.contains(where: { $0 >= chunk.first && $0 <= chunk.last }) {
                continue
            }
            let content = try content(chunk, of: found.list.id, in: desk)
            content.withUnsafeBytes { raw in
                var walk = RowWalk(raw)
                while let row = walk.next() {
                    if numbers.contains(row.number) {
                        places.append(RowPlace(chunk: Int32(index), offset: Int32(clamping: row.offset)))
                    }
                }
            }
            if places.count == numbers.count { break }
        }
        return places
    }

    func recipients(
        at places: [RowPlace], of found: Found, in desk: borrowing some Readable & ~Copyable
    ) throws -> [Recipient] {
        var made: [Recipient?] = Array(repeating: nil, count: places.count)
        let order = places.indices.sorted { places[$0].chunk < places[$1].chunk }
        var held: (chunk: Int32, content: [UInt8]) = (-1, [])
        for place in order {
            let wanted = places[place]
            let chunk = found.edition.chunks[Int(wanted.chunk)]
            if held.chunk != wanted.chunk {
                held = (wanted.chunk, try content(chunk, of: found.list.id, in: desk))
            }
            let record = held.content.withUnsafeBytes { raw in
                var walk = RowWalk(raw)
                walk.move(to: Int(wanted.offset))
                return walk.next()?.record
            }
            made[place] = record.map { recipient($0, source: chunk.source, of: found.list) }
        }
        return made.compactMap { $0 }
    }
}

/// What a cell is sorted by, as bytes that compare as people sort: numbers by value, dates by time, words without
/// regard to case, "Scan 2" before "Scan 10"; empty cells last.
enum SortKey {
    static func append(_ cell: PackedCells.Place?, to keys: inout [UInt8]) {
        guard let cell, !cell.isEmpty else {
            keys.append(0xFF)
            return
        }
        if cell.kind == .number, let number = OrderedValue.number(String(decoding: cell.raw, as: UTF8.self)) {
            keys.append(1)
            // Negative numbers have all bits turned, others only the first: then bytes compare as the numbers do.
            let bits = number.bitPattern
            let ordered = bits >> 63 == 1 ? ~bits : bits | 1 << 63
            withUnsafeBytes(of: ordered.bigEndian) { keys.append(contentsOf: $0) }
            return
        }
        if let date = cell.date {
            keys.append(2)
            keys.append(contentsOf: date)
            return
        }
        if cell.kind == .date || cell.kind == .time, let date = cell.cell.date {
            keys.append(2)
            keys.append(contentsOf: date.utf8)
            return
        }
        keys.append(3)
        let start = keys.count
        Folding.append(cell.shown, to: &keys)
        spread(&keys, from: start)
    }

    static func prefix(_ key: ArraySlice<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        var count = 0
        for byte in key.prefix(8) {
            value = value << 8 | UInt64(byte)
            count += 1
        }
        return value << UInt64(8 * (8 - count))
    }

    /// Puts the length in front of each run of digits.
    private static func spread(_ keys: inout [UInt8], from start: Int) {
        guard keys[start...].contains(where: { (0x30...0x39).contains($0) }) else { return }
        let text = Array(keys[start...])
        keys.removeSubrange(start...)
        var place = 0
        while place < text.count {
            guard (0x30...0x39).contains(text[place]) else {
                keys.append(text[place])
                place += 1
                continue
            }
            let run = text[place...].prefix { (0x30...0x39).contains($0) }
            let digits = run.drop { $0 == 0x30 }
            keys.append(0x30)
            keys.append(UInt8(clamping: digits.count))
            keys.append(contentsOf: digits)
            place += run.count
        }
    }
}
