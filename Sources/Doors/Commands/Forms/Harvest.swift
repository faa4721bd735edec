import Bytes
import Glibc
import PDF
import PDFForms
import Storage
import Tables
import Work

extension Command {
    static let harvest = Command(
        name: "harvest", summary: "take the values out of filled PDF forms",
        discussion: """
            Prints a table with a row for each form and a column for each field that any of them has, or with --json an \
            array of objects that “quire fill” takes back. FDF and XFDF are what other programs exchange; they hold one \
            form each, so several need a folder. A form that cannot be read is told and left out. No desk is needed, but \
            for --against: then each form is told by what was sent in it, and what is new or different in it is said.
            """,
        arguments: [Argument(name: "FORM", summary: "a filled form", isRepeating: true, completion: .file)],
        options: [
            Option(
                "to", "FORMAT", "csv, json, fdf or xfdf; csv unless said otherwise",
                completion: .choices(["csv", "json", "fdf", "xfdf"])),
            Option(
                "out", letter: "o", "FILE|FOLDER",
                "the table, as .csv, .xlsx or .json; for FDF and XFDF of several forms a folder",
                completion: .file),
            Option("against", "BATCH", "compare with what was sent with this batch"),
            Option("mark", nil, "say in the ledger that those found came back"),
            Option("force", letter: "f", nil, "replace files that are there already"),
            Option("password", "PASSWORD", "opens locked forms"), .database,
        ],
        examples: [
            Example("quire harvest returned/*.pdf > answers.csv", "all answers in one table"),
            Example(
                "quire harvest returned/*.pdf --out answers.xlsx --against Consent --mark",
                "whose they are, and what is new"),
            Example("quire harvest one.pdf --json", "one form as JSON"),
            Example("quire harvest one.pdf --to xfdf > one.xfdf", "for other programs"),
        ],
        run: { call in
            let ending =
                call.value("out").flatMap { $0.split(separator: ".").last.map { $0.lowercased() } } ?? ""
            let isTable = ["csv", "xlsx", "json"].contains(ending)
            let format =
                call.value("to") ?? (isTable ? ending : call.isJSON && !call.has("against") ? "json" : "csv")
            guard ["csv", "xlsx", "json", "fdf", "xfdf"].contains(format), format != "xlsx" || isTable else {
                throw UsageError(
                    message: "--to takes csv, json, fdf or xfdf, not “\(format)”",
                    hint: "Leave it out for a table.")
            }
            if format.hasSuffix("fdf") { return try exchange(call, format) }
            var harvest = Harvest()
            var failed = 0
            for path in call.arguments {
                do {
                    harvest.add(
                        path,
                        try withForms {
                            try Form(path: call.absolute(path), password: call.value("password"))
                        })
                } catch let failure as Failure {
                    failed += 1
                    call.terminal.writeError(TextTable.harmless("\(path): \(failure.message)") + "\n")
                }
            }
            if let batch = call.value("against") { try harvest.compare(call, batch) }
            if isTable, let path = call.value("out") {
                try writeWhole(
                    try harvest.table(format), to: call.absolute(path), overwrites: call.has("force"))
                call.answer(["path": .string(path), "forms": .int(harvest.count)]) {
                    "\(Words.count(harvest.count, "form", "forms")) in \(TextTable.harmless(path))\n"
                }
            } else if call.isJSON, call.has("against") {
                call.terminal.write(harvest.json.text + "\n")
            } else {
                call.terminal.write(String(decoding: try harvest.table(format), as: UTF8.self))
            }
            if failed > 0 { throw ExitCode.invalid }
        })
}

extension Command {
    /// A file of form data for each form; one alone goes where the output goes.
    private static func exchange(_ call: Invocation, _ format: String) throws {
        if call.arguments.count > 1, !call.has("out") {
            throw UsageError(
                message: "\(format.uppercased()) holds one form, and there are \(call.arguments.count)",
                hint: "Say --out FOLDER for a file for each.")
        }
        let folder = call.value("out").map(call.absolute)
        if let folder, !Files.isFolder(folder), mkdir(folder, 0o755) != 0 {
            throw Failure(.unavailable, "“\(folder)” could not be made: \(Files.reason).")
        }
        var made: [JSON] = []
        var failed = 0
        for path in call.arguments {
            do {
                let form = try withForms {
                    try Form(path: call.absolute(path), password: call.value("password"))
                }
                let name = Files.name(path)
                let data = FormData(form, name: name)
                let bytes = format == "fdf" ? data.fdf : Array(data.xfdf.utf8)
                guard let folder else {
                    call.terminal.write(String(decoding: bytes, as: UTF8.self))
                    return
                }
                let stem = name.lowercased().hasSuffix(".pdf") ? String(name.dropLast(4)) : name
                let result = "\(folder)/\(stem).\(format)"
                try writeWhole(bytes, to: result, overwrites: call.has("force"))
                made.append(.string(result))
            } catch let failure as Failure {
                failed += 1
                call.terminal.writeError(TextTable.harmless("\(path): \(failure.message)") + "\n")
            }
        }
        call.answer(["files": .array(made)]) {
            folder.map { "\(Words.count(made.count, "file", "files")) in \($0)\n" } ?? ""
        }
        if failed > 0 { throw ExitCode.invalid }
    }
}

