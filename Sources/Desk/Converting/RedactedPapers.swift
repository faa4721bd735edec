public import Access
public import Bytes
public import Jobs
import Kinds
public import Library
public import PDFReading
public import Redaction
import SQL
public import Storage
public import Work

extension JobKind {
    public static let redact = JobKind("library.redact", title: "Black out a paper", maximumAttempts: 2)
}

/// Papers with words, places or pages taken out for good. The paper itself stays as it is; what is made lies beside it as a paper
/// of its own, with no version that would still say it.
public struct RedactedPapers: Sendable {
    let store: Store
    let documents: Documents
    let queue: JobQueue
    private let reader: @Sendable () -> PageReader

    public init(
        _ store: Store, documents: Documents, queue: JobQueue, reader: @escaping @Sendable () -> PageReader
    ) {
        self.store = store
        self.documents = documents
        self.queue = queue
        self.reader = reader
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.redact) { run in
            guard let id = run.payload["document"]?.string.flatMap(ID<Document>.init) else {
                throw Failure(.invalid, "A paper is missing.")
            }
            let caller = try documents.caller(actor: run.payload["actor"]?.string ?? "")
            let wish = try Self.wish(run.payload["wish"] ?? .null)
            run.answer(
                try make(
                    id, wish, version: run.payload["version"]?.int, by: caller, progress: run.progress))
        }
        runner.handle(.redactMany) { run in try makeMany(run) }
    }

    public static func wish(_ json: JSON) throws -> RedactionWish {
        do throws(RedactionError) { return try RedactionWish(json: json) } catch { throw Failure(error) }
    }

    /// What would go; nothing is changed.
    public func look(
        at id: ID<Document>, _ wish: RedactionWish, by caller: Caller, progress: Progress = Progress()
    ) throws -> Redactor.Preview {
        let document = try documents.get(id, by: caller)
        try check(document)
        do throws(RedactionError) {
            return try Redactor(reader: reader(), progress: progress).find(wish, in: bytes(of: document))
        } catch {
            throw Failure(error)
        }
    }

    /// Promises it; what cannot be done is said at once. `version` is the one that was looked at, when hits of it are to stay.
    public func begin(
        _ id: ID<Document>, _ wish: RedactionWish, version: Int? = nil, by caller: Caller
    ) throws -> ID<Job> {
        try caller.require(.edit)
        try documents.requirePlan(.edit)
        let document = try documents.get(id, by: caller)
        try check(document)
        try document.check(isStill: version)
        if wish.isEmpty { throw Failure(RedactionError.nothingWished) }
        return try store.write { tx in
            try queue.add(
                .redact,
                payload: [
                    "document": .string(id.text), "wish": wish.json, "version": .optional(version),
                    "actor": .string(caller.actor),
                ], in: tx, asks: caller.member)
        }
    }

    public func make(
        _ id: ID<Document>, _ wish: RedactionWish, version: Int? = nil, by caller: Caller,
        progress: Progress = Progress()
    ) throws -> JSON {
        try caller.require(.edit)
        let document = try documents.get(id, by: caller)
        try check(document)
        try document.check(isStill: version)
        let made: Redactor.Outcome
        do throws(RedactionError) {
            made = try Redactor(reader: reader(), progress: progress).redact(wish, in: bytes(of: document))
        } catch {
            if case .cancelled(let reason) = error { throw Cancelled(reason: reason) }
            throw Failure(error)
        }
        let ending = FileName.ending(of: document.name)
        let stem = ending.isEmpty ? document.name : String(document.name.dropLast(ending.count + 1))
        let paper = try documents.arriving(by: document.arrival).add(
            .bytes(made.bytes), named: "\(FileName.safe(stem)) (redacted).pdf", into: document.folder,
            by: caller
        ).document
        return [
            "document": .string(paper.id.text), "name": .string(paper.name),
            "remarks": .array(made.remarks.map(\.json)), "proof": made.proof.json,
        ]
    }

    private func bytes(of document: Document) throws(RedactionError) -> [UInt8] {
        do {
            return try store.blobs.read(document.blob.digest, atMost: 512 << 20)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Whether it is of the kind that anything can be taken out of.
    public static func requirePDF(_ document: Document) throws(Failure) {
        guard document.blob.mediaType == "application/pdf" else {
            throw Failure(
                .unsupported,
                "“\(document.name)” is no PDF. Make one of it first, then words and places can be blacked out."
            )
        }
    }

    private func check(_ document: Document) throws(Failure) {
        try Self.requirePDF(document)
        try document.checkIsHere()
        guard PageReader.isReady else {
            throw Failure(
                .unavailable, "Blacking out needs Poppler to prove what it did. Install poppler-utils.")
        }
    }
}

extension Document {
    /// What was looked at in one version says nothing about the next.
    fileprivate func check(isStill version: Int?) throws(Failure) {
        guard version == nil || version == self.version else {
            throw Failure(
                .conflict, "“\(name)” was changed meanwhile. Look through what would go once more.")
        }
    }
}

extension Failure {
    public init(_ error: RedactionError) {
        switch error {
        case .nothingWished:
            self = Failure(
                .invalid, "Say what is to be blacked out: words, a pattern, an expression, an area or a page."
            )
        case .badWish(let name):
            self = Failure(.invalid, "What is said in “\(name)” cannot be read.", field: name)
        case .cannotStay(let text):
            self = Failure(
                .invalid,
                "“\(text)” cannot stay: only what stands on a page by itself can, nothing in fields, notes, bookmarks or unseen.",
                field: "except")
        case .noExpression(let text):
            self = Failure(
                .invalid, "“\(text)” is no expression that can be looked for.", field: "expressions")
        case .expressionTooSlow:
            self = Failure(
                .invalid, "An expression takes too long to be looked for. Make it simpler.",
                field: "expressions")
        case .nothingFound: self = Failure(.notFound, "Nothing of it was found, so nothing was blacked out.")
        case .allSpared:
            self = Failure(.notFound, "All that was found is to stay, so nothing was blacked out.")
        case .noPage(let page, let count):
            self = Failure(.invalid, "There is no page \(page): the paper has \(count).")
        case .unreadablePages(let pages):
            self = Failure(
                .unsupported,
                "Nothing can be looked for on pages whose words cannot be read: \(RedactionError.numbers(pages)). Make the paper searchable first, mark areas, or pass over such pages."
            )
        case .knotted(let pages):
            self = Failure(
                .unsupported,
                "What is drawn on these pages cannot be taken apart safely: \(RedactionError.numbers(pages)). Let pages with boxes become pictures."
            )
        case .notProven(let doubts):
            self = Failure(
                .conflict,
                "It could not be proven that everything is gone, so nothing was kept. (In detail: \(doubts.joined(separator: " ")))"
            )
        // The paper's own fault, whoever asks.
        case .unreadable(let reason): self = Failure(.unsupported, reason)
        case .cancelled(let reason): self = Failure(.cancelled, reason)
        }
    }
}
