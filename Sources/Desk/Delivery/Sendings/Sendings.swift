public import Access
import Bytes
public import Filling
import Formulas
public import Jobs
import Kinds
public import Library
import SQL
public import Storage
public import Transfer
import Work

/// Packets on their way to people: the letter, a look at what would go out, the sending itself, and what becomes of each.
///
///     try sendings.save(letter, of: batch.id, by: caller)
///     let check = try sendings.check(batch.id, by: caller)          // nothing is sent yet
///     try sendings.start(batch.id, confirming: check.ready, by: caller)
public struct Sendings: Sendable {
    let outbox: Outbox
    let batches: Batches
    let documents: Documents
    let circumstances: Circumstances
    var store: Store { outbox.store }
    var access: Gate { outbox.access }
    var ledger: Ledger { outbox.ledger }

    /// What letters depend on that is neither in the batch nor in its recipients.
    public struct Circumstances: Sendable {
        /// The sender of the mail settings, or a failure that says there is none.
        public var sender: @Sendable () throws -> MailAddress
        public var organization: @Sendable () -> String
        /// Where the desk stands: `Europe/Berlin`.
        public var zone: @Sendable () -> String
        /// What is read there: `fr-CA`; empty where nobody has said so.
        public var language: @Sendable () -> String
        /// How people reach the desk from outside, where somebody has said so.
        public var origin: String?
        /// Most mail servers take no larger mails.
        public var largestMail: Int64

        public init(
            sender: @escaping @Sendable () throws -> MailAddress,
            organization: @escaping @Sendable () -> String = { "" },
            zone: @escaping @Sendable () -> String = { "UTC" },
            language: @escaping @Sendable () -> String = { "" }, origin: String? = nil,
            largestMail: Int64 = 25 << 20
        ) {
            self.sender = sender
            self.organization = organization
            self.zone = zone
            self.language = language
            self.origin = origin
            self.largestMail = largestMail
        }
    }

    public init(_ outbox: Outbox, batches: Batches, documents: Documents, circumstances: Circumstances) {
        self.outbox = outbox
        self.batches = batches
        self.documents = documents
        self.circumstances = circumstances
    }

    /// Names who does these jobs.
    public func handle(in runner: JobRunner) {
        runner.handle(.letters) { run in try write(run) }
    }

    static func subject(_ packet: ID<Packet>) -> String { "packet/\(packet)" }
    static func subject(_ batch: ID<Batch>) -> String { "batch/\(batch)" }

    func maker(
        _ batch: Batch, _ letter: BatchLetter, by caller: Caller
    ) throws -> LetterMaker {
        let sender = MailAddress(parsing: letter.sender) ?? (try? circumstances.sender())
        var context = try batches.wording(of: batch.id, by: caller)
        if batch.draft.options.locale.isEmpty {
            context.letters =
                FormulaLocale(letter.language) ?? FormulaLocale(circumstances.language()) ?? context.locale
        }
        return LetterMaker(
            batch, letter, context, sender: sender, organization: circumstances.organization())
    }
}

// The letter of a batch.
extension Sendings {
    /// As it was saved; the usual one before anybody has written anything.
    public func letter(of id: ID<Batch>, by caller: Caller) throws -> BatchLetter {
        let batch = try batches.get(id, by: caller)
        return try store.read { desk in try letter(of: batch, in: desk) }
    }

    func letter(of batch: Batch, in desk: borrowing some Readable & ~Copyable) throws -> BatchLetter {
        guard let row = try desk.row("SELECT letter, version FROM batch_letter WHERE batch = \(batch.id)")
        else {
            var letter = BatchLetter.usual(for: batch)
            letter.pace.zone = circumstances.zone()
            return letter
        }
        var letter = try BatchLetter(kept: JSON(parsing: row.text("letter")))
        letter.version = try row.int("version")
        return letter
    }

