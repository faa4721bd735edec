/// What is wrong with a file, for people: qpdf has a sentence for each place and speaks to those who write such programs,
/// here are a few kinds, each with all that was said of it.
public struct PDFFlaw: Sendable, Equatable {
    public enum Kind: Int, Sendable, CaseIterable {
        case unfinished, pages, table, missing, contents, drawing, parts
    }

    public var kind: Kind
    /// In qpdf's words, each once.
    public var details: [String]
    public var count: Int

    /// Those of what qpdf said, the worst first.
    public static func of(_ said: [String]) -> [PDFFlaw] {
        var found: [Kind: PDFFlaw] = [:]
        for line in said {
            guard let kind = Kind(of: line) else { continue }
            found[kind, default: PDFFlaw(kind: kind, details: [], count: 0)].count += 1
            if found[kind]?.details.contains(line) == false { found[kind]?.details.append(line) }
        }
        return Kind.allCases.compactMap { found[$0] }
    }

    /// Without a full stop, and beginning small, so that several make a sentence.
    public var words: String {
        switch kind {
        case .unfinished: "it is too much to be looked through in reasonable time"
        // Our own words, with numbers in them.
        case .pages: details.prefix(2).joined(separator: "; ")
        case .table: "the table that says where everything stands in the file is wrong"
        case .missing: "parts that it names are not in it"
        case .contents: "contents cannot be unpacked whole"
        case .drawing: "what a page draws is not written as it should be"
        case .parts: "parts of it are not written as they should be"
        }
    }

    public var sentence: String {
        let times = count > 1 && kind != .pages && kind != .unfinished ? ", in \(count) places" : ""
        return words.prefix(1).uppercased() + words.dropFirst() + times + "."
    }
}

extension PDFFlaw.Kind {
    /// Nil for a remark on how another one was mended.
    fileprivate init?(of line: String) {
        func has(_ words: String...) -> Bool { words.contains { line.contains($0) } }
        if line.hasPrefix("attempting to ") || line.hasPrefix("recovered stream length") { return nil }
        if has("was given up", "draws more than") {
            self = .unfinished
        } else if line.hasPrefix("the list of pages") {
            self = .pages
        } else if has("is listed but not there", "no object at", "unable to find") {
            self = .missing
        } else if has(
            "xref", "cross-reference", "trailer", "%PDF", "file is damaged", "object has offset 0", "/Prev",
            "number of objects")
        {
            self = .table
        } else if has(
            "decod", "inflate", "stream data", "endstream", "/Length", "stream length", "LZW", "filter",
            "Filter",
            "crypt")
        {
            self = .contents
        } else if has("content", "inline image") {
            self = .drawing
        } else {
            self = .parts
        }
    }
}
