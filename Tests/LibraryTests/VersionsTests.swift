import Access
import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Versions of papers")
struct VersionsTests {
    @Test(
        "A new version takes the place of a paper, and what it was before is kept as it was",
        arguments: Database.Kind.here)
    func revising(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, hand, store in
            let lease = try documents.addText("lease.txt", "two years")
            let folder = try documents.makeFolder(named: "Home", by: ada)
            try documents.file([lease.id], as: .init(folder: .some(folder.id), addedTags: ["home"]), by: ada)
            hand.advance(.seconds(60))
            let revised = try documents.revise(
                lease.id, with: .bytes(Array("three years".utf8)), note: "longer", by: editor)
            guard case .revised(let now) = revised else { Issue.record("it is new"); return }
            #expect(now.id == lease.id && now.name == "lease.txt" && now.version == 2)
            #expect(now.folder == folder.id && now.tags == ["home"])
            let versions = try documents.versions(of: lease.id, by: viewer)
            #expect(versions.map(\.number) == [2, 1])
            #expect(versions.map(\.madeByName) == ["Eddie", "Ada"])
            #expect(versions.map(\.note) == ["longer", ""])
            #expect(versions[1].madeAt == lease.addedAt)
            let old = try documents.get(lease.id, version: 1, by: viewer)
            #expect(try store.blobs.read(old.blob.digest) == Array("two years".utf8))
            #expect(try documents.list(.init(), by: ada).documents.map(\.blob) == [now.blob])
        }
    }

    @Test("A paper that nobody changed has one version: itself", arguments: Database.Kind.here)
    func unchanged(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let letter = try documents.addText("letter.txt", "dear")
            #expect(try documents.versions(of: letter.id, by: ada).map(\.number) == [1])
            #expect(
                try documents.revise(letter.id, with: .bytes(Array("dear".utf8)), by: ada) == .same(letter))
            #expect(try documents.versions(of: letter.id, by: ada).count == 1)
            #expect(throws: Failure.self) { try documents.get(letter.id, version: 2, by: ada) }
        }
    }

    @Test("Bringing an old version back loses nothing of what came after it", arguments: Database.Kind.here)
    func bringingBack(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, store in
            let plan = try documents.addText("plan.txt", "one")
            try documents.revise(plan.id, with: .bytes(Array("two".utf8)), by: ada)
            let back = try documents.bringBack(version: 1, of: plan.id, by: ada)
            #expect(back.version == 3 && back.blob == plan.blob)
            let kept = try documents.versions(of: plan.id, by: ada).map {
                String(decoding: try store.blobs.read($0.blob.digest), as: UTF8.self)
            }
            #expect(kept == ["one", "two", "one"])
            // What is the newest already is not made again.
            #expect(try documents.bringBack(version: 3, of: plan.id, by: ada).version == 3)
        }
    }

    @Test("Who looked at an older version does not write over a newer one", arguments: Database.Kind.here)
    func faster(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, _ in
            let list = try documents.addText("list.txt", "milk")
            try documents.revise(list.id, with: .bytes(Array("bread".utf8)), ifVersion: 1, by: ada)
            #expect(throws: Failure.self) {
                try documents.revise(list.id, with: .bytes(Array("eggs".utf8)), ifVersion: 1, by: editor)
            }
            #expect(throws: Failure.self) {
                try documents.revise(list.id, with: .bytes(Array("eggs".utf8)), by: viewer)
            }
            #expect(try documents.get(list.id, by: ada).version == 2)
            try documents.trash(list.id, by: ada)
            #expect(throws: Failure.self) {
                try documents.revise(list.id, with: .bytes(Array("eggs".utf8)), by: ada)
            }
        }
    }

    @Test("The sweep leaves the bytes of every version, and removes them with their paper")
    func sweeping() throws {
        try withLibrary { documents, hand, store in
            let note = try documents.addText("note.txt", "first")
            try documents.revise(note.id, with: .bytes(Array("second".utf8)), by: ada)
            hand.advance(.seconds(3 * 24 * 3600))
            try store.sweep()
            #expect(try store.blobs.read(note.blob.digest) == Array("first".utf8))
            try documents.trash(note.id, by: ada)
            try documents.purge(note.id, by: ada)
            try store.sweep()
            #expect(!store.blobs.contains(note.blob.digest))
            // They wait for a month, in case that was a mistake.
            hand.advance(.seconds(31 * 24 * 3600))
            try store.sweep()
            #expect(throws: (any Error).self) { try store.blobs.read(note.blob.digest) }
        }
    }

    @Test("A paper that becomes one of another kind gets the ending of that kind")
    func endings() throws {
        try withLibrary { documents, _, _ in
            let draft = try documents.addText("Offer.v2.txt", "soon")
            let paper = try documents.revise(
                draft.id, with: .bytes(Array(SamplePaper.pages(["Soon"]).utf8)), named: "x.pdf", by: ada
            ).document
            #expect(paper.name == "Offer.v2.pdf" && paper.blob.mediaType == "application/pdf")
            let odd = try documents.addText("README", "read")
            #expect(
                try documents.revise(
                    odd.id, with: .bytes(Array(SamplePaper.pages(["Read"]).utf8)), by: ada
                ).document.name == "README")
        }
    }

    @Test("The comparison of two texts says what is gone and what is new, and keeps the rest together")
    func changes() {
        let before = ["Dear Ada,\n\nthe rent is 500.\nIt is due in May.", "Yours, Grace"]
        let after = ["Dear Ada,\nthe  rent is 650.\nIt is due in May.\nPlease call.\nYours, Grace"]
        let changes = TextChanges(from: before, to: after)
        #expect(
            changes.lines.map { "\($0.kind.rawValue) \($0.text)" } == [
                "same Dear Ada,", "gone the rent is 500.", "new the rent is 650.", "same It is due in May.",
                "new Please call.", "same Yours, Grace",
            ])
        #expect(TextChanges(from: before, to: before).isEmpty)
        #expect(TextChanges(from: [], to: ["a"]).lines == [.init(kind: .new, text: "a")])
    }

    @Test("Books without a line in common are not searched for one")
    func strangers() {
        let one = (0..<5_000).map { "line \($0)" }
        let other = (0..<5_000).map { "verse \($0)" }
        let changes = TextChanges(
            from: ["same", one.joined(separator: "\n")], to: ["same", other.joined(separator: "\n")])
        #expect(changes.count(.gone) == 5_000 && changes.count(.new) == 5_000 && changes.count(.same) == 1)
    }
}
