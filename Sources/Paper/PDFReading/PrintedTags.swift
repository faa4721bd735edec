/// The elements that programs of poppler print, one after the other.
struct PrintedTags {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    struct Tag {
        var name: String
        var attributes: ArraySlice<UInt8>

        /// What stands between the quotation marks behind a name.
        func text(_ name: String) -> String? {
            let text = String(decoding: attributes, as: UTF8.self)
            guard let start = text.firstRange(of: " \(name)=\"")?.upperBound else { return nil }
            return PrintedTags.plain(String(text[start...].prefix { $0 != "\"" }))
        }

        func numbers(_ names: [String]) -> [Double] {
            // There are four of them for each word of a paper.
            var found = [Double?](repeating: nil, count: names.count)
            for part in attributes.split(separator: UInt8(ascii: " ")) {
                guard let equals = part.firstIndex(of: UInt8(ascii: "=")),
                    let place = names.firstIndex(where: { $0.utf8.elementsEqual(part[..<equals]) }),
                    let value = Self.number(
                        part[(equals + 1)...].drop { $0 == UInt8(ascii: "\"") }
                            .prefix { $0 != UInt8(ascii: "\"") }), value.isFinite, abs(value) < 1e7
                else { continue }
                found[place] = value
            }
            return found.compactMap { $0 }
        }

        /// Of few digits most often: then they are a whole number divided by a power of ten, which is as near as any.
        private static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
            var digits = 0
            var whole = 0
            var power = 1.0
            var hasPoint = false
            let isNegative = bytes.first == UInt8(ascii: "-")
            for byte in isNegative ? bytes.dropFirst() : bytes {
                if byte == UInt8(ascii: "."), !hasPoint {
                    hasPoint = true
                } else if (48...57).contains(byte), digits < 15 {
                    digits += 1
                    whole = whole * 10 + Int(byte - 48)
                    if hasPoint { power *= 10 }
                } else {
                    return Double(String(decoding: bytes, as: UTF8.self))
                }
            }
            guard digits > 0 else { return nil }
            return (isNegative ? -1 : 1) * Double(whole) / power
        }
    }

    mutating func next() -> Tag? {
        guard let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")),
            let close = bytes[open...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        position = close + 1
        let inside = bytes[(open + 1)..<close]
        let name = inside.prefix { $0 != 32 }
        return Tag(
            name: String(decoding: name, as: UTF8.self), attributes: inside.dropFirst(name.count))
    }

    mutating func textUpToTag() -> String {
        let rest = bytes[position...]
        let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
        position = end
        let raw = String(decoding: rest[..<end].prefix(WordTable.longestWord), as: UTF8.self)
        guard raw.utf8.contains(UInt8(ascii: "&")) else { return raw }
        return Self.plain(raw)
    }

    private static let entities: [(String, Character)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&"),
    ]

    fileprivate static func plain(_ raw: String) -> String {
        var out = ""
        var rest = Substring(raw)
        while let character = rest.first {
            if character == "&", let entity = entities.first(where: { rest.hasPrefix($0.0) }) {
                out.append(entity.1)
                rest = rest.dropFirst(entity.0.count)
            } else {
                out.append(character)
                rest = rest.dropFirst()
            }
        }
        return out
    }
}
