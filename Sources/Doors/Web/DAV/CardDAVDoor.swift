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
        ("MKCOL", .bytes(limit: 1 << 20), .edit, { try $0.makeBook($1, $2) }),
        ("COPY", .none, .edit, { try $0.copyOrMove($1, $2, isMove: false) }),
        ("MOVE", .none, .edit, { try $0.copyOrMove($1, $2, isMove: true) }),
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
                guard caller.may(method.right) else { return Self.needed(method.right, request) }
                do {
                    return try method.answer(self, request, caller)
                } catch let fault as Contacts.ServingFault {
                    return Self.answer(to: fault)
                }
            }
        }
        return Router(
            routes,
            failure: { error, request in
                let answer = DAVEntrance.failed(error, request, failure)
                let isCard = request.method == .put || request.method == .post
                return isCard && answer.status == .contentTooLarge
                    ? Self.unmet("<C:max-resource-size/>") : answer
            },
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

    static func nothing() -> Refusal { Refusal(.notFound, "There is nothing at this address.") }

    /// What the standard calls a condition that does not hold.
    static func unmet(_ condition: String, _ status: Status = .forbidden) -> Response {
        DAVXML.response(
            "<D:error xmlns:D=\"DAV:\" xmlns:C=\"\(CardDAVPlace.space)\">\(condition)</D:error>", status)
    }

    /// What somebody lacks who may look at most: programs leave alone what they may not change when they are told so.
    private static func needed(_ right: Right, _ request: Request) -> Response {
        let privilege = right == .view ? "read" : "write"
        let address = CardDAVPlace(request.pathBelow).address
        return unmet(
            "<D:need-privileges><D:resource><D:href>\(address)</D:href><D:privilege><D:\(privilege)/></D:privilege></D:resource></D:need-privileges>"
        )
    }

    private static func answer(to fault: Contacts.ServingFault) -> Response {
        switch fault {
        case .noCard: unmet("<C:valid-address-data/>")
        case .oldForm: unmet("<C:supported-address-data/>")
        case .unknownToken: unmet("<D:valid-sync-token/>")
        case .taken(let name): taken(by: name)
        }
    }

    private static func taken(by name: String) -> Response {
        unmet(
            "<C:no-uid-conflict><D:href>\(CardDAVPlace.card(name).address)</D:href></C:no-uid-conflict>")
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
            return Response.bytes(CardDAVData.bytes(of: card, as: form), Self.cardType)
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
            try Self.check(name)
            if let refusal = Self.refusal(ofType: request) { return refusal }
            return try write(request, as: name, caller)
        }
    }

    private static func check(_ name: String) throws(Refusal) {
        guard name.utf8.count <= 200, !name.contains("/"), name != CardDAVPlace.newCard,
            !name.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { throw Refusal(.forbidden, "Quire keeps nothing under such a name.") }
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
        let letters = request.headers["Content-Type"].flatMap { MediaType($0) }?[parameter: "charset"]
        let card = CardDAVData.cleared(request.bytes, letters: letters)
        let written = try quire.contacts.write(card: card, as: name, by: caller) { mark in
            try request.checkTags(mark.map { ETag($0) })
        }
        let response = written.isNew ? Response(.created) : Response.noContent
        // Only where the next look gives just these bytes.
        guard written.asItCame == .vcard3, card == request.bytes else { return response }
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

    // MARK: Places

    /// There is one book, and a program that wants another is told so in the way of RFC 5689.
    private func makeBook(_ request: Request, _ caller: Caller) throws -> Response {
        let path = request.pathBelow
        let here = CardDAVPlace(path)
        let isThere: Bool =
            switch here {
            case .top, .member, .book: true
            case .card(let name): try quire.contacts.served(name, by: caller) != nil
            case .nowhere: false
            }
        if isThere {
            guard !request.bytes.isEmpty else {
                throw Refusal(.methodNotAllowed, "Something lies here already.")
            }
            return Self.unmet("<D:resource-must-be-null/>")
        }
        if case .nowhere = here, path.count != 2 || path.first != "me" {
            throw Refusal(.conflict, "What it would lie in is not there.")
        }
        if !request.bytes.isEmpty, let refusal = try Self.refusal(ofBook: DAVXML.root(request.bytes)) {
            return refusal
        }
        return Self.unmet("<C:addressbook-collection-location-ok/>")
    }

    /// What of a new book could not be as it is wanted, wherever it were.
    private static func refusal(ofBook root: XMLNode) throws(Refusal) -> Response? {
        guard root.name == .init(namespace: "DAV:", local: "mkcol") else {
            throw Refusal(.unsupportedMediaType, "What is made is said by mkcol.")
        }
        let kind = XMLScanner.Name(namespace: "DAV:", local: "resourcetype")
        let wanted = root.children("set", in: "DAV:").flatMap { $0.children("prop", in: "DAV:") }
            .flatMap(\.children)
        let kinds = wanted.filter { $0.name == kind }.flatMap(\.children).map(\.name)
        let isBook =
            kinds.isEmpty
            || Set(kinds) == [
                .init(namespace: "DAV:", local: "collection"),
                .init(namespace: CardDAVPlace.space, local: "addressbook"),
            ]
        func elements(_ isMeant: (XMLScanner.Name) -> Bool) -> String {
            wanted.map(\.name).filter(isMeant).map { DAVXML.element($0) }.joined()
        }
        func isFixed(_ name: XMLScanner.Name) -> Bool {
            name != kind && CardDAVView.isFixed(name, at: .book)
        }
        func isWrong(_ name: XMLScanner.Name) -> Bool { name == kind && !isBook }
        let wrong =
            DAVXML.propstat(elements(isWrong), .forbidden, "<D:valid-resourcetype/>")
            + DAVXML.propstat(elements(isFixed), .forbidden, DAVXML.isProtected)
        guard !wrong.isEmpty else { return nil }
        let others = DAVXML.propstat(elements { !isWrong($0) && !isFixed($0) }, Status(424))
        return DAVXML.response(
            "<D:mkcol-response xmlns:D=\"DAV:\">\(wrong)\(others)</D:mkcol-response>", .forbidden)
    }

    /// A card may be called otherwise. A second one of the same person there is not, nor one in place of somebody else.
    private func copyOrMove(_ request: Request, _ caller: Caller, isMove: Bool) throws -> Response {
        let here = CardDAVPlace(request.pathBelow)
        if case .nowhere = here { throw Self.nothing() }
        guard case .card(let name) = here else {
            throw Refusal(.forbidden, "The book stays where it is, and there is one.")
        }
        guard let destination = request.headers["Destination"] else {
            throw Refusal(.badRequest, "A Destination is needed.")
        }
        guard let path = request.path(ofAddress: destination, below: Self.first) else {
            throw Refusal(Status(502), "That lies on another server, or in another part of this one.")
        }
        let there = CardDAVPlace(path)
        if case .nowhere = there {
            throw Refusal(.conflict, "There is no such book. There is one: contacts.")
        }
        guard case .card(let other) = there, other != name else {
            throw Refusal(.forbidden, "A card goes nowhere but to another name in the book.")
        }
        try Self.check(other)
        let source = try quire.contacts.served(name, by: caller)?.file
        guard let source else { throw Self.nothing() }
        let target = try quire.contacts.served(other, by: caller)?.file
        guard target == nil || request.headers["Overwrite"]?.uppercased() != "F" else {
            throw Refusal(.preconditionFailed, "Something is there already.")
        }
        guard isMove, target == nil else { return Self.taken(by: target?.name ?? source.name) }
        let isMoved = try quire.contacts.rename(named: name, to: other, by: caller) { mark in
            try request.checkTags(mark.map { ETag($0) })
        }
        guard isMoved else { throw Self.nothing() }
        return Response(.created).with("Location", there.address)
    }

    // MARK: Asking

    /// What lies at a place and below it, down to `depth`, with the files of cards.
    func places(
        from place: CardDAVPlace, depth: Int, by caller: Caller
    ) throws -> [(place: CardDAVPlace, file: Contacts.Served?)] {
        func below(_ next: CardDAVPlace) throws -> [(place: CardDAVPlace, file: Contacts.Served?)] {
            depth > 0 ? try places(from: next, depth: depth - 1, by: caller) : []
        }
        switch place {
        case .top: return try [(place, nil)] + below(.member)
        case .member: return try [(place, nil)] + below(.book)
        case .book:
            guard depth > 0 else { return [(place, nil)] }
            return try [(place, nil)] + quire.contacts.served(by: caller).map { (.card($0.name), $0) }
        case .card(let name):
            guard let (file, _) = try quire.contacts.served(name, by: caller) else { throw Self.nothing() }
            return [(place, file)]
        case .nowhere: throw Self.nothing()
        }
    }

    private func describe(_ request: Request, _ caller: Caller) throws -> Response {
        let wish = try DAVWish(request.bytes)
        // There are no more levels than these.
        let depth = ["0": 0, "1": 1][request.headers["Depth"]?.lowercased() ?? "infinity"] ?? 3
        var view = try CardDAVView(quire, caller, wish, isBrief: request.wantsLittle)
        let found = try places(from: CardDAVPlace(request.pathBelow), depth: depth, by: caller)
        try view.learn(found.compactMap(\.file))
        return Self.applied(
            request, DAVXML.multistatus(found.map { view.described($0.place, file: $0.file) }.joined()))
    }

    /// Says that nothing was said which goes without saying.
    static func applied(_ request: Request, _ response: Response) -> Response {
        guard request.wantsLittle else { return response }
        return response.with("Preference-Applied", "return=minimal").with("Vary", "Prefer, Brief")
    }

    /// What programs write on places for themselves, and what the book is called.
    private func setProperties(_ request: Request, _ caller: Caller) throws -> Response {
        let here = CardDAVPlace(request.pathBelow)
        let file = try places(from: here, depth: 0, by: caller).first?.file
        return try quire.documents.patch(
            request, at: here.address, of: CardDAVView.owner(of: here, file, caller),
            isFixed: { CardDAVView.isFixed($0, at: here) }, by: caller)
    }
}