/// Values of many forms side by side.
private struct Harvest {
    private var names: [String] = []
    private var known: Set<String> = []
    private var forms: [(path: String, values: [String: Field])] = []
    /// What the desk said about each.
    private var matches: [JSON] = []

    mutating func add(_ path: String, _ form: Form) {
        var values: [String: Field] = [:]
        for field in form.fields
        where field.kind != .pushButton && field.kind != .signature && field.kind != .unknown {
            if known.insert(field.name).inserted { names.append(field.name) }
            if values[field.name]?.value.isEmpty ?? true { values[field.name] = field }
        }
        forms.append((path, values))
    }

    var json: JSON {
        .array(
            forms.enumerated().map { place, form in
                let match: [(String, JSON)] =
                    matches.indices.contains(place) ? [("match", matches[place])] : []
                return .object(
                    JSONObject(
                        [("file", JSON.string(form.path))] + match
                            + names.compactMap { name in form.values[name].map { (name, view($0)) } }))
            })
    }

    private func view(_ field: Field) -> JSON {
        field.value.count == 1
            ? .string(text(field)) : field.value.isEmpty ? .string("") : .array(field.value.map(JSON.string))
    }

    /// Off is no answer, and line ends are those of tables.
    private func text(_ field: Field) -> String {
        if field.isBox, field.value == ["Off"] { return "" }
        return field.value.joined(separator: "; ").replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    var count: Int { forms.count }

    /// Asks the desk whose forms these are.
    mutating func compare(_ call: Invocation, _ batch: String) throws {
        let desk = try call.desk()
        defer { desk.close() }
        let found = try desk.client.one(.batches, batch)
        let path = "/batches/\(found["id"]?.string ?? "")/returns"
        for start in stride(from: 0, to: forms.count, by: 500) {
            let some = forms[start..<min(start + 500, forms.count)]
            let answer = try desk.client.send(
                "POST", path,
                [
                    "marks": .bool(call.has("mark")),
                    "forms": .array(
                        some.map { form in
                            [
                                "file": .string(form.path),
                                "fields": .object(
                                    JSONObject(
                                        names.compactMap { name in
                                            form.values[name].map { (name, .string(text($0))) }
                                        })),
                            ]
                        }),
                ])
            matches += answer["returns"]?.array ?? []
        }
    }

    private static let compared = ["recipient", "found by", "changed", "added"]

    private func compared(_ place: Int) -> [String] {
        guard matches.indices.contains(place) else { return [] }
        let match = matches[place]
        let changed = (match["changed"]?.array ?? []).map {
            "\($0["field"]?.string ?? ""): \($0["sent"]?.string ?? "") → \($0["returned"]?.string ?? "")"
        }
        return [
            match["name"]?.string ?? "", match["how"]?.string ?? "", changed.joined(separator: "; "),
            (match["added"]?.array ?? []).compactMap(\.string).joined(separator: "; "),
        ]
    }

    /// As a file: one row for each form.
    func table(_ format: String) throws -> [UInt8] {
        guard format != "json" else { return Array((json.text + "\n").utf8) }
        let columns = ["file"] + (matches.isEmpty ? [] : Self.compared) + names
        func rows(_ add: ([Cell]) throws -> Void) throws {
            for (place, form) in forms.enumerated() {
                let values = names.map { form.values[$0].map(text) ?? "" }
                try add(([form.path] + compared(place) + values).map { Cell($0) })
            }
        }
        let output = Output()
        if format == "xlsx" {
            try TableWriter.xlsx(
                columns: columns, sheet: "Answers", modified: Clock.system.now(), to: { output.bytes += $0 },
                rows: rows)
        } else {
            try TableWriter.csv(columns: columns, hasMark: false, to: { output.bytes += $0 }, rows: rows)
        }
        return output.bytes
    }

    private final class Output {
        var bytes: [UInt8] = []
    }
}
