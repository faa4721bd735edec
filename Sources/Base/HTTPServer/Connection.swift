import CIncoming
import CMicroHTTPD
import Glibc
import HTTP
import Synchronization
import Work

/// A client's connection, as far as patience with it goes. libmicrohttpd only ends connections on which *nothing*
/// happens; one byte every minute keeps such a clock from ever running out.
final class Connection: Sendable {
    fileprivate let socket: Int32
    private let deadline: Atomic<Int64>
    /// Of the request a worker is busy with.
    private let work = Mutex<Cancellation?>(nil)

    // Both belong to the library's thread of this one connection: it reads, and it calls us.
    private nonisolated(unsafe) var framing = Framing()
    private nonisolated(unsafe) var answered = 0

    init(socket: Int32, _ settings: ServerSettings) {
        self.socket = socket
        deadline = Atomic(Seconds.now + settings.headTimeout.components.seconds)
    }

    /// From now on what comes is read along. `context` points to this connection, and outlives `forget`.
    func watch(_ context: UnsafeMutableRawPointer, isEncrypted: Bool) {
        _ = quire_incoming_watch(
            socket, isEncrypted,
            { context, bytes, count in
                guard let context else { return count }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                return connection.framing.pass(UnsafeMutableBufferPointer(start: bytes, count: count))
            }, context)
    }

    func forget() { quire_incoming_forget(socket) }

    /// The request that is being read may end elsewhere for others. The next one, which may have come already, does not
    /// make this one doubtful.
    var isDoubtful: Bool { !framing.isFed || framing.doubt.map { $0 <= answered } == true }

    static func of(_ raw: OpaquePointer) -> Connection? {
        quire_mhd_socket_context(raw).map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The next request may be long in coming, but once it comes it must come swiftly. When its first byte arrives
    /// is not told to us, so both times together are the limit.
    func expectsNextRequest(_ settings: ServerSettings) {
        answered += 1
        let patience = settings.idleTimeout.components.seconds + settings.headTimeout.components.seconds
        deadline.store(Seconds.now + patience, ordering: .relaxed)
    }

    /// `byteCount` of the body are here since `start`.
    func expectsBody(since start: Int64, _ byteCount: Int64, _ settings: ServerSettings) {
        let earned = byteCount / max(1, settings.bodyBytesPerSecond)
        deadline.store(start + settings.headTimeout.components.seconds + earned, ordering: .relaxed)
    }

    /// It is our turn now.
    func expectsNothing() { deadline.store(.max, ordering: .relaxed) }

    /// A worker makes the answer, as long as somebody waits for it; nil once it is made.
    func waits(for work: Cancellation?) { self.work.withLock { $0 = work } }

    fileprivate var expected: Int64 { deadline.load(ordering: .relaxed) }
    fileprivate var awaited: Cancellation? { work.withLock { $0 } }
}

/// `POLLRDHUP`, which the C library shows only to GNU programs: the other side sends no more.
private let hungUp: Int16 = 0x2000

/// Whole seconds on a clock that nobody sets.
enum Seconds {
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec)
    }
}

/// All connections, for the watch to look through.
final class ConnectionSet: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        /// Whose client has hung up in the middle, and the deadline at which that was seen first.
        var abandoned: [ObjectIdentifier: Int64] = [:]
        var isOver = false
    }

    private let state = Monitor(State())

    func add(_ connection: Connection) {
        state.update { $0.connections[ObjectIdentifier(connection)] = connection }
    }

    func remove(_ connection: Connection) {
        state.update(waking: .nobody) { $0.connections[ObjectIdentifier(connection)] = nil }
    }

    /// Cuts the connections whose time is up, and those whose client has hung up in the middle of a request. The
    /// library misses a hang-up that arrives together with the last bytes: it asks the kernel about each change once.
    ///
    /// A socket's number cannot have passed to somebody else meanwhile: before it is closed, `remove` has to get the
    /// same lock.
    func endOverdue() {
        let now = Seconds.now
        state.update(waking: .nobody) { state in
            let waiting = state.connections.filter { $0.value.expected != .max }
            var hangUps = waiting.map { pollfd(fd: $0.value.socket, events: hungUp, revents: 0) }
            poll(&hangUps, nfds_t(hangUps.count), 0)
            var abandoned: [ObjectIdentifier: Int64] = [:]
            for (entry, socket) in zip(waiting, hangUps) {
                let expected = entry.value.expected
                let isGone = socket.revents & hungUp != 0
                // What the client sent before it hung up may still be on its way to us; a second without any change
                // says that it is not.
                if expected < now || isGone && state.abandoned[entry.key] == expected {
                    shutdown(socket.fd, Int32(SHUT_RDWR))
                } else if isGone {
                    abandoned[entry.key] = expected
                }
            }
            state.abandoned = abandoned
        }
    }

    /// Calls off work whose client has hung up. The library does not look at connections that sleep.
    func endForsaken() {
        // Whoever listens to the end of work may take its time, so nobody is told under the lock.
        let forsaken = state.read { state -> [Cancellation] in
            let working = state.connections.values.compactMap { connection in
                connection.awaited.map { (socket: connection.socket, work: $0) }
            }
            var hangUps = working.map { pollfd(fd: $0.socket, events: hungUp, revents: 0) }
            guard poll(&hangUps, nfds_t(hangUps.count), 0) > 0 else { return [] }
            return zip(working, hangUps).filter { $1.revents != 0 }.map(\.0.work)
        }
        for work in forsaken { work.cancel(reason: "nobody waits for it any more") }
    }

    /// Sleeps a second, less while somebody waits for an answer, or for as long as there is nobody to watch. False when
    /// it is over.
    func rest() -> Bool {
        let isOver = state.wait { state -> Bool? in
            state.isOver ? true : state.connections.isEmpty ? nil : false
        }
        guard isOver == false else { return false }
        let isAwaited = state.read { $0.connections.values.contains { $0.awaited != nil } }
        let pause = Duration.milliseconds(isAwaited ? 250 : 1000)
        return state.wait(timeout: pause) { $0.isOver ? true : nil } == nil
    }

    func end() { state.update { $0.isOver = true } }
}

/// One thread that ends overdue connections and keeps event streams alive. It sleeps while there are none.
final class Watch: Sendable {
    private let engine: Engine
    private let thread: Thread

    init(_ engine: Engine) {
        self.engine = engine
        thread = Thread(name: "http-watch", stackByteCount: 128 * 1_024) {
            var lastBeat = Seconds.now
            let beat = max(1, engine.settings.heartbeat.components.seconds)
            while engine.connections.rest() {
                engine.connections.endForsaken()
                engine.connections.endOverdue()
                if Seconds.now - lastBeat >= beat {
                    lastBeat = Seconds.now
                    engine.streams.beat()
                }
            }
        }
    }

    func stop() {
        engine.connections.end()
        thread.join()
    }
}

final class EventStreamSet: Sendable {
    private let streams = Mutex<[ObjectIdentifier: EventStream]>([:])

    var count: Int { streams.withLock(\.count) }
    func add(_ stream: EventStream) { streams.withLock { $0[ObjectIdentifier(stream)] = stream } }
    func remove(_ stream: EventStream) { streams.withLock { $0[ObjectIdentifier(stream)] = nil } }
    func beat() { for stream in all { stream.heartbeat() } }
    func closeAll() { for stream in all { stream.close() } }

    private var all: [EventStream] { streams.withLock { Array($0.values) } }
}
