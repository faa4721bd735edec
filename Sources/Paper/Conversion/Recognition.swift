import PDF
import PDFReading
import Work

/// Reads the words in pictures of pages and lays them under the pages, unseen, so that they can be found and copied.
/// The pages themselves stay as they are.
struct Recognition: Sendable {
    let engines: Engines
    let languages: String
    let cancellation: Cancellation

    private static let dotsPerInch = 300

    func searchable(_ paper: Paper) throws(ConversionError) -> [UInt8] {
        guard Child.find("tesseract") != nil else {
            throw .missing(program: "Tesseract", package: "tesseract-ocr")
        }
        let wanted = languages.split(separator: "+").map(String.init)
        guard !wanted.isEmpty, wanted.allSatisfy({ $0.allSatisfy { $0.isLetter || $0 == "_" } }) else {
            throw .badOption("“\(languages)” are no languages. Write them like eng or deu+eng.")
        }
        for language in wanted where !Self.installed.contains(language) {
            throw .missing(
                program: "Tesseract's “\(language)”",
                package: "tesseract-ocr-\(language.replacing("_", with: "-").lowercased())")
        }
        do {
            let file = try PDFFile(bytes: paper.bytes)
            let texts = try PageReader(jail: engines.jail).text(
                of: Sheets(bytes: paper.bytes), cancellation: cancellation)
            // Pages that have words already are left alone: they would say everything twice.
            let bare = texts.indices.filter { texts[$0].words.count < 3 }
            guard !bare.isEmpty else { return paper.bytes }
            let layers = try engines.workers.map(bare) { page in try self.layer(paper, page) }
            for (page, layer) in zip(bare, layers) {
                try file.draw(PDFFile(bytes: layer), on: page, under: false)
            }
            return try file.rewritten()
        } catch let error as ReadingError {
            throw .damaged(paper.name, reason: "\(error)")
        } catch {
            throw ConversionError.of(error, paper.name)
        }
    }

    /// One page's words as a page of their own, nothing on it to be seen. Each program takes one processor, since
    /// pages side by side are faster than one page on all processors.
    private func layer(_ paper: Paper, _ page: Int) throws -> [UInt8] {
        let drawer = PageDrawer(
            engines: engines, dotsPerInch: Self.dotsPerInch, isJPEG: false, isGray: true,
            cancellation: cancellation)
        guard let picture = try drawer.draw(paper, pages: [page]).first else {
            throw ConversionError.damaged(paper.name, reason: "page \(page + 1) cannot be drawn.")
        }
        return try engines.jail.steadyCell { cell in
            try cell.put(picture, named: "page.png")
            let limits = Child.Limits(
                time: .seconds(180), cpu: .seconds(180), memoryByteCount: 2 << 30, fileByteCount: 256 << 20,
                processCount: 16, openFileCount: 64)
            let outcome = try cell.run(
                "tesseract",
                [
                    "page.png", "words", "-l", languages, "--dpi", "\(Self.dotsPerInch)", "-c",
                    "textonly_pdf=1", "pdf",
                ],
                environment: ["OMP_THREAD_LIMIT": "1"], limits: limits, cancellation: cancellation)
            try outcome.checkCrash()
            if case .stopped(.cancelled(let reason)) = outcome.ending {
                throw ConversionError.cancelled(reason: reason)
            }
            if case .stopped(.timeLimit) = outcome.ending { throw ConversionError.timedOut(paper.name) }
            guard outcome.succeeded else {
                throw ConversionError.damaged(
                    paper.name, reason: "the words of page \(page + 1) cannot be read.")
            }
            return try cell.read("words.pdf", limit: 128 << 20)
        }
    }

    private static let installed: Set<String> = {
        guard let outcome = try? Child("tesseract", ["--list-langs"], limits: .init(time: .seconds(10))).run()
        else {
            return []
        }
        return Set(
            (outcome.outputText + outcome.errorText).split(whereSeparator: \.isNewline).dropFirst().map(
                String.init))
    }()
}
