import PDF
import PDFDrawing

/// Goes through what a page draws, sign by sign, and asks a judge about each thing; what must go is taken out of the
/// instructions, and all others stay as they were written.
final class PageWalker {
    struct Glyph {
        /// Counted through the page in the order of drawing: the same each time it is walked.
        var number: Int
        var text: String
        var quad: Quad
        var start: (x: Double, y: Double)
        var end: (x: Double, y: Double)
        /// On the page, in points.
        var size: Double
        var isInvisible: Bool
    }

    enum PictureVerdict {
        case stays
        case goes
        case becomes(PDFReference)
    }

    /// What is to be said of things on the page.
    struct Judge {
        var keepsGlyph: (Glyph) -> Bool = { _ in true }
        var picture: (Picture, PDFMatrix) throws(RedactionError) -> PictureVerdict = {
            (_, _) throws(RedactionError) in .stays
        }
        /// Lines and areas, with whether they are as plain as rules and boxes are.
        var keepsShape: (PDFRectangle, _ isPlain: Bool) -> Bool = { _, _ in true }
        /// Whether something is to go from there at all.
        var isTouched: (PDFRectangle) -> Bool = { _ in false }
        /// What is told beside the drawing, such as words for those who cannot see it, as it may stay.
        var told: (PDFDictionary) -> PDFDictionary = { $0 }
    }

    enum Picture {
        case object(PDFReference)
        case inline(PDFDictionary, [UInt8])
    }

    /// A stream as it is to be, and what it now draws by which names.
    struct Changed {
        var content: [UInt8]
        var objects: [(name: PDFName, object: PDFReference)]
    }

    /// Signs of fonts that are small drawings, by font: which were taken out, and which are shown.
    struct Drawings {
        var gone: [PDFObject: Set<Int>] = [:]
        var shown: [PDFObject: Set<Int>] = [:]
    }

    /// Fonts are the same on most pages of a paper.
    final class Fonts {
        var known: [PDFObject: GlyphFont] = [:]
        var patterns: [PDFObject: Bool] = [:]
    }

    private(set) var glyphCount = 0
    /// True where something is to go that is drawn in a way this cannot take apart.
    private(set) var isKnotted = false
    private(set) var touchedMarks: Set<Int> = []
    private(set) var drawings = Drawings()
    /// Places of pictures.
    private(set) var pictures: [Quad] = []
    /// Drawings with words of their own that fill something or say how much of it is seen, and where; nil for anywhere.
    private(set) var beneath: [(drawing: PDFReference, place: Quad?)] = []
    /// Objects that are drawn as they were, and those in whose place another is drawn or nothing.
    private(set) var drawn: Set<PDFReference> = []
    private(set) var retired: Set<PDFReference> = []

    private let file: PDFFile
    private let fonts: Fonts
    private let judge: Judge
    private let add: (PDFDictionary, [UInt8]) -> PDFReference
    private var state = State()
    private var text = PDFMatrix()
    private var line = PDFMatrix()
    private var operations = 0
    private var newNames = 0

    private static let mostOperations = 20_000_000
    private static let deepest = 12
    private static let longestContent = 128 << 20
    private static let costOfForm = 200

    private struct State {
        var space = PDFMatrix()
        var font: GlyphFont?
        var fontObject: PDFObject = .null
        var size = 0.0
        var letterSpace = 0.0
        var wordSpace = 0.0
        var stretch = 1.0
        var leading = 0.0
        var rise = 0.0
        var mode = 0
        /// Filled with small drawings that hold words or pictures.
        var busyPattern: PDFReference?
    }

    private struct Mark {
        var range: Range<Int>
        var tag: PDFObject
        var properties: PDFDictionary?
        var isTouched = false
    }

    private struct Shape {
        var ranges: [Range<Int>] = []
        var points: [(x: Double, y: Double)] = []
        var isCurved = false

        var bounds: PDFRectangle {
            PDFRectangle(
                left: points.map(\.x).min() ?? 0, bottom: points.map(\.y).min() ?? 0,
                right: points.map(\.x).max() ?? 0, top: points.map(\.y).max() ?? 0)
        }
    }

    init(
        _ file: PDFFile, fonts: Fonts, judge: Judge, add: @escaping (PDFDictionary, [UInt8]) -> PDFReference
    ) {
        self.file = file
        self.fonts = fonts
        self.judge = judge
        self.add = add
    }

