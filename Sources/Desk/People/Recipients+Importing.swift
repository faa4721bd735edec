public import Access
import Bytes
public import Jobs
import SQL
public import Storage
public import Tables
public import Work

extension JobKind {
    public static let recipientImport = JobKind(
        "recipient-import", title: "Bring in recipients", maximumAttempts: 3)
}

extension Recipients {
    /// Where rows come from.
    public enum Origin: Sendable {
        case bytes([UInt8])
        /// Copied; stays where it is.
        case file(String)
        /// Taken over, as an upload that has arrived.
        case upload(String)
        /// A block copied out of a spreadsheet or typed.
        case pasted(String)
        /// The answer of a database, asked now; only for owners, as it reaches beyond the desk.
        case query(TableQuery)
    }

    /// Takes a file in, so that it can be looked at. Nothing changes in the list before `apply`.
    @discardableResult
    public func take(
        _ origin: Origin, named name: String, into list: ID<RecipientList>,
        _ settings: ImportSettings = ImportSettings(), by caller: Caller, progress: Progress = Progress()
    ) throws -> RecipientImport {
        try caller.require(.edit)
        let digest: Digest
        var kind = RecipientSource.Kind.file
        var settings = settings
        switch origin {
        case .bytes(let bytes): digest = try store.blobs.put(bytes)
        case .file(let path): digest = try store.blobs.put(file: path, progress: progress)
        case .upload(let path): digest = try store.blobs.put(moving: path)
        case .pasted(let text):
            kind = .pasted
            settings.options.format = settings.options.format ?? .csv
            settings.options.encoding = "UTF-8"
            digest = try store.blobs.put(Array(text.utf8))
        case .query(let query):
            try caller.require(.administer)
            kind = .query
            settings.options.format = .ndjson
            digest = try answer(checked(query, by: caller, progress), progress)
        }
        return try keep(digest, kind, name, list, settings, by: Author(caller))
    }

    /// Takes a newer table for the rows a list has from one of its sources: applied, these take the place of those,
    /// whatever the file is called now.
    public func take(
        _ bytes: [UInt8], inPlaceOf source: RecipientSource, of list: ID<RecipientList>, by caller: Caller
    ) throws -> RecipientImport {
        try caller.require(.edit)
        return try keep(
            store.blobs.put(bytes), source.kind, source.name, list, ImportSettings(), by: Author(caller))
    }

    /// A database on the machine is one that its host has opened; none is the desk's own, nor a copy of it.
    private func checked(_ query: TableQuery, by caller: Caller, _ progress: Progress) throws -> TableQuery {
        var query = query
        if case .sqlite(let path) = query.source {
            query.source = .sqlite(
                path: try places.place(path, anywhere: caller.via == .local, field: "database"))
        }
        query.closed = ["member", "session", "api_token", "share_link"]
        query.cancellation = progress.cancellation
        return query
    }

    /// The rows as they are now, one JSON object on each line: what is looked at is what is brought in.
    private func answer(_ query: TableQuery, _ progress: Progress) throws -> Digest {
        try explained {
            var table = try TableReader(query: query)
            let names = table.shape.columns.map(\.name)
            return try store.blobs.put { writer in
                while let row = try table.next() {
                    try progress.check()
                    let members = zip(names, row.cells).map { name, cell -> (String, JSON) in
                        // A number keeps its digits; everything else is text.
                        (
                            name,
                            cell.kind == .number ? Self.number(cell.raw) : .string(cell.shown)
                        )
                    }
                    try writer.write(Array((JSON.object(JSONObject(members)).text + "\n").utf8))
                }
            }
        }
    }

    /// One whose digits JSON would not keep is kept as a text.
    private static func number(_ text: String) -> JSON {
        guard let number = try? JSON(parsing: text), number.text == text else { return .string(text) }
        return number
    }

