import Access
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Rules of filing")
struct RulesTests {
    @Test(
        "A rule suggests, before and after; taken it is done, taken back it is as it was",
        arguments: Database.Kind.here)
    func suggestions(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let bills = try documents.makeFolder(named: "Bills", by: ada)
            try documents.setRule(
                named: "Power bills", .init(name: "scan*.txt", words: "\"invoice number\" -draft"),
                .init(folder: bills.id, tags: ["bill"], title: "{date} {line}"), by: editor)
            let bill = try documents.addText("Scan 17.txt", "City Power\nInvoice number 7 of 03.11.2026")
            _ = try documents.addText("Scan 18.txt", "City Power\nInvoice number 8, a draft")
            _ = try documents.addText("Letter.txt", "Invoice number 9")
            try documents.read()
            // Nothing happens unasked.
            #expect(try documents.get(bill.id, by: viewer) == bill)
            let open = try documents.suggestions(by: viewer)
            #expect(open.map(\.document.id) == [bill.id])
            let one = try #require(open.first?.suggestion)
            #expect(one.title == "2026-11-03 City Power.txt" && one.titleBefore == "Scan 17.txt")
            #expect(one.folder == bills.id && one.folderBefore == nil && one.tags == ["bill"])
            let done = try documents.take([one.id], by: editor)
            #expect(done.map(\.name) == ["2026-11-03 City Power.txt"])
            #expect(done.first?.folder == bills.id && done.first?.tags == ["bill"])
            #expect(throws: Failure.self) { try documents.take([one.id], by: editor) }
            let back = try documents.undo([one.id], by: editor)
            #expect(back.first?.name == "Scan 17.txt" && back.first?.folder == nil && back.first?.tags == [])
            #expect(throws: Failure.self) { try documents.undo([one.id], by: editor) }
            // What was decided is not suggested again, however often the paper is read.
            #expect(try documents.suggestions(by: viewer).isEmpty)
        }
    }

    @Test("What somebody changed since stays when a suggestion is taken back")
    func careful() throws {
        try withLibrary { documents, _, _ in
            let bills = try documents.makeFolder(named: "Bills", by: ada)
            let mine = try documents.makeFolder(named: "Mine", by: ada)
            try documents.setRule(
                named: "r", .init(words: "invoice"), .init(folder: bills.id, title: "Invoice"), by: ada)
            let bill = try documents.addText("a.txt", "invoice")
            try documents.read()
            let one = try #require(try documents.suggestions(by: ada).first?.suggestion)
            try documents.take([one.id], by: ada)
            try documents.file([bill.id], as: .init(folder: .some(mine.id)), by: ada)
            try documents.rename(bill.id, to: "By hand.txt", by: ada)
            let back = try documents.undo([one.id], by: ada)
            #expect(back.first?.folder == mine.id && back.first?.name == "By hand.txt")
        }
    }

    @Test(
        "A rule that acts at once says so, and is taken back in the same way", arguments: Database.Kind.here)
    func atOnce(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, store in
            let inbox = try documents.makeFolder(path: "In/Scanner", by: ada)
            let top = try #require(inbox.parent)
            try documents.setRule(
                named: "Scanner", .init(folder: top), .init(tags: ["scan"]), actsAtOnce: true, by: ada)
            let old = try documents.addText("old.txt")
            let scan = try documents.add(.bytes([0x41]), named: "scan.txt", into: inbox.id, by: ada).document
            try documents.read()
            #expect(try documents.get(scan.id, by: ada).tags == ["scan"])
            #expect(try documents.get(old.id, by: ada).tags == [])
            let done = try documents.suggestions(.taken, by: viewer)
            #expect(done.map(\.suggestion.ruleName) == ["Scanner"])
            let line = try Gate(store).journal.page(of: scan.subject, limit: 1, by: viewer).lines.first
            #expect(line?.verb == "document.labelled" && line?.actorName == "a rule")
            _ = try documents.undo(done.map(\.suggestion.id), by: ada)
            #expect(try documents.get(scan.id, by: ada).tags == [])
        }
    }

    @Test("Papers that came before are looked at when asked, and only suggested for")
    func before() throws {
        try withLibrary { documents, _, _ in
            for number in 1...3 { _ = try documents.addText("bill \(number).txt", "bill \(number)") }
            try documents.read()
            let rule = try documents.setRule(
                named: "Bills", .init(name: "bill ?.txt"), .init(tags: ["bill"]), actsAtOnce: true, by: ada)
            #expect(try documents.applyRule(rule.id, by: ada) == 3)
            #expect(try documents.openSuggestionCount(by: viewer) == 3)
            #expect(try documents.names(.init(tag: "bill")).isEmpty)
            let open = try documents.suggestions(by: ada).map(\.suggestion.id)
            try documents.leave(Array(open.prefix(1)), by: ada)
            try documents.take(Array(open.dropFirst()), by: ada)
            #expect(try documents.names(.init(tag: "bill")).count == 2)
            #expect(try documents.applyRule(rule.id, by: ada) == 0)
            try documents.removeRule(rule.id, by: ada)
            #expect(try documents.rules(by: viewer).isEmpty)
        }
    }

    @Test("A rule without conditions, without an outcome, or with what it cannot look at is refused")
    func refused() throws {
        try withLibrary { documents, _, _ in
            #expect(throws: Failure.self) {
                try documents.setRule(named: "all", .init(), .init(tags: ["x"]), by: ada)
            }
            #expect(throws: Failure.self) {
                try documents.setRule(named: "nothing", .init(words: "x"), .init(), by: ada)
            }
            #expect(throws: Failure.self) {
                try documents.setRule(named: "f", .init(words: "folder:x"), .init(tags: ["x"]), by: ada)
            }
            #expect(throws: Failure.self) {
                try documents.setRule(named: "v", .init(words: "x"), .init(tags: ["x"]), by: viewer)
            }
        }
    }

    @Test(
        "A rule can ask who sent a mail: it means the mail and all that came with it",
        arguments: Database.Kind.here)
    func senders(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            func mail(_ from: String, _ name: String) throws -> [Document] {
                let text = """
                    From: \(from)\r
                    Subject: News\r
                    Content-Type: multipart/mixed; boundary=b\r
                    \r
                    --b\r
                    Content-Type: text/plain\r
                    \r
                    Hello\r
                    --b\r
                    Content-Disposition: attachment; filename=\(name).txt\r
                    \r
                    in \(name)\r
                    --b--\r

                    """
                return try documents.unpack(.bytes(Array(text.utf8)), named: "\(name).eml", by: ada).papers
                    .map(
                        \.document)
            }
            let bank = try documents.makeFolder(named: "Bank", by: ada)
            try documents.setRule(
                named: "Bank", .init(sender: "*@bank.example"), .init(folder: bank.id), by: ada)
            try documents.setRule(named: "Ben", .init(sender: "ben meier"), .init(tags: ["ben"]), by: ada)
            let statement = try mail("The Bank <post@bank.example>", "statement")
            let letter = try mail("Ben Meier <ben@example.org>", "letter")
            // Whoever only says in the words that it is the bank is not the bank.
            _ = try mail("post@bank.example.evil.example", "trap")
            _ = try documents.addText("note.txt", "post@bank.example")
            try documents.read()
            let open = try documents.suggestions(by: ada)
            func meant(_ rule: String) -> Set<ID<Document>> {
                Set(open.filter { $0.suggestion.ruleName == rule }.map(\.document.id))
            }
            #expect(statement.count == 2 && meant("Bank") == Set(statement.map(\.id)))
            #expect(meant("Ben") == Set(letter.map(\.id)))
            let refused = #expect(throws: Failure.self) {
                try documents.setRule(
                    named: "x", .init(sender: String(repeating: "a", count: 400)), .init(tags: ["t"]), by: ada
                )
            }
            #expect(refused?.field == "sender")
        }
    }

    @Test(
        "What rules did by themselves is counted until it is taken back, and told to nobody who may not see it"
    )
    func told() throws {
        try withLibrary { documents, hand, store in
            let secret = try documents.makeFolder(named: "Secret", by: ada)
            try documents.setPrivate(secret.id, true, by: ada)
            try documents.setRule(
                named: "All", .init(words: "invoice"), .init(tags: ["bill"]), actsAtOnce: true, by: ada)
            _ = try documents.addText("a.txt", "invoice")
            _ = try documents.add(
                .bytes(Array("invoice".utf8) + [0x21]), named: "b.txt", into: secret.id, by: ada)
            let start = store.clock.now() - .seconds(60)
            try documents.read()
            #expect(try documents.filedByRulesCount(since: start, by: ada) == 2)
            #expect(try documents.filedByRulesCount(since: start, by: ada.withoutPrivate) == 1)
            hand.advance(.seconds(2 * 24 * 3600))
            #expect(
                try documents.filedByRulesCount(since: store.clock.now() - .seconds(24 * 3600), by: ada) == 0)
            // One that somebody took out of the suggestions was not done by the rule alone.
            let done = try documents.suggestions(.taken, by: ada)
            let hidden = try #require(done.first { $0.document.folder == secret.id })
            for act in [
                { try documents.undo([hidden.suggestion.id], by: ada.withoutPrivate).count },
                { try documents.take([hidden.suggestion.id], by: ada.withoutPrivate).count },
            ] as [() throws -> Int] {
                let refused = #expect(throws: Failure.self) { _ = try act() }
                #expect(refused?.field == "private")
            }
            _ = try documents.undo(done.map(\.suggestion.id), by: ada)
            #expect(try documents.filedByRulesCount(since: start, by: ada) == 0)
        }
    }
}
