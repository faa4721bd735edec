import Access
import App
import Bytes
import HTTP
import Library
import PDF
import PDFForms
import PDFReading
import Storage
import TestSupport
import Testing
import Work

@Suite(
    "Forms of the library are filled in by hand", .enabled(if: PageReader.isReady, "poppler is not installed")
)
struct FillingInTests {
    /// Words, a box, one of two, a choice, several of three, and a sum.
    private static let form: [UInt8] = PageMaker.make { maker in
        let notes = maker.draft.newReference()
        let page = maker.page(
            "BT /F 12 Tf 40 270 Td (Holiday request) Tj ET", ["Annots": .reference(notes)])
        var height = 240.0
        func field(_ name: String, _ kind: String, _ entries: PDFDictionary = [:]) -> PDFReference {
            var field = entries
            field["Type"] = .name("Annot")
            field["Subtype"] = .name("Widget")
            field["FT"] = .name(PDFName(kind))
            field["T"] = .text(name)
            field["P"] = .reference(page)
            field["F"] = .integer(4)
            field["DA"] = .text("/F 10 Tf 0 g")
            field["Rect"] = maker.box(150, height, 300, height + 18)
            height -= 26
            let reference = maker.draft.add(.dictionary(field))
            maker.fields.append(reference)
            return reference
        }
        func options(_ names: String...) -> PDFObject { .array(names.map(PDFObject.text)) }
        _ = field("name", "Tx", ["Ff": .integer(2), "TU": .text("Your name")])
        _ = field("zip", "Tx", ["MaxLen": .integer(5)])
        let on = maker.draft.addStream(
            ["Type": .name("XObject"), "Subtype": .name("Form"), "BBox": maker.box(0, 0, 10, 10)], [])
        _ = field(
            "half", "Btn",
            ["AP": .dictionary(["N": .dictionary(["Yes": .reference(on)])]), "AS": .name("Off")])
        _ = field("kind", "Ch", ["Ff": .integer(1 << 17), "Opt": options("Paid", "Unpaid")])
        _ = field("days", "Tx")
        _ = field("more", "Tx")
        let sum = field(
            "sum", "Tx",
            [
                "Ff": .integer(1),
                "AA": .dictionary([
                    "C": .dictionary([
                        "S": .name("JavaScript"),
                        "JS": .text("AFSimple_Calculate(\"SUM\", new Array (\"days\", \"more\"));"),
                    ])
                ]),
            ])
        maker.draft.put(.array(maker.fields.map(PDFObject.reference)), at: notes)
        maker.form = [
            "Fields": .array(maker.fields.map(PDFObject.reference)), "CO": .array([.reference(sum)]),
            "DR": .dictionary(["Font": .dictionary(["F": .reference(maker.font)])]),
        ]
        maker.fields = []
    }

    private func bring(_ bytes: [UInt8], _ name: String, to desk: Desk) throws -> String {
        let made = try desk.command(
            .post, "/documents?name=\(name)", ["Content-Type": "application/octet-stream"],
            body: .bytes(bytes))
        return try #require(made.headers["Location"])
    }

    /// What each field says in the paper as it is now.
    private func values(_ place: String, _ desk: Desk) throws -> [String: String] {
        let fields = try desk.command(.get, place + "/form").json["fields"]?.array ?? []
        return Dictionary(
            uniqueKeysWithValues: fields.map {
                (
                    $0["name"]?.string ?? "",
                    ($0["value"]?.array ?? []).compactMap(\.string).joined(separator: "|")
                )
            })
    }

