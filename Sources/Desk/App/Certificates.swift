import Bytes
import Crypto
import Glibc
import Storage
import Work

/// What a server shows to prove who it is, as PEM texts.
public struct ServerCertificate: Sendable {
    public let certificate: String
    public let key: String
    /// To compare with what the browser shows, when the certificate vouches only for itself: `AB:CD:…`
    public let fingerprint: String?
}

extension Quire {
    /// Nil when the desk is served without TLS. A certificate of our own is made once and kept in `keys/`, and
    /// made anew before it runs out.
    public func certificate() throws -> ServerCertificate? {
        switch config.tls {
        case .off: nil
        case .files(let certificate, let key):
            ServerCertificate(
                certificate: try text(certificate, "certificate"), key: try text(key, "key"), fingerprint: nil
            )
        case .selfSigned: try ownCertificate()
        }
    }

    private func ownCertificate() throws -> ServerCertificate {
        let path = store.home.keys + "/tls.json"
        let now = store.clock.now()
        let names = certificateNames
        if let bytes = try? SmallFile.read(path, limit: 1 << 16), let kept = try? JSON(parsing: bytes),
            let certificate = kept["certificate"]?.string, let key = kept["key"]?.string,
            let fingerprint = kept["fingerprint"]?.string, let made = kept["madeAt"]?.integer,
            kept["names"]?.array?.compactMap(\.string) == names,
            now - Moment(milliseconds: made) < .seconds(300 * 86_400)
        {
            return ServerCertificate(certificate: certificate, key: key, fingerprint: fingerprint)
        }
        do throws(CryptoError) {
            let made = try Certificate.selfSigned(for: names, from: now.milliseconds / 1000)
            let fingerprint = made.fingerprint.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
            let json: JSON = [
                "names": .array(names.map(JSON.string)), "madeAt": .integer(now.milliseconds),
                "fingerprint": .string(fingerprint), "certificate": .string(made.certificatePEM),
                "key": .string(made.keyPEM),
            ]
            try? SmallFile.replace(path, with: json.bytes)
            return ServerCertificate(
                certificate: made.certificatePEM, key: made.keyPEM, fingerprint: fingerprint)
        } catch {
            throw Failure(.unavailable, "No certificate could be made: \(error).")
        }
    }

    private var certificateNames: [String] {
        var names: [String] = []
        if let origin = config.publicOrigin {
            let host = origin.split(separator: "/").last.map { $0.prefix { $0 != ":" } } ?? ""
            if !host.isEmpty, !host.hasPrefix("[") { names.append(String(host)) }
        }
        names.append(Machine.hostName)
        if !["0.0.0.0", "::"].contains(config.host) { names.append(config.host) }
        names += ["localhost", "127.0.0.1", "::1"]
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
