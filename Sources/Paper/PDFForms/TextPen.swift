import PDF
import PDFDrawing

/// Writes text operators and remembers where they leave the text position, the font and the colour, so that each
/// move is relative to the last and nothing is said twice. It writes into an appearance, whose corner is the origin,
/// or onto a page, one place behind the other.
struct TextPen {
    /// Fonts besides the form's own that were used since the pen was made.
    private(set) var used: [(name: PDFName, reference: PDFReference)] = []
    private let isOnPage: Bool
    private var x = 0.0
    private var y = 0.0
    private var originX = 0.0
    private var originY = 0.0
    private var fontName: [UInt8]
    private var colour: [UInt8]
    private(set) var stretch: Double
    /// The font and size the operators so far have set; empty when others may have come between.
    private var setName: [UInt8] = []
    private var setSize = 0.0

    /// A pen for the appearance of a widget.
    init(_ widget: WidgetPlan) {
        isOnPage = false
        fontName = widget.fontName
        colour = widget.colour
        stretch = widget.stretch
    }

    /// A pen for a page, between BT and ET.
    init() {
        isOnPage = true
        fontName = []
        colour = []
        stretch = 100
    }

    /// Goes on to the next place on the page. `fontName` is what the page calls the widget's font.
    mutating func turn(to widget: WidgetPlan, fontName: [UInt8]) {
        self.fontName = fontName
        originX = widget.rectangle.left
        originY = widget.rectangle.bottom
    }

    /// What comes before the text of a widget. A clip is asked for when the text might reach beyond its place.
    mutating func open(_ widget: WidgetPlan, clips: Bool, into out: inout [UInt8]) {
        guard isOnPage else {
            out.append(contentsOf: clips ? widget.openingClipped : widget.opening)
            return
        }
        if clips || widget.isTurned {
            out.append(text: "ET q ")
            for number in widget.placement {
                out.append(number: number)
                out.append(32)
            }
            out.append(text: "cm ")
            let inset = widget.inset
            for number in [inset, inset, widget.width - 2 * inset, widget.height - 2 * inset] {
                out.append(number: max(0, number))
                out.append(32)
            }
            out.append(text: "re W n BT\n")
            (originX, originY, x, y) = (0, 0, 0, 0)
        }
        if colour != widget.colour {
            colour = widget.colour
            out.append(contentsOf: colour)
            out.append(10)
        }
        if stretch != widget.stretch {
            stretch = widget.stretch
            out.append(number: stretch)
            out.append(text: " Tz ")
        }
    }

    mutating func close(_ widget: WidgetPlan, clips: Bool, into out: inout [UInt8]) {
        guard isOnPage else {
            out.append(text: "ET\nQ\nEMC\n")
            return
        }
        guard clips || widget.isTurned else { return }
        out.append(text: "ET Q BT\n")
        // What was set inside is forgotten with Q.
        (x, y, colour, stretch, setName, setSize) = (0, 0, [], 0, [], 0)
    }

    mutating func move(to newX: Double, _ newY: Double, into out: inout [UInt8]) {
        // What is written is rounded, so the next move starts from the rounded place.
        let dx = ((originX + newX - x) * 100).rounded() / 100
        let dy = ((originY + newY - y) * 100).rounded() / 100
        out.append(number: dx)
        out.append(32)
        out.append(number: dy)
        out.append(text: " Td ")
        x += dx
        y += dy
    }

    mutating func show(
        _ set: SetText, _ range: Range<Int>, size: Double, into out: inout [UInt8],
        _ fonts: inout FallbackFonts, _ newReference: () -> PDFReference
    ) {
        if set.isSimple {
            setFont(size, into: &out)
            set.writeCodes(range, into: &out)
            out.append(text: " Tj\n")
            return
        }
        for run in set.runs(range) {
            switch run {
            case .form(let codes):
                setFont(size, into: &out)
                out.append(40)
                for code in codes { out.append(escaping: code) }
                out.append(text: ") Tj\n")
            case .fallback(let fallback):
                let font = fonts.show(fallback, size: size, into: &out, newReference: newReference)
                if !used.contains(where: { $0.name == font.name }) { used.append(font) }
                setName = []
            }
        }
    }

    /// Letters each at a place of its own along a line: one operator, with the gaps between them.
    mutating func showSpread(
        _ letters: [(set: SetText, x: Double, width: Double)], y newY: Double, size: Double,
        into out: inout [UInt8]
    ) {
        guard let first = letters.first, size > 0 else { return }
        move(to: first.x, newY, into: &out)
        setFont(size, into: &out)
        out.append(text: "[")
        var end = first.x
        for letter in letters {
            let gap = Int(((letter.x - end) * 100_000 / size / stretch).rounded())
            if gap != 0 { out.append(number: -gap) }
            letter.set.writeCodes(0..<letter.set.count, into: &out)
            // The gap was rounded, so the next one starts from the rounded place.
            end += Double(gap) * size * stretch / 100_000 + letter.width
        }
        out.append(text: "] TJ\n")
    }

    private mutating func setFont(_ size: Double, into out: inout [UInt8]) {
        if setSize == size, setName == fontName { return }
        out.append(contentsOf: fontName)
        out.append(32)
        out.append(number: size)
        out.append(text: " Tf ")
        setName = fontName
        setSize = size
    }
}
