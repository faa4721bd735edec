import Access
import Bytes
import Crypto
import Delivery
import Filling
import Glibc
import Jobs
import Library
import PDF
import PDFForms
import SQL
import Storage
import Tables
import Work

/// Takes in forms, plans and makes packets until it is killed, and says what was promised as soon as it was.
///
///     quire-bench packet-work HOME sqlite|CONNINFO import        takes in one form after the other
///     quire-bench packet-work HOME sqlite|CONNINFO plan BATCH N  plans the batch for N again and again
///     quire-bench packet-work HOME sqlite|CONNINFO fill BATCH    makes its packets and ends when all are made
///     quire-bench packet-work HOME sqlite|CONNINFO measure N     says how long planning and making N packets takes
enum PacketWork {
    static func run(_ arguments: [String]) throws {
        guard arguments.count >= 3 else {
            throw Failure(.invalid, "packet-work HOME sqlite|CONNINFO import|plan|fill|measure [BATCH|N]")
        }
        var areas = [Gate.migrations, JobQueue.migrations, Documents.migrations, FillingTables.migrations]
        // Whoever kills this program opens the same database, and knows no ledger.
        if arguments[2] == "measure" { areas.append(Outbox.migrations) }
        let store = try Store.open(
            home: arguments[0], database: arguments[1] == "sqlite" ? .sqlite : .postgres(arguments[1]),
            areas: areas)
        defer { store.close() }
        let access = Gate(store)
        let documents = Documents(access)
        let queue = JobQueue(store)
        let templates = Templates(access, documents: documents)
        let mappings = SavedMappings(templates)
        let count = arguments.last.flatMap { Int($0) }
        let batches = Batches(
            templates: templates, mappings: mappings, documents: documents, queue: queue,
            rows: PacketRows(count: count ?? 600).source,
            witness: arguments[2] == "measure" ? Ledger(store).witness(queue) : .init())
        Bench.say("open")
        switch arguments[2] {
        case "import": try takeIn(templates)
        case "plan":
            let id = try batch(arguments)
            while true {
                _ = try? batches.plan(id, by: .local)
                Bench.say("planned")
            }
        case "fill": try fill(batch(arguments), batches, queue)
        case "measure": try measure(count ?? 10_000, batches, templates, mappings, queue, Ledger(store))
        default: throw Failure(.invalid, "import, plan, fill or measure")
        }
    }

    private static func batch(_ arguments: [String]) throws -> ID<Batch> {
        guard arguments.count > 3, let id = ID<Batch>(arguments[3]) else {
            throw Failure(.invalid, "Name the batch.")
        }
        return id
    }

    private static func takeIn(_ templates: Templates) throws {
        var number = 0
        while true {
            number += 1
            let form = PacketForm.bytes(fields: 1 + number % 7)
            let template = try templates.take(.bytes(form), named: "Form \(number).pdf", by: .local).template
            Bench.say("+ \(template.id)")
        }
    }

    private static func fill(_ id: ID<Batch>, _ batches: Batches, _ queue: JobQueue) throws {
        let runner = JobRunner(queue, threads: 1)
        batches.handle(in: runner)
        runner.start()
        while true {
            let batch = try batches.get(id, by: .local)
            if batch.state == .done { break }
            if batch.state == .planned { _ = try? batches.fill(id, by: .local) }
            // A job that was killed too often is set aside; somebody lets the batch go on.
            if batch.state == .filling || batch.state == .paused { _ = try? batches.resume(id, by: .local) }
            usleep(2000)
        }
        runner.stop()
        Bench.say("done")
    }

