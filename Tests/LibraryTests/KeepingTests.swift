import Access
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Papers that have to stay")
struct KeepingTests {
    @Test(
        "What is held stays, whoever and whatever wants it gone, until an owner lifts it",
        arguments: Database.Kind.here)
    func hold(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            let folder = try documents.makeFolder(named: "Case", by: ada)
            let letter = try documents.addText("letter.txt")
            try documents.file([letter.id], as: .init(folder: .some(folder.id)), by: ada)
            try documents.hold([letter.id], because: "case 17", by: editor)
            #expect(try documents.get(letter.id, by: viewer).hold == "case 17")
            #expect(throws: Failure.self) { try documents.trash(letter.id, by: ada) }
            #expect(throws: Failure.self) { try documents.trashFolder(folder.id, by: ada) }
            #expect(throws: Failure.self) { try documents.revise(letter.id, with: .bytes([0x41]), by: ada) }
            #expect(throws: Failure.self) { try documents.release([letter.id], by: editor) }
            #expect(throws: Failure.self) { try documents.hold([letter.id], because: " ", by: editor) }
            // It can still be filed and labelled.
            try documents.file([letter.id], as: .init(addedTags: ["case 17"]), by: editor)
            try documents.release([letter.id], by: ada)
            try documents.trash(letter.id, by: ada)
            hand.advance(.seconds(31 * 86_400))
            #expect(try documents.purgeTrash() == 1)
        }
    }

    @Test(
        "A rule keeps papers for its time from their day, and then lets them go or puts them into the trash",
        arguments: Database.Kind.here)
    func rules(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, store in
            let year = Int(store.clock.now().iso8601.prefix(4)) ?? 0
            let old = try documents.addText("old.txt")
            let new = try documents.addText("new.txt")
            let other = try documents.addText("other.txt")
            try documents.file(
                [old.id], as: .init(addedTags: ["Tax"], date: "\(year - 11)-01-31"), by: ada)
            try documents.file([new.id], as: .init(addedTags: ["tax"]), by: ada)
            let rule = try documents.addRetentionRule(named: "Taxes", tag: "tax", months: 120, by: ada)
            #expect(try documents.keeping(of: old.id, by: viewer).until == "\(year - 1)-01-31")
            #expect(try documents.keeping(of: new.id, by: viewer).ruleName == "Taxes")
            #expect(throws: Failure.self) { try documents.trash(new.id, by: ada) }
            try documents.trash(other.id, by: ada)
            try documents.trash(old.id, by: ada)
            try documents.restore(old.id, by: ada)
            #expect(try documents.endRetention() == 0)
            // The stricter of two rules counts.
            try documents.addRetentionRule(named: "Tidy", tag: "tax", months: 12, trashesAfter: true, by: ada)
            hand.advance(.seconds(2 * 366 * 86_400))
            #expect(try documents.endRetention() == 1)
            #expect(try documents.get(old.id, by: ada).isTrashed)
            #expect(try !documents.get(new.id, by: ada).isTrashed)
            try documents.removeRetentionRule(rule.id, by: ada)
            #expect(try documents.endRetention() == 1)
            #expect(try documents.get(new.id, by: ada).isTrashed)
        }
    }

    @Test("Only owners say how long papers stay, and each rule says which")
    func refused() throws {
        try withLibrary { documents, _, _ in
            #expect(throws: Failure.self) {
                try documents.addRetentionRule(named: "a", tag: "tax", months: 12, by: editor)
            }
            #expect(throws: Failure.self) { try documents.addRetentionRule(named: "a", months: 12, by: ada) }
            #expect(throws: Failure.self) {
                try documents.addRetentionRule(named: "a", tag: "tax", months: 0, by: ada)
            }
        }
    }
}
