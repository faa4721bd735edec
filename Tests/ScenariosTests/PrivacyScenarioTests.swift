import App
import Bytes
import Converting
import Filling
import HTTP
import Jobs
import Library
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Private folders in the browser")
struct PrivacyScenarioTests {
    private func desk<R>(_ body: (Desk, Browser, String, String) throws -> R) throws -> R {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let folder = try #require(
                try ada.fetch(.post, "/folders", json: ["path": "Health"]).json["id"]?.string)
            let paper = try #require(
                try ada.bring(Array("the clinic".utf8), to: "/documents?name=result.txt&folder=\(folder)")
                    .json["documents"]?[0]?["id"]?.string)
            _ = try ada.fetch(.patch, "/folders/\(folder)", json: ["private": true])
            return try body(desk, ada, folder, paper)
        }
    }

    @Test("ask for the password before they show anything, and close by themselves")
    func asks() throws {
        try desk { desk, ada, folder, paper in
            desk.hands.advance(.seconds(300))
            #expect(!(try ada.get("/documents").text.contains("result.txt")))
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .forbidden)
            #expect(try ada.fetch(.get, "/documents/\(paper)/file").status == .forbidden)
            #expect(!(try ada.get("/search?q=clinic").text.contains("result.txt")))
            #expect(!(try ada.get("/activity?view=journal").text.contains("result.txt")))
            let page = try ada.get("/documents?folder=\(folder)")
            #expect(page.status == .seeOther && page.headers["Location"]?.hasPrefix("/private?next=") == true)
            let asked = try ada.get(try #require(page.headers["Location"]))
            let unlock = try #require(asked.headers["Location"])
            #expect(unlock.hasPrefix("/unlock?next="))
            #expect(try ada.get(unlock).text.contains("name=\"password\""))
            let next = try #require(
                unlock.between("next=", "\u{0}")
                    ?? unlock.split(separator: "=", maxSplits: 1).last.map(String.init))
            let wrong = try ada.submit("/unlock", ["password": "not it", "next": try decoded(next)])
            #expect(wrong.status == .unprocessable)
            #expect(!(try ada.get("/documents").text.contains("result.txt")))
            try ada.get(unlock)
            let opened = try ada.submit(
                "/unlock", ["password": "correct horse battery", "next": try decoded(next)])
            let back = try ada.get(try #require(opened.headers["Location"]))
            #expect(back.headers["Location"] == "/documents?folder=\(folder)")
            let shown = try ada.get("/documents?folder=\(folder)")
            #expect(shown.text.contains("result.txt") && shown.text.contains("/private/closing"))
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .ok)
            // A quarter of an hour later, though somebody is still there.
            desk.hands.advance(.seconds(16 * 60))
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .forbidden)
        }
    }

    /// Shows once more who she is.
    private func reopen(_ desk: Desk, _ ada: Browser) throws {
        desk.hands.advance(.seconds(1))
        let asked = try ada.get("/private?next=/documents")
        let unlock = try #require(asked.headers["Location"])
        #expect(unlock.hasPrefix("/unlock?next="), "asked again after it was closed")
        _ = try ada.get(unlock)
        let opened = try ada.submit(
            "/unlock", ["password": "correct horse battery", "next": "/private?next=/documents"])
        #expect(try ada.get(#require(opened.headers["Location"])).headers["Location"] == "/documents")
    }

    private func decoded(_ text: String) throws -> String {
        try #require(try Fields(urlEncoded: "next=\(text)").first("next"))
    }

    @Test("close at once when asked to, and stay closed to tokens and WebDAV")
    func closing() throws {
        try desk { desk, ada, folder, paper in
            // Who signed in a moment ago has proved enough.
            _ = try ada.get("/private?next=/documents")
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .ok)
            _ = try ada.fetch(.post, "/private/closing")
            #expect(try ada.fetch(.get, "/documents/\(paper)").status == .forbidden)
            let token = try #require(
                try ada.fetch(.post, "/tokens", json: ["name": "all", "scope": ["admin"]]).json["token"]?
                    .string)
            let program = desk.program(token)
            #expect(try program.fetch(.get, "/documents").json["total"] == 0)
            #expect(try program.fetch(.get, "/documents/\(paper)").status == .forbidden)
            let list = try desk.site.router.response(
                to: Request(#require(Method("PROPFIND")), "/dav/", headers: ["Depth": "1"]))
            #expect(!list.text.contains("Health"))
            #expect(try desk.command(.get, "/api/documents/").json["count"] == 0)
        }
    }

    @Test("are shown on the machine itself to who asks for them by name")
    func machine() throws {
        try desk { desk, _, _, paper in
            #expect(try desk.command(.get, "/documents").json["total"] == 0)
            let refused = try desk.command(.get, "/documents/\(paper)")
            #expect(
                refused.status == .forbidden && refused.json["detail"]?.string?.contains("--private") == true)
            #expect(try desk.command(.get, "/documents", ["X-Quire-Private": "show"]).json["total"] == 1)
            // The word means nothing to who comes over the network.
            let stranger = desk.browser(from: "192.0.2.8")
            #expect(try stranger.raw(.get, "/documents", ["X-Quire-Private": "show"]).status == .unauthorized)
        }
    }

    @Test("hide what was converted from them, its files and the work on it, until they are open")
    func conversions() throws {
        try desk { desk, ada, _, paper in
            _ = try ada.get("/private?next=/documents")
            let made = try ada.fetch(.post, "/conversions", json: ["document": .string(paper), "hold": true])
            let place = try #require(made.headers["Location"])
            let file = try #require(made.json["papers"]?[0]?["id"]?.string)
            _ = try ada.fetch(.post, place + "/runs")
            let job = try #require(try ada.fetch(.get, place).json["job"]?.string)
            desk.quire.runner.runUntilIdle()
            #expect(try ada.get("/conversions").text.contains("result"))
            // Whoever did it sees it no longer either, once they are closed.
            _ = try ada.fetch(.post, "/private/closing")
            for page in [
                "/conversions", "/activity", "/activity?view=history", "/activity?view=journal", "/",
            ] {
                #expect(!(try ada.get(page).text.contains("result")), "\(page)")
            }
            #expect(try ada.fetch(.get, "/conversions?all=1").json["conversions"] == [])
            #expect(!(try ada.fetch(.get, "/jobs").text.contains("“result”")))
            #expect(try ada.fetch(.get, "/jobs/\(job)").status == .notFound)
            for path in [place, place + "/file", place + "/results/1/file", "\(place)/papers/\(file)/file"] {
                #expect(try ada.fetch(.get, path).status == .forbidden, "\(path)")
            }
            #expect(try ada.fetch(.delete, place).status == .forbidden)
            #expect(try ada.fetch(.post, place + "/documents").status == .forbidden)
            #expect(try ada.get(place).headers["Location"]?.hasPrefix("/private?next=") == true)
            try reopen(desk, ada)
            #expect(try ada.fetch(.get, place).status == .ok)
        }
    }

    @Test("are not in counts of how full the desk is, nor in the next number of an original")
    func counts() throws {
        try desk { desk, ada, folder, paper in
            _ = try ada.get("/private?next=/documents")
            _ = try ada.bring(Array("the harbour".utf8), to: "/documents?name=open.txt")
            let other = try #require(
                try ada.bring(Array("the bill".utf8), to: "/documents?name=bill.txt").json["documents"]?[0]?[
                    "id"]?.string)
            _ = try ada.fetch(.post, "/fields", json: ["name": "Archive serial number", "kind": "number"])
            for (id, number) in [(paper, "4711"), (other, "12")] {
                let numbered = try ada.fetch(
                    .patch, "/documents/\(id)", json: ["fields": ["Archive serial number": .string(number)]])
                #expect(numbered.status == .ok, "\(numbered.text)")
            }
            let made = try ada.fetch(.post, "/tokens", json: ["name": "Scanner", "scope": ["admin"]])
            let program = desk.program(try #require(made.json["token"]?.string))
            func counted(_ who: Browser) throws -> [JSON?] {
                [
                    try who.fetch(.get, "/settings/storage").json["documents"],
                    try who.fetch(.get, "/activity/figures").json["storage"]?["documents"],
                ]
            }
            #expect(try counted(ada) == [3, 3])
            _ = try ada.fetch(.post, "/private/closing")
            #expect(try counted(ada) == [2, 2])
            #expect(try counted(program) == [2, 2])
            #expect(try program.fetch(.get, "/api/documents/next_asn/").text == "13")
            #expect(try program.fetch(.get, "/api/statistics/").json["current_asn"] == 12)
        }
    }

    @Test("change no figure: not what the files take, nor the work, nor what those hear who keep watch")
    func figures() throws {
        let watchword = "a-token-of-24-letters"
        try withDesk(settings: SiteSettings(metricsToken: watchword)) { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let folder = try #require(
                try ada.fetch(.post, "/folders", json: ["path": "Health"]).json["id"]?.string)
            _ = try ada.fetch(.patch, "/folders/\(folder)", json: ["private": true])
            let open = try ada.bring(Array("the harbour".utf8), to: "/documents?name=open.txt")
            let made = try ada.fetch(.post, "/tokens", json: ["name": "Scanner", "scope": ["admin"]])
            let program = desk.program(try #require(made.json["token"]?.string))
            let prometheus = desk.browser(from: "203.0.113.9")
            func figures() throws -> [JSON?] {
                desk.quire.runner.runUntilIdle()
                let watched = try prometheus.fetch(.get, "/metrics", ["Authorization": "Bearer \(watchword)"])
                let lines = watched.text.split(separator: "\n").filter {
                    $0.hasPrefix("quire_file") || $0.hasPrefix("quire_jobs")
                }
                #expect(lines.count > 4)
                let looking =
                    ["documents", "trashedDocuments", "files", "fileBytes", "databaseBytes"]
                    + ["previewBytes", "unfinishedJobs"]
                return try [ada, program].flatMap { who in
                    let storage = try who.fetch(.get, "/settings/storage").json
                    let activity = try who.fetch(.get, "/activity/figures").json["storage"]
                    return looking.flatMap { [storage[$0], activity?[$0]] }
                } + lines.map { .string(String($0)) }
            }
            let before = try figures()
            #expect(before.prefix(8) == [1, 1, 0, 0, 1, 1, 11, 11])
            _ = try ada.get("/private?next=/documents")
            let paper = try #require(
                try ada.bring(Array("the clinic".utf8), to: "/documents?name=result.txt&folder=\(folder)")
                    .json["documents"]?[0]?["id"]?.string)
            // The same bytes as of one that everybody sees, too.
            _ = try ada.bring(
                Array("the harbour".utf8), to: "/documents?name=same.txt&folder=\(folder)&again=true")
            let conversion = try #require(
                try ada.fetch(.post, "/conversions", json: ["document": .string(paper), "hold": true])
                    .headers[
                        "Location"])
            _ = try ada.fetch(.post, conversion + "/runs")
            desk.quire.runner.runUntilIdle()
            #expect(try ada.fetch(.get, "/settings/storage").json["files"] != 1)
            #expect(try ada.fetch(.get, "/settings/storage").json["databaseBytes"]?.integer != nil)
            _ = try ada.fetch(.post, "/private/closing")
            let after = try figures()
            #expect(after == before, "\(zip(after, before).filter { $0 != $1 })")
            #expect(open.status == .created || open.status == .ok)
        }
    }

    @Test("hide the forms that were made of their papers, and the batches with such forms or papers")
    func packets() throws {
        try desk { desk, ada, folder, _ in
            _ = try ada.get("/private?next=/documents")
            let form = try #require(
                try ada.bring(Desk.consentForm, to: "/documents?name=therapy.pdf&folder=\(folder)")
                    .json["documents"]?[0]?["id"]?.string)
            let template = try #require(
                try ada.fetch(.post, "/templates", json: ["document": .string(form)]).json["templates"]?[0]?[
                    "id"]?.string)
            func batch(_ name: String, _ parts: JSON) throws -> String {
                try #require(
                    try ada.fetch(.post, "/batches", json: ["name": .string(name), "parts": parts]).json[
                        "id"]?
                        .string)
            }
            let ofForm = try batch("Therapy one", [["kind": "template", "template": .string(template)]])
            let ofPaper = try batch("Therapy two", [["kind": "document", "document": .string(form)]])
            let open = try batch("Trip", [])
            #expect(try ada.get("/templates").text.contains("therapy"))
            #expect(try ada.fetch(.get, "/batches").json["batches"]?.array?.count == 3)
            _ = try ada.fetch(.post, "/private/closing")
            for page in ["/templates", "/batches", "/batches/new", "/activity?view=journal", "/lists"] {
                let text = try ada.get(page).text.lowercased()
                #expect(!text.contains("therapy"), "\(page)")
            }
            #expect(try ada.fetch(.get, "/batches").json["batches"]?.array?.count == 1)
            #expect(try ada.fetch(.get, "/batches/\(open)").status == .ok)
            for path in [
                "/templates/\(template)", "/templates/\(template)/file", "/batches/\(ofForm)",
                "/batches/\(ofPaper)",
            ] {
                #expect(try ada.fetch(.get, path).status == .forbidden, "\(path)")
            }
            #expect(try ada.fetch(.delete, "/templates/\(template)").status == .forbidden)
            // That the same form is here already is not told either.
            let again = try ada.bring(Desk.consentForm, to: "/templates?name=mine.pdf")
            #expect(!again.text.lowercased().contains("therapy"))
            try reopen(desk, ada)
            #expect(try ada.fetch(.get, "/batches").json["batches"]?.array?.count == 3)
        }
    }

    @Test(
        "are known to no program: neither by lists and words of the Paperless API, nor by what is like what")
    func programs() throws {
        try desk { desk, ada, folder, paper in
            _ = try ada.get("/private?next=/documents")
            _ = try ada.fetch(.patch, "/documents/\(paper)", json: ["tags": ["lab"], "people": ["Dr Süd"]])
            _ = try ada.bring(Array("the clinic again, of the harbour".utf8), to: "/documents?name=open.txt")
            _ = try ada.bring(
                Array("the clinic of the harbour".utf8), to: "/documents?name=second.txt&folder=\(folder)")
            desk.quire.runner.runUntilIdle()
            _ = try ada.fetch(.post, "/private/closing")
            let opened = try #require(
                try ada.fetch(.get, "/documents").json["documents"]?[0]?["id"]?.string)
            #expect(try ada.fetch(.get, "/documents").json["total"] == 1)
            #expect(!(try ada.get("/documents/\(opened)/similar").text.contains("second")))
            #expect(try ada.fetch(.get, "/documents/\(paper)/similar").status == .forbidden)
            for path in [
                "/api/documents/", "/api/documents/?query=clinic", "/api/tags/", "/api/correspondents/",
                "/api/statistics/", "/api/tasks/", "/api/search/?query=lab", "/api/documents/?more_like_id=1",
            ] {
                let text = try desk.command(.get, path).text
                #expect(
                    !text.contains("result") || !text.contains("result.txt"), "\(path): \(text)")
                #expect(!text.contains("second.txt"), "\(path)")
                #expect(!text.contains("\"document_count\":2"), "\(path)")
            }
            let words = try desk.command(.get, "/api/search/autocomplete/?term=clin").text
            #expect(words.contains("clinic"), "an open paper has it too")
            #expect(try desk.command(.get, "/api/search/autocomplete/?term=lab").text == "[]")
            for path in ["/search?q=clinik", "/search/suggestions?q=res", "/tags", "/shares", "/sync"] {
                let text = try ada.get(path).text
                #expect(!text.contains("result.txt") && !text.contains("second.txt"), "\(path)")
            }
        }
    }

    @Test("are given away by a link only while they are open, and only as far as the link was meant")
    func links() throws {
        try desk { desk, ada, folder, _ in
            let grace = desk.browser()
            try ada.invite("Grace", as: "editor", into: grace)
            let token = try ada.fetch(.post, "/tokens", json: ["name": "all", "scope": ["admin"]]).json[
                "token"]
            let program = desk.program(try #require(token?.string))
            for kind in ["show", "request"] {
                let wanted: JSON = ["kind": .string(kind)]
                #expect(
                    try grace.fetch(.post, "/folders/\(folder)/shares", json: wanted).status == .forbidden)
                #expect(
                    try program.fetch(.post, "/folders/\(folder)/shares", json: wanted).status == .forbidden)
                #expect(try ada.fetch(.post, "/folders/\(folder)/shares", json: wanted).status == .forbidden)
            }
            #expect(try ada.fetch(.get, "/shares").json["shares"] == [])
            _ = try ada.get("/private?next=/documents")
            #expect(
                try ada.fetch(.post, "/folders/\(folder)/shares", json: ["kind": "show"]).status == .created)
            // A folder that holds a private one is given away, and then made private by somebody who never saw inside.
            let outer = try #require(
                try ada.fetch(.post, "/folders", json: ["path": "Home"]).json["id"]?.string)
            _ = try ada.fetch(.patch, "/folders/\(folder)", json: ["parent": .string(outer)])
            let address = try #require(
                try grace.fetch(.post, "/folders/\(outer)/shares", json: ["kind": "show"]).json["address"]?
                    .string)
            let path = try #require(address.dropping("http://localhost:8484"))
            func shown() throws -> JSON? {
                try desk.browser(from: "192.0.2.9").fetch(.get, path).json["papers"]
            }
            #expect(try shown() == [])
            #expect(try grace.fetch(.patch, "/folders/\(outer)", json: ["private": true]).status == .ok)
            #expect(try shown() == [])
        }
    }

    @Test("are neither read nor moved by the rules of those who may not see them")
    func rules() throws {
        try desk { desk, ada, folder, paper in
            let grace = desk.browser()
            try ada.invite("Grace", as: "editor", into: grace)
            desk.quire.runner.runUntilIdle()
            func found(_ who: Browser, _ rule: JSON) throws -> Int? {
                let made = try who.fetch(.post, "/rules", json: rule)
                let place = try #require(made.headers["Location"], "\(made.text)")
                return try who.fetch(.post, place + "/runs").json["suggestions"]?.integer.map { Int($0) }
            }
            #expect(try found(grace, ["name": "Guess", "words": "clinic", "tags": ["found"]]) == 0)
            let about: JSON = [
                "name": "About", "from": .string(folder), "words": "clinic", "tags": ["found"],
            ]
            #expect(try grace.fetch(.post, "/rules", json: about).status == .forbidden)
            // Nor do they carry out what comes in later.
            _ = try grace.fetch(
                .post, "/rules",
                json: ["name": "Out", "words": "surgeon", "title": "Out", "tags": ["out"], "atOnce": true])
            _ = try ada.get("/private?next=/documents")
            let later = try #require(
                try ada.bring(Array("the surgeon".utf8), to: "/documents?name=later.txt&folder=\(folder)")
                    .json["documents"]?[0]?["id"]?.string)
            desk.quire.runner.runUntilIdle()
            #expect(try ada.fetch(.get, "/documents/\(later)").json["name"] == "later.txt")
            // Whoever sees into the folder makes rules about it, which the others are not told.
            #expect(try found(ada, about) == 1)
            let told = try grace.fetch(.get, "/rules").json["rules"]?.array?.compactMap { $0["name"]?.string }
            #expect(told?.sorted() == ["Guess", "Out"])
            _ = paper
        }
    }

    @Test("change nothing of what is told of other papers: words meant, tags, fields, likeness")
    func words() throws {
        try desk { desk, ada, folder, paper in
            _ = try ada.bring(Array("a harbour".utf8), to: "/documents?name=open.txt")
            _ = try ada.get("/private?next=/documents")
            _ = try ada.bring(Array("a harbor".utf8), to: "/documents?name=american.txt&folder=\(folder)")
            _ = try ada.fetch(.post, "/fields", json: ["name": "Ward", "kind": "text"])
            _ = try ada.fetch(
                .patch, "/documents/\(paper)", json: ["tags": ["secret"], "fields": ["Ward": "seven"]])
            desk.quire.runner.runUntilIdle()
            #expect(try ada.fetch(.get, "/tags").text.contains("secret"))
            let tag = try #require(try ada.fetch(.get, "/tags").json["tags"]?[0]?["id"]?.string)
            _ = try ada.fetch(.post, "/private/closing")
            // “harbor” stands in a private paper; it is mended as any word that stands nowhere.
            #expect(try ada.get("/search?q=harbor").text.contains("harbour"))
            #expect(!(try ada.fetch(.get, "/tags").text.contains("secret")))
            #expect(try ada.fetch(.delete, "/tags/\(tag)").status == .notFound)
            #expect(try ada.fetch(.patch, "/tags/\(tag)", json: ["name": "x"]).status == .notFound)
            #expect(try ada.fetch(.get, "/fields").json["fields"]?[0]?["documents"] == 0)
        }
    }

    @Test(
        "signatures by hand ask for the password too, where their owner wants it, but not right after it was given"
    )
    func guardedHands() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            _ = try ada.fetch(
                .post, "/signatures/own", json: ["text": "Ada", "width": 90, "height": 30])
            #expect(try ada.fetch(.get, "/signatures/own").json["asksFirst"] == false)
            #expect(
                try ada.fetch(.post, "/signatures/own/guard", json: ["on": true]).status == .noContent)
            let now = try ada.fetch(.get, "/signatures/own").json
            #expect(now["asksFirst"] == true && now["signatures"]?.array?.count == 1)

            desk.hands.advance(.seconds(16 * 60))
            let asked = try ada.fetch(.get, "/signatures/own")
            #expect(asked.status == .unauthorized && asked.json["field"] == "proof")
            let loosened = try ada.fetch(.post, "/signatures/own/guard", json: ["on": false])
            #expect(loosened.json["field"] == "proof")

            _ = try ada.submit("/unlock", ["password": Browser.password, "next": "/"])
            #expect(try ada.fetch(.get, "/signatures/own").json["signatures"]?.array?.count == 1)
            #expect(
                try ada.fetch(.post, "/signatures/own/guard", json: ["on": false]).status == .noContent)
            desk.hands.advance(.seconds(16 * 60))
            #expect(try ada.fetch(.get, "/signatures/own").status == .ok)
        }
    }
}
