import PDF
import PDFDrawing

/// The fields of a form as bare memory: what plain values need of them, written once while the form is prepared and
/// only read after that, by any number of threads. Nothing in here is counted as used; the form keeps it alive.
final class PlainFields: @unchecked Sendable {
    /// Bytes in the arena.
    struct Slice {
        var start: UnsafePointer<UInt8>
        var count: Int
    }

    struct Field {
        enum Kind { case none, text, box }

        var kind = Kind.none
        /// Text: more bytes than this may be more characters than the field takes.
        var longest = Int.max
        var isEmptyAnyway = false
        /// 0 when values of this form do not stand apart: then they can be drawn, but not written here.
        var value: Int32 = 0
        var valueStart: Slice
        /// Text: its places. Box: its words.
        var first = 0
        var count = 0
        /// Of how many letters a plain line of the field may be, and how many bytes it takes beside them; -1 when the
        /// field is none for plain lines.
        var line = -1
        var lineBytes = 0
        /// The same for lines that are drawn onto the pages of a merged file.
        var drawnLine = -1
        /// Boxes: the first of its states, and its number among those whose dictionaries are packed.
        var firstState = 0
        var packedBox: Int?
    }

    struct Place {
        var picture: Int32
        var plain: PlainPlace
        /// The picture's object up to its text, without and with a clip; what of its text they have already begins at
        /// `content`, and its length goes into four places at `length`.
        var opening: Slice
        var openingClipped: Slice
        var length: Int
        var content: Int
        var fontName: Slice
        /// The font with the size the form asks for.
        var font: Slice
        /// What follows the start of a single line or a comb of that size: its height, the move there, the font. Empty
        /// where these depend on the text.
        var lineHead: Slice
        /// The whole picture up to the string of a single line of that size that begins on the left. Empty where that
        /// depends on the text.
        var beginning: Slice
        /// Widths of the letters that stand in strings as they are, more than any line has for all others; and how wide
        /// a line of the form's size may be.
        var bareWidths: UnsafePointer<UInt32>
        var mostUnits: UInt32
        var colour: Slice
        /// Its corner on the page; the page is nil when nobody sees the place.
        var page: Int?
        var left: Double
        var bottom: Double
        var isTurned: Bool
    }

    /// A word that means a state of a box.
    struct Word {
        var text: Slice
        var state: Int
    }

    struct State {
        /// False when the state needs more than its objects.
        var isPlain: Bool
        var isOriginal: Bool
        /// Whole objects, and where each begins in them.
        var objects: Slice
        var firstObject: Int
        var objectCount: Int
    }

    struct Object {
        var number: Int
        var generation: Int
        var offset: Int
    }

    /// What the filling of a document holds on to: pointers, no references.
    struct View {
        var fields: UnsafePointer<Field>
        var places: UnsafePointer<Place>
        var words: UnsafePointer<Word>
        var states: UnsafePointer<State>
        var objects: UnsafePointer<Object>
    }

    let view: View
    let count: Int
    /// Boxes whose dictionaries are packed with the others', by their places.
    let packedBoxes: [Int]
    /// So many packs can differ by their boxes alone; of more boxes each copy writes its own.
    private static let mostStates = 64
    private static let lengthRoom = "    >>\nstream\n"
    private let arena: UnsafeMutablePointer<UInt8>
    private let widthTables: [UnsafePointer<UInt32>]
    /// The fonts of the places, kept alive here.
    private let fonts: [TemplateFont]

    var placeCount: Int { fonts.count }
    func font(ofPlace index: Int) -> TemplateFont? { fonts.indices.contains(index) ? fonts[index] : nil }

