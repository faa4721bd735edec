import Crypto
import Glibc
public import Transfer

extension Machine {
    /// Addresses of this machine by which others reach it. Link-local ones of version 6 need the name of a cable behind them;
    /// nobody types those.
    public static func addresses(version6: Bool) -> [IPAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [IPAddress] = []
        var entry = list
        while let current = entry {
            entry = current.pointee.ifa_next
            guard let address = current.pointee.ifa_addr,
                current.pointee.ifa_flags & UInt32(IFF_UP) != 0,
                current.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
                let known = Self.address(address), known.isVersion4 || version6
            else { continue }
            if !HouseNetwork.isLinkLocal6(known) { found.append(known) }
        }
        return found
    }

    /// Those of the house: nobody outside of it has the same.
    public static func houseAddresses(version6: Bool) -> [IPAddress] {
        addresses(version6: version6).filter(HouseNetwork.contains)
    }

    /// The one by which phones in the house reach this machine best: that of its way out, as bridges of containers and
    /// virtual machines have addresses of a house, too. Nil where it is in no house.
    public static var houseAddress: IPAddress? {
        let all = houseAddresses(version6: false)
        return wayOut.flatMap { all.contains($0) ? $0 : nil } ?? all.first
    }

    /// From which address something would leave to the world. Nothing is sent.
    private static var wayOut: IPAddress? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = in_port_t(9).bigEndian
        // A place that is nobody's (RFC 5737).
        target.sin_addr.s_addr = UInt32(0xC000_0201).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard connect(socket, address, size) == 0, getsockname(socket, address, &size) == 0 else {
                    return nil
                }
                return Self.address(address)
            }
        }
    }

    private static func address(_ address: UnsafePointer<sockaddr>) -> IPAddress? {
        let raw = UnsafeRawPointer(address)
        // The first field of every address: through `sockaddr` the compiler finds it or not.
        switch Int32(raw.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            let part = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return IPAddress(bytes: withUnsafeBytes(of: part) { Array($0) })
        case AF_INET6:
            let part = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return IPAddress(bytes: withUnsafeBytes(of: part) { Array($0) })
        default: return nil
        }
    }
}

/// What belongs to nobody in the world but to each house anew: the addresses and names a desk may vouch for.
public enum HouseNetwork {
    /// RFC 1918, carriers and private meshes (RFC 6598), what machines give themselves (RFC 3927), loopback, and the same
    /// of version 6 (RFC 4193, RFC 4291).
    private static let blocks = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8",
        "fc00::/7", "fe80::/10", "::1/128",
    ].compactMap { Network($0) }

    /// Multicast DNS (RFC 6762), houses (RFC 8375), offices, and what many routers call theirs.
    private static let domains = ["localhost", "local", "home.arpa", "internal", "lan"]

    public static func contains(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }

    static func isLinkLocal6(_ address: IPAddress) -> Bool { Network("fe80::/10")?.contains(address) == true }

    /// A name of one word alone is left out: `dev` would take all names that end so, which are the world's.
    static func scope(withHost host: String) -> ServerScope {
        let isWhole =
            host.contains(".") && ServerScope.isHostName(host) && !contains(name: host, domains)
        return ServerScope(
            domains: domains + (isWhole ? [host.lowercased()] : []),
            networks: blocks.map { ($0.first.description, $0.prefixLength) })
    }

    static func contains(name: String, _ domains: [String]) -> Bool {
        let name = name.lowercased()
        return ServerScope.isHostName(name)
            && domains.contains { name == $0 || name.hasSuffix("." + $0) }
    }
}
