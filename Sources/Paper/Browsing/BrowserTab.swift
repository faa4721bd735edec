import Bytes
import Synchronization
import Work

/// An empty page in a browser context of its own: nothing is shared with other jobs, and nothing is left when it
/// closes. It can be made before anybody needs it, as it knows nothing of what it will show.
final class BrowserTab: Sendable {
    let browser: BrowserProcess
    let context: String
    let target: String
    let session: String
    private let hasCrashed = Atomic(false)

    init(_ browser: BrowserProcess, _ deadline: Deadline) throws(BrowserError) {
        self.browser = browser
        let made = try browser.call("Target.createBrowserContext", ["disposeOnDetach": true], deadline)
        guard let context = made["browserContextId"]?.string else { throw .lost("it gave no context") }
        let opened = try browser.call(
            "Target.createTarget", ["url": "about:blank", "browserContextId": .string(context)], deadline)
        guard let target = opened["targetId"]?.string else { throw .lost("it gave no page") }
        let attached = try browser.call(
            "Target.attachToTarget", ["targetId": .string(target), "flatten": true], deadline)
        guard let session = attached["sessionId"]?.string else { throw .lost("it gave no session") }
        (self.context, self.target, self.session) = (context, target, session)
        browser.listen(session) { [weak self] event, _ in
            if event == "Inspector.targetCrashed" { self?.hasCrashed.store(true, ordering: .relaxed) }
        }
        tell("Page.enable")
        tell("Runtime.enable")
        tell("Network.enable", Self.watching)
        tell("Target.setAutoAttach", Self.attaching)
        tell("Network.setBypassServiceWorker", ["bypass": true])
        tell("Browser.setDownloadBehavior", ["behavior": "deny"])
        tell("Fetch.enable", ["patterns": [["urlPattern": "*"]]])
        // The page's own process answers this, after all before it: from here on nothing it does is missed.
        _ = try browser.call("Runtime.evaluate", ["expression": "1"], session: session, deadline)
    }

    var isSound: Bool { browser.lost == nil && !hasCrashed.load(ordering: .relaxed) }

    func tell(_ method: String, _ parameters: JSON = [:]) {
        browser.tell(method, parameters, session: session)
    }

    /// Lets go of everything, whether the browser still answers or not; `false` when it did not. A page that is busy
    /// with itself is not asked: its context goes, and takes it along.
    @discardableResult
    func close() -> Bool {
        browser.listen(session, nil)
        do throws(BrowserError) {
            // Not the job's own deadline: that may be what has passed.
            _ = try browser.call(
                "Target.disposeBrowserContext", ["browserContextId": .string(context)],
                Deadline(.seconds(5), LiveChild.never))
            return true
        } catch {
            return false
        }
    }

    /// Only to hear of connections that `Fetch` does not know; what is loaded need not be kept a second time.
    static let watching: JSON = ["maxTotalBufferSize": 0, "maxResourceBufferSize": 0]
    static let attaching: JSON = ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
}
