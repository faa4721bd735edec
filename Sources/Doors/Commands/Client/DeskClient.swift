import Bytes
import Glibc
import HTTP
import Markup
import Storage
import Transfer
import Work

/// The desk as commands see it: its JSON API, whether it lies here or behind an address.
///
/// One way to speak to both means that what works on this machine works on a server as well, with the same words.
struct DeskClient: Sendable {
    private let connection: any DeskConnection
    /// In which what fails is said.
    private let language: Language

    init(_ connection: any DeskConnection, in language: Language) {
        self.connection = connection
        self.language = language
    }

    func get(_ path: String, _ query: [(String, String)] = []) throws -> JSON {
        try json(DeskRequest("GET", path, query: query))
    }

    @discardableResult
    func send(_ method: String, _ path: String, _ body: JSON? = nil) throws -> JSON {
        try json(DeskRequest(method, path, body: body.map(DeskRequest.Body.json) ?? .none))
    }

    /// Puts a file on the desk.
    func upload(_ file: DeskRequest.File, to path: String, progress: Progress) throws -> DeskAnswer {
        try answer(DeskRequest("POST", path, body: .file(file)), progress)
    }

    /// Fetches bytes into a file that does not exist yet.
    func download(_ path: String, to file: String, progress: Progress) throws {
        _ = try answer(DeskRequest("GET", path, accept: "*/*"), into: file, progress)
    }

    /// What is made on being asked, and moderately long.
    func bytes(_ method: String, _ path: String, _ body: JSON) throws -> [UInt8] {
        try answer(DeskRequest(method, path, body: .json(body), accept: "*/*")).body
    }

    /// A text of moderate length.
    func text(_ path: String) throws -> String {
        let answer = try answer(DeskRequest("GET", path, accept: "*/*"))
        return String(decoding: answer.body, as: UTF8.self)
    }

    private func json(_ request: DeskRequest) throws -> JSON {
        let answer = try answer(request)
        return answer.body.isEmpty ? .null : try answer.json()
    }

    /// A desk that is asked too often says when it has time again; until then nothing was done.
    private func answer(
        _ request: DeskRequest, into file: String? = nil, _ progress: Progress = Progress()
    ) throws -> DeskAnswer {
        let watch = Stopwatch()
        var request = request
        request.language = language
        while true {
            let answer = try connection.send(request, into: file, progress)
            guard answer.status == 429, watch.elapsed < Self.mostPatience,
                let wait = answer.header("Retry-After").flatMap({ Int($0) }), wait <= 10
            else { return try checked(answer) }
            for _ in 0..<max(1, wait * 10) {
                try progress.check()
                usleep(100_000)
            }
        }
    }

    private static let mostPatience = Duration.seconds(300)

    /// Turns a problem (RFC 9457) back into the failure it was made from.
    private func checked(_ answer: DeskAnswer) throws -> DeskAnswer {
        guard !(200...299).contains(answer.status) else { return answer }
        let problem = try? JSON(parsing: answer.body)
        let words = problem?["detail"]?.string ?? problem?["title"]?.string
        throw Failure(
            problem?["code"]?.string.flatMap(Failure.Code.init(rawValue:)) ?? Self.code(answer.status),
            words ?? "The desk answered \(answer.status) and did not say why.",
            field: problem?["field"]?.string,
            cause: "\(answer.status) \(connection.name)",
            retryAfter: answer.header("Retry-After").flatMap { Int($0) }.map { .seconds($0) })
    }

    private static func code(_ status: Int) -> Failure.Code {
        switch status {
        case 401: .signInNeeded
        case 403: .denied
        case 404, 410: .notFound
        case 409, 412: .conflict
        case 413: .tooLarge
        case 415, 501: .unsupported
        case 429: .tooMany
        case 507: .full
        case 500...: .unavailable
        default: .invalid
        }
    }
}

/// Something asked of a desk.
struct DeskRequest: Sendable {
    enum Body: Sendable {
        case none
        case json(JSON)
        case file(File)
    }

    struct File: Sendable {
        var path: String
        var name: String
        var byteCount: Int64
    }

    var method: String
    var path: String
    var language = Language.english
    var query: [(String, String)]
    var body: Body
    var accept: String

    init(
        _ method: String, _ path: String, query: [(String, String)] = [], body: Body = .none,
        accept: String = "application/json"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.accept = accept
    }

    /// Path and query as they are sent.
    var target: String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { "\(Self.coded($0.0))=\(Self.coded($0.1))" }.joined(separator: "&")
    }

    static func coded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

struct DeskAnswer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    func json() throws -> JSON {
        do { return try JSON(parsing: body) } catch {
            throw Failure(
                .unavailable, "What answered is not a Quire desk. Check the address given with --server.",
                cause: "\(error)")
        }
    }
}

/// The way to a desk: through the router in this process, or over HTTP.
protocol DeskConnection: Sendable {
    /// For messages: where this leads.
    var name: String { get }
    /// With `file`, a good answer's body goes there, and the answer comes back without it.
    func send(_ request: DeskRequest, into file: String?, _ progress: Progress) throws -> DeskAnswer
}
