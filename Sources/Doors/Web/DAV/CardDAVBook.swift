import Access
import App
import Bytes
import Cards
import HTTP
import Library
import People
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
    private let token: String
    private let canEdit: Bool
    private let name: String
    /// What programs wrote on the book.
    private let own: [XMLScanner.Name: String]

    /// Under what that is kept.
    static let owner = "contact-book"

    init(_ quire: Quire, _ caller: Caller) throws {
        token = try quire.contacts.servedToken(by: caller)
        let properties = try quire.documents.properties(of: [Self.owner], by: caller)[Self.owner] ?? []
        own = Dictionary(
            properties.map { (.init(namespace: $0.space, local: $0.name), $0.value) },
            uniquingKeysWith: { $1 })
        canEdit = (try? caller.require(.edit)) != nil
        name = caller.name
    }

    func described(
        _ place: CardDAVPlace, _ wish: DAVWish, file: Contacts.Served? = nil, data: String? = nil
    ) -> String {
        DAVXML.described(
            place.address, wish, usual: Self.usual
        ) { name in
            if place.isBook, let value = own[name] { return value }
            return switch name.namespace {
            case "DAV:": dav(name.local, place, file)
            case CardDAVPlace.space: name.local == "address-data" ? data : card(name.local, place)
            case "http://calendarserver.org/ns/": name.local == "getctag" && place.isBook ? token : nil
            default: nil
            }
        }
    }

    /// What is told to whoever asks for everything.
    private static let usual = [
        "resourcetype", "displayname", "getetag", "getcontenttype", "getlastmodified", "sync-token",
        "current-user-principal", "supported-report-set",
    ].map { XMLScanner.Name(namespace: "DAV:", local: $0) }

    /// What nobody writes over: all that the desk knows by itself but what the book is called.
    static func isFixed(_ name: XMLScanner.Name) -> Bool {
        switch name.namespace {
        case "DAV:": known.contains(name.local)
        case CardDAVPlace.space: name.local != "addressbook-description"
        case "http://calendarserver.org/ns/": name.local == "getctag"
        default: false
        }
    }

    private static let known: Set<String> = [
        "resourcetype", "current-user-principal", "owner", "principal-URL", "principal-collection-set",
        "current-user-privilege-set", "supported-report-set", "sync-token", "add-member", "getetag",
        "getcontenttype", "getlastmodified", "getcontentlength", "creationdate", "lockdiscovery",
        "supportedlock",
    ]

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
            case .top: "Quire"
            case .member: DAVXML.escaped(self.name.isEmpty ? "Quire" : self.name)
            case .book: "Quire"
            case .card, .nowhere: nil
            }
        case "current-user-principal", "owner", "principal-URL": return principal
        case "principal-collection-set": return "<D:href>\(CardDAVPlace.top.address)</D:href>"
        case "current-user-privilege-set":
            let may =
                ["read", "read-current-user-privilege-set"]
                + (canEdit ? ["write", "write-content", "bind", "unbind"] : [])
            return may.map { "<D:privilege><D:\($0)/></D:privilege>" }.joined()
        case "supported-report-set":
            guard place.isBook else { return "" }
            let reports = ["D:sync-collection", "C:addressbook-query", "C:addressbook-multiget"]
            return reports.map {
                "<D:supported-report><D:report><\($0) xmlns:C=\"\(CardDAVPlace.space)\"/></D:report></D:supported-report>"
            }.joined()
        case "sync-token": return place.isBook ? token : nil
        case "add-member":
            return place.isBook
                ? "<D:href>\(CardDAVPlace.book.address)\(CardDAVPlace.newCard)</D:href>" : nil
        case "getetag": return file.map { DAVXML.escaped(ETag($0.mark).description) }
        case "getcontenttype": return file == nil ? nil : "text/vcard; charset=utf-8"
        case "getlastmodified": return file.map { HTTPDate.text($0.changedAt.milliseconds / 1000) }
        default: return nil
        }
    }

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

    func text(of card: ContactCard) -> String {
        let whole = String(decoding: card.bytes(as: form), as: UTF8.self)
        guard let lines else { return DAVXML.escaped(whole) }
        var some = ""
        var isWanted = false
        for line in whole.split(separator: "\r\n", omittingEmptySubsequences: true) {
            // A line that goes on belongs to the one before.
            if line.first == " " || line.first == "\t" {
                if isWanted { some += line + "\r\n" }
                continue
            }
            let name = line.prefix { $0 != ":" && $0 != ";" }.split(separator: ".").last?.uppercased() ?? ""
            let isBare = lines[name]
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
}
