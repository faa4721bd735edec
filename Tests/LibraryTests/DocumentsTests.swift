import Bytes
@testable import Access
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Documents")
struct DocumentsTests {
    @Test("An added file is there, byte for byte, with a name and a kind", arguments: Database.Kind.here)
    func adding(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, store in
            let bytes = Array("%PDF-1.7 and so on".utf8)
            guard
                case .added(let lease) = try documents.add(
                    .bytes(bytes), named: "C:\\Papers\\Lease.pdf", by: ada)
            else { return #expect(Bool(false), "not added") }
            #expect(lease.name == "Lease.pdf")
            #expect(
                lease.blob == Blob(digest: Digest(of: bytes), byteCount: 18, mediaType: "application/pdf"))
            #expect(lease.addedByName == "Ada")
            #expect(lease.addedAt == hand.now)
            #expect(try documents.get(lease.id, by: viewer) == lease)
            #expect(try store.blobs.read(lease.blob.digest) == bytes)
            #expect(try documents.file(lease.id, by: viewer).path == store.blobs.path(of: lease.blob.digest))
        }
    }

    @Test("The same bytes are not added twice, and the name they have is said", arguments: Database.Kind.here)
    func duplicates(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, store in
            let first = try documents.addText("Lease.txt", "four rooms")
            #expect(
                try documents.add(.bytes(Array("four rooms".utf8)), named: "copy.txt", by: ada)
                    == .alreadyThere(first))
            #expect(try documents.names() == ["Lease.txt"])
            // What lies in the trash does not count.
            try documents.trash(first.id, by: ada)
            guard
                case .added = try documents.add(.bytes(Array("four rooms".utf8)), named: "copy.txt", by: ada)
            else { return #expect(Bool(false), "not added") }
            #expect(try store.verify().problems == [])
        }
    }

    @Test("An upload is taken over, a file that lies elsewhere is copied")
    func sources() throws {
        try withLibrary { documents, _, store in
            let upload = store.home.temporary + "/upload"
            try writeFile(upload, "uploaded")
            let elsewhere = store.home.path + "/../elsewhere.txt"
            try writeFile(elsewhere, "elsewhere")
            _ = try documents.add(.upload(upload), named: "a.txt", by: editor)
            _ = try documents.add(.file(elsewhere), named: "b.txt", by: editor)
            #expect(!exists(upload))
            #expect(exists(elsewhere))
            #expect(try documents.counts(by: viewer).kept == 2)
        }
    }

    @Test("A title is kept as it was typed, and only its file is named without strokes")
    func strokes() throws {
        try withLibrary(.sqlite) { documents, hand, _ in
            let scan = try documents.addText("../folder/scan0001.txt")
            #expect(scan.name == "scan0001.txt")
            let renamed = try documents.rename(scan.id, to: "Invoice 2024/05 \\ draft.txt", by: editor)
            #expect(renamed.name == "Invoice 2024/05 \\ draft.txt")
            #expect(renamed.fileName == "Invoice 2024-05 - draft.txt")
            #expect(try documents.names(.init(filter: "2024/05")) == [renamed.name])
            for name in ["/", "../..", "\\ ."] {
                #expect(throws: Failure.self) { try documents.rename(scan.id, to: name, by: editor) }
            }
        }
    }

    @Test("A document can be renamed, but not to nothing", arguments: Database.Kind.here)
    func renaming(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, _ in
            let scan = try documents.addText("scan0001.txt")
            hand.advance(.seconds(60))
            let renamed = try documents.rename(scan.id, to: "  Lease\n2026 ", by: editor)
            #expect(renamed.name == "Lease 2026")
            #expect(renamed.changedAt == hand.now)
            #expect(renamed.fileName == "Lease 2026")
            #expect(try documents.names(.init(filter: "lease")) == ["Lease 2026"])
            for name in ["", "  \n", "..", "/", "\u{202E}"] {
                let failure = #expect(throws: Failure.self) {
                    try documents.rename(scan.id, to: name, by: editor)
                }
                #expect(failure?.field == "name")
            }
        }
    }

    @Test("What was thrown away can be brought back until its time is over", arguments: Database.Kind.here)
    func trash(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, store in
            let draft = try documents.addText("Draft.txt")
            let letter = try documents.addText("Letter.txt")
            try documents.trash(draft.id, by: editor)
            try documents.trash(draft.id, by: editor)
            #expect(try documents.names() == ["Letter.txt"])
            #expect(try documents.names(.init(isTrash: true)) == ["Draft.txt"])
            #expect(throws: Failure.self) { try documents.rename(draft.id, to: "x", by: editor) }
            hand.advance(.seconds(29 * 86_400))
            #expect(try documents.purgeTrash() == 0)
            #expect(try documents.restore(draft.id, by: editor).isTrashed == false)
            try documents.trash(draft.id, by: editor)
            hand.advance(.seconds(31 * 86_400))
            #expect(throws: Failure.self) { try documents.purge(letter.id, by: editor) }
            #expect(try documents.purgeTrash() == 1)
            #expect(throws: Failure.self) { try documents.get(draft.id, by: editor) }
            // Only now, and after the sweep, its bytes are gone.
            #expect(store.blobs.contains(draft.blob.digest))
            try store.sweep()
            #expect(!store.blobs.contains(draft.blob.digest))
            #expect(store.blobs.contains(letter.blob.digest))
            #expect(try documents.counts(by: viewer) == (1, 0))
        }
    }

    @Test(
        "Emptying the trash leaves what must be kept, and what one does not see",
        arguments: Database.Kind.here)
    func emptying(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let papers = try (1...230).map { try documents.addText("\($0).txt") }
            let tax = try documents.addText("Tax.txt")
            try documents.file([tax.id], as: .init(addedTags: ["tax"]), by: ada)
            _ = try documents.addText("Letter.txt")
            let health = try documents.makeFolder(named: "Health", by: ada)
            let secret = try documents.addText("Secret.txt")
            try documents.file([secret.id], as: .init(folder: .some(health.id)), by: ada)
            for paper in papers + [tax, secret] { try documents.trash(paper.id, by: editor) }
            try documents.setPrivate(health.id, true, by: ada)
            try documents.addRetentionRule(named: "Taxes", tag: "tax", months: 120, by: ada)
            #expect(throws: Failure.self) { try documents.emptyTrash(by: viewer) }
            let (removed, left) = try documents.emptyTrash(by: ada.withoutPrivate)
            #expect((removed, left) == (230, 1))
            #expect(try documents.names() == ["Letter.txt"])
            #expect(try documents.get(tax.id, by: ada).isTrashed)
            #expect(try documents.get(secret.id, by: ada).isTrashed)
            let rest = try documents.emptyTrash(by: ada)
            #expect(rest == (1, 1))
        }
    }

    @Test("Every change stands in the journal and is told to those who watch", arguments: Database.Kind.here)
    func journal(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, store in
            let told = Told()
            let subscription = documents.changes.subscribe { change in told.note(change.act.rawValue) }
            let paper = try documents.addText("Paper.txt", by: editor)
            _ = try documents.addText("Again.txt", "text of Paper.txt")
            try documents.rename(paper.id, to: "Lease.txt", by: editor)
            try documents.rename(paper.id, to: "Lease.txt", by: editor)
            try documents.trash(paper.id, by: editor)
            try documents.restore(paper.id, by: editor)
            try documents.trash(paper.id, by: editor)
            try documents.purge(paper.id, by: editor)
            let acts = ["added", "renamed", "trashed", "restored", "trashed", "purged"]
            let lines = try store.journal.lines(.init(subject: "document/\(paper.id)"))
            #expect(lines.reversed().map(\.entry.verb) == acts.map { "document.\($0)" })
            #expect(lines.reversed()[1].entry.detail == ["before": "Paper.txt", "name": "Lease.txt"])
            #expect(told.acts == acts)
            subscription.cancel()
        }
    }

    @Test("A viewer looks, an editor changes, a visitor with a link sees one document")
    func roles() throws {
        try withLibrary { documents, _, _ in
            let shared = try documents.addText("Shared.txt")
            let other = try documents.addText("Other.txt")
            #expect(throws: Failure.self) { try documents.addText("Mine.txt", by: viewer) }
            #expect(throws: Failure.self) { try documents.rename(shared.id, to: "x", by: viewer) }
            #expect(throws: Failure.self) { try documents.trash(shared.id, by: viewer) }
            #expect(throws: Failure.self) { try documents.restore(shared.id, by: viewer) }
            #expect(throws: Failure.self) { try documents.purge(shared.id, by: viewer) }
            let link = ID<ShareLink>("019aa62a-7320-7000-8000-000000000000")!
            let visitor = Caller(memberID: nil, name: "", role: .viewer, via: .share(link, shared.subject))
            #expect(try documents.file(shared.id, by: visitor).document == shared)
            #expect(throws: Failure.self) { try documents.get(other.id, by: visitor) }
            #expect(throws: Failure.self) { try documents.list(by: visitor) }
            #expect(throws: Failure.self) { try documents.trash(shared.id, by: visitor) }
            try documents.trash(shared.id, by: ada)
            let failure = #expect(throws: Failure.self) { try documents.get(shared.id, by: visitor) }
            #expect(failure?.code == .notFound)
        }
    }

    @Test("When a document goes for good, its links go with it")
    func links() throws {
        try withLibrary { documents, _, store in
            let links = Gate(store).shareLinks
            let paper = try documents.addText("Paper.txt")
            _ = try links.make(paper.subject, by: ada)
            try documents.trash(paper.id, by: ada)
            #expect(try links.list(by: ada).count == 1)
            try documents.purge(paper.id, by: ada)
            #expect(try links.list(by: ada) == [])
        }
    }
}
