/// The plural categories our languages use (Unicode CLDR 45, cardinal rules for whole numbers), and `zero`: what a text
/// says where there is none, if it says it in words of its own ("The folder is empty").
public enum Plural: String, Sendable, Hashable, CaseIterable {
    case zero, one, many, other

    /// Which form a count takes: French says `0 document`, and Spanish and French say `1 000 000 de documents`.
    public static func category(of count: Int, in language: Language) -> Plural {
        switch language {
        case .mexicanSpanish:
            count == 1 ? .one : isRoundMillion(count) ? .many : .other
        case .canadianFrench:
            count == 0 || count == 1 ? .one : isRoundMillion(count) ? .many : .other
        default:
            count == 1 ? .one : .other
        }
    }

    /// The forms a complete text needs in a language.
    public static func categories(in language: Language) -> [Plural] {
        language == .mexicanSpanish || language == .canadianFrench ? [.one, .many, .other] : [.one, .other]
    }

    private static func isRoundMillion(_ count: Int) -> Bool {
        count != 0 && count % 1_000_000 == 0
    }
}
