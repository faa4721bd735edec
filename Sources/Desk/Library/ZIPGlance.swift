import Bytes

/// Looks into a ZIP file just far enough to tell a spreadsheet from a book: at its first entry and at the list
/// of names at its end (PKWARE APPNOTE 4.3). Nothing is unpacked.
struct ZIPGlance {
    private let file: Glimpses
    private static let mostNames = 2000

    private let ending: String

    /// The ending of the name tells apart what looks alike from outside.
    init(_ file: Glimpses, ending: String) {
        self.file = file
        self.ending = ending
    }

    var mediaType: String {
        if let declared = declaredType { return declared }
        let names = names
        if let kind = MediaKind.applePackages[ending], names.contains(where: MediaKind.appleParts.contains) {
            return kind
        }
        guard names.contains("[Content_Types].xml") else { return MediaKind.zip }
        for (folder, mediaType) in MediaKind.officeFolders
        where names.contains(where: { $0.hasPrefix(folder) }) {
            return mediaType
        }
        return MediaKind.zip
    }

    /// OpenDocument and EPUB begin with an entry `mimetype` that holds just that, not compressed.
    private var declaredType: String? {
        var reader = ByteReader(file.bytes(0, 256))
        guard (try? reader.skip(18)) != nil, let size = try? reader.uint32(.little),
            (try? reader.skip(4)) != nil, let nameLength = try? reader.uint16(.little),
            let extraLength = try? reader.uint16(.little),
            (try? reader.expect(Array("mimetype".utf8))) != nil, nameLength == 8, size < 128,
            (try? reader.skip(Int(extraLength))) != nil, let text = try? reader.bytes(Int(size))
        else { return nil }
        let type = String(decoding: text, as: UTF8.self)
        let isKnown = type == "application/epub+zip" || type.hasPrefix("application/vnd.oasis.opendocument.")
        return isKnown && type.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? type : nil
    }

    private var names: [String] {
        // The end record is 22 bytes long and may be followed by a comment of at most 65,535.
        let tailStart = max(0, file.byteCount - 65_557)
        let tail = file.bytes(tailStart, 65_557)
        guard
            let end = tail.indices.reversed().first(where: {
                tail[$0...].starts(with: Array("PK".utf8) + [5, 6])
            })
        else { return [] }
        var record = ByteReader(tail[end...])
        guard (try? record.skip(12)) != nil, let size = try? record.uint32(.little),
            let place = try? record.uint32(.little)
        else { return [] }
        var reader = ByteReader(file.bytes(Int(place), min(Int(size), 1 << 20)))
        var names: [String] = []
        while names.count < Self.mostNames, let name = entryName(&reader) { names.append(name) }
        return names
    }

    private func entryName(_ reader: inout ByteReader) -> String? {
        guard (try? reader.expect(Array("PK".utf8) + [1, 2])) != nil, (try? reader.skip(24)) != nil,
            let nameLength = try? reader.uint16(.little), let extraLength = try? reader.uint16(.little),
            let commentLength = try? reader.uint16(.little), (try? reader.skip(12)) != nil,
            let name = try? reader.bytes(Int(nameLength)),
            (try? reader.skip(Int(extraLength) + Int(commentLength))) != nil
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}
