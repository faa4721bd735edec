public import Access
import Bytes
public import Crypto
public import PDFReading
public import SQL
public import Storage
import Synchronization
public import Transfer
public import Work

/// What the owners of a desk decide in the app: who they are, their mail account, backups, the lock.
///
/// What the person who hosts Quire has decided in the configuration counts more: it is shown here and cannot
/// be changed here.
public final class Settings: Sendable {
    let store: Store
    private let config: Config
    /// What has been saved just now, by the name of its group.
    public let changes = Broadcast<String>()
    private let heldKey = Mutex<SealingKey?>(nil)
    /// Where pictures of strangers are drawn; nil where they cannot be.
    let reader: @Sendable () -> PageReader?

    public init(_ store: Store, config: Config, reader: @escaping @Sendable () -> PageReader? = { nil }) {
        self.store = store
        self.config = config
        self.reader = reader
    }

    public func identity() throws -> Identity { try value() }

    public func change(_ identity: Identity, by caller: Caller) throws {
        try save(identity, by: caller)
    }

    public func region() throws -> Region { try value() }

    public func change(_ region: Region, by caller: Caller) throws {
        try save(region, by: caller)
    }

    public func recognition() throws -> RecognitionSettings {
        config.isSet(.recognitionLanguages)
            ? RecognitionSettings(languages: config.recognitionLanguages) : try value()
    }

    public func change(_ recognition: RecognitionSettings, by caller: Caller) throws {
        try refuseIfDecided(.recognitionLanguages)
        try save(recognition, by: caller)
    }

    public func lock() throws -> LockSettings {
        guard config.isSet(.lockAfter) else { return try value() }
        let seconds = config.lockAfter.map { Int($0.wholeMilliseconds / 1000) }
        return LockSettings(minutes: seconds.map { max(1, ($0 + 59) / 60) })
    }

    public func change(_ lock: LockSettings, by caller: Caller) throws {
        try refuseIfDecided(.lockAfter)
        try save(lock, by: caller)
    }

    public func backups() throws -> BackupSettings {
        config.deciding(try value(), isChosen: false).settings
    }

    /// As owners saved them, whatever the host says.
    func chosenBackups() throws -> BackupSettings { try value() }

    public func change(_ backups: BackupSettings, by caller: Caller) throws {
        let now = try self.backups()
        if backups.folder != now.folder { try refuseIfDecided(.backupFolder) }
        if backups.rule != now.rule { try refuseIfDecided(.backupSchedule) }
        if backups.encrypted != now.encrypted { try refuseIfDecided(.backupEncrypted) }
        try caller.require(.administer)
        if backups.folder != now.folder || backups.encrypted != now.encrypted {
            try refuseMixing(in: backups.folder, encrypted: backups.encrypted)
        }
        if backups.encrypted { _ = try recoveryKey() }
        try save(backups, by: caller)
    }

    /// How one member wants to see the app; everything left open when they never said.
    public func preferences(of member: ID<Member>) throws -> Preferences { try value(of: member.text) }

    public func change(_ preferences: Preferences, by caller: Caller) throws {
        guard let member = caller.memberID else { return }
        try put(preferences.checked(), of: member.text) { _ in }
    }

    public func mail() throws -> MailSettings {
        var settings: MailSettings = try value()
        settings.hasPassword = try hasSecret(Self.mailPassword)
        return settings
    }

