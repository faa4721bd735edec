import Bytes
import Making
import Glibc
import Mappings
import PDFForms
import PDFReading
import Storage
import Tables
import Work

extension Command {
    static let fill = Command(
        name: "fill", summary: "fill a PDF form from a table, one document for each row",
        discussion: """
            TABLE is a CSV, a workbook (XLSX, ODS), a JSON array of objects or form data (FDF, XFDF); - reads it from \
            standard input. Without \
            --map, each column fills the field it is clearly meant for; what is left empty is said. “quire map” writes \
            these suggestions into a file that can be read and changed, and docs/formats/mappings.md describes it.

            Every value is drawn, so that each program shows it. What does not fit is told, and the other documents are \
            made all the same. Nothing that is there already is replaced without --force. No desk is needed.
            """,
        arguments: [
            Argument(name: "FORM", summary: "a PDF form", completion: .file),
            Argument(
                name: "TABLE", summary: "a table with a row for each document; - for standard input",
                completion: .file),
        ],
        options: Option.ofMappings + Option.ofRuns
            + [Option("report", "FILE", "write every finding into a table", completion: .file)]
            + DocumentWishes.options + Option.ofTables,
        examples: [
            Example("quire fill consent.pdf people.xlsx --out forms", "300 rows, 300 documents"),
            Example(
                "quire fill w9.pdf vendors.csv --map w9.map --name '{Vendor}' --flatten",
                "by a mapping file, not to be changed any more"),
            Example(
                "quire fill slip.pdf pay.csv --zip slips.zip --password '{PIN}'",
                "locked, in one archive"),
        ],
        run: { call in
            try withForms {
                let task = try FormTask(call)
                var table = try FormTable(task.table, options: task.tableOptions)
                let mapping = try task.mapping()
                let prepared = try PreparedTask(
                    task, table, mapping, suggests: true, DocumentWishes(call),
                    try RunSettings(call, task).settings)
                try prepared.tell()
                try DocumentRun(prepared).run(&table)
            }
        })
}

/// Where and how documents are made, as it was typed.
struct RunSettings {
    let settings: FormRun.Settings

    init(_ call: Invocation, _ task: FormTask) throws {
        let destinations = ["out", "zip", "merged"].filter { call.has($0) }
        guard destinations.count <= 1 else {
            throw UsageError(
                message: "Only one of --out, --zip and --merged can be",
                hint: "Say where the documents go once.")
        }
        let destination: FormRun.Destination =
            if let path = call.value("zip") {
                .zip(call.absolute(path))
            } else if let path = call.value("merged") {
                .merged(call.absolute(path))
            } else {
                .folder(call.absolute(call.value("out") ?? "\(task.template)-filled"))
            }
        var settings = FormRun.Settings(
            destination: destination, threads: try Self.jobs(call),
            modified: Moment(milliseconds: Int64(task.form.modified) * 1000))
        settings.overwrites = call.has("force")
        settings.provesAll = call.has("proof")
        if call.has("proof-pictures") { settings.looks = PageReader(jail: .detect()) }
        settings.isStrict = call.has("strict")
        settings.keepsFields = call.has("keep-fields")
        if settings.keepsFields {
            guard call.has("merged") else {
                throw UsageError(
                    message: "--keep-fields goes with --merged",
                    hint: "Documents of their own keep their fields anyway.")
            }
            guard !call.has("flatten") else {
                throw UsageError(
                    message: "--keep-fields and --flatten exclude each other", hint: "Leave one of them out.")
            }
        }
        if call.has("receipts") {
            settings.receipts = FormRun.ReceiptSettings(
                templateName: Files.name(task.formPath), templateHash: try task.form.hash(),
                tableName: task.table.name)
        }
        self.settings = settings
    }

    static func jobs(_ call: Invocation) throws -> Int {
        guard let words = call.value("jobs") else {
            return max(1, min(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 16))
        }
        guard let jobs = Int(words), (1...64).contains(jobs) else {
            throw UsageError(
                message: "--jobs takes a number from 1 to 64, not “\(words)”",
                hint: "Leave it out to use all cores.")
        }
        return jobs
    }
}

