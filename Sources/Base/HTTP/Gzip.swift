import CZlib

/// RFC 1952, through zlib.
public enum Gzip {
    /// Smaller bodies fit into one packet anyway.
    static let worthwhile = 1_024

    public static func compress(_ bytes: [UInt8], level: Int32 = 5) -> [UInt8] {
        var stream = z_stream()
        // 15 bits of window, and 16 more to say "gzip, not zlib".
        let begun = deflateInit2_(
            &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(begun == Z_OK, "zlib refuses its own defaults only when memory has run out")
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(bound)
                let ended = deflate(&stream, Z_FINISH)
                precondition(ended == Z_STREAM_END, "deflateBound promises that one call is enough")
                count = bound - Int(stream.avail_out)
            }
        }
    }

    /// The bytes inside; `nil` when they are damaged or would grow past `maximumBytes`.
    public static func decompress(_ bytes: [UInt8], maximumBytes: Int) -> [UInt8]? {
        guard bytes.count <= Int(UInt32.max) else { return nil }
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 32_768)
        return bytes.withUnsafeBufferPointer { source -> [UInt8]? in
            stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            stream.avail_in = UInt32(source.count)
            while true {
                let outcome = chunk.withUnsafeMutableBufferPointer { target -> Int32 in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    return inflate(&stream, Z_NO_FLUSH)
                }
                result += chunk[..<(chunk.count - Int(stream.avail_out))]
                if result.count > maximumBytes { return nil }
                if outcome == Z_STREAM_END { return stream.avail_in == 0 ? result : nil }
                if outcome != Z_OK { return nil }
            }
        }
    }
}
