import Access
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Meant and alike")
struct LikenessTests {
    @Test(
        "Words the papers do not have lead to those that were probably meant", arguments: Database.Kind.here)
    func meant(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            _ = try documents.addText(
                "a.txt", "The lease of the apartment in Zürich, a kitchen and four rooms")
            _ = try documents.addText("b.txt", "kitchens")
            try documents.read()
            func meant(_ words: String) throws -> String? { try documents.find(words, by: viewer).meant }
            #expect(try meant("appartment") == "apartment")
            #expect(try meant("kitchne lease") == "kitchen lease")
            #expect(try meant("\"faur rooms\" in:nowhere") == nil)
            #expect(try meant("\"faur rooms\"") == "\"four rooms\"")
            // The first two letters swapped, and accents as people leave them out.
            #expect(try meant("ucrich type:text") == nil)
            #expect(try meant("uzrich") == "zurich")
            // What is found is what was meant; what is like nothing means nothing.
            #expect(try meant("kitchen") == nil)
            #expect(try meant("xylophone") == nil)
            #expect(try meant("ab") == nil)
        }
    }

    @Test(
        "Papers about the same things are found by the words they share and others do not use",
        arguments: Database.Kind.here)
    func alike(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let lease = try documents.addText(
                "lease.txt", "Lease of the apartment: landlord Meier, deposit, heating costs, balcony")
            let letter = try documents.addText(
                "letter.txt", "The landlord asks for the deposit of the apartment again")
            _ = try documents.addText("recipe.txt", "Flour, butter, sugar and the oven of the apartment")
            let gone = try documents.addText("gone.txt", "landlord deposit heating balcony")
            try documents.trash(gone.id, by: ada)
            try documents.read()
            let found = try documents.alike(lease.id, by: viewer)
            #expect(found.map(\.document.id) == [letter.id])
            let shared = Set(found.first?.words ?? [])
            #expect(shared.isSuperset(of: ["landlord", "deposit"]))
            let alone = try documents.addText("alone.txt", "zebra")
            try documents.read()
            #expect(try documents.alike(alone.id, by: viewer).isEmpty)
        }
    }

    @Test("What happened to a paper is told to all who may see it", arguments: Database.Kind.here)
    func activity(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, store in
            let journal = Gate(store).journal
            let letter = try documents.addText("letter.txt")
            _ = try documents.addText("other.txt")
            hand.advance(.seconds(60))
            try documents.rename(letter.id, to: "Letter to Ben.txt", by: editor)
            _ = try Gate(store).shareLinks.make(letter.subject, by: editor)
            let page = try journal.page(of: letter.subject, limit: 2, by: viewer)
            #expect(page.lines.map(\.verb) == ["share.made", "document.renamed"])
            let rest = try journal.page(of: letter.subject, before: page.before, by: viewer)
            #expect(rest.lines.map(\.verb) == ["document.added"] && rest.before == nil)
        }
    }
}
