import Access
import App
import Bytes
import Glibc
import Storage
import TestSupport
import Testing
import Work

@testable import Commands

private let pupils = """
    child name,class,birth date,guardian name,relation,telephone number,e-mail
    Zoë Ångström,5a,06102015,Žofie Ångström,mother,555-0113,zofie@example.org
    Ana Ruiz,5a,17012016,Eva Ruiz,mother,555-0114,eva@example.org
    Bo Li,5b,03032016,Li Na,mother,,

    """

@Suite(
    "Sending from the command line",
    .enabled(if: Peer.has("aiosmtpd"), "the Python package aiosmtpd is not installed (bin/setup --check)"))
struct SendingTests {
    /// A desk with an account at a mail server on this machine.
    private func withMail(
        _ body: (_ folder: String, _ mails: String, _ run: ([String]) -> Said) throws -> Void
    ) throws {
        try withScratchFolder { folder in
            let mails = "\(folder)/mails"
            try #require(mkdir(mails, 0o700) == 0)
            let server = try Peer("mail.py", ["mute", mails])
            let home = folder + "/desk"
            do {
                let desk = try Quire.open(
                    try Config.load(flags: ["home": home], environment: ["HOME": folder]),
                    log: Log.recording().0)
                defer { desk.stop() }
                try desk.settings.change(
                    MailSettings(
                        host: "127.0.0.1", port: server.port, security: .none, senderName: "The Office",
                        senderAddress: "office@school.example"), by: .local)
            }
            try write(Array(pupils.utf8), to: "\(folder)/pupils.csv")
            try body(folder, mails) { quire($0, home: folder, environment: ["QUIRE_HOME": home]) }
        }
    }

    private func recipients(_ mails: String) throws -> [String] {
        var found: [String] = []
        var number = 1
        while let bytes = try? contents(of: "\(mails)/\(number).json") {
            found += try JSON(parsing: bytes)["recipients"]?.array?.compactMap(\.string) ?? []
            number += 1
        }
        return found.sorted()
    }

    private static let form = "Examples/02-consent-forms/consent.pdf"

    private func makeBatch(_ folder: String, _ run: ([String]) -> Said) throws {
        let form = "\(folder)/consent.pdf"
        try write(contents(of: Self.form), to: form)
        for words in [
            ["template", "add", form], ["recipients", "add", "\(folder)/pupils.csv"],
            ["batch", "add", "Consent", "--list", "pupils", "--template", "consent"],
            ["batch", "plan", "Consent"], ["batch", "fill", "Consent"],
        ] {
            let said = run(words)
            #expect(said.code == .done, "\(words): \(said.error)")
        }
    }

    @Test("shows the first letter and sends nothing, until told to; then each once")
    func batch() throws {
        try withMail { folder, mails, run in
            try makeBatch(folder, run)
            let letter = [
                "--subject", "For {{child_name}}", "--body", "Dear {{guardian_name}},\n\n*please* sign.",
            ]
            let dry = run(["send", "Consent"] + letter)
            #expect(dry.code == .done, "\(dry.error)")
            #expect(dry.output.contains("Subject: For Zoë Ångström"))
            #expect(dry.output.contains("please sign."))
            #expect(dry.output.contains("2 letters are ready, 1 left out."))
            #expect(dry.output.contains("Bo Li: There is no mail address."))
            #expect(dry.error.contains("Nothing was sent"))
            #expect(try recipients(mails).isEmpty)
            let wrong = run(["send", "Consent", "--window", "8-18"] + letter)
            #expect(wrong.code == .usage)
            #expect(run(["send", "Consent", "--yes", "--dry-run"]).code == .usage)
            #expect(run(["send", "Consent", "--window", "18:00-18:00"] + letter).code == .invalid)
            #expect(run(["send", "Consent", "--attach", "missing.pdf"] + letter).code == .notFound)

            let sent = run(["send", "Consent", "--yes", "--rate", "6000/min"] + letter)
            #expect(sent.code == .done, "\(sent.error)")
            #expect(sent.output.hasPrefix("Sent 2 of 3."))
            #expect(try recipients(mails) == ["eva@example.org", "zofie@example.org"])
            let again = run(["send", "Consent", "--yes"])
            #expect(again.code == .conflict)
            #expect(try recipients(mails).count == 2)

            #expect(run(["outbox", "list"]).output.hasPrefix("Sent 2 of 2."))
            #expect(run(["outbox", "list", "--batch", "Consent"]).output.hasPrefix("Sent 2 of 2."))
            // What one sends to oneself is nobody's mail.
            #expect(run(["send", "Consent", "--test", "me@example.org"]).code == .done)
            #expect(run(["outbox", "list"]).output.hasPrefix("Sent 2 of 2."))
            let ledger = run(["ledger", "list", "--batch", "Consent"]).output
            #expect(ledger.hasPrefix("Sent 2 of 3.") && ledger.contains("accepted"))
            #expect(run(["ledger", "verify"]).code == .done)
            let file = "\(folder)/ledger.csv"
            #expect(run(["ledger", "export", file, "--batch", "Consent"]).code == .done)
            #expect(String(decoding: try contents(of: file), as: UTF8.self).contains("eva@example.org"))
            #expect(run(["ledger", "export", "\(folder)/ledger.txt"]).code == .usage)
        }
    }

