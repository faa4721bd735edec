internal import CWebAssets
import Glibc

/// Where the files lie: compiled into the program, or in the checkout while somebody works on them.
enum Shelf: Sendable {
    case program
    case folder(String)

    /// Files by name, sorted; `css/tokens.css` is a name.
    var names: [String] {
        switch self {
        case .program:
            (0..<cwebassets_count).map { String(cString: cwebassets_files[$0].name) }.sorted()
        case .folder(let folder):
            Shelf.list(folder, below: "").sorted()
        }
    }

    func bytes(_ name: String) -> [UInt8]? {
        switch self {
        case .program:
            for place in 0..<cwebassets_count where String(cString: cwebassets_files[place].name) == name {
                let file = cwebassets_files[place]
                return Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
            }
            return nil
        case .folder(let folder):
            // Only listed names are read, so a name from an address cannot climb out of the folder.
            return names.contains(name) ? Shelf.read("\(folder)/\(name)") : nil
        }
    }

    private static func list(_ folder: String, below prefix: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) {
                found += list("\(folder)/\(name)", below: "\(prefix)\(name)/")
            } else {
                found.append(prefix + name)
            }
        }
        return found
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
            bytes += chunk[..<count]
        }
        return bytes
    }
}
