public import HTTP
import Synchronization
public import Work

/// A router on a socket.
///
/// libmicrohttpd's few threads read requests and write answers; handlers run on `workers` while their connection
/// sleeps, so a slow one never holds up another. Quick routes are answered on the spot.
public final class Server: Sendable {
    private struct State {
        var running: Running?
        var isStopping = false
    }

    private let settings: ServerSettings
    private let engine: Engine
    private let state = Mutex(State())

    public init(_ settings: ServerSettings, router: Router, workers: Workers, log: Log) {
        self.settings = settings
        engine = Engine(settings, router: router, workers: workers, log: log)
    }

    /// Begins to listen and tells the port; with port 0 in the settings the system has chosen one.
    @discardableResult
    public func start() throws(ServerError) -> Int {
        let socket = try ListeningSocket(host: settings.host, port: settings.port)
        let running = try Running(engine, socket)
        state.withLock { $0.running = running }
        return socket.port
    }

    /// Takes no new connections, ends the event streams, lets what is being answered finish for at most `grace`, and
    /// closes everything. Afterwards no callback runs any more.
    public func stop(grace: Duration = .seconds(10)) {
        let running = state.withLock { state in
            defer { state.running = nil }
            return state.running
        }
        running?.stop(grace: grace)
    }

    /// How many connections stand at this moment.
    public var connectionCount: Int { state.withLock { $0.running?.connectionCount ?? 0 } }

    /// How many of them listen to events.
    public var eventStreamCount: Int { engine.streams.count }
}
