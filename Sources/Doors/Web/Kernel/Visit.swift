import Access
import App
import Bytes
import Crypto
import HTTP
import Jobs
import Library
import Markup
import Storage
import WebAssets
import Work

/// One request as the handlers see it: who is asking, in which language, and what they want to get.
struct Visit: Sendable {
    let site: Site
    let request: Request
    let visitor: Visitor
    /// Nil for strangers.
    let caller: Caller?
    let session: Session?
    /// Signed in, but the desk has locked itself.
    let locked: (member: Member, session: Session)?
    /// A phone that was let in to photograph, at something else: a stranger there.
    let phone: Session?
    let now: Moment
    let nonce: String
    /// Kept in the visitor's browser; forms carry a token made from it.
    let seed: String
    let isSeedNew: Bool

    var quire: Quire { site.quire }
    var access: Gate { site.quire.access }

    /// Programs get JSON, browsers pages: those say `text/html` first.
    var wantsPage: Bool { request.preferred(of: [.json, .html]) == .html }
    /// One piece of a page, for scripts that renew it.
    var wantsFragment: Bool { request.headers["Accept"]?.contains("fragment=1") ?? false }

    var isSecure: Bool { request.isSecure || site.settings.publicOrigin?.hasPrefix("https://") ?? false }

    /// `https://desk.example`
    var origin: String {
        site.settings.publicOrigin ?? (isSecure ? "https://" : "http://")
            + (request.headers["Host"] ?? "localhost")
    }

    /// By a page and not by a person.
    var isUnasked: Bool { request.headers.contains("X-Quire-Unasked") }
    /// Whose page this is; also behind the lock.
    var readerID: String? { caller?.memberID?.text ?? locked?.member.id.text }

    /// Whether this is a phone that was let in to photograph papers.
    var onlyCaptures: Bool { session?.onlyCaptures == true }

    func member() throws(Failure) -> Caller {
        guard let caller else { throw Failure(.signInNeeded, "Sign in first.") }
        return caller
    }

    /// Of work that ends when nobody waits for it any more, or the desk closes.
    var progress: Progress { Progress(cancellation: request.cancellation ?? Cancellation()) }

    func parameter(_ name: String) -> String { request.parameters[name] ?? "" }

    func id<Of>(_ name: String = "id", of what: String = "thing") throws(Failure) -> ID<Of> {
        guard let id = ID<Of>(parameter(name)) else { throw Failure(.notFound, "There is no such \(what).") }
        return id
    }

    /// Passkeys are bound to the name people reach the desk by.
    func relyingParty() throws(Failure) -> RelyingParty {
        guard let party = RelyingParty(origin: origin) else {
            throw Failure(
                .unsupported,
                "Passkeys need a name and HTTPS, or http://localhost; at \(origin) browsers do not offer them."
            )
        }
        return party
    }

    // MARK: Answers

    /// One resource, two representations.
    func show(_ json: @autoclosure () throws -> JSON, page: () throws -> HTML) throws -> Response {
        wantsPage ? self.page(try page()) : .json(try json()).with("Cache-Control", "private, no-cache")
    }

    /// For the worker in the browser: whose page it is, and after how many seconds nobody may see it unasked.
    var keepTerms: String? {
        guard let session else { return nil }
        let lock = (try? quire.settings.lock())?.minutes.map { String($0 * 60) } ?? "never"
        let whose = Hex.encode(Array(SHA256.hash("kept " + session.id.text).prefix(8)))
        return "\(whose) \(lock)"
    }

    func page(_ html: HTML, _ status: Status = .ok) -> Response {
        var response = Response.html(html.text, status: status)
        response.headers.set("Content-Security-Policy", SecurityHeaders.policy(nonce: nonce))
        response.headers.set("Cache-Control", "private, no-cache")
        if let terms = keepTerms { response.headers.set("X-Quire-Keep", terms) }
        if isSeedNew { response.set(site.cookie("csrf", seed, for: self)) }
        if !isUnasked, request.cookies[site.cookieName("notice", self)] != nil {
            response.set(site.cookie("notice", "", maxAge: 0, for: self))
        }
        return response
    }

    /// After something was done: a program gets what there is now, a person the next page with a word about it.
    func done(
        _ json: JSON, _ status: Status = .ok, at location: String? = nil, next: String, notice: String? = nil,
        _ arguments: [String: Catalog.Argument] = [:], undo: Frame.Notice.Undo? = nil
    ) -> Response {
        guard wantsPage else {
            var response = status == .noContent ? Response.noContent : Response.json(json, status)
            if let location { response.headers.set("Location", location) }
            return response
        }
        return goes(to: next, notice: notice.map { texts($0, arguments) }, undo: undo)
    }

