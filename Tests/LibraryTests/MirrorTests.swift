import Access
import Bytes
import Glibc
@testable import Library
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("A mirror of the library")
struct MirrorTests {
    @Test(
        "The library lies in the folder with its real folders and names, and what is changed there comes back"
    )
    func bothWays() throws {
        try withMirror { desk in
            let taxes = try desk.library.makeFolder(path: "Taxes/2026", by: .local)
            let lease = try desk.add("Lease.txt", "two years", into: taxes.id)
            try desk.add("Ärger & Äpfel.txt", "apples")
            try desk.look()
            #expect(try desk.files() == ["Taxes/2026/Lease.txt": "two years", "Ärger & Äpfel.txt": "apples"])
            // Edited, renamed, moved, new, deleted: each by a program that knows nothing of Quire.
            try desk.put("Taxes/2026/Lease.txt", "three years")
            try desk.shell(
                "mv 'Ärger & Äpfel.txt' Taxes/fruit.txt; mkdir -p New/Deep; echo -n hello > New/Deep/note.txt"
            )
            try desk.look()
            #expect(try desk.library.versions(of: lease.id, by: .local).count == 2)
            #expect(
                try desk.papers() == [
                    "New/Deep/note.txt": "hello", "Taxes/2026/Lease.txt": "three years",
                    "Taxes/fruit.txt": "apples",
                ])
            let arrivals = try desk.all().map { "\($0.name) \($0.arrival?.rawValue ?? "")" }
            #expect(Set(arrivals) == ["note.txt mirror", "Lease.txt ", "fruit.txt "])
            try desk.shell("rm -r New; mv Taxes/2026 Old; rm Taxes/fruit.txt")
            try desk.look()
            #expect(try desk.papers() == ["Old/Lease.txt": "three years"])
            #expect(try desk.trash() == ["apples", "hello"])
            #expect(try desk.library.get(lease.id, by: .local).folder == taxes.id)
            // And the other way round.
            try desk.library.rename(lease.id, to: "Rent.txt", by: .local)
            try desk.library.revise(lease.id, with: .bytes(Array("four years".utf8)), by: .local)
            try desk.library.changeFolder(taxes.id, name: "Home", by: .local)
            try desk.look()
            #expect(try desk.files() == ["Home/Rent.txt": "four years"])
            try desk.library.trash(lease.id, by: .local)
            try desk.look()
            #expect(try desk.files() == [:])
            #expect(try desk.look().events == [])
        }
    }

    @Test("Names with strokes keep them on both sides")
    func strokes() throws {
        try withMirror { desk in
            try desk.look()
            try desk.put("back\\slash.txt", "one")
            try desk.shell("mkdir 'fol\\der'; echo -n two > 'fol\\der/b.txt'")
            let typed = try desk.add("Invoice.txt", "three")
            try desk.library.rename(typed.id, to: "Invoice 2024/05.txt", by: .local)
            try desk.look()
            #expect(
                try desk.papers() == [
                    "back\\slash.txt": "one", "fol\\der/b.txt": "two", "Invoice 2024/05.txt": "three",
                ])
            #expect(
                try desk.files() == [
                    "back\\slash.txt": "one", "fol\\der/b.txt": "two", "Invoice 2024-05.txt": "three",
                ])
            #expect(try desk.look().events == [])
            try desk.shell("mv 'back\\slash.txt' 'x\\y.txt'")
            try desk.look()
            #expect(try desk.papers()["x\\y.txt"] == "one")
            #expect(try desk.look().events == [])
        }
    }

    @Test("Only drafts that the mirror named itself are removed")
    func draftsOfOthers() throws {
        try withMirror { desk in
            try desk.look()
            let mine = [".quire-draft-mine.part", ".quire-draft-0123456789abcdeX.part"]
            for name in mine { try desk.put(name, "mine") }
            try desk.put(".quire-draft-0123456789abcdef.part", "left by a round that was cut off")
            try desk.look()
            for name in mine { #expect(access("\(desk.folder)/\(name)", F_OK) == 0) }
            #expect(access("\(desk.folder)/.quire-draft-0123456789abcdef.part", F_OK) != 0)
        }
    }

    @Test("A name no other system would take is written in signs it does, and stays what it is")
    func oddNames() throws {
        try withMirror { desk in
            let names = [
                "a:b*c?.txt", ".hidden", "CON.txt", "draft.tmp", "backup~", "ends with dot.", "Lease",
                "a\"b<c>|d.txt",
                String(repeating: "長", count: 190) + ".txt", "日本語 😀.txt", "Lease.txt", "lease.TXT",
            ]
            for name in names { try desk.add(name, "what \(name) says") }
            try desk.add("Lease.txt", "the same name")
            try desk.look()
            let files = try desk.files()
            #expect(files.count == names.count + 1)
            #expect(files["a_b_c_.txt"] == "what a:b*c?.txt says")
            #expect(Set(files.keys.map { $0.lowercased() }).count == files.count)
            for name in files.keys {
                #expect(
                    name.utf8.count < 250 && !name.hasPrefix(".")
                        && !name.contains { ":*?\"<>|".contains($0) })
            }
            #expect(try desk.look().events == [])
            // Written into, each keeps the name the library knows.
            for name in files.keys { try desk.put(name, "more \(name)") }
            try desk.look()
            #expect(try desk.names() == (names + ["Lease.txt"]).sorted())
            #expect(try desk.papers().values.allSatisfy { $0.hasPrefix("more ") })
            // Taken in from the disk, whatever it is called there.
            try desk.shell(
                "printf x > 'tab\there'; printf y > 'back\\slash'; printf z > '  spaces  '; printf w > ...")
            try desk.look()
            #expect(try desk.papers().values.count { ["x", "y", "z", "w"].contains($0) } == 3)
            #expect(try desk.look().events == [])
        }
    }

    @Test("What two names of the library become is told apart, and stays told apart when one goes")
    func collisions() throws {
        try withMirror { desk in
            let first = try desk.add("Scan.txt", "one")
            try desk.add("scan.txt", "two")
            try desk.add("Scan.txt", "three")
            try desk.library.makeFolder(named: "Scan.txt", by: .local)
            try desk.look()
            #expect(try Set(desk.files().values) == ["one", "two", "three"])
            let before = try desk.files().filter { $0.value != "one" }
            try desk.library.trash(first.id, by: .local)
            try desk.look()
            #expect(try desk.files() == before)
            // Two papers change their names with each other.
            let papers = try desk.library.papers(in: nil, by: .local)
            try desk.library.rename(papers[0].id, to: "b.txt", by: .local)
            try desk.library.rename(papers[1].id, to: "a.txt", by: .local)
            try desk.look()
            try desk.library.rename(papers[0].id, to: "a.txt", by: .local)
            try desk.library.rename(papers[1].id, to: "b.txt", by: .local)
            try desk.look()
            #expect(try desk.files() == ["a.txt": "two", "b.txt": "three"])
        }
    }

    @Test("Private folders are left out, go when they become private, and the number of them is said")
    func privacy() throws {
        try withMirror { desk in
            let secret = try desk.library.makeFolder(named: "Secret", by: .local)
            try desk.add("diary.txt", "dear diary", into: secret.id)
            try desk.look()
            #expect(try desk.files() == ["Secret/diary.txt": "dear diary"])
            try desk.library.setPrivate(secret.id, true, by: .local)
            #expect(try desk.look().privateFolders == 1)
            #expect(try desk.files() == [:])
            #expect(try desk.papers() == ["Secret/diary.txt": "dear diary"])
            try desk.library.setPrivate(secret.id, false, by: .local)
            try desk.look()
            #expect(try desk.files() == ["Secret/diary.txt": "dear diary"])
        }
    }

    @Test("What was changed here and in the library at the same time is kept twice")
    func conflict() throws {
        try withMirror { desk in
            let lease = try desk.add("Lease.txt", "two years")
            try desk.look()
            try desk.put("Lease.txt", "three years")
            try desk.library.revise(lease.id, with: .bytes(Array("four years".utf8)), by: .local)
            #expect(try desk.look().events.contains { $0.act == .keptTwice })
            #expect(try Set(desk.files().values) == ["three years", "four years"])
            #expect(try desk.files()["Lease.txt"] == "four years")
            // Thrown away here, written into there: what was written stays.
            try desk.library.trash(lease.id, by: .local)
            try desk.put("Lease.txt", "five years")
            try desk.look()
            #expect(try desk.papers()["Lease.txt"] == "five years")
            #expect(try desk.files()["Lease.txt"] == "five years")
        }
    }

    @Test("A signed paper that is written over there stays as the version it was, and that is said")
    func signed() throws {
        try withMirror { desk in
            let signed = SignaturesTests().paper(signedBy: "Ada Lane")
            let lease = try desk.library.add(.bytes(signed), named: "Lease.pdf", by: .local).document
            try desk.look()
            // What goes on from it keeps the signature, so there is nothing to say.
            try desk.put("Lease.pdf", String(decoding: signed, as: UTF8.self) + "% seen by Ben\n")
            #expect(try desk.look().events.map(\.remark) == [""])
            try desk.put(
                "Lease.pdf", String(decoding: SignaturesTests().paper(signedBy: nil), as: UTF8.self))
            let events = try desk.look().events
            #expect(events.map(\.act) == [.revised])
            #expect(events.first?.remark == "It was signed. The signed one is kept as version 2.")
            let versions = try desk.library.versions(of: lease.id, by: .local)
            #expect(versions.count == 3)
            #expect(versions.first?.note == "Written over version 2, which is signed and kept")
            #expect(try desk.library.get(lease.id, version: 1, by: .local).blob.digest == lease.blob.digest)
            let lines = try desk.store.journal.lines(.init(), before: nil, limit: 20)
            let line = try #require(lines.first { $0.entry.verb == "document.unsigned" })
            #expect(line.entry.detail["signers"] == "Ada Lane")
        }
    }

    @Test(
        "What is held, or lies under a rule, comes back when somebody deletes it there, and why is said once")
    func held() throws {
        try withMirror { desk in
            let lease = try desk.add("Lease.txt", "two years")
            try desk.library.hold([lease.id], because: "case 17", by: .local)
            try desk.look()
            try desk.shell("rm Lease.txt")
            #expect(try desk.look().events.contains { $0.act == .trouble && $0.remark.contains("case 17") })
            #expect(try desk.files() == ["Lease.txt": "two years"])
            try desk.put("Lease.txt", "scribbled")
            #expect(try desk.look().events.contains { $0.act == .keptTwice })
            #expect(try desk.papers()["Lease.txt"] == "two years")
            #expect(try Set(desk.papers().values) == ["two years", "scribbled"])
        }
    }

    @Test(
        "A file that somebody is still writing is left alone, and what is missing for a moment is not deleted"
    )
    func settled() throws {
        try withMirror(quiet: .seconds(5)) { desk in
            try desk.add("Lease.txt", "two years")
            try desk.look(isFinal: false)
            try desk.put("new.txt", "half")
            try desk.waits(until: "new.txt")
            #expect(try desk.look(isFinal: false).events == [])
            desk.hand.advance(.seconds(6))
            let file = open("\(desk.folder)/new.txt", O_WRONLY | O_APPEND | O_CLOEXEC)
            #expect(try desk.look(isFinal: false).events == [])
            close(file)
            #expect(try desk.look(isFinal: false).events.map(\.act) == [.takenIn])
            // As some editors save: take away, wait, write anew.
            try desk.shell("rm Lease.txt")
            #expect(try desk.look(isFinal: false).waiting == 1)
            #expect(try desk.papers()["Lease.txt"] == "two years")
            #expect(try desk.files()["Lease.txt"] == nil)
            try desk.put("Lease.txt", "three years")
            try desk.waits(until: "Lease.txt")
            desk.hand.advance(.seconds(6))
            try desk.look(isFinal: false)
            #expect(try desk.papers() == ["Lease.txt": "three years", "new.txt": "half"])
            #expect(try desk.trash() == [])
            try desk.shell("rm Lease.txt")
            try desk.look(isFinal: false)
            desk.hand.advance(.seconds(6))
            try desk.look(isFinal: false)
            #expect(try desk.trash() == ["three years"])
        }
    }

    @Test("A round that is cut off anywhere is gone on with at once, and no paper is there twice")
    func cutOff() throws {
        struct Cut: Error {}
        for place in 1...16 {
            try withMirror(quiet: .seconds(5)) { desk in
                let taxes = try desk.library.makeFolder(path: "Taxes", by: .local)
                try desk.look()
                desk.now()
                try desk.add("Lease.txt", "two years")
                try desk.add("Income.txt", "little", into: taxes.id)
                let wanted = ["Lease.txt": "two years", "Taxes/Income.txt": "little"]
                var steps = 0
                do {
                    try desk.look {
                        steps += 1
                        if steps == place { throw Cut() }
                    }
                } catch is Cut {}
                desk.forget()
                try desk.look()
                #expect(try desk.files() == wanted, "cut off at step \(place)")
                desk.hand.advance(.seconds(6))
                try desk.look()
                #expect(try desk.files() == wanted && desk.papers() == wanted, "cut off at step \(place)")
                #expect(try desk.all().count == 2)
            }
        }
    }

    @Test("A disk that is not connected, a folder that was emptied and one that is not ours change nothing")
    func away() throws {
        try withMirror { desk in
            try desk.add("Lease.txt", "two years")
            try desk.look()
            #expect(rename(desk.folder, desk.folder + ".away") == 0)
            #expect(throws: (any Error).self) { try desk.look() }
            #expect(mkdir(desk.folder, 0o700) == 0)
            #expect(throws: Failure.self) { try desk.look() }
            #expect(try desk.papers() == ["Lease.txt": "two years"])
            #expect(rmdir(desk.folder) == 0 && rename(desk.folder + ".away", desk.folder) == 0)
            #expect(try desk.look().events == [])
            func why(_ folder: String) -> String {
                do {
                    _ = try Mirror(desk.library, folder: folder)
                    return ""
                } catch { return (error as? Failure)?.message ?? "\(error)" }
            }
            #expect(why(desk.folder).contains("Another program keeps this mirror already"))
            #expect(why(desk.store.home.path + "/mirror").contains("must not lie in each other"))
            #expect(why("papers").contains("the whole path"))
            #expect(mkdir(desk.folder + ".full", 0o700) == 0)
            try write(Array("x".utf8), to: desk.folder + ".full/mine.txt")
            #expect(why(desk.folder + ".full").contains("is not empty"))
        }
    }

    @Test(
        "Where most of the papers are gone at once nothing is thrown away until they are back or somebody says what was meant"
    )
    func emptied() throws {
        try withMirror { desk in
            let taxes = try desk.library.makeFolder(path: "Taxes/2026", by: .local)
            for number in 1...20 {
                try desk.add("\(number).txt", "paper \(number)", into: number > 15 ? taxes.id : nil)
            }
            try desk.look()
            let wanted = try desk.files()
            // What somebody tidies up goes, and what only lies elsewhere now is not gone.
            try desk.shell("mkdir Old; mv *.txt Old/; mv Taxes Duties")
            try desk.look()
            #expect(try desk.papers().keys.count { $0.hasPrefix("Old/") || $0.hasPrefix("Duties/") } == 20)
            try desk.shell("mv Old/*.txt .; rmdir Old; mv Duties Taxes")
            try desk.look()
            #expect(try desk.files() == wanted && desk.papers() == wanted)
            // Emptied, but for the sign.
            let aside = "'\(desk.folder).aside'"
            try desk.shell("cp -r . \(aside); rm -r *")
            for _ in 1...2 {
                let failure = #expect(throws: Failure.self) { try desk.look() }
                #expect(failure?.message.contains("Of the 20 papers") == true)
                #expect(failure?.message.contains("20 are gone at once. Nothing was thrown away.") == true)
            }
            #expect(try desk.papers() == wanted)
            // Back from somewhere else, as other files of the same names.
            try desk.shell("rm \(aside)/.quire-mirror; cp -r \(aside)/. .")
            #expect(try desk.look().events.filter { $0.act != .trouble } == [])
            #expect(try desk.papers() == wanted && desk.files() == wanted)
            try desk.shell("rm -r *")
            try desk.look(emptied: .writtenAgain)
            #expect(try desk.papers() == wanted && desk.files() == wanted && desk.trash() == [])
            // Half of them may go, as a folder may.
            try desk.shell("rm [1-9].txt 10.txt")
            try desk.look()
            #expect(try desk.papers().count == 10 && desk.trash().count == 10)
            for number in 21...30 { try desk.add("\(number).txt", "paper \(number)") }
            try desk.look()
            try desk.shell("rm -r *")
            #expect(throws: Failure.self) { try desk.look() }
            try desk.look(emptied: .trashed)
            #expect(try desk.papers() == [:] && desk.trash().count == 30)
            #expect(try desk.look().events == [])
        }
    }

    @Test("Links, pipes and what is hidden are left alone")
    func strangers() throws {
        try withMirror { desk in
            try desk.look()
            try desk.shell(
                "ln -s /etc/passwd link; mkfifo pipe; echo x > .DS_Store; echo x > '~$Lease.docx'; mkdir .git; ln -s / root"
            )
            let round = try desk.look()
            #expect(try desk.papers() == [:])
            #expect(round.events.map(\.path).sorted() == ["link", "pipe", "root"])
            #expect(try desk.look().events == [])
            // A folder that goes leaves what is none of ours, and does not come back for it.
            let folder = try desk.library.makeFolder(named: "Letters", by: .local)
            try desk.add("a.txt", "a", into: folder.id)
            try desk.look()
            try desk.shell("echo x > Letters/.DS_Store")
            try desk.library.trashFolder(folder.id, by: .local)
            try desk.look()
            try desk.look()
            #expect(try desk.library.folders(by: .local).nodes.isEmpty)
        }
    }

    @Test(
        "Whatever is done in the library and in the folder, and wherever a round is cut off, nothing is lost and nothing comes back",
        arguments: 0..<10)
    func histories(part: Int) throws {
        let lives = getenv("QUIRE_LIVES").flatMap { Int(String(cString: $0)) } ?? 100
        let each = max(1, lives / 10)
        for life in 0..<each { try MirrorHistory(seed: UInt64(part * each + life + 1)).run() }
    }

    @Test(
        "On PostgreSQL nothing is lost and nothing comes back either",
        .enabled(if: PostgresCluster.isInstalled, "PostgreSQL is not installed"))
    func postgres() throws {
        for seed in 0..<6 {
            try withDatabaseAddress(.postgres) { address in
                try MirrorHistory(seed: UInt64(5_000 + seed), database: .postgres(address)).run()
            }
        }
    }
}

