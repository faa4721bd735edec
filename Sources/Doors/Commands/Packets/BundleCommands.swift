import Bundling
import Bytes
import Delivery
import Mappings
import PDFForms
import Storage
import Tables
import Work

extension NamedThings {
    static let bundles = NamedThings(
        path: "/bundles", key: "bundles", noun: "bundle", listing: "quire bundle list", isPaged: false)
}

extension Argument {
    private static let what = "its name or its id, as quire bundle list shows them"
    fileprivate static let bundle = Argument(name: "BUNDLE", summary: what)
    fileprivate static let bundleFile = Argument(
        name: "FILE", summary: "a file that ends in \(Bundle.ending)", completion: .file)
}

extension Command {
    static let bundle = Command(
        name: "bundle", summary: "give a batch away in one file, and take in those of others",
        discussion: """
            A bundle is a batch without its people: forms, mappings, letter, choices, the columns a list needs, and \
            examples of people there are not. Whoever takes it in begins a batch for a list of their own.
            """,
        examples: [
            Example("quire bundle make Consent --out consent\(Bundle.ending)", "to give away"),
            Example("quire bundle show consent\(Bundle.ending)", "what is in it, before it is kept"),
            Example("quire bundle take consent\(Bundle.ending)", "its forms and mappings onto the desk"),
            Example("quire bundle begin Consent", "a batch; then choose the list"),
        ],
        subcommands: [
            .bundleMake, .bundleShow, .bundleTake, .bundleList, .bundleBegin, .bundleUnpack, .bundleRemove,
            .bundleRestore, .bundleExample,
        ])

    private static let bundleMake = Command(
        name: "make", summary: "put a batch, or a form and its mapping, into one file",
        discussion: """
            Of a batch of the desk; or, without a desk, of files as quire fill uses them. Rows of a real list go along \
            only with --real-rows: whoever has the file can read them. Otherwise the columns have invented examples.
            """,
        arguments: [
            Argument(name: "BATCH", summary: "its name or its id, unless --form is given", isOptional: true)
        ],
        options: [
            Option(
                "out", letter: "o", "FILE", "where to; NAME\(Bundle.ending) if left out", completion: .file),
            Option("real-rows", "COUNT", "so many first rows of the real list, up to \(Bundle.mostRows)"),
            Option("form", "FILE", "a PDF form instead of a batch", isRepeating: true, completion: .file),
            Option(
                "map", "FILE", "the mapping of that form, in the same order", isRepeating: true,
                completion: .file),
            Option(
                "table", "FILE", "a table with the columns it needs; its rows stay here", completion: .file),
            Option("name", "NAME", "what the bundle is called"), PDFWork.force, .database,
        ],
        examples: [
            Example("quire bundle make Consent", "into Consent\(Bundle.ending)"),
            Example(
                "quire bundle make --form consent.pdf --map consent.map --table people.csv", "without a desk"),
        ],
        run: { call in
            guard call.arguments.isEmpty == call.has("form") else {
                throw UsageError(
                    message: call.has("form") ? "either a batch or --form" : "which batch?",
                    hint: "quire bundle make BATCH, or quire bundle make --form FILE --map FILE.")
            }
            if call.has("form") { return try BundleWork.makeOfFiles(call) }
            let desk = try call.desk()
            defer { desk.close() }
            let batch = try desk.client.one(.batches, call.arguments[0])
            let name = batch["name"]?.string ?? "batch"
            let target = try call.newFile(
                call.value("out") ?? Files.name(titled: name) + Bundle.ending, named: name + Bundle.ending)
            let path = "/batches/\(batch["id"]?.string ?? "")/bundle"
            let query = call.value("real-rows").map { [("realRows", $0)] } ?? []
            let content = try desk.client.get(path, query)
            try call.withProgress("Packing", unit: .bytes) {
                try desk.client.download(
                    DeskRequest("GET", path + "/file", query: query).target, to: target, progress: $0)
            }
            call.answer(["path": .string(target), "content": content["content"] ?? .null]) {
                "\(TextTable.harmless(target))\n"
            }
            for held in content["heldBack"]?.array?.compactMap(\.string) ?? [] {
                call.hint(BundleWork.heldBack(held))
            }
        })

