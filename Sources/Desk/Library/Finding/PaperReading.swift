import Access
import Bytes
import Glibc
public import Jobs
public import PDFReading
import SQL
import Storage
public import Work

extension JobKind {
    public static let readPapers = JobKind(
        "library.reading", title: "Read the words of new papers", goesOnLater: true)
}

/// Reads the words of papers, so that they are found by what they say. Taking a paper in promises it; until then the
/// paper is found by its name.
public struct PaperReading: Sendable {
    private let documents: Documents
    private let reader: @Sendable () -> PageReader
    private let opening: PaperSheets
    private let dangers: DangerousPapers

    /// `reader` is asked when the first PDF is read: finding out what the jail can do takes a moment.
    public init(
        _ documents: Documents, copies: ReadingCopies? = nil, reader: @escaping @Sendable () -> PageReader
    ) {
        self.documents = documents
        self.reader = reader
        opening = PaperSheets(store: documents.store, copies: copies, reader: reader)
        dangers = DangerousPapers(documents.store)
    }

    /// `then` goes on where reading ends, as with pages that are pictures: when some papers are read, while others wait.
    public func handle(in runner: JobRunner, then: @escaping @Sendable () throws -> Void = {}) {
        runner.handle(.readPapers) { [weak runner] run in
            let runner = runner
            let count = try catchUp(
                progress: run.progress, waits: { runner?.isServing ?? false }, then: then)
            run.answer(["papers": .int(count)])
        }
    }

    /// Promises to read what has not been read, as after an update or a restore. What an engine could not read is tried
    /// again: it may be installed by now.
    public func promise(in queue: JobQueue) throws {
        let isOld = Query.column("media_type", in: PageOrigin.old)
        try documents.store.write { tx in
            try tx.run(
                """
                DELETE FROM document_text WHERE state = \(PaperText.State.unreadable.rawValue)
                    AND document IN (SELECT id FROM document WHERE \(isOld))
                    AND document NOT IN (SELECT document FROM dangerous_paper)
                """)
        }
        let isIndexed = try documents.store.read { desk in try Documents.isIndexed(in: desk) }
        guard try !isIndexed || pendingCount() > 0 else { return }
        _ = try documents.store.write { tx in try queue.add(.readPapers, in: tx, unique: "papers") }
    }

    public func pendingCount() throws -> Int {
        try documents.store.read { desk in
            try desk.row("SELECT count(*) AS n FROM document WHERE \(Self.isPending)")?.int("n") ?? 0
        }
    }

    /// Reads all that has not been read, the newest first; how many those were. Papers come in swarms: while `waits` says
    /// so, it lets others arrive before it looks again, instead of writing between each and the next.
    @discardableResult
    public func catchUp(
        progress: Progress = Progress(), waits: @Sendable () -> Bool = { false },
        then: () throws -> Void = {}
    ) throws -> Int {
        if try !documents.store.read({ desk in try Documents.isIndexed(in: desk) }) {
            try documents.store.write { tx in try Documents.indexAnew(in: tx) }
        }
        var done = 0
        let total = try pendingCount()
        var next = try pending()
        // Also where nothing is to be read: something may have been left behind.
        if next.isEmpty { try then() }
        while !next.isEmpty {
            try read(next, progress) {
                done += $0
                progress.set(done: Int64(done), total: Int64(max(total, done + 1)))
            }
            try then()
            for _ in 0..<Self.pauses where next.count < Self.roundCount && waits() {
                try progress.check()
                usleep(Self.pauseMicroseconds)
            }
            next = try pending()
        }
        return done
    }

    /// Each commit writes the pages of the indexes anew that it touches, however many papers come with it.
    private static let roundCount = 64
    private static let longestHeld = Duration.milliseconds(250)
    private static let (pauses, pauseMicroseconds): (Int, UInt32) = (10, 25_000)

    /// What takes an engine a second or more each is read when nothing else waits.
    private func pending() throws -> [Document] {
        let quick = try pending(.column("media_type", notIn: PageOrigin.old), atMost: Self.roundCount)
        return try quick.isEmpty ? pending("1 = 1", atMost: 1) : quick
    }

