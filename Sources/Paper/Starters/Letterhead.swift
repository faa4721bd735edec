/// Whose paper it is, drawn at its top instead of the fields for it.
public struct Letterhead: Sendable {
    public var name: String
    /// The logo may say it already.
    public var showsName: Bool
    public var lines: [String]
    /// A JPEG.
    public var logo: [UInt8]?
    /// Of rules, headings and bands; each part from 0 to 255. It has to be read on white.
    public var colour: (red: UInt8, green: UInt8, blue: UInt8)?

    public init(
        name: String, showsName: Bool, lines: [String], logo: [UInt8]?,
        colour: (red: UInt8, green: UInt8, blue: UInt8)?
    ) {
        self.name = name
        self.showsName = showsName
        self.lines = lines
        self.logo = logo
        self.colour = colour
    }

    var accent: Colour? {
        colour.map { Colour(Double($0.red) / 255, Double($0.green) / 255, Double($0.blue) / 255) }
    }

    /// Logo and name in one row; the name alone where there is no logo.
    func drawName(
        on page: inout PaperDraft.Page, in place: Place, _ font: FontKey, size: Double,
        colour: Colour = .accent,
        alignment: Leaf.Alignment = .left
    ) {
        let picture = logo.flatMap(JPEGPicture.init)
        let gap = picture != nil && showsName ? 10.0 : 0
        let scale =
            picture.map {
                min((showsName ? 0.5 : 1) * place.width / Double($0.width), place.height / Double($0.height))
            } ?? 0
        let wide = Double(picture?.width ?? 0) * scale
        let high = Double(picture?.height ?? 0) * scale
        let room = place.width - wide - gap
        let needed = showsName ? page.leaf.width(name, font, size: size) : 0
        let fitting = needed > room ? size * room / needed : size
        let free = place.width - wide - gap - min(needed, room)
        var left = place.x + free * Double(alignment.rawValue) / 2
        if let picture {
            page.add(
                picture,
                at: Place(x: left, y: place.y + (place.height - high) / 2, width: wide, height: high),
                described: name)
            left += wide + gap
        }
        guard showsName else { return }
        page.leaf.text(
            name, x: left, y: place.y + place.height / 2 + fitting * 0.35, font, size: fitting, colour: colour
        )
    }

    /// The lines below each other, from `y` on where the letters of the first stand.
    func drawLines(
        on page: inout PaperDraft.Page, x: Double, y: Double, leading: Double, size: Double,
        alignment: Leaf.Alignment, most: Int = 8
    ) {
        for (index, line) in lines.prefix(most).enumerated() {
            page.leaf.text(
                line, x: x, y: y + Double(index) * leading, size: size, colour: .muted, alignment: alignment)
        }
    }
}
