import App
import Bytes
import HTTP
import Library
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("The library to programs of Paperless-ngx")
struct PaperlessAPITests {
    private func paper(_ desk: Desk, _ name: String, _ text: String, _ labels: JSON = [:]) throws -> String {
        let made = try desk.command(
            .post, "/documents?name=\(PercentCoding.encode(name))", ["Content-Type": "text/plain"],
            body: .bytes(Array(text.utf8)))
        let id = try #require(made.json["documents"]?[0]?["id"]?.string)
        if labels != [:] { _ = try desk.command(.patch, "/documents/\(id)", json: labels) }
        return id
    }

    @Test("lists papers in pages, as often as it is asked, under numbers that stay")
    func listing() throws {
        try withDesk { desk throws in
            for number in 1...3 {
                _ = try paper(
                    desk, "bill \(number).txt", "text \(number)",
                    ["date": .string("2026-0\(number)-01"), "tags": ["bill"], "people": ["Ben Meier"]])
            }
            let page = try desk.command(
                .get, "/api/documents/?page_size=2&ordering=-created", ["Host": "desk.local"])
            #expect(page.headers["X-Api-Version"] == "9")
            #expect(page.json["count"] == 3 && page.json["all"]?.array?.count == 3)
            #expect(
                page.json["next"]?.string?.hasPrefix(
                    "http://desk.local/api/documents/?page_size=2&ordering=-created&page=2")
                    == true)
            let first = try #require(page.json["results"]?[0])
            #expect(first["title"] == "bill 3" && first["original_file_name"] == "bill 3.txt")
            #expect(first["created_date"] == "2026-03-01" && first["created"] == "2026-03-01T00:00:00Z")
            let nine = try desk.command(
                .get, "/api/documents/?page_size=2", ["Accept": "application/json; version=9"])
            #expect(nine.json["results"]?[0]?["created"] == "2026-03-01")
            let tag = try #require(first["tags"]?[0]?.int)
            let person = try #require(first["correspondent"]?.int)
            #expect(try desk.command(.get, "/api/tags/\(tag)/").json["name"] == "bill")
            // Its colours are any; here a tag gets the nearest there is.
            #expect(try desk.command(.get, "/api/tags/\(tag)/").json["color"] == "#a6cee3")
            let red = try desk.command(.patch, "/api/tags/\(tag)/", json: ["color": "#ff2020"])
            #expect(red.json["color"] == "#ef9a9a" && red.json["name"] == "bill")
            #expect(
                try desk.command(.patch, "/api/tags/\(tag)/", json: ["color": "crimson"]).status
                    == .badRequest)
            #expect(try desk.command(.get, "/api/correspondents/\(person)/").json["document_count"] == 3)
            let number = try #require(first["id"]?.int)
            #expect(try desk.command(.get, "/api/documents/\(number)/").json["title"] == "bill 3")
            #expect(try desk.command(.get, "/api/documents/?page=9").status == .notFound)
            #expect(try desk.command(.get, "/api/documents/999/").status == .notFound)
        }
    }

    @Test("finds by words, tags, people, types, folders and days")
    func filters() throws {
        try withDesk { desk throws in
            _ = try desk.command(.post, "/fields", json: ["name": "Document type", "kind": "text"])
            let folder = try desk.command(.post, "/folders", json: ["path": "Taxes"]).json["id"]?.string
            _ = try paper(desk, "one.txt", "the harbour", ["tags": ["a", "b"], "date": "2026-01-10"])
            _ = try paper(
                desk, "two.txt", "the heather",
                [
                    "tags": ["a"], "people": ["Ben"], "fields": ["Document type": "Invoice"],
                    "date": "2026-02-10",
                ])
            _ = try paper(desk, "three.txt", "a harbour wall", ["folder": .optional(folder)])
            try desk.quire.reading.catchUp()
            func titles(_ query: String) throws -> [String] {
                try
                    (desk.command(.get, "/api/documents/?ordering=title&\(query)").json["results"]?.array
                    ?? [])
                    .compactMap { $0["title"]?.string }
            }
            func number(_ kind: String, _ name: String) throws -> Int {
                let all = try desk.command(.get, "/api/\(kind)/").json["results"]?.array ?? []
                return try #require(all.first { $0["name"]?.string == name }?["id"]?.int)
            }
            let a = try number("tags", "a")
            let b = try number("tags", "b")
            #expect(try titles("query=harbour") == ["one", "three"])
            #expect(try titles("tags__id__all=\(a),\(b)") == ["one"])
            #expect(try titles("tags__id__in=\(a),\(b)") == ["one", "two"])
            #expect(try titles("tags__id__none=\(b)") == ["three", "two"])
            #expect(try titles("is_tagged=0") == ["three"])
            #expect(try titles("correspondent__id=\(number("correspondents", "Ben"))") == ["two"])
            #expect(try titles("correspondent__isnull=1") == ["one", "three"])
            #expect(try titles("document_type__id__in=\(number("document_types", "Invoice"))") == ["two"])
            #expect(try titles("storage_path__id=\(number("storage_paths", "Taxes"))") == ["three"])
            #expect(try titles("created__date__gt=2026-01-10&created__date__lt=2026-02-11") == ["two"])
            #expect(try titles("title__icontains=thr") == ["three"])
            let hit = try desk.command(.get, "/api/documents/?query=harbour").json["results"]?[0]
            #expect(
                hit?["__search_hit__"]?["highlights"]?.string?.contains(
                    "<span class=\"match\">harbour</span>") == true)
            #expect(try desk.command(.get, "/api/search/autocomplete/?term=har").json == ["harbour"])
            #expect(try desk.command(.get, "/api/statistics/").json["documents_total"] == 3)
        }
    }

    @Test(
        "refuses filters it does not know, and values that are none, instead of answering with all papers",
        arguments: [
            "checksum=00ff", "title__iexact=one", "owner__id=7", "original_filename__icontains=one",
            "nonsense=1",
            "tags__id__all=x", "tags__id__all=1,x", "is_tagged=perhaps", "created__date__gt=soon",
            "archive_serial_number=A7", "more_like_id=one", "id__in=one", "query=a&query=b",
        ])
    func unknownFilters(_ filter: String) throws {
        try withDesk { desk throws in
            _ = try paper(desk, "one.txt", "the harbour")
            let answer = try desk.command(.get, "/api/documents/?page_size=5&\(filter)")
            #expect(answer.status == .badRequest)
            let name = String(filter.prefix { $0 != "=" })
            #expect(answer.json[name]?[0]?.string != nil, "it says which: \(answer.json)")
            #expect(try desk.command(.get, "/api/documents/?\(name)=").status == .ok)
        }
    }

    @Test("each list refuses a filter it does not know, also one that is empty")
    func unknownFilterOfAnyList() throws {
        try withDesk { desk throws in
            _ = try paper(desk, "one.txt", "the harbour")
            #expect(try desk.command(.get, "/api/documents/").json["count"] == 1)
            let told = try desk.command(.get, "/api/").json.object?.keys.map { "\($0)/" } ?? []
            let parts = ["notes", "history", "share_links"].map { "documents/1/\($0)/" }
            var lists: [String] = []
            for place in told + parts + ["search/autocomplete/?term=har", "search/?query=harbour"] {
                let plain = try desk.command(.get, "/api/\(place)")
                let isList = plain.json.array != nil || plain.json["results"] != nil
                guard isList || place.hasPrefix("search/?") else { continue }
                lists.append(place)
                let filter = (place.contains("?") ? "&" : "?") + "zz=1"
                let answer = try desk.command(.get, "/api/\(place)\(filter)")
                #expect(answer.status == .badRequest && answer.json["zz"]?[0]?.string != nil, "\(place)")
                let manners = filter.replacing("zz=1", with: "page=1&page_size=5")
                #expect(try desk.command(.get, "/api/\(place)\(manners)").status == .ok, "\(place)")
            }
            #expect(lists.count >= 20, "\(lists)")
            #expect(lists.contains("share_links/") && lists.contains("tasks/"))
        }
    }

    @Test("filters narrow each other, and labels and tasks have theirs")
    func manyFilters() throws {
        try withDesk { desk throws in
            _ = try paper(desk, "New York.txt", "the harbour")
            _ = try paper(desk, "York, new.txt", "a harbour wall")
            try desk.quire.reading.catchUp()
            func count(_ query: String) throws -> Int? {
                try desk.command(.get, "/api/documents/?\(query)").json["count"]?.int
            }
            // Numbers are given when they are first told.
            #expect(try count("") == 2)
            #expect(try count("id__in=1,2") == 2)
            #expect(try count("id__in=1,2&id=2") == 1)
            #expect(try count("id__in=1,2&is_in_inbox=true") == 0)
            #expect(try count("id__in=1&archive_serial_number=9") == 0)
            #expect(try count("title__icontains=new%20york") == 1)
            #expect(try count("title__istartswith=york") == 1)
            #expect(try count("query=harbour&title_content=wall") == 1)
            _ = try desk.command(.post, "/api/tags/", json: ["name": "bill"])
            #expect(try desk.command(.get, "/api/tags/?name__icontains=bil").json["count"] == 1)
            for place in [
                "tags/?color=red", "tags/?id__in=x", "tasks/?owner=1", "users/?username__iexact=ada",
            ] {
                #expect(try desk.command(.get, "/api/\(place)").status == .badRequest, "\(place)")
            }
        }
    }

    @Test("answers who asks for its description, and says which versions it does not speak")
    func versions() throws {
        try withDesk { desk throws in
            let schema = try desk.command(.get, "/api/schema/?format=json")
            #expect(schema.status == .ok && schema.json["openapi"] != nil)
            #expect(schema.headers["X-Version"] != nil)
            for version in ["10", "0", "x", "99999999999999999999"] {
                let answer = try desk.command(
                    .get, "/api/documents/", ["Accept": "application/json; version=\(version)"])
                #expect(answer.status == .notAcceptable && answer.headers["X-Api-Version"] == "9")
            }
        }
    }

    @Test("a call for many papers names each of them, and what is no number takes nothing away")
    func manyAtOnce() throws {
        try withDesk { desk throws in
            let id = try paper(desk, "letter.txt", "Dear Ada", ["tags": ["kept"], "people": ["Ben"]])
            _ = try desk.command(.get, "/api/documents/")
            for papers: JSON in ["all", [], ["all"], [1, "x"], .null] {
                for method in ["delete", "add_tag"] {
                    let answer = try desk.command(
                        .post, "/api/documents/bulk_edit/",
                        json: ["documents": papers, "method": .string(method), "parameters": ["tag": 1]])
                    #expect(answer.status == .badRequest, "\(papers) \(method)")
                }
            }
            let both = try desk.command(
                .post, "/api/documents/bulk_edit/", json: ["all": true, "documents": [1], "method": "delete"])
            #expect(both.status == .badRequest)
            for method in ["set_correspondent", "add_tag"] {
                let answer = try desk.command(
                    .post, "/api/documents/bulk_edit/",
                    json: ["documents": [1], "method": .string(method), "parameters": [:]])
                #expect(answer.status == .badRequest, "\(method)")
            }
            for change: JSON in [["tags": ["kept"]], ["tags": "1"], ["correspondent": "Ben"]] {
                #expect(try desk.command(.patch, "/api/documents/1/", json: change).status == .badRequest)
            }
            let paper = try desk.command(.get, "/documents/\(id)").json
            #expect(paper["tags"] == ["kept"] && paper["people"]?.array?.count == 1)
        }
    }

    @Test("a title with strokes is kept, and leads nowhere else")
    func strokes() throws {
        try withDesk { desk throws in
            let id = try paper(desk, "one.pdf", "%PDF-1.4 none")
            _ = try desk.command(.get, "/api/documents/")
            let changed = try desk.command(.patch, "/api/documents/1/", json: ["title": "Invoice 2024/05"])
            #expect(changed.json["title"] == "Invoice 2024/05")
            let file = try desk.command(.get, "/documents/\(id)/file")
            #expect(file.headers["Content-Disposition"]?.contains("Invoice%202024-05") == true)
            let named = try desk.command(.patch, "/documents/\(id)", json: ["name": "A/B\\C"])
            #expect(named.json["name"] == "A/B\\C")
        }
    }

    @Test("takes one note away and leaves the others")
    func notes() throws {
        try withDesk { desk throws in
            let id = try paper(desk, "letter.txt", "Dear Ada")
            _ = try desk.command(.get, "/api/documents/")
            for note in ["call back", "paid", "filed"] {
                _ = try desk.command(.post, "/api/documents/1/notes/", json: ["note": .string(note)])
            }
            func notes() throws -> [JSON] {
                try desk.command(.get, "/api/documents/1/notes/").json.array ?? []
            }
            #expect(try notes().map { $0["note"] } == ["call back", "paid", "filed"])
            #expect(try desk.command(.get, "/api/documents/1/").json["notes"]?.array == notes())
            #expect(try desk.command(.delete, "/api/documents/1/notes/").status == .badRequest)
            #expect(try desk.command(.delete, "/api/documents/1/notes/?id=1").status == .notFound)
            let paid = try #require(try notes()[1]["id"]?.int)
            let left = try desk.command(.delete, "/api/documents/1/notes/?id=\(paid)")
            #expect(left.json.array?.map { $0["note"] } == ["call back", "filed"])
            #expect(try desk.command(.delete, "/api/documents/1/notes/?id=\(paid)").status == .notFound)
            #expect(try desk.command(.get, "/documents/\(id)").json["note"] == "call back\n\nfiled")
        }
    }

    @Test("changes what is written on a paper, and leaves alone what is not named")
    func changes() throws {
        try withDesk { desk throws in
            let id = try paper(desk, "letter.txt", "Dear Ada", ["tags": ["old"], "people": ["Ben", "Cleo"]])
            #expect(try desk.command(.get, "/api/documents/").json["results"]?[0]?["id"] == 1)
            let tag = try desk.command(.post, "/api/tags/", json: ["name": "new"])
            #expect(tag.status == .created)
            #expect(try desk.command(.post, "/api/tags/", json: ["name": "New"]).status == .badRequest)
            let person = try desk.command(.post, "/api/correspondents/", json: ["name": "Dora"]).json["id"]?
                .int
            let type = try desk.command(.post, "/api/document_types/", json: ["name": "Letter"]).json["id"]?
                .int
            let changed = try desk.command(
                .patch, "/api/documents/1/",
                json: [
                    "title": "A letter", "tags": [.optional(tag.json["id"]?.int)],
                    "document_type": .optional(type),
                    "archive_serial_number": 7, "created": "2026-05-06",
                ])
            #expect(changed.status == .ok && changed.json["archive_serial_number"] == 7)
            let paper = try desk.command(.get, "/documents/\(id)").json
            #expect(paper["name"] == "A letter" && paper["tags"] == ["new"] && paper["date"] == "2026-05-06")
            #expect(paper["people"]?.array?.count == 2)
            _ = try desk.command(
                .post, "/api/documents/bulk_edit/",
                json: [
                    "documents": [1], "method": "set_correspondent",
                    "parameters": ["correspondent": .optional(person)],
                ])
            #expect(
                try desk.command(.get, "/api/documents/?correspondent__id=\(person ?? 0)").json["count"] == 1)
            _ = try desk.command(.post, "/api/documents/1/notes/", json: ["note": "call back"])
            #expect(try desk.command(.get, "/documents/\(id)").json["note"] == "call back")
            #expect(try desk.command(.delete, "/api/documents/1/").status == .noContent)
            #expect(try desk.command(.get, "/documents?trash=1").json["total"] == 1)
            #expect(try desk.command(.get, "/api/documents/1/").status == .notFound)
        }
    }

    @Test("lets in who shows a token, gives one for a password, and no more than its member may")
    func tokens() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let stranger = desk.browser(from: "192.0.2.9")
            #expect(try stranger.raw(.get, "/api/documents/").status == .unauthorized)
            #expect(
                try stranger.raw(.get, "/api/documents/", ["Authorization": "Token wrong"]).status
                    == .unauthorized)
            let wrong = try stranger.fetch(
                .post, "/api/token/", json: ["username": "ada@example.org", "password": "wrong"])
            #expect(wrong.status == .badRequest)
            let given = try stranger.fetch(
                .post, "/api/token/",
                json: ["username": "ada@example.org", "password": "correct horse battery"])
            let token = try #require(given.json["token"]?.string)
            let answer = try stranger.raw(.get, "/api/", ["Authorization": "Token \(token)"])
            #expect(answer.status == .ok && answer.json["documents"] != nil)
            let me = try stranger.raw(.get, "/api/ui_settings/", ["Authorization": "Token \(token)"])
            #expect(me.json["user"]?["username"] == "ada@example.org")
            let reader = try desk.command(
                .post, "/tokens", json: ["name": "reader", "scope": ["read"]]
            ).json["token"]?.string
            let may = try stranger.fetch(
                .post, "/api/tags/", json: ["name": "x"], ["Authorization": "Token \(reader ?? "")"])
            #expect(may.status == .forbidden)
        }
    }
}
