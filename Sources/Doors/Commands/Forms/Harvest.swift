import Bytes
import PDF
import PDFForms
import Storage
import Tables

extension Command {
    static let harvest = Command(
        name: "harvest", summary: "take the values out of filled PDF forms",
        discussion: """
            Prints a table with a row for each form and a column for each field that any of them has, or with --json an \
            array of objects that “quire fill” takes back. A form that cannot be read is told and left out. No desk is needed.
            """,
        arguments: [Argument(name: "FORM", summary: "a filled form", isRepeating: true, completion: .file)],
        options: [Option("password", "PASSWORD", "opens locked forms")],
        examples: [
            Example("quire harvest returned/*.pdf > answers.csv", "all answers in one table"),
            Example("quire harvest one.pdf --json", "one form as JSON"),
        ],
        run: { call in
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
            call.answer(harvest.json) { harvest.csv }
            if failed > 0 { throw ExitCode.invalid }
        })
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
