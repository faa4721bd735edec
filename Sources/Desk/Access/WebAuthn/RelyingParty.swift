/// Who asks for a passkey: this desk, under the name people reach it by.
public struct RelyingParty: Sendable, Hashable {
    /// The host name without scheme and port. Passkeys are bound to it for good.
    public let id: String
    /// What the phone shows.
    public let name: String
    /// Where ceremonies may take place: `https://desk.example`, with the port unless it is the scheme's own.
    public let origins: Set<String>

    public init(id: String, name: String, origins: Set<String>) {
        self.id = id
        self.name = name
        self.origins = origins
    }

    /// The usual case: the id is the origin's host. Nil when browsers would offer no passkeys there: they want
    /// HTTPS and a name, or `localhost`; an address made of numbers is not enough.
    public init?(origin: String, name: String = "Quire") {
        let scheme: String
        if origin.hasPrefix("https://") {
            scheme = "https://"
        } else if origin.hasPrefix("http://localhost") {
            scheme = "http://"
        } else {
            return nil
        }
        let authority = origin.dropFirst(scheme.count)
        let host = authority.prefix { $0 != ":" }.lowercased()
        let port = authority.dropFirst(host.count)
        let isNumeric = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        let allowed = host.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
        }
        guard !host.isEmpty, allowed, !isNumeric, scheme == "https://" || host == "localhost",
            port.isEmpty || (port.count > 1 && port.dropFirst().allSatisfy(\.isNumber))
        else { return nil }
        self.init(id: host, name: name, origins: [scheme + host + port])
    }
}
