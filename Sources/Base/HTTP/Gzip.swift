import Archives

/// RFC 1952.
public enum Gzip {
    /// Smaller bodies fit into one packet anyway.
    static let worthwhile = 1_024

    public static func compress(_ bytes: [UInt8], level: Int = 5) -> [UInt8] {
        deflated(bytes, .gzip, level: level)
    }

    /// The bytes inside; `nil` when they are damaged or would grow past `maximumBytes`.
    public static func decompress(_ bytes: [UInt8], maximumBytes: Int) -> [UInt8]? {
        inflated(bytes, .gzip, limit: maximumBytes)
    }
}
