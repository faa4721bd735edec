import Bytes
import TestSupport
import Testing

@Suite("Words as they are looked for")
struct FoldingTests {
    @Test(
        "Case, accents and what stands between words do not count; Chinese and Japanese signs are words",
        arguments: [
            ("", ""), (" \n–", ""), ("Lease", "lease"), ("  The LEASE, of\tZoë!\n", "the lease of zoe"),
            ("Élodie Müller, Łódź", "elodie muller lodz"), ("e\u{301}te\u{301}", "ete"),
            ("\u{301}\u{301}", ""),
            ("İstanbul ıßÆ", "istanbul isa"), ("Ⱥ", "ⱥ"), ("ΑΘΉΝΑ Москва", "αθήνα москва"),
            ("東京都の", "東 京 都 の"), ("A東b", "a 東 b"), ("12½ 3rd", "12½ 3rd"), ("नमस्ते", "नमस्ते"),
            ("𝔘 🦆 𠀀𠀁x 𐐀", "𝔘 𠀀 𠀁 x 𐐨"), ("rent\0due", "rent due"),
        ])
    func examples(text: String, words: String) {
        #expect(Folding.words(text) == words)
    }

    @Test("Every sign there is, alone and in a word, is what Unicode says of it")
    func everySign() {
        var wrong: [UInt32] = []
        for value in UInt32(0)...0x10FFFF {
            // Beyond the first two planes, most are Chinese or none at all.
            if value > 0x1FFFF, value % 61 != 0 { continue }
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(scalar)\(scalar) B"
            if Array(Folding.words(text).utf8) != Array(slowly(text).utf8) { wrong.append(value) }
        }
        #expect(wrong == [])
    }

    @Test("Texts of all kinds of signs fold as their signs do, one after the other")
    func fuzz() {
        var dice = Dice(7)
        let ranges: [Range<UInt32>] = [
            0..<0x80, 0x20..<0x7F, 0xC0..<0x250, 0x300..<0x370, 0x370..<0x600, 0x900..<0xA00, 0x2000..<0x2100,
            0x3040..<0x3100, 0x4E00..<0x4F00, 0xAC00..<0xAD00, 0x10400..<0x10450, 0x1F600..<0x1F650,
            0x20000..<0x20010,
            0..<0x110000,
        ]
        for _ in 0..<5_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<dice.below(40) {
                let range = ranges[dice.below(ranges.count)]
                guard let scalar = Unicode.Scalar(range.lowerBound + UInt32(dice.below(range.count))) else {
                    continue
                }
                text.append(contentsOf: repeatElement(scalar, count: 1 + dice.below(2)))
            }
            let (found, wanted) = (Folding.words(String(text)), slowly(String(text)))
            // Signs and not letters: é is not e with an accent behind it.
            #expect(Array(found.utf8) == Array(wanted.utf8), "\(text.map { $0.value })")
        }
    }

    @Test("Whatever the bytes, nothing is written beyond the room that is asked for, and it is text")
    func anyBytes() {
        var dice = Dice(8)
        for round in 0..<20_000 {
            let source = round % 2 == 0 ? dice.bytes(upTo: 24) : Array(dice.spoil("Ⱥ東京 É\u{301}😀 İß").utf8)
            let most = Folding.mostBytes(ofWordsIn: source.count)
            var room = [UInt8](repeating: 0xFF, count: most + 8)
            let count = source.withUnsafeBytes { source in
                room.withUnsafeMutableBytes { room in
                    Folding.words(of: source, into: UnsafeMutableRawBufferPointer(rebasing: room[..<most]))
                }
            }
            #expect(count <= most && room[most...].allSatisfy { $0 == 0xFF })
            #expect(String(validating: room[..<count], as: UTF8.self) != nil, "\(source)")
        }
    }

    @Test("Signs are folded as they were when the desks of today made their indexes")
    func rules() {
        // An index forgets a word only when it is told the same word again. Who changes these rules, or brings a Unicode
        // that does, adds a step to the library's tables that makes the indexes anew.
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for value in UInt32(0)..<0x1_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for byte in Folding.words("a\(scalar)b").utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        #expect(String(sum, radix: 16) == "5d5f1e234e956bda")
    }

    /// By Unicode's own properties, letter by letter.
    private func slowly(_ text: String) -> String {
        var words: [String] = []
        var word = ""
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            switch scalar.value {
            case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
                end()
                words.append(String(scalar))
                continue
            case ..<0x80:
                guard Character(scalar).isLetter || Character(scalar).isNumber else {
                    end()
                    continue
                }
            default:
                guard
                    properties.isAlphabetic || properties.numericType != nil
                        || [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
                else {
                    end()
                    continue
                }
            }
            let folded = Folding.fold(scalar)
            if folded != " " { word.unicodeScalars.append(folded) }
        }
        end()
        return words.joined(separator: " ")
    }
}
