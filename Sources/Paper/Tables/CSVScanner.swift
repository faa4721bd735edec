import Glibc

/// How a text separates its cells.
struct CSVDialect: Equatable {
    var separator: UInt8 = UInt8(ascii: ",")
    /// Nil when a quotation mark is a character like any other.
    var quote: UInt8? = UInt8(ascii: "\"")
    /// A backslash takes the meaning from what follows, instead of a doubled quotation mark.
    var escape: UInt8?
}

/// Cuts a text into rows.
///
/// A row that is not all there yet is cut again when more has arrived; that costs next to nothing, as the buffer is
/// far longer than rows are, and keeps the inner loop free of the question where the bytes come from.
final class CSVScanner: RowSource {
    let dialect: CSVDialect
    private let input: TextInput
    private let limits: TableLimits
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    private var line: Int
    private var scratch: [UInt8] = []
    private var lastRow = 0..<0

    init(_ input: TextInput, _ dialect: CSVDialect, line: Int = 1, limits: TableLimits = TableLimits()) {
        self.input = input
        self.dialect = dialect
        self.limits = limits
        self.line = line
        capacity = 256 << 10
        buffer = .allocate(capacity: capacity)
    }

    deinit { buffer.deallocate() }

    /// The text of the row read last, as it stands in the file.
    var lastSource: String {
        String(
            decoding: UnsafeBufferPointer(start: buffer + lastRow.lowerBound, count: lastRow.count),
            as: UTF8.self)
    }

    func read(into row: inout PackedRow) throws(TableError) -> Bool {
        while true {
            if start == end, !(try fill()) { return false }
            row.clear(place: line)
            guard let found = cut(&row) else {
                let isEndless = end - start > limits.rowByteCount
                if isEndless, !holdsLineEnd { throw tooLong }
                if !isEndless, try fill() { continue }
                setAside(&row, "A quotation mark that is opened here is never closed.")
                return true
            }
            guard found.next - start <= limits.rowByteCount else { throw tooLong }
            lastRow = start..<found.end
            start = found.next
            line += found.lines
            if row.cellCount == 1, row.bytes.count == 1 { continue }
            if row.cellCount > limits.columnCount {
                throw TableError(
                    line: row.place,
                    reason:
                        "the row has more than \(limits.columnCount) cells, more than a spreadsheet can hold. This is no table, or its separator is not “\(Character(Unicode.Scalar(dialect.separator)))”."
                )
            }
            if row.flaw == nil, input.needsCheck { row.flaw = flawOfCharacters }
            return true
        }
    }

    private var tooLong: TableError {
        TableError(
            line: line,
            reason:
                "the row is longer than \(limits.rowByteCount >> 20) MB. This is no table, or its line ends are missing."
        )
    }

    // MARK: The buffer

    /// Until the buffer is full: a row longer than what came so far would be cut again for each piece.
    private func fill() throws(TableError) -> Bool {
        guard !isAtEnd else { return false }
        if start > 0 {
            buffer.update(from: buffer + start, count: end - start)
            end -= start
            start = 0
        }
        if end == capacity {
            let wider = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
            wider.update(from: buffer, count: end)
            buffer.deallocate()
            buffer = wider
            capacity *= 2
        }
        let before = end
        while end < capacity, !isAtEnd {
            let room = UnsafeMutableRawBufferPointer(start: buffer + end, count: capacity - end)
            let count = try input.read(into: room)
            end += count
            isAtEnd = count == 0
        }
        return end > before
    }

    private var holdsLineEnd: Bool {
        memchr(buffer + start, 10, end - start) != nil || memchr(buffer + start, 13, end - start) != nil
    }

    // MARK: Cutting

    private struct Found {
        /// Where the row ends, without its line end.
        var end: Int
        var next: Int
        var lines: Int
    }

    /// Nil when more bytes are needed to tell.
    private func cut(_ row: inout PackedRow) -> Found? {
        let separator = dialect.separator
        var place = start
        var lines = 0
        while true {
            var quoted = place
            while quoted < end, buffer[quoted] == 0x20, dialect.quote != nil { quoted += 1 }
            if quoted < end, buffer[quoted] == dialect.quote {
                guard let after = cutQuoted(&row, quoted + 1, &lines) else { return nil }
                place = after
            } else {
                let first = place
                place = endOfPlain(place, separator)
                if place == end, !isAtEnd { return nil }
                if let escape = dialect.escape {
                    guard let after = cutEscaped(&row, first, escape) else { return nil }
                    place = after
                } else {
                    row.append(plain: UnsafeBufferPointer(start: buffer + first, count: place - first))
                }
                if place - first > limits.cellByteCount { row.flaw = flawOfLength }
            }
            guard place < end else { return Found(end: place, next: place, lines: lines + 1) }
            if buffer[place] == separator {
                place += 1
                if place == end, !isAtEnd { return nil }
                // Too many cells for any table: said by the caller, after the row.
                if row.cellCount > limits.columnCount { return Found(end: place, next: place, lines: lines) }
                continue
            }
            if buffer[place] == 13 {
                guard place + 1 < end || isAtEnd else { return nil }
                let isPair = place + 1 < end && buffer[place + 1] == 10
                return Found(end: place, next: place + (isPair ? 2 : 1), lines: lines + 1)
            }
            return Found(end: place, next: place + 1, lines: lines + 1)
        }
    }

