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
            let text = String(decoding: attributes, as: UTF8.self)
            var found: [String: Double] = [:]
            for part in text.split(separator: " ") {
                guard let equals = part.firstIndex(of: "=") else { continue }
                let number = part[part.index(after: equals)...].drop { $0 == "\"" }.prefix { $0 != "\"" }
                if let value = Double(number), value.isFinite, abs(value) < 1e7 {
                    found[String(part[..<equals])] = value
                }
            }
            return names.compactMap { found[$0] }
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
