import Access
import App
import Bytes
import Filling
import Glibc
import HTTP
import Jobs
import Library
import SQL
import Storage
import TestSupport
import Testing
import Web

@Suite("Keeping in step, in the browser")
struct InStepTests {
    @Test("an owner adds a place, sees how each paper stands, pauses it and removes it")
    func life() throws {
        try withScratchFolder { folder in
            try withDesk(flags: ["reachable-folders": folder]) { desk throws in
                let ada = desk.browser()
                try ada.becomeOwner()
                try ada.bring(Array("Dear Ana".utf8), to: "/documents?name=letter.txt")
                let before = try ada.get("/documents")
                #expect(!before.text.contains("Syncing") && !before.text.contains("Synced"))
                #expect(try ada.get("/sync").text.contains("This desk syncs with no place yet."))
                let wrong = try ada.submit("/sync", ["kind": "folder", "address": "papers"])
                #expect(wrong.status == .unprocessable)
                #expect(wrong.text.contains("Write the whole path of the folder"))
                #expect(wrong.text.contains("value=\"papers\""))
                let added = try ada.submit(
                    "/sync", ["kind": "folder", "address": folder, "name": "Disk", "versions": "yes"])
                #expect(added.headers["Location"] == "/sync")
                #expect(try ada.get("/documents").text.contains("Syncing"))
                desk.quire.runner.runUntilIdle()
                #expect(try ada.get("/documents").text.contains("Synced"))
                let page = try ada.get("/sync").text
                #expect(page.contains("one thing synced") && page.contains("Disk"))

                let place = try ada.fetch(.get, "/sync").json["places"]?[0]
                let id = try #require(place?["id"]?.string)
                #expect(place?["state"]?.string == "synced" && place?["versions"]?.bool == true)
                #expect(rename(folder, folder + ".away") == 0)
                defer { rename(folder + ".away", folder) }
                try ada.bring(Array("Dear Ben".utf8), to: "/documents?name=second.txt")
                #expect(try ada.fetch(.post, "/sync/\(id)/visits").status == .accepted)
                desk.quire.runner.runUntilIdle()
                let away = try ada.fetch(.get, "/sync/\(id)").json
                #expect(away["state"]?.string == "unavailable")
                #expect(away["sentence"]?.string?.contains("Is its disk connected?") == true)
                #expect(try ada.get("/documents").text.contains("Unavailable"))

                #expect(
                    try ada.fetch(.patch, "/sync/\(id)", json: ["paused": true]).json["paused"]?.bool == true)
                #expect(try ada.fetch(.post, "/sync/\(id)/visits").status == .conflict)
                #expect(try ada.fetch(.delete, "/sync/\(id)").status == .noContent)
                #expect(try ada.fetch(.get, "/sync/\(id)").status == .notFound)
            }
        }
    }

    @Test("a send-out that another desk has made is looked at, copied, and neither changed nor made")
    func madeElsewhere() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let template = try desk.addConsentForm()
            let list = try desk.addPupils()
            let batch = try desk.command(
                .post, "/batches", json: ["template": template["id"] ?? .null, "list": .string(list)])
            let id = try #require(batch.json["id"]?.string.flatMap { ID<Batch>($0) })
            #expect(batch.json["madeElsewhere"] == .null)
            try desk.makeElsewhere(id) { $0.sent = 119 }
            let told = try desk.command(.get, "/batches/\(id)").json
            #expect(told["state"] == "elsewhere" && told["madeElsewhere"]?["desk"] == "The Mill")
            #expect(try ada.get("/batches").text.contains("On The Mill"))
            let page = try ada.get("/batches/\(id)/filling")
            #expect(page.text.contains("“The Mill” makes this send-out and sends it from there."))
            #expect(page.text.contains(">119</") && page.text.contains("Send to new people"))
            #expect(page.text.contains("To whom it goes is shown here when it is known"))
            #expect(try ada.get("/batches/\(id)/people").text.contains("send to new people"))
            for (method, path) in [
                (.post, "plan"), (.post, "approval"), (.post, "filling"), (.post, "sending"),
                (.patch, "letter"),
            ] as [(Method, String)] {
                let refused = try desk.command(method, "/batches/\(id)/\(path)", json: ["subject": "x"])
                #expect(
                    [.conflict, .unprocessable].contains(refused.status), "\(path): \(refused.status)")
            }
            let copy = try desk.command(.post, "/batches/\(id)/copies")
            #expect(copy.status == .created && copy.json["state"] == "draft")
            // Begun on both before they heard of each other.
            let second = try #require(copy.json["id"]?.string.flatMap { ID<Batch>($0) })
            _ = try desk.quire.batches.plan(second, by: .local)
            try desk.quire.batches.fill(second, by: .local)
            desk.quire.runner.runUntilIdle()
            try desk.makeElsewhere(second) { _ in }
            #expect(
                try ada.get("/batches/\(second)/filling").text.contains(
                    "“The Mill” has made this send-out too."))
        }
    }

    @Test("a paper that cannot be carried over says why, and a tap tries it again")
    func failing() throws {
        try withScratchFolder { folder in
            try withDesk(flags: ["reachable-folders": folder]) { desk throws in
                let ada = desk.browser()
                try ada.becomeOwner()
                let added = try ada.bring(Array("Dear Ana".utf8), to: "/documents?name=letter.txt")
                let id = try #require(added.json["documents"]?[0]?["id"]?.string)
                try ada.fetch(.post, "/sync", json: ["kind": "folder", "address": .string(folder)])
                desk.quire.runner.runUntilIdle()
                try desk.quire.store.write { tx in
                    try tx.run(
                        "UPDATE sync_record SET trouble = 'Its file is not the one that was laid there.'")
                }
                let list = try ada.get("/documents").text
                #expect(list.contains("Failed – tap to retry") && list.contains("/visits?next="))
                let states = try ada.fetch(.get, "/documents/\(id)/sync").json["places"]
                #expect(states?[0]?["state"]?.string == "failed")
                #expect(states?[0]?["sentence"]?.string == "Its file is not the one that was laid there.")
                let place = try #require(states?[0]?["place"]?.string)
                let tapped = try ada.submit("/sync/\(place)/visits?next=/documents", ["id": id])
                #expect(tapped.headers["Location"] == "/documents")
            }
        }
    }

    @Test("a folder of the machine is a place when its host has opened it, and never the desk's own")
    func opened() throws {
        try withScratchFolder { folder in
            for name in ["opened", "other"] { mkdir("\(folder)/\(name)", 0o700) }
            try withDesk(flags: ["reachable-folders": "\(folder)/opened:/"]) { desk throws in
                let ada = desk.browser()
                try ada.becomeOwner()
                let home = desk.quire.store.home.path
                symlink(home, "\(folder)/opened/home")
                for path in ["/", home, "\(home)/tmp", "\(home)/new", "\(folder)/opened/home/new"] {
                    let answer = try ada.fetch(
                        .post, "/sync", json: ["kind": "folder", "address": .string(path)])
                    #expect(answer.status == .forbidden, "\(path): \(answer.text)")
                    #expect(answer.json["field"] == "address")
                    let here = try desk.command(
                        .post, "/sync", json: ["kind": "folder", "address": .string(path)])
                    #expect(here.status == .forbidden, "\(path): \(here.text)")
                }
            }
            try withDesk(flags: ["reachable-folders": "\(folder)/opened"]) { desk throws in
                let ada = desk.browser()
                try ada.becomeOwner()
                symlink("\(folder)/other", "\(folder)/opened/link")
                symlink("\(folder)/nowhere", "\(folder)/opened/broken")
                for path in [
                    "/", "/etc", "\(folder)/other", "\(folder)/nothing", "\(folder)/opened/link",
                    "\(folder)/opened/link/new", "\(folder)/opened/broken",
                ] {
                    let answer = try ada.fetch(
                        .post, "/sync", json: ["kind": "folder", "address": .string(path)])
                    #expect(answer.status == .forbidden, "\(path): \(answer.text)")
                }
                // A disk that is not in the machine at the moment.
                for path in ["\(folder)/opened", "\(folder)/opened/disk/quire"] {
                    let answer = try ada.fetch(
                        .post, "/sync", json: ["kind": "folder", "address": .string(path)])
                    #expect(answer.status == .created, "\(path): \(answer.text)")
                }
                // Whoever is at the machine may use any.
                let here = try desk.command(
                    .post, "/sync", json: ["kind": "folder", "address": .string("\(folder)/other")])
                #expect(here.status == .created)
            }
        }
    }

    @Test("secrets are never shown, and only owners add places")
    func secrets() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let made = try ada.fetch(
                .post, "/sync",
                json: [
                    "kind": "webdav", "address": "http://127.0.0.1:9/dav", "user": "ana",
                    "password": "very secret word", "passphrase": "four plain words here",
                ])
            #expect(made.status == .created && made.json["encrypted"]?.bool == true)
            for answer in [made.text, try ada.fetch(.get, "/sync").text, try ada.get("/sync").text] {
                #expect(!answer.contains("very secret") && !answer.contains("four plain"))
            }
            let ben = desk.browser()
            try ada.invite("Ben", as: "editor", into: ben)
            #expect(
                try ben.fetch(.post, "/sync", json: ["kind": "folder", "address": "/tmp"]).status
                    == .forbidden)
            #expect(!(try ben.get("/sync").text.contains("name=\"passphrase\"")))
        }
    }
}

