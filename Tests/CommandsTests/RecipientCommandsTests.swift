import Bytes
import Glibc
import TestSupport
import Testing
import Work

@testable import Commands

/// What `quire template|recipients|contacts` do beside the straight way through.
@Suite("Forms and people on the command line")
struct RecipientCommandsTests {
    private static let pupils = "child name,class\nAna,5a\nBen,5b\nDia,5c,6,7\nEli\n"

    private func table(_ run: ([String]) -> Said) throws -> String {
        let out = run(["recipients", "export", "a", "-"])
        try #require(out.code == .done, "\(out.error)")
        return out.output.replacing("\r\n", with: "\n")
    }

    // MARK: New editions of a form

    @Test(
        "A new edition of a form says field by field what has moved, and its mapping comes along",
        arguments: Way.allCases)
    func editions(_ way: Way) throws {
        try withDesk(way) { folder, run in
            _ = try python(
                """
                import sys
                from pypdf import PdfWriter
                from pypdf.generic import ArrayObject, FloatObject, NameObject, TextStringObject
                writer = PdfWriter(clone_from=sys.argv[1])
                page, form = writer.pages[0], writer._root_object["/AcroForm"]
                for holder, key in ((page, "/Annots"), (form, "/Fields")):
                    kept = [field for field in holder[key] if field.get_object().get("/T") != "phone"]
                    holder[NameObject(key)] = ArrayObject(kept)
                for field in page["/Annots"]:
                    field = field.get_object()
                    if field.get("/T") == "child name": field[NameObject("/T")] = TextStringObject("pupil")
                    if field.get("/T") == "class":
                        field[NameObject("/Rect")] = ArrayObject(FloatObject(float(v) + 3) for v in field["/Rect"])
                writer.write(sys.argv[2])
                """, [consentForm, folder + "/2027.pdf"])
            let first = try Child("/bin/cp", [consentForm, folder + "/Consent.pdf"]).run()
            #expect(first.succeeded)
            #expect(run(["template", "add", "Consent.pdf"]).code == .done)
            try put("[fields]\nchild name = {name}\nclass = {class}\nphone = {phone}\n", folder + "/a.map")
            #expect(run(["batch", "add", "Trip", "-t", "Consent", "--map", "a.map"]).code == .done)

            let replaced = run(["template", "replace", "Consent", "2027.pdf"])
            #expect(replaced.code == .done, "\(replaced.error)")
            #expect(replaced.output.contains("edition 2 beside 1"))
            #expect(replaced.output.contains("child name → pupil"), "\(replaced.output)")
            #expect(replaced.output.contains("gone: phone"), "\(replaced.output)")
            #expect(replaced.output.contains("mapping “a”: 2 kept, lost: phone"), "\(replaced.output)")
            let compared = run(["template", "editions", "Consent", "--compare", "1"])
            #expect(compared.output.contains("child name → pupil"))
            #expect(run(["template", "editions", "Consent"]).output.contains("2*"))
            #expect(run(["template", "editions", "Consent", "--use", "1"]).output.contains("1*"))
            #expect(run(["template", "editions", "Consent", "--use", "9"]).code == .notFound)
            #expect(run(["template", "editions", "Consent", "--use", "x"]).code == .usage)
        }
    }

