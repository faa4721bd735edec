import Access
import App
import Bytes
import Cards
import HTTP
import Library
import People
import Storage
import Transfer
import Work

/// What an address of CardDAV leads to.
enum CardDAVPlace {
    case top
    /// Who is asking, and where their books are.
    case member
    case book
    case card(String)
    case nowhere

    /// Below the door's own name.
    init(_ path: [String]) {
        self =
            switch path.count {
            case 0: .top
            case 1 where path[0] == "me": .member
            case 2 where path == ["me", "contacts"]: .book
            case 3 where path.starts(with: ["me", "contacts"]): .card(path[2])
            default: .nowhere
            }
    }

    static let space = "urn:ietf:params:xml:ns:carddav"
    /// Where a card is posted whose name the desk chooses.
    static let newCard = ";add-member"

    var isBook: Bool { if case .book = self { true } else { false } }
    var isMember: Bool { if case .member = self { true } else { false } }
    /// Whether programs ask what is new there.
    var isCollected: Bool { isBook || isMember }

    var address: String {
        switch self {
        case .top, .nowhere: "/carddav/"
        case .member: "/carddav/me/"
        case .book: "/carddav/me/contacts/"
        case .card(let name): "/carddav/me/contacts/" + PercentCoding.encode(name)
        }
    }
}

/// What the places say of themselves to somebody.
struct CardDAVView: Sendable {
    let token: String
    private let quire: Quire
    private let caller: Caller
    private let wish: DAVWish
    private let isBrief: Bool
    private let canEdit: Bool
    /// What programs wrote on the places, by what it is kept under.
    private var own: [String: [XMLScanner.Name: DAVXML.Value]] = [:]
    /// Of cards mostly nothing, and nothing is looked for then.
    private var hasOwnOfCards = false
    private let asksForMore: Bool

    init(_ quire: Quire, _ caller: Caller, _ wish: DAVWish, isBrief: Bool) throws {
        self.quire = quire
        self.caller = caller
        self.wish = wish
        self.isBrief = isBrief
        token = try quire.contacts.servedToken(by: caller)
        canEdit = caller.may(.edit)
        asksForMore =
            switch wish {
            case .all, .names: true
            case .some(let names): names.contains { !Self.isFixed($0, at: .card("")) }
            }
        try learn([.member, .book].compactMap { Self.owner(of: $0, nil, caller) })
    }

    /// Under what is kept what programs write there. On the way to their books each member has a place of their own.
    static func owner(of place: CardDAVPlace, _ file: Contacts.Served?, _ caller: Caller) -> String? {
        switch place {
        case .book: "contact-book"
        case .member: "contact-home/\(caller.memberID?.text ?? "")"
        case .card: file.map { "contact/\($0.id)" }
        case .top, .nowhere: nil
        }
    }

    /// Looks up what programs wrote on cards, where that is asked for.
    mutating func learn(_ files: [Contacts.Served]) throws {
        guard asksForMore else { return }
        let count = own.count
        try learn(files.compactMap { Self.owner(of: .card($0.name), $0, caller) })
        if own.count > count { hasOwnOfCards = true }
    }

    private mutating func learn(_ owners: [String]) throws {
        for (owner, properties) in try quire.documents.properties(of: owners, by: caller) {
            own[owner] = Dictionary(
                properties.map { (.init(namespace: $0.space, local: $0.name), $0.written) },
                uniquingKeysWith: { $1 })
        }
    }

    func described(
        _ place: CardDAVPlace, file: Contacts.Served? = nil, data: String? = nil
    ) -> String {
        let written = ownProperties(place, file)
        return DAVXML.described(
            place.address, wish, usual: Self.names(Self.usual, wish, adding: written),
            named: Self.names(Self.unusual, wish, without: written), isBrief: isBrief
        ) { name in
            name == Self.addressData
                ? data.map { .init(content: $0) } : written[name] ?? live(name, place, file)
        }
    }

    /// Nothing is listed for who names what is wanted: there may be thousands of cards.
    private static func names(
        _ names: [XMLScanner.Name], _ wish: DAVWish, adding more: [XMLScanner.Name: DAVXML.Value] = [:],
        without less: [XMLScanner.Name: DAVXML.Value] = [:]
    ) -> [XMLScanner.Name] {
        if case .some = wish { return [] }
        let others = more.keys.filter { !names.contains($0) }
        return names.filter { less[$0] == nil }
            + others.sorted { ($0.namespace, $0.local) < ($1.namespace, $1.local) }
    }

    private func ownProperties(
        _ place: CardDAVPlace, _ file: Contacts.Served?
    ) -> [XMLScanner.Name: DAVXML.Value] {
        guard file == nil || hasOwnOfCards else { return [:] }
        return Self.owner(of: place, file, caller).flatMap { own[$0] } ?? [:]
    }

    /// Whether a property leads to whoever is asking.
    func leadsHome(_ name: XMLScanner.Name, _ place: CardDAVPlace, _ file: Contacts.Served?) -> Bool {
        let value = ownProperties(place, file)[name] ?? live(name, place, file)
        return value?.content.contains("<D:href>\(CardDAVPlace.member.address)</D:href>") == true
    }