    private func pending(_ which: Query, atMost count: Int) throws -> [Document] {
        try documents.store.read { desk in
            try desk.rows(
                """
                SELECT * FROM document WHERE \(Self.isPending) AND \(which)
                ORDER BY added_at DESC, id DESC LIMIT \(count)
                """
            ).map(Document.init)
        }
    }

    private static let isPending: Query =
        "NOT EXISTS (SELECT 1 FROM document_text WHERE document_text.document = document.id)"

    /// Reads some, and writes down together what was quickly read one after the other.
    private func read(_ next: [Document], _ progress: Progress, done: (Int) -> Void) throws {
        var read: [(document: Document, text: PaperText)] = []
        var watch = Stopwatch()
        func writeDown() throws {
            guard !read.isEmpty else { return }
            try documents.store.write { tx in
                for (document, text) in read { try Self.write(text, of: document, documents, in: tx) }
            }
            done(read.count)
            read = []
            watch = Stopwatch()
        }
        for document in next {
            do {
                try progress.check()
                progress.phase(try documents.toldName(of: document))
                read.append((document, try text(of: document, progress.cancellation)))
            } catch {
                // What has been read is not read again.
                try writeDown()
                throw error
            }
            if watch.elapsed > Self.longestHeld { try writeDown() }
        }
        try writeDown()
    }

    private func text(of document: Document, _ cancellation: Cancellation) throws -> PaperText {
        if let reason = try dangers.reason(against: document) {
            let name = try documents.toldName(of: document)
            documents.store.log.warning("a paper is set aside", ["name": name, "reason": reason])
            return PaperText(state: .unreadable, reason: reason)
        }
        do {
            return try dangers.holding(document) {
                try opening.text(of: document, hasTime: true, reader: reader, cancellation)
            }
        } catch let failure as Failure where failure.code == .damaged || failure.code == .notFound {
            return PaperText(state: .unreadable, reason: failure.message)
        }
    }

    private static func write(
        _ text: PaperText, of document: Document, _ documents: Documents, in tx: borrowing Transaction
    ) throws {
        // It may have been removed, or become another version, in the meantime.
        let digest = document.blob.digest
        guard try tx.row("SELECT id FROM document WHERE id = \(document.id) AND digest = \(digest)") != nil
        else { return }
        let pages = text.pages.enumerated().filter { !$0.element.allSatisfy(\.isWhitespace) }
        let isFirst = try Documents.hasOnlyLabel(document.id, in: tx)
        if !isFirst || !pages.isEmpty {
            try Documents.changingWords(of: document.id, keepsLabel: true, in: tx) {
                if !isFirst { try Documents.forget(pages: "document = \(document.id) AND page > 0", in: tx) }
                for (number, page) in pages {
                    try Documents.write(page: number + 1, page, isFirst: true, of: document.id, in: tx)
                }
            }
        }
        try tx.run(
            """
            INSERT INTO document_text (document, state, reason, page_count, bare, signers, fillable, read_at)
            VALUES (\(document.id), \(text.state.rawValue), \(text.reason), \(text.pageCount), \(text.bareCount),
                \(text.signers.map { $0.isEmpty ? "?" : $0 }.joined(separator: "\n")),
                \(text.isFillable ? 1 : 0), \(tx.now))
            ON CONFLICT (document) DO UPDATE SET state = excluded.state, reason = excluded.reason,
                page_count = excluded.page_count, bare = excluded.bare, signers = excluded.signers, fillable = excluded.fillable,
                recognised_to = 0, languages = '',
                read_at = excluded.read_at
            """)
        if text.reason == nil { try DangerousPapers.clear(document.id, in: tx) }
        try tx.run("UPDATE document SET pages = \(text.pageCount ?? 0) WHERE id = \(document.id)")
        // A scan says nothing yet; it is looked at again when its words have been read off its pages.
        try documents.considerRules(document.id, in: tx)
    }
}
