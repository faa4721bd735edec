import Kinds
import PDFReading

/// What is seen on pages, as poppler draws them.
extension PDFTools {
    /// Each of the pages, all where none are said, so many dots wide as `width` wants it.
    func look(
        at paper: Paper, pages: (Sheets) throws -> [Int]? = { _ in nil }, width: (PageFrame) -> Int,
        _ body: (_ page: Int, _ frame: PageFrame, _ pixels: PagePixels) throws -> Void
    ) throws(ConversionError) {
        guard PageReader.isReady else { throw .missing(program: "Poppler", package: "poppler-utils") }
        do {
            let sheets = try Sheets(bytes: paper.bytes)
            let reader = PageReader(jail: engines.jail)
            for page in try pages(sheets) ?? Array(0..<sheets.count) {
                let frame = sheets.frames[page]
                let pixels = try reader.pixels(
                    of: sheets, page: page, width: width(frame), cancellation: cancellation)
                try body(page, frame, pixels)
            }
        } catch {
            throw ConversionError.of(error, paper.name)
        }
    }

    /// Pages on which nothing can be read.
    public func blankPages(of paper: Paper, among pages: [Int]? = nil) throws(ConversionError) -> Set<Int> {
        var found: Set<Int> = []
        try look(at: paper, pages: { _ in pages }, width: { _ in 600 }) { page, _, pixels in
            if pixels.isAsGoodAsBlank { found.insert(page) }
        }
        return found
    }

    /// All others.
    public func printedPages(of paper: Paper) throws(ConversionError) -> [Int] {
        let blank = try blankPages(of: paper)
        let left = try (0..<Self.pageCount(paper.bytes, name: paper.name)).filter { !blank.contains($0) }
        guard !left.isEmpty else { throw .badOption("All pages of “\(paper.name)” are blank.") }
        return left
    }

    /// Pages that are separator sheets.
    func separators(of paper: Paper) throws(ConversionError) -> Set<Int> {
        var found: Set<Int> = []
        try look(at: paper, width: { _ in 1000 }) { page, _, pixels in
            // A sheet with a code has as much black as one; most pages are never looked at closely.
            let share = pixels.darkness(in: (0, 0, 1, 1))
            guard share > 0.02, share < 0.6 else { return }
            let picture = Paper(name: paper.name, kind: .jpeg, bytes: pixels.graymap)
            let codes = try engines.codes(in: picture, cancellation: cancellation)
            if codes.contains(where: { SplitWish.separators.contains($0.trimmingBlanks.uppercased()) }) {
                found.insert(page)
            }
        }
        return found
    }
}
