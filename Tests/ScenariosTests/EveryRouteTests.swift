import Access
import App
import Bytes
import Converting
import Filling
import HTTP
import Jobs
import Library
import SQL
import Storage
import TestSupport
import Testing
import Web
import Work

/// Walks over the table of routes itself, so that one added tomorrow is in it.
@Suite("Every route")
struct EveryRouteTests {
    // MARK: Tokens

    /// What is asked with POST and changes nothing. A route that belongs here says so itself (`isOnlyAsking`); whoever adds
    /// one has to add it here as well, and so thinks twice.
    private static let questions: Set<String> = [
        "POST /ledger/verification", "POST /batches/{id}/letter/preview", "POST /batches/{id}/sending/check",
    ]

    /// Who comes here shows something else than a token.
    private static func isDoor(_ path: String) -> Bool {
        [
            "/s/", "/c/", "/phone/", "/looks/", "/reminders/", "/join/", "/sign-in", "/unlock", "/welcome",
            "/wallet/",
            "/sign-out", "/trust/",
            "/assets/", "/.well-known/",
        ]
        .contains {
            path.hasPrefix($0)
        }
            || path == "/trust" || path == "/api/token/" || path == "/api/{...}"
    }

    private func token(_ desk: Desk, _ scope: String, by ada: Browser) throws -> Browser {
        let made = try ada.fetch(.post, "/tokens", json: ["name": .string(scope), "scope": [.string(scope)]])
        return desk.program(try #require(made.json["token"]?.string))
    }

    /// What the desk says to each of its routes that change something, asked for a thing that is not there.
    private func answers(
        of desk: Desk, to program: Browser, where isMeant: (_ path: String, _ method: String) -> Bool
    ) throws -> [(name: String, status: Status, isClosed: Bool)] {
        try desk.everyRoute.filter {
            !$0.method.isSafe && isMeant($0.pattern.description, $0.method.name)
        }.map { route in
            let target = try #require(
                desk.targets(route, with: ["018f0000-0000-7000-8000-000000000000"]).first)
            let status = try program.fetch(route.method, target, json: [:]).status
            // A pattern for many routes takes no POST of its own.
            let isPattern = status == .methodNotAllowed && route.method == .post
            return (
                "\(route.method.name) \(route.pattern.description)", status,
                status == .forbidden || isPattern
            )
        }
    }

