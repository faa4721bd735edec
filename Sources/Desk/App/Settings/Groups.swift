public import Bytes
import Jobs
import PDFReading
import Storage
import Transfer
import Work

/// For whom the desk is kept: what stands in letters, forms and mails.
public struct Identity: Sendable, Equatable, SettingGroup {
    public var name: String
    public var organization: String
    public var email: String
    public var phone: String
    /// Several lines.
    public var address: String
    /// Where the rules stand for whoever uses the desk; shown to them beside how to ask somebody.
    public var terms: String

    public init(
        name: String = "", organization: String = "", email: String = "", phone: String = "",
        address: String = "", terms: String = ""
    ) {
        self.name = name
        self.organization = organization
        self.email = email
        self.phone = phone
        self.address = address
        self.terms = terms
    }

    static let name = "identity"

    init() { self.init(name: "") }

    init(_ json: JSON) {
        self.init(
            name: json["name"]?.string ?? "", organization: json["organization"]?.string ?? "",
            email: json["email"]?.string ?? "", phone: json["phone"]?.string ?? "",
            address: json["address"]?.string ?? "", terms: json["terms"]?.string ?? "")
    }

    public var json: JSON {
        [
            "name": .string(name), "organization": .string(organization), "email": .string(email),
            "phone": .string(phone), "address": .string(address), "terms": .string(terms),
        ]
    }

    func checked() throws(Failure) -> Identity {
        let email = try SettingCheck.line(email, "email")
        guard email.isEmpty || MailAddress(email) != nil else {
            throw .notAnAddress(email, field: "email")
        }
        let terms = try SettingCheck.line(terms, "terms", limit: 500)
        guard terms.isEmpty || (try? WebAddress(terms)) != nil else {
            throw Failure(
                .invalid, "This must be the address of a page, such as https://example.org/terms.",
                field: "terms")
        }
        return Identity(
            name: try SettingCheck.line(name, "name"),
            organization: try SettingCheck.line(organization, "organization"), email: email,
            phone: try SettingCheck.line(phone, "phone", limit: 50),
            address: try SettingCheck.lines(address, "address", limit: 500), terms: terms)
    }
}

/// Where the desk stands: the language for those who did not choose one, and the time zone of its schedules.
public struct Region: Sendable, Equatable, SettingGroup {
    /// A tag such as `es-MX`; empty follows the browser.
    public var language: String
    /// `Europe/Berlin`
    public var timeZone: String

    /// Without a time zone, the machine's.
    public init(language: String = "", timeZone: String? = nil) {
        self.language = language
        self.timeZone = timeZone ?? TimeZoneRules.systemName
    }

    static let name = "region"

    init() { self.init(language: "") }

    init(_ json: JSON) {
        self.init(language: json["language"]?.string ?? "", timeZone: json["timeZone"]?.string)
    }

    public var json: JSON { ["language": .string(language), "timeZone": .string(timeZone)] }

    func checked() throws(Failure) -> Region {
        do throws(TimeZoneError) {
            _ = try TimeZoneRules(name: timeZone)
        } catch {
            throw Failure(.invalid, "This machine knows no time zone “\(timeZone)”.", field: "timeZone")
        }
        return Region(language: try LanguageTag.checked(language), timeZone: timeZone)
    }
}

/// In which languages scans and photos are read; with none it is found out page by page.
public struct RecognitionSettings: Sendable, Equatable, SettingGroup {
    /// As Tesseract names them: `eng`, `fra`.
    public var languages: [String]

    public init(languages: [String] = []) { self.languages = languages }

    static let name = "recognition"

    init() { self.init(languages: []) }

    init(_ json: JSON) {
        self.init(languages: (json["languages"]?.array ?? []).compactMap(\.string))
    }

    public var json: JSON { ["languages": .array(languages.map(JSON.string))] }