    /// The next separator or line end. Eight bytes at a time: a byte minus one borrows from its top bit only
    /// when it was zero, and a byte is zero here when it is one of the three.
    private func endOfPlain(_ first: Int, _ separator: UInt8) -> Int {
        var place = first
        let ones: UInt64 = 0x0101_0101_0101_0101
        let separators = UInt64(separator) &* ones
        let raw = UnsafeRawPointer(buffer)
        while place + 8 <= end {
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let a = word ^ separators
            let b = word ^ (10 &* ones)
            let c = word ^ (13 &* ones)
            let hit = ((a &- ones) & ~a) | ((b &- ones) & ~b) | ((c &- ones) & ~c)
            let marked = hit & 0x8080_8080_8080_8080
            if marked != 0 { return place + marked.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < end {
            let byte = buffer[place]
            if byte == separator || byte == 10 || byte == 13 { return place }
            place += 1
        }
        return place
    }

    /// A cell behind its opening quotation mark; the place behind the closing one and any spaces after it.
    private func cutQuoted(_ row: inout PackedRow, _ first: Int, _ lines: inout Int) -> Int? {
        guard let quote = dialect.quote else { return nil }
        var place = first
        var piece = first
        scratch.removeAll(keepingCapacity: true)
        var isCopied = false
        while true {
            guard place < end else { return nil }
            let byte = buffer[place]
            if byte == quote {
                guard place + 1 < end || isAtEnd else { return nil }
                if place + 1 < end, buffer[place + 1] == quote {
                    copy(piece..<place + 1)
                    isCopied = true
                    place += 2
                    piece = place
                    continue
                }
                var after = place + 1
                while after < end, buffer[after] == 0x20 { after += 1 }
                guard after < end || isAtEnd else { return nil }
                if after < end, buffer[after] != dialect.separator, buffer[after] != 10, buffer[after] != 13 {
                    // The mark is part of what it stands in, or its cell goes on behind it: nobody can tell.
                    row.flaw = "A quotation mark stands inside a quoted cell without being doubled."
                    copy(piece..<place)
                    isCopied = true
                    piece = place + 1
                    place = endOfPlain(place + 1, dialect.separator)
                    guard place < end || isAtEnd else { return nil }
                    copy(piece..<place)
                    row.append(plain: scratch)
                    return place
                }
                if isCopied {
                    copy(piece..<place)
                    row.append(plain: scratch)
                } else {
                    row.append(plain: UnsafeBufferPointer(start: buffer + piece, count: place - piece))
                }
                if place - first > limits.cellByteCount { row.flaw = flawOfLength }
                return after
            }
            if byte == dialect.escape {
                guard place + 1 < end else { return nil }
                copy(piece..<place)
                isCopied = true
                piece = place + 1
                place += 2
                continue
            }
            // Over everything that is neither at once.
            let next = dialect.escape == nil ? placeOf(quote, from: place) ?? end : place + 1
            lines += lineEnds(in: place..<next)
            place = next
        }
    }

    private func placeOf(_ byte: UInt8, from first: Int) -> Int? {
        memchr(buffer + first, Int32(byte), end - first).map { $0 - UnsafeMutableRawPointer(buffer) }
    }

    private func lineEnds(in range: Range<Int>) -> Int {
        var count = 0
        for place in range {
            let byte = buffer[place]
            if byte == 10 || byte == 13 && !(place + 1 < end && buffer[place + 1] == 10) { count += 1 }
        }
        return count
    }

    /// A plain cell in which a backslash may stand before a separator.
    private func cutEscaped(_ row: inout PackedRow, _ first: Int, _ escape: UInt8) -> Int? {
        scratch.removeAll(keepingCapacity: true)
        var place = first
        while place < end {
            let byte = buffer[place]
            if byte == escape {
                guard place + 1 < end else {
                    if !isAtEnd { return nil }
                    scratch.append(byte)
                    place += 1
                    continue
                }
                scratch.append(buffer[place + 1])
                place += 2
                continue
            }
            if byte == dialect.separator || byte == 10 || byte == 13 { break }
            scratch.append(byte)
            place += 1
        }
        guard place < end || isAtEnd else { return nil }
        row.append(plain: scratch)
        return place
    }

    private func copy(_ range: Range<Int>) {
        scratch.append(contentsOf: UnsafeBufferPointer(start: buffer + range.lowerBound, count: range.count))
    }

    /// One line of the text for what is no row; the lines after it get their own chance.
    private func setAside(_ row: inout PackedRow, _ reason: String) {
        var place = start
        while place < end, buffer[place] != 10, buffer[place] != 13 { place += 1 }
        row.clear(place: line)
        row.append(plain: UnsafeBufferPointer(start: buffer + start, count: place - start))
        row.flaw = reason
        lastRow = start..<place
        if place < end, buffer[place] == 13, place + 1 < end, buffer[place + 1] == 10 { place += 1 }
        start = min(end, place + 1)
        line += 1
    }

    private var flawOfLength: String {
        "A cell is longer than \(limits.cellByteCount >> 10) kB. A quotation mark may be missing."
    }

    private var flawOfCharacters: String? {
        let bytes = UnsafeBufferPointer(start: buffer + lastRow.lowerBound, count: lastRow.count)
        return switch TextCheck.look(at: bytes) {
        case .whole: nil
        case .zero: "The row holds a zero byte, which is no character."
        case .notUTF8: "Some bytes of the row are no characters in the encoding of the file."
        case .replaced: "A character of the row cannot be read in the encoding of the file."
        }
    }
}
