import Access
import App
import Bytes
import Filling
import HTTP
import Jobs
import Library
import People
import Storage
import TestSupport
import Testing
import Web
import Work

/// A table of pupils whose columns are called like the fields of the consent form, but for one.
private let pupils = """
    child name,class,birth date,guardian name,relation,telephone number
    Zoë Ångström,5a,06102015,Žofie Ångström,mother,555-0113
    محمد عبد الرحمن,5a,17012016,سارة,mother,555-0114
    Bo Li,5b,03032016,Li Na,mother,
    """

extension Desk {
    /// A list of three pupils, brought in as the page does it.
    func addPupils(_ text: String = pupils) throws -> String {
        let made = try upload("/lists?name=pupils.csv", Array(text.utf8), "text/csv")
        guard let list = made.json["id"]?.string, let location = made.headers["Location"] else {
            throw Failure(.invalid, "list: \(made.status) \(made.text)")
        }
        let applied = try command(.post, location + "/application")
        guard applied.status == .ok else {
            throw Failure(.invalid, "import: \(applied.status) \(applied.text)")
        }
        return list
    }

    /// A batch of the consent form for them.
    func beginBatch() throws -> String {
        let template = try addConsentForm()
        let list = try addPupils()
        let batch = try command(
            .post, "/batches", json: ["template": template["id"] ?? .null, "list": .string(list)])
        guard let id = batch.json["id"]?.string else {
            throw Failure(.invalid, "batch: \(batch.status) \(batch.text)")
        }
        return id
    }
}

@Suite("Lists of people")
struct ListsTests {
    @Test("come out of a table, with what was found and why, and nothing is kept before one says so")
    func looking() throws {
        try withDesk { desk throws in
            let made = try desk.upload("/lists?name=pupils.csv", Array(pupils.utf8), "text/csv")
            #expect(made.status == .created, "\(made.text)")
            let location = try #require(made.headers["Location"])
            let seen = try desk.command(.get, location).json
            #expect(seen["columns"]?.array?.count == 6)
            let separator = seen["choices"]?.array?.first { $0["what"] == "separator" }
            #expect(separator?["value"] == ",")
            #expect(separator?["why"]?.string?.isEmpty == false)
            #expect(seen["counts"]?["added"] == 3)
            let list = try #require(made.json["id"]?.string)
            #expect(try desk.command(.get, "/lists/\(list)").json["count"] == 0)
            #expect(try desk.command(.post, location + "/application").status == .ok)
            #expect(try desk.command(.get, "/lists/\(list)").json["count"] == 3)
        }
    }

