import Bytes
import Synchronization
import Work

/// A tab that shows something: what it asks for is answered, and what happens in it is noted.
final class BrowserPage: Sendable {
    private let tab: BrowserTab
    let requests: PageRequests
    private let state = Monitor(State())

    private var browser: BrowserProcess { tab.browser }
    private var session: String { tab.session }

    private struct State {
        var isLoaded = false
        var crash: String?
        var frames: Set<String> = []
    }

    init(_ tab: BrowserTab, _ source: PageSource, workers: Workers, _ deadline: Deadline) {
        self.tab = tab
        requests = PageRequests(tab.browser, source, workers: workers, deadline.cancellation)
        // The page's main frame has the target's own id.
        requests.mainFrame = tab.target
        watch(session)
    }

    /// Lets go of everything; `false` when the browser no longer answers.
    func close() -> Bool {
        requests.end()
        for frame in state.read({ $0.frames }) { browser.listen(frame, nil) }
        return tab.close()
    }

    func call(_ method: String, _ parameters: JSON = [:], _ deadline: Deadline) throws(BrowserError) -> JSON {
        if let crash = state.read({ $0.crash }) { throw .lost(crash) }
        return try browser.call(method, parameters, session: session, deadline)
    }

    func tell(_ method: String, _ parameters: JSON = [:]) {
        browser.tell(method, parameters, session: session)
    }

    /// The value of an expression, awaited when it is a promise.
    @discardableResult
    func evaluate(_ expression: String, _ deadline: Deadline) throws(BrowserError) -> JSON {
        let answer = try call(
            "Runtime.evaluate",
            ["expression": .string(expression), "awaitPromise": true, "returnByValue": true], deadline)
        if let exception = answer["exceptionDetails"] {
            throw .refused(
                exception["exception"]?["description"]?.string ?? exception["text"]?.string ?? "an exception")
        }
        return answer["result"]?["value"] ?? .null
    }

    /// Asks for the page itself; what it is made of is on its way when this ends.
    func navigate(to address: String, _ deadline: Deadline) throws(BrowserError) {
        state.update { $0.isLoaded = false }
        let answer = try call("Page.navigate", ["url": .string(address)], deadline)
        if let error = answer["errorText"]?.string {
            let report = requests.report
            let main = requests.main
            if let blocked = report.blocked.first(where: {
                $0.address == address || main?.reason == $0.reason
            }) {
                throw .forbidden("\(blocked.address) is not fetched: \(blocked.reason)")
            }
            throw .notLoaded(main.map { $0.reason.isEmpty ? error : $0.reason } ?? error)
        }
    }

    func awaitLoaded(_ deadline: Deadline) throws(BrowserError) {
        try deadline.wait(state) { state -> Result<Void, BrowserError>? in
            if let crash = state.crash { return .failure(.lost(crash)) }
            return state.isLoaded ? .success(()) : nil
        }.get()
    }

    private func watch(_ session: String) {
        browser.listen(session) { [weak self] event, about in self?.take(event, about, session: session) }
    }

    private func take(_ event: String, _ about: JSON, session: String) {
        switch event {
        case "Fetch.requestPaused": requests.answer(about, session: session)
        case "Page.loadEventFired": if session == self.session { state.update { $0.isLoaded = true } }
        case "Page.frameStoppedLoading":
            if about["frameId"]?.string == tab.target { state.update { $0.isLoaded = true } }
        case "Inspector.targetCrashed":
            if session == self.session { state.update { $0.crash = "the page's process crashed" } }
        case "Page.javascriptDialogOpening":
            browser.tell("Page.handleJavaScriptDialog", ["accept": false], session: session)
        case "Runtime.exceptionThrown":
            let details = about["exceptionDetails"]
            let text =
                details?["exception"]?["description"]?.string ?? details?["text"]?.string ?? "an exception"
            requests.note {
                if $0.exceptions.count < PageReport.longest { $0.exceptions.append(Self.short(text)) }
            }
        case "Runtime.consoleAPICalled":
            guard about["type"]?.string == "error" || about["type"]?.string == "assert" else { return }
            let words = (about["args"]?.array ?? []).map { value in
                value["value"]?.string ?? value["description"]?.string ?? value["value"]?.text ?? ""
            }
            let text = Self.short(words.joined(separator: " "))
            requests.note { if $0.consoleErrors.count < PageReport.longest { $0.consoleErrors.append(text) } }
        case "Network.webSocketCreated", "Network.webTransportCreated":
            about["url"]?.string.map { requests.refuse($0) }
        case "Target.attachedToTarget":
            // A frame or a worker in a process of its own: it begins only once its requests come to us as well.
            guard let inner = about["sessionId"]?.string else { return }
            state.update { _ = $0.frames.insert(inner) }
            watch(inner)
            browser.tell("Network.enable", BrowserTab.watching, session: inner)
            browser.tell("Fetch.enable", ["patterns": [["urlPattern": "*"]]], session: inner)
            browser.tell("Target.setAutoAttach", BrowserTab.attaching, session: inner)
            browser.tell("Runtime.runIfWaitingForDebugger", [:], session: inner)
        default: break
        }
    }

    private static func short(_ text: String) -> String {
        text.utf8.count > 500 ? String(decoding: text.utf8.prefix(500), as: UTF8.self) + "…" : text
    }
}
