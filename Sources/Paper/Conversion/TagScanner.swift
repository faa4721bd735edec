import Markup

/// Finds tags in XML and HTML as it comes, well-formed or not. It resolves nothing and fetches nothing: enough for the
/// few files of a book that say what is in it.
struct TagScanner {
    struct Tag {
        /// In small letters, without a prefix.
        var name: String
        var attributes: [String: String]
        var isClosing: Bool
        var isEmpty: Bool
        /// The words between this tag and the next.
        var text: String
    }

    let tags: [Tag]

    init(_ source: String) {
        var tags: [Tag] = []
        var rest = Array(source.utf8)[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")), tags.count < 200_000 {
            rest = rest[(open + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard let end = Self.find("-->", in: rest) else { break }
                rest = rest[(end + 3)...]
                continue
            }
            guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
            let inside = String(decoding: rest[..<close], as: UTF8.self)
            rest = rest[(close + 1)...]
            guard let first = inside.first, first.isLetter || first == "/" else { continue }
            let after = rest.prefix { $0 != UInt8(ascii: "<") }
            tags.append(Self.tag(inside, text: Entities.plain(String(decoding: after, as: UTF8.self))))
        }
        self.tags = tags
    }

    private static func find(_ text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let wanted = Array(text.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: wanted) }
    }

    private static func tag(_ inside: String, text: String) -> Tag {
        let isClosing = inside.hasPrefix("/")
        let isEmpty = inside.hasSuffix("/")
        var rest = inside.drop { $0 == "/" }
        let full = rest.prefix { !$0.isWhitespace && $0 != "/" }
        rest = rest.dropFirst(full.count)
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "/" }
            let name = rest.prefix { !$0.isWhitespace && $0 != "=" && $0 != "/" }
            guard !name.isEmpty else { break }
            rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
            var value = ""
            if rest.first == "=" {
                rest = rest.dropFirst().drop(while: \.isWhitespace)
                if let quote = rest.first, quote == "\"" || quote == "'" {
                    rest = rest.dropFirst()
                    let inner = rest.prefix { $0 != quote }
                    rest = rest.dropFirst(inner.count + 1)
                    value = Entities.plain(String(inner))
                } else {
                    let inner = rest.prefix { !$0.isWhitespace }
                    rest = rest.dropFirst(inner.count)
                    value = Entities.plain(String(inner))
                }
            }
            attributes[name.lowercased()] = value
        }
        let local = full.split(separator: ":").last.map { $0.lowercased() } ?? ""
        return Tag(name: local, attributes: attributes, isClosing: isClosing, isEmpty: isEmpty, text: text)
    }
}
