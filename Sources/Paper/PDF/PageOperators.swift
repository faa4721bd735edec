/// How a page's own operators leave the graphics state, so that what is drawn behind them begins from a clean one.
/// Sloppy programs write a `q` too few or too many, and then everything behind is moved or cut.
public struct PageOperators {
    /// What closes everything that was left open, in order.
    public private(set) var closing: [UInt8] = []
    /// Places of `Q` without a `q` before: viewers pass over them, but would not any more behind a `q` of ours.
    public private(set) var loose: [Int] = []

    public init(_ content: [UInt8]) {
        var open: [Open] = []
        var at = 0
        func close(_ kind: Open) {
            if let last = open.lastIndex(of: kind) { open.remove(at: last) }
        }
        while at < content.count {
            let byte = content[at]
            switch byte {
            case UInt8(ascii: "%"): while at < content.count, content[at] != 10, content[at] != 13 { at += 1 }
            case UInt8(ascii: "("): at = Self.afterString(content, at)
            case UInt8(ascii: "<") where at + 1 < content.count && content[at + 1] != UInt8(ascii: "<"):
                while at < content.count, content[at] != UInt8(ascii: ">") { at += 1 }
                at += 1
            case _ where Self.isLetter(byte):
                let start = at
                while at < content.count, Self.isRegular(content[at]) { at += 1 }
                // A word behind a slash is a name.
                if start > 0, content[start - 1] == UInt8(ascii: "/") { continue }
                switch String(decoding: content[start..<at], as: UTF8.self) {
                case "q": open.append(.state)
                case "Q": if open.contains(.state) { close(.state) } else { loose.append(start) }
                case "BT": open.append(.text)
                case "ET": close(.text)
                case "BMC", "BDC": open.append(.mark)
                case "EMC": close(.mark)
                case "ID": at = Self.afterImage(content, at)
                default: break
                }
            default: at += 1
            }
        }
        for kind in open.reversed() { closing.append(contentsOf: "\(kind.rawValue)\n".utf8) }
    }

    private enum Open: String { case state = "Q", text = "ET", mark = "EMC" }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte)
    }

    private static func isRegular(_ byte: UInt8) -> Bool {
        byte > 32 && !"()<>[]{}/%".utf8.contains(byte)
    }

    private static func afterString(_ content: [UInt8], _ start: Int) -> Int {
        var at = start + 1
        var depth = 1
        while at < content.count, depth > 0 {
            switch content[at] {
            case UInt8(ascii: "\\"): at += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            at += 1
        }
        return at
    }

    /// Behind the data of an inline image: at the next EI that stands alone.
    private static func afterImage(_ content: [UInt8], _ start: Int) -> Int {
        var at = start + 1
        while at + 1 < content.count {
            if content[at] == UInt8(ascii: "E"), content[at + 1] == UInt8(ascii: "I"), content[at - 1] <= 32,
                at + 2 == content.count || content[at + 2] <= 32
            {
                return at + 2
            }
            at += 1
        }
        return content.count
    }
}

/// What a page draws, and what is needed to draw more behind it.
public struct PageContent {
    /// What it is drawn by.
    public let streams: [PDFObject]
    /// All of it, without a `Q` that no `q` comes before.
    public let bytes: [UInt8]
    /// Something had to be taken out: it is no longer what the streams say.
    public let isMended: Bool
    /// What closes everything it leaves open.
    public let closing: [UInt8]

    public init(of page: PDFDictionary, _ file: PDFFile) {
        streams =
            if let list = file.resolve(page["Contents"]).array { list } else {
                page["Contents"].map { [$0] } ?? []
            }
        // Parts of a page's content count as one; a word never goes from one part into the next.
        var content: [UInt8] = []
        for part in streams {
            if let stream = part.reference, let bytes = file.stream(stream, limit: 64 << 20) {
                content += bytes + [10]
            }
        }
        let operators = PageOperators(content)
        for place in operators.loose { content[place] = 32 }
        bytes = content
        isMended = !operators.loose.isEmpty
        closing = operators.closing
    }
}
