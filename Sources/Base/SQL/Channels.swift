import Synchronization
import Work

/// Who listens to which channel in this process.
final class Channels: Sendable {
    private let listeners = Mutex<[String: Broadcast<String>]>([:])

    var names: [String] {
        listeners.withLock { $0.filter { $0.value.listenerCount > 0 }.map(\.key).sorted() }
    }

    func listen(_ channel: String, _ handler: @escaping @Sendable (String) -> Void) -> Subscription {
        listeners.withLock { $0[channel] ?? make(channel, &$0) }.subscribe(handler)
    }

    func send(_ channel: String, _ payload: String) {
        listeners.withLock { $0[channel] }?.send(payload)
    }

    private func make(_ channel: String, _ all: inout [String: Broadcast<String>]) -> Broadcast<String> {
        let made = Broadcast<String>()
        all[channel] = made
        return made
    }
}
