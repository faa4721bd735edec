import PDF
import PDFDrawing

/// Everything about one place of a field that does not depend on the value, worked out once. A class, so that the
/// many who read it while documents are filled pass on a pointer and not its parts.
final class WidgetPlan: Sendable {
    let object: PDFReference
    let page: Int?
    let rectangle: PDFRectangle
    /// Width and height as the text sees them, before the widget is turned.
    let width: Double
    let height: Double
    let rotation: Int
    /// Turns back what does not turn with its page (NoRotate, §12.5.3); nil for what does.
    let upright: [Double]?
    /// Brings what is drawn in the place's own space onto the page.
    let placement: [Double]
    let font: TemplateFont
    /// The font's name in the appearance, with its slash.
    let fontName: [UInt8]
    let size: Double
    let stretch: Double
    let colour: [UInt8]
    let alignment: Int
    /// Distance from the edge to the clip, and from there to the text.
    let inset: Double
    let isHidden: Bool
    /// Operators that draw background and border.
    let frame: [UInt8]
    /// What an appearance of text begins with: the frame, the clip when the text needs one, the colour.
    let opening: [UInt8]
    let openingClipped: [UInt8]
    /// The widget's dictionary without the entries that filling sets, and without its closing brackets.
    let head: [UInt8]
    /// The appearance stream's dictionary up to its resources.
    let pictureHead: [UInt8]
    /// The appearance's object up to its length, when it needs no font but the form's own.
    let pictureStart: [UInt8]
    /// The shared resources `pictureStart` speaks of.
    let resources: PDFReference?
    let states: [PDFName]
    /// Where the appearance of a text goes, or the ticked one of a box that came without pictures.
    let picture: PDFReference?
    /// The appearance the template has, for flattening what is not filled.
    let oldPictures: [PDFName?: Placed]
    let oldState: PDFName?

    /// An appearance stream and the matrix that brings it to its place on the page.
    struct Placed: Sendable {
        var stream: PDFReference
        var matrix: [Double]
    }

    init(
        object: PDFReference, page: Int?, rectangle: PDFRectangle, rotation: Int, upright: [Double]?,
        font: TemplateFont, appearance: DefaultAppearance, alignment: Int, inset: Double, isHidden: Bool,
        frame: [UInt8],
        head: [UInt8], states: [PDFName], picture: PDFReference?, resources: PDFReference?,
        oldPictures: [PDFName?: Placed], oldState: PDFName?
    ) {
        self.object = object
        self.page = page
        self.rectangle = rectangle
        let isSideways = rotation == 90 || rotation == 270
        width = isSideways ? rectangle.height : rectangle.width
        height = isSideways ? rectangle.width : rectangle.height
        self.rotation = rotation
        self.upright = upright
        placement = Self.placement(rectangle, rotation, upright)
        self.font = font
        fontName = Self.called(font)
        size = appearance.size
        stretch = appearance.stretch
        colour = appearance.colour
        self.alignment = alignment
        self.inset = inset
        self.isHidden = isHidden
        self.frame = frame
        let lead: [UInt8] = frame + Array("/Tx BMC\nq\n".utf8)
        var rest: [UInt8] = Array("BT\n".utf8) + appearance.colour + [32]
        if appearance.stretch != 100 {
            rest.append(number: appearance.stretch)
            rest.append(text: " Tz ")
        }
        var clip: [UInt8] = []
        for number in [inset, inset, width - 2 * inset, height - 2 * inset] {
            clip.append(number: max(0, number))
            clip.append(32)
        }
        clip.append(text: "re W n\n")
        opening = lead + rest
        openingClipped = lead + clip + rest
        self.head = head
        pictureHead = Self.pictureHead(width: width, height: height, rotation: rotation)
        var start: [UInt8] = []
        start.append(number: picture?.number ?? 0)
        start.append(text: " 0 obj\n")
        start.append(contentsOf: pictureHead)
        start.append(text: "/Resources")
        if let resources {
            start.append(32)
            start.append(reference: resources)
        } else {
            start.append(contentsOf: Self.resources(of: font))
        }
        start.append(text: "/Length ")
        pictureStart = start
        self.resources = resources
        self.states = states
        self.picture = picture
        self.oldPictures = oldPictures
        self.oldState = oldState
    }

