import CSQLite
import Glibc

extension SQLiteSession {
    /// What Quire's own connections know beside SQLite's functions; no schema may use it, as other programs do not know it.
    ///
    /// `holds_words(text, words, is_open)`: whether a text of words with single blanks between them has these behind each
    /// other, the last of them going on where they are open. `instr` and `LIKE` take four times as long.
    func addFunctions() throws(SQLError) {
        let result = sqlite3_create_function_v2(
            handle, "holds_words", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
            { context, _, values in
                guard let values else { return }
                let holds = bytes(values[0]).hold(
                    words: bytes(values[1]), isOpen: sqlite3_value_int(values[2]) != 0)
                sqlite3_result_int(context, holds ? 1 : 0)
            }, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLError.sqlite(result, handle) }
    }
}

/// Until the function that was given the value returns.
private func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    // Text first, length second: asking for the text may convert it.
    let start = sqlite3_value_text(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

extension UnsafeRawBufferPointer {
    fileprivate func hold(words: UnsafeRawBufferPointer, isOpen: Bool) -> Bool {
        guard let start = baseAddress, let wanted = words.baseAddress, !words.isEmpty else { return false }
        let blank = UInt8(ascii: " ")
        var place = 0
        while count - place >= words.count,
            let found = memchr(start + place, Int32(words[0]), count - place - words.count + 1)
        {
            let first = UnsafeRawPointer(found) - start
            let end = first + words.count
            if first == 0 || self[first - 1] == blank, isOpen || end == count || self[end] == blank,
                memcmp(found, wanted, words.count) == 0
            {
                return true
            }
            place = first + 1
        }
        return false
    }
}