    private static let bundleShow = Command(
        name: "show", summary: "say what is in a bundle, without a desk", arguments: [.bundleFile],
        examples: [Example("quire bundle show consent\(Bundle.ending)", "nothing is kept")],
        run: { call in
            let bytes = try Files.read(call.absolute(call.arguments[0]), atMost: Int64(Bundle.longestFile))
            let view = try BundleView(reading: bytes, at: Clock.system.now())
            call.answer(view.json) { BundleWork.text(view.json) }
        })

    private static let bundleTake = Command(
        name: "take", summary: "take a bundle in: its forms, mappings and papers", arguments: [.bundleFile],
        options: [.database],
        examples: [Example("quire bundle take consent\(Bundle.ending)", "twice is as good as once")],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            let file = try call.file(call.arguments[0])
            let looked = try call.withProgress("Taking in", unit: .bytes) {
                try desk.client.upload(file, to: "/bundles", progress: $0)
            }.json()
            let id = looked["id"]?.string ?? ""
            let kept = try desk.client.send("POST", "/bundles/\(id)/keeping")
            call.answer(looked) {
                (looked["known"]?.bool == true
                    ? "This bundle is here already; nothing was kept twice.\n" : "")
                    + BundleWork.text(looked["content"] ?? .null)
            }
            call.hint("Next: \(call.again("bundle begin \(kept["id"]?.string ?? id)"))")
        })

    private static let bundleList = Command(
        name: "list", summary: "show the bundles that were kept", options: [.database],
        examples: [Example("quire bundle list", "the newest first")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let found = try desk.client.get("/bundles")["bundles"]?.array ?? []
            call.answer(["bundles": .array(found)]) {
                guard !found.isEmpty else {
                    return "There are no bundles. Take one in with: quire bundle take FILE\n"
                }
                var table = TextTable(["Bundle", "Taken in", "Id"])
                for bundle in found {
                    table.add([
                        bundle["name"]?.string ?? "", Words.time(bundle["takenAt"]?.string),
                        bundle["id"]?.string ?? "",
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
        })

    private static let bundleBegin = Command(
        name: "begin", summary: "begin a batch from a bundle", arguments: [.bundle],
        options: [
            Option("list", "LIST", "for these people"),
            Option("examples", nil, "for the example people of the bundle"), .database,
        ],
        examples: [Example("quire bundle begin Consent --list 4b", "then: quire batch plan Consent")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let list = try call.value("list").map { try desk.client.one(.lists, $0)["id"]?.string ?? "" }
            let bundle = try BundleWork.one(call.arguments[0], desk.client)
            var batch = try desk.client.send(
                "POST", "/bundles/\(bundle)/batches", ["examples": .bool(call.has("examples"))])
            let id = batch["id"]?.string ?? ""
            if let list { batch = try desk.client.send("PATCH", "/batches/\(id)", ["list": .string(list)]) }
            call.answer(batch) { "“\(TextTable.harmless(batch["name"]?.string ?? ""))” is begun: \(id)\n" }
            call.hint("Next: \(call.again("batch plan \(id)"))")
        })

    private static let bundleUnpack = Command(
        name: "unpack", summary: "write the forms and mappings of a bundle into a folder, for quire fill",
        arguments: [.bundleFile],
        options: [Option("out", letter: "o", "FOLDER", "where to", completion: .folder), PDFWork.force],
        examples: [
            Example(
                "quire bundle unpack consent\(Bundle.ending) --out consent",
                "then: quire fill consent/1.pdf …")
        ],
        run: { call in try BundleWork.unpack(call) })

    private static let bundleRemove = Command(
        name: "remove", summary: "remove a bundle and what it brought, where no batch uses it",
        arguments: [.bundle], options: [.database],
        examples: [Example("quire bundle remove Consent", "quire bundle restore brings all of it back")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let id = try BundleWork.one(call.arguments[0], desk.client)
            let removal = try desk.client.send("DELETE", "/bundles/\(id)")
            BundleWork.tell(removal, call)
            call.hint("Back with: \(call.again("bundle restore \(id)"))")
        })

    private static let bundleRestore = Command(
        name: "restore", summary: "bring a bundle back, with what went with it",
        arguments: [Argument(name: "ID", summary: "as quire bundle remove has told it")],
        options: [.database],
        examples: [Example("quire bundle restore 01ARZ3NDEKTSV4RRFFQ69G5FAV", "by its id")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let back = try desk.client.send("POST", "/bundles/\(call.arguments[0])/restoration")
            call.answer(back) { "“\(TextTable.harmless(back["name"]?.string ?? ""))” is here again.\n" }
        })

    private static let bundleExample = Command(
        name: "example", summary: "a batch to play with, for invented people",
        options: [Option("remove", nil, "take it away, with everything it brought"), .database],
        examples: [
            Example("quire bundle example", "a form, five people, a letter; no mail is ever sent for it"),
            Example("quire bundle example --remove", "and it is gone"),
        ],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            if call.has("remove") {
                return BundleWork.tell(try desk.client.send("DELETE", "/bundles/example"), call)
            }
            let batch = try desk.client.send("POST", "/bundles/example")
            call.answer(batch) { "“\(TextTable.harmless(batch["name"]?.string ?? ""))” is ready.\n" }
            call.hint("Next: \(call.again("batch plan \(batch["id"]?.string ?? "")"))")
        })
}

private enum BundleWork {
    static func one(_ word: String, _ client: DeskClient) throws -> String {
        let found = try client.get("/bundles")["bundles"]?.array ?? []
        let meant = found.filter { $0["id"]?.string == word || $0["name"]?.string == word }
        guard let first = meant.first?["id"]?.string else {
            throw Failure(.notFound, "There is no bundle called “\(word)”. See: quire bundle list")
        }
        guard meant.count == 1 else {
            throw Failure(.conflict, "“\(word)” could be one of \(meant.count); say which by its id.")
        }
        return first
    }

    static func tell(_ removal: JSON, _ call: Invocation) {
        call.answer(removal) {
            let stays = (removal["stays"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
            return "\(Words.count(removal["removed"]?.int ?? 0, "thing lies", "things lie")) in the trash.\n"
                + (stays.isEmpty ? "" : "In use, and so still here: \(TextTable.harmless(stays))\n")
        }
    }

    static func heldBack(_ word: String) -> String {
        switch Bundles.HeldBack(rawValue: word) {
        case .addresses: "Addresses typed into the letter stay here; columns go along."
        case .sender: "The sender and where answers go stay here."
        case .password: "The password that is the same for everybody stays here."
        case nil: word
        }
    }

    static func text(_ content: JSON) -> String {
        func harmless(_ json: JSON?) -> String { TextTable.harmless(json?.string ?? "") }
        var text = harmless(content["name"]) + "\n"
        for part in content["parts"]?.array ?? [] {
            text += "\n  \(harmless(part["name"]))"
            if part["kind"]?.string == "form" {
                text +=
                    ": \(Words.count(part["pageCount"]?.int ?? 0, "page", "pages")), \(Words.count(part["fieldCount"]?.int ?? 0, "field", "fields"))"
            }
            text += "\n"
            if let condition = part["condition"]?.string, !condition.isEmpty {
                text += "    only if \(TextTable.harmless(condition))\n"
            }
            for line in part["lines"]?.array ?? [] {
                text += "    \(harmless(line["field"])) = \(harmless(line["source"]))\n"
            }
            for problem in part["problems"]?.array ?? [] { text += "    ! \(harmless(problem))\n" }
        }
        text += "\nCalled: \(harmless(content["naming"]))\n"
        if let letter = content["letter"], !letter.isNull {
            text += "Letter: \(harmless(letter["subject"]))\n"
        }
        let columns = (content["columns"]?.array ?? []).map { harmless($0) }.joined(separator: ", ")
        if !columns.isEmpty { text += "Columns: \(columns)\n" }
        let rows = content["rows"]?.array?.count ?? 0
        if rows > 0 {
            text +=
                content["realRows"]?.bool == true
                ? "Examples: \(Words.count(rows, "row", "rows")) of a real list\n"
                : "Examples: \(Words.count(rows, "invented person", "invented people"))\n"
        }
        let leftOut = (content["leftOut"]?.array ?? []).map { harmless($0) }.joined(separator: ", ")
        if !leftOut.isEmpty { text += "Not known here, and left out: \(leftOut)\n" }
        for what in content["notTaken"]?.array?.compactMap(\.string) ?? [] {
            text +=
                what == "password"
                ? "Its password is not taken over: whoever made the bundle knows it.\n"
                : "Addresses in its letter are not taken over; columns are.\n"
        }
        return text
    }

    static func makeOfFiles(_ call: Invocation) throws {
        let forms = call.options["form"] ?? []
        let maps = call.options["map"] ?? []
        guard maps.count <= forms.count else {
            throw UsageError(message: "more mappings than forms", hint: "One --map for each --form at most.")
        }
        let name = call.value("name") ?? FormTask.stem(forms[0])
        var bundle = Bundle(name: name)
        for (place, path) in forms.enumerated() {
            let bytes = try Files.read(call.absolute(path), atMost: 64 << 20)
            let mapping =
                try maps.indices.contains(place)
                ? String(decoding: Files.read(call.absolute(maps[place]), atMost: 1 << 20), as: UTF8.self)
                : nil
            bundle.parts.append(.init(FormTask.stem(path), .form(bytes, mapping: mapping)))
        }
        if let table = call.value("table") {
            let reader = try TableReader(
                bytes: Files.read(call.absolute(table), atMost: 256 << 20), options: TableOptions())
            bundle.columns = reader.shape.columns.map { .init($0.name) }
        }
        bundle.invent()
        let bytes = try bundle.bytes()
        // What cannot be taken in again is not given away.
        let view = try BundleView(reading: bytes, at: Clock.system.now())
        let target = call.absolute(call.value("out") ?? Files.name(titled: name) + Bundle.ending)
        try writeWhole(bytes, to: target, overwrites: call.has("force"))
        call.answer(["path": .string(target), "content": view.json]) { "\(TextTable.harmless(target))\n" }
    }

    static func unpack(_ call: Invocation) throws {
        let bytes = try Files.read(call.absolute(call.arguments[0]), atMost: Int64(Bundle.longestFile))
        let bundle: Bundle
        do throws(BundleError) { bundle = try Bundle.read(bytes).bundle } catch { throw Failure(error) }
        guard let folder = call.value("out").map(call.absolute) else {
            throw UsageError(message: "say where to", hint: "Use --out FOLDER.")
        }
        try Files.makeFolder(folder)
        var written: [String] = []
        func write(_ name: String, _ bytes: [UInt8]) throws {
            let path = "\(folder)/\(name)"
            try writeWhole(bytes, to: path, overwrites: call.has("force"))
            written.append(path)
        }
        for (place, part) in bundle.parts.enumerated() {
            switch part.content {
            case .form(let form, let mapping):
                try write("\(place + 1).pdf", form)
                if let mapping { try write("\(place + 1).map", Array(mapping.utf8)) }
            case .paper(let paper): try write("\(place + 1) \(Files.name(titled: part.name))", paper)
            case .attachment: break
            }
        }
        if !bundle.columns.isEmpty {
            var table: [UInt8] = []
            try TableWriter.csv(columns: bundle.columns.map(\.name), to: { table += $0 }) { add in
                for row in bundle.rows { try add(row.map { Cell($0) }) }
            }
            try write("examples.csv", table)
        }
        call.answer(["written": .array(written.map(JSON.string))]) {
            written.map { TextTable.harmless($0) + "\n" }.joined()
        }
    }
}
