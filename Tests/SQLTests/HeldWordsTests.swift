import SQL
import TestSupport
import Testing
import Work

@Suite("Words in a text, as SQLite is asked")
struct HeldWordsTests {
    @Test(
        "Whole words stand behind each other, the last goes on where it may, and a word's middle is none",
        arguments: [
            ("the lease of zoe", "lease", false, true), ("the lease of zoe", "lea", false, false),
            ("the lease of zoe", "lea", true, true), ("the lease of zoe", "ease", true, false),
            ("the lease of zoe", "the lease", false, true), ("the lease of zoe", "the le", true, true),
            ("the lease of zoe", "lease the", true, false), ("the lease of zoe", "zoe", false, true),
            ("the lease of zoe", "zoey", true, false), ("release lease", "lease", false, true),
            ("lease", "lease", false, true), ("leases lease", "lease", false, true),
            ("東 京 都", "京 都", false, true),
            ("", "lease", true, false), ("lease", "", true, false),
        ])
    func examples(text: String, words: String, isOpen: Bool, holds: Bool) throws {
        try withDatabase(.sqlite) { database in
            let held = try holdsWords(text, words, isOpen, in: database)
            #expect(held == holds)
        }
    }

    @Test("It is what `instr` says of the text between blanks")
    func fuzz() throws {
        let chance = Chance.seeded(26)
        func words(atMost count: Int) -> String {
            (0...chance.integer(below: count)).map { _ in
                (0...chance.integer(below: 3)).map { _ in ["a", "b", "é"][chance.integer(below: 3)] }.joined()
            }.joined(separator: " ")
        }
        try withDatabase(.sqlite) { database in
            for _ in 0..<2_000 {
                let (text, wanted, isOpen) = (
                    words(atMost: 12), words(atMost: 2), chance.integer(below: 2) == 0
                )
                let said = try database.read { db in
                    try db.row(
                        "SELECT instr(' ' || \(text) || ' ', ' ' || \(wanted) || \(isOpen ? "" : " ")) > 0 AS n"
                    )
                }
                #expect(try holdsWords(text, wanted, isOpen, in: database) == (said?.int("n") == 1))
            }
        }
    }

    @Test("Nothing that is kept in the file may ask so, as other programs could not read it then")
    func kept() throws {
        try withDatabase(.sqlite) { database in
            let code = code {
                try database.write { db in
                    try db.run("CREATE VIEW held AS SELECT holds_words('a', 'a', 0) AS n")
                    _ = try db.rows("SELECT n FROM held")
                }
            }
            #expect(code != nil)
        }
    }

    private func holdsWords(
        _ text: String, _ words: String, _ isOpen: Bool, in database: Database
    ) throws -> Bool {
        let row = try database.read { try $0.row("SELECT holds_words(\(text), \(words), \(isOpen)) AS n") }
        return try row?.int("n") == 1
    }
}
