import PDF
public import Work

/// Looks at the pages of documents with poppler's programs, each run in the jail: what they read was written by
/// strangers. Safe to share; every call runs programs of its own.
///
///     let sheets = try Sheets(bytes: document)
///     let picture = try PageReader(jail: .detect()).picture(of: sheets, page: 0, width: 800)
public struct PageReader: Sendable {
    public struct Limits: Sendable {
        /// Of one picture; a page that would need more is drawn smaller.
        public var pixelCount = 40_000_000
        /// For each program: one picture, or the words of a stretch of pages.
        public var time = Duration.seconds(30)
        public var memoryByteCount: Int64 = 1 << 30
        /// What one page may come to, as words or as a picture.
        public var byteCount = 64 << 20

        public init() {}

        var rules: Child.Limits {
            Child.Limits(
                time: time, cpu: time, memoryByteCount: memoryByteCount, fileByteCount: Int64(byteCount),
                processCount: 16, openFileCount: 64)
        }
    }

    public enum Format: Sendable, Equatable {
        case png
        /// Quality from 1 to 100. A quarter of the work and of the bytes of a PNG.
        case jpeg(quality: Int)
    }

    public let jail: Jail
    public let limits: Limits
    private let ready: ReadyCells?

    /// `isAtHand` is for whoever looks at pages again and again: the walls for the next look are then put up during the
    /// one before. Such a reader is closed when it is no longer needed.
    public init(jail: Jail, limits: Limits = Limits(), isAtHand: Bool = false) {
        self.jail = jail
        self.limits = limits
        ready =
            isAtHand ? ReadyCells(jail: jail, limits: limits.rules, outputLimit: limits.byteCount) : nil
    }

    /// Waits for looks that are being taken, and gives up what was made ready.
    public func close() { ready?.close() }

    /// Whether poppler is there; without it every call says what to install.
    public static var isReady: Bool { Child.find("pdftoppm") != nil && Child.find("pdftotext") != nil }

    /// The words of some pages, or of all, with their places.
    public func text(
        of sheets: Sheets, pages: Range<Int>? = nil, cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) -> [PageText] {
        let pages = try checked(pages, of: sheets)
        var texts: [PageText] = []
        // In stretches, so that one page's limits are not eaten up by those before it.
        for start in stride(from: pages.lowerBound, to: pages.upperBound, by: Self.pagesAtOnce) {
            let part = start..<min(start + Self.pagesAtOnce, pages.upperBound)
            let printed = try run(
                "pdftotext",
                ["-bbox-layout", "-enc", "UTF-8", "-q", "-f", "\(part.lowerBound + 1)"]
                    + ["-l", "\(part.upperBound)", "in.pdf", "-"], on: sheets, from: part.lowerBound,
                cancellation)
            var found = WordTable(printed, first: part.lowerBound, frames: sheets.frames[part]).pages
            // A page poppler could not make sense of is a page without words, not the end of the document.
            while found.count < part.count {
                let page = part.lowerBound + found.count
                found.append(PageText(page: page, frame: sheets.frames[page], lines: []))
            }
            texts += found
        }
        return texts
    }

    /// One page as a picture so many pixels wide.
    public func picture(
        of sheets: Sheets, page: Int, width: Int, format: Format = .png,
        cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) -> [UInt8] {
        let options: [String] =
            switch format {
            case .png: ["-png"]
            case .jpeg(let quality):
                ["-jpeg", "-jpegopt", "quality=\(min(max(quality, 1), 100)),optimize=y"]
            }
        return try draw(sheets, page: page, width: width, options: options, cancellation)
    }

    /// Pages as pictures, one after the other, each handed over as soon as it is drawn.
    public func pictures(
        of sheets: Sheets, pages: Range<Int>? = nil, width: Int, format: Format = .png,
        cancellation: Cancellation = Cancellation(), _ body: (Int, [UInt8]) throws -> Void
    ) throws {
        for page in try checked(pages, of: sheets) {
            let picture = try picture(
                of: sheets, page: page, width: width, format: format, cancellation: cancellation)
            try body(page, picture)
        }
    }

    /// A page as shades of grey, for comparing and measuring.
    public func pixels(
        of sheets: Sheets, page: Int, width: Int, cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) -> PagePixels {
        let printed = try graymap(of: sheets, page: page, width: width, cancellation)
        guard let pixels = PagePixels(graymap: printed) else {
            throw .failed(page: page + 1, reason: "what was drawn is no picture")
        }
        return pixels
    }

