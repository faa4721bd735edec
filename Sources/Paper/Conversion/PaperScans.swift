import Kinds
import PDFReading
import Pictures
public import Scanning
public import Work

/// Photos of papers become one small PDF with words that can be found: each sheet is found, cut out, turned upright and
/// cleaned; what is no paper stays a photo.
public struct PaperScans: Sendable {
    public struct Wish: Sendable {
        public var look = Look.automatic
        /// Nil: by each sheet's shape.
        public var size: PaperSize?
        /// Where sheets lie, for each photo; nil where they are looked for. Sheets that are given are not turned.
        public var corners: [Corners?] = []
        /// Quarter turns clockwise for each photo; nil by its print.
        public var turns: [Int?] = []
        /// As Tesseract names them, `eng+fra`; nil: words are not read.
        public var languages: String? = Recognizer.auto
        /// The photos lie in the PDF as attachments.
        public var keepsPhotos = false
        public var dotsPerInch = 200
        /// Two photos each, the sides of a card, share a sheet of so many points.
        private(set) var sharedSheet: (width: Double, height: Double)?

        public init() {}

        /// On sheets as people of this locale have them.
        public mutating func putSidesTogether(of locale: String) {
            var options = ConversionOptions()
            options.useSheets(of: locale)
            sharedSheet = options.usualSheet
            size = .card
        }
    }

    /// Of an open book.
    public enum Side: String, Sendable { case left, right }

    /// What became of a photo, or of a side of it.
    public struct Page: Sendable {
        public let name: String
        public let plan: PagePlan
        public internal(set) var side: Side?
        /// Of both sides together; nil where there is but one.
        public internal(set) var outline: PagePlan?
        public internal(set) var confidence: Float
        public let look: Look
        /// Of the page in the PDF.
        public let byteCount: Int
        public let photoByteCount: Int
        /// Zero where words were not read.
        public internal(set) var wordCount = 0
    }

    public struct Result: Sendable {
        public let paper: Paper
        public let pages: [Page]
        public let report: ConversionReport
    }

    private let converter: Converter
    private let progress: Progress

    public init(_ converter: Converter, progress: Progress = Progress()) {
        (self.converter, self.progress) = (converter, progress)
    }

    public func scan(
        _ photos: [ConversionInput], _ wish: Wish = Wish(), title: String
    ) throws(ConversionError) -> Result {
        progress.set(done: 0, total: Int64(photos.count * 2))
        var report = ConversionReport()
        do {
            let pages = try converter.engines.workers.map(Array(photos.enumerated())) { place, photo in
                try progress.check()
                let made = try self.pages(photo, wish, place)
                progress.advance()
                return made
            }
            let made = pages.flatMap { $0 }
            var bytes: [UInt8] = []
            var file = try PicturePages { bytes += $0 }
            file.sharedSheet = wish.sharedSheet
            for made in made { try made.add(to: &file) }
            try file.finish(title: title)
            var paper = Paper(name: title + ".pdf", kind: .pdf, bytes: bytes)
            var told = made.map(\.page)
            try readWords(of: &paper, &told, wish, &report)
            if wish.keepsPhotos { paper = try withPhotos(photos, in: paper) }
            progress.advance(Int64(photos.count))
            return Result(paper: paper, pages: told, report: report)
        } catch let error as Cancelled {
            throw .cancelled(reason: error.reason)
        } catch {
            throw ConversionError.of(error, title)
        }
    }

    private func pages(_ photo: ConversionInput, _ wish: Wish, _ place: Int) throws -> [ScannedPage] {
        let corners = wish.corners.indices.contains(place) ? wish.corners[place] : nil
        var turns = wish.turns.indices.contains(place) ? wish.turns[place] : nil
        if corners != nil, turns == nil { turns = 0 }
        return try ScannedPage.pages(
            of: Converter.read(photo),
            PageWish(
                corners: corners, look: wish.look, size: wish.size, turns: turns,
                dotsPerInch: wish.dotsPerInch),
            engines: converter.engines, cancellation: progress.cancellation)
    }

    private func readWords(
        of paper: inout Paper, _ pages: inout [Page], _ wish: Wish, _ report: inout ConversionReport
    ) throws {
        guard let languages = wish.languages else { return }
        // Who names languages wants them; who does not is told what is missing, and has the pages all the same.
        if languages == Recognizer.auto, Recognizer.installed.isEmpty {
            report.remarks.append(
                "Words were not read: that needs Tesseract. Install it with: apt install tesseract-ocr tesseract-ocr-eng"
            )
            return
        }
        progress.phase("words")
        paper.bytes = try Recognition(
            engines: converter.engines, languages: languages, cancellation: progress.cancellation
        ).searchable(paper)
        let texts = try PageReader(jail: converter.engines.jail).text(
            of: Sheets(bytes: paper.bytes), cancellation: progress.cancellation)
        // The words of a sheet that two share are told of the first.
        let share = wish.sharedSheet == nil ? 1 : 2
        for (place, text) in texts.enumerated() where pages.indices.contains(place * share) {
            pages[place * share].wordCount = text.words.count
        }
    }

    private func withPhotos(_ photos: [ConversionInput], in paper: Paper) throws -> Paper {
        var files: [PDFTools.Attachment] = []
        for photo in photos {
            files.append(
                PDFTools.Attachment(
                    name: photo.name, mediaType: PaperKind.mediaType(ofName: photo.name),
                    bytes: try Converter.bytes(of: photo)))
        }
        return try PDFTools.carrying(files, in: paper)
    }
}
