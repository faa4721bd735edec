import Bytes
import PDFReading
import Storage
import TestSupport
import Testing

@testable import Commands

@Suite("Commands about one's own cards")
struct CardCommandsTests {
    @Test("make, show, change, choose and remove them", arguments: Way.allCases)
    func life(_ way: Way) throws {
        try withDesk(way) { folder, run in
            let made = run([
                "card", "new", "--given", "Ana", "--family", "López", "--label", "Work", "--field",
                "github.com/ana", "--field", "mobile:Studio=+1 514 555 0100", "--private-field",
                "email=home@example.org",
            ])
            #expect(made.code == .done, "\(made.error)")
            #expect(made.output.contains("Ana López\n") && made.output.contains("Studio"))
            #expect(made.output.contains("by you"))
            #expect(run(["card", "new", "--organization", "Band", "--theme", "plum"]).code == .done)
            #expect(run(["card", "new", "--theme", "pink", "--given", "x"]).code == .usage)
            #expect(run(["card", "new", "--given", "x", "--field", "some words"]).code != .done)
            #expect(run(["card", "default", "Band"]).output == "“Band” is the default card.\n")
            let edited = run(["card", "edit", "Work", "--title", "Architect", "--drop", "1", "--first", "3"])
            #expect(edited.code == .done, "\(edited.error)")
            #expect(edited.output.contains("Architect") && !edited.output.contains("GitHub"))
            #expect(run(["card", "edit", "Work", "--drop", "9"]).code == .usage)
            #expect(run(["card", "edit", "Work", "--address", "ana-lopez"]).output.contains("/c/ana-lopez"))
            #expect(run(["card", "show", "ana-lopez"]).output.contains("Architect"))
            #expect(run(["card", "remove", "Band"]).output == "“Band” is removed.\n")
            #expect(run(["card", "list"]).output.contains("default"))
            #expect(run(["card", "show", "Band"]).code == .notFound)
        }
    }

