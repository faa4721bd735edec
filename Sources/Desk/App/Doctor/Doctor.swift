import Access
import Bytes
import Glibc
import Library
import Office
import SQL
import Storage
import Transfer
public import Work

/// Looks at the desk and the machine and says what works, what does not, and what to do. It changes nothing: a
/// desk that is missing or damaged, or needs a newer Quire, is exactly what it has to be able to look at.
public struct Doctor: Sendable {
    let config: Config
    let clock: Clock

    public init(_ config: Config, clock: Clock = .system) {
        self.config = config
        self.clock = clock
    }

    /// Everything, in the order of `Finding.Part`. Takes up to a second: every wall of the jail is tried.
    public func examine() -> [Finding] {
        let told = owner()
        return folders() + database() + door() + machine() + Self.jail(Jail.detect()) + Self.engines()
            + (told ?? settings(nil))
    }

    /// The walls and engines alone, for members who are no owners. The walls as they were found at first: trying
    /// them anew costs too much for whoever may just load a page again and again.
    public static func capabilities(_ jail: Jail) -> [Finding] { Self.jail(jail) + engines() }

    /// What stands between the desk and those who have no business there; the rest of `examine` says whether it works.
    public func walls(_ jail: Jail) -> [Finding] {
        folders().filter { ["privacy", "keys", "disk"].contains($0.name) } + door() + Self.jail(jail)
    }

    private var home: DataDirectory { DataDirectory(config.home) }

    private var exists: Bool { access(home.path, F_OK) == 0 }

    /// Whether who finds the disk can read it.
    private func encryption() -> Finding {
        do {
            guard let encrypted = try EncryptedHome.at(config.home) else {
                return Finding(
                    .desk, "disk", .good,
                    "The desk is not encrypted by Quire: unless the whole disk is, who finds it reads everything. quire desk encrypt changes that."
                )
            }
            return try encrypted.isUnlocked
                ? Finding(.desk, "disk", .good, "The desk is encrypted on its disk, and unlocked.")
                : Finding(
                    .desk, "disk", .bad, "The desk is encrypted, and locked: nothing else can be said of it.",
                    remedy: config.command("desk unlock"))
        } catch {
            return Finding(.desk, "disk", .bad, error.message)
        }
    }

    private func folders() -> [Finding] {
        guard exists else {
            return [
                Finding(
                    .desk, "data directory", .limited, "There is no desk in \(home.path) yet.",
                    remedy: config.command("serve"))
            ]
        }
        let encryption = encryption()
        if encryption.state == .bad { return [encryption] }
        var findings: [Finding] = []
        var about = stat()
        stat(home.path, &about)
        if access(home.path, R_OK | W_OK | X_OK) != 0 {
            findings.append(
                Finding(
                    .desk, "data directory", .bad, "\(home.path) cannot be written to.",
                    remedy: "run Quire as the user that owns it, or give it to that user"))
        } else {
            findings.append(Finding(.desk, "data directory", .good, "\(home.path)"))
        }
        findings.append(
            about.st_mode & 0o077 == 0
                ? Finding(.desk, "privacy", .good, "Only its owner may look into the data directory.")
                : Finding(
                    .desk, "privacy", .limited, "Other users of this machine may look into \(home.path).",
                    remedy: "chmod 700 \(home.path)"))
        findings.append(encryption)
        let isKeyPrivate = stat(home.keys, &about) != 0 || about.st_mode & 0o077 == 0
        if !isKeyPrivate {
            findings.append(
                Finding(
                    .desk, "keys", .bad, "Other users of this machine may read the keys in \(home.keys).",
                    remedy: "chmod 700 \(home.keys)"))
        }
        if let free = Machine.freeByteCount(home.path) {
            let state: Finding.State = free < 200_000_000 ? .bad : free < 2_000_000_000 ? .limited : .good
            findings.append(
                Finding(
                    .desk, "free space", state, "\(Quantity.bytes(free)) are free.",
                    remedy: state == .good ? nil : "make room on the disk, or move the desk to a larger one"))
        }
        findings.append(
            Finding(
                .desk, "server", .good,
                home.isBeingServed
                    ? "A server is running on this desk." : "No server is running on this desk."))
        return findings
    }

    private func database() -> [Finding] {
        do {
            guard let database = try openWithoutChange() else { return [] }
            defer { database.close() }
            var findings = [Finding(.database, "kind", .good, try Self.description(of: database))]
            findings.append(try schema(of: database))
            if let trouble = try Store.trouble(between: home, and: config.database, opened: database) {
                findings.append(Finding(.database, "folder", .bad, trouble.message))
            }
            return findings
        } catch let failure as Failure {
            return [Finding(.database, "connection", .bad, failure.message)]
        } catch {
            return [
                Finding(
                    .database, "connection", .bad, "The database cannot be opened: \(error).",
                    remedy: config.isSqlite
                        ? "\(config.command("verify")), then quire restore if it is damaged" : nil)
            ]
        }
    }

