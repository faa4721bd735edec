import Access
import App
import Bytes
import Storage
import Work

extension Command {
    static let backup = Command(
        name: "backup", summary: "keep a copy of everything in a folder, also while the desk is in use",
        discussion: """
            The first backup copies all files, each later one only what is new. Every backup is a whole: it can be \
            restored by this version of Quire and by later ones, on SQLite and on PostgreSQL. It holds the keys of the \
            desk as well, so keep it as safe as the desk, or have it encrypted: then whoever finds it reads nothing, and only \
            the recovery key opens it. Print that with quire backup sheet and put it away elsewhere. A folder is encrypted from \
            its first backup or not at all. With --server the desk there makes it, in a folder of its machine.
            """,
        arguments: [
            Argument(
                name: "FOLDER", summary: "where backups go; the folder in the settings if left out",
                isOptional: true,
                completion: .folder)
        ],
        options: [
            Option(
                "encrypt", nil, "encrypt it with the desk's recovery key; a folder that is begun so stays so"),
            .database,
        ],
        examples: [
            Example("quire backup /mnt/disk/quire", "make a backup, or add the newest to those there"),
            Example("quire backup /mnt/stick/quire --encrypt", "one that tells nothing to whoever finds it"),
            Example("quire backup sheet --out sheet.pdf", "what opens it, to be printed"),
            Example("quire backup --json /mnt/disk/quire", "the same for a script"),
        ],
        subcommands: [.recoverySheet],
        run: { call in
            let encrypted = call.has("encrypt") ? true : nil
            if let remote = try call.remoteDesk() {
                // A folder of the machine that holds the desk.
                let folder = call.arguments.first
                return try remote.care(
                    "/backups", ["folder": .optional(folder), "encrypted": .optional(encrypted)],
                    "Backing up", call)
            }
            let config = try call.config()
            let quire = try call.existingDesk(config)
            defer { quire.stop() }
            let folder = call.arguments.first.map(call.absolute)
            let report = try call.withProgress("Backing up") {
                try quire.maintenance.backUp(to: folder, encrypted: encrypted, by: "local", progress: $0)
            }
            try call.tell(report)
            if let path = report.detail["path"]?.string, report.isGood {
                let database = config.isSet(.database) ? " --database NEW_DATABASE" : ""
                call.hint(
                    "To bring it back: quire restore \(Config.quoted(path)) --home NEW_FOLDER\(database)")
                if report.detail["encrypted"]?.bool == true, try quire.settings.needsRecoverySheet() {
                    call.hint(
                        "Only its recovery key opens it. Print that: \(call.again("backup sheet --out recovery-sheet.pdf"))"
                    )
                }
            }
        })

    private static let recoverySheet = Command(
        name: "sheet", summary: "write the recovery sheet of encrypted backups, to be printed",
        discussion: """
            A page with all that is needed to restore encrypted backups when this machine is gone: the recovery key, also as a \
            square code, where the backups lie and what to run. Keep it on paper, away from the backups, and delete the file. \
            With --new-key backups are encrypted with another key from now on, in another folder, as when a sheet was lost; \
            those there are open with the old sheet alone. It runs on the machine that holds the desk.
            """,
        options: [
            Option("out", letter: "o", "FILE", "the PDF to write", completion: .file),
            Option("language", "TAG", "en, es-MX or fr-CA; the desk's language if left out"),
            Option("new-key", nil, "make a new key first"), .database,
        ],
        examples: [
            Example("quire backup sheet --out recovery-sheet.pdf", "print it, and put it away"),
            Example("quire backup sheet --json", "the key alone, for a program that keeps secrets"),
        ],
        run: { call in
            guard let out = call.value("out") ?? (call.isJSON ? "" : nil) else {
                throw UsageError(message: "--out says into which file", hint: "--out recovery-sheet.pdf")
            }
            _ = try call.configHere("quire backup sheet")
            let desk = try call.desk()
            defer { desk.close() }
            if call.has("new-key") { _ = try desk.client.send("POST", "/recovery-keys", [:]) }
            var wish: JSON = [:]
            if let language = call.value("language") { wish["language"] = .string(language) }
            guard !out.isEmpty else {
                let sheet = try desk.client.send("POST", "/recovery-sheets", wish)
                return call.answer(sheet) { "" }
            }
            wish["format"] = "pdf"
            let path = call.absolute(out)
            // Whoever reads it opens every backup.
            let file = try NewFile(path, mode: 0o600)
            try desk.client.bytes("POST", "/recovery-sheets", wish).withUnsafeBytes { try file.write($0) }
            try file.finish()
            call.answer(["file": .string(path)]) { "The recovery sheet is in \(path).\n" }
            call.hint("Print it, put it away from the backups, and delete the file.")
        })

