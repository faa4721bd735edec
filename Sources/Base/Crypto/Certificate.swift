internal import COpenSSL
internal import Glibc

/// What a server shows, with its key: vouched for by an authority, or by itself, for TLS inside a house where no
/// authority of the world will.
public struct Certificate: Sendable {
    public let certificatePEM: String
    public let keyPEM: String
    /// SHA-256 of the DER form: what browsers show as fingerprint.
    public let fingerprint: [UInt8]

    /// Phones show a warning once and remember the fingerprint, which is why we show it too.
    /// - Parameters:
    ///   - names: host names and addresses it stands for; the first is also its common name.
    ///   - from: seconds since 1970. It begins a day earlier, for clocks that are behind.
    ///   - days: Apple refuses more than 825.
    public static func selfSigned(
        for names: [String], from: Int64, days: Int64 = 397
    ) throws(CryptoError) -> Certificate {
        try make(for: names, from: from, until: from + days * day, by: nil)
    }

    fileprivate static let day: Int64 = 86_400

    fileprivate static func make(
        for names: [String], from: Int64, until end: Int64, by authority: SigningIdentity?
    ) throws(CryptoError) -> Certificate {
        guard let first = names.first else { throw .badName("a certificate needs a name") }
        var extensions: [(Int32, String)] = [
            (NID_subject_alt_name, try names.map(alternative).joined(separator: ",")),
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth"),
        ]
        if authority != nil {
            extensions += [(NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid")]
        }
        let key = try PrivateKey.make(.es256)
        // RFC 5280 appendix A: a common name has at most 64 characters; the whole name is among the alternatives.
        let made = try X509Certificate.make(
            named: String(first.prefix(64)), key.key, from: from - day, until: end, by: authority, extensions)
        return Certificate(certificatePEM: made.pem, keyPEM: try key.pem(), fingerprint: made.fingerprint)
    }

    /// OpenSSL reads these as a little language, in which a comma would begin another name.
    private static func alternative(_ name: String) throws(CryptoError) -> String {
        var address = in6_addr()
        if inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1 {
            return "IP:" + name
        }
        return "DNS:" + (try ServerScope.hostName(name))
    }
}

extension SigningIdentity {
    /// For a server, vouched for by this authority, and not for longer than the authority itself.
    public func issueServer(
        for names: [String], from: Int64, days: Int64 = 397
    ) throws(CryptoError) -> Certificate {
        try Certificate.make(
            for: names, from: from, until: min(from + days * Certificate.day, certificate.ends), by: self)
    }
}

/// The servers that an authority may vouch for (RFC 5280 §4.2.1.10): whoever trusts it believes it about these and about
/// nothing else in the world.
public struct ServerScope: Sendable {
    /// Each with all that lies below it.
    public let domains: [String]
    /// Blocks of addresses: `10.0.0.0`, 8.
    public let networks: [(first: String, prefixLength: Int)]

    public init(domains: [String], networks: [(first: String, prefixLength: Int)]) {
        self.domains = domains
        self.networks = networks
    }

    var constraints: String {
        get throws(CryptoError) {
            var permitted: [String] = []
            for domain in domains { permitted.append("DNS:" + (try Self.hostName(domain))) }
            for network in networks {
                permitted.append("IP:\(network.first)/\(try Self.mask(network))")
            }
            return "critical," + permitted.map { "permitted;" + $0 }.joined(separator: ",")
        }
    }

    /// Whether it may stand in a certificate: letters, digits, `-` and `.`
    public static func isHostName(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
                || byte == 0x2E
        }
        return isPlain && !name.isEmpty && name.utf8.count <= 253
    }

    static func hostName(_ name: String) throws(CryptoError) -> String {
        guard isHostName(name) else { throw .badName(name) }
        return name
    }

    /// Written as an address, which is how OpenSSL reads it.
    private static func mask(_ network: (first: String, prefixLength: Int)) throws(CryptoError) -> String {
        let isVersion6 = network.first.contains(":")
        var bytes = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
        guard (1...bytes.count * 8).contains(network.prefixLength) else { throw .badName(network.first) }
        for bit in 0..<network.prefixLength { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isVersion6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
