import Bytes
import Glibc
import PDF
import PDFForms
import Storage
import Tables

extension Command {
    static let harvest = Command(
        name: "harvest", summary: "take the values out of filled PDF forms",
        discussion: """
            Prints a table with a row for each form and a column for each field that any of them has, or with --json an \
            array of objects that “quire fill” takes back. FDF and XFDF are what other programs exchange; they hold one \
            form each, so several need a folder. A form that cannot be read is told and left out. No desk is needed.
            """,
        arguments: [Argument(name: "FORM", summary: "a filled form", isRepeating: true, completion: .file)],
        options: [
            Option(
                "to", "FORMAT", "csv, json, fdf or xfdf; csv unless said otherwise",
                completion: .choices(["csv", "json", "fdf", "xfdf"])),
            Option(
                "out", letter: "o", "FOLDER", "where FDF and XFDF of several forms go, a file for each",
                completion: .folder),
            Option("force", letter: "f", nil, "replace files that are there already"),
            Option("password", "PASSWORD", "opens locked forms"),
        ],
        examples: [
            Example("quire harvest returned/*.pdf > answers.csv", "all answers in one table"),
            Example("quire harvest one.pdf --json", "one form as JSON"),
            Example("quire harvest one.pdf --to xfdf > one.xfdf", "for other programs"),
        ],
        run: { call in
            let format = call.value("to") ?? (call.isJSON ? "json" : "csv")
            guard ["csv", "json", "fdf", "xfdf"].contains(format) else {
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
            call.terminal.write(format == "json" ? harvest.json.text + "\n" : harvest.csv)
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
            forms.map { form in
                .object(
                    JSONObject(
                        [("file", JSON.string(form.path))]
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

    var csv: String {
        var text = CSVLine.text(["file"] + names)
        for form in forms {
            text += CSVLine.text([form.path] + names.map { form.values[$0].map(self.text) ?? "" })
        }
        return text
    }
}
