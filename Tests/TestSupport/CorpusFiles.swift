import Glibc

/// Real files of many makers, kept beside the checkout; `QUIRE_CORPUS` says where else. Tests that need them are
/// skipped where they are not, and say so.
public enum CorpusFiles {
    public static let root: String? = {
        if let told = getenv("QUIRE_CORPUS") { return String(cString: told) }
        let checkout = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        for place in ["/\(checkout)/../shared/corpus", "/\(checkout)/../../shared/corpus"]
        where access(place, R_OK) == 0 { return place }
        return nil
    }()

    public static func has(_ path: String) -> Bool {
        root.map { access("\($0)/\(path)", R_OK) == 0 } ?? false
    }

    public static func path(_ path: String) -> String { "\(root ?? "")/\(path)" }

    /// The names in a folder, in order; none when there is no corpus.
    public static func names(_ folder: String) -> [String] {
        guard let root, let open = opendir("\(root)/\(folder)") else { return [] }
        defer { closedir(open) }
        var names: [String] = []
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    public static func bytes(_ path: String) throws -> [UInt8] {
        guard let file = fopen(self.path(path), "r") else { throw Missing(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    public struct Missing: Error { public let path: String }
}