/// A desk with a mirror beside it.
final class MirrorDesk {
    let hand: HandClock
    let store: Store
    let library: Documents
    let folder: String
    let quiet: Duration
    private var mirror: Mirror?

    init(
        in place: String, quiet: Duration, seed: UInt64 = 1, database: Store.DatabaseChoice = .memory
    ) throws {
        hand = HandClock()
        folder = place + "/mirror"
        self.quiet = quiet
        store = try Store.open(
            home: place + "/desk", database: database, clock: hand.clock, chance: .seeded(seed),
            areas: [Gate.migrations, Documents.migrations])
        library = Documents(Gate(store))
        // Files get the time of the machine.
        now()
    }

    deinit { store.close() }

    func now() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let wanted = Moment(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        hand.advance(wanted - hand.clock.now())
    }

    /// Until the moment in which the file was written: files get the time of the machine, and how long it took to get
    /// there says nothing about the mirror.
    func waits(until path: String) throws {
        var about = stat()
        #expect(lstat("\(folder)/\(path)", &about) == 0)
        let written = Moment(
            milliseconds: Int64(about.st_mtim.tv_sec) * 1000 + Int64(about.st_mtim.tv_nsec) / 1_000_000)
        hand.advance(max(.zero, written - hand.clock.now()))
    }

