import Access
import App
import Bytes
import Crypto
import HTTP
import Library
import Markup
import SQL
import Storage
import Work

/// From a request to an answer: who is it, may they, do it, and what if it fails.
extension Site {
    func answer(_ request: Request, _ action: Action) throws -> Response {
        try guardian.admit(request)
        let visit = try visit(request, action)
        if !request.method.isSafe { try checkChange(visit, action) }
        if case .member(let right) = action.who {
            guard let caller = visit.caller else {
                if action.isByAnotherApp, !request.method.isSafe { throw Self.notTaken }
                return try strangerAnswer(visit)
            }
            if case .token(let id) = caller.via {
                try quire.access.limits.take(right == .keepInStep ? Self.perDesk : .token, for: id.text)
                if action.isOfOnesOwn, !caller.may(.administer) { throw Self.forPeople }
            }
            try caller.require(right)
            if visit.onlyCaptures, action.pattern.hasPrefix("/conversions/{id}") {
                _ = try visit.conversion()
            }
            if action.isGrave { try quire.access.sessions.requireFreshProof(of: caller) }
        }
        guard request.method == .post, let key = request.headers["Idempotency-Key"] else {
            return try kept(action.answer(visit), visit, action)
        }
        return try KeptAnswers.once(key, visit) { try action.answer(visit) }
    }

    /// What is shown while private folders are open stays in no cache: it would be there when they are closed again.
    private func kept(_ response: Response, _ visit: Visit, _ action: Action) -> Response {
        guard visit.session != nil, visit.caller?.seesPrivate == true, case .member = action.who else {
            return response
        }
        return response.with("Cache-Control", "no-store")
    }

    /// Before an upload is read: nobody fills the disk who may not, and no other site can make a browser send one.
    func admit(_ request: Request, _ route: Route) throws -> Response? {
        guard case .upload(let limit, _) = route.body else { return nil }
        try guardian.admit(request)
        let action = Self.actions.first {
            $0.method == route.method && $0.pattern == route.pattern.description
        }
        let visit = try visit(request, action)
        if isByBrowser(visit) { try guardian.checkOrigin(request) }
        if case .guest(let kind)? = action?.who {
            guard let (link, guest) = try Self.followed(visit), link.subject.kind == kind else {
                throw Failure(.signInNeeded, "Open the link first.")
            }
            try quire.documents.checkMayReceive(request.announcedLength ?? 0, by: guest)
        } else {
            guard let caller = visit.caller else {
                throw action?.isByAnotherApp == true
                    ? Self.notTaken : Failure(.signInNeeded, "Sign in first.")
            }
            switch action?.who {
            case .member(.keepInStep): try caller.require(.keepInStep)
            // What is of one's own, such as the picture of one's card.
            case .member(.view): try caller.require(.view)
            default: try caller.require(.edit)
            }
        }
        try request.checkLength(atMost: min(limit, settings.uploadLimit))
        return nil
    }

    private static let forPeople = Failure(
        .denied,
        "This is for people. A token does it only with the scope admin; sign in in the browser to do it yourself."
    )

    private static let notTaken = Failure(
        .signInNeeded,
        "What you shared was not kept, as nobody is signed in here. Sign in, then share it once more.")

    // MARK: Who

    /// Another desk brings its whole library once, one paper a request.
    private static let perDesk = RateLimits.Rule("sync", burst: 60_000, refill: .seconds(60))

    private func visit(_ request: Request, _ action: Action?) throws -> Visit {
        let visitor = guardian.visitor(of: request)
        var caller: Caller?
        var session: Session?
        var locked: (Member, Session)?
        var phone: Session?
        if action?.showsItsOwnSecret == true {
            // Whoever it is, it is nobody of the desk.
        } else if let bearer = bearerToken(request) {
            guard let found = try quire.access.tokens.caller(for: bearer) else {
                // Good tokens have a limit each; whoever tries bad ones is held to one for all of them.
                try quire.access.limits.take(.strangers, for: RateLimits.subject(ofAddress: visitor.address))
                throw Failure(.signInNeeded, "This token is not known here, or has expired.")
            }
            caller = found
        } else if let cookie = request.cookies[cookieName("session", isSecure: isSecure(request))] {
            // What pages do by themselves must not keep a desk open that nobody is looking at.
            let counts =
                request.path != ["events"] && request.path != ["presence"]
                && !request.headers.contains("X-Quire-Unasked")
            switch try quire.access.sessions.presence(of: cookie, from: visitor, counts: counts) {
            case .nobody: break
            case .locked(let member, let its): locked = (member, its)
            // For all but photographing whoever holds such a phone is a stranger.
            case .present(_, let its) where its.onlyCaptures && action?.isForPhones != true: phone = its
            case .present(let found, let its):
                caller = found
                session = its
            }
        } else if request.peer == .inProcess {
            // Whoever is at the machine could read the database; still, nothing private is shown by the way.
            caller = request.headers["X-Quire-Private"] == "show" ? .local : Caller.local.withoutPrivate
        }
        let seed = request.cookies[cookieName("csrf", isSecure: isSecure(request))].flatMap {
            $0.utf8.count == 43 ? $0 : nil
        }
        return Visit(
            site: self, request: request, visitor: visitor, caller: caller, session: session, locked: locked,
            phone: phone,
            now: quire.store.clock.now(), nonce: Base64.urlEncode(quire.store.chance.bytes(18)),
            seed: seed ?? Base64.urlEncode(quire.store.chance.bytes(32)), isSeedNew: seed == nil)
    }

