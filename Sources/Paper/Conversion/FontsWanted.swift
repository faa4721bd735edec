import Archives
import Work

/// The fonts an office paper asks for by name, held against those of this machine.
struct FontsWanted {
    let names: [String]

    init(_ paper: Paper) {
        var found: Set<String> = []
        func look(_ source: String) {
            for tag in TagScanner(source).tags {
                switch tag.name {
                case "rfonts":
                    for key in ["w:ascii", "w:hansi", "w:cs", "w:eastasia"] {
                        if let name = tag.attributes[key] { found.insert(name) }
                    }
                case "latin", "ea", "cs": if let name = tag.attributes["typeface"] { found.insert(name) }
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
        names = found.map { $0.filter { $0 != "'" && $0 != "\"" } }
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

    var substituted: [(wanted: String, taken: String)] {
        guard !Self.installed.isEmpty else { return [] }
        return names.filter { !Self.installed.contains($0.lowercased()) }.prefix(20).map { name in
            let outcome = try? Child(
                "fc-match", ["-f", "%{family[0]}", name], limits: .init(time: .seconds(5))
            ).run()
            return (name, outcome?.outputText ?? "")
        }
    }
}

extension ConversionRun {
    mutating func noteFonts(of paper: Paper) {
        for font in FontsWanted(paper).substituted
        where !report.substitutedFonts.contains(where: { $0.wanted == font.wanted }) {
            report.substitutedFonts.append(font)
        }
    }
}
