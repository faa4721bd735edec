import Bytes

/// The words of a text as they are looked for: without case and accents, Chinese and Japanese sign by sign, as those are
/// written without gaps.
struct Words {
    struct Word: Equatable {
        var text: String
        /// Where it stands in the text it was read from, in UTF-8.
        var place: Range<Int>
    }

    let all: [Word]

    init(_ text: String) {
        var words: [Word] = []
        var word = ""
        var start = 0
        var place = 0
        func end() {
            if !word.isEmpty { words.append(Word(text: word, place: start..<place)) }
            word = ""
        }
        for scalar in text.unicodeScalars {
            let length = UTF8.width(scalar)
            if Self.standsAlone(scalar) {
                end()
                words.append(Word(text: String(scalar), place: place..<place + length))
            } else if Self.belongsToWord(scalar) {
                if word.isEmpty { start = place }
                let folded = Folding.fold(scalar)
                if folded != " " { word.unicodeScalars.append(folded) }
            } else {
                end()
            }
            place += length
        }
        end()
        all = words
    }

    /// As it is kept for looking in: words with one blank between them.
    var folded: String { all.lazy.map(\.text).joined(separator: " ") }

    /// The text with another word wherever this one stands.
    func replacing(_ word: String, by other: String, in text: String) -> String {
        var bytes = Array(text.utf8)
        for found in all.reversed() where found.text == word {
            bytes.replaceSubrange(found.place, with: other.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func belongsToWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 {
            return (0x30...0x39).contains(scalar.value) || (0x41...0x5A).contains(scalar.value)
                || (0x61...0x7A).contains(scalar.value)
        }
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }

    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}
