import PDF
import PDFReading

/// Where the recognised words of a page stand, as it is kept: a line of text for each line, and in it for each word its
/// left, bottom, right and top in points and then the word itself, blanks between them.
struct WordPlaces {
    let text: String

    init(_ page: PageText) {
        text = page.lines.map { line in
            line.words.map { word in
                let place = word.place
                let numbers = [place.left, place.bottom, place.right, place.top].map {
                    "\(($0 * 10).rounded() / 10)"
                }
                return (numbers + [word.text]).joined(separator: " ")
            }.joined(separator: " ")
        }.joined(separator: "\n")
    }

    init(text: String) { self.text = text }

    var lines: [PageText.Line] {
        text.split(separator: "\n").enumerated().map { number, line in
            let parts = line.split(separator: " ")
            let words = stride(from: 0, to: parts.count - 4, by: 5).compactMap { start -> PageText.Word? in
                let numbers = parts[start..<start + 4].compactMap { Double($0) }
                guard numbers.count == 4 else { return nil }
                return PageText.Word(
                    String(parts[start + 4]),
                    at: PDFRectangle(
                        left: numbers[0], bottom: numbers[1], right: numbers[2], top: numbers[3]))
            }
            return PageText.Line(words, block: number)
        }
    }
}
