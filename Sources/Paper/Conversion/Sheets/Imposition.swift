import Bytes
import PDF
import PDFReading

/// Several pages on one side of a sheet.
public struct NUpWish: SheetWish {
    public var count = 2
    /// Nil: A4 or Letter, whichever the pages are nearer to.
    public var paper: SheetSize?
    /// Nil: whichever makes the pages larger.
    public var isLying: Bool?
    /// One below the other before the next column begins.
    public var goesDown = false
    public var isRightToLeft = false
    public var hasBorder = false
    public var margin = 18.0
    public var gap = 12.0
    public var pages: String?

    public init() {}

    private static let counts = [2, 4, 6, 8, 9, 16]

    public static let settings: [StepSetting] = [
        StepSetting(
            "count", "NUMBER", "pages on a side", choices: counts.map(String.init)),
        StepSetting(
            "paper", "SIZE", "of the sheets: a4, letter, legal, a3, 210mmx297mm; as the pages if not said"),
        StepSetting(
            "orientation", "HOW", "of the sheets; whichever makes the pages larger if not said",
            choices: ["portrait", "landscape"]),
        StepSetting("order", "HOW", "of the pages on a side", choices: ["across", "down"]),
        StepSetting("right-to-left", nil, "the first page stands on the right"),
        StepSetting("border", nil, "a thin line around each page"),
        StepSetting("margin", "LENGTH", "around all of them: 10mm, 0.5in"),
        StepSetting("gap", "LENGTH", "between them"),
        StepSetting("pages", "PAGES", "only these, in this order: 1-3,7"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        switch name {
        case "count": count = Int(try choice(name, value)) ?? 2
        case "paper": paper = try self.paper(value)
        case "orientation": isLying = try choice(name, value) == "landscape"
        case "order": goesDown = try choice(name, value) == "down"
        case "right-to-left": isRightToLeft = true
        case "border": hasBorder = true
        case "margin": margin = try length(name, value)
        case "gap": gap = try length(name, value)
        case "pages": pages = value
        default: throw unknown(name)
        }
    }
}

/// Pages in the order in which sheets are printed on both sides, laid into each other, folded and stapled.
public struct BookletWish: SheetWish {
    public var paper: SheetSize?
    public var isRightToLeft = false
    public var hasBorder = false
    public var margin = 14.0
    public var pages: String?

    public init() {}

    public static let settings: [StepSetting] = [
        StepSetting(
            "paper", "SIZE", "of the sheets before they are folded: a4, letter, a3; as the pages if not said"),
        StepSetting("right-to-left", nil, "it is read from right to left"),
        StepSetting("border", nil, "a thin line around each page"),
        StepSetting("margin", "LENGTH", "around each page: 5mm, 0.25in"),
        StepSetting("pages", "PAGES", "only these, in this order: 1-3,7"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        switch name {
        case "paper": paper = try self.paper(value)
        case "right-to-left": isRightToLeft = true
        case "border": hasBorder = true
        case "margin": margin = try length(name, value)
        case "pages": pages = value
        default: throw unknown(name)
        }
    }

    /// Which page stands on the left and on the right of each side, front and back in turn; nil is empty paper.
    static func sides(of count: Int, isRightToLeft: Bool) -> [(left: Int?, right: Int?)] {
        let padded = (count + 3) / 4 * 4
        func page(_ number: Int) -> Int? { number < count ? number : nil }
        return (0..<padded / 2).map { side in
            let (outer, inner) = (page(padded - 1 - side), page(side))
            // Fronts have the later page on the left, backs the earlier one; from right to left it is the other way round.
            return (side % 2 == 0) != isRightToLeft ? (outer, inner) : (inner, outer)
        }
    }
}

/// One side of new paper, and the pages that are drawn on it.
struct DrawnSheet {
    struct Cell {
        /// Its place among those that are drawn.
        var page: Int
        var room: PDFRectangle
    }

    var size: SheetSize
    var cells: [Cell] = []
    /// A thin line around each page.
    var hasBorder = false
    /// What of the sheet is drawn on; nil: all of it.
    var window: PDFRectangle?
    /// Each from one point to another.
    var lines: [[Double]] = []

