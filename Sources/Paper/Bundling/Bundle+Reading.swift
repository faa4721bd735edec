import Archives
import Bytes
import Crypto

extension Bundle {
    /// The bundle, and the names of what is in the file that this Quire does not know and has left out.
    ///
    /// Nothing in the file is believed: it is held to limits, and everything has to be what its digest says.
    public static func read(_ bytes: [UInt8]) throws(BundleError) -> (bundle: Bundle, leftOut: [String]) {
        guard bytes.count <= longestFile else { throw .tooLarge }
        var reader = try BundleReader(bytes)
        return (try reader.bundle(), reader.leftOut)
    }
}

private struct BundleReader {
    private let zip: ZIPReader
    private let manifest: JSON
    private let digests: JSONObject
    private var seen: Set<String> = [Bundle.manifestName]
    private var unknown: [String] = []

    init(_ bytes: [UInt8]) throws(BundleError) {
        var limits = ZIPReader.Limits()
        limits.entries = 400
        limits.bytesInEntry = 64 << 20
        limits.bytesInAll = 256 << 20
        do throws(ZIPError) {
            zip = try ZIPReader(bytes: bytes, limits: limits)
        } catch .tooLarge {
            throw .tooLarge
        } catch {
            throw .notABundle
        }
        guard let entry = zip[Bundle.manifestName], entry.byteCount <= 4 << 20 else { throw .notABundle }
        do {
            manifest = try JSON(parsing: try zip.bytes(entry))
        } catch {
            throw .damaged(what: Bundle.manifestName)
        }
        guard manifest["format"]?.string == Bundle.format else { throw .notABundle }
        guard let version = manifest["version"]?.int, version >= 1 else {
            throw .damaged(what: Bundle.manifestName)
        }
        guard version <= Bundle.version else { throw .newer(version: version) }
        digests = manifest["digests"]?.object ?? [:]
    }

    /// What nobody has asked for, known once all was read.
    var leftOut: [String] {
        let members = (manifest.object?.keys ?? []).filter { !Self.members.contains($0) }
        let entries = zip.entries.filter { !$0.isFolder && !seen.contains($0.name) }.map(\.name)
        return (unknown + members + entries).prefix(20).map(Bundle.short)
    }

    private static let members: Set<String> = [
        "format", "version", "name", "parts", "naming", "options", "letter", "files", "columns", "rows",
        "realRows", "digests",
    ]

    mutating func bundle() throws(BundleError) -> Bundle {
        var bundle = Bundle(name: try text(manifest["name"], "name"))
        for json in try list("parts", atMost: Bundle.mostParts) {
            if let part = try part(json) { bundle.parts.append(part) }
        }
        for json in try list("files", atMost: 20) {
            bundle.files.append(Bundle.File(try text(json["name"], "files"), try file(json["file"], "files")))
        }
        bundle.naming = try text(manifest["naming"] ?? "", "naming")
        bundle.options = manifest["options"]?.object ?? [:]
        bundle.letter = manifest["letter"]?.object
        for json in try list("columns", atMost: Bundle.mostColumns) {
            bundle.columns.append(
                Bundle.Column(try text(json["name"], "columns"), role: json["role"]?.string))
        }
        for json in try list("rows", atMost: Bundle.mostRows) {
            let cells = (json.array ?? []).compactMap(\.string)
            guard cells.count == bundle.columns.count else { throw .damaged(what: "rows") }
            bundle.rows.append(cells)
        }
        bundle.hasRealRows = manifest["realRows"]?.bool ?? false
        guard !bundle.parts.isEmpty else { throw .damaged(what: "parts") }
        return bundle
    }

    /// Nil for a kind of part that a later Quire may know.
    private mutating func part(_ json: JSON) throws(BundleError) -> Bundle.Part? {
        let name = try text(json["name"], "parts")
        let condition = try text(json["condition"] ?? "", "parts")
        switch json["kind"]?.string {
        case "form":
            let bytes = try file(json["file"], "parts")
            var mapping: String?
            if let given = json["mapping"] {
                let bytes = try file(given, "parts")
                guard bytes.count <= Bundle.longestText, let text = String(validating: bytes, as: UTF8.self)
                else { throw .damaged(what: Bundle.short(given.string ?? "")) }
                mapping = text
            }
            return Bundle.Part(name, .form(bytes, mapping: mapping), condition: condition)
        case "paper":
            return Bundle.Part(name, .paper(try file(json["file"], "parts")), condition: condition)
        case "attachment":
            return Bundle.Part(
                name, .attachment(pattern: try text(json["pattern"], "parts")), condition: condition)
        case let kind:
            if let path = json["file"]?.string { seen.insert(path) }
            unknown.append(kind.map { "\(name) (\($0))" } ?? name)
            return nil
        }
    }

    private func list(_ key: String, atMost most: Int) throws(BundleError) -> [JSON] {
        guard let found = manifest[key], !found.isNull else { return [] }
        guard let items = found.array, items.count <= most else { throw .damaged(what: key) }
        return items
    }

    private func text(_ json: JSON?, _ place: String) throws(BundleError) -> String {
        guard let text = json?.string, text.utf8.count <= 10_000 else { throw .damaged(what: place) }
        return text
    }

    private mutating func file(_ json: JSON?, _ place: String) throws(BundleError) -> [UInt8] {
        guard let path = json?.string, let entry = zip[path], !entry.isFolder, !entry.isLink else {
            throw .damaged(what: place)
        }
        seen.insert(path)
        guard let bytes = try? zip.bytes(entry),
            digests[path]?.string == Hex.encode(SHA256.hash(bytes))
        else { throw .damaged(what: Bundle.short(path)) }
        return bytes
    }
}
