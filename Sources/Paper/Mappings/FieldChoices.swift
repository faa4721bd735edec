import Bytes
import Formulas
public import PDFForms

/// What a field with choices takes, and which of them a word of a table means: one reading for filling, plans, previews
/// and packets. Whatever could mean two of them means none, since a wrong paper is worse than one that waits.
public struct FieldChoices: Sendable {
    public struct Choice: Sendable, Equatable {
        /// How a mapping names it: `yes` and `no` for a box, else what people see.
        public var name: String
        /// What the form is given for it.
        public var value: FieldValue
        /// All that the form calls it.
        let names: [String]
        /// The same without capitals, accents and blanks.
        fileprivate let keys: [String]

        fileprivate init(_ name: String, _ value: FieldValue, _ names: [String]) {
            self.name = name
            self.value = value
            self.names = names
            keys = names.map(WordKey.of).filter { !$0.isEmpty }
        }
    }

    public enum Meaning: Sendable, Equatable {
        /// The form knows the word as it stands.
        case itself
        /// The same, written otherwise: capitals, accents, a yes in another language.
        case same(Choice)
        /// The only choice that it can mean. Somebody should look at it.
        case guess(Choice)
        case unknown
    }

    /// In the order of the form; a box is ticked or not.
    public let choices: [Choice]
    /// Several choices at once, in one cell with a semicolon, a stroke or a new line between them.
    public let takesSeveral: Bool
    /// Any other text may stand there too.
    public let takesOthers: Bool
    /// One box alone, which is ticked or not.
    public let isBox: Bool
    /// A box may also be left as it is drawn: not ticked.
    private let canBeOff: Bool
    private let exact: Set<String>
    private let yes: Int?
    private let no: Int?

    /// Nil for a field that takes any text.
    public init?(_ field: FieldFacts) {
        takesSeveral = field.isMultiSelect
        takesOthers = field.isEditable
        switch field.kind {
        case .checkBox, .radio:
            isBox = field.states.count <= 1
            canBeOff = true
            choices = isBox ? Self.box(field) : Self.boxes(field)
        case .combo, .list:
            isBox = false
            canBeOff = false
            choices = field.options.map { option in
                let isKnown = field.options.contains { $0.export == option.display && $0 != option }
                let shown = isKnown || option.display.isEmpty ? option.export : option.display
                return Choice(shown, .text(shown), [option.export, option.display])
            }
        case .text, .pushButton, .signature, .barcode, .unknown: return nil
        }
        guard !choices.isEmpty else { return nil }
        exact = Set(choices.flatMap(\.names))
        (yes, no) = isBox ? (0, 1) : Self.yesAndNo(choices)
    }

    private static func box(_ field: FieldFacts) -> [Choice] {
        [
            Choice("yes", .flag(true), field.states),
            Choice("no", .flag(false), ["Off"]),
        ]
    }

    private static func boxes(_ field: FieldFacts) -> [Choice] {
        // Where the form names its boxes one by one, a name belongs to the box of its place.
        let isNamed = field.options.count == field.states.count && field.places.count == field.states.count
        return field.states.enumerated().map { place, state in
            let option = isNamed ? field.options[place] : nil
            let names = [state] + (option.map { [$0.export, $0.display] } ?? [])
            return Choice(option?.display ?? state, .text(state), names)
        }
    }

    /// The two that stand for yes and no, where the form asks just that.
    private static func yesAndNo(_ choices: [Choice]) -> (Int?, Int?) {
        let flags = choices.map { choice in
            // A name of digits is yes or no only where there is nothing else.
            choice.names.compactMap { name in
                choices.count > 2 && name.allSatisfy(\.isNumber) ? nil : FlagReading.flag(name)
            }.first
        }
        let yes = flags.indices.filter { flags[$0] == true }
        let no = flags.indices.filter { flags[$0] == false }
        return yes.count == 1 && no.count == 1 ? (yes[0], no[0]) : (nil, nil)
    }

