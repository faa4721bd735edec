import Access
import App
import Archives
import Bundling
import Bytes
import Delivery
import Filling
import HTTP
import People
import Storage
import Tables
import TestSupport
import Testing
import Web
import Work

/// One desk gives a send-out away, another takes it in.
@Suite("Bundles")
struct BundleTests {
    private func id(_ json: JSON) throws -> String { try #require(json["id"]?.string) }

    /// A consent form for pupils, matched, with a letter of one's own.
    private func batch(_ desk: Desk, password: String = "") throws -> String {
        let template = try desk.addConsentForm()
        let list = try desk.addPupils()
        let mapping = try desk.command(
            .post, "/templates/\(id(template))/mappings",
            json: [
                "name": "Pupils",
                "text": "others = keep\n\n[fields]\nclass = {class}\nchild name = {child name}\n",
            ])
        let batch = try desk.command(
            .post, "/batches",
            json: [
                "name": "Consent 2026", "list": .string(list), "naming": "Consent {child name}",
                "parts": [
                    [
                        "kind": "template", "template": template["id"] ?? .null,
                        "mapping": mapping.json["id"] ?? .null, "condition": "",
                    ]
                ], "options": ["flatten": true, "password": .string(password)],
            ]
        ).json
        _ = try desk.command(
            .patch, "/batches/\(id(batch))/letter",
            json: [
                "subject": "For {{child_name}}", "body": "Dear parents", "from": "office@school.example",
                "cc": "head@school.example, {{parent_email}}",
            ])
        return try id(batch)
    }

    private func file(_ desk: Desk, of batch: String, _ query: String = "") throws -> [UInt8] {
        let answer = try desk.command(.get, "/batches/\(batch)/bundle/file\(query)")
        #expect(answer.headers["Content-Disposition"]?.contains("Consent 2026.quire-bundle.zip") == true)
        return try desk.bytes(of: answer)
    }

    @Test("A send-out given away is the same send-out on another desk, for people of its own")
    func travels() throws {
        let bytes = try withDesk { desk in
            let batch = try batch(desk)
            #expect(try file(desk, of: batch) == file(desk, of: batch))
            return try file(desk, of: batch)
        }
        try withDesk { desk in
            let looked = try desk.upload("/bundles", bytes)
            #expect(looked.status == .created)
            #expect(looked.json["known"] == false)
            #expect(looked.json["content"]?["parts"]?[0]?["lines"]?.array?.count == 2)
            #expect(looked.json["content"]?["parts"]?[0]?["problems"] == [])
            #expect(
                looked.json["content"]?["parts"]?[0]?["mapping"]?.string?.hasPrefix("others = keep") == true)
            #expect(try desk.quire.templates.counts(by: .local).kept == 0)
            let path = "/bundles/\(try id(looked.json))"
            #expect(try desk.command(.post, path + "/batches", json: [:]).status == .conflict)
            _ = try desk.command(.post, path + "/keeping")
            #expect(try desk.quire.templates.list(by: .local).templates.map(\.name) == ["Consent form"])
            let begun = try desk.command(.post, path + "/batches", json: [:]).json
            #expect(begun["draft"]?["naming"] == "Consent {child name}")
            #expect(begun["draft"]?["options"]?["flatten"] == true)
            #expect(begun["draft"]?["list"] == .null)
            let letter = try desk.command(.get, "/batches/\(id(begun))/letter").json
            #expect(letter["subject"] == "For {{child_name}}")
            #expect(letter["from"] == "")
            #expect(letter["cc"] == "{{parent_email}}")
            let list = try desk.addPupils()
            _ = try desk.command(.patch, "/batches/\(id(begun))", json: ["list": .string(list)])
            let planned = try desk.command(.post, "/batches/\(id(begun))/plan").json
            #expect(planned["summary"]?["held"] == 0)
            #expect((planned["summary"]?["planned"]?.int ?? 0) > 0)
        }
    }

