import PDF
import PDFDrawing

/// What one record adds to the pages of a form in a merged file. Once the record is written it is used again for the next,
/// with the memory it has: `MergedSource.overlay` gives it out and `write` takes it back.
final class MergedOverlay {
    /// The operators for one page.
    private struct Sheet {
        var text: [UInt8] = []
        /// Boxes and texts of many records come before all other text, which then need not be interrupted, and whose
        /// spacing and colour must not reach into them.
        var pictures: [UInt8] = []
        var pen = TextPen()
        var mark = Mark()
        var isOpen = false
    }

    /// The fields the record fills; the others look as they do in the template.
    @exclusivity(unchecked) private(set) var filled: FieldSet
    // One record is drawn at a time: this is not asked again for every value.
    @exclusivity(unchecked) private var sheets: [Sheet]
    /// It keeps its overlays, so that they need not keep it.
    private unowned(unsafe) let source: MergedSource
    /// Lays out what is drawn here; nil when there is no form.
    @exclusivity(unchecked) var writer: PlainWriter?
    private let fonts: MergedFonts

    init(_ source: MergedSource, _ fonts: MergedFonts) {
        self.source = source
        self.fonts = fonts
        sheets = [Sheet](repeating: Sheet(), count: source.pageCount)
        filled = FieldSet(count: source.fieldCount)
        writer = source.plain.map(PlainWriter.init)
    }