    @Test("take a pasted block, read in another way in one click")
    func pasting() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/lists/new")
            let pasted = try ada.submit("/lists", ["block": "Name;E-mail\nAda;ada@example.org\n"])
            #expect(pasted.status == .seeOther, "\(pasted.text)")
            let address = try #require(pasted.headers["Location"])
            let page = try ada.get(address).text
            #expect(page.contains("value=\";\" selected"))
            let changed = try ada.submit(address, ["_method": "PATCH", "headerRow": "0"])
            #expect(changed.status == .seeOther, "\(changed.text)")
            #expect(try ada.fetch(.get, address).json["rows"]?.array?.count == 2)
        }
    }

    @Test("are narrowed down by a column, which then stands in the search and can be a group")
    func narrowing() throws {
        try withDesk { desk throws in
            let list = try desk.addPupils()
            let ada = desk.browser()
            try ada.becomeOwner()
            let chosen = try ada.get("/lists/\(list)?q=&column=class&relation=is&value=5a")
            #expect(chosen.headers["Location"] == "/lists/\(list)?q=class%3D5a")
            let all = try desk.command(.get, "/lists/\(list)/recipients").json["total"]?.int ?? 0
            let some =
                try desk.command(.get, "/lists/\(list)/recipients?q=class%3D5a").json["total"]?.int ?? 0
            let others =
                try desk.command(.get, "/lists/\(list)/recipients?q=class!%3D5a").json["total"]?.int ?? 0
            #expect(some > 0 && others > 0 && some + others == all)
            let group = try desk.command(
                .post, "/lists/\(list)/audiences", json: ["name": "5a", "q": "class=5a"])
            #expect(group.json["count"]?.int == some, "\(group.text)")
            #expect(try ada.get("/lists/\(list)?q=class%3D5a").text.contains("value=\"class=5a\""))
        }
    }

    @Test("are changed cell by cell, and every change can be taken back")
    func editing() throws {
        try withDesk { desk throws in
            let list = try desk.addPupils()
            let people = try desk.command(.get, "/lists/\(list)/recipients").json["recipients"]
            let first = try #require(people?[0]?["id"]?.string)
            let path = "/lists/\(list)/recipients/\(first)"
            let changed = try desk.command(.patch, path, json: ["cells": ["class": "6b"]])
            #expect(changed.status == .ok, "\(changed.text)")
            #expect(changed.json["cells"]?[1]?["shown"] == "6b")
            let edition = try #require(try desk.command(.get, "/lists/\(list)").json["edition"])
            let back = try desk.command(.post, "/lists/\(list)/reversals", json: ["edition": edition])
            #expect(back.status == .ok)
            #expect(try desk.command(.get, path).json["cells"]?[1]?["shown"] == "5a")
        }
    }

    @Test("are filled with contacts out of cards")
    func contacts() throws {
        try withDesk { desk throws in
            let card =
                "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Grace Hopper\r\nEMAIL:grace@example.org\r\nEND:VCARD\r\n"
            #expect(
                try desk.upload("/contacts?name=a.vcf", Array(card.utf8), "text/vcard").json["added"] == 1)
            let imports = try desk.command(.get, "/contacts/imports").json["imports"]
            #expect(imports?[0]?["name"] == "a.vcf" && imports?[0]?["added"] == 1)
            #expect(try desk.bytes(of: desk.command(.get, "/contacts/cards")) == Array(card.utf8))
            #expect(try desk.command(.get, "/contacts/cards?as=paper").status == .unprocessable)
            let undone = try desk.command(
                .post, "/contacts/undoings", json: ["id": [imports?[0]?["id"] ?? .null]])
            #expect(undone.json == ["removed": 1, "restored": 0, "kept": 0])
            #expect(try desk.command(.get, "/contacts").json["total"] == 0)
            _ = try desk.upload("/contacts?name=a.vcf", Array(card.utf8), "text/vcard")
            let found = try desk.command(.get, "/contacts?q=hopper").json["contacts"]?[0]
            let whole = try desk.command(.get, "/contacts/\(found?["id"]?.string ?? "")").json
            #expect(whole["fields"]?[0] == ["name": "Name", "value": "Grace Hopper"])
            #expect(found?["emails"]?[0] == "grace@example.org")
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/contacts")
            let put = try ada.submit("/contacts/selection", ["id": found?["id"]?.string ?? "", "list": ""])
            let list = try #require(put.headers["Location"])
            #expect(try ada.get(list).text.contains("Grace Hopper"))
        }
    }

    @Test("show what a newer file of the same name adds, changes and no longer has")
    func again() throws {
        try withDesk { desk throws in
            let list = try desk.addPupils()
            _ = try desk.command(
                .post, "/lists/\(list)/recipients", json: ["cells": ["child name": "Typed by hand"]])
            let newer = pupils.replacing("Bo Li,5b", with: "Bo Li,5c").replacing(
                "Zoë Ångström,5a,06102015,Žofie Ångström,mother,555-0113\n", with: "")
            let looked = try desk.upload(
                "/lists/\(list)/imports?name=pupils.csv", Array(newer.utf8), "text/csv")
            #expect(looked.status == .created, "\(looked.text)")
            #expect(looked.json["replacesSource"] == true)
            #expect((looked.json["counts"]?["gone"]?.int ?? 0) >= 1)
            let location = try #require(looked.headers["Location"])
            _ = try desk.command(.post, location + "/application")
            let names = try desk.command(.get, "/lists/\(list)/recipients").json["recipients"]?.array?
                .compactMap { $0["name"]?.string }
            #expect(names?.contains("Typed by hand") == true)
            #expect(names?.count == 3)
        }
    }
}