    func goes(to next: String, notice: String? = nil, undo: Frame.Notice.Undo? = nil) -> Response {
        var response = Response.redirect(to: next)
        if let notice {
            response.set(site.cookie("notice", NoticeCookie.text(notice, undo: undo), maxAge: 60, for: self))
        }
        return response
    }

    // MARK: Pages

    /// Programs say which they want and get English else, whatever the people of the desk read. What the scripts of a page
    /// ask for stands on that page.
    var language: Language {
        guard wantsPage || session != nil || request.headers.contains("X-Quire-CSRF") else {
            return Language.choose(preference: nil, acceptLanguage: request.headers["Accept-Language"])
        }
        let chosen = request.cookies["quire_language"].flatMap { $0.isEmpty ? nil : $0 }
        let fallback = try? quire.settings.region().language
        return Language.choose(
            preference: chosen ?? (fallback?.isEmpty == false ? fallback : nil),
            acceptLanguage: request.headers["Accept-Language"])
    }

    /// For a page that answers another address than its own, after a form that could not be taken.
    func frameAt(_ path: String) -> Frame {
        var frame = frame
        frame.path = path
        return frame
    }

    var texts: Texts { Texts(site.assets.catalog, language) }

    /// What a clock on the desk's wall shows, as it may stand in a name: `2026-11-27 20.45`.
    var minuteHere: String {
        "\(dayHere) \(wallTime.dropFirst(11).prefix(5).replacing(":", with: "."))"
    }

    /// `2026-11-27`
    var dayHere: String { String(wallTime.prefix(10)) }

    private var wallTime: String { ((try? quire.settings.zone()) ?? .utc).wallTime(at: now).text }

    /// What failed, in the reader's language.
    func said(_ failure: Failure) -> String { texts(failure) }

    var frame: Frame {
        var frame = Frame(
            texts: texts, assets: site.assets, path: "/" + request.path.joined(separator: "/"), now: now,
            nonce: nonce,
            csrfToken: Guardian.token(seed: seed, mask: quire.store.chance.bytes(32), reader: readerID))
        frame.theme = request.cookies["quire_theme"].flatMap(Frame.Theme.init(rawValue:)) ?? .system
        frame.isFresh = request.method == .get
        // What a page asks for by itself takes no word away from the page it is meant for.
        frame.notice =
            isUnasked ? nil : request.cookies[site.cookieName("notice", self)].flatMap(NoticeCookie.notice)
        frame.tagColours = TagColours { [documents = quire.documents] in
            ((try? documents.tagColours()) ?? [:]).mapValues(\.rawValue)
        }
        frame.worn = { [settings = quire.settings] in (try? settings.worn()) ?? nil }
        // A phone shows no ways on: none is open to it.
        if let caller, !onlyCaptures {
            frame.reader = Frame.Reader(
                id: caller.memberID?.text ?? "local", name: caller.name,
                role: Frame.Role(rawValue: caller.role.rawValue) ?? .viewer)
            frame.canSignOut = session != nil
            frame.isPrivate = session != nil && caller.seesPrivate
            frame.lockAfterMinutes = session == nil ? nil : (try? quire.settings.lock())?.minutes
            frame.unreadNotices = (try? access.notices.unreadCount(by: caller)) ?? 0
            frame.runningJobs = (try? quire.queue.counts())?[.running] ?? 0
        }
        return frame
    }
}

/// A word about what was just done, kept in a cookie until the next page shows it.
enum NoticeCookie {
    static func text(_ text: String, undo: Frame.Notice.Undo?) -> String {
        var json: JSONObject = ["text": .string(text)]
        if let undo {
            json["undo"] = .string(undo.action)
            json["fields"] = .array(undo.fields.map { [.string($0.name), .string($0.value)] })
        }
        return Base64.urlEncode(JSON.object(json).bytes)
    }

    static func notice(_ cookie: String) -> Frame.Notice? {
        guard let bytes = Base64.urlDecode(cookie), let json = try? JSON(parsing: bytes),
            let text = json["text"]?.string
        else { return nil }
        var notice = Frame.Notice(text: text)
        if let action = json["undo"]?.string, action.hasPrefix("/"), !action.hasPrefix("//") {
            let fields = (json["fields"]?.array ?? []).compactMap { pair in
                pair[0]?.string.flatMap { name in pair[1]?.string.map { (name: name, value: $0) } }
            }
            notice.undo = Frame.Notice.Undo(action: action, fields: fields)
        }
        return notice
    }
}
