public import Access
import Bytes
public import Filling
public import Jobs
public import People
import SQL
public import Storage
import Work

extension JobKind {
    public static let repetition = JobKind("repetition", title: "Make a batch again", maximumAttempts: 3)
}

/// Batches that are made again by themselves.
///
///     try repetitions.add(batch.id, rule: "FREQ=DAILY;BYHOUR=7", sends: true, by: caller)
public struct Repetitions: Sendable {
    let sendings: Sendings
    let recipients: Recipients
    var batches: Batches { sendings.batches }
    var store: Store { sendings.store }
    var queue: JobQueue { sendings.outbox.queue }

    public init(_ sendings: Sendings, recipients: Recipients) {
        self.sendings = sendings
        self.recipients = recipients
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.repetition) { run in try go(run) }
    }

    /// A file is watched every five minutes unless a rule says otherwise; without a file there has to be a rule. A desk
    /// that is reached over the network reads files out of its own folder `inbox` alone.
    ///
    /// The file's rows take the place of those the list has from a table already, whatever that was called: else
    /// everybody would stand on the list twice, and get everything twice. `source` says of which table, where the list has
    /// rows of several.
    @discardableResult
    public func add(
        _ id: ID<Batch>, rule: String = "", file: String = "", source: String = "", sends: Bool = true,
        by caller: Caller
    ) throws -> Repetition {
        try caller.require(.edit)
        let batch = try batches.get(id, by: caller)
        guard let list = batch.draft.list.flatMap({ ID<RecipientList>($0) }) else {
            throw Failure(.conflict, "This batch has no list of recipients yet.")
        }
        try Self.requireNoSigner(of: batch)
        let file = try file.isEmpty ? "" : path(file, by: caller)
        let source =
            try file.isEmpty
            ? "" : self.source(source, of: recipients.get(list, by: caller), for: file)?.name ?? ""
        let rule = rule.isEmpty && !file.isEmpty ? "FREQ=MINUTELY;INTERVAL=5" : rule
        guard let recurrence = try? Recurrence(rule) else {
            throw Failure(
                .invalid, "“\(rule)” is no recurrence rule; one is FREQ=DAILY;BYHOUR=7.", field: "rule")
        }
        let zone = sendings.circumstances.zone()
        return try store.write { tx in
            // Each remembers for itself what it has sent: two would send everybody the same change.
            let other = try tx.row(
                "SELECT rule FROM repetition WHERE \(id) IN (batch, newest, current) ORDER BY id LIMIT 1")
            if let other {
                throw Failure(
                    .conflict,
                    "This batch repeats already (\(try other.text("rule"))), and everybody would get the same twice. End that repetition first."
                )
            }
            let new: ID<Repetition> = tx.newID()
            try tx.run(
                """
                INSERT INTO repetition (id, batch, name, rule, zone, file, source, file_digest, sends, newest, outcome,
                    made_at, made_by, made_by_name)
                VALUES (\(new), \(id), \(batch.name), \(recurrence.text), \(zone), \(file), \(source), '', \(sends), \(id),
                    '', \(tx.now), \(caller.actor), \(caller.name))
                """)
            let repetition = try find(new, in: tx)
            try Schedules(queue).set(
                repetition.scheduleName, .repetition, payload: ["repetition": .string(new.text)],
                title: "Make “\(batch.name)” again", recurrence: recurrence, zone: zone, in: tx)
            tx.note("repetition.added", "repetition/\(new)", by: caller.actor, ["batch": .string(id.text)])
            return repetition
        }
    }

    private func path(_ file: String, by caller: Caller) throws -> String {
        if caller.via == .local, file.hasPrefix("/") { return file }
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        guard !name.isEmpty, name == file, !name.hasPrefix("."), !name.contains("\0") else {
            throw Failure(
                .invalid,
                "Name a file in the folder “inbox” of this desk; other files only whoever sits at the machine may choose.",
                field: "file")
        }
        return "\(store.home.path)/inbox/\(name)"
    }

    /// The table of the list whose rows the file's take the place of; nil while there are none at all.
    func source(
        _ wanted: String, of list: RecipientList, for file: String
    ) throws -> RecipientSource? {
        let tables = list.sources.filter { $0.kind == .file || $0.kind == .pasted }
        let all = tables.map(\.name).joined(separator: ", ")
        let name = file.split(separator: "/").last.map(String.init) ?? file
        if !wanted.isEmpty {
            guard let found = tables.first(where: { $0.name == wanted }) else {
                throw Failure(
                    .invalid, "No rows of “\(list.name)” came from “\(wanted)”; they came from: \(all).",
                    field: "source")
            }
            return found
        }
        if let same = tables.first(where: { $0.name == name }) ?? (tables.count == 1 ? tables[0] : nil) {
            return same
        }
        guard tables.isEmpty else {
            throw Failure(
                .invalid,
                "“\(list.name)” has rows of several tables: \(all). Say of which “\(name)” takes the place.",
                field: "source")
        }
        guard list.count == 0 else {
            throw Failure(
                .conflict,
                "No table was brought into “\(list.name)”, so with “\(name)” its people might stand there twice. Bring that file into the list first.",
                field: "file")
        }
        return nil
    }

    /// Nobody's name stands under what nobody had made.
    static func requireNoSigner(of batch: Batch) throws {
        guard batch.draft.options.signer == nil else {
            throw Failure(
                .conflict,
                "Papers that are signed in somebody's name are not made by themselves. Take the signature out first."
            )
        }
    }

    /// The newest first.
    public func list(of batch: ID<Batch>? = nil, by caller: Caller) throws -> [Repetition] {
        try caller.require(.view)
        let condition: Query = batch.map { "WHERE batch = \($0)" } ?? ""
        return try store.read { desk in
            try desk.rows("SELECT * FROM repetition \(condition) ORDER BY id DESC").map(Repetition.init)
        }
    }

    public func get(_ id: ID<Repetition>, by caller: Caller) throws -> Repetition {
        try caller.require(.view)
        return try store.read { desk in try find(id, in: desk) }
    }

    /// When it looks next; nil when never.
    public func next(_ repetition: Repetition) throws -> Schedule? {
        try Schedules(queue).get(repetition.scheduleName)
    }

    /// What it has made stays.
    public func remove(_ id: ID<Repetition>, by caller: Caller) throws {
        try caller.require(.edit)
        let repetition = try get(id, by: caller)
        try? Schedules(queue).remove(repetition.scheduleName)
        try stopWaiting(repetition)
        try store.write { tx in
            try tx.run("DELETE FROM repetition WHERE id = \(id)")
            tx.note("repetition.removed", "repetition/\(id)", by: caller.actor)
        }
    }

    /// Holds it; what it would have made meanwhile is made up for at the next time, for it compares with the last.
    public func pause(_ id: ID<Repetition>, by caller: Caller) throws { try setPaused(true, id, by: caller) }

    public func resume(_ id: ID<Repetition>, by caller: Caller) throws {
        try setPaused(false, id, by: caller)
    }

    private func setPaused(_ isPaused: Bool, _ id: ID<Repetition>, by caller: Caller) throws {
        try caller.require(.edit)
        let repetition = try get(id, by: caller)
        try Schedules(queue).setPaused(isPaused, repetition.scheduleName)
        if isPaused { try stopWaiting(repetition) }
        try store.write { tx in
            tx.note(
                isPaused ? "repetition.paused" : "repetition.resumed", "repetition/\(id)", by: caller.actor)
        }
    }

    /// What the last times brought, the newest first.
    public func runs(of id: ID<Repetition>, limit: Int = 50, by caller: Caller) throws -> [RepetitionRun] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM repetition_run WHERE repetition = \(id)
                ORDER BY id DESC LIMIT \(min(max(1, limit), 50))
                """
            ).map(RepetitionRun.init)
        }
    }

    /// What the next time would bring from the list as it is now: whose packets are new, and whose have changed. A file
    /// that is watched is not brought in for this.
    public func forecast(_ id: ID<Repetition>, by caller: Caller) throws -> RepetitionForecast {
        try caller.require(.edit)
        let repetition = try get(id, by: caller)
        let copy = try drafted(repetition, by: caller)
        defer { _ = try? batches.discard(copy.id, by: caller) }
        let batch = try batches.plan(copy.id, reached: reached(repetition), by: caller)
        let summary = batch.summary ?? PlanSummary()
        let page = try batches.packets(of: batch.id, .init(state: .planned, limit: 20), by: caller)
        return RepetitionForecast(
            planned: summary.planned, new: summary.new, changed: summary.changed, same: summary.same,
            names: page.packets.map(\.name))
    }

    /// Looks now.
    @discardableResult
    public func run(_ id: ID<Repetition>, by caller: Caller) throws -> ID<Job> {
        try caller.require(.edit)
        return try Schedules(queue).runNow(try get(id, by: caller).scheduleName)
    }

    func find(_ id: ID<Repetition>, in desk: borrowing some Readable & ~Copyable) throws -> Repetition {
        guard let row = try desk.row("SELECT * FROM repetition WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such repetition.")
        }
        return try Repetition(row)
    }
}