@Suite("Packets")
struct PacketsTests {
    @Test("ask where a column goes that may be meant for two fields, and fill the one that is chosen")
    func undecided() throws {
        try withDesk { desk throws in
            let template = try desk.addConsentForm()
            let list = try desk.addPupils("Name,Date\nAnn,2026-01-02\n")
            let batch = try desk.command(
                .post, "/batches", json: ["template": template["id"] ?? .null, "list": .string(list)])
            let path = "/batches/\(batch.json["id"]?.string ?? "")/mapping"
            let asked = try desk.command(.get, path).json["undecided"]
            #expect(asked?.array?.count == 1 && asked?[0]?["column"] == "Date")
            #expect(
                asked?[0]?["choices"]?.array?.compactMap { $0["fields"] } == [
                    ["place and date"], ["birth date"],
                ])
            let chosen = try desk.command(.post, path, json: ["undecided": "Date", "choice": 2])
            let birth = chosen.json["fields"]?.array?.first { $0["field"] == "birth date" }
            #expect(birth?["value"] == "01022026")
            #expect(chosen.json["undecided"] == [])
            #expect(
                try desk.command(.post, path, json: ["undecided": "Date", "choice": 1]).status
                    == .notFound)
        }
    }

    @Test("are matched by names, previewed, changed by a formula, and say where a formula is wrong")
    func matching() throws {
        try withDesk { desk throws in
            let batch = try desk.beginBatch()
            let path = "/batches/\(batch)/mapping"
            let fields = try desk.command(.get, path).json["fields"]?.array ?? []
            let child = fields.first { $0["field"] == "child name" }
            #expect(child?["source"] == "{child name}")
            #expect(child?["value"] == "Zoë Ångström")
            let set = try desk.command(
                .post, path, json: ["field": "class", "formula": "upper({class})"])
            #expect(set.status == .ok, "\(set.text)")
            let now = set.json["fields"]?.array?.first { $0["field"] == "class" }
            #expect(now?["value"] == "5A")
            let wrong = try desk.command(.post, path, json: ["field": "class", "formula": "upper({clas})"])
            #expect(wrong.status == .unprocessable)
            #expect(wrong.json["field"] == "formula")
            let picture = try desk.command(.get, "/batches/\(batch)/preview/1?row=2&width=240")
            #expect(picture.status == .ok && picture.mediaType?.essence == "image/jpeg", "\(picture.text)")
        }
    }

    @Test("read numbers and days as the desk writes them, or else the page on which a send-out was begun")
    func beginWithTheDesksLocale() throws {
        try withDesk { desk throws in
            let form = try #require(try desk.addConsentForm()["id"]?.string)
            let ada = desk.browser()
            try ada.becomeOwner()
            func locale(of batch: String) throws -> String? {
                try desk.command(.get, batch).json["draft"]?["options"]?["locale"]?.string
            }
            func begunOnAPage(in language: String) throws -> String? {
                let begun = try ada.submit("/batches", ["template": form], ["Accept-Language": language])
                let address = try #require(begun.headers["Location"], "\(begun.text)")
                return try locale(of: address.split(separator: "/").prefix(2).reduce("") { "\($0)/\($1)" })
            }
            func begunByAProgram(_ options: JSON) throws -> String? {
                let begun = try desk.command(
                    .post, "/batches", json: ["template": .string(form), "options": options])
                return try locale(of: "/batches/\(begun.json["id"]?.string ?? "")")
            }
            #expect(try begunOnAPage(in: "en-US") == "")
            #expect(try begunOnAPage(in: "fr-CA") == "fr-CA")
            #expect(try begunByAProgram([:]) == "")
            _ = try ada.submit("/settings/region", ["language": "es-MX", "timeZone": "America/Mexico_City"])
            #expect(try begunOnAPage(in: "fr-CA") == "es-MX")
            #expect(try begunByAProgram([:]) == "es-MX")
            #expect(try begunByAProgram(["locale": "en-US"]) == "en-US")
        }
    }

    @Test("say once for all what a word of the list means on the form, from the check and back to it")
    func words() throws {
        try withDesk { desk throws in
            let template = try desk.addConsentForm()
            let fields = try desk.command(.get, "/templates/\(template["id"]?.string ?? "")/fields").json[
                "fields"]
            let box = try #require(
                fields?.array?.first { $0["kind"] == "checkBox" }?["name"]?.string, "\(fields?.text ?? "")")
            let list = try desk.addPupils("child name,\(box)\nZoë,perhaps\nBo,ja\nLi,perhaps\n")
            let begun = try desk.command(
                .post, "/batches", json: ["template": template["id"] ?? .null, "list": .string(list)])
            let batch = try #require(begun.json["id"]?.string)
            let path = "/batches/\(batch)/mapping"
            let set = try desk.command(.post, path, json: ["field": .string(box), "column": .string(box)])
            #expect(set.status == .ok, "\(set.text)")
            let words = set.json["words"]?[0]
            #expect(words?["field"] == .string(box))
            #expect(words?["choices"] == ["yes", "no"])
            #expect(
                words?["words"] == [["word": "perhaps", "count": 2, "answer": "?", "decided": false]],
                "\(words?.text ?? "")")

            let planned = try desk.command(.post, "/batches/\(batch)/plan").json["summary"]
            let problem = planned?["problems"]?.array?.first { $0["kind"] == "noSuchChoice" }
            #expect(problem?["packets"] == 2 && problem?["value"] == "perhaps", "\(planned?.text ?? "")")
            let ada = desk.browser()
            try ada.becomeOwner()
            let check = try ada.get("/batches/\(batch)/plan").text
            #expect(check.contains("Say what it means"))
            #expect(check.contains("“perhaps” in “"))
            let page = try ada.get(path + "?part=1&field=\(box.replacing(" ", with: "%20"))&then=plan").text
            #expect(page.contains("Back to the check"))
            desk.hands.advance(.seconds(60))
            let pressed = try ada.submit(path, ["field": box, "word:perhaps": "no", "then": "plan"])
            #expect(pressed.headers["Location"] == "/batches/\(batch)/plan")
            #expect(!(try ada.get("/batches/\(batch)/plan").text.contains("perhaps")))
            let now = try desk.command(.get, path).json
            #expect(
                now["text"]?.string?.contains("]\nperhaps = no\n") == true, "\(now["text"]?.string ?? "")")
            #expect(now["words"]?[0]?["words"]?[0]?["decided"] == true)
            let wrong = try desk.command(
                .post, path, json: ["field": .string(box), "words": ["perhaps": "sometimes"]])
            #expect(wrong.status == .unprocessable && wrong.json["field"] == "words", "\(wrong.text)")
        }
    }

    @Test("are planned, made once, proven, and tell where each value came from")
    func wholeWay() throws {
        try withDesk { desk throws in
            let batch = try desk.beginBatch()
            let planned = try desk.command(.post, "/batches/\(batch)/plan")
            #expect(planned.status == .ok, "\(planned.text)")
            #expect(planned.json["summary"]?["recipients"] == 3)
            let begun = try desk.command(.post, "/batches/\(batch)/filling")
            #expect(begun.status == .accepted, "\(begun.text)")
            desk.quire.runner.runUntilIdle()
            let progress = try desk.command(.get, "/batches/\(batch)/filling").json
            #expect(progress["counts"]?["made"] == 3, "\(progress.text)")
            let packets = try desk.command(.get, "/batches/\(batch)/packets").json["packets"]
            let first = try #require(packets?[0]?["id"]?.string)
            let file = try desk.command(.get, "/packets/\(first)/file")
            #expect(file.mediaType?.essence == "application/pdf")
            let origin = try desk.command(.get, "/packets/\(first)/fields/child%20name").json
            #expect(origin["cells"]?[0]?["column"] == "child name")
            #expect(origin["place"] == 2)
            let receipt = try desk.command(.get, "/packets/\(first)/receipt")
            #expect(receipt.status == .ok)
            let ada = desk.browser()
            try ada.becomeOwner()
            #expect(try ada.get("/packets/\(first)").text.contains("pupils.csv"))
            #expect(try ada.get("/batches").text.contains("Made for 3 people"))
            let listed = try desk.command(.get, "/batches").json["batches"]?[0]
            #expect(listed?["counts"] == ["planned": 0, "held": 0, "left": 0, "made": 3, "failed": 0])
            #expect(try desk.command(.post, "/batches/\(batch)/filling").status == .conflict)
            let export = try desk.command(.get, "/batches/\(batch)/exports?form=folders&receipts=yes")
            #expect(export.mediaType?.essence == "application/zip", "\(export.text)")
            #expect(try desk.command(.get, "/batches/\(batch)/exports?form=shoebox").status == .unprocessable)
        }
    }

    @Test("are made once, however often somebody presses “Make”")
    func pressedTwice() throws {
        try withDesk { desk throws in
            let batch = try desk.beginBatch()
            _ = try desk.command(.post, "/batches/\(batch)/plan")
            let ada = desk.browser()
            try ada.becomeOwner()
            let page = try ada.get("/batches/\(batch)/plan")
            #expect(page.text.contains("Make papers for 3 people"))
            // Twice at once, and once more when all are made.
            for turn in 0..<3 {
                if turn == 2 { desk.quire.runner.runUntilIdle() }
                let pressed = try ada.submit("/batches/\(batch)/approval", [:])
                #expect(pressed.status == .seeOther)
                #expect(pressed.headers["Location"] == "/batches/\(batch)/filling")
            }
            let progress = try desk.command(.get, "/batches/\(batch)/filling").json
            #expect(progress["counts"]?["made"] == 3, "\(progress.text)")
        }
    }

    @Test("are left out one by one, on their page, and taken in again")
    func leavingOut() throws {
        try withDesk { desk throws in
            let batch = try desk.beginBatch()
            _ = try desk.command(.post, "/batches/\(batch)/plan")
            let ada = desk.browser()
            try ada.becomeOwner()
            let packets = try desk.command(.get, "/batches/\(batch)/packets").json["packets"]
            let first = try #require(packets?[0]?["id"]?.string)
            #expect(try ada.get("/packets/\(first)").text.contains("Leave out"))
            let out = try ada.submit("/packets/\(first)", ["_method": "DELETE"])
            #expect(out.status == .seeOther, "\(out.text)")
            #expect(try ada.get("/packets/\(first)").text.contains("This person is left out"))
            _ = try desk.command(.post, "/batches/\(batch)/filling")
            desk.quire.runner.runUntilIdle()
            #expect(try desk.command(.get, "/batches/\(batch)/filling").json["counts"]?["made"] == 2)
            #expect(try ada.get("/batches").text.contains("Made for 2 people"))
            #expect(try ada.submit("/packets/\(first)/restoration", [:]).status == .seeOther)
            #expect(try desk.command(.get, "/packets/\(first)").json["state"] == "planned")
        }
    }

    @Test("are copied in one click, and the copy stands on its own")
    func copying() throws {
        try withDesk { desk throws in
            let batch = try desk.beginBatch()
            let copy = try desk.command(.post, "/batches/\(batch)/copies")
            #expect(copy.status == .created)
            #expect(copy.json["draft"]?["list"]?.string != nil)
            #expect(copy.json["id"]?.string != batch)
        }
    }

    @Test("take another list where the columns are matched; a letter asked for too early leads to the check")
    func otherList() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let template = try desk.addConsentForm()
            let (first, second) = (try desk.addPupils(), try desk.addPupils("child name,Room\nZoë,12\n"))
            let made = try desk.command(
                .post, "/batches", json: ["template": template["id"] ?? .null, "list": .string(first)])
            let batch = "/batches/\(made.json["id"]?.string ?? "")"
            #expect(try ada.get(batch + "/letter").headers["Location"] == batch + "/plan")
            #expect(try ada.get(batch + "/sending").headers["Location"] == batch + "/plan")
            #expect(try ada.get(batch + "/mapping").text.contains("value=\"\(second)\""))
            let next = try ada.submit(
                batch, ["_method": "PATCH", "list": second, "then": "mapping"])
            #expect(next.headers["Location"] == batch + "/mapping")
            #expect(try ada.get(batch + "/mapping").text.contains("data-column=\"Room\""))
            #expect(try ada.get(batch + "/plan").status == .ok)
            #expect(try ada.get(batch + "/letter").status == .ok)
            let empty = try desk.command(.post, "/batches", json: ["template": template["id"] ?? .null])
            let other = "/batches/\(empty.json["id"]?.string ?? "")"
            #expect(try ada.get(other + "/letter").headers["Location"] == other + "/people")
        }
    }

    @Test("lead a person from step to step, and a begun one to where it stands")
    func steps() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let template = try desk.addConsentForm()
            try ada.get("/batches/new")
            let begun = try ada.submit("/batches", ["template": template["id"]?.string ?? ""])
            let people = try #require(begun.headers["Location"])
            #expect(people.hasSuffix("/people"))
            let list = try desk.addPupils()
            let batch = String(people.dropLast("/people".count))
            try ada.get(people)
            let next = try ada.submit(
                batch, ["_method": "PATCH", "list": list, "then": "mapping"])
            #expect(next.headers["Location"] == batch + "/mapping")
            #expect(try ada.get(batch + "/mapping").text.contains("data-entry=\"child name\""))
            #expect(try ada.get(batch + "/plan").text.contains("Zoë Ångström"))
            #expect(try ada.get(batch).headers["Location"] == batch + "/plan")
        }
    }
}

