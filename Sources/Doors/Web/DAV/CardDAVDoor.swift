import Access
import App
import Bytes
import Cards
import HTTP
import People
import Storage
import Transfer
import Work

/// The desk's contacts over CardDAV (RFC 6352): what phones and programs for addresses keep a copy of and write back.
///
/// There is one book, since some programs read no more than the first. A card is given out as it came where that is what was asked
/// for, and otherwise as vCard 3, which all of them understand. Writing over a card and removing one are acts like any other:
/// they stand on the page of contacts and can be undone there.
struct CardDAVDoor: Sendable {
    let quire: Quire
    let entrance: DAVEntrance

    init(_ quire: Quire, _ guardian: Guardian) {
        self.quire = quire
        entrance = DAVEntrance(quire: quire, guardian: guardian)
    }

    static let first = "carddav"
    static let largestCard = 8 << 20

    private typealias Method = @Sendable (CardDAVDoor, Request, Caller) throws -> Response

    private static let methods: [(name: String, body: Route.BodyRule, right: Right, answer: Method)] = [
        ("OPTIONS", .none, .view, { _, _, _ in Self.options }),
        ("GET", .none, .view, { try $0.get($1, $2) }),
        ("PUT", .bytes(limit: largestCard), .edit, { try $0.put($1, $2) }),
        ("POST", .bytes(limit: largestCard), .edit, { try $0.add($1, $2) }),
        ("DELETE", .none, .edit, { try $0.delete($1, $2) }),
        ("PROPFIND", .bytes(limit: 1 << 20), .view, { try $0.describe($1, $2) }),
        ("PROPPATCH", .bytes(limit: 1 << 20), .edit, { try $0.setProperties($1, $2) }),
        ("REPORT", .bytes(limit: 8 << 20), .view, { try $0.report($1, $2) }),
    ]

    private static let options = Response(
        .noContent,
        headers: [
            "DAV": "1, 3, access-control, addressbook",
            "Allow": (methods.map(\.name) + ["HEAD"]).joined(separator: ", "),
        ])

    func router(failure: @escaping Router.FailureAnswer, finishing: @escaping Router.Finish) -> Router {
        let routes = Self.methods.map { method in
            Route(.init(method.name) ?? .get, "/\(Self.first)/{...}", mode: .work, body: method.body) {
                request in
                let caller = try entrance.caller(request).amongContacts
                try caller.require(method.right)
                do {
                    return try method.answer(self, request, caller)
                } catch let fault as Contacts.ServingFault {
                    return Self.answer(to: fault)
                }
            }
        }
        return Router(
            routes, failure: { DAVEntrance.failed($0, $1, failure) },
            admission: { request, route in
                if case .bytes(let limit) = route.body, limit > 1 << 20 {
                    _ = try entrance.callerOfMuch(request)
                }
                return nil
            }, finishing: finishing)
    }

    /// From where programs begin that know no more than the desk's name (RFC 6764), whatever they ask.
    static func wellKnown(finishing: @escaping Router.Finish) -> Router {
        Router(
            methods.compactMap { HTTP.Method($0.name) }.map { method in
                Route(method, "/.well-known/carddav/{...}", body: .bytes(limit: 1 << 20)) { _ in
                    .redirect(to: "/\(first)/", .movedPermanently)
                }
            }, finishing: finishing)
    }

    // MARK: What is not so

    private static func nothing() -> Refusal { Refusal(.notFound, "There is nothing at this address.") }

    /// What the standard calls a condition that does not hold.
    static func unmet(_ condition: String, _ status: Status = .forbidden) -> Response {
        DAVXML.response(
            "<D:error xmlns:D=\"DAV:\" xmlns:C=\"\(CardDAVPlace.space)\">\(condition)</D:error>", status)
    }

    private static func answer(to fault: Contacts.ServingFault) -> Response {
        switch fault {
        case .noCard: unmet("<C:valid-address-data/>")
        case .unknownToken: unmet("<D:valid-sync-token/>")
        case .taken(let name):
            unmet(
                "<C:no-uid-conflict>\(name.map { "<D:href>\(CardDAVPlace.card($0).address)</D:href>" } ?? "")</C:no-uid-conflict>",
                .conflict)
        }
    }

    // MARK: Cards

    private static let cardType = MediaType("text/vcard; charset=utf-8") ?? .octets

