public import Kinds
import PDFReading

/// One thing done to papers on their way, as people write it: `merge`, `ocr=deu+eng`, `rotate=90`.
public enum PaperStep: Sendable, Equatable {
    case merge
    /// A page of each in turn, as fronts and backs come from a scanner; the later papers from their ends, where that is said.
    case alternate(fromEnd: Bool)
    case split(SplitWish)
    /// As people write them; `printed` are those on which something is seen.
    case pages(String)
    case rotate(Int)
    /// Words in pictures of pages; languages as tesseract names them.
    case recognise(languages: String)
    case archive(part: Int)
    /// Several make a paper each.
    case compress([Compression])
    case linearize
    case flatten
    case encrypt(password: String)
    /// Words across pages, or at a place of them.
    case stamp(StampWish)
    /// The last paper, such as a logo, at a place of the pages of the others.
    case picture(StampWish)
    case number(NumberWish)
    case nup(NUpWish)
    case booklet(BookletWish)
    case poster(PosterWish)
    case background(BackgroundWish)
    case resize(ResizeWish)
    case crop(CropWish)
    case sanitise(SanitiseWish)
    case metadata(key: String, value: String)
    /// What the file says of its parts, as a text.
    case listBookmarks
    case setBookmarks(String)
    case label(PageLabelList)
    /// The files carried inside, in the paper's place.
    case attachments
    /// The first paper carries the others.
    case attach
    case become(PaperKind)

    /// What steps over pages can be told beside their main value, by the word they are written with.
    public static let settings: [String: [StepSetting]] = [
        "watermark": StampWish.settings, "stamp": StampWish.settings, "picture": StampWish.pictureSettings,
        "number": NumberWish.settings,
        "nup": NUpWish.settings, "booklet": BookletWish.settings, "resize": ResizeWish.settings,
        "crop": CropWish.settings, "sanitise": SanitiseWish.settings, "split": SplitWish.settings,
        "poster": PosterWish.settings, "background": BackgroundWish.settings,
    ]

    public static let words: [(word: String, meaning: String)] = [
        ("merge", "all papers in one PDF"),
        ("alternate, alternate=from-end", "a page of each paper in turn, such as fronts and backs"),
        (
            "split=N, split=bookmarks, split=blank, split=separators",
            "a PDF for every N pages, for each bookmark, or between blank pages or separator sheets; before=5,9; most=5MB"
        ),
        ("pages=1-3,7, pages=printed", "only these pages, in this order; printed leaves out blank ones"),
        ("rotate=90", "turn all pages clockwise"),
        ("ocr, ocr=eng+deu", "words in pictures of pages become text that can be found, in these languages"),
        ("pdfa=2b", "PDF/A-1b, 2b or 3b, for archives"),
        (
            "compress, compress=strong, compress=150dpi, compress=2MB",
            "smaller, if that is possible; never larger; careful packs alone, strong makes pictures coarser"
        ),
        ("linearize", "shown by browsers before all of it has arrived"),
        ("flatten", "fields become part of their pages"),
        ("encrypt=PASSWORD", "opens with a password only"),
        ("watermark=TEXT", "large and pale across every page"),
        ("stamp=TEXT", "small in the corner of every page, or at another place"),
        (
            "picture, picture=bottom-right; width=40mm",
            "the last paper, such as a logo, on the pages of the others"
        ),
        ("number, number=Page {page} of {pages}", "numbers on the pages; bates=ABC0001 through all papers"),
        ("nup=4", "2, 4, 6, 8, 9 or 16 pages on a side"),
        ("booklet, booklet=letter", "in the order for sheets that are folded and stapled"),
        ("poster=2x3", "each page on several sheets: so many beside and below each other"),
        (
            "background, background=#fdf6e3",
            "the last paper, such as a letterhead, or a colour lies below the pages of the others; over"
        ),
        ("resize=a4", "on sheets of this size, with fields, notes and links"),
        ("crop=10mm, crop=auto", "hides what is outside; auto finds the white margins"),
        ("sanitise", "scripts, launch actions, files inside, links out and metadata go"),
        ("title=…, author=…, subject=…, keywords=…", "what the file says of itself"),
        ("bookmarks=1 Letter; 3 Numbers; - 4 By month", "bookmarks in the place of those there are"),
        ("bookmarks", "the bookmarks alone, as a text"),
        ("labels=1 i; 5 1", "what readers call the pages: i to iv, then 1, 2, 3"),
        ("attach", "the first paper carries the others inside it; as the first step, as they are"),
        ("attachments", "the files carried inside, in the paper's place"),
        ("png, txt, xlsx, …", "another kind of paper"),
    ]

