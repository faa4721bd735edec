import PDF
public import Work

/// Reads the words of pages that are only pictures, with Tesseract, run in the jail. Safe to share; every call runs a
/// program of its own on one processor, since pages side by side are faster than one page on all processors.
public struct Recognizer: Sendable {
    public let jail: Jail
    /// As Tesseract names them: `eng`, `fra`. All that may be meant, where it finds out by itself.
    public let languages: [String]
    /// Whether it looks at each page to see in which of the languages that is written.
    public let detects: Bool

    /// Tesseract was taught on letters of this size.
    private static let dotsPerInch = 300
    /// What it is less sure of is dirt more often than words.
    private static let leastConfidence = 30.0
    private static let time = Duration.seconds(180)
    /// Each one more that is read at once makes it slower.
    private static let mostAtOnce = 3
    /// The word that stands for finding out, wherever languages are written.
    public static let auto = "auto"

    /// With no languages, or `auto`, it finds out among those that are installed.
    public init(jail: Jail, languages: [String] = []) {
        self.jail = jail
        detects = languages.isEmpty || languages == [Self.auto]
        guard detects else {
            self.languages = languages
            return
        }
        let first = Self.usual.filter(Self.installed.contains)
        self.languages = first + Self.installed.filter { !first.contains($0) }
    }

    private static let usual = ["eng", "spa", "fra"]

    /// The languages this machine's Tesseract knows, or none without it.
    public static let installed: [String] = {
        guard Child.find("tesseract") != nil,
            let outcome = try? Child("tesseract", ["--list-langs"], limits: .init(time: .seconds(10))).run()
        else { return [] }
        return (outcome.outputText + outcome.errorText).split(whereSeparator: \.isNewline).dropFirst()
            .map(String.init).filter { $0 != "osd" }
    }()

    /// Whether it can tell letters of one script from those of another.
    private static let tellsScripts: Bool = {
        guard Child.find("tesseract") != nil,
            let outcome = try? Child("tesseract", ["--list-langs"], limits: .init(time: .seconds(10))).run()
        else { return false }
        return (outcome.outputText + outcome.errorText).split(whereSeparator: \.isNewline).contains("osd")
    }()

    /// Whether it can read in these languages here.
    public var isReady: Bool { !languages.isEmpty && languages.allSatisfy(Self.installed.contains) }

    /// The words of one page and where they are seen. `before` is what the page before was written in: most papers go on
    /// in one language.
    public func text(
        of sheets: Sheets, page: Int, reader: PageReader, before: [String] = [],
        cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) -> (text: PageText, languages: [String]) {
        guard page >= 0, page < sheets.count else { throw .noPage(page + 1, of: sheets.count) }
        let frame = sheets.frames[page]
        let picture: [UInt8]
        let width: Int
        if let scan = ScannedPage(of: sheets, page: page) {
            (picture, width) = (scan.picture, scan.width)
        } else {
            width = reader.size(of: frame, width: Int(frame.width / 72 * Double(Self.dotsPerInch))).width
            picture = try reader.graymap(of: sheets, page: page, width: width, cancellation)
        }
        let found = try found(in: picture, page: page, before: before, cancellation)
        let lines = Self.lines(in: found.table, scale: frame.width / Double(width), height: frame.height)
        return (PageText(page: page, frame: frame, lines: lines), found.languages)
    }

    /// The words of a picture, as text.
    public func text(
        ofPicture bytes: [UInt8], cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) -> (text: PageText, languages: [String]) {
        let found = try found(in: bytes, page: 0, before: [], cancellation)
        let lines = Self.lines(in: found.table, scale: 1, height: 0)
        return (PageText(page: 0, frame: .usual, lines: lines), found.languages)
    }

    private typealias Found = (table: [UInt8], languages: [String])

    private func found(
        in picture: [UInt8], page: Int, before: [String], _ cancellation: Cancellation
    ) throws(ReadingError) -> Found {
        do {
            return try jail.cell { cell in
                try cell.put(picture, named: "page")
                return try found(in: cell, page: page, before: before, cancellation)
            }
        } catch let error as ReadingError {
            throw error
        } catch {
            throw .machine("\(error)")
        }
    }

