import CMicroHTTPD
import Glibc
import HTTP
import Synchronization
import Work

/// One request and its answer, from the request line to the last byte.
///
/// Everything but `outcome` is touched only in the callbacks of its connection, which come one after the other.
final class Exchange: @unchecked Sendable {
    private enum Stage {
        case new
        /// The body is coming in.
        case receiving
        /// The answer is known before a handler could see the request; what is left of the body is thrown away.
        case refused(Response)
        case answering
    }

    /// Shared with the worker that runs the handler.
    private enum Outcome {
        case none
        /// The connection sleeps; whoever changes this wakes it.
        case working(Cancellation)
        case answered(Response)
        case gone
    }

    /// A body that was refused is still read up to here, so that the client gets to hear why instead of a reset.
    private static let patience: Int64 = 16 << 20
    /// A refused body up to this size does not cost the client its connection.
    private static let shortBody: Int64 = 256 << 10

    private let engine: Engine
    private let connection: Pointer
    private let target: String
    /// As it came: what is not UTF-8 is longer as a text.
    private let targetByteCount: Int
    private let stopwatch = Stopwatch()
    private let outcome = Mutex(Outcome.none)
    private var stage = Stage.new
    private var request: Request?
    private var match = Router.Match.notFound
    private var intake: any Intake = NoIntake()
    private var received: Int64 = 0
    private var bodyStart: Int64 = 0
    private var status: Status?

    private init(_ engine: Engine, _ connection: OpaquePointer, target: UnsafePointer<CChar>) {
        self.engine = engine
        self.connection = Pointer(connection)
        self.target = String(cString: target)
        targetByteCount = strlen(target)
    }

    /// Retained for the library until `completed`.
    static func begin(
        _ engine: Engine, _ connection: OpaquePointer, target: UnsafePointer<CChar>
    ) -> Unmanaged<Exchange> {
        let exchange = Exchange(engine, connection, target: target)
        engine.exchanges.add(exchange)
        return Unmanaged.passRetained(exchange)
    }

    var isNew: Bool { if case .new = stage { true } else { false } }
    private var isAnswering: Bool { if case .answering = stage { true } else { false } }

    // MARK: The head