    func keep(
        _ digest: Digest, _ kind: RecipientSource.Kind, _ name: String, _ list: ID<RecipientList>,
        _ settings: ImportSettings, by author: Author
    ) throws -> RecipientImport {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map { String($0) } ?? name
        let name = (try? Self.cleaned(last)) ?? (kind == .pasted ? "Pasted rows" : "Table")
        var digest = digest
        if kind == .file, let workbook = try opened(store.blobs.path(of: digest), last) {
            digest = try store.blobs.put(workbook)
        }
        return try store.write { tx in
            _ = try changeable(list, in: tx)
            try tx.keep(digest)
            let id = tx.newID(of: RecipientImport.self)
            try tx.run(
                """
                INSERT INTO recipient_import (id, list_id, digest, name, kind, settings, taken_at, taken_by,
                    taken_by_name)
                VALUES (\(id), \(list), \(digest), \(name), \(kind.rawValue), \(settings.view.text), \(tx.now),
                    \(author.actor), \(author.name))
                """)
            return try found(id, in: tx)
        }
    }

    public func pending(_ id: ID<RecipientImport>, by caller: Caller) throws -> RecipientImport {
        try caller.require(.view)
        return try store.read { desk in try found(id, in: desk) }
    }

    /// Those of a list that were taken but not applied, the newest first.
    public func pending(of list: ID<RecipientList>, by caller: Caller) throws -> [RecipientImport] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM recipient_import WHERE list_id = \(list) AND applied_at IS NULL
                ORDER BY taken_at DESC, id DESC LIMIT 100
                """
            ).map(RecipientImport.init)
        }
    }

    /// The newest of them that nobody brings in just now: somebody looked at it and went away.
    public func leftLying(in list: ID<RecipientList>, by caller: Caller) throws -> RecipientImport? {
        try pending(of: list, by: caller).first { table in
            try queue.active(.recipientImport, unique: table.id.text) == nil
        }
    }

    /// Reads the file in another way: another separator, sheet, key, role.
    @discardableResult
    public func change(
        _ id: ID<RecipientImport>, _ settings: ImportSettings, by caller: Caller
    ) throws -> RecipientImport {
        try caller.require(.edit)
        return try store.write { tx in
            let pending = try found(id, in: tx)
            guard pending.appliedAt == nil else { throw Self.appliedAlready }
            try tx.run("UPDATE recipient_import SET settings = \(settings.view.text) WHERE id = \(id)")
            return try found(id, in: tx)
        }
    }

    public func discard(_ id: ID<RecipientImport>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            try tx.run("DELETE FROM recipient_import WHERE id = \(id) AND applied_at IS NULL")
        }
    }

    static let appliedAlready = Failure(.conflict, "This file has been brought in already.")

    func found(
        _ id: ID<RecipientImport>, in desk: borrowing some Readable & ~Copyable
    ) throws -> RecipientImport {
        guard let row = try desk.row("SELECT * FROM recipient_import WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such import. It may have been given up.")
        }
        return try RecipientImport(row)
    }

    // MARK: Looking

    /// What the import would do. With `comparing` off only the beginning of the file is read, so that a very large
    /// one shows at once; its counts then are those of the rows shown.
    public func preview(
        _ id: ID<RecipientImport>, rows: Int = 20, comparing: Bool = true, by caller: Caller,
        progress: Progress = Progress()
    ) throws -> ImportPreview {
        try caller.require(.view)
        let (pending, found) = try store.read { desk in
            let pending = try self.found(id, in: desk)
            return (pending, try self.found(pending.list, in: desk))
        }
        return try explained {
            var run = try ImportRun(pending, found, self, isTrial: true)
            try run.go(limit: comparing ? nil : max(rows, 100), progress: progress)
            return run.preview(rows: rows)
        }
    }

    // MARK: Doing

    /// Brings the rows in. What came from the same source before is replaced; rows of other sources, and those typed
    /// by hand, stay. Done twice it does nothing the second time.
    @discardableResult
    public func apply(
        _ id: ID<RecipientImport>, by caller: Caller, progress: Progress = Progress()
    ) throws -> RecipientImport {
        try caller.require(.edit)
        return try apply(id, by: Author(caller), progress: progress)
    }

    /// The same as a job that goes on by itself, and after a crash again.
    @discardableResult
    public func applyLater(_ id: ID<RecipientImport>, by caller: Caller) throws -> ID<Job> {
        try caller.require(.edit)
        return try store.write { tx in
            let pending = try found(id, in: tx)
            guard pending.appliedAt == nil else { throw Self.appliedAlready }
            return try queue.add(
                .recipientImport,
                payload: [
                    "import": .string(id.text), "actor": .string(caller.actor), "name": .string(caller.name),
                ],
                title: "Bring in “\(pending.name)”", in: tx, unique: id.text, asks: caller.member)
        }
    }

    /// Names who does these jobs.
    public func handle(in runner: JobRunner) {
        runner.handle(.recipientImport) { run in
            guard let id = run.payload["import"]?.string.flatMap({ ID<RecipientImport>($0) }) else {
                throw Failure(.invalid, "The job names no import.")
            }
            let author = Author(
                actor: run.payload["actor"]?.string ?? "quire/import",
                name: run.payload["name"]?.string ?? "Quire")
            let done = try apply(id, by: author, progress: run.progress)
            run.answer([
                "list": .string(done.list.text), "import": .string(done.id.text),
                "counts": done.counts?.view ?? .null,
            ])
        }
    }

    func apply(_ id: ID<RecipientImport>, by author: Author, progress: Progress) throws -> RecipientImport {
        for _ in 0..<3 {
            let (pending, found) = try store.read { desk in
                let pending = try self.found(id, in: desk)
                return (pending, try self.found(pending.list, in: desk))
            }
            guard pending.appliedAt == nil else { return pending }
            guard !found.list.isTrashed else {
                throw Failure(
                    .conflict, "The list “\(found.list.name)” lies in the trash. Take it out first.")
            }
            let done = try explained {
                var run = try ImportRun(pending, found, self, isTrial: false)
                return try run.apply(by: author, progress: progress)
            }
            if let done { return done }
            // Somebody changed the same rows meanwhile: once more, on top of that.
        }
        throw Failure(
            .conflict, "The list is being changed all the time. Try again in a moment.",
            retryAfter: .seconds(5))
    }

    /// A table that cannot be read is something a person can understand.
    func explained<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as TableError {
            throw Failure(.invalid, Self.sentence(error), field: "file")
        }
    }

    static func sentence(_ error: TableError) -> String {
        guard error.line > 0 else { return error.reason }
        let reason = error.reason.prefix(1).lowercased() + error.reason.dropFirst()
        return "In line \(error.line), \(reason)\(reason.hasSuffix(".") ? "" : ".")"
    }

    /// Clears away what interrupted or forgotten imports have left behind. Run by the desk's own upkeep.
    public func sweep(grace: Duration = .seconds(24 * 3600)) throws {
        try store.write { tx in
            let limit = tx.now - grace
            for row in try tx.rows("SELECT list_id, first FROM recipient_staging WHERE begun_at <= \(limit)")
            {
                try clear(try row.integer("first"), of: try row.id("list_id"), in: tx)
            }
            try tx.run(
                "DELETE FROM recipient_import WHERE applied_at IS NULL AND taken_at <= \(tx.now - .seconds(7 * 24 * 3600))"
            )
        }
    }

    func clear(_ first: Int64, of list: ID<RecipientList>, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            DELETE FROM recipient_chunk WHERE list_id = \(list) AND number >= \(first)
                AND number < \(first + ImportRun.reservedChunks)
            """)
        try tx.run("DELETE FROM recipient_staging WHERE list_id = \(list) AND first = \(first)")
    }
}
