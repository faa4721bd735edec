import Bytes

/// What a field of a card can be: a telephone number, an account somewhere, a way to pay.
///
/// A kind is a line of `FieldKind.all`; what its value may look like, the link that is made of it, the addresses it is
/// recognised by and its place on a vCard all follow from that line.
///
/// ```swift
/// let (kind, value) = FieldKind.recognise("https://github.com/octocat/")   // GitHub, "octocat"
/// try kind.understood("@octocat")                                          // "octocat"
/// kind.link(to: "octocat")                                                 // "https://github.com/octocat"
/// ```
public struct FieldKind: Sendable {
    public enum Family: String, Sendable, CaseIterable {
        case contact, social, developer, messaging, payment, creator, scheduling, other
    }

    /// What its value is, and so how it is checked and what is made of it.
    public enum Form: Sendable, Equatable {
        case telephone
        case mail
        /// Street, city, region, postal code, country: a line each.
        case place
        case day
        /// A name on a service: `{}` stands for it in the address. The whole address of a page there is taken as well.
        case account(String)
        /// Any page of the web.
        case page
        /// `@name@server`
        case federated
        /// `@name:server`
        case matrix
        /// `name@server`, which is no mail
        case jabber
        /// A telephone number in an address: `https://wa.me/{}`
        case number(String)
        case iban, clabe
        /// Nothing but letters and digits.
        case code
        case line
        case lines
    }

    /// Where it stands on a vCard.
    enum Place: Sendable, Equatable {
        case telephone(String)
        case mail, address, birthday, page
        /// SOCIALPROFILE, and a page with a name.
        case profile
        /// IMPP with this scheme, and a page with a name where there is one.
        case messages(String)
        /// A line of the note.
        case note
        case key, feed
    }

    /// As cards are kept with it: `github`.
    public let id: String
    public let family: Family
    /// In English, or as it is called everywhere.
    public let name: String
    /// It is called so in every language.
    public let isBrand: Bool
    public let form: Form
    /// What one may look like.
    public let example: String
    /// The servers whose addresses are recognised as this kind.
    let hosts: [String]
    let place: Place

    init(
        _ id: String, _ family: Family, _ name: String, _ form: Form, _ example: String,
        _ place: Place = .page, hosts: [String] = [], isBrand: Bool = true
    ) {
        self.id = id
        self.family = family
        self.name = name
        self.isBrand = isBrand
        self.form = form
        self.example = example
        self.place = place
        var hosts = hosts
        if case .account(let template) = form { hosts.insert(WebPlace(template)?.host ?? "", at: 0) }
        if case .number(let template) = form, let host = WebPlace(template)?.host {
            hosts.insert(host, at: 0)
        }
        self.hosts = hosts.filter { !$0.isEmpty }
    }

    /// Which keys a phone shows for it.
    public var inputMode: String {
        switch form {
        case .telephone, .number: "tel"
        case .mail, .jabber: "email"
        case .page: "url"
        case .clabe: "numeric"
        default: "text"
        }
    }

    /// What the browser may fill in by itself.
    public var autocomplete: String {
        switch form {
        case .telephone: "tel"
        case .mail: "email"
        case .page: "url"
        default: "off"
        }
    }

    public var isLong: Bool { form == .lines || form == .place }

    public static func named(_ id: String) -> FieldKind? { byID[id] }
    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}

/// Who sees a field.
public enum FieldAudience: String, Sendable, CaseIterable {
    /// Whoever has the address of the card.
    case everybody = "public"
    /// Who has sent a card back, once its owner has said yes to it.
    case exchanged = "exchange"
    /// Nobody but the owner of the card.
    case nobody = "private"
}

/// Host and path of an address on the web, as far as recognising needs them.
struct WebPlace {
    var host: String
    /// Begins with a stroke, without one at its end.
    var path: String

    /// Nil for what is no address: `octocat`, `ana@example.org`.
    init?(_ text: String) {
        var rest = text[...]
        var isCertain = false
        for scheme in ["https://", "http://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
            isCertain = true
        }
        let host = rest.prefix { !"/?#".contains($0) }
        guard host.contains("."), !host.contains("@"), !host.contains(where: \.isWhitespace),
            host.first != ".", host.last != ".", isCertain || rest.contains("/")
        else { return nil }
        var name = host.lowercased()
        for prefix in ["www.", "m.", "mobile."] where name.hasPrefix(prefix) && name.count > prefix.count + 3
        {
            name = String(name.dropFirst(prefix.count))
        }
        self.host = name
        var path = String(rest.dropFirst(host.count).prefix { !"?#".contains($0) })
        while path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }
}