    func checked() throws(Failure) -> RecognitionSettings {
        let languages = languages.filter { !$0.isEmpty && $0 != Recognizer.auto }
        for language in languages where !Recognizer.installed.contains(language) {
            throw Failure(
                .invalid,
                "Tesseract does not know “\(language)” here. Installed: \(Recognizer.installed.joined(separator: ", ")).",
                field: "languages")
        }
        return RecognitionSettings(languages: languages)
    }
}

/// How one member wants to see the app.
public struct Preferences: Sendable, Equatable, SettingGroup {
    public enum Theme: String, Sendable, CaseIterable {
        case system, light, dark
    }

    /// Empty follows the browser.
    public var language: String
    public var theme: Theme

    public init(language: String = "", theme: Theme = .system) {
        self.language = language
        self.theme = theme
    }

    static let name = "preferences"

    init() { self.init(language: "") }

    init(_ json: JSON) {
        self.init(
            language: json["language"]?.string ?? "",
            theme: json["theme"]?.string.flatMap(Theme.init(rawValue:)) ?? .system)
    }

    public var json: JSON { ["language": .string(language), "theme": .string(theme.rawValue)] }

    func checked() throws(Failure) -> Preferences {
        Preferences(language: try LanguageTag.checked(language), theme: theme)
    }
}

/// When an open desk asks again who is there.
public struct LockSettings: Sendable, Equatable, SettingGroup {
    /// Minutes without use; nil for never.
    public var minutes: Int?

    public init(minutes: Int? = nil) {
        self.minutes = minutes
    }

    static let name = "lock"

    init() { self.init(minutes: nil) }

    init(_ json: JSON) { self.init(minutes: json["minutes"]?.int) }

    public var json: JSON { ["minutes": .optional(minutes)] }

    func checked() throws(Failure) -> LockSettings {
        guard minutes.map((1...1440).contains) ?? true else {
            throw Failure(.invalid, "Choose between one minute and one day.", field: "minutes")
        }
        return self
    }
}

/// Where backups go and when they are made by themselves.
public struct BackupSettings: Sendable, Equatable, SettingGroup {
    /// A whole path; empty for none.
    public var folder: String
    /// A recurrence rule such as `FREQ=DAILY;BYHOUR=2`; nil for the one that is built in, empty for never.
    public var rule: String?
    /// How many snapshots stay.
    public var keeping: Int
    /// Sealed with the desk's recovery key.
    public var encrypted: Bool

    public init(folder: String = "", rule: String? = nil, keeping: Int = 30, encrypted: Bool = false) {
        self.folder = folder
        self.rule = rule
        self.keeping = keeping
        self.encrypted = encrypted
    }

    static let name = "backups"

    init() { self.init(folder: "") }

    init(_ json: JSON) {
        self.init(
            folder: json["folder"]?.string ?? "", rule: json["rule"]?.string,
            keeping: json["keeping"]?.int ?? 30, encrypted: json["encrypted"]?.bool ?? false)
    }

    public var json: JSON {
        [
            "folder": .string(folder), "rule": .optional(rule), "keeping": .int(keeping),
            "encrypted": .bool(encrypted),
        ]
    }

    func checked() throws(Failure) -> BackupSettings {
        let folder = try SettingCheck.line(folder, "folder", limit: 1000)
        guard folder.isEmpty || folder.hasPrefix("/") else {
            throw Failure(.invalid, "Write the whole path of the folder, from / on.", field: "folder")
        }
        guard (1...1000).contains(keeping) else {
            throw Failure(.invalid, "Keep between 1 and 1000 backups.", field: "keeping")
        }
        if let rule, !rule.isEmpty, (try? Recurrence(rule)) == nil {
            throw Failure(.invalid, "“\(rule)” is not a recurrence rule.", field: "rule")
        }
        return BackupSettings(folder: folder, rule: rule, keeping: keeping, encrypted: encrypted)
    }
}

/// When the key of the encrypted backups was put on paper.
struct RecoverySheet: Equatable, SettingGroup {
    var madeAt: Moment?