    private func openWithoutChange() throws -> Database? {
        // Said already.
        if encryption().state == .bad { return nil }
        return switch config.database {
        case .memory: nil
        case .sqlite:
            access(home.database, F_OK) == 0 ? try Database.sqlite(at: home.database, readers: 1) : nil
        case .postgres(let connection, let schema):
            try Database.postgres(connection, connections: 1, schema: schema)
        }
    }

    private static func description(of database: Database) throws -> String {
        let query: Query = database.kind == .sqlite ? "SELECT sqlite_version() AS v" : "SHOW server_version"
        let version = try database.read { db in try db.row(query)?.values.first }
        guard case .text(let text)? = version else { return database.kind.rawValue }
        return (database.kind == .sqlite ? "SQLite " : "PostgreSQL ") + text
    }

    private func schema(of database: Database) throws -> Finding {
        let done = try database.migrationHistory()
        let known = ([Store.migrations] + Quire.areas).flatMap { area in
            area.migrations.map { "\(area.name)/\($0.name)" }
        }
        let unknown = done.first { !known.contains("\($0.area)/\($0.name)") }
        if let unknown {
            return Finding(
                .database, "schema", .bad,
                "The desk was written by a newer Quire (“\(unknown.area): \(unknown.name)”).",
                remedy: "install that version or a later one")
        }
        let missing = known.count - done.count
        return missing == 0
            ? Finding(.database, "schema", .good, "The tables are up to date (\(done.count) steps).")
            : Finding(
                .database, "schema", .good,
                "The next start brings the tables up to date (\(missing) of \(known.count) steps).")
    }

    /// Who can reach the desk, and whether what they type can be overheard.
    private func door() -> [Finding] {
        var findings: [Finding] = []
        let isLocal = config.host == "::1" || config.host.hasPrefix("127.") || config.host == "localhost"
        let isEncrypted = config.tls != .off || config.publicOrigin?.hasPrefix("https://") == true
        if isLocal || isEncrypted {
            findings.append(
                Finding(
                    .door, "listening", .good,
                    isLocal
                        ? "Only this machine is let in (\(config.host), port \(config.port))."
                        : "Others are let in, encrypted (\(config.host), port \(config.port))."))
        } else {
            findings.append(
                Finding(
                    .door, "listening", .limited,
                    "Others are let in without encryption (\(config.host), port \(config.port)): passwords can be overheard, and passkeys do not work.",
                    remedy:
                        "quire serve --lan in a house or an office, or a proxy with TLS and --public-origin https://…"
                ))
        }
        if let proxies = proxies(isLocal: isLocal) { findings.append(proxies) }
        if case .files(let certificate, let key) = config.tls {
            for (name, path) in [("certificate", certificate), ("certificate key", key)]
            where access(path, R_OK) != 0 {
                findings.append(
                    Finding(
                        .door, name, .bad, "\(path) cannot be read.",
                        remedy:
                            "check tls-certificate and tls-key; the user that runs Quire must be able to read both"
                    ))
            }
        }
        return findings
    }

    /// Who is believed where a visitor comes from. Nil where nobody seems to stand before the desk.
    private func proxies(isLocal: Bool) -> Finding? {
        guard config.trustedProxies.isEmpty else {
            let named = config.trustedProxies.map { "\($0.first)/\($0.prefixLength)" }.joined(separator: ", ")
            return Finding(.door, "proxies", .good, "Believed where visitors come from: \(named).")
        }
        guard !isLocal, config.tls == .off, config.publicOrigin?.hasPrefix("https://") == true else {
            return nil
        }
        return Finding(
            .door, "proxies", .limited,
            "A proxy on another machine seems to stand before this desk, and is not named: everybody who comes through it counts as one visitor, and shares its limits.",
            remedy: "quire serve --trusted-proxies ADDRESS")
    }

    private func machine() -> [Finding] {
        var findings: [Finding] = []
        findings.append(Self.clock(at: clock.now()))
        findings.append(
            TimeZoneRules.names().count > 1
                ? Finding(
                    .machine, "time zones", .good, "This machine is set to \(TimeZoneRules.systemName).")
                : Finding(
                    .machine, "time zones", .limited, "Only UTC is known.", remedy: "apt install tzdata"))
        findings.append(
            access("/etc/ssl/certs/ca-certificates.crt", R_OK) == 0
                ? Finding(.machine, "certificates", .good, "The usual authorities are known.")
                : Finding(
                    .machine, "certificates", .limited,
                    "No encrypted connection to the outside can be checked.",
                    remedy: "apt install ca-certificates"))
        return findings
    }