    @discardableResult
    func look(
        isFinal: Bool = true, emptied: Mirror.Emptied = .waits, step: (() throws -> Void)? = nil
    ) throws -> Mirror.Round {
        let mirror = try self.mirror ?? Mirror(library, folder: folder, quiet: quiet)
        self.mirror = mirror
        mirror.step = step ?? {}
        return try mirror.round(isFinal: isFinal, emptied: emptied)
    }

    func forget() { mirror = nil }

    @discardableResult
    func add(_ name: String, _ text: String, into folder: ID<Folder>? = nil) throws -> Document {
        try library.add(.bytes(Array(text.utf8)), named: name, into: folder, evenIfThere: true, by: .local)
            .document
    }

    func put(_ path: String, _ text: String) throws {
        unlink("\(folder)/\(path)")
        try write(Array(text.utf8), to: "\(folder)/\(path)")
    }

    func shell(_ line: String) throws {
        #expect(system("cd '\(folder)' && { \(line); }") == 0)
    }

    /// What lies in the folder, by its path.
    func files() throws -> [String: String] {
        var found: [String: String] = [:]
        for path in try paths(isFolder: false) {
            found[path] = String(decoding: try contents(of: "\(folder)/\(path)"), as: UTF8.self)
        }
        return found
    }

    func paths(isFolder: Bool) throws -> [String] {
        let disk = MirrorDisk(folder, knowing: { _ in false }, quiet: .zero, at: hand.clock.now())
        return isFolder ? disk.folders.keys.sorted() : disk.files.keys.sorted()
    }

