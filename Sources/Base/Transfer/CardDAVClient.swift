import Bytes
public import Work

/// Address books on a CardDAV server (RFC 6352): Nextcloud, Radicale, iCloud, Fastmail.
///
/// ```swift
/// let client = try CardDAVClient("https://cloud.example.org", userName: "ana", password: secret, over: http)
/// for book in try client.books() {
///     let tags = try client.tags(of: book)
///     let cards = try client.cards(tags.map(\.path), of: book)
/// }
/// ```
public struct CardDAVClient: Sendable {
    public struct Book: Sendable, Equatable {
        /// The whole address.
        public var url: String
        public var name: String
        /// Changes with every card; nil when the server does not say.
        public var tag: String?

        public init(url: String, name: String, tag: String? = nil) {
            self.url = url
            self.name = name
            self.tag = tag
        }
    }

    public struct Tag: Sendable, Equatable {
        /// As the server names it: an absolute path or a whole address.
        public var path: String
        public var entityTag: String
    }

    public struct Card: Sendable, Equatable {
        public var path: String
        public var entityTag: String
        public var text: String
    }

    private let http: HTTPClient
    private let start: WebAddress
    private let authorization: String?

    private static let dav = "DAV:"
    private static let cards = "urn:ietf:params:xml:ns:carddav"
    private static let server = "http://calendarserver.org/ns/"

    /// The address of the server, of an account or of one address book.
    public init(
        _ address: String, userName: String? = nil, password: String? = nil, over http: HTTPClient
    ) throws(TransferError) {
        self.http = http
        start = try WebAddress(address)
        authorization = userName.map { "Basic " + Base64.encode(Array("\($0):\(password ?? "")".utf8)) }
    }

    // MARK: Which books there are

    /// Found as RFC 6764 says: from any address to the account, from there to where its books are kept.
    public func books() throws(TransferError) -> [Book] {
        var address = start.text
        var seen: Set<String> = []
        for _ in 0..<5 where seen.insert(address).inserted {
            let found = try resources(at: address, depth: 0)
            let here = found.filter(\.isBook)
            if !here.isEmpty { return here.map(\.book) }
            if let home = found.lazy.compactMap(\.home).first {
                let url = try joined(address, home)
                let books = try resources(at: url, depth: 1).filter(\.isBook).map(\.book)
                if !books.isEmpty { return books }
            }
            if let principal = found.lazy.compactMap(\.principal).first {
                address = try joined(address, principal)
                continue
            }
            let inside = try resources(at: address, depth: 1).filter(\.isBook)
            if !inside.isEmpty { return inside.map(\.book) }
            address = try joined(start.text, "/.well-known/carddav")
        }
        throw .malformedAnswer("the server shows no address book at \(start.text)")
    }

    // MARK: What is in one

    /// All cards with the mark of their version.
    public func tags(of book: Book) throws(TransferError) -> [Tag] {
        try resources(at: book.url, depth: 1).filter { !$0.isFolder && $0.entityTag != nil }.map {
            Tag(path: $0.path, entityTag: $0.entityTag ?? "")
        }
    }

    /// These cards, a hundred at a time; those that have gone meanwhile are left out.
    public func cards(
        _ paths: [String], of book: Book, progress: Progress? = nil
    ) throws(TransferError) -> [Card] {
        var cards: [Card] = []
        for first in stride(from: 0, to: paths.count, by: 100) {
            do { try progress?.check() } catch { throw .cancelled }
            let some = paths[first..<min(first + 100, paths.count)]
            let question =
                "<?xml version=\"1.0\" encoding=\"utf-8\"?><C:addressbook-multiget xmlns=\"DAV:\" xmlns:C=\"\(Self.cards)\">"
                + "<prop><getetag/><C:address-data/></prop>"
                + some.map { "<href>\(Self.escaped($0))</href>" }.joined() + "</C:addressbook-multiget>"
            let answer = try ask("REPORT", book.url, depth: 1, question, limit: 128 << 20)
            for node in answer.children("response", in: Self.dav) {
                let properties = Self.properties(node)
                guard let path = node.value("href", in: Self.dav),
                    let text = properties.lazy.compactMap({ $0.value("address-data", in: Self.cards) }).first
                else { continue }
                let tag = properties.lazy.compactMap { $0.value("getetag", in: Self.dav) }.first ?? ""
                cards.append(Card(path: path, entityTag: tag, text: text))
            }
            progress?.advance(Int64(some.count))
        }
        return cards
    }

    // MARK: Writing

    /// What became of something that was to be written.
    public enum Written: Sendable, Equatable {
        case done
        /// Somebody else changed it since it was read, or it is not there any more.
        case changedMeanwhile
        /// The server does not take it.
        case refused(status: Int)
    }

    /// Writes over the card that has this mark; without one nothing may be there yet.
    public func put(
        _ card: [UInt8], at path: String, of book: Book, replacing tag: String?
    ) throws(TransferError) -> Written {
        var call = HTTPCall(
            "PUT", try joined(book.url, path), headers: [("Content-Type", "text/vcard; charset=utf-8")],
            body: .bytes(card))
        call.headers.append(tag.map { (name: "If-Match", value: $0) } ?? (name: "If-None-Match", value: "*"))
        return try written(call)
    }