    static let name = "recoverySheet"

    init() {}

    init(madeAt: Moment) { self.madeAt = madeAt }

    init(_ json: JSON) { madeAt = json["madeAt"]?.string.flatMap(Moment.init(iso8601:)) }

    var json: JSON { ["madeAt": .optional(madeAt?.iso8601)] }

    func checked() throws(Failure) -> RecoverySheet { self }
}

/// Where a password goes to, and how well it is hidden on the way.
struct PasswordWay {
    var host: String
    var port: Int
    var security: MailSettings.Security

    /// A password that was given for the other way is not sent on this one unasked.
    func isStranger(to other: PasswordWay) -> Bool {
        func strength(_ security: MailSettings.Security) -> Int {
            switch security {
            case .tls: 2
            case .starttls: 1
            case .none: 0
            }
        }
        return host.lowercased() != other.host.lowercased() || port != other.port
            || strength(security) < strength(other.security)
    }
}

extension MailSettings {
    var way: PasswordWay { PasswordWay(host: host, port: port, security: security) }
}

extension BounceSettings {
    var way: PasswordWay { PasswordWay(host: host, port: port, security: security) }
}

/// The account from which the desk sends mail. Its password lies sealed beside it and never leaves.
public struct MailSettings: Sendable, Equatable, SettingGroup {
    public enum Security: String, Sendable, CaseIterable {
        case tls, starttls, none
    }

    public var host: String
    public var port: Int
    public var security: Security
    public var userName: String
    public var senderName: String
    public var senderAddress: String
    public internal(set) var hasPassword = false

    public init(
        host: String = "", port: Int = 587, security: Security = .starttls, userName: String = "",
        senderName: String = "", senderAddress: String = ""
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.userName = userName
        self.senderName = senderName
        self.senderAddress = senderAddress
    }

    public var isComplete: Bool { !host.isEmpty && !senderAddress.isEmpty }

    static let name = "mail"

    init() { self.init(host: "") }

    init(_ json: JSON) {
        self.init(
            host: json["host"]?.string ?? "", port: json["port"]?.int ?? 587,
            security: json["security"]?.string.flatMap(Security.init(rawValue:)) ?? .starttls,
            userName: json["userName"]?.string ?? "", senderName: json["senderName"]?.string ?? "",
            senderAddress: json["senderAddress"]?.string ?? "")
    }

    public var json: JSON {
        [
            "host": .string(host), "port": .int(port), "security": .string(security.rawValue),
            "userName": .string(userName), "senderName": .string(senderName),
            "senderAddress": .string(senderAddress),
        ]
    }

    func checked() throws(Failure) -> MailSettings {
        let host = try SettingCheck.line(host, "host")
        let isPlain = host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || ".-:".utf8.contains(byte)
        }
        guard isPlain, !host.isEmpty else {
            throw Failure(.invalid, "Write the mail server's name, such as smtp.example.org.", field: "host")
        }
        guard (1...65_535).contains(port) else {
            throw Failure(.invalid, "A port is a number from 1 to 65535, usually 587 or 465.", field: "port")
        }
        let sender = try SettingCheck.line(senderAddress, "fromAddress")
        guard MailAddress(sender) != nil else {
            throw Failure.notAnAddress(sender, field: "fromAddress")
        }
        return MailSettings(
            host: host, port: port, security: security, userName: try SettingCheck.line(userName, "username"),
            senderName: try SettingCheck.line(senderName, "fromName"), senderAddress: sender)
    }
}

enum LanguageTag {
    /// Letters, digits and hyphens (RFC 5646); whether there are texts in it is for the doors to know.
    static func checked(_ tag: String) throws(Failure) -> String {
        let isPlain = tag.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-")
        }
        guard isPlain, tag.utf8.count <= 35 else {
            throw Failure(.invalid, "“\(tag)” is not a language.", field: "language")
        }
        return tag
    }
}
