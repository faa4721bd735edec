import CPQ
import Glibc

/// The types PostgreSQL knows our values by (catalog numbers that never change, pg_type.dat).
enum PostgresType {
    static let boolean: Oid = 16
    static let blob: Oid = 17
    static let integer: Oid = 20
    static let smallIntegers: Set<Oid> = [21, 23, 26]
    static let text: Oid = 25
    static let singleReal: Oid = 700
    static let real: Oid = 701
    static let numeric: Oid = 1700
}

/// The values of one execution in PostgreSQL's binary form, one after the other in one buffer.
struct PostgresParameters {
    private(set) var types: [Oid] = []
    private var bytes: [UInt8] = []
    private var ranges: [Range<Int>?] = []

    init(_ values: [SQLValue]) {
        for value in values {
            let start = bytes.count
            switch value {
            case .null:
                // Without a type the server takes the column's.
                types.append(0)
                ranges.append(nil)
                continue
            case .integer(let number):
                types.append(PostgresType.integer)
                withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            case .real(let number):
                types.append(PostgresType.real)
                withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
            case .text(let text):
                types.append(PostgresType.text)
                bytes.append(contentsOf: text.utf8)
            case .blob(let blob):
                types.append(PostgresType.blob)
                bytes.append(contentsOf: blob)
            }
            ranges.append(start..<bytes.count)
        }
    }

    /// A statement prepared for text cannot be run with a number: the types belong to its key.
    var signature: String {
        String(
            types.map { type -> Character in
                switch type {
                case PostgresType.integer: "i"
                case PostgresType.real: "r"
                case PostgresType.text: "t"
                case PostgresType.blob: "b"
                default: "n"
                }
            })
    }

    func withPointers<R>(
        _ body: (
            _ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]
        ) -> R
    ) -> R {
        // An empty text still needs an address: none would mean NULL. Hence the extra byte.
        (bytes + [0]).withUnsafeBytes { buffer in
            let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            let values = ranges.map { range in range.flatMap { start?.advanced(by: $0.lowerBound) } }
            let lengths = ranges.map { Int32(clamping: $0?.count ?? 0) }
            return body(values, lengths, Array(repeating: 1, count: ranges.count))
        }
    }
}

/// The answer to one statement.
struct PostgresResult: ~Copyable {
    let handle: OpaquePointer

    deinit { PQclear(handle) }

    var rowCount: Int32 { PQntuples(handle) }

    /// Rows inserted, updated or deleted; none for a SELECT.
    var changedRows: Int {
        guard let status = PQcmdStatus(handle), let tuples = PQcmdTuples(handle) else { return 0 }
        return strncmp(status, "SELECT", 6) == 0 ? 0 : Int(atoll(tuples))
    }

    var columns: ColumnNames {
        ColumnNames((0..<PQnfields(handle)).map { PQfname(handle, $0).map { String(cString: $0) } ?? "" })
    }

    func row(_ number: Int32, _ columns: ColumnNames) -> Row {
        Row(columns: columns, values: (0..<PQnfields(handle)).map { value(number, $0) })
    }

    private func value(_ row: Int32, _ column: Int32) -> SQLValue {
        guard PQgetisnull(handle, row, column) == 0, let start = PQgetvalue(handle, row, column) else {
            return .null
        }
        var text: String {
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, row, column)))
            return String(decoding: bytes, as: UTF8.self)
        }
        switch PQftype(handle, column) {
        case PostgresType.integer: return .integer(Int64(strtoll(start, nil, 10)))
        case let type where PostgresType.smallIntegers.contains(type):
            return .integer(Int64(strtoll(start, nil, 10)))
        case PostgresType.boolean:
            return .integer(start.pointee == CChar(bitPattern: UInt8(ascii: "t")) ? 1 : 0)
        case PostgresType.real, PostgresType.singleReal: return .real(strtod(start, nil))
        case PostgresType.numeric:
            // SUM of integers is numeric here and an integer in SQLite.
            return Int64(text).map { .integer($0) } ?? .real(strtod(start, nil))
        case PostgresType.blob:
            var count = 0
            guard
                let bytes = start.withMemoryRebound(
                    to: UInt8.self, capacity: 1, { PQunescapeBytea($0, &count) })
            else { return .blob([]) }
            defer { PQfreemem(bytes) }
            return .blob([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
        default: return .text(text)
        }
    }
}