    /// All instructions of a page as one stream: its parts may be divided anywhere between two words (§7.7.3.3).
    static func content(of page: PDFDictionary, _ file: PDFFile) -> [UInt8] {
        let contents = page["Contents"]
        var content: [UInt8] = []
        for part in file.resolve(contents).array ?? [contents ?? .null] {
            guard let reference = part.reference, content.count < longestContent else { continue }
            content += (file.stream(reference, limit: longestContent) ?? []) + [10]
        }
        return content
    }

    /// The content with what must go taken out, balanced, so that something can be drawn behind it; nil when all stays as it is.
    func walk(
        _ content: [UInt8], resources: PDFDictionary, from matrix: PDFMatrix = PDFMatrix(), depth: Int = 0
    ) throws(RedactionError) -> Changed? {
        let outer = (state, text, line)
        state.space = matrix.then(depth == 0 ? PDFMatrix() : state.space)
        defer { (state, text, line) = outer }
        var edits: [(range: Range<Int>, bytes: [UInt8])] = []
        var objects: [(name: PDFName, object: PDFReference)] = []
        var saved: [State] = []
        var marks: [Mark] = []
        var shapes: [Shape] = []
        var isClip = false
        var isText = false

        func touch() { for index in marks.indices { marks[index].isTouched = true } }

        func close(_ mark: Mark) {
            guard mark.isTouched else { return }
            if let number = mark.properties?["MCID"].flatMap({ file.resolve($0).integer }) {
                touchedMarks.insert(number)
            }
            guard let properties = mark.properties else { return }
            let clean = judge.told(properties.without("ActualText", "Alt", "E", "Lang", "Contents"))
            if clean != properties {
                edits.append(
                    (mark.range, mark.tag.written + PDFObject.dictionary(clean).written + Array(" BDC".utf8)))
            }
        }

        for instruction in ContentInstructions(content) {
            operations += 1
            guard operations < Self.mostOperations else {
                isKnotted = true
                break
            }
            let name = instruction.name
            let operands = instruction.operands
            let n = operands.compactMap(\.number)
            switch name {
            case "q": saved.append(state)
            case "Q":
                if let last = saved.popLast() {
                    state = last
                } else {
                    // Viewers pass over it, but would not any more behind a `q` of ours.
                    edits.append((instruction.range, []))
                }
            case "cm": if let matrix = PDFMatrix(n) { state.space = matrix.then(state.space) }
            case "BT":
                isText = true
                (text, line) = (PDFMatrix(), PDFMatrix())
            case "ET": isText = false
            case "Tf":
                state.size = n.last ?? 0
                let key = operands.first?.name
                let object = key.flatMap { file.dictionary(resources["Font"])?[$0] } ?? .null
                state.fontObject = object
                state.font = font(object)
            case "Tc": state.letterSpace = n.first ?? 0
            case "Tw": state.wordSpace = n.first ?? 0
            case "Tz": state.stretch = (n.first ?? 100) / 100
            case "TL": state.leading = n.first ?? 0
            case "Ts": state.rise = n.first ?? 0
            case "Tr": state.mode = Int(exactly: n.first ?? 0) ?? 0
            case "Td": if n.count == 2 { newLine(n[0], n[1]) }
            case "TD":
                if n.count == 2 {
                    state.leading = -n[1]
                    newLine(n[0], n[1])
                }
            case "Tm": if let matrix = PDFMatrix(n) { (text, line) = (matrix, matrix) }
            case "T*": newLine(0, -state.leading)
            case "Tj", "TJ", "'", "\"":
                var head = ""
                if name == "\"" {
                    if n.count >= 2 { (state.wordSpace, state.letterSpace) = (n[0], n[1]) }
                    head = "\(Quad.written(state.wordSpace)) Tw \(Quad.written(state.letterSpace)) Tc T* "
                    newLine(0, -state.leading)
                } else if name == "'" {
                    head = "T* "
                    newLine(0, -state.leading)
                }
                let items = name == "TJ" ? operands.last?.array ?? [] : operands.suffix(1).map { $0 }
                if let left = show(items) {
                    touch()
                    edits.append(
                        (
                            instruction.range,
                            Array(head.utf8) + PDFObject.array(left).written + Array(" TJ".utf8)
                        ))
                }
            case "gs":
                if let key = operands.first?.name { look(at: file.dictionary(resources["ExtGState"])?[key]) }
            case "scn":
                state.busyPattern = busyPattern(operands, resources)
            case "SCN":
                // Lines and letters are seldom drawn with it, and lie anywhere.
                if let pattern = busyPattern(operands, resources) { beneath.append((pattern, nil)) }
            case "g", "rg", "k", "cs", "sc": state.busyPattern = nil
            case "BMC":
                marks.append(Mark(range: instruction.range, tag: operands.first ?? .null, properties: nil))
            case "BDC":
                var properties = operands.last?.dictionary
                if let key = operands.last?.name, operands.count > 1 {
                    properties = file.dictionary(file.dictionary(resources["Properties"])?[key])
                    // What a layer is called is no property of what stands here.
                    if properties?["Type"] != nil { properties = nil }
                }
                var mark = Mark(
                    range: instruction.range, tag: operands.first ?? .name("Span"), properties: properties)
                mark.isTouched = properties.map { judge.told($0) != $0 } ?? false
                marks.append(mark)
            case "DP":
                // One that has a name lies outside of the drawing.
                if let tag = operands.first, let properties = operands.last?.dictionary {
                    let clean = judge.told(properties)
                    if clean != properties {
                        edits.append(
                            (
                                instruction.range,
                                tag.written + PDFObject.dictionary(clean).written + Array(" DP".utf8)
                            ))
                    }
                }
            case "EMC": if let mark = marks.popLast() { close(mark) }
            case "m":
                guard n.count == 2 else { continue }
                shapes.append(Shape(ranges: [instruction.range], points: [state.space.point(n[0], n[1])]))
            case "l", "c", "v", "y", "h":
                guard !shapes.isEmpty else { continue }
                shapes[shapes.count - 1].ranges.append(instruction.range)
                for index in stride(from: 0, to: n.count - 1, by: 2) {
                    shapes[shapes.count - 1].points.append(state.space.point(n[index], n[index + 1]))
                }
                if name != "l", name != "h" { shapes[shapes.count - 1].isCurved = true }
            case "re":
                guard n.count == 4 else { continue }
                let quad = Quad(
                    PDFRectangle(left: n[0], bottom: n[1], right: n[0] + n[2], top: n[1] + n[3]),
                    by: state.space)
                shapes.append(Shape(ranges: [instruction.range], points: quad.corners))
            case "W", "W*": isClip = true
            case "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n":
                if name != "n", !isClip {
                    var left = shapes.count
                    for shape in shapes where !shape.points.isEmpty {
                        let bounds = shape.bounds
                        if let pattern = state.busyPattern, name != "S", name != "s" {
                            beneath.append((pattern, Quad(bounds)))
                        }
                        if !judge.keepsShape(bounds, !shape.isCurved && shape.points.count <= 8) {
                            left -= 1
                            for range in shape.ranges { edits.append((range, [])) }
                        } else if state.busyPattern != nil, name != "S", name != "s", judge.isTouched(bounds)
                        {
                            isKnotted = true
                        }
                    }
                    if left == 0, !shapes.isEmpty {
                        touch()
                        edits.append((instruction.range, [UInt8(ascii: "n")]))
                    }
                }
                shapes = []
                isClip = false
            case "BI":
                guard let picture = instruction.picture else { continue }
                pictures.append(Quad(Self.unit, by: state.space))
                let found = Picture.inline(picture.dictionary, Array(content[picture.bytes]))
                switch try judge.picture(found, state.space) {
                case .stays: break
                case .goes:
                    touch()
                    edits.append((instruction.range, []))
                case .becomes(let object):
                    touch()
                    let name = newName(in: resources)
                    objects.append((name, object))
                    edits.append((instruction.range, PDFObject.name(name).written + Array(" Do".utf8)))
                }
            case "Do":
                guard let key = operands.first?.name,
                    let reference = file.dictionary(resources["XObject"])?[key]?.reference,
                    let object = file.dictionary(.reference(reference))
                else { continue }
                let verdict: PictureVerdict
                switch file.resolve(object["Subtype"]).name {
                case "Image":
                    pictures.append(Quad(Self.unit, by: state.space))
                    verdict = try judge.picture(.object(reference), state.space)
                case "Form":
                    verdict = try drawn(reference, object, resources, depth)
                default: continue
                }
                switch verdict {
                case .stays: drawn.insert(reference)
                case .goes:
                    retired.insert(reference)
                    touch()
                    edits.append((instruction.range, []))
                case .becomes(let object):
                    retired.insert(reference)
                    touch()
                    let name = newName(in: resources)
                    objects.append((name, object))
                    edits.append((instruction.range, PDFObject.name(name).written + Array(" Do".utf8)))
                }
            default: break
            }
        }
        while let mark = marks.popLast() { close(mark) }
        guard !edits.isEmpty else { return nil }
        edits.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
        var out: [UInt8] = []
        out.reserveCapacity(content.count + 64)
        var start = 0
        for edit in edits where edit.range.lowerBound >= start {
            out += content[start..<edit.range.lowerBound]
            out.append(32)
            out += edit.bytes
            out.append(10)
            start = edit.range.upperBound
        }
        out += content[start...]
        if isText { out += Array("\nET".utf8) }
        for _ in saved { out += Array("\nQ".utf8) }
        out.append(10)
        return Changed(content: out, objects: objects)
    }

