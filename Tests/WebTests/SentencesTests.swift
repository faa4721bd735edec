import Browsing
import Conversion
import Glibc
import Markup
import Office
import PDF
import PDFReading
import Pictures
import Storage
import Testing
import Transfer
import Web
import WebAssets
import Work

@Suite("What failures say")
struct SentencesTests {
    @Test("Every sentence that a failure says in the code can be said in every language")
    func areTranslated() throws {
        let catalog = Assets().catalog
        var missing: [String] = []
        for path in TextsTests.sources(
            ["Sources/Desk", "Sources/Doors/Web", "Sources/Doors/Commands"], ending: ".swift")
        {
            for pattern in Self.patterns(in: try TextsTests.read(path)) where !catalog.has(pattern) {
                missing.append("\(path): \(pattern)")
            }
        }
        #expect(missing == [])
    }

    @Test("Every sentence of what the doctor finds, and what to do about it, can be said in every language")
    func findingsAreTranslated() throws {
        let catalog = Assets().catalog
        var missing: [String] = []
        for path in TextsTests.sources(["Sources/Desk/App/Doctor"], ending: ".swift") {
            for pattern in Self.patterns(in: try TextsTests.read(path), of: "Finding(")
            where pattern.contains(" ") && pattern != "{1}" && !Self.isCommand(pattern) {
                let name = "about.name.\(pattern.split(separator: " ").joined(separator: "-"))"
                if !catalog.has(pattern) && !catalog.has(name) { missing.append("\(path): \(pattern)") }
            }
        }
        #expect(missing == [])
        // What may stand still while the desk goes on, by its name.
        for trouble in ["backup", "inbox", "jobs", "memory", "mirror", "returned-mail"] {
            #expect(catalog.has("about.name.\(trouble)"), "\(trouble)")
        }
        // Put together from parts, and one inside of another.
        let french = Texts(catalog, .canadianFrench)
        #expect(
            french.said("Installed at /usr/bin/gs: PDF/A for archives, and smaller files.")
                == "Installé dans /usr/bin/gs\u{a0}: PDF/A pour les archives et fichiers plus petits.")
        #expect(
            french.said("Stands: keeps from network, new privileges, rarely used parts of the kernel.")
                == "Debout\u{a0}: tient à l’écart de réseau, nouveaux privilèges et parties rarement utilisées du noyau."
        )
    }

    @Test("What is remarked of a conversion can be said in every language")
    func remarksAreTranslated() throws {
        let french = Texts(Assets().catalog, .canadianFrench)
        var said = 0
        for path in TextsTests.sources(["Sources/Paper/Conversion"], ending: ".swift") {
            let code = try TextsTests.read(path)
            for place in code.ranges(of: "remarks.append(") {
                var rest = code[place.upperBound...].drop(while: \.isWhitespace)
                guard rest.first == "\"" else { continue }
                let remark = Self.pattern(&rest).replacing(/\{\d\}/, with: "lease.pdf")
                #expect(french.said(remark) != remark, "\(path)")
                said += 1
            }
        }
        #expect(said >= 12)
        #expect(
            french.said("Tables found in “lease.pdf”: 2. How sure that is: 97 %, 80 %.")
                == "Tableaux trouvés dans «\u{a0}lease.pdf\u{a0}»\u{a0}: 2. Degré de certitude\u{a0}: 97 %, 80 %."
        )
    }

    /// Never shown: what ends work that nobody waits for, and what cannot be.
    private static let inside: Set = [
        "Its digest cannot be taken.", "Nobody waits for these cards.", "What is fetched goes into a file.",
        "There is nothing to lay.",
    ]

    @Test("Every whole sentence that stands in the code of the desk can be said in every language")
    func sentencesOfTheDesk() throws {
        let catalog = Assets().catalog
        let french = Texts(catalog, .canadianFrench)
        var missing: [String] = []
        for path in TextsTests.sources(["Sources/Desk"], ending: ".swift") {
            // What a form is found to be is told by its kind, what upkeep did by the page in words of its own, and a desk that
            // is mixed up by the program that ends.
            guard
                !["/ImportReport.swift", "/DeskMark.swift", "/Maintenance.swift"].contains(
                    where: path.hasSuffix)
            else {
                continue
            }
            for sentence in Self.sentences(in: try TextsTests.read(path))
            where !Self.inside.contains(sentence) && !catalog.has(sentence) {
                let filled = sentence.replacing(/\{\d\}/, with: "lease.pdf")
                if french.said(filled) == filled { missing.append("\(path): \(sentence)") }
            }
        }
        // What is said of tables, formulas, forms, pages, pictures and words. That a form was repaired is told by its kind.
        let rooms = [
            "Tables", "Cards", "Formulas", "PDFForms", "PDFReading", "Pictures", "Redaction", "Writings",
            "Making",
            "Office",
        ]
        for path in TextsTests.sources(rooms.map { "Sources/Paper/\($0)" }, ending: ".swift")
        where !path.hasSuffix("/FormulaLocale.swift") && !path.hasSuffix("/PDFForms/Form.swift") {
            for sentence in Self.sentences(in: try TextsTests.read(path))
            where !catalog.has(sentence) && !Self.isAboutKinds(sentence) {
                let filled = sentence.replacing(/\{\d\}/, with: "lease.pdf")
                if french.said(filled) == filled { missing.append("\(path): \(sentence)") }
            }
        }
        #expect(missing == [])
        #expect(
            french.said("This bracket is not closed. Texts stand in quotation marks.")
                == "Cette parenthèse n’est pas fermée. Les textes vont entre guillemets.")
        #expect(
            french.said("The folder /mnt/disk is not there. Is its disk connected?")
                == "Le dossier /mnt/disk est introuvable. Son disque est-il branché?")
    }

    /// Put together of names for kinds of values; for people who write mappings as text.
    private static func isAboutKinds(_ sentence: String) -> Bool {
        ["A {1} ", "Name them: ", "Dates are read as ", "For example ", "A backslash ", "“\\{1}”", "In “"]
            .contains {
                sentence.hasPrefix($0)
            }
    }

    /// Texts of three words and more that begin and end as a sentence does.
    private static func sentences(in code: String) -> [String] {
        var found: [String] = []
        for line in code.split(separator: "\n") {
            var rest = line.drop { $0 == " " }
            guard !rest.hasPrefix("//") else { continue }
            while let start = rest.firstIndex(of: "\"") {
                rest = rest[start...]
                let before = rest.count
                let text = pattern(&rest)
                if rest.count == before { rest = rest.dropFirst() }
                let words = text.split(separator: " ")
                guard words.count >= 3, let first = text.first, first.isUppercase || first == "“",
                    let last = text.last, ".?!".contains(last), !text.hasPrefix("SELECT"),
                    !text.hasPrefix("{")
                else { continue }
                found.append(text)
            }
        }
        return found
    }

    @Test("What the system said of a file is said in the reader's language too, and names stay as they are")
    func systemMessages() throws {
        for (code, words) in Work.systemMessages {
            #expect(String(cString: strerror(code)) == words)
            for language in [Language.mexicanSpanish, .canadianFrench] {
                #expect(Texts(Assets().catalog, language).said(words) != words)
            }
        }
        let failure = Failure(
            .conflict, "The report “\("File exists.csv")” could not be written: \(systemMessage(EACCES)).")
        #expect(
            Texts(Assets().catalog, .mexicanSpanish)(failure)
                == "No se pudo escribir el informe “File exists.csv”: no hay permiso.")
    }

    /// What is put together where a conversion fails: the sentence, and what stood there when it was written down.
    private func failures(in code: String) -> [String] {
        var found: [String] = []
        for call in ["damaged(", "tooLarge(", "badOption(", "engineFailed("] {
            for place in code.ranges(of: "." + call) {
                var rest = code[place.upperBound...].drop { !"\")({".contains($0) }
                guard rest.first == "\"" else { continue }
                let words = Self.pattern(&rest).replacing(/\{\d\}/, with: "lease.pdf")
                // Not a name alone, with what another program said of it.
                guard words.contains(/[a-z] [a-z]/) else { continue }
                found.append(
                    call == "damaged("
                        ? ConversionError.damaged("lease.pdf", reason: words).description : words)
            }
        }
        return found
    }

    @Test("Why a paper could not be converted can be said in every language")
    func conversionFailuresAreTranslated() throws {
        let french = Texts(Assets().catalog, .canadianFrench)
        var said = 0
        for path in TextsTests.sources(["Sources/Paper/Conversion"], ending: ".swift") {
            for sentence in failures(in: try TextsTests.read(path)) {
                let words = french.said(sentence)
                #expect(words != sentence, "\(path)")
                // The reason within it as well.
                let reason = sentence.split(separator: ": ", maxSplits: 1).last.map { $0.dropLast() } ?? ""
                #expect(
                    sentence.hasPrefix("“lease.pdf” could not") ? !words.contains(reason) : true, "\(path)")
                said += 1
            }
        }
        #expect(said >= 60)
        let samples: [ConversionError] = [
            .unreadableFile("lease.pdf", reason: "Permission denied"), .unknownKind("lease.xyz"),
            .missing(program: "Chromium", package: "chromium"), .passwordNeeded("lease.pdf"),
            .wrongPassword("lease.pdf"), .passwordNotNeeded("lease.pdf"), .timedOut("lease.pdf"),
            .pageTimedOut("https://example.org"), .cancelled(reason: "a visitor"), .busy,
            .page(.answered(status: 503, address: "https://example.org")), .page(.lost("it crashed")),
            .damaged("lease.odt", reason: OfficeError.unreadable("").description),
            .damaged("lease.odt", reason: OfficeError.notWritten("full").description),
            .damaged("lease.png", reason: PictureError.unknownFormat.description),
            .damaged("lease.pdf", reason: ReadingError.tooSlow(page: 3).description),
            .damaged("lease.pdf", reason: PDFError.tooLarge(byteCount: 7).description),
        ]
        for sample in samples { #expect(french.said(sample.description) != sample.description) }
        #expect(
            french.said(
                ConversionError.page(.notLoaded(TransferError.nameNotFound(host: "example.org").description))
                    .description)
                == "La page n’a pas pu être chargée\u{a0}: Aucun ordinateur ne s’appelle example.org.")
        #expect(
            french.said(
                ConversionError.damaged("lease.odt", reason: OfficeError.unreadable("").description)
                    .description)
                == "«\u{a0}lease.odt\u{a0}» n’a pas pu être converti\u{a0}: LibreOffice ne peut pas lire le document."
        )
    }

    @Test("Every word about what the desk calls outside can be said in every language")
    func outgoingIsTranslated() throws {
        let catalog = Assets().catalog
        var said: [String] = []
        for path in TextsTests.sources(["Sources/Desk/App"], ending: ".swift") {
            let code = try TextsTests.read(path)
            for label in ["purpose: ", "occasion: "] {
                for place in code.ranges(of: label + "\"") {
                    var rest = code[code.index(place.lowerBound, offsetBy: label.count)...]
                    said.append(Self.pattern(&rest))
                }
            }
        }
        #expect(said.count >= 12)
        #expect(said.filter { !catalog.has($0) } == [])
    }

    @Test("What a plan allows, and why not, is said in every language")
    func plansAreTranslated() {
        let french = Texts(Assets().catalog, .canadianFrench)
        #expect(
            french.said(
                """
                Forms on the desk: the plan “Free” allows 3, and this would make 4. “Team” would allow it. \
                You are looking at Quire as people without a licence do. See Settings › Plans and limits.
                """) == """
                    Formulaires sur le bureau\u{a0}: le forfait «\u{a0}Free\u{a0}» en permet 3, et cela en ferait 4. \
                    «\u{a0}Team\u{a0}» le permettrait. Vous voyez Quire comme sans licence. Voyez Réglages › Forfaits et limites.
                    """)
        #expect(
            french.said("You host Quire yourself: nothing is limited.")
                == "Vous hébergez Quire vous-même\u{a0}: rien n’est limité.")
    }

    private static func isCommand(_ remedy: String) -> Bool {
        ["chmod ", "apt install ", "quire serve --trusted-proxies "].contains { remedy.hasPrefix($0) }
    }

    @Test("A pattern is read out of the code as the compiler reads it")
    func scanning() {
        let code = #"""
            throw Failure(.notFound, "There is no “\(names.first(where: { $0 == "a)" }) ?? "")”.", field: "x")
            throw Failure(
                .invalid,
                isLong ? "Too long." : """
                    Of \(count, 1) files \
                    none is “right”.
                    """)
            throw Failure(.conflict, texts("not.this"))
            """#
        #expect(
            Self.patterns(in: code) == ["There is no “{1}”.", "Too long.", "Of {1} files none is “right”."])
    }

    /// The texts that stand where `Failure(.code, …` says what failed, or another call that begins with a case.
    static func patterns(in code: String, of start: String = "Failure(") -> [String] {
        var found: [String] = []
        for place in code.ranges(of: start) {
            let before =
                place.lowerBound == code.startIndex ? " " : code[code.index(before: place.lowerBound)]
            guard !before.isLetter, before != "." else { continue }
            var rest = code[place.upperBound...].drop(while: \.isWhitespace)
            guard rest.first == ".", let comma = rest.firstIndex(of: ","),
                rest[..<comma].dropFirst().allSatisfy(\.isLetter)
            else { continue }
            rest = rest[comma...].dropFirst()
            var depth = 0
            while let sign = rest.first {
                if sign == "\"" {
                    let text = pattern(&rest)
                    // What is handed to something else is not what is said.
                    if depth == 0 { found.append(text) }
                    continue
                }
                if "([{".contains(sign) { depth += 1 }
                if ")]}".contains(sign) { depth -= 1 }
                if depth < 0 || (depth == 0 && sign == "," && start == "Failure(") { break }
                rest.removeFirst()
            }
        }
        return found
    }

    /// One text between quotation marks, with numbers for what is put into it.
    private static func pattern(_ rest: inout Substring) -> String {
        let isLong = rest.hasPrefix("\"\"\"")
        rest.removeFirst(isLong ? 3 : 1)
        var text = ""
        var count = 0
        while let sign = rest.popFirst() {
            if sign == "\"", !isLong || rest.hasPrefix("\"\"") {
                if isLong { rest.removeFirst(2) }
                break
            }
            guard sign == "\\", let next = rest.popFirst() else {
                text.append(sign)
                continue
            }
            switch next {
            case "(":
                count += 1
                text += "{\(count)}"
                skip(&rest)
            case "\n": rest = rest.drop { $0 == " " }
            case "n": text.append("\n")
            default: text.append(next)
            }
        }
        guard isLong else { return text }
        // The indentation is that of the closing marks.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        let indent = lines.last?.count ?? 0
        return lines.dropLast().map { String($0.dropFirst(indent)) }.joined(separator: "\n")
    }

    /// What is put in, to its closing bracket.
    private static func skip(_ rest: inout Substring) {
        var depth = 1
        while depth > 0, let sign = rest.first {
            if sign == "\"" {
                _ = pattern(&rest)
                continue
            }
            rest.removeFirst()
            if sign == "(" { depth += 1 }
            if sign == ")" { depth -= 1 }
        }
    }
}