    /// Read in one language, the page says by its small words in which it is written. Only where that is another, or
    /// where it does not say, is it read once more.
    private func found(
        in cell: JailCell, page: Int, before: [String], _ cancellation: Cancellation
    ) throws -> Found {
        guard detects, languages.count > 1 else {
            return (try table(in: cell, languages, page: page, cancellation), languages)
        }
        let first = before.first(where: languages.contains) ?? languages[0]
        let (read, found) = try told(in: cell, by: first, among: languages, page: page, cancellation)
        if let found { return found }
        // Looking for its script takes half as long as reading it, so only those are asked that do not say.
        let candidates = try candidates(in: cell, page: page, cancellation)
        if !candidates.contains(first) {
            let next = try told(in: cell, by: candidates[0], among: candidates, page: page, cancellation)
            if let found = next.found { return found }
            if candidates.count == 1 { return (next.read, candidates) }
        } else if candidates.count == 1 || Self.lines(in: read, scale: 1, height: 0).isEmpty {
            return (read, [first])
        }
        // Too few words to tell: in several languages at once none of them is spoiled.
        let several = Array(candidates.prefix(Self.mostAtOnce))
        return (try table(in: cell, several, page: page, cancellation), several)
    }

    /// What the page says in one language, and where that tells in which it is written, what it says in that.
    private func told(
        in cell: JailCell, by first: String, among candidates: [String], page: Int,
        _ cancellation: Cancellation
    ) throws -> (read: [UInt8], found: Found?) {
        let read = try table(in: cell, [first], page: page, cancellation)
        let text = Self.lines(in: read, scale: 1, height: 0).map(\.text).joined(separator: "\n")
        switch LanguageGuess.language(of: text, among: candidates) {
        case first: return (read, (read, [first]))
        case let other?: return (read, (try table(in: cell, [other], page: page, cancellation), [other]))
        case nil: return (read, nil)
        }
    }

    /// The languages that are written in the letters of this page.
    private func candidates(
        in cell: JailCell, page: Int, _ cancellation: Cancellation
    ) throws -> [String] {
        guard Self.tellsScripts, Set(languages.map(PageScript.name)).count > 1 else { return languages }
        let outcome = try tesseract(
            ["page", "stdout", "--psm", "0", "-l", "osd", "--dpi", "\(Self.dotsPerInch)"], in: cell,
            cancellation)
        // It fails on pages with too few letters; those may be of any script.
        guard case .exited(0) = outcome.ending,
            let line = outcome.outputText.split(whereSeparator: \.isNewline).first(where: {
                $0.hasPrefix("Script: ")
            })
        else { return languages }
        let script = line.dropFirst("Script: ".count)
        let fitting = languages.filter { PageScript.name(of: $0) == script }
        return fitting.isEmpty ? languages : fitting
    }

    private func table(
        in cell: JailCell, _ languages: [String], page: Int, _ cancellation: Cancellation
    ) throws -> [UInt8] {
        let outcome = try tesseract(
            [
                "page", "stdout", "-l", languages.joined(separator: "+"), "--dpi", "\(Self.dotsPerInch)",
                "tsv",
            ], in: cell, cancellation)
        try PageReader.check(outcome, page: page + 1)
        return outcome.output
    }

    private func tesseract(
        _ arguments: [String], in cell: JailCell, _ cancellation: Cancellation
    ) throws -> Child.Outcome {
        var limits = Child.Limits(
            time: Self.time, cpu: Self.time, memoryByteCount: 2 << 30, fileByteCount: 256 << 20,
            processCount: 16, openFileCount: 64)
        limits.isPolite = true
        return try cell.run(
            "tesseract", arguments, environment: ["OMP_THREAD_LIMIT": "1"],
            output: .captured(limit: 64 << 20), limits: limits, cancellation: cancellation)
    }

    /// Tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
    static func lines(in table: [UInt8], scale: Double, height: Double) -> [PageText.Line] {
        var lines: [PageText.Line] = []
        var words: [PageText.Word] = []
        var place: [Substring] = []
        var block = 0
        func close() {
            guard !words.isEmpty else { return }
            lines.append(PageText.Line(words, block: block))
            words = []
        }
        for row in String(decoding: table, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let cells = row.split(separator: "\t", maxSplits: 11, omittingEmptySubsequences: false)
            guard cells.count == 12, cells[0] == "5", let confidence = Double(cells[10]),
                confidence >= leastConfidence
            else { continue }
            let text = cells[11].filter { !$0.isWhitespace }
            let numbers = cells[6..<10].compactMap { Double($0) }
            guard !text.isEmpty, numbers.count == 4 else { continue }
            let here = Array(cells[1...4])
            if here != place {
                close()
                // Lines of one paragraph belong together.
                if place.dropLast() != here.dropLast() { block += 1 }
                place = here
            }
            let left = numbers[0] * scale
            let top = height - numbers[1] * scale
            words.append(
                PageText.Word(
                    String(text),
                    at: PDFRectangle(
                        left: left, bottom: top - numbers[3] * scale, right: left + numbers[2] * scale,
                        top: top)))
        }
        close()
        return lines
    }
}
