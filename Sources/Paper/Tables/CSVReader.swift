/// Reads comma separated values (RFC 4180) piece by piece, so that a table of any length needs little memory.
/// The separator is found in the first line: comma, semicolon, tab or bar. Quoted cells may hold separators and
/// line ends. A byte order mark is skipped; bytes that are no UTF-8 are read as Windows-1252.
public struct CSVReader: ~Copyable {
    public struct Row: Sendable, Equatable {
        public var cells: [String]
        /// The line of the file on which the row begins, counted from 1.
        public var line: Int

        public init(cells: [String], line: Int) {
            self.cells = cells
            self.line = line
        }
    }

    private let next: (Int) throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var line = 1
    private var hasBegun = false
    public private(set) var separator: UInt8 = UInt8(ascii: ",")

    private static let pieceByteCount = 1 << 16
    /// A cell longer than this is a forgotten quotation mark.
    private static let longestCell = 1 << 20

    /// `next` gives up to so many bytes, and none at the end.
    public init(_ next: @escaping (Int) throws -> [UInt8]) { self.next = next }

    public init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        self.init { count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }

    /// The next row that is not empty, or nil at the end.
    public mutating func row() throws -> Row? {
        if !hasBegun { try begin() }
        while let row = try readRow() {
            if row.cells.count > 1 || row.cells.first?.isEmpty == false { return row }
        }
        return nil
    }

    private mutating func begin() throws {
        hasBegun = true
        while buffer.count < Self.pieceByteCount, try fill() {}
        if buffer.starts(with: [0xFF, 0xFE]) || buffer.starts(with: [0xFE, 0xFF]) {
            throw TableError(line: 1, reason: "the table is UTF-16; save it as CSV in UTF-8")
        }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in buffer[position...] {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 10 || byte == 13 { break }
            counts[byte, default: 0] += 1
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 9, UInt8(ascii: "|")]
        var best = (separator, 0)
        for candidate in candidates where counts[candidate, default: 0] > best.1 {
            best = (candidate, counts[candidate, default: 0])
        }
        separator = best.0
    }

    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        if position > 0 {
            buffer.removeFirst(position)
            position = 0
        }
        let piece = try next(Self.pieceByteCount)
        if piece.isEmpty { isAtEnd = true }
        buffer.append(contentsOf: piece)
        return !piece.isEmpty
    }

    private mutating func peek(_ ahead: Int = 0) throws -> UInt8? {
        while position + ahead >= buffer.count { if try !fill() { return nil } }
        return buffer[position + ahead]
    }

    private mutating func readRow() throws -> Row? {
        guard try peek() != nil else { return nil }
        var row = Row(cells: [], line: line)
        while true {
            row.cells.append(try readCell())
            guard let byte = try peek() else { return row }
            position += 1
            if byte == separator { continue }
            if byte == 13, try peek() == 10 { position += 1 }
            line += 1
            return row
        }
    }

    /// A cell up to its separator or line end, which stays.
    private mutating func readCell() throws -> String {
        var cell: [UInt8] = []
        if try peek() == UInt8(ascii: "\"") { try readQuoted(into: &cell) }
        let separator = separator
        while try peek() != nil {
            let end = end(of: { $0 != separator && $0 != 10 && $0 != 13 })
            cell.append(contentsOf: buffer[position..<end])
            position = end
            if cell.count > Self.longestCell {
                throw TableError(line: line, reason: "a cell is longer than a million bytes")
            }
            if end < buffer.count { break }
        }
        return Self.text(cell)
    }

    /// Where the bytes at hand stop being such ones.
    @inline(__always) private func end(of isSuch: (UInt8) -> Bool) -> Int {
        buffer.withUnsafeBufferPointer { buffer in
            var end = position
            while end < buffer.count, isSuch(buffer[end]) { end += 1 }
            return end
        }
    }

    private mutating func readQuoted(into cell: inout [UInt8]) throws {
        let start = line
        position += 1
        while let byte = try peek() {
            if byte == UInt8(ascii: "\"") {
                position += 1
                guard try peek() == byte else { return }
                cell.append(byte)
                position += 1
            } else {
                let end = end(of: { $0 != UInt8(ascii: "\"") })
                line += buffer[position..<end].count { $0 == 10 }
                cell.append(contentsOf: buffer[position..<end])
                position = end
            }
            if cell.count > Self.longestCell {
                throw TableError(line: start, reason: "a quotation mark is never closed")
            }
        }
        throw TableError(line: start, reason: "a quotation mark is never closed")
    }

    private static func text(_ bytes: [UInt8]) -> String {
        // Checking alone goes byte by byte and is slow; what had to be repaired differs from what was there.
        var text = String(decoding: bytes, as: UTF8.self)
        if text.withUTF8({ $0.elementsEqual(bytes) }) { return text }
        return String(String.UnicodeScalarView(bytes.map(windows1252)))
    }

    /// Windows-1252 is Latin 1 but for these; the five unassigned ones stay the control characters they are there.
    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        let upper: [UInt32] = [
            0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
            0x0152, 0x8D,
            0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
            0x0161, 0x203A,
            0x0153, 0x9D, 0x017E, 0x0178,
        ]
        if case 0x80...0x9F = byte, let scalar = Unicode.Scalar(upper[Int(byte) - 0x80]) { return scalar }
        return Unicode.Scalar(byte)
    }
}
