import PDF
import PDFDrawing

/// What one record adds to the pages of a form in a merged file.
struct MergedOverlay {
    /// The operators for each page.
    private(set) var texts: [[UInt8]]
    /// The fields the record fills; the others look as they do in the template.
    private(set) var filled: FieldSet
    private let source: MergedSource
    private let fonts: MergedFonts
    private var pens: [TextPen]
    private var marks: [Mark]
    /// Boxes and texts of many records come before all other text, which then need not be interrupted, and whose
    /// spacing and colour must not reach into them.
    private var pictures: [[UInt8]]
    private var isOpen: [Bool]

    init(_ source: MergedSource, _ fonts: MergedFonts) {
        self.source = source
        self.fonts = fonts
        texts = [[UInt8]](repeating: [], count: source.pageCount)
        pens = texts.map { _ in TextPen() }
        marks = texts.map { _ in Mark() }
        pictures = texts
        isOpen = texts.map { _ in false }
        filled = FieldSet(count: source.fieldCount)
    }

    /// Where plain text left the pen of a page, in hundredths; not known behind other text.
    fileprivate struct Mark {
        var isKnown = false
        var x = 0
        var y = 0
        var font = -1
        var size = 0
        var spacing = 0
        var colour: UnsafePointer<UInt8>?
        var colourCount = 0
    }

    /// Adds text that was laid out in a place.
    mutating func put(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>, at index: Int,
        _ place: UnsafePointer<PlainFields.Place>
    ) {
        guard let page = place.pointee.page, texts.indices.contains(page) else { return }
        let font = source.font(ofPlace: index, on: page)
        if !isOpen[page] || !marks[page].isKnown {
            closeText(page)
            texts[page].append(text: "BT\n")
            isOpen[page] = true
            marks[page] = Mark(isKnown: true)
        }
        Self.put(text, codes, place, font: font, &marks[page], into: &texts[page])
    }

    private static func put(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>,
        _ place: UnsafePointer<PlainFields.Place>, font: Int, _ mark: inout Mark, into out: inout [UInt8]
    ) {
        let most = codes.count * 2 + text.lines.count * 64 + place.pointee.colour.count + 128
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { room in
            guard let start = room.baseAddress else { return }
            var cursor = PlainWriter.Cursor(at: start)
            mark.put(text, codes, place, font: font, &cursor)
            out.append(contentsOf: UnsafeBufferPointer(start: start, count: cursor.at - start))
        }
    }

    /// Shows a text that many records have in this place, when it is one of those in the file already.
    mutating func repeated(
        _ utf8: UnsafeBufferPointer<UInt8>, at index: Int, _ place: UnsafePointer<PlainFields.Place>
    ) -> RepeatedTexts.Text? {
        guard let page = place.pointee.page, pictures.indices.contains(page),
            let known = source.repeated.known(utf8, at: index)
        else { return nil }
        source.show(known, on: page, into: &pictures[page])
        return known
    }

    /// Puts a text into the file by itself once enough records had it. False: it belongs to this record alone.
    mutating func putOften(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>, of utf8: UnsafeBufferPointer<UInt8>,
        at index: Int, _ place: UnsafePointer<PlainFields.Place>
    ) -> Bool {
        guard let page = place.pointee.page, texts.indices.contains(page),
            source.repeated.isFrequent(utf8, at: index)
        else { return false }
        var content = Array("BT\n".utf8)
        var mark = Mark(isKnown: true)
        Self.put(text, codes, place, font: source.font(ofPlace: index, on: page), &mark, into: &content)
        content.append(text: "ET")
        let known = source.keep(content, saying: utf8, at: index, on: page, shrunk: text.shrunk)
        source.show(known, on: page, into: &pictures[page])
        return true
    }

    mutating func fill(_ place: Int) { filled.insert(place) }

    /// The page of a widget, when it can be seen there.
    private func page(of widget: WidgetPlan) -> Int? {
        guard let page = widget.page, texts.indices.contains(page), !widget.isHidden else { return nil }
        return page
    }

    mutating func draw(
        _ text: String, in widget: WidgetPlan, _ layout: TextAppearance.Layout
    ) -> [TextAppearance.Remark] {
        var appearance = TextAppearance(widget, layout)
        guard let page = page(of: widget), !text.isEmpty else { return [] }
        let name = source.name(of: widget.font, on: page)
        if marks[page].isKnown { closeText(page) }
        if !isOpen[page] {
            texts[page].append(text: "BT\n")
            isOpen[page] = true
        }
        pens[page].turn(to: widget, fontName: name)
        appearance.draw(
            text, with: &pens[page], into: &texts[page], fonts: &fonts.fonts,
            newReference: source.newFontReference)
        return appearance.remarks
    }

    /// Closes the text of a page before something else is drawn.
    private mutating func closeText(_ page: Int) {
        guard isOpen[page] else { return }
        // Spacing and width outlive the text they were set for, and nothing behind it expects them.
        if marks[page].spacing != 0 { texts[page].append(text: "0 Tc ") }
        if pens[page].stretch != 100 { texts[page].append(text: "100 Tz ") }
        texts[page].append(text: "ET\n")
        isOpen[page] = false
        pens[page] = TextPen()
        marks[page] = Mark()
    }

