import Archives
import Bytes
import Crypto
import Work

extension Bundle {
    /// The file. The same content gives the same bytes, so that a bundle that was given twice is known again.
    public func bytes() throws -> [UInt8] {
        var entries: [(name: String, bytes: [UInt8])] = []
        func place(_ name: String, _ bytes: [UInt8]) -> JSON {
            entries.append((name, bytes))
            return .string(name)
        }
        let parts = self.parts.enumerated().map { index, part -> JSON in
            var view: JSON = ["name": .string(part.name)]
            switch part.content {
            case .form(let bytes, let mapping):
                view["kind"] = "form"
                view["file"] = place("forms/\(index + 1).pdf", bytes)
                if let mapping { view["mapping"] = place("forms/\(index + 1).map", Array(mapping.utf8)) }
            case .paper(let bytes):
                view["kind"] = "paper"
                view["file"] = place("papers/\(index + 1)", bytes)
            case .attachment(let pattern):
                view["kind"] = "attachment"
                view["pattern"] = .string(pattern)
            }
            if !part.condition.isEmpty { view["condition"] = .string(part.condition) }
            return view
        }
        let files = self.files.enumerated().map { index, file -> JSON in
            ["name": .string(file.name), "file": place("files/\(index + 1)", file.bytes)]
        }
        var manifest: JSON = [
            "format": .string(Self.format), "version": .int(Self.version), "name": .string(name),
            "parts": .array(parts), "naming": .string(naming), "options": .object(options),
            "letter": letter.map(JSON.object) ?? .null, "files": .array(files),
            "columns": .array(
                columns.map { ["name": .string($0.name), "role": .optional($0.role)] }),
            "rows": .array(rows.map { .array($0.map(JSON.string)) }), "realRows": .bool(hasRealRows),
        ]
        manifest["digests"] = .object(
            JSONObject(entries.map { ($0.name, .string(Hex.encode(SHA256.hash($0.bytes)))) }))
        var out: [UInt8] = []
        var zip = ZIPWriter { out.append(contentsOf: $0) }
        // The archive's own beginning of time: when it was made is nobody's business.
        let modified = Moment(milliseconds: 315_532_800_000)
        try zip.add(Self.manifestName, manifest.bytes, modified: modified)
        for entry in entries { try zip.add(entry.name, entry.bytes, modified: modified) }
        try zip.finish()
        return out
    }

    static let manifestName = "manifest.json"
}
