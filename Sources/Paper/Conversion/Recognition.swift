import PDF
import PDFReading
import Work

/// Reads the words in pictures of pages and lays them over the pages, unseen, so that they can be found and copied.
/// The pages themselves stay as they are.
struct Recognition: Sendable {
    let engines: Engines
    let languages: String
    let cancellation: Cancellation

    /// Pages that are drawn and read together: starting the two programs costs little then, and the last pages still
    /// spread over all processors.
    private struct Portion: Sendable {
        var pages: [Int]
        var dotsPerInch: Int

        static let most = 3
    }

    func searchable(_ paper: Paper) throws(ConversionError) -> [UInt8] {
        try checkLanguages()
        do {
            let file = try PDFFile(bytes: paper.bytes)
            let sheets = try Sheets(bytes: paper.bytes)
            let texts = try PageReader(jail: engines.jail).text(of: sheets, cancellation: cancellation)
            // Pages that have words already are left alone: they would say everything twice.
            let bare = texts.indices.filter { texts[$0].words.count < 3 && file.pages.indices.contains($0) }
            guard !bare.isEmpty else { return paper.bytes }
            let languages = try self.languages == Recognizer.auto ? found(in: sheets, bare) : self.languages
            let portions = Self.portions(
                bare.map { ($0, Self.dotsPerInch(of: $0, in: file, sheets.frames[$0])) })
            let layers = try engines.workers.map(portions) { portion in
                try self.layer(paper, portion, languages)
            }
            for (portion, layer) in zip(portions, layers) {
                let words = try PDFFile(bytes: layer)
                for (place, page) in portion.pages.enumerated() {
                    try file.draw(words, page: place, on: page)
                }
            }
            return try file.rewritten()
        } catch let error as ReadingError {
            throw ConversionError.of(error, paper.name)
        } catch {
            throw ConversionError.of(error, paper.name)
        }
    }

    private func checkLanguages() throws(ConversionError) {
        guard Child.find("tesseract") != nil else {
            throw .missing(program: "Tesseract", package: "tesseract-ocr")
        }
        guard languages != Recognizer.auto else {
            guard !Recognizer.installed.isEmpty else {
                throw .missing(program: "A language of Tesseract", package: "tesseract-ocr-eng")
            }
            return
        }
        let wanted = languages.split(separator: "+").map(String.init)
        guard !wanted.isEmpty, wanted.allSatisfy({ $0.allSatisfy { $0.isLetter || $0 == "_" } }) else {
            throw .badOption("“\(languages)” are no languages. Write them like eng or deu+eng.")
        }
        for language in wanted where !Recognizer.installed.contains(language) {
            throw .missing(
                program: "Tesseract's “\(language)”",
                package: "tesseract-ocr-\(language.replacing("_", with: "-").lowercased())")
        }
    }

    /// What the first pages are written in; a blank one or a picture says nothing.
    private func found(in sheets: Sheets, _ pages: [Int]) throws -> String {
        let recognizer = Recognizer(jail: engines.jail)
        var all: [String] = []
        for page in pages.prefix(3) {
            let found = try recognizer.text(
                of: sheets, page: page, reader: PageReader(jail: engines.jail), before: all,
                cancellation: cancellation)
            guard found.text.words.count > 2 else { continue }
            for language in found.languages where !all.contains(language) { all.append(language) }
        }
        return (all.isEmpty ? Array(recognizer.languages.prefix(1)) : all).joined(separator: "+")
    }

    private static func portions(_ pages: [(page: Int, dotsPerInch: Int)]) -> [Portion] {
        var portions: [Portion] = []
        for (page, dots) in pages {
            if let last = portions.last, last.dotsPerInch == dots, last.pages.count < Portion.most {
                portions[portions.count - 1].pages.append(page)
            } else {
                portions.append(Portion(pages: [page], dotsPerInch: dots))
            }
        }
        return portions
    }