    @Test("Nobody of the list is in a bundle, unless somebody has said how many rows")
    func namesNobody() throws {
        try withDesk { desk in
            let batch = try batch(desk, password: "\"secret\"")
            let list = try #require(try desk.quire.recipients.all(by: .local).first)
            let people = try desk.quire.recipients.page(list.id, by: .local).recipients
            let zip = try ZIPReader(bytes: file(desk, of: batch))
            let manifest = String(decoding: try zip.bytes(try #require(zip["manifest.json"])), as: UTF8.self)
            for person in people {
                for cell in person.cells where cell.shown.count > 3 {
                    #expect(!manifest.contains(cell.shown))
                }
            }
            for word in ["secret", "head@school.example", "office@school.example"] {
                #expect(!manifest.contains(word), "\(word)")
            }
            let told = try desk.command(.get, "/batches/\(batch)/bundle").json
            #expect(told["heldBack"] == ["addresses", "sender", "password"])
            #expect(told["content"]?["realRows"] == false)
            let real = try desk.command(.get, "/batches/\(batch)/bundle?realRows=2").json
            #expect(real["content"]?["rows"]?.array?.count == 2)
            #expect(real["content"]?["rows"]?[0]?[0]?.string == people[0].cells[0].shown)
            #expect(try desk.command(.get, "/batches/\(batch)/bundle?realRows=21").status == .unprocessable)
        }
    }

    @Test("Whoever made a bundle gets no copy of what others make with it, and knows none of their passwords")
    func serves() throws {
        let given = try withDesk { desk in try file(desk, of: batch(desk)) }
        var (bundle, _) = try Bundle.read(given)
        bundle.options["password"] = "known"
        bundle.letter?["to"] = #"{{parent_email}}, {{= "x@stranger.example" }}"#
        bundle.letter?["cc"] = "{{parent_email}}, Office <office@stranger.example>"
        bundle.letter?["bcc"] = "{{child_name}}@stranger.example"
        let bytes = try bundle.bytes()
        try withDesk { desk in
            let looked = try desk.upload("/bundles", bytes).json
            #expect(looked["content"]?["notTaken"] == ["addresses", "password"])
            let path = "/bundles/\(try id(looked))"
            let page = try desk.command(.get, path, ["Accept": "text/html"]).text
            #expect(page.contains("only you say who gets what you make"))
            #expect(page.contains("The password of its papers is not taken over"))
            _ = try desk.command(.post, path + "/keeping")
            let begun = try desk.command(.post, path + "/batches", json: [:]).json
            #expect(begun["draft"]?["options"]?["password"] == "")
            let letter = try desk.command(.get, "/batches/\(id(begun))/letter").json
            #expect(letter["to"] == "{{parent_email}}")
            #expect(letter["cc"] == "{{parent_email}}")
            #expect(letter["bcc"] == "")
        }
    }

    @Test("The same bundle twice is once, and what is here already is used")
    func knowsDoubles() throws {
        try withDesk { desk in
            let bytes = try file(desk, of: batch(desk))
            let first = try desk.upload("/bundles", bytes).json
            _ = try desk.command(.post, "/bundles/\(id(first))/keeping")
            let again = try desk.upload("/bundles", bytes).json
            #expect(try id(again) == id(first))
            #expect(again["known"] == true)
            _ = try desk.command(.post, "/bundles/\(id(first))/keeping")
            #expect(try desk.quire.templates.counts(by: .local).kept == 1)
            let template = try #require(try desk.quire.templates.list(by: .local).templates.first)
            #expect(try desk.quire.mappings.all(of: template.id, by: .local).count == 1)
            // It came from here: the form stays when the bundle goes.
            let removal = try desk.command(.delete, "/bundles/\(id(first))").json
            #expect(removal["removed"] == 0)
            #expect(try desk.quire.templates.counts(by: .local).kept == 1)
        }
    }

    @Test("What a bundle brought goes with it and comes back with it; what is used stays and is named")
    func isTakenBack() throws {
        let bytes = try withDesk { desk in try file(desk, of: batch(desk)) }
        try withDesk { desk in
            let bundle = try id(desk.upload("/bundles", bytes).json)
            _ = try desk.command(.post, "/bundles/\(bundle)/keeping")
            let begun = try desk.command(.post, "/bundles/\(bundle)/batches", json: [:]).json
            #expect(try desk.command(.delete, "/bundles/\(bundle)").json["stays"] == [])
            #expect(try desk.quire.templates.counts(by: .local).kept == 0)
            #expect(try desk.quire.batches.list(by: .local).matchCount == 0)
            _ = try desk.command(.post, "/bundles/\(bundle)/restoration")
            #expect(try desk.quire.templates.counts(by: .local).kept == 1)
            #expect(try desk.quire.batches.list(by: .local).matchCount == 1)
            _ = try desk.command(.patch, "/batches/\(id(begun))", json: ["list": .string(desk.addPupils())])
            let removal = try desk.command(.delete, "/bundles/\(bundle)").json
            #expect(removal["stays"]?.array?.contains("Consent form") == true)
            #expect(try desk.quire.templates.counts(by: .local).kept == 1)
            #expect(try desk.quire.batches.list(by: .local).matchCount == 1)
        }
    }

    @Test("A file that is none, a newer one and a damaged one are refused in words")
    func refuses() throws {
        try withDesk { desk in
            let none = try desk.upload("/bundles", Array("hello".utf8))
            #expect(none.status == .unprocessable)
            #expect(none.json["detail"]?.string?.contains("no bundle") == true)
            var bytes = try file(desk, of: batch(desk))
            bytes[bytes.count / 2] ^= 0xFF
            let damaged = try desk.upload("/bundles", bytes)
            #expect(damaged.status == .unprocessable)
            #expect(try desk.quire.bundles.all(by: .local).isEmpty)
        }
    }

    @Test("The example is made, filled and taken away in one press, and no mail goes out for it")
    func example() throws {
        try withDesk { desk in
            try desk.setMail(port: 9)
            let batch = try desk.command(.post, "/bundles/example")
            #expect(batch.status == .created)
            let path = "/batches/\(try id(batch.json))"
            #expect(try id(desk.command(.post, "/bundles/example").json) == id(batch.json))
            let planned = try desk.command(.post, path + "/plan").json
            #expect(planned["summary"]?["recipients"] == 5)
            #expect(planned["summary"]?["held"] == 0)
            let check = try desk.command(.post, path + "/sending/check", json: [:]).json
            #expect(check.text.contains("its people are invented"))
            let sent = try desk.command(.post, path + "/sending", json: ["count": 5])
            #expect(sent.status == .conflict)
            // The same people in another send-out are no more real.
            let copy = try desk.command(.post, path + "/copies").json
            _ = try desk.command(.post, "/batches/\(id(copy))/plan")
            let other = try desk.command(.post, "/batches/\(id(copy))/sending/check", json: [:]).json
            #expect(other.text.contains("its people are invented"))
            _ = try desk.command(.delete, "/batches/\(id(copy))")
            _ = try desk.command(.delete, "/bundles/example")
            #expect(try desk.quire.batches.list(by: .local).matchCount == 0)
            #expect(try desk.quire.templates.counts(by: .local).kept == 0)
            #expect(try desk.quire.recipients.all(by: .local).isEmpty)
            #expect(try desk.command(.delete, "/bundles/example").status == .notFound)
        }
    }
}