    static let verify = Command(
        name: "verify", summary: "read everything once and compare it with what it should be",
        discussion: """
            Checks the structure of the database, the unbroken chain of the journal, and the SHA-256 of every file. \
            Ends with 7 when something is damaged. With --backup it checks a backup instead, without restoring it; an \
            encrypted one with the recovery key of the desk here, or as quire restore takes it. With --server the desk there checks itself.
            """,
        options: [
            .database,
            Option("backup", "FOLDER", "check this backup instead of the desk", completion: .folder),
            .recoveryKeyFile,
        ],
        examples: [
            Example("quire verify", "check the desk"),
            Example("quire verify --backup /mnt/disk/quire", "check that a backup could be restored"),
        ],
        run: { call in
            if let folder = call.value("backup").map(call.absolute) { return try check(folder, call) }
            if let remote = try call.remoteDesk() {
                return try remote.care("/verifications", [:], "Verifying", call)
            }
            let config = try call.config()
            do {
                let quire = try call.existingDesk(config)
                defer { quire.stop() }
                let report = try call.withProgress("Verifying") {
                    try quire.maintenance.verify(by: "local", progress: $0)
                }
                try call.tell(report)
            } catch let failure as Failure where failure.code == .damaged {
                // Elsewhere it is said to run this very command.
                throw Failure(
                    .damaged,
                    "The database in \(config.home) is damaged and cannot be read to its end. Move it away and bring back the latest backup: quire restore BACKUP --home \(config.home)",
                    cause: failure.cause ?? failure.message)
            }
        })

    static let restore = Command(
        name: "restore", summary: "make a desk from a backup",
        discussion: """
            Takes the newest backup in the folder, or exactly the one named. The place it goes to must be empty: a \
            restore never covers up a desk. Every file is compared with its digest before anything becomes live. \
            Everybody has to sign in again afterwards, because a backup may hold sessions that were ended since. For an \
            encrypted backup the recovery key is asked for; it stands on the sheet that was printed. Programs put it into a \
            file or into QUIRE_RECOVERY_KEY.
            """,
        arguments: [
            Argument(
                name: "FOLDER", summary: "the folder with the backups, or one backup", completion: .folder)
        ],
        options: [
            .database,
            Option(
                "without-damaged", nil,
                "bring back what is sound when something in the backup is not, and list what is missing"),
            Option("keep-sessions", nil, "leave everybody signed in who was at the time of the backup"),
            .recoveryKeyFile,
        ],
        examples: [
            Example("quire restore /mnt/disk/quire --home /srv/quire", "to a new place"),
            Example(
                "quire restore /mnt/disk/quire", "to the usual place, after the damaged desk was moved away"),
        ],
        run: { call in
            let config = try call.configHere("quire restore")
            let folder = call.absolute(call.arguments[0])
            let key = try call.recoveryKey(for: folder)
            let restored = try call.withProgress("Restoring") {
                try Backups.restore(
                    from: folder, to: config.home, database: config.database, areas: Quire.areas,
                    withoutDamaged: call.has("without-damaged"), key: key, progress: $0)
            }
            let quire = try Quire.open(config, log: .silent)
            defer { quire.stop() }
            if !call.has("keep-sessions") { try quire.access.sessions.endAll(by: .local) }
            let papers = try quire.paperNames(of: restored.missing)
            let view: JSON = [
                "snapshot": .string(restored.snapshot), "madeAt": .string(restored.made.iso8601),
                "madeBy": .string(restored.madeBy), "home": .string(config.home),
                "rows": .int(restored.rowCount),
                "files": .int(restored.fileCount),
                "missing": .array(restored.missing.map { .string($0.description) }),
                "missingPapers": .array(papers.map(JSON.string)),
                "damaged": .array(restored.damaged.map(JSON.string)),
            ]
            call.answer(view) {
                var text = "The desk of \(Words.time(restored.made)) is back in \(config.home): "
                text +=
                    "\(Words.count(restored.fileCount, "file", "files")), \(Words.count(restored.rowCount, "row", "rows")).\n"
                let lost = restored.missing.count
                if lost > 0 {
                    text +=
                        "\(Words.count(lost, "file is", "files are")) missing in the backup, or damaged there.\n"
                }
                for name in papers { text += "  missing: \(TextTable.harmless(name))\n" }
                for sentence in restored.damaged { text += "  \(TextTable.harmless(sentence))\n" }
                return text
            }
            call.hint("Next: \(call.again("serve", home: config.home))")
        })

