import PDF
import PDFDrawing
import PDFForms
import PDFReading

/// What a mark looks like: a picture of its own, upright for the reader, so that every program shows the same.
struct MarkPicture {
    /// Where it lies on the sheet, counted from its lower left corner.
    let box: PDFRectangle
    private let mark: Mark
    private let frame: PageFrame
    private var out: [UInt8] = []
    private var resources: PDFDictionary = [:]
    private var isMultiplied = false

    /// The areas of a mark with the room filled in that it takes by itself.
    static func settled(_ mark: Mark, _ file: PDFFile) -> Mark {
        var mark = mark
        guard !mark.kind.isDrawn, mark.kind != .signature || mark.strokes.isEmpty else { return mark }
        var area = mark.area
        switch mark.kind {
        case .note: (area.width, area.height) = (20, 20)
        case .tick, .cross, .dot:
            if area.width <= 0 { area.width = mark.size }
            if area.height <= 0 { area.height = area.width }
        case .text, .stamp, .signature:
            guard mark.picture.isEmpty else { break }
            let inset = inset(mark)
            let lines = lines(mark, file, width: area.width > 0 ? area.width - 2 * inset : nil)
            if area.width <= 0 { area.width = lines.width + 2 * inset + 0.5 }
            if area.height <= 0 { area.height = lines.height + 2 * inset }
        default: break
        }
        if mark.areas.isEmpty { mark.areas = [area] } else { mark.areas[0] = area }
        return mark
    }

    /// Nil when there is nothing to be drawn, or nothing that could be.
    init?(_ mark: Mark, on frame: PageFrame) {
        self.mark = mark
        self.frame = frame
        let points = mark.strokes.flatMap(\.self)
        var seen: PDFRectangle?
        if mark.kind.isDrawn || mark.kind == .signature && !points.isEmpty {
            let reach = mark.kind == .arrow ? Self.head(mark.thickness) : mark.thickness
            guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
                let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
            else { return nil }
            seen = PDFRectangle(
                left: left - reach, bottom: frame.height - bottom - reach, right: right + reach,
                top: frame.height - top + reach)
        } else {
            for area in mark.areas {
                let place = PDFRectangle(
                    left: area.x, bottom: frame.height - area.y - area.height, right: area.x + area.width,
                    top: frame.height - area.y)
                seen =
                    seen.map {
                        PDFRectangle(
                            left: min($0.left, place.left), bottom: min($0.bottom, place.bottom),
                            right: max($0.right, place.right), top: max($0.top, place.top))
                    } ?? place
            }
        }
        guard let seen, seen.width > 0, seen.height > 0 else { return nil }
        box = seen
    }

    private static func head(_ thickness: Double) -> Double { 5 + thickness * 3 }

    private static func inset(_ mark: Mark) -> Double {
        switch mark.kind {
        case .stamp: mark.size * 0.4
        case .text: mark.fill == nil ? 0 : 3
        default: 0
        }
    }

    private static func lines(_ mark: Mark, _ file: PDFFile, width: Double?) -> TextLines {
        TextLines(paragraphs(mark), font: font(mark, file), size: mark.size, width: width)
    }

    private static func paragraphs(_ mark: Mark) -> [String] {
        mark.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }

    private static func font(_ mark: Mark, _ file: PDFFile) -> TemplateFont {
        let name =
            switch (mark.kind, mark.face) {
            case (.stamp, _): "Helvetica-Bold"
            case (_, .sans): "Helvetica"
            case (_, .serif): "Times-Roman"
            case (_, .fixed): "Courier"
            case (_, .hand): "Times-Italic"
            }
        return TemplateFont.standard(near: name, name: "QuireT", file)
    }

    // MARK: Drawing

