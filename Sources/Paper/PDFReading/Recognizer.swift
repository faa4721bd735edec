import PDF
public import Work

/// Reads the words of pages that are only pictures, with Tesseract, run in the jail. Safe to share; every call runs a
/// program of its own on one processor, since pages side by side are faster than one page on all processors.
public struct Recognizer: Sendable {
    public let jail: Jail
    /// As Tesseract names them: `eng`, `fra`.
    public let languages: [String]

    /// Tesseract was taught on letters of this size.
    private static let dotsPerInch = 300
    /// What it is less sure of is dirt more often than words.
    private static let leastConfidence = 30.0
    private static let time = Duration.seconds(180)

    /// With no languages, those that are installed; each one more makes it slower.
    public init(jail: Jail, languages: [String] = []) {
        self.jail = jail
        let wanted = languages.isEmpty ? Self.usual.filter(Self.installed.contains) : languages
        self.languages = wanted.isEmpty ? Array(Self.installed.prefix(1)) : wanted
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

    /// Whether it can read in these languages here.
    public var isReady: Bool { !languages.isEmpty && languages.allSatisfy(Self.installed.contains) }

    /// The words of one page and where they are seen.
    public func text(
        of sheets: Sheets, page: Int, reader: PageReader, cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) -> PageText {
        guard page >= 0, page < sheets.count else { throw .noPage(page + 1, of: sheets.count) }
        let frame = sheets.frames[page]
        let size = reader.size(of: frame, width: Int(frame.width / 72 * Double(Self.dotsPerInch)))
        let picture = try reader.graymap(of: sheets, page: page, width: size.width, cancellation)
        let lines = try lines(
            in: picture, scale: frame.width / Double(size.width), height: frame.height, page: page,
            cancellation)
        return PageText(page: page, frame: frame, lines: lines)
    }

    /// The words of a picture, as text.
    public func text(
        ofPicture bytes: [UInt8], cancellation: Cancellation = Cancellation()
    ) throws(ReadingError) -> PageText {
        let lines = try lines(in: bytes, scale: 1, height: 0, page: 0, cancellation)
        return PageText(page: 0, frame: .usual, lines: lines)
    }

    private func lines(
        in picture: [UInt8], scale: Double, height: Double, page: Int, _ cancellation: Cancellation
    ) throws(ReadingError) -> [PageText.Line] {
        var limits = Child.Limits(
            time: Self.time, cpu: Self.time, memoryByteCount: 2 << 30, fileByteCount: 256 << 20,
            processCount: 16, openFileCount: 64)
        limits.isPolite = true
        let printed: [UInt8]
        do {
            printed = try jail.cell { cell in
                try cell.put(picture, named: "page")
                let outcome = try cell.run(
                    "tesseract",
                    [
                        "page", "stdout", "-l", languages.joined(separator: "+"), "--dpi",
                        "\(Self.dotsPerInch)", "tsv",
                    ],
                    environment: ["OMP_THREAD_LIMIT": "1"], output: .captured(limit: 64 << 20),
                    limits: limits, cancellation: cancellation)
                try PageReader.check(outcome, page: page + 1)
                return outcome.output
            }
        } catch let error as ReadingError {
            throw error
        } catch {
            throw .machine("\(error)")
        }
        return Self.lines(in: printed, scale: scale, height: height)
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
