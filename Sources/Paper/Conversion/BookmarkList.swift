public import Bytes

/// Bookmarks as people write them: `3 Numbers`, the page and what is there, with a dash for each level below, as in
/// `- 4 By month`. One a line, or with semicolons between them.
///
///     let list = try BookmarkList("1 Letter; 3 Numbers; - 4 By month")
public struct BookmarkList: Sendable {
    /// `[{"title":…,"page":1,"children":[…]}]`
    public let json: [JSON]

    public init(json: [JSON]) { self.json = json }

    /// Lines as above, or the same as JSON.
    public init(_ text: String) throws(ConversionError) {
        let blank = text.allSatisfy(\.isWhitespace)
        if text.first(where: { !$0.isWhitespace }) == "[" {
            guard let list = (try? JSON(parsing: Array(text.utf8)))?.array else {
                throw .badOption("These bookmarks begin like JSON and are none.")
            }
            json = list
            return
        }
        var lines: [Line] = []
        for line in blank ? [] : text.split(whereSeparator: { $0.isNewline || $0 == ";" }) {
            guard !line.allSatisfy(\.isWhitespace) else { continue }
            let line = try Line(line)
            guard line.depth <= (lines.last.map { $0.depth + 1 } ?? 0) else {
                throw .badOption("“\(line.title)” lies two levels below what stands before it.")
            }
            lines.append(line)
        }
        var rest = lines[...]
        json = Self.tree(&rest, depth: 0)
    }

    private struct Line {
        var depth: Int
        var page: Int
        var title: String

        init(_ text: Substring) throws(ConversionError) {
            let whole = text.drop(while: \.isWhitespace)
            let dashes = whole.prefix { $0 == "-" || $0.isWhitespace }
            let rest = whole.dropFirst(dashes.count)
            let digits = rest.prefix { ("0"..."9").contains($0) }
            let title = String(rest.dropFirst(digits.count)).trimmingBlanks
            guard let page = Int(digits), page > 0, !title.isEmpty else {
                throw .badOption(
                    "“\(whole)” is no bookmark; write the page and what is there, as in “3 Numbers”.")
            }
            (depth, self.page, self.title) = (dashes.count { $0 == "-" }, page, title)
        }
    }

    private static func tree(_ lines: inout ArraySlice<Line>, depth: Int) -> [JSON] {
        var items: [JSON] = []
        while let line = lines.first, line.depth == depth {
            lines.removeFirst()
            items.append([
                "title": .string(line.title), "page": .int(line.page),
                "children": .array(tree(&lines, depth: depth + 1)),
            ])
        }
        return items
    }

    /// The same lines again. A bookmark that leads to no page of the file has a question mark in its place.
    public var text: String { Self.lines(json, depth: 0) }

    private static func lines(_ items: [JSON], depth: Int) -> String {
        items.map { item in
            let dashes = depth == 0 ? "" : String(repeating: "-", count: depth) + " "
            let page = item["page"]?.int.map(String.init) ?? "?"
            let title = (item["title"]?.string ?? "").split(whereSeparator: \.isNewline).joined(
                separator: " ")
            return "\(dashes)\(page) \(title)\n" + lines(item["children"]?.array ?? [], depth: depth + 1)
        }.joined()
    }
}