    private func bearerToken(_ request: Request) -> String? {
        guard let header = request.headers["Authorization"] else { return nil }
        let words = header.split(separator: " ")
        return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : ""
    }

    private func isByBrowser(_ visit: Visit) -> Bool {
        switch visit.caller?.via {
        case .token, .local: false
        case .session, .share, nil: true
        }
    }

    private func checkChange(_ visit: Visit, _ action: Action) throws {
        guard isByBrowser(visit), !action.showsItsOwnSecret else { return }
        // No site can make a browser say that nobody sent it but its own menu.
        if action.isByAnotherApp, visit.request.headers["Sec-Fetch-Site"] == "none" { return }
        try guardian.checkOrigin(visit.request)
        // For nobody nothing is done: they are told so, and not that their page is old.
        if case .member = action.who, visit.caller == nil { return }
        let sent = visit.request.headers["X-Quire-CSRF"] ?? (try? visit.request.form)?["_csrf"]
        guard let sent, !visit.isSeedNew, Guardian.accepts(sent, seed: visit.seed) else {
            throw Guardian.stale
        }
        guard !Guardian.isAnothers(sent, than: visit.readerID) else { throw Guardian.anothers }
    }

    /// Nothing of the desk is shown to strangers: they are led to the door.
    private func strangerAnswer(_ visit: Visit) throws -> Response {
        if let (_, session) = visit.locked {
            guard visit.wantsPage else {
                throw Failure(.signInNeeded, "This desk is locked. Unlock it first.", field: "locked")
            }
            let wanted = visit.request.method.isSafe ? Site.next(visit.request.target) : "/"
            return visit.page(try Site.lockPage(visit, session, next: wanted), .unauthorized).away(.locked)
        }
        if visit.phone != nil {
            guard visit.wantsPage, visit.request.method.isSafe else {
                throw Failure(
                    .denied, "This phone only photographs papers for the desk. Sign in for anything else.")
            }
            return .redirect(to: "/scan")
        }
        guard visit.wantsPage, visit.request.method.isSafe else {
            throw Failure(.signInNeeded, "Sign in first.")
        }
        if try quire.access.firstOwner.isMissing() { return .redirect(to: "/welcome") }
        return .redirect(to: "/sign-in?next=\(PercentCoding.encode(visit.request.target))")
    }

    // MARK: Cookies

    func isSecure(_ request: Request) -> Bool {
        request.isSecure || settings.publicOrigin?.hasPrefix("https://") ?? false
    }

    /// With the prefix browsers hold on to: only we, over TLS, for the whole site, can have set it.
    func cookieName(_ name: String, isSecure: Bool) -> String {
        (isSecure ? "__Host-" : "") + "quire_" + name
    }
    func cookieName(_ name: String, _ visit: Visit) -> String { cookieName(name, isSecure: visit.isSecure) }

    func cookie(_ name: String, _ value: String, maxAge: Int? = nil, for visit: Visit) -> Cookie {
        Cookie(cookieName(name, visit), value, maxAge: maxAge, isSecure: visit.isSecure)
    }

    // MARK: Failures

    /// The one table from failures to statuses.
    static func status(of code: Failure.Code) -> Status {
        switch code {
        case .invalid, .unsupported: .unprocessable
        case .notFound: .notFound
        case .conflict, .cancelled: .conflict
        case .denied: .forbidden
        case .signInNeeded: .unauthorized
        case .tooLarge: .contentTooLarge
        case .tooMany: .tooManyRequests
        case .unavailable: .unavailable
        case .damaged: .internalError
        case .full: .outOfSpace
        }
    }

