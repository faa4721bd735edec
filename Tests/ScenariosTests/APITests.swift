import Jobs
import SQL
import Access
import App
import Bytes
import Converting
import Crypto
import HTTP
import Library
import People
import Storage
import Sync
import TestSupport
import Testing
import Web
import Work

@Suite("The API")
struct APITests {
    /// A desk with something of everything.
    private func furnish(_ desk: Desk) throws -> Document {
        let visitor = Visitor(address: "127.0.0.1", isLoopback: true)
        _ = try desk.quire.access.firstOwner.setUp(
            name: "Ada", signInName: "ada", password: "correct horse battery", from: visitor)
        let document = try desk.quire.documents.add(
            .bytes(Array("Dear Ada,".utf8)), named: "letter.txt", by: .local
        ).document
        _ = try desk.command(.post, "/documents/\(document.id)/shares", json: ["days": 7])
        _ = try desk.command(.post, "/verifications")
        _ = try desk.command(.post, "/tokens", json: ["name": "script", "scope": ["read"]])
        _ = try desk.command(.post, "/invitations", json: ["role": "viewer", "note": "Grace"])
        try desk.furnishPackets()
        return document
    }

    @Test("describes every answer of every address that can be read, as it is")
    func described() throws {
        try withDesk { desk throws in
            let document = try furnish(desk)
            let job = try desk.quire.queue.list(limit: 1)[0]
            let member = try desk.quire.access.members.list()[0]
            let invitation = try desk.quire.access.invitations.make(role: .viewer, by: .local)
            let description = try desk.command(.get, "/openapi.json").json
            let check = SchemaCheck(description: description)
            let paper = try desk.quire.documents.add(
                .bytes(Array(SamplePaper.pages(["A page."]).utf8)), named: "page.pdf", by: .local
            ).document
            let folder = try desk.quire.documents.makeFolder(named: "Home", by: .local)
            let conversion = try desk.quire.conversions.begin(
                named: "Receipts", ConversionWishes(), by: .local)
            let place = try desk.quire.sync.add(SyncDraft(.folder, address: "/nowhere"), by: .local)
            try desk.quire.sync.openHere(by: .local)
            let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Grace\r\nTEL:1\r\nend\r\nEND:VCARD\r\n"
            try desk.quire.contacts.bring(cards: Array(card.utf8), named: "a.vcf", by: .local)
            let contact = try #require(try desk.quire.contacts.page(by: .local).contacts.first)
            let double = card.replacing("FN:Grace", with: "FN:Grace H")
            try desk.quire.contacts.bring(cards: Array(double.utf8), named: "b.vcf", by: .local)
            let other = try #require(try desk.quire.contacts.page(by: .local).contacts.last)
            let given: JSON = ["given": "Ada", "fields": [["value": "ada@example.org"]]]
            let made = try desk.command(.post, "/cards", json: given).json["id"]?.string ?? ""
            _ = try desk.command(.post, "/cards/\(made)/links", json: ["note": "Grace"])
            let ownCard = "/cards/\(made)"
            let signing =
                try desk.command(.post, "/identities", json: ["name": "Ada"]).json["id"]?.string ?? ""
            var seen = 0
            for (path, operations) in description["paths"]?.object ?? [:] {
                guard let answers = operations["get"]?["responses"],
                    let schema = answers["200"]?["content"]?["application/json"]?["schema"]
                else { continue }
                let id =
                    path.hasPrefix("/jobs")
                    ? job.id.text
                    : path.hasPrefix("/members")
                        ? member.id.text
                        : path.hasPrefix("/folders")
                            ? folder.id.text
                            : path.contains("/pages") || path.hasSuffix("/smaller")
                                ? paper.id.text : document.id.text
                let target =
                    try desk.packetTarget(path)
                    ?? "/"
                    + path.split(separator: "/").map {
                        switch $0 {
                        case "{id}": id
                        case "{page}": "1"
                        case "{token}": invitation.token.text
                        default: String($0)
                        }
                    }.joined(separator: "/")
                let own =
                    switch path {
                    case "/conversions/{id}": "/conversions/\(conversion.id)"
                    case "/sync/{id}": "/sync/\(place.id)"
                    case "/contacts/{id}": "/contacts/\(contact.id)"
                    case "/identities/{id}": "/identities/\(signing)"
                    case "/contacts/merging": "/contacts/merging?first=\(contact.id)&second=\(other.id)"
                    case "/cards/{id}", "/cards/{id}/links", "/cards/{id}/code", "/cards/{id}/tag",
                        "/cards/{id}/signature":
                        ownCard + path.dropFirst("/cards/{id}".count)
                    case "/cards/{id}/sheet": ownCard + "/sheet?as=json"
                    default: target
                    }
                let response = try patiently { try desk.command(.get, own) }
                #expect(response.status == .ok, "\(path): \(response.text)")
                let complaints = check.complaints(response.json, schema, at: path)
                #expect(complaints.isEmpty, "\(complaints)")
                seen += 1
            }
            #expect(seen >= 20)
        }
    }

