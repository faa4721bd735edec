import CMicroHTTPD
import Glibc
import Work

/// The socket the server listens on. Made here and not by libmicrohttpd, so that a failure says what is wrong.
struct ListeningSocket {
    let descriptor: Int32
    let port: Int

    init(host: String, port: Int) throws(ServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard (0...65_535).contains(port), getaddrinfo(host, String(port), &hints, &list) == 0,
            let first = list
        else {
            throw ServerError(.addressNotOurs, "\(host) port \(port) is not an address to listen on.")
        }
        defer { freeaddrinfo(list) }
        let address = first.pointee
        let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ListeningSocket.error(errno, host, port) }
        var yes: Int32 = 1
        var no: Int32 = 0
        let size = socklen_t(MemoryLayout<Int32>.size)
        // A server that is started again at once finds its port, though old connections still linger on it.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        if address.ai_family == AF_INET6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, size)
        }
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, 1_024) == 0
        else {
            let code = errno
            close(descriptor)
            throw ListeningSocket.error(code, host, port)
        }
        self.descriptor = descriptor
        self.port = ListeningSocket.port(of: descriptor)
    }

    private static func port(of descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &size)
            }
            return SocketAddress.port(UnsafeRawPointer(pointer))
        }
    }

    private static func error(_ code: Int32, _ host: String, _ port: Int) -> ServerError {
        switch code {
        case EADDRINUSE:
            ServerError(
                .addressInUse, "Port \(port) on \(host) is in use; another program listens there already.")
        case EADDRNOTAVAIL: ServerError(.addressNotOurs, "\(host) is not an address of this machine.")
        case EACCES, EPERM:
            ServerError(.notAllowed, "Listening on port \(port) needs more rights than this program has.")
        default:
            ServerError(
                .other, "Listening on \(host) port \(port) failed: \(systemMessage(code)).")
        }
    }
}

/// Reading the addresses sockets have.
enum SocketAddress {
    /// The first field of every address. Through `sockaddr` the compiler finds it or not, depending on which C
    /// module it saw first.
    private static func family(_ address: UnsafeRawPointer) -> sa_family_t {
        address.loadUnaligned(as: sa_family_t.self)
    }

    static func port(_ address: UnsafeRawPointer) -> Int {
        let family = family(address)
        return family == sa_family_t(AF_INET6)
            ? Int(address.loadUnaligned(as: sockaddr_in6.self).sin6_port.byteSwapped)
            : Int(address.loadUnaligned(as: sockaddr_in.self).sin_port.byteSwapped)
    }

    /// `192.0.2.1`, `2001:db8::1`; an IPv4 address in IPv6 clothes comes out as what it is.
    static func text(_ address: UnsafeRawPointer) -> (text: String, isLoopback: Bool) {
        switch Int32(family(address)) {
        case AF_INET:
            let raw = address.loadUnaligned(as: sockaddr_in.self).sin_addr
            return (four(raw), raw.s_addr & 0xFF == 127)
        case AF_INET6:
            var raw = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            let bytes = withUnsafeBytes(of: &raw) { Array($0) }
            if bytes.dropLast(4) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] {
                let inner = in_addr(
                    s_addr: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 12, as: UInt32.self) })
                return (four(inner), bytes[12] == 127)
            }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, &raw, &text, socklen_t(text.count))
            return (string(text), bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1)
        default: return ("unknown", false)
        }
    }

    private static func four(_ address: in_addr) -> String {
        var address = address
        var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
        inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        return string(text)
    }

    private static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
