import Kinds
import PDF

/// Words or a picture on pages: across all of a page, or at a place of it; lines above and below.
public struct StampWish: SheetWish {
    /// `{page}` and `{pages}` stand for the page's number and how many there are.
    public var text = ""
    /// PNG or JPEG, or what the first page of a PDF shows, instead of words.
    public var picture: [UInt8]?
    /// To the left, in the middle and to the right above each page.
    public var header: [String] = []
    public var footer: [String] = []
    /// Large, pale and along the diagonal, where nothing else is said.
    public var isWatermark = false
    public var place: SheetPlace?
    /// On the other side of even pages, as in a book.
    public var isMirrored = false
    public var margin: Double?
    /// Of letters, in points.
    public var size: Double?
    /// Of a picture, in points.
    public var width: Double?
    public var ink: Ink?
    /// Counterclockwise, in degrees.
    public var angle: Double?
    public var opacity: Double?
    public var isBelow = false
    public var pages: String?

    public init() {}

    public static let settings: [StepSetting] = [
        StepSetting("text", "WORDS", "the words; {page} and {pages} stand for numbers"),
        StepSetting("header", "LINE", "above each page: left | middle | right"),
        StepSetting("footer", "LINE", "below each page: left | middle | right"),
        StepSetting("place", "PLACE", "where it stands", choices: SheetPlace.allCases.map(\.rawValue)),
        StepSetting("mirrored", nil, "on the other side of even pages, for two-sided print"),
        StepSetting("size", "POINTS", "of the letters"),
        StepSetting("width", "LENGTH", "of a picture: 40mm, 1.5in"),
        StepSetting("colour", "COLOUR", "of the letters, like #c62828"),
        StepSetting("angle", "DEGREES", "turned counterclockwise"),
        StepSetting("opacity", "NUMBER", "from 0, unseen, to 1"),
        StepSetting("margin", "LENGTH", "from the edge of the page: 10mm, 0.5in"),
        StepSetting("under", nil, "below what the pages show, not over it"),
        StepSetting("pages", "PAGES", "only on these: 2-, 1-3,7, odd"),
    ]

    /// Those of a picture, when it is one of the papers.
    public static let pictureSettings: [StepSetting] =
        ["place", "width", "opacity", "margin", "angle", "mirrored", "under", "pages"].compactMap { name in
            settings.first { $0.name == name }
        }

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        switch name {
        case "text": text = value.replacing("\\n", with: "\n")
        case "header": header = try Self.line(value)
        case "footer": footer = try Self.line(value)
        case "place":
            guard let known = SheetPlace(written: value) else {
                _ = try choice(name, value)
                return
            }
            place = known
        case "mirrored": isMirrored = true
        case "size": size = try number(name, value, 1...1000)
        case "width": width = try length(name, value)
        case "colour": ink = try Self.ink(value)
        case "angle": angle = try number(name, value, -360...360)
        case "opacity": opacity = try number(name, value, 0...1)
        case "margin": margin = try length(name, value)
        case "under": isBelow = true
        case "pages": pages = value
        default: throw unknown(name)
        }
    }

    static func ink(_ text: String) throws(ConversionError) -> Ink {
        guard let ink = Ink(text) else {
            throw .badOption("“\(text)” is no colour. Write it like #c62828.")
        }
        return ink
    }

    private static func line(_ text: String) throws(ConversionError) -> [String] {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false).map { part in
            var words = part.drop(while: \.isWhitespace)
            while words.last?.isWhitespace == true { words.removeLast() }
            return String(words)
        }
        guard parts.count <= 3 else {
            throw .badOption("A line above or below has three parts: left | middle | right.")
        }
        // A line of one part stands in the middle.
        return parts.count == 1 ? ["", parts[0], ""] : parts
    }

    public func check() throws(ConversionError) {
        let isBare = (text + header.joined() + footer.joined()).allSatisfy(\.isWhitespace)
        guard !isBare || picture != nil else {
            throw .badOption("There is nothing to be put on the pages: say the words.")
        }
        guard text.utf8.count + header.joined().utf8.count + footer.joined().utf8.count <= 10_000 else {
            throw .badOption("These are too many words for a stamp.")
        }
    }

    /// What is put on one page; `drawing` is the picture, where it was taken from a paper.
    func inscriptions(
        number: String, of total: String, isEven: Bool, drawing: PDFReference? = nil
    ) -> [Inscription] {
        func told(_ words: String) -> String {
            words.replacing("{page}", with: number).replacing("{pages}", with: total)
        }
        func placed(_ place: SheetPlace) -> SheetPlace { isMirrored && isEven ? place.mirrored : place }
        var made: [Inscription] = []
        if let matter = drawing.map(Inscription.Matter.drawing) ?? picture.map(Inscription.Matter.picture)
            ?? (text.isEmpty ? nil : .words(told(text)))
        {
            var one = Inscription(matter: matter)
            one.isBelow = isBelow
            if isWatermark {
                one.place = placed(place ?? .middle)
                one.size = size
                one.isBold = true
                one.angle = angle.map(Inscription.Angle.degrees) ?? (picture == nil ? .diagonal : .degrees(0))
            } else {
                one.place = placed(place ?? .topRight)
                one.size = size ?? 9
                one.angle = .degrees(angle ?? 0)
            }
            one.opacity = opacity ?? (isWatermark ? 0.25 : 1)
            one.ink = ink ?? Ink(red: 0.35, green: 0.35, blue: 0.35)
            one.margin = margin ?? 20
            one.width = width
            made.append(one)
        }
        for (line, places) in [
            (header, [SheetPlace.topLeft, .top, .topRight]),
            (footer, [.bottomLeft, .bottom, .bottomRight]),
        ] {
            for (words, place) in zip(line, places) where !words.isEmpty {
                var one = Inscription(matter: .words(told(words)))
                one.place = placed(place)
                one.size = size ?? 9
                one.ink = ink ?? Ink(red: 0, green: 0, blue: 0)
                one.margin = margin ?? 28
                one.opacity = isWatermark ? 1 : opacity ?? 1
                made.append(one)
            }
        }
        return made
    }
}

extension PDFTools {
    public static func stamped(_ paper: Paper, _ wish: StampWish) throws(ConversionError) -> Paper {
        try wish.check()
        var paper = paper
        let page = wish.picture.flatMap { PaperKind.detect($0, name: "") == .pdf ? $0 : nil }
        if let page { paper = try adopting(page, in: paper) }
        return try working(on: paper) { (work) throws(ConversionError) in
            let drawing = page == nil ? nil : work.catalog[adopted]?.reference
            if page != nil { work.catalog[adopted] = nil }
            var inscriber = Inscriber()
            for page in try work.chosen(wish.pages) {
                let inscriptions = wish.inscriptions(
                    number: "\(page + 1)", of: "\(work.count)", isEven: page % 2 == 1, drawing: drawing)
                for one in inscriptions { try inscriber.draw(one, on: page, of: &work) }
            }
            inscriber.finish(&work)
        }
    }

    /// Where a picture lies while it is not drawn yet.
    private static let adopted: PDFName = "QuireDrawing"

    private static func adopting(_ page: [UInt8], in paper: Paper) throws(ConversionError) -> Paper {
        let picture = try told("The picture") { () throws(PDFError) in
            let file = try PDFFile(bytes: page)
            try file.flattenNotes()
            return file
        }
        var paper = paper
        let bytes = paper.bytes
        paper.bytes = try told(paper.name) { () throws(PDFError) in
            let file = try PDFFile(bytes: bytes)
            try file.adopt(picture, page: 0, as: adopted.text)
            return try file.rewritten()
        }
        return paper
    }
}