    /// Saves it when nobody else has saved one since `version`. Its files stay as they are: they have verbs of
    /// their own.
    @discardableResult
    public func save(_ letter: BatchLetter, of id: ID<Batch>, by caller: Caller) throws -> BatchLetter {
        let letter = try letter.checked()
        return try change(id, by: caller) { old in
            guard letter.version == old.version else {
                throw Failure(.conflict, "Somebody else has changed this letter meanwhile. Load it again.")
            }
            let files = old.files
            old = letter
            old.files = files
        }
    }

    /// Adds a paper of the library that goes to everybody.
    @discardableResult
    public func attach(_ document: ID<Document>, to id: ID<Batch>, by caller: Caller) throws -> BatchLetter {
        let found = try documents.get(document, by: caller)
        return try attach(
            BatchLetter.File(
                name: found.name, mediaType: found.blob.mediaType, digest: found.blob.digest,
                byteCount: found.blob.byteCount), to: id, by: caller)
    }

    /// Adds a file that goes to everybody.
    @discardableResult
    public func attach(
        _ source: Documents.Source, named name: String, to id: ID<Batch>, by caller: Caller
    ) throws -> BatchLetter {
        try caller.require(.edit)
        guard let name = FileName.cleaned(name) else {
            throw Failure(.invalid, "The file needs a name.", field: "name")
        }
        let digest =
            switch source {
            case .bytes(let bytes): try store.blobs.put(bytes)
            case .file(let path): try store.blobs.put(file: path)
            case .upload(let path): try store.blobs.put(moving: path)
            }
        return try attach(
            BatchLetter.File(
                name: name,
                mediaType: try PaperKind.mediaType(ofFile: store.blobs.path(of: digest), named: name),
                digest: digest, byteCount: try store.blobs.byteCount(of: digest)), to: id, by: caller)
    }

    @discardableResult
    func attach(
        _ file: BatchLetter.File, to id: ID<Batch>, by caller: Caller
    ) throws -> BatchLetter {
        guard file.byteCount <= circumstances.largestMail else {
            throw Failure(.tooLarge, "“\(file.name)” is too large for a mail.", field: "file")
        }
        return try change(id, by: caller) { letter in
            guard letter.files.count < BatchLetter.mostFiles else {
                throw Failure(.tooMany, "A letter takes \(BatchLetter.mostFiles) files.", field: "file")
            }
            letter.files.append(file)
        }
    }

    /// Takes the file of this place, from 0, out again.
    @discardableResult
    public func detach(_ place: Int, from id: ID<Batch>, by caller: Caller) throws -> BatchLetter {
        try change(id, by: caller) { letter in
            guard letter.files.indices.contains(place) else {
                throw Failure(.notFound, "The letter has no such file.")
            }
            letter.files.remove(at: place)
        }
    }

    private func change(
        _ id: ID<Batch>, by caller: Caller, _ body: (inout BatchLetter) throws -> Void
    ) throws -> BatchLetter {
        try caller.require(.edit)
        let batch = try batches.get(id, by: caller)
        guard batch.state != .elsewhere else { throw Batches.isBegun(batch) }
        return try store.write { tx in
            var letter = try letter(of: batch, in: tx)
            let version = letter.version + 1
            try body(&letter)
            letter.version = version
            try keep(letter, of: id, by: caller.actor, in: tx)
            return letter
        }
    }

    func keep(
        _ letter: BatchLetter, of id: ID<Batch>, by actor: String, in tx: borrowing Transaction
    ) throws {
        try tx.run(
            """
            INSERT INTO batch_letter (batch, version, letter, changed_at, changed_by)
            VALUES (\(id), \(letter.version), \(letter.json.text), \(tx.now), \(actor))
            ON CONFLICT (batch) DO UPDATE SET version = excluded.version, letter = excluded.letter,
                changed_at = excluded.changed_at, changed_by = excluded.changed_by
            """)
        try tx.run("DELETE FROM batch_letter_file WHERE batch = \(id)")
        for (place, file) in letter.files.enumerated() {
            try tx.keep(file.digest)
            try tx.run(
                "INSERT INTO batch_letter_file (batch, place, digest) VALUES (\(id), \(place), \(file.digest))"
            )
        }
        tx.record(JournalEntry(actor: actor, verb: "letter.changed", subject: Self.subject(id)))
    }
}
