import CIncoming
import CMicroHTTPD
import Glibc
import Work

/// Listens where TLS and plain HTTP are spoken on one port. Whoever comes is let in by the first byte they send: a greeting
/// of TLS begins with 22 (RFC 8446 §5.1), which no method of HTTP does.
final class Doorstep: Sendable {
    /// Takes the socket over, and closes it where it does not want it.
    typealias Usher = @Sendable (_ client: Client, _ isEncrypted: Bool) -> Void

    struct Client {
        let socket: Int32
        var address: sockaddr_storage
        let addressSize: socklen_t
        fileprivate var patience: Int64
    }

    /// Those who say nothing. The one who has waited longest makes room: whoever means it speaks at once.
    private static let room = 256
    private static let greeting: UInt8 = 22
    private let listening: Int32
    private let thread: Thread

    init(_ socket: ListeningSocket, patience: Duration, _ usher: @escaping Usher) {
        let listening = socket.descriptor
        self.listening = listening
        // The socket is asked again and again; nobody may make it wait.
        _ = fcntl(listening, F_SETFL, fcntl(listening, F_GETFL) | O_NONBLOCK)
        thread = Thread(name: "doorstep", stackByteCount: 256 << 10) {
            Self.receive(listening, patience.components.seconds, usher)
        }
    }

    /// Lets nobody in any more, and sends those away who have not spoken.
    func stop() {
        // Wakes whoever waits for it.
        shutdown(listening, Int32(SHUT_RDWR))
        thread.join()
        close(listening)
    }

    private static func receive(_ listening: Int32, _ patience: Int64, _ usher: Usher) {
        var waiting: [Client] = []
        defer { for client in waiting { close(client.socket) } }
        // Where the machine has no socket left, the same client would be offered at once again.
        var isShort = false
        while true {
            var asked = [pollfd(fd: isShort ? -1 : listening, events: Int16(POLLIN), revents: 0)]
            asked += waiting.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
            poll(&asked, nfds_t(asked.count), waiting.isEmpty && !isShort ? -1 : 1_000)
            guard asked[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else { return }
            let now = Seconds.now
            var left: [Client] = []
            for (client, socket) in zip(waiting, asked.dropFirst()) {
                if socket.revents != 0 {
                    admit(client, usher)
                } else if client.patience < now {
                    close(client.socket)
                } else {
                    left.append(client)
                }
            }
            waiting = left
            isShort = isShort ? false : !accept(listening, &waiting, until: now + patience)
        }
    }

    private static func admit(_ client: Client, _ usher: Usher) {
        var first: UInt8 = 0
        guard recv(client.socket, &first, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 1 else {
            close(client.socket)
            return
        }
        usher(client, first == greeting)
    }

    /// False when the machine has no more sockets to give.
    private static func accept(_ listening: Int32, _ waiting: inout [Client], until patience: Int64) -> Bool {
        for _ in 0..<room {
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let socket = quire_incoming_accept(listening, &address, &size)
            guard socket >= 0 else { return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) }
            if waiting.count >= room { close(waiting.removeFirst().socket) }
            waiting.append(
                Client(socket: socket, address: address, addressSize: size, patience: patience))
        }
        return true
    }
}