    private static func measure(
        _ count: Int, _ batches: Batches, _ templates: Templates, _ mappings: SavedMappings,
        _ queue: JobQueue,
        _ ledger: Ledger
    ) throws {
        let template = try templates.take(.bytes(PacketForm.bytes(fields: 12)), named: "Form.pdf", by: .local)
            .template
        let mapping = try mappings.save(PacketForm.mapping(fields: 12), for: template.id, by: .local)
        var draft = BatchDraft(name: "Measured", list: "rows", naming: "{Template}_{name}_{row}")
        draft.parts = [PacketPart(.template(template.id, mapping: mapping.id))]
        let runner = JobRunner(queue, threads: 1)
        batches.handle(in: runner)
        let accountant = JobRunner(queue, threads: 1)
        ledger.handle(in: accountant)
        defer {
            runner.stop()
            accountant.stop()
        }
        // The engine's own speed: the same documents on as many threads, thrown away; as files in memory, as "forms" has
        // them; and each file with its SHA-256, which is what a desk would do at least.
        var watch = Stopwatch()
        try engine(count, into: nil)
        say("the engine alone, thrown away", count, watch.elapsed)
        let folder = "/dev/shm/quire-bench-packets-\(getpid())"
        defer { _ = system("rm -rf '\(folder)'") }
        var engine = Duration.seconds(1000)
        for hashes in [false, true] {
            engine = .seconds(1000)
            // The least of three, as a file system takes some time to warm up.
            for _ in 0..<3 {
                _ = system("rm -rf '\(folder)'")
                mkdir(folder, 0o700)
                watch = Stopwatch()
                try Self.engine(count, into: folder, hashes: hashes)
                engine = min(engine, watch.elapsed)
            }
            say("the engine alone, into files\(hashes ? ", with their digests" : "")", count, engine)
        }
        var batch = try batches.make(draft, by: .local)
        for (proves, budget) in [(false, "budget 1.25"), (true, "budget 2.0")] {
            draft.options.proves = proves
            var (planning, making, accounting) = (
                Duration.seconds(1000), Duration.seconds(1000), Duration.seconds(1000)
            )
            // As with the engine, the least of three.
            for _ in 0..<3 {
                batch = try batches.make(draft, by: .local)
                watch = Stopwatch()
                try batches.plan(batch.id, by: .local)
                planning = min(planning, watch.elapsed)
                watch = Stopwatch()
                try batches.fill(batch.id, by: .local)
                runner.runUntilIdle()
                making = min(making, watch.elapsed)
                watch = Stopwatch()
                accountant.runUntilIdle()
                accounting = min(accounting, watch.elapsed)
            }
            say("plan", count, planning, "budget 2 s for 10,000")
            let ratio = (making / engine * 100).rounded() / 100
            say(
                "making" + (proves ? ", each read again" : ""), count, making,
                "\(ratio) times the engine with files and digests, \(budget)")
            say("the ledger's lines, after that", count, accounting)
        }
        for (what, listing) in [
            ("the first packets", Batches.PacketListing()), ("the last packets", .init(after: count - 60)),
            ("made, from the middle", .init(state: .made, after: count / 2)),
            ("a search", .init(filter: "person 77")),
            ("a search for one", .init(filter: "person \(count - 1)")),
            ("those with problems", .init(withProblems: true)),
        ] {
            watch = Stopwatch()
            let page = try batches.packets(of: batch.id, listing, by: .local)
            say("page: \(what)", page.matchCount, watch.elapsed, "budget 100 ms")
        }
        watch = Stopwatch()
        var byteCount = 0
        try batches.export(batch.id, ExportChoice(.files), by: .local) { byteCount += $0.count }
        say("an archive with a file for each", count, watch.elapsed, "\(byteCount / count) bytes a packet")
        watch = Stopwatch()
        byteCount = 0
        try batches.export(batch.id, ExportChoice(.merged), by: .local) { byteCount += $0.count }
        say("one PDF of all", count, watch.elapsed, "\(byteCount / count) bytes a packet")
        watch = Stopwatch()
        byteCount = 0
        try batches.export(batch.id, ExportChoice(.merged, keepsFields: true), by: .local) {
            byteCount += $0.count
        }
        say("one PDF of all, fields kept", count, watch.elapsed, "\(byteCount / count) bytes a packet")
        Bench.say("peak \(TablesBench.peak) MB")
    }

