/// What somebody is called, in parts. What is shown is always made of them, by one function.
public struct CardName: Sendable, Equatable {
    public var prefix = ""
    public var given = ""
    public var middle = ""
    public var family = ""
    public var suffix = ""
    /// The family name before a marriage.
    public var maiden = ""
    /// What somebody wants to be called.
    public var preferred = ""
    public var pronouns = ""

    public init() {}

    /// For programs: `Dr. Ana María López Jr.`
    public var plain: String {
        if isWrittenTogether { return family + given }
        return [prefix, given, middle, family, suffix].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// For people: `Dr. Ana “Anita” López (née Ruiz) (she/her)`; without the word before the maiden name, which every
    /// language has its own of.
    public func shown(in language: String = "en") -> String {
        var words = [prefix, given]
        if !preferred.isEmpty, preferred != given {
            words.append(language.hasPrefix("fr") ? "«\u{A0}\(preferred)\u{A0}»" : "“\(preferred)”")
        }
        words += [middle, family, suffix]
        var text =
            isWrittenTogether ? family + given : words.filter { !$0.isEmpty }.joined(separator: " ")
        for more in [maiden, pronouns] where !more.isEmpty { text += text.isEmpty ? more : " (\(more))" }
        return text
    }

    /// For a picture that is not there.
    public var initials: String {
        let letters = [given.isEmpty ? preferred : given, family].compactMap(\.first).map { String($0) }
        return letters.joined().uppercased()
    }

    public var isEmpty: Bool { plain.isEmpty && preferred.isEmpty }

    /// Chinese, Japanese and Korean names: the family first, and no space.
    private var isWrittenTogether: Bool {
        guard !family.isEmpty, !given.isEmpty, prefix.isEmpty, middle.isEmpty, suffix.isEmpty else {
            return false
        }
        return (family + given).unicodeScalars.allSatisfy {
            switch $0.value {
            case 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x3FFFF: true
            default: false
            }
        }
    }
}
