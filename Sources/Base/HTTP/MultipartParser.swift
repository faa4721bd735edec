import Glibc

/// Takes a `multipart/form-data` body apart while it arrives, in pieces of any size, holding almost nothing of it.
///
/// The pieces may be cut anywhere, inside a boundary too: what comes out is the same. Everything a sender could
/// inflate has a limit. RFC 7578, with the grammar of RFC 2046 §5.1.1.
public struct MultipartParser: Sendable {
    public struct Limits: Sendable {
        public var partCount: Int
        /// Of one part's headers.
        public var headerBytes: Int
        /// Before the first boundary.
        public var preambleBytes: Int

        public init(partCount: Int = 1_000, headerBytes: Int = 8_192, preambleBytes: Int = 1_024) {
            self.partCount = partCount
            self.headerBytes = headerBytes
            self.preambleBytes = preambleBytes
        }
    }

    public struct Part: Sendable, Equatable {
        public var name: String
        /// Set, if only to nothing, for a file field.
        public var fileName: String?
        public var mediaType: MediaType?

        public init(name: String, fileName: String? = nil, mediaType: MediaType? = nil) {
            self.name = name
            self.fileName = fileName
            self.mediaType = mediaType
        }
    }

    public enum Event {
        case part(Part)
        /// Bytes of the present part; the buffer is valid only during the call.
        case data(UnsafeRawBufferPointer)
        case endOfPart
    }

    private enum Place {
        case preamble, afterDelimiter, headers, body, epilogue
    }

    private static let cr = UInt8(ascii: "\r")
    private static let lf = UInt8(ascii: "\n")

    private let delimiter: [UInt8]
    private let limits: Limits
    private var place = Place.preamble
    private var partCount = 0
    private var preambleCount = 0
    /// How many bytes of the delimiter the end of the last piece matched. The body counts as beginning after a line
    /// end, so that the first boundary needs none before it.
    private var matched = 2
    private var gathered: [UInt8] = []

