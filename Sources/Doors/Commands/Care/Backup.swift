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
            desk as well, so keep it as safe as the desk. With --server the desk there makes it, in a folder of its machine.
            """,
        arguments: [
            Argument(
                name: "FOLDER", summary: "where backups go; the folder in the settings if left out",
                isOptional: true,
                completion: .folder)
        ],
        options: [.database],
        examples: [
            Example("quire backup /mnt/disk/quire", "make a backup, or add the newest to those there"),
            Example("quire backup --json /mnt/disk/quire", "the same for a script"),
        ],
        run: { call in
            if let remote = try call.remoteDesk() {
                // A folder of the machine that holds the desk.
                let folder = call.arguments.first
                return try remote.care("/backups", ["folder": .optional(folder)], "Backing up", call)
            }
            let config = try call.config()
            let quire = try call.existingDesk(config)
            defer { quire.stop() }
            let folder = call.arguments.first.map(call.absolute)
            let report = try call.withProgress("Backing up") {
                try quire.maintenance.backUp(to: folder, by: "local", progress: $0)
            }
            try call.tell(report)
            if let path = report.detail["path"]?.string, report.isGood {
                let database = config.isSet(.database) ? " --database NEW_DATABASE" : ""
                call.hint(
                    "To bring it back: quire restore \(Config.quoted(path)) --home NEW_FOLDER\(database)")
            }
        })

    static let verify = Command(
        name: "verify", summary: "read everything once and compare it with what it should be",
        discussion: """
            Checks the structure of the database, the unbroken chain of the journal, and the SHA-256 of every file. \
            Ends with 7 when something is damaged. With --backup it checks a backup instead, without restoring it. With \
            --server the desk there checks itself.
            """,
        options: [
            .database,
            Option("backup", "FOLDER", "check this backup instead of the desk", completion: .folder),
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
            Everybody has to sign in again afterwards, because a backup may hold sessions that were ended since.
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
        ],
        examples: [
            Example("quire restore /mnt/disk/quire --home /srv/quire", "to a new place"),
            Example(
                "quire restore /mnt/disk/quire", "to the usual place, after the damaged desk was moved away"),
        ],
        run: { call in
            let config = try call.configHere("quire restore")
            let folder = call.absolute(call.arguments[0])
            let restored = try call.withProgress("Restoring") {
                try Backups.restore(
                    from: folder, to: config.home, database: config.database, areas: Quire.areas,
                    withoutDamaged: call.has("without-damaged"), progress: $0)
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
        let problems = try call.withProgress("Checking") { try Backups.verify(folder, progress: $0) }
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

    /// Opens the desk for a command that has no use for an empty one.
    func existingDesk(_ config: Config) throws -> Quire {
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