    @Test("each kind of field, with the sum the form asks for, as a new version")
    func filled() throws {
        try withDesk { desk throws in
            let place = try bring(Self.form, "holiday.pdf", to: desk)
            let seen = try desk.command(.get, place + "/form").json
            #expect(seen["computed"] == ["sum"] && seen["hindrance"] == .null)
            #expect(seen["fields"]?[0]?["label"] == "Your name" && seen["fields"]?[0]?["required"] == true)
            let answer = try desk.command(
                .post, place + "/form",
                json: [
                    "values": [
                        "name": "Zoë Ångström", "half": true, "kind": "Unpaid", "days": "2.5", "more": "4",
                    ], "base": 1,
                ])
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(answer.json["version"] == 2 && answer.json["problems"] == [])
            let now = try values(place, desk)
            #expect(now["name"] == "Zoë Ångström" && now["half"] == "Yes" && now["kind"] == "Unpaid")
            #expect(now["sum"] == "6.5" && now["zip"] == "")
            // What it was is there, byte for byte.
            let id = try #require(ID<Document>(place.split(separator: "/").last.map(String.init) ?? ""))
            let first = try #require(
                desk.quire.documents.versions(of: id, by: .local).first { $0.number == 1 })
            #expect(try desk.quire.store.blobs.read(first.blob.digest) == Self.form)
            // Poppler sees what was written.
            let paper = try desk.quire.documents.get(id, by: .local)
            let words = try desk.quire.pages.texts(of: paper).joined()
            #expect(words.contains("Zoë Ångström") && words.contains("Unpaid") && words.contains("6.5"))
        }
    }

    @Test("what would not stand there as it was written is said, and kept only by those who say so")
    func refused() throws {
        try withDesk { desk throws in
            let place = try bring(Self.form, "holiday.pdf", to: desk)
            let long = try desk.command(.post, place + "/form", json: ["values": ["zip": "1234567"]])
            #expect(long.status == .unprocessable && long.json["field"] == "zip")
            #expect(try desk.command(.get, place).json["version"] == 1)
            let choice = try desk.command(.post, place + "/form", json: ["values": ["kind": "Sabbatical"]])
            #expect(choice.status == .unprocessable && choice.json["field"] == "kind")
            let unknown = try desk.command(.post, place + "/form", json: ["values": ["nobody": "x"]])
            #expect(unknown.status == .unprocessable && unknown.json["field"] == "nobody")
            let tried = try desk.command(
                .post, place + "/form/trial", json: ["values": ["zip": "1234567", "days": "3"]])
            #expect(tried.json["problems"]?[0]?["kind"] == "tooLong" && tried.json["computed"]?["sum"] == "3")
            let kept = try desk.command(
                .post, place + "/form", json: ["values": ["zip": "1234567"], "anyway": true])
            #expect(kept.json["version"] == 2 && kept.json["problems"]?[0]?["kind"] == "tooLong")
            #expect(try values(place, desk)["zip"] == "12345")
        }
    }

    @Test("as part of the page nothing can be filled in any more")
    func asPage() throws {
        try withDesk { desk throws in
            let place = try bring(Self.form, "holiday.pdf", to: desk)
            let answer = try desk.command(
                .post, place + "/form", json: ["values": ["name": "Ana"], "asPage": true])
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try desk.command(.get, place + "/form").json["fields"] == [])
            let page = try desk.command(.get, place + "/form", ["Accept": "text/html"])
            #expect(page.text.contains("This paper has no fields"))
        }
    }

    @Test("two people at one form do not write over each other")
    func meanwhile() throws {
        try withDesk { desk throws in
            let place = try bring(Self.form, "holiday.pdf", to: desk)
            _ = try desk.command(.post, place + "/form", json: ["values": ["name": "Ana"], "base": 1])
            let late = try desk.command(
                .post, place + "/form", json: ["values": ["name": "Ben"], "base": 1])
            #expect(late.status == .conflict)
            #expect(try values(place, desk)["name"] == "Ana")
        }
    }

    @Test("what is no PDF, holds no fields, forbids it or lies in the trash says so")
    func hindered() throws {
        try withDesk { desk throws in
            let text = try bring(Array("Milk".utf8), "list.txt", to: desk)
            let nothing = try desk.command(.get, text + "/form").json
            #expect(nothing["fields"] == [] && nothing["hindrance"]?.string?.contains("is no PDF") == true)
            let page = try desk.command(.get, text + "/form", ["Accept": "text/html"])
            #expect(page.status == .ok && page.text.contains("is no PDF"))
            let written = try desk.command(.post, text + "/form", json: ["values": ["a": "b"]])
            #expect(written.status == .unprocessable)
            let flat = try bring(Array(SamplePaper.pages(["Flat"]).utf8), "flat.pdf", to: desk)
            #expect(try desk.command(.get, flat + "/form").json["fields"] == [])
            #expect(
                try desk.command(.post, flat + "/form", json: ["values": ["a": "b"]]).status == .unprocessable
            )
            // In the language of the page, also where the reason comes from the file.
            let notice = PageMaker.make { maker in
                maker.page("BT /F 12 Tf 40 270 Td (Please wait) Tj ET")
                maker.form = ["Fields": .array([]), "XFA": .text("<xdp/>")]
            }
            let dynamic = try bring(notice, "dynamic.pdf", to: desk)
            let told = try desk.command(
                .get, dynamic + "/form", ["Accept": "text/html", "Accept-Language": "fr-CA"])
            #expect(told.text.contains("XFA dynamique"))
            let place = try bring(Self.form, "holiday.pdf", to: desk)
            #expect(try desk.command(.post, place + "/form", json: ["values": [:]]).status == .unprocessable)
            _ = try desk.command(.delete, place)
            let trashed = try desk.command(.post, place + "/form", json: ["values": ["name": "Ana"]])
            #expect(trashed.status == .conflict)
        }
    }
}
