import Filling
import PDF
import Storage

/// The passwords this desk gave the packets of a batch, for opening what comes back.
struct Keyring {
    private var byName: [String: String] = [:]
    private var others: [String]

    /// One that opens whatever else there is is tried first.
    init(_ passwords: [(fileName: String, password: String)], and given: String? = nil) {
        var seen: Set<String> = []
        others = ([given].compactMap { $0 } + passwords.map(\.password)).filter {
            !$0.isEmpty && seen.insert($0).inserted
        }
        for (name, password) in passwords { byName[Self.key(name)] = password }
    }

    private static func key(_ name: String) -> String {
        let last = name.split(separator: "/").last.map { $0.lowercased() } ?? ""
        return last.hasSuffix(".pdf") ? String(last.dropLast(4)) : last
    }

    /// Opens a file: as it is, with the password of the packet that was called so, with any other. A packet comes back
    /// once, mostly, so a password that has opened one is tried last from then on.
    mutating func open<Opened>(_ name: String, _ body: (String?) throws -> Opened) throws -> Opened {
        do {
            return try body(nil)
        } catch PDFError.passwordNeeded {
            if let own = byName[Self.key(name)], let opened = try attempt(own, body) { return opened }
            for (index, password) in others.enumerated() {
                guard let opened = try attempt(password, body) else { continue }
                others.append(others.remove(at: index))
                return opened
            }
            throw PDFError.passwordNeeded
        }
    }

    private func attempt<Opened>(_ password: String, _ body: (String?) throws -> Opened) throws -> Opened? {
        do {
            return try body(password)
        } catch PDFError.wrongPassword, PDFError.passwordNeeded {
            return nil
        }
    }
}
