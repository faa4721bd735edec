public import Access
public import Bytes
import SQL
public import Storage
public import Work

/// A digital business card: what somebody of this desk gives away of themselves.
public struct OwnCard: Sendable, Equatable {
    public let id: ID<OwnCard>
    /// Nil for a card that was made at the machine before anybody had signed in; it is the owners'.
    public let member: ID<Member>?
    /// Where it lies: `/c/{slug}`.
    public internal(set) var slug: String
    /// The one that is shown when nobody says which.
    public internal(set) var isDefault: Bool
    public var fields: [Field] = []
    public internal(set) var pictures: [CardPicture.Kind: CardPicture] = [:]
    public let madeAt: Moment
    public internal(set) var changedAt: Moment

    /// What its owner calls it: Work, Band, Family.
    public var label = ""
    public var name = CardName()
    public var title = ""
    public var organization = ""
    public var department = ""
    public var headline = ""
    public var accreditations = ""
    public var note = ""
    public var language = CardLanguage.english
    public var theme = CardTheme.paper
    public var layout = CardLayout.stacked
    /// Whether visitors may send their own card back.
    public var answers = CardAnswers.welcome

    /// A line of the card.
    public struct Field: Sendable, Equatable {
        public var kind: FieldKind
        public var value: String
        /// What stands in the place of the kind's name: Studio, Parents.
        public var title: String
        public var audience: FieldAudience

        public init(
            _ kind: FieldKind, _ value: String, title: String = "", for audience: FieldAudience = .everybody
        ) {
            self.kind = kind
            self.value = value
            self.title = title
            self.audience = audience
        }

        public var link: String? { kind.link(to: value) }
        public var shown: String { kind.shown(value) }

        public static func == (a: Field, b: Field) -> Bool {
            a.kind.id == b.kind.id && a.value == b.value && a.title == b.title && a.audience == b.audience
        }
    }

    /// What can be set of it, beside its fields and its pictures.
    public static let settable: [ThingField<OwnCard>] = [
        .line("label", \.label, longest: 60, label: "cards.label", "what you call it; others do not see it"),
        .line("prefix", \.name.prefix, longest: 40, label: "cards.prefix", "before the name: Dr."),
        .line("given", \.name.given, longest: 80, label: "cards.given", "the given name"),
        .line("middle", \.name.middle, longest: 80, label: "cards.middle", "middle names"),
        .line("family", \.name.family, longest: 80, label: "cards.family", "the family name"),
        .line("suffix", \.name.suffix, longest: 40, label: "cards.suffix", "behind the name: Jr., PhD"),
        .line(
            "preferred", \.name.preferred, longest: 80, label: "cards.preferred", "what you want to be called"
        ),
        .line(
            "maiden", \.name.maiden, longest: 80, label: "cards.maiden", "the family name before a marriage"),
        .line("pronouns", \.name.pronouns, longest: 40, label: "cards.pronouns", "she/her"),
        .line("title", \.title, longest: 120, label: "cards.title", "what you do: Architect"),
        .line("organization", \.organization, longest: 120, label: "cards.organization", "where you do it"),
        .line("department", \.department, longest: 120, label: "cards.department", "and in which part of it"),
        .line("headline", \.headline, longest: 160, label: "cards.headline", "a sentence below the name"),
        .line(
            "accreditations", \.accreditations, longest: 160, label: "cards.accreditations",
            "what you are accredited as, with commas between"),
        .text("note", \.note, longest: 1000, label: "cards.note", "a few words about yourself"),
        .choice("language", \.language, label: "cards.language", "what the card is written in"),
        .choice("theme", \.theme, label: "cards.theme", "its colours"),
        .choice("layout", \.layout, label: "cards.layout", "how its parts stand"),
        .choice(
            "answers", \.answers, label: "cards.answers", "whether visitors may send their own card back"),
    ]

    /// So many lines nobody reads.
    public static let mostFields = 60

    /// What others call it: somebody's name, or that of an organization.
    public func shownName(for language: String? = nil) -> String {
        let shown = name.shown(in: language ?? self.language.rawValue)
        return shown.isEmpty ? organization : shown
    }

