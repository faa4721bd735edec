import Bytes
public import Crypto
import Glibc
public import Work

/// A data directory whose files and names the file system encrypts: without its key nobody reads them, whoever holds the
/// disk.
///
/// What says so lies in the open (`encryption.json`, with the key sealed by a passphrase and by a recovery key); the desk
/// itself lies in `encrypted/`. While the key is lent to the file system, everything works as on any other desk.
public struct EncryptedHome: Sendable {
    /// Where the operator put the desk, as `--home` names it.
    public let place: String
    let folder: FolderEncryption
    var locks: [Lock]
    /// Whether files in the open are remains of a move that was cut off, and may be cleared away.
    var isClearing: Bool

    /// The key of the folder, sealed by something that a person knows or has on paper.
    struct Lock {
        enum Kind: String { case passphrase, recovery }

        var kind: Kind
        var salt: [UInt8]
        var cost: PasswordHash.Cost
        var sealed: [UInt8]
    }

    /// Who has the disk may try as long as they like.
    public static let cost = PasswordHash.Cost(passes: 3, memoryBytes: 128 << 20)
    public static let shortestPassphrase = 12

    /// Nil when the desk there is not encrypted.
    public static func at(_ place: String) throws(Failure) -> EncryptedHome? {
        let path = Self.head(of: place)
        guard Disk.exists(path) else { return nil }
        do {
            let json = try JSON(parsing: try Disk.read(path, atMost: 64 << 10))
            return try EncryptedHome(place, json)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw damaged(place)
        }
    }

    /// Refuses a desk that nobody has unlocked.
    public static func requireUnlocked(_ place: String) throws(Failure) {
        guard let home = try at(place), !(try home.isUnlocked) else { return }
        throw Failure(
            .unavailable,
            "The desk in \(place) is encrypted, and locked. Unlock it with “quire desk unlock”, or start it with “quire serve --unlock-with FILE”."
        )
    }

    /// Refuses a desk that is encrypted already.
    public static func requireNone(at place: String) throws(Failure) {
        guard try at(place) == nil else {
            throw Failure(.conflict, "The desk in \(place) is encrypted already.")
        }
    }

    public var isUnlocked: Bool { get throws(Failure) { try folder.isUnlocked } }

    /// Lends the key to the file system, until it is locked or the machine is started anew. `secret` is the passphrase, or
    /// the recovery key. False when it was unlocked already.
    @discardableResult
    public func unlock(_ secret: String) throws -> Bool {
        let key = try opened(secret)
        if try isUnlocked { return false }
        try folder.lend(key)
        if isClearing { try clear() }
        return true
    }

    /// Takes the key back, and what a move that was cut off has left in the open goes. False when files are still open: they
    /// can be read until whoever has them open closes them.
    @discardableResult
    public func lock() throws(Failure) -> Bool {
        if isClearing { try clear() }
        return try folder.takeBack()
    }

    /// Another passphrase; `secret` is the one so far, or the recovery key, which stays.
    public func change(
        _ secret: String, to passphrase: String, cost: PasswordHash.Cost = cost, _ chance: Chance = .system
    ) throws {
        var changed = self
        changed.locks.removeAll { $0.kind == .passphrase }
        changed.locks.append(try Self.lock(opened(secret), passphrase: passphrase, cost, chance, folder.name))
        try changed.save()
    }

    /// Another recovery key, after which the one so far opens nothing. `keeping` is given it before.
    public func renewRecovery(
        _ secret: String, _ chance: Chance = .system, keeping: (RecoveryKey) throws -> Void
    ) throws {
        let key = try opened(secret)
        let recovery = RecoveryKey(chance)
        var changed = self
        changed.locks.removeAll { $0.kind == .recovery }
        changed.locks.append(try Self.lock(key, recovery: recovery, chance, folder.name))
        try keeping(recovery)
        try changed.save()
    }

    /// Whether this is the passphrase or the recovery key.
    public func opens(_ secret: String) -> Bool { (try? opened(secret)) != nil }

    /// The folder's key. Throws a sentence for a secret that is wrong.
    func opened(_ secret: String) throws -> [UInt8] {
        for lock in locks {
            let own: [UInt8]
            switch lock.kind {
            case .passphrase: own = Array(secret.utf8)
            case .recovery:
                guard let typed = try? RecoveryKey(typed: secret) else { continue }
                own = typed.secret
            }
            let sealing = try Self.key(own, lock.salt, lock.cost)
            if let key = sealing.open(lock.sealed, for: Self.label(lock.kind, folder.name)) { return key }
        }
        // A letter wrong on the sheet is said as such.
        if secret.filter({ $0 == "-" }).count == RecoveryKey.groupCount - 1 {
            _ = try RecoveryKey(typed: secret)
        }
        throw Failure(
            .denied, "That is neither the passphrase of this desk nor its recovery key.", field: "passphrase")
    }

