import Access
import App
import Glibc
import SQL
import Storage
import TestSupport
import Testing
import Transfer
import Work

@Suite("Settings")
struct SettingsTests {
    private let mail = MailSettings(
        host: "smtp.example.org", port: 465, security: .tls, userName: "ada", senderName: "Ada",
        senderAddress: "ada@example.org")

    @Test("what an owner saves is there again, tidied", arguments: Database.Kind.here)
    func saving(kind: Database.Kind) throws {
        try withQuire(kind) { quire in
            #expect(try quire.settings.identity() == Identity())
            try quire.settings.change(
                Identity(name: " Ada ", organization: "Engines", address: "1 High St\r\nLondon\n"), by: .local
            )
            #expect(
                try quire.settings.identity()
                    == Identity(name: "Ada", organization: "Engines", address: "1 High St\nLondon"))
            try quire.settings.change(Region(language: "fr-CA", timeZone: "UTC"), by: .local)
            #expect(try quire.settings.region() == Region(language: "fr-CA", timeZone: "UTC"))
            #expect(try quire.store.journal.lines().first?.entry.verb == "settings.changed")
        }
    }

    @Test("a viewer changes nothing but their own preferences")
    func rights() throws {
        try withQuire { quire in
            let grace = try viewer(on: quire)
            #expect(throws: Failure.self) { try quire.settings.change(Identity(name: "Grace"), by: grace) }
            #expect(throws: Failure.self) { try quire.settings.change(mail, by: grace) }
            #expect(throws: Failure.self) { try quire.settings.change(LockSettings(minutes: 5), by: grace) }
            #expect(throws: Failure.self) { try quire.maintenance.verifyLater(by: grace) }
            try quire.settings.change(Preferences(language: "es-MX", theme: .dark), by: grace)
            let member = try #require(grace.memberID)
            #expect(
                try quire.settings.preferences(of: member) == Preferences(language: "es-MX", theme: .dark))
        }
    }

    @Test("wrong values are refused with the field's name")
    func wrongValues() throws {
        try withQuire { quire in
            func field(_ body: () throws -> Void) -> String? {
                do {
                    try body()
                    return "nothing"
                } catch {
                    return (error as? Failure)?.field
                }
            }
            let settings = quire.settings
            #expect(field { try settings.change(Identity(email: "no address"), by: .local) } == "email")
            #expect(field { try settings.change(Identity(name: "two\nlines"), by: .local) } == "name")
            #expect(field { try settings.change(Region(timeZone: "Mars/Base"), by: .local) } == "timeZone")
            #expect(
                field { try settings.change(Region(language: "<b>", timeZone: "UTC"), by: .local) }
                    == "language")
            #expect(field { try settings.change(LockSettings(minutes: 0), by: .local) } == "minutes")
            #expect(
                field { try settings.change(BackupSettings(folder: "somewhere"), by: .local) } == "folder")
            #expect(field { try settings.change(BackupSettings(rule: "SOMETIMES"), by: .local) } == "rule")
            var broken = mail
            broken.host = "smtp.example.org/path"
            #expect(field { try settings.change(broken, by: .local) } == "host")
            broken = mail
            broken.senderAddress = "ada@example.org\r\nBcc: all@example.org"
            #expect(field { try settings.change(broken, by: .local) } == "fromAddress")
        }
    }

    @Test(
        "a password that is kept goes to no other server, port or weaker encryption before it is typed again")
    func passwordAgain() throws {
        try withQuire { quire in
            let settings = quire.settings
            var mail = MailSettings(
                host: "smtp.example.org", port: 465, security: .tls, userName: "office",
                senderAddress: "office@example.org")
            try settings.change(mail, password: "mail secret", by: .local)
            for change: (inout MailSettings) -> Void in [
                { $0.host = "evil.example" }, { $0.port = 1465 }, { $0.security = .none },
                { $0.security = .starttls },
            ] {
                var other = mail
                change(&other)
                let refused = #expect(throws: Failure.self) { try settings.change(other, by: .local) }
                #expect(refused?.field == "password")
                #expect(try settings.mail().host == "smtp.example.org")
            }
            // The mailbox to which mail comes back may be opened with the same password.
            var bounces = BounceSettings(host: "evil.example")
            for typed in [nil, "", "guess"] {
                let refused = #expect(throws: Failure.self) {
                    try settings.change(bounces, password: typed, by: .local)
                }
                #expect(refused?.field == "password")
            }
            bounces.host = "imap.example.org"
            try settings.change(bounces, password: "mail secret", by: .local)
            #expect(try settings.bounceAccount()?.password == "mail secret")
            bounces.folder = "Returns"
            try settings.change(bounces, by: .local)
            bounces.userName = "returns"
            try settings.change(bounces, password: "other secret", by: .local)
            bounces.host = "evil.example"
            #expect(throws: Failure.self) { try settings.change(bounces, by: .local) }
            bounces.host = ""
            try settings.change(bounces, by: .local)
            mail.host = "smtp.example.net"
            try settings.change(mail, password: "new secret", by: .local)
            #expect(try settings.mailAccount().account.password == "new secret")
        }
    }

    @Test("the mail password is sealed: not in the database, kept when left empty, gone when removed")
    func sealing() throws {
        try withQuire { quire in
            let settings = quire.settings
            #expect(throws: Failure.self) { try settings.mailAccount() }
            try settings.change(mail, password: "p4ssw0rd-ü", by: .local)
            #expect(try settings.mailAccount().account.password == "p4ssw0rd-ü")
            var other = mail
            other.senderName = "The Registry"
            try settings.change(other, by: .local)
            #expect(try settings.mail().hasPassword)
            #expect(try settings.mailAccount().account.password == "p4ssw0rd-ü")

            let bytes = try quire.store.read { desk in
                try desk.row("SELECT sealed FROM secret")?.blob("sealed")
            }
            #expect(bytes?.count ?? 0 > 40)
            #expect(!String(decoding: bytes ?? [], as: UTF8.self).contains("p4ssw0rd"))
            for line in try quire.store.journal.lines() { #expect(!"\(line)".contains("p4ssw0rd")) }

            try settings.change(other, password: "", by: .local)
            #expect(try !settings.mail().hasPassword)
            #expect(try settings.mailAccount().account.password == nil)
        }
    }

    @Test("a sealed password whose key was replaced is reported, not guessed")
    func lostKey() throws {
        try withConfig { config in
            let quire = try Quire.open(config, log: .silent)
            try quire.settings.change(mail, password: "secret", by: .local)
            quire.stop()
            unlink("\(config.home)/keys/settings.key")
            let again = try Quire.open(config, log: .silent)
            defer { again.stop() }
            #expect(#expect(throws: Failure.self) { try again.settings.mailAccount() }?.code == .damaged)
        }
    }

    @Test("what the host has decided is shown and cannot be changed in the app")
    func decidedOutside() throws {
        let flags = [
            "lock-after": "10m", "backup-folder": "/srv/backups", "backup-schedule": "never",
            "backup-encrypted": "yes",
        ]
        try withQuire(flags: flags) { quire in
            #expect(try quire.settings.lock() == LockSettings(minutes: 10))
            #expect(quire.access.policy.lockAfter == .seconds(600))
            let backups = try quire.settings.backups()
            #expect(backups.folder == "/srv/backups")
            #expect(backups.rule == "" && backups.encrypted)
            let failure = #expect(throws: Failure.self) {
                try quire.settings.change(LockSettings(minutes: 5), by: .local)
            }
            #expect(failure?.code == .conflict)
            #expect(failure?.message.contains("--lock-after") == true)
            #expect(throws: Failure.self) {
                try quire.settings.change(BackupSettings(folder: "/x"), by: .local)
            }
            let plain = #expect(throws: Failure.self) {
                try quire.settings.change(
                    BackupSettings(folder: "/srv/backups", rule: "", encrypted: false), by: .local)
            }
            #expect(plain?.message.contains("--backup-encrypted") == true)
        }
    }

    @Test("a changed lock counts at once on a running desk")
    func lockTakesEffect() throws {
        try withQuire(role: .server) { quire in
            try quire.start()
            #expect(quire.access.policy.lockAfter == nil)
            try quire.settings.change(LockSettings(minutes: 5), by: .local)
            #expect(quire.access.policy.lockAfter == .seconds(300))
        }
    }
}
