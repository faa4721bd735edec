import Bytes
import HTTP
import PDFReading
import Pictures
import Storage
import TestSupport
import Testing
import Web
import Work

/// A card for Apple Wallet, looked at by openssl and unzip.
@Suite(
    "A pass for Apple Wallet",
    .enabled(if: PageReader.isReady, "poppler is not installed (bin/setup --check)"))
struct WalletPassTests {
    private let settings = SiteSettings(publicOrigin: "https://desk.example")

    private func withCertificates<R>(_ body: (String) throws -> R) throws -> R {
        try withScratchFolder { folder in
            try makePassCertificates(in: folder)
            return try body(folder)
        }
    }

    /// The desk's clock stands an hour after openssl made the certificate, whenever that is.
    private func take(_ folder: String, into desk: Desk) throws {
        let begin = try shell(
            folder, "date -d \"$(openssl x509 -in leaf.pem -noout -startdate | cut -d= -f2)\" +%s")
        let seconds = try #require(Int64(begin.filter(\.isNumber)))
        desk.hands.set(Moment(milliseconds: (seconds + 3600) * 1000))
        let answer = try desk.command(
            .post, "/identities/import",
            json: [
                "pkcs12": .string(Base64.encode(try contents(of: "\(folder)/leaf.p12"))), "password": "open",
            ])
        #expect(answer.status == .created, "\(answer.text)")
    }

    private func trust(_ name: String, _ folder: String, in desk: Desk) throws {
        let pem = String(decoding: try contents(of: "\(folder)/\(name).pem"), as: UTF8.self)
        let answer = try desk.command(.post, "/trusted-certificates", json: ["certificate": .string(pem)])
        #expect(answer.status == .ok, "\(answer.text)")
    }

    @Test(
        "is signed by Apple's rules, holds the digest of each part, and says in each language what is public")
    func made() throws {
        try withCertificates { folder in
            try withDesk(settings: settings) { desk throws in
                let card = try desk.makeCard(["theme": "ink"])
                let code = try desk.command(.get, "/cards/\(card.id)/code?as=png&holds=vcard").bytes
                for word in ["photo", "logo"] {
                    _ = try desk.upload("/cards/\(card.id)/\(word)?name=a.png", code, "image/png")
                }
                try take(folder, into: desk)
                try trust("apple", folder, in: desk)
                let answer = try desk.command(.get, "/cards/\(card.id)/pass")
                #expect(answer.status == .ok, "\(answer.text)")
                #expect(answer.headers["Content-Type"] == "application/vnd.apple.pkpass")
                try write(answer.bytes, to: "\(folder)/card.pkpass")
                // Signed apart from what is signed, by a certificate that leads to the authority; both are in it.
                let checked = try shell(
                    folder,
                    """
                    mkdir pass && cd pass && unzip -q ../card.pkpass
                    openssl cms -verify -inform DER -in signature -content manifest.json -binary -CAfile ../apple.pem \
                    -purpose any -out /dev/null 2>&1
                    openssl smime -verify -inform DER -in signature -content manifest.json -binary -CAfile ../apple.pem \
                    -purpose any -out /dev/null 2>&1
                    openssl cms -cmsout -print -noout -inform DER -in signature
                    openssl pkcs7 -inform DER -in signature -print_certs -noout
                    """)
                #expect(checked.contains("signingTime") && checked.contains("messageDigest"))
                #expect(checked.contains("pass.org.example.card") && checked.contains("Worldwide Relations"))
                let sums = try shell(
                    "\(folder)/pass",
                    "find . -type f ! -name manifest.json ! -name signature | sort | xargs sha1sum")
                let manifest = try JSON(parsing: contents(of: "\(folder)/pass/manifest.json"))
                var count = 0
                for line in sums.split(separator: "\n") {
                    let parts = line.split(separator: " ")
                    #expect(manifest[String(parts[1].dropFirst(2))]?.string == String(parts[0]), "\(line)")
                    count += 1
                }
                #expect(count == manifest.object?.count && count == 1 + 9 + 3)
                let said = try JSON(parsing: contents(of: "\(folder)/pass/pass.json"))
                #expect(said["passTypeIdentifier"]?.string == "pass.org.example.card")
                #expect(said["teamIdentifier"]?.string == "TEAMID1234")
                #expect(said["barcodes"]?[0]?["message"]?.string == "https://desk.example/c/\(card.slug)")
                #expect(said["generic"]?["primaryFields"]?[0]?["value"]?.string == "Ana López")
                let text = said.text
                #expect(
                    !text.contains("5555 7777") && !text.contains("9999") && !text.contains("Secretlabel"))
                let french = String(
                    decoding: try contents(of: "\(folder)/pass/fr.lproj/pass.strings"), as: UTF8.self)
                #expect(french.contains("\"label.organization\" = \"Organisation\";"), "\(french)")
                for (name, side) in [("icon", 29), ("icon@2x", 58), ("icon@3x", 87), ("thumbnail@2x", 180)] {
                    let picture = try Picture(contents(of: "\(folder)/pass/\(name).png"))
                    #expect(
                        picture.format == .png && picture.width == side && picture.height == side, "\(name)")
                }
            }
        }
    }

    @Test("is offered to visitors where somebody can sign it, and nowhere else")
    func offered() throws {
        try withCertificates { folder in
            try withDesk(settings: settings) { desk throws in
                let card = try desk.makeCard()
                let visitor = desk.browser(at: "desk.example", from: "192.0.2.7")
                func isOffered() throws -> Bool {
                    let page = try visitor.get("/c/\(card.slug)").text
                    let isThere = try visitor.get("/c/\(card.slug).pkpass").status == .ok
                    #expect(page.contains("Apple Wallet") == isThere)
                    return isThere
                }
                #expect(try !isOffered())
                #expect(try desk.command(.get, "/cards/\(card.id)/pass").status == .conflict)
                try take(folder, into: desk)
                #expect(try !isOffered(), "Apple's own certificate is missing")
                // One of the same name that did not sign it is not taken for it.
                try trust("other", folder, in: desk)
                #expect(try !isOffered())
                try trust("apple", folder, in: desk)
                #expect(try isOffered())
                let settings = try desk.command(.get, "/identities").json
                let id = try #require(settings["identities"]?[0]?["id"]?.string)
                let link = try desk.command(
                    .post, "/cards/\(card.id)/links", json: ["note": "Zoë", "shows": "exchange"])
                let path = try #require(link.json["address"]?.string?.split(separator: "/").last)
                #expect(try visitor.get("/c/\(path).pkpass").status == .notFound)
                _ = try desk.command(.delete, "/identities/\(id)")
                #expect(try !isOffered())
            }
        }
    }
}