    /// Begins anew.
    func clear() {
        filled.removeAll()
        for page in sheets.indices {
            sheets[page].text.removeAll(keepingCapacity: true)
            sheets[page].pictures.removeAll(keepingCapacity: true)
            sheets[page].pen = TextPen()
            sheets[page].mark = Mark()
            sheets[page].isOpen = false
        }
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
    func put(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>, at index: Int,
        _ place: UnsafePointer<PlainFields.Place>
    ) {
        guard let page = place.pointee.page, sheets.indices.contains(page) else { return }
        let font = source.font(ofPlace: index, on: page)
        let usual = sheets[page].isOpen ? nil : source.usualFonts[page]
        Self.put(text, codes, place, font: font, usual: usual, onto: &sheets[page])
    }

    private static func put(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>,
        _ place: UnsafePointer<PlainFields.Place>, font: Int, usual: (font: Int, size: Int)?,
        onto sheet: inout Sheet
    ) {
        openText(&sheet, usual: usual)
        put(text, codes, place, font: font, &sheet.mark, into: &sheet.text)
    }

    @inline(__always)
    private static func openText(_ sheet: inout Sheet, usual: (font: Int, size: Int)?) {
        if sheet.isOpen, sheet.mark.isKnown { return }
        let isFirst = sheet.text.isEmpty
        closeText(&sheet)
        sheet.text.append(text: "BT\n")
        sheet.isOpen = true
        sheet.mark = Mark(isKnown: true)
        if isFirst, let usual { (sheet.mark.font, sheet.mark.size) = usual }
    }

    /// Adds letters that stand in strings as they are, as a line of the form's size in a place of one line.
    func put(
        line: UnsafeBufferPointer<UInt8>, units: UInt32, at index: Int,
        _ place: UnsafePointer<PlainFields.Place>
    ) {
        guard let page = place.pointee.page, sheets.indices.contains(page) else { return }
        let font = source.font(ofPlace: index, on: page)
        let usual = sheets[page].isOpen ? nil : source.usualFonts[page]
        let x = PlainText.start(of: Double(units), in: place.pointee.plain)
        Self.put(line, at: x, place, font: font, usual: usual, onto: &sheets[page])
    }

    private static func put(
        _ line: UnsafeBufferPointer<UInt8>, at x: Double, _ place: UnsafePointer<PlainFields.Place>,
        font: Int, usual: (font: Int, size: Int)?, onto sheet: inout Sheet
    ) {
        openText(&sheet, usual: usual)
        put(line, at: x, place, font: font, &sheet.mark, into: &sheet.text)
    }

    @inline(__always)
    private static func put(
        _ line: UnsafeBufferPointer<UInt8>, at x: Double, _ place: UnsafePointer<PlainFields.Place>,
        font: Int, _ mark: inout Mark, into out: inout [UInt8]
    ) {
        out.append(upTo: line.count + place.pointee.colour.count + 192) { cursor in
            mark.put(line, at: x, place, font: font, &cursor)
        }
    }

    private static func put(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>,
        _ place: UnsafePointer<PlainFields.Place>, font: Int, _ mark: inout Mark, into out: inout [UInt8]
    ) {
        let most = codes.count * 2 + text.lines.count * 64 + place.pointee.colour.count + 128
        out.append(upTo: most) { mark.put(text, codes, place, font: font, &$0) }
    }

    /// Shows a text that many records have in this place, when it is one of those in the file already.
    func repeated(
        _ text: RepeatedTexts.Text, _ place: UnsafePointer<PlainFields.Place>
    ) -> RepeatedTexts.Kept? {
        guard let page = place.pointee.page, sheets.indices.contains(page),
            let known = source.repeated.known(text)
        else { return nil }
        source.show(known, on: page, into: &sheets[page].pictures)
        return known
    }

    /// Puts a text into the file by itself once enough records had it. False: it belongs to this record alone.
    func putOften(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>, of said: RepeatedTexts.Text,
        at index: Int, _ place: UnsafePointer<PlainFields.Place>
    ) -> Bool {
        guard let page = place.pointee.page, sheets.indices.contains(page), source.repeated.isFrequent(said)
        else { return false }
        var content = Array("BT\n".utf8)
        var mark = Mark(isKnown: true)
        Self.put(text, codes, place, font: source.font(ofPlace: index, on: page), &mark, into: &content)
        content.append(text: "ET")
        let known = source.keep(content, saying: said, on: page, shrunk: text.shrunk)
        source.show(known, on: page, into: &sheets[page].pictures)
        return true
    }

    func fill(_ place: Int) { filled.insert(place) }

    /// The page of a widget, when it can be seen there.
    private func page(of widget: WidgetPlan) -> Int? {
        guard let page = widget.page, sheets.indices.contains(page), !widget.isHidden else { return nil }
        return page
    }

    func draw(
        _ text: String, in widget: WidgetPlan, _ layout: TextAppearance.Layout
    ) -> [TextAppearance.Remark] {
        var appearance = TextAppearance(widget, layout)
        guard let page = page(of: widget), !text.isEmpty else { return [] }
        let name = source.name(of: widget.font, on: page)
        var sheet = Sheet()
        swap(&sheet, &sheets[page])
        if sheet.mark.isKnown { Self.closeText(&sheet) }
        if !sheet.isOpen {
            sheet.text.append(text: "BT\n")
            sheet.isOpen = true
        }
        sheet.pen.turn(to: widget, fontName: name)
        appearance.draw(
            text, with: &sheet.pen, into: &sheet.text, fonts: &fonts.fonts,
            newReference: source.newFontReference)
        swap(&sheet, &sheets[page])
        return appearance.remarks
    }

    /// Closes the text of a page before something else is drawn.
    private static func closeText(_ sheet: inout Sheet) {
        guard sheet.isOpen else { return }
        // Spacing and width outlive the text they were set for, and nothing behind it expects them.
        if sheet.mark.spacing != 0 { sheet.text.append(text: "0 Tc ") }
        if sheet.pen.stretch != 100 { sheet.text.append(text: "100 Tz ") }
        sheet.text.append(text: "ET\n")
        sheet.isOpen = false
        sheet.pen = TextPen()
        sheet.mark = Mark()
    }

    func show(_ picture: WidgetPlan.Placed, in widget: WidgetPlan) {
        guard let page = page(of: widget) else { return }
        source.show(widget.onPage(picture), on: page, into: &sheets[page].pictures)
    }

    /// Shows the pictures of a box in a state: `state` is its number among those of all boxes, `number` that among its own.
    func show(state: Int, number: Int, of plan: @autoclosure () -> FieldPlan) {
        let shown = source.shown(state: state) ?? firstShown(state: state, number: number, of: plan())
        for (page, text) in shown { sheets[page].pictures.append(contentsOf: text) }
    }

    private func firstShown(state: Int, number: Int, of plan: FieldPlan) -> [(page: Int, text: [UInt8])] {
        source.show(state: state) {
            let pictures = plan.boxStates[number].shown
            return plan.widgets.indices.compactMap { index in
                guard let picture = pictures[index], let page = page(of: plan.widgets[index]) else {
                    return nil
                }
                return (page, plan.widgets[index].onPage(picture))
            }
        }
    }

    func draw(_ list: ListAppearance, in widget: WidgetPlan) -> [Unicode.Scalar] {
        guard let page = page(of: widget) else { return [] }
        let name = source.name(of: widget.font, on: page)
        Self.closeText(&sheets[page])
        var missing: [Unicode.Scalar] = []
        widget.writePlaced(into: &sheets[page].text) { out in
            missing =
                list.draw(
                    into: &out, fonts: &fonts.fonts, fontName: name, newReference: source.newFontReference
                ).missing
            out.append(10)
        }
        return missing
    }

    /// Draws what was worked out in the space of a place.
    func draw(_ content: [UInt8], in widget: WidgetPlan) {
        guard let page = page(of: widget), !content.isEmpty else { return }
        Self.closeText(&sheets[page])
        widget.writePlaced(into: &sheets[page].text) { $0.append(contentsOf: content) }
    }

    /// What the record adds to a page, whole.
    func withText(
        of page: Int, stamped stamp: (inout [UInt8]) -> Void, _ body: ([UInt8]) throws -> Void
    )
        rethrows
    {
        if sheets[page].isOpen {
            sheets[page].text.append(text: "ET\n")
            sheets[page].isOpen = false
        }
        stamp(&sheets[page].text)
        if sheets[page].pictures.isEmpty { return try body(sheets[page].text) }
        sheets[page].pictures.append(contentsOf: sheets[page].text)
        try body(sheets[page].pictures)
    }
}

extension MergedOverlay.Mark {
    @inline(__always) fileprivate mutating func put(
        _ text: PlainText, _ codes: UnsafeMutableBufferPointer<UInt8>,
        _ place: UnsafePointer<PlainFields.Place>, font: Int, _ cursor: inout PlainWriter.Cursor
    ) {
        set(place.pointee.colour, &cursor)
        let newSize = PlainWriter.Cursor.rounded(text.size * 100)
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

    /// The same for a line of letters that stand in strings as they are.
    @inline(__always) fileprivate mutating func put(
        _ line: UnsafeBufferPointer<UInt8>, at lineX: Double, _ place: UnsafePointer<PlainFields.Place>,
        font: Int, _ cursor: inout PlainWriter.Cursor
    ) {
        set(place.pointee.colour, &cursor)
        move(
            place.pointee.left + lineX,
            place.pointee.bottom + PlainText.baseline(place.pointee.plain, size: place.pointee.plain.size),
            &cursor)
        set(font, PlainWriter.Cursor.rounded(place.pointee.plain.size * 100), spacing: 0, &cursor)
        cursor.put(bareString: line)
        cursor.put("Tj\n")
    }

    @inline(__always)
    private mutating func set(_ newColour: PlainFields.Slice, _ cursor: inout PlainWriter.Cursor) {
        if newColour.count == colourCount, isSame(newColour) { return }
        cursor.put(newColour)
        cursor.put(UInt8(ascii: "\n"))
        colour = newColour.start
        colourCount = newColour.count
    }

    @inline(__always) private func isSame(_ slice: PlainFields.Slice) -> Bool {
        guard let colour else { return false }
        if colour == slice.start { return true }
        for at in 0..<slice.count where colour[at] != slice.start[at] { return false }
        return true
    }

    @inline(__always) private mutating func move(
        _ newX: Double, _ newY: Double, _ cursor: inout PlainWriter.Cursor
    ) {
        // A tenth of a point is a thirtieth of a millimetre, and a digit less in every move.
        let (toX, toY) = (
            PlainWriter.Cursor.rounded(newX * 10) * 10, PlainWriter.Cursor.rounded(newY * 10) * 10
        )
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
                ? PlainWriter.Cursor.rounded((cell - width) * 100) : isEven ? spacing : 0,
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
            let gap = PlainWriter.Cursor.rounded((line.x - end) * 1000 / text.size)
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
