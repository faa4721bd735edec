/// Bytes being put together, integers in the order asked for.
public struct ByteWriter: Sendable {
    public private(set) var bytes: [UInt8]

    public init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    public var count: Int { bytes.count }

    public mutating func append(_ byte: UInt8) { bytes.append(byte) }
    public mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
    public mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    public mutating func uint16(_ value: UInt16, _ order: ByteOrder = .big) { integer(value, order) }
    public mutating func uint32(_ value: UInt32, _ order: ByteOrder = .big) { integer(value, order) }
    public mutating func uint64(_ value: UInt64, _ order: ByteOrder = .big) { integer(value, order) }

    private mutating func integer(_ value: some FixedWidthInteger, _ order: ByteOrder) {
        let ordered = order == .big ? value.bigEndian : value.littleEndian
        withUnsafeBytes(of: ordered) { bytes.append(contentsOf: $0) }
    }
}