    static func lock(
        _ key: [UInt8], passphrase: String, _ cost: PasswordHash.Cost, _ chance: Chance, _ name: [UInt8]
    ) throws -> Lock {
        try requireLong(passphrase)
        return try lock(key, .passphrase, Array(passphrase.utf8), cost, chance, name)
    }

    static func requireLong(_ passphrase: String) throws(Failure) {
        guard passphrase.count >= shortestPassphrase else {
            throw Failure(
                .invalid,
                "A passphrase for the disk has at least \(shortestPassphrase) characters: who has the disk may try as long as they like. A few words are best.",
                field: "passphrase")
        }
    }

    static func lock(
        _ key: [UInt8], recovery: RecoveryKey, _ chance: Chance, _ name: [UInt8]
    ) throws -> Lock {
        // Nobody guesses 160 bits.
        try lock(key, .recovery, recovery.secret, .least, chance, name)
    }

    private static func lock(
        _ key: [UInt8], _ kind: Lock.Kind, _ secret: [UInt8], _ cost: PasswordHash.Cost, _ chance: Chance,
        _ name: [UInt8]
    ) throws -> Lock {
        let salt = chance.bytes(16)
        let sealed = try Self.key(secret, salt, cost).seal(key, for: label(kind, name))
        return Lock(kind: kind, salt: salt, cost: cost, sealed: sealed)
    }

    private static func key(
        _ secret: [UInt8], _ salt: [UInt8], _ cost: PasswordHash.Cost
    ) throws -> SealingKey {
        try SealingKey(bytes: PasswordHash.key(Hex.encode(secret), salt: salt, cost: cost))
    }

    private static func label(_ kind: Lock.Kind, _ name: [UInt8]) -> String {
        "quire/desk/\(kind.rawValue)/\(Hex.encode(name))"
    }
}

// MARK: What lies in the open

extension EncryptedHome {
    static func head(of place: String) -> String { place + "/encryption.json" }
    static func inside(_ place: String) -> String { place + "/encrypted" }

    /// What stays in the open beside the encrypted folder: how the desk is to be started has to be read before.
    static let open: Set<String> = [
        "encryption.json", "encryption.json.new", "encrypted", "config.json", "lost+found",
    ]

    private static func damaged(_ place: String) -> Failure {
        Failure(
            .damaged,
            "\(head(of: place)) is damaged, and without it the desk cannot be unlocked. Bring that file back from a backup of the disk, or the desk from one of its own backups with “quire restore”."
        )
    }

    init(_ place: String, _ json: JSON) throws(Failure) {
        guard json["form"]?.integer == 1, let name = json["key"]?.string.flatMap({ Hex.decode($0) }),
            name.count == FolderEncryption.nameCount, let locks = json["locks"]?.array?.compactMap(Lock.init),
            !locks.isEmpty
        else { throw Self.damaged(place) }
        self.place = place
        self.locks = locks
        isClearing = json["clearing"]?.bool ?? false
        folder = FolderEncryption(Self.inside(place), name)
    }

    func save() throws(Failure) {
        let json: JSON = [
            "form": 1, "key": .string(Hex.encode(folder.name)), "clearing": .bool(isClearing),
            "locks": .array(locks.map(\.json)),
        ]
        try Disk.write(json.bytes, to: Self.head(of: place))
    }

    /// What else lies in the open.
    static func others(in place: String) throws(Failure) -> [String] {
        try Disk.names(in: place).filter { !open.contains($0) }
    }

    /// Removes what a move has left in the open.
    func clear() throws(Failure) {
        for name in try Self.others(in: place) { try Disk.removeTree("\(place)/\(name)") }
        var cleared = self
        cleared.isClearing = false
        try cleared.save()
    }
}

extension EncryptedHome.Lock {
    /// Nil for what is none, or would cost more memory than anybody has.
    init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init),
            let salt = json["salt"]?.string.flatMap({ Hex.decode($0) }),
            salt.count == 16, let passes = json["passes"]?.integer, (1...20).contains(passes),
            let memory = json["memory"]?.integer, (8192...2 << 30).contains(memory),
            let sealed = json["sealed"]?.string.flatMap({ Hex.decode($0) })
        else { return nil }
        self.init(
            kind: kind, salt: salt, cost: PasswordHash.Cost(passes: Int(passes), memoryBytes: Int(memory)),
            sealed: sealed)
    }

    var json: JSON {
        [
            "kind": .string(kind.rawValue), "salt": .string(Hex.encode(salt)), "passes": .int(cost.passes),
            "memory": .int(cost.memoryBytes), "sealed": .string(Hex.encode(sealed)),
        ]
    }
}
