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
            switch Folding.sign(of: scalar) {
            case .gap: end()
            case .accent:
                if word.isEmpty { start = place }
            case .letter(let folded):
                if word.isEmpty { start = place }
                word.unicodeScalars.append(folded)
            case .word:
                end()
                words.append(Word(text: String(scalar), place: place..<place + length))
            }
            place += length
        }
        end()
        all = words
    }

    /// As they are kept for looking in: one blank between them. Where they stand takes much longer to say.
    static func folded(_ text: String) -> String { Folding.words(text) }

    /// The text with another word wherever this one stands.
    func replacing(_ word: String, by other: String, in text: String) -> String {
        var bytes = Array(text.utf8)
        for found in all.reversed() where found.text == word {
            bytes.replaceSubrange(found.place, with: other.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
