import Access
import App
import Bytes
import Storage

extension Option {
    fileprivate static let role = Option(
        "role", "ROLE", "viewer (looks), editor (also changes) or owner (also decides)",
        completion: .choices(["viewer", "editor", "owner"]))
}

extension Argument {
    fileprivate static let member = Argument(
        name: "NAME", summary: "the name somebody signs in with, or their id")
}

extension Command {
    static let users = Command(
        name: "users", summary: "see and change who may come in",
        examples: [
            Example("quire users list", "who is here"),
            Example("quire users invite --role editor", "a link to send to somebody"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show members and open invitations", options: [.database],
                examples: [Example("quire users list", "who is here, and who was asked in")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let page: JSON = [
                        "members": try desk.client.get("/members")["members"] ?? [],
                        "invitations": try desk.client.get("/invitations")["invitations"] ?? [],
                    ]
                    call.answer(page) { text(page, call.terminal.outputStyle) }
                }),
            Command(
                name: "add", summary: "make a member with a password; the first one becomes the owner",
                discussion: """
                    Asks for the password, or reads it from a pipe. To let somebody choose their own password or a passkey, \
                    invite them instead.
                    """,
                arguments: [Argument(name: "NAME", summary: "what the member is called, such as “Ana Ruiz”")],
                options: [
                    Option("sign-in", "NAME", "the name to sign in with, such as a mail address"), .role,
                    .database,
                ],
                examples: [
                    Example(
                        "quire users add Ana --sign-in ana@example.org --role editor", "asks for the password"
                    )
                ],
                run: addMember),
            Command(
                name: "invite", summary: "make a link that lets somebody join",
                options: [
                    .role, Option("note", "TEXT", "for whom it is, so that you know it again"), .database,
                ],
                examples: [Example("quire users invite --role viewer --note Ben", "valid once, for a week")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let (address, invitation) = try invite(
                        desk, role: call.value("role") ?? "editor", note: call.value("note") ?? "")
                    try call.answerOnce(invitation, address + "\n") {
                        try desk.client.send("DELETE", "/invitations/\(invitation["id"]?.string ?? "")")
                    }
                    call.hint("Send this link to one person. It works once.")
                }),
            Command(
                name: "role", summary: "change what a member may do",
                arguments: [
                    .member,
                    Argument(
                        name: "ROLE", summary: "viewer, editor or owner",
                        completion: .choices(["viewer", "editor", "owner"])),
                ],
                options: [.database],
                examples: [Example("quire users role ben@example.org viewer", "from now on he only looks")],
                run: { call in
                    try change(call) { desk, id in
                        try desk.client.send("PATCH", "/members/\(id)", ["role": .string(call.arguments[1])])
                        return "is \(call.arguments[1]) now"
                    }
                }),
            Command(
                name: "password", summary: "give a member a new password",
                discussion:
                    "Only on the machine of the desk itself. Ends all their sessions. Asks for the password, or reads it from a pipe.",
                arguments: [.member], options: [.database],
                examples: [Example("quire users password ana@example.org", "when the old one is forgotten")],
                run: { call in
                    try change(call) { desk, id in
                        guard let quire = desk.local, let member = ID<Member>(id) else {
                            throw Failure(
                                .unsupported,
                                "A lost password is set anew on the machine of the desk itself, without --server."
                            )
                        }
                        try quire.access.passwords.reset(member, to: try call.newPassword(), by: .local)
                        let tokens = try quire.access.tokens.list(by: .local).count { $0.memberID == member }
                        if tokens > 0 {
                            call.hint(
                                "\(Words.count(tokens, "token of theirs still lets programs", "tokens of theirs still let programs")) in. Look at them with: quire tokens list"
                            )
                        }
                        return "has a new password; all sessions are ended"
                    }
                }),
            Command(
                name: "remove", summary: "let a member in no more", discussion: "What they have added stays.",
                arguments: [.member], options: [.database],
                examples: [Example("quire users remove ben@example.org", "sessions and tokens end at once")],
                run: { call in
                    try change(call) { desk, id in
                        try desk.client.send("DELETE", "/members/\(id)")
                        return "is no member any more"
                    }
                }),
        ])

