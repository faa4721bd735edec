/// A cursor over bytes that came from outside: every read is checked and says where it failed.
///
/// A read that throws leaves the cursor where it was.
///
/// ```swift
/// var reader = ByteReader(bytes)
/// let length = try reader.uint16()
/// let name = try reader.bytes(Int(length))
/// ```
public struct ByteReader: Sendable {
    public let source: ArraySlice<UInt8>
    /// Counted from the start of the bytes the reader was made with.
    public private(set) var offset = 0

    public init(_ bytes: [UInt8]) { source = bytes[...] }
    public init(_ bytes: ArraySlice<UInt8>) { source = bytes }

    public var remaining: Int { source.count - offset }
    public var isAtEnd: Bool { remaining == 0 }

    /// The next byte without taking it.
    public var next: UInt8? { isAtEnd ? nil : source[source.startIndex + offset] }

    public mutating func bytes(_ count: Int) throws(ByteError) -> [UInt8] { try Array(slice(count)) }

    public mutating func skip(_ count: Int) throws(ByteError) { _ = try slice(count) }

    /// Everything that is left.
    public mutating func rest() -> [UInt8] {
        let rest = Array(source.dropFirst(offset))
        offset = source.count
        return rest
    }

    /// Takes the given bytes, or throws when something else stands there.
    public mutating func expect(_ expected: some Collection<UInt8>) throws(ByteError) {
        guard source.dropFirst(offset).starts(with: expected) else { throw error("unexpected bytes") }
        offset += expected.count
    }

    public mutating func uint8() throws(ByteError) -> UInt8 { try integer(.big) }
    public mutating func uint16(_ order: ByteOrder = .big) throws(ByteError) -> UInt16 { try integer(order) }
    public mutating func uint32(_ order: ByteOrder = .big) throws(ByteError) -> UInt32 { try integer(order) }
    public mutating func uint64(_ order: ByteOrder = .big) throws(ByteError) -> UInt64 { try integer(order) }

    public func error(_ reason: String) -> ByteError { ByteError(offset: offset, reason: reason) }

    private mutating func slice(_ count: Int) throws(ByteError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw error("\(remaining) bytes left, \(count) needed") }
        let start = source.startIndex + offset
        offset += count
        return source[start..<start + count]
    }

    private mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _ order: ByteOrder
    ) throws(ByteError) -> Value {
        var value: Value = 0
        var shift = 0
        for byte in try slice(Value.bitWidth / 8) {
            switch order {
            case .big: value = value << 8 | Value(byte)
            case .little: value |= Value(byte) << shift
            }
            shift += 8
        }
        return value
    }
}

public enum ByteOrder: Sendable { case big, little }