    mutating func show(_ picture: WidgetPlan.Placed, in widget: WidgetPlan) {
        guard let page = page(of: widget) else { return }
        source.show(widget.onPage(picture), on: page, into: &pictures[page])
    }

    mutating func draw(_ list: ListAppearance, in widget: WidgetPlan) -> [Unicode.Scalar] {
        guard let page = page(of: widget) else { return [] }
        let name = source.name(of: widget.font, on: page)
        closeText(page)
        var missing: [Unicode.Scalar] = []
        widget.writePlaced(into: &texts[page]) { out in
            missing =
                list.draw(
                    into: &out, fonts: &fonts.fonts, fontName: name, newReference: source.newFontReference
                ).missing
            out.append(10)
        }
        return missing
    }

    /// Draws what was worked out in the space of a place.
    mutating func draw(_ content: [UInt8], in widget: WidgetPlan) {
        guard let page = page(of: widget), !content.isEmpty else { return }
        closeText(page)
        widget.writePlaced(into: &texts[page]) { $0.append(contentsOf: content) }
    }

    mutating func finish() {
        for page in texts.indices {
            if isOpen[page] { texts[page].append(text: "ET\n") }
            texts[page].insert(contentsOf: pictures[page], at: 0)
        }
    }
}

extension MergedOverlay.Mark {
    @inline(__always) fileprivate mutating func put(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>,
        _ place: UnsafePointer<PlainFields.Place>, font: Int, _ cursor: inout PlainWriter.Cursor
    ) {
        let newColour = place.pointee.colour
        if newColour.count != colourCount || !isSame(newColour) {
            cursor.put(newColour)
            cursor.put(UInt8(ascii: "\n"))
            colour = newColour.start
            colourCount = newColour.count
        }
        let newSize = Int((text.size * 100).rounded())
        if place.pointee.plain.cells > 0 {
            putComb(text, codes, place, font, newSize, &cursor)
            return
        }
        for line in text.lines where line.end > line.start {
            move(place.pointee.left + line.x, place.pointee.bottom + line.y, &cursor)
            set(font, newSize, spacing: 0, &cursor)
            cursor.put(
                string: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(codes)[line.start..<line.end]))
            cursor.put("Tj\n")
        }
    }

    private func isSame(_ slice: PlainFields.Slice) -> Bool {
        guard let colour else { return false }
        for at in 0..<slice.count where colour[at] != slice.start[at] { return false }
        return true
    }

    @inline(__always) private mutating func move(
        _ newX: Double, _ newY: Double, _ cursor: inout PlainWriter.Cursor
    ) {
        // A tenth of a point is a thirtieth of a millimetre, and a digit less in every move.
        let (toX, toY) = (Int((newX * 10).rounded()) * 10, Int((newY * 10).rounded()) * 10)
        cursor.put(hundredths: toX - x)
        cursor.put(UInt8(ascii: " "))
        cursor.put(hundredths: toY - y)
        cursor.put(" Td")
        (x, y) = (toX, toY)
    }

    @inline(__always) private mutating func set(
        _ newFont: Int, _ newSize: Int, spacing newSpacing: Int, _ cursor: inout PlainWriter.Cursor
    ) {
        if newSpacing != spacing {
            cursor.put(UInt8(ascii: " "))
            cursor.put(hundredths: newSpacing)
            cursor.put(" Tc")
            spacing = newSpacing
        }
        if newFont == font, newSize == size { return }
        cursor.put("/QF")
        cursor.put(number: newFont)
        cursor.put(UInt8(ascii: " "))
        cursor.put(hundredths: newSize)
        cursor.put(" Tf")
        (font, size) = (newFont, newSize)
    }

    /// Letters of one width need only the space between them said; others each their gap.
    private mutating func putComb(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>,
        _ place: UnsafePointer<PlainFields.Place>, _ newFont: Int, _ newSize: Int,
        _ cursor: inout PlainWriter.Cursor
    ) {
        guard let first = text.lines.first else { return }
        let plain = place.pointee.plain
        let cell = plain.width / Double(plain.cells)
        let firstWidth = plain.font.width(codes[first.start])
        let isEven = text.lines.allSatisfy { plain.font.width(codes[$0.start]) == firstWidth }
        move(place.pointee.left + first.x, place.pointee.bottom + first.y, &cursor)
        let width = Double(firstWidth) * text.size / 1000
        set(
            newFont, newSize,
            spacing: isEven && text.lines.count > 1
                ? Int(((cell - width) * 100).rounded()) : isEven ? spacing : 0,
            &cursor)
        if isEven {
            cursor.put(UInt8(ascii: "("))
            for line in text.lines {
                let code = codes[line.start]
                if code == 40 || code == 41 || code == 92 { cursor.put(92) }
                cursor.put(code)
            }
            cursor.put(")Tj\n")
            return
        }
        cursor.put(UInt8(ascii: "["))
        var end = first.x
        for line in text.lines {
            let gap = Int(((line.x - end) * 1000 / text.size).rounded())
            if gap != 0 { cursor.put(number: -gap) }
            cursor.put(
                string: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(codes)[line.start..<line.end]))
            end +=
                Double(gap) * text.size / 1000 + Double(plain.font.width(codes[line.start])) * text.size
                / 1000
        }
        cursor.put("]TJ\n")
    }
}
