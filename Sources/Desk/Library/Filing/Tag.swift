import SQL
public import Storage

/// A word that papers wear, so that those that belong together are found together wherever they lie.
public struct Tag: Sendable, Equatable {
    /// What its chip looks like; each is told apart from the next by daylight and at night.
    public enum Colour: String, Sendable, CaseIterable {
        case none, red, orange, yellow, green, teal, blue, purple, pink
    }

    public let id: ID<Tag>
    public var name: String
    public var colour: Colour
    /// Papers that wear it, those in the trash left out.
    public var paperCount: Int

    static let longest = 60

    public static let fields: [ThingField<Tag>] = [
        .line(
            "name", \.name, longest: longest * 4, isRequired: true, label: "filing.name", "what it is called"),
        .choice("colour", \.colour, label: "filing.tag.colour", "the colour of its chip", called: "COLOUR"),
    ]

    init(_ row: Row, paperCount: Int) throws {
        id = try row.id("id")
        name = try row.text("name")
        colour = Colour(rawValue: try row.text("colour")) ?? .none
        self.paperCount = paperCount
    }

    /// One line without commas, which part tags from each other; nil when nothing is left.
    static func cleaned(_ text: String) -> String? {
        guard let name = FileName.cleaned(text.map { "/\\,".contains($0) ? "-" : String($0) }.joined())
        else { return nil }
        return String(String.UnicodeScalarView(name.unicodeScalars.prefix(longest)))
    }

    /// What makes two tags the same: `Tax` and `tax`, `Impôts` and `impots`.
    static func folded(_ name: String) -> String {
        let folded = Words.folded(name)
        return folded.isEmpty ? name.lowercased() : folded
    }

    static let colourTables = Migration(
        "colours of tags", script: "ALTER TABLE tag ADD COLUMN colour TEXT NOT NULL DEFAULT 'none';")
}
