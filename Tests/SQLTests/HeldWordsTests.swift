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
            ("The lease, of Zoë.", "lease of zoe", false, true), ("The\nLEASE", "the le", true, true),
            ("東京都", "京 都", false, true),
            ("", "lease", true, false), ("–", "lease", true, false), ("lease", "", true, false),
        ])
    func examples(text: String, words: String, isOpen: Bool, holds: Bool) throws {
        try withDatabase(.sqlite) { database in
            let count = try held([(words, isOpen)], in: text, database)
            #expect(count == (holds ? 1 : 0))
        }
    }

    @Test("Of several, it is said how many the text has")
    func several() throws {
        try withDatabase(.sqlite) { database in
            let text = "The lease of Zoë, signed in Zürich"
            #expect(try held([("lease", false), ("zur", true), ("zur", false)], in: text, database) == 2)
            #expect(try held([("of zoe", false), ("signed in", false)], in: text, database) == 2)
            #expect(try held([("bill", true), ("zoe of", true)], in: text, database) == 0)
            let row = try database.read { try $0.row("SELECT held_words(NULL, 'lease', 1) AS n") }
            #expect(try row?.int("n") == 0)
            for question in [
                "held_words()", "held_words('a')", "held_words('a', 'a')", "held_words('a', 'a', 0, 'b')",
            ] {
                let code = code {
                    try database.read { _ = try $0.rows(Query(raw: "SELECT \(question) AS n")) }
                }
                #expect(code != nil, "\(question)")
            }
        }
    }

    @Test("It is what `instr` says of the folded text between blanks")
    func fuzz() throws {
        let chance = Chance.seeded(26)
        func words(_ letters: [String], _ parts: [String], atMost count: Int) -> String {
            (0...chance.integer(below: count)).map { _ in
                (0...chance.integer(below: 3)).map { _ in letters[chance.integer(below: letters.count)] }
                    .joined()
                    + parts[chance.integer(below: parts.count)]
            }.joined()
        }
        try withDatabase(.sqlite) { database in
            for _ in 0..<2_000 {
                let text = words(["a", "B", "É", "e", "京", "ж"], [" ", ", ", "\n", " – "], atMost: 12)
                let wanted = String(words(["a", "b", "e", "ж"], [" "], atMost: 2).dropLast())
                let isOpen = chance.integer(below: 2) == 0
                let said = try database.read { db in
                    try db.row(
                        """
                        SELECT instr(' ' || folded_words(\(text)) || ' ', ' ' || \(wanted) || \(isOpen ? "" : " ")) > 0 AS n
                        """)
                }
                #expect(try held([(wanted, isOpen)], in: text, database) == said?.int("n"))
            }
        }
    }

    @Test(
        "A text holds pieces wherever they stand in it, byte by byte",
        arguments: [
            ("ana ruiz", "ana", true), ("ana ruiz", "a r", true), ("ana ruiz", "ruiz", true),
            ("ana ruiz", "z", true), ("ana ruiz", "Ruiz", false), ("ana ruiz", "ana ruiz ", false),
            ("ana ruiz", "", true), ("", "", true), ("", "a", false), ("100%_", "%_", true),
            ("100 of them", "%", false), ("東京都", "京", true),
            ("a text that is longer than sixteen bytes", "sixteen bytes", true),
            ("a text that is longer than sixteen bytes", "sixteen bites", false),
        ])
    func pieces(text: String, piece: String, holds: Bool) throws {
        try withDatabase(.sqlite) { database in
            let row = try database.read { try $0.row("SELECT held_pieces(\(text), \(piece)) AS n") }
            #expect(try row?.bool("n") == holds)
        }
    }

    @Test("It holds all of several pieces as `instr` finds each")
    func piecesFuzz() throws {
        let chance = Chance.seeded(27)
        func letters(atMost count: Int) -> String {
            String(
                (0..<chance.integer(below: count + 1)).map { _ in
                    Character(["a", "b", "é"][chance.integer(below: 3)])
                })
        }
        try withDatabase(.sqlite) { database in
            for _ in 0..<2_000 {
                let (text, first, second) = (letters(atMost: 60), letters(atMost: 5), letters(atMost: 20))
                let row = try database.read { db in
                    try db.row(
                        """
                        SELECT held_pieces(\(text), \(first), \(second)) AS ours,
                            instr(\(text), \(first)) > 0 AND instr(\(text), \(second)) > 0 AS said
                        """)
                }
                #expect(try row?.bool("ours") == row?.bool("said"), "\(text) \(first) \(second)")
            }
            let nothing = try database.read { try $0.row("SELECT held_pieces(NULL, 'a') AS n") }
            #expect(try nothing?.bool("n") == false)
            #expect(
                code { try database.read { _ = try $0.rows("SELECT held_pieces('a') AS n") } } != nil)
        }
    }

    @Test("A text is folded to its words, and what is no text stays none")
    func folded() throws {
        try withDatabase(.sqlite) { database in
            let long = String(repeating: "Größe 東京, ", count: 50_000)
            let row = try database.read { db in
                try db.row(
                    """
                    SELECT folded_words('The LEASE, of Zoë.') AS some, folded_words('') AS empty, folded_words(NULL) AS none,
                        folded_words(\(long)) AS long
                    """)
            }
            #expect(try row?.text("some") == "the lease of zoe")
            #expect(try row?.text("empty") == "")
            #expect(try row?.optionalText("none") == nil)
            let words = String(repeating: "grose 東 京 ", count: 50_000)
            #expect(try row?.text("long") == String(words.dropLast()))
        }
    }

    @Test(
        "Nothing that is kept in the file may ask so, as other programs could not read it then",
        arguments: ["held_words('a', 'a', 0)", "folded_words('a')", "held_pieces('a', 'a')"])
    func kept(question: String) throws {
        try withDatabase(.sqlite) { database in
            let code = code {
                try database.write { db in
                    try db.run(Query(raw: "CREATE VIEW held AS SELECT \(question) AS n"))
                    _ = try db.rows("SELECT n FROM held")
                }
            }
            #expect(code != nil)
        }
    }

    private func held(_ words: [(String, Bool)], in text: String, _ database: Database) throws -> Int? {
        let each = words.map { ", \($0.0), \($0.1)" as Query }.joined(separator: "")
        return try database.read { try $0.row("SELECT held_words(\(text)\(each)) AS n") }?.int("n")
    }
}