    /// True when text cannot just be moved to its place.
    var isTurned: Bool { rotation != 0 || upright != nil }

    /// A picture of the place with its way onto the page.
    func onPage(_ placed: Placed) -> Placed {
        upright.map { Placed(stream: placed.stream, matrix: Self.chain(placed.matrix, $0)) } ?? placed
    }

    private static func placement(
        _ box: PDFRectangle, _ rotation: Int, _ upright: [Double]?
    ) -> [Double] {
        let matrix: [Double] =
            switch rotation {
            case 90: [0, 1, -1, 0, box.right, box.bottom]
            case 180: [-1, 0, 0, -1, box.right, box.top]
            case 270: [0, -1, 1, 0, box.left, box.top]
            default: [1, 0, 0, 1, box.left, box.bottom]
            }
        return upright.map { chain(matrix, $0) } ?? matrix
    }

    private static func chain(_ a: [Double], _ b: [Double]) -> [Double] {
        guard a.count == 6, b.count == 6 else { return a }
        return [
            a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
            a[2] * b[1] + a[3] * b[3], a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5],
        ]
    }

    /// Every copy repeats the name; only the widget's DA must spell it as the form does.
    static func called(_ font: TemplateFont) -> [UInt8] {
        var name: [UInt8] = []
        name.append(name: font.name.count > 6 ? "F" : font.name)
        return name
    }

    static func resources(of font: TemplateFont) -> [UInt8] {
        var out: [UInt8] = Array("<</Font<<".utf8) + called(font)
        out.append(32)
        font.resource.write(into: &out)
        out.append(text: ">>>>")
        return out
    }

    static func pictureHead(width: Double, height: Double, rotation: Int) -> [UInt8] {
        var head: [UInt8] = Array("<</Subtype/Form/BBox[0 0 ".utf8)
        head.append(number: width, decimals: 4)
        head.append(32)
        head.append(number: height, decimals: 4)
        head.append(text: "]")
        let matrix: [Double]? =
            switch rotation {
            case 90: [0, 1, -1, 0, height, 0]
            case 180: [-1, 0, 0, -1, width, height]
            case 270: [0, -1, 1, 0, 0, width]
            default: nil
            }
        if let matrix {
            head.append(text: "/Matrix")
            PDFObject.array(matrix.map(PDFObject.real)).write(into: &head)
        }
        return head
    }
}

/// Reads plans out of a file. Fonts are shared between the widgets that name them.
struct WidgetPlanner {
    let file: PDFFile
    private let form: PDFDictionary
    private let newReference: () -> PDFReference
    private let isShared: Bool
    private var fonts: [PDFName: TemplateFont] = [:]
    /// Resources of appearances as objects of their own, one for each font, when they are to be shared.
    private(set) var resources: [PDFReference: [UInt8]] = [:]
    private var resourcesOfFonts: [ObjectIdentifier: PDFReference] = [:]

    init(_ file: PDFFile, sharesResources: Bool, newReference: @escaping () -> PDFReference) {
        self.file = file
        isShared = sharesResources
        self.newReference = newReference
        form = file.form ?? [:]
    }

    /// Gives the shared resources the first numbers, so that what each copy adds is written in ascending order.
    mutating func meetFonts(of fields: [Field]) {
        guard isShared else { return }
        for field in fields where [.text, .combo, .list].contains(field.kind) {
            for widget in field.widgets {
                let dictionary = file.dictionary(widget.object.object) ?? [:]
                _ = shared(font(defaultAppearance(dictionary, field).fontName, dictionary))
            }
        }
    }

