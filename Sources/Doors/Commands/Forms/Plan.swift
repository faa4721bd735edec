import Bytes
import Making
import Glibc
import Mappings
import PDFForms
import Storage
import Tables
import Work

extension Command {
    static let plan = Command(
        name: "plan", summary: "show what filling a form would make, and make nothing",
        discussion: """
            Takes what “quire fill” takes, tries every row, and lists for each the document it would become and what \
            is wrong with it: values that are missing or cannot be worked out, text that does not fit, characters that \
            no font has, choices the form does not offer, names that meet.

            --save writes the plan into a file, a line of JSON for each document. “quire apply” makes exactly what it \
            says, and nothing when the form or the table has changed since. Lines may be taken out of it: their \
            documents are not made.
            """,
        arguments: [
            Argument(name: "FORM", summary: "a PDF form", completion: .file),
            Argument(name: "TABLE", summary: "a table; - for standard input", completion: .file),
        ],
        options: [
            Option("save", "PLAN", "write the plan into a file for “quire apply”", completion: .file),
            Option("csv", nil, "as a table with commas"),
            Option("problems", nil, "only rows with problems"),
        ] + Option.ofMappings + Option.ofRuns + DocumentWishes.options + Option.ofTables,
        examples: [
            Example(
                "quire plan consent.pdf people.csv --problems", "what needs a look before anything is made"),
            Example("quire plan consent.pdf people.csv --save week.plan", "look now, make later"),
        ],
        run: { call in
            try withForms {
                let task = try FormTask(call)
                var table = try FormTable(task.table, options: task.tableOptions)
                let mapping = try task.mapping()
                let wanted = try RunSettings(call, task).settings
                var settings = wanted
                settings.destination = .nowhere
                let prepared = try PreparedTask(
                    task, table, mapping, suggests: true, DocumentWishes(call), settings)
                try prepared.tell()
                try Planning(prepared, wanted).run(&table)
            }
        })

    static let apply = Command(
        name: "apply", summary: "make what a saved plan says",
        discussion: """
            Makes the documents of a plan that “quire plan --save” wrote. When the form or the table is not what it was \
            then, nothing is made. Rows whose lines were taken out of the plan are left out.
            """,
        arguments: [Argument(name: "PLAN", summary: "a saved plan", completion: .file)],
        options: [
            Option("out", letter: "o", "FOLDER", "another folder than the plan says", completion: .folder),
            Option("zip", "FILE", "one ZIP archive instead", completion: .file),
            Option("merged", "FILE", "one PDF with all documents instead", completion: .file),
            Option("form-password", "PASSWORD", "opens a locked form"),
            Option("receipts", nil, "write for each document what went into it and where from, as JSON"),
            Option("proof", nil, "read every document again before it is kept, not only the first"),
            Option(
                "proof-pictures", nil,
                "and draw and read each, to see that every value is there; slow"),
            Option("force", letter: "f", nil, "replace files that are there already"),
            Option("jobs", letter: "j", "NUMBER", "how many documents are made at the same time"),
            Option("report", "FILE", "write every finding into a table", completion: .file),
        ],
        examples: [Example("quire apply week.plan", "make what was planned, unless something has changed")],
        run: { call in try withForms { try SavedPlan(call).apply() } })
}

/// A run that makes nothing, listed on the screen or saved.
private struct Planning {
    private let prepared: PreparedTask
    private let wanted: FormRun.Settings
    private var call: Invocation { prepared.task.call }
    private static let toldRows = 1000
    private static let jsonRows = 100_000

    init(_ prepared: PreparedTask, _ wanted: FormRun.Settings) {
        self.prepared = prepared
        self.wanted = wanted
    }

