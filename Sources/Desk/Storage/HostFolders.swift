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
    /// - Parameter anywhere: for somebody at the machine, who reads what they like without us.
    public func place(_ path: String, anywhere: Bool, field: String) throws(Failure) -> String {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw Failure(.invalid, "Write the whole path, from / on.", field: field)
        }
        let real = Self.real(path)
        // Asked first, so that nobody learns what is there by trying.
        guard let place = real ?? (path.split(separator: "/").contains("..") ? nil : path),
            anywhere || opened.contains(where: { Self.lies(place, in: Self.real($0) ?? $0) })
        else {
            throw Failure(
                .denied,
                "The host of this desk has not opened “\(path)”. Its folder has to stand in “reachable-folders” of the configuration.",
                field: field)
        }
        guard let real else {
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

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
