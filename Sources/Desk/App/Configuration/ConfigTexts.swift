import Bytes
import Conversion
import Jobs
import Storage
import Transfer
import Work

/// The configuration as it was written, and how each kind of value is read.
struct ConfigTexts {
    private var values: [String: (text: String, origin: Config.Origin)] = [:]

    mutating func set(_ key: ConfigKey, _ text: String, _ origin: Config.Origin) {
        values[key.name] = (text.trimmed, origin)
    }

    /// With what `lan` stands for, where nothing else is said. Whoever wants it without encryption is told that it is not meant
    /// so: phones would show neither the camera nor what was kept for the time without a network.
    func openedToTheHouse() throws(Failure) -> ConfigTexts {
        guard try choice(.lan, ["yes": true, "no": false]) else { return self }
        var opened = self
        if origin(.host) == .builtIn { opened.set(.host, "0.0.0.0", origin(.lan)) }
        let isFiles = !text(.tlsCertificate).isEmpty || !text(.tlsKey).isEmpty
        if origin(.tls) == .builtIn {
            if !isFiles { opened.set(.tls, "own-authority", origin(.lan)) }
        } else if text(.tls).lowercased() == "off" {
            throw Failure(
                .invalid,
                "“lan” opens the desk with encryption, so “tls” cannot be off. Leave one of them out.",
                field: "lan")
        }
        return opened
    }

    func entry(_ key: ConfigKey) -> Config.Entry {
        let text = text(key)
        let shown =
            key == .database && Store.DatabaseChoice.holdsPassword(text)
            ? "PostgreSQL (with a password, not shown)"
            : key == .engine
                ? RemoteEngine.shown(text) : key == .metricsToken && !text.isEmpty ? "(not shown)" : text
        return Config.Entry(key: key, shown: shown, origin: origin(key))
    }

    func integer(_ key: ConfigKey, in range: ClosedRange<Int>) throws(Failure) -> Int {
        guard let number = Int(text(key)), range.contains(number) else {
            throw wrong(key, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func choice<T>(_ key: ConfigKey, _ choices: [String: T]) throws(Failure) -> T {
        guard let value = choices[text(key).lowercased()] else {
            throw wrong(key, choices.keys.sorted().joined(separator: " or "))
        }
        return value
    }

    func folder(_ key: ConfigKey) throws(Failure) -> String? {
        let text = text(key)
        guard !text.isEmpty else { return nil }
        guard text.hasPrefix("/"), !text.utf8.contains(0) else { throw wrong(key, "a whole path, from / on") }
        return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Several, with colons between them as in `PATH`.
    func folders(_ key: ConfigKey) throws(Failure) -> [String] {
        let folders = text(key).split(separator: ":").map(String.init)
        guard folders.allSatisfy({ $0.hasPrefix("/") && !$0.utf8.contains(0) }) else {
            throw wrong(key, "whole paths, from / on, with : between them")
        }
        return folders
    }

    /// Addresses and blocks of them.
    func networks(_ key: ConfigKey) throws(Failure) -> [Network] {
        let words = text(key).split { ", ".contains($0) }.map(String.init)
        let networks = words.compactMap { Network($0) }
        guard networks.count == words.count else {
            throw wrong(key, "addresses such as 192.0.2.7 or 10.0.0.0/8, with , between them")
        }
        // Everybody could say where they come from.
        guard networks.allSatisfy({ $0.prefixLength > 0 }) else {
            throw wrong(key, "the addresses of your own proxies, not of everybody")
        }
        return networks
    }

    func engine(_ key: ConfigKey) throws(Failure) -> RemoteEngine? {
        let text = text(key)
        guard !text.isEmpty else { return nil }
        do throws(ConversionError) {
            return try RemoteEngine(text)
        } catch {
            throw wrong(key, "the address of a server such as http://user:password@host:3000")
        }
    }

    /// `eng+fra`, or with commas and blanks between them.
    func recognitionLanguages() throws(Failure) -> [String] {
        let names = text(.recognitionLanguages).split { "+, ".contains($0) }.map(String.init)
        for name in names where !name.allSatisfy({ ($0.isASCII && $0.isLetter) || $0 == "_" }) {
            throw wrong(.recognitionLanguages, "languages as Tesseract names them, such as eng+fra")
        }
        return names
    }

    /// What nobody guesses; letters that fit into a header.
    func secret(_ key: ConfigKey) throws(Failure) -> String? {
        let text = text(key)
        guard !text.isEmpty else { return nil }
        guard text.utf8.count >= 16, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw wrong(key, "at least 16 letters, digits and signs without blanks")
        }
        return text
    }

    func host() throws(Failure) -> String {
        let text = text(.host)
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || ".:-[]".utf8.contains(byte)
        }
        guard !text.isEmpty, isPlain else { throw wrong(.host, "an address such as 127.0.0.1 or ::1") }
        return text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    }

    /// `https://desk.example.org`, perhaps with a port; nothing after it.
    func origin(_ key: ConfigKey) throws(Failure) -> String? {
        var text = text(key).lowercased()
        guard !text.isEmpty else { return nil }
        if text.hasSuffix("/") { text.removeLast() }
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            let isPlain = rest.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || ".:-[]".utf8.contains(byte)
            }
            if !rest.isEmpty, isPlain { return text }
        }
        throw wrong(key, "an origin such as https://desk.example.org")
    }

