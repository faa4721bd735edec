import PDF
import PDFReading
import Work

/// What is seen of pages, made smaller. What is cut away is hidden, not gone.
public struct CropWish: SheetWish {
    /// From each side of the page as it is seen, in points.
    public var top = 0.0
    public var right = 0.0
    public var bottom = 0.0
    public var left = 0.0
    /// To what is drawn on each page.
    public var isByItself = false
    /// Left white around it then.
    public var margin = 9.0
    /// One cut for all pages, by the largest of them.
    public var isSame = false
    public var pages: String?

    public init() {}

    public static let settings: [StepSetting] = [
        StepSetting(
            "by", "LENGTHS",
            "from all sides: 10mm; or top,right,bottom,left; auto takes the white margins away"),
        StepSetting("auto", nil, "white margins, found by looking at each page"),
        StepSetting("top", "LENGTH", "from the upper side"),
        StepSetting("right", "LENGTH", "from the right side"),
        StepSetting("bottom", "LENGTH", "from the lower side"),
        StepSetting("left", "LENGTH", "from the left side"),
        StepSetting("margin", "LENGTH", "left white around what is found by auto; 9pt if not said"),
        StepSetting("same", nil, "one cut for all pages, by the one that needs most room"),
        StepSetting("pages", "PAGES", "only these: 2-, 1-3,7, odd"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        switch name {
        case "by":
            if value.lowercased() == "auto" {
                isByItself = true
                return
            }
            let parts = value.split(separator: ",").map { $0.filter { $0 != " " } }
            guard [1, 2, 4].contains(parts.count) else {
                throw .badOption(
                    "“\(value)” says no sides. Write 10mm, or four lengths: top,right,bottom,left.")
            }
            var lengths: [Double] = []
            for part in parts { lengths.append(try length(name, part)) }
            top = lengths[0]
            right = lengths.count > 1 ? lengths[1] : lengths[0]
            bottom = lengths.count > 2 ? lengths[2] : lengths[0]
            left = lengths.count > 3 ? lengths[3] : right
        case "auto": isByItself = true
        case "top": top = try length(name, value)
        case "right": right = try length(name, value)
        case "bottom": bottom = try length(name, value)
        case "left": left = try length(name, value)
        case "margin": margin = try length(name, value)
        case "same": isSame = true
        case "pages": pages = value
        default: throw unknown(name)
        }
    }

    public func check() throws(ConversionError) {
        guard isByItself || top + right + bottom + left > 0 else {
            throw .badOption(
                "How much is to be cut off is missing. Write it like 10mm, or auto for white margins.")
        }
    }
}

/// What is cut off a page as it is seen.
public struct CropSides: Sendable, Equatable {
    public var top: Double
    public var right: Double
    public var bottom: Double
    public var left: Double

    public init(top: Double = 0, right: Double = 0, bottom: Double = 0, left: Double = 0) {
        (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
    }

    /// One length for all sides, or four, as `quire crop --by` takes them; in points.
    public init(_ text: String) throws(ConversionError) {
        var wish = CropWish()
        try wish.take("by", text)
        guard !wish.isByItself else { throw .badOption("Write lengths here, such as 10mm.") }
        self.init(top: wish.top, right: wish.right, bottom: wish.bottom, left: wish.left)
    }

    public var isNothing: Bool { top <= 0 && right <= 0 && bottom <= 0 && left <= 0 }

    /// What was at the left is above when the page has been turned clockwise.
    public func turned(by angle: Int) -> CropSides {
        let sides = [top, right, bottom, left]
        let by = (angle / 90 % 4 + 4) % 4
        func side(_ place: Int) -> Double { sides[(place - by + 4) % 4] }
        return CropSides(top: side(0), right: side(1), bottom: side(2), left: side(3))
    }
}

extension PDFTools {
    public func cropped(_ paper: Paper, _ wish: CropWish) throws(ConversionError) -> Paper {
        try wish.check()
        let seen = wish.isByItself ? try drawnParts(of: paper, wish) : [:]
        return try Self.working(on: paper) { (work) throws(ConversionError) in
            for page in try work.chosen(wish.pages) {
                let (frame, unit) = (work.frame(page), work.unit(page))
                var place = PDFRectangle(left: 0, bottom: 0, right: frame.width, top: frame.height)
                if wish.isByItself {
                    // An empty page stays as it is.
                    guard let drawn = seen[page] else { continue }
                    let margin = wish.margin / unit
                    place = PDFRectangle(
                        left: max(0, drawn.left - margin), bottom: max(0, drawn.bottom - margin),
                        right: min(frame.width, drawn.right + margin),
                        top: min(frame.height, drawn.top + margin))
                }
                let sides = CropSides(
                    top: wish.top / unit, right: wish.right / unit, bottom: wish.bottom / unit,
                    left: wish.left / unit)
                try Self.cut(page, to: place, by: sides, in: &work)
            }
        }
    }

