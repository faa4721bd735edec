import Access
import App
import Bytes
import HTTP
import People
import Transfer

// What programs ask the book for.
extension CardDAVDoor {
    /// Which reports there are at a place, as elements.
    static func reports(at place: CardDAVPlace) -> [String] {
        let everywhere = ["D:expand-property", "D:acl-principal-prop-set"]
        return switch place {
        case .top: everywhere + CardDAVPrincipals.reports + ["D:principal-match"]
        case .member: everywhere + ["D:principal-match", "D:sync-collection"]
        case .book:
            everywhere
                + ["D:principal-match", "D:sync-collection", "C:addressbook-query", "C:addressbook-multiget"]
        case .card: everywhere + ["C:addressbook-query", "C:addressbook-multiget"]
        case .nowhere: []
        }
    }

    /// What one report needs to know.
    private struct Question {
        let request: Request
        let caller: Caller
        let root: XMLNode
        let here: CardDAVPlace
        /// In which form cards are wanted, if they are.
        let wanted: CardDAVData?
        var view: CardDAVView
    }

    func report(_ request: Request, _ caller: Caller) throws -> Response {
        let root = try DAVXML.root(request.bytes)
        let here = CardDAVPlace(request.pathBelow)
        if case .nowhere = here { throw Self.nothing() }
        let prefix =
            root.name.namespace == "DAV:" ? "D:" : root.name.namespace == CardDAVPlace.space ? "C:" : ""
        let kind = prefix + root.name.local
        guard !prefix.isEmpty, Self.reports(at: here).contains(kind) else {
            return Self.unmet("<D:supported-report/>")
        }
        let wanted: CardDAVData?
        do {
            wanted = try CardDAVData(root)
        } catch {
            return Self.unmet("<C:supported-address-data/>")
        }
        // Who wants to know nothing of what is found asks where it is.
        let asked = ["prop", "propname", "allprop"].contains { root.child($0, in: "DAV:") != nil }
        let view = try CardDAVView(
            quire, caller, asked ? DAVWish(of: root) : .some([]), isBrief: request.wantsLittle)
        let question = Question(
            request: request, caller: caller, root: root, here: here, wanted: wanted, view: view)
        let answer =
            switch kind {
            case "C:addressbook-multiget": cards(question)
            case "C:addressbook-query": try matches(question)
            case "D:sync-collection": try changes(question)
            default:
                try CardDAVPrincipals(door: self, request: request, caller: caller, root: root, view: view)
                    .answer(kind, at: here)
            }
        return Self.applied(request, answer)
    }

    /// The cards of these addresses.
    private func cards(_ question: Question) -> Response {
        let addresses = question.root.children("href", in: "DAV:").map(\.trimmed)
        return Self.multistatus { write in
            var view = question.view
            for address in addresses {
                let path = question.request.path(ofAddress: address, below: Self.first) ?? []
                guard case .card(let name) = CardDAVPlace(path),
                    let (file, card) = try quire.contacts.served(name, by: question.caller)
                else {
                    try write(Self.missing(address))
                    continue
                }
                try view.learn([file])
                try write(
                    view.described(.card(file.name), file: file, data: question.wanted?.text(of: card)))
            }
        }
    }

    /// The cards that say something.
    private func matches(_ question: Question) throws -> Response {
        let filter: CardDAVFilter
        do {
            filter = try CardDAVFilter(question.root)
        } catch {
            return Self.unmet(error.condition)
        }
        var files = try places(from: question.here, depth: 1, by: question.caller).compactMap(\.file)
        let limit = question.root.child("limit", in: CardDAVPlace.space)?
            .value("nresults", in: CardDAVPlace.space).flatMap { Int($0) }
        // Who wants a few wants the same few each time.
        if limit != nil { files.sort { $0.name < $1.name } }
        return Self.multistatus { [files] write in
            var view = question.view
            var count = 0
            for file in files {
                guard let (file, card) = try quire.contacts.served(file.name, by: question.caller),
                    filter.fits(card)
                else { continue }
                guard count < limit ?? .max else {
                    try write(Self.cut(question.here))
                    break
                }
                count += 1
                try view.learn([file])
                try write(
                    view.described(.card(file.name), file: file, data: question.wanted?.text(of: card)))
            }
        }
    }

    /// What is new since a program last asked (RFC 6578), in the book or on the way to it. Programs from before the standard say
    /// in the Depth how far down they ask.
    private func changes(_ question: Question) throws -> Response {
        let root = question.root
        let level =
            root.value("sync-level", in: "DAV:") ?? question.request.headers["Depth"]?.lowercased() ?? "1"
        let isDeep = level == "infinite" || level == "infinity"
        guard isDeep || level == "1" || level == "0" else {
            throw Refusal(.badRequest, "A sync-level is 1 or infinite.")
        }
        let token = root.value("sync-token", in: "DAV:").flatMap { $0.isEmpty ? nil : $0 }
        let limit = root.child("limit", in: "DAV:")?.value("nresults", in: "DAV:").flatMap { Int($0) }
        let hasCards = question.here.isBook || isDeep
        var changes = try quire.contacts.changes(
            since: token, limit: hasCards ? limit ?? .max : .max, by: question.caller)
        let hasBook = question.here.isMember && changes.token != token
        if !hasCards { (changes.changed, changes.gone) = ([], []) }
        var view = question.view
        try view.learn(changes.changed)
        return Self.multistatus(ending: "<D:sync-token>\(changes.token)</D:sync-token>") {
            [changes, view] write in
            if hasBook { try write(view.described(.book)) }
            for name in changes.gone { try write(Self.missing(CardDAVPlace.card(name).address)) }
            for file in changes.changed {
                let data = try question.wanted.flatMap { wanted in
                    try quire.contacts.served(file.name, by: question.caller).map {
                        wanted.text(of: $0.card)
                    }
                }
                try write(view.described(.card(file.name), file: file, data: data))
            }
            if changes.hasMore { try write(Self.cut(question.here)) }
        }
    }

    private static func missing(_ address: String) -> String {
        "<D:response><D:href>\(DAVXML.escaped(address))</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>\n"
    }

    /// More than this fits, or was asked for.
    private static func cut(_ place: CardDAVPlace) -> String {
        """
        <D:response><D:href>\(place.address)</D:href><D:status>HTTP/1.1 507 Insufficient Storage</D:status>\
        <D:error><D:number-of-matches-within-limits/></D:error></D:response>

        """
    }

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
