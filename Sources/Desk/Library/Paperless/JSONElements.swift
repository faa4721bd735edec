import Bytes

/// The elements of a JSON array, one after the other as its bytes come: the list of a whole library is longer than what
/// should lie in memory at once.
struct JSONElements {
    private var element: [UInt8] = []
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    private var hasBegun = false
    private var hasEnded = false

    /// One paper with all its words is not longer than this.
    private static let longest = 64 << 20

    mutating func take(_ bytes: [UInt8], _ each: (JSON) throws -> Void) throws {
        for byte in bytes {
            if hasEnded {
                guard Self.isSpace(byte) else {
                    throw JSONError(offset: 0, reason: "something follows the list")
                }
                continue
            }
            if isInText {
                element.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard hasBegun else {
                    guard byte == UInt8(ascii: "[") else {
                        throw JSONError(offset: 0, reason: "it is no list")
                    }
                    hasBegun = true
                    continue
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 {
                    try finish(each)
                    hasEnded = true
                    continue
                }
            case UInt8(ascii: ",") where depth == 1:
                try finish(each)
                continue
            case UInt8(ascii: "\""): isInText = true
            case _ where Self.isSpace(byte): continue
            default: break
            }
            guard hasBegun else { throw JSONError(offset: 0, reason: "it is no list") }
            element.append(byte)
            guard element.count <= Self.longest else {
                throw JSONError(offset: 0, reason: "one of its records is larger than \(Self.longest) bytes")
            }
        }
    }

    /// To be asked when no more bytes come.
    func end() throws(JSONError) {
        guard hasEnded else { throw JSONError(offset: 0, reason: "it ends too early") }
    }

    private mutating func finish(_ each: (JSON) throws -> Void) throws {
        guard !element.isEmpty else { return }
        try each(JSON(parsing: element))
        element.removeAll(keepingCapacity: element.capacity < 1 << 20)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