@Suite("What goes into a field")
struct PicksTests {
    @Test(
        "may be what people ask for besides the columns: name, initials, today, the row; only what the list tells"
    )
    func picks() throws {
        try withDesk { desk throws in
            let template = try desk.addConsentForm()
            let ada = desk.browser()
            try ada.becomeOwner()
            func offered(_ table: String) throws -> (page: String, batch: String) {
                let list = try desk.addPupils(table)
                let batch = try desk.command(
                    .post, "/batches", json: ["template": template["id"] ?? .null, "list": .string(list)])
                let id = batch.json["id"]?.string ?? ""
                return (try ada.get("/batches/\(id)/mapping?field=class").text, id)
            }
            let (page, batch) = try offered("First name,Last name,Size\nJan,De Vries,M\n")
            for (formula, example) in [("full_name()", "Jan De Vries"), ("initials()", "JD"), ("row", "1")] {
                let button = page.split(separator: "name=\"formula\" value=\"\(formula)\"").dropFirst().first
                #expect(button?.prefix(200).contains(">\(example)</small>") == true, "\(formula)")
            }
            #expect(page.contains("date_format(today, &quot;mm-dd-yy&quot;)"))
            try ada.submit(
                "/batches/\(batch)/mapping",
                ["part": "1", "row": "1", "field": "class", "formula": "initials()"])
            let again = try ada.get("/batches/\(batch)/mapping?field=class").text
            #expect(again.contains("value=\"initials()\" aria-pressed=\"true\""))
            let (nameless, _) = try offered("Size,Colour\nM,red\n")
            #expect(!nameless.contains("value=\"initials()\"") && nameless.contains("value=\"row\""))
        }
    }
}

