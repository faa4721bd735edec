/// Objects as rows: an array of them, or one on each line. A member that is an object itself becomes columns with
/// a point in their names. Numbers stay as they were written.
enum JSONTable {
    static func open(
        _ whole: OpenedTable.Whole, _ source: ByteSource, _ format: TableFormat, _ options: TableOptions
    ) throws(TableError) -> OpenedTable {
        // The columns are the names of all objects, so a file is read twice; what cannot be is held.
        let again: () throws(TableError) -> ByteSource
        let first: ByteSource
        switch whole {
        case .file(let path):
            again = { () throws(TableError) in try FileBytes(path) }
            first = try FileBytes(path)
        case .bytes(let bytes):
            again = { () throws(TableError) in HeldBytes(bytes) }
            first = HeldBytes(bytes)
        case .stream:
            let bytes = try source.read(whole: options.limits.heldByteCount)
            again = { () throws(TableError) in HeldBytes(bytes) }
            first = HeldBytes(bytes)
        }
        var names: [String] = []
        var known: [String: Int] = [:]
        let scout = JSONRows(try JSONStream(first, options.limits), format, [:], options.limits)
        while let object = try scout.nextObject() {
            for (name, _) in object where known[name] == nil {
                known[name] = names.count
                names.append(name)
                guard names.count <= options.limits.columnCount else {
                    throw TableError(
                        "The objects have more than \(options.limits.columnCount) different names, more than a table can have columns."
                    )
                }
            }
        }
        var shape = TableShape(format: format)
        shape.encoding = "UTF-8"
        let rows = JSONRows(try JSONStream(try again(), options.limits), format, known, options.limits)
        var opened = OpenedTable(shape: shape, rows: rows, columnNames: names)
        opened.emptySentence = "There is no object in the JSON."
        return opened
    }
}

/// One object after the other.
private final class JSONRows: RowSource {
    private let stream: JSONStream
    private let isLines: Bool
    private let places: [String: Int]
    private var isBegun = false
    private var isOver = false
    private var count = 0
    private(set) var flaw: String?

    init(_ stream: JSONStream, _ format: TableFormat, _ places: [String: Int], _ limits: TableLimits) {
        self.stream = stream
        isLines = format == .ndjson
        self.places = places
    }

    func read(into row: inout PackedRow) throws(TableError) -> Bool {
        guard let object = try nextObject() else { return false }
        row.clear(place: isLines ? stream.startLine : count)
        var cells = [Cell](repeating: .empty, count: places.count)
        for (name, cell) in object {
            if let place = places[name] { cells[place] = cell }
        }
        for cell in cells { row.append(cell) }
        row.flaw = flaw
        return true
    }

    /// The members of the next object, flat.
    func nextObject() throws(TableError) -> [(String, Cell)]? {
        flaw = nil
        if isOver { return nil }
        try stream.skipSpace()
        if !isLines {
            if !isBegun {
                isBegun = true
                guard try stream.peek() == UInt8(ascii: "[") else { return try onlyObject() }
                stream.advance()
                try stream.skipSpace()
                if try stream.peek() == UInt8(ascii: "]") { return try close() }
            } else {
                switch try stream.peek() {
                case UInt8(ascii: ","):
                    stream.advance()
                    try stream.skipSpace()
                case UInt8(ascii: "]"): return try close()
                default: throw stream.error("a comma or the end of the array is missing")
                }
            }
        } else {
            while try stream.peek() == UInt8(ascii: ",") {
                stream.advance()
                try stream.skipSpace()
            }
            guard try stream.peek() != nil else { return nil }
        }
        count += 1
        stream.markStart()
        guard try stream.peek() == UInt8(ascii: "{") else {
            var ignored: [(String, Cell)] = []
            try stream.value(named: "value", depth: 0, into: &ignored)
            flaw = "Item \(count) of the JSON is no object."
            return []
        }
        var members: [(String, Cell)] = []
        try stream.object(prefix: "", depth: 0, into: &members)
        return members
    }

    /// A file that is one object is one row.
    private func onlyObject() throws(TableError) -> [(String, Cell)]? {
        guard try stream.peek() == UInt8(ascii: "{") else {
            throw stream.error("neither an array nor an object")
        }
        isOver = true
        count = 1
        stream.markStart()
        var members: [(String, Cell)] = []
        try stream.object(prefix: "", depth: 0, into: &members)
        return members
    }

    private func close() throws(TableError) -> [(String, Cell)]? {
        stream.advance()
        isOver = true
        return nil
    }
}

/// JSON read as it comes (RFC 8259), straight into cells.
private final class JSONStream {
    private let source: ByteSource
    private let limits: TableLimits
    private var buffer: [UInt8] = []
    private var position = 0
    private var line = 1
    private(set) var startLine = 1

    private static let deepest = 16