    /// A picture that lies in several places is written once: `pictures` holds those that are there already.
    mutating func put(
        _ file: PDFFile, _ pictures: inout [[UInt8]: PDFReference], into revision: inout PDFRevision
    ) throws(MarkError) -> PDFReference {
        if mark.opacity < 1 || mark.kind == .highlight {
            var state: PDFDictionary = ["Type": .name("ExtGState")]
            state["ca"] = .number(mark.opacity)
            state["CA"] = .number(mark.opacity)
            if mark.kind == .highlight {
                state["BM"] = .name("Multiply")
                isMultiplied = true
            }
            resources["ExtGState"] = .dictionary(["G": .dictionary(state)])
            out.append(text: "/G gs ")
        }
        try draw(file, &pictures, into: &revision)
        var entries: PDFDictionary = [
            "Type": .name("XObject"), "Subtype": .name("Form"),
            "BBox": .array([.integer(0), .integer(0), .number(box.width), .number(box.height)]),
            "Matrix": .array(PageFrame.upright(frame.rotation).map(PDFObject.integer)),
            "Resources": .dictionary(resources),
        ]
        if isMultiplied || mark.opacity < 1 {
            entries["Group"] = .dictionary(["S": .name("Transparency"), "Type": .name("Group")])
        }
        let picture = revision.newReference()
        revision.putStream(entries, out, at: picture)
        return picture
    }

    private mutating func draw(
        _ file: PDFFile, _ pictures: inout [[UInt8]: PDFReference], into revision: inout PDFRevision
    ) throws(MarkError) {
        let width = box.width
        let height = box.height
        switch mark.kind {
        case .highlight:
            colour(mark.colour, "rg")
            for area in mark.areas { rectangle(local(area), "f") }
        case .underline, .strike, .squiggle:
            colour(mark.colour, "RG")
            for area in mark.areas { lineOnWords(local(area)) }
        case .note: drawNote()
        case .tick: path([(0.08, 0.46), (0.38, 0.12), (0.92, 0.9)], of: width, height)
        case .cross:
            path([(0.12, 0.12), (0.88, 0.88)], of: width, height)
            path([(0.12, 0.88), (0.88, 0.12)], of: width, height)
        case .dot:
            colour(mark.colour, "rg")
            ellipse(inset: min(width, height) * 0.12, "f")
        case .box, .ellipse: drawShape()
        case .ink: drawStrokes()
        case .line, .arrow: drawLine()
        case .text: drawText(file, into: &revision)
        case .stamp:
            colour(mark.colour, "RG")
            let line = max(1, mark.size * 0.09)
            numbers([line])
            out.append(text: "w 1 j ")
            rectangle(
                PDFRectangle(left: line, bottom: line, right: width - line, top: height - line), "S")
            drawText(file, into: &revision)
        case .picture: try drawPicture(&pictures, into: &revision)
        case .link: break
        case .signature:
            if !mark.strokes.isEmpty {
                drawStrokes()
            } else if !mark.picture.isEmpty {
                try drawPicture(&pictures, into: &revision)
            } else {
                drawText(file, into: &revision)
            }
        }
    }

    private func local(_ area: Mark.Area) -> PDFRectangle {
        let left = area.x - box.left
        let top = frame.height - area.y - box.bottom
        return PDFRectangle(left: left, bottom: top - area.height, right: left + area.width, top: top)
    }

    private func local(_ point: Mark.Point) -> (x: Double, y: Double) {
        (point.x - box.left, frame.height - point.y - box.bottom)
    }

    private mutating func numbers(_ values: [Double]) {
        for value in values {
            out.append(number: value)
            out.append(32)
        }
    }

    private mutating func colour(_ colour: Mark.Colour, _ operation: StaticString) {
        numbers(colour.parts)
        out.append(text: operation)
        out.append(32)
    }

    private mutating func rectangle(_ box: PDFRectangle, _ operation: StaticString) {
        numbers([box.left, box.bottom, box.width, box.height])
        out.append(text: "re ")
        out.append(text: operation)
        out.append(10)
    }