@Suite("Who gets papers")
struct ChoosingTests {
    /// Those on the page with their ticks, in their order.
    private func ticked(_ page: String) -> [Bool] {
        page.split(separator: "<input type=\"checkbox\" name=\"people\"").dropFirst().map {
            $0.prefix { $0 != ">" }.contains("checked")
        }
    }

    @Test("is ticked one by one; what is searched for meanwhile changes nothing about the others")
    func choosing() throws {
        try withDesk { desk throws in
            let id = try desk.beginBatch()
            let ada = desk.browser()
            try ada.becomeOwner()
            let path = "/batches/\(id)/whom"
            let list = try #require(try desk.command(.get, "/batches/\(id)").json["draft"]?["list"]?.string)
            let people = try desk.command(.get, "/lists/\(list)/recipients").json["recipients"]?.array ?? []
            let ids = people.compactMap { $0["id"]?.string }
            #expect(try ticked(ada.get(path).text) == ids.map { _ in true })
            // Nobody, and then those of one class, found by words.
            #expect(try ada.submit(path, ["_method": "PATCH", "found": "no"]).status == .seeOther)
            #expect(try ada.get(path).text.contains("0 of \(ids.count) ticked"))
            try ada.submit(path + "?q=class%3D5a", ["_method": "PATCH", "found": "yes"])
            let some =
                try desk.command(.get, "/lists/\(list)/recipients?q=class%3D5a").json["total"]?.int ?? 0
            let page = try ada.get(path)
            #expect(page.text.contains("\(some) of \(ids.count) ticked"))
            #expect(ticked(page.text).count(where: { $0 }) == some && some < ids.count)
            // One of those that a page shows is unticked there; who is not shown stays as he was.
            let chosen = try #require(
                try desk.command(.get, "/batches/\(id)").json["draft"]?["people"]?["only"]?.array?.compactMap(
                    \.string))
            var fields: Fields = ["_method": "PATCH"]
            for shown in chosen.prefix(2) { fields.add("shown", shown) }
            fields.add("people", chosen[0])
            try ada.submit(path, fields)
            let planned = try desk.command(.post, "/batches/\(id)/plan")
            #expect(planned.json["summary"]?["recipients"]?.int == some - 1, "\(planned.text)")
            #expect(
                try ada.get("/batches/\(id)/people").text.contains("\(some - 1) people are ticked")
                    || some == 2)
            // What a plan counted before does not stand for those who are ticked now.
            fields.add("people", chosen[1])
            try ada.submit(path, fields)
            #expect(try ada.get("/batches/\(id)/people").text.contains("\(some) people are ticked"))
            fields = ["_method": "PATCH", "shown": chosen[1]]
            try ada.submit(path, fields)
            // A copy goes to the same; another list is for everybody again.
            let copy = try desk.command(.post, "/batches/\(id)/copies").json
            #expect(copy["draft"]?["people"]?["only"]?.array?.count == some - 1)
            let other = try desk.addPupils()
            let moved = try desk.command(
                .patch, "/batches/\(copy["id"]?.string ?? "")", json: ["list": .string(other)])
            #expect(moved.json["draft"]?["people"] == .null)
        }
    }

    @Test("without some means also whoever joins the list later, and only these means nobody else")
    func joining() throws {
        try withDesk { desk throws in
            let id = try desk.beginBatch()
            let list = try #require(try desk.command(.get, "/batches/\(id)").json["draft"]?["list"]?.string)
            let people = try desk.command(.get, "/lists/\(list)/recipients").json["recipients"]?.array ?? []
            let first = try #require(people.first?["id"])
            func count(_ choice: JSON) throws -> Int {
                let changed = try desk.command(.patch, "/batches/\(id)", json: ["people": choice])
                #expect(changed.status == .ok, "\(changed.text)")
                let planned = try desk.command(.post, "/batches/\(id)/plan")
                #expect(planned.status == .ok, "\(planned.text)")
                return planned.json["summary"]?["recipients"]?.int ?? -1
            }
            #expect(try count(["except": [first]]) == people.count - 1)
            #expect(try count(["only": [first]]) == 1)
            let added = try desk.command(
                .post, "/lists/\(list)/recipients", json: ["cells": ["child name": "New One"]])
            #expect(added.status == .created, "\(added.text)")
            #expect(try count(["only": [first]]) == 1)
            #expect(try count(["except": [first]]) == people.count)
            #expect(try count(.null) == people.count + 1)
            // People of another list have the same numbers there, and are nobody here.
            let other = try desk.addPupils()
            let stranger = try #require(
                try desk.command(.get, "/lists/\(other)/recipients").json["recipients"]?[0]?["id"])
            _ = try desk.command(.patch, "/batches/\(id)", json: ["people": ["only": [stranger]]])
            #expect(try desk.command(.post, "/batches/\(id)/plan").status == .conflict)
            #expect(try count(["except": [stranger]]) == people.count + 1)
            // A list in the trash stands in nobody's way to his other send-outs.
            #expect(try count(["except": [first]]) == people.count)
            #expect(try desk.command(.patch, "/batches/\(id)", json: ["people": .null]).status == .ok)
            #expect(try desk.command(.delete, "/lists/\(list)").status == .ok)
            let ada = desk.browser()
            try ada.becomeOwner()
            #expect(try ada.get("/batches").status == .ok)
            for wrong: JSON in [["some": [first]], ["only": ["x"]], ["only": [], "except": []], "all"] {
                #expect(
                    try desk.command(.patch, "/batches/\(id)", json: ["people": wrong]).status
                        == .unprocessable)
            }
        }
    }
}

