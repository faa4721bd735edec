import Bytes
public import Crypto
import Glibc
import Storage
public import Transfer
import Work

/// What a server shows to prove who it is, as PEM texts.
public struct ServerCertificate: Sendable {
    public let certificate: String
    public let key: String
    /// To compare with what the browser shows, when nobody whom browsers know vouches for it: `AB:CD:…`. That of the
    /// authority where there is one, as phones are to trust that.
    public let fingerprint: String?
    /// The desk's own, which vouches for the certificate.
    public let authority: X509Certificate?
}

extension X509Certificate {
    /// As programs show it: `AB:CD:…`
    public var shownFingerprint: String { Certificate.shown(fingerprint) }
}

extension Certificate {
    fileprivate static func shown(_ fingerprint: [UInt8]) -> String {
        fingerprint.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
    }
}

extension Quire {
    /// Nil when the desk is served without TLS. A certificate of our own is made once and kept in `keys/`, and
    /// made anew before it runs out, or when the machine has other names and addresses.
    /// - Parameter addresses: those of the machine in its house.
    public func certificate(
        addresses: [IPAddress] = Machine.houseAddresses(version6: true)
    ) throws -> ServerCertificate? {
        switch config.tls {
        case .off: return nil
        case .files(let certificate, let key):
            return ServerCertificate(
                certificate: try text(certificate, "certificate"), key: try text(key, "key"),
                fingerprint: nil, authority: nil)
        case .selfSigned:
            let now = store.clock.now().milliseconds / 1000
            return try kept(for: certificateNames, by: nil) { () throws(CryptoError) in
                try Certificate.selfSigned(for: certificateNames, from: now)
            }
        case .ownAuthority:
            let authority = try ownAuthority()
            let now = store.clock.now().milliseconds / 1000
            let names = houseNames(addresses, authority.domains)
            return try kept(for: names, by: authority.identity.certificate) { () throws(CryptoError) in
                try authority.identity.issueServer(for: names, from: now)
            }
        }
    }

    private func kept(
        for names: [String], by authority: X509Certificate?, _ make: () throws(CryptoError) -> Certificate
    ) throws -> ServerCertificate {
        let path = store.home.keys + "/tls.json"
        let now = store.clock.now()
        if let bytes = try? SmallFile.read(path, limit: 1 << 16), let kept = try? JSON(parsing: bytes),
            let certificate = kept["certificate"]?.string, let key = kept["key"]?.string,
            let fingerprint = kept["fingerprint"]?.string, let made = kept["madeAt"]?.integer,
            kept["names"]?.array?.compactMap(\.string) == names,
            kept["authority"]?.string == authority?.shownFingerprint,
            now - Moment(milliseconds: made) < .seconds(300 * 86_400)
        {
            return ServerCertificate(
                certificate: certificate, key: key, fingerprint: authority?.shownFingerprint ?? fingerprint,
                authority: authority)
        }
        do throws(CryptoError) {
            let made = try make()
            let fingerprint = Certificate.shown(made.fingerprint)
            let json: JSON = [
                "names": .array(names.map(JSON.string)), "madeAt": .integer(now.milliseconds),
                "authority": .optional(authority?.shownFingerprint), "fingerprint": .string(fingerprint),
                "certificate": .string(made.certificatePEM), "key": .string(made.keyPEM),
            ]
            try? SmallFile.replace(path, with: json.bytes)
            return ServerCertificate(
                certificate: made.certificatePEM, key: made.keyPEM,
                fingerprint: authority?.shownFingerprint ?? fingerprint, authority: authority)
        } catch {
            throw Failure(.unavailable, "No certificate could be made: \(error).")
        }
    }

    // MARK: The authority

    private struct Authority {
        let identity: SigningIdentity
        /// It vouches for no other names: those of the machine when it was made.
        let domains: [String]
    }

