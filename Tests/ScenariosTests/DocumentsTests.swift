import Access
import App
import Bytes
import Glibc
import HTTP
import Library
import PDFReading
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Papers on the desk")
struct DocumentsTests {
    private func upload(_ desk: Desk, _ text: String, named name: String) throws -> Response {
        let path = "\(desk.quire.store.home.temporary)/upload-\(text.utf8.count)-\(name.utf8.count)"
        guard let file = fopen(path, "we") else { throw Failure(.full, "no scratch file") }
        fputs(text, file)
        fclose(file)
        let form = HTTP.Form(files: [
            FormFile(
                name: "file", fileName: name, mediaType: .octets, path: path,
                byteCount: Int64(text.utf8.count))
        ])
        return try desk.command(.post, "/documents", body: .form(form))
    }

    @Test("come in, are looked at, renamed, thrown away and brought back")
    func life() throws {
        try withDesk { desk throws in
            let added = try upload(desk, "Dear Ada,\nall is well.\n", named: "letter.txt")
            #expect(added.status == .created)
            let location = try #require(added.headers["Location"])
            #expect(try desk.command(.get, location).json["name"] == "letter.txt")
            #expect(
                try desk.command(.patch, location, json: ["name": "Ada’s letter"]).json["name"]
                    == "Ada’s letter")
            #expect(try desk.command(.delete, location).json["trashedAt"]?.string != nil)
            #expect(try desk.command(.get, "/documents").json["total"] == 0)
            #expect(try desk.command(.get, "/documents?trash=1").json["total"] == 1)
            #expect(try desk.command(.post, location + "/restoration").json["trashedAt"]?.isNull == true)
            #expect(try desk.command(.delete, location + "?forever=1").status == .conflict)
            _ = try desk.command(.delete, location)
            #expect(try desk.command(.delete, location + "?forever=1").status == .noContent)
            #expect(try desk.command(.get, location).status == .notFound)
        }
    }

    @Test("are laid into folders, tagged and labelled; a folder goes and comes back with them")
    func filing() throws {
        try withDesk { desk throws in
            let added = try upload(desk, "Dear Ada", named: "letter.txt")
            let letter = try #require(added.headers["Location"])
            let folder = try desk.command(.post, "/folders", json: ["path": "Home/Letters"])
            #expect(folder.status == .created && folder.json["path"] == "Home/Letters")
            let id = try #require(folder.json["id"]?.string)
            let filed = try desk.command(
                .patch, letter,
                json: [
                    "folder": .string(id), "tags": ["kept", "2026"], "note": "From Ben", "date": "2026-11-01",
                ]
            ).json
            #expect(filed["folder"] == .string(id) && filed["tags"] == ["2026", "kept"])
            #expect(filed["note"] == "From Ben" && filed["date"] == "2026-11-01")
            // Tags that are not named any more come off.
            #expect(try desk.command(.patch, letter, json: ["tags": ["KEPT"]]).json["tags"] == ["kept"])
            #expect(try desk.command(.get, "/documents?folder=\(id)").json["total"] == 1)
            #expect(try desk.command(.get, "/documents?folder=").json["total"] == 0)
            #expect(try desk.command(.get, "/documents?tag=2026").json["total"] == 0)
            #expect(try desk.command(.patch, letter, json: ["date": "tomorrow"]).status == .unprocessable)
            #expect(try desk.command(.patch, letter, json: [:]).status == .unprocessable)
            let home = try #require(folder.json["parent"]?.string)
            #expect(
                try desk.command(.patch, "/folders/\(home)", json: ["parent": .string(id)]).status
                    == .conflict)
            let gone = try desk.command(.delete, "/folders/\(home)").json
            #expect(gone["folders"] == 2 && gone["documents"] == 1)
            #expect(try desk.command(.get, "/folders/\(id)").status == .notFound)
            #expect(try desk.command(.post, "/folders/\(home)/restoration").json["total"] == 1)
            let tag = try #require(try desk.command(.get, "/tags").json["tags"]?.array?.last?["id"]?.string)
            #expect(try desk.command(.delete, "/tags/\(tag)").status == .noContent)
            let search = try desk.command(.post, "/searches", json: ["words": "in:home letter"])
            #expect(search.status == .created)
            #expect(try desk.command(.get, "/searches").json["searches"]?[0]?["words"] == "in:home letter")
            #expect(try desk.command(.delete, try #require(search.headers["Location"])).status == .noContent)
        }
    }

    @Test(
        "are leafed through page by page, with their words and where those stand",
        .enabled(if: PageReader.isReady, "poppler is not installed"))
    func leafing() throws {
        try withDesk { desk throws in
            let added = try upload(
                desk, SamplePaper.pages(["The first page.", "The deposit is two months of rent."]),
                named: "lease.pdf")
            let lease = try #require(added.headers["Location"])
            let pages = try desk.command(.get, lease + "/pages").json
            #expect(pages["count"] == 2 && pages["pages"]?.array?.count == 2)
            let words = try desk.command(.get, lease + "/pages/2/words").json
            let line = try #require(words["lines"]?[0]?.array)
            #expect(
                line.compactMap { $0["text"]?.string }.joined(separator: " ")
                    == "The deposit is two months of rent.")
            let picture = try desk.command(.get, lease + "/pages/2?width=200")
            #expect(picture.status == .ok && picture.headers["Content-Type"] == "image/jpeg")
            #expect(try desk.command(.get, lease + "/pages/3").status == .notFound)
            #expect(try desk.command(.get, lease + "/pages/0").status == .notFound)
            _ = try desk.quire.reading.catchUp()
            let found = try desk.command(.get, lease + "/pages?q=deposit").json
            #expect(found["pages"]?[0]?["number"] == 2 && found["pages"]?.array?.count == 1)
            let archive = try #require(try upload(desk, "PK\u{5}\u{6}", named: "all.zip").headers["Location"])
            let told = try desk.command(.get, archive + "/pages").json["detail"]?.string
            #expect(told?.contains("no pages that can be shown") == true)
        }
    }

    @Test("are not kept twice")
    func duplicates() throws {
        try withDesk { desk throws in
            let first = try upload(desk, "the same", named: "a.txt")
            let second = try upload(desk, "the same", named: "b.txt")
            #expect(second.status == .ok)
            let twin = second.json["documents"]?[0]
            #expect(twin?["duplicateOf"] == first.json["documents"]?[0]?["id"])
        }
    }

    @Test("are sent whole, in part, and not at all when they are known")
    func file() throws {
        try withDesk { desk throws in
            let location = try #require(try upload(desk, "0123456789", named: "a.txt").headers["Location"])
            let whole = try desk.command(.get, location + "/file")
            guard case .file = whole.body else { return #expect(Bool(false)) }
            #expect(whole.headers["Content-Disposition"]?.hasPrefix("inline; filename=\"a.txt\"") == true)
            #expect(whole.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
            let tag = try #require(whole.headers["ETag"])
            #expect(try desk.command(.get, location + "/file", ["If-None-Match": tag]).status == .notModified)
            let part = try desk.command(.get, location + "/file", ["Range": "bytes=2-4"])
            #expect(part.status == .partialContent)
            #expect(part.headers["Content-Range"] == "bytes 2-4/10")
            let saved = try desk.command(.get, location + "/file?download=1")
            #expect(saved.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
        }
    }

    @Test("that hold scripts are never run in our name")
    func foreignPages() throws {
        try withDesk { desk throws in
            let page = "<!doctype html><html><script>alert(document.cookie)</script></html>"
            let location = try #require(try upload(desk, page, named: "page.html").headers["Location"])
            let response = try desk.command(.get, location + "/file")
            #expect(response.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
            #expect(response.mediaType?.essence != "text/html")
            #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        }
    }

    @Test("are renamed and thrown away with forms, which say what was done and how to undo it")
    func forms() throws {
        try withDesk { desk throws in
            let location = try #require(try upload(desk, "a paper", named: "a.txt").headers["Location"])
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get(location)
            let renamed = try ada.submit(location, ["_method": "PATCH", "name": "Lease"])
            #expect(renamed.status == .seeOther)
            #expect(try ada.get(renamed.headers["Location"] ?? "").text.contains("Lease"))
            let trashed = try ada.submit(location, ["_method": "DELETE"])
            let page = try ada.get(trashed.headers["Location"] ?? "")
            #expect(page.text.contains("\(location)/restoration"))
            #expect(!(try ada.get("/documents").text.contains("\(location)/restoration")))
            #expect(try ada.submit(location + "/restoration", [:]).status == .seeOther)
            #expect(try desk.command(.get, location).json["trashedAt"]?.isNull == true)
        }
    }

    @Test("may be seen by viewers and changed by editors")
    func roles() throws {
        try withDesk { desk throws in
            let location = try #require(try upload(desk, "a paper", named: "a.txt").headers["Location"])
            let ada = desk.browser()
            try ada.becomeOwner()
            let invitation = try ada.fetch(.post, "/invitations", json: ["role": "viewer"])
            let address = try #require(invitation.json["address"]?.string)
            let path = "/join/" + address.split(separator: "/").last!
            let grace = desk.browser()
            try grace.get(path)
            let form: Fields = ["name": "Grace", "login": "grace", "password": "another long password"]
            #expect(try grace.submit(path, form).status == .seeOther)
            #expect(try grace.get(location).status == .ok)
            #expect(try grace.fetch(.patch, location, json: ["name": "mine"]).status == .forbidden)
            #expect(try grace.fetch(.get, "/journal").status == .forbidden)
            #expect(try grace.submit(location, ["_method": "DELETE"]).status == .forbidden)
        }
    }

    @Test("are shared by links that end, ask and count")
    func shares() throws {
        try withDesk { desk throws in
            let location = try #require(try upload(desk, "a paper", named: "a.txt").headers["Location"])
            let made = try desk.command(
                .post, location + "/shares", json: ["password": "open sesame", "limit": 2, "days": 1])
            let address = try #require(made.json["address"]?.string)
            let path = "/s/" + address.split(separator: "/").last!

            let stranger = desk.browser(from: "203.0.113.9")
            let asked = try stranger.get(path)
            #expect(asked.text.contains("type=\"password\""))
            #expect(!asked.text.contains("a.txt"))
            #expect(try stranger.get(path + "/file").status == .seeOther)
            #expect(try stranger.submit(path, ["password": "wrong"]).status == .forbidden)
            #expect(try stranger.submit(path, ["password": "open sesame"]).status == .seeOther)
            #expect(try stranger.get(path).text.contains("a.txt"))
            guard case .file = try stranger.get(path + "/file").body else { return #expect(Bool(false)) }
            #expect(try stranger.get(location).status == .seeOther)

            let second = desk.browser(from: "203.0.113.10")
            try second.get(path)
            #expect(try second.submit(path, ["password": "open sesame"]).status == .seeOther)
            let third = desk.browser(from: "203.0.113.11")
            try third.get(path)
            #expect(try third.submit(path, ["password": "open sesame"]).status == .notFound)

            desk.hands.advance(.seconds(2 * 86_400))
            #expect(try stranger.get(path).status == .notFound)
            #expect(desk.log.entries.allSatisfy { !$0.textLine.contains(path) })
        }
    }
}
