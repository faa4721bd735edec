import PDF
import PDFDrawing

/// Draws a text into a widget (ISO 32000-2 §12.7.4.3): size, lines, comb cells, alignment. What did not go as the
/// form wishes is told by `remark`.
struct TextAppearance {
    enum Layout: Sendable { case line, comb(cells: Int), paragraphs }

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

    /// Writes the operators that show the text. Fonts other than the form's that it needs are given to `fonts`.
    mutating func draw(
        _ text: String, with pen: inout TextPen, into out: inout [UInt8], fonts: inout FallbackFonts,
        newReference: () -> PDFReference
    ) {
        switch layout {
        case .line: drawLine(text, &pen, into: &out, &fonts, newReference)
        case .comb(let cells): drawComb(text, cells, &pen, into: &out, &fonts, newReference)
        case .paragraphs: drawParagraphs(text, &pen, into: &out, &fonts, newReference)
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

    /// Makes a size smaller where it must be, down to a floor; one that the form chose is told of.
    private mutating func shrink(_ size: inout Double, to fitting: Double) {
        guard fitting < size else { return }
        let floor = plan.size == 0 ? Self.smallestSize : min(plan.size, Self.smallestShrunkSize)
        let smaller = max(floor, roundedDown(fitting))
        if smaller < size, plan.size > 0 { remarks.append(.shrunk(to: smaller)) }
        size = smaller
    }

    // MARK: One line

    private mutating func drawLine(
        _ text: String, _ pen: inout TextPen, into out: inout [UInt8], _ fonts: inout FallbackFonts,
        _ newReference: () -> PDFReference
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
        // Where the font would have no room, what these letters need decides.
        let ink = !set.isSimple && size > tallest ? set.ink : reach
        if size == 0 {
            size = max(Self.smallestSize, roundedDown(min(tallest, widest)))
        } else {
            let fitting = set.isSimple ? .infinity : innerHeight / max(0.1, ink.up - ink.down)
            shrink(&size, to: units * size / 1000 > innerWidth + 1 ? min(widest, fitting) : fitting)
        }
        let width = units * size / 1000
        if width > innerWidth + 1.5 { remarks.append(.clipped) }
        let baseline =
            set.isSimple
            ? (plan.height - plan.font.capitals * size) / 2
            : (plan.height - (ink.up - ink.down) * size) / 2 - ink.down * size
        // Text inside its place by its font's own measures needs no clip.
        let isInside =
            set.isSimple && width <= innerWidth && baseline + plan.font.ascent * size <= plan.height
            && baseline + plan.font.descent * size >= 0
        pen.open(plan, clips: !isInside, into: &out)
        if set.count > 0 {
            // Text that does not fit begins at its beginning, whatever the alignment.
            let beginning = set.runsLeft ? left + innerWidth - width : left
            pen.move(to: width > innerWidth ? beginning : start(width), max(baseline, 0), into: &out)
            pen.show(set, 0..<set.count, size: size, into: &out, &fonts, newReference)
        }
        pen.close(plan, clips: !isInside, into: &out)
    }

    // MARK: Comb

    /// Each character stands in the middle of its cell; accents stay with their letter.
    private mutating func drawComb(
        _ text: String, _ cells: Int, _ pen: inout TextPen, into out: inout [UInt8],
        _ fonts: inout FallbackFonts, _ newReference: () -> PDFReference
    ) {
        let letters = Array(text.filter { !$0.isNewline }.prefix(cells))
        let characters = CellOrder.visual(letters).map { SetText(String($0)[...], font: plan.font) }
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
        var baseline = max(0, (plan.height - plan.font.capitals * size) / 2)
        if !characters.allSatisfy(\.isSimple) {
            // Letters of other fonts may reach further up and down than the form's own.
            let ink = characters.map(\.ink).reduce((up: 0.0, down: 0.0)) {
                (max($0.up, $1.up), min($0.down, $1.down))
            }
            shrink(&size, to: innerHeight / max(0.1, ink.up - ink.down))
            baseline = (plan.height - plan.font.capitals * size) / 2
            baseline = min(baseline, plan.height - plan.inset - ink.up * size)
            baseline = max(baseline, plan.inset - ink.down * size)
        }
        let isInside =
            characters.allSatisfy(\.isSimple) && baseline + plan.font.ascent * size <= plan.height
            && baseline + plan.font.descent * size >= 0
        pen.open(plan, clips: !isInside, into: &out)
        var placed: [(set: SetText, x: Double, width: Double)] = []
        for (index, character) in characters.enumerated() {
            note(character.missing)
            let width = character.width(0..<character.count) * size / 1000 * plan.stretch / 100
            placed.append((character, cell * (Double(first + index) + 0.5) - width / 2, width))
        }
        if characters.allSatisfy(\.isSimple) {
            pen.showSpread(placed, y: baseline, size: size, into: &out)
        } else {
            for letter in placed {
                pen.move(to: letter.x, baseline, into: &out)
                pen.show(letter.set, 0..<letter.set.count, size: size, into: &out, &fonts, newReference)
            }
        }
        pen.close(plan, clips: !isInside, into: &out)
    }

    // MARK: Paragraphs

    private mutating func drawParagraphs(
        _ text: String, _ pen: inout TextPen, into out: inout [UInt8], _ fonts: inout FallbackFonts,
        _ newReference: () -> PDFReference
    ) {
        let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            SetText($0.contains("\t") ? String($0.map { $0 == "\t" ? " " : $0 })[...] : $0, font: plan.font)
        }
        for paragraph in paragraphs { note(paragraph.missing) }
        let isSimple = paragraphs.allSatisfy(\.isSimple)
        let up = isSimple ? plan.font.ascent : paragraphs.map(\.reach.up).max() ?? plan.font.ascent
        let down = isSimple ? plan.font.descent : paragraphs.map(\.reach.down).min() ?? plan.font.descent
        let lead = isSimple ? plan.font.lineHeight : max(plan.font.lineHeight, up - down)
        var set: [(paragraph: Int, range: Range<Int>)] = []
        func fill(_ size: Double) {
            set.removeAll(keepingCapacity: true)
            let limit = innerWidth * 1000 / size * 100 / plan.stretch
            for (index, paragraph) in paragraphs.enumerated() {
                for line in paragraph.lines(fitting: limit) { set.append((index, line)) }
            }
        }
        func fits(_ size: Double) -> Bool {
            // A size the form chose is kept when it is a hair too large; one we choose leaves a little air.
            let slack = plan.size == 0 ? -1.0 : 1.0
            return Double(set.count - 1) * lead * size + (up - down) * size <= innerHeight + slack
        }
        var size = plan.size == 0 ? Self.largestParagraphSize : plan.size
        fill(size)
        let floor = plan.size == 0 ? Self.smallestSize : min(plan.size, Self.smallestShrunkSize)
        while !fits(size), size > floor {
            size = max(floor, size - 0.5)
            fill(size)
        }
        let isClipped = !fits(size)
        if isClipped {
            remarks.append(.clipped)
        } else if size < plan.size {
            remarks.append(.shrunk(to: size))
        }
        pen.open(plan, clips: true, into: &out)
        var baseline = plan.height - plan.inset - 1 - up * size
        for (index, range) in set {
            if !range.isEmpty {
                let paragraph = paragraphs[index]
                let width =
                    plan.alignment == 0 ? 0 : paragraph.width(range) * size / 1000 * plan.stretch / 100
                pen.move(to: start(width), baseline, into: &out)
                pen.show(paragraph, range, size: size, into: &out, &fonts, newReference)
            }
            baseline -= lead * size
        }
        pen.close(plan, clips: true, into: &out)
    }
}