    @Test(
        "A kept mapping is listed, read, renamed, taken out as the file that filling reads, removed and brought back"
    )
    func keptMappings() throws {
        try withDesk(.here) { folder, run in
            let first = try Child("/bin/cp", [consentForm, folder + "/Consent.pdf"]).run()
            #expect(first.succeeded)
            #expect(run(["template", "add", "Consent.pdf"]).code == .done)
            #expect(run(["template", "mappings", "Consent"]).output.contains("No mapping"))
            let text = "[fields]\nchild name = {name}\nclass = {class}\n"
            try put(text, folder + "/pupils.map")
            #expect(run(["batch", "add", "Trip", "-t", "Consent", "--map", "pupils.map"]).code == .done)
            #expect(run(["template", "mappings", "Consent"]).output.contains("pupils"))
            #expect(run(["template", "mappings", "Consent", "pupils"]).output == text)
            #expect(run(["template", "mappings", "Consent", "nobody"]).error.contains("There are: pupils"))
            #expect(run(["template", "mappings", "Consent", "--remove"]).code == .usage)
            #expect(run(["template", "mappings", "Consent", "pupils", "--rename", "4b"]).code == .done)
            let out = run(["template", "mappings", "Consent", "4b", "--out", "."])
            #expect(out.code == .done, "\(out.error)")
            try put("name,class\nZoë,5a\n", folder + "/people.csv")
            let filled = run(["fill", "Consent.pdf", "people.csv", "--map", "4b.map", "--out", "papers"])
            #expect(filled.code == .done, "\(filled.error)")
            let removed = run(["template", "mappings", "Consent", "4b", "--remove", "--json"])
            let id = try #require(JSON(parsing: removed.output)["id"]?.string)
            #expect(run(["template", "mappings", "Consent"]).output.contains("No mapping"))
            #expect(run(["template", "mappings", "Consent", id, "--restore"]).output.contains("4b"))
        }
    }

    @Test("Forms also come from the library and from our own; an address that leads nowhere is told")
    func otherSources() throws {
        try withDesk(.here) { folder, run in
            let own = run(["template", "add", "--starter", "certificate"])
            #expect(own.code == .done, "\(own.error)")
            #expect(run(["template", "list"]).output.contains("ertificate"))
            #expect(run(["template", "add", "--starter", "nothing"]).code == .notFound)
            let copied = try Child("/bin/cp", [consentForm, folder + "/Trip.pdf"]).run()
            #expect(copied.succeeded)
            #expect(run(["add", "Trip.pdf"]).code == .done)
            let paper = run(["template", "add", "--paper", "Trip.pdf"])
            #expect(paper.output.contains("“Trip”: 1 page"), "\(paper.error)")
            // Nothing of the own network can be reached by this.
            let inside = run(["template", "add", "http://127.0.0.1:9/form.pdf"])
            #expect(inside.code == .invalid, "\(inside.error)")
            #expect(run(["template", "add"]).code == .usage)
        }
    }

    // MARK: Rows that were set aside, groups

    @Test("A row that was set aside is mended or dropped by its line", arguments: Way.allCases)
    func mending(_ way: Way) throws {
        try withDesk(way) { folder, run in
            try put(Self.pupils, folder + "/a.csv")
            let added = run(["recipients", "add", "a.csv"])
            #expect(added.output.contains("2 rows were set aside"), "\(added.output)")
            let still = run(["recipients", "mend", "a", "4", "Dia,5c,6"])
            #expect(still.code == .invalid)
            #expect(still.error.contains("3 cells"), "\(still.error)")
            let mended = run(["recipients", "mend", "a", "4", "Dia,5c"])
            #expect(mended.output.contains("3 people, 1 row set aside"), "\(mended.output)\(mended.error)")
            #expect(run(["recipients", "mend", "a", "4", "Dia,5c"]).code == .notFound)
            #expect(run(["recipients", "mend", "a", "5"]).code == .usage)
            #expect(run(["recipients", "mend", "a", "5", "--drop"]).output.contains("0 rows set aside"))
            #expect(try table(run).contains("Ben,5b\nDia,5c\n"))
        }
    }

