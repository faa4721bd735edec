import Archives
import Bytes
import Kinds
import Markup
import Tables

/// The words of letters, tables, slides and books, taken out of their files without the programs they were written with.
public enum WrittenWords {
    public static func areReadable(in mediaType: some StringProtocol) -> Bool {
        mediaType == richText || package(mediaType) != nil
    }

    /// Throws a sentence about why they cannot be read.
    public static func text(
        _ mediaType: some StringProtocol, _ bytes: [UInt8]
    ) throws(Unreadable) -> String {
        do throws(ZIPError) { return try words(mediaType, bytes) } catch { throw Unreadable(error) }
    }

    /// What a page of the web, or a drawing in SVG, shows.
    public static func text(ofPage page: String) -> String { TaggedText.page.words(Array(page.utf8)) }

    /// Why nothing can be read.
    public struct Unreadable: Error {
        public let sentence: String

        init(_ error: ZIPError) {
            switch error {
            case .tooLarge:
                sentence = "It would unpack to far more than it should, so its words are not read."
            case .unsupported: sentence = "It is locked with a password, so its words are not read."
            case .damaged, .notAnArchive, .badName, .notReadable:
                sentence = "It is damaged: it cannot be unpacked, so its words are not read."
            }
        }
    }

    private static func words(
        _ mediaType: some StringProtocol, _ bytes: [UInt8]
    ) throws(ZIPError) -> String {
        guard let package = package(mediaType) else { return RichText.words(bytes, atMost: mostWords) }
        if package.isTable, let words = try? words(ofTable: bytes) { return words }
        guard !bytes.starts(with: PaperKind.compoundMark) else {
            throw .unsupported(name: "EncryptedPackage", reason: "it is encrypted")
        }
        var limits = ZIPReader.Limits()
        limits.entries = 20_000
        limits.bytesInEntry = 2 << 30
        limits.bytesInAll = 8 << 30
        let zip = try ZIPReader(bytes: bytes, limits: limits)
        var words: [String] = []
        var (left, room) = (mostWords, mostUnpacked)
        for place in package.places {
            let parts = zip.entries.filter { place.has($0.name) }.sorted { order($0.name) < order($1.name) }
            for part in parts where left > 0 && part.byteCount <= room {
                room -= part.byteCount
                let said = try place.text.words(letters(zip, part), atMost: left)
                guard !said.isEmpty else { continue }
                left -= said.utf8.count
                words.append(said)
            }
        }
        return words.joined(separator: "\n")
    }

    private static let richText = "application/rtf"

    /// Row by row, with days and amounts as they are shown.
    private static func words(ofTable bytes: [UInt8]) throws(TableError) -> String {
        var options = TableOptions()
        options.headerRow = 0
        options.includesHiddenRows = true
        options.limits.unpackedByteCount = Int64(mostUnpacked)
        options.limits.heldByteCount = mostUnpacked
        var words = ""
        // Each is looked for from the beginning of the file.
        for sheet in try TableReader(bytes: bytes, options: options).shape.sheets.prefix(50) {
            options.sheet = sheet.name
            words += sheet.name + "\n"
            // An empty sheet is no table.
            guard var table = try? TableReader(bytes: bytes, options: options) else { continue }
            while words.utf8.count < mostWords, let row = try table.next() {
                words += row.cells.map(\.shown).filter { !$0.isEmpty }.joined(separator: " ") + "\n"
            }
        }
        return words
    }

    private static func package(_ mediaType: some StringProtocol) -> Package? {
        packages.first { mediaType.hasPrefix($0.mediaType) }
    }

    private static let mostWords = 8 << 20
    private static let mostUnpacked = 64 << 20

    /// Chapters and slides come by their numbers, which have no leading zeros.
    private static func order(_ name: String) -> (Int, Int) {
        let digits = name.filter(\.isNumber)
        return (digits.count, Int(digits.prefix(9)) ?? 0)
    }

    private static func letters(_ zip: ZIPReader, _ part: ZIPReader.Entry) throws(ZIPError) -> [UInt8] {
        do {
            var bytes = try zip.bytes(part)
            if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
                bytes = Array(TextDecoding.text(bytes).utf8)
            }
            // What is encrypted begins with anything.
            let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
            guard start.first(where: { $0 > 0x20 }).map({ $0 == UInt8(ascii: "<") }) ?? true else {
                throw ZIPError.unsupported(name: part.name, reason: "it is encrypted")
            }
            return bytes
        } catch let error as ZIPError {
            throw error
        } catch {
            throw .damaged("\(error)")
        }
    }

    /// Where the words lie in files of a kind, what counts most first.
    private struct Package {
        var mediaType: String
        var isTable = false
        var places: [Place]
    }

    private struct Place {
        var start: String
        var endings: [String]
        var text: TaggedText

        func has(_ name: String) -> Bool {
            let name = name.lowercased()
            return name.hasPrefix(start) && endings.contains(where: name.hasSuffix)
        }
    }

    private static let microsoft = "application/vnd.openxmlformats-officedocument."

    /// Words within `t`; what stands in a box is told a second time for older programs.
    private static let runs: TaggedText = {
        var text = TaggedText(lines: .at(["p", "br", "cr", "tab", "tc", "tr", "si"]))
        text.spoken = ["t"]
        text.silent = ["fallback", "rph"]
        return text
    }()

    /// Of the cells those that do not point to a string.
    private static let cells: TaggedText = {
        var text = TaggedText(lines: .at(["c"]))
        text.spoken = ["t", "v"]
        text.silentWhere = ["c": "t=\"s\""]
        return text
    }()

    private static let openDocument: TaggedText = {
        var text = TaggedText(
            lines: .at(["p", "h", "s", "tab", "line-break", "table-cell", "table-row", "list-item"]))
        text.silent = ["tracked-changes", "binary-data", "scripts", "font-face-decls", "automatic-styles"]
        return text
    }()

    private static let packages = [
        Package(
            mediaType: microsoft + "wordprocessingml.",
            places: ["document", "footnotes", "endnotes", "comments", "header", "footer"].map {
                Place(start: "word/" + $0, endings: [".xml"], text: runs)
            }),
        Package(
            mediaType: microsoft + "spreadsheetml.", isTable: true,
            places: [
                Place(start: "xl/sharedstrings", endings: [".xml"], text: runs),
                Place(start: "xl/worksheets/sheet", endings: [".xml"], text: cells),
                Place(start: "xl/comments", endings: [".xml"], text: runs),
            ]),
        Package(
            mediaType: microsoft + "presentationml.",
            places: ["slides/slide", "notesslides/notesslide", "comments/"].map {
                Place(start: "ppt/" + $0, endings: [".xml"], text: runs)
            }),
        Package(
            mediaType: "application/vnd.oasis.opendocument.spreadsheet", isTable: true,
            places: [Place(start: "content.xml", endings: [".xml"], text: openDocument)]),
        Package(
            mediaType: "application/vnd.oasis.opendocument.",
            places: [Place(start: "content.xml", endings: [".xml"], text: openDocument)]),
        Package(
            mediaType: "application/epub+zip",
            places: [Place(start: "", endings: [".xhtml", ".html", ".htm"], text: .page)]),
    ]
}
