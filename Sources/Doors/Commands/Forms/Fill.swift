import Bytes
import FormRuns
import Glibc
import PDF
import PDFForms
import Storage
import Tables
import Work

extension Command {
    static let fill = Command(
        name: "fill", summary: "fill a PDF form from a table, one document for each row",
        discussion: """
            The table is a file with commas, semicolons or tabs, or a JSON array of objects. Its columns fill the \
            fields that are called like them; “quire fields” lists those. A box takes yes and no, or the name of its state.

            Every value is drawn, so that each program shows it. What does not fit is told and the other documents are \
            made all the same. Nothing that is there already is replaced without --force. No desk is needed.
            """,
        arguments: [
            Argument(name: "FORM", summary: "a PDF form", completion: .file),
            Argument(name: "TABLE", summary: "a table as .csv or .json", completion: .file),
        ],
        options: [
            Option(
                "out", letter: "o", "FOLDER", "where the documents go; made when it is not there",
                completion: .folder),
            Option("name", "PATTERN", "what files are called, with columns in braces: '{last name} {row}'"),
            Option("map", "COLUMN=FIELD", "fill a field from a column of another name", isRepeating: true),
            Option("flatten", nil, "make the fields part of the page, so that nothing can be changed"),
            Option("force", letter: "f", nil, "replace files that are there already"),
            Option("proof", nil, "read every document again before it is kept, not only the first"),
            Option("report", "FILE", "write every finding into a table", completion: .file),
            Option("threads", "NUMBER", "how many documents are made at the same time"),
            Option("password", "PASSWORD", "opens a locked form"),
        ],
        examples: [
            Example("quire fill consent.pdf people.csv --out forms", "300 rows, 300 documents"),
            Example(
                "quire fill w9.pdf vendors.csv --map Vendor=f1_1 --name '{Vendor}' --flatten",
                "with columns of other names, not to be changed any more"),
        ],
        run: { call in try withForms { try FillRun(call).run() } })
}

/// One call of `quire fill`.
private struct FillRun {
    private let call: Invocation
    private let formPath: String
    /// Told on the screen; all of them go into the report.
    private static let toldFindings = 8
    private static let jsonFindings = 1000

    init(_ call: Invocation) {
        self.call = call
        formPath = call.absolute(call.arguments[0])
    }

    func run() throws {
        var records = try Records(path: call.absolute(call.arguments[1]))
        var options = PreparedForm.Options()
        options.base = .automatic(copies: records.count ?? 1)
        options.flattens = call.has("flatten") ? .all : .none
        let form = try PreparedForm(path: formPath, password: call.value("password"), options: options)
        let run = FormRun(form: form, settings: try settings())
        let columns = run.match(records.columns, mapping: try mapping(records.columns, form))
        try explain(columns, form)

        let report = try call.value("report").map {
            try ReportFile(call.absolute($0), overwrites: call.has("force"))
        }
        var told = 0
        var notes: [JSON] = []
        let result = try call.withProgress("Filling") { progress in
            try run.run(&records, columns: columns, progress: progress) { outcome in
                for note in Note.all(outcome) {
                    try report?.add(note)
                    if notes.count < Self.jsonFindings { notes.append(note.json) }
                    guard note.isSerious, !call.isJSON else { continue }
                    told += 1
                    if told <= Self.toldFindings {
                        call.terminal.writeError("\(TextTable.harmless(note.line))\n")
                    }
                }
            }
        }
        if told > Self.toldFindings {
            call.hint("… and \(told - Self.toldFindings) more; --report FILE writes them all down.")
        }
        call.answer(view(result, run.settings.folder, columns, form, notes)) {
            sentence(result, run.settings.folder)
        }
        if result.failed > 0 { throw ExitCode.invalid }
    }

    private func settings() throws -> FormRun.Settings {
        let stem =
            call.arguments[0].split(separator: "/").last.map {
                $0.split(separator: ".").dropLast().joined(separator: ".")
            } ?? ""
        let folder = call.value("out") ?? (stem.isEmpty ? "filled" : "\(stem)-filled")
        var settings = FormRun.Settings(
            folder: call.absolute(folder), namePattern: call.value("name") ?? "{row}",
            threads: max(1, min(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 16)))
        if let words = call.value("threads") {
            guard let threads = Int(words), (1...64).contains(threads) else {
                throw UsageError(
                    message: "--threads takes a number from 1 to 64, not “\(words)”",
                    hint: "Leave it out to use all cores.")
            }
            settings.threads = threads
        }
        settings.overwrites = call.has("force")
        settings.provesAll = call.has("proof")
        return settings
    }

