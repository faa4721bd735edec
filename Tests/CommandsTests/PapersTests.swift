import Access
import App
import Bytes
import Glibc
import HTTPServer
import Storage
import TestSupport
import Testing
import Web
import Work

@testable import Commands

@Suite struct PapersTests {
    private func put(_ text: String, _ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = Array(text.utf8)
        #expect(write(file, bytes, bytes.count) == bytes.count)
    }

    private func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    @Test(
        "papers go in once, are found, renamed, binned, brought back, and come out as they were",
        arguments: Way.allCases)
    func life(_ way: Way) throws {
        try withDesk(way) { folder, run in
            try put("Dear Ana", folder + "/letter.txt")
            try put("name,town\nBen,Oakbridge\n", folder + "/Grüße & co.csv")
            mkdir(folder + "/more", 0o700)
            try put("one", folder + "/more/one.txt")
            try put("hidden", folder + "/more/.hidden")

            let first = run(["add", "letter.txt", "Grüße & co.csv", "more"])
            #expect(first.code == .done, "\(first.error)")
            #expect(first.output.contains("3 papers are new"))
            #expect(first.error.contains("Next: "))
            let again = run(["add", "letter.txt", "--json"])
            #expect(try JSON(parsing: again.output)["alreadyThere"]?[0]?["name"]?.string == "letter.txt")

            #expect(run(["list", "--order", "name"]).output.contains("Grüße & co.csv"))
            #expect(try JSON(parsing: run(["list", "grüße", "--json"]).output)["count"]?.int == 1)
            #expect(run(["find", "grüße"]).output.contains("Grüße & co.csv"))
            #expect(run(["find", "nowhere"]).error.contains("Nothing has “nowhere” in it."))
            #expect(run(["list", "nowhere"]).error.contains("No paper has “nowhere” in its name."))
            let shown = run(["show", "Grüße & co.csv"]).output
            #expect(shown.contains("text/csv"))
            // Over the network it was a program with a token that brought it.
            #expect(
                shown.contains("Came by     an app, or a program with a token") == (way == .remote),
                "\(shown)")

            #expect(run(["rename", "letter.txt", "to-ana.txt"]).code == .done)
            #expect(run(["get", "to-ana.txt"]).code == .done)
            #expect(text(folder + "/to-ana.txt") == "Dear Ana")
            #expect(run(["get", "to-ana.txt"]).code == .conflict)
            #expect(run(["get", "to-ana.txt", "copy.txt"]).output == folder + "/copy.txt\n")

            #expect(run(["trash", "to-ana.txt", "one.txt"]).code == .done)
            #expect(run(["list"]).output.contains("one.txt") == false)
            #expect(run(["list", "--trash"]).output.contains("to-ana.txt"))
            #expect(run(["restore-from-trash", "to-ana.txt"]).code == .done)
            #expect(try JSON(parsing: run(["list", "--json"]).output)["count"]?.int == 2)
        }
    }

    @Test("what failed on the desk is said in the language of the locale", arguments: Way.allCases)
    func inTheReadersLanguage(_ way: Way) throws {
        let sentences = [
            "C.UTF-8": "“tomorrow” is no day; write it as 2026-11-21.",
            "fr_CA.UTF-8": "«\u{A0}tomorrow\u{A0}» n’est pas une date; écrivez-la ainsi\u{A0}: 2026-11-21.",
            "es_ES@euro": "“tomorrow” no es una fecha; escríbela así: 2026-11-21.",
        ]
        for (locale, sentence) in sentences {
            try withDesk(way, locale: locale) { folder, run in
                try put("42", folder + "/bill.txt")
                #expect(run(["add", "bill.txt"]).code == .done)
                #expect(run(["label", "bill.txt", "--day", "tomorrow"]).error.contains(sentence))
            }
        }
    }

    @Test("papers are laid into folders and wear tags, and are listed by them", arguments: Way.allCases)
    func filing(_ way: Way) throws {
        try withDesk(way) { folder, run in
            try put("Dear Ana", folder + "/letter.txt")
            try put("42", folder + "/bill.txt")
            #expect(run(["add", "bill.txt"]).code == .done)
            #expect(run(["folder", "list"]).output.contains("There are no folders."))
            #expect(run(["tag"]).output.contains("No paper wears a tag."))
            #expect(run(["add", "letter.txt", "--into", "Home/Letters"]).code == .done)
            #expect(run(["list", "--in", "home/letters"]).output.contains("letter.txt"))
            #expect(run(["list", "--in", "/"]).output.contains("letter.txt") == false)

            #expect(run(["move", "bill.txt", "Bills"]).code == .notFound)
            #expect(run(["move", "bill.txt", "Bills", "--make"]).output.contains("lies in Bills now"))
            #expect(run(["tag", "bill.txt", "letter.txt", "--add", "2026", "--add", "open"]).code == .done)
            #expect(run(["tag", "letter.txt", "--remove", "OPEN"]).output.contains("wears 2026."))
            #expect(run(["tag"]).output.contains("open"))
            #expect(
                run(["tag", "--change", "open", "--name", "to pay", "--colour", "red"]).output
                    == "“to pay” is red, on 1 paper.\n")
            #expect(run(["tag", "--change", "2026", "--colour", "plaid"]).code == .usage)
            #expect(run(["tag"]).output.contains("red"))
            #expect(run(["tag", "--change", "to pay", "--name", "open"]).output.contains("is red"))
            #expect(run(["list", "--tag", "open"]).output.contains("letter.txt") == false)
            #expect(run(["find", "tag:2026 in:bills"]).output.contains("bill.txt"))
            #expect(run(["show", "bill.txt"]).output.contains("2026, open"))

            #expect(run(["folder", "rename", "Bills", "Invoices"]).output == "Bills is Invoices now.\n")
            #expect(run(["folder", "move", "Invoices", "Home"]).output.contains("Home/Invoices"))
            #expect(run(["folder", "move", "Home", "Home/Letters"]).code == .conflict)
            let gone = run(["folder", "trash", "Home"])
            #expect(gone.output.contains("with 2 papers"))
            #expect(run(["list"]).output == "")
            let id = try #require(gone.error.split(separator: " ").last).filter { !$0.isNewline }
            #expect(run(["folder", "restore", id]).output == "Home is back.\n")
            #expect(run(["list", "--in", "Home/Invoices"]).output.contains("bill.txt"))
            #expect(run(["move", "bill.txt", "/"]).output.contains("lies on the desk itself now"))
        }
    }

    @Test(
        "a folder comes as a folder, with those in it; what lies where one is comes without",
        arguments: Way.allCases)
    func wholeFolders(_ way: Way) throws {
        try withDesk(way) { folder, run in
            for path in ["/Post", "/Post/Größe & Co", "/Post/.hidden"] { mkdir(folder + path, 0o700) }
            try put("one", folder + "/Post/one.txt")
            try put("two", folder + "/Post/Größe & Co/two.txt")
            try put("three", folder + "/Post/.hidden/three.txt")
            try put(
                "Subject: a\r\nMIME-Version: 1.0\r\nFrom: b@c.example\r\n\r\nd", folder + "/Post/four.eml")
            let added = run(["add", "Post/", "--into", "In"])
            #expect(added.output.contains("3 papers are new"), "\(added.error)")
            #expect(added.output.contains("four.eml  mail"))
            #expect(run(["list", "--in", "In/Post"]).output.contains("one.txt"))
            #expect(run(["list", "--in", "In/Post/Größe & Co"]).output.contains("two.txt"))
            try put("five", folder + "/Post/five.txt")
            #expect(run(["add", "Post/."]).output.contains("five.txt"))
            #expect(run(["list", "--in", "/"]).output.contains("five.txt"))
            // What was there already makes no folders once more.
            #expect(
                try JSON(parsing: run(["folder", "list", "--json"]).output)["folders"]?.array?.count == 3)
        }
    }

    @Test("papers are labelled, held, filed by rules and compared by what they say", arguments: Way.allCases)
    func labels(_ way: Way) throws {
        try withDesk(way) { folder, run in
            try put("Invoice 7 of 2026-03-01, landlord deposit", folder + "/bill.txt")
            try put("The landlord wants the deposit", folder + "/letter.txt")
            #expect(run(["add", "bill.txt", "letter.txt"]).code == .done)
            #expect(run(["field", "list"]).output.contains("There are no fields."))
            #expect(run(["field", "add", "amount", "--kind", "number"]).code == .done)
            let label = [
                "label", "bill.txt", "--day", "2026-03-01", "--person", "Ben", "--field", "amount=12,50",
            ]
            #expect(run(label).output == "“bill.txt” is labelled.\n")
            #expect(run(["find", "amount>12", "person:ben"]).output.contains("bill.txt"))
            // What papers say, a server reads in its own time.
            if way == .here {
                #expect(run(["find", "landlrod"]).error.contains("Did you mean"))
                #expect(run(["find", "--like", "letter.txt"]).output.contains("bill.txt"))
            }
            #expect(run(["find"]).code == .usage)

            #expect(run(["rule", "add", "Bills", "--pattern", "b?ll*", "--tag", "bill"]).code == .done)
            #expect(run(["rule", "run", "Bills"]).output == "1 suggestion.\n")
            #expect(run(["suggestions"]).output.contains("tagged  bill"))
            #expect(run(["suggestions", "--take"]).output == "1 suggestion: done.\n")
            #expect(run(["list", "--tag", "bill"]).output.contains("bill.txt"))
            #expect(run(["suggestions", "--undo"]).output == "1 suggestion: undone.\n")
            #expect(run(["list", "--tag", "bill"]).output.contains("bill.txt") == false)
            #expect(run(["rule", "remove", "bills"]).code == .done)

            #expect(run(["hold", "bill.txt"]).code == .usage)
            #expect(run(["hold", "bill.txt", "--because", "case 17"]).code == .done)
            #expect(run(["trash", "bill.txt"]).code == .conflict)
            #expect(run(["release", "bill.txt"]).code == .done)
            #expect(run(["empty-trash"]).code == .usage)
            #expect(run(["empty-trash", "--yes"]).output == "Gone for good: 0.\n")
            #expect(run(["retention", "add", "Taxes", "--tag", "tax", "--years", "10"]).code == .done)
            #expect(run(["retention", "list"]).output.contains("120"))
            #expect(run(["activity", "bill.txt"]).output.contains("document.held"))
            #expect(run(["unpack", "bill.txt"]).code == .unsupported)
        }
    }

    @Test("a paper is replaced, compared with what it was, and brought back", arguments: Way.allCases)
    func versions(_ way: Way) throws {
        try withDesk(way) { folder, run in
            try put("Dear Ana,\nthe rent is 500.", folder + "/lease.txt")
            try put("Dear Ana,\nthe rent is 650.", folder + "/new.txt")
            #expect(run(["add", "lease.txt"]).code == .done)
            let replaced = run(["replace", "lease.txt", "new.txt", "--note", "dearer"])
            #expect(replaced.output == "“lease.txt” is version 2 now.\n", "\(replaced.error)")
            #expect(run(["replace", "lease.txt", "new.txt"]).output.contains("nothing was changed"))
            let versions = try JSON(parsing: run(["versions", "lease.txt", "--json"]).output)["versions"]
            #expect(versions?.array?.map { $0["number"]?.int } == [2, 1])
            #expect(versions?[0]?["note"]?.string == "dearer")
            #expect(
                run(["changes", "lease.txt"]).output
                    == "  Dear Ana,\n- the rent is 500.\n+ the rent is 650.\n")
            #expect(run(["get", "lease.txt", "old.txt", "--number", "1"]).code == .done)
            #expect(text(folder + "/old.txt") == "Dear Ana,\nthe rent is 500.")
            #expect(run(["get", "lease.txt", "none.txt", "--number", "7"]).code == .notFound)
            #expect(run(["bring-back", "lease.txt", "1"]).output.contains("that is version 3 now"))
            #expect(run(["changes", "lease.txt", "--from", "1"]).error.contains("word for word"))
            #expect(run(["bring-back", "lease.txt", "zero"]).code == .usage)
        }
    }

    @Test("one bad file does not stop the others, and the end tells of both", arguments: Way.allCases)
    func oneBad(_ way: Way) throws {
        try withDesk(way) { folder, run in
            try put("a", folder + "/a.txt")
            let said = run(["add", "absent.txt", "a.txt"])
            #expect(said.code == .notFound)
            #expect(said.output.contains("1 paper is new, 1 could not be added"))
            #expect(said.output.contains("absent.txt cannot be read"))
        }
    }

    @Test("a name that fits several papers is answered with their ids", arguments: Way.allCases)
    func ambiguous(_ way: Way) throws {
        try withDesk(way) { folder, run in
            try put("1", folder + "/bill-1.txt")
            try put("2", folder + "/bill-2.txt")
            #expect(run(["add", "bill-1.txt", "bill-2.txt"]).code == .done)
            let said = run(["show", "bill"])
            #expect(said.code == .conflict)
            #expect(said.error.contains("bill-1.txt") && said.error.contains("bill-2.txt"))
            #expect(run(["show", "nothing"]).code == .notFound)
        }
    }

    @Test("people and keys come and go", arguments: Way.allCases)
    func people(_ way: Way) throws {
        try withDesk(way) { folder, run in
            if way == .here {
                let first = quire(
                    ["users", "add", "Ana Ruiz", "--sign-in", "ana@example.org"], home: folder,
                    environment: ["QUIRE_HOME": folder + "/desk"], answers: ["correct horse battery"])
                #expect(first.output == "Ana Ruiz may come in, as owner.\n", "\(first.error)")
            }
            #expect(run(["users", "list"]).output.contains("Ana Ruiz"))
            let invited = run(["users", "invite", "--role", "viewer", "--note", "Chloe"])
            #expect(invited.output.contains("/join/"), "\(invited.error)")
            #expect(run(["users", "list"]).output.contains("Chloe"))
            let password = quire(
                ["users", "password", "ana@example.org"], home: folder,
                environment: ["QUIRE_HOME": folder + "/desk"], answers: ["another horse battery"])
            #expect(password.code == .done, "\(password.error)")
            let opened = try Quire.open(
                .load(flags: ["home": folder + "/desk"], environment: [:]), log: .silent)
            defer { opened.stop() }
            let visitor = Visitor(address: "127.0.0.1")
            #expect(throws: Failure.self) {
                try opened.access.signIn.withPassword(
                    "ana@example.org", "correct horse battery", from: visitor)
            }
            #expect(throws: Never.self) {
                try opened.access.signIn.withPassword(
                    "ana@example.org", "another horse battery", from: visitor)
            }
            let made = run(["tokens", "add", "scanner", "--scope", "write", "--days", "30"])
            #expect(made.output.hasPrefix("quire_api_"), "\(made.error)")
            #expect(run(["tokens", "list"]).output.contains("scanner"))
            #expect(run(["tokens", "revoke", "scanner"]).code == .done)
            #expect(run(["tokens", "revoke", "scanner"]).code == .notFound)
            #expect(run(["users", "remove", "nobody"]).code == .notFound)
            #expect(run(["jobs", "list"]).output == "There are no jobs.\n")
            #expect(run(["jobs", "show", "0190a1b2-0000-7000-8000-000000000000"]).code == .notFound)
        }
    }

    @Test("a desk that is asked too often is waited for, and nothing is left out")
    func patience() throws {
        try withScratchFolder { folder in
            let desk = try ServedDesk(home: folder + "/desk")
            defer { desk.close() }
            let names = (1...20).map { "\(folder)/letter \($0).txt" }
            for name in names { try put(name, name) }
            try desk.isAskedTooOften()
            let said = quire(
                ["add"] + names, home: folder,
                environment: ["QUIRE_SERVER": "http://127.0.0.1:\(desk.port)", "QUIRE_TOKEN": desk.token])
            #expect(said.code == .done && said.output.contains("20 papers are new"), "\(said.output)")
        }
    }

    @Test("a desk far away must be encrypted, known and let us in")
    func strangers() throws {
        try withScratchFolder { folder in
            func run(_ server: String, token: String?) -> Said {
                var environment = ["QUIRE_SERVER": server]
                environment["QUIRE_TOKEN"] = token
                return quire(["list"], home: folder, environment: environment)
            }
            #expect(run("http://desk.example.org", token: "t").code == .denied)
            #expect(run("127.0.0.1:1", token: nil).code == .denied)
            #expect(run("http://127.0.0.1:1", token: "t").code == .unavailable)
            #expect(run("nonsense://x", token: "t").code == .invalid)
            let desk = try ServedDesk(home: folder + "/desk")
            defer { desk.close() }
            #expect(run("http://127.0.0.1:\(desk.port)", token: "wrong").code == .denied)
        }
    }
}
