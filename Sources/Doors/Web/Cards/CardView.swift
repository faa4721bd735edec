import CardCase
import Markup
import Storage
import Work

/// A card as visitors see it, on its page and in its editor.
struct CardView: Sendable {
    var card: OwnCard
    var texts: Texts
    var pictures = Pictures()
    /// What can be done with it; nothing in the editor.
    var actions: [(address: String, label: String, isMain: Bool)] = []
    /// The name is the page's title.
    var isPage = false

    /// Where its pictures lie; nil for those it does not have.
    struct Pictures: Sendable {
        var places: [CardPicture.Kind: String] = [:]

        /// For its owner: anew as soon as the card has changed.
        static func ofOwner(_ card: OwnCard) -> Pictures {
            Pictures(card) { "/cards/\(card.id.text)/\($0.rawValue)?\(card.changedAt.milliseconds)" }
        }
        static func at(_ path: String, _ card: OwnCard) -> Pictures {
            Pictures(card) { "\(path)/\($0.rawValue)" }
        }
        /// Files in the folder of the page.
        static func beside(_ card: OwnCard) -> Pictures { Pictures(card) { "\($0.rawValue).jpg" } }

        init() {}

        private init(_ card: OwnCard, _ place: (CardPicture.Kind) -> String) {
            for kind in card.pictures.keys { places[kind] = place(kind) }
        }
    }

    var html: HTML {
        let layout =
            switch card.layout {
            case .stacked: "stacked"
            case .split: "split"
            case .photo: "wide"
            }
        let name = isPage ? card.shownName(for: texts.language.tag) : card.shownName()
        let heading: HTML =
            isPage
            ? "<h1 class=\"bizcard-name p-name\" dir=\"auto\">\(name)</h1>"
            : "<p class=\"bizcard-name\" dir=\"auto\">\(name)</p>"
        let fields = card.fields.map { "<li>\(line($0))</li>" as HTML }
        let note: HTML =
            card.note.isEmpty ? .empty : "<p class=\"bizcard-note p-note\" dir=\"auto\">\(card.note)</p>"
        let foot: HTML =
            actions.isEmpty
            ? .empty
            : """
            <div class="bizcard-foot">\(actions.map { action -> HTML in
                "<a class=\"bizcard-button\(action.isMain ? " bizcard-main" : "")\" href=\"\(url: action.address)\">\(action.label)</a>"
            })</div>
            """
        return """
            <article class="bizcard h-card bizcard-\(layout) bizcard-\(card.theme.rawValue)">\(isPage ? .empty : CardIcons.sprite)\(cover)<div class="bizcard-top">\(picture)\
            \(heading)\(role)\(logo)\(headline)</div>\(note)\
            \(fields.isEmpty ? HTML.empty : "<ul class=\"bizcard-list\">\(fields)</ul>")\(foot)</article>
            """
    }

    /// Where the photo has the whole width there is no other picture beside it.
    private var hasCover: Bool {
        pictures.places[.cover] != nil && !(card.layout == .photo && pictures.places[.photo] != nil)
    }

    private var cover: HTML {
        guard hasCover, let cover = pictures.places[.cover] else { return .empty }
        return "<img class=\"bizcard-cover\" src=\"\(url: cover)\" alt=\"\" width=\"1200\" height=\"400\">"
    }

    private var picture: HTML {
        if let photo = pictures.places[.photo] {
            return
                "<img class=\"bizcard-photo u-photo\" src=\"\(url: photo)\" alt=\"\" width=\"136\" height=\"136\">"
        }
        let initials = card.name.initials
        guard !initials.isEmpty, !(card.layout == .photo && hasCover) else { return .empty }
        return "<span class=\"bizcard-photo bizcard-initials\" aria-hidden=\"true\">\(initials)</span>"
    }

    private var logo: HTML {
        guard let logo = pictures.places[.logo] else { return .empty }
        return "<img class=\"bizcard-logo u-logo\" src=\"\(url: logo)\" alt=\"\">"
    }