    @Test("that changes something is closed to a token that may only read")
    func reading() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let reader = try token(desk, "read", by: ada)
            let answers = try answers(of: desk, to: reader) { path, method in
                !Self.isDoor(path) && !["OPTIONS", "PROPFIND", "REPORT"].contains(method)
            }
            for answer in answers {
                if Self.questions.contains(answer.name) {
                    #expect(answer.status != .forbidden, "\(answer.name)")
                } else {
                    #expect(answer.isClosed, "\(answer.name): \(answer.status)")
                }
            }
            let count = answers.count { !Self.questions.contains($0.name) }
            #expect(count > 150)
        }
    }

    /// What concerns everybody on the desk, or how somebody comes in.
    private static let grave = [
        "/settings", "/members", "/invitations", "/tokens", "/sessions", "/passkeys", "/licences", "/backups",
        "/verifications", "/engine-trials", "/retention", "/contacts/books",
    ]

    @Test("about members, keys and settings is closed to a token that writes papers")
    func writing() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let writer = try token(desk, "write", by: ada)
            let answers = try answers(of: desk, to: writer) { path, _ in
                Self.grave.contains { path == $0 || path.hasPrefix($0 + "/") }
                    // What a book holds now is fetched by whoever keeps lists.
                    && path != "/contacts/books/{id}/pull"
            }
            for answer in answers { #expect(answer.isClosed, "\(answer.name): \(answer.status)") }
            #expect(answers.count > 20)
        }
    }

    @Test("of the desk is closed to a password for contacts, but the book of contacts itself")
    func contacts() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let phone = try token(desk, "contacts", by: ada)
            let answers = try answers(of: desk, to: phone) { path, method in
                !Self.isDoor(path) && !path.hasPrefix("/carddav/") && method != "OPTIONS"
            }
            for answer in answers { #expect(answer.isClosed, "\(answer.name): \(answer.status)") }
            #expect(answers.count > 200)
        }
    }

    @Test("of one's own ways in stays shut to a read token, and the member's other keys stay")
    func ownWays() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let reader = try token(desk, "read", by: ada)
            let made = try ada.fetch(.post, "/tokens", json: ["name": "Scanner", "scope": ["admin"]])
            let other = try #require(made.headers["Location"])
            let sessions = try ada.fetch(.get, "/sessions").json["sessions"]?.array ?? []
            let session = try #require(sessions.first?["id"]?.string)
            #expect(try reader.fetch(.delete, other).status == .forbidden)
            #expect(try reader.fetch(.delete, "/sessions/\(session)").status == .forbidden)
            #expect(
                try reader.fetch(.post, "/settings/language", json: ["theme": "dark"]).status == .forbidden)
            #expect(
                try reader.fetch(.post, "/settings/identity", json: ["part": "person", "name": "Eve"]).status
                    == .forbidden)
            #expect(try ada.get("/").status == .ok)
            // Forms that say another method in a field are held to that one's right.
            let form = "_method=DELETE"
            let answer = desk.site.router.response(
                to: try Request(
                    .post, other,
                    headers: [
                        "Host": "localhost", "Authorization": "Bearer \(reader.token ?? "")",
                        "Content-Type": "application/x-www-form-urlencoded",
                    ], body: .bytes(Array(form.utf8)), peer: .init(address: "192.0.2.7", isLoopback: false)))
            #expect(answer.status == .forbidden)
            let admin = try #require(made.json["token"]?.string)
            #expect(try desk.program(admin).fetch(.get, "/members").status == .ok)
            #expect(try desk.program(admin).fetch(.delete, other).status == .noContent)
        }
    }

    // MARK: Grave acts

    /// What outlasts the session or carries papers away. A route that belongs here says so itself (`isGrave`, or the desk
    /// asks by what is sent); whoever adds one has to add it here as well, and so thinks twice.
    private static let grief: Set<String> = [
        "POST /tokens", "POST /invitations", "PATCH /members/{id}", "POST /passkeys/options",
        "POST /settings/security/recovery-codes", "POST /sync", "POST /sync/invitations", "PATCH /sync/{id}",
        "POST /settings/backups", "POST /backups", "POST /recovery-sheets", "POST /recovery-keys",
        "POST /settings/mail", "POST /settings/bounces",
        "POST /settings/plans", "DELETE /licences/{id}", "POST /contacts/books", "PATCH /contacts/books/{id}",
        "POST /identities", "POST /identities/import", "POST /identities/{id}/signatures",
        "POST /identities/{id}/signatures/several", "POST /signing",
        "POST /trusted-certificates", "POST /documents/{id}/sign",
    ]

    @Test(
        "that outlasts the session or carries papers away asks who is there, when that was shown a while ago")
    func grave() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let member = try #require(try ada.fetch(.get, "/members").json["members"]?[0]?["id"]?.string)
            desk.hands.advance(.seconds(20 * 60))
            _ = try ada.get("/")
            let description = try desk.command(.get, "/openapi.json").json
            func fill(_ name: String) -> JSON? {
                switch name {
                case "scope": "admin"
                case "role": "owner"
                default: nil
                }
            }
            // These end the session itself, or are asked for the password anyway.
            let others: Set<String> = [
                "/lock", "/sign-out", "/sessions", "/sessions/{id}", "/settings/security/password", "/unlock",
                "/unlock/passkey", "/unlock/passkey-options", "/private/closing",
            ]
            var asking: Set<String> = []
            for route in desk.everyRoute where !route.method.isSafe {
                let path = route.pattern.description
                guard !Self.isDoor(path), !others.contains(path), !path.hasPrefix("/shelf") else { continue }
                let target = try #require(desk.targets(route, with: [member]).first)
                // Who asks by what is sent asks for the sake of one of these.
                let bodies = desk.bodies(route, description, fill: fill)
                let choices = bodies.filter { $0["role"] != nil || $0["scope"] != nil }
                for body in choices.isEmpty ? Array(bodies.prefix(1)) : choices {
                    let answer = try ada.fetch(route.method, target, json: body)
                    guard answer.status == .unauthorized, answer.json["field"] == "proof" else { continue }
                    asking.insert("\(route.method.name) \(path)")
                }
            }
            #expect(asking == Self.grief, "\(asking.symmetricDifference(Self.grief).sorted())")
        }
    }

    // MARK: Looking

    @Test("that is only looked at changes nothing: no line in the journal, no job, nothing made")
    func looking() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            let hidden = try furnish(desk, ada)
            try desk.furnishPackets()
            desk.quire.runner.runUntilIdle()
            func counts() throws -> [String: Int] {
                let tables = [
                    "journal", "job", "document", "folder", "tag", "member", "session", "api_token",
                    "share_link",
                    "template", "batch", "packet", "conversion", "recipient_list",
                ]
                return try desk.quire.store.database.read { db in
                    Dictionary(
                        uniqueKeysWithValues: try tables.map { table in
                            (table, try db.row("SELECT count(*) AS n FROM \(raw: table)")?.int("n") ?? 0)
                        })
                }
            }
            let before = try counts()
            for route in desk.everyRoute where route.method == .get {
                let path = route.pattern.description
                // Opening private folders is asked for by an address, and proved by a password.
                guard path != "/events", path != "/private" else { continue }
                for target in desk.targets(route, with: hidden.things) {
                    _ = try ada.fetch(.get, target)
                    _ = try ada.get(target)
                }
                let now = try counts()
                #expect(now == before, "\(path): \(now.filter { before[$0.key] != $0.value })")
                guard now == before else { return }
            }
        }
    }

    // MARK: Files

    /// Papers that would run something where they could, and what is made of them.
    private func furnishFiles(_ desk: Desk, _ ada: Browser) throws -> [String] {
        try desk.furnishPackets()
        func bring(_ bytes: [UInt8], _ name: String) throws -> String {
            let made = try ada.bring(bytes, to: "/documents?name=\(name)")
            return try #require(made.json["documents"]?[0]?["id"]?.string)
        }
        let page = try bring(Array("<script>alert(1)</script>".utf8), "page.html")
        let drawing = try bring(Array("<svg onload=\"alert(1)\"/>".utf8), "drawing.svg")
        let words = try bring(Array("the harbour".utf8), "words.txt")
        let form = try bring(Desk.consentForm, "form.pdf")
        let shared = try ada.fetch(.post, "/documents/\(page)/shares", json: [:])
        let address = try #require(shared.json["address"]?.string)
        let conversion = try ada.fetch(
            .post, "/conversions", json: ["document": .string(words), "hold": true])
        let place = try #require(conversion.headers["Location"])
        _ = try ada.fetch(.post, place + "/runs")
        desk.quire.runner.runUntilIdle()
        return [page, drawing, words, form]
            + [address, place].compactMap { $0.split(separator: "/").last.map(String.init) }
    }

    /// Whether the answer gives something out that is no page and no JSON, to be looked at under its policy.
    private func isGivenOut(_ answer: Response) -> Bool {
        guard answer.status.code < 300, let type = answer.headers["Content-Type"] else { return false }
        if answer.headers["Content-Disposition"] != nil { return true }
        let ours = ["text/html", "application/json", "application/manifest+json", "application/xml"]
        return !ours.contains(where: type.hasPrefix)
    }

    private func isInSandbox(_ answer: Response) -> Bool {
        let policy = answer.headers["Content-Security-Policy"] ?? ""
        guard policy.hasPrefix("default-src 'none'; style-src 'unsafe-inline'; img-src") else { return false }
        return policy.hasSuffix("; sandbox") || answer.headers["Content-Type"] == "application/pdf"
    }

    @Test("that gives out a file puts it into a sandbox, a PDF that is looked at where nothing runs")
    func files() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let things = try furnishFiles(desk, ada)
            var given: Set<String> = []
            for route in desk.everyRoute where route.method == .get {
                let path = route.pattern.description
                // Our own words.
                guard
                    ![
                        "/events", "/private", "/assets/{hash}/{name}", "/sw.js", "/c/worker.js",
                        "/robots.txt",
                    ].contains(path)
                else { continue }
                var targets = desk.targets(route, with: things)
                if let target = try desk.packetTarget(path) { targets.append(target) }
                for target in targets {
                    desk.hands.advance(.seconds(1))
                    var answers = [try ada.fetch(.get, target)]
                    answers.append(try ada.get(target))
                    answers.append(try ada.fetch(.get, target + "?download=1"))
                    answers = answers.filter(isGivenOut)
                    if !answers.isEmpty { given.insert(path) }
                    for answer in answers {
                        #expect(isInSandbox(answer), "\(target): \(answer.headers)")
                    }
                }
            }
            let least: Set<String> = [
                "/documents/{id}/file", "/ledger/export", "/outbox/{id}/file", "/packets/{id}/file",
            ]
            #expect(given.isSuperset(of: least), "\(given.sorted())")
            #expect(given.count > 12, "\(given.sorted())")
        }
    }

    // MARK: Damaged papers

    /// Forms that somebody brought and that broke on the way, in several ways.
    private static var broken: [(name: String, bytes: [UInt8])] {
        let whole = Desk.consentForm
        var dice = Dice(25)
        let cut = [0.3, 0.6, 0.9, 0.99].map {
            ("cut at \($0)", Array(whole.prefix(Int(Double(whole.count) * $0))))
        }
        let blank = [0.1, 0.4, 0.7].map { place -> (String, [UInt8]) in
            var bytes = whole
            let start = Int(Double(whole.count) * place)
            for offset in start..<min(start + 400, bytes.count) { bytes[offset] = 0x20 }
            return ("blank at \(place)", bytes)
        }
        let bitten = (0..<6).map { number -> (String, [UInt8]) in
            var bytes = whole
            for _ in 0..<60 { bytes[9 + dice.below(bytes.count - 9)] = UInt8(dice.below(256)) }
            return ("bitten \(number)", bytes)
        }
        return cut + blank + bitten
    }

    @Test("about a form that is damaged says so, and none fails inside")
    func damaged() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let description = try desk.command(.get, "/openapi.json").json
            let list = try desk.addPupils()
            var forms = 0
            for (name, bytes) in Self.broken {
                let document = try #require(
                    try ada.bring(bytes, to: "/documents?name=form.pdf").json["documents"]?[0]?["id"]?.string)
                let made = try ada.fetch(.post, "/templates", json: ["document": .string(document)])
                #expect(made.status != .internalError, "\(name): \(made.text)")
                var things = [document]
                if let form = made.json["templates"]?[0]?["id"]?.string {
                    forms += 1
                    let batch = try ada.fetch(
                        .post, "/batches", json: ["template": .string(form), "list": .string(list)])
                    things += [form, try #require(batch.json["id"]?.string, "\(batch.text)")]
                }
                for route in desk.everyRoute {
                    let path = route.pattern.description
                    let isMeant = ["/templates", "/documents/{id}", "/batches"].contains(
                        where: path.hasPrefix)
                    guard isMeant, ![.delete, .options].contains(route.method)
                    else { continue }
                    for target in desk.targets(route, with: things) {
                        desk.hands.advance(.milliseconds(100))
                        for body in route.method.isSafe
                            ? [.null] : Array(desk.bodies(route, description) { _ in nil }.prefix(1))
                        {
                            let answer =
                                route.method.isSafe
                                ? try ada.fetch(.get, target)
                                : try ada.fetch(route.method, target, json: body)
                            #expect(
                                answer.status != .internalError,
                                "\(name): \(route.method.name) \(target) \(body): \(answer.text)")
                        }
                    }
                }
            }
            #expect(forms > 0)
            #expect(!desk.log.messages.contains("a request failed inside"))
        }
    }

    // MARK: Private papers

    /// What only private papers say. None of these words is in the program or its catalogs.
    private static let secrets = [
        "quagga", "okapi", "numbat", "axolotl", "tarsier", "pangolin", "ocelot", "zorilla",
    ]

    private struct Hidden {
        var paper: String
        var folder: String
        var inner: String
        /// Everything made of it.
        var things: [String]
    }

    /// Ada's desk with papers, forms, batches, conversions and links in a private folder, and closed again.
    private func furnish(_ desk: Desk, _ ada: Browser) throws -> Hidden {
        try ada.becomeOwner()
        func id(_ answer: Response) throws -> String {
            try #require(answer.json["id"]?.string, "\(answer.text)")
        }
        let folder = try id(ada.fetch(.post, "/folders", json: ["path": "Health"]))
        let inner = try id(ada.fetch(.post, "/folders", json: ["path": "Health/Pangolin"]))
        _ = try ada.fetch(.post, "/fields", json: ["name": "Number", "kind": "text"])
        func bring(_ text: String, _ name: String, _ folder: String) throws -> String {
            try #require(
                try ada.bring(Array(text.utf8), to: "/documents?name=\(name)&folder=\(folder)")
                    .json["documents"]?[0]?["id"]?.string)
        }
        let open = try bring("the harbour and the clinic", "open.txt", "")
        let paper = try bring("the okapi of the harbour", "quagga.txt", inner)
        _ = try ada.fetch(.patch, "/folders/\(folder)", json: ["private": true])
        _ = try ada.get("/private?next=/documents")
        _ = try ada.fetch(
            .patch, "/documents/\(paper)",
            json: [
                "tags": ["numbat"], "people": ["Dr Axolotl"], "note": "tarsier",
                "fields": ["Number": "ocelot"],
            ])
        let tag = (try ada.fetch(.get, "/tags").json["tags"]?.array ?? []).first { $0["name"] == "numbat" }
        let form = try #require(
            try ada.bring(Desk.consentForm, to: "/documents?name=zorilla.pdf&folder=\(inner)")
                .json["documents"]?[0]?["id"]?.string)
        let template = try #require(
            try ada.fetch(.post, "/templates", json: ["document": .string(form)]).json["templates"]?[0]?[
                "id"]?.string)
        let batch = try id(
            ada.fetch(
                .post, "/batches",
                json: ["name": "Zorilla", "parts": [["kind": "template", "template": .string(template)]]]))
        let conversion = try ada.fetch(
            .post, "/conversions", json: ["document": .string(paper), "hold": true])
        let place = try #require(conversion.headers["Location"])
        _ = try ada.fetch(.post, place + "/runs")
        let job = try #require(try ada.fetch(.get, place).json["job"]?.string)
        let rule = try id(
            ada.fetch(
                .post, "/rules",
                json: ["name": "Mine", "from": .string(inner), "words": "okapi", "tags": ["kept"]]))
        _ = try ada.fetch(.post, "/rules/\(rule)/runs")
        desk.quire.runner.runUntilIdle()
        _ = try ada.fetch(.post, "/private/closing")
        #expect(try ada.fetch(.get, "/documents").json["documents"]?[0]?["id"]?.string == open)
        return Hidden(
            paper: paper, folder: folder, inner: inner,
            things: [
                paper, form, folder, inner, template, batch, String(place.split(separator: "/").last ?? ""),
                job, rule,
                tag?["id"]?.string ?? "",
            ])
    }

    private func told(_ answer: Response) -> [String] {
        let said = Haystack((answer.text + (answer.headers["Location"] ?? "")).lowercased())
        return Self.secrets.filter(said.contains)
    }

    @Test(
        "that reads tells nothing of private papers while they are closed: to no person and no program",
        arguments: [true, false])
    func closedToReading(asPages: Bool) throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            let hidden = try furnish(desk, ada)
            let program = try token(desk, "admin", by: ada)
            let editor = desk.browser()
            try ada.invite("Grace", as: "editor", into: editor)
            for route in desk.everyRoute where route.method == .get {
                let path = route.pattern.description
                guard path != "/events", !path.hasPrefix("/s/"), path != "/private" else { continue }
                for target in desk.targets(route, with: hidden.things) {
                    // No program may ask so often at once.
                    desk.hands.advance(.seconds(1))
                    for ending in [
                        "", "?folder=\(hidden.inner)", "?document=\(hidden.paper)&format=json&q=1",
                    ] {
                        let read =
                            try asPages
                            ? [ada.get(target + ending), editor.get(target + ending)]
                            : [ada.fetch(.get, target + ending), program.fetch(.get, target + ending)]
                        for answer in read {
                            #expect(told(answer).isEmpty, "\(path) at \(target)\(ending): \(told(answer))")
                            #expect(answer.status != .internalError, "\(target)\(ending)")
                            if case .file = answer.body, path != "/assets/{hash}/{name}" {
                                Issue.record("a file at \(target)\(ending)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("answers a word that stands in private papers alone as it answers one that stands nowhere")
    func closedToGuessing() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            _ = try furnish(desk, ada)
            // Each is as long as the other, and sorts beside it.
            let words = [
                "q": ("okapi", "okapu"), "query": ("okapi", "okapu"), "term": ("okapi", "okapu"),
                "words": ("quagga", "quaggu"), "name": ("quagga", "quaggu"), "tag": ("numbat", "numbad"),
                "person": ("axolotl", "axolotu"),
            ]
            for route in desk.everyRoute where route.method == .get {
                let path = route.pattern.description
                // How full the machine is and how fast, which changes meanwhile.
                let isOfMachine = ["/settings/storage", "/activity/figures"].contains(path)
                guard !path.contains("{"), path != "/events", path != "/private", !isOfMachine else {
                    continue
                }
                // It tells the page's token, which looks different each time, and nothing else of what lies here.
                guard path != "/presence" else { continue }
                for (key, (secret, nothing)) in words {
                    // Pages show the same, and have secrets of their own that are new each time.
                    func ask(_ word: String) throws -> String {
                        let answer = try ada.fetch(.get, "\(path)?\(key)=\(word)")
                        guard answer.mediaType?.isJSON == true else { return "" }
                        // What others make room of on the disk meanwhile is said on one of them.
                        return answer.text.replacing(word, with: "…")
                            .replacing(try Regex("\"[^\"]* are free\\.\""), with: "\"…\"")
                    }
                    #expect(try ask(secret) == ask(nothing), "\(path)?\(key)=\(secret)")
                }
            }
        }
    }

    @Test("that changes leaves private papers as they are, and gives no link to them, while they are closed")
    func closedToChanging() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            let hidden = try furnish(desk, ada)
            let program = try token(desk, "admin", by: ada)
            let description = try desk.command(.get, "/openapi.json").json
            func links() throws -> Int {
                try desk.quire.access.shareLinks.list(by: .local).count {
                    hidden.things.contains($0.subject.id)
                }
            }
            func fill(_ name: String) -> JSON? {
                let name = name.lowercased()
                if name.contains("folder") || ["parent", "from", "into", "place"].contains(name) {
                    return .string(hidden.inner)
                }
                if name.contains("document") || name.contains("paper") || ["id", "ids"].contains(name) {
                    return .string(hidden.paper)
                }
                return nil
            }
            let kept = try rows(of: hidden, desk)
            for route in desk.everyRoute where !route.method.isSafe {
                let path = route.pattern.description
                guard !path.hasPrefix("/shelf"), !path.hasPrefix("/sign"),
                    path != "/settings/security/password"
                else { continue }
                for target in desk.targets(route, with: hidden.things) {
                    for body in desk.bodies(route, description, fill: fill) {
                        // No program may ask so often at once.
                        desk.hands.advance(.seconds(1))
                        let answer = try program.fetch(route.method, target, json: body)
                        #expect(answer.status != .tooManyRequests)
                        let now = try rows(of: hidden, desk)
                        #expect(
                            told(answer).isEmpty, "\(route.method.name) \(target) \(body): \(answer.text)")
                        #expect(now == kept, "\(route.method.name) \(target) \(body)")
                        #expect(try links() == 0, "\(route.method.name) \(target) \(body)")
                        guard now == kept, try links() == 0 else { return }
                    }
                }
            }
        }
    }

    /// The private papers and folders as they are.
    private func rows(of hidden: Hidden, _ desk: Desk) throws -> [String] {
        try desk.quire.store.database.read { db in
            let papers = try db.rows(
                """
                SELECT name, folder, note, tag_names, people_names, field_values, trashed_at FROM document
                WHERE folder = \(hidden.inner) ORDER BY id
                """
            ).map { row in
                try ["name", "folder", "note", "tag_names", "people_names", "field_values"].map {
                    try row.optionalText($0) ?? ""
                }.joined(separator: "|") + "\(try row.optionalInteger("trashed_at") ?? 0)"
            }
            let folders = try db.rows(
                "SELECT name, parent, hidden, trashed_at FROM folder WHERE id IN (\(hidden.folder), \(hidden.inner)) ORDER BY id"
            )
            .map {
                "\(try $0.text("name")) \(try $0.optionalText("parent") ?? "") \(try $0.int("hidden")) \(try $0.optionalInteger("trashed_at") ?? 0)"
            }
            return papers + folders
        }
    }
}
