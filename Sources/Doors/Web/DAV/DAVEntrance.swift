import Access
import App
import Bytes
import HTTP
import Storage
import Transfer
import Work

/// Who comes to a door for programs that speak WebDAV: they show a token as password; the user's name does not matter.
struct DAVEntrance: Sendable {
    let quire: Quire
    let guardian: Guardian

    func caller(_ request: Request) throws -> Caller {
        try guardian.admit(request)
        guard let token = request.headers["Authorization"].flatMap(Authorization.token) else {
            // The command line and the tests; everybody else needs a token.
            if request.peer == .inProcess, request.headers["Authorization"] == nil {
                return Caller.local.withoutPrivate
            }
            throw Failure(.signInNeeded, "Sign in with a token as password.")
        }
        guard let caller = try quire.access.tokens.caller(for: token) else {
            let address = RateLimits.subject(ofAddress: guardian.visitor(of: request).address)
            try quire.access.limits.take(.strangers, for: address)
            throw Failure(.signInNeeded, "This token is not known here, or has expired.")
        }
        if case .token(let id) = caller.via { try quire.access.limits.take(.token, for: id.text) }
        return caller
    }

    /// Who brings little is asked who they are when it has come.
    func callerOfMuch(_ request: Request) throws -> Caller? {
        request.announcedLength ?? .max > 1 << 20 ? try caller(request) : nil
    }

    static func failed(
        _ error: any Error, _ request: Request, _ otherwise: Router.FailureAnswer
    ) -> Response {
        var response = otherwise(error, request)
        if response.status == .unauthorized {
            response.headers.set("WWW-Authenticate", "Basic realm=\"Quire\", charset=\"UTF-8\"")
        }
        return response
    }
}

extension Request {
    /// What came with it, where that is held in memory.
    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

    /// `If-Match` and `If-None-Match`, for what is about to be written over.
    func checkTags(_ tag: ETag?) throws(Refusal) {
        let wanted = ETagCondition(headers.all("If-Match"))
        let unwanted = ETagCondition(headers.all("If-None-Match"))
        let isThere = tag != nil
        guard wanted?.isMetStrongly(by: tag, isThere: isThere) ?? true,
            !(unwanted?.isMetWeakly(by: tag, isThere: isThere) ?? false)
        else {
            throw Refusal(.preconditionFailed, "It is not what it was.")
        }
    }

    /// The parts of the path of an address below the first one, without what a last slash leaves behind; nil for what lies
    /// somewhere else.
    func path(ofAddress address: String, below first: String) -> [String]? {
        var text = address
        if let scheme = text.firstRange(of: "://") {
            let rest = text[scheme.upperBound...]
            let host = rest.prefix { $0 != "/" }
            guard host.lowercased() == headers["Host"]?.lowercased() ?? host.lowercased() else {
                return nil
            }
            text = String(rest.dropFirst(host.count))
        }
        guard let target = try? Target(text.isEmpty ? "/" : text), target.path.first == first else {
            return nil
        }
        return Self.path(below: target.path)
    }

    /// The same of this request.
    var pathBelow: [String] { Self.path(below: path) }

    private static func path(below path: [String]) -> [String] {
        let inside = path.dropFirst()
        return Array(inside.last == "" ? inside.dropLast() : inside)
    }
}
