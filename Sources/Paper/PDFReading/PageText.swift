public import PDF

/// The words of one page and where they are seen.
public struct PageText: Sendable, Equatable {
    public struct Word: Sendable, Equatable {
        public var text: String
        /// On the sheet (`PageFrame`).
        public var place: PDFRectangle

        public init(_ text: String, at place: PDFRectangle) {
            self.text = text
            self.place = place
        }
    }

    /// Words that stand beside each other and are read together.
    public struct Line: Sendable, Equatable {
        public var words: [Word]
        public var place: PDFRectangle
        /// Lines of one paragraph or cell have the same number.
        public var block: Int

        public var text: String { words.map(\.text).joined(separator: " ") }

        public init(_ words: [Word], block: Int) {
            self.words = words
            self.block = block
            place = words.dropFirst().reduce(words.first?.place ?? .nothing) { $0.union($1.place) }
        }
    }

    /// Counted from 0.
    public var page: Int
    public var frame: PageFrame
    public var lines: [Line]
    /// True when the page has more words than are read of one page.
    public var isCut: Bool

    public var words: [Word] { lines.flatMap(\.words) }

    /// The text line by line, paragraphs apart.
    public var text: String {
        var out = ""
        for (index, line) in lines.enumerated() {
            if index > 0 { out += lines[index - 1].block == line.block ? "\n" : "\n\n" }
            out += line.text
        }
        return out
    }

    public init(page: Int, frame: PageFrame, lines: [Line], isCut: Bool = false) {
        self.page = page
        self.frame = frame
        self.lines = lines
        self.isCut = isCut
    }

    /// What is read inside a place of the page, given in the page's own coordinates, as fields give theirs.
    public func text(in place: PDFRectangle) -> String {
        let seen = frame.shown(place)
        return lines.compactMap { line in
            let inside = line.words.filter { seen.contains(x: $0.place.middle.x, y: $0.place.middle.y) }
            return inside.isEmpty ? nil : inside.map(\.text).joined(separator: " ")
        }.joined(separator: "\n")
    }
}

extension PDFRectangle {
    static let nothing = PDFRectangle(left: 0, bottom: 0, right: 0, top: 0)
}
