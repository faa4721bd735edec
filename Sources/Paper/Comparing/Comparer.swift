import PDF
import PDFForms
public import PDFReading
import Synchronization
public import Work

/// Compares two papers: their words wherever these stand, what their pages look like, and the values of their fields.
///
///     let found = try Comparer(reader: reader).compare(old, new)
///
/// Words that stand elsewhere on their page, lines that break elsewhere and words that are divided are no change.
public struct Comparer: Sendable {
    public var comparesLooks = true
    private let reader: PageReader
    private let progress: Progress
    private let limits: Limits

    public struct Limits: Sendable {
        public var pages = 5_000
        /// Of each paper.
        public var words = 3_000_000

        public init() {}
    }

    public init(reader: PageReader, limits: Limits = Limits(), progress: Progress = Progress()) {
        self.reader = reader
        self.limits = limits
        self.progress = progress
    }

    public func compare(
        _ before: [UInt8], _ after: [UInt8], passwords: (before: String?, after: String?) = (nil, nil)
    ) throws(ComparisonError) -> PaperComparison {
        let left = try ComparedPaper(before, passwords.before, isAfter: false, limits)
        let right = try ComparedPaper(after, passwords.after, isAfter: true, limits)
        if left.sheets.bytes == right.sheets.bytes {
            return PaperComparison(
                pairs: left.sheets.frames.indices.map { .init(before: $0, after: $0) }, changes: [],
                pagesBefore: left.sheets.count, pagesAfter: right.sheets.count)
        }
        let workers = Workers(name: "compare", threads: 2)
        defer { workers.stop() }
        progress.set(done: 0, total: Int64(left.sheets.count + right.sheets.count))
        let texts = try texts(left.sheets, right.sheets, workers)
        let words = WordsOfBoth(
            texts.before, texts.after, frames: (left.sheets.frames, right.sheets.frames))
        let looks = PageLooks(
            reader: reader, workers: workers, before: left.sheets, after: right.sheets, progress: progress)
        var work = ComparisonWork(left, right, words)
        try work.pairPages(looks)
        work.findWords()
        if comparesLooks { try work.findLooks(looks) } else { work.remarks.append(.wordsOnly) }
        return work.finished()
    }

    private static let pagesAtOnce = 32

    private struct Stretch: Sendable {
        var isAfter: Bool
        var pages: Range<Int>
    }

    private func texts(
        _ before: Sheets, _ after: Sheets, _ workers: Workers
    ) throws(ComparisonError) -> (before: [PageText], after: [PageText]) {
        let stretches = [(false, before), (true, after)].flatMap { isAfter, sheets in
            stride(from: 0, to: sheets.count, by: Self.pagesAtOnce).map {
                Stretch(isAfter: isAfter, pages: $0..<min($0 + Self.pagesAtOnce, sheets.count))
            }
        }
        let counts = Counts()
        let (reader, progress, limit) = (reader, progress, limits.words)
        let found = try told { () throws -> [[PageText]] in
            try workers.map(stretches) { stretch in
                try progress.check()
                let sheets = stretch.isAfter ? after : before
                let texts = try told(isAfter: stretch.isAfter) {
                    try reader.text(
                        of: sheets, pages: stretch.pages, cancellation: progress.cancellation)
                }
                let count = texts.reduce(0) { $0 + $1.lines.reduce(0) { $0 + $1.words.count } }
                guard counts.add(count, isAfter: stretch.isAfter) <= limit else {
                    throw ComparisonError.tooManyWords(isAfter: stretch.isAfter, limit: limit)
                }
                progress.advance(Int64(stretch.pages.count))
                return texts
            }
        }
        var texts: (before: [PageText], after: [PageText]) = ([], [])
        for (stretch, part) in zip(stretches, found) {
            if stretch.isAfter { texts.after += part } else { texts.before += part }
        }
        return texts
    }

    private final class Counts: Sendable {
        private let counts = Mutex((before: 0, after: 0))

        func add(_ count: Int, isAfter: Bool) -> Int {
            counts.withLock { counts in
                if isAfter { counts.after += count } else { counts.before += count }
                return isAfter ? counts.after : counts.before
            }
        }
    }
}

/// One of the two papers, opened.
struct ComparedPaper {
    let sheets: Sheets
    let file: PDFFile
    /// By name: what is in each field, and where it stands.
    private(set) var fields: [(name: String, field: FieldState)] = []

    struct FieldState {
        var label: String
        var values: [String]
        var places: [PaperComparison.Area]
        var boxes: [Int: [PDFRectangle]]
    }

    init(
        _ bytes: [UInt8], _ password: String?, isAfter: Bool, _ limits: Comparer.Limits
    ) throws(ComparisonError) {
        do throws(PDFError) {
            file = try PDFFile(bytes: bytes, password: password)
            try file.requirePages()
            sheets = try Sheets(file)
        } catch {
            switch error {
            case .passwordNeeded, .wrongPassword: throw .locked(isAfter: isAfter)
            case .tooLittleMemory: throw .machine("\(error)")
            default: throw .unreadable(isAfter: isAfter, "\(error)")
            }
        }
        guard sheets.count <= limits.pages else {
            throw .tooManyPages(isAfter: isAfter, limit: limits.pages)
        }
        if file.form != nil { try readFields(isAfter) }
    }

    private mutating func readFields(_ isAfter: Bool) throws(ComparisonError) {
        let form: Form
        do throws(PDFError) { form = try Form(bytes: sheets.bytes) } catch {
            throw .unreadable(isAfter: isAfter, "\(error)")
        }
        var known: [String: Int] = [:]
        for entry in FormData(form).entries {
            known[entry.name] = fields.count
            let values = entry.values.filter { !$0.isEmpty && !(entry.isState && $0 == "Off") }
            fields.append((entry.name, FieldState(label: "", values: values, places: [], boxes: [:])))
        }
        for field in form.fields {
            guard let place = known[field.name] else { continue }
            if fields[place].field.label.isEmpty { fields[place].field.label = field.alternateName ?? "" }
            add(field.widgets, to: place)
        }
    }

    private mutating func add(_ widgets: [FieldWidget], to place: Int) {
        for widget in widgets.prefix(200) where widget.isOnPage && !widget.isHidden {
            guard let page = widget.page, sheets.frames.indices.contains(page) else { continue }
            let frame = sheets.frames[page]
            let seen = frame.shown(widget.rectangle)
            fields[place].field.boxes[page, default: []].append(seen)
            fields[place].field.places.append(
                .init(
                    page: page, x: seen.left, y: frame.height - seen.top, width: seen.width,
                    height: seen.height))
        }
    }
}