    init(_ plans: [FieldPlan], keepsBoxes: Bool, packs: Bool) {
        var bytes: [UInt8] = []
        func keep(_ text: [UInt8]) -> (at: Int, count: Int) {
            bytes.append(contentsOf: text)
            return (bytes.count - text.count, text.count)
        }
        // Most places have the same colour, which is then found to be the same at once.
        var colours: [[UInt8]: (at: Int, count: Int)] = [:]
        func keep(colour: [UInt8]) -> (at: Int, count: Int) {
            if let known = colours[colour] { return known }
            let kept = keep(colour)
            colours[colour] = kept
            return kept
        }
        // Slices first speak of offsets: the arena has no address before it has its size.
        var texts: [[(at: Int, count: Int)]] = []
        for plan in plans {
            var own = [keep(plan.valueStart)]
            for widget in plan.widgets where plan.field.kind == .text {
                var font = widget.fontName + [32]
                font.append(number: widget.size)
                font.append(text: " Tf ")
                let start = widget.pictureStart + Array(Self.lengthRoom.utf8)
                let lineHead = Self.lineHead(widget, plan.layout, font)
                own += [
                    keep(start + widget.opening), keep(start + widget.openingClipped),
                    keep(widget.fontName), keep(font), keep(lineHead),
                    keep(colour: widget.colour),
                    keep(Self.beginning(start + widget.opening, lineHead, PlainPlace(widget, plan.layout))),
                ]
            }
            texts.append(own)
        }
        var boxes: [Int: [(objects: (at: Int, count: Int), list: [Object])]] = [:]
        var words: [Int: [(text: (at: Int, count: Int), state: Int)]] = [:]
        for (index, plan) in plans.enumerated() where plan.field.isBox && plan.isOpen && keepsBoxes {
            boxes[index] = plan.boxStates.map { state in
                var text: [UInt8] = []
                var list: [Object] = []
                for (reference, object) in state.objects {
                    list.append(
                        Object(
                            number: reference.number, generation: reference.generation, offset: text.count))
                    text.append(number: reference.number)
                    text.append(32)
                    text.append(number: reference.generation)
                    text.append(text: " obj\n")
                    text.append(contentsOf: object)
                    text.append(text: "\nendobj\n")
                }
                return (keep(text), list)
            }
            words[index] = plan.boxWords.map { (keep(Array($0.word.utf8)), $0.state) }
        }
        let arena = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
        bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { arena.initialize(from: start, count: source.count) }
        }
        self.arena = arena
        func slice(_ place: (at: Int, count: Int)) -> Slice {
            Slice(start: UnsafePointer(arena + place.at), count: place.count)
        }
        var fields: [Field] = []
        var places: [Place] = []
        var fonts: [TemplateFont] = []
        var allWords: [Word] = []
        var states: [State] = []
        var objects: [Object] = []
        var tables: [ObjectIdentifier: UnsafePointer<UInt32>] = [:]
        let packable = packs ? Self.packable(plans, boxes.keys.sorted()) : []
        for (index, plan) in plans.enumerated() {
            var field = Field(valueStart: slice(texts[index][0]))
            field.isEmptyAnyway = plan.isEmptyAnyway
            if plan.field.kind == .text, !plan.isSecret, plan.field.format == nil, plan.isOpen,
                plan.widgets.allSatisfy({ $0.picture != nil })
            {
                field.kind = .text
                field.longest = plan.field.maximumLength ?? .max
                field.value = Int32(truncatingIfNeeded: plan.value?.number ?? 0)
                field.first = places.count
                field.count = plan.widgets.count
                for (number, widget) in plan.widgets.enumerated() {
                    fonts.append(widget.font)
                    let widths = tables[ObjectIdentifier(widget.font)] ?? Self.bareWidths(widget.font)
                    tables[ObjectIdentifier(widget.font)] = widths
                    let own = texts[index].dropFirst(1 + number * 7).prefix(7).map(slice)
                    places.append(
                        Place(
                            picture: Int32(truncatingIfNeeded: widget.picture?.number ?? 0),
                            plain: PlainPlace(widget, plan.layout), opening: own[0], openingClipped: own[1],
                            length: widget.pictureStart.count,
                            content: widget.pictureStart.count + Self.lengthRoom.utf8.count, fontName: own[2],
                            font: own[3], lineHead: own[4], beginning: own[6],
                            bareWidths: widths,
                            mostUnits: Self.mostUnits(PlainPlace(widget, plan.layout)), colour: own[5],
                            page: widget.isHidden ? nil : widget.page, left: widget.rectangle.left,
                            bottom: widget.rectangle.bottom, isTurned: widget.isTurned))
                }
                if field.count == 1, let place = places.last, place.mostUnits > 0,
                    (1..<4000).contains(place.opening.count + place.lineHead.count),
                    place.lineHead.count > 0, place.plain.font.isASCII
                {
                    let cells = place.plain.cells
                    field.line = min(field.longest, cells > 0 ? cells : .max, Self.longestLine)
                    field.lineBytes =
                        field.valueStart.count + place.opening.count + place.lineHead.count + 192
                    if cells == 0, !place.isTurned, place.plain.stretch == 100, place.page != nil {
                        // Longer ones may be those of other records too.
                        field.drawnLine = min(field.line, RepeatedTexts.shortest - 1)
                    }
                }
            } else if let boxStates = boxes[index], let boxWords = words[index] {
                field.kind = .box
                field.first = allWords.count
                field.count = boxWords.count
                field.firstState = states.count
                field.packedBox = packable.firstIndex(of: index)
                allWords += boxWords.map { Word(text: slice($0.text), state: states.count + $0.state) }
                for (number, state) in plan.boxStates.enumerated() {
                    states.append(
                        State(
                            isPlain: state.name == "Off" || plan.widgets.allSatisfy { $0.picture == nil },
                            isOriginal: state.isOriginal, objects: slice(boxStates[number].objects),
                            firstObject: objects.count, objectCount: boxStates[number].list.count))
                    objects += boxStates[number].list
                }
            }
            fields.append(field)
        }
        self.fonts = fonts
        widthTables = Array(tables.values)
        count = plans.count
        packedBoxes = packable
        view = View(
            fields: Self.copy(fields), places: Self.copy(places), words: Self.copy(allWords),
            states: Self.copy(states), objects: Self.copy(objects))
    }

    deinit {
        for table in widthTables { table.deallocate() }
        arena.deallocate()
        view.fields.deallocate()
        view.places.deallocate()
        view.words.deallocate()
        view.states.deallocate()
        view.objects.deallocate()
    }

    private static func lineHead(
        _ widget: WidgetPlan, _ layout: TextAppearance.Layout, _ font: [UInt8]
    ) -> [UInt8] {
        let place = PlainPlace(widget, layout)
        guard !place.isParagraphs, place.size > 0 else { return [] }
        var head: [UInt8] = [32]
        head.append(number: PlainText.baseline(place, size: place.size))
        head.append(text: " Td ")
        return head + font
    }

    private static func beginning(_ opening: [UInt8], _ lineHead: [UInt8], _ place: PlainPlace) -> [UInt8] {
        guard !lineHead.isEmpty, place.alignment == 0, place.cells == 0 else { return [] }
        var text = opening
        text.append(number: PlainText.left(place))
        return text + lineHead
    }

    /// So many letters of the widest font are not as wide as one that is none of a plain line.
    private static let longestLine = 200

    private static func bareWidths(_ font: TemplateFont) -> UnsafePointer<UInt32> {
        let table = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
        for code in 0..<256 {
            let isBare = (32..<127).contains(code) && ![40, 41, 92].contains(code)
            (table + code).initialize(to: isBare ? UInt32(font.widths[code]) : 1 << 24)
        }
        return UnsafePointer(table)
    }

    /// How wide a line may be in thousandths of its size without being shrunk or clipped: what `PlainText` finds out.
    private static func mostUnits(_ place: PlainPlace) -> UInt32 {
        guard place.size > 0, place.stretch > 0, PlainText.isInside(place, size: place.size) else { return 0 }
        // In a comb each letter has its cell, wide or not.
        if place.cells > 0 { return 1 << 24 - 1 }
        let inner = PlainText.inner(place)
        let most = min(inner * 1000 / place.size * 100 / place.stretch, Double(1 << 24 - 1)).rounded(.down)
        guard most >= 1 else { return 0 }
        let units = UInt32(most)
        return Double(units) * place.stretch / 100 * place.size / 1000 <= inner ? units : units - 1
    }

    private static func packable(_ plans: [FieldPlan], _ boxes: [Int]) -> [Int] {
        var states = 1
        for place in boxes {
            let all = plans[place].boxStates
            guard all.allSatisfy({ $0.objects.allSatisfy { $0.reference.generation == 0 } }) else {
                return []
            }
            // Every box may also be left as it is.
            states *= all.count + 1
            if states > mostStates { return [] }
        }
        return boxes
    }

    private static func copy<Item>(_ items: [Item]) -> UnsafePointer<Item> {
        let memory = UnsafeMutablePointer<Item>.allocate(capacity: max(1, items.count))
        for (index, item) in items.enumerated() { (memory + index).initialize(to: item) }
        return UnsafePointer(memory)
    }
}
