import CIncoming

/// Reads along where each request of a connection ends, one step ahead of libmicrohttpd, which takes what others do not:
/// a bare line feed behind the size of a chunk, extensions of any length. A proxy that reads them otherwise sees other
/// requests. It also answers a bad `Content-Length` itself, in version 0.9.75 with two heads.
///
/// What is refused is made unreadable before the library sees it, so that it ends the request there. What the library
/// would go on with nevertheless is remembered as `doubt`, and refused by us.
struct Framing {
    /// The size of a chunk and all that stands in its line.
    private static let sizeLineLimit = 256

    private enum Place {
        case firstLine, lineStart, name, value, lineEnd, headEnd
        case body(left: UInt64)
        case size, sizeExtension, sizeEnd
        case chunk(left: UInt64), chunkEnd, chunkLineFeed
        case trailerStart, trailer, trailerEnd, trailersEnd
        /// Nothing that comes now is listened to.
        case given([UInt8])
        /// The library itself, or `HeadFacts`, refuses what came and closes.
        case unread
    }

    private enum Kind { case length, encoding, other }

    private static let lengthName: StaticString = "content-length"
    private static let encodingName: StaticString = "transfer-encoding"
    private static let chunked: StaticString = "chunked"

    /// Whether anything came by here: what does not cannot be judged.
    private(set) var isFed = false
    /// How many requests have ended.
    private var ended = 0
    /// The number of the request in which something was written as it must not be.
    private(set) var doubt: Int?
    private var place = Place.firstLine
    private var isFirstLineEmpty = true
    private var kind = Kind.other
    /// How much of the line's name, value or size there is.
    private var count = 0
    private var isLengthName = true
    private var isEncodingName = true
    private var isChunkedWord = true
    private var length: UInt64?
    private var encodings = 0
    private var isChunked = false
    private var size: UInt64 = 0
    private var lineByteCount = 0

    /// Changes the bytes in their place, and tells how many of them the library gets.
    mutating func pass(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
        isFed = true
        var kept = 0
        var index = 0
        while index < bytes.count {
            if let run = skip(atMost: bytes.count - index) {
                if kept != index, let start = bytes.baseAddress {
                    (start + kept).update(from: start + index, count: run)
                }
                kept += run
                index += run
            } else {
                if let byte = take(bytes[index]) {
                    bytes[kept] = byte
                    kept += 1
                }
                index += 1
            }
        }
        return kept
    }

    /// Content is of no interest, and there is much of it.
    private mutating func skip(atMost available: Int) -> Int? {
        switch place {
        case .body(let left):
            let run = min(left, UInt64(available))
            if run == left { endRequest() } else { place = .body(left: left - run) }
            return Int(run)
        case .chunk(let left):
            let run = min(left, UInt64(available))
            place = run == left ? .chunkEnd : .chunk(left: left - run)
            return Int(run)
        case .unread: return available
        default: return nil
        }
    }

    /// The byte that the library gets in the place of this one; nil for none.
    private mutating func take(_ byte: UInt8) -> UInt8? {
        switch place {
        case .firstLine, .lineStart, .name, .value, .lineEnd, .headEnd: return takeOfHead(byte)
        case .size, .sizeExtension, .sizeEnd, .chunkEnd, .chunkLineFeed: return takeOfChunk(byte)
        case .trailerStart, .trailer, .trailerEnd, .trailersEnd: return takeOfTrailer(byte)
        case .given(let rest):
            guard let next = rest.first else { return byte }
            place = .given(Array(rest.dropFirst()))
            return next
        case .body, .chunk, .unread: return byte
        }
    }

    private mutating func endRequest() {
        self = Framing(ended: ended + 1, doubt: doubt)
    }

    init() {}

    private init(ended: Int, doubt: Int?) {
        isFed = true
        self.ended = ended
        self.doubt = doubt
    }

    private mutating func noteDoubt() { doubt = doubt ?? ended }

    // MARK: The head

    /// For the library a line ends at CR, at LF, or at both; `HeadFacts` takes both only.
    private mutating func takeOfHead(_ byte: UInt8) -> UInt8 {
        switch place {
        case .firstLine:
            if byte != .lineFeed, byte != .carriageReturn {
                isFirstLineEmpty = false
            } else if !isFirstLineEmpty {
                place = byte == .lineFeed ? .lineStart : .lineEnd
            }
            return byte
        case .lineEnd:
            place = .lineStart
            if byte == .lineFeed { return byte }
            return takeOfHead(byte)
        case .headEnd:
            if byte == .lineFeed { endHead() } else { leaveToOthers() }
            return byte
        case .lineStart: return beginLine(byte)
        case .name: return takeOfName(byte)
        default: return takeOfValue(byte)
        }
    }

    private mutating func beginLine(_ byte: UInt8) -> UInt8 {
        switch byte {
        case .carriageReturn:
            place = .headEnd
            return byte
        case .lineFeed:
            leaveToOthers()
            return byte
        case .space, .tab:
            // The library would join it to the line before. An empty line ends the head for it.
            return refuse(giving: [0, .lineFeed])
        default:
            place = .name
            kind = .other
            count = 0
            isLengthName = true
            isEncodingName = true
            return takeOfName(byte)
        }
    }

    private mutating func takeOfName(_ byte: UInt8) -> UInt8 {
        switch byte {
        case .carriageReturn: place = .lineEnd
        case .lineFeed: place = .lineStart
        case .colon:
            if isLengthName, count == Framing.lengthName.utf8CodeUnitCount { kind = .length }
            if isEncodingName, count == Framing.encodingName.utf8CodeUnitCount { kind = .encoding }
            beginValue()
        default:
            isLengthName = isLengthName && Framing.lengthName.has(byte, at: count)
            isEncodingName = isEncodingName && Framing.encodingName.has(byte, at: count)
            count += 1
        }
        return byte
    }

