/// Numbers on pages: their own, or those of a whole case (Bates), which go on through several papers.
public struct NumberWish: SheetWish {
    /// `{page}` is the number, `{pages}` the last one.
    public var format = "{page}"
    public var place: SheetPlace?
    public var isMirrored = false
    /// Of the first page that gets a number; nil: each page has that of its place in the paper.
    public var start: Int?
    public var prefix = ""
    public var suffix = ""
    /// Zeros are put before it until it is so long.
    public var digits = 0
    /// One number after the other, through all papers.
    public var goesOn = false
    public var size = 10.0
    public var ink = Ink(red: 0, green: 0, blue: 0)
    public var margin = 28.0
    public var isBold = false
    public var pages: String?

    public init() {}

    public static let settings: [StepSetting] = [
        StepSetting(
            "format", "WORDS", "how it is written: \"Page {page} of {pages}\"; the number alone if not said"),
        StepSetting(
            "bates", "FIRST", "numbers for a case, as ABC0001: they go on through all papers"),
        StepSetting("start", "NUMBER", "of the first page that gets one; its place in the paper if not said"),
        StepSetting("prefix", "WORDS", "before each number"),
        StepSetting("suffix", "WORDS", "behind each number"),
        StepSetting("digits", "NUMBER", "zeros before it until it is so long"),
        StepSetting("continue", nil, "the next paper goes on where the one before ends"),
        StepSetting(
            "place", "PLACE", "where it stands; bottom if not said",
            choices: SheetPlace.allCases.map(\.rawValue)),
        StepSetting("mirrored", nil, "on the other side of even pages, for two-sided print"),
        StepSetting("size", "POINTS", "of the letters; 10 if not said"),
        StepSetting("bold", nil, "in bold letters"),
        StepSetting("colour", "COLOUR", "of the letters, like #c62828"),
        StepSetting("margin", "LENGTH", "from the edge of the page: 10mm, 0.5in"),
        StepSetting("pages", "PAGES", "only these get a number: 2-, 1-3,7, odd"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        switch name {
        case "format": format = value.isEmpty ? "{page}" : value.replacing("\\n", with: "\n")
        case "bates": try take(bates: value)
        case "start": start = try whole(name, value, 0...999_999_999)
        case "prefix": prefix = value
        case "suffix": suffix = value
        case "digits": digits = try whole(name, value, 0...20)
        case "continue": goesOn = true
        case "place":
            guard let known = SheetPlace(written: value) else {
                _ = try choice(name, value)
                return
            }
            place = known
        case "mirrored": isMirrored = true
        case "size": size = try number(name, value, 1...1000)
        case "bold": isBold = true
        case "colour": ink = try StampWish.ink(value)
        case "margin": margin = try length(name, value)
        case "pages": pages = value
        default: throw unknown(name)
        }
    }

    /// `ABC0001`: what stands before the last digits, and from which number on.
    private mutating func take(bates text: String) throws(ConversionError) {
        let figures = text.reversed().prefix { ("0"..."9").contains($0) }.count
        guard (1...18).contains(figures), let first = Int(text.suffix(figures)), first <= 999_999_999_999
        else {
            throw .badOption("“\(text)” is no first number of a case. Write it like ABC0001.")
        }
        prefix = String(text.dropLast(figures))
        digits = figures
        start = first
        goesOn = true
        if place == nil { place = .bottomRight }
    }

    public func check() throws(ConversionError) {
        guard format.contains("{page}") else {
            throw .badOption("The format has no place for the number: write page in curly brackets there.")
        }
        guard format.utf8.count + prefix.utf8.count + suffix.utf8.count <= 1000 else {
            throw .badOption("These are too many words for a number.")
        }
    }

    func written(_ number: Int) -> String {
        let figures = String(number)
        return prefix + String(repeating: "0", count: max(0, digits - figures.count)) + figures + suffix
    }
}

/// How far the numbers have come, from one paper to the next.
public struct PageNumbers: Sendable {
    /// The first and the last number that were written, as they stand there.
    public struct Range: Sendable, Equatable {
        public var first: String
        public var last: String
    }

    public let wish: NumberWish
    private var next: Int?

    public init(_ wish: NumberWish) throws(ConversionError) {
        try wish.check()
        self.wish = wish
        next = wish.start
    }

    /// The same paper with its numbers; nil for the numbers where none of its pages gets one.
    public mutating func put(on paper: Paper) throws(ConversionError) -> (paper: Paper, numbers: Range?) {
        var range: Range?
        var next = wish.goesOn ? next ?? 1 : wish.start
        let wish = wish
        let made = try PDFTools.working(on: paper) { (work) throws(ConversionError) in
            let pages = try work.chosen(wish.pages)
            var inscriber = Inscriber()
            let start = next
            // The number the last page has, or would have.
            let last =
                start.map { start in
                    start + (wish.goesOn ? pages.count - 1 : work.count - 1 - (pages.first ?? 0))
                } ?? work.count
            for (place, page) in pages.enumerated() {
                let number =
                    start.map { $0 + (wish.goesOn ? place : page - (pages.first ?? 0)) } ?? page + 1
                let words = wish.format
                    .replacing("{page}", with: wish.written(number))
                    .replacing("{pages}", with: wish.written(last))
                var one = Inscription(matter: .words(words))
                let usual = wish.place ?? .bottom
                one.place = wish.isMirrored && page % 2 == 1 ? usual.mirrored : usual
                one.size = wish.size
                one.isBold = wish.isBold
                one.ink = wish.ink
                one.margin = wish.margin
                try inscriber.draw(one, on: page, of: &work)
                range = Range(first: range?.first ?? wish.written(number), last: wish.written(number))
            }
            if wish.goesOn { next = (start ?? 1) + pages.count }
            inscriber.finish(&work)
        }
        if wish.goesOn { self.next = next }
        return (made, range)
    }
}
