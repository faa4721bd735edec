import Bytes
import Synchronization
import Work

/// One Chromium in the jail, spoken to over two pipes: JSON messages that end with a NUL, no port, no network.
///
/// It has no network at all, whatever it is asked to show. Every request it makes is handed to us, and we answer it
/// with the job's own files or with what we fetched, so that nothing can get around the guard: not a redirect, not a
/// frame, not a name that resolves differently the second time.
final class BrowserProcess: Sendable {
    typealias Listener = @Sendable (_ event: String, _ about: JSON) -> Void

    private struct State {
        var answers: [Int64: Result<JSON, BrowserError>?] = [:]
        var listeners: [String: Listener] = [:]
        var lost: BrowserError?
    }

    private let cell: JailCell
    private let child: LiveChild
    private let state = Monitor(State())
    /// The next message's number; held while a message is written, so that none is cut in two.
    private let numbers = Mutex<Int64>(0)
    private let reader: Mutex<Thread?> = Mutex(nil)

    static var program: String? {
        // The one without windows first: it begins in a third of the time and opens a page in a tenth. Debian's `chromium`
        // is a script that reads settings the jail does not show; the browser lies behind it.
        [
            "/usr/lib/chromium/chromium-headless-shell", "/usr/lib/chromium/chromium",
            "chromium-headless-shell",
            "chromium", "chromium-browser", "google-chrome",
        ].lazy
            .compactMap { Child.find($0) }.first
    }

