import Access
import App
import Archives
import Browsing
import Bytes
import Conversion
import Converting
import Glibc
import HTTP
import Jobs
import Kinds
import Library
import PDF
import SQL
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Conversions")
struct ConversionsTests {
    /// One red pixel.
    static let red =
        Base64.decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
        ) ?? []

    private func form(
        _ desk: Desk, _ files: [(name: String, bytes: [UInt8])], _ fields: Fields = [:]
    ) throws
        -> Request.Body
    {
        let parts = try files.enumerated().map { number, file -> FormFile in
            let path = "\(desk.quire.store.home.temporary)/upload-\(number)"
            let stream = try #require(fopen(path, "we"))
            fwrite(file.bytes, 1, file.bytes.count, stream)
            fclose(stream)
            return FormFile(
                name: "file", fileName: file.name, mediaType: .octets, path: path,
                byteCount: Int64(file.bytes.count))
        }
        return .form(HTTP.Form(fields: fields, files: parts))
    }

    private func bytes(_ desk: Desk, _ address: String) throws -> [UInt8] {
        let response = try desk.command(.get, address)
        guard case .file(let path, _) = response.body else { return Array(response.text.utf8) }
        return try PDFFile.read(path)
    }

    @Test("of somebody who has very many waiting are asked for later, and others' are not held up")
    func quota() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let ben = desk.browser()
            try ada.invite("Ben", as: "editor", into: ben)
            func begin(_ who: Browser) throws -> Response {
                let paper = try who.bring(Array("a harbour".utf8), to: "/documents?name=a.txt")
                let id = try #require(paper.json["documents"]?[0]?["id"]?.string)
                let made = try who.fetch(
                    .post, "/conversions", json: ["document": .string(id), "hold": true])
                return try who.fetch(.post, try #require(made.headers["Location"]) + "/runs")
            }
            #expect(try begin(ada).status == .accepted)
            let queue = desk.quire.queue
            let members = try ada.fetch(.get, "/members").json["members"]?.array ?? []
            let id = try #require(members.first { $0["name"] != "Ben" }?["id"]?.string)
            try queue.store.write { tx in
                for number in 1..<JobQueue.mostWaiting {
                    try queue.add(.sweep, in: tx, unique: "\(number)", asks: "member/\(id)")
                }
            }
            let refused = try begin(ada)
            #expect(refused.status == .tooManyRequests && refused.headers["Retry-After"] != nil)
            #expect(refused.json["detail"]?.string?.contains("jobs waiting already") == true)
            #expect(try begin(ben).status == .accepted)
        }
    }

    @Test("of photos heed where somebody says a sheet lies and how its page looks")
    func sheets() throws {
        try withDesk { desk throws in
            let place = try #require(
                desk.command(.post, "/conversions", json: ["hold": true, "scan": "auto", "scanSize": "card"])
                    .headers["Location"])
            let corners: JSON = [[0, 0], [1, 0], [1, 1], [0, 1]]
            let added = try desk.command(
                .post, place + "/papers",
                body: form(desk, [("one.png", Self.red)], ["corners": corners.text, "scan": "photo"]))
            #expect(added.status == .created, "\(added.text)")
            let paper = try #require(added.json["papers"]?[0])
            #expect(paper["corners"]?.array?.count == 4 && paper["corners"]?[2] == [1.0, 1.0], "\(paper)")
            #expect(paper["scan"] == "photo")
            let address = "\(place)/papers/\(paper["id"]?.string ?? "")"
            _ = try desk.command(.post, place + "/runs")
            desk.quire.runner.runUntilIdle()
            let file = try PDFFile(bytes: bytes(desk, "\(place)/results/1/file"))
            let box =
                file.dictionary(.reference(file.pages[0]))?["MediaBox"]?.array?.compactMap(\.number) ?? []
            // A card of 54 by 86 millimetres.
            #expect(box.count == 4 && abs(box[2] - 153) < 1 && abs(box[3] - 243) < 1, "\(box)")

            // One after the other around the sheet, and four of them.
            for wrong: JSON in [[[0, 0], [1, 1], [1, 0], [0, 1]], [[0, 0], [1, 0]], "everywhere"] {
                let refused = try desk.command(.patch, address, json: ["corners": wrong])
                #expect(refused.status == .unprocessable && refused.json["field"] == "corners", "\(wrong)")
            }
            #expect(try desk.command(.patch, address, json: ["scan": "blue"]).status == .unprocessable)
            // What is not spoken of stays; what is null is looked for again.
            var now = try desk.command(.patch, address, json: ["turn": 90]).json
            #expect(now["papers"]?[0]?["scan"] == "photo")
            now = try desk.command(.patch, address, json: ["corners": nil, "scan": nil]).json
            #expect(now["papers"]?[0]?["corners"] == .null && now["papers"]?[0]?["scan"] == .null)
            #expect(now["state"] != "done")
        }
    }

    @Test("of the photos of a card's sides are one page, two sides on each and as large as they are")
    func sides() throws {
        try withDesk { desk throws in
            let made = try desk.command(
                .post, "/conversions",
                body: form(
                    desk, [("front.png", Self.red), ("back.png", Self.red), ("other.png", Self.red)],
                    ["scan": "photo", "scanSides": "yes", "pageSize": "auto-letter"]))
            #expect(made.json["scanSides"] == true, "\(made.text)")
            let place = try #require(made.headers["Location"])
            desk.quire.runner.runUntilIdle()
            let file = try PDFFile(bytes: bytes(desk, "\(place)/results/1/file"))
            #expect(file.pages.count == 2)
            let counts = file.pages.map { page -> Int in
                let entries = file.dictionary(.reference(page))
                let box = entries?["MediaBox"]?.array?.compactMap(\.number) ?? []
                #expect(box == [0, 0, 612, 792], "\(box)")
                return file.dictionary(entries?["Resources"]).flatMap { file.dictionary($0["XObject"]) }?
                    .entries.count ?? 0
            }
            #expect(counts == [2, 1])
        }
    }

    @Test("put what they make under the tags that were wished")
    func tags() throws {
        try withDesk { desk throws in
            let made = try desk.command(
                .post, "/conversions",
                body: form(
                    desk, [("one.png", Self.red)], ["keep": "yes", "tags": "Taxes, 2026", "name": "Receipt"]))
            #expect(made.json["tags"] == ["Taxes", "2026"], "\(made.text)")
            desk.quire.runner.runUntilIdle()
            let document = try #require(desk.command(.get, "/documents").json["documents"]?[0])
            #expect(
                document["name"] == "Receipt.pdf" && document["tags"] == ["2026", "Taxes"], "\(document)")
        }
    }

    @Test(
        "of photos are one PDF, in the order and as they are turned, and go into the library when somebody keeps them"
    )
    func photos() throws {
        try withDesk { desk throws in
            let made = try desk.command(
                .post, "/conversions",
                body: form(desk, [("one.png", Self.red), ("two.png", Self.red), ("three.png", Self.red)]))
            #expect(made.status == .created)
            let place = try #require(made.headers["Location"])
            #expect(made.json["state"] == "waiting")
            desk.quire.runner.runUntilIdle()
            var now = try desk.command(.get, place).json
            #expect(now["state"] == "done", "\(now)")
            #expect(now["results"]?.array?.count == 1)
            #expect(now["results"]?[0]?["pages"] == 3)
            #expect(now["results"]?[0]?["name"] == "one.pdf")

            let second = try #require(now["papers"]?[1]?["id"]?.string)
            _ = try desk.command(.patch, "\(place)/papers/\(second)", json: ["turn": 90])
            now = try desk.command(.patch, "\(place)/papers/\(second)", json: ["place": 1]).json
            #expect(now["papers"]?[0]?["name"] == "two.png")
            _ = try desk.command(.patch, place, json: ["name": "Receipts"])
            desk.quire.runner.runUntilIdle()
            let file = try PDFFile(bytes: bytes(desk, "\(place)/results/1/file"))
            #expect(file.dictionary(.reference(file.pages[0]))?["Rotate"]?.integer == 90)
            #expect(try desk.command(.get, "/documents").json["total"] == 0)

            let kept = try desk.command(.post, "\(place)/documents", json: ["names": ["1": "Receipts 2026"]])
            #expect(kept.status == .created)
            #expect(kept.json["documents"]?[0]?["name"] == "Receipts 2026.pdf")
            #expect(try desk.command(.get, "/documents").json["total"] == 1)
            #expect(try desk.command(.get, "/conversions").json["conversions"]?.array?.isEmpty == true)
            #expect(try desk.command(.get, "/conversions?all=1").json["conversions"]?.array?.count == 1)
            #expect(try desk.command(.delete, place).status == .noContent)
            #expect(try desk.command(.get, place).status == .notFound)
            #expect(try desk.command(.get, "/documents").json["total"] == 1)
        }
    }

    @Test("begin with what another app shared, when somebody is signed in and no site had a hand in it")
    func shared() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            func papers(_ response: Response) throws -> [String] {
                let place = try #require(response.headers["Location"], "\(response.text)")
                return try desk.command(.get, place).json["papers"]?.array?.compactMap { $0["name"]?.string }
                    ?? []
            }
            let photos = try form(desk, [("one.png", Self.red), ("two.png", Self.red)])
            let taken = try ada.share(photos)
            #expect(taken.status == .seeOther)
            #expect(try papers(taken) == ["one.png", "two.png"])
            // Words become a paper; the address of a page is shown before anything is fetched.
            let words = try ada.share(form(desk, [], ["name": "Recipe", "text": "Two eggs, one onion"]))
            #expect(try papers(words) == ["Recipe.txt"])
            for fields in [
                ["text": "https://example.org/a?b=c"], ["address": "https://example.org/a?b=c"],
            ] as [Fields] {
                let asked = try ada.share(form(desk, [], fields))
                #expect(
                    asked.headers["Location"]
                        == "/conversions/new?from=web&address=https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc")
                let page = try ada.get(asked.headers["Location"] ?? "")
                #expect(page.text.contains("value=\"https://example.org/a?b=c\""))
            }
            let nothing = try ada.share(form(desk, [], ["text": " "]))
            #expect(nothing.status == .unprocessable)
            #expect(nothing.text.contains("Choose at least one file"))

            // Another site, or a page of ours without its token, cannot do the same.
            for site in ["cross-site", "same-site", "same-origin"] {
                #expect(try ada.share(form(desk, [("x.png", Self.red)]), site: site).status == .forbidden)
            }
            let stranger = desk.browser(from: "192.0.2.9")
            let refused = try stranger.share(form(desk, [("x.png", Self.red)]))
            #expect(refused.status == .unauthorized)
            #expect(refused.text.contains("share it once more"))
            #expect(try desk.command(.get, "/conversions").json["conversions"]?.array?.count == 2)
        }
    }

    @Test("are kept in the folder that was wished, or in another one chosen at the end")
    func folders() throws {
        try withDesk { desk throws in
            let taxes = try desk.quire.documents.makeFolder(named: "Taxes", by: .local)
            let other = try desk.quire.documents.makeFolder(named: "Other", by: .local)
            let made = try desk.command(
                .post, "/conversions", body: form(desk, [("one.png", Self.red)], ["folder": taxes.id.text]))
            let place = try #require(made.headers["Location"])
            #expect(made.json["folder"]?.string == taxes.id.text)
            desk.quire.runner.runUntilIdle()
            // Another place makes no other paper: nothing is converted anew.
            let moved = try desk.command(.patch, place, json: ["folder": .string(other.id.text)]).json
            #expect(moved["state"] == "done" && moved["folder"]?.string == other.id.text)
            let page = try {
                let ada = desk.browser()
                try ada.becomeOwner()
                return try ada.get(place).text
            }()
            #expect(page.contains("<option value=\"\(other.id.text)\" selected>Other"))
            let gone = try desk.command(
                .post, "\(place)/documents", json: ["folder": "0191f2a4-0000-7000-8000-000000000000"])
            #expect(gone.status == .notFound && gone.json["field"] == "folder")
            let kept = try desk.command(
                .post, "\(place)/documents", json: ["folder": .string(taxes.id.text)]
            ).json
            #expect(kept["documents"]?[0]?["folder"]?.string == taxes.id.text, "\(kept)")

            let itself = try desk.command(
                .post, "/conversions",
                body: form(desk, [("two.png", Self.red)], ["keep": "1", "folder": taxes.id.text]))
            #expect(itself.status == .created)
            desk.quire.runner.runUntilIdle()
            let there = try desk.command(.get, "/documents?folder=\(taxes.id.text)").json["documents"]?.array
            #expect(there?.compactMap { $0["name"]?.string }.sorted() == ["one.pdf", "two.pdf"])
        }
    }

    @Test("wait for everything that comes in, and go on with what came later")
    func drafts() throws {
        try withDesk { desk throws in
            let made = try desk.command(.post, "/conversions", json: ["hold": true, "together": false])
            let place = try #require(made.headers["Location"])
            #expect(made.json["state"] == "draft")
            #expect(try desk.command(.post, place + "/runs").status == .conflict)
            // The second arrives first.
            for number in [2, 1] {
                let added = try desk.command(
                    .post, "\(place)/papers?place=\(number)", body: form(desk, [("\(number).png", Self.red)]))
                #expect(added.status == .created)
            }
            #expect(try desk.command(.post, place + "/runs").status == .accepted)
            desk.quire.runner.runUntilIdle()
            let now = try desk.command(.get, place).json
            #expect(now["results"]?.array?.compactMap { $0["name"]?.string } == ["1.pdf", "2.pdf"])
            let zip = try desk.command(.get, place + "/file")
            #expect(zip.headers["Content-Type"] == "application/zip")
            #expect(
                try desk.command(.post, place + "/papers", body: form(desk, [("3.png", Self.red)])).json[
                    "state"]
                    == "draft")
        }
    }

    @Test("say at once what they can do nothing with, and leave nothing behind")
    func refusals() throws {
        try withDesk { desk throws in
            let unknown = try desk.command(
                .post, "/conversions", body: form(desk, [("a.bin", [0, 1, 2, 3, 255, 254, 0, 7])]))
            #expect(unknown.status == .unprocessable)
            #expect(unknown.json["detail"]?.string?.contains("a.bin") == true)
            #expect(try desk.command(.post, "/conversions", json: ["to": "gold"]).json["field"] == "to")
            #expect(
                try desk.command(.post, "/conversions", json: ["then": ["fold"], "hold": true]).json["field"]
                    == "then")
            #expect(
                try desk.command(.post, "/conversions", json: ["pageSize": "large", "hold": true]).json[
                    "field"]
                    == "pageSize")
            #expect(
                try desk.command(.post, "/conversions", json: ["address": "file:///etc/passwd"]).status
                    == .unprocessable)
            #expect(try desk.command(.get, "/conversions?all=1").json["conversions"]?.array?.isEmpty == true)
        }
    }

    @Test("take every option of the command, and say each of them back")
    func options() throws {
        let samples: [String: JSON] = [
            "pages": "1-3,7", "password": "open sesame", "page-size": "210mmx297mm", "margin": "10mm",
            "scale": "0.5",
            "page-header": "<b class=title></b>", "page-footer": "<b class=pageNumber></b>", "wait": "1.5",
            "wait-for": "#late", "wait-until": "document.title", "width": "900",
            "header": ["X-One: 1", "X-Two: 2"],
            "cookie": ["a=1", "b=2"], "allow-address": ["example"], "deny-address": ["track", "ads"],
            "quality": "80", "dpi": "200", "time": "30",
        ]
        try withDesk { desk throws in
            var wishes: JSONObject = ["hold": true]
            for word in ConversionOptions.words {
                let sample = word.choices.first.map { JSON.string($0) } ?? samples[word.name]
                wishes[word.key] = try word.placeholder == nil ? true : #require(sample, "\(word.name)")
            }
            let made = try desk.command(.post, "/conversions", json: .object(wishes))
            #expect(made.status == .created, "\(made.text)")
            for word in ConversionOptions.words where word.name != "password" {
                #expect(made.json[word.key] == wishes[word.key], "\(word.name)")
            }
            #expect(made.json["hasPassword"] == true)
            // What makes no sense is refused by the name of its field, and nothing is begun.
            for (name, nonsense) in [
                ("page-size", "large"), ("margin", "thick"), ("scale", "9"), ("wait", "soon"), ("width", "7"),
                ("header", "nothing"), ("cookie", "nothing"), ("allow-address", "("), ("deny-address", "("),
                ("quality", "best"), ("dpi", "1"), ("time", "0"), ("fit", "tight"), ("media", "clay"),
                ("pdfa", "9z"), ("changes", "some"),
            ] as [(String, JSON)] {
                let word = try #require(ConversionOptions.words.first { $0.name == name })
                let value = word.isRepeating ? [nonsense] : nonsense
                let refused = try desk.command(.post, "/conversions", json: ["hold": true, word.key: value])
                #expect(
                    refused.status == .unprocessable && refused.json["field"]?.string == word.key, "\(name)")
            }
        }
    }

    @Test("that fail say why in a sentence, and are tried again after their wishes change")
    func failures() throws {
        try withDesk { desk throws in
            let made = try desk.command(
                .post, "/conversions", body: form(desk, [("broken.pdf", Array("%PDF-1.7 and no more".utf8))]))
            let place = try #require(made.headers["Location"])
            _ = try desk.command(.patch, place, json: ["to": "png"])
            desk.quire.runner.runUntilIdle()
            let failed = try desk.command(.get, place).json
            #expect(failed["state"] == "failed")
            #expect(failed["reason"]?.string?.contains("broken.pdf") == true, "\(failed)")
            _ = try desk.command(.patch, place, json: ["to": "pdf"])
            desk.quire.runner.runUntilIdle()
            #expect(try desk.command(.get, place).json["state"] == "done")
        }
    }

    @Test("carry files of any kind inside the first paper, once that step is wished")
    func carrying() throws {
        try withDesk { desk throws in
            let blob: [UInt8] = [0, 1, 2, 3, 0xFE]
            let refused = try desk.command(.post, "/conversions", body: form(desk, [("blob.dat", blob)]))
            #expect(refused.status == .unprocessable)
            let made = try desk.command(.post, "/conversions", json: ["then": ["attach"], "hold": true])
            let place = try #require(made.headers["Location"])
            let added = try desk.command(
                .post, place + "/papers", body: form(desk, [("one.png", Self.red), ("blob.dat", blob)]))
            #expect(added.status == .created, "\(added.text)")
            _ = try desk.command(.post, place + "/runs")
            desk.quire.runner.runUntilIdle()
            let done = try desk.command(.get, place).json
            #expect(done["state"] == "done", "\(done)")
            let paper = Paper(
                name: "one.pdf", kind: .pdf, bytes: try bytes(desk, place + "/results/1/file"))
            let carried = try PDFTools.attachments(in: paper)
            #expect(carried.map(\.name) == ["blob.dat"] && carried.map(\.bytes) == [blob])
        }
    }

    private func page(_ words: String) -> [UInt8] {
        var draft = PDFDraft()
        let font = draft.add(
            .dictionary(["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica")]))
        let content = draft.addStream([:], Array("BT /F1 20 Tf 20 200 Td (\(words)) Tj ET".utf8))
        let tree = draft.newReference()
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree), "Contents": .reference(content),
                "MediaBox": .array([0, 0, 300, 300].map(PDFObject.integer)),
                "Resources": .dictionary(["Font": .dictionary(["F1": .reference(font)])]),
            ]))
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1),
            ]), at: tree)
        return draft.bytes(
            root: draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)])))
    }

    @Test("lay the last paper below the others, or take a page of each in turn, before all become one")
    func severalTogether() throws {
        try withDesk { desk throws in
            for (step, pages) in [
                ("background", ["one head", "two head"]), ("alternate", ["one", "two", "head"]),
                ("alternate; split=1", []),
            ] {
                let steps = step.split(separator: ";").map { JSON.string($0.filter { $0 != " " }) }
                let made = try desk.command(
                    .post, "/conversions", json: ["then": .array(steps), "hold": true, "together": true])
                let place = try #require(made.headers["Location"])
                let files = ["one", "two", "head"].map { (name: "\($0).pdf", bytes: page($0)) }
                #expect(
                    try desk.command(.post, place + "/papers", body: form(desk, files)).status == .created)
                _ = try desk.command(.post, place + "/runs")
                desk.quire.runner.runUntilIdle()
                let done = try desk.command(.get, place).json
                #expect(done["state"] == "done", "\(done)")
                let results = done["results"]?.array ?? []
                guard !pages.isEmpty else {
                    #expect(results.count == 3, "\(results)")
                    continue
                }
                #expect(results.count == 1, "\(results)")
                let path = "\(desk.quire.store.home.temporary)/seen.pdf"
                let stream = try #require(fopen(path, "we"))
                let paper = try bytes(desk, place + "/results/1/file")
                fwrite(paper, 1, paper.count, stream)
                fclose(stream)
                let text = try Child("/usr/bin/pdftotext", [path, "-"]).run().outputText
                for (number, page) in text.split(separator: "\u{C}").prefix(pages.count).enumerated() {
                    let words = page.split(whereSeparator: \.isWhitespace).map(String.init)
                    #expect(
                        Set(words) == Set(pages[number].split(separator: " ").map(String.init)), "\(text)")
                }
            }
        }
    }

    @Test("take a step picked on the page at its place, and a tick as the step it stands for")
    func pickedSteps() throws {
        try withDesk { desk throws in
            let made = try desk.command(.post, "/conversions", json: ["then": ["rotate=90"], "hold": true])
            let place = try #require(made.headers["Location"])
            func steps(_ fields: Fields) throws -> JSON? {
                try desk.command(.patch, place, body: form(desk, [], fields)).json["then"]
            }
            #expect(
                try steps(["then": "rotate=90", "step": "watermark", "value": "DRAFT", "at": "0"])
                    == ["watermark=DRAFT", "rotate=90"])
            #expect(
                try steps(["then": "rotate=90", "step": "bookmarks", "value": "1 A\r\n- 1 B"])
                    == ["rotate=90", "bookmarks=1 A; - 1 B"])
            #expect(
                try steps(["then": "rotate=90", "boxes": "smaller", "smaller": "yes"])
                    == ["rotate=90", "compress"])
            #expect(try steps(["then": "compress", "boxes": "smaller"]) == [])
            // In which language pictures are is found out, unless somebody says it.
            #expect(try steps(["boxes": "findable", "findable": "yes"]) == ["ocr=auto"])
            #expect(
                try steps(["boxes": "findable", "findable": "yes", "language": "fra"]) == ["ocr=fra"])
            // A box the page did not show says nothing.
            #expect(try steps(["then": "ocr=eng", "boxes": "smaller"]) == ["ocr=eng"])
            #expect(try steps(["then": ""]) == [])
        }
    }

    @Test("keep passwords sealed and show none")
    func secrets() throws {
        try withDesk { desk throws in
            let made = try desk.command(
                .post, "/conversions",
                json: [
                    "hold": true, "password": "open sesame 77",
                    "then": ["compress", "encrypt=shut sesame 78"],
                ])
            #expect(made.json["hasPassword"] == true)
            #expect(made.json["then"] == ["compress", "encrypt"])
            #expect(!made.text.contains("sesame"))
            let place = try #require(made.headers["Location"])
            // Naming the step again leaves its password as it is.
            #expect(try desk.command(.patch, place, json: ["then": ["encrypt"]]).json["then"] == ["encrypt"])
            let id = try #require(ID<Conversion>(made.json["id"]?.string ?? ""))
            let kept = try desk.quire.conversions.get(id, by: .local)
            #expect(kept.wishes.lock == "shut sesame 78" && kept.wishes.password == "open sesame 77")
            let rows = try desk.quire.store.read { try $0.rows("SELECT * FROM conversion") }
            #expect(!"\(rows)".contains("sesame"))
        }
    }

    @Test("survive a restart, and the library keeps by itself what it was told to")
    func restart() throws {
        try withScratchFolder { folder in
            let config = try Config.load(flags: ["home": "\(folder)/desk"], environment: ["HOME": folder])
            var place = ""
            do {
                let quire = try Quire.open(config, clock: HandClock().clock, chance: .seeded(1), log: .silent)
                defer { quire.stop() }
                let conversion = try quire.conversions.begin(
                    ConversionWishes(["keep": true]), by: .local)
                try quire.conversions.add(.bytes(Self.red), named: "scan.png", to: conversion.id, by: .local)
                try quire.conversions.start(conversion.id, by: .local)
                place = conversion.id.text
            }
            let quire = try Quire.open(config, clock: HandClock().clock, chance: .seeded(2), log: .silent)
            defer { quire.stop() }
            quire.runner.runUntilIdle()
            let conversion = try quire.conversions.get(#require(ID<Conversion>(place)), by: .local)
            #expect(conversion.state == .done && conversion.isKept)
            #expect(try quire.documents.list(by: .local).documents.map(\.name) == ["scan.pdf"])
        }
    }

    @Test(
        "make workbooks of old tables that come into a list, whatever way they come",
        .enabled(if: access("/usr/bin/soffice", X_OK) == 0, "LibreOffice is not installed"))
    func oldTables() throws {
        try withDesk { desk throws in
            let engines = Engines(jail: Jail.detect())
            defer { engines.stop() }
            let table = ConversionInput(
                name: "people.csv", .bytes(Array("name,age\nAna,7\nZoë,8\n".utf8)))
            let made = try Converter(engines).convert([table], to: .xls).papers
            let old = try #require(made.first?.bytes)
            let brought = try desk.upload("/lists?name=people.xls", old, "application/vnd.ms-excel")
            let place = try #require(brought.headers["Location"], "\(brought.text)")
            let applied = try desk.command(.post, place + "/application")
            #expect(applied.status == .ok && applied.json["counts"]?["added"] == 2, "\(applied.text)")
            // What is called so and is none is told, not tried.
            let wrong = try desk.upload("/lists?name=people.xls", Array("name\nAna\n".utf8), "text/csv")
            #expect(wrong.status == .created, "\(wrong.text)")
        }
    }

    @Test(
        "stop when they are cancelled, whatever a page is doing",
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func cancelling() throws {
        try withDesk { desk throws in
            let endless = Array("<!doctype html><title>x</title><script>for(;;);</script>".utf8)
            let made = try desk.command(
                .post, "/conversions", body: form(desk, [("endless.html", endless)]))
            let place = try #require(made.headers["Location"])
            let id = try #require(ID<Conversion>(made.json["id"]?.string ?? ""))
            let begun = Monitor(false)
            let subscription = desk.quire.queue.changes.subscribe { change in
                if change.progress.phase.contains("chromium") { begun.update { $0 = true } }
            }
            defer { subscription.cancel() }
            let worker = Thread(name: "work") { [quire = desk.quire] in quire.runner.runUntilIdle() }
            #expect(begun.wait(timeout: .seconds(90)) { $0 ? true : nil } == true)
            #expect(try desk.command(.post, place + "/cancellation").json["state"] == "cancelled")
            // The page has two minutes; what ends it long before is the cancellation. Busy machines take their time.
            let watch = Stopwatch()
            worker.join()
            #expect(watch.elapsed < .seconds(90))
            #expect(try desk.quire.conversions.get(id, by: .local).state == .cancelled)
        }
    }

    @Test("begin with what lies in the library, and are seen by viewers but not made by them")
    func roles() throws {
        try withDesk { desk throws in
            let document = try desk.quire.documents.add(.bytes(Self.red), named: "a.png", by: .local).document
            let made = try desk.command(.post, "/conversions", json: ["document": .string(document.id.text)])
            let place = try #require(made.headers["Location"])
            desk.quire.runner.runUntilIdle()
            #expect(try desk.command(.get, place).json["results"]?[0]?["mediaType"] == "application/pdf")
            let ada = desk.browser()
            try ada.becomeOwner()
            let page = try ada.get(place)
            #expect(page.text.contains("a.pdf") && page.text.contains("/results/1/pages/1"))
            let stranger = desk.browser(from: "203.0.113.9")
            #expect(try stranger.get(place).status == .seeOther)
        }
    }
}