    func run(_ table: inout FormTable) throws {
        let file = try call.value("save").map {
            try PlanFile(
                writing: call.absolute($0), PlanHeader(prepared, wanted), overwrites: call.has("force"))
        }
        var list = TextTable(["Row", "Document", "Problems"], rightAligned: [0])
        var rows: [JSON] = []
        var listed = 0
        var doubtful = 0
        var counts = NoteCounts()
        if call.has("csv"), !call.isJSON {
            call.terminal.write(CSVLine.text(["row", "document", "problems"]))
        }
        do {
            let result = try call.withProgress("Planning") { progress in
                try prepared.run.run(&table, progress: progress) { outcome in
                    try file?.add(outcome)
                    let notes = DocumentNote.all(outcome).filter {
                        $0.isSerious || $0.kind == MappingProblem.Kind.name.rawValue
                    }
                    if !notes.isEmpty { doubtful += 1 }
                    counts.add(notes)
                    guard !notes.isEmpty || !call.has("problems") else { return }
                    listed += 1
                    if call.isJSON {
                        if rows.count < Self.jsonRows { rows.append(PlanFile.line(outcome)) }
                    } else if call.has("csv") {
                        call.terminal.write(CSVLine.text(cells(outcome, notes)))
                    } else if listed <= Self.toldRows {
                        list.add(cells(outcome, notes))
                    }
                }
            }
            try file?.finish()
            answer(result, list, rows, listed, doubtful, counts)
        } catch {
            file?.abandon()
            throw error
        }
    }

    private func cells(_ outcome: FormRun.Outcome, _ notes: [DocumentNote]) -> [String] {
        [
            String(outcome.place), outcome.fileName ?? "–",
            notes.map { note in (note.field.map { "\($0): " } ?? "") + note.message }.joined(separator: " "),
        ]
    }

    private func answer(
        _ result: FormRun.Report, _ list: TextTable, _ rows: [JSON], _ listed: Int, _ doubtful: Int,
        _ counts: NoteCounts
    ) {
        let view: JSON = [
            "documents": .int(result.made), "failed": .int(result.failed), "skipped": .int(result.skipped),
            "doubtful": .int(doubtful), "problems": counts.json, "mapping": prepared.json,
            "rows": .array(rows),
        ]
        call.answer(view) {
            if call.has("csv") { return "" }
            var text = listed > 0 ? list.text(call.terminal.outputStyle) : ""
            if listed > Self.toldRows {
                text += "… and \(listed - Self.toldRows) more; --csv lists them all.\n"
            }
            text += "\(Words.count(result.made, "document", "documents")) would be made"
            if doubtful > 0 { text += ", \(Words.count(doubtful, "row has", "rows have")) problems" }
            if result.skipped > 0 {
                text += "; \(Words.count(result.skipped, "row is", "rows are")) not meant"
            }
            return text + ".\n" + counts.text
        }
        if let path = call.value("save") { call.hint("“quire apply \(path)” makes them.") }
    }
}

/// What is the matter with how many rows: a line for each field, and for each word that is no choice of it.
private struct NoteCounts {
    private struct Subject: Hashable {
        var field: String?
        var kind: String
        var value: String?
    }

    private static let toldLines = 20
    private static let mostSubjects = 500
    private var found: [Subject: (rows: Int, message: String)] = [:]

    mutating func add(_ notes: [DocumentNote]) {
        var seen: Set<Subject> = []
        for note in notes {
            let subject = Subject(field: note.field, kind: note.kind, value: note.value)
            guard found[subject] != nil || found.count < Self.mostSubjects, seen.insert(subject).inserted
            else {
                continue
            }
            found[subject, default: (0, note.message)].rows += 1
        }
    }

    private var sorted: [(subject: Subject, rows: Int, message: String)] {
        found.map { ($0.key, $0.value.rows, $0.value.message) }.sorted { a, b in
            (b.rows, a.subject.field ?? "", a.message) < (a.rows, b.subject.field ?? "", b.message)
        }
    }

    var text: String {
        let lines = sorted
        guard !lines.isEmpty else { return "" }
        var text = ""
        for line in lines.prefix(Self.toldLines) {
            let field = line.subject.field.map { "\($0): " } ?? ""
            text +=
                "  \(Words.count(line.rows, "row", "rows")): \(TextTable.harmless(field + line.message))\n"
        }
        return lines.count > Self.toldLines ? text + "  … and \(lines.count - Self.toldLines) more.\n" : text
    }

    var json: JSON {
        .array(
            sorted.map { line in
                [
                    "field": .optional(line.subject.field), "kind": .string(line.subject.kind),
                    "value": .optional(line.subject.value), "rows": .int(line.rows),
                    "message": .string(line.message),
                ]
            })
    }
}
