public import PDF
public import Work

/// How the words of one page look, and where its pictures stand.
public struct PageLook: Sendable {
    /// What is written in one font, beside each other.
    public struct Run: Sendable {
        /// On the sheet (`PageFrame`).
        public var place: PDFRectangle
        /// In points.
        public var size: Double
        public var isBold = false
        public var isItalic = false
        /// Letters of one width, as programs are written in.
        public var isEven = false
        /// Where it leads, on the web, and with which of its words.
        public var link: (address: String, words: String)?
    }

    public struct Picture: Sendable {
        public var place: PDFRectangle
        /// A PNG or a JPEG file.
        public var bytes: [UInt8]
    }

    public var runs: [Run] = []
    public var pictures: [Picture] = []

    public init() {}
}

extension PageReader {
    static let mostPictureBytes = 100 << 20

    /// How all pages look; their words are told better by `text`, which knows where one ends.
    public func looks(
        of sheets: Sheets, cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) -> [PageLook] {
        var looks: [PageLook] = []
        for start in stride(from: 0, to: sheets.count, by: Self.pagesAtOnce) {
            let part = start..<min(start + Self.pagesAtOnce, sheets.count)
            looks += try explained {
                try jail.cell { cell in
                    try cell.put(sheets.bytes, named: "in.pdf")
                    // In halves of a point, as sizes are told in whole ones.
                    let outcome = try cell.run(
                        "pdftohtml",
                        ["-xml", "-zoom", "2", "-noroundcoord", "-fontfullname", "-nodrm", "-q"]
                            + ["-f", "\(part.lowerBound + 1)", "-l", "\(part.upperBound)", "in.pdf", "out"],
                        output: .captured(limit: limits.byteCount), limits: limits.rules,
                        cancellation: cancellation)
                    try Self.check(outcome, page: part.lowerBound + 1)
                    let printed = try cell.read("out.xml", limit: limits.byteCount)
                    var left = Self.mostPictureBytes
                    return LookTable(printed, frames: sheets.frames[part]) { name in
                        guard let bytes = try? cell.read(name, limit: left) else { return nil }
                        left -= bytes.count
                        return bytes
                    }.pages
                }
            }
            // A page poppler could not make sense of has no look, and is not the end of the document.
            while looks.count < part.upperBound { looks.append(PageLook()) }
        }
        return looks
    }
}

/// Reads what `pdftohtml -xml` prints. The file was a stranger's, so nothing is taken on trust: see `WordTable`.
struct LookTable {
    private(set) var pages: [PageLook] = []

    private struct Font {
        var size: Double
        var isBold: Bool
        var isItalic: Bool
        var isEven: Bool
    }

    init(_ bytes: [UInt8], frames: ArraySlice<PageFrame>, picture: (String) -> [UInt8]?) {
        var tags = PrintedTags(bytes)
        var fonts: [String: Font] = [:]
        var frame: PageFrame?
        var look = PageLook()
        var run: PageLook.Run?
        func place(_ tag: PrintedTags.Tag, _ frame: PageFrame) -> PDFRectangle? {
            let numbers = tag.numbers(["top", "left", "width", "height"]).map { $0 / 2 }
            guard numbers.count == 4, numbers[2] >= 0, numbers[3] >= 0 else { return nil }
            return frame.shown(
                fromUpperLeft: numbers[1], numbers[0], numbers[1] + numbers[2], numbers[0] + numbers[3])
        }
        while let tag = tags.next() {
            switch tag.name {
            case "page":
                guard frames.indices.contains(frames.startIndex + pages.count) else { return }
                frame = frames[frames.startIndex + pages.count]
                look = PageLook()
            case "fontspec":
                guard let id = tag.text("id"), let size = tag.numbers(["size"]).first, fonts.count < 10_000
                else {
                    continue
                }
                let family = (tag.text("family") ?? "").lowercased()
                func says(_ words: [String]) -> Bool { words.contains { family.contains($0) } }
                fonts[id] = Font(
                    size: size / 2, isBold: says(["bold", "black", "heavy", "semibold"]),
                    isItalic: says(["italic", "oblique"]),
                    isEven: says(["mono", "courier", "consol", "code"]))
            case "text":
                guard let frame, let place = place(tag, frame), look.runs.count < WordTable.mostWords else {
                    run = nil
                    continue
                }
                let font = fonts[tag.text("font") ?? ""]
                run = PageLook.Run(
                    place: place, size: font?.size ?? 0, isBold: font?.isBold ?? false,
                    isItalic: font?.isItalic ?? false, isEven: font?.isEven ?? false)
            case "a":
                guard let address = tag.text("href"), address.count < 2_000 else { continue }
                let words = tags.textUpToTag()
                if address.hasPrefix("https://") || address.hasPrefix("http://")
                    || address.hasPrefix("mailto:")
                {
                    run?.link = (address, words)
                }
            case "/text":
                if let run { look.runs.append(run) }
                run = nil
            case "image":
                guard let frame, let place = place(tag, frame), let name = tag.text("src"),
                    look.pictures.count < 500, let bytes = picture(name)
                else { continue }
                look.pictures.append(PageLook.Picture(place: place, bytes: bytes))
            case "/page":
                pages.append(look)
                frame = nil
            default: break
            }
        }
    }
}
