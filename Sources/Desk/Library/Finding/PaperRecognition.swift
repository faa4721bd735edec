public import Access
import Bytes
import Glibc
public import Jobs
public import PDFReading
import SQL
public import Storage
public import Work

extension JobKind {
    public static let recognisePapers = JobKind(
        "library.recognising", title: "Read the words in pictures of papers", goesOnLater: true)
}

/// Reads the words of scans and photos, so that they are found like all others. What is recognised is kept beside the
/// paper; its bytes stay as they are.
public struct PaperRecognition: Sendable {
    private let documents: Documents
    private let reader: @Sendable () -> PageReader
    private let recognizer: @Sendable () -> Recognizer
    private let lanes: Int
    private let opening: PaperSheets
    private let dangers: DangerousPapers

    /// Pages are looked at on so many lanes at once.
    public init(
        _ documents: Documents, lanes: Int, copies: ReadingCopies? = nil,
        reader: @escaping @Sendable () -> PageReader,
        recognizer: @escaping @Sendable () -> Recognizer
    ) {
        self.documents = documents
        self.lanes = max(1, lanes)
        self.reader = reader
        self.recognizer = recognizer
        opening = PaperSheets(store: documents.store, copies: copies, reader: reader)
        dangers = DangerousPapers(documents.store)
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.recognisePapers) { run in
            let count = try catchUp(progress: run.progress)
            run.answer(["pages": .int(count)])
        }
    }

    /// Whether there is a program here that can do it.
    public var isReady: Bool { recognizer().isReady }

    /// Promises to look at what has not been looked at, when there is something to do it with.
    public func promise(in queue: JobQueue) throws {
        guard try pendingCount() > 0, isReady else { return }
        _ = try documents.store.write { tx in try queue.add(.recognisePapers, in: tx, unique: "papers") }
    }

    /// How many papers have pages that nobody has looked at.
    public func pendingCount() throws -> Int {
        try documents.store.read { desk in
            try desk.row("SELECT count(*) AS n FROM document_text WHERE bare > 0")?.int("n") ?? 0
        }
    }

    /// Looks at all that was not looked at, the newest first; how many pages those were. All lanes share one line of pages,
    /// so that a hundred scans of one page are read as fast as a book of a hundred.
    @discardableResult
    public func catchUp(progress: Progress = Progress()) throws -> Int {
        let recognizer = recognizer()
        guard recognizer.isReady else { return 0 }
        let line = try PagesInLine(self, recognizer, pageCount: barePageCount(), progress)
        // With one lane the paper that ends the process is the one that is blamed for it.
        let lanes = try dangers.areSuspected() ? 1 : lanes
        let workers = Workers(name: "recognition", threads: lanes)
        defer { workers.stop() }
        _ = try workers.map(Array(0..<lanes)) { _ in try line.work() }
        return line.count
    }

    /// Looks at the scanned pages of a paper once more, in other languages: those that are named, or `auto`. What was read
    /// off them before is forgotten.
    public func lookAgain(
        at id: ID<Document>, in languages: [String], queue: JobQueue, by caller: Caller
    ) throws -> ID<Job> {
        try caller.require(.edit)
        for language in languages where language != Recognizer.auto {
            guard Recognizer.installed.contains(language) else {
                throw Failure(
                    .invalid,
                    "Tesseract does not know “\(language)” here. Installed: \(Recognizer.installed.joined(separator: ", ")).",
                    field: "languages")
            }
        }
        guard isReady else {
            throw Failure(
                .unavailable,
                "Reading scans needs Tesseract. Install it: apt install tesseract-ocr tesseract-ocr-eng")
        }
        return try documents.store.write { tx in
            let document = try documents.find(id, for: caller, in: tx)
            guard !document.isTrashed else { throw documents.inTrash }
            guard PaperPages.hasPages(document) else {
                throw Failure(
                    .unsupported,
                    "“\(document.name)” is neither a PDF nor a picture, so there are no pages to read.")
            }
            try Documents.changingWords(of: id, keepsLabel: true, in: tx) {
                try Documents.forget(pages: "document = \(id) AND places IS NOT NULL", in: tx)
            }
            try DangerousPapers.clear(id, in: tx)
            try tx.run(
                """
                UPDATE document_text SET bare = 1, recognised_to = 0, languages = '',
                    wanted = \(languages.joined(separator: "+")) WHERE document = \(id)
                """)
            return try queue.add(.recognisePapers, in: tx, unique: "papers")
        }
    }

    private func barePageCount() throws -> Int {
        try documents.store.read { desk in
            try desk.row(
                "SELECT CAST(coalesce(sum(bare), 0) AS BIGINT) AS n FROM document_text WHERE bare > 0")?
                .int("n") ?? 0
        }
    }

    /// The newest paper with pages that nobody has looked at, but for those that are being looked at.
    func next(besides known: [ID<Document>]) throws -> PaperInLine? {
        while true {
            let waiting = try documents.store.read { desk in
                try desk.rows(
                    """
                    SELECT document.* FROM document JOIN document_text ON document_text.document = document.id
                    WHERE document_text.bare > 0 ORDER BY document.added_at DESC, document.id DESC LIMIT \(known.count + 1)
                    """
                ).map(Document.init)
            }
            guard let document = waiting.first(where: { !known.contains($0.id) }) else { return nil }
            if let paper = try paper(document) { return paper }
            try finish(document)
        }
    }

    /// Nil where there is nothing to look at.
    private func paper(_ document: Document) throws -> PaperInLine? {
        let row = try documents.store.read { desk in
            try desk.row("SELECT wanted, recognised_to FROM document_text WHERE document = \(document.id)")
        }
        guard let row, PaperPages.hasPages(document) else { return nil }
        if let reason = try dangers.reason(against: document) {
            let name = try documents.toldName(of: document)
            documents.store.log.warning("a paper is set aside", ["name": name, "reason": reason])
            try documents.store.write { tx in
                try tx.run("UPDATE document_text SET reason = \(reason) WHERE document = \(document.id)")
            }
            return nil
        }
        var paper = try PaperInLine(document: document, name: documents.toldName(of: document))
        paper.wanted = try row.text("wanted")
        paper.writtenTo = try row.int("recognised_to")
        if PaperPages.isPDF(document) {
            guard let sheets = try opened(document) else { return nil }
            paper.sheets = sheets
            paper.left = try barePages(of: document, after: paper.writtenTo, upTo: sheets.count)
        } else {
            paper.left = [paper.writtenTo + 1]
        }
        return paper.left.isEmpty ? nil : paper
    }

    private func opened(_ document: Document) throws -> Sheets? {
        do {
            return try dangers.holding(document) { try opening.open(document, hasTime: true) }
        } catch let failure as Failure where ![.cancelled, .full].contains(failure.code) {
            return nil
        }
    }

    /// In what this paper is to be read, where somebody said so.
    func recognizer(for paper: PaperInLine) -> Recognizer? {
        guard !paper.wanted.isEmpty else { return nil }
        let wished = Recognizer(
            jail: recognizer().jail, languages: paper.wanted.split(separator: "+").map(String.init))
        return wished.isReady ? wished : nil
    }

    /// The lane that looks at the first page of a paper that is no PDF makes its pages, while the others go on.
    func look(
        at page: Int, of paper: PaperInLine, _ recognizer: Recognizer, _ cancellation: Cancellation
    ) throws -> Look {
        guard let sheets = try paper.sheets ?? opened(paper.document) else { return Look() }
        guard page <= sheets.count else { return Look(sheets: sheets) }
        let found = try dangers.holding(paper.document) {
            try Self.reading {
                try recognizer.text(
                    of: sheets, page: page - 1, reader: reader(), before: paper.languages,
                    cancellation: cancellation)
            }
        }
        return Look(sheets: sheets, text: found?.text, languages: found?.languages ?? [])
    }

    struct Look: Sendable {
        /// Nil where no page can be shown.
        var sheets: Sheets?
        var text: PageText?
        var languages: [String] = []
    }

    /// A page that cannot be looked at is one without words; what another try might mend is thrown.
    private static func reading<R>(_ body: () throws -> R) throws -> R? {
        do {
            return try body()
        } catch let error as ReadingError {
            switch error {
            case .popplerMissing, .machine, .tooLittleMemory, .cancelled: throw Failure(error)
            case .unreadable, .tooSlow, .tooLarge, .failed, .noPage: return nil
            }
        }
    }

    private func barePages(of document: Document, after first: Int, upTo count: Int) throws -> [Int] {
        let worded = try documents.store.read { desk in
            Set(
                try desk.rows(
                    "SELECT page FROM document_page WHERE document = \(document.id) AND page > \(first)"
                ).map { try $0.int("page") })
        }
        return Array(first..<max(first, min(count, PaperText.mostPages))).map { $0 + 1 }.filter {
            !worded.contains($0)
        }
    }

    /// False when the paper is gone, is another version by now, or is to be looked at once more from its beginning.
    func keep(
        _ pages: some BidirectionalCollection<PaperInLine.Page>, of paper: PaperInLine, isLast: Bool
    ) throws -> Bool {
        let document = paper.document
        return try documents.store.write { tx in
            let row = try tx.row(
                """
                SELECT languages FROM document_text JOIN document ON document.id = document_text.document
                WHERE document = \(document.id) AND digest = \(document.blob.digest)
                    AND recognised_to = \(paper.writtenTo) AND wanted = \(paper.wanted)
                """)
            guard let row else { return false }
            try Documents.changingWords(of: document.id, keepsLabel: true, in: tx) {
                for page in pages {
                    guard let text = page.text, !text.lines.isEmpty else { continue }
                    try Documents.write(
                        page: page.number, String(text.text.prefix(PaperText.longestPage)),
                        places: WordPlaces(text).text, of: document.id, in: tx)
                }
            }
            var all = try row.text("languages").split(separator: "+").map(String.init)
            for language in pages.flatMap(\.languages) where !all.contains(language) { all.append(language) }
            try tx.run(
                """
                UPDATE document_text SET recognised_to = \(pages.last?.number ?? paper.writtenTo),
                    bare = \(isLast ? 0 : 1), languages = \(all.joined(separator: "+")) WHERE document = \(document.id)
                """)
            // What moves on is not what ends the process.
            try DangerousPapers.clear(document.id, in: tx)
            if isLast { try documents.considerRules(document.id, in: tx) }
            return true
        }
    }

    private func finish(_ document: Document) throws {
        try documents.store.write { tx in
            try tx.run("UPDATE document_text SET bare = 0 WHERE document = \(document.id)")
            guard try tx.row("SELECT id FROM document WHERE id = \(document.id)") != nil else { return }
            try documents.considerRules(document.id, in: tx)
        }
    }
}
