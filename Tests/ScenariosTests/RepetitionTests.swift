import App
import Bytes
import Delivery
import Filling
import Glibc
import HTTP
import Jobs
import People
import SQL
import Storage
import Synchronization
import TestSupport
import Testing
import Web
import Work

@testable import Access

private let head = "child name,class,birth date,guardian name,relation,telephone number,e-mail\n"
private let first = """
    Zoë Ångström,5a,06102015,Žofie Ångström,mother,555-0113,zofie@example.org
    Ana Ruiz,5a,17012016,Eva Ruiz,mother,555-0114,eva@example.org
    Bo Li,5b,03032016,Li Na,mother,,

    """
private let second = """
    Zoë Ångström,5a,06102015,Žofie Ångström,mother,555-0113,zofie@example.org
    Ana Ruiz,6b,17012016,Eva Ruiz,mother,555-0114,eva@example.org
    Bo Li,5b,03032016,Li Na,mother,,
    Cy New,5b,04042016,Dee New,father,555-0119,dee@example.org

    """

@Suite(
    "A batch that repeats",
    .enabled(if: Peer.has("aiosmtpd"), "the Python package aiosmtpd is not installed (bin/setup --check)"))
struct RepetitionTests {
    private func recipients(_ folder: String) throws -> [String] {
        var found: [String] = []
        var number = 1
        while let bytes = try? contents(of: "\(folder)/\(number).json") {
            found += try JSON(parsing: bytes)["recipients"]?.array?.compactMap(\.string) ?? []
            number += 1
        }
        return found.sorted()
    }

    /// Lets everything go on until nothing moves.
    private func work(_ desk: Desk) {
        for _ in 0..<8 {
            desk.quire.runner.runUntilIdle()
            desk.hands.advance(.seconds(3))
        }
    }

