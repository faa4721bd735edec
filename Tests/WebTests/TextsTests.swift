import Glibc
import Markup
import Testing
import TestSupport
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

    @Test("French says how many also where it says “one”, which is none as well; Spanish says tú")
    func areSaidAsTheLanguageSaysThem() throws {
        let asToStrangers = [
            "usted", "elija", "escriba", "haga", "suelte", "agregue", "pida", "ponga", "guarde", "dé",
            "seleccione",
            "vuelva a", "intente", "espere", "exporte", "toque para", "quiso", "puede retirar",
            "mientras tanto puede",
        ]
        var faults: [String] = []
        for path in TextsTests.sources(["Sources/C/CWebAssets/files/catalogs"], ending: ".texts")
        where !path.hasSuffix("failures.texts") {
            var key = ""
            var french: [Substring: Substring] = [:]
            for line in try TextsTests.read(path).split(separator: "\n") + ["end" as Substring] {
                let text = line.drop { $0 != ":" }.dropFirst(2)
                if !line.hasPrefix(" ") {
                    // What is said of none in words of its own leaves “one” to one alone.
                    if let one = french["one"], french["zero"] == nil, !one.contains("{count}"),
                        french["other"]?.contains("{count}") == true
                    {
                        faults.append("\(key): \(one)")
                    }
                    key = String(line)
                    french = [:]
                } else if line.hasPrefix("  fr-CA."),
                    let form = line.dropFirst(8).split(separator: ":").first
                {
                    french[form] = text
                } else if line.hasPrefix("  es-MX"), !key.hasPrefix("request."), !key.hasPrefix("shared.") {
                    let said = text.lowercased().split { !$0.isLetter && $0 != " " }
                    if said.contains(where: { part in
                        asToStrangers.contains { (" " + part + " ").contains(" " + $0 + " ") }
                    }) {
                        faults.append("\(key): \(text)")
                    }
                }
            }
        }
        #expect(faults == [])
    }

    @Test("One thing has one word on every page: what was said before the glossary is not said again")
    func areSaidByTheGlossary() throws {
        let before: [String: [String]] = [
            "en": [
                "packet", "packets", "batch", "batches", "library", "ledger", "outbox", "e-mail", "in step",
                "this machine", "came back", "throw away", "thrown away",
            ],
            "es": [
                "paquete", "lote", "lotes", "biblioteca", "bandeja de salida", "esta máquina", "para siempre",
            ],
            "fr": [
                "liasse", "liasses", "lot", "lots", "bibliothèque", "cette machine", "pour de bon", "jeter",
            ],
        ]
        var faults: [String] = []
        for path in TextsTests.sources(["Sources/C/CWebAssets/files/catalogs"], ending: ".texts")
        where !path.hasSuffix("failures.texts") {
            var key = ""
            for line in try TextsTests.read(path).split(separator: "\n") {
                guard line.hasPrefix("  ") else {
                    key = String(line)
                    continue
                }
                let text = line.drop { $0 != ":" }.dropFirst(2).replacing(/\{\w+\}/, with: "").lowercased()
                let words = " " + text.map { $0.isLetter || $0 == "-" ? String($0) : " " }.joined() + " "
                for word in before[String(line.dropFirst(2).prefix(2))] ?? []
                where words.contains(" \(word) ") {
                    faults.append("\(key): \(text)")
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
        "card.read.from.",
        "journal.", "problem.", "hint.", "feedback.", "job.state.", "shares.state.", "role.", "scope.",
        "activity.",
        "help.", "start.", "settings.", "about.", "kind.", "tool.", "tools.",
        "template.", "starter.", "field.kind.", "comparison.", "proposals.", "column.", "import.", "step.",
        "batch.state.", "bundle.heldBack.", "bundle.notTaken.", "take.",
        "mail.security.", "bounces.security.", "theme.", "notice.", "notices.", "limit.", "plan.tool.",
        "sending.check.",
        "sending.count.", "sending.state.", "sending.part.",
        "delivery.", "finding.", "ledger.method.", "outbox.state.", "deliveries.part.", "letter.attaches.",
        "letter.form.",
        "figures.", "convert.from.", "convert.scan.", "convert.state.", "convert.step.", "convert.fact.",
        "convert.turn.", "convert.set.", "convert.page.", "client.scan.word.", "client.scan.camera.",
        "scan.corner.", "scan.look.", "scan.size.",
        "list.filter.", "rules.state.", "filing.tag.colour.", "labels.kind.", "documents.sort.",
        "documents.view.", "arrival.", "sync.kind.", "sync.state.", "sync.what.",
        "cards.theme.", "cards.layout.", "cards.language.", "cards.answers.", "cardfield.", "card.answer.",
        "cards.seen.", "cards.kinds.", "cards.code.", "cards.link.", "cards.print.", "cards.signature.photo.",
        "cards.screen.", "cards.picture.", "cards.crop.", "identities.wallet.",
        "followUp.every.", "followUp.in.", "followUp.due.", "smart.due.", "contact.part.", "contact.kind.",
        "contact.add.", "contact.type.", "contact.field.",
        "contacts.match.", "contacts.merge.photo.", "signatures.finding.", "signatures.verdict.",
        "signatures.kind.", "signatures.since.", "signatures.allows.", "signing.seen.",
        "redact.check.", "redact.colour.", "redact.hits.no", "redact.pattern.", "redact.place.",
        "redact.remark.", "compare.", "marks.colour.", "marks.kind.", "marks.sift.", "marks.spread",
        "marks.tool.", "marks.undo",
        "marks.redo", "client.mark.hint.", "arrange.", "client.board.lost.", "client.crop.", "byhand.next",
        "byhand.previous", "document.acts.", "smaller.kind.", "smaller.lost.", "smaller.way.",
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
        // What is written down in English is found again by its pieces: each of them stands in the code.
        let code = Haystack(
            try TextsTests.sources(
                [
                    "Sources/Base/Work", "Sources/Desk", "Sources/Paper/Mappings", "Sources/Paper/PDFForms",
                    "Sources/Paper/Office", "Sources/Paper/Conversion", "Sources/Paper/Browsing",
                    "Sources/Paper/Pictures", "Sources/Paper/PDF", "Sources/Paper/PDFReading",
                    "Sources/Paper/Tables", "Sources/Paper/Formulas", "Sources/Paper/Redaction",
                    "Sources/Paper/Writings", "Sources/Paper/Making", "Sources/Paper/Cards",
                    "Sources/Base/Transfer",
                ],
                ending: ".swift"
            )
            .map(TextsTests.read).joined(separator: "\n"))
        for line in try TextsTests.read("Sources/C/CWebAssets/files/catalogs/reasons.texts")
            .split(separator: "\n") where !line.hasPrefix(" ")
        {
            for piece in line.split(separator: /\{\d\}/) where piece.count > 1 {
                #expect(code.contains(String(piece)), "reasons.texts: nothing says “\(piece)”")
            }
            used.insert(String(line))
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