    private func get(_ request: Request, _ caller: Caller) throws -> Response {
        let here = CardDAVPlace(request.pathBelow)
        switch here {
        case .top, .member, .book:
            guard request.preferred(of: [.plain, .html]) != .html else { return .redirect(to: "/contacts") }
            // For whoever looks without a browser.
            let names =
                here.isBook ? try quire.contacts.served(by: caller).map(\.name) : [CardDAVPlace.book.address]
            return .bytes(Array((names.joined(separator: "\n") + "\n").utf8), .plain)
        case .card(let name):
            guard let (file, card) = try quire.contacts.served(name, by: caller) else { throw Self.nothing() }
            let form: CardForm =
                request.headers.all("Accept").joined().contains("version=4.0") ? .vcard4 : .vcard3
            return Response.bytes(card.bytes(as: form), Self.cardType)
                .with("ETag", ETag(file.mark).description)
                .with("Cache-Control", "private, no-cache, no-transform")
                .with("Last-Modified", HTTPDate.text(file.changedAt.milliseconds / 1000))
                .with("Vary", "Accept")
                .with("Content-Disposition", "attachment")
        case .nowhere: throw Self.nothing()
        }
    }

    private func put(_ request: Request, _ caller: Caller) throws -> Response {
        switch CardDAVPlace(request.pathBelow) {
        case .top, .member, .book: throw Refusal(.methodNotAllowed, "Cards are put into the book.")
        case .nowhere: throw Refusal(.conflict, "There is no such book. There is one: contacts.")
        case .card(let name):
            guard name.utf8.count <= 200, !name.contains("/"),
                !name.unicodeScalars.contains(where: { $0.value < 0x20 })
            else { throw Refusal(.forbidden, "Quire keeps nothing under such a name.") }
            if let refusal = Self.refusal(ofType: request) { return refusal }
            return try write(request, as: name, caller)
        }
    }

    /// A new card whose name the desk chooses (RFC 5995).
    private func add(_ request: Request, _ caller: Caller) throws -> Response {
        guard case .card(CardDAVPlace.newCard) = CardDAVPlace(request.pathBelow) else {
            throw Refusal(.methodNotAllowed, "New cards are posted to the book’s place for them.")
        }
        if let refusal = Self.refusal(ofType: request) { return refusal }
        let name = Hex.encode(quire.store.chance.bytes(12)) + ".vcf"
        return try write(request, as: name, caller).with("Location", CardDAVPlace.card(name).address)
    }

    private func write(_ request: Request, as name: String, _ caller: Caller) throws -> Response {
        let written = try quire.contacts.write(card: request.bytes, as: name, by: caller) { mark in
            try request.checkTags(mark.map { ETag($0) })
        }
        let response = written.isNew ? Response(.created) : Response.noContent
        // Only where the next look gives just these bytes.
        guard written.asItCame == .vcard3 else { return response }
        return response.with("ETag", ETag(written.file.mark).description)
    }

    private static func refusal(ofType request: Request) -> Response? {
        let type = request.headers["Content-Type"]?.lowercased() ?? "text/vcard"
        let known = ["text/vcard", "text/x-vcard", "text/directory"].contains { type.hasPrefix($0) }
        return known ? nil : unmet("<C:supported-address-data/>")
    }

    private func delete(_ request: Request, _ caller: Caller) throws -> Response {
        switch CardDAVPlace(request.pathBelow) {
        case .top, .member, .book:
            throw Refusal(.forbidden, "The book itself stays. Remove cards one by one.")
        case .nowhere: throw Self.nothing()
        case .card(let name):
            let isGone = try quire.contacts.remove(named: name, by: caller) { mark in
                guard mark != nil else { throw Self.nothing() }
                try request.checkTags(mark.map { ETag($0) })
            }
            guard isGone else { throw Self.nothing() }
            return .noContent
        }
    }

    // MARK: Asking

    private func describe(_ request: Request, _ caller: Caller) throws -> Response {
        let wish = try DAVWish(request.bytes)
        let depth = request.headers["Depth"]?.lowercased() ?? "infinity"
        let here = CardDAVPlace(request.pathBelow)
        let view = try CardDAVView(quire, caller)
        var found: [String] = []
        func describe(_ place: CardDAVPlace, below depth: Int) throws {
            switch place {
            case .top:
                found.append(view.described(.top, wish))
                if depth > 0 { try describe(.member, below: depth - 1) }
            case .member:
                found.append(view.described(.member, wish))
                if depth > 0 { try describe(.book, below: depth - 1) }
            case .book:
                found.append(view.described(.book, wish))
                guard depth > 0 else { return }
                found += try quire.contacts.served(by: caller).map {
                    view.described(.card($0.name), wish, file: $0)
                }
            case .card(let name):
                guard let (file, _) = try quire.contacts.served(name, by: caller) else {
                    throw Self.nothing()
                }
                found.append(view.described(place, wish, file: file))
            case .nowhere: throw Self.nothing()
            }
        }
        // There are no more levels than these.
        try describe(here, below: depth == "0" ? 0 : depth == "1" ? 1 : 3)
        return DAVXML.multistatus(found.joined())
    }

