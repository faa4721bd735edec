/// What stands between the tags of HTML and XML, read as far as it makes sense: nothing is built of it, fetched or expanded,
/// and what is not well-formed does no harm.
public struct TaggedText: Sendable {
    /// Elements of which nothing is said, by their names without prefix, in small letters.
    public var silent: Set<String> = []
    /// The same where the tag says this: an attribute by the name of the element.
    public var silentWhere: [String: String] = [:]
    /// Only what stands in these is said; nil for all.
    public var spoken: Set<String>?
    /// Where one line ends and another begins.
    public var lines: Lines

    public enum Lines: Sendable {
        case at(Set<String>)
        case notAt(Set<String>)
    }

    public init(lines: Lines) { self.lines = lines }

    /// A page of the web: all but what is within a line begins a new one.
    public static let page: TaggedText = {
        var text = TaggedText(
            lines: .notAt([
                "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font",
                "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub",
                "sup",
                "tt", "u", "var", "wbr",
            ]))
        text.silent = ["script", "style", "noscript", "template"]
        return text
    }()

    /// The words, no more than so many bytes of them.
    public func words(_ bytes: [UInt8], atMost limit: Int = .max) -> String {
        var said = Said(limit: limit)
        var rest = bytes[...]
        var spokenDepth = 0
        func say(_ text: ArraySlice<UInt8>, isPlain: Bool = false) {
            if spoken == nil || spokenDepth > 0 { said.append(text, isPlain: isPlain) }
        }
        while !rest.isEmpty, !said.isFull {
            let open = rest.firstIndex(of: Self.open) ?? rest.endIndex
            say(rest[..<open])
            rest = rest[open...].dropFirst()
            guard let first = rest.first else { break }
            switch first {
            case UInt8(ascii: "!"):
                if rest.starts(with: "!--".utf8) {
                    rest = Self.behind("-->", in: rest)
                } else if rest.starts(with: "![CDATA[".utf8) {
                    let end = Self.place(of: "]]>", in: rest) ?? rest.endIndex
                    say(rest[..<end].dropFirst(8), isPlain: true)
                    rest = rest[end...].dropFirst(3)
                } else {
                    rest = Self.behind(">", in: rest)
                }
            case UInt8(ascii: "?"): rest = Self.behind(">", in: rest)
            case UInt8(ascii: "/"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                let close = rest.firstIndex(of: Self.close) ?? rest.endIndex
                let tag = rest[..<close]
                rest = rest[close...].dropFirst()
                let isEnd = first == UInt8(ascii: "/")
                let isEmpty = tag.last == UInt8(ascii: "/")
                let name = Self.name(isEnd ? tag.dropFirst() : tag)
                if begins(line: name) { said.endLine() }
                if spoken?.contains(name) ?? false, !isEmpty {
                    spokenDepth = max(0, spokenDepth + (isEnd ? -1 : 1))
                }
                if !isEnd, !isEmpty, isSilent(name, tag) { rest = Self.behind(end: name, in: rest) }
            default: say([Self.open])
            }
        }
        return said.text
    }

    private static let (open, close) = (UInt8(ascii: "<"), UInt8(ascii: ">"))

    private func begins(line name: String) -> Bool {
        switch lines {
        case .at(let names): names.contains(name)
        case .notAt(let names): !names.contains(name)
        }
    }

    private func isSilent(_ name: String, _ tag: ArraySlice<UInt8>) -> Bool {
        guard !silent.contains(name) else { return true }
        return silentWhere[name].map { Self.place(of: " " + $0, in: tag) != nil } ?? false
    }

    /// Without its prefix, in small letters.
    private static func name(_ tag: ArraySlice<UInt8>) -> String {
        let name = tag.prefix(64).prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self).lowercased()
    }

    private static func behind(_ text: StaticString, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        place(of: "\(text)", in: bytes).map { bytes[$0...].dropFirst(text.utf8CodeUnitCount) } ?? []
    }

    /// Behind the tag that ends an element, as scripts may hold anything.
    private static func behind(end name: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let open = rest.firstIndex(of: open) {
            rest = rest[open...].dropFirst()
            if rest.first == UInt8(ascii: "/"), self.name(rest.dropFirst().prefix { $0 != close }) == name {
                return behind(">", in: rest)
            }
        }
        return []
    }

    private static func place(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return nil }
        var rest = bytes
        while let found = rest.firstIndex(of: first) {
            if bytes[found...].starts(with: wanted) { return found }
            rest = rest[(found + 1)...]
        }
        return nil
    }

    /// What was said so far, with one blank where there were several.
    private struct Said {
        private var bytes: [UInt8] = []
        private let limit: Int

        init(limit: Int) { self.limit = limit }

        var isFull: Bool { bytes.count >= limit }
        var text: String { String(decoding: bytes, as: UTF8.self) }

        mutating func append(_ text: ArraySlice<UInt8>, isPlain: Bool) {
            var letters: [UInt8] = []
            if isPlain { letters = Array(text) } else { Entities.append(text, to: &letters) }
            for letter in letters {
                let isBlank = letter == 0x20 || (0x09...0x0D).contains(letter)
                if !isBlank {
                    bytes.append(letter)
                } else if let last = bytes.last, last != 0x20, last != 0x0A {
                    bytes.append(0x20)
                }
            }
        }

        mutating func endLine() {
            if bytes.last == 0x20 { bytes.removeLast() }
            if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
        }
    }
}
