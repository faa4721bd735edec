import Bytes
import HTTP
import Library
import Storage
import Transfer
import Work

/// One thing of the library as WebDAV describes it.
struct DAVResource {
    var path: [String]
    var name: String
    var isFolder: Bool
    var paper: Document?
    var madeAt: Moment?
    /// Under what is kept what other programs wrote on it; nil where nothing can be.
    var owner: String?
    var own: [Documents.Property] = []

    var address: String {
        "/dav" + path.map { "/" + PercentCoding.encode($0) }.joined() + (isFolder ? "/" : "")
    }

    static func tag(of paper: Document) -> ETag { ETag(String(paper.blob.digest.hex.prefix(32))) }
}

/// Which properties are wanted.
enum DAVWish {
    /// What is usual, and what is asked for besides (RFC 4918 §9.1).
    case all(and: [XMLScanner.Name] = [])
    case names
    case some([XMLScanner.Name])

    /// The body of a PROPFIND; none means all.
    init(_ body: [UInt8]) throws {
        guard !body.isEmpty else {
            self = .all()
            return
        }
        try self.init(of: DAVXML.root(body, "propfind"))
    }

    /// What a question asks to know of each thing it finds.
    init(of root: XMLNode) throws {
        if root.child("propname", in: "DAV:") != nil {
            self = .names
        } else if let wanted = root.child("prop", in: "DAV:") {
            self = .some(wanted.children.map(\.name))
        } else if root.child("allprop", in: "DAV:") != nil {
            self = .all(and: root.child("include", in: "DAV:")?.children.map(\.name) ?? [])
        } else {
            throw Refusal(.badRequest, "What is asked for is prop, allprop or propname.")
        }
    }
}

/// Reads and writes the XML of WebDAV.
enum DAVXML {
    static let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    static let type = MediaType("application/xml; charset=utf-8") ?? .octets

    static func root(_ body: [UInt8], _ name: String) throws(Refusal) -> XMLNode {
        let root = try root(body, mostElements: 5_000)
        guard root.name == .init(namespace: "DAV:", local: name) else { throw unreadable }
        return root
    }

    static func root(_ body: [UInt8], mostElements: Int = 50_000) throws(Refusal) -> XMLNode {
        guard let root = try? XMLNode.root(of: body, maximumNodes: mostElements) else { throw unreadable }
        return root
    }

    private static var unreadable: Refusal { Refusal(.badRequest, "The request's XML cannot be read.") }

    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            // Readers of XML take the end of a line for one sign, however it was written.
            case "\r": out += "&#13;"
            // Control characters have no place in XML.
            case _ where scalar.value < 0x20 && scalar != "\t" && scalar != "\n": out += " "
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// What a property says, as XML, and in which language where that was said.
    struct Value {
        var content: String
        var language = ""
    }

    /// An element of whatever namespace.
    static func element(_ name: XMLScanner.Name, _ content: String = "", _ attributes: String = "") -> String
    {
        let (tag, space) =
            switch name.namespace {
            case "DAV:": ("D:\(name.local)", "")
            case "": (name.local, " xmlns=\"\"")
            default: ("x:\(name.local)", " xmlns:x=\"\(escaped(name.namespace))\"")
            }
        let open = tag + attributes + space
        return content.isEmpty ? "<\(open)/>" : "<\(open)>\(content)</\(tag)>"
    }

    /// The language stands between the quotes that Apple's scripts look for.
    static func element(_ name: XMLScanner.Name, _ value: Value) -> String {
        let language = escaped(value.language).replacing("'", with: "&apos;")
        return element(name, value.content, language.isEmpty ? "" : " xml:lang='\(language)'")
    }

    /// What stands in an element, as XML again.
    static func content(of node: XMLNode) -> String {
        // Text between elements is kept before them: properties are a text or a few elements, not both.
        escaped(node.text)
            + node.children.map { element($0.name, content(of: $0), attributes(of: $0)) }.joined()
    }

    /// Those of an element that mean the same wherever it stands.
    private static func attributes(of node: XMLNode) -> String {
        node.attributes.filter { !$0.key.contains(":") || $0.key.hasPrefix("xml:") }.sorted {
            $0.key < $1.key
        }
        .map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    }

    static func multistatus(_ responses: String) -> Response {
        response("<D:multistatus xmlns:D=\"DAV:\">\(responses)</D:multistatus>", .multiStatus)
    }

    static func response(_ element: String, _ status: Status) -> Response {
        .bytes(Array("\(head)\(element)\n".utf8), type, status: status)
    }

    /// What is true of some properties; `condition` is what did not hold, in the words of a standard.
    static func propstat(_ properties: String, _ status: Status, _ condition: String = "") -> String {
        guard !properties.isEmpty else { return "" }
        let error = condition.isEmpty ? "" : "<D:error>\(condition)</D:error>"
        return
            "<D:propstat><D:prop>\(properties)</D:prop><D:status>HTTP/1.1 \(status)</D:status>\(error)</D:propstat>"
    }

