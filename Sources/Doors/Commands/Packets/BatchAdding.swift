import App
import Bytes
import Making
import Storage
import Work

extension Command {
    static let batchAdd = Command(
        name: "add", summary: "decide about a batch",
        discussion: """
            A packet has its forms first, in the order they are named, then the papers for everybody, then those each \
            recipient has for himself. --map belongs to the form of the same place: a mapping file, as “quire map” \
            writes it, or the name of one that is kept with the form. Without it each column fills the field it is \
            clearly meant for, and the plan says what stays empty. --if NUMBER=FORMULA leaves out a part, counted in \
            that order, where the formula says no.
            """,
        arguments: [Argument(name: "NAME", summary: "what it is called")],
        options: [
            Option("list", "LIST", "the list of recipients"),
            Option("audience", "GROUP", "only this saved group of the list"),
            Option(
                "pick", "WORDS", "only whoever of the list these words find; for several, again",
                isRepeating: true),
            Option(
                "leave-out", "WORDS", "everybody but whoever these words find; for several, again",
                isRepeating: true),
            Option(
                "template", letter: "t", "FORM", "a form; several become parts of one packet",
                isRepeating: true),
            Option(
                "map", "MAP", "a mapping file or a kept mapping, for the form of the same place",
                isRepeating: true, completion: .file),
            Option("paper", "PAPER", "a paper of the library, the same for everybody", isRepeating: true),
            Option(
                "attachment", "PATTERN",
                "a paper of the library for each recipient, by its name: 'Report {id}'",
                isRepeating: true),
            Option(
                "if", "NUMBER=FORMULA", "a part is only for those the formula says yes to: '2={Age} < 18'",
                isRepeating: true),
            Option(
                "name", letter: "n", "PATTERN",
                "how packets are called ({Template}_{Full name}_{id} if left out)"),
            Option("flatten", nil, "fields become part of the page"),
            Option("password", "FORMULA", "what opens each recipient's packet (AES-256)"),
            Option("sign", "IDENTITY", "sign each packet with a certificate, in that name"),
            Option("timestamp", "URL", "with --sign: a time stamp authority that attests when (RFC 3161)"),
            Option("proofs", nil, "with --sign: put in what later checks need"),
            Option("continue", nil, "text too long for its place goes on on pages behind its form"),
            Option("page-numbers", "PATTERN", "at the foot of each page: '{page} of {pages}'"),
            Option("bates", "PREFIX", "numbers that run through all packets: ACME-000001"),
            Option("duplex", nil, "each part begins on the front of a sheet"),
            Option("title", "FORMULA", "what each packet says it is about: '\"Consent of \" & {Name}'"),
            Option("author", "FORMULA", "who it says made it"),
            Option("subject", "FORMULA", "its subject"),
            Option("keywords", "FORMULA", "words to find it by"),
            Option("despite-problems", nil, "make packets with serious problems all the same"),
            Option("second-member", nil, "somebody else has to approve before anything is made"),
            Option("no-proof", nil, "do not read each packet again before it counts as made"),
            Option("locale", "LOCALE", "how numbers and dates are written: en-US, de, fr-CA"), .database,
        ],
        examples: [
            Example("quire batch add Consent --list 4b --template Consent", "for the whole class"),
            Example(
                "quire batch add Replacement --list 4b -t Consent --pick ana@example.org", "for one of them"),
            Example(
                "quire batch add Certificates --list 4b -t Certificate --sign Office --timestamp http://stamps.example/tsa --proofs",
                "each signed, and proven for years"),
            Example(
                "quire batch add Trip --list 4b -t Consent --map consent.map -t Medical --if '2={Allergies}<>\"\"'",
                "two forms, the second only for those with allergies"),
        ],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            let wish = try BatchWish(call, desk)
            let made = try wish.make()
            call.answer(made) { BatchWords.text(made) }
            call.hint("Next: \(call.again("batch plan \(made["id"]?.string ?? "")"))")
        })
}

/// A batch as it was typed.
private struct BatchWish {
    private let call: Invocation
    private let client: DeskClient
    /// For each form the text of its mapping, or the id of one that is kept.
    private var mappings: [Int: Mapping] = [:]
    private var draft: JSON

    private enum Mapping { case text(String, path: String), kept(String) }

    init(_ call: Invocation, _ desk: DeskSession) throws {
        self.call = call
        client = desk.client
        draft = ["name": .string(call.arguments[0])]
        let forms = try (call.options["template"] ?? []).map { try desk.client.one(.templates, $0) }
        try addPeople()
        try addParts(forms)
        try addMappings(forms)
        if let pattern = call.value("name") { draft["naming"] = .string(pattern) }
        var options = options()
        if let name = call.value("sign") { options["signer"] = try IdentityWords.find(name, desk)["id"] }
        try addWitnesses(to: &options)
        draft["options"] = .object(options)
    }

    private func addWitnesses(to options: inout JSONObject) throws {
        for option in ["timestamp", "proofs"] where call.has(option) && call.value("sign") == nil {
            throw UsageError(message: "--\(option) goes with --sign", hint: "Say in whose name is signed.")
        }
        if let address = call.value("timestamp") { options["timestamp"] = .string(address) }
        if call.has("proofs") { options["proofs"] = .bool(true) }
    }

