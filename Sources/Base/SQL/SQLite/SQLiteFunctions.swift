import Bytes
import CSQLite
import Glibc

extension SQLiteSession {
    /// What Quire's own connections know beside SQLite's functions; no schema may use it, as other programs do not know it.
    ///
    /// - `folded_words(text)`: the words of a text as they are looked for, one blank between them.
    /// - `held_words(text, words, is_open, …)`: how many of these a text has, each of which may be several words behind
    ///   each other, the last of them going on where they are open. `instr` and `LIKE` take four times as long.
    /// - `held_pieces(text, piece, …)`: whether a text has all of these pieces, byte by byte.
    func addFunctions() throws(SQLError) {
        try addFunction("folded_words", valueCount: 1) { context, _, values in
            guard let values, sqlite3_value_type(values[0]) != SQLITE_NULL else { return }
            let text = bytes(values[0])
            let most = Folding.mostBytes(ofWordsIn: text.count)
            guard let room = sqlite3_malloc64(UInt64(most)) else {
                return sqlite3_result_error_nomem(context)
            }
            let count = Folding.words(
                of: text, into: UnsafeMutableRawBufferPointer(start: room, count: most))
            sqlite3_result_text64(
                context, room.assumingMemoryBound(to: CChar.self), UInt64(count), sqlite3_free,
                UInt8(SQLITE_UTF8))
        }
        try addFunction("held_words", valueCount: -1) { context, count, values in
            guard let values, count >= 3, count % 2 == 1 else {
                return sqlite3_result_error(context, "held_words(text, words, is_open, …)", -1)
            }
            let text = bytes(values[0])
            let most = Folding.mostBytes(ofWordsIn: text.count)
            let held = withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { room in
                let folded = UnsafeRawBufferPointer(rebasing: room[..<Folding.words(of: text, into: room)])
                return stride(from: 1, to: Int(count), by: 2).count(where: { place in
                    folded.hold(
                        words: bytes(values[place]), isOpen: sqlite3_value_int(values[place + 1]) != 0)
                })
            }
            sqlite3_result_int(context, Int32(held))
        }
        try addFunction("held_pieces", valueCount: -1) { context, count, values in
            guard let values, count >= 2 else {
                return sqlite3_result_error(context, "held_pieces(text, piece, …)", -1)
            }
            let text = unendedBytes(values[0])
            let holds = (1..<Int(count)).allSatisfy { text.holds(piece: bytes(values[$0])) }
            sqlite3_result_int(context, holds ? 1 : 0)
        }
    }

    private func addFunction(
        _ name: String, valueCount: Int32,
        _ function: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) throws(SQLError) {
        let result = sqlite3_create_function_v2(
            handle, name, valueCount, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil, function,
            nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLError.sqlite(result, handle) }
    }
}

/// Until the function that was given the value returns.
private func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    // Text first, length second: asking for the text may convert it.
    let start = sqlite3_value_text(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

/// The same of a text that need not end with a zero, for which SQLite would copy it out of its page.
private func unendedBytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    guard sqlite3_value_type(value) == SQLITE_TEXT else { return bytes(value) }
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

extension UnsafeRawBufferPointer {
    /// Looks at sixteen places at once, and closer only where the first and the last byte are both right: either alone is
    /// frequent in names and numbers.
    fileprivate func holds(piece: UnsafeRawBufferPointer) -> Bool {
        guard let wanted = piece.baseAddress, !piece.isEmpty else { return true }
        guard let start = baseAddress, count >= piece.count else { return false }
        let last = piece.count - 1
        let (first, final) = (SIMD16(repeating: piece[0]), SIMD16(repeating: piece[last]))
        var place = 0
        while place + last + 16 <= count {
            let begins = start.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self) .== first
            let ends = start.loadUnaligned(fromByteOffset: place + last, as: SIMD16<UInt8>.self) .== final
            // A byte of ones for each place that may be right.
            let halves = unsafeBitCast(begins .& ends, to: SIMD2<UInt64>.self)
            for half in 0..<2 {
                var left = halves[half].littleEndian
                while left != 0 {
                    let step = left.trailingZeroBitCount / 8
                    if memcmp(start + place + half * 8 + step, wanted, piece.count) == 0 { return true }
                    left &= ~(0xFF << (UInt64(step) * 8))
                }
            }
            place += 16
        }
        while place + last < count {
            if self[place] == piece[0], memcmp(start + place, wanted, piece.count) == 0 { return true }
            place += 1
        }
        return false
    }

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
