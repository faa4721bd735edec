import Browsing
import Bytes
public import Conversion
import Crypto
public import HTTP
import Office
import Transfer
public import Work

/// Answers as Gotenberg does, under the same paths, so that programs made for it work with Quire unchanged.
///
/// It has no desk, no members and no memory: whoever reaches it may convert.
public final class GotenbergSite: Sendable {
    private let settings: GotenbergSettings
    private let engines: Engines
    private let clock: Clock
    private let log: Log
    private let webhooks: Workers
    private let stopping = Cancellation()

    public init(_ settings: GotenbergSettings, engines: Engines, clock: Clock = .system, log: Log) {
        self.settings = settings
        self.engines = engines
        self.clock = clock
        self.log = log
        webhooks = Workers(name: "webhook", threads: 8)
    }

    /// Lets what was promised to webhooks be delivered.
    public func close() {
        webhooks.stop()
        stopping.cancel(reason: "Quire is stopping")
    }

    public var router: Router {
        let prefix = settings.prefix
        var routes: [Route] = [
            Route(.get, prefix + "/health", mode: .quick) { [self] _ in health },
            Route(.get, prefix + "/version", mode: .quick) { [self] _ in .text(settings.version) },
            Route(.get, prefix.isEmpty ? "/" : prefix, mode: .quick) { _ in
                .text("Quire converts papers here, under Gotenberg's paths.")
            },
        ]
        if let path = settings.metricsPath {
            let place = path.split(separator: "/").map { "/" + $0 }.joined()
            routes.append(Route(.get, prefix + place, mode: .quick) { [self] _ in .text(metrics) })
        }
        if let debug = settings.debug {
            routes.append(Route(.get, prefix + "/debug", mode: .quick) { _ in .bytes(debug.bytes, .json) })
        }
        func add(
            _ path: String,
            _ body: @escaping @Sendable (GotenbergWork, GotenbergForm) throws -> GotenbergResult
        ) {
            let group = GotenbergSettings.Group(rawValue: String(path.prefix { $0 != "/" }))
            if let group, settings.left.contains(group) { return }
            routes.append(
                Route(.post, prefix + "/forms/" + path, body: .upload(limit: settings.bodyLimit)) {
                    [self] request in
                    try answer(request, body)
                })
        }
        for kind in ["url", "html", "markdown"] {
            add("chromium/convert/" + kind) { try $0.page(kind, $1) }
            add("chromium/screenshot/" + kind) { try $0.screenshot(kind, $1) }
        }
        add("libreoffice/convert") { try $0.office($1) }
        add("pdfengines/merge") { try $0.merge($1) }
        add("pdfengines/split") { work, form in
            try work.change(
                form, { if $0.text("splitMode") == nil { $0.missing("form field 'splitMode' is required") } })
        }
        add("pdfengines/flatten") { try $0.flattened($1) }
        add("pdfengines/optimize") { try $0.compressed($1) }
        add("pdfengines/convert") { work, form in
            try work.change(
                form,
                {
                    if $0.text("pdfa") == nil, !$0.flag("pdfua") {
                        $0.missing("at least one of the form fields 'pdfa' and 'pdfua' is required")
                    }
                })
        }
        add("pdfengines/encrypt") { work, form in try work.change(form, { _ = $0.needed("userPassword") }) }
        add("pdfengines/rotate") { work, form in try work.change(form, { _ = $0.needed("rotateAngle") }) }
        add("pdfengines/watermark") { work, form in
            try work.change(form, { _ = $0.needed("watermarkSource") })
        }
        add("pdfengines/stamp") { work, form in try work.change(form, { _ = $0.needed("stampSource") }) }
        add("pdfengines/embed") { work, form in
            try work.change(
                form,
                { form in
                    if !form.files.contains(where: { $0.field == "embeds" }) {
                        form.missing("form file 'embeds' is required")
                    }
                })
        }
        add("pdfengines/factur-x") { work, form in
            try work.change(
                form,
                { form in
                    if form.text("facturxXml") == nil,
                        !form.files.contains(where: { $0.field == "facturxXml" })
                    {
                        form.missing("form file 'facturxXml' is required")
                    }
                })
        }
        add("pdfengines/metadata/write") { work, form in try work.change(form, { _ = $0.needed("metadata") })
        }
        add("pdfengines/metadata/read") { work, form in try work.facts(form) { try PDFTools.facts($0) } }
        add("pdfengines/bookmarks/write") { work, form in
            try work.change(form, { _ = $0.needed("bookmarks") })
        }
        add("pdfengines/bookmarks/read") { work, form in try work.facts(form) { try PDFTools.bookmarks($0) } }
        return Router(
            routes, failure: { [self] error, request in failed(error, request) },
            admission: { [self] request, _ in refusal(request) },
            finishing: { [self] response, request in
                response.with(settings.traceHeader, trace(of: request, response))
            })
    }

