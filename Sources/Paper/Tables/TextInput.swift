import Glibc

/// A text in any encoding, as UTF-8.
///
/// UTF-8 itself passes through untouched; `needsCheck` then says that some bytes so far were not ASCII, so that
/// only such rows have to be looked at.
final class TextInput {
    private let source: ByteSource
    private let converter: Converter?
    /// Whether a row read from now on may hold a character that could not be read.
    private(set) var needsCheck = false

    init(_ source: ByteSource, encoding: String) throws(TableError) {
        self.source = source
        switch encoding.uppercased() {
        case "UTF-8", "UTF8", "US-ASCII", "ASCII": converter = nil
        default: converter = try Converter(encoding)
        }
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(TableError) -> Int {
        let count: Int
        if let converter {
            count = try converter.read(from: source, into: room)
        } else {
            count = try source.read(into: room)
        }
        if !needsCheck { needsCheck = Self.holdsMoreThanASCII(room, count) }
        return count
    }

    /// Eight bytes at a time: a NUL counts as well, it is no part of a text.
    private static func holdsMoreThanASCII(_ room: UnsafeMutableRawBufferPointer, _ count: Int) -> Bool {
        var place = 0
        while place + 8 <= count {
            let word = room.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let zero = (word &- 0x0101_0101_0101_0101) & ~word
            if (word | zero) & 0x8080_8080_8080_8080 != 0 { return true }
            place += 8
        }
        while place < count {
            if room[place] >= 0x80 || room[place] == 0 { return true }
            place += 1
        }
        return false
    }
}

/// The converters of the C library, from one encoding to UTF-8, piece by piece. What cannot be read becomes U+FFFD.
private final class Converter {
    private let handle: iconv_t
    private var input = [UInt8](repeating: 0, count: 64 << 10)
    private var start = 0
    private var end = 0
    private var isAtEnd = false

    /// Where Windows says more than the standard does, files come from Windows.
    private static let wider = ["SHIFT_JIS": "CP932", "SJIS": "CP932", "EUC-KR": "CP949", "BIG5": "CP950"]
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    init(_ encoding: String) throws(TableError) {
        let name = encoding.uppercased()
        let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
        let handle = isName ? iconv_open("UTF-8", Self.wider[name] ?? name) : nil
        guard let handle, handle != iconv_t(bitPattern: -1) else {
            throw TableError(
                "There is no encoding “\(encoding)”. Known are UTF-8, UTF-16LE, windows-1252, macintosh, Shift_JIS and many others."
            )
        }
        self.handle = handle
    }

    deinit { iconv_close(handle) }

    /// `room` has to hold more than one character.
    func read(from source: ByteSource, into room: UnsafeMutableRawBufferPointer) throws(TableError) -> Int {
        guard let base = room.baseAddress, room.count >= 16 else { return 0 }
        let first = base.assumingMemoryBound(to: CChar.self)
        while true {
            if end - start < 16, !isAtEnd { try refill(source) }
            guard start < end else { return 0 }
            var target: UnsafeMutablePointer<CChar>? = first
            var left = room.count
            var isStuck = false
            input.withUnsafeMutableBytes { bytes in
                let origin = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                var from = origin.map { $0 + start }
                var count = end - start
                let result = iconv(handle, &from, &count, &target, &left)
                isStuck = result == -1 && (errno == EILSEQ || errno == EINVAL && isAtEnd)
                start = end - count
            }
            if isStuck, left >= 16 {
                // One byte that begins no character, or a character the end cuts off.
                for byte in Self.replacement {
                    target?.pointee = CChar(bitPattern: byte)
                    target = target.map { $0 + 1 }
                }
                start += 1
            }
            let count = target.map { $0 - first } ?? 0
            if count > 0 { return count }
        }
    }

    private func refill(_ source: ByteSource) throws(TableError) {
        input.withUnsafeMutableBytes { bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
        end -= start
        start = 0
        let result = input.withUnsafeMutableBytes { bytes in
            Result { () throws(TableError) in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
            }
        }
        let count = try result.get()
        end += count
        isAtEnd = count == 0
    }
}