    func headArrived(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> MHD_Result {
        stage = .receiving
        let facts = HeadFacts(
            connection.raw, method: method, targetByteCount: targetByteCount, version: version)
        let version = String(cString: version)
        guard !facts.isAmbiguous else { return sendNow(Exchange.unclear) }
        guard facts.hosts == 1 || version == "HTTP/1.0" else {
            return sendNow(.refusal(Refusal(.badRequest, "The request does not say which host it is for.")))
        }
        guard version == "HTTP/1.1" || version == "HTTP/1.0", !(version == "HTTP/1.0" && facts.encodings > 0),
            let method = Method(String(cString: method)), let headers = Headers(of: connection.raw)
        else { return sendNow(.refusal(Refusal(.badRequest, "The request is not well-formed."))) }
        let declared: Int64?
        do {
            declared = try Exchange.declaredLength(headers)
            request = try Request(
                method, target, headers: headers, peer: peer, isSecure: engine.settings.tls != nil)
        } catch {
            return sendNow(.refusal(error))
        }
        guard let request else { return .NO }
        match = engine.router.match(request.method, request.path)
        let hasBody = facts.encodings > 0 || (declared ?? 0) > 0
        guard hasBody else {
            Connection.of(connection.raw)?.expectsNothing()
            return .YES
        }
        if let refusal = prepareIntake(request, declared) {
            return refuse(refusal, declared, isExpecting: facts.expectations > 0)
        }
        bodyStart = Seconds.now
        Connection.of(connection.raw)?.expectsBody(since: bodyStart, 0, engine.settings)
        return .YES
    }

    private var peer: Request.Peer {
        guard let address = quire_mhd_client_address(connection.raw) else {
            return Request.Peer(address: "unknown", isLoopback: false)
        }
        let (text, isLoopback) = SocketAddress.text(address)
        return Request.Peer(address: text, isLoopback: isLoopback)
    }

    /// What `Content-Length` says; `nil` for a chunked body. RFC 9112 §6.3, without its leniencies.
    private static func declaredLength(_ headers: Headers) throws(Refusal) -> Int64? {
        if let expectation = headers["Expect"], expectation.lowercased() != "100-continue" {
            throw Refusal(.expectationFailed, "That expectation cannot be met.")
        }
        if let encoding = headers["Transfer-Encoding"] {
            guard encoding.lowercased() == "chunked" else {
                throw Refusal(.notImplemented, "Of the transfer codings only chunked is known here.")
            }
            return nil
        }
        guard let length = headers["Content-Length"] else { return 0 }
        guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(length) else {
            throw Refusal(.badRequest, "The length of the request is not a number.")
        }
        return count
    }

    /// Chooses where the body goes, or gives the answer that makes it needless.
    private func prepareIntake(_ request: Request, _ declared: Int64?) -> Response? {
        guard case .route(let route, _) = match else { return engine.router.refusal(of: request, match) }
        do {
            switch route.body {
            case .none: intake = Discarding(limit: Exchange.shortBody)
            case .bytes(let limit): intake = MemoryIntake(limit: limit)
            case .upload(let limit, let held):
                // Nobody fills the disk who may not.
                if let refusal = engine.router.refusal(of: request, match) { return refusal }
                if let type = request.mediaType, type.isSameKind(as: .multipart) {
                    intake = try FormIntake(type, limit: limit, directory: engine.settings.spoolDirectory)
                } else if let type = request.mediaType, type.isSameKind(as: .urlEncoded) {
                    intake = MemoryIntake(limit: Int(min(limit, 1 << 20)))
                } else {
                    intake = FileIntake(
                        limit: limit, held: held, directory: engine.settings.spoolDirectory)
                }
            }
            if let declared { try intake.expect(declared) }
            return nil
        } catch {
            return engine.router.response(to: request, failing: error)
        }
    }

    /// A short body is swallowed, and the connection lives on. A long one, or one that waits for our word, never
    /// comes: answering at once makes the library close the connection.
    private func refuse(_ response: Response, _ declared: Int64?, isExpecting: Bool) -> MHD_Result {
        if isExpecting || (declared ?? .max) > Exchange.shortBody { return sendNow(response) }
        stage = .refused(response)
        intake = Discarding(limit: Exchange.shortBody)
        return .YES
    }

    // MARK: The body

    func bytesArrived(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        received += Int64(bytes.count)
        Connection.of(connection.raw)?.expectsBody(since: bodyStart, received, engine.settings)
        do {
            try intake.take(bytes)
            return .YES
        } catch {
            // A second failure: the client has been sending on for longer than anyone listens.
            if case .refused = stage { return .NO }
            guard let request else { return .NO }
            stage = .refused(engine.router.response(to: request, failing: error))
            intake.clear()
            intake = Discarding(limit: Exchange.patience)
            return .YES
        }
    }

    // MARK: The answer

    /// Called when the whole request is here, and again when a worker has woken the connection.
    func isReadyToAnswer() -> MHD_Result {
        if !isAnswering, Connection.of(connection.raw)?.isDoubtful != false {
            return sendNow(Exchange.unclear)
        }
        switch stage {
        case .refused(let response): return send(response)
        case .new, .receiving: return handle()
        case .answering:
            let response = outcome.withLock { outcome -> Response? in
                if case .answered(let response) = outcome { response } else { nil }
            }
            return response.map(send) ?? .YES
        }
    }

    private func handle() -> MHD_Result {
        stage = .answering
        guard var request else { return .NO }
        Connection.of(connection.raw)?.expectsNothing()
        do {
            request.body = try intake.finish()
        } catch {
            return send(engine.router.response(to: request, failing: error))
        }
        self.request = request
        guard case .route(let route, _) = match, route.mode == .work else {
            return send(engine.router.respond(to: request, match))
        }
        guard engine.workers.backlog < engine.settings.backlogLimit else { return send(Exchange.busy) }
        let cancellation = Cancellation()
        // Under the lock that gives up: a connection put to sleep later would sleep when the daemon is stopped, and for that the
        // library ends the process.
        let isBegun = outcome.withLock { outcome in
            guard !engine.isOver.load(ordering: .sequentiallyConsistent) else { return false }
            outcome = .working(cancellation)
            Connection.of(connection.raw)?.waits(for: cancellation)
            MHD_suspend_connection(connection.raw)
            return true
        }
        guard isBegun else { return send(Exchange.busy) }
        request.cancellation = cancellation
        let work = request
        let isTaken = engine.workers.submit { [self] in
            answer(with: engine.router.respond(to: work, match))
        }
        if !isTaken { answer(with: Exchange.busy) }
        return .YES
    }

    /// Leaves the answer for the connection and wakes it, unless it has been given up meanwhile.
    private func answer(with response: Response) {
        outcome.withLock { outcome in
            guard case .working = outcome else { return }
            outcome = .answered(response)
            Connection.of(connection.raw)?.waits(for: nil)
            MHD_resume_connection(connection.raw)
        }
    }

    /// Stops waiting for a handler that takes too long while the server is closing, and calls off what it does: whoever
    /// stops the worker threads waits for it.
    func giveUp() {
        let work = outcome.withLock { outcome -> Cancellation? in
            if case .working(let work) = outcome { work } else { nil }
        }
        answer(with: Exchange.busy)
        work?.cancel(reason: "the desk closes")
    }

    private static let unclear = Response.refusal(
        Refusal(.badRequest, "The request does not say clearly what it asks for, or where it ends."))

    private static let busy = Response.refusal(
        Refusal(.unavailable, "The server is busy. Try again in a moment.", headers: ["Retry-After": "5"]))

    /// Before the body has come: the library will not read it any more and close the connection afterwards.
    private func sendNow(_ response: Response) -> MHD_Result {
        stage = .answering
        return send(response.with("Connection", "close"))
    }

    private func send(_ response: Response) -> MHD_Result {
        var response = response
        if engine.isStopping.load(ordering: .relaxed) { response.headers.set("Connection", "close") }
        let made = Reply.make(response, engine, connection, isHead: request?.method == .head)
        status = made.status
        guard let raw = made.raw else { return .NO }
        defer { MHD_destroy_response(raw) }
        return MHD_queue_response(connection.raw, UInt32(made.status.code), raw)
    }

    // MARK: The end

    func completed(_ ending: MHD_RequestTerminationCode) {
        outcome.withLock { $0 = .gone }
        intake.clear()
        engine.exchanges.remove(self)
        if engine.settings.accessLog { writeAccessLog(ending) }
    }

    private func writeAccessLog(_ ending: MHD_RequestTerminationCode) {
        var pattern = "(no such address)"
        if case .route(let route, _) = match { pattern = route.pattern.description }
        let elapsed = stopwatch.elapsed.components
        let milliseconds = elapsed.seconds * 1_000 + elapsed.attoseconds / 1_000_000_000_000_000
        engine.log.info(
            "\(request?.method.name ?? "?") \(pattern)",
            [
                "status": status.map { String($0.code) } ?? "none", "ms": String(milliseconds),
                "received": String(received), "peer": request?.peer.address ?? "unknown",
                "ended": ending == .REQUEST_TERMINATED_COMPLETED_OK ? "whole" : "broken off",
            ])
    }
}

/// The requests that are being answered, for the stop to wait for.
final class ExchangeSet: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
    }

    private let state = Monitor(State())

    func add(_ exchange: Exchange) {
        state.update(waking: .nobody) { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
    }

    func remove(_ exchange: Exchange) {
        state.update { $0.exchanges[ObjectIdentifier(exchange)] = nil }
    }

    func waitUntilEmpty(timeout: Duration) -> Bool {
        state.wait(timeout: timeout) { $0.exchanges.isEmpty ? true : nil } ?? false
    }

    func giveUpAll() {
        for exchange in state.read({ Array($0.exchanges.values) }) { exchange.giveUp() }
    }
}
