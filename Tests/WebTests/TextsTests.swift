import Glibc
import Markup
import Testing
import WebAssets

@Suite("The texts")
struct TextsTests {
    @Test("Every text exists in every language, with all its plural forms and the same placeholders")
    func areComplete() {
        #expect(Assets().catalog.complaints() == [])
    }

    @Test("Signs and spaces are set as each language sets them")
    func areSetAsTheLanguageSetsThem() throws {
        let noBreak = "\u{A0}"
        var faults: [String] = []
        for path in TextsTests.sources(["Sources/C/CWebAssets/files/catalogs"], ending: ".texts") {
            for line in try TextsTests.read(path).split(separator: "\n") {
                let text = line.drop { $0 != ":" }.dropFirst(2)
                if line.hasPrefix("  fr-CA") {
                    // Of Canada: nothing before ; ! ?, a space that does not break before : % $ and inside « ».
                    let wrong = [" ;", " !", " ?", " :", " %", " $", "« ", " »", " …"]
                    let isWrong = wrong.contains { text.contains($0) }
                    let isOpen = text.replacing("«" + noBreak, with: "").contains("«")
                    if isWrong || isOpen { faults.append(String(text)) }
                }
                // Of Mexico: “ ”, not « ».
                if line.hasPrefix("  es-MX"), text.contains("«") || text.contains(" …") {
                    faults.append(String(text))
                }
            }
        }
        #expect(faults == [])
    }

    @Test("Whatever the journal notes has a sentence")
    func tellEachAct() throws {
        let known = Set(Assets().catalog.keys)
        var verbs: Set<String> = []
        for path in TextsTests.sources(["Sources/Desk"], ending: ".swift") {
            verbs.formUnion(TextsTests.called(try TextsTests.read(path), by: ["tx.note(", "verb: "]))
        }
        #expect(verbs.count > 40)
        #expect(verbs.filter { $0.contains(".") && !known.contains("journal." + $0) } == [])
    }

    /// Keys put together at run time, such as `journal.` and a verb; their endings are checked where they are used.
    static let families = [
        "journal.", "problem.", "hint.", "job.state.", "shares.state.", "role.", "scope.", "activity.",
        "settings.", "about.", "kind.",
        "template.", "starter.", "field.kind.", "comparison.", "proposals.", "column.", "import.", "step.",
        "batch.state.", "take.",
        "mail.security.", "bounces.security.", "theme.", "notice.", "limit.", "sending.check.",
        "sending.count.", "sending.state.",
        "delivery.", "finding.", "outbox.state.", "deliveries.part.", "letter.attaches.", "letter.form.",
        "figures.", "convert.from.", "convert.state.", "convert.step.", "convert.fact.", "convert.turn.",
        "list.filter.", "rules.state.", "filing.tag.colour.", "labels.kind.", "documents.sort.",
        "documents.view.", "arrival.", "sync.kind.", "sync.state.", "sync.what.",
        "contact.part.", "contact.kind.", "contact.add.", "contact.type.", "contact.field.",
        "contacts.match.", "contacts.merge.photo.",
    ]

    @Test("No text is missing, and none is left over")
    func areAllUsed() throws {
        let known = Set(Assets().catalog.keys)
        var used: Set<String> = []
        for path in TextsTests.sources(["Sources/Doors/Web"], ending: ".swift") {
            for key in TextsTests.quoted(try TextsTests.read(path)) where known.contains(key) {
                used.insert(key)
            }
            for key in TextsTests.called(
                try TextsTests.read(path), by: ["t(", "texts(", "t.html(", "texts.html("])
            {
                #expect(known.contains(key), "\(path): no text for \(key)")
            }
        }
        for path in TextsTests.sources(
            ["Sources/Desk", "Sources/Doors/Web", "Sources/Doors/Commands"], ending: ".swift")
        {
            used.formUnion(SentencesTests.patterns(in: try TextsTests.read(path)))
        }
        for path in TextsTests.sources(["Sources/Desk"], ending: ".swift") {
            // The labels of what may be set, in the lists of fields.
            for key in TextsTests.called(try TextsTests.read(path), by: ["label: "]) {
                #expect(known.contains(key), "\(path): no text for \(key)")
                used.formUnion([key, key + ".hint"])
            }
        }
        for path in TextsTests.sources(["Sources/C/CWebAssets/files/js"], ending: ".js") {
            for key in TextsTests.quoted(try TextsTests.read(path)) where known.contains("client." + key) {
                used.insert("client." + key)
            }
            for key in TextsTests.called(try TextsTests.read(path), by: ["text("]) {
                #expect(known.contains("client." + key), "\(path): no text for \(key)")
            }
        }
        let leftOver = known.subtracting(used).filter { key in
            !TextsTests.families.contains { key.hasPrefix($0) }
        }
        #expect(leftOver.sorted() == [])
    }

    static func sources(_ folders: [String], ending: String) -> [String] {
        folders.flatMap { folder -> [String] in
            guard let directory = opendir(folder) else { return [] }
            defer { closedir(directory) }
            var found: [String] = []
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name.hasPrefix(".") { continue }
                let path = "\(folder)/\(name)"
                if entry.pointee.d_type == UInt8(DT_DIR) {
                    found += sources([path], ending: ending)
                } else if name.hasSuffix(ending) {
                    found.append(path)
                }
            }
            return found.sorted()
        }
    }

    static func read(_ path: String) throws -> String {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything that looks like a key between quotes.
    static func quoted(_ source: String) -> [String] {
        source.split(separator: "\"").map(String.init).filter(isKey)
    }

    /// The literal keys handed to the functions that look texts up.
    static func called(_ source: String, by functions: [String]) -> [String] {
        functions.flatMap { function in
            source.ranges(of: function + "\"").compactMap { range -> String? in
                let before =
                    range.lowerBound == source.startIndex
                    ? " " : source[source.index(before: range.lowerBound)]
                guard !before.isLetter, before != "." else { return nil }
                let key = String(source[range.upperBound...].prefix { $0 != "\"" })
                return isKey(key) ? key : nil
            }
        }
    }

    static func isKey(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count < 60
            && text.utf8.allSatisfy {
                $0 < 128 && (UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 || $0 == 0x2E || $0 == 0x2D)
            }
    }
}
