import Bytes
import Making
import Formulas
import Glibc
import Mappings
import PDFForms
import PDFReading
import Storage
import Tables
import Work

/// What a plan was made for: the first line of its file.
struct PlanHeader {
    private static let version = 1

    var formPath: String
    var formHash: String
    var tablePath: String
    var tableHash: String
    var tableOptions: TableOptions
    var mapping: String
    var today: String
    var destination: FormRun.Destination
    var receipts: Bool
    var proof: Bool
    var strict: Bool
    var keepsFields: Bool
    var pictures: Bool
    var wishes: DocumentWishes

    init(_ prepared: PreparedTask, _ settings: FormRun.Settings) throws {
        let task = prepared.task
        guard !task.table.path.hasPrefix("/proc/") else {
            throw Failure(
                .invalid,
                "A plan needs a table that is still there when it is applied; save standard input into a file first."
            )
        }
        formPath = task.formPath
        formHash = try task.form.hash()
        tablePath = task.table.path
        tableHash = try task.table.hash()
        tableOptions = task.tableOptions
        mapping = prepared.mapping.text
        today = task.today.dayText
        destination = settings.destination
        receipts = settings.receipts != nil
        proof = settings.provesAll
        strict = settings.isStrict
        keepsFields = settings.keepsFields
        pictures = settings.looks != nil
        wishes = prepared.wishes
    }

    init?(_ json: JSON) {
        guard json["quire"]?.string == "plan", json["version"]?.int == Self.version,
            let formPath = json["form"]?["path"]?.string, let formHash = json["form"]?["sha256"]?.string,
            let tablePath = json["table"]?["path"]?.string, let tableHash = json["table"]?["sha256"]?.string,
            let mapping = json["mapping"]?.string, let today = json["today"]?.string
        else { return nil }
        self.formPath = formPath
        self.formHash = formHash
        self.tablePath = tablePath
        self.tableHash = tableHash
        self.mapping = mapping
        self.today = today
        tableOptions = TableOptions()
        tableOptions.sheet = json["table"]?["sheet"]?.string
        tableOptions.encoding = json["table"]?["encoding"]?.string
        tableOptions.separator = json["table"]?["separator"]?.string?.first
        tableOptions.headerRow = json["table"]?["headerRow"]?.int
        tableOptions.includesHiddenRows = json["table"]?["hiddenRows"]?.bool ?? false
        destination =
            json["zip"]?.string.map { .zip($0) } ?? json["merged"]?.string.map { .merged($0) }
            ?? .folder(json["folder"]?.string ?? "filled")
        receipts = json["receipts"]?.bool ?? false
        proof = json["proof"]?.bool ?? false
        strict = json["strict"]?.bool ?? false
        keepsFields = json["keepFields"]?.bool ?? false
        pictures = json["pictures"]?.bool ?? false
        wishes = DocumentWishes(json["documents"])
    }

    var json: JSON {
        var json: JSON = [
            "quire": "plan", "version": .int(Self.version),
            "form": ["path": .string(formPath), "sha256": .string(formHash)],
            "table": [
                "path": .string(tablePath), "sha256": .string(tableHash),
                "sheet": .optional(tableOptions.sheet),
                "encoding": .optional(tableOptions.encoding),
                "separator": .optional(tableOptions.separator.map { String($0) }),
                "headerRow": .optional(tableOptions.headerRow),
                "hiddenRows": .bool(tableOptions.includesHiddenRows),
            ],
            "today": .string(today), "receipts": .bool(receipts), "proof": .bool(proof),
            "strict": .bool(strict), "keepFields": .bool(keepsFields),
            "pictures": .bool(pictures), "documents": wishes.json,
            "mapping": .string(mapping),
        ]
        switch destination {
        case .folder(let path): json["folder"] = .string(path)
        case .zip(let path): json["zip"] = .string(path)
        case .merged(let path): json["merged"] = .string(path)
        case .nowhere: break
        }
        return json
    }
}

/// A plan being written: the header, then a line for each row.
struct PlanFile {
    private let file: OutputFile

    init(writing path: String, _ header: PlanHeader, overwrites: Bool) throws {
        file = try OutputFile(path, overwrites: overwrites)
        try file.write(Array((header.json.text + "\n").utf8))
    }

    func add(_ outcome: FormRun.Outcome) throws {
        try file.write(Array((Self.line(outcome).text + "\n").utf8))
    }
    func finish() throws { try file.finish() }
    func abandon() { file.abandon() }

