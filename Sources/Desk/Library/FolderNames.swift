import Glibc

/// What lies in a folder of the machine.
enum FolderNames {
    /// All but what is hidden, in no order; none where it cannot be looked into.
    static func visible(in path: String) -> [String] {
        guard let listing = opendir(path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