    private static let unit = PDFRectangle(left: 0, bottom: 0, right: 1, top: 1)

    /// A drawing of its own (§8.10), which other places may use as well: what is changed in it is changed in a copy.
    private func drawn(
        _ reference: PDFReference, _ object: PDFDictionary, _ resources: PDFDictionary, _ depth: Int
    ) throws(RedactionError) -> PictureVerdict {
        guard depth < Self.deepest else {
            isKnotted = true
            return .stays
        }
        operations += Self.costOfForm
        guard let content = file.stream(reference, limit: Self.longestContent) else { return .stays }
        let own = file.dictionary(object["Resources"]) ?? resources
        let matrix = PDFMatrix(file.numbers(object["Matrix"])) ?? PDFMatrix()
        guard let changed = try walk(content, resources: own, from: matrix, depth: depth + 1) else {
            return .stays
        }
        var dictionary = object.without("Length", "Filter", "DecodeParms", "Metadata", "PieceInfo")
        dictionary["Resources"] = .dictionary(self.resources(own, with: changed.objects))
        return .becomes(add(dictionary, changed.content))
    }

    /// Resources of content that was changed: with what it now draws, and without what it no longer does, which would otherwise
    /// still lie in the file.
    func resources(
        _ resources: PDFDictionary, with objects: [(name: PDFName, object: PDFReference)]
    ) -> PDFDictionary {
        var resources = resources
        var all = PDFDictionary(
            (file.dictionary(resources["XObject"]) ?? [:]).entries.filter {
                $0.value.reference.map(drawn.contains) ?? true
            })
        for (name, object) in objects { all[name] = .reference(object) }
        resources["XObject"] = all.isEmpty ? nil : .dictionary(all)
        if let properties = file.dictionary(resources["Properties"]) {
            resources["Properties"] = .dictionary(
                PDFDictionary(
                    properties.entries.map { entry in
                        guard let list = file.dictionary(entry.value), list["Type"] == nil else {
                            return (entry.key, entry.value)
                        }
                        return (entry.key, .dictionary(list.without("ActualText", "Alt", "E", "Contents")))
                    }))
        }
        return resources
    }

