import Crypto
import Testing

@Suite("Certificates made at home")
struct Certificates {
    @Test("the openssl command reads it, verifies it and finds every name")
    func readable() throws {
        try withFolder { folder in
            let made = try Certificate.selfSigned(
                for: ["desk.local", "192.168.1.20", "::1"], from: 1_795_260_000, days: 90)
            write(Array(made.certificatePEM.utf8), to: folder + "/c.pem")
            write(Array(made.keyPEM.utf8), to: folder + "/k.pem")
            let text = shell("openssl x509 -in \(folder)/c.pem -noout -text -fingerprint -sha256").output
            #expect(text.contains("DNS:desk.local, IP Address:192.168.1.20, IP Address:0:0:0:0:0:0:0:1"))
            #expect(text.contains("CA:FALSE"))
            #expect(text.contains("TLS Web Server Authentication"))
            #expect(text.contains("CN = desk.local"))
            #expect(text.contains("Not After : Feb 19 "))
            let fingerprint = hex(made.fingerprint).uppercased()
            #expect(text.replacing(":", with: "").contains(fingerprint))
            let verified = shell(
                "openssl verify -attime 1795260000 -purpose sslserver -verify_hostname desk.local"
                    + " -CAfile \(folder)/c.pem \(folder)/c.pem")
            #expect(verified.succeeded, "\(verified.output)")
            let same = shell(
                "test \"$(openssl x509 -in \(folder)/c.pem -noout -pubkey)\" ="
                    + " \"$(openssl pkey -in \(folder)/k.pem -pubout)\"")
            #expect(same.succeeded)
        }
    }

    @Test(
        "a name that would smuggle in another is refused",
        arguments: ["a,DNS:bank.example", "", "a b", "é.example"])
    func smuggled(name: String) {
        #expect(throws: CryptoError.badName(name)) { try Certificate.selfSigned(for: [name], from: 0) }
        #expect(throws: CryptoError.self) { try Certificate.selfSigned(for: [], from: 0) }
    }
}
