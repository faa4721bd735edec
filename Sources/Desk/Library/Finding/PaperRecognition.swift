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
        "library.recognising", title: "Read the words in pictures of papers")
}

/// Reads the words of scans and photos, so that they are found like all others. What is recognised is kept beside the
/// paper; its bytes stay as they are.
public struct PaperRecognition: Sendable {
    private let documents: Documents
    private let reader: @Sendable () -> PageReader
    private let recognizer: @Sendable () -> Recognizer
    private let lanes: Int

    /// Pages are looked at on so many lanes at once.
    public init(
        _ documents: Documents, lanes: Int, reader: @escaping @Sendable () -> PageReader,
        recognizer: @escaping @Sendable () -> Recognizer
    ) {
        self.documents = documents
        self.lanes = max(1, lanes)
        self.reader = reader
        self.recognizer = recognizer
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

    /// Looks at all that was not looked at, the newest first; how many pages those were.
    @discardableResult
    public func catchUp(progress: Progress = Progress()) throws -> Int {
        let recognizer = recognizer()
        guard recognizer.isReady else { return 0 }
        let workers = Workers(name: "recognition", threads: lanes)
        defer { workers.stop() }
        var count = 0
        while let document = try next() {
            try progress.check()
            progress.phase(try documents.toldName(of: document))
            let task = Task(
                document: document, reader: reader(), recognizer: try asked(for: document) ?? recognizer,
                progress: progress)
            count += try look(at: task, workers)
        }
        return count
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
            guard PaperPages.hasPages(document) || PaperText.isPhoto(document.blob.mediaType) else {
                throw Failure(
                    .unsupported,
                    "“\(document.name)” is neither a PDF nor a picture, so there are no pages to read.")
            }
            try Documents.changingWords(of: id, in: tx) {
                try Documents.forget(pages: "document = \(id) AND places IS NOT NULL", in: tx)
            }
            try tx.run(
                """
                UPDATE document_text SET bare = 1, recognised_to = 0, languages = '',
                    wanted = \(languages.joined(separator: "+")) WHERE document = \(id)
                """)
            return try queue.add(.recognisePapers, in: tx, unique: "papers")
        }
    }

    /// What this paper is to be read in, where somebody said so.
    private func asked(for document: Document) throws -> Recognizer? {
        let row = try documents.store.read { desk in
            try desk.row("SELECT wanted FROM document_text WHERE document = \(document.id)")
        }
        let languages = (try row?.text("wanted") ?? "").split(separator: "+").map(String.init)
        guard !languages.isEmpty else { return nil }
        let wished = Recognizer(jail: recognizer().jail, languages: languages)
        return wished.isReady ? wished : nil
    }

    private struct Task: Sendable {
        var document: Document
        var reader: PageReader
        var recognizer: Recognizer
        var progress: Progress
    }

    private func next() throws -> Document? {
        try documents.store.read { desk in
            try desk.row(
                """
                SELECT document.* FROM document JOIN document_text ON document_text.document = document.id
                WHERE document_text.bare > 0 ORDER BY document.added_at DESC, document.id DESC LIMIT 1
                """
            ).map(Document.init)
        }
    }

    private func look(at task: Task, _ workers: Workers) throws -> Int {
        let document = task.document
        let bytes: [UInt8]
        do {
            bytes = try documents.store.blobs.read(document.blob.digest)
        } catch let failure as Failure where failure.code == .damaged || failure.code == .notFound {
            try finish(document)
            return 0
        }
        guard PaperPages.hasPages(document) else {
            let page = try Self.reading {
                try task.recognizer.text(ofPicture: bytes, cancellation: task.progress.cancellation)
            }
            try keep([(1, page?.text)], in: page?.languages ?? [], of: document, upTo: 1, isLast: true)
            return 1
        }
        guard let sheets = try? Sheets(bytes: bytes) else {
            try finish(document)
            return 0
        }
        var bare = try barePages(of: document, sheets.count)
        let total = bare.count
        var before: [String] = []
        while !bare.isEmpty {
            try task.progress.check()
            task.progress.set(done: Int64(total - bare.count), total: Int64(total))
            let some = Array(bare.prefix(lanes))
            bare.removeFirst(some.count)
            let language = before
            let found = try workers.map(some) { number in
                try Self.reading {
                    try task.recognizer.text(
                        of: sheets, page: number - 1, reader: task.reader, before: language,
                        cancellation: task.progress.cancellation)
                }
            }
            before = found.last??.languages ?? before
            // Page by page, so that a long book that is interrupted goes on where it was.
            let isThere = try keep(
                zip(some, found).map { ($0, $1?.text) }, in: found.flatMap { $0?.languages ?? [] },
                of: document, upTo: some.last ?? 0, isLast: bare.isEmpty)
            guard isThere else { break }
        }
        return total - bare.count
    }

    /// A page that cannot be looked at is one without words; what another try might mend is thrown.
    private static func reading<R>(_ body: () throws -> R) throws -> R? {
        do {
            return try body()
        } catch let error as ReadingError {
            switch error {
            case .popplerMissing, .machine, .cancelled: throw Failure(error)
            case .unreadable, .tooSlow, .tooLarge, .failed, .noPage: return nil
            }
        }
    }

    private func barePages(of document: Document, _ count: Int) throws -> [Int] {
        try documents.store.read { desk in
            let state = try desk.row(
                "SELECT recognised_to FROM document_text WHERE document = \(document.id)")
            let first = (try state?.int("recognised_to") ?? 0) + 1
            let known = try desk.rows(
                "SELECT page FROM document_page WHERE document = \(document.id) AND page >= \(first)"
            ).map { try $0.int("page") }
            let last = min(count, PaperText.mostPages)
            guard first <= last else { return [] }
            let worded = Set(known)
            return (first...last).filter { !worded.contains($0) }
        }
    }

    /// False when the paper is gone, or another version by now.
    @discardableResult
    private func keep(
        _ pages: [(number: Int, text: PageText?)], in languages: [String], of document: Document,
        upTo last: Int, isLast: Bool
    ) throws -> Bool {
        try documents.store.write { tx in
            let digest = document.blob.digest
            guard
                try tx.row("SELECT id FROM document WHERE id = \(document.id) AND digest = \(digest)") != nil
            else { return false }
            try Documents.changingWords(of: document.id, in: tx) {
                for (number, text) in pages {
                    guard let text, !text.lines.isEmpty else { continue }
                    try Documents.write(
                        page: number, String(text.text.prefix(PaperText.longestPage)),
                        places: WordPlaces(text).text, of: document.id, in: tx)
                }
            }
            let row = try tx.row("SELECT languages FROM document_text WHERE document = \(document.id)")
            var all = (try row?.text("languages") ?? "").split(separator: "+").map(String.init)
            for language in languages where !all.contains(language) { all.append(language) }
            try tx.run(
                """
                UPDATE document_text SET recognised_to = \(last), bare = \(isLast ? 0 : 1),
                    languages = \(all.joined(separator: "+")) WHERE document = \(document.id)
                """)
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