    /// What programs write on the book for themselves, and what it is called.
    private func setProperties(_ request: Request, _ caller: Caller) throws -> Response {
        let here = CardDAVPlace(request.pathBelow)
        if case .nowhere = here { throw Self.nothing() }
        return try quire.documents.patch(
            request.bytes, at: here.address, of: here.isBook ? CardDAVView.owner : nil,
            isFixed: CardDAVView.isFixed, by: caller)
    }

    private func report(_ request: Request, _ caller: Caller) throws -> Response {
        let root = try DAVXML.root(request.bytes)
        let here = CardDAVPlace(request.pathBelow)
        let view = try CardDAVView(quire, caller)
        var only: String?
        switch here {
        case .book: break
        case .card(let name): only = name
        case .nowhere: throw Self.nothing()
        case .top, .member: return Self.unmet("<D:supported-report/>")
        }
        let wish = try DAVWish(of: root)
        let wanted: CardDAVData?
        do {
            wanted = try CardDAVData(root)
        } catch {
            return Self.unmet("<C:supported-address-data/>")
        }
        switch (root.name.namespace, root.name.local) {
        case (CardDAVPlace.space, "addressbook-multiget"):
            let addresses = root.children("href", in: "DAV:").map(\.trimmed)
            return Self.multistatus { write in
                for address in addresses {
                    let path = request.path(ofAddress: address, below: Self.first) ?? []
                    guard case .card(let name) = CardDAVPlace(path),
                        let (file, card) = try quire.contacts.served(name, by: caller)
                    else {
                        try write(Self.missing(address))
                        continue
                    }
                    try write(
                        view.described(.card(file.name), wish, file: file, data: wanted?.text(of: card)))
                }
            }
        case (CardDAVPlace.space, "addressbook-query"):
            let filter: CardDAVFilter
            do {
                filter = try CardDAVFilter(root)
            } catch {
                return Self.unmet(error.condition)
            }
            let files =
                try only.map { try quire.contacts.served($0, by: caller).map { [$0.file] } ?? [] }
                ?? quire.contacts.served(by: caller)
            let limit = root.child("limit", in: CardDAVPlace.space)?.value("nresults", in: CardDAVPlace.space)
            let most = limit.flatMap { Int($0) } ?? .max
            return Self.multistatus { write in
                var count = 0
                for file in files {
                    guard let (file, card) = try quire.contacts.served(file.name, by: caller),
                        filter.fits(card)
                    else { continue }
                    guard count < most else {
                        try write(Self.cut)
                        break
                    }
                    count += 1
                    try write(
                        view.described(.card(file.name), wish, file: file, data: wanted?.text(of: card)))
                }
            }
        case ("DAV:", "sync-collection") where only == nil:
            guard root.value("sync-level", in: "DAV:") ?? "1" == "1" else {
                return Self.unmet("<D:sync-traversal-supported/>")
            }
            let token = root.value("sync-token", in: "DAV:").flatMap { $0.isEmpty ? nil : $0 }
            let limit = root.child("limit", in: "DAV:")?.value("nresults", in: "DAV:").flatMap { Int($0) }
            let changes = try quire.contacts.changes(since: token, limit: limit ?? .max, by: caller)
            return Self.multistatus(ending: "<D:sync-token>\(changes.token)</D:sync-token>") { write in
                for name in changes.gone { try write(Self.missing(CardDAVPlace.card(name).address)) }
                for file in changes.changed {
                    let data = try wanted.flatMap { wanted in
                        try quire.contacts.served(file.name, by: caller).map { wanted.text(of: $0.card) }
                    }
                    try write(view.described(.card(file.name), wish, file: file, data: data))
                }
                if changes.hasMore { try write(Self.cut) }
            }
        default: return Self.unmet("<D:supported-report/>")
        }
    }

    private static func missing(_ address: String) -> String {
        "<D:response><D:href>\(DAVXML.escaped(address))</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>\n"
    }

    /// More than this fits, or was asked for.
    private static let cut = """
        <D:response><D:href>\(CardDAVPlace.book.address)</D:href><D:status>HTTP/1.1 507 Insufficient Storage</D:status>\
        <D:error><D:number-of-matches-within-limits/></D:error></D:response>

        """

    /// One after the other, so that a book with pictures is never held as a whole.
    private static func multistatus(
        ending: String = "", _ each: @escaping @Sendable ((String) throws -> Void) throws -> Void
    ) -> Response {
        Response(
            .multiStatus, headers: ["Content-Type": DAVXML.type.description],
            body: .stream { sink in
                try sink.write(
                    Array(
                        "\(DAVXML.head)<D:multistatus xmlns:D=\"DAV:\" xmlns:C=\"\(CardDAVPlace.space)\">"
                            .utf8))
                try each { try sink.write(Array($0.utf8)) }
                try sink.write(Array("\(ending)</D:multistatus>\n".utf8))
            })
    }
}
