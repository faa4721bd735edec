public import Access
import Bytes
public import Filling
public import Library
import Making
import PDF
import PDFForms
import SQL
public import Storage
public import Work

/// Filled forms that came back, read into a table and compared with what was sent.
///
///     let kept = try harvests.take(files, against: batch.id, by: caller)
///     let bytes = try kept.table(.xlsx, modified: now)
///     try harvests.mark(kept.id, by: caller)            // the ledger says that they came back
public struct Harvests: Sendable {
    let sendings: Sendings
    var store: Store { sendings.store }

    public init(_ sendings: Sendings) {
        self.sendings = sendings
    }

    public struct File: Sendable {
        public var name: String
        var read: @Sendable () throws -> [UInt8]

        fileprivate init(name: String, read: @escaping @Sendable () throws -> [UInt8]) {
            self.name = name
            self.read = read
        }

        public init(name: String, bytes: [UInt8]) {
            self.name = name
            read = { bytes }
        }

        public init(name: String, path: String) {
            self.name = name
            read = { try PDFFile.read(path) }
        }
    }

    public static let mostForms = 5_000

    /// Papers of the library, as they are now.
    public func papers(_ ids: [ID<Document>], by caller: Caller) throws -> [File] {
        guard ids.count <= Self.mostForms else { throw Self.tooMany }
        return try ids.map { id in
            let document = try sendings.documents.get(id, by: caller)
            return File(name: document.name) { [store] in
                try store.blobs.read(document.blob.digest, atMost: Templates.longestFile)
            }
        }
    }

    /// What people wrote is kept no longer than it takes to look at it.
    public static let keptFor = Duration.seconds(7 * 86_400)

    /// Files that cannot be read are named, and the others count. What opens the packets of the batch opens copies of them;
    /// `password` opens whatever else is locked.
    public func take(
        _ files: [File], against batch: ID<Batch>? = nil, password: String? = nil, by caller: Caller,
        progress: Progress = Progress()
    ) throws -> KeptHarvest {
        try caller.require(.edit)
        guard !files.isEmpty else {
            throw Failure(.invalid, "Choose the filled forms that came back.", field: "file")
        }
        if let batch { _ = try sendings.batches.get(batch, by: caller) }
        let reader = HarvestReader()
        var keyring = Keyring(
            try batch.map { try sendings.batches.passwords(of: $0, by: caller) } ?? [], and: password)
        var harvest = Harvest()
        var problems: [KeptHarvest.Problem] = []
        progress.set(done: 0, total: Int64(files.count))
        for file in files {
            try progress.check()
            do {
                let bytes = try file.read()
                let forms = try keyring.open(file.name) {
                    try reader.forms(in: bytes, named: file.name, password: $0)
                }
                for form in forms {
                    if form.entries.isEmpty {
                        problems.append(.init(file: file.name, message: Harvest.noFields))
                    }
                    harvest.add(form)
                }
            } catch {
                problems.append(.init(file: file.name, message: try Self.words(error)))
            }
            progress.advance()
            guard harvest.forms.count <= Self.mostForms else { throw Self.tooMany }
        }
        let matches = try batch.map { try compare(harvest, with: $0, by: caller) } ?? []
        return try store.write { tx in
            let id: ID<KeptHarvest> = tx.newID()
            try tx.run(
                """
                INSERT INTO harvest (id, batch, form_count, content, made_at, made_by, made_by_name)
                VALUES (\(id), \(batch), \(harvest.forms.count),
                    \(KeptHarvest.content(harvest, matches, problems).text), \(tx.now), \(caller.actor),
                    \(caller.name))
                """)
            return try find(id, in: tx)
        }
    }

    private func compare(
        _ harvest: Harvest, with batch: ID<Batch>, marks: Bool = false, by caller: Caller
    ) throws -> [ReturnMatch] {
        try sendings.compare(
            harvest.forms.map { ReturnedForm(file: $0.file, fields: $0.texts) }, with: batch, marks: marks,
            by: caller)
    }

    private static func words(_ error: any Error) throws -> String {
        switch error {
        case PDFError.passwordNeeded, PDFError.wrongPassword: "It is locked with a password."
        case is PDFError: "It is no PDF, or it is damaged."
        case let error as FormDataError: error.description
        case is JSONError: "It is no form."
        case let failure as Failure: failure.message
        default: throw error
        }
    }

    /// The newest first.
    public func list(limit: Int = 20, by caller: Caller) throws -> [KeptHarvest.Line] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                """
                SELECT id, batch, form_count, made_at, made_by_name FROM harvest
                ORDER BY id DESC LIMIT \(min(max(1, limit), 200))
                """
            ).map(KeptHarvest.Line.init)
        }
    }

    public func get(_ id: ID<KeptHarvest>, by caller: Caller) throws -> KeptHarvest {
        try caller.require(.view)
        return try store.read { desk in try find(id, in: desk) }
    }

    /// Says in the ledger that those found came back. Gives how many were found.
    @discardableResult
    public func mark(_ id: ID<KeptHarvest>, by caller: Caller) throws -> Int {
        let kept = try get(id, by: caller)
        guard let batch = kept.batch else {
            throw Failure(
                .conflict, "These forms were compared with nothing, so nobody knows whose they are.")
        }
        return try compare(kept.harvest, with: batch, marks: true, by: caller).count { $0.packet != nil }
    }

    public func remove(_ id: ID<KeptHarvest>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            guard try tx.run("DELETE FROM harvest WHERE id = \(id)") == 1 else { throw Self.gone }
        }
    }

    /// Forgets what was looked at long ago.
    public func sweep() throws {
        let limit = store.clock.now() - Self.keptFor
        try store.write { tx in _ = try tx.run("DELETE FROM harvest WHERE made_at < \(limit)") }
    }

    private static let tooMany = Failure(
        .tooLarge,
        "These are more than \(mostForms) forms. Bring them in portions, or use quire harvest.", field: "file"
    )

    private static let gone = Failure(
        .notFound, "There is no such table. It may have been removed; they are kept for a week.")

    private func find(
        _ id: ID<KeptHarvest>, in desk: borrowing some Readable & ~Copyable
    ) throws -> KeptHarvest {
        guard let row = try desk.row("SELECT * FROM harvest WHERE id = \(id)") else { throw Self.gone }
        return try KeptHarvest(row)
    }
}