    private mutating func lineOnWords(_ box: PDFRectangle) {
        let line = max(0.6, box.height * 0.06)
        numbers([line])
        out.append(text: "w ")
        guard mark.kind == .squiggle else {
            let height = box.bottom + box.height * (mark.kind == .strike ? 0.42 : 0.07)
            numbers([box.left, height])
            out.append(text: "m ")
            numbers([box.right, height])
            out.append(text: "l S\n")
            return
        }
        let step = max(1.5, box.height * 0.12)
        var at = box.left
        var isUp = false
        numbers([at, box.bottom + line])
        out.append(text: "m ")
        // As far as a line of any paper goes.
        while at < box.right, at - box.left < 5_000 {
            at = min(box.right, at + step)
            isUp.toggle()
            numbers([at, box.bottom + line + (isUp ? step * 0.9 : 0)])
            out.append(text: "l ")
        }
        out.append(text: "S\n")
    }

    private mutating func drawNote() {
        colour(mark.colour, "rg")
        out.append(
            text: "0.25 0.2 0.1 RG 0.8 w 1 j 3 5.5 m 3 17 l 17 17 l 17 5.5 l 10 5.5 l 6 2 l 6 5.5 l h B ")
        out.append(text: "0.9 w 6 13.6 m 14 13.6 l 6 11.2 m 14 11.2 l 6 8.8 m 11 8.8 l S\n")
    }

    private mutating func path(_ points: [(x: Double, y: Double)], of width: Double, _ height: Double) {
        colour(mark.colour, "RG")
        numbers([max(0.8, min(width, height) * 0.12)])
        out.append(text: "w 1 J 1 j ")
        for (place, point) in points.enumerated() {
            numbers([point.x * width, point.y * height])
            out.append(text: place == 0 ? "m " : "l ")
        }
        out.append(text: "S\n")
    }

    private mutating func drawShape() {
        if let fill = mark.fill { colour(fill, "rg") }
        colour(mark.colour, "RG")
        numbers([mark.thickness])
        out.append(text: "w ")
        let inset = mark.thickness / 2
        if mark.kind == .box {
            rectangle(
                PDFRectangle(
                    left: inset, bottom: inset, right: max(inset, box.width - inset),
                    top: max(inset, box.height - inset)), mark.fill == nil ? "S" : "B")
        } else {
            ellipse(inset: inset, mark.fill == nil ? "s" : "b")
        }
    }

    private mutating func ellipse(inset: Double, _ operation: StaticString) {
        let middle = (x: box.width / 2, y: box.height / 2)
        let radius = (x: max(0.1, box.width / 2 - inset), y: max(0.1, box.height / 2 - inset))
        // How far a quarter of a circle reaches by its handles.
        let k = 0.5523
        numbers([middle.x + radius.x, middle.y])
        out.append(text: "m ")
        for (from, to) in [
            ((1.0, 0.0), (0.0, 1.0)), ((0, 1), (-1, 0)), ((-1, 0), (0, -1)), ((0, -1), (1, 0)),
        ] {
            let first = (from.0 + to.0 * k, from.1 + to.1 * k)
            let second = (to.0 + from.0 * k, to.1 + from.1 * k)
            for point in [first, second, to] {
                numbers([middle.x + point.0 * radius.x, middle.y + point.1 * radius.y])
            }
            out.append(text: "c ")
        }
        out.append(text: operation)
        out.append(10)
    }

    /// Smooth through all points, thicker where the pen was pressed harder.
    private mutating func drawStrokes() {
        colour(mark.colour, "RG")
        out.append(text: "1 J 1 j ")
        for stroke in mark.strokes {
            let points = stroke.map(local)
            guard let first = points.first else { continue }
            let isEven = stroke.allSatisfy { $0.pressure == stroke[0].pressure }
            func thickness(_ place: Int) -> Double {
                isEven ? mark.thickness : mark.thickness * (0.35 + 1.3 * stroke[place].pressure)
            }
            numbers([thickness(0)])
            out.append(text: "w ")
            numbers([first.x, first.y])
            out.append(text: "m ")
            if points.count == 1 {
                numbers([first.x, first.y])
                out.append(text: "l ")
            }
            for place in points.indices.dropFirst() {
                let before = points[max(0, place - 2)]
                let from = points[place - 1]
                let to = points[place]
                let after = points[min(points.count - 1, place + 1)]
                if !isEven, place > 1 {
                    out.append(text: "S ")
                    numbers([(thickness(place - 1) + thickness(place)) / 2])
                    out.append(text: "w ")
                    numbers([from.x, from.y])
                    out.append(text: "m ")
                }
                numbers([
                    from.x + (to.x - before.x) / 6, from.y + (to.y - before.y) / 6,
                    to.x - (after.x - from.x) / 6, to.y - (after.y - from.y) / 6, to.x, to.y,
                ])
                out.append(text: "c ")
            }
            out.append(text: "S\n")
        }
    }