    /// Made once: whoever trusts it goes on doing so when certificates are made anew. Its key is sealed.
    private func ownAuthority() throws -> Authority {
        let path = store.home.keys + "/authority.json"
        let now = store.clock.now().milliseconds / 1000
        do throws(FileTroubles) {
            guard let bytes = try SmallFile.read(path, limit: 1 << 16) else {
                return try makeAuthority(path, from: now)
            }
            guard let kept = try openedAuthority(bytes) else {
                throw FileTroubles(reason: "its key cannot be opened with that of the desk")
            }
            // As good as over: phones will refuse it.
            let isOver = kept.identity.certificate.ends - now < 30 * 86_400
            return isOver ? try makeAuthority(path, from: now) : kept
        } catch {
            throw Failure(
                .unavailable,
                "The desk’s own authority \(path) cannot be used: \(error.reason). Put the file back from a backup, or take it away; then another is made, and phones have to trust that one anew."
            )
        }
    }

    private func openedAuthority(_ bytes: [UInt8]) throws(FileTroubles) -> Authority? {
        guard let kept = try? JSON(parsing: bytes), let text = kept["certificate"]?.string,
            let certificate = X509Certificate.all(pem: Array(text.utf8)).first,
            let sealed = kept["key"]?.string.flatMap({ Base64.decode($0) }),
            let key = try? settings.key().open(sealed, for: Self.authorityPlace),
            let identity = try? SigningIdentity(keyPEM: key, certificate: certificate)
        else { return nil }
        return Authority(
            identity: identity, domains: kept["domains"]?.array?.compactMap(\.string) ?? [])
    }

    private func makeAuthority(_ path: String, from now: Int64) throws(FileTroubles) -> Authority {
        let host = Machine.hostName
        let scope = HouseNetwork.scope(withHost: host)
        do {
            let made = try SigningIdentity.authority(
                named: String("Quire of \(host)".prefix(64)), from: now, servers: scope)
            let sealed = try settings.key().seal(Array(made.keyPEM().utf8), for: Self.authorityPlace)
            let json: JSON = [
                "certificate": .string(made.certificate.pem), "key": .string(Base64.encode(sealed)),
                "domains": .array(scope.domains.map(JSON.string)),
            ]
            try SmallFile.replace(path, with: json.bytes)
            return Authority(identity: made, domains: scope.domains)
        } catch let trouble as FileTroubles {
            // Phones would trust one that is gone with the next start.
            throw trouble
        } catch {
            throw FileTroubles(reason: "\(error)")
        }
    }

    private static let authorityPlace = "tls.authority"

    /// What phones may call this machine, as far as its authority vouches for that.
    private func houseNames(_ addresses: [IPAddress], _ domains: [String]) -> [String] {
        let host = Machine.hostName
        let first = host.split(separator: ".").first.map(String.init) ?? "quire"
        var names = (config.publicOrigin.map { [Self.host(ofOrigin: $0)] } ?? []) + [host, first + ".local"]
        names = names.filter { HouseNetwork.contains(name: $0, domains) }
        let own = [config.host].compactMap { IPAddress($0) } + addresses
        names += own.filter(HouseNetwork.contains).map(\.description).sorted()
        names += ["localhost", "127.0.0.1", "::1"]
        return Self.once(names)
    }

    // MARK: Names

    private var certificateNames: [String] {
        var names: [String] = []
        if let origin = config.publicOrigin {
            let host = Self.host(ofOrigin: origin)
            if !host.isEmpty, !host.hasPrefix("[") { names.append(host) }
        }
        names.append(Machine.hostName)
        if !["0.0.0.0", "::"].contains(config.host) { names.append(config.host) }
        return Self.once(names + ["localhost", "127.0.0.1", "::1"])
    }

    private static func host(ofOrigin origin: String) -> String {
        String(origin.split(separator: "/").last.map { $0.prefix { $0 != ":" } } ?? "")
    }

    private static func once(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    private func text(_ path: String, _ what: String) throws(Failure) -> String {
        do throws(FileTroubles) {
            return String(decoding: try SmallFile.require(path, limit: 1 << 20), as: UTF8.self)
        } catch {
            throw Failure(.unavailable, "The TLS \(what) \(path) cannot be read: \(error.reason).")
        }
    }
}
