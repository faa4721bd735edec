import PDFReading

/// What a paper says, without its pages: headings, paragraphs, lists, tables and pictures one after the other, as programs
/// for writing have it.
struct Flow {
    struct Span: Equatable {
        var text: String
        var isBold = false
        var isItalic = false
        var isEven = false
        var link: String?
    }

    /// Whether a text is read from right to left.
    static func runsLeft(_ spans: [Span]) -> Bool {
        let first = spans.lazy.flatMap(\.text.unicodeScalars).first { $0.properties.isAlphabetic }
        return first.map { WordTable.runsLeft(String($0)) } ?? false
    }

    enum Block {
        /// From 1 on.
        case heading(level: Int, [Span])
        case paragraph([Span], isCentred: Bool)
        /// With its number where it has one.
        case item([Span], number: Int?)
        case table([[String]])
        /// A PNG or a JPEG file, and how large it is seen, in points.
        case picture([UInt8], width: Double, height: Double)
        case newPage
    }

    var title = ""
    /// Of the paper it comes from, in points.
    var width = 595.0
    var height = 842.0
    var blocks: [Block] = []
    /// How many lines at the edges of pages are not in it.
    var runningLines = 0
    var certainties: [Double] = []
    /// Pages on which there is nothing to read, counted from 1.
    var wordlessPages: [Int] = []

    var holdsWords: Bool {
        blocks.contains {
            switch $0 {
            case .heading, .paragraph, .item, .table: true
            case .picture, .newPage: false
            }
        }
    }
}
