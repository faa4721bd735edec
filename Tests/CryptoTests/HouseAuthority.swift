import Crypto
import Testing

@Suite("An authority for the servers of a house")
struct HouseAuthority {
    private let scope = ServerScope(
        domains: ["local", "localhost", "desk.example.org"],
        networks: [("192.168.0.0", 16), ("127.0.0.0", 8), ("fc00::", 7), ("::1", 128)])
    private let now: Int64 = 1_795_260_000

    @Test("vouches for servers that the openssl command then verifies, by each of their names")
    func vouches() throws {
        try withFolder { folder in
            let authority = try SigningIdentity.authority(named: "Quire of desk", from: now, servers: scope)
            let server = try authority.issueServer(
                for: ["desk.local", "192.168.1.20", "localhost", "::1"], from: now)
            write(Array(authority.certificate.pem.utf8), to: folder + "/ca.pem")
            write(Array(server.certificatePEM.utf8), to: folder + "/c.pem")
            let text = shell("openssl x509 -in \(folder)/ca.pem -noout -text").output
            #expect(text.contains("CA:TRUE, pathlen:0"))
            #expect(text.contains("Certificate Sign"))
            #expect(text.contains("X509v3 Name Constraints: critical"))
            #expect(text.contains("IP:192.168.0.0/255.255.0.0"))
            #expect(authority.certificate.isAuthority)
            for name in ["-verify_hostname desk.local", "-verify_ip 192.168.1.20", "-verify_ip ::1"] {
                let verified = shell(
                    "openssl verify -x509_strict -attime \(now) -purpose sslserver \(name) -CAfile \(folder)/ca.pem \(folder)/c.pem"
                )
                #expect(verified.succeeded, "\(name): \(verified.output)")
            }
        }
    }

    @Test(
        "is not believed about the rest of the world",
        arguments: ["bank.example", "8.8.8.8", "localhost.example", "2001:db8::1", "example.org"])
    func bounds(name: String) throws {
        try withFolder { folder in
            let authority = try SigningIdentity.authority(named: "Quire of desk", from: now, servers: scope)
            let server = try authority.issueServer(for: ["localhost", name], from: now)
            write(Array(authority.certificate.pem.utf8), to: folder + "/ca.pem")
            write(Array(server.certificatePEM.utf8), to: folder + "/c.pem")
            let verified = shell(
                "openssl verify -attime \(now) -CAfile \(folder)/ca.pem \(folder)/c.pem 2>&1")
            #expect(!verified.succeeded)
            #expect(verified.output.contains("permitted subtree violation"), "\(verified.output)")
        }
    }

    @Test("vouches for servers at most for 397 days and never beyond its own end, and for no mail or program")
    func ends() throws {
        let authority = try SigningIdentity.authority(
            named: "Quire of desk", from: now, days: 400, servers: scope)
        let first = try authority.issueServer(for: ["localhost"], from: now)
        let late = try authority.issueServer(for: ["localhost"], from: now + 390 * 86_400)
        let ends = [first, late].map {
            X509Certificate.all(pem: Array($0.certificatePEM.utf8)).first?.ends ?? 0
        }
        #expect(ends == [now + 397 * 86_400, authority.certificate.ends])
        try withFolder { folder in
            write(Array(authority.certificate.pem.utf8), to: folder + "/ca.pem")
            let text = shell("openssl x509 -in \(folder)/ca.pem -noout -text").output
            #expect(text.contains("Extended Key Usage: \n                TLS Web Server Authentication\n"))
        }
    }

    @Test("a name or a network that would smuggle in another is refused")
    func smuggled() {
        for scope in [
            ServerScope(domains: ["local,permitted;DNS:bank.example"], networks: []),
            ServerScope(domains: ["local"], networks: [("10.0.0.0", 0)]),
        ] {
            #expect(throws: CryptoError.self) {
                try SigningIdentity.authority(named: "Quire", from: 0, servers: scope)
            }
        }
    }
}