    init(_ source: ByteSource, _ limits: TableLimits) throws(TableError) {
        self.source = source
        self.limits = limits
        buffer = try source.read(atMost: 64 << 10)
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    func error(_ reason: String) -> TableError {
        TableError(line: line, reason: "the JSON is not well-formed: \(reason).")
    }
    func markStart() { startLine = line }

    func peek() throws(TableError) -> UInt8? {
        if position == buffer.count {
            buffer = try source.read(atMost: 64 << 10)
            position = 0
            if buffer.isEmpty { return nil }
        }
        return buffer[position]
    }

    func advance() { position += 1 }

    func skipSpace() throws(TableError) {
        while let byte = try peek(), byte == 0x20 || byte == 10 || byte == 13 || byte == 9 {
            if byte == 10 { line += 1 }
            advance()
        }
    }

    func object(prefix: String, depth: Int, into members: inout [(String, Cell)]) throws(TableError) {
        guard depth < Self.deepest else { throw error("it is nested more than \(Self.deepest) times") }
        advance()
        try skipSpace()
        if try peek() == UInt8(ascii: "}") {
            advance()
            return
        }
        while true {
            try skipSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw error("a name is missing") }
            let name = try string()
            try skipSpace()
            guard try peek() == UInt8(ascii: ":") else { throw error("a colon is missing") }
            advance()
            try skipSpace()
            try value(named: prefix.isEmpty ? name : "\(prefix).\(name)", depth: depth + 1, into: &members)
            try skipSpace()
            switch try peek() {
            case UInt8(ascii: ","): advance()
            case UInt8(ascii: "}"):
                advance()
                return
            default: throw error("a comma or the end of an object is missing")
            }
        }
    }

    func value(named name: String, depth: Int, into members: inout [(String, Cell)]) throws(TableError) {
        guard let first = try peek() else { throw error("it ends too early") }
        switch first {
        case UInt8(ascii: "\""):
            let text = try string()
            var cell = Cell(text)
            if cell.kind == .number || cell.kind == .boolean { cell.kind = .text }
            members.append((name, cell))
        case UInt8(ascii: "{"): try object(prefix: name, depth: depth, into: &members)
        case UInt8(ascii: "["): try array(name, depth, &members)
        default:
            let word = try literal()
            switch word {
            case "null": break
            case "true", "false":
                let shown = word == "true" ? "yes" : "no"
                members.append((name, Cell(kind: .boolean, raw: word, shown: shown)))
            default:
                guard DecimalText(word) != nil else { throw error("“\(word.prefix(20))” is no value") }
                members.append((name, Cell(kind: .number, raw: word, shown: word)))
            }
        }
    }

    /// Several values become one cell.
    private func array(_ name: String, _ depth: Int, _ members: inout [(String, Cell)]) throws(TableError) {
        guard depth < Self.deepest else { throw error("it is nested more than \(Self.deepest) times") }
        advance()
        var parts: [String] = []
        var isTexts = true
        try skipSpace()
        if try peek() == UInt8(ascii: "]") {
            advance()
            return
        }
        while true {
            try skipSpace()
            var inner: [(String, Cell)] = []
            if try peek() != UInt8(ascii: "\"") { isTexts = false }
            try value(named: "", depth: depth + 1, into: &inner)
            parts.append(
                inner.map { $0.0.isEmpty ? $0.1.shown : "\($0.0.drop { $0 == "." }): \($0.1.shown)" }.joined(
                    separator: " "))
            try skipSpace()
            switch try peek() {
            case UInt8(ascii: ","): advance()
            case UInt8(ascii: "]"):
                advance()
                // Several choices of a list stand below each other, as they do in a cell of a sheet.
                let text = parts.joined(separator: isTexts ? "\n" : ", ")
                members.append((name, Cell(kind: text.isEmpty ? .empty : .text, raw: text, shown: text)))
                return
            default: throw error("a comma or the end of an array is missing")
            }
        }
    }

    private func literal() throws(TableError) -> String {
        var bytes: [UInt8] = []
        while let byte = try peek(), byte > 0x20, !",]}".utf8.contains(byte), bytes.count < 400 {
            bytes.append(byte)
            advance()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func string() throws(TableError) -> String {
        advance()
        var bytes: [UInt8] = []
        var high: UInt32?
        while let byte = try peek() {
            advance()
            guard bytes.count <= limits.cellByteCount else {
                throw error("a text is longer than \(limits.cellByteCount >> 20) MB")
            }
            if byte == UInt8(ascii: "\"") {
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw error("a text is no UTF-8")
                }
                return text
            }
            guard byte == UInt8(ascii: "\\") else {
                if byte == 10 { line += 1 }
                bytes.append(byte)
                continue
            }
            guard let mark = try peek() else { break }
            advance()
            switch mark {
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "b"): bytes.append(8)
            case UInt8(ascii: "f"): bytes.append(12)
            case UInt8(ascii: "u"):
                var value: UInt32 = 0
                for _ in 0..<4 {
                    guard let digit = try peek().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue })
                    else {
                        throw error("an escape is cut off")
                    }
                    value = value << 4 | UInt32(digit)
                    advance()
                }
                if (0xD800..<0xDC00).contains(value) {
                    high = value
                    continue
                }
                if let first = high, (0xDC00..<0xE000).contains(value) {
                    value = 0x10000 + (first - 0xD800) << 10 + (value - 0xDC00)
                }
                high = nil
                let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
                if value != 0 { bytes.append(contentsOf: String(Character(scalar)).utf8) }
            default: bytes.append(mark)
            }
        }
        throw error("a text is never closed")
    }
}
