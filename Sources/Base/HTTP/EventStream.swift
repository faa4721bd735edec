import Synchronization

/// One listener's stream of server-sent events (WHATWG HTML §9.2).
///
/// Anyone may `send` from any thread. The server takes the bytes out as fast as the listener reads them; a listener
/// that falls behind by more than the backlog is cut off: it will connect again and learn the present state, and
/// nobody else's memory pays for it.
public final class EventStream: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var isEnded = false
        var wake: (@Sendable () -> Void)?
        var onClose: [@Sendable () -> Void] = []
    }

    private let backlog: Int
    private let state = Mutex(State())

    public init(backlog: Int = 256 * 1_024) { self.backlog = backlog }

    /// Sends one event; returns false when the listener is gone.
    @discardableResult
    public func send(event: String? = nil, data: String, id: String? = nil) -> Bool {
        var text = ""
        if let id { text += "id: \(EventStream.line(id))\n" }
        if let event { text += "event: \(EventStream.line(event))\n" }
        // CR, LF and CRLF all end a line for the listener, so each line gets its own field.
        for line in EventStream.lines(data) { text += "data: \(line)\n" }
        return push(Array((text + "\n").utf8))
    }

    /// How long the listener should wait before it connects again.
    @discardableResult
    public func retry(afterMilliseconds milliseconds: Int) -> Bool {
        push(Array("retry: \(milliseconds)\n\n".utf8))
    }

    /// A line the listener never sees: shows both ends that the connection still stands.
    @discardableResult
    public func heartbeat() -> Bool { push([UInt8(ascii: ":"), UInt8(ascii: "\n"), UInt8(ascii: "\n")]) }

    /// Ends the stream once what is pending was sent.
    public func close() { end(keepPending: true) }

    public var isClosed: Bool { state.withLock(\.isEnded) }

    /// Runs `handler` once when the stream has ended, from whichever side; at once if it has already.
    public func onClose(_ handler: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isEnded { state.onClose.append(handler) }
            return state.isEnded
        }
        if isLate { handler() }
    }

    // MARK: The sending side's end

    package enum Pull: Equatable { case bytes(Int), nothingYet, ended }

    /// Copies pending bytes out. When there are none, `sleep` runs under the same lock that `wake` will be called
    /// under, so a sender that comes at that moment cannot slip between the two.
    package func pull(into target: UnsafeMutableRawBufferPointer, sleep: () -> (@Sendable () -> Void)) -> Pull
    {
        state.withLock { state in
            if state.pending.isEmpty {
                if state.isEnded { return .ended }
                state.wake = sleep()
                return .nothingYet
            }
            let count = min(target.count, state.pending.count)
            target.copyBytes(from: state.pending[..<count])
            if count == state.pending.count {
                // Thousands of streams idle most of the time: none of them keeps a buffer.
                state.pending = []
            } else {
                state.pending.removeFirst(count)
            }
            return .bytes(count)
        }
    }

    /// The listener has gone away.
    package func abandon() { end(keepPending: false, isListenerThere: false) }

    /// What is waiting to be sent, taken out: for tests in process.
    public func drain() -> String {
        state.withLock { state in
            defer { state.pending = [] }
            return String(decoding: state.pending, as: UTF8.self)
        }
    }

    private func push(_ bytes: [UInt8]) -> Bool {
        enum Outcome { case sent, ended, tooSlow }
        let outcome: Outcome = state.withLock { state in
            guard !state.isEnded else { return .ended }
            guard state.pending.count + bytes.count <= backlog else { return .tooSlow }
            state.pending += bytes
            state.wake?()
            state.wake = nil
            return .sent
        }
        if outcome == .tooSlow { end(keepPending: false) }
        return outcome == .sent
    }

    private func end(keepPending: Bool, isListenerThere: Bool = true) {
        let handlers = state.withLock { state -> [@Sendable () -> Void] in
            guard !state.isEnded else { return [] }
            state.isEnded = true
            if !keepPending { state.pending = [] }
            if isListenerThere { state.wake?() }
            state.wake = nil
            defer { state.onClose = [] }
            return state.onClose
        }
        for handler in handlers { handler() }
    }

    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" && $0 != "\n" && $0 != "\0" }))
    }

    private static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        var previous: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                lines.append(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
            default: line.append(byte)
            }
            previous = byte
        }
        return lines + [String(decoding: line, as: UTF8.self)]
    }
}
