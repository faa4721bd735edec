import Crypto
import PDF
import Signing
import TestSupport
import Testing

/// The same papers, looked at by programs of others.
@Suite("Signatures, looked at by other programs")
struct SecondOpinionTests {
    private func visible(_ wish: inout SigningWish) {
        wish.place = SigningWish.Place(
            page: 0, box: PDFRectangle(left: 200, bottom: 40, right: 380, top: 100))
        wish.reason = "Ich stimme zu, 同意"
    }

    @Test(
        "pdfsig and qpdf find nothing wrong with what was signed here",
        .enabled(if: has("pdfsig"), "pdfsig is not here"))
    func poppler() throws {
        try withScratchFolder { folder in
            let first = try signed { visible(&$0) }
            let both = try signed(first, with: Cast.ben, at: noon + 60) { $0.field = "tenant" }
            try write(both, to: folder + "/both.pdf")
            let said = try run("pdfsig", ["-nocert", folder + "/both.pdf"]).text
            #expect(said.components(of: "Signature is Valid.") == 2, "\(said)")
            #expect(said.contains("Signature Type: ETSI.CAdES.detached"), "\(said)")
            #expect(said.contains("Total document signed"), "\(said)")
            let sound = try run("qpdf", ["--check", folder + "/both.pdf"])
            #expect(sound.code == 0, "\(sound.text)")
            var changed = first
            let at = try #require(place(of: "900", in: changed))
            changed[at] = UInt8(ascii: "1")
            try write(changed, to: folder + "/changed.pdf")
            #expect(try run("pdfsig", ["-nocert", folder + "/changed.pdf"]).text.contains("Digest Mismatch"))
        }
    }

    @Test("openssl checks the message by itself", .enabled(if: has("openssl"), "openssl is not here"))
    func openssl() throws {
        try withScratchFolder { folder in
            for identity in [Cast.ana, Cast.ben] {
                let text = Array("The rent is 900.".utf8)
                let digest = try text.withUnsafeBytes {
                    try SigningIdentity.digest([$0], for: identity.certificate)
                }
                try write(identity.writer.signedMessage(over: digest), to: folder + "/message.der")
                try write(text, to: folder + "/text")
                try write(Array(Cast.authority.certificate.pem.utf8), to: folder + "/root.pem")
                let said = try run(
                    "openssl",
                    [
                        "cms", "-verify", "-binary", "-cades", "-inform", "DER", "-in",
                        folder + "/message.der",
                        "-content", folder + "/text", "-CAfile", folder + "/root.pem", "-purpose", "any",
                        "-attime", "\(noon)", "-out", "/dev/null",
                    ])
                #expect(said.code == 0, "\(said.text)")
            }
        }
    }