    private mutating func drawLine() {
        guard let start = mark.strokes.first?.first, let end = mark.strokes.last?.last else { return }
        let from = local(start)
        let to = local(end)
        colour(mark.colour, "RG")
        numbers([mark.thickness])
        out.append(text: "w 1 J 1 j ")
        numbers([from.x, from.y])
        out.append(text: "m ")
        numbers([to.x, to.y])
        out.append(text: "l S\n")
        guard mark.kind == .arrow else { return }
        let length = max(
            0.001, ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot())
        let reach = Self.head(mark.thickness)
        let along = (x: (from.x - to.x) / length * reach, y: (from.y - to.y) / length * reach)
        numbers([to.x + along.x * 0.87 - along.y * 0.5, to.y + along.y * 0.87 + along.x * 0.5])
        out.append(text: "m ")
        numbers([to.x, to.y])
        out.append(text: "l ")
        numbers([to.x + along.x * 0.87 + along.y * 0.5, to.y + along.y * 0.87 - along.x * 0.5])
        out.append(text: "l S\n")
    }

    private mutating func drawText(_ file: PDFFile, into revision: inout PDFRevision) {
        if let fill = mark.fill {
            colour(fill, "rg")
            rectangle(PDFRectangle(left: 0, bottom: 0, right: box.width, top: box.height), "f")
        }
        let inset = Self.inset(mark)
        let room = max(1, box.width - 2 * inset)
        // What was drawn out by hand is filled by stamps and names; words keep their size.
        let set =
            mark.kind == .text
            ? Self.lines(mark, file, width: room + 0.5)
            : TextLines(
                Self.paragraphs(mark), font: Self.font(mark, file), width: room,
                height: max(1, box.height - 2 * inset), sizes: 3...max(3, box.height))
        var fonts = FallbackFonts()
        out.append(text: "q BT ")
        colour(mark.colour, "rg")
        let left = mark.kind == .text ? inset : max(inset, (box.width - set.width) / 2)
        let top =
            mark.kind == .text ? box.height - inset : (box.height + set.height) / 2
        let named = set.draw(
            left: left, baseline: top - set.size * (TextLines.leading - 0.26), fonts: &fonts, into: &out
        ) { revision.newReference() }
        out.append(text: "ET Q\n")
        fonts.write(into: &revision)
        resources["Font"] = .dictionary(named)
    }

    private mutating func drawPicture(
        _ pictures: inout [[UInt8]: PDFReference], into revision: inout PDFRevision
    ) throws(MarkError) {
        guard let image = EmbeddedImage(mark.picture) else { throw .badPicture }
        let dots = pictures[mark.picture] ?? revision.newReference()
        if pictures.updateValue(dots, forKey: mark.picture) == nil {
            image.put(at: dots, mask: image.isMasked ? revision.newReference() : nil, into: &revision)
        }
        resources["XObject"] = .dictionary(["I": .reference(dots)])
        let scale = min(box.width / Double(image.width), box.height / Double(image.height))
        let size = (width: Double(image.width) * scale, height: Double(image.height) * scale)
        out.append(text: "q ")
        numbers([
            size.width, 0, 0, size.height, (box.width - size.width) / 2, (box.height - size.height) / 2,
        ])
        out.append(text: "cm /I Do Q\n")
    }
}

extension PDFObject {
    static func number(_ value: Double) -> PDFObject { .real((value * 1000).rounded() / 1000) }
}