    static func clock(at now: Moment) -> Finding {
        // Built after this; an earlier clock is wrong for sure.
        let earliest = Moment(milliseconds: 1_760_000_000_000)
        return now < earliest
            ? Finding(
                .machine, "clock", .bad, "The clock shows \(now.iso8601), which is in the past.",
                remedy: "set the clock, for example with: timedatectl set-ntp true")
            : Finding(.machine, "clock", .good, "The clock shows \(now.iso8601).")
    }

    private static func jail(_ jail: Jail) -> [Finding] {
        let summary = Finding(
            .jail, "papers from strangers", jail.warning == nil ? .good : .bad,
            jail.warning ?? "They are decoded without network and without sight of your files.",
            remedy: jail.warning == nil ? nil : "apt install bubblewrap")
        let needed = { (name: String) in
            !(name == "landlock" && jail.walls.contains { $0.name == "bubblewrap" && $0.stands })
        }
        return [summary]
            + jail.walls.map { wall in
                let state: Finding.State =
                    wall.stands || !needed(wall.name) || wall.name == "own user" ? .good : .limited
                let sentence =
                    wall.stands
                    ? "Stands: keeps from \(wall.keeps)." : "Does not stand: \(wall.why ?? "unknown reason")."
                let remedy =
                    wall.name == "bubblewrap" && Child.find("bwrap") == nil ? "apt install bubblewrap" : nil
                return Finding(.jail, wall.name, state, sentence, remedy: wall.stands ? nil : remedy)
            }
    }

    private static func engines() -> [Finding] {
        let part =
            EngineProgram.path == nil
            ? [Finding(.engines, "quire-engine", .limited, EngineProgram.absence)] : []
        return part
            + Engine.all.map { engine in
                engine.path.map {
                    Finding(.engines, engine.name, .good, "Installed at \($0): \(engine.use).")
                }
                    ?? Finding(
                        .engines, engine.name, .limited, "Not installed: \(engine.use).",
                        remedy: "apt install \(engine.package)")
            }
    }

    /// What can only be told by an open desk whose tables are up to date.
    private func owner() -> [Finding]? {
        do {
            guard let database = try openWithoutChange() else { return nil }
            defer { database.close() }
            let shown = try database.read { db in
                let mail = try db.row("SELECT value FROM setting WHERE owner = '' AND name = 'mail'")?.text(
                    "value")
                let row = try db.row(
                    "SELECT at, is_good, sentence FROM report WHERE kind = 'backup' ORDER BY id DESC LIMIT 1")
                let sweep = try db.row(
                    "SELECT is_good, sentence FROM report WHERE kind = 'sweep' ORDER BY id DESC LIMIT 1")
                let latest = try db.row("SELECT max(at) AS at FROM journal")?.optionalMoment("at")
                let checked = try db.row(
                    "SELECT at, is_good, sentence FROM report WHERE kind = 'verification' ORDER BY id DESC LIMIT 1"
                )
                let dangerous = try DangerousPapers.names(in: db)
                let chosen = try db.row(
                    "SELECT value FROM setting WHERE owner = '' AND name = \(BackupSettings.name)")?.text(
                        "value")
                let hasKey =
                    try db.row("SELECT 1 AS one FROM secret WHERE name = \(Settings.recoveryKeyName)") != nil
                let hasSheet =
                    try db.row(
                        "SELECT 1 AS one FROM setting WHERE owner = '' AND name = \(RecoverySheet.name)")
                    != nil
                return (
                    hasKey: hasKey, hasSheet: hasSheet,
                    mail: MailSettings(mail.flatMap { try? JSON(parsing: $0) } ?? .null),
                    backup: try row.map {
                        (
                            at: try $0.moment("at"), isGood: try $0.bool("is_good"),
                            said: try $0.text("sentence")
                        )
                    },
                    sweep: try sweep.map { (isGood: try $0.bool("is_good"), said: try $0.text("sentence")) },
                    latest: latest, dangerous: dangerous,
                    backups: BackupSettings(chosen.flatMap { try? JSON(parsing: $0) } ?? .null),
                    bounces: try Self.failedBounces(in: db),
                    checked: try checked.map {
                        (
                            at: try $0.moment("at"), isGood: try $0.bool("is_good"),
                            said: try $0.text("sentence")
                        )
                    }
                )
            }
            return settings(shown.backups, bounces: shown.bounces)
                + [mail(shown.mail), backup(shown.backup)]
                + sheet(shown.backups, hasKey: shown.hasKey, hasSheet: shown.hasSheet)
                + shelf(sweep: shown.sweep)
                + ahead(shown.latest) + dangerous(shown.dangerous) + [files(shown.checked)]
        } catch {
            return nil
        }
    }