    /// Some pages one after the other, a dot for each point, by one program for several of them where they are no posters.
    public func pixels(
        of sheets: Sheets, pages: Range<Int>, cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) -> [PagePixels] {
        let pages = try checked(pages, of: sheets)
        var found: [PagePixels] = []
        for start in stride(from: pages.lowerBound, to: pages.upperBound, by: Self.pagesAtOnce) {
            let part = start..<min(start + Self.pagesAtOnce, pages.upperBound)
            let isUsual = part.allSatisfy { sheets.frames[$0].width * sheets.frames[$0].height < 1_500_000 }
            guard isUsual else {
                for page in part {
                    let width = Int(sheets.frames[page].width.rounded(.up))
                    found.append(try pixels(of: sheets, page: page, width: width, cancellation: cancellation))
                }
                continue
            }
            let printed = try run(
                "pdftoppm",
                [
                    "-q", "-cropbox", "-gray", "-r", "72", "-f", "\(part.lowerBound + 1)", "-l",
                    "\(part.upperBound)",
                ]
                    + ["in.pdf"], on: sheets, from: part.lowerBound, cancellation)
            guard let drawn = PagePixels.all(graymaps: printed), drawn.count == part.count else {
                throw .failed(page: part.lowerBound + 1, reason: "what was drawn is no picture")
            }
            found += drawn
        }
        return found
    }

    /// The same as a file (PGM).
    func graymap(
        of sheets: Sheets, page: Int, width: Int, _ cancellation: Cancellation
    ) throws(ReadingError) -> [UInt8] {
        try draw(sheets, page: page, width: width, options: ["-gray"], cancellation)
    }

    /// The size a picture of this page comes out in.
    public func size(of frame: PageFrame, width: Int) -> (width: Int, height: Int) {
        let shape = frame.height / max(frame.width, 0.001)
        // The height follows from the width, so a long strip of a page limits the width.
        let widest = (Double(limits.pixelCount) / max(shape, 0.000_1)).squareRoot()
        let width = Double(min(max(width, 1), 20_000))
        let used = max(1, min(width, widest).rounded(.down))
        return (Int(used), Int(min(max(1, (used * shape).rounded(.up)), Double(limits.pixelCount))))
    }

    static let pagesAtOnce = 32

    private func checked(_ pages: Range<Int>?, of sheets: Sheets) throws(ReadingError) -> Range<Int> {
        let pages = pages ?? 0..<sheets.count
        guard pages.lowerBound >= 0, pages.upperBound <= sheets.count else {
            throw .noPage(pages.lowerBound < 0 ? pages.lowerBound + 1 : pages.upperBound, of: sheets.count)
        }
        return pages
    }

    private func draw(
        _ sheets: Sheets, page: Int, width: Int, options: [String], _ cancellation: Cancellation
    ) throws(ReadingError) -> [UInt8] {
        guard page >= 0, page < sheets.count else { throw .noPage(page + 1, of: sheets.count) }
        let size = size(of: sheets.frames[page], width: width)
        // Poppler scales before it turns.
        let (across, up) =
            sheets.frames[page].isOnItsSide ? (size.height, size.width) : (size.width, size.height)
        return try run(
            "pdftoppm",
            ["-q", "-cropbox", "-singlefile", "-f", "\(page + 1)", "-l", "\(page + 1)"]
                + ["-scale-to-x", "\(across)", "-scale-to-y", "\(up)"] + options + ["in.pdf"], on: sheets,
            from: page, cancellation)
    }

