/// What is to be put into a field.
public enum FieldValue: Sendable, Equatable {
    /// Any field: the text itself, the name of a state, an option as stored or as shown.
    case text(String)
    /// Several options of a list.
    case texts([String])
    /// Ticked or not.
    case flag(Bool)

    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        case .flag(let flag): [flag ? "true" : "false"]
        }
    }
}