    private func defaultAppearance(_ widget: PDFDictionary, _ field: Field) -> DefaultAppearance {
        DefaultAppearance(
            file.resolve(widget["DA"]).text ?? field.appearance.defaultAppearance
                ?? file.resolve(form["DA"]).text)
    }

    private mutating func shared(_ font: TemplateFont) -> PDFReference {
        if let known = resourcesOfFonts[ObjectIdentifier(font)] { return known }
        let reference = newReference()
        resourcesOfFonts[ObjectIdentifier(font)] = reference
        resources[reference] = WidgetPlan.resources(of: font)
        return reference
    }

    /// `shares`: whether the resources of its picture may stand apart, because whoever writes the picture writes them too.
    mutating func plan(
        _ widget: FieldWidget, of field: Field, picture: PDFReference?, shares: Bool
    ) -> WidgetPlan {
        let dictionary = file.dictionary(widget.object.object) ?? [:]
        let box = widget.rectangle
        let style = file.dictionary(dictionary["MK"]) ?? [:]
        let turned = ((file.resolve(style["R"]).integer ?? 0) % 360 + 360) % 360
        let rotation = turned % 90 == 0 ? turned : 0
        let isSideways = rotation == 90 || rotation == 270
        let width = isSideways ? box.height : box.width
        let height = isSideways ? box.width : box.height
        let appearance = defaultAppearance(dictionary, field)
        var border = border(dictionary)
        border.cells = field.combCells ?? 1
        var head: [UInt8] = Array("<<".utf8)
        var kept = dictionary.without("AP", "AS")
        // A box keeps its pictures: only which of them is shown changes.
        if field.isBox, !widget.needsPicture, let pictures = file.dictionary(dictionary["AP"]) {
            kept["AP"] = .dictionary(inline(pictures))
        }
        // Programs that come from the page find the field, its name and its value, by this way only.
        if widget.object != field.object, file.dictionary(dictionary["Parent"]) == nil {
            kept["Parent"] = .reference(field.object)
        }
        if widget.object == field.object {
            kept = kept.without("V", "RV", "I", "TI")
            field.stateKind(in: &kept)
        }
        kept.writeEntries(into: &head)
        let font = font(appearance.fontName, dictionary)
        let resources = picture != nil && isShared && shares ? shared(font) : nil
        return WidgetPlan(
            object: widget.object, page: widget.page, rectangle: box, rotation: rotation,
            upright: upright(dictionary, box, page: widget.page), font: font,
            appearance: appearance,
            alignment: file.resolve(dictionary["Q"]).integer ?? field.appearance.alignment
                ?? file.resolve(form["Q"]).integer ?? 0,
            inset: max(1, border.isRaised ? 2 * border.width : border.width), isHidden: widget.isHidden,
            frame: frame(style, border, width, height), head: head, states: widget.states, picture: picture,
            resources: resources, oldPictures: oldPictures(dictionary, box),
            oldState: file.resolve(dictionary["AS"]).name)
    }

    /// Bit 5 of an annotation's flags (§12.5.3).
    private static let noRotate = 1 << 4

    /// Around the upper left corner of the rectangle, against the turn of the page.
    private func upright(_ widget: PDFDictionary, _ box: PDFRectangle, page: Int?) -> [Double]? {
        let flags = file.resolve(widget["F"]).integer ?? 0
        guard flags & Self.noRotate != 0, let page, file.pages.indices.contains(page) else { return nil }
        var node = file.dictionary(.reference(file.pages[page])) ?? [:]
        for _ in 0..<50 where node["Rotate"] == nil {
            guard let parent = file.dictionary(node["Parent"]) else { break }
            node = parent
        }
        let turn = file.resolve(node["Rotate"]).integer ?? 0
        let (x, y) = (box.left, box.top)
        return switch ((turn % 360) + 360) % 360 {
        case 90: [0, 1, -1, 0, x + y, y - x]
        case 180: [-1, 0, 0, -1, 2 * x, 2 * y]
        case 270: [0, -1, 1, 0, x - y, x + y]
        default: nil
        }
    }

