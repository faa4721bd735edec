import Bytes
import Storage
import Work

extension Command {
    static let template = Command(
        name: "template", summary: "forms that packets are made from",
        discussion: "A form is filled again and again for the people of a list; see also quire batch.",
        examples: [
            Example("quire template add consent.pdf", "take in a form, and say what is in it"),
            Example("quire template list", "the forms of the desk"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show the forms",
                arguments: [.words], options: [.trash, .database],
                examples: [Example("quire template list consent", "those with this word in their name")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let found = try desk.client.all(
                        .templates, matching: call.arguments.joined(separator: " "),
                        inTrash: call.has("trash"))
                    call.answer(["templates": .array(found)]) {
                        guard !found.isEmpty else {
                            return call.has("trash")
                                ? "No form lies in the trash.\n"
                                : "There are no forms. Begin with: quire template add FILE\n"
                        }
                        var table = TextTable(
                            ["Form", "Folder", "Pages", "Fields", "Id"], rightAligned: [2, 3])
                        for template in found {
                            let edition = template["edition"]
                            table.add([
                                template["name"]?.string ?? "", template["folder"]?.string ?? "",
                                "\(edition?["pageCount"]?.int ?? 0)", "\(edition?["fieldCount"]?.int ?? 0)",
                                template["id"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "show", summary: "show the fields of a form",
                arguments: [.form], options: [.database],
                examples: [
                    Example(
                        "quire template show Consent", "what can be filled, and what each field is called")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    var template = try desk.client.one(.templates, call.arguments[0])
                    let fields = try desk.client.get("/templates/\(template["id"]?.string ?? "")/fields")[
                        "fields"]
                    template["fields"] = fields
                    let mappings = try desk.client.get(
                        "/templates/\(template["id"]?.string ?? "")/mappings")["mappings"]
                    template["mappings"] = mappings
                    call.answer(template) {
                        var table = TextTable(["Field", "Label", "Kind", "Page"], rightAligned: [3])
                        for field in fields?.array ?? [] {
                            table.add([
                                field["name"]?.string ?? "", field["label"]?.string ?? "",
                                field["kind"]?.string ?? "",
                                field["places"]?[0]?["page"]?.int.map { "\($0)" } ?? "",
                            ])
                        }
                        let names = (mappings?.array ?? []).compactMap { $0["name"]?.string }
                        return table.text(call.terminal.outputStyle)
                            + (names.isEmpty
                                ? ""
                                : "Kept mappings: \(TextTable.harmless(names.joined(separator: ", ")))\n")
                    }
                }),
            Command(
                name: "add", summary: "take in forms",
                arguments: [
                    Argument(
                        name: "FILE", summary: "PDF files with fields, or their addresses on the web",
                        isOptional: true, isRepeating: true, completion: .file)
                ],
                options: [
                    Option("paper", "PAPER", "a paper of the library instead", isRepeating: true),
                    Option("starter", "NAME", "one of ours: letter, invoice, consent, certificate, badges"),
                    .database,
                ],
                examples: [
                    Example("quire template add consent.pdf", "under the name “consent”"),
                    Example("quire template add https://www.irs.gov/pub/irs-pdf/fw9.pdf", "from the web"),
                    Example("quire template add --starter certificate", "a form of ours to begin with"),
                ],
                run: { call in
                    let papers = call.options["paper"] ?? []
                    guard !call.arguments.isEmpty || !papers.isEmpty || call.has("starter") else {
                        throw UsageError(
                            message: "which form?",
                            hint: "quire template add FILE, an address, --paper PAPER or --starter NAME.")
                    }
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    func taken(_ answer: JSON) -> [JSON] { answer["templates"]?.array ?? [] }
                    var added: [JSON] = []
                    for name in papers {
                        let id = try desk.client.document(name).id
                        added += taken(try desk.client.send("POST", "/templates", ["document": .string(id)]))
                    }
                    if let key = call.value("starter") {
                        added += taken(try desk.client.send("POST", "/templates", ["starter": .string(key)]))
                    }
                    let (answers, failures) = try call.addAll { argument in
                        if argument.hasPrefix("https://") || argument.hasPrefix("http://") {
                            return taken(
                                try desk.client.send("POST", "/templates", ["address": .string(argument)]))
                        }
                        let file = try call.file(argument)
                        return taken(
                            try call.withProgress("Adding", unit: .bytes) {
                                try desk.client.upload(file, to: "/templates", progress: $0)
                            }.json())
                    }
                    added += answers.flatMap { $0 }
                    call.answer(["templates": .array(added), "failed": .array(failures.map(\.json))]) {
                        added.map(Self.report).joined()
                    }
                    try call.tell(failures)
                }),
            .templateReplace, .templateEditions, .templateMappings,
            Command(
                name: "remove", summary: "put forms into the trash",
                arguments: [
                    Argument(
                        name: "FORM", summary: "names or ids, as quire template list shows them",
                        isRepeating: true)
                ],
                options: [.database],
                examples: [
                    Example("quire template remove Consent", "packets made from it can still be opened")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    call.sayRemoved(
                        try desk.client.remove(.templates, call.arguments), by: "template restore")
                }),
            Command(
                name: "restore", summary: "take forms out of the trash",
                arguments: [
                    Argument(
                        name: "FORM", summary: "names or ids, as quire template list --trash shows them",
                        isRepeating: true)
                ],
                options: [.database],
                examples: [Example("quire template restore Consent", "with its editions and mappings")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    call.sayRestored(try desk.client.restore(.templates, call.arguments))
                }),
            Command(
                name: "export", summary: "copy a form to a file",
                arguments: [
                    .form,
                    Argument(
                        name: "FILE", summary: "where to; the folder you are in if left out",
                        isOptional: true,
                        completion: .file),
                ],
                options: [.database],
                examples: [Example("quire template export Consent consent.pdf", "as it was taken in")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let template = try desk.client.one(.templates, call.arguments[0])
                    let name = Files.name(template["edition"]?["fileName"]?.string ?? "form.pdf")
                    let path = try call.newFile(
                        call.arguments.count > 1 ? call.arguments[1] : ".", named: name)
                    try call.withProgress("Fetching", unit: .bytes) {
                        try desk.client.download(
                            "/templates/\(template["id"]?.string ?? "")/file", to: path, progress: $0)
                    }
                    call.answer(["path": .string(path), "template": template]) {
                        "\(TextTable.harmless(path))\n"
                    }
                }),
        ])

    private static func report(_ template: JSON) -> String {
        let report = template["report"]
        var text = "“\(TextTable.harmless(template["name"]?.string ?? ""))”: "
        text += Words.count(report?["pageCount"]?.int ?? 0, "page", "pages") + ", "
        text += Words.count(report?["fieldCount"]?.int ?? 0, "field", "fields") + "\n"
        for remark in report?["remarks"]?.array ?? [] {
            text += "  \(TextTable.harmless(remark["message"]?.string ?? ""))\n"
        }
        return text
    }
}

/// A file that could not be taken in, and why.
struct AddingFailure {
    var file: String
    var failure: Failure

    var json: JSON { ["file": .string(file), "reason": .string(failure.message)] }
}

extension Invocation {
    /// Takes in everything that was named; what cannot be stops none of the others.
    func addAll<R>(
        _ add: (_ argument: String) throws -> R
    ) throws -> (added: [R], failures: [AddingFailure]) {
        var added: [R] = []
        var failures: [AddingFailure] = []
        for argument in arguments {
            do {
                added.append(try add(argument))
            } catch let failure as Failure where failure.code != .cancelled {
                failures.append(AddingFailure(file: argument, failure: failure))
            }
        }
        return (added, failures)
    }

    func file(_ argument: String) throws -> DeskRequest.File {
        let path = absolute(argument)
        return DeskRequest.File(path: path, name: Files.name(path), byteCount: try Files.byteCount(path))
    }

    /// The first failure ends the command; the others are told before.
    func tell(_ failures: [AddingFailure]) throws {
        guard let first = failures.first else { return }
        if arguments.count == 1 { throw first.failure }
        for failure in failures {
            terminal.writeError(TextTable.harmless("\(failure.file): \(failure.failure.message)") + "\n")
        }
        throw ExitCode(first.failure.code)
    }
}

extension Argument {
    static let words = Argument(
        name: "WORDS", summary: "only those with these words in their name", isOptional: true,
        isRepeating: true)
    static let form = Argument(name: "FORM", summary: "its name or its id, as quire template list shows them")
}

extension Invocation {
    /// A path where nothing is yet; in a folder under this name.
    func newFile(_ given: String, named name: String) throws -> String {
        var path = absolute(given)
        if Files.isFolder(path) { path += "/" + name }
        guard !Files.exists(path) else {
            throw Failure(.conflict, "\(path) is there already. Name another file, or move that one away.")
        }
        return path
    }
}