    func failed(_ error: any Error, _ request: Request) -> Response {
        var status = Status.internalError
        var sentence: String?
        var more: [(String, JSON)] = []
        var headers = Headers()
        var reference: String?
        var wait: Int?
        // What is wrong with a request is said in English; pages in other languages say what its status means.
        var isForPrograms = false
        // Who asks, and in which language; looked up where the answer needs it, and once.
        lazy var visit = try? self.visit(request, nil)
        switch error {
        case let failure as Failure:
            if failure.field == "private", let visit,
                let answer = privateAnswer(failure, request, visit)
            {
                return answer
            }
            if failure.field == Failure.lockField, let answer = lockAnswer(request, visit) { return answer }
            if failure.field == "proof", let answer = proofAnswer(failure, request) { return answer }
            status = Site.status(of: failure.code)
            sentence = visit?.said(failure) ?? failure.message
            more.append(("code", .string(failure.code.rawValue)))
            if let field = failure.field { more.append(("field", .string(field))) }
            if let after = failure.retryAfter {
                let seconds = max(1, Int(clamping: after.components.seconds + 1))
                wait = seconds
                headers.set("Retry-After", String(seconds))
            }
            if failure.code == .signInNeeded { headers.set("WWW-Authenticate", "Bearer realm=\"Quire\"") }
            if let away = away(failure, visit) { headers.set(Away.header, away.rawValue) }
            if failure.code == .damaged { quire.log.error("\(failure)") }
        case let refusal as Refusal:
            status = refusal.status
            sentence = refusal.detail
            isForPrograms = true
            headers = refusal.headers
        default:
            // Our own mistake: the log gets everything, the person an id to find it by.
            let id = Hex.encode(quire.store.chance.bytes(4))
            reference = id
            more += [("code", "internal"), ("reference", .string(id))]
            quire.log.error(
                "a request failed inside",
                ["reference": id, "method": request.method.name, "error": "\(error)"])
        }
        var response: Response
        // Under a foreign name nothing of the desk is shown, not even its empty pages.
        let isMisdirected = status == .misdirectedRequest
        if !isMisdirected, let visit, visit.wantsPage {
            if isForPrograms, visit.language != .english { sentence = nil }
            response = visit.page(
                Pages.problem(
                    visit.frame,
                    ProblemPage(
                        status: status.code, message: sentence, reference: reference, retryAfterSeconds: wait,
                        isAboutPlan: (error as? Failure)?.field == Entitlements.failureField,
                        isAnswer: request.method != .get)
                ), status)
        } else {
            let detail =
                sentence ?? "Something went wrong inside. It has been written down under \(reference ?? "")."
            response = .problem(status, detail: detail, more: more)
        }
        for header in headers { response.headers.set(header.name, header.value) }
        return response
    }

    /// What the answer says to a page of somebody who is no longer there.
    private func away(_ failure: Failure, _ visit: Visit?) -> Away? {
        guard let visit else { return nil }
        if failure.field == "_csrf" { return visit.caller == nil ? nil : .stale }
        guard failure.code == .signInNeeded, visit.caller == nil else { return nil }
        return visit.locked == nil ? .out : .locked
    }

    /// A page of a paper that is locked: where its password is taken off, and from there back.
    private func lockAnswer(_ request: Request, _ visit: Visit?) -> Response? {
        guard let visit, visit.wantsPage, request.method == .get, request.path.count == 3,
            request.path.first == "documents", let page = request.path.last, PasswordPage.ways.contains(page)
        else { return nil }
        return .redirect(to: "/documents/\(request.path[1])/password?then=\(page)")
    }

    /// Where something grave is done in a browser: first the question who is there, then the page it was done on.
    private func proofAnswer(_ failure: Failure, _ request: Request) -> Response? {
        guard failure.code == .signInNeeded, let visit = try? visit(request, nil), visit.wantsPage,
            let session = visit.session
        else { return nil }
        let next = request.path.first == "invitations" ? "/members" : "/" + (request.path.first ?? "")
        return (try? Site.lockPage(visit, session, next: next)).map {
            visit.page($0, .unauthorized).kept(false)
        }
    }

    func finished(_ response: Response, _ request: Request) -> Response {
        var response = response
        answers.add(response.status)
        // Who takes the trust away again, from a desk that vouches for itself, is not to be shut out of it for a year.
        SecurityHeaders.add(to: &response, isSecure: isSecure(request) && settings.house == nil)
        if response.mediaType?.isJSON == true || response.mediaType?.isSameKind(as: .html) == true {
            response.headers.include("Accept", in: "Vary")
        }
        return response
    }
}
