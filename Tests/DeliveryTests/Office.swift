import Access
import Delivery
import Filling
import Glibc
import Jobs
import Library
import PDF
import SQL
import Storage
import Tables
import TestSupport
import Transfer
import Work

/// A desk with a batch of filled forms, a mail account, and somebody who carries the letters.
struct Office {
    let store: Store
    let clock: HandClock
    let access: Gate
    let queue: JobQueue
    let outbox: Outbox
    let batches: Batches
    let templates: Templates
    let documents: Documents
    let sendings: Sendings
    let carrier = Recorder()
    let people: [[String]]

    static let areas = [
        Gate.migrations, JobQueue.migrations, Documents.migrations, FillingTables.migrations,
        Outbox.migrations,
    ]
    static let columns = ["Child name", "E-mail", "Class", "Note", "Due date"]

    /// Child name, e-mail, class, note.
    static let pupils = [
        ["Zoë Ångström", "zoe@example.org", "5a", "bring a pen", "2026-11-24"],
        ["Bo Li", "bo@example.org", "5b", "", "2026-12-01"],
        ["Ana Ruiz", "ana@example.org", "5a", "*sings*", "2026-12-01"],
    ]

    static func with<R>(
        _ kind: Database.Kind = .sqlite, people: [[String]] = pupils,
        origin: String? = "https://desk.example",
        largestMail: Int64 = 25 << 20, sender: String? = "office@school.example",
        language: String = "", _ body: (Office) throws -> R
    ) throws -> R {
        let clock = HandClock()
        return try withStore(kind, areas: areas, clock: clock.clock) { store in
            try body(
                Office(
                    store, clock, people,
                    Sendings.Circumstances(
                        sender: {
                            guard let sender, let mailbox = MailAddress(sender, name: "The Office") else {
                                throw Failure(.conflict, "There is no mail account yet.")
                            }
                            return mailbox
                        }, organization: { "Hillside School" }, zone: { "Europe/Berlin" },
                        language: { language },
                        origin: origin, largestMail: largestMail)))
        }
    }

    init(_ store: Store, _ clock: HandClock, _ people: [[String]], _ circumstances: Sendings.Circumstances) {
        self.store = store
        self.clock = clock
        self.people = people
        access = Gate(store)
        queue = JobQueue(store)
        let outbox = Outbox(access, queue)
        self.outbox = outbox
        documents = Documents(access)
        templates = Templates(access, documents: documents)
        batches = Batches(
            templates: templates, mappings: SavedMappings(templates), documents: documents, queue: queue,
            rows: Self.list(people), witness: outbox.ledger.witness(queue))
        sendings = Sendings(outbox, batches: batches, documents: documents, circumstances: circumstances)
    }

    private static func list(_ people: [[String]]) -> RowSource {
        let roles = ["Child name": "fullName", "E-mail": "email"]
        let rows = people.enumerated().map { index, cells in
            PacketRow(
                recipient: "r\(index + 1)", name: cells[0], email: cells[1], source: "pupils.csv",
                place: index + 2, cells: cells.map { Cell($0) })
        }
        return RowSource(
            list: { _ in
                .init(
                    name: "Pupils",
                    columns: columns.map { .init(name: $0, kind: .text, role: roles[$0]) }, count: rows.count)
            },
            each: { _, body in for row in rows { try body(row) } },
            some: { _, offset, limit in Array(rows.dropFirst(offset).prefix(limit)) },
            current: { _, ids in rows.filter { ids.contains($0.recipient) } })
    }

    var ledger: Ledger { outbox.ledger }

    static let form = example("02-consent-forms/consent.pdf")

    private static func example(_ path: String) -> [UInt8] {
        guard let file = fopen("Examples/\(path)", "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    /// A batch of consent forms for all, made unless said otherwise.
    func batch(made: Bool = true, accounts: Bool = true, locale: String = "") throws -> Batch {
        let template = try templates.take(.bytes(Self.form), named: "Consent form.pdf", by: .local).template
        let mapping = try SavedMappings(templates).save(
            "[fields]\nchild name = {Child name}\nclass = {Class}\n", named: "Pupils", for: template.id,
            by: .local)
        var draft = BatchDraft(name: "Consent forms", list: "pupils", naming: "Consent_{Child name}")
        draft.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
        draft.options.makesDespiteProblems = true
        draft.options.locale = locale
        let batch = try batches.make(draft, by: .local)
        try batches.plan(batch.id, by: .local)
        guard made else { return try batches.get(batch.id, by: .local) }
        try batches.fill(batch.id, by: .local)
        work(accounts: accounts)
        return try batches.get(batch.id, by: .local)
    }

    /// Lets everything go as far as it goes by now.
    func work(accounts: Bool = true) {
        let runner = JobRunner(queue, threads: 2)
        batches.handle(in: runner)
        if accounts { ledger.handle(in: runner) }
        sendings.handle(in: runner)
        Courier(outbox) { _ in carrier }.handle(in: runner)
        runner.runUntilIdle()
        runner.stop()
    }

    func packet(_ name: String, of batch: Batch) throws -> Packet {
        let found = try batches.packets(of: batch.id, .init(filter: name), by: .local).packets
        guard let packet = found.first else { throw PeerError(why: "no packet for \(name)") }
        return packet
    }

    func write(
        _ subject: String, _ body: String, of batch: Batch, _ change: (inout BatchLetter) -> Void = { _ in }
    ) throws {
        var letter = try sendings.letter(of: batch.id, by: .local)
        letter.subject = subject
        letter.body = body
        change(&letter)
        try sendings.save(letter, of: batch.id, by: .local)
    }

    /// The letter to an address, as it would lie in a file.
    func copy(to address: String) throws -> String {
        let all = try outbox.list(limit: 500, by: .local).messages
        guard let found = all.first(where: { $0.addresses.all.contains { $0.address == address } }) else {
            throw PeerError(why: "nothing for \(address)")
        }
        return String(decoding: try outbox.copy(found.id, by: .local), as: UTF8.self)
    }
}
