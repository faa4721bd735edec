import Access
import Bytes
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Filing papers")
struct FilingTests {
    @Test(
        "Folders lie in each other, sorted as people sort, with the count of their papers",
        arguments: Database.Kind.here)
    func tree(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let taxes = try documents.makeFolder(named: "Taxes", by: ada)
            let year10 = try documents.makeFolder(named: "Year 10", in: taxes.id, by: ada)
            let year9 = try documents.makeFolder(path: "taxes/Year 9", by: ada)
            try documents.makeFolder(path: "Bills", by: ada)
            let letter = try documents.addText("letter.txt")
            let other = try documents.addText("other.txt")
            try documents.file([letter.id], as: .init(folder: .some(year9.id)), by: editor)
            try documents.file([other.id], as: .init(folder: .some(taxes.id)), by: editor)
            let tree = try documents.folders(by: viewer)
            #expect(tree.nodes.map(\.path) == ["Bills", "Taxes", "Taxes/Year 9", "Taxes/Year 10"])
            #expect(tree.nodes.map(\.paperCount) == [0, 1, 1, 0])
            #expect(tree.nodes.map(\.totalCount) == [0, 2, 1, 0])
            #expect(tree.way(to: year10.id).map(\.folder.name) == ["Taxes", "Year 10"])
            #expect(tree.find(path: "/TAXES/year 9/")?.folder.id == year9.id)
            #expect(try documents.names(.init(folder: .some(year9.id))) == ["letter.txt"])
            #expect(try documents.names(.init(folder: .some(nil))) == [])
            #expect(Set(try documents.names()) == ["letter.txt", "other.txt"])
        }
    }

    @Test(
        "Two folders of one name do not lie beside each other, and none lies in itself",
        arguments: Database.Kind.here)
    func places(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let a = try documents.makeFolder(named: "A", by: ada)
            let b = try documents.makeFolder(named: "B", in: a.id, by: ada)
            #expect(throws: Failure.self) { try documents.makeFolder(named: "a", by: ada) }
            #expect(throws: Failure.self) { try documents.makeFolder(named: " .. ", by: ada) }
            #expect(throws: Failure.self) { try documents.changeFolder(a.id, parent: .some(b.id), by: ada) }
            #expect(throws: Failure.self) { try documents.changeFolder(a.id, parent: .some(a.id), by: ada) }
            #expect(throws: Failure.self) { try documents.makeFolder(named: "C", by: viewer) }
            try documents.changeFolder(b.id, name: "Bee", parent: .some(nil), by: ada)
            #expect(try documents.folders(by: ada).nodes.map(\.path) == ["A", "Bee"])
            var deep = a
            for number in 1..<20 { deep = try documents.makeFolder(named: "\(number)", in: deep.id, by: ada) }
            #expect(throws: Failure.self) { try documents.makeFolder(named: "20", in: deep.id, by: ada) }
            // A tall pile does not become taller by being moved onto another.
            #expect(throws: Failure.self) { try documents.changeFolder(a.id, parent: .some(b.id), by: ada) }
        }
    }

    @Test(
        "A folder goes into the trash and comes back with all that lay in it", arguments: Database.Kind.here)
    func trash(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            let taxes = try documents.makeFolder(named: "Taxes", by: ada)
            let year = try documents.makeFolder(named: "2026", in: taxes.id, by: ada)
            let early = try documents.addText("early.txt")
            let letter = try documents.addText("letter.txt")
            try documents.file([early.id, letter.id], as: .init(folder: .some(year.id)), by: ada)
            try documents.trash(early.id, by: ada)
            hand.advance(.seconds(60))
            let gone = try documents.trashFolder(taxes.id, by: ada)
            #expect(gone.folders == 2 && gone.papers == 1)
            #expect(try documents.folders(by: ada).nodes.isEmpty)
            #expect(try documents.names(.init(isTrash: true)).count == 2)
            // Its place is taken meanwhile.
            try documents.makeFolder(named: "Taxes", by: ada)
            try documents.restoreFolder(taxes.id, by: ada)
            #expect(
                try documents.folders(by: ada).nodes.map(\.path) == ["Taxes", "Taxes (2)", "Taxes (2)/2026"])
            #expect(try documents.names(.init(folder: .some(year.id))) == ["letter.txt"])
            // What was thrown away before lies in the trash still.
            #expect(try documents.names(.init(isTrash: true)) == ["early.txt"])
        }
    }

    @Test(
        "A paper whose folder is gone comes back onto the desk itself; empty folders are forgotten",
        arguments: Database.Kind.here)
    func orphan(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, store in
            let taxes = try documents.makeFolder(named: "Taxes", by: ada)
            let letter = try documents.addText("letter.txt")
            try documents.file([letter.id], as: .init(folder: .some(taxes.id)), by: ada)
            try documents.trashFolder(taxes.id, by: ada)
            #expect(try documents.restore(letter.id, by: ada).folder == nil)
            try documents.trash(letter.id, by: ada)
            hand.advance(.seconds(31 * 86_400))
            #expect(try documents.purgeTrash() == 1)
            #expect(try store.read { try $0.row("SELECT count(*) AS n FROM folder")?.int("n") } == 0)
        }
    }

    @Test(
        "Tags are put on and taken off many papers at once, and found whatever their case",
        arguments: Database.Kind.here)
    func tags(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let one = try documents.addText("one.txt")
            let two = try documents.addText("two.txt")
            try documents.file([one.id, two.id], as: .init(addedTags: ["Impôts", "open bills"]), by: editor)
            try documents.file(
                [two.id], as: .init(addedTags: ["IMPOTS"], removedTags: ["Open Bills"]), by: editor)
            #expect(try documents.get(one.id, by: viewer).tags == ["Impôts", "open bills"])
            #expect(try documents.get(two.id, by: viewer).tags == ["Impôts"])
            #expect(
                try documents.tags(by: viewer).map { "\($0.name) \($0.paperCount)" } == [
                    "Impôts 2", "open bills 1",
                ])
            #expect(try documents.names(.init(tag: "impots")).count == 2)
            #expect(try documents.found("tag:impots") == ["two.txt", "one.txt"])
            #expect(try documents.found("tag:\"open bills\"") == ["one.txt"])
            // The word on a tag is a word of the paper.
            #expect(try documents.found("bills") == ["one.txt"])
            #expect(throws: Failure.self) {
                try documents.file([one.id], as: .init(addedTags: [" / "]), by: viewer)
            }
        }
    }

    @Test("A tag that gets the name of another becomes one with it", arguments: Database.Kind.here)
    func mergedTags(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let one = try documents.addText("one.txt")
            let two = try documents.addText("two.txt")
            try documents.file([one.id], as: .init(addedTags: ["bill", "Invoice"]), by: ada)
            try documents.file([two.id], as: .init(addedTags: ["bill"]), by: ada)
            let bill = try #require(try documents.tags(by: ada).first)
            let merged = try documents.changeTag(bill.id, ["name": "invoice"], by: ada)
            #expect(merged.name == "Invoice" && merged.paperCount == 2)
            #expect(try documents.get(two.id, by: ada).tags == ["Invoice"])
            #expect(try documents.found("bill") == [])
            try documents.removeTag(merged.id, by: ada)
            #expect(try documents.get(one.id, by: ada).tags == [])
            #expect(try documents.tags(by: ada).isEmpty)
        }
    }

    @Test("A tag has a colour, which stays where only its name changes", arguments: Database.Kind.here)
    func colours(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let one = try documents.addText("one.txt")
            try documents.file([one.id], as: .init(addedTags: ["bill", "letter"]), by: ada)
            let bill = try #require(try documents.tags(by: ada).first)
            #expect(bill.colour == .none)
            #expect(try documents.tagColours() == [:])
            #expect(try documents.changeTag(bill.id, ["colour": "red"], by: ada).paperCount == 1)
            #expect(try documents.changeTag(bill.id, ["name": "invoice"], by: ada).colour == .red)
            #expect(try documents.tagColours() == ["invoice": .red])
            #expect(
                throws: Failure(
                    .invalid,
                    "“colour” is one of: none, red, orange, yellow, green, teal, blue, purple, pink.",
                    field: "colour")
            ) { try documents.changeTag(bill.id, ["name": "x", "colour": "plaid"], by: ada) }
            // The tag that another becomes keeps its own colour.
            let letter = try #require(try documents.tags(by: ada).last)
            try documents.changeTag(letter.id, ["colour": "blue"], by: ada)
            #expect(try documents.changeTag(letter.id, ["name": "Invoice"], by: ada).colour == .red)
            #expect(try documents.tags(by: ada).map(\.name) == ["invoice"])
        }
    }

    @Test(
        "Notes and days are kept, notes are found, and what is no day is refused",
        arguments: Database.Kind.here)
    func labels(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let one = try documents.addText("one.txt")
            try documents.file([one.id], as: .init(note: "From the notary", date: "2026-11-21"), by: ada)
            let read = try documents.get(one.id, by: ada)
            #expect(read.note == "From the notary" && read.date == "2026-11-21")
            #expect(try documents.found("notary") == ["one.txt"])
            try documents.rename(one.id, to: "deed.txt", by: ada)
            try documents.read()
            #expect(try documents.found("notary deed") == ["deed.txt"])
            #expect(throws: Failure.self) {
                try documents.file([one.id], as: .init(date: "21.11.2026"), by: ada)
            }
        }
    }

    @Test("Either all papers are filed or none", arguments: Database.Kind.here)
    func together(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let taxes = try documents.makeFolder(named: "Taxes", by: ada)
            let one = try documents.addText("one.txt")
            let gone = try documents.addText("gone.txt")
            try documents.trash(gone.id, by: ada)
            #expect(throws: Failure.self) {
                try documents.file(
                    [one.id, gone.id], as: .init(folder: .some(taxes.id), addedTags: ["x"]), by: ada)
            }
            let left = try documents.get(one.id, by: ada)
            #expect(left.folder == nil && left.tags == [])
        }
    }

    @Test("Papers are found by the folder they lie in, however deep", arguments: Database.Kind.here)
    func foundByFolder(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let year = try documents.makeFolder(path: "Taxes/2026", by: ada)
            let letter = try documents.addText("letter.txt")
            _ = try documents.addText("other.txt")
            try documents.file([letter.id], as: .init(folder: .some(year.id)), by: ada)
            #expect(try documents.found("folder:taxes") == ["letter.txt"])
            #expect(try documents.found("in:Taxes/2026 letter") == ["letter.txt"])
            #expect(try documents.found("folder:nowhere") == [])
        }
    }

    @Test("A search is kept under a name, and saving it again changes it", arguments: Database.Kind.here)
    func searches(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            try documents.saveSearch("tag:bill  before:2026-01-01", as: "Old bills", by: editor)
            let saved = try documents.saveSearch("tag:bill", as: "old bills", by: editor)
            #expect(try documents.savedSearches(by: viewer).map(\.words) == ["tag:bill"])
            #expect(throws: Failure.self) { try documents.saveSearch(" ", as: "Nothing", by: editor) }
            try documents.removeSearch(saved.id, by: editor)
            #expect(try documents.savedSearches(by: viewer).isEmpty)
        }
    }
}
