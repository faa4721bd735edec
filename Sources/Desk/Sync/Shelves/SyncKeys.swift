import Bytes
import Crypto
import Storage

/// The keys of a place where everything is encrypted: made of its passphrase and of what its sign says.
struct SyncKeys: Sendable {
    /// What a desk needs besides the passphrase; lies open at the place.
    struct Recipe: Sendable, Equatable {
        var salt: [UInt8]
        var passes: Int
        var memoryBytes: Int
        /// By this a wrong passphrase is told before anything is read with it.
        var check: String

        var json: JSON {
            [
                "salt": .string(Hex.encode(salt)), "passes": .int(passes), "memory": .int(memoryBytes),
                "check": .string(check),
            ]
        }

        init?(_ json: JSON) {
            guard let salt = json["salt"]?.string.flatMap({ Hex.decode($0) }), salt.count == 16,
                let passes = json["passes"]?.int, (1...64).contains(passes),
                let memory = json["memory"]?.int, (8192...(1 << 30)).contains(memory),
                let check = json["check"]?.string
            else { return nil }
            self.init(salt: salt, passes: passes, memoryBytes: memory, check: check)
        }

        init(salt: [UInt8], passes: Int, memoryBytes: Int, check: String) {
            self.salt = salt
            self.passes = passes
            self.memoryBytes = memoryBytes
            self.check = check
        }
    }

    /// Dear enough that guessing a passphrase of a few words takes longer than anybody has: a quarter of a second each on a
    /// small server, and 64 MB.
    static let usualCost = PasswordHash.Cost(passes: 3, memoryBytes: 64 << 20)

    let content: [UInt8]
    private let names: [UInt8]
    let recipe: Recipe

    /// For a place that is begun.
    init(_ passphrase: String, salt: [UInt8], cost: PasswordHash.Cost) throws {
        let master = try PasswordHash.key(passphrase, salt: salt, cost: cost)
        content = HMAC.derive(secret: master, info: "quire sync content")
        names = HMAC.derive(secret: master, info: "quire sync names")
        let check = Hex.encode(HMAC.derive(secret: master, info: "quire sync check", count: 16))
        recipe = Recipe(salt: salt, passes: cost.passes, memoryBytes: cost.memoryBytes, check: check)
    }

    /// For a place that is there; nil when it has another passphrase.
    init?(_ passphrase: String, _ recipe: Recipe) throws {
        let cost = PasswordHash.Cost(passes: recipe.passes, memoryBytes: recipe.memoryBytes)
        try self.init(passphrase, salt: recipe.salt, cost: cost)
        guard constantTimeEquals(Array(self.recipe.check.utf8), Array(recipe.check.utf8)) else { return nil }
    }

    /// Who looks at the place does not even see whether a file they know lies there.
    func hidden(_ name: String) -> String {
        let parts = name.split(separator: "/")
        guard parts.count == 3, parts[0] == SyncRun.files else { return name }
        let hex = Hex.encode(HMAC.sha256(key: names, message: Array(parts[2].utf8)))
        return "\(SyncRun.files)/\(hex.prefix(2))/\(hex)"
    }
}
