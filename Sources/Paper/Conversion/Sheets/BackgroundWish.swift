import PDF
import PDFReading

/// What lies below all that pages show: a colour, or the pages of another paper, such as a letterhead.
public struct BackgroundWish: SheetWish {
    public var ink: Ink?
    /// Over what the pages show instead; scans cover what lies below them.
    public var isOver = false
    public var pages: String?

    public init() {}

    public static let settings: [StepSetting] = [
        StepSetting("colour", "COLOUR", "of the whole page, like #fdf6e3"),
        StepSetting("over", nil, "over what the pages show, not below it"),
        StepSetting("pages", "PAGES", "only on these: 1, 2-, odd"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        switch name {
        case "colour": ink = try StampWish.ink(value)
        case "over": isOver = true
        case "pages": pages = value
        default: throw unknown(name)
        }
    }

    public func check() throws(ConversionError) {
        guard ink == nil || !isOver else {
            throw .badOption("A colour over everything would hide the pages.")
        }
    }
}

extension PDFTools {
    /// The first page of `ground` goes with the first of the pages that get one, and so on; its last one with all that
    /// are left. Each is as large as fits on its page.
    public static func grounded(
        _ paper: Paper, _ wish: BackgroundWish, on ground: Paper? = nil
    ) throws(ConversionError) -> Paper {
        try wish.check()
        if let ink = wish.ink { return try coloured(paper, ink, wish) }
        guard let ground else {
            throw .badOption(
                "There is nothing to lay below the pages: the step takes the last of several papers, or a colour."
            )
        }
        let count = try pageCount(ground.bytes, name: ground.name)
        let other = try told(ground.name) { () throws(PDFError) in
            let file = try PDFFile(bytes: ground.bytes)
            try file.flattenNotes()
            return file
        }
        // Signatures end with what is drawn here.
        var made = try isSigned(paper) ? working(on: paper) { _ in } : paper
        let (bytes, all) = (made.bytes, try pageCount(made.bytes, name: paper.name))
        let pages =
            try wish.pages.map { text throws(ConversionError) in
                Set(try PageRanges(text, of: all).pages).sorted()
            } ?? Array(0..<all)
        made.bytes = try told(paper.name) { () throws(PDFError) in
            let file = try PDFFile(bytes: bytes)
            for (place, page) in pages.enumerated() {
                try file.draw(other, page: min(place, count - 1), on: page, under: !wish.isOver)
            }
            return try file.rewritten()
        }
        return made
    }

    private static func coloured(
        _ paper: Paper, _ ink: Ink, _ wish: BackgroundWish
    ) throws(ConversionError) -> Paper {
        try working(on: paper) { (work) throws(ConversionError) in
            for page in try work.chosen(wish.pages) {
                let sheet = work.sheet(page)
                var out = Array("/Artifact BMC q ".utf8)
                out.append(sheet.toPage.numbers, decimals: 5, then: "cm ")
                out.append([ink.red, ink.green, ink.blue], decimals: 5, then: "rg ")
                out.append([0, 0, sheet.width, sheet.height], decimals: 5, then: "re f Q EMC\n")
                work.edit(page) { $0.drawBelow(out) }
            }
        }
    }
}
