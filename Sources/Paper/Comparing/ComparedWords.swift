import Alphabet
import PDF
import PDFReading

/// The words of a paper in the order they are read, each by a number: two papers have millions of them.
struct ComparedWords {
    struct Box: Equatable {
        var left: Float
        var bottom: Float
        var right: Float
        var top: Float

        init(_ place: PDFRectangle) {
            left = Float(place.left)
            bottom = Float(place.bottom)
            right = Float(place.right)
            top = Float(place.top)
        }

        var rectangle: PDFRectangle {
            PDFRectangle(
                left: Double(left), bottom: Double(bottom), right: Double(right), top: Double(top))
        }

        func isNear(_ other: Box, _ distance: Float) -> Bool {
            abs(left - other.left) <= distance && abs(right - other.right) <= distance
                && abs(bottom - other.bottom) <= distance && abs(top - other.top) <= distance
        }
    }

    struct Word {
        /// As it stands there, and as it counts.
        var text: Int32
        var key: Int32
        var page: Int32
        /// Of the whole paper.
        var line: Int32
        var box: Box
        /// The rest of a word that is divided at the end of a line; -1 for most.
        var rest: Int32 = -1
    }

    struct Rest {
        var page: Int32
        var box: Box
        /// The word with its hyphen, which may belong there.
        var hyphenated: Int32
    }

    /// A line that is repeated at the edge of pages, with signs in the place of page numbers.
    struct Running {
        var text: String
        var isAtTop: Bool
        /// The first of them.
        var place: PaperComparison.Place
        var pageCount: Int
    }

    let frames: [PageFrame]
    fileprivate(set) var words: [Word] = []
    fileprivate(set) var rests: [Rest] = []
    /// The words of each page.
    fileprivate(set) var pages: [Range<Int>] = []
    fileprivate(set) var running: [Running] = []
    /// Places of what is repeated on each page, which may be another number each time.
    fileprivate(set) var runningPlaces: [Int: [PDFRectangle]] = [:]
    let cutPages: [Int]

    fileprivate init(_ texts: [PageText], frames: [PageFrame]) {
        self.frames = frames
        cutPages = texts.filter(\.isCut).map(\.page)
    }

    func area(_ box: Box, on page: Int) -> PaperComparison.Area {
        PaperComparison.Area(
            page: page, x: Double(box.left), y: frames[page].height - Double(box.top),
            width: Double(box.right - box.left), height: Double(box.top - box.bottom))
    }

    /// What some words cover, a place for each line.
    func areas(_ numbers: [Int]) -> [PaperComparison.Area] {
        var areas: [PaperComparison.Area] = []
        var line: Int32 = -1
        func add(_ area: PaperComparison.Area, _ isSameLine: Bool) {
            guard isSameLine, var last = areas.last, last.page == area.page else { return areas.append(area) }
            let (right, bottom) = (
                max(last.x + last.width, area.x + area.width), max(last.y + last.height, area.y + area.height)
            )
            (last.x, last.y) = (min(last.x, area.x), min(last.y, area.y))
            (last.width, last.height) = (right - last.x, bottom - last.y)
            areas[areas.count - 1] = last
        }
        var previous = -2
        for number in numbers {
            let word = words[number]
            add(area(word.box, on: Int(word.page)), word.line == line && number == previous + 1)
            line = word.line
            if word.rest >= 0 {
                let rest = rests[Int(word.rest)]
                add(area(rest.box, on: Int(rest.page)), false)
                line = word.line + 1
            }
            previous = number
        }
        return areas
    }
}

/// Numbers for words: the same one for those that say the same.
struct Vocabulary {
    private(set) var texts: [String] = []
    private var keys: [Int32] = []
    private var numbers: [String: Int32] = [:]

    mutating func number(_ text: String) -> Int32 {
        if let known = numbers[text] { return known }
        let number = Int32(texts.count)
        numbers[text] = number
        texts.append(text)
        keys.append(number)
        let plain = Self.plain(text)
        if plain != text { keys[Int(number)] = self.number(plain) }
        return number
    }

    func key(_ number: Int32) -> Int32 { keys[Int(number)] }

    /// Letters that are one sign, quotation marks and hyphens are written in more than one way and say the same.
    static func plain(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 128 }) { return text }
        var out = ""
        for scalar in LineBreaks.composed(text).unicodeScalars {
            switch scalar.value {
            case 0x2018...0x201B, 0x2032: out += "'"
            case 0x201C...0x201F, 0x2033: out += "\""
            case 0x2010, 0x2011: out += "-"
            case 0xAD, 0x200B...0x200F, 0x2060, 0xFEFF: break
            case 0xFB00: out += "ff"
            case 0xFB01: out += "fi"
            case 0xFB02: out += "fl"
            case 0xFB03: out += "ffi"
            case 0xFB04: out += "ffl"
            case 0xFB05, 0xFB06: out += "st"
            default: out.unicodeScalars.append(scalar)
            }
        }
        // Of a word that is nothing but such signs something must be left to be told.
        return out.isEmpty ? text : out
    }
}

