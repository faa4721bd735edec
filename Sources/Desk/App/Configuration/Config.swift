public import Conversion
public import Storage
public import Transfer
public import Work

/// How this Quire is to run: what the person who hosts it decides, before a desk is even opened.
///
/// Every value comes from the last of these that names it: what is built in, the file, the environment, the
/// command's flags. `entries` tells which.
public struct Config: Sendable {
    public var home: String
    public var host: String
    public var port: Int
    public var publicOrigin: String?
    /// Machines that say where their visitors come from, and are believed.
    public var trustedProxies: [Network]
    public var database: Store.DatabaseChoice
    public var tls: TLS
    /// 0 lets Quire fit it to the machine.
    /// What unlocks a desk that is encrypted on its disk.
    public var unlockWith: String?
    public var workers: Int
    public var uploadLimit: Int64
    public var logFormat: Log.Format
    public var logLevel: Log.Level
    public var lockAfter: Duration?
    public var backupFolder: String?
    /// A recurrence rule; nil for never.
    public var backupSchedule: String?
    public var backupEncrypted: Bool
    public var planFile: String?
    /// Converts in place of the engines of this machine.
    public var engine: RemoteEngine?
    /// Of scans and photos; empty for what is installed.
    public var recognitionLanguages: [String]
    public var inboxFolder: String?
    public var mirrorFolder: String?
    /// What owners may name of the machine besides the desk.
    public var reachableFolders: [String]
    /// What a program shows that reads the figures of the desk; nil lets none.
    public var metricsToken: String?

    /// All values as they were written, with where they came from, in the order of `ConfigKey.all`.
    public private(set) var entries: [Entry]
    /// What was written but means nothing, in sentences.
    public private(set) var remarks: [String]

    public enum TLS: Sendable, Equatable {
        case off
        /// A certificate made by Quire itself and kept in `keys/`.
        case selfSigned
        /// One that an authority of Quire's own vouches for, which phones can trust.
        case ownAuthority
        case files(certificate: String, key: String)
    }

    public struct Entry: Sendable, Equatable {
        public let key: ConfigKey
        /// As written, but never a password.
        public let shown: String
        public let origin: Origin
    }

    public enum Origin: Sendable, Equatable, CustomStringConvertible {
        case builtIn
        case file(String)
        case environment(String)
        case flag(String)

        public var description: String {
            switch self {
            case .builtIn: "built in"
            case .file(let path): path
            case .environment(let name): name
            case .flag(let name): name
            }
        }
    }

    public func origin(of key: ConfigKey) -> Origin {
        entries.first { $0.key == key }?.origin ?? .builtIn
    }

    /// Whether the person who hosts Quire has decided this, so that a page in the app may only show it.
    public func isSet(_ key: ConfigKey) -> Bool { origin(of: key) != .builtIn }

    /// Threads for requests that take a while. Most of them wait for the disk, and those that wait together are written
    /// together: so there are some also where there are few processors.
    public var workerThreads: Int { workers > 0 ? workers : max(8, min(16, Machine.processors * 2)) }

    /// Threads for jobs, which compute.
    var jobThreads: Int { max(1, workers > 0 ? workers / 2 : min(8, Machine.processors)) }

    /// Takes together what was said everywhere. `flags` by the names of `ConfigKey.all`.
    public static func load(
        flags: [String: String] = [:], environment: [String: String] = Machine.environment
    ) throws(Failure) -> Config {
        try ConfigSources(flags: flags, environment: environment).config()
    }

    init(_ texts: ConfigTexts, remarks: [String]) throws(Failure) {
        let texts = try texts.openedToTheHouse()
        home = try texts.folder(.home) ?? ConfigSources.standardHome(Machine.environment)
        host = try texts.host()
        port = try texts.integer(.port, in: 0...65_535)
        publicOrigin = try texts.origin(.publicOrigin)
        trustedProxies = try texts.networks(.trustedProxies)
        database = try texts.database()
        unlockWith = try texts.folder(.unlockWith)
        tls = try texts.tls()
        workers = try texts.integer(.workers, in: 0...256)
        uploadLimit = try texts.size(.uploadLimit)
        logFormat = try texts.choice(.logFormat, ["text": .text, "json": .json])
        logLevel = try texts.choice(
            .logLevel, ["debug": .debug, "info": .info, "warning": .warning, "error": .error])
        lockAfter = try texts.duration(.lockAfter)
        backupFolder = try texts.folder(.backupFolder)
        backupSchedule = try texts.rule(.backupSchedule)
        backupEncrypted = try texts.choice(.backupEncrypted, ["yes": true, "no": false])
        planFile = try texts.folder(.planFile)
        engine = try texts.engine(.engine)
        recognitionLanguages = try texts.recognitionLanguages()
        inboxFolder = try texts.folder(.inboxFolder)
        mirrorFolder = try texts.folder(.mirrorFolder)
        reachableFolders = try texts.folders(.reachableFolders)
        metricsToken = try texts.secret(.metricsToken)
        entries = ConfigKey.all.map { texts.entry($0) }
        self.remarks = remarks
    }
}
