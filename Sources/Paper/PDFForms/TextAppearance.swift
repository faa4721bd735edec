import PDF
import PDFDrawing

/// Draws a text into a widget (ISO 32000-2 §12.7.4.3): size, lines, comb cells, alignment. What did not go as the
/// form wishes is told by `remark`.
struct TextAppearance {
    enum Layout { case line, comb(cells: Int), paragraphs }

    enum Remark: Equatable { case shrunk(to: Double), clipped, missing([Unicode.Scalar]) }

    static let smallestSize = 4.0
    /// A size the form asks for is made smaller at most to this, where text would not fit otherwise.
    static let smallestShrunkSize = 5.0
    static let largestParagraphSize = 12.0

    let plan: WidgetPlan
    let layout: Layout
    private(set) var remarks: [Remark] = []

    init(_ plan: WidgetPlan, _ layout: Layout) {
        self.plan = plan
        self.layout = layout
    }

    private var innerWidth: Double { max(1, plan.width - 2 * plan.inset - 2) }
    private var innerHeight: Double { max(1, plan.height - 2 * plan.inset) }
    private var left: Double { plan.inset + 1 }

    /// The content of the appearance stream. Fonts other than the form's that it needs are given to `fonts`.
    mutating func draw(
        _ text: String, into out: inout [UInt8], fonts: inout FallbackFonts, newReference: () -> PDFReference
    ) -> [(name: PDFName, reference: PDFReference)] {
        var used: [(name: PDFName, reference: PDFReference)] = []
        out.append(contentsOf: plan.frame)
        out.append(text: "/Tx BMC\nq\n")
        for number in [plan.inset, plan.inset, plan.width - 2 * plan.inset, plan.height - 2 * plan.inset] {
            out.append(number: max(0, number))
            out.append(32)
        }
        out.append(text: "re W n\nBT\n")
        out.append(contentsOf: plan.colour)
        out.append(32)
        if plan.stretch != 100 {
            out.append(number: plan.stretch)
            out.append(text: " Tz ")
        }
        var pen = Pen(plan: plan)
        switch layout {
        case .line: drawLine(text, &pen, into: &out, &fonts, newReference, &used)
        case .comb(let cells): drawComb(text, cells, &pen, into: &out, &fonts, newReference, &used)
        case .paragraphs: drawParagraphs(text, &pen, into: &out, &fonts, newReference, &used)
        }
        out.append(text: "ET\nQ\nEMC\n")
        return used
    }

    /// Where the text position is, so that each move is relative to the last.
    private struct Pen {
        let plan: WidgetPlan
        var x = 0.0
        var y = 0.0
        var isFontSet = false

        mutating func move(to newX: Double, _ newY: Double, into out: inout [UInt8]) {
            // What is written is rounded, so the next move starts from the rounded place.
            let dx = ((newX - x) * 100).rounded() / 100
            let dy = ((newY - y) * 100).rounded() / 100
            out.append(number: dx)
            out.append(32)
            out.append(number: dy)
            out.append(text: " Td ")
            x += dx
            y += dy
        }

        mutating func show(
            _ set: SetText, _ range: Range<Int>, size: Double, into out: inout [UInt8],
            _ fonts: inout FallbackFonts,
            _ newReference: () -> PDFReference, _ used: inout [(name: PDFName, reference: PDFReference)]
        ) {
            if set.isSimple {
                if !isFontSet { setFont(size, into: &out) }
                out.append(text: "(")
                for index in range { out.append(escaping: set.codes[index]) }
                out.append(text: ") Tj\n")
                return
            }
            for run in set.runs(range) {
                switch run {
                case .form(let codes):
                    if !isFontSet { setFont(size, into: &out) }
                    out.append(text: "(")
                    for code in codes { out.append(escaping: code) }
                    out.append(text: ") Tj\n")
                case .fallback(let fallback):
                    let font = fonts.show(fallback, size: size, into: &out, newReference: newReference)
                    if !used.contains(where: { $0.name == font.name }) { used.append(font) }
                    isFontSet = false
                }
            }
        }

        mutating func setFont(_ size: Double, into out: inout [UInt8]) {
            out.append(name: plan.font.name)
            out.append(32)
            out.append(number: size)
            out.append(text: " Tf ")
            isFontSet = true
        }
    }

    private func start(_ width: Double) -> Double {
        switch plan.alignment {
        case 1: left + (innerWidth - width) / 2
        case 2: left + innerWidth - width
        default: left
        }
    }

    private func roundedDown(_ size: Double) -> Double { (size * 100).rounded(.down) / 100 }

    private mutating func note(_ missing: [Unicode.Scalar]) {
        if !missing.isEmpty { remarks.append(.missing(missing)) }
    }

    // MARK: One line