    /// Named by the client, or made up; every answer carries it.
    private func trace(of request: Request, _ response: Response) -> String {
        let name = settings.traceHeader
        if let given = request.headers.first(name), given.utf8.count <= 200 { return given }
        return response.headers.first(name) ?? Self.newName()
    }

    /// A random UUID, which is also what results are called when nobody names them.
    static func newName() -> String {
        var bytes = Chance.system.bytes(16)
        guard bytes.count == 16 else { return "result" }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return Hex.grouped(bytes)
    }

    private func refusal(_ request: Request) -> Response? {
        guard !["health", "version"].contains(request.path.last ?? "") else { return nil }
        if let admits = settings.admits {
            return admits(request.headers.first("Authorization") ?? "") ? nil : Self.unauthorized
        }
        guard let user = settings.user, let password = settings.password else { return nil }
        let expected = "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
        let given = request.headers.first("Authorization") ?? ""
        if SHA256.hash(Array(given.utf8)) == SHA256.hash(Array(expected.utf8)) { return nil }
        return Self.unauthorized
    }

    private static var unauthorized: Response {
        Response.text("Unauthorized", status: .unauthorized)
            .with("WWW-Authenticate", "Basic realm=\"Quire\"")
    }

    private var health: Response {
        let now = clock.now().iso8601
        let engines: [(group: GotenbergSettings.Group, isUp: Bool)] = [
            (.chromium, Browsers.isInstalled), (.libreoffice, Offices.isInstalled),
        ].filter { !settings.left.contains($0.0) }
        let isUp = engines.allSatisfy(\.isUp)
        let details = engines.map { engine -> (String, JSON) in
            (
                engine.group.rawValue,
                ["status": .string(engine.isUp ? "up" : "down"), "timestamp": .string(now)]
            )
        }
        let view: JSON = [
            "status": .string(isUp ? "up" : "down"), "details": .object(JSONObject(details)),
        ]
        return .bytes(view.bytes, .json, status: isUp ? .ok : .unavailable)
    }

    private var metrics: String {
        let browsers = engines.browsers.status
        let offices = engines.offices.status
        let space = settings.metricsNamespace
        var text = ""
        for (name, help, value) in [
            ("chromium_requests_queue_size", "Pages that wait for the browser.", browsers.waiting),
            ("chromium_restarts_count", "How often the browser was replaced.", browsers.restarts),
            ("libreoffice_requests_queue_size", "Papers that wait for LibreOffice.", offices.waiting),
            ("libreoffice_restarts_count", "How often a LibreOffice was replaced.", offices.restarts),
        ] {
            text +=
                "# HELP \(space)_\(name) \(help)\n# TYPE \(space)_\(name) gauge\n\(space)_\(name) \(value)\n"
        }
        return text
    }

