extension CardProperty {
    /// One that says a text, with strokes where it needs them.
    public static func text(
        _ name: String, _ text: String, _ parameters: [CardParameter] = [], group: String? = nil
    ) -> CardProperty {
        CardProperty(name, CardText.escaped(text), parameters, group: group)
    }

    /// One in parts, each of which may be a list: a name, an address.
    public static func parts(
        _ name: String, _ parts: [[String]], _ parameters: [CardParameter] = []
    ) -> CardProperty {
        CardProperty(name, CardText.joined(parts), parameters)
    }
}
