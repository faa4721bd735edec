import PDF
import PDFReading

/// A page on several sheets, to be put together on a wall.
public struct PosterWish: SheetWish {
    public var columns = 2
    public var rows = 2
    /// Nil: A4 or Letter, whichever the pages are nearer to.
    public var paper: SheetSize?
    /// Nil: whichever makes the poster larger.
    public var isLying: Bool?
    /// As much of a sheet is on the next one as well.
    public var overlap = 28.35
    /// What a printer cannot reach.
    public var margin = 28.35
    public var hasMarks = false
    public var pages: String?

    public init() {}

    public static let settings: [StepSetting] = [
        StepSetting("sheets", "GRID", "how many beside and below each other: 2x2 if not said, up to 10x10"),
        StepSetting("paper", "SIZE", "of the sheets: a4, letter, a3, 210mmx297mm; as the pages if not said"),
        StepSetting(
            "orientation", "HOW", "of the sheets; whichever makes the poster larger if not said",
            choices: ["portrait", "landscape"]),
        StepSetting("overlap", "LENGTH", "what is on two sheets, for the glue: 10mm if not said"),
        StepSetting("margin", "LENGTH", "white around each sheet: 10mm if not said"),
        StepSetting("marks", nil, "lines where to cut"),
        StepSetting("pages", "PAGES", "only these: 1-3,7"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        switch name {
        case "sheets":
            let sides = value.lowercased().replacing("×", with: "x").split(
                separator: "x", omittingEmptySubsequences: false
            ).map { Int(String($0).trimmingBlanks) }
            guard sides.count == 2, let columns = sides[0], let rows = sides[1],
                (1...10).contains(columns), (1...10).contains(rows), columns * rows > 1
            else {
                throw .badOption(
                    "“\(value)” says no sheets. Write how many beside and below each other, as in 2x3.")
            }
            (self.columns, self.rows) = (columns, rows)
        case "paper": paper = try self.paper(value)
        case "orientation": isLying = try choice(name, value) == "landscape"
        case "overlap": overlap = try length(name, value)
        case "margin": margin = try length(name, value)
        case "marks": hasMarks = true
        case "pages": pages = value
        default: throw unknown(name)
        }
    }
}

/// The sheets of a poster, and where all of it lies on each.
struct Poster {
    let sheet: SheetSize
    private let wish: PosterWish
    private let inner: (width: Double, height: Double)

    init(_ wish: PosterWish, _ page: PageFrame) throws(ConversionError) {
        let paper = (wish.paper ?? Imposition.nearest((page.width, page.height))).standing
        var best: (sheet: SheetSize, inner: (Double, Double), scale: Double)?
        for sheet in [paper, paper.lying] where wish.isLying.map({ $0 == (sheet == paper.lying) }) ?? true {
            let inner = (sheet.width - 2 * wish.margin, sheet.height - 2 * wish.margin)
            guard inner.0 > wish.overlap + 36, inner.1 > wish.overlap + 36 else { continue }
            let whole = Self.whole(wish, inner)
            let scale = min(whole.width / page.width, whole.height / page.height)
            if scale > (best?.scale ?? 0) * 1.0001 { best = (sheet, inner, scale) }
        }
        guard let best else { throw .badOption("Margin and overlap leave nothing of a sheet.") }
        (sheet, inner, self.wish) = (best.sheet, best.inner, wish)
    }

    private static func whole(
        _ wish: PosterWish, _ inner: (width: Double, height: Double)
    ) -> (width: Double, height: Double) {
        (
            Double(wish.columns) * inner.width - Double(wish.columns - 1) * wish.overlap,
            Double(wish.rows) * inner.height - Double(wish.rows - 1) * wish.overlap
        )
    }

    var count: Int { wish.columns * wish.rows }

    /// What of the sheet is printed on.
    var window: PDFRectangle {
        PDFRectangle(
            left: wish.margin, bottom: wish.margin, right: wish.margin + inner.width,
            top: wish.margin + inner.height)
    }

    /// All of the poster, as it lies on one of its sheets: from the upper left, row by row.
    func room(_ sheet: Int) -> PDFRectangle {
        let whole = Self.whole(wish, inner)
        let (column, row) = (sheet % wish.columns, sheet / wish.columns)
        let left = wish.margin - Double(column) * (inner.width - wish.overlap)
        let top = wish.margin + inner.height + Double(row) * (inner.height - wish.overlap)
        return PDFRectangle(left: left, bottom: top - whole.height, right: left + whole.width, top: top)
    }

    /// Lines in the margin that lead to where the sheet is cut: on the outside where its picture ends, between sheets
    /// where half of the overlap is left on each.
    func marks(_ place: Int) -> [[Double]] {
        let (column, row) = (place % wish.columns, place / wish.columns)
        let half = wish.overlap / 2
        let left = window.left + (column > 0 ? half : 0)
        let right = window.right - (column + 1 < wish.columns ? half : 0)
        let top = window.top - (row > 0 ? half : 0)
        let bottom = window.bottom + (row + 1 < wish.rows ? half : 0)
        let far = max(0, wish.margin - 4)
        var lines: [[Double]] = []
        for x in [left, right] {
            lines.append([x, window.top + 4, x, window.top + far])
            lines.append([x, window.bottom - 4, x, window.bottom - far])
        }
        for y in [top, bottom] {
            lines.append([window.left - 4, y, window.left - far, y])
            lines.append([window.right + 4, y, window.right + far, y])
        }
        return lines
    }
}

extension PDFTools {
    public static func poster(_ paper: Paper, _ wish: PosterWish) throws(ConversionError) -> Paper {
        try drawnAnew(paper, pages: wish.pages) { (frames) throws(ConversionError) in
            var sheets: [DrawnSheet] = []
            for (page, frame) in frames.enumerated() {
                let poster = try Poster(wish, frame)
                for place in 0..<poster.count {
                    var sheet = DrawnSheet(poster.sheet)
                    if wish.hasMarks { sheet.lines = poster.marks(place) }
                    sheet.window = poster.window
                    sheet.cells = [.init(page: page, room: poster.room(place))]
                    sheets.append(sheet)
                }
            }
            return sheets
        }
    }
}
