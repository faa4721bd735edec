/// Bold, dim and coloured text, where the terminal wants it.
struct Style: Sendable {
    var isOn: Bool
    /// How much fits beside each other; nil where nobody looks at it on a screen.
    var width: Int?

    static let plain = Style(isOn: false)

    func bold(_ text: String) -> String { set(text, "1") }
    func dim(_ text: String) -> String { set(text, "2") }
    func heading(_ text: String) -> String { set(text, "1;4") }
    func good(_ text: String) -> String { set(text, "32") }
    func warning(_ text: String) -> String { set(text, "33") }
    func bad(_ text: String) -> String { set(text, "31") }

    private func set(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
