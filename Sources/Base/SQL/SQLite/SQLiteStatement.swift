import CSQLite

/// A prepared statement. Its session closes it; it never outlives the connection.
struct SQLiteStatement {
    let handle: OpaquePointer
    let columns: ColumnNames

    init(_ handle: OpaquePointer) {
        self.handle = handle
        columns = ColumnNames(
            (0..<sqlite3_column_count(handle)).map { place in
                sqlite3_column_name(handle, place).map { String(cString: $0) } ?? ""
            })
    }

    func bind(_ values: [SQLValue]) -> Int32 {
        var result = SQLITE_OK
        for (place, value) in values.enumerated() where result == SQLITE_OK {
            result = bind(value, at: Int32(place + 1))
        }
        return result
    }

    private func bind(_ value: SQLValue, at place: Int32) -> Int32 {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, place)
        case .integer(let number):
            return sqlite3_bind_int64(handle, place, number)
        case .real(let number):
            return sqlite3_bind_double(handle, place, number)
        case .text(var text):
            // SQLite copies the bytes (TRANSIENT). A missing address would bind NULL, so an empty string
            // points at something.
            return text.withUTF8 { bytes in
                guard let start = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_text64(handle, place, "", 0, transient, UInt8(SQLITE_UTF8))
                }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text64(
                        handle, place, $0, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob64(handle, place, $0.baseAddress, UInt64($0.count), transient)
            }
        }
    }

    /// The row the statement stands on.
    var row: Row {
        let count = sqlite3_data_count(handle)
        var values: [SQLValue] = []
        values.reserveCapacity(Int(count))
        for place in 0..<count { values.append(value(at: place)) }
        return Row(columns: columns, values: values)
    }

    private func value(at place: Int32) -> SQLValue {
        switch sqlite3_column_type(handle, place) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, place))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, place))
        case SQLITE_TEXT:
            // Text first, length second: asking for the text may convert it.
            guard let start = sqlite3_column_text(handle, place) else { return .text("") }
            let count = Int(sqlite3_column_bytes(handle, place))
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let start = sqlite3_column_blob(handle, place) else { return .blob([]) }
            let count = Int(sqlite3_column_bytes(handle, place))
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }
}

/// `SQLITE_TRANSIENT` is a cast, which Swift does not import: "copy the bytes before you return".
private let transient = unsafeBitCast(-1 as Int, to: sqlite3_destructor_type.self)