    private func newName(in resources: PDFDictionary) -> PDFName {
        let known = file.dictionary(resources["XObject"]) ?? [:]
        while true {
            newNames += 1
            let name = PDFName("Rd\(newNames)")
            if known[name] == nil { return name }
        }
    }

    private func font(_ object: PDFObject) -> GlyphFont? {
        if let known = fonts.known[object] { return known }
        guard let dictionary = file.dictionary(object) else { return nil }
        let font = GlyphFont(file, dictionary)
        fonts.known[object] = font
        return font
    }

    private func newLine(_ x: Double, _ y: Double) {
        line = PDFMatrix(a: 1, b: 0, c: 0, d: 1, e: x, f: y).then(line)
        text = line
    }

    private func move(_ distance: Double, isUpright: Bool) {
        text = PDFMatrix(
            a: 1, b: 0, c: 0, d: 1, e: isUpright ? 0 : distance, f: isUpright ? distance : 0
        ).then(text)
    }

    /// What is left of a shown text when some signs go: the others stand where they stood. Nil when all stay.
    private func show(_ items: [PDFObject]) -> [PDFObject]? {
        guard let font = state.font else { return nil }
        let size = state.size
        var left: [PDFObject] = []
        var kept: [UInt8] = []
        var gap = 0.0
        var isChanged = false

        func flush() {
            if gap != 0 {
                left.append(.real(gap))
                gap = 0
            }
        }
        for item in items {
            if let number = item.number {
                if !kept.isEmpty {
                    left.append(.string(kept))
                    kept = []
                }
                gap += number
                move(
                    -number / 1000 * size * (font.isUpright ? 1 : state.stretch), isUpright: font.isUpright)
                continue
            }
            guard let string = item.bytes else { continue }
            for sign in font.signs(string) {
                let space = state.letterSpace + (sign.isBlank ? state.wordSpace : 0)
                let glyph = glyph(sign, font)
                glyphCount += 1
                let isKept = judge.keepsGlyph(glyph)
                if !font.drawings.isEmpty {
                    if isKept {
                        drawings.shown[state.fontObject, default: []].insert(sign.code)
                    } else {
                        drawings.gone[state.fontObject, default: []].insert(sign.code)
                    }
                }
                if !isKept, !font.isKnown { isKnotted = true }
                if isKept {
                    flush()
                    kept += string[sign.bytes]
                } else {
                    isChanged = true
                    if !kept.isEmpty {
                        left.append(.string(kept))
                        kept = []
                    }
                    if size != 0 { gap -= (sign.advance + space / size) * 1000 }
                }
                move(
                    (sign.advance * size + space) * (font.isUpright ? 1 : state.stretch),
                    isUpright: font.isUpright)
            }
        }
        if !kept.isEmpty { left.append(.string(kept)) }
        flush()
        return isChanged ? left : nil
    }

