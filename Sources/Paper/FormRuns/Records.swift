public import Bytes
import Glibc
public import PDFForms
import Tables

/// The rows of a table, whatever file they come from: names first, then a value or none for each.
public struct Records: ~Copyable {
    public struct Record: Sendable {
        /// Where the record stands in its file: the line of a table, the number of an object, from 1.
        public var place: Int
        public var values: [FieldValue?]
        /// Why the record cannot be used, in words.
        public var flaw: String?
    }

    public let columns: [String]
    /// How many there are, as far as that is known without reading them.
    public let count: Int?
    private let next: () throws -> Record?

    /// A table with separators, or a JSON array of objects, told apart by how it begins.
    public init(path: String) throws {
        let file = try InputFile(path)
        if try file.begins(with: UInt8(ascii: "[")) {
            try self.init(json: JSON(parsing: file.rest()))
        } else {
            try self.init(file)
        }
    }

    public mutating func record() throws -> Record? { try next() }

    private init(_ file: InputFile) throws {
        let count = try file.countRows()
        let state = TableState(CSVReader { try file.read($0) })
        guard let header = try state.reader.row() else {
            throw TableError(line: 1, reason: "the table is empty")
        }
        columns = header.cells.map { $0.trimmingSpacesAround }
        self.count = count > 0 ? count - 1 : 0
        let width = header.cells.count
        next = {
            guard let row = try state.reader.row() else { return nil }
            var record = Record(place: row.line, values: row.cells.prefix(width).map(FieldValue.text))
            if row.cells.dropFirst(width).contains(where: { !$0.isEmpty }) {
                record.flaw = "The row has \(row.cells.count) cells, but the table has \(width) columns."
            }
            return record
        }
    }

    public init(json: JSON) throws {
        guard let items = json.array else {
            throw TableError(line: 1, reason: "the JSON is no array of objects")
        }
        var columns: [String] = []
        var known: [String: Int] = [:]
        for item in items {
            for (name, _) in item.object ?? [:] where known[name] == nil {
                known[name] = columns.count
                columns.append(name)
            }
        }
        self.columns = columns
        count = items.count
        var place = 0
        let width = columns.count
        next = {
            guard place < items.count else { return nil }
            defer { place += 1 }
            var record = Record(place: place + 1, values: [FieldValue?](repeating: nil, count: width))
            guard let object = items[place].object else {
                record.flaw = "Item \(place + 1) of the JSON is no object."
                return record
            }
            for (name, value) in object {
                guard let index = known[name] else { continue }
                record.values[index] = Self.value(value)
                if record.values[index] == nil, !value.isNull {
                    record.flaw = "The value of “\(name)” is no text, array of texts, number or boolean."
                }
            }
            return record
        }
    }

    private static func value(_ json: JSON) -> FieldValue? {
        switch json {
        case .string(let text): .text(text)
        case .bool(let flag): .flag(flag)
        case .integer(let number): .text(String(number))
        case .number: .text(json.text)
        case .array(let items):
            items.allSatisfy { $0.string != nil } ? .texts(items.compactMap(\.string)) : nil
        case .null, .object: nil
        }
    }
}

/// The reader with its place in the file, shared by the closure that asks it for rows.
private final class TableState {
    var reader: CSVReader
    init(_ reader: consuming CSVReader) { self.reader = reader }
}

/// A file read from its beginning in pieces.
private final class InputFile {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileTrouble(path: path, reason: String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    func read(_ count: Int) throws -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
            var result = Glibc.read(descriptor, buffer.baseAddress, count)
            while result < 0, errno == EINTR { result = Glibc.read(descriptor, buffer.baseAddress, count) }
            if result < 0 { failure = errno }
            got = max(0, result)
        }
        guard failure == 0 else {
            throw FileTrouble(path: "The table", reason: String(cString: strerror(failure)))
        }
        return bytes
    }

    /// The first byte that is no white space and no mark.
    func begins(with byte: UInt8) throws -> Bool {
        let head = try read(512)
        lseek(descriptor, 0, SEEK_SET)
        return head.first { $0 > 32 && ![0xEF, 0xBB, 0xBF].contains($0) } == byte
    }

    func rest() throws -> [UInt8] {
        var all: [UInt8] = []
        while case let piece = try read(1 << 20), !piece.isEmpty { all += piece }
        return all
    }

    /// Line ends outside quotation marks; a last line without one counts too.
    func countRows() throws -> Int {
        var rows = 0
        var isQuoted = false
        var isInRow = false
        while case let piece = try read(1 << 18), !piece.isEmpty {
            for byte in piece {
                if byte == UInt8(ascii: "\"") {
                    isQuoted.toggle()
                    isInRow = true
                } else if byte == 10, !isQuoted {
                    if isInRow { rows += 1 }
                    isInRow = false
                } else if byte > 32 {
                    isInRow = true
                }
            }
        }
        lseek(descriptor, 0, SEEK_SET)
        return rows + (isInRow ? 1 : 0)
    }
}

public struct FileTrouble: Error, Sendable, Equatable, CustomStringConvertible {
    public var path: String
    public var reason: String

    public var description: String { "\(path): \(reason)" }
}

extension String {
    var trimmingSpacesAround: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
