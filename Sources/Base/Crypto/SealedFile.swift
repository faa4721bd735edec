/// Seals a file whose bytes come bit by bit: a lead that lies open, the head of the stream, the pieces.
///
/// What is `padded` hides how long it is as well: each piece says how much of it counts, and the whole is brought to a
/// length that many others have, too.
public struct SealedFileWriter: ~Copyable {
    private var stream: SealingStream
    private var waiting: [UInt8] = []
    private var sealedCount: Int64 = 0
    private let isPadded: Bool
    private let put: ([UInt8]) throws -> Void

    public init(
        key: [UInt8], for place: String, lead: [UInt8], isPadded: Bool = false,
        put: @escaping ([UInt8]) throws -> Void
    ) throws {
        let stream = try SealingStream(key: key, for: place)
        try put(lead + stream.head)
        self.stream = stream
        self.isPadded = isPadded
        self.put = put
    }

    public mutating func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

    public mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
        waiting += bytes
        let room = Self.room(isPadded)
        // One is held back, as the last is told by its being the last.
        var start = 0
        while waiting.count - start > room {
            try seal(waiting[start..<start + room], isLast: false)
            start += room
        }
        waiting.removeFirst(start)
    }

    public mutating func finish() throws {
        let room = Self.room(isPadded)
        guard isPadded else { return try seal(waiting[...], isLast: true) }
        var left = Self.padded(sealedCount + Int64(waiting.count)) - sealedCount
        var start = 0
        while left > 0 {
            let size = Int(min(left, Int64(room)))
            let end = min(waiting.count, start + size)
            left -= Int64(size)
            try seal(waiting[start..<end], size: size, isLast: left == 0)
            start = end
        }
    }

    private mutating func seal(_ content: ArraySlice<UInt8>, size: Int? = nil, isLast: Bool) throws {
        sealedCount += Int64(content.count)
        guard isPadded else { return try put(stream.seal(Array(content), isLast: isLast)) }
        let count = UInt32(content.count)
        var piece = (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
        piece += content
        piece += repeatElement(0, count: (size ?? content.count) - content.count)
        try put(stream.seal(piece, isLast: isLast))
    }

    /// How many bytes that count a piece takes.
    fileprivate static func room(_ isPadded: Bool) -> Int { SealingStream.pieceCount - (isPadded ? 4 : 0) }

    /// Padmé (Nikitin and others, 2019): at most an eighth more, and few lengths are left to tell files by. What is
    /// short is all of one length, which a block of the disk has room for.
    static func padded(_ count: Int64) -> Int64 {
        guard count > shortest else { return shortest }
        let exponent = Int64.bitWidth - 1 - count.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (Int64(1) << (exponent - kept)) - 1
        return (count + mask) & ~mask
    }

    private static let shortest: Int64 = 4000

    /// How long a file becomes that is padded.
    public static func paddedCount(of count: Int64, lead: Int) -> Int64 {
        let content = padded(count)
        let room = Int64(room(true))
        return Int64(lead + SealingStream.headCount) + content
            + (content + room - 1) / room * Int64(SealingStream.tagCount + 4)
    }
}

/// Opens what `SealedFileWriter` sealed.
public enum SealedFile {
    /// False when it was changed, is not whole, or was sealed with another key or for another place; then what `body` was
    /// given is not to be trusted. `next` gives as many bytes as it is asked for, fewer only at the end.
    public static func open(
        key: [UInt8], for place: String, lead: [UInt8], isPadded: Bool = false,
        next: (Int) throws -> [UInt8], body: ([UInt8]) throws -> Void
    ) throws -> Bool {
        let head = try next(lead.count + SealingStream.headCount)
        guard head.count == lead.count + SealingStream.headCount, head.starts(with: lead) else {
            return false
        }
        var stream = try OpeningStream(key: key, for: place, head: Array(head.dropFirst(lead.count)))
        while true {
            let sealed = try next(SealingStream.pieceCount + SealingStream.tagCount)
            guard let (piece, isLast) = stream.open(sealed) else { return false }
            if isPadded {
                guard piece.count >= 4 else { return false }
                let count = (0..<4).reduce(0) { $0 | Int(piece[$1]) << ($1 * 8) }
                guard count <= piece.count - 4 else { return false }
                try body(Array(piece[4..<4 + count]))
            } else {
                try body(piece)
            }
            if isLast { return try next(1).isEmpty }
        }
    }
}