/// Reads both papers to words, so that what is repeated at the edges of pages is known from both.
struct WordsOfBoth {
    private(set) var vocabulary = Vocabulary()
    private(set) var before: ComparedWords
    private(set) var after: ComparedWords

    init(_ before: [PageText], _ after: [PageText], frames: ([PageFrame], [PageFrame])) {
        self.before = ComparedWords(before, frames: frames.0)
        self.after = ComparedWords(after, frames: frames.1)
        let edges = EdgeLines(before, after)
        var vocabulary = vocabulary
        Self.read(before, into: &self.before, edges, isAfter: false, &vocabulary)
        Self.read(after, into: &self.after, edges, isAfter: true, &vocabulary)
        let (left, right) = (Self.plainKeys(self.before), Self.plainKeys(self.after))
        Self.settle(&self.before, other: right, vocabulary)
        Self.settle(&self.after, other: left, vocabulary)
        self.vocabulary = vocabulary
    }

    func text(_ word: ComparedWords.Word) -> String { vocabulary.texts[Int(word.text)] }

    private static func read(
        _ texts: [PageText], into words: inout ComparedWords, _ edges: EdgeLines, isAfter: Bool,
        _ vocabulary: inout Vocabulary
    ) {
        var line: Int32 = 0
        var found: [String: Int] = [:]
        for text in texts {
            let start = words.words.count
            for (number, one) in text.lines.enumerated() {
                if let repeated = edges.running(isAfter, text.page, number) {
                    words.runningPlaces[text.page, default: []].append(one.place)
                    let name = (repeated.isAtTop ? "^" : "_") + repeated.text
                    if let known = found[name] {
                        words.running[known].pageCount += 1
                    } else {
                        found[name] = words.running.count
                        let area = words.area(.init(one.place), on: text.page)
                        words.running.append(
                            .init(
                                text: repeated.text, isAtTop: repeated.isAtTop,
                                place: .init(page: text.page, areas: [area]), pageCount: 1))
                    }
                    continue
                }
                for (place, word) in one.words.enumerated() {
                    if place == 0, join(word, text.page, line, &words, &vocabulary) { continue }
                    let number = vocabulary.number(word.text)
                    words.words.append(
                        .init(
                            text: number, key: vocabulary.key(number), page: Int32(text.page), line: line,
                            box: .init(word.place)))
                }
                line += 1
            }
            words.pages.append(start..<words.words.count)
        }
    }

    /// Puts the second half of a word to the first, which stands at the end of the line before.
    private static func join(
        _ word: PageText.Word, _ page: Int, _ line: Int32, _ words: inout ComparedWords,
        _ vocabulary: inout Vocabulary
    ) -> Bool {
        guard let last = words.words.last, last.line == line - 1, last.rest < 0, Int(last.page) + 1 >= page,
            word.text.first?.isLowercase == true
        else { return false }
        let start = vocabulary.texts[Int(last.text)]
        guard start.unicodeScalars.count > 2, let sign = start.unicodeScalars.last,
            [0x2D, 0xAD, 0x2010].contains(sign.value)
        else { return false }
        let stem = String(start.unicodeScalars.dropLast())
        guard stem.last?.isLetter == true else { return false }
        let joined = vocabulary.number(stem + word.text)
        let hyphenated = vocabulary.number(stem + "-" + word.text)
        words.rests.append(.init(page: Int32(page), box: .init(word.place), hyphenated: hyphenated))
        let place = words.words.count - 1
        words.words[place].text = joined
        words.words[place].key = vocabulary.key(joined)
        words.words[place].rest = Int32(words.rests.count - 1)
        return true
    }

    private static func plainKeys(_ words: ComparedWords) -> Set<Int32> {
        Set(words.words.lazy.filter { $0.rest < 0 }.map(\.key))
    }

    /// A hyphen at the end of a line that the other paper has in the middle of one belongs to the word.
    private static func settle(_ words: inout ComparedWords, other: Set<Int32>, _ vocabulary: Vocabulary) {
        guard !words.rests.isEmpty else { return }
        for place in words.words.indices where words.words[place].rest >= 0 {
            let hyphenated = words.rests[Int(words.words[place].rest)].hyphenated
            guard !other.contains(words.words[place].key), other.contains(vocabulary.key(hyphenated)) else {
                continue
            }
            words.words[place].text = hyphenated
            words.words[place].key = vocabulary.key(hyphenated)
        }
    }
}

extension PDFRectangle {
    func joined(_ other: PDFRectangle) -> PDFRectangle {
        PDFRectangle(
            left: min(left, other.left), bottom: min(bottom, other.bottom), right: max(right, other.right),
            top: max(top, other.top))
    }
}