    /// What it is called, without its value: passwords are nobody's business.
    public var word: String {
        switch self {
        case .merge: "merge"
        case .alternate: "alternate"
        case .split: "split"
        case .pages: "pages"
        case .rotate: "rotate"
        case .recognise: "ocr"
        case .archive: "pdfa"
        case .compress: "compress"
        case .linearize: "linearize"
        case .flatten: "flatten"
        case .encrypt: "encrypt"
        case .stamp(let wish): wish.isWatermark ? "watermark" : "stamp"
        case .picture: "picture"
        case .number: "number"
        case .nup: "nup"
        case .booklet: "booklet"
        case .poster: "poster"
        case .background: "background"
        case .resize: "resize"
        case .crop: "crop"
        case .sanitise: "sanitise"
        case .metadata(let key, _): key
        case .listBookmarks, .setBookmarks: "bookmarks"
        case .label: "labels"
        case .attachments: "attachments"
        case .attach: "attach"
        case .become(let kind): kind.name
        }
    }

    /// Whether it is done with several papers, which must not have become one before.
    public var takesSeveral: Bool {
        switch self {
        case .alternate, .attach, .picture: true
        case .background(let wish): wish.ink == nil
        default: false
        }
    }

    public init(_ text: String) throws(ConversionError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let (word, value) = (parts[0].lowercased(), parts.count > 1 ? parts[1] : nil)
        func number(_ usual: Int?) throws(ConversionError) -> Int {
            guard let value else {
                if let usual { return usual }
                throw .badOption("The step “\(word)” needs a number, as in \(word)=2.")
            }
            guard let number = Int(value), number > 0 else {
                throw .badOption("“\(value)” is no number for the step “\(word)”.")
            }
            return number
        }
        func words() throws(ConversionError) -> String {
            guard let value, !value.isEmpty else {
                throw .badOption("The step “\(word)” needs a value, as in \(word)=….")
            }
            return value
        }
        switch word {
        case "merge": self = .merge
        case "alternate":
            guard value == nil || value?.lowercased() == "from-end" else {
                throw .badOption("The step “alternate” knows from-end, not “\(value ?? "")”.")
            }
            self = .alternate(fromEnd: value != nil)
        case "split": self = .split(try SplitWish(step: value))
        case "pages": self = .pages(try words())
        case "rotate":
            let angle = try number(90)
            guard [90, 180, 270].contains(angle) else {
                throw .badOption("Pages turn by 90, 180 or 270 degrees.")
            }
            self = .rotate(angle)
        case "ocr": self = .recognise(languages: value.flatMap { $0.isEmpty ? nil : $0 } ?? Recognizer.auto)
        case "pdfa":
            let part = (value ?? "2b").lowercased().replacing("pdf/a-", with: "")
            guard let number = Int(part.prefix(1)), (1...3).contains(number),
                ["", "b"].contains(part.dropFirst())
            else {
                throw .badOption("PDF/A comes as 1b, 2b and 3b, not “\(value ?? "")”.")
            }
            self = .archive(part: number)
        case "compress": self = .compress(try Compression.list(value))
        case "linearize": self = .linearize
        case "flatten": self = .flatten
        case "encrypt": self = .encrypt(password: try words())
        case "watermark", "stamp":
            var wish = StampWish()
            for (name, value) in StepSetting.parted(try words(), StampWish.settings) {
                try wish.take(name, value)
            }
            wish.isWatermark = word == "watermark"
            try wish.check()
            self = .stamp(wish)
        case "picture":
            var wish = StampWish()
            for (name, value) in StepSetting.parted(value ?? "", StampWish.pictureSettings) {
                try wish.take(name, value)
            }
            self = .picture(wish)
        case "number": self = .number(try NumberWish(step: value))
        case "nup": self = .nup(try NUpWish(step: value))
        case "booklet": self = .booklet(try BookletWish(step: value))
        case "poster": self = .poster(try PosterWish(step: value))
        case "background": self = .background(try BackgroundWish(step: value))
        case "labels": self = .label(try PageLabelList(try words()))
        case "resize": self = .resize(try ResizeWish(step: value))
        case "crop": self = .crop(try CropWish(step: value))
        case "sanitise", "sanitize": self = .sanitise(try SanitiseWish(step: value))
        case "bookmarks":
            if let value { _ = try BookmarkList(value) }
            self = value.map { .setBookmarks($0) } ?? .listBookmarks
        case "attachments": self = .attachments
        case "attach": self = .attach
        case "title", "author", "subject", "keywords": self = .metadata(key: word, value: value ?? "")
        default:
            guard value == nil, let kind = PaperKind.named(word) else {
                let known = Self.words.map(\.word).joined(separator: ", ")
                throw .badOption("There is no step “\(word)”. There are: \(known).")
            }
            self = .become(kind)
        }
    }
}
