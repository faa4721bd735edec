/// What to call a field in front of a person, and how it was found out.
public struct FieldLabel: Sendable, Equatable {
    public enum Source: String, Sendable {
        /// The words the form's author wrote for it.
        case tooltip
        case left, above, inside, right, below
        /// The heading of its column in a table.
        case heading
        /// Its technical name, made readable.
        case name
    }

    public var text: String
    public var source: Source
    /// From 0, a wild guess, to 1, the author's own words.
    public var confidence: Double
    /// Counted from 1, when one label belongs to several fields side by side, as a date in three boxes has it.
    public var part: Int?
    /// Counted from 1, when the field is one of several below the same heading.
    public var row: Int?
    /// Of boxes to tick: what stands beside each of its places, in their order.
    public var choices: [String]
    /// The heading over the field: “Section II: Spouse”. The same words below another heading are about somebody else.
    public var section: String?

    public init(
        _ text: String, source: Source, confidence: Double, part: Int? = nil, row: Int? = nil,
        choices: [String] = [], section: String? = nil
    ) {
        self.text = text
        self.source = source
        self.confidence = confidence
        self.part = part
        self.row = row
        self.choices = choices
        self.section = section
    }
}
