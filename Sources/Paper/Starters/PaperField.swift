import PDF

/// A field of a paper of ours.
struct PaperField {
    enum Kind {
        case text
        case multiline
        case checkBox
        case choice([String])
        case signature
    }

    /// How what is entered is written, in Acrobat's stock formats, which other programs know too.
    enum Format {
        case date(String)
        case number(decimals: Int)
        case percent(decimals: Int)
    }

    struct Calculation {
        /// `SUM` or `PRD`.
        var operation: String
        var fields: [String]
    }

    var name: String
    var kind: Kind
    /// What is read aloud and shown when the pointer rests on it.
    var tooltip: String
    /// Several when the same value is shown in several places.
    var places: [Place]
    var font = FontKey.sans
    var size = 10.5
    var colour = Colour.ink
    var alignment = Leaf.Alignment.left
    var format: Format?
    var calculation: Calculation?
    var isRequired = false
    var value: String?

    init(_ name: String, _ kind: Kind = .text, tooltip: String, _ place: Place) {
        self.init(name, kind, tooltip: tooltip, places: [place])
    }

    init(_ name: String, _ kind: Kind = .text, tooltip: String, places: [Place]) {
        self.name = name
        self.kind = kind
        self.tooltip = tooltip
        self.places = places
    }

    func with(_ change: (inout PaperField) -> Void) -> PaperField {
        var changed = self
        change(&changed)
        return changed
    }
}