    @Test("A search gets a name, and a batch is made for that group alone")
    func groups() throws {
        try withDesk(.here) { folder, run in
            try put("child name,class\nAna,5a\nBen,5b\nCem,5b\n", folder + "/a.csv")
            #expect(run(["recipients", "add", "a.csv"]).code == .done)
            #expect(run(["recipients", "groups", "a"]).output.contains("No group is saved."))
            let saved = run(["recipients", "groups", "a", "--save", "Bees", "--only", "5b"])
            #expect(saved.output.contains("Bees"), "\(saved.error)")
            let shown = run(["recipients", "show", "a", "--group", "Bees"])
            #expect(shown.output.contains("Cem") && !shown.output.contains("Ana"))
            #expect(run(["recipients", "show", "a", "--group", "Cats"]).error.contains("It has: Bees."))
            let form = try Child("/bin/cp", [consentForm, folder + "/Consent.pdf"]).run()
            #expect(form.succeeded)
            #expect(run(["template", "add", "Consent.pdf"]).code == .done)
            #expect(
                run(["batch", "add", "Trip", "--list", "a", "--audience", "Bees", "-t", "Consent"]).code
                    == .done)
            #expect(run(["batch", "plan", "Trip"]).output.contains("Plan: 2 recipients"))
            #expect(run(["recipients", "groups", "a", "--save", "X"]).code == .usage)
            #expect(run(["recipients", "groups", "a", "--remove", "Bees"]).output.contains("No group"))
        }
    }

    // MARK: Where people come from

    @Test("A table is read as somebody says, not as it was guessed")
    func dialect() throws {
        try withDesk(.here) { folder, run in
            try put("Name;Mail;Other\nAna, Dr.;a@example.org;b@example.org\n", folder + "/a.csv")
            let added = run([
                "recipients", "add", "a.csv", "--separator", ";", "--header-row", "1", "--email", "other",
            ])
            #expect(added.code == .done, "\(added.error)")
            let json = try JSON(parsing: run(["recipients", "show", "a", "--json"]).output)
            #expect(json["recipients"]?[0]?["email"]?.string == "b@example.org")
            let wrong = run(["recipients", "add", "a.csv", "--encoding", "klingon"])
            #expect(wrong.code != .done)
            #expect(run(["recipients", "add", "a.csv", "--email", "phone"]).error.contains("It has: Name"))
            // What could not be read left no list behind.
            #expect(run(["recipients", "list", "--json"]).output.contains("\"count\":1"))
            #expect(
                try JSON(parsing: run(["recipients", "list", "--json"]).output)["lists"]?.array?.count == 1)
        }
    }

    @Test("Letters go to several columns; what is unknown is refused, and what might surprise is told")
    func columns() throws {
        try withDesk(.here) { folder, run in
            try put(
                "Child,Mother,Father,Office\nAna,m@example.org,f@example.org,o@example.org\n",
                folder + "/a.csv")
            let added = run([
                "recipients", "add", "a.csv", "--email", "mother", "--email", "father", "--cc", "Office",
                "--first-name", "Child", "--key", "Child",
            ])
            #expect(added.code == .done, "\(added.error)")
            let json = try JSON(parsing: run(["recipients", "show", "a", "--json"]).output)
            #expect(json["recipients"]?[0]?["name"]?.string == "Ana")
            let unknown = run(["recipients", "add", "a.csv", "--key", "nope"])
            #expect(unknown.error.contains("The table has no column “nope”. It has: Child, Mother"))
            let latin = Array("Name\nJos".utf8) + [0xE9, 10]
            _ = try python(
                "import sys; open(sys.argv[1], 'wb').write(bytes(\(latin)))", [folder + "/old.csv"])
            let old = run(["recipients", "add", "old.csv"])
            #expect(old.error.contains("Read as windows-1252, or say --encoding."), "\(old.error)")
            #expect(run(["recipients", "show", "a", "child=ana", "office:example"]).output.contains("Ana"))
            #expect(run(["recipients", "show", "a", "child!=ana"]).output.contains("Nobody fits"))
            #expect(run(["recipients", "export", "a", "a.ods"]).error.contains("not as .ods"))
            #expect(!run(["recipients", "list", "--trash"]).output.contains("a.csv"))
        }
    }

    @Test("People come out of a database by a query, which cannot change it", arguments: Way.allCases)
    func query(_ way: Way) throws {
        try withDesk(way) { folder, run in
            _ = try python(
                """
                import sys, sqlite3
                base = sqlite3.connect(sys.argv[1])
                base.execute("CREATE TABLE pupil (name TEXT, mail TEXT)")
                base.executemany("INSERT INTO pupil VALUES (?, ?)", [("Ana", "a@example.org"), ("Zoë", "z@example.org")])
                base.commit()
                """, [folder + "/school.db"])
            let sql = "SELECT name, mail FROM pupil ORDER BY name"
            let path = way == .here ? "school.db" : folder + "/school.db"
            let added = run(["recipients", "add", "--from", path, "--query", sql])
            #expect(added.code == .done, "\(added.error)")
            #expect(added.output.contains("2 people"), "\(added.output)")
            #expect(
                run(["recipients", "add", "--from", path, "--query", "DELETE FROM pupil"]).code != .done)
            #expect(run(["recipients", "add", "--query", sql]).code == .usage)
            #expect(run(["recipients", "add"]).code == .usage)
        }
    }

    @Test("Cards become contacts, are found, and come onto a list once", arguments: Way.allCases)
    func contacts(_ way: Way) throws {
        try withDesk(way) { folder, run in
            func card(_ name: String) -> String {
                "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:\(name)\r\nFN:\(name) Lind\r\nEMAIL:\(name.lowercased())@example.org\r\nEND:VCARD\r\n"
            }
            try put(card("Ada") + card("Nora"), folder + "/friends.vcf")
            try put("Name,E-mail\nBo,bo@example.org\n", folder + "/a.csv")
            #expect(run(["contacts", "import", "friends.vcf"]).output == "2 new, 0 changed, 0 as before\n")
            #expect(run(["contacts", "import", "friends.vcf"]).output == "0 new, 0 changed, 2 as before\n")
            let found = run(["contacts", "list", "nora"])
            #expect(found.output.contains("nora@example.org") && !found.output.contains("Ada"))
            #expect(run(["contacts", "list", "nobody"]).output.contains("Nobody fits “nobody”."))
            #expect(run(["recipients", "add", "a.csv"]).code == .done)
            #expect(run(["contacts", "put", "a", "lind"]).output.contains("3 people, 2 new"))
            #expect(run(["contacts", "put", "a"]).output.contains("3 people, 0 new"))
            #expect(try table(run).contains("Ada Lind"))
            #expect(run(["contacts", "put", "a", "nobody"]).code == .notFound)
        }
    }

    @Test("A question is kept as a smart list, named like any list, and asked anew", arguments: Way.allCases)
    func smartLists(_ way: Way) throws {
        try withDesk(way) { _, run in
            #expect(run(["contacts", "new", "Nora", "--tag", "Choir"]).code == .done)
            #expect(run(["contacts", "new", "Bo"]).code == .done)
            let kept = run(["contacts", "list", "--tag", "Choir", "--keep", "Singers"])
            #expect(kept.output.contains("Nora") && !kept.output.contains("Bo"))
            #expect(kept.output.contains("“Singers” is a smart list: 1 person now."))
            #expect(run(["contacts", "edit", "bo", "--tag", "Choir"]).code == .done)
            let lists = run(["recipients", "list"]).output
            #expect(lists.contains("Whoever matches") && lists.contains("Singers") && lists.contains("Choir"))
            let shown = run(["recipients", "show", "Singers"]).output
            #expect(shown.contains("Nora") && shown.contains("Bo"))
            let asked = try JSON(
                parsing: run(["contacts", "list", "nora", "--keep", "Singers", "--json"]).output)
            #expect(asked["list"]?["question"] == ["words": "nora", "tag": "", "due": "any"])
            #expect(asked["list"]?["count"] == 1)
            #expect(run(["contacts", "list", "--keep", "All"]).error.contains("Say whom the list is for"))
            #expect(run(["contacts", "list", "--due", "never"]).code != .done)
            #expect(run(["recipients", "remove", "Singers"]).code == .done)
            #expect(run(["recipients", "restore", "Singers"]).code == .done)
            #expect(run(["recipients", "show", "Singers"]).output.contains("Nora"))
        }
    }

    @Test("Whom to get back to is said with an edit, shown, moved on and taken back", arguments: Way.allCases)
    func followUps(_ way: Way) throws {
        try withDesk(way) { _, run in
            #expect(run(["contacts", "new", "Nora"]).code == .done)
            #expect(run(["contacts", "due"]).output == "There is nobody to get back to this week.\n")
            #expect(run(["contacts", "edit", "nora", "--about", "hall"]).code != .done)
            #expect(run(["contacts", "edit", "nora", "--follow-up", "soon"]).code != .done)
            #expect(run(["contacts", "edit", "nora", "--follow-up", "done", "--about", "x"]).code == .usage)
            let planned = run([
                "contacts", "edit", "nora", "--follow-up", "2020-01-31", "--every", "month", "--about",
                "hall",
            ])
            #expect(planned.output.contains("2020-01-31 · every month · hall"))
            let due = run(["contacts", "due"]).output
            #expect(due.contains("overdue") && due.contains("Nora") && due.contains("hall"))
            #expect(run(["contacts", "edit", "nora", "--about", "tea"]).output.contains("every month · tea"))
            #expect(run(["contacts", "edit", "nora", "--follow-up", "done"]).code == .done)
            let next = try JSON(parsing: run(["contacts", "due", "--all", "--json"]).output)
            #expect(next["overdue"]?.array?.isEmpty == true)
            #expect(run(["contacts", "undo"]).code == .done)
            #expect(run(["contacts", "due"]).output.contains("2020-01-31"))
            #expect(run(["contacts", "edit", "nora", "--follow-up", "none"]).code == .done)
            #expect(
                run(["contacts", "due", "--all"]).output == "There is nobody to get back to this week.\n")
        }
    }

    @Test(
        "An import says what it left out, is taken back, and contacts come out as they came",
        arguments: Way.allCases)
    func contactsThere(_ way: Way) throws {
        try withDesk(way) { folder, run in
            let ada =
                "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:L=C3=ADnd;Ada\nX-ODD:a;b\nEND:VCARD\n"
            let bo = "BEGIN:VCARD\nVERSION:3.0\nFN:Bo Lind\nTEL:1\nEND:VCARD\n"
            let empty = "BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n"
            try put(ada, folder + "/a.vcf")
            try put(bo + empty, folder + "/b.vcf")
            #expect(run(["contacts", "undo"]).code == .notFound)
            let both = run(["contacts", "import", "a.vcf", "b.vcf"])
            #expect(both.output == "2 new, 0 changed, 0 as before, 1 left out\n")
            #expect(both.error.contains("Line 6: The card says nothing."), "\(both.error)")
            #expect(run(["contacts", "show", "bo"]).output.contains("Bo Lind"))
            #expect(run(["contacts", "show", "lind"]).code == .conflict)
            #expect(run(["contacts", "show", "nobody here"]).code == .notFound)
            #expect(run(["contacts", "export", "-", "--only", "ada"]).output == ada)
            #expect(run(["contacts", "export", "--as", "jscontact"]).output.contains("contacts.json"))
            #expect(run(["contacts", "export", "-", "--as", "jcard"]).output.contains("Ada Línd"))
            #expect(run(["contacts", "export", "-", "--as", "csv"]).output.contains("Bo Lind"))
            #expect(run(["contacts", "export", "-", "--as", "paper"]).code == .usage)
            #expect(run(["contacts", "undo", "--list"]).output.contains("b.vcf"))
            #expect(run(["contacts", "undo"]).output == "1 gone, 0 as before\n")
            #expect(run(["contacts", "list"]).output.contains("Ada Línd"))
            #expect(run(["contacts", "undo"]).output == "1 gone, 0 as before\n")
            #expect(run(["contacts", "undo"]).code == .notFound)
            // What the desk wrote comes in again as it is.
            #expect(run(["contacts", "import", "contacts.json"]).output == "2 new, 0 changed, 0 as before\n")
            #expect(run(["contacts", "import", "contacts.json"]).output == "0 new, 0 changed, 2 as before\n")
        }
    }

    @Test(
        "People are written down, changed, made one and taken out, and each of it is taken back",
        arguments: Way.allCases)
    func contactsByHand(_ way: Way) throws {
        try withDesk(way) { _, run in
            let made = run(["contacts", "new", "Nora", "--family", "Lind", "--phone", "cell:+1 514 555 0100"])
            #expect(made.output.contains("Nora Lind"), "\(made.error)")
            #expect(
                run(["contacts", "new", "Nora Lind", "--email", "nora@example.org", "--note", "Alto"]).code
                    == .done)
            #expect(run(["contacts", "edit", "0100"]).code == .usage)
            let edited = run([
                "contacts", "edit", "5145550100", "--tag", "Choir", "--email", "work:nora@lind.example",
                "--met-at", "the fair",
                "--birthday", "1990-04-15", "--city", "Laval",
            ])
            for said in ["Choir", "nora@lind.example", "the fair", "1990-04-15", "Laval"] {
                #expect(edited.output.contains(said), "\(said): \(edited.error)")
            }
            #expect(run(["contacts", "edit", "5145550100", "--remove", "nobody"]).code == .notFound)
            let removed = run(["contacts", "edit", "5145550100", "--remove", "nora@lind.example"])
            #expect(!removed.output.contains("nora@lind.example"))
            #expect(
                run(["contacts", "edit", "5145550100", "--phone", "call me"]).error.contains(
                    "no telephone number"))
            #expect(run(["contacts", "doubles"]).output.contains("same name"))
            #expect(
                run(["contacts", "merge", "choir", "alto", "--look"]).output.contains("nora@example.org"))
            #expect(run(["contacts", "merge", "choir", "alto", "--take", "note"]).code == .invalid)
            let merged = run(["contacts", "merge", "choir", "alto"])
            #expect(
                merged.output.contains("Alto") && merged.output.contains("nora@example.org"),
                "\(merged.error)")
            #expect(run(["contacts", "undo"]).output == "0 gone, 2 as before\n")
            #expect(run(["contacts", "remove", "alto"]).output == "“Nora Lind” is taken out.\n")
            #expect(run(["contacts", "list"]).output.split(separator: "\n").count == 2)
            #expect(run(["contacts", "undo"]).output == "0 gone, 1 as before\n")
        }
    }

    @Test(
        "An address book on a server is followed, fetched again, and forgotten",
        .enabled(if: Peer.has("radicale"), "the Python package Radicale is not installed (bin/setup --check)")
    )
    func addressBook() throws {
        try withScratchFolder { cards in
            let book = "\(cards)/collection-root/ana/friends"
            for path in ["\(cards)/collection-root", "\(cards)/collection-root/ana", book] {
                mkdir(path, 0o700)
            }
            try put(
                "{\"tag\": \"VADDRESSBOOK\", \"D:displayname\": \"Friends\"}", "\(book)/.Radicale.props")
            try put(
                "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a\r\nFN:Ana\r\nN:;Ana;;;\r\nEND:VCARD\r\n", "\(book)/a.vcf"
            )
            let peer = try Peer("carddav.py", [cards])
            try withExtendedLifetime(peer) {
                try withScratchFolder { folder in
                    func run(_ words: [String], _ answers: [String] = []) -> Said {
                        quire(
                            words, home: folder, environment: ["QUIRE_HOME": folder + "/desk"],
                            answers: answers)
                    }
                    let followed = run(["contacts", "follow", peer.url, "--user", "ana"], ["geheim"])
                    #expect(followed.code == .done, "\(followed.error)")
                    #expect(followed.output.contains("Friends"), "\(followed.output)")
                    #expect(run(["contacts", "list"]).output.contains("Ana"))
                    #expect(run(["contacts", "pull", "Friends"]).code == .done)
                    #expect(run(["contacts", "books"]).output.contains("Friends"))
                    #expect(run(["contacts", "forget", "Friends"]).output.contains("is forgotten"))
                    #expect(run(["contacts", "list"]).output.contains("There are no contacts."))
                    #expect(run(["contacts", "pull", "Friends"]).code == .notFound)
                }
            }
        }
    }

    @Test(
        "Groups are told with how many are in them, an empty one too, and go with a way back",
        arguments: Way.allCases)
    func groups(_ way: Way) throws {
        try withDesk(way) { folder, run in
            #expect(run(["contacts", "import"]).code == .usage)
            try put(
                """
                BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a-1\r\nFN:Ana\r\nEND:VCARD\r
                BEGIN:VCARD\r\nVERSION:4.0\r\nUID:g-1\r\nKIND:group\r\nFN:Choir\r\nEND:VCARD\r\n
                """, folder + "/all.vcf")
            #expect(run(["contacts", "import", "all.vcf"]).code == .done)
            #expect(run(["contacts", "groups"]).output.contains("Choir       0         0"))
            #expect(
                run(["contacts", "groups", "--remove", "Choir"]).output == "The group “Choir” is taken out.\n"
            )
            #expect(run(["contacts", "groups"]).output == "There are no groups.\n")
            #expect(run(["contacts", "groups", "--remove", "Choir"]).code == .notFound)
            #expect(run(["contacts", "undo"]).code == .done)
            #expect(run(["contacts", "edit", "Ana", "--tag", "Choir"]).code == .done)
            #expect(run(["contacts", "groups", "--json"]).output.contains("\"count\":1"))
        }
    }

    // MARK: What packets say about themselves

    @Test("Packets say what they are about, by formulas")
    func metadata() throws {
        try withDesk(.here) { folder, run in
            let form = try Child("/bin/cp", [consentForm, folder + "/Consent.pdf"]).run()
            #expect(form.succeeded)
            try put("child name,class\nAna,5a\n", folder + "/a.csv")
            #expect(run(["template", "add", "Consent.pdf"]).code == .done)
            #expect(run(["recipients", "add", "a.csv"]).code == .done)
            let added = run([
                "batch", "add", "Trip", "--list", "a", "-t", "Consent", "--name", "one",
                "--title", "\"Consent of \" & {child name}", "--author", "\"The school\"",
            ])
            #expect(added.code == .done, "\(added.error)")
            #expect(run(["batch", "plan", "Trip"]).code == .done)
            #expect(run(["batch", "fill", "Trip"]).code == .done)
            #expect(run(["batch", "export", "Trip", "--out", "out", "--flat"]).code == .done)
            let said = run(["info", "out/one.pdf"])
            #expect(said.output.contains("Consent of Ana"), "\(said.output)\(said.error)")
            #expect(said.output.contains("The school"))
        }
    }

    @Test("a look at a long table compares all of it, and so does what is told when it is in")
    func longTable() throws {
        try withDesk(.here) { folder, run in
            let long = String(repeating: "x", count: 700)
            func rows(_ numbers: ClosedRange<Int>) -> String {
                "Id,Name\n" + numbers.map { "\($0),\(long)\n" }.joined()
            }
            try put(rows(1...10_000), "\(folder)/all.csv")
            #expect(run(["recipients", "add", "\(folder)/all.csv"]).output.contains("10000 people"))
            let same = run(["recipients", "add", "\(folder)/all.csv", "--to", "all", "--look"]).output
            #expect(same == "  all.csv: 10000 as before\n")
            try put(rows(3...10_001), "\(folder)/all.csv")
            let look = run(["recipients", "add", "\(folder)/all.csv", "--to", "all", "--look"]).output
            #expect(look.hasPrefix("  all.csv: 1 new, 2 gone, 9998 as before\n"), "\(look)")
            let brought = run(["recipients", "add", "\(folder)/all.csv", "--to", "all"]).output
            #expect(brought.contains("all.csv: 1 new, 2 gone, 9998 as before"), "\(brought)")
        }
    }
}