    static func line(_ outcome: FormRun.Outcome) -> JSON {
        [
            "number": .int(outcome.number), "row": .int(outcome.place),
            "document": .optional(outcome.fileName),
            "sha256": .optional(outcome.rowHash), "failure": .optional(outcome.failure),
            "problems": .array(
                DocumentNote.all(outcome).filter { $0.kind != "failed" }.map { note in
                    [
                        "field": .optional(note.field), "kind": .string(note.kind),
                        "message": .string(note.message),
                        "serious": .bool(note.isSerious),
                    ]
                }),
        ]
    }
}

/// A plan that is applied.
struct SavedPlan {
    private let call: Invocation
    private let header: PlanHeader
    private let lines: PlanLines

    init(_ call: Invocation) throws {
        self.call = call
        lines = try PlanLines(call.absolute(call.arguments[0]))
        guard let first = try lines.next(), let header = PlanHeader(first) else {
            throw Failure(.invalid, "“\(call.arguments[0])” is no plan of this version of Quire.")
        }
        self.header = header
    }

    func apply() throws {
        let form = try InputFile(path: header.formPath)
        let source = try InputFile(path: header.tablePath)
        guard try form.hash() == header.formHash else {
            throw Failure(
                .conflict,
                "The form “\(header.formPath)” has changed since the plan. Plan again; nothing was made.")
        }
        guard try source.hash() == header.tableHash else {
            throw Failure(
                .conflict,
                "The table “\(header.tablePath)” has changed since the plan. Plan again; nothing was made.")
        }
        guard let today = WallTime(day: header.today) else {
            throw Failure(.invalid, "The plan's day makes no sense.")
        }
        let task = FormTask(
            call, form: form, formPath: header.formPath, table: source, tableOptions: header.tableOptions,
            today: today)
        var table = try FormTable(source, options: header.tableOptions)
        let mapping = try Mapping(parsing: header.mapping)
        let prepared = try PreparedTask(
            task, table, mapping, suggests: false, header.wishes, try settings(form, task))
        for remark in prepared.run.form.remarks { call.hint(remark) }
        try DocumentRun(prepared).run(&table)
    }

    private func settings(_ form: InputFile, _ task: FormTask) throws -> FormRun.Settings {
        var destination = header.destination
        if let path = call.value("out") { destination = .folder(call.absolute(path)) }
        if let path = call.value("zip") { destination = .zip(call.absolute(path)) }
        if let path = call.value("merged") { destination = .merged(call.absolute(path)) }
        var settings = FormRun.Settings(
            destination: destination, threads: try RunSettings.jobs(call),
            modified: Moment(milliseconds: Int64(form.modified) * 1000))
        settings.overwrites = call.has("force")
        settings.provesAll = header.proof || call.has("proof")
        settings.isStrict = header.strict
        settings.keepsFields = header.keepsFields
        if header.pictures || call.has("proof-pictures") { settings.looks = PageReader(jail: .detect()) }
        if header.receipts || call.has("receipts") {
            settings.receipts = FormRun.ReceiptSettings(
                templateName: Files.name(header.formPath), templateHash: header.formHash,
                tableName: task.table.name)
        }
        let lines = lines
        settings.approval = FormRun.Approval { number, name, hash in try lines.allows(number, name, hash) }
        return settings
    }
}

/// The lines of a plan, read along with the table.
// Only the thread that reads the table asks; the lock says so to the compiler.
private final class PlanLines: @unchecked Sendable {
    private let file: UnsafeMutablePointer<FILE>
    private var waiting: (number: Int, name: String, hash: String)?

    init(_ path: String) throws {
        guard let file = fopen(path, "re") else {
            throw Failure(.notFound, "“\(path)” could not be read: \(Files.reason).")
        }
        self.file = file
    }

    deinit { fclose(file) }

    func next() throws -> JSON? {
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while true {
            let count = getline(&line, &room, file)
            guard count > 0, let start = line else { return nil }
            let text = String(
                decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
            if text.allSatisfy(\.isWhitespace) { continue }
            return try JSON(parsing: text)
        }
    }

    /// False for rows whose line was taken out, or that had no document in the plan.
    func allows(_ number: Int, _ name: String, _ hash: String) throws -> Bool {
        while waiting?.number ?? 0 < number {
            guard let line = try next() else {
                waiting = (Int.max, "", "")
                break
            }
            guard let found = line["number"]?.int, let hash = line["sha256"]?.string else { continue }
            waiting = (found, line["document"]?.string ?? "", hash)
        }
        guard let planned = waiting, planned.number == number, !planned.name.isEmpty else { return false }
        guard planned.name == name, planned.hash == hash else {
            throw Failure(
                .conflict,
                "Row \(number) of the plan says something else than the table now gives. Plan again.")
        }
        return true
    }
}
