public import Bytes
import Storage

/// The mailbox into which mail comes back that could not be delivered; mostly that of the sender.
public struct BounceSettings: Sendable, Equatable, SettingGroup {
    /// Empty when nobody reads it.
    public var host: String
    public var port: Int
    public var security: MailSettings.Security
    /// Empty for the user name and password of the mail account.
    public var userName: String
    public var folder: String
    /// Each letter's arrival is to be reported there, too: a mail for each, from servers that send such.
    public var everyReport: Bool
    public internal(set) var hasPassword = false

    public init(
        host: String = "", port: Int = 993, security: MailSettings.Security = .tls, userName: String = "",
        folder: String = "INBOX", everyReport: Bool = false
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.userName = userName
        self.folder = folder
        self.everyReport = everyReport
    }

    static let name = "bounces"

    init() { self.init(host: "") }

    init(_ json: JSON) {
        self.init(
            host: json["host"]?.string ?? "", port: json["port"]?.int ?? 993,
            security: json["security"]?.string.flatMap(MailSettings.Security.init(rawValue:)) ?? .tls,
            userName: json["userName"]?.string ?? "", folder: json["folder"]?.string ?? "INBOX",
            everyReport: json["everyReport"]?.bool ?? false)
    }

    public var json: JSON {
        [
            "host": .string(host), "port": .int(port), "security": .string(security.rawValue),
            "userName": .string(userName), "folder": .string(folder),
            "everyReport": .bool(everyReport),
        ]
    }

    func checked() throws(Failure) -> BounceSettings {
        let host = try SettingCheck.line(host, "host")
        let isPlain = host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || ".-:".utf8.contains(byte)
        }
        guard isPlain else {
            throw Failure(.invalid, "Write the mail server's name, such as imap.example.org.", field: "host")
        }
        guard (1...65_535).contains(port) else {
            throw Failure(.invalid, "A port is a number from 1 to 65535, usually 993.", field: "port")
        }
        let folder = try SettingCheck.line(folder, "folder")
        return BounceSettings(
            host: host, port: port, security: security, userName: try SettingCheck.line(userName, "username"),
            folder: folder.isEmpty ? "INBOX" : folder, everyReport: everyReport)
    }
}

/// How long the ledger and the letters are kept.
public struct LedgerSettings: Sendable, Equatable, SettingGroup {
    /// Nil for ever.
    public var keepDays: Int?

    public init(keepDays: Int? = nil) {
        self.keepDays = keepDays
    }

    static let name = "ledger"

    init() { self.init(keepDays: nil) }

    init(_ json: JSON) { self.init(keepDays: json["keepDays"]?.int) }

    public var json: JSON { ["keepDays": .optional(keepDays)] }

    func checked() throws(Failure) -> LedgerSettings {
        guard keepDays.map((1...36_500).contains) ?? true else {
            throw Failure(.invalid, "Keep it for a day or longer, or for ever.", field: "keepDays")
        }
        return self
    }
}
