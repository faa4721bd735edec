import Bytes
import Synchronization
import Transfer
import Work

/// Answers everything a page asks for: from the job's own files, or from the web on the page's behalf, or not at all.
final class PageRequests: Sendable {
    private struct State {
        var report = PageReport()
        var open = 0
        /// Moves on with every request begun or ended.
        var changes = 0
        var main: (status: Int?, reason: String)?
        var jar: [WebAccess.Cookie] = []
        /// Addresses that were asked for.
        var asked: Set<String> = []
    }

    private let browser: BrowserProcess
    private let source: PageSource
    private let client: HTTPClient?
    private let workers: Workers
    private let cancellation: Cancellation
    private let state: Monitor<State>

    init(_ browser: BrowserProcess, _ source: PageSource, workers: Workers, _ cancellation: Cancellation) {
        self.browser = browser
        self.source = source
        self.workers = workers
        self.cancellation = Cancellation(following: cancellation)
        client = source.web.map { web in
            var settings = HTTPClient.Settings(guardian: web.guardian)
            settings.connectTimeout = .seconds(10)
            settings.idleTimeout = .seconds(20)
            return HTTPClient(settings)
        }
        state = Monitor(State(jar: source.web?.cookies ?? []))
    }

    var report: PageReport { state.read { $0.report } }

    /// Nobody waits any more for what is still on its way, or is asked for after this: to the page it does not exist.
    func end() { cancellation.cancel(reason: "it did not come in time") }

    /// What became of the page itself; nil while nobody knows.
    var main: (status: Int?, reason: String)? { state.read { $0.main } }

    func note(_ change: (inout PageReport) -> Void) {
        state.update(waking: .nobody) { change(&$0.report) }
    }

    /// A connection that stays, which nobody answers: the browser has no network to open one with. Whoever misses
    /// what would have come over it is told.
    func refuse(_ address: String) {
        note { report in
            let isKnown = report.blocked.contains { $0.address == address }
            guard !isKnown, report.blocked.count < PageReport.longest else { return }
            report.blocked.append(.init(address: address, reason: PageReport.staysOpen))
        }
    }

    /// Waits until nothing has been asked for a while.
    func awaitIdle(for quiet: Duration, _ deadline: Deadline) throws(BrowserError) {
        var seen = (changes: -1, watch: Stopwatch())
        while true {
            try deadline.check()
            let now = state.read { (open: $0.open, changes: $0.changes) }
            if now.changes != seen.changes || now.open > 0 { seen = (now.changes, Stopwatch()) }
            if now.open == 0, seen.watch.elapsed >= quiet { return }
            _ = state.wait(timeout: .milliseconds(25)) { $0.changes != now.changes ? true : nil }
        }
    }

    /// Waits until all of these have been asked for, and everything has been answered.
    func awaitAnswers(to addresses: [String], _ deadline: Deadline) throws(BrowserError) {
        _ = try deadline.wait(state) { state in
            state.open == 0 && addresses.allSatisfy { state.asked.contains($0) } ? true : nil
        }
    }

    /// A request stands still until it is answered. Told on the reading thread, so the work goes elsewhere.
    func answer(_ about: JSON, session: String) {
        guard let id = about["requestId"]?.string, let request = about["request"],
            let address = request["url"]?.string
        else { return }
        let isMain = about["resourceType"]?.string == "Document" && about["frameId"]?.string == mainFrame
        state.update {
            $0.open += 1
            $0.changes += 1
            $0.report.requestCount += 1
            if $0.asked.count < 10_000 { $0.asked.insert(address) }
        }
        let isTaken = workers.submit { [self] in
            reply(to: request, id, address, session: session, isMain: isMain)
            state.update {
                $0.open -= 1
                $0.changes += 1
            }
        }
        if !isTaken { fail(id, session, "Aborted") }
    }

    private let frame = Mutex<String?>(nil)