    private static func check(_ folder: String, _ call: Invocation) throws {
        let key = try call.recoveryKey(for: folder, ofDesk: true)
        let problems = try call.withProgress("Checking") { try Backups.verify(folder, key, progress: $0) }
        call.answer(["backup": .string(folder), "problems": .array(problems.map(JSON.string))]) {
            guard !problems.isEmpty else { return "The backup in \(folder) can be restored.\n" }
            return problems.map { TextTable.harmless($0) + "\n" }.joined()
        }
        if !problems.isEmpty { throw ExitCode.damaged }
    }
}

extension DeskSession {
    /// Lets the desk there look after itself, and tells what it says.
    fileprivate func care(_ place: String, _ wish: JSON, _ title: String, _ call: Invocation) throws {
        let job = try client.send("POST", place, wish)
        let result = try call.withProgress(title) { _ in try client.result(ofJob: job, call) }
        try call.tell(
            isGood: result["good"]?.bool ?? false, result["sentence"]?.string ?? "", result["detail"] ?? [:])
    }
}

extension Invocation {
    /// The desk of the server that this call names; nil when the one here is meant.
    fileprivate func remoteDesk() throws -> DeskSession? {
        guard server != nil, has("server") || !has("home") else { return nil }
        return try desk()
    }

    /// What opens this backup; nil for one that is not encrypted. Out of a file, the environment, the desk here if it is
    /// `ofDesk`, or typed; never out of an option, where others see it.
    fileprivate func recoveryKey(for folder: String, ofDesk: Bool = false) throws -> RecoveryKey? {
        guard try Backups.kind(of: folder) == .sealed else { return nil }
        if let path = value("key-file") { return try RecoveryKey(typed: firstLine(of: path)) }
        if let text = environment[RecoveryKey.variable], !text.isEmpty { return try RecoveryKey(typed: text) }
        if ofDesk, let config = try? config(), let quire = try? existingDesk(config) {
            defer { quire.stop() }
            if let key = try quire.settings.keptRecoveryKey(), (try? Backups.list(in: folder, key)) != nil {
                return key
            }
        }
        // Whoever sits there may look at the sheet once more; from a pipe nothing else comes.
        for attempt in 1... {
            guard let typed = terminal.ask("Recovery key, as it stands on the sheet: ", true), !typed.isEmpty
            else { return nil }
            do {
                return try RecoveryKey(typed: typed)
            } catch {
                guard terminal.isInputTerminal, attempt < 5 else { throw error }
                terminal.writeError("\(error.message)\n")
            }
        }
        return nil
    }

    /// Opens the desk for a command that has no use for an empty one.
    func existingDesk(_ config: Config) throws -> Quire {
        try EncryptedHome.requireUnlocked(config.home)
        let home = DataDirectory(config.home)
        // Files without their database are told of when it is opened.
        if case .sqlite = config.database, !Files.exists(home.database), !home.holdsFiles {
            throw Failure(
                .notFound,
                "There is no desk in \(config.home) yet. Begin with: \(again("add FILE")), or: \(again("serve"))"
            )
        }
        return try Quire.open(config, log: log(config))
    }

    /// Commands speak for themselves; the log shows only when asked for.
    func log(_ config: Config) -> Log {
        isVerbose ? .standardError(level: .debug, format: config.logFormat) : .silent
    }

    func tell(_ report: Report) throws { try tell(isGood: report.isGood, report.sentence, report.detail) }

    fileprivate func tell(isGood: Bool, _ sentence: String, _ detail: JSON) throws {
        var view = detail.object ?? JSONObject()
        view["isGood"] = .bool(isGood)
        view["sentence"] = .string(sentence)
        answer(.object(view)) {
            func told(_ key: String) -> [String] { detail[key]?.array?.compactMap(\.string) ?? [] }
            // The sentence tells the first of them.
            let others = isGood ? [] : told("problems").dropFirst()
            return ([sentence] + others + told("papers").map { "  concerned: \($0)" })
                .map { TextTable.harmless($0) + "\n" }.joined()
        }
        if !isGood { throw ExitCode.damaged }
    }
}

extension Option {
    fileprivate static let recoveryKeyFile = Option(
        "key-file", "FILE",
        "the recovery key of an encrypted backup in the first line of a file; - for standard input",
        completion: .file)
}