    private var role: HTML {
        let name = card.shownName(for: texts.language.tag)
        let organization = [card.organization, card.department].filter { !$0.isEmpty && $0 != name }
        let title: HTML =
            card.title.isEmpty
            ? .empty : "<p class=\"bizcard-role p-job-title\" dir=\"auto\">\(card.title)</p>"
        let place: HTML =
            organization.isEmpty
            ? .empty
            : "<p class=\"bizcard-soft p-org\" dir=\"auto\">\(organization.joined(separator: ", "))</p>"
        let marks: HTML =
            card.accreditations.isEmpty
            ? .empty : "<p class=\"bizcard-soft\" dir=\"auto\">\(card.accreditations)</p>"
        return title + place + marks
    }

    private var headline: HTML {
        card.headline.isEmpty ? .empty : "<p class=\"bizcard-headline\" dir=\"auto\">\(card.headline)</p>"
    }

    private func line(_ field: OwnCard.Field) -> HTML {
        let text: HTML = """
            \(CardIcons.icon(of: field.kind))<span dir="auto">\(field.shown)<small>\(texts.name(of: field))</small></span>
            """
        guard let link = field.link else { return "<div class=\"bizcard-line\">\(text)</div>" }
        let (css, rel): (String, String?) =
            switch field.kind.form {
            case .telephone: ("p-tel", nil)
            case .mail: ("u-email", nil)
            default: ("u-url", link.hasPrefix("http") ? "me noopener" : nil)
            }
        return """
            <a class="bizcard-line \(css)" href="\(url: link)"\(attribute: "rel", rel)>\(text)</a>
            """
    }
}

/// A drawing for each family of fields; the name always stands beside it.
enum CardIcons {
    private static let drawings: [(name: String, path: String)] = [
        (
            "phone",
            "M5 4h4l1.5 5L8 10.500a12 12 0 0 0 5.500 5.500l1.500-2.500 5 1.500v4a2 2 0 0 1-2 2A15 15 0 0 1 3 6a2 2 0 0 1 2-2z"
        ),
        ("mail", "M3 6h18v12H3zM3 7l9 6 9-6"),
        ("page", "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18-3-3-3-15 0-18z"),
        (
            "place",
            "M12 21s7-6.500 7-11.500a7 7 0 0 0-14 0C5 14.500 12 21 12 21zM12 7.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"
        ),
        ("day", "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4"),
        (
            "social",
            "M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3.500 19a5.500 5.500 0 0 1 11 0M16 6a3 3 0 0 1 0 5.500M17 14a5 5 0 0 1 3.500 5"
        ),
        ("developer", "M8 7l-5 5 5 5M16 7l5 5-5 5M13.500 5l-3 14"),
        ("messaging", "M4 5h16v11H10l-5 4v-4H4z"),
        ("payment", "M3 6h18v12H3zM3 10h18M7 15h3"),
        (
            "creator",
            "M12 3.500l2.600 5.400 5.900.800-4.300 4.100 1 5.900-5.200-2.800-5.200 2.800 1-5.900L3.500 9.700l5.900-.800z"
        ),
        ("other", "M6 3h9l4 4v14H6zM14 3v5h5M9 13h6M9 17h6"),
    ]

    /// Stands once on a page, before the icons.
    static let sprite: HTML = """
        <svg width="0" height="0" hidden aria-hidden="true">\(drawings.map { drawing -> HTML in
            "<symbol id=\"card-\(drawing.name)\" viewBox=\"0 0 24 24\"><path d=\"\(drawing.path)\"/></symbol>"
        })</svg>
        """

    static func icon(of kind: FieldKind) -> HTML {
        let name =
            switch (kind.family, kind.form) {
            case (.contact, .telephone): "phone"
            case (.contact, .mail): "mail"
            case (.contact, .place): "place"
            case (.contact, .day), (.scheduling, _): "day"
            case (.contact, _): kind.id == "map" ? "place" : "page"
            case (.other, .page): "page"
            default: kind.family.rawValue
            }
        return "<svg aria-hidden=\"true\"><use href=\"#card-\(name)\"/></svg>"
    }
}
