import Glibc
import Kinds
import Office
import PDF
import PDFReading
import Pictures
import Scanning
import Work

extension ConversionRun {
    /// A PDF with a page for each picture, in their order.
    mutating func book(
        of count: Int, title: String, _ picture: (Int) throws(ConversionError) -> Paper
    ) throws(ConversionError) -> [UInt8] {
        var bytes: [UInt8] = []
        let most = options.mostByteCount
        do {
            var pages = try PicturePages(layout: options.pictures) { piece in
                guard bytes.count + piece.count <= most else {
                    throw ConversionError.tooLarge(
                        "The pages of “\(title)” are too many or too large to be kept in one file.")
                }
                bytes += piece
            }
            if options.scansSides { pages.sharedSheet = options.usualSheet }
            for place in 0..<count {
                try progress.check()
                let paper = try picture(place)
                if paper.kind == .jpeg, !Self.isWhole(paper.bytes) {
                    report.remarks.append(
                        "“\(paper.name)” ends in the middle: a part of the picture is missing.")
                }
                do {
                    if let look = options.scan, Self.isOnePhoto(paper) {
                        // Whoever said where the sheet lies said which of its corners is the page's top left, too.
                        let isTold = paper.turn != 0 || paper.corners != nil
                        let wish = PageWish(
                            corners: paper.corners, look: paper.look ?? look,
                            size: options.scanSize ?? (options.scansSides ? .card : nil),
                            turns: isTold ? paper.turn / 90 : nil)
                        for made in try ScannedPage.pages(
                            of: paper, wish, engines: engines, cancellation: cancellation)
                        { try made.add(to: &pages) }
                    } else if Picture.format(of: paper.bytes) != nil {
                        try pages.add(paper.bytes, turnedBy: paper.turn)
                    } else {
                        try draw(paper) { try pages.add($0, turnedBy: paper.turn) }
                    }
                } catch let error as PictureError {
                    throw ConversionError.of(error, paper.name)
                }
            }
            try pages.finish(title: title)
            return bytes
        } catch let error as Cancelled {
            throw .cancelled(reason: error.reason)
        } catch {
            throw ConversionError.of(error, title)
        }
    }

    /// Faxes have pages, moving pictures moments: none of them is a photo of a paper.
    private static func isOnePhoto(_ paper: Paper) -> Bool { ![.tiff, .gif].contains(paper.kind) }

