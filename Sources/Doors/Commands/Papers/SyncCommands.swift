import App
import Bytes
import Jobs
import Storage

// Places with which the desk keeps in step.

extension Command {
    static let sync = Command(
        name: "sync", summary: "keep in step with a folder, a WebDAV server, a bucket or another Quire",
        discussion: """
            What is changed here is changed there and on every desk that keeps in step with the same place, and the other \
            way round. What is deleted stays deleted; what two desks changed at the same time is kept twice. It happens by \
            itself while quire serve runs.
            """,
        examples: [
            Example("quire sync add /mnt/disk/quire", "a disk, a stick, a share"),
            Example("quire sync add https://cloud.example.org/dav/quire --user ana --encrypt", "a server"),
            Example(
                "quire sync invite office", "a code, with which another Quire keeps in step with this desk"),
            Example("quire sync status", "how it stands"),
        ],
        subcommands: [
            .syncAdd, .syncInvite, .syncList, .syncNow, .syncStatus, .syncChoose, .syncPause, .syncResume,
            .syncRemove,
        ])

    private static let syncAdd = Command(
        name: "add", summary: "keep in step with a place from now on",
        discussion: """
            A path is a folder of this machine; an address is a WebDAV server, or with --bucket an S3 store. What quire sync \
            invite tells on another desk is that desk; - asks for it, so that it stands in no list of commands. Passwords and \
            passphrases are asked for, or read from a pipe, and kept sealed. On the second desk, give the same place and \
            the same passphrase.
            """,
        arguments: [
            Argument(
                name: "PLACE", summary: "a folder, an address, or the code of another Quire",
                completion: .file)
        ],
        options: [
            Option("user", "NAME", "who to sign in as; the access key of a bucket"),
            Option("bucket", "NAME", "a bucket of the S3 store at this address"),
            Option("region", "NAME", "where the bucket is (us-east-1)"),
            Option("prefix", "FOLDER", "a folder in the bucket"),
            Option("encrypt", nil, "encrypt everything with a passphrase before it leaves this desk"),
            .syncedThings,
            Option("no-versions", nil, "send papers as they are now, without earlier versions"),
            Option("name", "NAME", "what to call the place"), .database,
        ],
        examples: [
            Example("quire sync add /mnt/disk/quire", "a folder of this machine"),
            Example(
                "quire sync add https://s3.example.org --bucket papers --user KEY --encrypt",
                "asks for the secret key, then for the passphrase"),
            Example(
                "quire sync add - --name office",
                "asks for the code that quire sync invite told at the office"),
        ],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            var address = call.arguments[0]
            if address == "-" { address = call.terminal.ask("Code: ", true) ?? "" }
            let isServer = address.hasPrefix("http://") || address.hasPrefix("https://")
            guard isServer || !call.has("bucket") else {
                throw UsageError(
                    message: "--bucket needs the address of its store", hint: "https://s3.example.org")
            }
            var wish: JSON = [
                "kind": .string(
                    !isServer
                        ? "folder" : address.contains("#") ? "quire" : call.has("bucket") ? "s3" : "webdav"),
                "address": .string(isServer || desk.isRemote ? address : call.absolute(address)),
                "versions": .bool(!call.has("no-versions")),
            ]
            if let what = call.syncedThings { wish["what"] = .array(what.map(JSON.string)) }
            for name in ["user", "bucket", "region", "prefix", "name"] {
                if let value = call.value(name) { wish[name] = .string(value) }
            }
            if call.has("user") {
                wish["password"] = .string(
                    call.terminal.ask(call.has("bucket") ? "Secret key: " : "Password: ", true) ?? "")
            }
            if call.has("encrypt") {
                let passphrase = call.terminal.ask(
                    "Passphrase (without it nobody can read what lies there): ", true)
                guard let passphrase, !passphrase.isEmpty else {
                    throw Failure(
                        .invalid, "Without a passphrase nothing can be encrypted.", field: "passphrase")
                }
                wish["passphrase"] = .string(passphrase)
            }
            let place = try desk.client.send("POST", "/sync", wish)
            call.withProgress("Going there") { _ in desk.local?.runner.runUntilIdle() }
            try call.tellPlace(desk, place)
        })

    private static let syncInvite = Command(
        name: "invite", summary: "make a code with which another Quire keeps in step with this desk",
        discussion: """
            The other Quire gets everything that is kept in step, private folders too. Give it the code with quire sync add. \
            The code is shown this once; quire tokens revoke makes it worthless.
            """,
        arguments: [Argument(name: "NAME", summary: "what you call the other Quire")],
        options: [
            Option(
                "address", "URL", "where the other Quire reaches this one (its public origin if left out)"),
            .database,
        ],
        examples: [
            Example("quire sync invite office", "the code is for one other Quire"),
            Example("quire sync invite attic --address http://192.168.1.20:8080", "in your own network"),
        ],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            var wish: JSON = ["name": .string(call.arguments[0])]
            if let address = call.value("address") { wish["address"] = .string(address) }
            let made = try desk.client.send("POST", "/sync/invitations", wish)
            try call.answerOnce(made, (made["code"]?.string ?? "") + "\n") {
                try desk.client.send("DELETE", "/tokens/\(made["token"]?.string ?? "")")
            }
            call.hint(
                "On the other Quire: quire sync add -, or Settings › In step. Keep the code like a password.")
        })

    private static let syncList = Command(
        name: "list", summary: "show the places", options: [.database],
        examples: [Example("quire sync list", "and how it stands with each")],
        run: { call in try call.showPlaces() })

    private static let syncStatus = Command(
        name: "status", summary: "show how it stands with each place, or how a paper stands",
        arguments: [
            Argument(name: "PAPER", summary: "a name or an id, as quire list shows it", isOptional: true)
        ],
        options: [.database],
        examples: [
            Example("quire sync status", "all places"),
            Example("quire sync status lease.pdf", "this paper at each place"),
        ],
        run: { call in
            guard let paper = call.arguments.first else { return try call.showPlaces() }
            let desk = try call.desk()
            defer { desk.close() }
            let document = try desk.client.document(paper)
            let found = try desk.client.get("/documents/\(document.id)/sync")
            call.answer(found) {
                let states = found["places"]?.array ?? []
                guard !states.isEmpty else { return "This desk keeps in step with no place.\n" }
                var table = TextTable(["Place", "State", ""])
                for state in states {
                    table.add([
                        state["name"]?.string ?? "", state["state"]?.string ?? "",
                        state["sentence"]?.string ?? "",
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
        })

    private static let syncNow = Command(
        name: "now", summary: "go there now, and try again what failed",
        arguments: [.syncPlace(isOptional: true)], options: [.database],
        examples: [Example("quire sync now", "all places that are not paused")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            var places = try desk.client.get("/sync")["places"]?.array ?? []
            if let wanted = call.arguments.first {
                places = [try desk.client.place(wanted)]
            } else {
                places.removeAll { $0["paused"]?.bool == true }
            }
            for place in places {
                try desk.client.send("POST", "/sync/\(place["id"]?.string ?? "")/visits")
            }
            call.withProgress("Going there") { _ in desk.local?.runner.runUntilIdle() }
            let now = try places.map { try desk.client.get("/sync/\($0["id"]?.string ?? "")") }
            call.answer(["places": .array(now)]) { PlaceWords.table(now, call) }
            if desk.local != nil { try call.tellTrouble(now) }
        })

    private static let syncChoose = Command(
        name: "choose", summary: "choose what is kept in step with a place",
        discussion: "What is no longer chosen stays on both sides as it is.",
        arguments: [.syncPlace()],
        options: [
            .syncedThings, Option("no-versions", nil, "papers as they are now, without earlier versions"),
            .database,
        ],
        examples: [
            Example("quire sync choose disk --what papers --what contacts", "these two, and nothing else")
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            guard let what = call.syncedThings else {
                throw UsageError(message: "--what is missing", hint: "quire sync choose PLACE --what papers")
            }
            let place = try desk.client.place(call.arguments[0])
            let now = try desk.client.send(
                "PATCH", "/sync/\(place["id"]?.string ?? "")",
                ["what": .array(what.map(JSON.string)), "versions": .bool(!call.has("no-versions"))])
            call.withProgress("Going there") { _ in desk.local?.runner.runUntilIdle() }
            call.answer(now) {
                let chosen = (now["what"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
                return "“\(TextTable.harmless(now["name"]?.string ?? ""))” keeps in step: \(chosen).\n"
            }
        })

    private static let syncPause = Command(
        name: "pause", summary: "do not go there until quire sync resume", arguments: [.syncPlace()],
        options: [.database], examples: [Example("quire sync pause disk", "nothing is lost meanwhile")],
        run: { call in try call.setPaused(true) })

    private static let syncResume = Command(
        name: "resume", summary: "let a paused place go on", arguments: [.syncPlace()], options: [.database],
        examples: [Example("quire sync resume disk", "and goes there at once")],
        run: { call in try call.setPaused(false) })

    private static let syncRemove = Command(
        name: "remove", summary: "keep in step with a place no longer",
        discussion: "What lies there and what lies here stays.", arguments: [.syncPlace()],
        options: [.database], examples: [Example("quire sync remove disk", "it is forgotten")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let place = try desk.client.place(call.arguments[0])
            try desk.client.send("DELETE", "/sync/\(place["id"]?.string ?? "")")
            call.answer(["removed": place]) {
                "“\(TextTable.harmless(place["name"]?.string ?? ""))” is forgotten. What lies there stays.\n"
            }
        })
}

private enum PlaceWords {
    static func table(_ places: [JSON], _ call: Invocation) -> String {
        guard !places.isEmpty else {
            return "This desk keeps in step with no place. Begin with: quire sync add PLACE\n"
        }
        var table = TextTable(
            ["Place", "State", "In step", "Waiting", "Failed", "Last"], rightAligned: [2, 3, 4])
        for place in places {
            table.add([
                place["name"]?.string ?? "",
                place["paused"]?.bool == true ? "paused" : place["state"]?.string ?? "",
                "\(place["synced"]?.int ?? 0)", "\(place["waiting"]?.int ?? 0)",
                "\(place["failed"]?.int ?? 0)", Words.time(place["syncedAt"]?.string),
            ])
        }
        let sentences = places.compactMap { place -> String? in
            guard let sentence = place["sentence"]?.string, !sentence.isEmpty else { return nil }
            return "\(TextTable.harmless(place["name"]?.string ?? "")): \(TextTable.harmless(sentence))\n"
        }
        return table.text(call.terminal.outputStyle) + sentences.joined()
    }
}

extension Option {
    fileprivate static let syncedThings = Option(
        "what", "KIND",
        "papers, templates, mappings, contacts, lists, batches or settings, with commas between several (all but settings if left out)",
        isRepeating: true,
        completion: .choices(["papers", "templates", "mappings", "contacts", "lists", "batches", "settings"]))
}

extension Argument {
    fileprivate static func syncPlace(isOptional: Bool = false) -> Argument {
        Argument(
            name: "PLACE", summary: "its name or its id, as quire sync list shows them",
            isOptional: isOptional)
    }
}

extension Invocation {
    /// Said one by one, or separated by commas.
    fileprivate var syncedThings: [String]? {
        options["what"]?.flatMap {
            $0.split(separator: ",").map { word in String(word.filter { $0 != " " }) }
        }
    }

    fileprivate func showPlaces() throws {
        let desk = try self.desk()
        defer { desk.close() }
        let found = try desk.client.get("/sync")
        answer(found) { PlaceWords.table(found["places"]?.array ?? [], self) }
    }

    fileprivate func setPaused(_ isPaused: Bool) throws {
        let desk = try self.desk()
        defer { desk.close() }
        let place = try desk.client.place(arguments[0])
        let now = try desk.client.send(
            "PATCH", "/sync/\(place["id"]?.string ?? "")", ["paused": .bool(isPaused)])
        if !isPaused { withProgress("Going there") { _ in desk.local?.runner.runUntilIdle() } }
        answer(now) {
            "“\(TextTable.harmless(now["name"]?.string ?? ""))” \(isPaused ? "is paused" : "goes on").\n"
        }
    }

    /// How a place stands now.
    fileprivate func tellPlace(_ desk: DeskSession, _ place: JSON) throws {
        let now = try desk.client.get("/sync/\(place["id"]?.string ?? "")")
        answer(now) { PlaceWords.table([now], self) }
        if desk.local != nil { try tellTrouble([now]) }
    }

    fileprivate func tellTrouble(_ places: [JSON]) throws {
        for place in places where ["unavailable", "refused"].contains(place["state"]?.string ?? "") {
            throw Failure(.unavailable, place["sentence"]?.string ?? "The place does not answer.")
        }
    }
}

extension DeskClient {
    fileprivate func place(_ reference: String) throws -> JSON {
        let places = try get("/sync")["places"]?.array ?? []
        let found = places.filter { $0["id"]?.string == reference || $0["name"]?.string == reference }
        guard let place = found.first else {
            throw Failure(.notFound, "There is no place called “\(reference)”. See: quire sync list")
        }
        guard found.count == 1 else {
            throw Failure(
                .conflict,
                "“\(reference)” could be one of \(found.count); say which by its id: \(found.compactMap { $0["id"]?.string }.joined(separator: ", "))"
            )
        }
        return place
    }
}
