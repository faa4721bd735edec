import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("A folder and a database that belong together")
struct DeskMarkTests {
    @Test("Files beside an empty database are refused, and nothing is left behind that looks like a desk")
    func emptyDatabase() throws {
        try withDeskPlace(.sqlite, areas: [Paper.migrations]) { place in
            let store = try place.open()
            try store.addPaper("Lease", "four rooms")
            store.close()
            for ending in ["", "-wal", "-shm"] { removeFile(place.home + "/quire.db" + ending) }
            let failure = #expect(throws: Failure.self) { try place.open() }
            #expect(failure?.code == .conflict)
            for word in [place.home, "--database", "quire restore", "--begin-anew"] {
                #expect(failure?.message.contains(word) == true, "\(word)")
            }
            #expect(!exists(place.home + "/quire.db"))
            let anew = try Store.open(home: place.home, areas: place.areas, joining: .anew)
            defer { anew.close() }
            #expect(try anew.titles() == [])
        }
    }

    @Test("A database of another program is refused and left as it is", arguments: Database.Kind.here)
    func foreign(kind: Database.Kind) throws {
        for script in [
            "CREATE TABLE customer (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)",
            // As other programs keep their own steps.
            "CREATE TABLE migration (version INTEGER NOT NULL, name TEXT NOT NULL)",
        ] {
            try withDeskPlace(kind, areas: [Paper.migrations]) { place in
                let path = place.home + "/quire.db"
                if case .postgres(let address, _) = place.database {
                    let theirs = try Database.postgres(address)
                    try theirs.write { db in try db.script(script) }
                    theirs.close()
                } else {
                    makeFolder(place.home)
                    try sqlite(path, "PRAGMA journal_mode = DELETE; \(script);")
                }
                let before = readFile(path)
                let failure = #expect(throws: Failure.self) { try place.open() }
                #expect(failure?.code == .conflict)
                #expect(
                    failure?.message.contains("tables of another program") == true,
                    "\(failure?.message ?? "")")
                #expect(readFile(path) == before)
                #expect(!exists(path + "-wal"))
            }
        }
    }

    @Test("The database says in its head that it is Quire's, also one from before it did")
    func applicationID() throws {
        try withDeskPlace(.sqlite, areas: [Paper.migrations]) { place in
            let path = place.home + "/quire.db"
            let store = try place.open()
            try store.addPaper("Lease", "four rooms")
            store.close()
            func mark() -> [UInt8]? { readFile(path).map { Array($0.dropFirst(68).prefix(4)) } }
            #expect(mark() == Array("Quir".utf8))
            try sqlite(path, "PRAGMA application_id = 0; PRAGMA wal_checkpoint(TRUNCATE);")
            #expect(mark() == [0, 0, 0, 0])
            let again = try place.open()
            #expect(try again.titles() == ["Lease"])
            again.close()
            #expect(mark() == Array("Quir".utf8))
        }
    }

    private func sqlite(_ path: String, _ script: String) throws {
        let outcome = try Child("sqlite3", [path, script]).run()
        try #require(outcome.succeeded, "\(outcome.errorText)")
    }

    @Test("The files of a desk on PostgreSQL are not served with the folder's own new SQLite")
    func forgottenDatabase() throws {
        guard Database.Kind.here.contains(.postgres) else { return }
        try withDeskPlace(.postgres, areas: [Paper.migrations]) { place in
            let store = try place.open()
            try store.addPaper("Lease", "four rooms")
            store.close()
            let failure = #expect(throws: Failure.self) {
                try Store.open(home: place.home, areas: place.areas)
            }
            #expect(failure?.code == .conflict)
            #expect(!exists(place.home + "/quire.db"))
            let again = try place.open()
            defer { again.close() }
            #expect(try again.titles() == ["Lease"])
        }
    }

    @Test(
        "Two desks that are mixed up are refused by a sentence that names both", arguments: Database.Kind.here
    )
    func mixedUp(kind: Database.Kind) throws {
        try withDeskPlace(.sqlite, areas: [Paper.migrations]) { other in
            try other.open().close()
            try withDeskPlace(kind, areas: [Paper.migrations]) { place in
                try place.open().close()
                let home: String
                switch kind {
                case .postgres: home = other.home
                case .sqlite:
                    // The database of one in the folder of the other.
                    for ending in ["-wal", "-shm"] { removeFile(other.home + "/quire.db" + ending) }
                    writeFile(other.home + "/quire.db", try #require(readFile(place.home + "/quire.db")))
                    home = other.home
                }
                let failure = #expect(throws: Failure.self) {
                    try Store.open(home: home, database: place.database, areas: place.areas)
                }
                #expect(failure?.message.contains("The folder \(other.home) belongs to the desk ") == true)
                #expect(failure?.message.contains("which was begun in \(place.home)") == true)
                let joined = try Store.open(
                    home: home, database: place.database, areas: place.areas, joining: .sameDesk)
                joined.close()
                // Said once, it counts from then on.
                try Store.open(home: home, database: place.database, areas: place.areas).close()
            }
        }
    }

    @Test("A second server with a folder of its own is refused unless told that the files are shared")
    func secondFolder() throws {
        guard Database.Kind.here.contains(.postgres) else { return }
        try withDeskPlace(.postgres, areas: [Paper.migrations]) { place in
            try place.open().close()
            let second = place.home + "-second"
            let failure = #expect(throws: Failure.self) {
                try Store.open(home: second, database: place.database, areas: place.areas)
            }
            #expect(failure?.message.contains(second) == true)
            #expect(failure?.message.contains(place.home) == true)
            #expect(failure?.message.contains("--same-desk") == true)
            try Store.open(
                home: second, database: place.database, areas: place.areas, joining: .sameDesk
            ).close()
            try Store.open(home: second, database: place.database, areas: place.areas).close()
        }
    }

    @Test(
        "A desk from before there were marks gets one when it is first opened", arguments: Database.Kind.here)
    func older(kind: Database.Kind) throws {
        try withDeskPlace(kind, areas: [Paper.migrations]) { place in
            let store = try place.open()
            try store.addPaper("Lease", "four rooms")
            try store.database.write { connection in
                try connection.run("DROP TABLE desk_mark")
                try connection.run("DELETE FROM migration WHERE name = 'desk mark'")
            }
            store.close()
            removeFile(place.home + "/blobs/.desk")
            let marked = try place.open()
            #expect(try marked.titles() == ["Lease"])
            marked.close()
            #expect(exists(place.home + "/blobs/.desk"))
            try place.open().close()
        }
    }

    @Test(
        "A first start that was cut off between marking the one and the other goes on",
        arguments: Database.Kind.here)
    func cutOff(kind: Database.Kind) throws {
        try withDeskPlace(kind, areas: [Paper.migrations]) { place in
            let store = try place.open()
            try store.addPaper("Lease", "four rooms")
            store.close()
            let mark = try #require(readFile(place.home + "/blobs/.desk"))
            removeFile(place.home + "/blobs/.desk")
            writeFile(place.home + "/blobs/.desk.promised", mark)
            try place.open().close()
            #expect(readFile(place.home + "/blobs/.desk") == mark)
        }
    }

    @Test("A restored desk is another than the one that was saved", arguments: BackupTests.journeys)
    func restored(from: Database.Kind, to: Database.Kind) throws {
        try withDeskPlace(from, areas: [Paper.migrations]) { place in
            let store = try place.open()
            defer { store.close() }
            try store.addPaper("Lease", "four rooms")
            _ = try Backups(store).make(to: place.home + "-backup", madeBy: "1")
            try withDeskPlace(to, areas: [Paper.migrations]) { new in
                _ = try Backups.restore(
                    from: place.home + "-backup", to: new.home, database: new.database, areas: new.areas)
                try new.open().close()
                #expect(readFile(new.home + "/blobs/.desk") != readFile(place.home + "/blobs/.desk"))
                if case .postgres = new.database {
                    #expect(throws: Failure.self) {
                        try Store.open(home: place.home, database: new.database, areas: new.areas)
                    }
                }
            }
        }
    }
}