    private static let addMember: @Sendable (Invocation) throws -> Void = { call in
        let name = call.arguments[0]
        let person: (String) -> JSON = { password in
            [
                "name": .string(name), "login": .string(call.value("sign-in") ?? name),
                "password": .string(password),
            ]
        }
        let desk = try call.desk(making: true)
        defer { desk.close() }
        let isFirst = try desk.client.get("/members")["members"]?.array?.isEmpty ?? false
        let role = isFirst ? "owner" : call.value("role") ?? "editor"
        if isFirst, let wanted = call.value("role"), wanted != "owner" {
            throw Failure(
                .conflict, "The first member of a desk is its owner. Leave --role out.", field: "role")
        }
        let password = try call.newPassword()
        if isFirst {
            try desk.client.send("POST", "/welcome", person(password))
        } else {
            let (address, _) = try invite(desk, role: role, note: name)
            let token = address.split(separator: "/").last.map(String.init) ?? ""
            try desk.client.send("POST", "/join/\(token)", person(password))
        }
        call.answer(["name": .string(name), "role": .string(role)]) {
            "\(TextTable.harmless(name)) may come in, as \(role).\n"
        }
    }

    private static func invite(
        _ desk: DeskSession, role: String, note: String
    ) throws -> (address: String, invitation: JSON) {
        var made = try desk.client.send(
            "POST", "/invitations", ["role": .string(role), "note": .string(note)])
        guard let given = made["address"]?.string, let path = given.firstRange(of: "/join/") else {
            throw Failure(.unavailable, "The desk made an invitation and did not show it.")
        }
        // In process nobody knows under which address the desk is served; the configuration does.
        let address = desk.origin.map { $0 + given[path.lowerBound...] } ?? given
        made["address"] = .string(address)
        return (address, made)
    }

    private static func change(_ call: Invocation, _ body: (DeskSession, String) throws -> String) throws {
        let desk = try call.desk()
        defer { desk.close() }
        let wanted = call.arguments[0]
        let members = try desk.client.get("/members")["members"]?.array ?? []
        let found = members.filter { member in
            [member["id"]?.string, member["login"]?.string, member["name"]?.string].contains(wanted)
        }
        guard let member = found.first, found.count == 1, let id = member["id"]?.string else {
            throw Failure(.notFound, "There is no member called “\(wanted)”. See: quire users list")
        }
        let what = try body(desk, id)
        call.answer(["id": .string(id)]) {
            "\(TextTable.harmless(member["name"]?.string ?? wanted)) \(what).\n"
        }
    }

    private static func text(_ page: JSON, _ style: Style) -> String {
        var members = TextTable(["Name", "Signs in as", "Role", "With", "Since", "Id"])
        for member in page["members"]?.array ?? [] {
            let passkeys = member["passkeys"]?.int ?? 0
            let ways = [
                member["hasPassword"]?.bool == true ? "password" : nil,
                passkeys > 0 ? Words.count(passkeys, "passkey", "passkeys") : nil,
            ].compactMap(\.self).joined(separator: ", ")
            members.add([
                member["name"]?.string ?? "", member["login"]?.string ?? "",
                member["role"]?.string ?? "", ways,
                Words.time(member["joinedAt"]?.string), member["id"]?.string ?? "",
            ])
        }
        var text = members.text(style)
        let invitations = page["invitations"]?.array ?? []
        if !invitations.isEmpty {
            var table = TextTable(["Invited", "Role", "Until", "Id"])
            for invitation in invitations {
                table.add([
                    invitation["note"]?.string ?? "", invitation["role"]?.string ?? "",
                    Words.time(invitation["expiresAt"]?.string), invitation["id"]?.string ?? "",
                ])
            }
            text += "\n" + table.text(style)
        }
        return text
    }
}

extension Invocation {
    func newPassword() throws -> String {
        let typed = try typedTwice(
            "New password: ",
            else: Failure(
                .invalid, "The two passwords are not the same. Nothing was changed.", field: "password"))
        guard !typed.isEmpty else { throw Failure(.invalid, "No password was given.", field: "password") }
        return typed
    }

    /// Asked for twice at a terminal, once through a pipe; nothing where nobody types.
    func typedTwice(_ question: String, else difference: Failure) throws -> String {
        let first = terminal.ask(question, true) ?? ""
        if terminal.isInputTerminal, !first.isEmpty, terminal.ask("The same again: ", true) != first {
            throw difference
        }
        return first
    }
}
