public import HTTP
import Glibc
import Synchronization
public import Work

/// A router on a socket.
///
/// libmicrohttpd's few threads read requests and write answers; handlers run on `workers` while their connection
/// sleeps, so a slow one never holds up another. Quick routes are answered on the spot.
public final class Server: Sendable {
    /// A daemon of the library, and what its connections share.
    private struct Hall {
        let engine: Engine
        let running: Running

        init(_ engine: Engine, _ socket: ListeningSocket?) throws(ServerError) {
            self.engine = engine
            running = try Running(engine, socket)
        }
    }

    private struct State {
        var main: Hall?
        var plain: Hall?
        var doorstep: Doorstep?
        /// Under an older certificate, until their clients have gone.
        var endings: [Thread] = []
    }

    private let settings: ServerSettings
    private let router: Router
    private let plainRouter: Router?
    private let workers: Workers
    private let log: Log
    private let state = Mutex(State())

    /// - Parameter plainRouter: with a certificate, what is answered on the same port to those who speak without TLS;
    ///   nil answers them nothing.
    public init(
        _ settings: ServerSettings, router: Router, plainRouter: Router? = nil, workers: Workers, log: Log
    ) {
        self.settings = settings
        self.router = router
        self.plainRouter = settings.tls == nil ? nil : plainRouter
        self.workers = workers
        self.log = log
    }

    /// Begins to listen and tells the port; with port 0 in the settings the system has chosen one.
    @discardableResult
    public func start() throws(ServerError) -> Int {
        let socket = try ListeningSocket(host: settings.host, port: settings.port)
        guard let plainRouter else {
            let hall = try Hall(Engine(settings, router: router, workers: workers, log: log), socket)
            state.withLock { $0.main = hall }
            return socket.port
        }
        do throws(ServerError) {
            let main = try Hall(Engine(settings, router: router, workers: workers, log: log), nil)
            var plainly = settings
            plainly.tls = nil
            let plain = try Hall(Engine(plainly, router: plainRouter, workers: workers, log: log), nil)
            state.withLock { ($0.main, $0.plain) = (main, plain) }
        } catch {
            close(socket.descriptor)
            throw error
        }
        let doorstep = Doorstep(socket, patience: settings.headTimeout) { [weak self] client, isEncrypted in
            guard let self else {
                close(client.socket)
                return
            }
            self.take(client, isEncrypted: isEncrypted)
        }
        state.withLock { $0.doorstep = doorstep }
        return socket.port
    }

    private func take(_ client: Doorstep.Client, isEncrypted: Bool) {
        state.withLock { state in
            guard let hall = isEncrypted ? state.main : state.plain else {
                close(client.socket)
                return
            }
            hall.running.take(client)
        }
    }

    /// Shows this certificate to all who come from now on. Those who are in get `grace` to finish. Only where plain HTTP is
    /// answered on the same port, as there clients are brought to the daemon that knows it.
    public func renew(_ tls: ServerSettings.TLS, grace: Duration = .seconds(10)) throws(ServerError) {
        guard plainRouter != nil else { return }
        var settings = settings
        settings.tls = tls
        let fresh = try Hall(Engine(settings, router: router, workers: workers, log: log), nil)
        state.withLock { state in
            guard let old = state.main else {
                fresh.running.stop(grace: .zero)
                return
            }
            state.main = fresh
            state.endings.append(Thread(name: "http-renewed") { old.running.retire(grace: grace) })
        }
    }

    /// Takes no new connections, ends the event streams, lets what is being answered finish for at most `grace`, and
    /// closes everything. Afterwards no callback runs any more.
    public func stop(grace: Duration = .seconds(10)) {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.doorstep?.stop()
        ended.main?.running.stop(grace: grace)
        ended.plain?.running.stop(grace: .zero)
        for ending in ended.endings { ending.join() }
    }

    /// How many connections stand at this moment.
    public var connectionCount: Int {
        state.withLock { ($0.main?.running.connectionCount ?? 0) + ($0.plain?.running.connectionCount ?? 0) }
    }

    /// How many of them listen to events.
    public var eventStreamCount: Int { state.withLock { $0.main?.engine.streams.count ?? 0 } }
}
