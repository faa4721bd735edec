import Access
import People
import SQL
import Storage
import Tables
import TestSupport
import Testing
import Work

@Suite("Looking through a list")
struct ReadingTests {
    private func names(
        _ recipients: Recipients, _ list: ID<RecipientList>, _ listing: Recipients.Listing
    ) throws -> [String] {
        try recipients.page(list, listing, by: viewer).recipients.map { $0.cells[1].shown }
    }

    @Test(
        "What is looked for again is what the list has now, also after changes and when they are taken back",
        arguments: Database.Kind.here)
    func fresh(kind: Database.Kind) throws {
        try withRecipients(kind) { recipients, _ in
            let list = try recipients.make("4b", by: ada)
            try recipients.bring("id,name\n1,Ana Miller\n2,Bo Li\n3,Cem Miller\n", into: list.id)
            let search = Recipients.Listing(
                RecipientFilter(search: "miller"), sort: "name", isDescending: true)
            #expect(try names(recipients, list.id, search) == ["Cem Miller", "Ana Miller"])
            #expect(try names(recipients, list.id, search) == ["Cem Miller", "Ana Miller"])
            #expect(try recipients.count(list.id, search.filter, by: viewer) == 2)

            let bo = try recipients.page(list.id, .init(RecipientFilter(search: "bo")), by: ada).recipients[0]
            let changed = try recipients.change(bo.id, column: "name", to: "Bo Miller", by: ada)
            #expect(try names(recipients, list.id, search) == ["Cem Miller", "Bo Miller", "Ana Miller"])
            #expect(try recipients.count(list.id, search.filter, by: viewer) == 3)

            try recipients.undo(list.id, edition: changed.edition, by: ada)
            #expect(try names(recipients, list.id, search) == ["Cem Miller", "Ana Miller"])
            #expect(try recipients.count(list.id, search.filter, by: viewer) == 2)

            // The number of a change that was taken back is not given to another one.
            let again = try recipients.change(bo.id, column: "name", to: "Bo Stone", by: ada)
            #expect(again.edition > changed.edition)
            #expect(try recipients.count(list.id, search.filter, by: viewer) == 2)
        }
    }

    @Test("Every page of a sorted search has its part of it, and none is there twice")
    func pages() throws {
        try withRecipients { recipients, _ in
            let list = try recipients.make("Many", by: ada)
            var text = "id,name\n"
            for id in 1...1500 { text += "\(id),\(id % 2 == 0 ? "Even" : "Odd") \(id)\n" }
            try recipients.bring(text, into: list.id)
            var found: [String] = []
            for page in 0..<8 {
                found += try names(
                    recipients, list.id,
                    .init(RecipientFilter(search: "odd"), sort: "name", offset: page * 100, limit: 100))
            }
            #expect(found == (1...1500).filter { $0 % 2 == 1 }.map { "Odd \($0)" })
        }
    }

    @Test(
        "What is typed holds words and conditions on columns",
        arguments: [
            ("miller", "miller", []), ("class=5b miller", "miller", [.init("Class", .is, "5b")]),
            ("\"first name\":jo", "", [.init("First name", .contains, "jo")]),
            ("firstname!=Jo", "", [.init("First name", .isNot, "Jo")]),
            ("class=\"5 b\" age>12", "", [.init("Class", .is, "5 b"), .init("Age", .isAbove, "12")]),
            ("age<7", "", [.init("Age", .isBelow, "7")]), ("class=", "", [.init("Class", .isEmpty)]),
            ("class!=", "", [.init("Class", .isFilled)]), ("class=?", "", [.init("Class", .isNoAddress)]),
            ("town:rome http://a.example/?b=c", "town:rome http://a.example/?b=c", []),
            ("so! \"new york", "so! new york", []), ("  ", "", []),
        ] as [(String, String, [RecipientFilter.Condition])])
    func typed(_ text: String, _ search: String, _ conditions: [RecipientFilter.Condition]) {
        let columns = ["First name", "Class", "Age"].map { RecipientColumn(name: $0) }
        let filter = RecipientFilter(typed: text, in: columns)
        #expect(filter.search == search)
        #expect(filter.conditions == conditions)
        let again = conditions.map { RecipientFilter.typed($0.column, $0.relation, $0.value) }
        #expect(
            RecipientFilter(typed: again.joined(separator: " "), in: columns).conditions == conditions)
    }
}