    private mutating func drawLine(
        _ text: String, _ pen: inout Pen, into out: inout [UInt8], _ fonts: inout FallbackFonts,
        _ newReference: () -> PDFReference, _ used: inout [(name: PDFName, reference: PDFReference)]
    ) {
        let isPlain = !text.utf8.contains { $0 == 10 || $0 == 9 }
        let line = isPlain ? text : String(text.map { $0 == "\n" || $0 == "\t" ? " " : $0 })
        let set = SetText(line[...], font: plan.font)
        note(set.missing)
        let units = set.width(0..<set.count) * plan.stretch / 100
        let reach = set.isSimple ? (up: plan.font.lineHeight, down: 0) : set.reach
        let tallest = innerHeight / max(0.1, reach.up - reach.down)
        let widest = units > 0 ? innerWidth * 1000 / units : .infinity
        var size = plan.size
        if size == 0 {
            size = max(Self.smallestSize, roundedDown(min(tallest, widest)))
        } else if units * size / 1000 > innerWidth + 1 {
            let smaller = max(min(size, Self.smallestShrunkSize), roundedDown(widest))
            if smaller < size { remarks.append(.shrunk(to: smaller)) }
            size = smaller
        }
        let width = units * size / 1000
        if width > innerWidth + 1.5 { remarks.append(.clipped) }
        let baseline =
            set.isSimple
            ? (plan.height - plan.font.capitals * size) / 2
            : (plan.height - (reach.up - reach.down) * size) / 2 - reach.down * size
        guard set.count > 0 else { return }
        // Text that does not fit begins at its beginning, whatever the alignment.
        pen.move(to: width > innerWidth ? left : start(width), max(baseline, 0), into: &out)
        pen.show(set, 0..<set.count, size: size, into: &out, &fonts, newReference, &used)
    }

    // MARK: Comb

    /// Each character stands in the middle of its cell; accents stay with their letter.
    private mutating func drawComb(
        _ text: String, _ cells: Int, _ pen: inout Pen, into out: inout [UInt8], _ fonts: inout FallbackFonts,
        _ newReference: () -> PDFReference, _ used: inout [(name: PDFName, reference: PDFReference)]
    ) {
        let characters = text.filter { !$0.isNewline }.prefix(cells).map {
            SetText(String($0)[...], font: plan.font)
        }
        let cell = plan.width / Double(cells)
        var size = plan.size
        if size == 0 {
            size = max(
                Self.smallestSize,
                roundedDown(min(Self.largestParagraphSize, innerHeight / plan.font.lineHeight)))
        }
        let first: Int
        switch plan.alignment {
        case 1: first = (cells - characters.count) / 2
        case 2: first = cells - characters.count
        default: first = 0
        }
        let baseline = max(0, (plan.height - plan.font.capitals * size) / 2)
        for (index, character) in characters.enumerated() {
            note(character.missing)
            let width = character.width(0..<character.count) * size / 1000
            pen.move(to: cell * (Double(first + index) + 0.5) - width / 2, baseline, into: &out)
            pen.show(character, 0..<character.count, size: size, into: &out, &fonts, newReference, &used)
        }
    }

    // MARK: Paragraphs

    private mutating func drawParagraphs(
        _ text: String, _ pen: inout Pen, into out: inout [UInt8], _ fonts: inout FallbackFonts,
        _ newReference: () -> PDFReference, _ used: inout [(name: PDFName, reference: PDFReference)]
    ) {
        let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            SetText($0.contains("\t") ? String($0.map { $0 == "\t" ? " " : $0 })[...] : $0, font: plan.font)
        }
        for paragraph in paragraphs { note(paragraph.missing) }
        let up = paragraphs.map { $0.isSimple ? plan.font.ascent : $0.reach.up }.max() ?? plan.font.ascent
        let down =
            paragraphs.map { $0.isSimple ? plan.font.descent : $0.reach.down }.min() ?? plan.font.descent
        let lead =
            paragraphs.allSatisfy(\.isSimple) ? plan.font.lineHeight : max(plan.font.lineHeight, up - down)
        func lines(_ size: Double) -> [(SetText, Range<Int>)] {
            paragraphs.flatMap { paragraph in
                paragraph.lines(fitting: innerWidth * 1000 / size * 100 / plan.stretch).map {
                    (paragraph, $0)
                }
            }
        }
        func fits(_ lines: [(SetText, Range<Int>)], _ size: Double) -> Bool {
            // A size the form chose is kept when it is a hair too large; one we choose leaves a little air.
            let slack = plan.size == 0 ? -1.0 : 1.0
            return Double(lines.count - 1) * lead * size + (up - down) * size <= innerHeight + slack
        }
        var size = plan.size == 0 ? Self.largestParagraphSize : plan.size
        var set = lines(size)
        let floor = plan.size == 0 ? Self.smallestSize : min(plan.size, Self.smallestShrunkSize)
        while !fits(set, size), size > floor {
            size = max(floor, size - 0.5)
            set = lines(size)
        }
        if !fits(set, size) {
            remarks.append(.clipped)
        } else if size < plan.size {
            remarks.append(.shrunk(to: size))
        }
        var baseline = plan.height - plan.inset - 1 - up * size
        for (paragraph, range) in set {
            if !range.isEmpty {
                let width = paragraph.width(range) * size / 1000 * plan.stretch / 100
                pen.move(to: start(width), baseline, into: &out)
                pen.show(paragraph, range, size: size, into: &out, &fonts, newReference, &used)
            }
            baseline -= lead * size
        }
    }
}
