import Archives
import Bytes
import Crypto
import Glibc
import Storage
import Work

/// A folder of published cards. What lies in it that was not published from here stays as it is, unless somebody insists.
struct CardFolder {
    private let path: String
    /// What was written there before, and the digest of each file as it was written.
    private var known: [String: String]

    /// Kept beside the cards; web servers give out no files of such names, or nobody misses it.
    private static let listName = ".quire-cards.json"

    init(_ path: String, isForced: Bool) throws(Failure) {
        self.path = path
        guard !Files.exists(path) || Files.isFolder(path) else {
            throw Failure(.conflict, "\(path) is not a folder. Name another one.")
        }
        let list = "\(path)/\(Self.listName)"
        guard Files.exists(list) else {
            known = [:]
            guard isForced || !Files.exists(path) || Self.isEmpty(path) else {
                throw Failure(
                    .conflict,
                    "\(path) holds files that were not published from here. Name an empty folder, or say --force to write beside them."
                )
            }
            return
        }
        let said = try? JSON(parsing: Files.read(list, atMost: 4 << 20))
        known = [:]
        for (name, digest) in said?["files"]?.object ?? [:] { known[name] = digest.string }
    }

    private static func isEmpty(_ path: String) -> Bool {
        guard let open = opendir(path) else { return false }
        defer { closedir(open) }
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { return false }
        }
        return true
    }

    /// Cards of earlier times that are none of these: they stay.
    func others(than folders: Set<String>) -> [String] {
        let all = Set(known.keys.filter { $0.contains("/") }.map { String($0.prefix { $0 != "/" }) })
        return all.subtracting(folders).filter { Files.exists("\(path)/\($0)") }.sorted()
    }

    mutating func take(_ archive: String, isForced: Bool) throws -> [String] {
        var limits = ZIPReader.Limits()
        limits.bytesInAll = 1 << 30
        let zip = try ZIPReader(path: archive, limits: limits)
        var files: [(name: String, bytes: [UInt8])] = []
        for entry in zip.entries where !entry.isFolder {
            // Whatever a server says, nothing is written anywhere else.
            guard entry.staysInside, !entry.isLink, entry.name != Self.listName else {
                throw Failure(
                    .damaged, "The desk named a file “\(entry.name)”, which lies outside the folder.")
            }
            files.append((entry.name, try zip.bytes(entry)))
        }
        // First it is known that all of it may be written, then something is.
        for file in files where !isForced { try check(file.name, file.bytes) }
        for file in files {
            let parts = file.name.split(separator: "/").dropLast()
            try Files.makeFolder(([path] + parts.map(String.init)).joined(separator: "/"))
            try Self.write(file.bytes, to: "\(path)/\(file.name)")
            known[file.name] = Self.digest(file.bytes)
        }
        var digests = JSONObject()
        for (name, digest) in known.sorted(by: { $0.key < $1.key }) { digests[name] = .string(digest) }
        let list: JSON = ["files": .object(digests)]
        try Self.write(Array(list.text.utf8), to: "\(path)/\(Self.listName)")
        return files.map(\.name)
    }

    private func check(_ name: String, _ bytes: [UInt8]) throws(Failure) {
        let file = "\(path)/\(name)"
        guard Files.exists(file) else { return }
        let there = Self.digest(try Files.read(file, atMost: 64 << 20))
        guard there != known[name], there != Self.digest(bytes) else { return }
        throw Failure(
            .conflict, "\(file) was changed by somebody else. Move it away, or say --force to write over it.")
    }

    private static func digest(_ bytes: [UInt8]) -> String { Hex.encode(Array(SHA256.hash(bytes))) }

    /// A visitor meanwhile sees the file before, or this one.
    private static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let draft = DraftFile.path(beside: path)
        let file = try NewFile(draft)
        var failure: Failure?
        bytes.withUnsafeBytes { piece in
            do throws(Failure) { try file.write(piece) } catch { failure = error }
        }
        if let failure { throw failure }
        try file.finish()
        guard rename(draft, path) == 0 else {
            let reason = Files.reason
            unlink(draft)
            throw Failure(.unavailable, "\(path) cannot be written: \(reason).")
        }
    }
}