    /// What lists call it.
    public var called: String {
        label.isEmpty ? (name.plain.isEmpty ? organization : name.plain) : label
    }

    /// Without what is not for this audience: the only way by which a card goes to others.
    public func seen(by audience: FieldAudience) -> OwnCard {
        var card = self
        switch audience {
        case .nobody: return card
        case .exchanged: card.fields.removeAll { $0.audience == .nobody }
        case .everybody: card.fields.removeAll { $0.audience != .everybody }
        }
        card.label = ""
        return card
    }

    /// Whether somebody sees more after an exchange.
    public var hasMoreAfterExchange: Bool { fields.contains { $0.audience == .exchanged } }
}

/// The languages that cards are written in.
public enum CardLanguage: String, Sendable, CaseIterable {
    case english = "en", spanish = "es-MX", french = "fr-CA"
}

public enum CardAnswers: String, Sendable, CaseIterable {
    case welcome, closed
}

extension OwnCard {
    init(_ row: Row, in desk: borrowing some Readable & ~Copyable) throws {
        id = try row.id("id")
        member = try row.optionalText("member_id").flatMap { ID<Member>($0) }
        slug = try row.text("slug")
        isDefault = try row.bool("is_default")
        madeAt = try row.moment("made_at")
        changedAt = try row.moment("changed_at")
        let content = (try? JSON(parsing: try row.text("content"))) ?? [:]
        // What a newer desk knows and this one does not is passed over.
        for field in Self.settable { try? [field].take(content, into: &self) }
        fields = (content["fields"]?.array ?? []).compactMap { Field($0) }
        let shown = try desk.rows("SELECT * FROM own_card_picture WHERE card_id = \(id) AND is_shown = 1")
        for row in shown {
            guard let kind = CardPicture.Kind(rawValue: try row.text("kind")) else { continue }
            pictures[kind] = try CardPicture(row)
        }
    }

    var content: JSON {
        var json = Self.settable.json(of: self)
        json["fields"] = .array(fields.map(\.json))
        return .object(json)
    }
}

extension OwnCard.Field {
    init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(FieldKind.named), let value = json["value"]?.string
        else {
            return nil
        }
        self.init(
            kind, value, title: json["title"]?.string ?? "",
            for: json["visibility"]?.string.flatMap(FieldAudience.init(rawValue:)) ?? .nobody)
    }

    public var json: JSON {
        [
            "kind": .string(kind.id), "value": .string(value), "title": .string(title),
            "visibility": .string(audience.rawValue),
        ]
    }

    /// As somebody gives it: without a kind what is pasted says which it is.
    public init(given json: JSON) throws(Failure) {
        let typed = json["value"]?.string ?? ""
        guard typed.utf8.count <= 4096, !typed.utf8.contains(0) else {
            throw Failure(.tooLarge, "This field is too long.", field: "fields")
        }
        let title = (json["title"]?.string ?? "").withoutNUL.trimmed
        guard title.utf8.count <= 60, !title.contains(where: \.isNewline) else {
            throw Failure(.tooLarge, "This line is too long.", field: "fields")
        }
        let word = json["visibility"]?.string ?? FieldAudience.everybody.rawValue
        guard let audience = FieldAudience(rawValue: word) else {
            throw Failure(.invalid, "A field is public, exchange or private.", field: "fields")
        }
        let kindName = json["kind"]?.string ?? ""
        if kindName.isEmpty {
            guard let (kind, value) = FieldKind.recognise(typed) else {
                throw Failure(
                    .invalid, "“\(String(typed.prefix(60)))” does not say what it is. Choose its kind.",
                    field: "fields")
            }
            self.init(kind, value, title: title, for: audience)
        } else {
            guard let kind = FieldKind.named(kindName) else {
                throw Failure(
                    .invalid, "There is no kind of field called “\(String(kindName.prefix(60)))”.",
                    field: "fields")
            }
            self.init(kind, try kind.understood(typed), title: title, for: audience)
        }
    }
}