    /// The same for single pages, counted from 0, each by lengths of its own in its own measure.
    public static func cropped(_ paper: Paper, _ cuts: [Int: CropSides]) throws(ConversionError) -> Paper {
        guard !cuts.isEmpty else { return paper }
        return try working(on: paper) { (work) throws(ConversionError) in
            for (page, sides) in cuts.sorted(by: { $0.key < $1.key }) where page < work.count {
                let frame = work.frame(page)
                let whole = PDFRectangle(left: 0, bottom: 0, right: frame.width, top: frame.height)
                try cut(page, to: whole, by: sides, in: &work)
            }
        }
    }

    private static func cut(
        _ page: Int, to place: PDFRectangle, by sides: CropSides, in work: inout PageWork
    ) throws(ConversionError) {
        let (frame, least) = (work.frame(page), 9 / work.unit(page))
        let (width, height) = (
            place.width - sides.left - sides.right, place.height - sides.top - sides.bottom
        )
        guard width >= min(least, frame.width), height >= min(least, frame.height) else {
            throw .badOption("Nothing would be left of page \(page + 1).")
        }
        let (left, bottom) = (place.left + sides.left, place.bottom + sides.bottom)
        let box = frame.written(
            PDFRectangle(left: left, bottom: bottom, right: left + width, top: bottom + height))
        work.edit(page) { edit in
            edit["CropBox"] = .array(box.numbers.map(PDFObject.real))
            for key: PDFName in ["TrimBox", "BleedBox", "ArtBox"] { edit[key] = nil }
        }
    }

    /// Where something is drawn on each page, as it is seen; nothing for a page that is white all over.
    private func drawnParts(
        of paper: Paper, _ wish: CropWish
    ) throws(ConversionError) -> [Int: PDFRectangle] {
        var found: [Int: PDFRectangle] = [:]
        var pages: [Int] = []
        try look(
            at: paper,
            pages: { sheets in
                pages =
                    try wish.pages.map { Set(try PageRanges($0, of: sheets.count).pages).sorted() }
                    ?? Array(0..<sheets.count)
                return pages
            },
            // Fine enough for a point; large sheets are looked at more coarsely.
            width: { Int(min(2000, max(100, $0.width))) }
        ) { page, frame, pixels in
            guard let place = pixels.drawn else { return }
            found[page] = PDFRectangle(
                left: place.left * frame.width, bottom: place.bottom * frame.height,
                right: place.right * frame.width, top: place.top * frame.height)
        }
        guard wish.isSame, let first = found.values.first else { return found }
        let all = found.values.reduce(first) { one, other in
            PDFRectangle(
                left: min(one.left, other.left), bottom: min(one.bottom, other.bottom),
                right: max(one.right, other.right), top: max(one.top, other.top))
        }
        return Dictionary(uniqueKeysWithValues: pages.map { ($0, all) })
    }
}