    /// The frame of the page itself; a frame inside it may fail without the page failing.
    var mainFrame: String? {
        get { frame.withLock { $0 } }
        set { frame.withLock { $0 = newValue } }
    }

    private func reply(to request: JSON, _ id: String, _ address: String, session: String, isMain: Bool) {
        if let path = PageSource.path(of: address) {
            return serve(path, id, address, session: session, isMain: isMain)
        }
        guard let web = source.web, let client else {
            return block(address, "this job may fetch nothing but its own files", id, session, isMain)
        }
        if let objection = web.objection(to: address) {
            return block(address, objection, id, session, isMain)
        }
        var call = HTTPCall(request["method"]?.string ?? "GET", address, timeout: .seconds(30))
        // The browser is told of redirects, so that each hop is asked for anew and judged anew.
        call.followsRedirects = false
        for (name, value) in request["headers"]?.object ?? [:] {
            let lower = name.lowercased()
            guard let value = value.string, !Self.ours.contains(lower) else { continue }
            call.headers.append((name: name, value: value))
        }
        if let agent = web.userAgent { call.headers.append((name: "User-Agent", value: agent)) }
        for header in web.headers where header.scope.map({ WebAccess.isFound($0, in: address) }) ?? true {
            call.headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
            call.headers.append((name: header.name, value: header.value))
        }
        if let cookies = cookies(for: address) { call.headers.append((name: "Cookie", value: cookies)) }
        if let body = request["postData"]?.string { call.body = .bytes(Array(body.utf8)) }
        do throws(TransferError) {
            let answer = try fetch(call, web, client, isMain: isMain)
            keepCookies(answer, address)
            finish(answer, id, address, session: session, isMain: isMain)
        } catch {
            if case .forbiddenAddress = error {
                return block(address, error.description, id, session, isMain)
            }
            note { report in
                if report.failed.count < PageReport.longest {
                    let reason = cancellation.reason ?? error.description
                    report.failed.append(.init(address: address, reason: reason))
                }
            }
            if isMain { state.update { $0.main = (nil, error.description) } }
            fail(id, session, "Failed")
        }
    }

    private func fetch(
        _ call: HTTPCall, _ web: WebAccess, _ client: HTTPClient, isMain: Bool
    ) throws(TransferError) -> HTTPAnswer {
        func send() throws(TransferError) -> HTTPAnswer {
            try client.send(
                call, into: .memory(limit: web.byteLimit), progress: Progress(cancellation: cancellation))
        }
        guard web.asksAgain, ["GET", "HEAD"].contains(call.method) else { return try send() }
        do throws(TransferError) {
            let answer = try send()
            guard isMain, [502, 503, 504].contains(answer.status) else { return answer }
        } catch {
            switch error {
            case .broken: break
            case .unreachable, .nameNotFound: guard isMain else { throw error }
            default: throw error
            }
        }
        // A moment, in which a server that is overloaded or begins anew may come to itself.
        if isMain { try? Deadline(.seconds(1), cancellation).wait(Monitor(())) { _ -> Void? in nil } }
        return try send()
    }

    /// Written by the transfer itself.
    private static let ours: Set<String> = [
        "host", "content-length", "connection", "accept-encoding", "cookie", "transfer-encoding",
    ]

    private func serve(_ path: String, _ id: String, _ address: String, session: String, isMain: Bool) {
        guard let file = source.files[path] ?? source.find?(path) else {
            if path != "favicon.ico" {
                note { report in
                    if report.failed.count < PageReport.longest {
                        report.failed.append(
                            .init(address: path, status: 404, reason: "there is no such file in the job"))
                    }
                }
            }
            if isMain { state.update { $0.main = (404, "there is no “\(path)” among the files") } }
            return fulfil(id, session, status: 404, headers: [], body: [])
        }
        if isMain { state.update { $0.main = (200, "") } }
        fulfil(id, session, status: 200, headers: [("Content-Type", file.contentType)], body: file.bytes)
    }

