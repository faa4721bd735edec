import PDF

/// Reads what `pdftotext -bbox-layout` prints: pages, blocks, lines and words as elements with four numbers each.
/// The text in it was written by strangers and the program that printed it has just read their file, so nothing is
/// taken on trust: what is no number is no word, and there is an end to everything.
package struct WordTable {
    static let mostWords = 100_000
    static let longestWord = 2_000

    private(set) var pages: [PageText] = []

    /// `frames` are those of the pages that were asked for, `first` is the number of the first.
    init(_ bytes: [UInt8], first: Int, frames: ArraySlice<PageFrame>) {
        var tags = PrintedTags(bytes)
        var frame: PageFrame?
        var lines: [PageText.Line] = []
        var words: [PageText.Word] = []
        var count = 0
        var block = 0
        var isCut = false
        func place(_ numbers: [Double], _ frame: PageFrame) -> PDFRectangle? {
            guard numbers.count == 4 else { return nil }
            return frame.shown(fromUpperLeft: numbers[0], numbers[1], numbers[2], numbers[3])
        }
        while let tag = tags.next() {
            switch tag.name {
            case "page":
                let index = frames.startIndex + pages.count
                guard frames.indices.contains(index) else { return }
                frame = frames[index]
                (lines, words, count, block, isCut) = ([], [], 0, 0, false)
            case "block": block += 1
            case "line": words = []
            case "word":
                guard count < Self.mostWords else {
                    isCut = true
                    continue
                }
                if let frame, let place = place(tag.numbers(["xMin", "yMin", "xMax", "yMax"]), frame) {
                    let text = tags.textUpToTag()
                    if !text.isEmpty {
                        words.append(PageText.Word(text, at: place))
                        count += 1
                    }
                }
            case "/line":
                if !words.isEmpty { lines.append(PageText.Line(Self.inReadingOrder(words), block: block)) }
            case "/page":
                if let frame {
                    pages.append(
                        PageText(page: first + pages.count, frame: frame, lines: lines, isCut: isCut))
                }
                frame = nil
            default: break
            }
        }
    }

    /// Poppler prints letters and words from left to right as they are seen; Arabic and Hebrew are read the other way.
    private static func inReadingOrder(_ words: [PageText.Word]) -> [PageText.Word] {
        guard words.contains(where: { runsLeft($0.text) }) else { return words }
        let read = words.map { runsLeft($0.text) ? PageText.Word(turned($0.text), at: $0.place) : $0 }
        let leftward = words.filter { runsLeft($0.text) }.count
        let rightward = words.filter { !runsLeft($0.text) && $0.text.contains(where: \.isLetter) }.count
        return leftward > rightward ? read.reversed() : read
    }

    package static func runsLeft(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC: true
            default: false
            }
        }
    }

    /// The letters the other way round; numbers run to the right in every script.
    private static func turned(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        var number: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars.reversed() {
            if scalar.properties.numericType != nil
                || (!number.isEmpty && ".,/-".unicodeScalars.contains(scalar))
            {
                number.append(scalar)
            } else {
                out.append(contentsOf: number.reversed())
                number = []
                out.append(scalar)
            }
        }
        out.append(contentsOf: number.reversed())
        return String(out)
    }
}
