import CPQ
import Glibc
import Work

/// A connection of its own that waits for notifications on a thread of its own, from the first `listen` on.
final class PostgresListener: Sendable {
    private struct State {
        var thread: Thread?
        /// Channels the server has been asked for.
        var active: Set<String> = []
        var isStopping = false
    }

    private let address: PostgresAddress
    private let channels = Channels()
    private let state = Monitor(State())
    /// Written to when there is something else to do than to wait for the server.
    private let wake: (reading: Int32, writing: Int32)

    init(_ address: PostgresAddress) throws(SQLError) {
        self.address = address
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw SQLError(.unreachable, "no pipe: \(systemMessage(errno))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wake = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(wake.reading)
        Glibc.close(wake.writing)
    }

    /// Returns when the server has been told, so that nothing sent afterwards is missed.
    func listen(_ channel: String, _ handler: @escaping @Sendable (String) -> Void) throws -> Subscription {
        let name = address.channel(channel)
        let subscription = channels.listen(name, handler)
        state.update { state in
            guard state.thread == nil, !state.isStopping else { return }
            state.thread = Thread(name: "sql-listen") { self.run() }
        }
        nudge()
        guard state.wait(timeout: .seconds(15), { $0.active.contains(name) ? true : nil }) != nil else {
            throw SQLError(.unreachable, "PostgreSQL cannot be listened to")
        }
        return subscription
    }

    func stop() {
        let thread = state.update { state in
            state.isStopping = true
            defer { state.thread = nil }
            return state.thread
        }
        nudge()
        thread?.join()
    }

    private func nudge() {
        var byte: UInt8 = 1
        _ = write(wake.writing, &byte, 1)
    }

    private var isStopping: Bool { state.read { $0.isStopping } }

    private func run() {
        var wasConnected = false
        var pause: Int32 = 50
        while !isStopping {
            if let session = try? PostgresSession(address) {
                pause = 50
                listen(on: session, afterLoss: wasConnected)
                wasConnected = true
                state.update { $0.active = [] }
            }
            if !isStopping { rest(pause) }
            pause = min(pause * 2, 5000)
        }
    }

    /// Until the connection breaks or the program wants to stop.
    private func listen(on session: PostgresSession, afterLoss: Bool) {
        var mayHaveMissed = afterLoss
        while !isStopping, session.isConnected {
            guard (try? ask(session)) != nil else { return }
            if mayHaveMissed {
                for name in channels.names { channels.send(name, "") }
                mayHaveMissed = false
            }
            var waits = [
                pollfd(fd: PQsocket(session.handle), events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waits, 2, -1)
            drainWake()
            guard PQconsumeInput(session.handle) == 1 else { return }
            deliver(session)
        }
    }

    private func ask(_ session: PostgresSession) throws(SQLError) {
        let wanted = Set(channels.names)
        let active = state.read { $0.active }
        for name in wanted.subtracting(active) {
            try session.execute("LISTEN \(PostgresSession.quoted(name))")
        }
        for name in active.subtracting(wanted) {
            try session.execute("UNLISTEN \(PostgresSession.quoted(name))")
        }
        if wanted != active { state.update { $0.active = wanted } }
        // LISTEN's own answer may have brought notifications along.
        deliver(session)
    }

    private func deliver(_ session: PostgresSession) {
        while let notification = PQnotifies(session.handle) {
            let channel = String(cString: notification.pointee.relname)
            let payload = String(cString: notification.pointee.extra)
            PQfreemem(notification)
            channels.send(channel, payload)
        }
    }

    private func rest(_ milliseconds: Int32) {
        var waits = [pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0)]
        _ = poll(&waits, 1, milliseconds)
        drainWake()
    }

    private func drainWake() {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        while read(wake.reading, &bytes, bytes.count) > 0 {}
    }
}
