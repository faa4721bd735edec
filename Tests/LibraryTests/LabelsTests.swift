import Access
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Fields and people")
struct LabelsTests {
    @Test(
        "Fields hold texts, numbers and days, are wiped off, and are found by what they say",
        arguments: Database.Kind.here)
    func fields(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            try documents.addField(named: "Amount", .number, by: editor)
            try documents.addField(named: "Due", .date, by: editor)
            let reference = try documents.addField(named: "Référence", .text, by: editor)
            func write(_ name: String, _ values: [(String, String)]) throws -> Document {
                let paper = try documents.addText(name)
                let values = values.map { PaperValue(field: $0.0, value: $0.1) }
                return try documents.file([paper.id], as: .init(values: values), by: editor)[0]
            }
            let small = try write(
                "small.txt", [("amount", "12,50"), ("due", "2026-03-01"), ("reference", "AB 7/9")])
            #expect(
                small.values == [
                    PaperValue(field: "Amount", value: "12.50"),
                    PaperValue(field: "Due", value: "2026-03-01"),
                    PaperValue(field: "Référence", value: "AB 7/9"),
                ])
            _ = try write("large.txt", [("amount", "1,234.50")])
            _ = try write("back.txt", [("amount", "-3"), ("due", "2026-12-31")])
            #expect(try documents.found("amount>12") == ["large.txt", "small.txt"])
            #expect(try documents.found("amount<0") == ["back.txt"])
            #expect(try documents.found("amount:1234.5") == ["large.txt"])
            #expect(try documents.found("due>2026-06-01") == ["back.txt"])
            #expect(try documents.found("référence:\"ab 7\"") == ["small.txt"])
            // What is written on a paper is a word of it.
            #expect(try documents.found("AB 7") == ["small.txt"])
            // A field nobody made is a word like any other.
            #expect(try documents.found("colour:red") == [])
            #expect(throws: Failure.self) { _ = try write("bad.txt", [("amount", "much")]) }
            #expect(throws: Failure.self) { _ = try write("bad.txt", [("due", "soon")]) }
            #expect(throws: Failure.self) { _ = try write("bad.txt", [("colour", "red")]) }
            let wiped = try documents.file(
                [small.id], as: .init(values: [PaperValue(field: "Due", value: " ")]), by: editor)
            #expect(wiped[0].values.map(\.field) == ["Amount", "Référence"])
            try documents.renameField(reference.id, to: "Our mark", by: editor)
            #expect(try documents.get(small.id, by: viewer).values.last?.field == "Our mark")
            try documents.removeField(reference.id, by: editor)
            #expect(try documents.get(small.id, by: viewer).values.map(\.field) == ["Amount"])
            #expect(try documents.fields(by: viewer).map(\.name) == ["Amount", "Due"])
        }
    }

    @Test("A field's name is its own, and none that the search needs for itself")
    func names() throws {
        try withLibrary { documents, _, _ in
            try documents.addField(named: "Amount", .number, by: ada)
            for name in ["AMOUNT", "pages", "tag", " "] {
                #expect(throws: Failure.self) { try documents.addField(named: name, .text, by: ada) }
            }
            #expect(throws: Failure.self) { try documents.addField(named: "x", .text, by: viewer) }
            #expect(try documents.addField(named: "To: whom", .text, by: ada).name == "To whom")
        }
    }

    @Test("Papers know whom they have to do with, and are found by them", arguments: Database.Kind.here)
    func people(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let lease = try documents.addText("lease.txt")
            _ = try documents.addText("Jörg’s list.txt")
            let ben = PaperPerson(name: "Ben Meier", contact: "018f")
            let done = try documents.file(
                [lease.id], as: .init(people: [PaperPerson(name: "Jörg Ångström"), ben, ben]), by: editor)
            #expect(done[0].people == [ben, PaperPerson(name: "Jörg Ångström")])
            #expect(try documents.found("person:angstrom") == ["lease.txt"])
            #expect(try documents.found("person:\"ben meier\"") == ["lease.txt"])
            #expect(Set(try documents.found("jorg")) == ["lease.txt", "Jörg’s list.txt"])
            #expect(try documents.papers(ofContact: "018f", by: viewer).map(\.name) == ["lease.txt"])
            #expect(try documents.file([lease.id], as: .init(people: []), by: editor)[0].people == [])
            #expect(try documents.found("person:ben") == [])
        }
    }

    @Test(
        "Lists are sorted by the day papers are from and by their pages, page by page",
        arguments: Database.Kind.here)
    func orders(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            for (name, day) in [("a.txt", "2026-03-01"), ("b.txt", ""), ("c.txt", "2025-12-31")] {
                let paper = try documents.addText(name)
                try documents.file([paper.id], as: .init(date: day), by: ada)
            }
            #expect(try documents.names(.init(order: .date)) == ["a.txt", "c.txt", "b.txt"])
            var listing = Documents.Listing(order: .date, isDescending: false, limit: 2)
            let first = try documents.list(listing, by: ada)
            listing.start = .after(try #require(first.next))
            #expect(first.documents.map(\.name) == ["b.txt", "c.txt"])
            #expect(try documents.names(listing) == ["a.txt"])
            #expect(try documents.names(.init(order: .pages)).count == 3)
            #expect(try documents.find("text", sortedBy: .name, by: ada).finds.count == 0)
            try documents.read()
            #expect(
                try documents.find("text", sortedBy: .name, by: ada).finds.map(\.document.name)
                    == ["a.txt", "b.txt", "c.txt"])
        }
    }
}