    /// Takes out the card that has this mark. One that is not there is gone as well.
    public func delete(_ path: String, of book: Book, being tag: String) throws(TransferError) -> Written {
        var call = HTTPCall("DELETE", try joined(book.url, path))
        call.headers.append((name: "If-Match", value: tag))
        return try written(call, goneIsDone: true)
    }

    /// Where a card of this name would lie.
    public func path(of name: String, in book: Book) throws(TransferError) -> String {
        let path = try WebAddress(book.url).path
        return path + (path.hasSuffix("/") ? "" : "/") + PercentText.encode(name)
    }

    private func written(_ call: HTTPCall, goneIsDone: Bool = false) throws(TransferError) -> Written {
        var call = call
        if let authorization { call.headers.append((name: "Authorization", value: authorization)) }
        let answer = try http.send(call, into: .memory(limit: 1 << 20))
        switch answer.status {
        case 200...299: return .done
        case 404, 410: return goneIsDone ? .done : .changedMeanwhile
        case 409, 412: return .changedMeanwhile
        case 401, 429, 500...: throw .answer(status: answer.status, words: "")
        default: return .refused(status: answer.status)
        }
    }

    // MARK: Asking

    private struct Resource {
        var path: String
        var book: Book
        var isBook: Bool
        var isFolder: Bool
        var entityTag: String?
        var principal: String?
        var home: String?
    }

    private func resources(at url: String, depth: Int) throws(TransferError) -> [Resource] {
        let question =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><propfind xmlns=\"DAV:\" xmlns:C=\"\(Self.cards)\" xmlns:S=\"\(Self.server)\"><prop>"
            + "<resourcetype/><displayname/><getetag/><current-user-principal/><C:addressbook-home-set/><S:getctag/></prop></propfind>"
        let answer = try ask("PROPFIND", url, depth: depth, question, limit: 64 << 20)
        var resources: [Resource] = []
        for node in answer.children("response", in: Self.dav) {
            guard let path = node.value("href", in: Self.dav) else { continue }
            let properties = Self.properties(node)
            func first<Value>(_ value: (XMLNode) -> Value?) -> Value? {
                properties.lazy.compactMap(value).first
            }
            let type = first { $0.child("resourcetype", in: Self.dav) }
            let name = first { $0.value("displayname", in: Self.dav) } ?? ""
            let whole = try joined(url, path)
            resources.append(
                Resource(
                    path: path,
                    book: Book(
                        url: whole,
                        name: name.isEmpty ? PercentText.decode(Self.last(path)) ?? "Contacts" : name,
                        tag: first { $0.value("getctag", in: Self.server) }),
                    isBook: type?.child("addressbook", in: Self.cards) != nil,
                    isFolder: type?.child("collection", in: Self.dav) != nil,
                    entityTag: first { $0.value("getetag", in: Self.dav) },
                    principal: first {
                        $0.child("current-user-principal", in: Self.dav)?.value("href", in: Self.dav)
                    },
                    home: first {
                        $0.child("addressbook-home-set", in: Self.cards)?.value("href", in: Self.dav)
                    }))
        }
        return resources
    }

    private func ask(
        _ method: String, _ url: String, depth: Int, _ question: String, limit: Int
    ) throws(TransferError) -> XMLNode {
        var call = HTTPCall(
            method, url,
            headers: [("Depth", "\(depth)"), ("Content-Type", "application/xml; charset=utf-8")],
            body: .bytes(Array(question.utf8)))
        if let authorization { call.headers.append((name: "Authorization", value: authorization)) }
        let answer = try http.send(call, into: .memory(limit: limit))
        guard answer.status == 207 else {
            // Not what it says: it may be any server of the network the desk stands in, and whoever wrote the address is
            // told what became of it.
            throw .answer(status: answer.status, words: "")
        }
        var limits = XMLScanner.Limits()
        // Cards hold pictures.
        limits.textBytes = 16 << 20
        do {
            return try XMLNode.root(of: answer.body, maximumNodes: 2_000_000, limits: limits)
        } catch {
            throw .malformedAnswer("\(error.reason) at byte \(error.offset)")
        }
    }

    /// What the server found; it also lists what it did not.
    private static func properties(_ node: XMLNode) -> [XMLNode] {
        node.children("propstat", in: dav)
            .filter { $0.value("status", in: dav)?.split(separator: " ").dropFirst().first == "200" }
            .compactMap { $0.child("prop", in: dav) }
    }

    private func joined(_ base: String, _ reference: String) throws(TransferError) -> String {
        if reference.contains("://") { return try WebAddress(reference).text }
        let base = try WebAddress(base)
        return "\(base.scheme)://\(base.authority)" + (reference.hasPrefix("/") ? "" : "/") + reference
    }

    private static func last(_ path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? ""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
