/// One statement of a card: `item1.TEL;TYPE=work:+1 514 555 0100`.
///
/// The value stays as vCard 3 and 4 spell it, with its strokes in front of commas and semicolons, because only the name of a
/// property tells what they mean, and of many names nobody knows more than who wrote them. `CardKind` reads it.
public struct CardProperty: Sendable {
    /// Ties properties of a card together: a telephone number and what it is called.
    public var group: String? { didSet { source = nil } }
    /// In capitals: `EMAIL`.
    public var name: String { didSet { source = nil } }
    public var parameters: [CardParameter] { didSet { source = nil } }
    public var value: String { didSet { source = nil } }
    /// Where it stands among the bytes of its card; nil once it says something else.
    private(set) var source: Range<Int>?

    public init(
        _ name: String, _ value: String, _ parameters: [CardParameter] = [], group: String? = nil
    ) {
        self.init(name, value, parameters, group: group, source: nil)
    }

    init(
        _ name: String, _ value: String, _ parameters: [CardParameter], group: String?, source: Range<Int>?
    ) {
        self.group = group
        self.name = name
        self.parameters = parameters
        self.value = value
        self.source = source
    }
}

/// What is said about a value: `TYPE=work,voice`.
public struct CardParameter: Sendable, Equatable {
    /// In capitals.
    public var name: String
    /// Without quotation marks.
    public var values: [String]

    public init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }

    public init(_ name: String, _ value: String) { self.init(name, [value]) }
}

extension CardProperty: Equatable {
    public static func == (a: Self, b: Self) -> Bool {
        a.name == b.name && a.group == b.group && a.parameters == b.parameters
            && a.value.utf8.elementsEqual(b.value.utf8)
    }
}

extension CardProperty {
    public var kind: CardKind {
        if let said = self["VALUE"]?.lowercased() {
            if said == "text" { return CardKind(of: name) == .texts ? .texts : .text }
            if said == "uri" || said == "url" { return .address }
        }
        return CardKind(of: name)
    }

    /// The first value of a parameter.
    public subscript(parameter: String) -> String? {
        parameters.first { $0.name == parameter }?.values.first
    }

    /// `work`, `cell`, `pref`; in small letters.
    public var types: [String] {
        parameters.filter { $0.name == "TYPE" }.flatMap(\.values).map { $0.lowercased() }
    }

    public var isPreferred: Bool { self["PREF"] == "1" || types.contains("pref") }

    /// What it says, without strokes: parts and lists are joined as they stand.
    public var text: String {
        switch kind {
        case .address: CardText.address(value)
        case .unknown: value
        default: CardText.plain(value)
        }
    }

    /// The parts of a name or an address; a part may hold several values. A comma beside which nothing stands is one of those
    /// that somebody forgot to mark: no value is empty.
    public var parts: [[String]] {
        CardText.split(value, at: UInt8(ascii: ";")).map { part in
            let values = CardText.split(part, at: UInt8(ascii: ","))
            let isList = values.count > 1 && values.allSatisfy { !$0.isEmpty }
            return isList ? values.map(CardText.plain) : [CardText.plain(part)]
        }
    }

    /// A telephone number for a person: `+1-555-0100 ext. 5`.
    public var number: String {
        let text = CardText.trimmed(text)
        guard text.lowercased().hasPrefix("tel:") else { return text }
        return String(text.dropFirst(4)).replacing(";ext=", with: " ext. ")
    }

    /// The parts of a value in which a comma is no more than a comma.
    public var plainParts: [String] {
        CardText.split(value, at: UInt8(ascii: ";")).map(CardText.plain)
    }

    /// The values of a list: nicknames, categories.
    public var list: [String] { CardText.split(value, at: UInt8(ascii: ",")).map(CardText.plain) }

    /// What a line without a name adds to it.
    mutating func append(_ more: String, until end: Int) {
        let start = source?.lowerBound
        value += more
        source = start.map { $0..<max($0, end) }
    }

    mutating func set(_ parameter: String, _ value: String?) {
        if let place = parameters.firstIndex(where: { $0.name == parameter }) {
            if let value {
                parameters[place].values = [value]
            } else {
                parameters.removeAll { $0.name == parameter }
            }
        } else if let value {
            parameters.append(CardParameter(parameter, value))
        }
    }

    /// Its types as one parameter; none when the list is empty.
    mutating func set(types: [String]) {
        let place = parameters.firstIndex { $0.name == "TYPE" }
        parameters.removeAll { $0.name == "TYPE" }
        guard !types.isEmpty else { return }
        parameters.insert(CardParameter("TYPE", types), at: min(place ?? 0, parameters.count))
    }

    func removing(_ name: String) -> CardProperty {
        var other = self
        other.set(name, nil)
        return other
    }
}

/// How the value of a property is to be read.
public enum CardKind: Sendable {
    /// One text, in which strokes stand before commas, semicolons and strokes.
    case text
    /// Several texts, with commas between them.
    case texts
    /// Parts with semicolons between them, each of which may be a list.
    case parts
    /// Parts with semicolons between them, in which commas mean nothing.
    case plainParts
    /// An address of the web or of anything else, without strokes.
    case address
    /// A day, a time or both.
    case date
    /// Nobody knows; it is carried as it is written.
    case unknown

    public init(of name: String) { self = Self.known[name] ?? .unknown }

    private static let known: [String: CardKind] = {
        var known: [String: CardKind] = [:]
        func add(_ kind: CardKind, _ names: String) {
            for name in names.split(separator: " ") { known[String(name)] = kind }
        }
        add(.parts, "N ADR")
        add(.plainParts, "ORG GENDER CLIENTPIDMAP")
        add(.texts, "NICKNAME CATEGORIES")
        add(
            .address,
            "URL PHOTO LOGO SOUND KEY SOURCE IMPP CALURI CALADRURI FBURL MEMBER RELATED CONTACT-URI ORG-DIRECTORY "
                + "SOCIALPROFILE X-SOCIALPROFILE GEO UID")
        add(.date, "BDAY ANNIVERSARY DEATHDATE REV CREATED X-MET-ON X-ABDATE X-ANNIVERSARY")
        add(
            .text,
            "FN NOTE TITLE ROLE TEL EMAIL TZ LABEL KIND PRODID LANG BIRTHPLACE DEATHPLACE EXPERTISE HOBBY INTEREST "
                + "PRONOUNS GRAMGENDER LANGUAGE MAILER SORT-STRING CLASS NAME PROFILE X-ABLABEL X-MAIDENNAME XML VERSION "
                + "X-PHONETIC-FIRST-NAME X-PHONETIC-MIDDLE-NAME X-PHONETIC-LAST-NAME X-ABRELATEDNAMES X-ABADR "
                + "X-MET-AT X-PRONOUNS X-LANG"
        )
        return known
    }()

    /// Pictures, sounds and keys, which may lie in the card itself.
    static func holdsFile(_ name: String) -> Bool {
        name == "PHOTO" || name == "LOGO" || name == "SOUND" || name == "KEY"
    }
}
