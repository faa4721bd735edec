import App
import Glibc
import Storage
import TestSupport
import Testing
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