    @Test(
        "a weak digest and a short key are said to be weak",
        .enabled(if: has("openssl"), "openssl is not here"))
    func weak() throws {
        try withScratchFolder { folder in
            let made = try run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "rsa:1024", "-nodes", "-subj", "/CN=Old Hand", "-days", "3650",
                    "-keyout", folder + "/key.pem", "-out", folder + "/certificate.pem",
                ])
            #expect(made.code == 0, "\(made.text)")
            var bytes = try signed()
            let gap = try #require(Gap(bytes))
            try write(Array(bytes[..<gap.start] + bytes[gap.end...]), to: folder + "/signed")
            let done = try run(
                "openssl",
                [
                    "cms", "-sign", "-binary", "-md", "sha1", "-in", folder + "/signed", "-signer",
                    folder + "/certificate.pem", "-inkey", folder + "/key.pem", "-outform", "DER", "-out",
                    folder + "/message.der",
                ])
            #expect(done.code == 0, "\(done.text)")
            gap.put(try contents(of: folder + "/message.der"), into: &bytes)
            let one = try #require(try check(bytes).first)
            #expect(one.isIntact == true)
            #expect(one.findings.contains(.weakDigest("sha1")), "\(one.findings)")
            #expect(one.findings.contains(.weakKey(1024)))
            #expect(one.verdict == .uncertain)
        }
    }

    @Test(
        "a certificate that was taken back is found by the proof in the file, and one that was not as well",
        .enabled(if: has("openssl"), "openssl is not here"), arguments: [true, false])
    func revoked(isRevoked: Bool) throws {
        try withScratchFolder { folder in
            let made = try run(
                "sh",
                [
                    "-c",
                    """
                    cd \(folder) && openssl req -x509 -newkey rsa:2048 -nodes -subj '/CN=Root' -days 3650 -keyout rk.pem \
                    -out root.pem && openssl req -newkey rsa:2048 -nodes -subj '/CN=Leaf' -keyout k.pem -out r.csr && \
                    openssl x509 -req -in r.csr -CA root.pem -CAkey rk.pem -set_serial 0x1234 -days 900 -out c.pem && \
                    printf '\(isRevoked ? "R\\t401231000000Z\\t261120000000Z\\t1234\\tunknown\\t/CN=Leaf\\n" : "")' > index && \
                    echo 01 > number && printf '[ca]\\ndefault_ca=d\\n[d]\\ndatabase=index\\ncrlnumber=number\\ndefault_md=sha256\\n' > ca.cnf && \
                    openssl ca -config ca.cnf -gencrl -crldays 3650 -cert root.pem -keyfile rk.pem -out crl.pem && \
                    openssl crl -in crl.pem -outform DER -out crl.der
                    """,
                ])
            #expect(made.code == 0, "\(made.text)")
            func certificate(_ name: String) throws -> X509Certificate {
                try #require(X509Certificate.all(pem: try contents(of: "\(folder)/\(name)")).first)
            }
            let leaf = try SigningIdentity(
                keyPEM: contents(of: folder + "/k.pem"), certificate: certificate("c.pem"),
                chain: [certificate("root.pem")])
            let list = try contents(of: folder + "/crl.der")
            let bytes = try appended(signed(with: leaf)) { file, revision in
                let stream = revision.newReference()
                revision.putStream([:], list, at: stream)
                var catalog = file.catalog
                catalog["DSS"] = .dictionary(["CRLs": .array([.reference(stream)])])
                let root = try #require(file.trailer["Root"]?.reference)
                revision.put(.dictionary(catalog), at: root)
            }
            let one = try #require(try check(bytes).first)
            #expect(one.heaviestChange == .proofs, "\(one.laterChanges)")
            #expect(one.findings.contains(.revoked) == isRevoked, "\(one.findings)")
            #expect(!one.findings.contains(.revocationUnknown))
            if isRevoked { #expect(one.verdict == .bad) }
        }
    }

    @Test(
        "a paper that another program signed twice reads as that program meant it",
        .enabled(if: CorpusFiles.has("form/034-node-signpdf-signed-twice.pdf"), "no corpus here"))
    func others() throws {
        let bytes = try CorpusFiles.bytes("form/034-node-signpdf-signed-twice.pdf")
        let both = try check(bytes)
        #expect(both.map(\.signer) == ["signpdf", "SignPdf"])
        #expect(both.map(\.isIntact) == [true, true])
        #expect(both.map(\.verdict) == [.uncertain, .uncertain])
        #expect(both[1].coversWholeFile)
    }
}

/// Where the signature itself stands.
struct Gap {
    let start: Int
    let end: Int

    init?(_ bytes: [UInt8]) {
        guard let word = place(of: "/Contents<", in: bytes),
            let close = bytes[word...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        start = word + "/Contents".utf8.count
        end = close + 1
    }

    func put(_ message: [UInt8], into bytes: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        let hex = message.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        for at in start + 1..<end - 1 { bytes[at] = 48 }
        bytes.replaceSubrange(start + 1..<start + 1 + hex.count, with: hex)
    }
}

extension String {
    func components(of word: String) -> Int {
        ranges(of: word).count
    }
}
