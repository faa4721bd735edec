import PDF
import PDFReading

/// Lines that are repeated at the upper or lower edge of pages, such as a title or "Page 3 of 12". They are compared once for the
/// whole paper, and page numbers in them are not compared at all: with a page put in, all that follow would differ.
///
/// A number counts as that of the page where it goes up with the pages, or where it is how many there are. A line with a number
/// that goes its own ways (a sum, a date) is read as part of the text.
struct EdgeLines {
    private struct Name: Hashable {
        var isAfter: Bool
        var page: Int
        var line: Int
    }

    private struct Pattern: Hashable {
        var text: String
        var isAtTop: Bool
    }

    private struct Line {
        var name: Name
        var numbers: [Int]
    }

    struct Repeated {
        var text: String
        var isAtTop: Bool
    }

    private var known: [Name: Repeated] = [:]

    /// As a share of the page's height.
    private static let edge = 0.12
    /// On so many pages of both papers together.
    private static let fewest = 3
    private static let longest = 200
    private static let mostAtOneEdge = 6

    init(_ before: [PageText], _ after: [PageText]) {
        var patterns: [Pattern: [Line]] = [:]
        for (isAfter, texts) in [(false, before), (true, after)] {
            for text in texts {
                var counts = (top: 0, bottom: 0)
                for (number, line) in text.lines.enumerated() {
                    let height = text.frame.height
                    let isAtTop = line.place.bottom > height * (1 - Self.edge)
                    guard isAtTop || line.place.top < height * Self.edge else { continue }
                    if isAtTop { counts.top += 1 } else { counts.bottom += 1 }
                    guard max(counts.top, counts.bottom) <= Self.mostAtOneEdge,
                        let (pattern, numbers) = Self.pattern(line)
                    else { continue }
                    patterns[Pattern(text: pattern, isAtTop: isAtTop), default: []].append(
                        Line(name: Name(isAfter: isAfter, page: text.page, line: number), numbers: numbers))
                }
            }
        }
        for (pattern, lines) in patterns {
            let pages = Set(lines.map { Name(isAfter: $0.name.isAfter, page: $0.name.page, line: 0) })
            if pages.count >= Self.fewest { settle(pattern, lines, counts: (before.count, after.count)) }
        }
    }

    func running(_ isAfter: Bool, _ page: Int, _ line: Int) -> Repeated? {
        known.isEmpty ? nil : known[Name(isAfter: isAfter, page: page, line: line)]
    }

    /// Digits in a row become one sign; numbers longer than any page's stay as they are.
    private static func pattern(_ line: PageText.Line) -> (String, [Int])? {
        var out = ""
        var numbers: [Int] = []
        let text = Vocabulary.plain(line.text)
        guard text.utf8.count <= longest else { return nil }
        var digits = ""
        func flush() {
            if digits.isEmpty { return }
            if digits.count <= 9, let number = Int(digits) {
                out += "\u{1}"
                numbers.append(number)
            } else {
                out += digits
            }
            digits = ""
        }
        for scalar in text.unicodeScalars {
            if (48...57).contains(scalar.value) {
                digits.unicodeScalars.append(scalar)
            } else {
                flush()
                if scalar.value > 1 { out.unicodeScalars.append(scalar) }
            }
        }
        flush()
        return (out, numbers)
    }

    private enum Meaning { case constant, page, count }

    private mutating func settle(_ pattern: Pattern, _ lines: [Line], counts: (Int, Int)) {
        let slots = lines[0].numbers.count
        let sides = [false, true].map { side in lines.filter { $0.name.isAfter == side } }
        var meanings: [Meaning] = []
        var offsets: [[Int]] = []
        for slot in 0..<slots {
            var meaning = Meaning.constant
            var offset = [0, 0]
            for (side, lines) in sides.enumerated() where !lines.isEmpty {
                let values = lines.map { $0.numbers[slot] }
                if Set(values).count == 1 { continue }
                var ways: [Int: Int] = [:]
                for line in lines { ways[line.numbers[slot] - line.name.page, default: 0] += 1 }
                guard let most = ways.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value >= 2,
                    most.value * 10 >= lines.count * 6
                else { return }
                meaning = .page
                offset[side] = most.key
            }
            if meaning == .constant {
                let isCount = zip(sides, [counts.0, counts.1]).allSatisfy { lines, count in
                    lines.allSatisfy { $0.numbers[slot] == count }
                }
                if isCount { meaning = .count }
            } else {
                // Of a paper with one such page nothing goes up.
                for (side, lines) in sides.enumerated() where Set(lines.map { $0.numbers[slot] }).count == 1 {
                    offset[side] = lines[0].numbers[slot] - lines[0].name.page
                }
            }
            meanings.append(meaning)
            offsets.append(offset)
        }
        for (side, lines) in sides.enumerated() {
            for line in lines {
                let fits = meanings.indices.allSatisfy {
                    meanings[$0] != .page || line.numbers[$0] - line.name.page == offsets[$0][side]
                }
                guard fits else { continue }
                var text = ""
                var slot = 0
                for scalar in pattern.text.unicodeScalars {
                    guard scalar.value == 1 else {
                        text.unicodeScalars.append(scalar)
                        continue
                    }
                    text += meanings[slot] == .constant ? "\(line.numbers[slot])" : "#"
                    slot += 1
                }
                known[line.name] = Repeated(text: text, isAtTop: pattern.isAtTop)
            }
        }
    }
}