    func database() throws(Failure) -> Store.DatabaseChoice {
        let text = text(.database)
        if text.lowercased() == "sqlite" { return .sqlite }
        if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
            || text.utf8.contains(UInt8(ascii: "="))
        {
            return .postgres(text)
        }
        throw wrong(.database, "“sqlite” or a PostgreSQL connection such as postgresql:///quire")
    }

    func tls() throws(Failure) -> Config.TLS {
        let certificate = try folder(.tlsCertificate)
        let key = try folder(.tlsKey)
        let mode = text(.tls).lowercased()
        // Naming the files says enough.
        let isSaid = origin(.tls) != .builtIn
        switch (mode, certificate, key) {
        case ("off", nil, nil): return .off
        case ("self-signed", nil, nil), ("yes", nil, nil): return .selfSigned
        case ("own-authority", nil, nil): return .ownAuthority
        case ("files", let certificate?, let key?): return .files(certificate: certificate, key: key)
        case ("off", let certificate?, let key?) where !isSaid:
            return .files(certificate: certificate, key: key)
        case ("off", _, _) where isSaid: return .off
        case (_, nil, _?), (_, _?, nil), ("files", _, _):
            throw Failure(
                .invalid, "“tls-certificate” and “tls-key” belong together. Name both files, or neither.",
                field: certificate == nil ? "tls-certificate" : "tls-key")
        default: throw wrong(.tls, "off, self-signed, own-authority or files")
        }
    }

    /// `4GB`, `500 MB`, `1000000`.
    func size(_ key: ConfigKey) throws(Failure) -> Int64 {
        guard let size = ByteSize.whole(text(key))
        else { throw wrong(key, "a size such as 500MB or 4GB") }
        return size
    }

    /// `90s`, `15m`, `2h`; nil for never.
    func duration(_ key: ConfigKey) throws(Failure) -> Duration? {
        var text = text(key).lowercased()
        if ["", "never", "off", "no", "0"].contains(text) { return nil }
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.popLast(), let factor = units[unit], let number = Int(text.trimmed),
            (1...1_000_000).contains(number)
        else { throw wrong(key, "a time such as 90s, 15m or 2h, or never") }
        return .seconds(number * factor)
    }

    func rule(_ key: ConfigKey) throws(Failure) -> String? {
        let text = text(key)
        guard !["", "never", "off", "no"].contains(text.lowercased()) else { return nil }
        guard (try? Recurrence(text)) != nil else {
            throw wrong(key, "a recurrence rule such as FREQ=DAILY;BYHOUR=2, or never")
        }
        return text
    }

    private func text(_ key: ConfigKey) -> String { values[key.name]?.text ?? key.standard }

    private func origin(_ key: ConfigKey) -> Config.Origin {
        key == .home && values[key.name] == nil ? .builtIn : values[key.name]?.origin ?? .builtIn
    }

    private func wrong(_ key: ConfigKey, _ wanted: String) -> Failure {
        let shown = entry(key).shown
        return Failure(
            .invalid, "“\(key.name)” is “\(shown)” (\(origin(key))), but it must be \(wanted).",
            field: key.name)
    }
}

extension String {
    /// Without blanks at its ends.
    var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        let rest = drop(while: isBlank)
        guard let end = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(rest[...end])
    }
}
