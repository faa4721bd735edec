import App
import Bytes
import HTTP
import Storage
import TestSupport
import Testing
import Work

@Suite("The recovery sheet of encrypted backups")
struct RecoverySheetTests {
    @Test("is asked for on the pages until it is printed, and shows the key to owners who prove who they are")
    func page() throws {
        try withScratchFolder { folder in
            try withDesk { desk throws in
                let ada = desk.browser()
                try ada.becomeOwner()
                #expect(try !ada.get("/settings/storage").text.contains("id=\"sheet\""))
                let saved = try ada.submit(
                    "/settings/backups",
                    ["folder": "\(folder)/nights", "rule": "", "keeping": "12", "encrypted": "yes"])
                #expect(saved.headers["Location"] == "/settings/storage")
                #expect(try ada.get("/settings/storage").text.contains("It was never printed."))
                #expect(try ada.get("/").text.contains("Print the recovery sheet"))
                #expect(try ada.fetch(.get, "/settings/backups").json["encrypted"] == true)
                #expect(try ada.fetch(.get, "/settings/backups").json["sheetMadeAt"] == .null)

                let key = try desk.quire.settings.recoveryKey()
                desk.hands.advance(.seconds(20 * 60))
                try ada.get("/settings/storage")
                let asked = try ada.submit("/recovery-sheets", [:])
                #expect(asked.text.contains("action=\"/unlock\"") && !asked.text.contains(key.groups[0]))
                try ada.submit("/unlock", ["password": Browser.password, "next": "/settings/storage"])
                let sheet = try ada.submit("/recovery-sheets", [:])
                #expect(sheet.status == .ok && sheet.headers["Cache-Control"] == "no-store")
                for group in key.groups { #expect(sheet.text.contains("<code>\(group)</code>")) }
                #expect(sheet.text.contains("quire restore \(folder)/nights --home NEW_FOLDER"))
                #expect(sheet.text.contains("<svg"))
                #expect(try !ada.get("/").text.contains("Print the recovery sheet"))
                #expect(try !ada.get("/settings/storage").text.contains("It was never printed."))
                let journal = try ada.get("/activity?view=journal").text
                #expect(journal.contains("made the recovery sheet") && !journal.contains(key.groups[0]))

                let other = try ada.submit("/recovery-keys", [:])
                #expect(other.headers["Location"] == "/settings/storage#sheet")
                #expect(try desk.quire.settings.recoveryKey() != key)
                #expect(try ada.get("/settings/storage").text.contains("It was never printed."))
            }
        }
    }

    @Test("is for people: no token gets it, however much it may")
    func tokens() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let made = try ada.fetch(.post, "/tokens", json: ["name": "all", "scope": "admin"])
            let program = desk.program(try #require(made.json["token"]?.string))
            for path in ["/recovery-sheets", "/recovery-keys"] {
                #expect(try program.fetch(.post, path, json: [:]).status == .forbidden)
            }
            #expect(try desk.quire.settings.keptRecoveryKey() == nil)
        }
    }

    @Test("refuses to mix encrypted backups with others, on the page and where the folder was typed")
    func mixing() throws {
        try withScratchFolder { folder in
            try withDesk { desk throws in
                _ = try desk.quire.maintenance.backUp(to: "\(folder)/plain", by: "local")
                let ada = desk.browser()
                try ada.becomeOwner()
                try ada.get("/settings/storage")
                let refused = try ada.submit(
                    "/settings/backups",
                    ["folder": "\(folder)/plain", "rule": "", "keeping": "12", "encrypted": "yes"])
                #expect(refused.status == .unprocessable)
                #expect(refused.text.contains("id=\"f-folder-error\""))
                #expect(refused.text.contains("are not encrypted, and stay as they are"))
                #expect(refused.text.contains("name=\"encrypted\" value=\"yes\" checked"))
                #expect(try !desk.quire.settings.backups().encrypted)
                let now = try ada.submit("/backups", ["folder": "\(folder)/plain", "encrypted": "yes"])
                #expect(now.status == .unprocessable && now.text.contains("id=\"f-folder-error\""))
                #expect(try ada.submit("/backups", ["folder": "\(folder)/plain"]).status == .seeOther)
            }
        }
    }

    @Test("says all of it in each language", arguments: ["en", "es-MX", "fr-CA"])
    func languages(tag: String) throws {
        let titles = [
            "en": "Recovery sheet", "es-MX": "Hoja de recuperación", "fr-CA": "Feuille de récupération",
        ]
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.submit("/settings/language", ["language": tag, "theme": "system"])
            let sheet = try ada.submit("/recovery-sheets", [:])
            #expect(sheet.text.contains("<html lang=\"\(tag)\""))
            #expect(sheet.text.contains(try #require(titles[tag])))
        }
    }

    @Test(
        "is one page of PDF, whose square code another program reads as the key",
        .enabled(
            if: Peer.has("zxingcpp"), "the Python package zxing-cpp is not installed (bin/setup --check)"),
        arguments: ["en", "fr-CA"])
    func pdf(language: String) throws {
        try withDesk { desk throws in
            try withScratchFolder { folder in
                let answer = try desk.command(
                    .post, "/recovery-sheets", json: ["format": "pdf", "language": .string(language)])
                #expect(answer.headers["Content-Type"] == "application/pdf")
                guard case .bytes(let bytes) = answer.body else { throw PeerError(why: "no bytes") }
                try write(bytes, to: "\(folder)/sheet.pdf")
                let drawn = try Child(
                    "/usr/bin/env",
                    ["pdftoppm", "-gray", "-r", "150", "\(folder)/sheet.pdf", "\(folder)/page"],
                    environment: Child.usualEnvironment
                ).run()
                #expect(drawn.succeeded, "\(drawn.errorText)")
                let read = try python(
                    """
                    import sys, glob, zxingcpp
                    pages = glob.glob(sys.argv[1] + "/page*.pgm")
                    assert len(pages) == 1
                    kind, size, most, pixels = open(pages[0], "rb").read().split(b"\\n", 3)
                    width, height = map(int, size.split())
                    image = memoryview(pixels[:width * height]).cast("B", shape=[height, width])
                    sys.stdout.write("|".join(code.text for code in zxingcpp.read_barcodes(image)))
                    """, [folder])
                let key = try desk.quire.settings.recoveryKey()
                #expect(read == key.text)
                let words = try Child(
                    "/usr/bin/env", ["pdftotext", "\(folder)/sheet.pdf", "-"],
                    environment: Child.usualEnvironment
                ).run().outputText
                for group in key.groups { #expect(words.contains(group)) }
                #expect(!words.contains("?"))
                let wrong = try desk.command(.post, "/recovery-sheets", json: ["language": "tlh"])
                #expect(wrong.status == .unprocessable)
            }
        }
    }
}