    /// Where backups are encrypted, whether somebody could still read them without this desk.
    private func sheet(_ chosen: BackupSettings, hasKey: Bool, hasSheet: Bool) -> [Finding] {
        guard hasKey || config.deciding(chosen, isChosen: false).settings.encrypted else { return [] }
        guard hasSheet else {
            return [
                Finding(
                    .backups, "recovery sheet", .limited,
                    "Backups are encrypted, and the recovery sheet was never printed: once this machine is gone, nobody can read them.",
                    remedy: config.command("backup sheet --out recovery-sheet.pdf"))
            ]
        }
        return [Finding(.backups, "recovery sheet", .good, "The key of the encrypted backups is on paper.")]
    }

    /// What waits for somebody's decision.
    private func shelf(sweep: (isGood: Bool, said: String)?) -> [Finding] {
        guard let sweep, !sweep.isGood else { return [] }
        return [
            Finding(
                .desk, "unused files", .limited, sweep.said,
                remedy: "look whether the database is the right one; then \(config.command("sweep --all"))")
        ]
    }

    /// What the last reading of all files found.
    private func files(_ checked: (at: Moment, isGood: Bool, said: String)?) -> Finding {
        guard let checked else {
            return Finding(
                .desk, "stored files", .good, "They have not been checked yet; a server does so every week.")
        }
        return Finding(
            .desk, "stored files", checked.isGood ? .good : .bad,
            "\(checked.said) Checked \(checked.at.iso8601).",
            remedy: checked.isGood
                ? nil : "\(config.command("verify")) names them; bring them back from a backup")
    }

    private func dangerous(_ names: [String]) -> [Finding] {
        guard !names.isEmpty else { return [] }
        let some =
            names.prefix(3).map { "“\($0)”" }.joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        return [
            Finding(
                .desk, "papers set aside", .limited,
                "Quire ended again and again while it read \(Quantity.count(names.count, "paper")), left unread since: \(some).",
                remedy: "look at the paper with care; a newer version of it is read again")
        ]
    }

    /// Lines of the history from a time to come.
    private func ahead(_ latest: Moment?) -> [Finding] {
        guard let latest, latest - clock.now() > .seconds(3600) else { return [] }
        return [
            Finding(
                .machine, "times to come", .limited,
                "The history has lines of \(latest.iso8601), which is to come: the clock was wrong then, or is now. Schedules are reckoned anew at each start.",
                remedy: "set the clock, for example with: timedatectl set-ntp true")
        ]
    }

    private func mail(_ mail: MailSettings) -> Finding {
        mail.isComplete
            ? Finding(.mail, "account", .good, "Mail goes out through \(mail.host) as \(mail.senderAddress).")
            : Finding(
                .mail, "account", .limited, "There is no mail account; nothing can be sent.",
                remedy: "enter one under Settings › Mail")
    }

    private func backup(_ last: (at: Moment, isGood: Bool, said: String)?) -> Finding {
        guard let last else {
            return Finding(
                .backups, "last backup", .limited, "There is no backup yet.",
                remedy: config.command("backup FOLDER"))
        }
        let days = Int((clock.now() - last.at).wholeMilliseconds / 86_400_000)
        // A clock that is a little off is nobody's concern.
        guard last.at - clock.now() < .seconds(3600) else {
            return Finding(
                .backups, "last backup", .limited,
                "It is dated \(last.at.iso8601), which is to come: the clock was wrong then, or is now.",
                remedy: config.command("backup FOLDER"))
        }
        guard last.isGood else {
            return Finding(
                .backups, "last backup", .bad, "It failed: \(last.said)",
                remedy: config.command("backup FOLDER"))
        }
        let sentence =
            days < 1
            ? "It is less than a day old." : days == 1 ? "It is one day old." : "It is \(days) days old."
        return Finding(
            .backups, "last backup", days > 7 ? .limited : .good, sentence,
            remedy: days > 7 ? config.command("backup FOLDER") : nil)
    }
}

extension Config {
    var isSqlite: Bool { if case .sqlite = database { true } else { false } }
}

/// Amounts in words.
enum Quantity {
    static func bytes(_ count: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var value = Double(count)
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        guard unit > 0, value < 10 else { return "\(Int(value.rounded())) \(units[unit])" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
