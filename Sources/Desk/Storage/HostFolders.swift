import Glibc

/// Which places of the machine somebody may name on the desk: those that its host has opened, and never the desk's own.
public struct HostFolders: Sendable {
    private let home: String
    private let opened: [String]

    public init(home: DataDirectory, opened: [String] = []) {
        self.home = home.path
        self.opened = opened
    }

    /// The place itself, behind all links.
    ///
    /// - Parameters:
    ///   - anywhere: for somebody at the machine, who reads what they like without us.
    ///   - mayBeMissing: for what lies on a disk that is not always there.
    @discardableResult
    public func place(
        _ path: String, anywhere: Bool, mayBeMissing: Bool = false, field: String
    ) throws(Failure) -> String {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw Failure(.invalid, "Write the whole path, from / on.", field: field)
        }
        let real = Self.real(path)
        // Asked first, so that nobody learns what is there by trying.
        guard let place = real ?? Self.whereItWouldBe(path),
            anywhere || opened.contains(where: { Self.lies(place, in: Self.real($0) ?? $0) })
        else {
            throw Failure(
                .denied,
                "The host of this desk has not opened “\(path)”. Its folder has to stand in “reachable-folders” of the configuration.",
                field: field)
        }
        guard let real = real ?? (mayBeMissing ? Self.whereItWouldBe(place) : nil) else {
            throw Failure(
                .invalid, "There is no “\(path)” on the machine that holds this desk.", field: field)
        }
        let desk = Self.real(home) ?? home
        guard !Self.lies(real, in: desk), !Self.lies(desk, in: real) else {
            throw Failure(
                .denied, "“\(path)” belongs to the desk itself. Choose another place.", field: field)
        }
        return real
    }

    private static func lies(_ path: String, in folder: String) -> Bool {
        folder == "/" || path == folder || path.hasPrefix(folder + "/")
    }

    /// Behind all links on the way there, as far as it is there; nil for what cannot be told.
    private static func whereItWouldBe(_ path: String) -> String? {
        var rest: [Substring] = []
        var parts = path.split(separator: "/")
        guard !parts.contains("..") else { return nil }
        while let last = parts.popLast() {
            rest.insert(last, at: 0)
            guard let folder = real("/" + parts.joined(separator: "/")) else { continue }
            // A link that leads nowhere yet may lead anywhere tomorrow.
            var facts = stat()
            guard lstat("\(folder)/\(last)", &facts) != 0 else { return nil }
            return (folder == "/" ? "" : folder) + "/" + rest.joined(separator: "/")
        }
        return nil
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