    private mutating func addPeople() throws {
        guard let name = call.value("list") else {
            for option in ["audience", "pick", "leave-out"] where call.options[option] != nil {
                throw UsageError(
                    message: "--\(option) goes with --list", hint: "Say whose list it is.")
            }
            return
        }
        let list = try client.one(.lists, name)
        draft["list"] = list["id"] ?? .null
        if let group = call.value("audience") {
            draft["audience"] = try client.group(group, of: list)["id"] ?? .null
        }
        let (picked, left) = (call.options["pick"] ?? [], call.options["leave-out"] ?? [])
        guard picked.isEmpty || left.isEmpty else {
            throw UsageError(
                message: "--pick and --leave-out exclude each other",
                hint: "Say who gets papers, or who does not.")
        }
        guard !picked.isEmpty || !left.isEmpty else { return }
        draft["people"] = [
            picked.isEmpty ? "except" : "only": .array(try people(picked + left, of: list).map(JSON.string))
        ]
    }

    /// The ids of whoever each of the words finds; words that find nobody are a mistake, and so are those that find many.
    private func people(_ words: [String], of list: JSON) throws -> [String] {
        try words.flatMap { words in
            let found = try client.get(
                DeskRequest(
                    "GET", "/lists/\(list["id"]?.string ?? "")/recipients",
                    query: [("q", words), ("limit", "20")]
                ).target)
            let people = found["recipients"]?.array ?? []
            guard !people.isEmpty else {
                throw Failure(.notFound, "Nobody on the list is found by “\(words)”.", field: "people")
            }
            guard people.count == 1 else {
                throw Failure(
                    .conflict,
                    "“\(words)” finds several people: \(people.prefix(5).compactMap { $0["name"]?.string }.joined(separator: ", ")). Say more, such as an address.",
                    field: "people")
            }
            return people.compactMap { $0["id"]?.string }
        }
    }

    private mutating func addParts(_ forms: [JSON]) throws {
        var parts: [JSON] = forms.map { ["kind": "template", "template": $0["id"] ?? .null] }
        for name in call.options["paper"] ?? [] {
            parts.append(["kind": "document", "document": .string(try client.document(name).id)])
        }
        for pattern in call.options["attachment"] ?? [] {
            parts.append(["kind": "attachment", "pattern": .string(pattern)])
        }
        for text in call.options["if"] ?? [] {
            guard let sign = text.firstIndex(of: "="), let number = Int(text[..<sign]),
                parts.indices.contains(number - 1)
            else {
                throw UsageError(
                    message:
                        "--if takes NUMBER=FORMULA with the number of a part from 1 to \(parts.count), not “\(text)”",
                    hint: "For example --if '2={Age} < 18'.")
            }
            parts[number - 1]["condition"] = .string(String(text[text.index(after: sign)...]))
        }
        draft["parts"] = .array(parts)
    }

    private mutating func addMappings(_ forms: [JSON]) throws {
        let given = call.options["map"] ?? []
        guard given.count <= forms.count else {
            throw UsageError(
                message: "there are \(given.count) --map for \(Words.count(forms.count, "form", "forms"))",
                hint: "Each --map belongs to the --template of the same place.")
        }
        for (index, name) in given.enumerated() {
            let path = call.absolute(name)
            if Files.exists(path), !Files.isFolder(path) {
                let text = try withForms {
                    String(decoding: try InputFile(path: path).bytes(), as: UTF8.self)
                }
                mappings[index] = .text(text, path: path)
                continue
            }
            let id = forms[index]["id"]?.string ?? ""
            let kept = try client.get("/templates/\(id)/mappings")["mappings"]?.array ?? []
            guard let found = kept.first(where: { $0["name"]?.string == name || $0["id"]?.string == name })
            else {
                let names = kept.compactMap { $0["name"]?.string }
                throw Failure(
                    .notFound,
                    "“\(name)” is no file here, and no mapping is kept under this name for “\(forms[index]["name"]?.string ?? "")”."
                        + (names.isEmpty ? "" : " There are: \(names.joined(separator: ", ")).")
                )
            }
            mappings[index] = .kept(found["id"]?.string ?? "")
        }
    }

    private func options() -> JSONObject {
        var options: JSONObject = [:]
        for (name, key) in [
            ("flatten", "flatten"), ("duplex", "duplex"), ("despite-problems", "makesDespiteProblems"),
            ("second-member", "needsSecondMember"),
        ] where call.has(name) { options[key] = true }
        if call.has("no-proof") { options["proof"] = false }
        if call.has("continue") { options["overflow"] = "continuation" }
        if let formula = call.value("password") { options["password"] = .string(formula) }
        let metadata = ["title", "author", "subject", "keywords"].compactMap { name in
            call.value(name).map { (name, JSON.string($0)) }
        }
        if !metadata.isEmpty { options["metadata"] = .object(JSONObject(metadata)) }
        if let locale = call.value("locale") { options["locale"] = .string(locale) }
        switch (call.value("page-numbers"), call.value("bates")) {
        case (let pattern?, let prefix?):
            options["numbering"] = [
                "kind": "both", "pattern": .string(pattern), "prefix": .string(prefix),
            ]
        case (let pattern?, nil): options["numbering"] = ["kind": "pages", "pattern": .string(pattern)]
        case (nil, let prefix?): options["numbering"] = ["kind": "bates", "prefix": .string(prefix)]
        case (nil, nil): break
        }
        return options
    }

    /// Mappings out of files are kept with their forms first: what cannot be read makes no batch.
    func make() throws -> JSON {
        var draft = draft
        var parts = draft["parts"]?.array ?? []
        for (index, mapping) in mappings {
            switch mapping {
            case .kept(let id): parts[index]["mapping"] = .string(id)
            case .text(let text, let path):
                let saved = try client.send(
                    "POST", "/templates/\(parts[index]["template"]?.string ?? "")/mappings",
                    ["text": .string(text), "name": .string(FormTask.stem(path))])
                parts[index]["mapping"] = saved["id"] ?? .null
            }
        }
        draft["parts"] = .array(parts)
        return try client.send("POST", "/batches", draft)
    }
}