    private func answer(
        _ request: Request,
        _ body: @escaping @Sendable (GotenbergWork, GotenbergForm) throws -> GotenbergResult
    ) throws -> Response {
        let inbox = GotenbergInbox(settings: settings)
        let form = try inbox.form(of: request)
        let output = request.headers.first("Gotenberg-Output-Filename") ?? Self.newName()
        let trace = request.headers.first(settings.traceHeader) ?? Self.newName()
        if let webhook = try GotenbergWebhook(request, settings, trace: trace) {
            if settings.waitsForWebhooks {
                let outcome = Result { try make(form, Cancellation(following: stopping), body) }
                webhook.deliver(outcome, name: output, problem: { problem($0) }, clock, stopping, log)
                return .noContent.with(settings.traceHeader, trace)
            }
            let fields = UncheckedForm(form: form)
            let isTaken = webhooks.submit { [self] in
                let outcome = Result { try make(fields.form, Cancellation(following: stopping), body) }
                webhook.deliver(outcome, name: output, problem: { self.problem($0) }, clock, stopping, log)
            }
            guard isTaken else { throw GotenbergProblem(503, "Service Unavailable") }
            return .noContent.with(settings.traceHeader, trace)
        }
        // Gotenberg goes on for a client that has hung up; here the engines are free again.
        let cancellation = Cancellation(following: stopping)
        let hangUp = request.cancellation?.whenCancelled {
            cancellation.cancel(reason: "the client has hung up")
        }
        defer { hangUp?.cancel() }
        let made = try make(form, cancellation, body)
        return Response.bytes(made.bytes, MediaType(made.mediaType) ?? .octets)
            .with(
                "Content-Disposition", Disposition.text(inline: false, fileName: "\(output).\(made.ending)")
            )
            .with(settings.traceHeader, trace)
    }

    private func make(
        _ form: GotenbergForm, _ cancellation: Cancellation,
        _ body: (GotenbergWork, GotenbergForm) throws -> GotenbergResult
    ) throws -> (bytes: [UInt8], mediaType: String, ending: String) {
        let work = GotenbergWork(
            engines: engines, settings: settings, clock: clock, cancellation: cancellation)
        return try body(work, form).packed(clock)
    }

    private func failed(_ error: any Error, _ request: Request) -> Response {
        let problem = problem(error)
        return Response.text(problem.message, status: Status(problem.status))
    }

    /// What went wrong, in the statuses Gotenberg's clients know.
    private func problem(_ error: any Error) -> GotenbergProblem {
        switch error {
        case let problem as GotenbergProblem: return problem
        case let refusal as Refusal: return GotenbergProblem(Int(refusal.status.code), "\(refusal.detail)")
        case let error as BrowserError: return problem(of: error)
        case let error as ConversionError:
            switch error {
            case .page(let page): return problem(of: page)
            case .passwordNeeded, .wrongPassword, .passwordNotNeeded, .badOption, .damaged, .unknownKind,
                .noWay,
                .unreadableFile:
                return GotenbergProblem(400, error.description)
            case .tooLarge: return GotenbergProblem(413, error.description)
            case .timedOut, .pageTimedOut: return GotenbergProblem(503, "Service Unavailable: \(error)")
            case .busy: return GotenbergProblem(429, "Too Many Requests")
            case .missing, .tooLittleMemory: return GotenbergProblem(503, error.description)
            case .cancelled, .engineFailed: return GotenbergProblem(500, "Internal Server Error")
            }
        default:
            log.error("a conversion failed", ["error": "\(error)"])
            return GotenbergProblem(500, "Internal Server Error")
        }
    }

    private func problem(of error: BrowserError) -> GotenbergProblem {
        switch error {
        case .forbidden: GotenbergProblem(403, "Forbidden")
        case .answered(let status, _):
            GotenbergProblem(409, "Invalid HTTP status code from the main page: \(status)")
        case .complaints: GotenbergProblem(409, error.description)
        case .notLoaded(let why): GotenbergProblem(400, "Chromium could not load the page: \(why)")
        case .refused(let why): GotenbergProblem(400, "Chromium refused: \(why)")
        case .timedOut: GotenbergProblem(503, "Service Unavailable")
        case .busy: GotenbergProblem(429, "Too Many Requests")
        case .notInstalled: GotenbergProblem(503, error.description)
        case .tooLittleMemory: GotenbergProblem(503, error.description)
        case .lost, .cancelled: GotenbergProblem(500, "Internal Server Error")
        }
    }
}

/// A form handed to one other thread. `@unchecked`: the request's thread does not look at it any more once that thread
/// has it.
private struct UncheckedForm: @unchecked Sendable {
    let form: GotenbergForm
}