    func all() throws -> [Document] {
        let ids = try store.read { try library.paperIDs(after: "", limit: 10_000, in: $0) }
        return try ids.compactMap { ID<Document>($0) }.map { try library.get($0, by: .local) }
    }

    func text(_ document: Document) throws -> String {
        String(decoding: try store.blobs.read(document.blob.digest), as: UTF8.self)
    }

    func texts(ofAllVersions id: ID<Document>) throws -> Set<String> {
        try Set(
            library.versions(of: id, by: .local).map {
                String(decoding: try store.blobs.read($0.blob.digest), as: UTF8.self)
            })
    }

    func papers() throws -> [String: String] {
        let tree = try library.folders(by: .local, counting: false)
        var found: [String: String] = [:]
        for paper in try all() where !paper.isTrashed {
            let place = paper.folder.flatMap { tree[$0]?.path }.map { $0 + "/" } ?? ""
            found[place + paper.name] = try text(paper)
        }
        return found
    }

    func names() throws -> [String] { try all().filter { !$0.isTrashed }.map(\.name).sorted() }

    func trash() throws -> [String] { try all().filter(\.isTrashed).map { try text($0) }.sorted() }
}

func withMirror(quiet: Duration = .zero, _ body: (MirrorDesk) throws -> Void) throws {
    try withQuickFolder { place in try body(MirrorDesk(in: place, quiet: quiet)) }
}
