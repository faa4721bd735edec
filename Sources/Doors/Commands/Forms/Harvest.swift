import Bytes
import Delivery
import Making
import Glibc
import HTTP
import PDF
import PDFForms
import Storage
import Work

extension Command {
    static let harvest = Command(
        name: "harvest", summary: "take the values out of filled PDF forms",
        discussion: """
            Prints a table with a row for each form and a column for each field that any of them has, or with --json an \
            array of objects that “quire fill” takes back. FDF and XFDF are what other programs exchange; they hold one \
            form each, so several need a folder. They are taken in too, as is JSON: some programs send back no form but \
            what was written into it. A form that cannot be read is told and left out. No desk is needed, but \
            for --against: then each form is told by what was sent in it, and what is new or different in it is said.
            """,
        arguments: [
            Argument(
                name: "FORM", summary: "a filled form: PDF, FDF, XFDF or JSON", isRepeating: true,
                completion: .file)
        ],
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
            let isExchange = ["fdf", "xfdf"].contains(ending)
            if call.has("mark"), !call.has("against") {
                throw UsageError(
                    message: "--mark needs to know what was sent", hint: "Say --against BATCH as well.")
            }
            if let out = call.value("out"), call.value("to") == nil, !isTable, !isExchange {
                throw UsageError(
                    message:
                        "--out takes a name that ends in .csv, .xlsx, .json, .fdf or .xfdf, not “\(out)”",
                    hint: "Or say in which form with --to.")
            }
            let word =
                call.value("to")
                ?? (isTable || isExchange ? ending : call.isJSON && !call.has("against") ? "json" : "csv")
            guard let format = Harvest.Format(rawValue: word), format != .xlsx || isTable else {
                throw UsageError(
                    message: "--to takes csv, json, fdf or xfdf, not “\(word)”",
                    hint: "Leave it out for a table.")
            }
            var gathered = Gathered(call)
            try gathered.read()
            if !format.isTable { return try exchange(call, format, gathered) }
            var more: [Harvest.Column] = []
            if let batch = call.value("against") { more = try gathered.compare(batch) }
            if let path = call.value("out") {
                try writeWhole(
                    try gathered.harvest.table(format, and: more, modified: Clock.system.now()),
                    to: call.absolute(path), overwrites: call.has("force"))
                let count = gathered.harvest.forms.count
                call.answer(["path": .string(path), "forms": .int(count)]) {
                    "\(Words.count(count, "form", "forms")) in \(TextTable.harmless(path))\n"
                }
            } else if call.isJSON, call.has("against") {
                call.terminal.write(gathered.json.text + "\n")
            } else {
                let table = try gathered.harvest.table(format, and: more, modified: Clock.system.now())
                call.terminal.write(String(decoding: table, as: UTF8.self))
            }
            if gathered.failed > 0 { throw ExitCode.invalid }
        })
}

extension Command {
    /// A file of form data for each form; one alone goes where the output goes.
    private static func exchange(_ call: Invocation, _ format: Harvest.Format, _ gathered: Gathered) throws {
        let forms = gathered.harvest.forms
        if forms.count > 1, !call.has("out") {
            throw UsageError(
                message: "\(format.rawValue.uppercased()) holds one form, and there are \(forms.count)",
                hint: "Say --out FOLDER for a file for each.")
        }
        let out = call.value("out").map(call.absolute)
        if let out, forms.count == 1, out.lowercased().hasSuffix(".\(format.rawValue)"), !Files.isFolder(out)
        {
            var form = forms[0]
            form.file = Files.name(form.file)
            try writeWhole(form.exchanged(format), to: out, overwrites: call.has("force"))
            call.answer(["files": [.string(out)]]) { "1 form in \(TextTable.harmless(out))\n" }
            if gathered.failed > 0 { throw ExitCode.invalid }
            return
        }
        let folder = out
        if let folder { try Files.makeFolder(folder) }
        var made: [JSON] = []
        for form in forms {
            var form = form
            form.file = Files.name(form.file)
            let bytes = form.exchanged(format)
            guard let folder else {
                call.terminal.write(String(decoding: bytes, as: UTF8.self))
                break
            }
            let result = "\(folder)/\(form.name(as: format))"
            try writeWhole(bytes, to: result, overwrites: call.has("force"))
            made.append(.string(result))
        }
        if let folder {
            call.answer(["files": .array(made)]) {
                "\(Words.count(made.count, "file", "files")) in \(folder)\n"
            }
        }
        if gathered.failed > 0 { throw ExitCode.invalid }
    }
}

