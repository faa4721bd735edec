/// What kind of bytes a body holds, such as `text/html; charset=utf-8`. An open set.
public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// Lower case, `application`.
    public let type: String
    /// Lower case, `pdf`.
    public let subtype: String
    /// In the order they were written, names in lower case.
    public let parameters: [Parameter]

    public struct Parameter: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    /// Reads a `Content-Type` value (RFC 9110 §8.3.1); `nil` when it is not one.
    public init?(_ text: String) {
        guard text.utf8.count <= 1_000 else { return nil }
        let pieces = Token.list(text, separator: UInt8(ascii: ";"))
        guard let essence = pieces.first else { return nil }
        let halves = essence.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard halves.count == 2, Token.isToken(halves[0]), Token.isToken(halves[1]) else { return nil }
        var parameters: [Parameter] = []
        for piece in pieces.dropFirst() {
            guard let equals = piece.firstIndex(of: "=") else { return nil }
            let name = String(piece[..<equals])
            guard Token.isToken(name),
                let value = Token.unquoted(String(piece[piece.index(after: equals)...])),
                !value.isEmpty
            else { return nil }
            parameters.append(Parameter(name: Token.lowered(name), value: value))
        }
        self.type = Token.lowered(halves[0])
        self.subtype = Token.lowered(halves[1])
        self.parameters = parameters
    }

    private init(_ type: String, _ subtype: String, charset: String? = nil) {
        self.type = type
        self.subtype = subtype
        self.parameters = charset.map { [Parameter(name: "charset", value: $0)] } ?? []
    }

    public static let html = MediaType("text", "html", charset: "utf-8")
    public static let plain = MediaType("text", "plain", charset: "utf-8")
    public static let css = MediaType("text", "css", charset: "utf-8")
    public static let csv = MediaType("text", "csv", charset: "utf-8")
    public static let script = MediaType("text", "javascript", charset: "utf-8")
    public static let eventStream = MediaType("text", "event-stream")
    public static let json = MediaType("application", "json")
    public static let problem = MediaType("application", "problem+json")
    public static let manifest = MediaType("application", "manifest+json")
    public static let pdf = MediaType("application", "pdf")
    public static let xfdf = MediaType("application", "vnd.adobe.xfdf")
    public static let zip = MediaType("application", "zip")
    public static let urlEncoded = MediaType("application", "x-www-form-urlencoded")
    public static let multipart = MediaType("multipart", "form-data")
    public static let octets = MediaType("application", "octet-stream")
    public static let svg = MediaType("image", "svg+xml")
    public static let webAssembly = MediaType("application", "wasm")
    public static let png = MediaType("image", "png")
    public static let jpeg = MediaType("image", "jpeg")
    public static let webp = MediaType("image", "webp")
    public static let woff2 = MediaType("font", "woff2")

    /// `application/pdf`: the type without its parameters.
    public var essence: String { "\(type)/\(subtype)" }

    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            text += "; \(parameter.name)="
            if Token.isToken(parameter.value) {
                text += parameter.value
            } else {
                text += "\""
                for character in parameter.value.unicodeScalars {
                    if character == "\"" || character == "\\" { text += "\\" }
                    text.unicodeScalars.append(character)
                }
                text += "\""
            }
        }
    }

    public subscript(parameter name: String) -> String? {
        parameters.first { $0.name == Token.lowered(name) }?.value
    }

    /// Same type and subtype, whatever the parameters say.
    public func isSameKind(as other: MediaType) -> Bool { type == other.type && subtype == other.subtype }

    public var isJSON: Bool { essence == "application/json" || subtype.hasSuffix("+json") }

    /// Text shrinks when gzipped; pictures, archives and PDF are compressed already.
    public var isText: Bool {
        type == "text" || isJSON || subtype.hasSuffix("+xml")
            || ["xml", "javascript", "x-ndjson", "wasm"].contains(subtype) && type == "application"
    }
}
