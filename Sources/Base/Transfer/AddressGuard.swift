/// Decides which machines an outgoing connection may reach.
///
/// A person may hand us an address that points into the network we stand in (a router's page, a cloud's
/// metadata service, our own loopback). Looking at the name is not enough: it can resolve to anything, and to
/// something else a second later. So the guard is asked about the address the socket is about to connect to,
/// after resolution, for every connection including those a redirect causes.
public struct AddressGuard: Sendable {
    private enum Rule { case publicOnly, loopbackOnly, anywhere }

    private let rule: Rule
    private let allowedNetworks: [Network]
    private let allowedHosts: Set<String>

    /// Only addresses anybody on the internet could reach.
    public static let publicOnly = AddressGuard(.publicOnly)
    /// Only this machine.
    public static let loopbackOnly = AddressGuard(.loopbackOnly)
    /// For addresses the owner of the desk has set up: a mail server or store in their own network.
    public static let anywhere = AddressGuard(.anywhere)

    private init(_ rule: Rule, networks: [Network] = [], hosts: Set<String> = []) {
        self.rule = rule
        allowedNetworks = networks
        allowedHosts = hosts
    }

    /// The same guard with exceptions. A host name is compared as written in the address asked for.
    public func allowing(networks: [Network] = [], hosts: [String] = []) -> AddressGuard {
        AddressGuard(
            rule, networks: allowedNetworks + networks,
            hosts: allowedHosts.union(hosts.map { $0.lowercased() }))
    }

    /// Why a connection to `address` on behalf of `host` is refused; nil when it may go ahead.
    public func objection(to address: IPAddress, host: String) -> String? {
        if allowedHosts.contains(host.lowercased()) { return nil }
        if allowedNetworks.contains(where: { $0.contains(address) }) { return nil }
        switch rule {
        case .anywhere: return nil
        case .publicOnly: return Self.special(address)
        case .loopbackOnly: return Self.loopback.contains { $0.contains(address) } ? nil : "not this machine"
        }
    }

    private static let loopback = ["127.0.0.0/8", "::1/128", "::ffff:127.0.0.0/104"].compactMap(Network.init)

    /// What the address is for, when it is for anything but public traffic.
    static func special(_ address: IPAddress) -> String? {
        if address.isVersion4 { return name(of: address, in: specialVersion4) }
        // These forms carry a version 4 address, and the traffic ends there: judge that one. 6to4 and Teredo
        // carry one too, but nobody needs them any more, so they are refused whole in the table below.
        for form in carriers where form.contains(address) {
            guard let inner = IPAddress(bytes: Array(address.bytes.suffix(4))) else { return "malformed" }
            return special(inner)
        }
        if let name = name(of: address, in: specialVersion6) { return name }
        return globalUnicast.contains(address) ? nil : "reserved"
    }

    private static func name(of address: IPAddress, in table: [(network: Network, name: String)]) -> String? {
        table.first { $0.network.contains(address) }?.name
    }

    private static func table(_ rows: [(String, String)]) -> [(network: Network, name: String)] {
        rows.compactMap { row in Network(row.0).map { ($0, row.1) } }
    }

    /// IPv4-mapped (RFC 4291 §2.5.5.2) and the well-known NAT64 prefix (RFC 6052 §2.1).
    private static let carriers = ["::ffff:0:0/96", "64:ff9b::/96"].compactMap(Network.init)

    /// Everything outside is unassigned or local by definition (RFC 4291 §2.4).
    private static let globalUnicast = Network("2000::/3").unsafelyUnwrapped

    /// The IANA special-purpose registries (RFC 6890 and its successors), plus multicast.
    private static let specialVersion4 = table([
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a provider's customers"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    ])

    private static let specialVersion6 = table([
        ("::1/128", "loopback"),
        ("::/128", "unspecified"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discard"),
        ("2001::/23", "protocol assignments"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("ff00::/8", "multicast"),
    ])
}
