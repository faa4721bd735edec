import CMicroHTTPD
import HTTP
import Work

/// Between a worker that writes an answer and the library that reads it: a buffer of bounded size. The writer waits
/// while it is full, the connection sleeps while it is empty.
final class StreamPipe: Sendable {
    /// The reader has gone away, or reads too slowly to keep a worker waiting for it.
    struct ReaderGone: Error {}

    private enum End { case whole, brokenOff }

    private struct State {
        var pending: [UInt8] = []
        var end: End?
        var isReaderGone = false
        var isAsleep = false
    }

    private let connection: Pointer
    private let limit: Int
    private let timeout: Duration
    private let state = Monitor(State())

    private init(_ engine: Engine, _ connection: Pointer) {
        self.connection = connection
        limit = engine.settings.streamBuffer
        timeout = engine.settings.streamTimeout
    }

    static func response(
        _ engine: Engine, _ connection: Pointer, _ produce: @escaping @Sendable (ByteSink) throws -> Void
    ) -> OpaquePointer? {
        let pipe = StreamPipe(engine, connection)
        let isTaken = engine.workers.submit {
            do {
                try produce(ByteSink { try pipe.write($0) })
                pipe.end(.whole)
            } catch {
                if !(error is ReaderGone) {
                    engine.log.error("A streamed answer broke off.", ["error": "\(error)"])
                }
                pipe.end(.brokenOff)
            }
        }
        if !isTaken { pipe.end(.brokenOff) }
        return MHD_create_response_from_callback(
            Ending.unknownLength, 32_768,
            { context, _, target, limit in
                guard let context, let target else { return Ending.brokenOff }
                return Unmanaged<StreamPipe>.fromOpaque(context).takeUnretainedValue().read(target, limit)
            }, Unmanaged.passRetained(pipe).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<StreamPipe>.fromOpaque(context).takeRetainedValue().readerLeaves()
            })
    }

    private func write(_ bytes: [UInt8]) throws {
        let isRoom: Bool? = state.wait(timeout: timeout) { state in
            if state.isReaderGone { return false }
            guard state.pending.count < limit else { return nil }
            state.pending += bytes
            wake(&state)
            return true
        }
        if isRoom != true { throw ReaderGone() }
    }

    private func end(_ end: End) {
        state.update { state in
            state.end = end
            wake(&state)
        }
    }

    private func wake(_ state: inout State) {
        guard state.isAsleep else { return }
        state.isAsleep = false
        MHD_resume_connection(connection.raw)
    }

    private func read(_ target: UnsafeMutablePointer<CChar>, _ limit: Int) -> Int {
        state.update { state in
            if state.pending.isEmpty {
                if let end = state.end { return end == .whole ? Ending.whole : Ending.brokenOff }
                state.isAsleep = true
                MHD_suspend_connection(connection.raw)
                return 0
            }
            let count = min(limit, state.pending.count)
            UnsafeMutableRawBufferPointer(start: target, count: count).copyBytes(
                from: state.pending[..<count])
            state.pending.removeFirst(count)
            return count
        }
    }

    private func readerLeaves() {
        state.update { state in
            state.isReaderGone = true
            state.isAsleep = false
        }
    }
}