    /// Whether a JPEG's picture has its end (ITU-T T.81 §B.1.1.3); cameras may write more behind it, and a small picture of
    /// its own in front.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] != 0xDA {
            // Before a mark there may be any number of these.
            let isFilled = bytes[place + 1] == 0xFF
            place += isFilled ? 1 : 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
        }
        guard place + 4 <= bytes.count, bytes[place] == 0xFF else { return false }
        return stride(from: bytes.count - 2, to: place, by: -1).contains {
            bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9
        }
    }

    /// What PDF cannot hold as it is, drawn in the jail to what it can: photographs stay JPEG, all else PNG. Of many pages
    /// only one is held at a time.
    private func draw(_ paper: Paper, each: ([UInt8]) throws -> Void) throws {
        let isHEIF = [.heic, .heif, .avif].contains(paper.kind)
        let isPhoto =
            isHEIF
            || paper.kind == .webp && paper.bytes.dropFirst(12).starts(with: "VP8 ".utf8)
        let format =
            (isHEIF ? "heic-" : "")
            + (isPhoto ? "jpeg" : options.packsPictures ? "packed" : "png")
        do {
            try engines.jail.steadyCell { cell in
                let engine = try EngineProgram.put(into: cell)
                try cell.put(paper.bytes, named: "picture")
                let limits = Child.Limits(
                    time: .seconds(120), cpu: .seconds(120), memoryByteCount: 3 << 30, fileByteCount: 2 << 30,
                    processCount: 32, openFileCount: 64)
                let outcome = try cell.run(
                    engine, ["pictures", "picture", "drawn", format, "\(options.mostPixels)"],
                    read: EngineProgram.libraries, limits: limits, cancellation: cancellation)
                try outcome.checkCrash()
                try Self.check(outcome, paper)
                for name in outcome.outputText.split(separator: "\n").compactMap({
                    $0.split(separator: "\t").last
                }) {
                    try each(cell.read(String(name), limit: 1 << 30))
                    cell.discard(String(name))
                }
            }
        } catch let error as ChildError {
            throw ConversionError.engineFailed("“\(paper.name)”: \(error)")
        }
    }

    static func check(_ outcome: Child.Outcome, _ paper: Paper) throws {
        switch outcome.ending {
        case .exited(0): return
        case .exited(65): throw ConversionError.damaged(paper.name, reason: "the picture is damaged.")
        case .exited(66):
            throw ConversionError.tooLarge("“\(paper.name)” has more pixels than can be unpacked.")
        case .exited(69):
            throw ConversionError.missing(
                program: "A library for \(paper.kind.words)s", package: outcome.errorText)
        case .stopped(.cancelled(let reason)): throw ConversionError.cancelled(reason: reason)
        case .stopped(.timeLimit): throw ConversionError.timedOut(paper.name)
        case .stopped: throw ConversionError.tooLarge("“\(paper.name)” needs more memory than it may take.")
        // No word about the picture: whatever the program wanted was not to be had at that moment.
        case .killed, .exited: throw EngineCrash()
        }
    }

    /// What poppler draws within the memory it may take.
    private static let mostDrawnPixels = 400e6

    /// Pages as pictures, drawn side by side by as many programs as there are processors.
    mutating func pictures(ofPages paper: Paper, _ kind: PaperKind) throws(ConversionError) -> [Paper] {
        let frames: [PageFrame]
        do throws(ReadingError) {
            frames = try Sheets(
                damaged: paper.bytes, reader: { PageReader(jail: engines.jail) }, cancellation: cancellation
            ).frames
        } catch {
            throw .of(error, paper.name)
        }
        let count = frames.count
        let pages =
            try options.pages.map { text throws(ConversionError) in
                try PageRanges(text, of: count).pages
            } ?? Array(0..<count)
        // Of a sheet too large for it poppler makes a picture of one dot, and says nothing.
        let dots = Double(options.dotsPerInch) / 72
        for page in pages where frames[page].width * frames[page].height * dots * dots > Self.mostDrawnPixels
        {
            throw .tooLarge(
                "Page \(page + 1) of “\(paper.name)” is too large to be drawn with \(options.dotsPerInch) dots to an inch."
            )
        }
        let drawer = PageDrawer(
            engines: engines, dotsPerInch: options.dotsPerInch, isJPEG: kind == .jpeg,
            quality: options.pictureQuality, cancellation: cancellation)
        let made = try timed(paper.name, .poppler) { _ throws(ConversionError) in
            try drawer.draw(paper, pages: pages)
        }
        let digits = String(count).count
        return zip(pages, made).map { page, bytes in
            let number = String(page + 1)
            let zeros = String(repeating: "0", count: digits - number.count)
            return Paper(
                name: count == 1
                    ? "\(paper.title).\(kind.name)" : "\(paper.title)-\(zeros)\(number).\(kind.name)",
                kind: kind, bytes: bytes)
        }
    }

    /// Books of Amazon's, by Calibre in the jail.
    func calibre(_ paper: Paper) throws(ConversionError) -> [UInt8] {
        guard Child.find("ebook-convert") != nil else {
            throw .missing(program: "Calibre", package: "calibre")
        }
        do {
            return try engines.jail.steadyCell { cell in
                let input = "book.\(paper.kind.name)"
                try cell.put(paper.bytes, named: input)
                var limits = Child.Limits.jailed
                limits.time = .seconds(180)
                limits.cpu = .seconds(180)
                let outcome = try cell.run(
                    "ebook-convert",
                    // A book without a cover needs none that was made up.
                    [input, "book.epub", "--no-default-epub-cover"], limits: limits, localSockets: true,
                    cancellation: cancellation)
                try outcome.checkCrash()
                if case .stopped(.cancelled(let reason)) = outcome.ending {
                    throw ConversionError.cancelled(reason: reason)
                }
                guard outcome.succeeded else {
                    throw ConversionError.damaged(paper.name, reason: "Calibre cannot read it.")
                }
                return try cell.read("book.epub", limit: 512 << 20)
            }
        } catch let error as ConversionError {
            throw error
        } catch {
            throw .engineFailed("“\(paper.name)”: \(error)")
        }
    }
}
