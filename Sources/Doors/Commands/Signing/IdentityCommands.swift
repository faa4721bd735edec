import Bytes
import Crypto
import PDF
import Storage

extension Command {
    static let identity = Command(
        name: "identity", summary: "in whose name you sign papers, and whom your desk trusts",
        discussion: """
            An identity is a certificate with its key, which lies sealed on the desk and never leaves it. The desk's own \
            authority vouches for those that are made here; whoever gets a paper signed with one trusts it after you gave \
            them the certificate. An identity from another authority is taken in with its file (.p12, .pfx).
            """,
        examples: [
            Example("quire identity new Ana --mail ana@example.org", "made on this desk"),
            Example("quire identity import ana.p12 --password-file secret.txt", "from an authority"),
            Example("quire identity export Ana --out ana.pem", "for others to trust"),
            Example("quire identity trust company.pem", "believe whom they vouch for"),
        ],
        subcommands: [
            Command(
                name: "new", summary: "make an identity, for which the desk's own authority vouches",
                arguments: [Argument(name: "NAME", summary: "the name that stands in the certificate")],
                options: [
                    Option("mail", "ADDRESS", "also stands in the certificate"),
                    Option(
                        "key", "KIND", "ec or rsa (ec if left out)", completion: .choices(["ec", "rsa"])),
                    .database,
                ],
                examples: [
                    Example("quire identity new Ana", "an elliptic key"),
                    Example("quire identity new Office --key rsa", "for those who check with old programs"),
                ],
                run: { call in
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    let made = try desk.client.send(
                        "POST", "/identities",
                        [
                            "name": .string(call.arguments[0]), "mail": .string(call.value("mail") ?? ""),
                            "key": .string(call.value("key") ?? "ec"),
                        ])
                    call.answer(made) { "You can sign as “\(IdentityWords.name(made))” now.\n" }
                    call.hint(
                        "\(call.again("sign")) FILE.pdf --with \"\(IdentityWords.name(made))\" --out FOLDER signs."
                    )
                }),
            Command(
                name: "list", summary: "show the identities, and whom the desk trusts",
                options: [
                    Option(
                        "smart-cards", nil, "who can sign with the cards and sticks of this machine instead"),
                    Option(
                        "module", "FILE", "what speaks to the token; what the system knows of if left out",
                        completion: .file), .database,
                ],
                examples: [
                    Example("quire identity list", "until when they are valid, and who issued them"),
                    Example("quire identity list --smart-cards", "whose key is in a card or a stick"),
                ],
                run: { call in
                    if call.has("smart-cards") { return try call.listTokens() }
                    guard call.value("module") == nil else {
                        throw UsageError(
                            message: "--module goes with --smart-cards", hint: "Say --smart-cards as well.")
                    }
                    let desk = try call.desk()
                    defer { desk.close() }
                    let all = try desk.client.get("/identities")
                    call.answer(all) {
                        var table = TextTable(["Name", "Use", "Issued by", "Key", "Until"])
                        func add(_ item: JSON, _ use: String) {
                            let certificate = item["certificate"] ?? .null
                            table.add([
                                IdentityWords.name(item), use, certificate["issuerName"]?.string ?? "",
                                certificate["key"]?.string ?? "",
                                String(Words.time(certificate["ends"]?.string).prefix(10)),
                            ])
                        }
                        for item in all["identities"]?.array ?? [] { add(item, "signs") }
                        if let authority = all["authority"], authority != .null {
                            add(authority, "trusted, ours")
                        }
                        for item in all["trusted"]?.array ?? [] { add(item, "trusted") }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "import", summary: "take in an identity that an authority handed out (.p12, .pfx)",
                arguments: [Argument(name: "FILE", summary: "a PKCS #12 file", completion: .file)],
                options: [
                    Option(
                        "password-file", "FILE",
                        "the password of the file is the first line of this one; - is standard input",
                        completion: .file), .database,
                ],
                examples: [
                    Example("quire identity import ana.p12 --password-file secret.txt", "with its password")
                ],
                run: { call in
                    let bytes = try withForms { try PDFFile.read(call.absolute(call.arguments[0])) }
                    let password = try call.value("password-file").map { try call.firstLine(of: $0) } ?? ""
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    let taken = try desk.client.send(
                        "POST", "/identities/import",
                        ["pkcs12": .string(Base64.encode(bytes)), "password": .string(password)])
                    call.answer(taken) { "You can sign as “\(IdentityWords.name(taken))” now.\n" }
                }),
            Command(
                name: "export", summary: "write the certificate of an identity, for others to trust",
                discussion: "With those above it, as PEM. The key stays where it is.",
                arguments: [Argument(name: "IDENTITY", summary: "its name or id")],
                options: [
                    Option("out", "FILE", "where to; standard output if left out", completion: .file),
                    PDFWork.force, .database,
                ],
                examples: [
                    Example("quire identity export Ana --out ana.pem", "to be given to others")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let identity = try IdentityWords.find(call.arguments[0], desk)
                    let pem = identity["pem"]?.string ?? ""
                    guard let path = call.value("out") else {
                        return call.answer(identity) { pem }
                    }
                    try writeWhole(Array(pem.utf8), to: call.absolute(path), overwrites: call.has("force"))
                    call.answer(identity) { "The certificate lies in \(path).\n" }
                }),
            Command(
                name: "trust", summary: "believe whom these certificates name when they vouch for others",
                arguments: [Argument(name: "PEM", summary: "a file with certificates", completion: .file)],
                options: [.database],
                examples: [Example("quire identity trust company.pem", "for this desk")],
                run: { call in
                    let bytes = try withForms { try PDFFile.read(call.absolute(call.arguments[0])) }
                    let text =
                        (try? X509Certificate(der: bytes).pem) ?? String(decoding: bytes, as: UTF8.self)
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    let answer = try desk.client.send(
                        "POST", "/trusted-certificates", ["certificate": .string(text)])
                    call.answer(answer) {
                        (answer["trusted"]?.array ?? []).map {
                            "“\(IdentityWords.name($0))” is trusted now.\n"
                        }
                        .joined()
                    }
                }),
            Command(
                name: "remove", summary: "remove an identity, or trust a certificate no longer",
                discussion: "What was signed stays signed. The key of an identity is gone for good.",
                arguments: [Argument(name: "NAME", summary: "its name or id")], options: [.database],
                examples: [
                    Example("quire identity remove Ana", "nothing can be signed with it any more")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let all = try desk.client.get("/identities")
                    let name = call.arguments[0]
                    if let found = try? IdentityWords.find(name, in: all["identities"]?.array ?? []) {
                        try desk.client.send("DELETE", "/identities/\(found["id"]?.string ?? "")")
                    } else {
                        let found = try IdentityWords.find(name, in: all["trusted"]?.array ?? [])
                        try desk.client.send("DELETE", "/trusted-certificates/\(found["id"]?.string ?? "")")
                    }
                    call.answer([:]) { "“\(TextTable.harmless(name))” is gone.\n" }
                }),
        ])
}

/// Identities as the API tells of them.
enum IdentityWords {
    static func name(_ item: JSON) -> String { TextTable.harmless(item["name"]?.string ?? "") }

    static func find(_ name: String, _ desk: DeskSession) throws -> JSON {
        try find(name, in: desk.client.get("/identities")["identities"]?.array ?? [])
    }

    static func find(_ name: String, in all: [JSON]) throws -> JSON {
        let found = all.filter { $0["id"]?.string == name || $0["name"]?.string == name }
        guard let first = found.first else {
            throw Failure(.notFound, "There is no identity “\(name)”. quire identity list shows them.")
        }
        guard found.count == 1 else {
            throw Failure(.conflict, "Several are called “\(name)”. Say the id of one, as --json lists it.")
        }
        return first
    }
}