    @Test("sends to those alone who are new or whose papers have changed, when its file changes")
    func fileChanges() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk { desk throws in
                try desk.setMail(port: server.port)
                let batch = try desk.makeBatch()
                let path = "/batches/\(batch)"
                _ = try desk.command(
                    .patch, path + "/letter",
                    json: ["subject": "For {{child_name}}", "body": "Dear {{guardian_name}}"])
                _ = try desk.command(.post, path + "/sending", json: ["count": 2])
                work(desk)
                #expect(try recipients(folder) == ["eva@example.org", "zofie@example.org"])

                let file = "\(folder)/pupils.csv"
                try write(Array((head + first).utf8), to: file)
                let made = try desk.command(
                    .post, "/repetitions", json: ["batch": .string(batch), "file": .string(file)])
                #expect(made.status == .created, "\(made.text)")
                #expect(made.json["rule"] == "FREQ=MINUTELY;INTERVAL=5")
                let id = made.json["id"]?.string ?? ""
                func run() throws -> JSON {
                    _ = try desk.command(.post, "/repetitions/\(id)/run", json: [:])
                    work(desk)
                    return try desk.command(.get, "/repetitions/\(id)").json
                }
                #expect(try run()["outcome"] == "Nothing is new or changed.")
                #expect(try run()["outcome"] == "The file has not changed.")
                try write(Array((head + second).utf8), to: file)
                // Held, it does not look; asked to, it does all the same.
                let held = try desk.command(.post, "/repetitions/\(id)/pause", json: [:])
                #expect(held.json["isPaused"] == true)
                desk.hands.advance(.seconds(3600))
                work(desk)
                #expect(try recipients(folder).count == 2)
                let goes = try desk.command(.post, "/repetitions/\(id)/resumption", json: [:])
                #expect(goes.json["isPaused"] == false)
                let done = try run()
                #expect(done["outcome"] == "Made 2, sending 2.")
                #expect(done["newest"]?.string != batch && done["current"]?.isNull == true)
                #expect(
                    try recipients(folder) == [
                        "dee@example.org", "eva@example.org", "eva@example.org", "zofie@example.org",
                    ])
                #expect(try run()["outcome"] == "The file has not changed.")
                let runs = try desk.command(.get, "/repetitions/\(id)/runs").json["runs"]
                #expect(
                    runs?.array?.map { $0["outcome"] } == [
                        "Made 2, sending 2.", "Nothing is new or changed.",
                    ])
                #expect(try desk.command(.post, "/ledger/verification").json["isSound"] == true)
                #expect(try desk.command(.delete, "/repetitions/\(id)").status == .noContent)
                #expect(try desk.command(.get, "/repetitions").json["repetitions"]?.array?.isEmpty == true)
            }
        }
    }

    /// A batch whose packets went out, with a letter, and what lies at the mail server.
    private func story(
        _ body: (_ desk: Desk, _ batch: String, _ folder: String) throws -> Void
    ) throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk { desk throws in
                try desk.setMail(port: server.port)
                let batch = try desk.makeBatch()
                _ = try desk.command(.post, "/batches/\(batch)/sending", json: ["count": 2])
                work(desk)
                try body(desk, batch, folder)
            }
        }
    }

    private func add(_ desk: Desk, _ batch: String, file: String) throws -> String {
        let made = try desk.command(
            .post, "/repetitions", json: ["batch": .string(batch), "file": .string(file)])
        #expect(made.status == .created, "\(made.text)")
        return made.json["id"]?.string ?? ""
    }

    /// One time with this file, and what it brought.
    private func run(_ desk: Desk, _ id: String, _ text: String, at file: String) throws -> String? {
        try write(Array((head + text).utf8), to: file)
        _ = try desk.command(.post, "/repetitions/\(id)/run", json: [:])
        work(desk)
        return try desk.command(.get, "/repetitions/\(id)").json["outcome"]?.string
    }

    @Test("takes a table of another name for the one its people came from, and nobody gets theirs twice")
    func renamed() throws {
        try story { desk, batch, folder in
            let file = "\(folder)/october.csv"
            try write(Array((head + second).utf8), to: file)
            let id = try add(desk, batch, file: file)
            #expect(try desk.command(.get, "/repetitions/\(id)").json["source"] == "pupils.csv")
            #expect(try run(desk, id, second, at: file) == "Made 2, sending 2.")
            #expect(
                try recipients(folder) == [
                    "dee@example.org", "eva@example.org", "eva@example.org", "zofie@example.org",
                ])
        }
    }

    @Test("asks which table a file takes the place of, where the list has rows of several")
    func severalTables() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let list = try #require(try desk.quire.recipients.all(by: .local).first)
            let location = try desk.upload(
                "/lists/\(list.id)/imports?name=more.csv", Array((head + "New One,5c,,,,,\n").utf8),
                "text/csv"
            ).headers["Location"]
            _ = try desk.command(.post, try #require(location) + "/application")
            func add(_ source: JSON) throws -> Response {
                try desk.command(
                    .post, "/repetitions",
                    json: ["batch": .string(batch), "file": "/tmp/october.csv", "source": source])
            }
            let asked = try add("")
            #expect(asked.status == .unprocessable)
            #expect(asked.text.contains("Say of which “october.csv” takes the place."), "\(asked.text)")
            #expect(try add("others.csv").status == .unprocessable)
            #expect(try add("more.csv").json["source"] == "more.csv")
        }
    }

    @Test("reaches whom it could not reach, once their address is mended, and nobody else again")
    func mended() throws {
        try story { desk, batch, folder in
            let file = "\(folder)/pupils.csv"
            let id = try add(desk, batch, file: file)
            // Cy's mail is refused, and Bo still has no address.
            let refused = second.replacing("dee@", with: "nobody@").replacing("6b", with: "5a")
            #expect(try run(desk, id, refused, at: file) == "Made 1, sending 1.")
            #expect(try recipients(folder).count == 2)
            // Tried again and again it would be refused again and again.
            #expect(try run(desk, id, refused + "\n", at: file) == "Nothing is new or changed.")
            let mended = refused.replacing("nobody@", with: "dee@").replacing(
                "Li Na,mother,,", with: "Li Na,mother,,li@example.org")
            #expect(try run(desk, id, mended, at: file) == "Made 2, sending 2.")
            #expect(try run(desk, id, mended + "\n", at: file) == "Nothing is new or changed.")
            #expect(
                try recipients(folder) == [
                    "dee@example.org", "eva@example.org", "li@example.org", "zofie@example.org",
                ])
        }
    }

    @Test("sends nothing again to somebody who was off the list for a while, or whose row was broken")
    func away() throws {
        try story { desk, batch, folder in
            let file = "\(folder)/pupils.csv"
            let id = try add(desk, batch, file: file)
            let zoe = "Zoë Ångström,5a,06102015,Žofie Ångström,mother,555-0113,zofie@example.org\n"
            let cy = "Cy New,5b,04042016,Dee New,father,555-0119,dee@example.org\n"
            #expect(try run(desk, id, zoe + cy, at: file) == "Made 1, sending 1.")
            let ana = "Ana Ruiz,5a,17012016,Eva Ruiz,mother,555-0114,eva@example.org\n"
            #expect(try run(desk, id, zoe + ana + cy, at: file) == "Nothing is new or changed.")
            #expect(
                try recipients(folder) == ["dee@example.org", "eva@example.org", "zofie@example.org"])
        }
    }

    @Test("sends later what it could not send, as soon as the cause is mended")
    func trouble() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk { desk throws in
                let batch = try desk.makeBatch()
                let file = "\(folder)/pupils.csv"
                let id = try add(desk, batch, file: file)
                let held = try #require(try run(desk, id, second, at: file))
                #expect(held.hasPrefix("Made 2; none was sent: There is no mail account yet."), "\(held)")
                desk.hands.advance(.seconds(301))
                work(desk)
                let now = try desk.command(.get, "/repetitions/\(id)").json
                #expect(now["outcome"] == .string(held) && now["waits"] == true)
                #expect(try desk.command(.get, "/batches").json["batches"]?.array?.count == 2)
                try desk.setMail(port: server.port)
                desk.hands.advance(.seconds(301))
                work(desk)
                #expect(try recipients(folder) == ["dee@example.org", "eva@example.org"])
                let runs = try desk.command(.get, "/repetitions/\(id)/runs").json["runs"]?.array
                #expect(runs?.map { $0["outcome"]?.string } == ["Made 2, sending 2.", held])
            }
        }
    }

    @Test("waits for the approval its batch demands, and sends nothing before")
    func approval() throws {
        try withScratchFolder { folder in
            let server = try Peer("mail.py", ["mute", folder])
            try withDesk { desk throws in
                try desk.setMail(port: server.port)
                let batch = try desk.beginBatch()
                _ = try desk.command(
                    .patch, "/batches/\(batch)", json: ["options": ["needsSecondMember": true]])
                let file = "\(folder)/pupils.csv"
                let id = try add(desk, batch, file: file)
                let waits = try #require(try run(desk, id, second, at: file))
                #expect(waits.hasPrefix("Planned 4: somebody has to approve"), "\(waits)")
                desk.hands.advance(.seconds(301))
                work(desk)
                #expect(try recipients(folder).isEmpty)
                let now = try desk.command(.get, "/repetitions/\(id)").json
                #expect(now["waits"] == true)
                let current = try #require(now["current"]?.string.flatMap { ID<Batch>($0) })
                let second = Caller(
                    memberID: ID<Member>("00000000-0000-7000-8000-000000000002"), name: "Bea", role: .owner,
                    via: .local)
                try desk.quire.batches.approve(current, by: second)
                desk.hands.advance(.seconds(301))
                work(desk)
                #expect(
                    try recipients(folder) == ["dee@example.org", "eva@example.org", "zofie@example.org"])
            }
        }
    }

    @Test("is the only one of its batch: a second would send everybody the same change")
    func onlyOne() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let daily: JSON = ["batch": .string(batch), "rule": "FREQ=DAILY"]
            #expect(try desk.command(.post, "/repetitions", json: daily).status == .created)
            let second = try desk.command(
                .post, "/repetitions", json: ["batch": .string(batch), "rule": "FREQ=WEEKLY"])
            #expect(second.status == .conflict, "\(second.text)")
            #expect(try desk.command(.get, "/repetitions").json["repetitions"]?.array?.count == 1)
        }
    }

    @Test("says what the next time would bring, and makes nothing for it")
    func forecast() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let made = try desk.command(
                .post, "/repetitions", json: ["batch": .string(batch), "rule": "FREQ=DAILY;BYHOUR=7"])
            let path = "/repetitions/\(made.json["id"]?.string ?? "")/forecast"
            #expect(try desk.command(.post, path, json: [:]).json["planned"] == 0)
            let list = try #require(try desk.quire.recipients.all(by: .local).first)
            _ = try desk.upload(
                "/lists/\(list.id)/imports?name=more.csv", Array((head + "New One,5c,,,,,\n").utf8),
                "text/csv")
            let pending = try #require(try desk.quire.recipients.pending(of: list.id, by: .local).first)
            _ = try desk.quire.recipients.apply(pending.id, by: .local)
            let next = try desk.command(.post, path, json: [:]).json
            #expect(next["planned"] == 1 && next["new"] == 1 && next["names"] == ["New One"], "\(next.text)")
            let batches = try desk.command(.get, "/batches").json["batches"]?.array?.count
            #expect(batches == 1)
            #expect(try desk.command(.get, "/batches?trash=1").json["batches"]?.array?.isEmpty == true)
        }
    }

    @Test("names only files of the desk's own folder, when asked over the network")
    func files() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let token = try desk.command(.post, "/tokens", json: ["name": "p", "scope": ["read", "write"]])
            let program = desk.program(token.json["token"]?.string ?? "")
            for file in ["/etc/passwd", "../keys/settings.key", "a/b.csv", ".hidden"] {
                let refused = try program.fetch(
                    .post, "/repetitions", json: ["batch": .string(batch), "file": .string(file)])
                #expect(refused.status == .unprocessable, "\(file): \(refused.text)")
            }
            let taken = try program.fetch(
                .post, "/repetitions", json: ["batch": .string(batch), "file": "pupils.csv"])
            #expect(taken.json["file"]?.string?.hasSuffix("/inbox/pupils.csv") == true, "\(taken.text)")
            let never = try program.fetch(
                .post, "/repetitions", json: ["batch": .string(batch), "rule": "SOMETIMES"])
            #expect(never.status == .unprocessable)
        }
    }
}

