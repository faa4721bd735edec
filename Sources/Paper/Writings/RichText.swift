import Bytes

/// What is said in a file of the Rich Text Format (RTF 1.9.1).
enum RichText {
    static func words(_ bytes: [UInt8], atMost limit: Int) -> String {
        var reading = Reading(bytes)
        reading.run(atMost: limit)
        return reading.text
    }

    /// Groups that hold no words of the text.
    private static let silent: Set<String> = [
        "fonttbl", "colortbl", "stylesheet", "info", "pict", "themedata", "colorschememapping", "datastore",
        "listtable", "listoverridetable", "rsidtbl", "generator", "xmlnstbl", "fldinst", "objdata",
        "latentstyles",
    ]

    private static let letters = [
        "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
        "bullet": "•", "tab": " ", "par": "\n", "line": "\n", "sect": "\n", "page": "\n", "row": "\n",
        "cell": "\n",
    ]

    private struct Group {
        var isSilent = false
        /// How many letters follow one in Unicode, for programs that do not know it.
        var spare = 1
        var font: Int?
        var isFontTable = false
    }

    /// The letters of a font, by the numbers of Windows; those of the whole file for the others.
    private static let codePages = [
        77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258,
        177: 1255,
        178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250,
    ]

    private struct Reading {
        private var rest: ArraySlice<UInt8>
        private var group = Group()
        private var around: [Group] = []
        private var codePage = 1252
        /// Of fonts that have letters of their own.
        private var codePages: [Int: Int] = [:]
        private var fontToCome: Int?
        /// In letters of the code page, and halves of letters in UTF-16.
        private var waiting: [UInt8] = []
        private var high: UInt16?
        private var toSkip = 0
        private(set) var text = ""

        private static let deepest = 1000

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        mutating func run(atMost limit: Int) {
            while let byte = rest.popFirst(), text.utf8.count < limit {
                switch byte {
                case UInt8(ascii: "{"):
                    toSkip = 0
                    if around.count < Self.deepest { around.append(group) }
                case UInt8(ascii: "}"):
                    toSkip = 0
                    let outer = around.popLast() ?? Group()
                    // Not in the middle of a letter of two bytes that a program split over groups.
                    if outer.font != group.font { settle() }
                    group = outer
                case UInt8(ascii: "\\"): control()
                case 0x0A, 0x0D, 0: break
                default: letter(byte)
                }
            }
            settle()
        }

        private mutating func control() {
            guard let first = rest.first else { return }
            guard (first | 0x20) >= UInt8(ascii: "a"), (first | 0x20) <= UInt8(ascii: "z") else {
                rest = rest.dropFirst()
                switch first {
                case UInt8(ascii: "'"):
                    let digits = rest.prefix(2)
                    rest = rest.dropFirst(2)
                    if let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) { letter(byte) }
                case UInt8(ascii: "*"): group.isSilent = true
                case UInt8(ascii: "~"): say(" ")
                case UInt8(ascii: "_"): say("-")
                case 0x0A, 0x0D: say("\n")
                case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): letter(first)
                default: break
                }
                return
            }
            let name = rest.prefix(32).prefix {
                ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
            }
            rest = rest[name.endIndex...]
            let digits = rest.prefix(10).prefix {
                ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: "-")
            }
            rest = rest[digits.endIndex...]
            if rest.first == 0x20 { rest = rest.dropFirst() }
            command(String(decoding: name, as: UTF8.self), Int(String(decoding: digits, as: UTF8.self)))
        }

        private mutating func command(_ name: String, _ number: Int?) {
            switch name {
            case "u": unicode(UInt16(truncatingIfNeeded: number ?? 0))
            case "uc": group.spare = min(max(0, number ?? 1), 8)
            case "bin": rest = rest.dropFirst(max(0, number ?? 0))
            case "ansicpg": codePage = number ?? 1252
            case "mac": codePage = 10000
            case "fonttbl":
                group.isSilent = true
                group.isFontTable = true
            case "f" where group.isFontTable: fontToCome = number
            case "fcharset" where group.isFontTable:
                if let font = fontToCome, let page = RichText.codePages[number ?? 0] {
                    codePages[font] = page
                }
            case "f", "deff":
                if group.font != number { settle() }
                group.font = number
            case _ where RichText.silent.contains(name): group.isSilent = true
            default: if let letter = RichText.letters[name] { say(letter) }
            }
        }

        private mutating func letter(_ byte: UInt8) {
            guard toSkip == 0 else {
                toSkip -= 1
                return
            }
            if !group.isSilent { waiting.append(byte) }
        }

        private mutating func unicode(_ unit: UInt16) {
            toSkip = group.spare
            guard !group.isSilent else { return }
            settle(keepsHigh: true)
            if UTF16.isLeadSurrogate(unit) {
                high = unit
            } else {
                text += String(decoding: (high.map { [$0] } ?? []) + [unit], as: UTF16.self)
                high = nil
            }
        }

        private mutating func say(_ letters: String) {
            guard !group.isSilent else { return }
            settle()
            text += letters
        }

        private mutating func settle(keepsHigh: Bool = false) {
            if !keepsHigh { high = nil }
            guard !waiting.isEmpty else { return }
            let page = group.font.flatMap { codePages[$0] } ?? codePage
            let charset = page == 10000 ? "MACINTOSH" : "CP\(page)"
            text +=
                waiting.allSatisfy { $0 < 0x80 }
                ? String(decoding: waiting, as: UTF8.self) : TextDecoding.text(waiting, named: charset)
            waiting = []
        }
    }
}