    init(_ size: SheetSize) { self.size = size }
}

/// Several pages on a side.
enum Imposition {
    static func sheets(_ wish: NUpWish, _ pages: [PageFrame]) -> [DrawnSheet] {
        let sizes = pages.map { ($0.width, $0.height) }
        let usual = sizes.first ?? (612, 792)
        let paper = (wish.paper ?? nearest(usual)).standing
        var best: (sheet: SheetSize, columns: Int, rows: Int, scale: Double)?
        for sheet in [paper, paper.lying] where wish.isLying.map({ $0 == (sheet == paper.lying) }) ?? true {
            for columns in 1...wish.count where wish.count % columns == 0 {
                let rows = wish.count / columns
                // Strips of four or eight are no pages.
                guard max(columns, rows) <= 4 else { continue }
                let cell = cell(sheet, columns, rows, wish.margin, wish.gap)
                let scale = min(cell.width / usual.0, cell.height / usual.1)
                if scale > (best?.scale ?? 0) * 1.0001 { best = (sheet, columns, rows, scale) }
            }
        }
        let chosen = best ?? (paper, 1, wish.count, 1)
        let cell = cell(chosen.sheet, chosen.columns, chosen.rows, wish.margin, wish.gap)
        return stride(from: 0, to: pages.count, by: wish.count).map { first in
            var sheet = DrawnSheet(chosen.sheet)
            sheet.hasBorder = wish.hasBorder
            sheet.cells = (first..<min(first + wish.count, pages.count)).map { page in
                let place = page - first
                var column = wish.goesDown ? place / chosen.rows : place % chosen.columns
                let row = wish.goesDown ? place % chosen.rows : place / chosen.columns
                if wish.isRightToLeft { column = chosen.columns - 1 - column }
                let left = wish.margin + Double(column) * (cell.width + wish.gap)
                let top = chosen.sheet.height - wish.margin - Double(row) * (cell.height + wish.gap)
                return .init(
                    page: page,
                    room: PDFRectangle(
                        left: left, bottom: top - cell.height, right: left + cell.width, top: top))
            }
            return sheet
        }
    }

    static func sheets(_ wish: BookletWish, _ pages: [PageFrame]) -> [DrawnSheet] {
        let usual = pages.first.map { ($0.width, $0.height) } ?? (612, 792)
        let size = (wish.paper ?? nearest(usual)).lying
        let half = size.width / 2
        let margin = min(wish.margin, half / 3, size.height / 3)
        return BookletWish.sides(of: pages.count, isRightToLeft: wish.isRightToLeft).map { pages in
            var sheet = DrawnSheet(size)
            sheet.hasBorder = wish.hasBorder
            sheet.cells = [(pages.left, 0.0), (pages.right, half)].compactMap { page, left in
                page.map { page in
                    .init(
                        page: page,
                        room: PDFRectangle(
                            left: left + margin, bottom: margin, right: left + half - margin,
                            top: size.height - margin))
                }
            }
            return sheet
        }
    }

    private static func cell(
        _ sheet: SheetSize, _ columns: Int, _ rows: Int, _ margin: Double, _ gap: Double
    ) -> (width: Double, height: Double) {
        (
            max(8, (sheet.width - 2 * margin - Double(columns - 1) * gap) / Double(columns)),
            max(8, (sheet.height - 2 * margin - Double(rows - 1) * gap) / Double(rows))
        )
    }

    /// A4 for what is as slim as A4, Letter for the rest.
    static func nearest(_ page: (width: Double, height: Double)) -> SheetSize {
        let ratio = max(page.width, page.height) / max(1, min(page.width, page.height))
        return abs(ratio - 1.4142) < abs(ratio - 1.2941) ? .a4 : .letter
    }
}

extension [DrawnSheet] {
    /// A new file of these sheets, with pages of another drawn on them.
    fileprivate func made(
        of file: PDFFile, _ order: [Int], links: SheetLinks, title: String?
    ) throws(PDFError) -> [UInt8] {
        let frames = file.frames
        var draft = PDFDraft()
        let tree = draft.newReference()
        let kids = map { _ in draft.newReference() }
        var links = links
        for ((sheet, kid), annotations) in zip(zip(self, kids), links.annotations(kids)) {
            let content = draft.addStream([:], sheet.ground { frames[order[$0]] })
            var page: PDFDictionary = [
                "Type": .name("Page"), "Parent": .reference(tree), "Contents": .reference(content),
                "Resources": .dictionary([:]),
                "MediaBox": .array([0, 0, sheet.size.width, sheet.size.height].map(PDFObject.real)),
            ]
            if !annotations.isEmpty {
                page["Annots"] = .array(annotations.map { .reference(draft.add(.dictionary($0))) })
            }
            draft.put(.dictionary(page), at: kid)
        }
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Count": .integer(kids.count),
                "Kids": .array(kids.map(PDFObject.reference)),
            ]), at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        var extra: PDFDictionary = [:]
        if let title {
            extra["Info"] = .reference(draft.add(.dictionary(["Title": .text(title)])))
        }
        let result = try PDFFile(bytes: draft.bytes(root: root, extra: extra))
        for (side, sheet) in enumerated() {
            for cell in sheet.cells {
                try result.draw(file, page: order[cell.page], on: side, in: cell.room)
            }
        }
        return try result.rewritten()
    }
}