    /// What the desk itself says.
    func live(
        _ name: XMLScanner.Name, _ place: CardDAVPlace, _ file: Contacts.Served?
    ) -> DAVXML.Value? {
        let value: String? =
            switch name.namespace {
            case "DAV:": dav(name.local, place, file)
            case CardDAVPlace.space: card(name.local, place)
            case Self.server: name.local == "getctag" && place.isCollected ? token : nil
            default: nil
            }
        return value.map { DAVXML.Value(content: $0) }
    }

    // MARK: Names

    private static let server = "http://calendarserver.org/ns/"
    private static let addressData = XMLScanner.Name(namespace: CardDAVPlace.space, local: "address-data")

    /// What is told to whoever asks for everything.
    private static let usual = [
        "resourcetype", "displayname", "getetag", "getcontenttype", "getlastmodified", "sync-token",
        "current-user-principal", "supported-report-set",
    ].map { XMLScanner.Name(namespace: "DAV:", local: $0) }

    private static let live: [XMLScanner.Name] =
        usual
        + [
            "owner", "principal-URL", "principal-collection-set", "current-user-privilege-set",
            "supported-privilege-set", "acl", "acl-restrictions", "inherited-acl-set", "alternate-URI-set",
            "group-member-set", "group-membership", "add-member", "getcontentlength", "resource-id",
            "creationdate", "lockdiscovery", "supportedlock",
        ].map { .init(namespace: "DAV:", local: $0) }
        + [
            "addressbook-home-set", "addressbook-description", "supported-address-data",
            "supported-collation-set", "max-resource-size",
        ].map { .init(namespace: CardDAVPlace.space, local: $0) }
        + [.init(namespace: server, local: "getctag")]

    private static let unusual = live.filter { !usual.contains($0) }
    private static let known = Set(live)

    /// What nobody writes over: all that the desk knows by itself but what the book is called.
    static func isFixed(_ name: XMLScanner.Name, at place: CardDAVPlace) -> Bool {
        switch (name.namespace, name.local) {
        case ("DAV:", "displayname"): place.isMember
        case (CardDAVPlace.space, "addressbook-description"): !place.isBook
        case (CardDAVPlace.space, _): true
        default: known.contains(name)
        }
    }

    // MARK: Values

    private func dav(_ name: String, _ place: CardDAVPlace, _ file: Contacts.Served?) -> String? {
        let principal = "<D:href>\(CardDAVPlace.member.address)</D:href>"
        switch name {
        case "resourcetype":
            return switch place {
            case .top: "<D:collection/>"
            case .member: "<D:collection/><D:principal/>"
            case .book: "<D:collection/><C:addressbook xmlns:C=\"\(CardDAVPlace.space)\"/>"
            case .card, .nowhere: ""
            }
        case "displayname":
            return switch place {
            case .top, .book: "Quire"
            case .member: DAVXML.escaped(callerName)
            case .card, .nowhere: nil
            }
        case "current-user-principal", "owner", "principal-URL": return principal
        case "principal-collection-set": return "<D:href>\(CardDAVPlace.top.address)</D:href>"
        case "current-user-privilege-set": return privileges(place)
        case "supported-privilege-set": return Self.allPrivileges
        case "acl":
            return
                "<D:ace><D:principal>\(principal)</D:principal><D:grant>\(privileges(place))</D:grant><D:protected/></D:ace>"
        case "acl-restrictions": return "<D:grant-only/><D:no-invert/>"
        case "inherited-acl-set": return ""
        case "alternate-URI-set", "group-member-set", "group-membership": return place.isMember ? "" : nil
        case "supported-report-set":
            return CardDAVDoor.reports(at: place).map {
                "<D:supported-report><D:report><\($0) xmlns:C=\"\(CardDAVPlace.space)\"/></D:report></D:supported-report>"
            }.joined()
        case "sync-token": return place.isCollected ? token : nil
        case "add-member":
            return place.isBook
                ? "<D:href>\(CardDAVPlace.book.address)\(CardDAVPlace.newCard)</D:href>" : nil
        case "getetag": return file.map { DAVXML.escaped(ETag($0.mark).description) }
        case "getcontenttype": return file == nil ? nil : "text/vcard; charset=utf-8"
        case "getlastmodified": return file.map { HTTPDate.text($0.changedAt.milliseconds / 1000) }
        case "getcontentlength": return file.flatMap(byteCount)
        case "resource-id": return file.map { "<D:href>urn:uuid:\($0.id)</D:href>" }
        default: return nil
        }
    }

    var callerName: String { caller.name.isEmpty ? "Quire" : caller.name }

    /// The card has to be read for it, so only whoever asks for just this is told.
    private func byteCount(_ file: Contacts.Served) -> String? {
        if case .names = wish { return "" }
        let found = try? quire.contacts.served(file.name, by: caller)
        return found.map { "\(CardDAVData.bytes(of: $0.card, as: .vcard3).count)" }
    }