    /// What the desk knows by itself is not written over.
    static let isProtected = "<D:cannot-modify-protected-property/>"

    static func locks(_ locks: [DAVLocks.Lock]) -> String {
        locks.map { lock in
            let root = "/dav" + lock.path.map { "/" + PercentCoding.encode($0) }.joined()
            return """
                <D:activelock><D:locktype><D:write/></D:locktype>\
                <D:lockscope>\(lock.isShared ? "<D:shared/>" : "<D:exclusive/>")</D:lockscope>\
                <D:depth>\(lock.isDeep ? "infinity" : "0")</D:depth>\(lock.owner.isEmpty ? "" : "<D:owner>\(lock.owner)</D:owner>")\
                <D:timeout>Second-\(lock.seconds)</D:timeout><D:locktoken><D:href>\(lock.token)</D:href></D:locktoken>\
                <D:lockroot><D:href>\(root.isEmpty ? "/" : root)</D:href></D:lockroot></D:activelock>
                """
        }.joined()
    }
}

extension DAVResource {
    private static let live = [
        "resourcetype", "displayname", "creationdate", "getlastmodified", "getcontentlength",
        "getcontenttype", "getetag", "supportedlock", "lockdiscovery",
    ]

    private static let usual = live.map { XMLScanner.Name(namespace: "DAV:", local: $0) }

    static func isLive(_ name: XMLScanner.Name) -> Bool {
        name.namespace == "DAV:" && live.contains(name.local)
    }

    /// Nil where it has no such property.
    private func value(_ name: String, _ locks: DAVLocks) -> String? {
        switch name {
        case "resourcetype": isFolder ? "<D:collection/>" : ""
        case "displayname": DAVXML.escaped(self.name)
        case "creationdate": (paper?.addedAt ?? madeAt)?.iso8601
        case "getlastmodified":
            (paper?.changedAt ?? madeAt).map { HTTPDate.text($0.milliseconds / 1000) }
        case "getcontentlength": paper.map { "\($0.blob.byteCount)" }
        case "getcontenttype": paper.map { DAVXML.escaped($0.blob.mediaType) }
        case "getetag": paper.map { DAVXML.escaped(Self.tag(of: $0).description) }
        case "supportedlock":
            """
            <D:lockentry><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>\
            <D:lockentry><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>
            """
        case "lockdiscovery": DAVXML.locks(locks.covering(path))
        default: nil
        }
    }

    /// The answer to a PROPFIND about it.
    func described(_ wish: DAVWish, _ locks: DAVLocks) -> String {
        let own = self.own.map { ($0, XMLScanner.Name(namespace: $0.space, local: $0.name)) }
        return DAVXML.described(address, wish, usual: Self.usual + own.map(\.1)) { name in
            if name.namespace == "DAV:", let value = value(name.local, locks) { return .init(content: value) }
            return own.first { $0.1 == name }?.0.written
        }
    }
}

extension Documents.Property {
    var written: DAVXML.Value { DAVXML.Value(content: value, language: language) }
}

extension DAVXML {
    /// A thing with those of its properties that are wanted; `usual` are those that are told to whoever asks for everything, `named`
    /// those that it has besides. A value is nil where there is no such property, and whoever `isBrief` hears nothing of that.
    static func described(
        _ address: String, _ wish: DAVWish, usual: [XMLScanner.Name], named: [XMLScanner.Name] = [],
        isBrief: Bool = false, _ value: (XMLScanner.Name) -> Value?
    ) -> String {
        var found = ""
        var missing = ""
        func take(_ names: [XMLScanner.Name]) {
            for name in names {
                if let value = value(name) {
                    found += element(name, value)
                } else {
                    missing += element(name)
                }
            }
        }
        switch wish {
        case .all(let more):
            for name in usual where !more.contains(name) {
                if let value = value(name) { found += element(name, value) }
            }
            take(more)
        case .names:
            for name in usual + named where value(name) != nil { found += element(name) }
        case .some(let names): take(names)
        }
        var stats = propstat(found, .ok) + (isBrief ? "" : propstat(missing, .notFound))
        if stats.isEmpty { stats = "<D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat>" }
        return "<D:response><D:href>\(address)</D:href>\(stats)</D:response>\n"
    }
}

extension Request {
    /// Whether nothing is to be said that goes without saying (RFC 8144), also as Apple's programs put it.
    var wantsLittle: Bool {
        let preferences = headers.all("Prefer").joined(separator: ",").lowercased()
        return preferences.contains("return=minimal") || preferences.contains("return-minimal")
            || headers["Brief"]?.lowercased() == "t"
    }
}