    private mutating func beginValue() {
        place = .value
        count = 0
        isChunkedWord = true
        switch kind {
        case .length:
            // Two lengths are refused by `HeadFacts`.
            length = 0
        case .encoding: encodings += 1
        case .other: break
        }
    }

    private mutating func takeOfValue(_ byte: UInt8) -> UInt8 {
        let isEnd = byte == .carriageReturn || byte == .lineFeed
        switch kind {
        case .length:
            if count == 0, byte == .space || byte == .tab { return byte }
            if let digit = byte.decimal {
                count += 1
                guard count <= 18 else { return refuse(giving: [.lineFeed, 0, .lineFeed]) }
                length = (length ?? 0) * 10 + UInt64(digit)
                return byte
            }
            guard isEnd, count > 0 else {
                // The library gets to see some length, so that it leaves the answer to us.
                return refuse(giving: (count == 0 ? [.zero] : []) + [.lineFeed, 0, .lineFeed])
            }
        case .encoding:
            if count == 0, byte == .space || byte == .tab { return byte }
            if isEnd {
                isChunked = isChunkedWord && count == Framing.chunked.utf8CodeUnitCount
            } else {
                // `chunked ` is chunked for one and unknown for the other.
                if byte == .space || byte == .tab { noteDoubt() }
                isChunkedWord = isChunkedWord && Framing.chunked.has(byte, at: count)
                count += 1
            }
        case .other: break
        }
        if isEnd { place = byte == .carriageReturn ? .lineEnd : .lineStart }
        return byte
    }

    private mutating func endHead() {
        if encodings > 0 {
            if isChunked, encodings == 1, length == nil { beginSize() } else { place = .unread }
        } else if let length, length > 0 {
            place = .body(left: length)
        } else {
            endRequest()
        }
    }

    private mutating func leaveToOthers() {
        noteDoubt()
        place = .unread
    }

    /// From here on the library gets these bytes in the place of those that come.
    private mutating func refuse(giving bytes: [UInt8]) -> UInt8 {
        noteDoubt()
        place = .given(Array(bytes.dropFirst()))
        return bytes[0]
    }

    // MARK: Chunks

    private mutating func beginSize() {
        place = .size
        size = 0
        count = 0
        lineByteCount = 0
    }

    /// RFC 9112 §7.1. Extensions mean nothing here, and the library need not see them.
    private mutating func takeOfChunk(_ byte: UInt8) -> UInt8? {
        lineByteCount += 1
        switch (place, byte) {
        case (.size, _) where byte.hexadecimal != nil && count < 15:
            size = size << 4 | UInt64(byte.hexadecimal ?? 0)
            count += 1
        case (.size, .carriageReturn) where count > 0: place = .sizeEnd
        case (.size, .semicolon) where count > 0:
            place = .sizeExtension
            return nil
        case (.sizeExtension, .carriageReturn): place = .sizeEnd
        case (.sizeExtension, .tab) where lineByteCount <= Framing.sizeLineLimit: return nil
        case (.sizeExtension, 0x20...0x7E) where lineByteCount <= Framing.sizeLineLimit: return nil
        case (.sizeExtension, 0x80...) where lineByteCount <= Framing.sizeLineLimit: return nil
        case (.sizeEnd, .lineFeed): place = size > 0 ? .chunk(left: size) : .trailerStart
        case (.chunkEnd, .carriageReturn): place = .chunkLineFeed
        case (.chunkLineFeed, .lineFeed): beginSize()
        default:
            // No digit of any size: the library answers 400 and closes.
            return refuse(giving: [UInt8](repeating: UInt8(ascii: "x"), count: 3))
        }
        return byte
    }

    /// The library takes trailers as loosely as it takes heads, and they are thrown away.
    private mutating func takeOfTrailer(_ byte: UInt8) -> UInt8 {
        switch (place, byte) {
        case (.trailersEnd, .lineFeed): endRequest()
        case (.trailerEnd, .lineFeed): place = .trailerStart
        case (.trailersEnd, _), (.trailerEnd, _), (_, .lineFeed), (_, 0): leaveToOthers()
        case (.trailerStart, .carriageReturn): place = .trailersEnd
        case (_, .carriageReturn): place = .trailerEnd
        default: place = .trailer
        }
        return byte
    }
}

extension StaticString {
    /// Without regard to the case; the text itself is in small letters.
    fileprivate func has(_ byte: UInt8, at index: Int) -> Bool {
        index < utf8CodeUnitCount && utf8Start[index] == (0x41...0x5A ~= byte ? byte | 0x20 : byte)
    }
}

extension UInt8 {
    fileprivate static let tab: UInt8 = 0x09
    fileprivate static let lineFeed: UInt8 = 0x0A
    fileprivate static let carriageReturn: UInt8 = 0x0D
    fileprivate static let space: UInt8 = 0x20
    fileprivate static let zero = UInt8(ascii: "0")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let semicolon = UInt8(ascii: ";")

    fileprivate var decimal: UInt8? { 0x30...0x39 ~= self ? self - 0x30 : nil }

    fileprivate var hexadecimal: UInt8? {
        let letter = self | 0x20
        return decimal ?? (0x61...0x66 ~= letter ? letter - 0x61 + 10 : nil)
    }
}