    @Test("describes what it answers to changes, too")
    func describedChanges() throws {
        try withDesk { desk throws in
            let document = try furnish(desk)
            let description = try desk.command(.get, "/openapi.json").json
            let check = SchemaCheck(description: description)
            let changes: [(HTTP.Method, String, String, JSON?)] = [
                (.patch, "/documents/{id}", "/documents/\(document.id)", ["name": "Letter"]),
                (.delete, "/documents/{id}", "/documents/\(document.id)", nil),
                (.post, "/documents/{id}/restoration", "/documents/\(document.id)/restoration", nil),
                (
                    .post, "/documents/{id}/shares", "/documents/\(document.id)/shares",
                    ["password": "open sesame", "limit": 3]
                ),
                (.post, "/tokens", "/tokens", ["name": "another", "scope": ["read", "write"], "days": 30]),
                (.post, "/invitations", "/invitations", ["role": "editor"]),
                (
                    .post, "/settings/identity", "/settings/identity",
                    ["name": "Ada Ltd", "email": "ada@example.org"]
                ),
                (.post, "/verifications", "/verifications", nil),
                (.post, "/engine-trials", "/engine-trials", nil),
                (.delete, "/documents/{id}", "/documents/018f0000-0000-7000-8000-000000000000", nil),
                (.patch, "/documents/{id}", "/documents/\(document.id)", ["name": ""]),
                (.post, "/tokens", "/tokens", ["name": ["not", "text"], "scope": "everything"]),
                (.post, "/backups", "/backups", ["folder": "not/from/the/root"]),
            ]
            for (method, pattern, target, body) in changes {
                let response =
                    try body.map { try desk.command(method, target, json: $0) }
                    ?? desk.command(method, target)
                let answers = description["paths"]?[pattern]?[method.name.lowercased()]?["responses"]
                let answer = answers?[String(response.status.code)]
                #expect(
                    answer != nil, "\(method) \(pattern) answered \(response.status), which is not described")
                let type = response.mediaType?.essence ?? "none"
                guard let schema = answer?["content"]?[type]?["schema"] else {
                    #expect(
                        response.text.isEmpty,
                        "\(method) \(pattern) \(response.status) \(type) is not described")
                    continue
                }
                let complaints = check.complaints(response.json, schema, at: "\(method) \(pattern)")
                #expect(complaints.isEmpty, "\(complaints)")
            }
        }
    }

    @Test("has a description in which every reference leads somewhere and every operation has its own name")
    func sound() throws {
        try withDesk { desk throws in
            let description = try desk.command(.get, "/openapi.json").json
            let schemas = description["components"]?["schemas"]?.object ?? [:]
            let references = description.text.split(separator: "#/components/schemas/").dropFirst().map {
                String($0.prefix { $0 != "\"" })
            }
            #expect(Set(references).isSubset(of: Set(schemas.keys)))
            #expect(Set(schemas.keys).subtracting(references).isEmpty)
            let names = (description["paths"]?.object ?? [:]).flatMap { path in
                (path.value.object ?? [:]).compactMap { $0.value["operationId"]?.string }
            }
            #expect(names.count > 40)
            #expect(Set(names).count == names.count)
        }
    }

    @Test("does a request that is sent twice with one key once")
    func idempotency() throws {
        try withDesk { desk throws in
            let key: Headers = ["Idempotency-Key": "a-1"]
            func changes() throws -> Int {
                try desk.quire.store.journal.lines(limit: 100).count { $0.entry.verb == "settings.changed" }
            }
            let body: JSON = ["organization": "Engines & Sons"]
            let first = try desk.command(.post, "/settings/identity", json: body, key)
            let second = try desk.command(.post, "/settings/identity", json: body, key)
            #expect(first.status == .ok)
            #expect(second.text == first.text)
            #expect(second.headers["Idempotency-Replayed"] == "true")
            #expect(try changes() == 1)

            let other = try desk.command(.post, "/settings/identity", json: ["phone": "5"], key)
            #expect(other.status == .conflict)
            desk.hands.advance(.seconds(25 * 3600))
            let later = try desk.command(.post, "/settings/identity", json: body, key)
            #expect(later.headers["Idempotency-Replayed"] == nil)
            #expect(try changes() == 2)
        }
    }

    @Test("makes one token for one key, and keeps its secret nowhere to tell it again")
    func idempotentSecret() throws {
        try withDesk { desk throws in
            let key: Headers = ["Idempotency-Key": "a-1"]
            let body: JSON = ["name": "script", "scope": ["read"]]
            let first = try desk.command(.post, "/tokens", json: body, key)
            let second = try desk.command(.post, "/tokens", json: body, key)
            #expect(first.status == .created)
            #expect(second.status == .conflict)
            #expect(second.json["detail"]?.string?.contains("told only once") == true)
            #expect(try desk.quire.access.tokens.list(by: .local).count == 1)
        }
    }

    @Test("lets a request that failed be tried again with the same key")
    func idempotentFailure() throws {
        try withDesk { desk throws in
            let key: Headers = ["Idempotency-Key": "a-1"]
            let body: JSON = ["folder": .null]
            #expect(try desk.command(.post, "/backups", json: body, key).status == .conflict)
            try desk.quire.settings.change(BackupSettings(folder: "/tmp/nowhere"), by: .local)
            #expect(try desk.command(.post, "/backups", json: body, key).status == .accepted)
            #expect(
                try desk.command(.post, "/tokens", json: [:], ["Idempotency-Key": "two words"]).status
                    == .unprocessable)
        }
    }

    @Test("refuses a text with a NUL inside, in a list as alone: no database would take it")
    func nul() throws {
        try withDesk { desk throws in
            let paper = try desk.quire.documents.add(
                .bytes(Array("paper".utf8)), named: "Paper.txt", by: .local)
            let place = "/documents/\(paper.document.id)"
            for body: JSON in [
                ["note": "a\u{0}b"], ["people": ["Ana", "a\u{0}b"]], ["people": "a\u{0}b"],
            ] {
                #expect(try desk.command(.patch, place, json: body).status == .unprocessable)
            }
        }
    }

    @Test("leads through a long list page by page")
    func pages() throws {
        try withDesk { desk throws in
            for number in 1...7 {
                _ = try desk.quire.documents.add(
                    .bytes(Array("paper \(number)".utf8)), named: "Paper \(number).txt", by: .local)
            }
            var target: String? = "/documents?limit=3&sort=name&order=ascending&q=paper"
            var names: [String] = []
            while let here = target {
                let response = try desk.command(.get, here)
                #expect(response.json["total"]?.integer == 7)
                names += (response.json["documents"]?.array ?? []).compactMap { $0["name"]?.string }
                target = response.headers["Link"]?.between("<", ">")
                #expect((target == nil) == (response.json["next"]?.isNull == true))
            }
            #expect(names == (1...7).map { "Paper \($0).txt" })
        }
    }

    @Test("answers programs with problems and people with pages")
    func problems() throws {
        try withDesk { desk throws in
            let missing = "/documents/018f0000-0000-7000-8000-000000000000"
            let program = try desk.command(.get, missing)
            #expect(program.status == .notFound)
            #expect(program.mediaType?.essence == "application/problem+json")
            #expect(program.json["code"] == "notFound")
            let ada = desk.browser()
            try ada.becomeOwner()
            let page = try ada.get(missing)
            #expect(page.status == .notFound)
            #expect(page.text.contains("<h1"))
            #expect(try ada.get("/nothing-here").status == .notFound)
            #expect(try desk.command(.put, "/documents").status == .methodNotAllowed)
            #expect(try desk.command(.get, "/documents?sort=colour").status == .unprocessable)
            #expect(try desk.command(.get, "/documents?limit=0").json["field"] == "limit")
        }
    }

    @Test("shows a fault of ours as a short id, and writes down all of it")
    func fault() throws {
        try withDesk { desk throws in
            // Somebody pulls the table from under us.
            try desk.quire.store.database.write { db in _ = try db.run("DROP TABLE job_schedule") }
            let response = try desk.command(.get, "/schedules")
            #expect(response.status == .internalError)
            let reference = try #require(response.json["reference"]?.string)
            #expect(!response.text.contains("job_schedule"))
            let entry = try #require(desk.log.entries.last)
            #expect(entry.fields["reference"] == reference)
            #expect(entry.fields["error"]?.contains("job_schedule") == true)
        }
    }

    @Test("lets a token do what it was made for, and nothing once it is revoked")
    func tokens() throws {
        try withDesk { desk throws in
            let made = try desk.command(.post, "/tokens", json: ["name": "script", "scope": ["read"]])
            let secret = try #require(made.json["token"]?.string)
            func use(_ method: HTTP.Method, _ target: String) throws -> Status {
                let request = try Request(
                    method, target, headers: ["Authorization": "Bearer \(secret)", "Host": "localhost"],
                    peer: .init(address: "192.0.2.7", isLoopback: false))
                return desk.site.router.response(to: request).status
            }
            #expect(try use(.get, "/documents") == .ok)
            #expect(try use(.post, "/verifications") == .forbidden)
            #expect(try desk.command(.delete, made.headers["Location"] ?? "").status == .noContent)
            #expect(try use(.get, "/documents") == .unauthorized)
            #expect(try desk.command(.get, "/tokens").text.contains(secret) == false)
        }
    }
}
