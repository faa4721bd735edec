@testable import Access
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Lists of documents")
struct ListingTests {
    @Test("Names sort as people sort them, sizes and times by their value", arguments: Database.Kind.here)
    func orders(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            for (name, size) in [
                ("scan 10.txt", 3), ("Scan 2.txt", 1), ("äpfel.txt", 2), ("Birnen.txt", 5),
                ("scan 2b.txt", 4),
            ] {
                _ = try documents.addText(name, String(repeating: "\(size)", count: size))
                hand.advance(.seconds(1))
            }
            #expect(
                try documents.names(.init(order: .name, isDescending: false)) == [
                    "Birnen.txt", "Scan 2.txt", "scan 2b.txt", "scan 10.txt", "äpfel.txt",
                ])
            #expect(try documents.names(.init(order: .size)).first == "Birnen.txt")
            #expect(try documents.names(.init(order: .size, isDescending: false)).first == "Scan 2.txt")
            #expect(try documents.names().first == "scan 2b.txt")
            #expect(try documents.names(.init(order: .added, isDescending: false)).first == "scan 10.txt")
        }
    }

    @Test(
        "A filter finds all its words, in any case, and takes no character for more than it is",
        arguments: Database.Kind.here)
    func filter(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            for name in [
                "Mietvertrag Müller 2026.pdf", "Rechnung MÜLLER.pdf", "100% Wolle_neu.txt", "Wolle alt!.txt",
                "it's \"quoted\".txt",
            ] {
                _ = try documents.addText(name)
            }
            func found(_ filter: String) throws -> [String] {
                try documents.names(.init(filter: filter, order: .name, isDescending: false))
            }
            #expect(try found("müller") == ["Mietvertrag Müller 2026.pdf", "Rechnung MÜLLER.pdf"])
            #expect(try found(" 2026  miet ") == ["Mietvertrag Müller 2026.pdf"])
            #expect(try found("%") == ["100% Wolle_neu.txt"])
            #expect(try found("e_n") == ["100% Wolle_neu.txt"])
            #expect(try found("!") == ["Wolle alt!.txt"])
            #expect(try found("' \"") == ["it's \"quoted\".txt"])
            #expect(try found("nothing like it") == [])
            #expect(try documents.list(.init(filter: "wolle", limit: 1), by: viewer).matchCount == 2)
        }
    }

    @Test("Page after page shows every document once, in every order", arguments: Database.Kind.here)
    func pages(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            for n in 0..<23 {
                // Several of one size and one time, so that ties matter.
                _ = try documents.addText("Paper \(n)", String(repeating: "x", count: n / 4) + "\(n % 4)")
                if n % 3 == 0 { hand.advance(.seconds(1)) }
            }
            for order in [Documents.Listing.Order.name, .size, .added] {
                for isDescending in [true, false] {
                    var listing = Documents.Listing(order: order, isDescending: isDescending, limit: 5)
                    let whole = try documents.names(.init(order: order, isDescending: isDescending))
                    var byCursor: [String] = []
                    var byNumber: [String] = []
                    for page in 1...5 {
                        let found = try documents.list(listing, by: viewer)
                        #expect(found.matchCount == 23)
                        byCursor += found.documents.map(\.name)
                        byNumber += try documents.names(
                            .init(order: order, isDescending: isDescending, limit: 5, start: .page(page)))
                        #expect((found.next == nil) == (page == 5))
                        if let next = found.next { listing.start = .after(next) }
                    }
                    #expect(byCursor == whole)
                    #expect(byNumber == whole)
                }
            }
        }
    }

    @Test(
        "A place from another list or from nowhere is refused",
        arguments: ["", "x", "W10", "WyJzaXplIiwiYSIsImIiXQ", "WyJuYW1lIiwxLCJ4Il0"])
    func strangeCursors(text: String) throws {
        try withLibrary { documents, _, _ in
            let failure = #expect(throws: Failure.self) {
                try documents.list(.init(order: .name, start: .after(.init(text))), by: viewer)
            }
            #expect(failure?.code == .invalid)
        }
    }

    @Test("Any page of 12,000 documents comes from an index", arguments: Database.Kind.here)
    func large(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, store in
            let digest = try documents.addText("First").blob.digest
            try store.write { tx in
                for n in 1..<12_000 {
                    try tx.run(
                        """
                        INSERT INTO document (id, name, name_order, name_search, digest, byte_count, media_type,
                            added_at, added_by, added_by_name, changed_at)
                        VALUES (\(tx.newID(of: Document.self)), \("Paper \(n)"), \("paper \(10_000 + n)"), \("paper \(n)"),
                            \(digest), \(n), 'text/plain', \(Int64(n)), 'local', 'Ada', 0)
                        """)
                }
                if tx.kind == .postgres { try tx.run("ANALYZE document") }
            }
            let explain = kind == .sqlite ? "EXPLAIN QUERY PLAN" : "EXPLAIN"
            for column in ["name_order", "byte_count", "added_at"] {
                let plan = try store.read { desk in
                    try desk.rows(
                        """
                        \(raw: explain) SELECT * FROM document WHERE trashed_at IS NULL
                        AND (\(raw: column), id) < (\(SQLValue.null), 'x')
                        ORDER BY \(raw: column) DESC, id DESC LIMIT 51 OFFSET 0
                        """
                    ).map { "\($0.values)" }.joined()
                }
                #expect(plan.contains("document_by_"), "\(plan)")
                #expect(!plan.contains("Sort") && !plan.contains("TEMP B-TREE"), "\(plan)")
            }
            // The last pages as well, which are counted off along the index and never put in order.
            let far = try store.read { desk in
                try desk.rows(
                    """
                    \(raw: explain) SELECT * FROM document WHERE trashed_at IS NULL
                    ORDER BY byte_count, id LIMIT 50 OFFSET 11950
                    """
                ).map { "\($0.values)" }.joined()
            }
            #expect(
                far.contains("document_by_") && !far.contains("Sort") && !far.contains("TEMP B-TREE"),
                "\(far)")
            let last = try documents.list(
                .init(order: .size, isDescending: false, start: .page(240)), by: viewer)
            #expect(last.documents.count == 50)
            #expect(last.matchCount == 12_000)
        }
    }
}
