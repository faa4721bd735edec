/// What an NFC tag says: a page, for every telephone that is held to it, and behind that perhaps a card (NDEF 1.0).
public struct TagMessage: Sendable, Equatable {
    public let bytes: [UInt8]

    /// Telephones look at the first record alone, so the page stands before the card. Nil where there is neither.
    public init?(address: String?, card: [UInt8]? = nil) {
        var records: [(kind: UInt8, type: [UInt8], payload: [UInt8])] = []
        if let address { records.append((1, [UInt8(ascii: "U")], Self.shortened(address))) }
        if let card { records.append((2, Array("text/vcard".utf8), card)) }
        guard !records.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for (place, record) in records.enumerated() {
            let isShort = record.payload.count < 256
            bytes.append(
                record.kind | (place == 0 ? 0x80 : 0) | (place == records.count - 1 ? 0x40 : 0)
                    | (isShort ? 0x10 : 0))
            bytes.append(UInt8(record.type.count))
            let count = UInt32(record.payload.count)
            if !isShort {
                for shift in [24, 16, 8] as [UInt32] {
                    bytes.append(UInt8(truncatingIfNeeded: count >> shift))
                }
            }
            bytes.append(UInt8(truncatingIfNeeded: count))
            bytes += record.type + record.payload
        }
        self.bytes = bytes
    }

    /// The smallest of the usual tags that holds it; nil where none does.
    public var tag: String? {
        // Around the message stand its kind, its length and an end.
        let count = bytes.count + (bytes.count < 255 ? 3 : 5)
        return Self.tags.first { count <= $0.byteCount }?.name
    }

    private static let tags = [
        (name: "NTAG213", byteCount: 144), (name: "NTAG215", byteCount: 504),
        (name: "NTAG216", byteCount: 888),
    ]

    /// The usual beginnings take one byte.
    private static func shortened(_ address: String) -> [UInt8] {
        for (code, start) in [(1, "http://www."), (2, "https://www."), (3, "http://"), (4, "https://")]
        where address.hasPrefix(start) {
            return [UInt8(code)] + address.dropFirst(start.count).utf8
        }
        return [0] + address.utf8
    }
}