    @Test("write their code and their file, without what is private", arguments: Way.allCases)
    func files(_ way: Way) throws {
        try withDesk(way) { folder, run in
            #expect(
                run([
                    "card", "new", "--given", "Ana", "--field", "ana@example.org", "--private-field",
                    "phone=+1 514 555 9999",
                ]).code == .done)
            let code = run(["card", "qr", "--holds", "vcard"])
            #expect(code.code == .done, "\(code.error)")
            #expect(code.output.contains("█"))
            let told = run(["card", "qr", "--holds", "mecard", "--json"])
            #expect(told.output.contains("MECARD:N:,Ana") && !told.output.contains("9999"))
            #expect(run(["card", "qr", "--holds", "poem"]).code != .done)
            #expect(run(["card", "qr", "--holds", "vcard", "--out", "a.png"]).code == .done)
            #expect(run(["card", "qr", "--holds", "vcard", "-o", "a.svg"]).code == .done)
            #expect(run(["card", "qr", "--holds", "vcard", "--out", "a.png"]).code == .conflict)
            let everybody = run(["card", "export"]).output
            #expect(everybody.contains("VERSION:3.0") && !everybody.contains("9999"))
            #expect(run(["card", "export", "--for", "private"]).output.contains("9999"))
            #expect(run(["card", "export", "--as", "jscontact", "--out", "a.json"]).code == .done)
            #expect(run(["card", "export", "--as", "poem"]).code != .done)
        }
    }

    @Test(
        "give them pictures, choose the part that is shown, take them off and bring them back",
        .enabled(if: PageReader.isReady, "poppler is not installed (bin/setup --check)"),
        arguments: Way.allCases)
    func pictures(_ way: Way) throws {
        try withDesk(way) { folder, run in
            #expect(run(["card", "new", "--given", "Ana"]).code == .done)
            // Any picture will do.
            #expect(run(["card", "qr", "--holds", "vcard", "--out", "a.png"]).code == .done)
            let edited = run([
                "card", "edit", "--cover", "a.png", "--logo", "a.png", "--crop", "cover=500,300,800,90",
                "--json",
            ])
            #expect(edited.code == .done, "\(edited.error)")
            let card = try JSON(parsing: edited.output)
            let pictures = card["pictures"]?.array ?? []
            #expect(pictures.map { $0["picture"]?.string } == ["cover", "logo"])
            #expect(pictures[0]["crop"]?["size"]?.int == 800 && pictures[0]["crop"]?["turn"]?.string == "90")
            let shown = run(["card", "show"]).output
            #expect(shown.contains("with cover, logo\n"), "\(shown)")
            #expect(!run(["card", "edit", "--cover", ""]).output.contains("cover"))
            #expect(run(["card", "edit", "--restore", "cover"]).output.contains("with cover, logo"))
            #expect(run(["card", "edit", "--crop", "logo=500,500,900,400"]).code == .done)
            for wrong in ["cover", "cover=1,2", "poem=1,2,3", "logo=1,2,3", "cover=a,b,c"] {
                #expect(run(["card", "edit", "--crop", wrong]).code == .usage, "\(wrong)")
            }
            #expect(run(["card", "edit", "--crop", "cover=2000,1,500"]).code != .done)
        }
    }

    @Test(
        "write a pass for Apple Wallet once its certificates are here, signed so that openssl believes it",
        .enabled(if: PageReader.isReady, "poppler is not installed (bin/setup --check)"))
    func pass() throws {
        try withScratchFolder { folder in
            func run(_ words: String...) -> Said {
                quire(
                    words, home: folder,
                    environment: [
                        "QUIRE_HOME": folder + "/desk", "QUIRE_PUBLIC_ORIGIN": "https://desk.example",
                    ])
            }
            try makePassCertificates(in: folder)
            try put("open\n", folder + "/password")
            #expect(
                run("card", "new", "--given", "Ana", "--private-field", "phone=+1 514 555 9999").code == .done
            )
            #expect(run("card", "pass").code == .usage)
            #expect(run("card", "pass", "--out", "ana.pkpass").code != .done)
            let taken = run("identity", "import", "leaf.p12", "--password-file", "password")
            #expect(taken.code == .done, "\(taken.error)")
            #expect(run("card", "pass", "--out", "ana.pkpass").code != .done)
            #expect(run("identity", "trust", "apple.pem").code == .done)
            let made = run("card", "pass", "--out", "ana.pkpass")
            #expect(made.code == .done, "\(made.error)")
            #expect(made.output.hasSuffix("ana.pkpass\n"))
            let said = try shell(
                folder,
                """
                mkdir pass && cd pass && unzip -q ../ana.pkpass
                openssl cms -verify -inform DER -in signature -content manifest.json -binary -CAfile ../apple.pem \
                -purpose any -out /dev/null 2>&1
                cat pass.json
                """)
            #expect(said.contains("https:\\/\\/desk.example") || said.contains("https://desk.example/c/"))
            #expect(said.contains("Ana") && !said.contains("9999"))
            #expect(run("card", "pass", "--out", "ana.pkpass").code == .conflict)
        }
    }

    @Test("print them, sign mails with them and publish them", arguments: Way.allCases)
    func giving(_ way: Way) throws {
        try withDesk(way) { folder, run in
            for name in ["Ana", "Béa"] {
                #expect(
                    run([
                        "card", "new", "--given", name, "--label", name, "--field", "ana@example.org",
                        "--private-field", "phone=+1 514 555 9999",
                    ]).code == .done)
            }
            #expect(run(["card", "print"]).code == .usage)
            let printed = run([
                "card", "print", "Ana", "--out", "a.pdf", "--paper", "letter", "--side", "both",
            ])
            #expect(printed.code == .done, "\(printed.error)")
            #expect(run(["card", "print", "--out", "a.pdf"]).code == .conflict)
            #expect(run(["card", "print", "--out", "b.pdf", "--json"]).output.contains("\"count\":10"))
            #expect(run(["card", "print", "--out", "c.pdf", "--paper", "a5"]).code != .done)
            #expect(run(["card", "picture"]).code == .usage)
            #expect(run(["card", "picture", "--kind", "glance", "--out", "a.png"]).code == .done)
            #expect(run(["card", "picture", "--kind", "poem", "--out", "b.png"]).code != .done)
            let text = run(["card", "signature", "Béa", "--text"])
            #expect(text.output.hasPrefix("Béa\nana@example.org\n") && !text.output.contains("9999"))
            #expect(run(["card", "signature"]).output.contains("href=\"mailto:ana@example.org\""))
            #expect(run(["card", "signature", "--html", "--text"]).code == .usage)
            #expect(run(["card", "signature", "--out", "s.html"]).code == .done)
        }
    }

    @Test(
        "publish them into a folder of their own, and touch nothing else there", arguments: Way.allCases)
    func publishing(_ way: Way) throws {
        try withDesk(way) { folder, run in
            #expect(run(["card", "new", "--given", "Ana", "--label", "Work"]).code == .done)
            #expect(run(["card", "edit", "Work", "--address", "ana-lopez"]).code == .done)
            #expect(run(["card", "new", "--given", "Béa", "--label", "Band"]).code == .done)
            #expect(run(["card", "publish"]).code == .usage)
            #expect(run(["card", "publish", "Work", "--all", "--out", "site"]).code == .usage)
            let made = run(["card", "publish", "Work", "--out", "site", "--address", "https://example.org"])
            #expect(made.code == .done, "\(made.error)")
            #expect(made.error.contains("Send mine back"))
            let page = "\(folder)/site/ana-lopez/index.html"
            let words = try String(decoding: contents(of: page), as: UTF8.self)
            #expect(words.contains("https://example.org/ana-lopez/"))
            // Again, with more: what is ours is written anew, what is not stays.
            try write(Array("mine".utf8), to: "\(folder)/site/notes.txt")
            #expect(run(["card", "edit", "Work", "--title", "Architect"]).code == .done)
            #expect(run(["card", "publish", "--all", "--out", "site"]).code == .done)
            #expect(try String(decoding: contents(of: page), as: UTF8.self).contains("Architect"))
            #expect(try contents(of: "\(folder)/site/notes.txt") == Array("mine".utf8))
            let less = run(["card", "publish", "Band", "--out", "site"])
            #expect(less.error.contains("ana-lopez"))
            // What somebody changed is not written over unasked.
            try write(Array("changed".utf8), to: page)
            let refused = run(["card", "publish", "Work", "--out", "site"])
            #expect(refused.code == .conflict && refused.error.contains("--force"))
            #expect(try contents(of: page) == Array("changed".utf8))
            #expect(run(["card", "publish", "Work", "--out", "site", "--force"]).code == .done)
            #expect(try contents(of: page) != Array("changed".utf8))
            // A folder of somebody else.
            try write(Array("mine".utf8), to: "\(folder)/other.txt")
            #expect(run(["card", "publish", "Work", "--out", folder]).code == .conflict)
        }
    }
}
