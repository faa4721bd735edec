import Bytes
import Glibc
import Storage
import TestSupport
import Testing
import Work

@testable import Commands

@Suite struct CareTests {
    private func withDesk(_ body: (_ home: String, _ quire: ([String]) -> Said) throws -> Void) throws {
        try withScratchFolder { folder in
            try body("\(folder)/desk") { words in quire(words + ["--home", "\(folder)/desk"], home: folder) }
        }
    }

    @Test(
        "commands that need a desk say how to begin one, and make none",
        arguments: ["backup", "verify", "list"])
    func noDesk(_ command: String) throws {
        try withDesk { home, quire in
            let said = quire([command] + (command == "backup" ? ["/tmp/x"] : []))
            #expect(said.code == .notFound)
            #expect(said.error.contains("Begin with: quire add FILE"))
            #expect(access(home, F_OK) != 0)
        }
    }

    @Test("who names a server hears of the desk there, or that it cannot be")
    func elsewhere() throws {
        try withScratchFolder { folder in
            _ = quire(["tokens", "add", "x"], home: folder, environment: ["QUIRE_HOME": "\(folder)/mine"])
            let desk = try ServedDesk(home: "\(folder)/theirs")
            defer { desk.close() }
            let server = "http://127.0.0.1:\(desk.port)"
            let there = ["QUIRE_SERVER": server, "QUIRE_TOKEN": desk.token, "QUIRE_HOME": "\(folder)/mine"]
            try desk.whileWorking {
                let backup = quire(["backup", "\(folder)/copies"], home: folder, environment: there)
                #expect(backup.code == .done, "\(backup)")
                // It holds their member and not our token.
                let back = quire(
                    ["restore", "\(folder)/copies", "--home", "\(folder)/back"], home: folder,
                    environment: there)
                #expect(back.code == .done, "\(back)")
                let members = quire(
                    ["users", "list"], home: folder, environment: ["QUIRE_HOME": "\(folder)/back"])
                #expect(members.output.contains("Ana Ruiz"))
                let verify = quire(["verify"], home: folder, environment: there)
                #expect(verify.code == .done && verify.output.contains("Everything is as it should be"))
            }
            for words in [["doctor"], ["doctor", "--network"], ["restore", "\(folder)/copies"]] {
                let said = quire(words, home: folder, environment: there)
                #expect(
                    said.code == .unsupported
                        && said.error.contains("QUIRE_SERVER names the desk on \(server)"))
            }
            for words in [["serve"], ["config"]] {
                let said = quire(words + ["--server", server], home: folder, environment: [:])
                #expect(said.code == .unsupported, "\(said)")
            }
            #expect(
                quire(["doctor", "--home", "\(folder)/mine"], home: folder, environment: there).code == .done)
        }
    }

    @Test("an unset variable is never taken for the usual desk", arguments: ["home", "database"])
    func nothingGiven(_ option: String) throws {
        try withScratchFolder { folder in
            let said = quire(["list", "--\(option)", ""], home: folder)
            #expect(
                said.code == .usage && said.error.contains("--\(option) needs a value, and was given nothing")
            )
        }
    }

    @Test(
        "an unset variable names no paper, folder or person, although nothing is a part of every name",
        arguments: [
            ["trash", ""], ["rename", "", "b"], ["rename", "only.txt", ""], ["move", "only.txt", ""],
            ["add", "only.txt", ""], ["mirror", ""], ["backup", ""], ["contacts", "put", ""], ["list", ""],
        ])
    func nothingNamed(_ words: [String]) throws {
        try withDesk { home, quire in
            try write(Array("one".utf8), to: home + "-only.txt")
            _ = quire(["add", home + "-only.txt"])
            let before = quire(["list"]).output
            let said = quire(words)
            #expect(said.code == .usage && said.error.contains("and was given nothing. Is the variable set?"))
            #expect(quire(["list"]).output == before)
        }
    }

    @Test("what makes no sense is not taken in silence")
    func nonsense() throws {
        try withDesk { home, quire in
            for command in ["config", "serve"] {
                let said = quire([command, "--backup-schedule", "nonsense"])
                #expect(said.code == .invalid && said.error.contains("must be a recurrence rule"), "\(said)")
            }
            _ = quire(["tokens", "add", "x"])
            let soon = quire(["find", "lease", "before:soon"])
            #expect(
                soon.code == .invalid
                    && soon.error.contains("“before:soon” is not understood: it takes a day"))
            #expect(quire(["find", "type:nonsense"]).error.contains("it takes one of image, mail, pdf"))
            #expect(quire(["find", "pages>few"]).code == .invalid)
            #expect(quire(["find", "\"before:soon\""]).code == .done)
            let foo = quire(["mail", "suppress", "foo"])
            #expect(foo.code == .invalid && foo.error.contains("“foo” is not a mail address"))
            let missing = quire(["suggestions", "xyz", "--take"])
            #expect(missing.code == .notFound && missing.error.contains("There is no suggestion “xyz”"))
        }
    }

    @Test("a mail account is taken away by a server without a name")
    func noMail() throws {
        try withDesk { home, quire in
            #expect(
                quire(["mail", "account", "--host", "mail.example.org", "--from", "a@example.org"]).code
                    == .done)
            #expect(quire(["mail", "account", "--host", ""]).output == "There is no mail account yet.\n")
            #expect(quire(["mail", "account"]).output == "There is no mail account yet.\n")
            #expect(quire(["mail", "account", "--host", ""]).code == .invalid)
        }
    }

    @Test("verify of a damaged database does not tell to run verify")
    func damagedDatabase() throws {
        try withDesk { home, quire in
            _ = quire(["tokens", "add", "x"])
            let bytes = try contents(of: "\(home)/quire.db")
            try write(Array(bytes.prefix(100)) + noise(bytes.count - 100), to: "\(home)/quire.db")
            unlink("\(home)/quire.db-wal")
            let said = quire(["verify"])
            #expect(said.code == .damaged, "\(said)")
            #expect(!said.error.contains("quire verify") && said.error.contains("quire restore BACKUP"))
        }
    }

    @Test("the doctor looks at an absent desk and leaves it absent")
    func doctor() throws {
        try withDesk { home, quire in
            let said = quire(["doctor", "--json"])
            let findings = try JSON(parsing: said.output)["findings"]?.array ?? []
            #expect(
                findings.contains {
                    $0["name"]?.string == "data directory" && $0["state"]?.string == "limited"
                })
            #expect(quire(["doctor"]).output.contains("to do: quire serve"))
            #expect(access(home, F_OK) != 0)
        }
    }

    @Test("the doctor says how the desk is guarded, and ends with whether every wall stands")
    func guarded() throws {
        try withDesk { home, quire in
            #expect(quire(["tokens", "add", "Scanner"]).code == .done)
            let said = quire(["doctor", "--security", "--json"])
            let walls = try JSON(parsing: said.output)["walls"]?.array ?? []
            #expect(walls.contains { $0["name"]?.string == "privacy" && $0["state"]?.string == "good" })
            let allStand = walls.allSatisfy { $0["state"]?.string == "good" }
            #expect(said.code == (allStand ? .done : .unavailable))
            let text = quire(["doctor", "--security"])
            #expect(text.code == said.code)
            #expect(text.output.contains("Scanner") && text.output.contains("Only its owner may look"))
            #expect(text.output.contains(allStand ? "Every wall stands." : "not stand."))
        }
    }

    @Test("the configuration shows where each value came from")
    func config() throws {
        try withScratchFolder { folder in
            let said = quire(
                ["config", "--log-level", "debug", "--json"], home: folder,
                environment: ["QUIRE_PORT": "9000"])
            let values = try JSON(parsing: said.output)["values"]?.array ?? []
            func from(_ name: String) -> String? {
                values.first { $0["name"]?.string == name }?["from"]?.string
            }
            #expect(from("port") == "QUIRE_PORT")
            #expect(from("log-level") == "--log-level")
            #expect(from("host") == "built in")
            #expect(
                quire(["config", "port"], home: folder, environment: ["QUIRE_PORT": "9000"]).output
                    == "9000\n")
            #expect(quire(["config", "prot"], home: folder).error.contains("Did you mean “port”?"))
            #expect(quire(["config", "--port", "x"], home: folder).code == .invalid)
            let remarked = quire(["config"], home: folder, environment: ["QUIRE_PROT": "1"])
            #expect(remarked.error.contains("QUIRE_PROT means nothing to Quire. Did you mean “port”?"))
        }
    }

    @Test("--home is seen from the folder one is in")
    func relativeHome() throws {
        try withScratchFolder { folder in
            let said = quire(["config", "home", "--home", "mine"], home: folder)
            #expect(said.output == folder + "/mine\n")
        }
    }
}