@Suite("What is told about packets")
struct AccountTests {
    @Test("goes out as a table in which nothing is a formula", arguments: ["csv", "xlsx", "ndjson"])
    func export(form: String) throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let packet = try desk.packet("Bo", of: batch)
            _ = try desk.command(
                .post, "/packets/\(packet)/handover", json: ["note": "=HYPERLINK(\"http://evil.example\")"])
            for content in ["packets", "lines"] {
                let file = try desk.command(.get, "/ledger/export?form=\(form)&content=\(content)")
                #expect(file.status == .ok)
                let path = try Self.keep(file)
                defer { unlink(path) }
                let text = try python(
                    """
                    import sys, csv, json
                    kind, path = sys.argv[1:]
                    if kind == "csv":
                        rows = list(csv.reader(open(path, encoding="utf-8-sig", newline="")))
                    elif kind == "xlsx":
                        import zipfile
                        sheet = zipfile.ZipFile(path).read("xl/worksheets/sheet1.xml").decode()
                        assert "<f>" not in sheet and "<f " not in sheet
                        rows = sheet.split("<row ")[1:]
                    else:
                        rows = [list(json.loads(line).values()) for line in open(path)]
                    if kind == "csv":
                        assert not any(str(cell).startswith(("=", "+", "-", "@")) for row in rows for cell in row), rows
                    print(len(rows))
                    """, [form, path])
                let rows = (content == "packets" ? 3 : 4) + (form == "ndjson" ? 0 : 1)
                #expect(text == "\(rows)\n")
            }
        }
    }

    private static func keep(_ response: Response) throws -> String {
        let path = "/tmp/quire-export-\(Chance.system.integer(below: 1 << 40))"
        var bytes: [UInt8] = []
        if case .stream(let make) = response.body {
            let sink = Sink()
            try make(ByteSink { piece in sink.bytes.withLock { $0 += piece } })
            bytes = sink.bytes.withLock { $0 }
        }
        try write(bytes, to: path)
        return path
    }

    private final class Sink: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    @Test("is forgotten by a rule, and what was sent is not sent again all the same")
    func retention() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let packet = try desk.packet("Bo", of: batch)
            _ = try desk.command(.post, "/packets/\(packet)/handover", json: [:])
            let saved = try desk.command(.post, "/settings/ledger", json: ["keepDays": 30])
            #expect(saved.json["keepDays"] == 30)
            desk.hands.advance(.seconds(20 * 86_400))
            try desk.quire.maintenance.prune(by: "test")
            #expect(try desk.command(.get, "/ledger").json["items"]?.array?.count == 3)
            desk.hands.advance(.seconds(20 * 86_400))
            try desk.quire.maintenance.prune(by: "test")
            #expect(try desk.command(.get, "/ledger").json["items"]?.array?.isEmpty == true)
            #expect(try desk.command(.post, "/ledger/verification").json["isSound"] == true)
        }
    }

    @Test("is kept as long as the plan allows, which is for ever where people host themselves")
    func retentionOfPlans() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let packet = try desk.packet("Bo", of: batch)
            _ = try desk.command(.post, "/packets/\(packet)/handover", json: [:])
            func count() throws -> Int? {
                try desk.quire.maintenance.prune(by: "test")
                return try desk.command(.get, "/ledger").json["items"]?.array?.count
            }
            desk.hands.advance(.seconds(4_000 * 86_400))
            #expect(try count() == 3)
            // As people on the example plan have it: thirty days, even if they wish for more.
            _ = try desk.command(.post, "/settings/ledger", json: ["keepDays": 5_000])
            #expect(try count() == 3)
            let simulated = try desk.command(.post, "/settings/plans", json: ["simulateFree": true])
            #expect(simulated.status == .ok, "\(simulated.text)")
            #expect(try count() == 0)
            #expect(try desk.command(.post, "/ledger/verification").json["isSound"] == true)
        }
    }

    @Test("has as many templates and recipients as the plan allows, and whoever reaches the limit is told")
    func limitsOfPlans() throws {
        try withDesk { desk throws in
            func simulate(_ isFree: JSON) throws {
                _ = try desk.command(.post, "/settings/plans", json: ["simulateFree": isFree])
            }
            try simulate(true)
            func template(_ number: Int) throws -> Response {
                try desk.upload("/templates?name=form\(number).pdf", Desk.consentForm)
            }
            let first = try template(1).json["templates"]?[0]?["id"] ?? .null
            let second = try template(2)
            #expect(second.status == .forbidden && second.text.contains("allows 1, and this would make 2"))
            #expect(second.json["field"] == "plan")
            // A page says so as well, and where the plans stand.
            let page = try desk.command(
                .post, "/templates?name=form2.pdf",
                ["Content-Type": "application/octet-stream", "Accept": "text/html"],
                body: .bytes(Desk.consentForm))
            #expect(page.status == .forbidden && page.text.contains("Settings › Plans and limits"))
            let use = try desk.command(.get, "/plans").json["decisions"]?.array ?? []
            #expect(use.prefix(Limit.allCases.count).map { $0["used"] ?? .null } == [1, 0, .null, 0])

            let rows = (1...11).map { "Pupil \($0),5a\n" }.joined()
            // A list that is too long is refused as a send-out would be; the one that is there stays and may shrink.
            #expect(throws: (any Error).self) { try desk.addPupils("child name,class\n" + rows) }
            try simulate(false)
            let list = try desk.addPupils("child name,class\n" + rows)
            try simulate(true)
            let batch =
                try desk.command(
                    .post, "/batches", json: ["template": first, "list": .string(list)]
                ).json["id"]?.string ?? ""
            let planned = try desk.command(.post, "/batches/\(batch)/plan")
            #expect(
                planned.status == .forbidden && planned.text.contains("allows 10, and this would make 11"),
                "\(planned.text)")
            try simulate(false)
            #expect(try template(2).status == .created)
            #expect(try desk.command(.post, "/batches/\(batch)/plan").status == .ok)
        }
    }

    @Test("says when a line was changed behind its back")
    func tampered() throws {
        try withDesk { desk throws in
            _ = try desk.makeBatch()
            try desk.quire.store.write { tx in
                try tx.run("UPDATE ledger SET recipient = 'Somebody else' WHERE number = 2")
            }
            let verdict = try desk.command(.post, "/ledger/verification").json
            #expect(verdict["isSound"] == false && verdict["problems"]?.array?.isEmpty == false)
        }
    }

    @Test("tells whose filled forms came back, and what is new in them")
    func returns() throws {
        try withDesk { desk throws in
            let batch = try desk.makeBatch()
            let forms: JSON = [
                [
                    "file": "scan1.pdf",
                    "fields": ["child name": "Ana Ruiz", "class": "5a", "relation": "aunt", "note": "yes"],
                ],
                ["file": "scan2.pdf", "fields": ["class": "5a"]],
                ["file": "scan3.pdf", "fields": ["x": "y"]],
            ]
            let found = try desk.command(
                .post, "/batches/\(batch)/returns", json: ["forms": forms, "marks": true])
            #expect(found.status == .ok, "\(found.text)")
            let returns = found.json["returns"]
            #expect(returns?[0]?["name"] == "Ana Ruiz" && returns?[0]?["how"] == "texts")
            #expect(returns?[0]?["changed"]?[0]?["field"] == "relation")
            #expect(returns?[0]?["added"] == ["note"])
            #expect(returns?[1]?["how"] == "unclear" && returns?[2]?["how"] == "unknown")
            let packet = try desk.packet("Ana", of: batch)
            #expect(
                try desk.command(.get, "/packets/\(packet)/delivery").json["delivery"]?["state"] == "returned"
            )
        }
    }
}
