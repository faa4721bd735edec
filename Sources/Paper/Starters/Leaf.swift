import PDF
import PDFDrawing

/// A page being drawn. Places are counted in points from its upper left corner, as a designer counts them.
struct Leaf {
    enum Alignment: Int { case left, centre, right }

    /// What a reader is told about a piece of the page, in reading order (ISO 32000-2 §14.8).
    enum Piece {
        case text(tag: Tag, number: Int)
        case picture(words: String, number: Int)
        case field(Int)
    }

    /// The structure types our papers need (§14.8.4).
    enum Tag: String { case paragraph = "P", title = "H1", heading = "H2" }

    let width: Double
    let height: Double
    private(set) var content: [UInt8] = []
    private(set) var pieces: [Piece] = []
    private(set) var letters: [FontKey: Set<UInt8>] = [:]
    private let fonts: Fonts
    private let accent: Colour
    private var marks = 0

    init(width: Double, height: Double, fonts: Fonts, accent: Colour) {
        self.width = width
        self.height = height
        self.fonts = fonts
        self.accent = accent
    }

    // MARK: Text

    /// One line; `y` is where its letters stand.
    mutating func text(
        _ text: String, x: Double, y: Double, _ font: FontKey = .sans, size: Double, colour: Colour = .ink,
        alignment: Alignment = .left, spacing: Double = 0, tag: Tag = .paragraph
    ) {
        let face = fonts[font]
        let width = face.width(text, size: size, spacing: spacing)
        let left =
            switch alignment {
            case .left: x
            case .centre: x - width / 2
            case .right: x - width
            }
        letters[font, default: []].formUnion(face.codes(text))
        content.append(text: "/")
        content.append(contentsOf: tag.rawValue.utf8)
        content.append(text: "<</MCID ")
        content.append(number: marks)
        content.append(text: ">>BDC BT ")
        fill(colour)
        content.append(name: font.name)
        content.append(32)
        numbers(size)
        content.append(text: " Tf ")
        if spacing != 0 {
            numbers(spacing)
            content.append(text: " Tc ")
        }
        numbers(left, height - y)
        content.append(text: " Td ")
        face.show(text, into: &content)
        content.append(text: spacing != 0 ? "0 Tc ET EMC\n" : "ET EMC\n")
        pieces.append(.text(tag: tag, number: marks))
        marks += 1
    }

    /// Lines broken between words; gives where the next line would stand.
    @discardableResult
    mutating func paragraph(
        _ text: String, x: Double, y: Double, width: Double, leading: Double, _ font: FontKey = .sans,
        size: Double, colour: Colour = .ink
    ) -> Double {
        var y = y
        var line = ""
        for word in text.split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if !line.isEmpty, fonts[font].width(longer, size: size) > width {
                self.text(line, x: x, y: y, font, size: size, colour: colour)
                y += leading
                line = String(word)
            } else {
                line = longer
            }
        }
        if !line.isEmpty {
            self.text(line, x: x, y: y, font, size: size, colour: colour)
            y += leading
        }
        return y
    }

    func width(_ text: String, _ font: FontKey, size: Double) -> Double {
        fonts[font].width(text, size: size)
    }

    // MARK: Lines and shapes

    mutating func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, width: Double = 0.6, colour: Colour = .hair
    ) {
        artifact { leaf in
            leaf.stroke(colour, width)
            leaf.numbers(x1, leaf.height - y1)
            leaf.content.append(text: " m ")
            leaf.numbers(x2, leaf.height - y2)
            leaf.content.append(text: " l S ")
        }
    }

    mutating func box(
        _ place: Place, fill: Colour? = nil, stroke: Colour? = nil, width: Double = 0.6, radius: Double = 0
    ) {
        artifact { leaf in
            if let fill { leaf.fill(fill) }
            if let stroke { leaf.stroke(stroke, width) }
            leaf.outline(place, radius: radius)
            leaf.content.append(text: fill != nil && stroke != nil ? "B " : fill != nil ? "f " : "S ")
        }
    }

    mutating func circle(
        x: Double, y: Double, radius: Double, fill: Colour? = nil, stroke: Colour? = nil, width: Double = 0.6
    ) {
        box(
            Place(x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius), fill: fill,
            stroke: stroke, width: width, radius: radius)
    }

    /// A closed shape through points.
    mutating func shape(_ points: [(x: Double, y: Double)], fill colour: Colour) {
        artifact { leaf in
            leaf.fill(colour)
            for (index, point) in points.enumerated() {
                leaf.numbers(point.x, leaf.height - point.y)
                leaf.content.append(text: index == 0 ? " m " : " l ")
            }
            leaf.content.append(text: "f ")
        }
    }

    private mutating func outline(_ place: Place, radius: Double) {
        let left = place.x
        let right = place.x + place.width
        let top = height - place.y
        let bottom = top - place.height
        guard radius > 0 else {
            numbers(left, bottom, place.width, place.height)
            content.append(text: " re ")
            return
        }
        // A quarter of a circle as one curve.
        let r = min(radius, place.width / 2, place.height / 2)
        let k = r * 0.5523
        numbers(left + r, bottom)
        content.append(text: " m ")
        numbers(right - r, bottom)
        content.append(text: " l ")
        curve(right - r + k, bottom, right, bottom + r - k, right, bottom + r)
        numbers(right, top - r)
        content.append(text: " l ")
        curve(right, top - r + k, right - r + k, top, right - r, top)
        numbers(left + r, top)
        content.append(text: " l ")
        curve(left + r - k, top, left, top - r + k, left, top - r)
        numbers(left, bottom + r)
        content.append(text: " l ")
        curve(left, bottom + r - k, left + r - k, bottom, left + r, bottom)
        content.append(text: "h ")
    }

    private mutating func curve(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x3: Double, _ y3: Double
    ) {
        numbers(x1, y1, x2, y2, x3, y3)
        content.append(text: " c ")
    }

    // MARK: Pictures

    /// A picture known to the page under this name.
    mutating func picture(_ name: PDFName, at place: Place, described words: String) {
        content.append(text: "/Figure<</MCID ")
        content.append(number: marks)
        content.append(text: ">>BDC q ")
        numbers(place.width, 0, 0, place.height, place.x, height - place.y - place.height)
        content.append(text: " cm ")
        content.append(name: name)
        content.append(text: " Do Q EMC\n")
        pieces.append(.picture(words: words, number: marks))
        marks += 1
    }

    // MARK: Fields

    /// Notes that a field is read here.
    mutating func field(_ number: Int) { pieces.append(.field(number)) }

    // MARK: Operators

    private mutating func artifact(_ draw: (inout Leaf) -> Void) {
        content.append(text: "/Artifact BMC ")
        draw(&self)
        content.append(text: "EMC\n")
    }

    private mutating func fill(_ colour: Colour) {
        let colour = colour == .accent ? accent : colour
        numbers(colour.red, colour.green, colour.blue)
        content.append(text: " rg ")
    }

    private mutating func stroke(_ colour: Colour, _ width: Double) {
        let colour = colour == .accent ? accent : colour
        numbers(colour.red, colour.green, colour.blue)
        content.append(text: " RG ")
        numbers(width)
        content.append(text: " w ")
    }

    private mutating func numbers(_ values: Double...) {
        for (index, value) in values.enumerated() {
            if index > 0 { content.append(32) }
            content.append(number: value, decimals: 3)
        }
    }
}

/// A place on a leaf, counted from the upper left corner.
struct Place {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
}