    /// The pictures with their states in place: a viewer takes a reference there for a picture and shows nothing.
    private func inline(_ pictures: PDFDictionary) -> PDFDictionary {
        PDFDictionary(
            pictures.entries.map { key, value in
                guard let reference = value.reference, !file.isStream(reference) else { return (key, value) }
                return (key, file.object(reference))
            })
    }

    // MARK: Fonts

    /// The font a name means: in the form's resources, in the resources of the widget's old appearance, or the
    /// standard font the name reminds of.
    private mutating func font(_ name: PDFName?, _ widget: PDFDictionary) -> TemplateFont {
        let name = name ?? "Helv"
        if let known = fonts[name] { return known }
        var places: [PDFObject?] = [form["DR"], widget["DR"]]
        if let normal = file.dictionary(file.dictionary(widget["AP"])?["N"]) {
            places.append(normal["Resources"])
        }
        for resources in places {
            guard let object = file.dictionary(file.dictionary(resources)?["Font"])?[name] else { continue }
            if let font = TemplateFont(file, object, name: name) {
                fonts[name] = font
                return font
            }
        }
        let font = TemplateFont.standard(near: name.text, name: name, file)
        fonts[name] = font
        return font
    }

    // MARK: Frame

    private struct Border {
        var width = 1.0
        var style: PDFName = "S"
        var dash: [Double] = [3]
        /// A comb shows its cells by lines like its border.
        var cells = 1
        var isRaised: Bool { style == "B" || style == "I" }
    }

    private func border(_ widget: PDFDictionary) -> Border {
        var border = Border()
        if let style = file.dictionary(widget["BS"]) {
            if let width = file.resolve(style["W"]).number { border.width = min(max(width, 0), 50) }
            border.style = file.resolve(style["S"]).name ?? "S"
            let dash = file.numbers(style["D"]).filter { $0 >= 0 }
            if dash.contains(where: { $0 > 0 }) { border.dash = dash }
        } else if case let old = file.array(widget["Border"]), old.count >= 3 {
            border.width = min(max(file.resolve(old[2]).number ?? 1, 0), 50)
            if old.count > 3, case let dash = file.numbers(old[3]), dash.contains(where: { $0 > 0 }) {
                border.style = "D"
                border.dash = dash
            }
        }
        return border
    }

    /// Background and border as MK and BS describe them (tables 168 and 192).
    private func frame(_ style: PDFDictionary, _ border: Border, _ width: Double, _ height: Double) -> [UInt8]
    {
        var out: [UInt8] = []
        let background = file.numbers(style["BG"])
        let line = file.numbers(style["BC"])
        if colour(background, ["g", "rg", "k"], into: &out) {
            rectangle(0, 0, width, height, "re f\n", into: &out)
        }
        let thickness = border.width
        guard thickness > 0, width > thickness, height > thickness else { return out }
        if border.isRaised { bevel(border, background, width, height, into: &out) }
        guard colour(line, ["G", "RG", "K"], into: &out) else { return out }
        out.append(number: thickness)
        out.append(text: " w ")
        if border.style == "D" {
            PDFObject.array(border.dash.map(PDFObject.real)).write(into: &out)
            out.append(text: " 0 d ")
        }
        if border.style == "U" {
            out.append(text: "0 ")
            out.append(number: thickness / 2)
            out.append(text: " m ")
            out.append(number: width)
            out.append(32)
            out.append(number: thickness / 2)
            out.append(text: " l s\n")
        } else {
            rectangle(
                thickness / 2, thickness / 2, width - thickness, height - thickness, "re s\n", into: &out)
            for cell in stride(from: 1, to: min(border.cells, 500), by: 1) {
                let x = width * Double(cell) / Double(border.cells)
                for (y, operation) in [(0, " m "), (height, " l s\n")] {
                    out.append(number: x)
                    out.append(32)
                    out.append(number: y)
                    out.append(contentsOf: operation.utf8)
                }
            }
        }
        return out
    }