    /// `password` nil keeps the one there is, an empty one removes it.
    public func change(_ mail: MailSettings, password: String? = nil, by caller: Caller) throws {
        try caller.require(.administer)
        let before = try self.mail()
        // No server at all takes the account away, and its password with it.
        let isTakenAway = mail.host.isEmpty && !before.host.isEmpty
        let mail = isTakenAway ? MailSettings() : try mail.checked()
        let password = isTakenAway ? "" : password
        if password == nil, before.hasPassword, mail.way.isStranger(to: before.way) {
            throw Self.passwordAgain(before.host)
        }
        let sealed = try password.flatMap {
            $0.isEmpty ? nil : try key().seal(Array($0.utf8), for: Self.mailPassword)
        }
        try put(mail, of: "") { tx in
            if password != nil { try tx.run("DELETE FROM secret WHERE name = \(Self.mailPassword)") }
            if let sealed {
                try tx.run(
                    "INSERT INTO secret (name, sealed, changed_at) VALUES (\(Self.mailPassword), \(sealed), \(tx.now))"
                )
            }
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "settings.changed", subject: "settings/mail",
                    detail: ["host": .string(mail.host), "password": .bool(password != nil)]))
        }
    }

    public func bounces() throws -> BounceSettings {
        var settings: BounceSettings = try value()
        settings.hasPassword = try hasSecret(Self.bouncePassword)
        return settings
    }

    /// `password` nil keeps the one there is, an empty one removes it.
    public func change(_ bounces: BounceSettings, password: String? = nil, by caller: Caller) throws {
        try caller.require(.administer)
        let bounces = try bounces.checked()
        var password = password
        let before = try self.bounces()
        if bounces.userName.isEmpty, !bounces.host.isEmpty, let kept = try secret(Self.mailPassword) {
            // Here the mail account's own password goes to this host.
            if before.host.isEmpty || !before.userName.isEmpty || bounces.way.isStranger(to: before.way) {
                guard let typed = password, constantTimeEquals(Array(typed.utf8), kept) else {
                    throw Self.passwordAgain(try mail().host)
                }
            }
            password = nil
        } else if password == nil, before.hasPassword, !bounces.host.isEmpty,
            bounces.way.isStranger(to: before.way)
        {
            throw Self.passwordAgain(before.host)
        }
        let sealed = try password.flatMap {
            $0.isEmpty ? nil : try key().seal(Array($0.utf8), for: Self.bouncePassword)
        }
        try put(bounces, of: "") { tx in
            if password != nil { try tx.run("DELETE FROM secret WHERE name = \(Self.bouncePassword)") }
            if let sealed {
                try tx.run(
                    "INSERT INTO secret (name, sealed, changed_at) VALUES (\(Self.bouncePassword), \(sealed), \(tx.now))"
                )
            }
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "settings.changed", subject: "settings/bounces",
                    detail: ["host": .string(bounces.host), "password": .bool(password != nil)]))
        }
    }

    /// Where mail comes back; nil when nobody has said.
    public func bounceAccount() throws -> IMAPAccount? {
        let bounces = try bounces()
        guard !bounces.host.isEmpty, let security = SMTPAccount.Security(rawValue: bounces.security.rawValue)
        else { return nil }
        let name = bounces.userName.isEmpty ? Self.mailPassword : Self.bouncePassword
        guard let password = try secret(name).map({ String(decoding: $0, as: UTF8.self) }) else {
            throw Failure(
                .conflict,
                "There is no password for the mailbox into which mail comes back. Enter it under Settings › Mail."
            )
        }
        return IMAPAccount(
            host: bounces.host, port: bounces.port, security: security,
            userName: bounces.userName.isEmpty ? try mail().userName : bounces.userName, password: password,
            folder: bounces.folder)
    }

    public func ledger() throws -> LedgerSettings { try value() }

    public func change(_ ledger: LedgerSettings, by caller: Caller) throws {
        try save(ledger, by: caller)
    }

    /// The account to send with and the sender, once the mail settings are complete.
    public func mailAccount() throws -> (account: SMTPAccount, sender: MailAddress) {
        let mail = try mail()
        guard mail.isComplete, let security = SMTPAccount.Security(rawValue: mail.security.rawValue),
            let sender = MailAddress(
                mail.senderAddress, name: mail.senderName.isEmpty ? nil : mail.senderName)
        else {
            throw Failure(
                .conflict,
                "There is no mail account yet. Enter one under Settings › Mail, or with: quire mail account")
        }
        var password: String?
        if mail.hasPassword {
            password = try secret(Self.mailPassword).map { String(decoding: $0, as: UTF8.self) }
            guard password != nil else {
                throw Failure(
                    .damaged,
                    "The stored mail password cannot be opened: its key in \(store.home.keys) was replaced. Enter the password again under Settings › Mail."
                )
            }
        }
        let account = SMTPAccount(
            host: mail.host, port: mail.port, security: security,
            userName: mail.userName.isEmpty ? nil : mail.userName, password: password)
        return (account, sender)
    }

    /// The desk's time zone, for schedules and for what is written on paper.
    public func zone() throws -> TimeZoneRules {
        let name = try region().timeZone
        do throws(TimeZoneError) {
            return try TimeZoneRules(name: name)
        } catch {
            return .utc
        }
    }

    /// Whoever may change the settings need not know the password, and is not to learn it from a server of their own.
    private static func passwordAgain(_ host: String) -> Failure {
        Failure(
            .invalid,
            "Enter the password once more: the one that is kept was given for \(host.isEmpty ? "another server" : host), and goes to no other server or port, nor with weaker encryption.",
            field: "password")
    }

    /// Said to whoever chooses it, and not by the first backup of the night. A folder that cannot be looked at is told of by the
    /// doctor.
    func refuseMixing(in folder: String, encrypted: Bool) throws {
        guard folder.hasPrefix("/") else { return }
        do {
            try Backups.refuseMixing(in: folder, encrypted: encrypted)
        } catch let failure as Failure where failure.code != .conflict { return }
    }

    private func requirePerson(_ caller: Caller) throws {
        try caller.require(.administer)
        if case .token = caller.via {
            throw Failure(
                .denied,
                "The recovery key is told to people and not to programs with a token. Sign in in the browser, or run “quire backup sheet” on the machine."
            )
        }
    }

    /// What opens the encrypted backups of this desk; made when it is first needed.
    public func recoveryKey() throws -> RecoveryKey {
        if let key = try keptRecoveryKey() { return key }
        let sealed = try key().seal(RecoveryKey(store.chance).secret, for: Self.recoveryKeyName)
        try store.write { tx in
            // Of two that need one at the same moment both get the same.
            try tx.run(
                """
                INSERT INTO secret (name, sealed, changed_at) VALUES (\(Self.recoveryKeyName), \(sealed), \(tx.now))
                ON CONFLICT (name) DO NOTHING
                """)
        }
        guard let key = try keptRecoveryKey() else { throw Self.recoveryKeyIsLost(store.home.keys) }
        return key
    }

    /// Nil when none was needed yet.
    public func keptRecoveryKey() throws -> RecoveryKey? {
        guard try hasSecret(Self.recoveryKeyName) else { return nil }
        guard let key = try secret(Self.recoveryKeyName).flatMap({ RecoveryKey(secret: $0) }) else {
            throw Self.recoveryKeyIsLost(store.home.keys)
        }
        return key
    }

    private static func recoveryKeyIsLost(_ folder: String) -> Failure {
        Failure(
            .damaged,
            "The recovery key of the encrypted backups cannot be opened: its key in \(folder) was replaced. Make a new one under Settings › Storage and choose another folder; the sheet that was printed still opens the backups there are."
        )
    }

    /// By which browsers that show notices know this desk; made when the first one asks.
    public func pushKey() throws -> PrivateKey {
        if let pem = try secret(Self.pushKeyName) {
            return try PrivateKey(pem: String(decoding: pem, as: UTF8.self))
        }
        // One that was sealed with another key opens no more.
        let isLost = try hasSecret(Self.pushKeyName)
        let sealed = try key().seal(Array(PrivateKey.make(.es256).pem().utf8), for: Self.pushKeyName)
        try store.write { tx in
            if isLost { try tx.run("DELETE FROM secret WHERE name = \(Self.pushKeyName)") }
            try tx.run(
                """
                INSERT INTO secret (name, sealed, changed_at) VALUES (\(Self.pushKeyName), \(sealed), \(tx.now))
                ON CONFLICT (name) DO NOTHING
                """)
        }
        // Of two that need one at the same moment both get the same.
        let kept = try secret(Self.pushKeyName) ?? []
        return try PrivateKey(pem: String(decoding: kept, as: UTF8.self))
    }

    private static let pushKeyName = "push-key"

    /// From now on backups are sealed with another key, in another folder. What was sealed before opens with the old
    /// sheet alone.
    public func renewRecoveryKey(by caller: Caller) throws {
        try requirePerson(caller)
        let sealed = try key().seal(RecoveryKey(store.chance).secret, for: Self.recoveryKeyName)
        try store.write { tx in
            try tx.run("DELETE FROM secret WHERE name = \(Self.recoveryKeyName)")
            try tx.run(
                "INSERT INTO secret (name, sealed, changed_at) VALUES (\(Self.recoveryKeyName), \(sealed), \(tx.now))"
            )
            try tx.run("DELETE FROM setting WHERE owner = '' AND name = \(RecoverySheet.name)")
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "recovery-key.renewed", subject: "settings/backups",
                    detail: [:]))
        }
    }

    /// The key, to be printed: told to people in person, and put down in the history.
    public func recoverySheet(by caller: Caller) throws -> (key: RecoveryKey, at: Moment) {
        try requirePerson(caller)
        let key = try recoveryKey()
        let now = store.clock.now()
        try put(RecoverySheet(madeAt: now), of: "") { tx in
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "recovery-sheet.made", subject: "settings/backups", detail: [:]
                ))
        }
        return (key, now)
    }

    /// When the recovery sheet was printed last; nil for never.
    public func recoverySheetMadeAt() throws -> Moment? {
        let sheet: RecoverySheet = try value()
        return sheet.madeAt
    }

    /// Whether there are, or will be, backups that nobody can open once this machine is gone.
    public func needsRecoverySheet() throws -> Bool {
        guard try recoverySheetMadeAt() == nil else { return false }
        return try backups().encrypted || hasSecret(Self.recoveryKeyName)
    }

    static let recoveryKeyName = "recovery-key"

    static let channel = "quire_settings"
    private static let mailPassword = "mail-password"
    private static let bouncePassword = "bounce-password"

    private func refuseIfDecided(_ key: ConfigKey) throws(Failure) {
        guard config.isSet(key) else { return }
        throw Failure(
            .conflict,
            "This is decided by \(config.origin(of: key)) on the machine that runs Quire. Change it there.",
            field: key.name)
    }

    private func save(_ value: some SettingGroup, by caller: Caller) throws {
        try caller.require(.administer)
        let value = try value.checked()
        try put(value, of: "") { tx in
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "settings.changed",
                    subject: "settings/\(type(of: value).name)",
                    detail: value.json))
        }
    }

    func value<Group: SettingGroup>(of owner: String = "") throws -> Group {
        let text = try store.read { desk in
            try desk.row("SELECT value FROM setting WHERE owner = \(owner) AND name = \(Group.name)")?.text(
                "value")
        }
        guard let text, let json = try? JSON(parsing: text) else { return Group() }
        return Group(json)
    }

    func put<Group: SettingGroup>(
        _ value: Group, of owner: String, _ more: (borrowing Transaction) throws -> Void
    ) throws {
        try store.write { tx in
            try tx.run(
                """
                INSERT INTO setting (owner, name, value, changed_at)
                VALUES (\(owner), \(Group.name), \(value.json.text), \(tx.now))
                ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
                """)
            try more(tx)
            // Other processes on the same PostgreSQL hear it; this one hears of it in the same moment.
            try tx.notify(Self.channel, Group.name)
            tx.afterCommit { [changes] in changes.send(Group.name) }
        }
    }

    private func hasSecret(_ name: String) throws -> Bool {
        try store.read { desk in try desk.row("SELECT 1 AS one FROM secret WHERE name = \(name)") != nil }
    }

    /// Nil when it was sealed with another key.
    private func secret(_ name: String) throws -> [UInt8]? {
        let sealed = try store.read { desk in
            try desk.row("SELECT sealed FROM secret WHERE name = \(name)")?.blob("sealed")
        }
        return try sealed.flatMap { try key().open($0, for: name) }
    }

    func key() throws -> SealingKey {
        try heldKey.withLock { held in
            if let held { return held }
            do throws(CryptoError) {
                let key = try SealingKey.kept(at: store.home.keys + "/settings.key")
                held = key
                return key
            } catch {
                throw Failure(.unavailable, "Quire cannot seal secrets: \(error).", cause: "\(error)")
            }
        }
    }
}

extension Settings {
    public static let migrations = MigrationArea(
        "settings",
        [
            Migration(
                "create settings, secrets and reports",
                script: """
                    CREATE TABLE setting (
                        owner TEXT NOT NULL,
                        name TEXT NOT NULL,
                        value TEXT NOT NULL,
                        changed_at INTEGER NOT NULL,
                        PRIMARY KEY (owner, name)
                    );
                    CREATE TABLE secret (
                        name TEXT NOT NULL PRIMARY KEY,
                        sealed BLOB NOT NULL,
                        changed_at INTEGER NOT NULL
                    );
                    CREATE TABLE report (
                        id TEXT NOT NULL PRIMARY KEY,
                        kind TEXT NOT NULL,
                        at INTEGER NOT NULL,
                        is_good INTEGER NOT NULL CHECK (is_good IN (0, 1)),
                        sentence TEXT NOT NULL,
                        detail TEXT NOT NULL
                    );
                    CREATE INDEX report_kind ON report (kind, id);
                    """), logos,
        ])
}