    private func glyph(_ sign: GlyphFont.Sign, _ font: GlyphFont) -> Glyph {
        let size = state.size
        let place = PDFMatrix(a: size * state.stretch, b: 0, c: 0, d: size, e: 0, f: state.rise)
            .then(text).then(state.space)
        let width = abs(sign.advance) < 0.02 ? 0.1 : sign.advance
        let box =
            font.isUpright
            ? PDFRectangle(left: -0.5, bottom: -1, right: 0.5, top: 0.1)
            : PDFRectangle(left: 0, bottom: font.descent, right: width, top: font.ascent)
        let end = font.isUpright ? place.point(0, sign.advance) : place.point(sign.advance, 0)
        return Glyph(
            number: glyphCount, text: sign.text, quad: Quad(box, by: place), start: place.point(0, 0),
            end: end, size: place.scale, isInvisible: state.mode == 3)
    }

    /// A mask may be made of words, which are then seen as holes in something else.
    private func look(at object: PDFObject?) {
        guard let mask = file.dictionary(file.dictionary(object)?["SMask"]),
            let group = mask["G"]?.reference, let form = file.dictionary(.reference(group)),
            let box = PDFRectangle(file.numbers(form["BBox"]))
        else { return }
        let matrix = (PDFMatrix(file.numbers(form["Matrix"])) ?? PDFMatrix()).then(state.space)
        let place = Quad(box, by: matrix)
        guard isBusy(.reference(group)) else { return }
        beneath.append((group, place))
        if judge.isTouched(place.bounds), holdsWords(.reference(group), pictures: false) { isKnotted = true }
    }

    private func busyPattern(_ operands: [PDFObject], _ resources: PDFDictionary) -> PDFReference? {
        guard let name = operands.last?.name, let object = file.dictionary(resources["Pattern"])?[name],
            isBusy(object)
        else { return nil }
        return object.reference
    }

    private func isBusy(_ object: PDFObject) -> Bool {
        if let known = fonts.patterns[object] { return known }
        let busy = holdsWords(object, pictures: true)
        fonts.patterns[object] = busy
        return busy
    }

    private func holdsWords(_ object: PDFObject, pictures: Bool) -> Bool {
        guard let reference = object.reference, let content = file.stream(reference, limit: 8 << 20) else {
            return false
        }
        return ContentInstructions(content).contains {
            ["Tj", "TJ", "'", "\""].contains($0.name) || (pictures && ["BI", "Do"].contains($0.name))
        }
    }
}
