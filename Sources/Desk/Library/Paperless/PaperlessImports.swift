public import Access
import Bytes

public import Jobs
import SQL
public import Storage

extension JobKind {
    public static let importPaperless = JobKind(
        "library.paperless", title: "Take papers over from Paperless-ngx", maximumAttempts: 3)
}

/// Imports from Paperless-ngx as work in the background: an archive is kept as a paper until all of it is in, so that
/// nothing is lost when the machine stops in the middle; then it lies in the trash.
public struct PaperlessImports: Sendable {
    private let documents: Documents
    private let queue: JobQueue

    public init(_ documents: Documents, queue: JobQueue) {
        self.documents = documents
        self.queue = queue
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.importPaperless) { run in
            guard let id = run.payload["document"]?.string.flatMap(ID<Document>.init),
                let actor = run.payload["actor"]?.string
            else { return }
            let caller = try documents.caller(actor: actor)
            let archive = try documents.get(id, by: caller)
            // A second attempt goes on where the first ended: what is there already is recognised.
            let report = try documents.take(
                PaperlessExport(try documents.store.blobs.path(of: archive.blob.digest)), by: caller,
                progress: run.progress)
            if !archive.isTrashed { try documents.trash(id, by: caller) }
            run.answer(report.json)
        }
    }

    /// Keeps an archive and promises to take over what is in it.
    public func begin(
        _ source: Documents.Source, named name: String, by caller: Caller
    ) throws -> ID<Job> {
        try caller.require(.edit)
        let document = try documents.add(source, named: name, by: caller).document
        do {
            // Said at once, and not by a job that failed.
            _ = try PaperlessFiles(documents.store.blobs.path(of: document.blob.digest))
        } catch let failure as Failure {
            try documents.trash(document.id, by: caller)
            throw failure
        }
        return try documents.store.write { tx in
            try queue.add(
                .importPaperless,
                payload: ["document": .string(document.id.text), "actor": .string(caller.actor)], in: tx,
                unique: document.id.text, asks: caller.member)
        }
    }

    /// The last imports, the newest first.
    public func list(limit: Int = 10, by caller: Caller) throws -> [Job] {
        try caller.require(.view)
        return try queue.list(.init(kind: JobKind.importPaperless.name), limit: limit)
    }
}
