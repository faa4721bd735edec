import Access
import App
import Bytes
import Crypto
import HTTP
import Library
import Storage
import Synchronization
import Work

/// The library to programs that know Paperless-ngx: its addresses under `/api`, its numbers and names, as far as programs
/// on phones and in scripts need them to list, search, read and bring papers.
///
/// What Paperless calls a correspondent is the first of a paper's people here, a document type what stands in the field of
/// that name, a storage path a folder. Who comes shows a token.
struct PaperlessDoor: Sendable {
    let quire: Quire
    let guardian: Guardian
    let tasks: PaperlessTasks
    let uploadLimit: Int64

    init(_ quire: Quire, _ guardian: Guardian, uploadLimit: Int64) {
        self.quire = quire
        self.guardian = guardian
        self.uploadLimit = uploadLimit
        tasks = PaperlessTasks()
    }

    /// A call, with what every answer needs of it.
    struct Call {
        let door: PaperlessDoor
        let request: Request
        let caller: Caller
        /// Below `/api`, without the last slash.
        let path: [String]
        let origin: String
        /// How the answer is to look: 9 tells days as days, those before as moments.
        let version: Int

        var documents: Documents { door.quire.documents }
        var query: Fields { request.query }
    }

    /// Of what is spoken here. Programs look at it to know what they may ask.
    static let apiVersion = 9
    static let version = "2.18.4"

    func router(failure: @escaping Router.FailureAnswer, finishing: @escaping Router.Finish) -> Router {
        var routes = ([.get, .post, .put, .patch, .delete] as [Method]).map { method in
            Route(method, "/api/{...}", mode: .work) { request in try self.answer(request) }
        }
        routes.append(
            Route(.post, "/api/documents/post_document/{...}", body: .upload(limit: 1 << 50)) { request in
                try self.answer(request)
            })
        return Router(
            routes, failure: { error, request in Self.failed(error, request, failure) },
            admission: { request, route in
                guard case .upload = route.body else { return nil }
                try self.caller(request).require(.edit)
                try request.checkLength(atMost: uploadLimit)
                return nil
            }, finishing: { response, request in finishing(Self.told(response), request) })
    }

    private static func told(_ response: Response) -> Response {
        response.with("X-Api-Version", String(apiVersion)).with("X-Version", version)
            .with("Cache-Control", "private, no-cache")
    }

    /// As programs of Paperless expect to be told: what is wrong with which field, or one sentence.
    private static func failed(
        _ error: any Error, _ request: Request, _ otherwise: Router.FailureAnswer
    ) -> Response {
        guard let failure = error as? Failure else { return otherwise(error, request) }
        var response: Response
        switch failure.code {
        case .invalid, .unsupported, .conflict:
            response = .json(
                [failure.field ?? "non_field_errors": [.string(failure.message)]], .badRequest)
        default: response = .json(["detail": .string(failure.message)], Site.status(of: failure.code))
        }
        if let after = failure.retryAfter {
            response.headers.set("Retry-After", String(max(1, after.components.seconds + 1)))
        }
        if failure.code == .signInNeeded { response.headers.set("WWW-Authenticate", "Token") }
        return response
    }

    // MARK: Who

    private func caller(_ request: Request) throws -> Caller {
        try guardian.admit(request)
        guard let header = request.headers["Authorization"] else {
            // The command line and the tests; everybody else needs a token.
            if request.peer == .inProcess { return Caller.local.withoutPrivate }
            throw Failure(.signInNeeded, "Authentication credentials were not provided.")
        }
        let words = header.split(separator: " ")
        let isToken = words.count == 2 && words[0].lowercased() == "token"
        guard let token = isToken ? String(words[1]) : Authorization.token(in: header),
            let caller = try quire.access.tokens.caller(for: token)
        else {
            try quire.access.limits.take(
                .strangers, for: RateLimits.subject(ofAddress: guardian.visitor(of: request).address))
            throw Failure(.signInNeeded, "Invalid token.")
        }
        if case .token(let id) = caller.via { try quire.access.limits.take(.token, for: id.text) }
        return caller
    }