    /// Takes the boundary from the content type; `nil` when that is not a multipart form with a usable one.
    public init?(_ mediaType: MediaType, limits: Limits = Limits()) {
        guard mediaType.isSameKind(as: .multipart), let boundary = mediaType[parameter: "boundary"],
            (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }),
            boundary.utf8.last != 0x20
        else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.limits = limits
    }

    /// Takes the next piece. What `handle` throws comes out unchanged; a parser that has thrown is done with.
    public mutating func push(
        _ piece: UnsafeRawBufferPointer, _ handle: (Event) throws -> Void
    ) throws {
        var rest = piece[...]
        while !rest.isEmpty {
            switch place {
            case .preamble, .body: try scan(&rest, handle)
            case .afterDelimiter: try readDelimiterEnd(&rest)
            case .headers: try readHeaders(&rest, handle)
            case .epilogue: return
            }
        }
    }

    /// Says that the body is over; throws when its last boundary never came.
    public func finish() throws(Refusal) {
        guard case .epilogue = place else { throw Refusal(.badRequest, "The form breaks off in the middle.") }
    }

    // MARK: Bodies

    /// Passes bytes on until the delimiter shows. `matched` carries a beginning of it over from piece to piece.
    private mutating func scan(
        _ rest: inout Slice<UnsafeRawBufferPointer>, _ handle: (Event) throws -> Void
    ) throws {
        let whole = rest.base
        let end = rest.endIndex
        let start = rest.startIndex
        var index = start
        if matched > 0 {
            let carried = matched
            extendMatch(whole, &index, end)
            if matched == delimiter.count { return try delimiterEnds(at: index, &rest, handle) }
            if index == end { return rest = rest[end...] }
            // It was content after all. The delimiter's only CR is its first byte, so no other match can have begun
            // inside this one.
            matched = 0
            try delimiter.withUnsafeBytes { try pass($0[..<carried], handle) }
        }
        while let cr = firstCR(whole, index, end) {
            index = cr + 1
            matched = 1
            extendMatch(whole, &index, end)
            if matched == delimiter.count || index == end {
                try pass(whole[start..<cr], handle)
                if matched == delimiter.count { return try delimiterEnds(at: index, &rest, handle) }
                return rest = rest[end...]
            }
            matched = 0
        }
        try pass(whole[start..<end], handle)
        rest = rest[end...]
    }

    private mutating func extendMatch(_ whole: UnsafeRawBufferPointer, _ index: inout Int, _ end: Int) {
        while matched < delimiter.count, index < end, whole[index] == delimiter[matched] {
            matched += 1
            index += 1
        }
    }

    private mutating func delimiterEnds(
        at index: Int, _ rest: inout Slice<UnsafeRawBufferPointer>, _ handle: (Event) throws -> Void
    ) throws {
        if case .body = place { try handle(.endOfPart) }
        place = .afterDelimiter
        matched = 0
        gathered.removeAll(keepingCapacity: true)
        rest = rest[index...]
    }

    /// The C library looks for a byte at the speed of memory.
    private func firstCR(_ whole: UnsafeRawBufferPointer, _ from: Int, _ to: Int) -> Int? {
        guard let base = whole.baseAddress, from < to,
            let found = memchr(base + from, Int32(Self.cr), to - from)
        else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private mutating func pass(
        _ bytes: Slice<UnsafeRawBufferPointer>, _ handle: (Event) throws -> Void
    ) throws {
        guard !bytes.isEmpty else { return }
        if case .body = place {
            try handle(.data(UnsafeRawBufferPointer(rebasing: bytes)))
        } else {
            preambleCount += bytes.count
            if preambleCount > limits.preambleBytes {
                throw Refusal(.badRequest, "The form does not begin with its boundary.")
            }
        }
    }

    // MARK: Between the bodies

    private mutating func readDelimiterEnd(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(Refusal) {
        let byte = rest.removeFirst()
        gathered.append(byte)
        if gathered == [UInt8(ascii: "-"), UInt8(ascii: "-")] {
            place = .epilogue
        } else if byte == Self.lf, gathered.dropLast().last == Self.cr {
            partCount += 1
            guard partCount <= limits.partCount else {
                throw Refusal(.contentTooLarge, "The form has more than \(limits.partCount) parts.")
            }
            gathered.removeAll(keepingCapacity: true)
            place = .headers
        } else if gathered.count > 70 || !(gathered == [UInt8(ascii: "-")] || isPadding(gathered)) {
            throw Refusal(.badRequest, "A boundary of the form is not followed by a line end.")
        }
    }

    /// White space and perhaps the first half of a line end (RFC 2046's `transport-padding`).
    private func isPadding(_ bytes: [UInt8]) -> Bool {
        let blank = bytes.last == Self.cr ? bytes.dropLast() : bytes[...]
        return blank.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    private mutating func readHeaders(
        _ rest: inout Slice<UnsafeRawBufferPointer>, _ handle: (Event) throws -> Void
    ) throws {
        while let byte = rest.popFirst() {
            gathered.append(byte)
            if byte == Self.lf, gathered.count >= 4,
                gathered.suffix(4) == [Self.cr, Self.lf, Self.cr, Self.lf]
            {
                let part = try MultipartParser.part(gathered)
                gathered = []
                place = .body
                return try handle(.part(part))
            }
            guard gathered.count <= limits.headerBytes else {
                throw Refusal(.headersTooLarge, "The headers of a form part are too long.")
            }
        }
    }

    private static func part(_ block: [UInt8]) throws(Refusal) -> Part {
        guard let text = String(validating: block, as: UTF8.self) else {
            throw Refusal(.badRequest, "The headers of a form part are not UTF-8 text.")
        }
        var disposition: (name: String, fileName: String?)?
        var mediaType: MediaType?
        for line in text.split(separator: "\r\n", omittingEmptySubsequences: true) {
            guard let colon = line.firstIndex(of: ":"), Token.isToken(String(line[..<colon])) else {
                throw Refusal(.badRequest, "The headers of a form part are not well-formed.")
            }
            let value = Token.trimmed(line[line.index(after: colon)...])
            switch Token.lowered(line[..<colon]) {
            case "content-disposition" where disposition == nil: disposition = Disposition.read(value)
            case "content-type" where mediaType == nil: mediaType = MediaType(value)
            default: break
            }
        }
        guard let disposition else {
            throw Refusal(.badRequest, "A form part does not say which field it is.")
        }
        return Part(name: disposition.name, fileName: disposition.fileName, mediaType: mediaType)
    }
}