    /// Light and shadow inside the border: white above for raised, grey for sunk.
    private func bevel(
        _ border: Border, _ background: [Double], _ width: Double, _ height: Double, into out: inout [UInt8]
    ) {
        let t = border.width
        let corners: (above: [(Double, Double)], below: [(Double, Double)]) = (
            [
                (t, t), (t, height - t), (width - t, height - t), (width - 2 * t, height - 2 * t),
                (2 * t, height - 2 * t),
                (2 * t, 2 * t),
            ],
            [
                (width - t, height - t), (width - t, t), (t, t), (2 * t, 2 * t), (width - 2 * t, 2 * t),
                (width - 2 * t, height - 2 * t),
            ]
        )
        let isSunk = border.style == "I"
        for (shade, points) in [
            (isSunk ? "0.5 g " : "1 g ", corners.above), (isSunk ? "0.75 g " : "0.5 g ", corners.below),
        ] {
            out.append(contentsOf: shade.utf8)
            for (index, point) in points.enumerated() {
                out.append(number: point.0)
                out.append(32)
                out.append(number: point.1)
                out.append(contentsOf: (index == 0 ? " m " : " l ").utf8)
            }
            out.append(text: "f\n")
        }
    }

    private func colour(_ numbers: [Double], _ operators: [String], into out: inout [UInt8]) -> Bool {
        let operation: String
        switch numbers.count {
        case 1: operation = operators[0]
        case 3: operation = operators[1]
        case 4: operation = operators[2]
        default: return false
        }
        for number in numbers {
            out.append(number: min(max(number, 0), 1), decimals: 4)
            out.append(32)
        }
        out.append(contentsOf: operation.utf8)
        out.append(10)
        return true
    }

    private func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ paint: String, into out: inout [UInt8]
    ) {
        for number in [x, y, width, height] {
            out.append(number: number)
            out.append(32)
        }
        out.append(contentsOf: paint.utf8)
    }

    // MARK: What the template shows already

    private func oldPictures(_ widget: PDFDictionary, _ box: PDFRectangle) -> [PDFName?: WidgetPlan.Placed] {
        guard let normal = file.dictionary(widget["AP"])?["N"] else { return [:] }
        if let stream = normal.reference, file.isStream(stream) {
            return placed(stream, box).map { [nil: $0] } ?? [:]
        }
        var pictures: [PDFName?: WidgetPlan.Placed] = [:]
        for (state, picture) in file.dictionary(normal)?.entries ?? [] {
            if let stream = picture.reference, file.isStream(stream) { pictures[state] = placed(stream, box) }
        }
        return pictures
    }

    /// The matrix A of §12.5.5: it brings the turned box of the picture onto the rectangle of the annotation.
    private func placed(_ stream: PDFReference, _ box: PDFRectangle) -> WidgetPlan.Placed? {
        guard let picture = file.dictionary(stream.object),
            let own = PDFRectangle(file.numbers(picture["BBox"]))
        else {
            return nil
        }
        let turned = (PDFMatrix(file.numbers(picture["Matrix"])) ?? PDFMatrix()).bounds(of: own)
        guard turned.width > 0, turned.height > 0 else { return nil }
        let across = box.width / turned.width
        let along = box.height / turned.height
        return WidgetPlan.Placed(
            stream: stream,
            matrix: [
                across, 0, 0, along, box.left - turned.left * across, box.bottom - turned.bottom * along,
            ])
    }
}

extension Field {
    /// Writes the kind of the field next to its value where it came from far up: some viewers look no further than
    /// to the parent.
    func stateKind(in entries: inout PDFDictionary) {
        guard entries["FT"] == nil else { return }
        switch kind {
        case .text, .barcode: entries["FT"] = .name("Tx")
        case .checkBox, .radio, .pushButton: entries["FT"] = .name("Btn")
        case .combo, .list: entries["FT"] = .name("Ch")
        case .signature, .unknown: break
        }
    }
}
