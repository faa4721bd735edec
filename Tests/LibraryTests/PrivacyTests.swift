@testable import Access
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Private folders")
struct PrivacyTests {
    /// Ada as a browser shows her to the library before she proved again who she is.
    private let closed = ada.withoutPrivate

    @Test(
        "show nothing of what lies in them and below to whoever has not proved again who they are",
        arguments: Database.Kind.here)
    func closed(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let health = try documents.makeFolder(path: "Health", by: ada)
            let below = try documents.makeFolder(path: "Health/2026", by: ada)
            let secret = try documents.add(
                .bytes(Array("the harbour clinic".utf8)), named: "result.txt", into: below.id, by: ada
            ).document
            let open = try documents.addText("harbour.txt", "the harbour wall")
            try documents.file(
                [secret.id], as: .init(addedTags: ["lab"], people: [.init(name: "Dr Süd")]), by: ada)
            try PaperReading(documents) { fatalError("texts are read without") }.catchUp()
            try documents.setPrivate(health.id, true, by: ada)

            #expect(try documents.list(by: closed).documents == [try documents.get(open.id, by: closed)])
            #expect(try documents.counts(by: closed) == (1, 0))
            #expect(try documents.find("harbour", by: closed).finds.map(\.document.id) == [open.id])
            #expect(try documents.find("clinic", by: closed).matchCount == 0)
            #expect(try documents.find("clinik", by: closed).meant == nil)
            #expect(try documents.completions(of: "cli", limit: 5, by: closed) == [])
            #expect(try documents.papers(in: below.id, by: closed).isEmpty)
            #expect(try documents.tags(by: closed).isEmpty)
            #expect(try documents.namedPeople(by: closed).isEmpty)
            let tree = try documents.folders(by: closed)
            #expect(
                tree.nodes.map(\.path) == ["Health"] && tree.nodes[0].isLocked
                    && tree.nodes[0].totalCount == 0)
            #expect(
                try documents.hidden(among: ["document/\(secret.id)", "document/\(open.id)"], from: closed)
                    == ["document/\(secret.id)"])
            for act in [
                { try documents.get(secret.id, by: closed) },
                { try documents.rename(secret.id, to: "x", by: closed) },
                { try documents.trash(secret.id, by: closed) },
                { try documents.revise(secret.id, with: .bytes([0x41]), by: closed).document },
                { try documents.copy(secret.id, named: "copy", into: nil, by: closed) },
            ] as [() throws -> Document] {
                let refused = #expect(throws: Failure.self) { _ = try act() }
                #expect(refused?.field == "private")
            }
            // That the library has these bytes already is not told either.
            let again = try documents.add(
                .bytes(Array("the harbour clinic".utf8)), named: "mine.txt", by: closed)
            guard case .added = again else { throw Failure(.conflict, "told of a private paper") }
            try documents.trash(again.document.id, by: closed)
            let packed = rawArchive([("mine.txt", "the harbour clinic")])
            #expect(try documents.unpack(.bytes(packed), named: "mine.zip", by: closed).newOnes.count == 1)
            try documents.trash(documents.find("mine", by: closed).finds[0].document.id, by: closed)
            let brought = try documents.bring(
                .bytes(Array("the harbour clinic".utf8)), named: "mine.txt", from: "", unpacking: true,
                by: closed)
            #expect(brought.newOnes.count == 1)
            try documents.trash(brought.documents[0].id, by: closed)
            // Whoever proved who they are sees all of it.
            #expect(try documents.list(by: ada).documents.count == 2)
            #expect(try documents.find("clinic", by: ada).matchCount == 1)
        }
    }

    @Test("take in what is moved into them, and give back what is moved out")
    func moving() throws {
        try withLibrary { documents, _, _ in
            let health = try documents.makeFolder(named: "Health", by: ada)
            let taxes = try documents.makeFolder(named: "Taxes", by: ada)
            let paper = try documents.addText("bill.txt")
            try documents.setPrivate(health.id, true, by: ada)
            try documents.file([paper.id], as: .init(folder: .some(taxes.id)), by: ada)
            try documents.changeFolder(taxes.id, parent: .some(health.id), by: ada)
            #expect(try documents.list(by: closed).documents.isEmpty)
            let made = try documents.makeFolder(named: "2027", in: taxes.id, by: ada)
            #expect(try documents.hidden(among: ["folder/\(made.id)"], from: closed).count == 1)
            #expect(throws: Failure.self) {
                try documents.changeFolder(taxes.id, parent: .some(nil), by: closed)
            }
            #expect(throws: Failure.self) { try documents.setPrivate(health.id, false, by: closed) }
            try documents.changeFolder(taxes.id, parent: .some(nil), by: ada)
            #expect(try documents.list(by: closed).documents.count == 1)
            try documents.changeFolder(taxes.id, parent: .some(health.id), by: ada)
            try documents.setPrivate(health.id, false, by: ada)
            #expect(try documents.list(by: closed).documents.count == 1)
        }
    }

    @Test("are left out of a link to a folder around them, while a link to themselves goes on")
    func links() throws {
        try withLibrary { documents, _, store in
            let all = try documents.makeFolder(named: "All", by: ada)
            let inner = try documents.makeFolder(named: "Inner", in: all.id, by: ada)
            _ = try documents.add(.bytes([0x61]), named: "a.txt", into: all.id, by: ada)
            let secret = try documents.add(.bytes([0x62]), named: "b.txt", into: inner.id, by: ada).document
            try documents.setPrivate(inner.id, true, by: ada)
            func visitor(_ subject: Subject) -> Caller {
                Caller(
                    memberID: nil, name: "Ben", role: .viewer, scopes: [],
                    via: .share(ID("0190a1b2-0000-7000-8000-000000000000")!, subject))
            }
            #expect(
                try documents.shared(all.id, by: visitor(Folder.subject(all.id))).papers.map(\.document.name)
                    == ["a.txt"])
            #expect(try documents.shared(inner.id, by: visitor(Folder.subject(inner.id))).papers.count == 1)
            #expect(try documents.get(secret.id, by: visitor(secret.subject)).name == "b.txt")
        }
    }
}