    @Test("goes on with what waits for its hours when it is called again, instead of beginning anew")
    func goesOn() throws {
        try withMail { folder, mails, run in
            try makeBatch(folder, run)
            let hour = time(nil) / 3600 % 24
            let window = "\((hour + 2) % 24):00-\((hour + 3) % 24):00"
            let begun = run([
                "send", "Consent", "--yes", "--subject", "s", "--body", "b", "--window", window,
            ])
            #expect(begun.output.hasPrefix("Sent 0 of 3.\nThe rest goes out from "), "\(begun.error)")
            let again = run(["send", "Consent", "--yes", "--subject", "another"])
            #expect(again.code == .done)
            #expect(again.output.hasPrefix("Sent 0 of 3.\nThe rest goes out from "), "\(again.error)")
            #expect(again.error.contains("with the letter as it was"))
            #expect(try recipients(mails).isEmpty)
            #expect(run(["outbox", "pause", "Consent"]).output == "paused: sent 0 of 2.\n")
            #expect(run(["outbox", "resume", "Consent"]).output == "running: sent 0 of 2.\n")
            #expect(run(["outbox", "cancel"]).code == .usage)
            #expect(run(["outbox", "cancel", "--batch", "Consent"]).output == "cancelled: sent 0 of 2.\n")
            #expect(run(["outbox", "list", "--show", "unsent", "--json"]).output.contains("\"cancelled\""))
        }
    }

    @Test("sends a folder of filled forms to the addresses in them, each once however often it is called")
    func folder() throws {
        try withMail { folder, mails, run in
            try write(contents(of: Self.form), to: "\(folder)/consent.pdf")
            let filled = run([
                "fill", "\(folder)/consent.pdf", "\(folder)/pupils.csv", "--out", "\(folder)/filled",
                "--receipts",
            ])
            #expect(filled.code == .done, "\(filled.error)")
            let letter = [
                "--subject", "For {{child_name}}", "--body",
                "Dear {{recipient_name}}, {{= upper({class})}}, {{nobody}}, {{telephone_number}}: {{sender_name}}, {{date}}",
            ]
            #expect(run(["send", "\(folder)/filled"]).code == .usage)
            // The address fills no field of the form.
            let to = ["--to", "{{e_mail}}"]
            let dry = run(["send", "\(folder)/filled"] + letter + to)
            #expect(dry.code == .done, "\(dry.error)")
            #expect(dry.output.contains("From: The Office <office@school.example>"), "\(dry.output)")
            #expect(dry.output.contains(", 5A, {{nobody}}, 555-011"))
            #expect(dry.output.contains(": The Office, "))
            #expect(dry.output.contains("2 letters are ready, 1 left out."))
            #expect(dry.output.contains("There is no mail address in its receipt."))
            #expect(dry.output.contains("2 × Nobody knows {{nobody}}; it stays as it is."))
            #expect(try recipients(mails).isEmpty)
            let sent = run(["send", "\(folder)/filled", "--yes"] + letter + to)
            #expect(sent.code == .done, "\(sent.error)")
            #expect(try recipients(mails) == ["eva@example.org", "zofie@example.org"])
            // The first address in the row is the same one.
            let again = run(["send", "\(folder)/filled", "--yes"] + letter)
            #expect(again.output.contains("2 letters were sent before."))
            #expect(try recipients(mails).count == 2)
            #expect(run(["ledger", "list"]).output.contains("Zoë Ångström"))
        }
    }