    private static func engine(_ count: Int, into folder: String?, hashes: Bool = false) throws {
        var options = PreparedForm.Options()
        options.base = .automatic(copies: 1000)
        let form = try PreparedForm(bytes: PacketForm.bytes(fields: 12), options: options)
        let columns = form.columns((0..<12).map { "f\($0)" })
        let rows = PacketRows(count: count)
        let threads = Workers(name: "engine", threads: 2)
        defer { threads.stop() }
        for start in stride(from: 1, through: count, by: 256) {
            let numbers = Array(start..<min(start + 256, count + 1))
            _ = try threads.map(
                stride(from: 0, to: numbers.count, by: 16).map { numbers[$0..<min($0 + 16, numbers.count)] }
            ) {
                $0.reduce(0) { sum, number in
                    let values = rows.row(number).cells.map { FieldValue.text($0.shown) as FieldValue? }
                    let filled = form.fill(columns: columns, row: values)
                    if let folder {
                        let file = open("\(folder)/\(number).pdf", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                        let bytes = filled.bytes
                        let written = write(file, bytes, bytes.count)
                        close(file)
                        if written != bytes.count || hashes && SHA256.hash(bytes).count != 32 { return sum }
                    }
                    return sum + filled.byteCount
                }
            }
        }
    }

    private static func say(_ what: String, _ count: Int, _ time: Duration, _ more: String = "") {
        let milliseconds = (time / .milliseconds(1) * 10).rounded() / 10
        let rate = Int(Double(count) / max(1e-9, time / .seconds(1)))
        Bench.say(
            "\(what): \(count) in \(milliseconds) ms, \(rate)/s" + (more.isEmpty ? "" : "; \(more)"))
    }
}

/// So many people, always the same.
struct PacketRows: Sendable {
    let count: Int

    func row(_ number: Int) -> PacketRow {
        PacketRow(
            recipient: "r\(number)", name: "Person \(number)", email: "p\(number)@example.org",
            source: "people.csv",
            place: number + 1,
            cells: (0..<12).map {
                Cell("\($0 == 0 ? "Person" : "Value") \(number)\($0 == 0 ? "" : " of \($0)")")
            })
    }

    var source: RowSource {
        let names = ["name"] + (1..<12).map { "c\($0)" }
        return RowSource(
            list: { _ in
                .init(
                    name: "Rows",
                    columns: names.map {
                        .init(name: $0, kind: .text, role: $0 == "name" ? "fullName" : nil)
                    },
                    count: count)
            },
            each: { _, body in for number in 1...max(1, count) { try body(row(number)) } },
            some: { _, offset, limit in (1...max(1, count)).dropFirst(offset).prefix(limit).map(row) },
            current: { _, _ in [] })
    }
}

/// A form of one page with some lines of text.
enum PacketForm {
    static func mapping(fields: Int) -> String {
        "[fields]\n" + (0..<fields).map { "f\($0) = {\($0 == 0 ? "name" : "c\($0)")}\n" }.joined()
    }

    static func bytes(fields count: Int) -> [UInt8] {
        var draft = PDFDraft()
        let font = draft.add(
            .dictionary([
                "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica"),
                "Encoding": .name("WinAnsiEncoding"),
            ]))
        let fields = (0..<count).map { number in
            let bottom = 760 - 30 * Double(number)
            return draft.add(
                .dictionary([
                    "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Tx"),
                    "T": .text("f\(number)"),
                    "DA": .text("/Helv 10 Tf 0 g"), "F": .integer(4),
                    "Rect": .array([20, bottom, 320, bottom + 20].map(PDFObject.real)),
                ]))
        }
        let tree = draft.newReference()
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree),
                "MediaBox": .array([0, 0, 595, 842].map(PDFObject.integer)),
                "Annots": .array(fields.map(PDFObject.reference)),
            ]))
        draft.put(
            .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]),
            at: tree)
        let form: PDFDictionary = [
            "Fields": .array(fields.map(PDFObject.reference)), "DA": .text("/Helv 0 Tf 0 g"),
            "DR": .dictionary(["Font": .dictionary(["Helv": .reference(font)])]),
        ]
        let root = draft.add(
            .dictionary(["Type": .name("Catalog"), "Pages": .reference(tree), "AcroForm": .dictionary(form)]))
        return draft.bytes(root: root)
    }
}