    private func mapping(_ columns: [String], _ form: PreparedForm) throws -> [String: String] {
        var mapping: [String: String] = [:]
        for pair in call.options["map"] ?? [] {
            guard let split = pair.firstIndex(of: "="), split != pair.startIndex else {
                throw UsageError(
                    message: "--map takes COLUMN=FIELD, not “\(pair)”", hint: "For example --map Vendor=f1_1."
                )
            }
            let column = String(pair[..<split])
            let field = String(pair[pair.index(after: split)...])
            guard columns.contains(column) else {
                throw Failure(
                    .invalid,
                    "The table has no column “\(column)”. It has \(columns.joined(separator: ", ")).")
            }
            guard form.field(meantBy: field) != nil else {
                throw Failure(.invalid, "The form has no field “\(field)”. “quire fields” lists them.")
            }
            mapping[column] = field
        }
        return mapping
    }

    private func explain(_ columns: [FormRun.Column], _ form: PreparedForm) throws {
        let unused = columns.filter { $0.field == nil }
        guard unused.count < columns.count else {
            throw Failure(
                .invalid,
                "No column of the table is called like a field of the form. “quire fields” lists the fields; --map COLUMN=FIELD connects them."
            )
        }
        for remark in form.remarks { call.hint(remark) }
        if !unused.isEmpty {
            call.hint("Not used, as no field is called so: \(unused.map(\.name).joined(separator: ", ")).")
        }
        for column in columns where column.field != nil && column.field != column.name {
            call.hint("“\(column.name)” fills \(column.field ?? "").")
        }
    }

    private func sentence(_ result: FormRun.Report, _ folder: String) -> String {
        var text =
            "\(Words.count(result.made, "document", "documents")) in \(folder), \(Words.size(Int64(result.byteCount)))"
        if result.failed > 0 { text += "; \(Words.count(result.failed, "row was", "rows were")) left out" }
        if result.seriousFindings > 0 {
            text += "; \(Words.count(result.seriousFindings, "value needs", "values need")) a look"
        }
        let gentle = result.findings - result.seriousFindings
        if gentle > 0 { text += "; \(Words.count(gentle, "value was", "values were")) made to fit" }
        return text + ".\n"
    }

    private func view(
        _ result: FormRun.Report, _ folder: String, _ columns: [FormRun.Column], _ form: PreparedForm,
        _ notes: [JSON]
    ) -> JSON {
        [
            "folder": .string(folder), "made": .int(result.made), "failed": .int(result.failed),
            "findings": .int(result.findings), "seriousFindings": .int(result.seriousFindings),
            "byteCount": .int(result.byteCount), "keepsOriginal": .bool(form.keepsOriginal),
            "remarks": .array(form.remarks.map(JSON.string)),
            "columns": .array(columns.map { ["name": .string($0.name), "field": .optional($0.field)] }),
            "notes": .array(notes),
        ]
    }
}

/// A line about one document: why it was not made, or what is to be known about one of its fields.
private struct Note {
    var place: Int
    var file: String?
    var field: String?
    var kind: String
    var message: String
    var isSerious: Bool

    static func all(_ outcome: FormRun.Outcome) -> [Note] {
        if let failure = outcome.failure {
            return [Note(place: outcome.place, kind: "failed", message: failure, isSerious: true)]
        }
        return outcome.findings.map {
            Note(
                place: outcome.place, file: outcome.fileName, field: $0.field, kind: $0.kind.rawValue,
                message: $0.message,
                isSerious: $0.isSerious)
        }
    }

    var line: String { "Row \(place)" + (field.map { ", \($0)" } ?? "") + ": \(message)" }

    var json: JSON {
        [
            "row": .int(place), "file": .optional(file), "field": .optional(field), "kind": .string(kind),
            "message": .string(message), "serious": .bool(isSerious),
        ]
    }

    var cells: [String] { [String(place), file ?? "", field ?? "", kind, message] }
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
                .conflict, "The report “\(path)” could not be written: \(String(cString: strerror(errno))).")
        }
        try write(CSVLine.text(["row", "file", "field", "kind", "message"]))
    }

    deinit { close(file) }

    func add(_ note: Note) throws { try write(CSVLine.text(note.cells)) }

    private func write(_ text: String) throws {
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Failure(
                    .unavailable,
                    "The report “\(path)” could not be written: \(String(cString: strerror(errno))).")
            }
            left = left.dropFirst(count)
        }
    }
}