    private func privileges(_ place: CardDAVPlace) -> String {
        let writing: [String] =
            switch place {
            case .book: ["write", "write-properties", "write-content", "bind", "unbind"]
            case .card: ["write", "write-properties", "write-content"]
            // There is one book: programs that see no way to make another offer none.
            case .member: ["write-properties"]
            case .top, .nowhere: []
            }
        return (["read", "read-acl", "read-current-user-privilege-set"] + (canEdit ? writing : []))
            .map { "<D:privilege><D:\($0)/></D:privilege>" }.joined()
    }

    private static let allPrivileges: String = {
        func privilege(_ name: String, _ words: String, _ inside: String = "") -> String {
            "<D:supported-privilege><D:privilege><D:\(name)/></D:privilege><D:description xml:lang=\"en\">\(words)</D:description>\(inside)</D:supported-privilege>"
        }
        let reading =
            privilege("read-acl", "See who may do what")
            + privilege("read-current-user-privilege-set", "See what oneself may do")
        let writing =
            privilege("write-properties", "Change what is said of it")
            + privilege("write-content", "Change what it says") + privilege("bind", "Add something to it")
            + privilege("unbind", "Remove something from it")
        return privilege(
            "all", "Do anything",
            privilege("read", "Read", reading) + privilege("write", "Change", writing))
    }()

    private func card(_ name: String, _ place: CardDAVPlace) -> String? {
        switch name {
        case "addressbook-home-set": return "<D:href>\(CardDAVPlace.member.address)</D:href>"
        case _ where !place.isBook: return nil
        case "supported-address-data":
            return ["3.0", "4.0"].map {
                "<C:address-data-type xmlns:C=\"\(CardDAVPlace.space)\" content-type=\"text/vcard\" version=\"\($0)\"/>"
            }.joined()
        case "supported-collation-set":
            return CardDAVFilter.collations.map {
                "<C:supported-collation xmlns:C=\"\(CardDAVPlace.space)\">\($0)</C:supported-collation>"
            }.joined()
        case "max-resource-size": return "\(CardDAVDoor.largestCard)"
        case "addressbook-description": return "Quire"
        default: return nil
        }
    }
}

/// In which form cards are wanted in an answer, and which of their lines.
struct CardDAVData {
    struct Unknown: Error {}

    private let form: CardForm
    /// Names in capitals, with whether only they are wanted, without what they say; nil for all.
    private let lines: [String: Bool]?

    /// Nil where no cards are asked for.
    init?(_ report: XMLNode) throws(Unknown) {
        guard
            let asked = report.child("prop", in: "DAV:")?.child("address-data", in: CardDAVPlace.space)
        else { return nil }
        let type = asked.attributes["content-type"]?.lowercased() ?? "text/vcard"
        switch (type, asked.attributes["version"]) {
        case ("text/vcard", nil), ("text/vcard", "3.0"): form = .vcard3
        case ("text/vcard", "4.0"): form = .vcard4
        default: throw Unknown()
        }
        let named = asked.children("prop", in: CardDAVPlace.space)
        lines =
            named.isEmpty
            ? nil
            : Dictionary(
                named.map {
                    ($0.attributes["name"]?.uppercased() ?? "", $0.attributes["novalue"] == "yes")
                }, uniquingKeysWith: { $0 && $1 })
    }

    /// A card as it is given out. What came with other letters than UTF-8, or with control characters, which stop whole telephones,
    /// is cleared of them.
    static func bytes(of card: ContactCard, as form: CardForm) -> [UInt8] {
        cleared(card.bytes(as: form))
    }

    /// `letters` names what it is written in where it is no UTF-8.
    static func cleared(_ card: [UInt8], letters: String? = nil) -> [UInt8] {
        func isOdd(_ byte: UInt8) -> Bool {
            byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F
        }
        let isReadable = String(validating: card, as: UTF8.self) != nil
        var card = isReadable ? card : Array(TextDecoding.text(card, named: letters).utf8)
        if card.contains(where: isOdd) { card.removeAll(where: isOdd) }
        return card
    }

    func text(of card: ContactCard) -> String {
        let whole = String(decoding: Self.bytes(of: card, as: form), as: UTF8.self)
        guard let lines else { return DAVXML.escaped(whole) }
        var some = ""
        var isWanted = false
        // Cards come with either end of lines, and go with that of the standard.
        for line in whole.split(omittingEmptySubsequences: true, whereSeparator: Self.endsLine) {
            // A line that goes on belongs to the one before.
            if line.first == " " || line.first == "\t" {
                if isWanted { some += line + "\r\n" }
                continue
            }
            let full = line.prefix { $0 != ":" && $0 != ";" }.uppercased()
            let name = full.split(separator: ".").last.map { String($0) } ?? ""
            let isBare = lines[name] ?? lines[full]
            let isFrame = ["BEGIN", "VERSION", "END"].contains(name)
            isWanted = isFrame || isBare == false
            if isWanted {
                some += line + "\r\n"
            } else if isBare == true {
                some += line.prefix { $0 != ":" } + ":\r\n"
            }
        }
        return DAVXML.escaped(some)
    }

    private static func endsLine(_ character: Character) -> Bool {
        character == "\r\n" || character == "\n" || character == "\r"
    }
}