/// The forms that were named, as far as they could be read, and what the desk says about them.
private struct Gathered {
    let call: Invocation
    private(set) var harvest = Harvest()
    private(set) var failed = 0
    private var matches: [JSON] = []
    /// With passwords of their own, which the desk gave them.
    private var locked: [String] = []

    init(_ call: Invocation) {
        self.call = call
    }

    /// One that cannot be read is told and left out.
    mutating func read() throws {
        let reader = HarvestReader()
        for path in call.arguments {
            do {
                let forms: [Harvest.Form]? = try withForms {
                    do {
                        return try reader.forms(
                            at: call.absolute(path), named: path, password: call.value("password"))
                    } catch PDFError.passwordNeeded where call.has("against") {
                        return nil
                    } catch PDFError.wrongPassword where call.has("against") {
                        return nil
                    }
                }
                guard let forms else {
                    locked.append(path)
                    continue
                }
                for form in forms {
                    if form.entries.isEmpty {
                        call.terminal.writeError(TextTable.harmless("\(path): \(Harvest.noFields)") + "\n")
                    }
                    harvest.add(form)
                }
            } catch let failure as Failure {
                failed += 1
                call.terminal.writeError(TextTable.harmless("\(path): \(failure.message)") + "\n")
            }
        }
    }

    /// Asks the desk whose forms these are.
    mutating func compare(_ batch: String) throws -> [Harvest.Column] {
        let desk = try call.desk()
        defer { desk.close() }
        let found = try desk.client.one(.batches, batch)
        try unlock(found["id"]?.string ?? "", desk)
        let path = "/batches/\(found["id"]?.string ?? "")/returns"
        let forms = harvest.forms
        for start in stride(from: 0, to: forms.count, by: 500) {
            let some = forms[start..<min(start + 500, forms.count)].map { form -> JSON in
                let fields = form.texts.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
                return ["file": .string(form.file), "fields": .object(JSONObject(fields))]
            }
            let answer = try desk.client.send(
                "POST", path, ["marks": .bool(call.has("mark")), "forms": .array(some)])
            matches += answer["returns"]?.array ?? []
        }
        return ReturnMatch.columns(matches)
    }

    /// What the desk has locked the desk can open.
    private mutating func unlock(_ batch: String, _ desk: DeskSession) throws {
        for path in locked {
            let full = call.absolute(path)
            let file = DeskRequest.File(
                path: full, name: Files.name(path), byteCount: try Files.byteCount(full))
            let query = Fields([
                .init(name: "name", value: Files.name(path)), .init(name: "batch", value: batch),
            ]).urlEncoded
            let kept = try desk.client.upload(
                file, to: "/harvests?\(query)", progress: Progress(cancellation: call.cancellation)
            ).json()
            let id = kept["id"]?.string ?? ""
            let forms = try JSON(parsing: desk.client.text("/harvests/\(id)/file?form=json"))
            try desk.client.send("DELETE", "/harvests/\(id)")
            if let problem = kept["problems"]?[0]?["message"]?.string {
                failed += 1
                call.terminal.writeError(TextTable.harmless("\(path): \(problem)") + "\n")
            }
            for form in try HarvestReader().forms(in: forms.bytes, named: path) {
                harvest.add(Harvest.Form(file: path, entries: form.entries))
            }
        }
    }

    var json: JSON {
        .array(
            harvest.forms.enumerated().map { place, form in
                let match: [(String, JSON)] =
                    matches.indices.contains(place) ? [("match", matches[place])] : []
                return .object(
                    JSONObject(
                        [("file", JSON.string(form.file))] + match
                            + (form.data.json.object ?? [:]).map { ($0.key, $0.value) }))
            })
    }
}
