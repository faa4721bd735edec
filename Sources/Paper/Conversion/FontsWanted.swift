import Archives
import Bytes
import Kinds
import Office
import Synchronization
import Work

/// The fonts an office paper asks for by name, held against those of this machine.
struct FontsWanted {
    let names: [String]
    /// Whether there are formulas in it.
    let hasFormulas: Bool

    init(_ paper: Paper) {
        var found: Set<String> = []
        var formulas = false
        func look(_ source: String) {
            for tag in TagScanner(source).tags {
                switch tag.name {
                case "rfonts":
                    for key in ["w:ascii", "w:hansi", "w:cs", "w:eastasia"] {
                        if let name = tag.attributes[key] { found.insert(name) }
                    }
                case "latin", "ea", "cs": if let name = tag.attributes["typeface"] { found.insert(name) }
                case "omath": formulas = true
                case "font-face": if let name = tag.attributes["svg:font-family"] { found.insert(name) }
                case "name", "rfont":
                    if let name = tag.attributes["val"], paper.kind == .xlsx { found.insert(name) }
                default: continue
                }
            }
        }
        if let zip = try? ZIPReader(bytes: paper.bytes) {
            let wanted = [
                "word/document.xml", "word/styles.xml", "xl/styles.xml", "content.xml", "styles.xml",
            ]
            for entry in zip.entries.prefix(400) {
                let isSlide =
                    entry.name.hasPrefix("ppt/slides/slide") || entry.name.hasPrefix("ppt/theme/theme")
                guard wanted.contains(entry.name) || isSlide, entry.byteCount < 8 << 20,
                    let bytes = try? zip.bytes(entry)
                else { continue }
                look(TextDecoding.text(bytes))
            }
        } else if [.fodt, .fods, .fodp].contains(paper.kind), paper.bytes.count < 8 << 20 {
            look(TextDecoding.text(paper.bytes))
        }
        hasFormulas = formulas
        // A list, as style sheets have them, begins with the font that is meant.
        names = Set(found.map { $0.prefix { $0 != "," }.filter { $0 != "'" && $0 != "\"" } })
            .filter { !$0.isEmpty && !$0.hasPrefix("+") && !$0.hasPrefix("@") && !$0.hasPrefix("-") }.sorted()
    }

    /// Families of this machine, in small letters; asked once.
    private static let installed: Set<String> = {
        guard let outcome = try? Child("fc-list", [":", "family"], limits: .init(time: .seconds(10))).run()
        else {
            return []
        }
        return Set(outcome.outputText.split { $0 == "\n" || $0 == "," }.map { $0.lowercased() })
    }()

    /// What was answered before: asking costs a process, and most papers ask for the same few fonts.
    private static let answers = Mutex<[String: String]>([:])

    var substituted: [(wanted: String, taken: String)] {
        guard !Self.installed.isEmpty else { return [] }
        return names.filter { !Self.installed.contains($0.lowercased()) }.prefix(20).map { name in
            if let known = Self.answers.withLock({ $0[name] }) { return (name, known) }
            let outcome = try? Child(
                "fc-match", ["-f", "%{family[0]}", name], limits: .init(time: .seconds(5))
            ).run()
            let taken = outcome?.outputText ?? ""
            Self.answers.withLock { answers in
                // Names come from strangers; they shall not fill the memory.
                if answers.count < 1000 { answers[name] = taken }
            }
            return (name, taken)
        }
    }
}

extension FontsWanted {
    /// Packages with fonts whose letters are as wide as those of well-known ones, so that lines break where they did.
    fileprivate static let lookalikes = [
        "calibri": "fonts-crosextra-carlito", "cambria": "fonts-crosextra-caladea",
        "arial": "fonts-liberation", "helvetica": "fonts-liberation", "times new roman": "fonts-liberation",
        "courier new": "fonts-liberation",
    ]
    private static let lookalikeNames = [
        "fonts-crosextra-carlito": "carlito", "fonts-crosextra-caladea": "caladea",
        "fonts-liberation": "liberation sans",
    ]

    fileprivate static func isInstalled(package: String) -> Bool {
        lookalikeNames[package].map { installed.contains($0) } ?? false
    }
}

extension ConversionRun {
    /// What the paper asks for and this machine does not have.
    mutating func noteFonts(of paper: Paper) {
        let wanted = FontsWanted(paper)
        let substituted = wanted.substituted
        for font in substituted
        where !report.substitutedFonts.contains(where: { $0.wanted == font.wanted }) {
            report.substitutedFonts.append(font)
        }
        let packages = Set(substituted.compactMap { FontsWanted.lookalikes[$0.wanted.lowercased()] })
            .filter { !FontsWanted.isInstalled(package: $0) }
        if !packages.isEmpty {
            note(
                "Fonts with letters of the same widths: apt install \(packages.sorted().joined(separator: " "))"
            )
        }
        if wanted.hasFormulas, !Offices.readsFormulas {
            note("The formulas in it are left out. To have them: apt install libreoffice-math")
        }
    }

    private mutating func note(_ remark: String) {
        if !report.remarks.contains(remark) { report.remarks.append(remark) }
    }
}
