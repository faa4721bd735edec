/// One value of the configuration: what it is called everywhere, and what it means.
///
/// The list `ConfigKey.all` is the only place that names them: files, `QUIRE_*`, flags, `quire config`, help
/// and man page are made from it.
public struct ConfigKey: Sendable, Hashable {
    /// `upload-limit`; the flag is `--upload-limit`, the variable `QUIRE_UPLOAD_LIMIT`.
    public let name: String
    /// One line for help.
    public let summary: String
    /// What to write, such as `PORT`; nil for something that is on or off.
    public let placeholder: String?
    /// What counts when nothing is said, as one would write it; empty for nothing at all.
    public let standard: String

    public var flag: String { "--\(name)" }

    public var variable: String {
        "QUIRE_" + name.uppercased().split(separator: "-").joined(separator: "_")
    }
}

extension ConfigKey {
    public static let home = ConfigKey(
        "home", "where the desk lies", "FOLDER", "$XDG_DATA_HOME/quire")
    public static let host = ConfigKey(
        "host", "the address to listen on; 0.0.0.0 and :: mean everybody", "ADDRESS", "127.0.0.1")
    public static let lan = ConfigKey(
        "lan",
        "open to phones and others in the house: host 0.0.0.0 and tls own-authority, unless those say otherwise",
        nil, "no")
    public static let port = ConfigKey("port", "the port to listen on; 0 takes a free one", "PORT", "8484")
    public static let publicOrigin = ConfigKey(
        "public-origin", "how people reach the desk from outside, such as https://desk.example.org", "ORIGIN",
        "")
    public static let trustedProxies = ConfigKey(
        "trusted-proxies",
        "proxies on other machines that are believed where a visitor comes from, such as 192.0.2.7 or 10.0.0.0/8; , between them",
        "ADDRESSES", "")
    public static let database = ConfigKey(
        "database", "sqlite, or a PostgreSQL connection such as postgresql:///quire", "DATABASE", "sqlite")
    public static let unlockWith = ConfigKey(
        "unlock-with",
        "a file whose first line unlocks a desk that is encrypted on its disk: its passphrase or its recovery key",
        "FILE", "")
    public static let tls = ConfigKey(
        "tls", "off, self-signed, own-authority, or files (with the next two)", "MODE", "off")
    public static let tlsCertificate = ConfigKey(
        "tls-certificate", "the certificate with its chain, a PEM file", "FILE", "")
    public static let tlsKey = ConfigKey("tls-key", "the certificate's key, a PEM file", "FILE", "")
    public static let workers = ConfigKey(
        "workers", "threads for requests that take a while, and for jobs; 0 fits them to the machine",
        "COUNT", "0")
    public static let uploadLimit = ConfigKey(
        "upload-limit", "the largest file taken in", "SIZE", "4GB")
    public static let logFormat = ConfigKey(
        "log-format", "text, or json with one object per line", "FORMAT", "text")
    public static let logLevel = ConfigKey(
        "log-level", "debug, info, warning or error", "LEVEL", "info")
    public static let lockAfter = ConfigKey(
        "lock-after", "lock an open desk when nobody used it this long, such as 15m; never", "TIME", "never")
    public static let backupFolder = ConfigKey(
        "backup-folder", "where backups go by themselves", "FOLDER", "")
    public static let backupSchedule = ConfigKey(
        "backup-schedule", "when they do: a recurrence rule (RFC 5545), or never", "RULE",
        "FREQ=DAILY;BYHOUR=2;BYMINUTE=30")

    public static let backupEncrypted = ConfigKey(
        "backup-encrypted", "whether those are encrypted with the desk's recovery key: yes or no", "YES/NO",
        "no")

    public static let planFile = ConfigKey(
        "plan-file", "plans with limits, for those who run Quire for others", "FILE", "")

    public static let engine = ConfigKey(
        "engine",
        "a Gotenberg-compatible server for office papers and web pages, such as http://user:password@host:3000",
        "ADDRESS", "")

    public static let recognitionLanguages = ConfigKey(
        "recognition-languages",
        "what scans and photos are read in, as Tesseract names them, such as eng+fra; empty finds out by itself",
        "LANGUAGES", "")

    public static let inboxFolder = ConfigKey(
        "inbox-folder", "a folder from which finished files come in by themselves, and are removed", "FOLDER",
        "")

    public static let mirrorFolder = ConfigKey(
        "mirror-folder", "a folder in which the library lies as plain files, to be read and changed there",
        "FOLDER", "")

    public static let reachableFolders = ConfigKey(
        "reachable-folders",
        "folders of this machine that owners may name in the app, such as those of databases with people or of places to keep in step with; : between them",
        "FOLDERS", "")

    public static let metricsToken = ConfigKey(
        "metrics-token", "what a program shows to read /metrics; nothing lets none", "TOKEN", "")

    public static let all: [ConfigKey] = [
        home, lan, host, port, publicOrigin, trustedProxies, database, unlockWith, tls, tlsCertificate,
        tlsKey,
        workers, uploadLimit, logFormat, logLevel, lockAfter, backupFolder, backupSchedule, backupEncrypted,
        planFile,
        engine, recognitionLanguages, inboxFolder, mirrorFolder, reachableFolders, metricsToken,
    ]

    private init(_ name: String, _ summary: String, _ placeholder: String?, _ standard: String) {
        self.name = name
        self.summary = summary
        self.placeholder = placeholder
        self.standard = standard
    }
}
