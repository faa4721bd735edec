/// The three digits of an answer. An open set with the names Quire uses.
public struct Status: Hashable, Sendable, CustomStringConvertible {
    public let code: Int

    public init(_ code: Int) {
        precondition((100...599).contains(code), "an HTTP status has three digits, from 100 to 599")
        self.code = code
    }

    public static let ok = Status(200)
    public static let created = Status(201)
    public static let accepted = Status(202)
    public static let noContent = Status(204)
    public static let partialContent = Status(206)
    public static let multiStatus = Status(207)
    public static let movedPermanently = Status(301)
    public static let found = Status(302)
    public static let seeOther = Status(303)
    public static let notModified = Status(304)
    public static let permanentRedirect = Status(308)
    public static let badRequest = Status(400)
    public static let unauthorized = Status(401)
    public static let paymentRequired = Status(402)
    public static let forbidden = Status(403)
    public static let notFound = Status(404)
    public static let methodNotAllowed = Status(405)
    public static let notAcceptable = Status(406)
    public static let requestTimeout = Status(408)
    public static let conflict = Status(409)
    public static let gone = Status(410)
    public static let lengthRequired = Status(411)
    public static let preconditionFailed = Status(412)
    public static let contentTooLarge = Status(413)
    public static let targetTooLong = Status(414)
    public static let unsupportedMediaType = Status(415)
    public static let rangeNotSatisfiable = Status(416)
    public static let expectationFailed = Status(417)
    public static let misdirectedRequest = Status(421)
    public static let unprocessable = Status(422)
    public static let locked = Status(423)
    public static let preconditionRequired = Status(428)
    public static let tooManyRequests = Status(429)
    public static let headersTooLarge = Status(431)
    public static let internalError = Status(500)
    public static let notImplemented = Status(501)
    public static let unavailable = Status(503)
    public static let outOfSpace = Status(507)

    public var description: String { "\(code) \(phrase)" }
    public var isSuccess: Bool { (200...299).contains(code) }
    public var isRedirection: Bool { (300...399).contains(code) }
    public var isError: Bool { code >= 400 }

    /// Answers that never carry a body (RFC 9110 §6.4.1).
    public var forbidsBody: Bool { code < 200 || code == 204 || code == 304 }

    /// The reason phrase of RFC 9110 §15, or a plain word for a status without one.
    public var phrase: String {
        switch code {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 207: "Multi-Status"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 424: "Failed Dependency"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        case ..<200: "Information"
        case ..<300: "Success"
        case ..<400: "Redirection"
        case ..<500: "Request Refused"
        default: "Server Error"
        }
    }
}