    /// The sheets of a file that nobody else could open, as poppler finds them; none where it finds none either.
    func frames(ofDamaged bytes: [UInt8], _ cancellation: Cancellation) throws(ReadingError) -> [PageFrame] {
        let told: [UInt8]
        do throws(ReadingError) {
            told = try run(
                "pdfinfo", ["-box", "-f", "1", "-l", "\(Self.mostDamagedPages)", "in.pdf"], on: bytes,
                from: 0,
                cancellation)
        } catch {
            switch error {
            case .popplerMissing, .machine, .cancelled: throw error
            default: return []
            }
        }
        // `Page    1 rot:   0`, `Page    1 MediaBox:      0.00     0.00   612.00   792.00`
        var found: [Int: (media: PDFRectangle?, crop: PDFRectangle?, turn: Int)] = [:]
        for line in String(decoding: told, as: UTF8.self).split(separator: "\n") where line.hasPrefix("Page ")
        {
            let words = line.split(separator: " ")
            guard words.count >= 4, let page = Int(words[1]), (1...Self.mostDamagedPages).contains(page)
            else { continue }
            let numbers = words.dropFirst(3).compactMap { Double($0) }
            let box =
                numbers.count == 4
                ? PDFRectangle(left: numbers[0], bottom: numbers[1], right: numbers[2], top: numbers[3]) : nil
            switch words[2] {
            case "rot:": found[page, default: (nil, nil, 0)].turn = Int(words[3]) ?? 0
            case "MediaBox:": found[page, default: (nil, nil, 0)].media = box
            case "CropBox:": found[page, default: (nil, nil, 0)].crop = box
            default: break
            }
        }
        return (1..<(found.keys.max() ?? 0) + 1).map { page in
            guard let sheet = found[page], let media = sheet.media, media.width > 0, media.height > 0 else {
                return .usual
            }
            return PageFrame(mediaBox: media, cropBox: sheet.crop, rotation: sheet.turn)
        }
    }

    private static let mostDamagedPages = 5_000

    private func run(
        _ program: String, _ arguments: [String], on sheets: Sheets, from page: Int,
        _ cancellation: Cancellation
    ) throws(ReadingError) -> [UInt8] {
        func made(_ sheets: Sheets) throws(ReadingError) -> [UInt8] {
            let made = try run(program, arguments, on: sheets.bytes, from: page, cancellation)
            guard !made.isEmpty else { throw .failed(page: page + 1, reason: "nothing came of it") }
            return made
        }
        do throws(ReadingError) {
            return try made(sheets)
        } catch {
            // Poppler and qpdf stumble over different things: what one has put in order the other may read.
            guard case .failed = error, let mended = sheets.mended() else { throw error }
            return try made(mended)
        }
    }

    private func run(
        _ program: String, _ arguments: [String], on bytes: [UInt8], from page: Int,
        _ cancellation: Cancellation
    ) throws(ReadingError) -> [UInt8] {
        try explained {
            let outcome: Child.Outcome
            if let ready {
                outcome = try ready.run(
                    program, arguments, files: [("in.pdf", bytes)], cancellation: cancellation)
            } else {
                outcome = try jail.cell { cell in
                    try cell.put(bytes, named: "in.pdf")
                    return try cell.run(
                        program, arguments, output: .captured(limit: limits.byteCount), limits: limits.rules,
                        cancellation: cancellation)
                }
            }
            try Self.check(outcome, page: page + 1)
            return outcome.output
        }
    }

    /// What goes wrong around a program of poppler's.
    func explained<R>(_ body: () throws -> R) throws(ReadingError) -> R {
        do {
            return try body()
        } catch let error as ReadingError {
            throw error
        } catch ChildError.programMissing {
            throw .popplerMissing
        } catch {
            throw .machine("\(error)")
        }
    }

    static func check(_ outcome: Child.Outcome, page: Int) throws(ReadingError) {
        if outcome.isOutputCut { throw .tooLarge(page: page) }
        let isOver = if case .stopped = outcome.ending { true } else { outcome.succeeded }
        if !isOver,
            let why = MemoryRoom.shortage(for: "poppler", addressSpace: 1 << 30, memory: 64 << 20)
        {
            throw .tooLittleMemory(why)
        }
        switch outcome.ending {
        case .exited(0): return
        case .stopped(.timeLimit): throw .tooSlow(page: page)
        case .stopped(.cancelled(let reason)): throw .cancelled(reason: reason)
        case .stopped(.memoryLimit), .stopped(.folderLimit), .stopped(.processLimit):
            throw .tooLarge(page: page)
        // SIGXCPU and SIGXFSZ: the kernel's own end to a program that uses too much.
        case .killed(signal: 24): throw .tooSlow(page: page)
        case .killed(signal: 25): throw .tooLarge(page: page)
        case .killed(let signal): throw .failed(page: page, reason: "poppler was ended by signal \(signal)")
        case .exited(let code):
            let said = outcome.errorText.split(separator: "\n").last.map(String.init)
            throw .failed(page: page, reason: said ?? "poppler gave up with code \(code)")
        }
    }
}