    private func finish(_ answer: HTTPAnswer, _ id: String, _ address: String, session: String, isMain: Bool)
    {
        let isRedirect = (300..<400).contains(answer.status) && answer.header("Location") != nil
        if isMain, !isRedirect { state.update { $0.main = (answer.status, "") } }
        // Browsers ask for this one by themselves, and nobody misses it on paper.
        if answer.status >= 400, !isMain, !address.hasSuffix("/favicon.ico") {
            note { report in
                if report.failed.count < PageReport.longest {
                    report.failed.append(
                        .init(address: address, status: answer.status, reason: "answered \(answer.status)"))
                }
            }
        }
        // Unpacked already, and whole: what speaks of its form on the wire would mislead.
        let dropped: Set<String> = [
            "content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "alt-svc",
            "strict-transport-security",
        ]
        let headers = answer.headers.filter { !dropped.contains($0.name.lowercased()) }
        fulfil(
            id, session, status: answer.status, headers: headers.map { ($0.name, $0.value) },
            body: answer.body)
    }

    private func fulfil(
        _ id: String, _ session: String, status: Int, headers: [(String, String)], body: [UInt8]
    ) {
        let list = headers.map { JSON.object(["name": .string($0.0), "value": .string($0.1)]) }
        browser.tell(
            "Fetch.fulfillRequest",
            [
                "requestId": .string(id), "responseCode": .int(status), "responseHeaders": .array(list),
                "body": .string(Base64.encode(body)),
            ], session: session)
    }

    private func block(_ address: String, _ why: String, _ id: String, _ session: String, _ isMain: Bool) {
        note { report in
            if report.blocked.count < PageReport.longest {
                report.blocked.append(.init(address: address, reason: why))
            }
        }
        if isMain { state.update { $0.main = (nil, why) } }
        fail(id, session, "AccessDenied")
    }

    private func fail(_ id: String, _ session: String, _ reason: String) {
        browser.tell(
            "Fetch.failRequest", ["requestId": .string(id), "errorReason": .string(reason)], session: session)
    }

    // The browser adds its own cookies behind the place where requests are handed to us, so a jar is kept here,
    // for this job alone.

    private func cookies(for address: String) -> String? {
        guard let address = try? WebAddress(address) else { return nil }
        let found = state.read { $0.jar }.filter { cookie in
            (address.host == cookie.domain || address.host.hasSuffix("." + cookie.domain))
                && address.path.hasPrefix(cookie.path) && (!cookie.isSecure || address.isSecure)
        }
        return found.isEmpty ? nil : found.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private func keepCookies(_ answer: HTTPAnswer, _ address: String) {
        guard let address = try? WebAddress(address) else { return }
        for header in answer.headers where header.name.lowercased() == "set-cookie" {
            let parts = header.value.split(separator: ";").map { $0.drop { $0 == " " } }
            guard let pair = parts.first, let equal = pair.firstIndex(of: "=") else { continue }
            var cookie = WebAccess.Cookie(
                String(pair[..<equal]), String(pair[pair.index(after: equal)...]), domain: address.host)
            for part in parts.dropFirst() {
                let lower = part.lowercased()
                if lower == "secure" { cookie.isSecure = true }
                if lower.hasPrefix("path=") { cookie.path = String(part.dropFirst(5)) }
                if lower.hasPrefix("domain=") {
                    let domain = String(lower.dropFirst(7).drop { $0 == "." })
                    // Only for itself or a name above it that is not a whole country.
                    if address.host == domain || address.host.hasSuffix("." + domain), domain.contains(".") {
                        cookie.domain = domain
                    }
                }
            }
            state.update(waking: .nobody) { state in
                state.jar.removeAll {
                    $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
                }
                if state.jar.count < 300 { state.jar.append(cookie) }
            }
        }
    }
}
