import Bytes
import Glibc
import Storage

/// Gathers what was said about the configuration from its four places.
struct ConfigSources {
    let flags: [String: String]
    let environment: [String: String]

    func config() throws(Failure) -> Config {
        var texts = ConfigTexts()
        var remarks: [String] = []
        texts.set(.home, Self.standardHome(environment), .builtIn)
        if let (path, object) = try file() {
            for (name, value) in object {
                guard let key = ConfigKey.all.first(where: { $0.name == name }) else {
                    remarks.append(Self.unknown("“\(name)” in \(path)", name))
                    continue
                }
                texts.set(key, try text(value, of: key, in: path), .file(path))
            }
        }
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("QUIRE_") {
            if let key = ConfigKey.all.first(where: { $0.variable == name }) {
                texts.set(key, value, .environment(name))
            } else if !Self.otherVariables.contains(name) {
                remarks.append(Self.unknown(name, name.dropFirst(6).lowercased().replacing("_", with: "-")))
            }
        }
        for (name, value) in flags {
            guard let key = ConfigKey.all.first(where: { $0.name == name }) else {
                throw Failure(.invalid, Self.unknown("--\(name)", name), field: name)
            }
            texts.set(key, value, .flag(key.flag))
        }
        return try Config(texts, remarks: remarks)
    }

    static func standardHome(_ environment: [String: String]) -> String {
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder + "/quire" }
        return personalFolder(environment) + "/.local/share/quire"
    }

    /// Used by other parts of Quire: the client's token, the editor's choice of colours.
    private static let otherVariables: Set<String> = [
        "QUIRE_CONFIG", "QUIRE_SERVER", "QUIRE_TOKEN", "QUIRE_COLOR", "QUIRE_ASSETS",
        RecoveryKey.variable,
    ]

    private static let byteLimit = 1 << 20

    private static func personalFolder(_ environment: [String: String]) -> String {
        if let home = environment["HOME"], home.hasPrefix("/") { return home == "/" ? "" : home }
        // A service started without an environment.
        return getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? "/var/lib"
    }

    /// The file named by QUIRE_CONFIG; else the one in the data directory, when that was chosen; else the
    /// person's own.
    private func file() throws(Failure) -> (path: String, object: JSONObject)? {
        if let path = environment["QUIRE_CONFIG"], !path.isEmpty {
            guard let object = try read(path) else {
                throw Failure(.notFound, "The configuration \(path) is not there. QUIRE_CONFIG names it.")
            }
            return (path, object)
        }
        var candidates: [String] = []
        if let home = flags["home"] ?? environment["QUIRE_HOME"] { candidates.append("\(home)/config.json") }
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        candidates.append("\(folder ?? Self.personalFolder(environment) + "/.config")/quire/config.json")
        for path in candidates {
            if let object = try read(path) { return (path, object) }
        }
        return nil
    }

    private func read(_ path: String) throws(Failure) -> JSONObject? {
        let bytes: [UInt8]
        do throws(FileTroubles) {
            guard let found = try SmallFile.read(path, limit: Self.byteLimit) else { return nil }
            bytes = found
        } catch {
            throw Failure(.unavailable, "The configuration \(path) cannot be read: \(error.reason).")
        }
        do throws(JSONError) {
            guard let object = try JSON(parsing: bytes).object else {
                throw JSONError(offset: 0, reason: "an object { … } is expected")
            }
            return object
        } catch {
            throw Failure(.invalid, "The configuration \(path) is not JSON: \(error.description).")
        }
    }

    private func text(_ value: JSON, of key: ConfigKey, in path: String) throws(Failure) -> String {
        switch value {
        case .string(let text): return text
        case .integer(let number): return String(number)
        case .bool(let flag): return flag ? "yes" : "no"
        case .null: return key.standard
        default:
            throw Failure(
                .invalid, "“\(key.name)” in \(path) must be a text or a number.", field: key.name)
        }
    }

    private static func unknown(_ what: String, _ name: String) -> String {
        let near = ConfigKey.all.map(\.name).min { distance($0, name) < distance($1, name) }
        guard let near, distance(near, name) <= 3 else { return "\(what) means nothing to Quire." }
        return "\(what) means nothing to Quire. Did you mean “\(near)”?"
    }

    /// How many letters have to be changed, put in or left out (Levenshtein).
    private static func distance(_ a: String, _ b: String) -> Int {
        let b = Array(b.unicodeScalars.prefix(64))
        var row = Array(0...b.count)
        for (i, x) in a.unicodeScalars.prefix(64).enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(row[j] + 1, above + 1, diagonal + (x == y ? 0 : 1))
                diagonal = above
            }
        }
        return row[b.count]
    }
}

extension String {
    fileprivate func replacing(_ old: Character, with new: Character) -> String {
        String(map { $0 == old ? new : $0 })
    }
}
