import App
import Bytes
import Glibc
import HTTP
import SQL
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("People out of a database")
struct DatabasesTests {
    /// A school's database in a folder that the host has opened, and one that it has not.
    private func desk<R>(_ body: (Desk, Browser, _ opened: String, _ other: String) throws -> R) throws -> R {
        try withScratchFolder { folder in
            for name in ["opened", "other"] {
                mkdir("\(folder)/\(name)", 0o700)
                let database = try Database.sqlite(at: "\(folder)/\(name)/school.db")
                try database.write { db in
                    try db.script("CREATE TABLE pupil (name TEXT)")
                    try db.run("INSERT INTO pupil VALUES ('Ana'), ('Zoë')")
                }
                database.close()
            }
            return try withDesk(flags: ["reachable-folders": "\(folder)/opened"]) { desk throws in
                let ada = desk.browser()
                try ada.becomeOwner()
                return try body(desk, ada, "\(folder)/opened", "\(folder)/other")
            }
        }
    }

    private func ask(
        _ who: Browser, _ database: String, _ query: String = "SELECT name FROM pupil"
    ) throws -> Response {
        try who.fetch(.post, "/lists", json: ["database": .string(database), "query": .string(query)])
    }

    @Test("come from where the host has opened a folder, and from nowhere else")
    func opened() throws {
        try desk { desk, ada, opened, other in
            #expect(try ask(ada, "\(opened)/school.db").status == .created)
            for path in [
                "\(other)/school.db", "\(opened)/../other/school.db", "/etc/passwd", "\(other)/nothing.db",
                "school.db",
            ] {
                let answer = try ask(ada, path)
                #expect(
                    answer.status.isError && answer.json["field"] == "database", "\(path): \(answer.text)")
            }
            // Nobody learns by the answer what there is on the machine.
            let there = try ask(ada, "\(other)/school.db").json["detail"]?.string?.replacing(
                "school", with: "…")
            let missing = try ask(ada, "\(other)/nothing.db").json["detail"]?.string?.replacing(
                "nothing", with: "…")
            #expect(there == missing)
            symlink("\(other)/school.db", "\(opened)/link.db")
            #expect(try ask(ada, "\(opened)/link.db").status == .forbidden)
            // Whoever is at the machine reads it without us.
            let here = try desk.command(
                .post, "/lists",
                json: ["database": .string("\(other)/school.db"), "query": "SELECT name FROM pupil"])
            #expect(here.status == .created, "\(here.text)")
        }
    }

    @Test("never come out of a desk: not by its path, not by a link to it, not out of a copy")
    func itself() throws {
        try desk { desk, ada, opened, _ in
            let own = desk.quire.store.home.database
            let query = "SELECT * FROM member"
            #expect(try ask(ada, own, query).status == .forbidden)
            symlink(own, "\(opened)/desk.db")
            symlink(desk.quire.store.home.path, "\(opened)/home")
            try desk.quire.store.database.backup(to: "\(opened)/copy.db")
            link(own, "\(opened)/hard.db")
            for path in [
                "\(opened)/desk.db", "\(opened)/home/quire.db", "\(opened)/copy.db", "\(opened)/hard.db",
                "/proc/self/root\(own)",
            ] {
                let answer = try ask(ada, path, query)
                #expect(answer.status.isError, "\(path): \(answer.text)")
                #expect(!answer.text.contains("argon2") && !answer.text.contains("Ada"))
            }
            let here = try desk.command(
                .post, "/lists", json: ["database": .string(own), "query": .string(query)])
            #expect(here.status == .forbidden)
            #expect(try ada.fetch(.get, "/lists").json["lists"] == [])
        }
    }
}