    private func answer(_ request: Request) throws -> Response {
        var path = Array(request.path.dropFirst())
        if path.last == "" { path.removeLast() }
        if path == ["token"] {
            try guardian.admit(request)
            return try token(request)
        }
        let caller = try caller(request)
        guard let version = Self.version(asked: request.headers["Accept"] ?? "") else {
            // As Paperless says it; programs then ask for an older one.
            return .json(["detail": "Invalid version in \"Accept\" header."], .notAcceptable)
        }
        try caller.require(request.method.isSafe ? .view : .edit)
        let isSecure = request.isSecure || guardian.settings.publicOrigin?.hasPrefix("https://") ?? false
        let origin =
            guardian.settings.publicOrigin
            ?? (isSecure ? "https://" : "http://") + (request.headers["Host"] ?? "localhost")
        let call = Call(
            door: self, request: request, caller: caller, path: path, origin: origin,
            version: version)
        return try call.answer()
    }

    /// `application/json; version=5`; programs that name none get the first, as Paperless gives it.
    /// Nil for one that is not spoken here: answered as if it were, it would be misunderstood.
    private static func version(asked accept: String) -> Int? {
        guard let mark = accept.firstRange(of: "version=") else { return 1 }
        let wanted = accept[mark.upperBound...].prefix { !";, ".contains($0) }
        return Int(wanted).flatMap { (1...apiVersion).contains($0) ? $0 : nil }
    }

    /// A name and a password for a token that is listed in the settings, and can be taken back there.
    private func token(_ request: Request) throws -> Response {
        guard request.method == .post else {
            throw Refusal(.methodNotAllowed, "A token is asked for with POST.")
        }
        let input = try Input(request)
        let visitor = guardian.visitor(of: request)
        do {
            let signedIn = try quire.access.signIn.withPassword(
                try input.requiredText("username"), try input.requiredText("password"), from: visitor)
            let program = visitor.userAgent.prefix { $0 != "/" && $0 != " " }
            let scopes: Set<Scope> = signedIn.caller.may(.edit) ? [.read, .write] : [.read]
            let made = try quire.access.tokens.make(
                name: program.isEmpty ? "Paperless app" : "Paperless app: \(program.prefix(40))",
                scopes: scopes,
                by: signedIn.caller)
            // The program keeps its token; nobody is signed in by it.
            try quire.access.signIn.signOut(signedIn.caller)
            return .json(["token": .string(made.token.text)])
        } catch let failure as Failure where failure.code == .signInNeeded {
            throw Failure(.invalid, "Unable to log in with provided credentials.")
        }
    }
}

/// What became of uploads, for programs that ask after them. Taking a paper in is done when the upload is answered, so
/// that this is kept in memory alone.
final class PaperlessTasks: Sendable {
    struct Entry: Sendable {
        var id: String
        var number: Int
        var owner: String
        var fileName: String
        var at: Moment
        var document: Int
        /// The library had these bytes already.
        var isDuplicate: Bool
    }

    private let entries = Mutex<[Entry]>([])
    private static let most = 500

    func add(_ entry: Entry) {
        entries.withLock { entries in
            var entry = entry
            entry.number = (entries.last?.number ?? 0) + 1
            entries.append(entry)
            if entries.count > Self.most { entries.removeFirst() }
        }
    }

    func list(of owner: String) -> [Entry] {
        entries.withLock { $0.filter { $0.owner == owner } }
    }

    /// They need not be told any more; how many those were.
    func forget(_ numbers: Set<Int>, of owner: String) -> Int {
        entries.withLock { entries in
            let before = entries.count
            entries.removeAll { numbers.contains($0.number) && $0.owner == owner }
            return before - entries.count
        }
    }
}
