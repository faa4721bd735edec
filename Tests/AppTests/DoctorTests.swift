import App
import Glibc
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("The doctor")
struct DoctorTests {
    private func finding(_ name: String, _ findings: [Finding]) throws -> Finding {
        try #require(findings.first { $0.name == name }, "\(findings.map(\.name))")
    }

    @Test("without a desk it says how to make one, and makes none")
    func noDesk() throws {
        try withConfig { config throws in
            let findings = Doctor(config).examine()
            #expect(
                try finding("data directory", findings).remedy
                    == "quire serve --home \(config.home)")
            #expect(access(config.home, F_OK) != 0)
            #expect(findings.allSatisfy { !$0.sentence.isEmpty })
        }
    }

    @Test("a healthy desk is healthy", arguments: Database.Kind.here)
    func healthy(kind: Database.Kind) throws {
        try withConfig(kind) { config in
            let hands = HandClock()
            let quire = try Quire.open(config, role: .server, clock: hands.clock, log: .silent)
            defer { quire.stop() }
            try quire.start()
            try quire.maintenance.backUp(to: config.home + "-backups", by: "local")
            hands.advance(.seconds(3 * 86_400))
            let findings = quire.doctor.examine()
            #expect(!findings.contains { $0.state == .bad && $0.part != .jail }, "\(findings)")
            #expect(try finding("server", findings).sentence == "A server is running on this desk.")
            #expect(
                try finding("kind", findings).sentence.hasPrefix(
                    kind == .sqlite ? "SQLite 3." : "PostgreSQL "))
            #expect(try finding("schema", findings).sentence.hasPrefix("The tables are up to date"))
            #expect(try finding("last backup", findings).sentence == "It is 3 days old.")
            #expect(try finding("account", findings).state == .limited)
            #expect(findings.filter { $0.part == .engines }.count == Engine.all.count)
            #expect(findings.filter { $0.part == .jail }.count == 6)
        }
    }

    @Test("open doors, a newer desk and a damaged database are seen without touching them")
    func troubles() throws {
        try withConfig { config in
            let quire = try Quire.open(config, log: .silent)
            try quire.store.database.write { db in
                try db.run(
                    "INSERT INTO migration (area, position, name) VALUES ('library', 99, 'from the future')")
            }
            quire.stop()
            chmod(config.home, 0o755)
            chmod(config.home + "/keys", 0o755)
            var findings = Doctor(config).examine()
            #expect(try finding("privacy", findings).remedy == "chmod 700 \(config.home)")
            #expect(try finding("keys", findings).state == .bad)
            #expect(try finding("schema", findings).state == .bad)
            #expect(try finding("server", findings).sentence == "No server is running on this desk.")

            unlink(config.home + "/quire.db-wal")
            let file = open(config.home + "/quire.db", O_WRONLY | O_TRUNC | O_CLOEXEC)
            write(file, "this is no database at all, is it?", 34)
            close(file)
            findings = Doctor(config).examine()
            #expect(try finding("connection", findings).state == .bad)
        }
    }

    @Test("settings that cannot work are told each by itself, at the start and by the doctor")
    func wrongSettings() throws {
        try withScratchFolder { folder in
            close(open(folder + "/file", O_WRONLY | O_CREAT, 0o600))
            let flags = [
                "backup-schedule": "FREQ=DAILY;BYHOUR=2", "inbox-folder": folder + "/not there",
                "mirror-folder": folder + "/file/mirror", "reachable-folders": folder + "/nor this",
            ]
            try withConfig(flags: flags) { config in
                for name in ["backup-schedule", "inbox-folder", "mirror-folder", "reachable-folders"] {
                    #expect(try finding(name, Doctor(config).examine()).state == .limited, "\(name)")
                }
                let (log, recording) = Log.recording()
                let quire = try Quire.open(config, role: .server, log: log)
                defer { quire.stop() }
                try quire.start()
                let told = recording.entries.filter { $0.level == .warning }.compactMap {
                    $0.fields["setting"]
                }
                #expect(
                    Set(told) == ["backup-schedule", "inbox-folder", "mirror-folder", "reachable-folders"])
                #expect(try finding("inbox-folder", quire.doctor.examine()).sentence.contains("not there"))
            }
            // What Quire makes by itself when it is wanted is no trouble.
            try withConfig(flags: ["backup-folder": folder + "/a/b", "mirror-folder": folder + "/mirror"]) {
                config throws in
                let names = Doctor(config).examine().map(\.name)
                #expect(!names.contains("backup-folder") && !names.contains("mirror-folder"))
            }
            try withConfig(flags: ["backup-folder": folder + "/file/backups"]) { config throws in
                #expect(
                    try finding("backup-folder", Doctor(config).examine()).sentence.contains("/file/backups"))
            }
        }
    }

    @Test("a door open to others without encryption is pointed out")
    func openDoor() throws {
        try withConfig(flags: ["host": "0.0.0.0"]) { config throws in
            #expect(try finding("listening", Doctor(config).examine()).state == .limited)
        }
        try withConfig(flags: ["host": "0.0.0.0", "tls": "self-signed"]) { config throws in
            #expect(try finding("listening", Doctor(config).examine()).state == .good)
        }
        try withConfig(flags: ["tls-certificate": "/no/cert.pem", "tls-key": "/no/key.pem"]) {
            config throws in
            #expect(try finding("certificate", Doctor(config).examine()).state == .bad)
        }
    }

    @Test("the network list names every address and no password")
    func network() throws {
        let connection = "postgresql://ada:secret@db.example.org:6543/quire"
        let config = try Config.load(environment: ["HOME": "/nowhere", "QUIRE_DATABASE": connection])
        let mail = MailSettings(host: "smtp.example.org", senderAddress: "ada@example.org")
        let list = Doctor.network(config, mail: mail)
        #expect(list.map(\.address) == ["db.example.org:6543", "smtp.example.org:587"])
        #expect(!"\(list)".contains("secret"))
        let local = try Config.load(environment: ["HOME": "/nowhere"])
        #expect(Doctor.network(local, mail: nil).isEmpty)
        let socket = try Config.load(environment: [
            "HOME": "/", "QUIRE_DATABASE": "dbname=quire host=/run/postgresql",
        ])
        #expect(Doctor.network(socket, mail: nil).map(\.address) == ["a local socket"])
    }
}