    init(
        jail: Jail, memoryByteCount: Int64, cancellation: Cancellation = LiveChild.never
    ) throws(BrowserError) {
        guard let program = Self.program else { throw .notInstalled(package: "chromium-headless-shell") }
        do {
            let cell = try jail.makeCell()
            self.cell = cell
            do {
                child = try cell.start(
                    "/bin/sh",
                    // The browser wants its pipes as 3 and 4; what it prints is of no use to anybody.
                    ["-c", #"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, program]
                        + Self.flags(profile: cell.path + "/profile"),
                    limits: Child.Limits(
                        memoryByteCount: nil, fileByteCount: 1 << 30, processCount: 400, openFileCount: 4096),
                    localSockets: true)
            } catch {
                cell.remove()
                throw error
            }
        } catch {
            throw Self.shortage(memoryByteCount) ?? .lost("\(error)")
        }
        memoryLimit = memoryByteCount
        let child = self.child
        let state = self.state
        let thread = Thread(name: "browser") { Self.listen(to: child, state) }
        reader.withLock { $0 = thread }
        // It takes a second or two before it answers, which no page should have to pay for with its own time.
        do throws(BrowserError) {
            _ = try call("Browser.getVersion", [:], Deadline(.seconds(60), cancellation))
        } catch {
            end()
            if case .cancelled = error { throw error }
            throw Self.shortage(memoryByteCount) ?? .lost("it did not start")
        }
    }

    /// It sets address space aside by the terabyte: under any limit of it, it does not start.
    private static func shortage(_ allowed: Int64) -> BrowserError? {
        MemoryRoom.shortage(for: "Chromium", addressSpace: .max, memory: 200 << 20, allowed: allowed)
            .map(BrowserError.tooLittleMemory)
    }

    let memoryLimit: Int64

    deinit { end() }

    /// Kills it. What is waited for fails.
    func end() {
        child.end()
        let thread = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        guard let thread else { return }
        thread.join()
        cell.remove()
    }

    var memoryByteCount: Int64 { child.memoryByteCount }

    var lost: BrowserError? { state.read { $0.lost } }

    /// Asks, and waits for the answer.
    func call(
        _ method: String, _ parameters: JSON = [:], session: String? = nil, _ deadline: Deadline
    ) throws(BrowserError) -> JSON {
        let number = try post(method, parameters, session: session, isAwaited: true)
        defer { state.update(waking: .nobody) { _ = $0.answers.removeValue(forKey: number) } }
        let answer = try deadline.wait(state) { state -> Result<JSON, BrowserError>? in
            if let answer = state.answers[number] ?? nil { return answer }
            return state.lost.map { .failure($0) }
        }
        return try answer.get()
    }

    /// Tells, and does not care for the answer.
    func tell(_ method: String, _ parameters: JSON = [:], session: String? = nil) {
        _ = try? post(method, parameters, session: session, isAwaited: false)
    }

    /// What happens in a session, told on the reading thread: the listener must not wait for anything.
    func listen(_ session: String, _ listener: Listener?) {
        state.update(waking: .nobody) { $0.listeners[session] = listener }
    }

    @discardableResult
    private func post(
        _ method: String, _ parameters: JSON, session: String?, isAwaited: Bool
    ) throws(BrowserError) -> Int64 {
        var message = JSONObject([("method", JSON.string(method)), ("params", parameters)])
        if let session { message["sessionId"] = .string(session) }
        let outcome = numbers.withLock { number -> Result<Int64, BrowserError> in
            number += 1
            message["id"] = .integer(number)
            if isAwaited {
                let own = number
                state.update(waking: .nobody) { $0.answers[own] = .some(nil) }
            }
            do throws(LiveChild.Trouble) {
                try child.write(JSON.object(message).bytes + [0], within: .seconds(20))
                return .success(number)
            } catch {
                return .failure(.lost("it does not listen any more"))
            }
        }
        if case .failure(let error) = outcome { state.update { $0.lost = $0.lost ?? error } }
        return try outcome.get()
    }

    private static func listen(to child: LiveChild, _ state: Monitor<State>) {
        var bytes: [UInt8] = []
        while true {
            do throws(LiveChild.Trouble) {
                let more = try child.read(within: .seconds(3600))
                var start = more.startIndex
                while let end = more[start...].firstIndex(of: 0) {
                    bytes += more[start..<end]
                    take(bytes, state)
                    bytes.removeAll(keepingCapacity: bytes.count < 1 << 20)
                    start = end + 1
                }
                bytes += more[start...]
                guard bytes.count <= 512 << 20 else { throw .overuse(.memoryLimit) }
            } catch .silent {
                continue
            } catch {
                let reason =
                    switch error {
                    case .overuse(.memoryLimit): "it took too much memory"
                    case .overuse(let stop): "it took too much (\(stop))"
                    default: "it ended"
                    }
                state.update { $0.lost = $0.lost ?? .lost(reason) }
                return
            }
        }
    }

    private static func take(_ bytes: [UInt8], _ state: Monitor<State>) {
        guard let message = try? JSON(parsing: bytes, maximumDepth: 200, maximumBytes: 512 << 20) else {
            return
        }
        if let number = message["id"]?.integer {
            let answer: Result<JSON, BrowserError> =
                if let error = message["error"] {
                    .failure(.refused(error["message"]?.string ?? "no reason given"))
                } else {
                    .success(message["result"] ?? [:])
                }
            state.update { if $0.answers.keys.contains(number) { $0.answers[number] = answer } }
        } else if let method = message["method"]?.string {
            let listener = state.read { $0.listeners[message["sessionId"]?.string ?? ""] }
            listener?(method, message["params"] ?? [:])
        }
    }

    private static func flags(profile: String) -> [String] {
        [
            "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(profile)",
            // Our jail is the sandbox: the filter of system calls leaves nothing to build another one with.
            // Without the zygote pages begin a little later, which a tab made ready hides; with it, a browser whose
            // zygote was killed waits for it for ever.
            "--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--mute-audio", "--no-first-run", "--no-default-browser-check",
            "--disable-extensions", "--disable-background-networking", "--disable-component-update",
            "--disable-default-apps", "--disable-sync", "--disable-breakpad", "--disable-crash-reporter",
            "--disable-client-side-phishing-detection", "--metrics-recording-only",
            "--disable-domain-reliability",
            "--password-store=basic", "--use-mock-keychain", "--font-render-hinting=none",
            "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
            "--disable-ipc-flooding-protection", "--force-color-profile=srgb",
            "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,"
                + "InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater,"
                + "AutofillServerCommunication,HttpsUpgrades,BackForwardCache,AcceptCHFrame",
            "about:blank",
        ]
    }
}