/// A run that makes documents, told on the screen.
struct DocumentRun {
    private let prepared: PreparedTask
    private var call: Invocation { prepared.task.call }
    /// Told on the screen; all of them go into the report.
    private static let toldNotes = 8
    private static let jsonNotes = 1000

    init(_ prepared: PreparedTask) { self.prepared = prepared }

    func run(_ table: inout FormTable) throws {
        let report = try call.value("report").map {
            try ReportFile(call.absolute($0), overwrites: call.has("force"))
        }
        var told = 0
        var notes: [JSON] = []
        var heard = 0
        HeldMemory.letGo()
        let result = try call.withProgress("Filling") { progress in
            try prepared.run.run(&table, progress: progress) { outcome in
                for note in DocumentNote.all(outcome) {
                    try report?.add(note)
                    if notes.count < Self.jsonNotes { notes.append(note.json) }
                    guard note.isSerious, !call.isJSON else { continue }
                    told += 1
                    if told <= Self.toldNotes {
                        call.terminal.writeError("\(TextTable.harmless(note.line))\n")
                    }
                }
                heard += 1
                // Much is done for the first documents only: they are opened whole and read again, fonts are found, what
                // repeats is learned.
                if heard & (heard - 1) == 0 || heard & 4095 == 0 { HeldMemory.letGo() }
            }
        }
        if told > Self.toldNotes {
            call.hint("… and \(told - Self.toldNotes) more; --report FILE writes them all down.")
        }
        for remark in result.remarks { call.hint(remark) }
        call.answer(view(result, notes)) { sentence(result) }
        if result.made > 0, case .folder = prepared.run.settings.destination {
            call.hint(
                "Open one of them. “quire map” shows what fills what, and “quire serve” does all this in the browser."
            )
        }
        if result.failed > 0 { throw ExitCode.invalid }
    }

    private var place: String {
        switch prepared.run.settings.destination {
        case .folder(let path), .zip(let path), .merged(let path): path
        case .nowhere: ""
        }
    }

    private func sentence(_ result: FormRun.Report) -> String {
        var text =
            "\(Words.count(result.made, "document", "documents")) in \(place), \(Words.size(Int64(result.byteCount)))"
        if result.skipped > 0 { text += "; \(Words.count(result.skipped, "row was", "rows were")) not meant" }
        if result.failed > 0 { text += "; \(Words.count(result.failed, "row was", "rows were")) left out" }
        let looks = result.seriousFindings + result.problems
        if looks > 0 { text += "; \(Words.count(looks, "value needs", "values need")) a look" }
        let gentle = result.findings - result.seriousFindings
        if gentle > 0 { text += "; \(Words.count(gentle, "value was", "values were")) made to fit" }
        return text + ".\n"
    }

    private func view(_ result: FormRun.Report, _ notes: [JSON]) -> JSON {
        var view: JSON = [
            "made": .int(result.made), "failed": .int(result.failed), "skipped": .int(result.skipped),
            "findings": .int(result.findings), "seriousFindings": .int(result.seriousFindings),
            "problems": .int(result.problems), "byteCount": .int(result.byteCount), "mapping": prepared.json,
            "notes": .array(notes), "remarks": .array(result.remarks.map(JSON.string)),
        ]
        switch prepared.run.settings.destination {
        case .folder(let path): view["folder"] = .string(path)
        case .zip(let path): view["zip"] = .string(path)
        case .merged(let path): view["merged"] = .string(path)
        case .nowhere: break
        }
        return view
    }
}

/// The report, written as the notes come.
private final class ReportFile {
    private let file: Int32
    private let path: String

    init(_ path: String, overwrites: Bool) throws {
        self.path = path
        file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (overwrites ? O_TRUNC : O_EXCL), 0o644)
        guard file >= 0 else {
            throw Failure(
                .conflict, "The report “\(path)” could not be written: \(systemMessage(errno)).")
        }
        try write(CSVLine.text(["row", "file", "field", "kind", "message"]))
    }

    deinit { close(file) }

    func add(_ note: DocumentNote) throws { try write(CSVLine.text(note.cells)) }

    private func write(_ text: String) throws {
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Failure(
                    .unavailable,
                    "The report “\(path)” could not be written: \(systemMessage(errno)).")
            }
            left = left.dropFirst(count)
        }
    }
}