@Suite struct BackupTests {
    @Test("a desk survives a backup and a restore, and a restore covers up nothing")
    func roundTrip() throws {
        try withScratchFolder { folder in
            func run(_ words: String...) -> Said {
                quire(words, home: folder, environment: ["QUIRE_HOME": folder + "/desk"])
            }
            try write(Array("tea".utf8), to: folder + "/note.txt")
            #expect(run("add", "note.txt").code == .done)
            let made = run("backup", "kept")
            #expect(made.code == .done && made.output.contains("1 new file"), "\(made.error)")
            #expect(made.error.contains("quire restore \(folder)/kept/"))
            #expect(run("verify").code == .done)
            #expect(
                run("verify", "--backup", "kept").output == "The backup in \(folder)/kept can be restored.\n")

            #expect(run("restore", "kept").code == .conflict)
            let restored = run("restore", "kept", "--home", "again", "--json")
            let view = try JSON(parsing: restored.output)
            #expect(view["files"]?.int == 1, "\(restored.error)")
            #expect(run("list", "--home", "again").output.contains("note.txt"))
            #expect(run("restore", "nothing-here", "--home", "third").code != .done)
        }
    }

    @Test("an encrypted backup is restored with the key of its sheet, which tells what was mistyped")
    func encrypted() throws {
        try withScratchFolder { folder in
            func run(_ words: String..., answers: [String] = [], key: String? = nil) -> Said {
                quire(
                    words, home: folder,
                    environment: ["QUIRE_HOME": folder + "/desk", "QUIRE_RECOVERY_KEY": key ?? ""],
                    answers: answers, asTerminal: !answers.isEmpty)
            }
            try write(Array("tea".utf8), to: folder + "/note.txt")
            #expect(run("add", "note.txt").code == .done)
            let made = run("backup", "kept", "--encrypt")
            #expect(made.code == .done && made.error.contains("quire backup sheet"), "\(made.error)")
            #expect(run("doctor").output.contains("the recovery sheet was never printed"))
            // It stays what it was begun as, without being told again.
            #expect(run("backup", "kept").output.contains("0 new files"))
            #expect(run("backup", "plain").code == .done)
            let mixed = run("backup", "plain", "--encrypt")
            #expect(mixed.code == .conflict && mixed.error.contains("are not encrypted"), "\(mixed)")

            let sheet = run("backup", "sheet", "--out", "sheet.pdf")
            #expect(sheet.code == .done && sheet.output.contains("\(folder)/sheet.pdf"), "\(sheet)")
            #expect(try contents(of: folder + "/sheet.pdf").starts(with: Array("%PDF".utf8)))
            var facts = stat()
            #expect(stat(folder + "/sheet.pdf", &facts) == 0 && facts.st_mode & 0o077 == 0)
            #expect(run("backup", "sheet", "--out", "sheet.pdf").code == .conflict)
            let told = try JSON(parsing: run("backup", "sheet", "--json").output)
            #expect(told["folders"]?[0]?.string == folder + "/kept")
            #expect(run("doctor").output.contains("The key of the encrypted backups is on paper."))

            let key = try #require(told["key"]?.string)
            let mistyped = String(key.dropLast()) + (key.hasSuffix("7") ? "8" : "7")
            #expect(run("verify", "--backup", "kept").code == .done)
            let none = run("restore", "kept", "--home", "again")
            #expect(none.code == .invalid && none.error.contains("These backups are encrypted."), "\(none)")
            let wrong = run("restore", "kept", "--home", "again", key: mistyped)
            #expect(wrong.code == .invalid && wrong.error.contains("Group 8 of the recovery key is mistyped"))
            let others = run("restore", "kept", "--home", "again", key: RecoveryKey(.seeded(9)).text)
            #expect(others.code == .invalid && others.error.contains("This is not the key of these backups."))
            #expect(access(folder + "/again", F_OK) != 0)
            // At a terminal one looks at the sheet again.
            let typed = run("restore", "kept", "--home", "again", answers: [mistyped, key.lowercased()])
            #expect(typed.code == .done && typed.error.contains("Group 8"), "\(typed)")
            #expect(run("list", "--home", "again").output.contains("note.txt"))
            try write(Array((key + "\n").utf8), to: folder + "/key")
            #expect(run("restore", "kept", "--home", "third", "--key-file", "key").code == .done)
            // The desk that came back goes on where the other ended, with the same sheet.
            #expect(run("backup", "kept", "--home", "third").output.contains("0 new files"))
            // With a new key it needs a new folder.
            #expect(run("backup", "sheet", "--new-key", "--json").code == .done)
            #expect(run("backup", "kept").error.contains("not this desk's"))
            #expect(run("backup", "anew", "--encrypt").code == .done)
        }
    }

    @Test("what to do next repeats where the desk lies")
    func hints() throws {
        guard PostgresCluster.isInstalled else { return }
        try withScratchFolder { folder in
            try PostgresCluster.shared.withDatabase { address in
                func run(_ words: String...) -> Said {
                    quire(words, home: folder, environment: ["QUIRE_HOME": folder + "/desk"])
                }
                try write(Array("tea".utf8), to: folder + "/note.txt")
                let added = run("add", "note.txt", "--home", "my desk")
                #expect(added.error.contains("quire serve --home '\(folder)/my desk'"), "\(added.error)")
                #expect(run("backup", "kept", "--home", "my desk").code == .done)
                let restored = run("restore", "kept", "--home", "again", "--database", address)
                let next = restored.error.split(separator: "\n").last { $0.hasPrefix("Next: ") } ?? ""
                #expect(next.hasPrefix("Next: quire serve --home \(folder)/again --database "))
                // Without the database, nothing of the files is touched.
                let forgotten = run("list", "--home", "again")
                #expect(forgotten.code == .conflict)
                #expect(forgotten.error.contains("is empty"), "\(forgotten.error)")
                #expect(run("list", "--home", "again", "--database", address).output.contains("note.txt"))
            }
        }
    }

    @Test(
        "a desk on a disk that cannot be written, or is full to the last block, is listed, searched, given out, verified and backed up",
        .enabled(if: SmallDisk.isPossible, "mounting needs root"),
        arguments: ["read-only", "full"])
    func unwritable(why: String) throws {
        try SmallDisk.with(megabytes: 16) { disk in
            try withScratchFolder { folder in
                func run(_ words: String...) -> Said {
                    quire(words, home: folder, environment: ["QUIRE_HOME": disk.path + "/desk"])
                }
                try write(Array("tea".utf8), to: folder + "/note.txt")
                #expect(run("add", "note.txt").code == .done)
                if why == "full" { disk.fill(leaving: 0) } else { try disk.makeReadOnly() }
                for words in [
                    ["list"], ["show", "note.txt"], ["find", "note"], ["get", "note.txt", "copy.txt"],
                    ["verify"], ["backup", "kept"],
                ] {
                    let said = quire(words, home: folder, environment: ["QUIRE_HOME": disk.path + "/desk"])
                    #expect(said.code == .done, "\(words): \(said.error)")
                }
                let refused = [
                    "read-only": ["Read-only file system", "may not write"], "full": ["disk is full"],
                ]
                for words in [["add", "copy.txt"], ["trash", "note.txt"]] {
                    let said = quire(words, home: folder, environment: ["QUIRE_HOME": disk.path + "/desk"])
                    let text = said.output + said.error
                    #expect(said.code != .done && refused[why]!.contains { text.contains($0) }, "\(text)")
                }
                #expect(run("restore", "kept", "--home", "again").code == .done)
                guard why == "full" else { return }
                disk.makeRoom()
                try write(Array("coffee".utf8), to: folder + "/later.txt")
                #expect(run("add", "later.txt").code == .done)
                #expect(run("verify").code == .done)
            }
        }
    }

    @Test("clearing away says what it did, and what it would not do")
    func sweeping() throws {
        try withScratchFolder { folder in
            func run(_ words: String...) -> Said {
                quire(words, home: folder, environment: ["QUIRE_HOME": folder + "/desk"])
            }
            try write(Array("tea".utf8), to: folder + "/note.txt")
            #expect(run("add", "note.txt").code == .done)
            #expect(run("sweep").output.hasPrefix("Took 0 unused files"))
        }
    }

    @Test("a damaged file is found, and the exit code says so")
    func damage() throws {
        try withScratchFolder { folder in
            func run(_ words: String...) -> Said {
                quire(words, home: folder, environment: ["QUIRE_HOME": folder + "/desk"])
            }
            try write(Array("tea".utf8), to: folder + "/note.txt")
            #expect(run("add", "note.txt").code == .done)
            let digest = try JSON(parsing: run("show", "note.txt", "--json").output)["digest"]?.string ?? ""
            let path = "\(folder)/desk/blobs/\(digest.prefix(2))/\(digest)"
            chmod(path, 0o600)
            let blob = open(path, O_WRONLY | O_CLOEXEC)
            try #require(blob >= 0)
            #expect(write(blob, "TEA", 3) == 3)
            close(blob)
            let said = run("verify", "--json")
            #expect(said.code == .damaged)
            let view = try JSON(parsing: said.output)
            #expect(view["isGood"]?.bool == false)
            // And it is not given out as if it were good.
            let got = run("get", "note.txt", "copy.txt")
            #expect(got.code == .damaged && got.error.contains("not what it was"), "\(got.error)")
            #expect(access(folder + "/copy.txt", F_OK) != 0)
            let findings = try JSON(parsing: run("doctor", "--json").output)["findings"]?.array ?? []
            #expect(
                findings.contains {
                    $0["name"]?.string == "stored files" && $0["state"]?.string == "bad"
                })
        }
    }
}
