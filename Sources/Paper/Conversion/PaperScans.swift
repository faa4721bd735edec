import Kinds
import PDF
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

        public init() {}
    }

    /// What became of a photo.
    public struct Page: Sendable {
        public let name: String
        public let plan: PagePlan
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
            let made = try converter.engines.workers.map(Array(photos.enumerated())) { place, photo in
                try progress.check()
                let made = try page(photo, wish, place)
                progress.advance()
                return made
            }
            var bytes: [UInt8] = []
            var file = try PicturePages { bytes += $0 }
            for made in made { try made.add(to: &file) }
            try file.finish(title: title)
            var paper = Paper(name: title + ".pdf", kind: .pdf, bytes: bytes)
            var pages = made.map(\.page)
            try readWords(of: &paper, &pages, wish, &report)
            if wish.keepsPhotos { paper = try withPhotos(photos, in: paper) }
            progress.advance(Int64(photos.count))
            return Result(paper: paper, pages: pages, report: report)
        } catch let error as Cancelled {
            throw .cancelled(reason: error.reason)
        } catch {
            throw ConversionError.of(error, title)
        }
    }

    /// A page, and how it lies in the file.
    private struct Made: Sendable {
        enum Content: Sendable {
            case jpeg([UInt8])
            case fax(FaxRows)
            case few(FewColors)
        }

        let page: Page
        let content: Content

        func add(to file: inout PicturePages) throws {
            let sheet = page.plan.millimetres
            let (width, height) = (Double(sheet.width) / 25.4 * 72, Double(sheet.height) / 25.4 * 72)
            switch content {
            case .jpeg(let bytes): try file.add(bytes, width: width, height: height)
            case .fax(let rows): try file.add(rows, width: width, height: height)
            case .few(let pixels): try file.add(pixels, width: width, height: height)
            }
        }
    }

    private func page(_ photo: ConversionInput, _ wish: Wish, _ place: Int) throws -> Made {
        let paper = try Converter.read(photo)
        let pixels = PhotoPixels(engines: converter.engines, cancellation: progress.cancellation)
        let picture = try pixels.unpacked(paper)
        let corners = wish.corners.indices.contains(place) ? wish.corners[place] : nil
        var turns = wish.turns.indices.contains(place) ? wish.turns[place] : nil
        if corners != nil, turns == nil { turns = 0 }
        let made = MadePage(
            PageWish(
                corners: corners, look: wish.look, size: wish.size, turns: turns,
                dotsPerInch: wish.dotsPerInch),
            of: picture)
        let (content, byteCount) = try packed(made, paper, pixels)
        return Made(
            page: Page(
                name: photo.name, plan: made.plan, look: made.look, byteCount: byteCount,
                photoByteCount: paper.bytes.count),
            content: content)
    }

    /// As small as it can be without harm: a page of print is black and white, or has few colours; photos stay JPEG.
    private func packed(
        _ made: MadePage, _ photo: Paper, _ pixels: PhotoPixels
    ) throws(ConversionError) -> (Made.Content, Int) {
        if made.look == .blackAndWhite {
            let rows = PagePacking.blackAndWhite(made.raster)
            return (.fax(rows), rows.bytes.count)
        }
        // A photo is worth its bytes; a sheet of A4 takes 150 kB at 200 dots to an inch.
        let share = Double(made.raster.width * made.raster.height) / 3_868_706
        let most = made.look == .photo ? photo.bytes.count : min(photo.bytes.count, Int(150_000 * share))
        if made.look != .photo, PagePacking.isPrint(made.raster) {
            let few = PagePacking.fewColors(made.raster, isGrey: made.look == .grey, most: most)
            return (.few(few), few.packed.count)
        }
        let jpeg = try pixels.packed(
            made.raster, isGrey: made.look == .grey, named: photo.name, most: max(6000, most))
        return (.jpeg(jpeg), jpeg.count)
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
        for (place, text) in texts.enumerated() where pages.indices.contains(place) {
            pages[place].wordCount = text.words.count
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
