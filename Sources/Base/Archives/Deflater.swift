import CZlib

/// What stands around deflated bytes (RFC 1951): nothing, zlib's frame (RFC 1950) or gzip's (RFC 1952).
public enum DeflateFrame: Sendable {
    case none, zlib, gzip

    var windowBits: Int32 {
        switch self {
        case .none: -15
        case .zlib: 15
        case .gzip: 15 + 16
        }
    }
}

/// Packs bytes that come in pieces.
public struct Deflater: ~Copyable {
    // zlib keeps a pointer back to its state, which therefore may not move.
    private let stream: UnsafeMutablePointer<z_stream>

    /// `level` goes from 1, fast, to 9, small.
    public init(_ frame: DeflateFrame = .zlib, level: Int = 6) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let begun = deflateInit2_(
            stream, Int32(min(max(level, 1), 9)), Z_DEFLATED, frame.windowBits, 8, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(begun == Z_OK, "zlib refuses its own defaults only when memory has run out")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    public mutating func write(_ bytes: UnsafeRawBufferPointer, into out: inout [UInt8]) {
        run(bytes, Z_NO_FLUSH, into: &out)
    }

    public mutating func write(_ bytes: [UInt8], into out: inout [UInt8]) {
        bytes.withUnsafeBytes { write($0, into: &out) }
    }

    /// Ends the bytes so far at a whole byte, so that other deflated bytes may follow.
    public mutating func flush(into out: inout [UInt8]) {
        run(UnsafeRawBufferPointer(start: nil, count: 0), Z_SYNC_FLUSH, into: &out)
    }

    public mutating func finish(into out: inout [UInt8]) {
        run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, into: &out)
    }

    private func run(_ bytes: UnsafeRawBufferPointer, _ flush: Int32, into out: inout [UInt8]) {
        var left = bytes
        repeat {
            // zlib counts in 32 bits.
            let step = min(left.count, 1 << 30)
            let isLast = step == left.count
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: left.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(step)
            var isDone = false
            while !isDone {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16_384) { room in
                    stream.pointee.next_out = room.baseAddress
                    stream.pointee.avail_out = UInt32(room.count)
                    _ = deflate(stream, isLast ? flush : Z_NO_FLUSH)
                    let made = room.count - Int(stream.pointee.avail_out)
                    out.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<made]))
                    // Room left over means that there is nothing more to say.
                    isDone = stream.pointee.avail_out > 0
                }
            }
            left = UnsafeRawBufferPointer(rebasing: left[step...])
        } while !left.isEmpty
    }
}

/// Unpacks bytes that come in pieces.
struct Inflater: ~Copyable {
    enum Outcome { case more, end, damaged }

    private let stream: UnsafeMutablePointer<z_stream>

    init(_ frame: DeflateFrame) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let begun = inflateInit2_(
            stream, frame.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(begun == Z_OK, "zlib refuses its own defaults only when memory has run out")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Gives what the bytes hold to `each`, piece by piece; `unused` is what stood behind the end.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer, unused: inout Int, _ each: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows -> Outcome {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(min(bytes.count, 1 << 30))
        while true {
            let outcome = try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32_768) { room in
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                let outcome = inflate(stream, Z_NO_FLUSH)
                let made = room.count - Int(stream.pointee.avail_out)
                if made > 0 {
                    try each(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<made]))
                }
                return outcome
            }
            switch outcome {
            case Z_STREAM_END:
                unused = Int(stream.pointee.avail_in)
                return .end
            case Z_OK, Z_BUF_ERROR:
                if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 {
                    unused = 0
                    return .more
                }
                // No progress although there is input and room: this cannot be deflated data.
                if outcome == Z_BUF_ERROR { return .damaged }
            default: return .damaged
            }
        }
    }
}

/// Bytes packed in one go.
public func deflated(_ bytes: [UInt8], _ frame: DeflateFrame = .zlib, level: Int = 6) -> [UInt8] {
    var out: [UInt8] = []
    var deflater = Deflater(frame, level: level)
    deflater.write(bytes, into: &out)
    deflater.finish(into: &out)
    return out
}

/// The bytes inside; nil when they are damaged, something follows them, or they would grow past `limit`.
public func inflated(_ bytes: [UInt8], _ frame: DeflateFrame = .zlib, limit: Int) -> [UInt8]? {
    struct TooLong: Error {}
    guard bytes.count <= 1 << 30 else { return nil }
    var out: [UInt8] = []
    var unused = 0
    var inflater = Inflater(frame)
    let outcome = try? bytes.withUnsafeBytes { source in
        try inflater.write(source, unused: &unused) { piece in
            guard out.count + piece.count <= limit else { throw TooLong() }
            out.append(contentsOf: piece)
        }
    }
    return outcome == .end && unused == 0 ? out : nil
}

/// The checksum of ZIP, gzip and PNG (ISO/IEC 8802-3 §3.2.9).
public func crc32(of bytes: [UInt8]) -> UInt32 {
    var crc = CRC32()
    bytes.withUnsafeBytes { crc.update($0) }
    return crc.value
}

/// The same of bytes that come in pieces.
struct CRC32: Equatable {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        value = UInt32(
            truncatingIfNeeded: crc32_z(
                UInt(value), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
    }

    /// The checksum of these bytes with `byteCount` others behind them.
    mutating func append(_ other: CRC32, byteCount: Int) {
        value = UInt32(truncatingIfNeeded: crc32_combine(UInt(value), UInt(other.value), byteCount))
    }
}
