import Glibc
import PDF

/// Real forms of many makers, kept beside the checkout; `QUIRE_CORPUS` says where else. Tests that need them are
/// skipped, and say so, where there are none.
enum Corpus {
    static let folder: String? = {
        if let told = getenv("QUIRE_CORPUS") { return String(cString: told) }
        let checkout = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let beside = "/\(checkout)/../shared/corpus"
        return access("\(beside)/form", R_OK) == 0 ? beside : nil
    }()

    static var isThere: Bool { folder != nil }

    /// The forms in the order of their names.
    static let forms: [(name: String, bytes: [UInt8])] = {
        guard let folder, let listing = opendir("\(folder)/form") else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".pdf") { names.append(name) }
        }
        return names.sorted().compactMap { name in
            (try? PDFFile.read("\(folder)/form/\(name)")).map { (name, $0) }
        }
    }()

    static func form(_ start: String) -> [UInt8]? { forms.first { $0.name.hasPrefix(start) }?.bytes }
}
