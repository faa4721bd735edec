import Bytes
import Glibc
import Storage

/// Looks at a file and says what kind it is.
package struct Sniffer {
    private static let headByteCount = 16 << 10

    private let file: Glimpses
    private let ending: String
    private let head: [UInt8]

    /// The media type of the file at `path`, which somebody called `name`.
    package static func mediaType(ofFile path: String, named name: String) throws -> String {
        try mediaType(Glimpses(path), named: name)
    }

    /// The same of bytes at hand.
    static func mediaType(of bytes: [UInt8], named name: String) -> String {
        mediaType(Glimpses(bytes), named: name)
    }

    private static func mediaType(_ file: Glimpses, named name: String) -> String {
        Sniffer(file: file, ending: FileName.ending(of: name), head: file.bytes(0, headByteCount)).mediaType
    }

    private var mediaType: String {
        // An archive may begin with a PDF that is not packed; that does not make it one.
        if has(Array("PK".utf8) + [3, 4], at: 0) { return ZIPGlance(file, ending: ending).mediaType }
        // Readers accept a little noise before the header (ISO 32000-1, annex H.3).
        if hasEarly(Array("%PDF-".utf8), within: 1024) { return MediaKind.pdf }
        if let known = MediaKind.signatures.first(where: { has($0.bytes, at: $0.place) }) {
            return known.mediaType
        }
        // Two letters are too few: four bytes that are kept free, and the size of the second head, have to agree.
        if has(Array("BM".utf8), at: 0), has([0, 0, 0, 0], at: 6), has([0, 0, 0], at: 15) {
            return "image/bmp"
        }
        if has(Array("ftyp".utf8), at: 4), let kind = MediaKind.brands[ascii(head.dropFirst(8).prefix(4))] {
            return kind
        }
        if has(Array("PK".utf8) + [5, 6], at: 0) {
            return ZIPGlance(file, ending: ending).mediaType
        }
        if has([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], at: 0) {
            return MediaKind.compoundFiles[ending] ?? "application/x-ole-storage"
        }
        return textType ?? MediaKind.octets
    }

    private func has(_ bytes: [UInt8], at place: Int) -> Bool { head.dropFirst(place).starts(with: bytes) }

    private func hasEarly(_ bytes: [UInt8], within byteCount: Int) -> Bool {
        let last = min(head.count, byteCount) - bytes.count
        return last >= 0 && (0...last).contains { head[$0] == bytes[0] && has(bytes, at: $0) }
    }

    private var textType: String? {
        let marked = letters
        let start = ascii(marked.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(1024)).lowercased()
        let opening = MediaKind.openings.first(where: { start.hasPrefix($0.text) })?.mediaType
        guard isText(marked) else {
            // Spreadsheets and web pages are still written in the letters of their region, which no byte gives away.
            if opening == MediaKind.html, hasNoControls(marked) { return opening }
            let isTable = MediaKind.texts[ending].map { $0.hasPrefix("text/") } ?? false
            return isTable && !head.contains(0) ? MediaKind.texts[ending] : nil
        }
        if let opening { return opening }
        if start.hasPrefix("<?xml") {
            if start.contains("<svg") { return "image/svg+xml" }
            return start.contains("<html") ? MediaKind.html : "application/xml"
        }
        if ending == "eml" || isMail(marked) { return MediaKind.mail }
        return MediaKind.texts[ending] ?? MediaKind.text
    }

    /// Without a mark of their order, and UTF-16 as UTF-8.
    private var letters: ArraySlice<UInt8> {
        if has([0xFF, 0xFE], at: 0) || has([0xFE, 0xFF], at: 0) {
            return Array(TextDecoding.text(Array(head.prefix(head.count & ~1))).utf8)[...]
        }
        return has([0xEF, 0xBB, 0xBF], at: 0) ? head.dropFirst(3) : head[...]
    }

    private func hasNoControls(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) || $0 == 0x7F }
    }

    /// UTF-8 without the control characters that no text has. The head may end within a character.
    private func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard hasNoControls(bytes) else { return false }
        guard let place = bytes.firstInvalidUTF8 else { return true }
        return head.count == Self.headByteCount && bytes.endIndex - place < 4
    }

    /// At least two of the fields that a message has, before anything else.
    private func isMail(_ bytes: ArraySlice<UInt8>) -> Bool {
        let fields = [
            "from", "to", "subject", "date", "received", "return-path", "mime-version", "message-id",
        ]
        var found = 0
        for line in bytes.prefix(8192).split(separator: 0x0A).prefix(12) {
            if line.first == 0x20 || line.first == 0x09 { continue }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
            let name = ascii(line[..<colon]).lowercased()
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
                return false
            }
            if fields.contains(name) { found += 1 }
            if found == 2 { return true }
        }
        return false
    }

    private func ascii(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
    }
}

/// Reads here and there in a file, or in bytes at hand.
final class Glimpses {
    private let descriptor: Int32
    private let held: [UInt8]
    let byteCount: Int

    init(_ bytes: [UInt8]) {
        descriptor = -1
        held = bytes
        byteCount = bytes.count
    }

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        held = []
        guard descriptor >= 0 else {
            throw Failure.disk(errno, "read", path)
        }
        var status = stat()
        byteCount = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Fewer at the end of the file, none beyond it.
    func bytes(_ place: Int, _ count: Int) -> [UInt8] {
        guard place >= 0, count > 0, place < byteCount else { return [] }
        let count = min(count, byteCount - place)
        guard descriptor >= 0 else { return Array(held[place..<place + count]) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let read = pread(descriptor, start + filled, count - filled, off_t(place + filled))
                guard read > 0 else { return }
                filled += read
            }
        }
    }
}