extension DrawnSheet {
    /// What lies below the pages: their borders, lines, and the window through which they are seen.
    fileprivate func ground(_ frame: (Int) -> PageFrame) -> [UInt8] {
        var out = Array("q ".utf8)
        if hasBorder {
            out += Array("0.5 w 0.4 G ".utf8)
            for cell in cells {
                let seen = Self.fitted(frame(cell.page), into: cell.room)
                out.append(
                    [seen.left - 0.25, seen.bottom - 0.25, seen.width + 0.5, seen.height + 0.5],
                    then: "re S\n")
            }
        }
        if !lines.isEmpty {
            out += Array("0.5 w 0.4 G ".utf8)
            for line in lines {
                out.append(Array(line.prefix(2)), then: "m\n")
                out.append(Array(line.suffix(2)), then: "l S\n")
            }
        }
        out += Array("Q\n".utf8)
        // Not taken back: it is what follows that is seen through it.
        if let window {
            out.append([window.left, window.bottom, window.width, window.height], then: "re W n\n")
        }
        return out
    }

    static func fitted(_ page: PageFrame, into room: PDFRectangle) -> PDFRectangle {
        let scale = min(room.width / page.width, room.height / page.height)
        let (width, height) = (page.width * scale, page.height * scale)
        let left = room.left + (room.width - width) / 2
        let bottom = room.bottom + (room.height - height) / 2
        return PDFRectangle(left: left, bottom: bottom, right: left + width, top: bottom + height)
    }
}

extension PDFTools {
    public static func imposed(_ paper: Paper, _ wish: NUpWish) throws(ConversionError) -> Paper {
        try drawnAnew(paper, pages: wish.pages) { (frames) throws(ConversionError) in
            Imposition.sheets(wish, frames)
        }
    }

    public static func imposed(_ paper: Paper, _ wish: BookletWish) throws(ConversionError) -> Paper {
        try drawnAnew(paper, pages: wish.pages) { (frames) throws(ConversionError) in
            Imposition.sheets(wish, frames)
        }
    }

    static func drawnAnew(
        _ paper: Paper, pages: String?, _ sheets: ([PageFrame]) throws(ConversionError) -> [DrawnSheet]
    ) throws(ConversionError) -> Paper {
        // What fields say must be drawn, as no field comes along; what cannot be filled is drawn as it looks.
        let flat = (try? flattened(paper)) ?? paper
        let count = try pageCount(flat.bytes, name: paper.name)
        let order =
            try pages.map { text throws(ConversionError) in try PageRanges(text, of: count).pages }
            ?? Array(0..<count)
        // Drawing notes takes links off, which look like nothing.
        let (file, leading) = try told(paper.name) { () throws(PDFError) in
            let (file, leading) = (try PDFFile(bytes: flat.bytes), try PDFFile(bytes: flat.bytes))
            try file.flattenNotes()
            return (file, leading)
        }
        let frames = file.frames
        let drawn = try sheets(order.map { frames[$0] })
        let links = SheetLinks(leading, order, on: drawn)
        var made = paper
        made.bytes = try told(paper.name) { () throws(PDFError) in
            let title = file.resolve(file.dictionary(file.trailer["Info"])?["Title"]).text
            return try drawn.made(of: file, order, links: links, title: title)
        }
        let bookmarks = links.bookmarks(try Self.bookmarks(flat).array ?? [])
        return bookmarks.isEmpty ? made : try setting(bookmarks: bookmarks, in: made)
    }

    /// What does not come along when pages are drawn anew; nil when nothing is lost.
    public static func onlyDrawn(_ paper: Paper) throws(ConversionError) -> String? {
        try told(paper.name) { () throws(PDFError) in
            let file = try PDFFile(bytes: paper.bytes)
            let catalog = file.catalog
            let isMore =
                file.form != nil || catalog["StructTreeRoot"] != nil
                || file.dictionary(catalog["Names"])?["EmbeddedFiles"] != nil
                || file.pages.contains { page in
                    file.array(file.dictionary(.reference(page))?["Annots"]).contains {
                        file.resolve(file.dictionary($0)?["Subtype"]).name != "Link"
                    }
                }
            guard isMore else { return nil }
            return
                "Of “\(paper.name)” fields and notes are drawn as they look, and nothing more; attached files and what screen readers are told did not come along."
        }
    }
}