    /// A scan is read at its own resolution, within what Tesseract reads well: drawing it finer shows it nothing
    /// new. Sheets as large as posters are drawn coarser, so that their pictures fit into memory.
    private static func dotsPerInch(of page: Int, in file: PDFFile, _ frame: PageFrame) -> Int {
        var dots = 300.0
        let widths = pictures(of: page, in: file).map { picture in
            let (width, height) = (Double(picture.width), Double(picture.height))
            return frame.isOnItsSide ? height : width
        }
        // Several pictures may be parts of one page; only a single one is sure to be the page.
        if widths.count == 1, frame.width > 1 {
            dots = min(300, max(200, (widths[0] / (frame.width / 72)).rounded()))
        }
        let pixels = frame.width / 72 * frame.height / 72 * dots * dots
        let mostPixels = 80e6
        if pixels > mostPixels { dots *= (mostPixels / pixels).squareRoot() }
        return max(10, Int(dots))
    }

    private static func pictures(of page: Int, in file: PDFFile) -> [(width: Int, height: Int)] {
        var node = file.dictionary(.reference(file.pages[page]))
        for _ in 0..<50 {
            guard let here = node else { return [] }
            if let resources = file.dictionary(here["Resources"]) {
                let objects = file.dictionary(resources["XObject"]) ?? [:]
                return objects.keys.compactMap { key in
                    guard let picture = file.dictionary(objects[key]),
                        file.resolve(picture["Subtype"]).name == "Image",
                        let width = file.resolve(picture["Width"]).integer,
                        let height = file.resolve(picture["Height"]).integer
                    else { return nil }
                    return (width, height)
                }
            }
            node = file.dictionary(here["Parent"])
        }
        return []
    }

    /// The words of some pages as pages of their own, nothing on them to be seen. Each program takes one processor,
    /// since pages side by side are faster than one page on all processors.
    private func layer(_ paper: Paper, _ portion: Portion, _ languages: String) throws -> [UInt8] {
        // Only these pages go into the cell: a thick book would be copied as often as it has pages.
        let part = try PDFAssembly([PDFAssembly.Part(PDFFile(bytes: paper.bytes), pages: portion.pages)])
        let count = portion.pages.count
        return try engines.jail.steadyCell { cell in
            try cell.put(part.bytes, named: "in.pdf")
            let limits = Child.Limits(
                time: .seconds(180 * Int64(count)), cpu: .seconds(180 * Int64(count)),
                memoryByteCount: 2 << 30, fileByteCount: 1 << 30, processCount: 16, openFileCount: 64)
            // Plain grey pixels: packing them as PNG would take as long as drawing them.
            try run(
                "pdftoppm", ["-q", "-cropbox", "-gray", "-r", "\(portion.dotsPerInch)", "in.pdf", "p"],
                in: cell, limits, paper, portion)
            let pictures = try cell.names.filter { $0.hasPrefix("p-") }
                .sorted { PaperNames.areInOrder($0, $1) }
            guard pictures.count == count else {
                throw ConversionError.damaged(paper.name, reason: "its pages cannot be drawn.")
            }
            try cell.put(Array(pictures.joined(separator: "\n").utf8), named: "pages.txt")
            try run(
                "tesseract",
                [
                    "pages.txt", "words", "-l", languages, "--dpi", "\(portion.dotsPerInch)", "-c",
                    "textonly_pdf=1", "pdf",
                ], in: cell, limits, paper, portion)
            return try cell.read("words.pdf", limit: 128 << 20)
        }
    }

    private func run(
        _ program: String, _ arguments: [String], in cell: JailCell, _ limits: Child.Limits,
        _ paper: Paper, _ portion: Portion
    ) throws {
        let outcome = try cell.run(
            program, arguments, environment: ["OMP_THREAD_LIMIT": "1"], limits: limits,
            cancellation: cancellation)
        try outcome.checkCrash()
        switch outcome.ending {
        case .stopped(.cancelled(let reason)): throw ConversionError.cancelled(reason: reason)
        case .stopped(.timeLimit): throw ConversionError.timedOut(paper.name)
        case .stopped: throw ConversionError.tooLarge("“\(paper.name)” needs more than it may take.")
        case .exited(0): return
        default:
            let page = (portion.pages.first ?? 0) + 1
            throw ConversionError.damaged(
                paper.name, reason: "the words of page \(page) and those behind it cannot be read.")
        }
    }
}