@Suite("Another Quire, in the browser and over the API")
struct AnotherQuireTests {
    @Test(
        "an owner makes a code for another Quire, which opens the shelf and nothing else until it is taken back"
    )
    func invitation() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.bring(Array("Dear Ana".utf8), to: "/documents?name=letter.txt")
            #expect(try ada.get("/sync").text.contains("Let another Quire sync"))
            let page = try ada.submit("/sync/invitations", ["name": "Office"])
            #expect(page.text.contains("#quire_api_") && page.headers["Cache-Control"] == "no-store")
            #expect(try ada.fetch(.get, "/sync").json["places"]?[0]?["kind"]?.string == "here")
            desk.quire.runner.runUntilIdle()
            let later = try ada.get("/sync").text
            #expect(later.contains("This desk, for other Quires") && !later.contains("#quire_api_"))

            let made = try ada.fetch(
                .post, "/sync/invitations",
                json: ["name": "Attic", "address": "https://desk.example.org/"])
            let key = try #require(made.json["key"]?.string)
            #expect(made.json["code"]?.string == "https://desk.example.org#\(key)")
            let other = desk.browser()
            other.token = key
            let list = try other.fetch(.get, "/shelf?in=files").json
            #expect(list["names"]?.array?.count == 1)
            let name = try #require(list["names"]?[0]?.string)
            let file = try other.fetch(.get, "/shelf/\(name)")
            guard case .file(let path, _) = file.body else { throw Failure(.notFound, "no file") }
            #expect(try contents(of: path) == Array("Dear Ana".utf8))
            #expect(try other.fetch(.delete, "/shelf/\(name)").status == .noContent)
            let letter = Array("Dear Ana".utf8)
            #expect(
                try other.bring(Array("Dear Bob".utf8), to: "/shelf/\(name)", .put).status == .unprocessable)
            #expect(try other.fetch(.get, "/shelf/\(name)").status == .notFound)
            #expect(try other.bring(letter, to: "/shelf/\(name)", .put).status == .created)
            #expect(try other.fetch(.get, "/documents").status == .forbidden)
            #expect(try other.fetch(.get, "/sync").status == .forbidden)
            #expect(try other.fetch(.get, "/shelf/letters/..%2F..%2Fkeys/x").status == .notFound)
            #expect(try other.fetch(.get, "/shelf?in=keys").status == .unprocessable)
            #expect(
                try ada.fetch(.delete, "/tokens/\(made.json["token"]?.string ?? "")").status == .noContent)
            #expect(try other.fetch(.get, "/shelf").status == .unauthorized)
        }
    }

    @Test("only owners make codes, other keys do not open the shelf, and a wrong address is said")
    func rights() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let wrong = try ada.submit("/sync/invitations", ["name": "Office", "address": "nowhere at all"])
            #expect(wrong.status == .unprocessable && wrong.text.contains("is no web address"))
            let ben = desk.browser()
            try ada.invite("Ben", as: "editor", into: ben)
            #expect(try ben.fetch(.post, "/sync/invitations", json: ["name": "x"]).status == .forbidden)
            #expect(try ben.fetch(.get, "/shelf").status == .forbidden)
            #expect(!(try ben.get("/sync").text.contains("/sync/invitations")))
            let admin = desk.browser()
            admin.token = try ada.fetch(.post, "/tokens", json: ["name": "x", "scope": ["admin"]]).json[
                "token"]?.string
            #expect(try admin.fetch(.get, "/shelf").status == .forbidden)
            #expect(try ada.fetch(.get, "/shelf").status == .conflict)
        }
    }
}

extension Desk {
    /// As if another desk had told so.
    fileprivate func makeElsewhere(_ id: ID<Batch>, _ change: (inout MadeElsewhere) -> Void) throws {
        try quire.store.write { tx in
            guard var copy = try quire.batches.copy(of: id, in: tx) else { return }
            var there = MadeElsewhere(desk: "The Mill", state: .done, begunAt: tx.now)
            there.made = 312
            change(&there)
            copy.elsewhere["there"] = there
            try quire.batches.put(copy, as: id, by: "sync/x", in: tx)
        }
    }
}