    /// The choice that a mapping names.
    public func named(_ name: String) -> Choice? {
        if let exact = choices.first(where: { $0.name == name }) { return exact }
        if let known = choices.first(where: { $0.names.contains(name) }) { return known }
        if isBox, let flag = FlagReading.flag(name) { return choice(flag) }
        if case .same(let choice) = meaning(of: name) { return choice }
        return nil
    }

    public func meaning(of text: String) -> Meaning {
        if exact.contains(text) { return .itself }
        let word = text.trimmed
        if word.isEmpty || isBox && BoxWords.isKnown(text) { return .itself }
        let key = WordKey.of(word)
        switch choices.found({ $0.names.contains(word) || !key.isEmpty && $0.keys.contains(key) }) {
        case .one(let choice): return .same(choice)
        case .several: return .unknown
        case .none: break
        }
        if let choice = FlagReading.flag(word).flatMap(choice) { return .same(choice) }
        if takesOthers || canBeOff && BoxWords.isOff(text) { return .itself }
        if isBox || key.isEmpty { return .unknown }
        if case .one(let choice) = guess(word, key) { return .guess(choice) }
        return .unknown
    }

    /// The words of a cell: several where the field takes several and does not know the whole.
    public func parts(_ text: String) -> [String] {
        guard takesSeveral, meaning(of: text) == .unknown else { return [text] }
        return text.split { ";|\n".contains($0) }.map { String($0).trimmed }
    }

    /// A yes or no that its file itself says.
    public func choice(_ flag: Bool) -> Choice? { (flag ? yes : no).map { choices[$0] } }

    /// The same beginning, the same words, one letter off: the first of these that fits decides.
    private func guess(_ word: String, _ key: String) -> Found {
        let digits = Self.figures(word)
        let words = Self.words(word)
        let isNo = !Self.negations.isDisjoint(with: words)
        func found(_ fits: (String) -> Bool) -> Found {
            choices.found { choice in
                choice.names.contains { name in
                    // A number is another one as soon as a digit differs, and “not married” is not “married”.
                    Self.figures(name) == digits
                        && !Self.negations.isDisjoint(with: Self.words(name)) == isNo && fits(name)
                }
            }
        }
        var near = found { WordKey.of($0).hasPrefix(key) }
        let told = words.filter { $0.count > 2 }
        if case .none = near, !told.isEmpty { near = found { told.isSubset(of: Self.words($0)) } }
        if case .none = near, key.count > 3, digits.isEmpty {
            near = found { Nearest.distance(WordKey.of($0), key) == 1 }
        }
        return near
    }

    /// Digits, and signs that are more or less of something.
    private static func figures(_ text: String) -> String {
        text.filter { $0.isNumber || "+<>=≥≤".contains($0) }
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.split { !$0.isLetter && !$0.isNumber }.map { Folding.key(String($0)) })
    }

    private static let negations: Set<String> = [
        "not", "no", "non", "never", "without", "nicht", "kein", "keine", "keinen", "nie", "ohne", "ne",
        "pas",
        "jamais", "sans", "nunca", "sin", "nao", "sem",
    ]
}

/// A text without what people write now one way and now another: capitals, accents, blanks. Its signs stay: “A+” is not “A-”.
enum WordKey {
    static func of(_ text: String) -> String {
        var key = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(400) where !scalar.properties.isWhitespace {
            let folded = Folding.fold(scalar)
            if folded != " " { key.append(folded) }
        }
        return String(key)
    }
}

private enum Found {
    case none, several
    case one(FieldChoices.Choice)
}

extension [FieldChoices.Choice] {
    fileprivate func found(_ fits: (FieldChoices.Choice) -> Bool) -> Found {
        let found = filter(fits)
        return found.count > 1 ? .several : found.first.map { .one($0) } ?? .none
    }
}
