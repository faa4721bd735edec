import App
import Crypto
import Glibc
import Storage
import TestSupport
import Testing
import Transfer
import Work

@Suite("The server's certificate")
struct CertificateTests {
    @Test("one of our own is made once, for the owner's eyes only, and anew before it runs out")
    func selfSigned() throws {
        let hands = HandClock()
        try withQuire(flags: ["tls": "self-signed", "host": "192.0.2.7"], hands: hands) { quire in
            let first = try #require(try quire.certificate())
            #expect(first.certificate.hasPrefix("-----BEGIN CERTIFICATE-----"))
            #expect(first.key.contains("PRIVATE KEY"))
            #expect(first.fingerprint?.split(separator: ":").count == 32)
            #expect(try quire.certificate()?.certificate == first.certificate)
            var about = stat()
            #expect(stat(quire.store.home.keys + "/tls.json", &about) == 0)
            #expect(about.st_mode & 0o777 == 0o600)
            hands.advance(.seconds(310 * 86_400))
            #expect(try quire.certificate()?.certificate != first.certificate)
        }
    }

    private func names(_ certificate: ServerCertificate) throws -> String {
        try Child(
            "/usr/bin/openssl", ["x509", "-noout", "-ext", "subjectAltName"],
            input: .bytes(Array(certificate.certificate.utf8))
        ).run().outputText
    }

    @Test(
        "one that the desk's own authority vouches for follows the addresses of the machine, while the authority stays"
    )
    func ownAuthority() throws {
        let hands = HandClock()
        try withQuire(flags: ["lan": "yes"], hands: hands) { quire throws in
            let home = try #require(IPAddress("192.168.1.20"))
            let office = try #require(IPAddress("10.7.0.4"))
            // Addresses of the world are nobody's to vouch for.
            let world = try #require(IPAddress("203.0.113.9"))
            let first = try #require(try quire.certificate(addresses: [home, world]))
            let authority = try #require(first.authority)
            #expect(first.fingerprint == authority.shownFingerprint)
            #expect(authority.isAuthority)
            #expect(authority.name.hasPrefix("Quire of "))
            let said = try names(first)
            for name in ["192.168.1.20", "127.0.0.1", "DNS:localhost", ".local"] {
                #expect(said.contains(name), "\(said)")
            }
            #expect(!said.contains("203.0.113.9"))
            #expect(try quire.certificate(addresses: [home])?.certificate == first.certificate)

            let moved = try #require(try quire.certificate(addresses: [office]))
            #expect(try names(moved).contains("10.7.0.4"))
            #expect(moved.authority == authority)
            hands.advance(.seconds(310 * 86_400))
            let later = try #require(try quire.certificate(addresses: [office]))
            #expect(later.certificate != moved.certificate)
            #expect(later.authority == authority)
            hands.advance(.seconds(3630 * 86_400))
            #expect(try quire.certificate(addresses: [office])?.authority != authority)
        }
    }

    @Test(
        "its key is sealed, and a file that cannot be opened is told instead of another authority in its place"
    )
    func sealed() throws {
        try withQuire(flags: ["lan": "yes"]) { quire throws in
            _ = try quire.certificate(addresses: [])
            let path = quire.store.home.keys + "/authority.json"
            var about = stat()
            #expect(stat(path, &about) == 0)
            #expect(about.st_mode & 0o777 == 0o600)
            let file = try #require(fopen(path, "r+"))
            var bytes = [UInt8](repeating: 0, count: 8_192)
            let count = fread(&bytes, 1, bytes.count, file)
            let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            #expect(text.contains("BEGIN CERTIFICATE"))
            #expect(!text.contains("PRIVATE KEY"))
            rewind(file)
            fputs("{}", file)
            ftruncate(fileno(file), 2)
            fclose(file)
            let failure = #expect(throws: Failure.self) { try quire.certificate(addresses: []) }
            #expect(failure?.message.contains("authority.json") == true)
        }
    }

    @Test("files are read as they are, and a missing one is named")
    func files() throws {
        try withScratchFolder { folder in
            for name in ["cert.pem", "key.pem"] {
                let file = try #require(fopen("\(folder)/\(name)", "w"))
                fputs(name, file)
                fclose(file)
            }
            var flags = ["tls-certificate": "\(folder)/cert.pem", "tls-key": "\(folder)/key.pem"]
            try withQuire(flags: flags) { quire in
                let certificate = try #require(try quire.certificate())
                #expect(certificate.certificate == "cert.pem")
                #expect(certificate.key == "key.pem")
            }
            flags["tls-key"] = "\(folder)/other.pem"
            try withQuire(flags: flags) { quire in
                let failure = #expect(throws: Failure.self) { try quire.certificate() }
                #expect(failure?.message.contains("other.pem") == true)
            }
        }
        try withQuire { quire throws in #expect(try quire.certificate()?.key == nil) }
    }
}