    @Test("is set up without a browser: the account, a test, where mail comes back, and who gets none")
    func account() throws {
        try withScratchFolder { folder in
            let mails = "\(folder)/mails"
            try #require(mkdir(mails, 0o700) == 0)
            let server = try Peer("mail.py", ["mute", mails])
            let run: ([String]) -> Said = {
                quire($0, home: folder, environment: ["QUIRE_HOME": folder + "/desk"])
            }
            #expect(run(["mail", "account"]).code == .notFound)
            let set = run([
                "mail", "account", "--host", "127.0.0.1", "--port", "\(server.port)", "--security", "none",
                "--from", "The Office <office@school.example>",
            ])
            #expect(set.code == .done, "\(set.error)")
            #expect(
                set.output
                    == "127.0.0.1:\(server.port), none\nFrom: The Office <office@school.example>\n")
            let tried = run(["mail", "test", "ada@example.org"])
            #expect(tried.code == .done, "\(tried.error)")
            #expect(try recipients(mails) == ["ada@example.org"])
            #expect(run(["mail", "test", "nobody@example.org"]).error.contains("550 5.1.1"))

            try write(Array("s3cret\nmore\n".utf8), to: "\(folder)/secret.txt")
            let box = run([
                "mail", "bounces", "--host", "imap.example.org", "--user", "office", "--password-file",
                "\(folder)/secret.txt",
            ])
            #expect(
                box.output.hasPrefix("imap.example.org:993, tls, as office\n"), "\(box.output)\(box.error)")
            #expect(!run(["mail", "bounces", "--json"]).output.contains("s3cret"))