@Suite("The record of what was done")
struct PacketJournalTests {
    @Test("has a sentence for everything that is done with forms, people and packets")
    func sentences() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let id = try desk.beginBatch()
            _ = try desk.command(.post, "/batches/\(id)/plan")
            _ = try desk.command(.post, "/batches/\(id)/filling")
            desk.quire.runner.runUntilIdle()
            let list = try #require(try desk.quire.recipients.all(by: .local).first)
            let audience = try desk.quire.recipients.saveAudience(
                "5a", RecipientFilter(search: "5a"), of: list.id, by: .local)
            try desk.quire.recipients.removeAudience(audience.id, by: .local)
            let card =
                "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Grace Hopper\r\nEMAIL:grace@example.org\r\nEND:VCARD\r\n"
            _ = try desk.upload("/contacts?name=a.vcf", Array(card.utf8), "text/vcard")
            let act = try #require(try desk.quire.contacts.acts(by: .local).first)
            try desk.quire.contacts.undo(act.id, by: .local)
            _ = try desk.upload("/contacts?name=a.vcf", Array(card.utf8), "text/vcard")
            let people = try desk.quire.contacts.page(by: .local).contacts.map(\.id)
            try desk.quire.contacts.remove(people, by: .local)
            _ = try desk.upload("/contacts?name=a.vcf", Array(card.utf8), "text/vcard")
            let grace = try #require(try desk.quire.contacts.page(by: .local).contacts.first?.id)
            try desk.quire.contacts.plan(FollowUp(on: "2030-01-01"), of: grace, by: .local)
            try desk.quire.contacts.postpone(grace, by: .week, by: .local)
            try desk.quire.contacts.followedUp(grace, by: .local)
            let page = try ada.get("/activity?view=journal").text
            let verbs = try desk.quire.store.journal.lines(limit: 500).map(\.entry.verb)
            for verb in [
                "batch.filled", "list.audienceSaved", "list.audienceRemoved", "contacts.brought",
                "contacts.removed", "contacts.undone", "contacts.followUpPlanned",
                "contacts.followUpPostponed", "contacts.followedUp",
            ] {
                #expect(verbs.contains(verb), "\(verb)")
            }
            for verb in Set(verbs) { #expect(!page.contains(": \(verb) "), "\(verb)") }
            // Nor by ids, which nobody knows.
            let sentences = page.split(separator: "<strong>").dropFirst()
            for sentence in sentences.map({ $0.prefix { $0 != "·" } }) {
                #expect(!sentence.contains(/[0-9a-f]{8}-[0-9a-f]{4}-/.ignoresCase()), "\(sentence)")
            }
        }
    }
}
