import Access
import App
import Bytes
import Filling
import HTTP
import Library
import Storage
import TestSupport
import Testing
import Web

@Suite("Forms on the desk")
struct FormsTests {
    @Test("come in under the name of their file, with a report in sentences")
    func arrive() throws {
        try withDesk { desk throws in
            let template = try desk.addConsentForm()
            #expect(template["name"] == "Consent form")
            #expect(template["report"]?["canBeFilled"] == true)
            let id = try #require(template["id"]?.string)
            let fields = try desk.command(.get, "/templates/\(id)/fields").json["fields"]?.array ?? []
            #expect(fields.count > 5)
            #expect(fields.allSatisfy { $0["label"]?.string?.isEmpty == false })
        }
    }

    @Test("are taken from a paper of the library, which stays there")
    func fromLibrary() throws {
        try withDesk { desk throws in
            let document = try desk.quire.documents.add(
                .bytes(Desk.consentForm), named: "Trip.pdf", by: .local
            ).document
            let added = try desk.command(.post, "/templates", json: ["document": .string(document.id.text)])
            #expect(added.status == .created)
            #expect(added.json["templates"]?[0]?["name"] == "Trip")
            #expect(try desk.command(.get, "/documents/\(document.id)").status == .ok)
        }
    }

    @Test("are not fetched from inside the own network")
    func addressGuard() throws {
        try withDesk { desk throws in
            for address in ["http://127.0.0.1:1/x.pdf", "http://[::1]/x.pdf", "file:///etc/passwd"] {
                let refused = try desk.command(.post, "/templates", json: ["address": .string(address)])
                #expect(refused.status == .unprocessable, "\(address): \(refused.text)")
                #expect(refused.json["field"] == "address")
            }
        }
    }

    @Test("are refused in words when they are no PDF, on the page beside the choice of files")
    func noForm() throws {
        try withDesk { desk throws in
            let refused = try desk.upload("/templates?name=a.pdf", Array("not a PDF".utf8))
            #expect(refused.status == .unprocessable)
            #expect(refused.json["detail"]?.string?.hasSuffix(".") == true || refused.json["detail"] != nil)
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/templates/new")
            let page = try ada.submit("/templates", ["address": "http://127.0.0.1/"])
            #expect(page.status == .unprocessable)
            #expect(page.text.contains("aria-invalid=\"true\""))
        }
    }

    @Test("are renamed, moved, thrown away with an undo, and brought back")
    func life() throws {
        try withDesk { desk throws in
            let id = try #require(try desk.addConsentForm()["id"]?.string)
            let path = "/templates/\(id)"
            #expect(
                try desk.command(.patch, path, json: ["name": "Trip", "folder": "School"]).json["folder"]
                    == "School")
            let ada = desk.browser()
            try ada.becomeOwner()
            #expect(try ada.get(path + "?view=editions").text.contains("value=\"Trip\""))
            let away = try ada.submit(path, ["_method": "DELETE"])
            #expect(away.status == .seeOther)
            #expect(try ada.get("/templates").text.contains("action=\"\(path)/restoration\""))
            #expect(try desk.command(.get, "/templates").json["total"] == 0)
            _ = try ada.submit(path + "/restoration", [:])
            #expect(try desk.command(.get, "/templates?folder=School").json["total"] == 1)
            #expect(try desk.command(.delete, path + "?forever=1").status == .conflict)
        }
    }

    @Test("show their pages as pictures with every field at its place")
    func pictures() throws {
        try withDesk { desk throws in
            let id = try #require(try desk.addConsentForm()["id"]?.string)
            let picture = try desk.command(.get, "/templates/\(id)/pages/1?width=240")
            #expect(picture.status == .ok, "\(picture.text)")
            #expect(picture.mediaType?.essence == "image/jpeg")
            #expect(try desk.command(.get, "/templates/\(id)/pages/99").status == .notFound)
            let ada = desk.browser()
            try ada.becomeOwner()
            let page = try ada.get("/templates/\(id)").text
            let fields = try desk.quire.templates.fields(
                #require(ID<Template>(id)), by: .local)
            for field in fields where !field.places.isEmpty {
                #expect(page.contains("data-mark=\"\(field.name)\""), "\(field.name)")
            }
        }
    }
}