            #expect(run(["mail", "suppressed"]).output == "Everybody may be written to.\n")
            #expect(run(["mail", "suppress", "ann+x@example.org", "--reason", "She asked"]).code == .done)
            #expect(run(["mail", "suppressed"]).output.contains("She asked"))
            #expect(run(["mail", "allow", "ann+x@example.org"]).code == .done)
            #expect(run(["mail", "allow", "ann+x@example.org"]).code == .notFound)
            #expect(run(["mail", "account", "--port", "none"]).code == .usage)
        }
    }

    @Test("sends a packet alone to an address that the list has not, after showing the letter, and once")
    func onePacket() throws {
        try withMail { folder, mails, run in
            try makeBatch(folder, run)
            #expect(run(["send", "Consent", "--yes", "--subject", "For {{child_name}}"]).code == .done)
            let packets = try JSON(parsing: run(["packet", "list", "Consent", "--json"]).output)["packets"]
            let bo = try #require(packets?[2]?["id"]?.string)
            #expect(run(["packet", "send", bo]).output.contains("! There is no mail address."))
            #expect(run(["packet", "send", bo, "--yes"]).code == .invalid)
            let shown = run(["packet", "send", bo, "--to", "bo@example.org"])
            #expect(shown.output.contains("To: bo@example.org\nSubject: For Bo Li\n"), "\(shown.error)")
            #expect(shown.error.contains("Nothing was sent"))
            #expect(try recipients(mails) == ["eva@example.org", "zofie@example.org"])
            let sent = run(["packet", "send", bo, "--to", "bo@example.org", "--yes"])
            #expect(sent.output == "bo@example.org: accepted\n", "\(sent.error)")
            #expect(run(["packet", "send", bo, "--to", "bo@example.org", "--yes"]).code == .conflict)
            #expect(try recipients(mails) == ["bo@example.org", "eva@example.org", "zofie@example.org"])
            #expect(run(["ledger", "list", "--batch", "Consent"]).output.hasPrefix("Sent 3 of 3."))
        }
    }

    @Test("says what a server refuses, sends it again by a person's decision, and tells the shell")
    func refused() throws {
        try withMail { folder, mails, run in
            try makeBatch(folder, run)
            let sent = run(["send", "Consent", "--yes", "--subject", "s", "--to", "nobody@example.org"])
            #expect(sent.code == .invalid)
            #expect(sent.output.contains("Sent 0 of 3. 3 failed: quire outbox list --show failed"))
            let failed = run(["outbox", "list", "--show", "failed", "--json"])
            let id = try #require(try JSON(parsing: failed.output)["messages"]?[0]?["id"]?.string)
            #expect(run(["outbox", "show", id]).output.contains("550 5.1.1 No such mailbox"))
            #expect(run(["outbox", "show", id, "--eml", "\(folder)/one.eml"]).code == .done)
            #expect(
                String(decoding: try contents(of: "\(folder)/one.eml"), as: UTF8.self).contains("Subject: s"))
            #expect(run(["outbox", "retry", id]).output.contains("refused"))
            #expect(run(["outbox", "cancel", id]).code == .conflict)
            #expect(run(["outbox", "retry", id, "--to", "no address"]).code == .invalid)
            #expect(run(["outbox", "retry", id, "--to", "mended@example.org"]).output.contains("accepted"))
            #expect(try recipients(mails) == ["mended@example.org"])
            #expect(run(["outbox", "retry", id, "--to", "again@example.org"]).code == .conflict)
            #expect(run(["ledger", "verify"]).output.contains("The newest, to be kept elsewhere: "))
        }
    }

    @Test("“outbox retry --failed” sends all again that did not go, and none that went")
    func retryFailed() throws {
        try withMail { folder, mails, run in
            try makeBatch(folder, run)
            let to = "{{= if({class} = \"5a\", \"nobody@example.org\", \"there@example.org\")}}"
            #expect(run(["send", "Consent", "--yes", "--subject", "s", "--to", to]).code == .invalid)
            #expect(try recipients(mails) == ["there@example.org"])
            #expect(run(["outbox", "retry"]).code == .usage)
            let again = run(["outbox", "retry", "--failed"])
            #expect(again.output == "2 letters sent again.\n", "\(again.error)")
            #expect(run(["outbox", "list", "--show", "failed", "--json"]).output.contains("\"tries\":1"))
            #expect(try recipients(mails) == ["there@example.org"])
            let answer = try JSON(parsing: run(["outbox", "retry", "--failed", "--json"]).output)
            #expect(answer["again"]?.int == 2 && answer["left"]?.int == 0)
        }
    }

    @Test("“--from” takes an address or the name on a card, and says when it finds none or several")
    func sender() throws {
        try withMail { folder, mails, run in
            try makeBatch(folder, run)
            let cards = ["Ms Head", "Mr Head", "Old Janitor"].map { name in
                let mail =
                    name == "Old Janitor" ? "" : "EMAIL:\(name.prefix(2).lowercased())@school.example\r\n"
                return
                    "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:\(name)\r\nFN:\(name)\r\n\(mail)END:VCARD\r\n"
            }
            try write(Array(cards.joined().utf8), to: "\(folder)/school.vcf")
            #expect(run(["contacts", "import", "\(folder)/school.vcf"]).code == .done)
            func from(_ who: String) -> Said { run(["send", "Consent", "--subject", "s", "--from", who]) }
            #expect(from("ms head").output.contains("From: Ms Head <ms@school.example>"))
            #expect(from("The Trips <trips@school.example>").output.contains("From: The Trips <trips@"))
            #expect(from("trips@school.example").output.contains("From: trips@school.example"))
            #expect(from("Head").error.contains("could be one of 2 cards"))
            #expect(from("Old Janitor").error.contains("has no mail address"))
            #expect(from("Stranger").code == .notFound)
            #expect(try recipients(mails).isEmpty)
            let sent = run(["send", "Consent", "--subject", "s", "--from", "Ms Head", "--yes"])
            #expect(sent.code == .done, "\(sent.error)")
            let mail = String(decoding: try contents(of: "\(mails)/1.eml"), as: UTF8.self)
            #expect(mail.contains("From: Ms Head <ms@school.example>"))
        }
    }

    @Test("repeats a batch for those alone who have changed; a repetition is shown, held and let go on")
    func schedule() throws {
        try withMail { folder, mails, run in
            try makeBatch(folder, run)
            #expect(run(["send", "Consent", "--yes", "--subject", "s", "--body", "b"]).code == .done)
            #expect(run(["schedule", "add", "Consent"]).code == .usage)
            #expect(run(["schedule", "add", "Consent", "--file", "nofile.csv"]).code == .notFound)
            let added = run(["schedule", "add", "Consent", "--file", "\(folder)/pupils.csv"])
            #expect(added.code == .done, "\(added.error)")
            #expect(run(["schedule", "pause", "Consent"]).output == "It waits.\n")
            #expect(run(["schedule", "list"]).output.contains(", paused, when "))
            #expect(run(["schedule", "resume", "Consent"]).output == "It goes on.\n")
            #expect(!run(["schedule", "list"]).output.contains("paused"))
            #expect(
                run(["schedule", "show", "Consent"]).output.hasSuffix(
                    "Nothing is new or changed at the moment.\n"))
            try write(
                Array(pupils.replacing("Ana Ruiz,5a", with: "Ana Ruiz,6c").utf8), to: "\(folder)/pupils.csv")
            // A file that is still being written is left alone for two seconds.
            var then = [
                timespec(tv_sec: time(nil) - 60, tv_nsec: 0), timespec(tv_sec: time(nil) - 60, tv_nsec: 0),
            ]
            utimensat(AT_FDCWD, "\(folder)/pupils.csv", &then, 0)
            let ran = run(["schedule", "run", "Consent"])
            #expect(ran.output == "Made 1, sending 1.\n", "\(ran.error)")
            #expect(try recipients(mails) == ["eva@example.org", "eva@example.org", "zofie@example.org"])
            #expect(run(["schedule", "list"]).output.contains("Made 1, sending 1."))
            let shown = run(["schedule", "show", "Consent", "--json"])
            let runs = try JSON(parsing: shown.output)["runs"]?.array ?? []
            #expect(runs.map { $0["outcome"]?.string } == ["Made 1, sending 1."])
            let told = run(["schedule", "show", "Consent"]).output
            #expect(told.split(separator: "\n").count { $0.contains("Made 1, sending 1.") } == 1, "\(told)")
            #expect(unlink("\(folder)/pupils.csv") == 0)
            let missing = run(["schedule", "run", "Consent"])
            #expect(missing.code == .unavailable && missing.error.contains("There is no file"))
            #expect(run(["schedule", "show", "Nothing"]).code == .notFound)
            #expect(run(["schedule", "remove", "Consent"]).code == .done)
            #expect(run(["schedule", "list"]).output == "Nothing repeats.\n")
        }
    }

    @Test("reads filled forms into a table, and tells whose they are")
    func harvest() throws {
        try withMail { folder, _, run in
            try makeBatch(folder, run)
            let packets = try JSON(parsing: run(["packet", "list", "Consent", "--json"]).output)["packets"]
            let files = try (0..<2).map { place -> String in
                let path = "\(folder)/scan\(place).pdf"
                let id = try #require(packets?[place]?["id"]?.string)
                #expect(run(["packet", "export", id, path]).code == .done)
                return path
            }
            let out = "\(folder)/answers.csv"
            let harvested = run(["harvest"] + files + ["--out", out, "--against", "Consent", "--mark"])
            #expect(harvested.code == .done, "\(harvested.error)")
            let table = String(decoding: try contents(of: out), as: UTF8.self)
            #expect(table.hasPrefix("file,recipient,found by,changed,added,"))
            #expect(table.contains("scan1.pdf,Ana Ruiz,texts,,,"))
            #expect(run(["ledger", "list", "--show", "returned"]).output.contains("Zoë Ångström"))
            #expect(run(["harvest"] + files + ["--out", "\(folder)/answers.xlsx"]).code == .done)

            // Packets with passwords of their own: the desk knows them.
            for words in [
                [
                    "batch", "add", "Locked", "--list", "pupils", "--template", "consent", "--password",
                    "{birth date}",
                ],
                ["batch", "plan", "Locked"], ["batch", "fill", "Locked"],
            ] {
                #expect(run(words).code == .done, "\(words)")
            }
            let list = try JSON(parsing: run(["packet", "list", "Locked", "--json"]).output)["packets"]
            let locked = try #require(list?[1]?["id"]?.string)
            #expect(run(["packet", "export", locked, "\(folder)/locked.pdf"]).code == .done)
            let opened = run(["harvest", "\(folder)/locked.pdf", "--against", "Locked"])
            #expect(opened.code == .done && opened.output.contains("Ana Ruiz,texts"), "\(opened.error)")
            #expect(run(["harvest", "\(folder)/locked.pdf"]).error.contains("--password"))

            #expect(run(["harvest", files[0], "--mark"]).code == .usage)
            #expect(run(["harvest", files[0], "--out", "\(folder)/h.ods"]).code == .usage)
            #expect(run(["harvest", files[0], "--out", "\(folder)/one.fdf"]).code == .done)
            #expect(
                String(decoding: try contents(of: "\(folder)/one.fdf"), as: UTF8.self).hasPrefix("%FDF-"))
            #expect(run(["harvest", files[0], "--to", "xfdf", "--out", "\(folder)/one.xfdf"]).code == .done)
            #expect(
                String(decoding: try contents(of: "\(folder)/one.xfdf"), as: UTF8.self).hasPrefix("<?xml"))
            let flat = "\(folder)/flat.pdf"
            #expect(run(["flatten", files[0], flat]).code == .done)
            #expect(run(["harvest", flat]).error.contains("flat.pdf: It has no fields: it was flattened"))
        }
    }
}
