import Access
import App
import Bytes
import CardCase
import HTTP
import Jobs
import PDFReading
import Pictures
import Storage
import TestSupport
import Testing
import Transfer
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

    /// What a telephone at an address asks of the desk by itself, with nothing that a browser would bring.
    private func wallet(
        _ phone: (desk: Desk, address: String), _ method: HTTP.Method, _ path: String,
        _ secret: String? = nil, _ json: JSON? = nil, since: String? = nil
    ) throws -> Response {
        var headers: Headers = ["Host": "desk.example"]
        if let secret { headers.set("Authorization", "ApplePass \(secret)") }
        if let since { headers.set("If-Modified-Since", since) }
        if json != nil { headers.set("Content-Type", "application/json") }
        return phone.desk.site.router.response(
            to: try Request(
                method, "/wallet/v1/\(path)", headers: headers, body: json.map { .bytes($0.bytes) } ?? .none,
                peer: .init(address: phone.address, isLoopback: false)))
    }

    /// What the pass of a card says of the service that keeps it up to date.
    private func pass(_ bytes: [UInt8], in folder: String) throws -> JSON {
        try write(bytes, to: "\(folder)/card.pkpass")
        return try JSON(
            parsing: Array(shell(folder, "unzip -p card.pkpass pass.json").utf8))
    }

    @Test(
        "is kept up to date by telephones that have it, as Apple's service for passes has it, and by nobody else"
    )
    func followed() throws {
        try withCertificates { folder in
            try withDesk(settings: settings) { desk throws in
                let card = try desk.makeCard()
                let other = try desk.makeCard(["given": "Bo"])
                try take(folder, into: desk)
                try trust("apple", folder, in: desk)
                let said = try pass(desk.command(.get, "/cards/\(card.id)/pass").bytes, in: folder)
                #expect(said["webServiceURL"] == "https://desk.example/wallet")
                let secret = try #require(said["authenticationToken"]?.string)
                #expect(secret.utf8.count >= 16)
                let others = try pass(desk.command(.get, "/cards/\(other.id)/pass").bytes, in: folder)
                #expect(others["authenticationToken"] != said["authenticationToken"])

                let phone = (desk, "192.0.2.9")
                let kind = "pass.org.example.card"
                let place = "devices/d41d8cd98f/registrations/\(kind)"
                let mine = "\(place)/\(card.id)"
                let token: JSON = ["pushToken": "00fc13adff78"]
                for wrong in [nil, "", "x", others["authenticationToken"]?.string] {
                    #expect(try wallet(phone, .post, mine, wrong, token).status == .unauthorized)
                }
                let strange = "devices/d41d8cd98f/registrations/pass.org.example.other/\(card.id)"
                #expect(try wallet(phone, .post, strange, secret, token).status == .notFound)
                #expect(
                    try wallet(phone, .post, mine, secret, ["pushToken": "../x"]).status == .unprocessable)
                #expect(try wallet(phone, .get, place).status == .noContent)
                #expect(try wallet(phone, .post, mine, secret, token).status == .created)
                #expect(try wallet(phone, .post, mine, secret, token).status == .ok)
                let page = try desk.command(.get, "/cards/\(card.id)/share", ["Accept": "text/html"]).text
                #expect(page.contains("1 phone keeps it up to date in Wallet."))

                // Nothing is new until the card changes; then it is this one alone.
                let first = try wallet(phone, .get, place).json
                #expect(first["serialNumbers"] == [.string(card.id)])
                let mark = try #require(first["lastUpdated"]?.string)
                func news(_ since: String) throws -> Response {
                    try wallet(phone, .get, "\(place)?passesUpdatedSince=\(since)")
                }
                #expect(try news(mark).status == .noContent)
                desk.hands.advance(.seconds(60))
                let held = try wallet(phone, .get, "passes/\(kind)/\(card.id)", secret)
                #expect(held.headers["Content-Type"] == "application/vnd.apple.pkpass")
                let day = try #require(held.headers["Last-Modified"])
                func again() throws -> Response {
                    try wallet(phone, .get, "passes/\(kind)/\(card.id)", secret, since: day)
                }
                #expect(try again().status == .notModified)
                _ = try desk.command(.patch, "/cards/\(card.id)", json: ["title": "Town planner"])
                #expect(try news(mark).json["serialNumbers"] == [.string(card.id)])
                // A mark from when the clock was ahead hides nothing.
                #expect(try news("99999999999999").status == .ok)
                let fresh = try again()
                #expect(fresh.status == .ok)
                #expect(try pass(fresh.bytes, in: folder).text.contains("Town planner"))
                #expect(try wallet(phone, .get, "passes/\(kind)/\(card.id)").status == .unauthorized)

                let words: JSON = ["logs": ["the pass was odd"]]
                #expect(try wallet(phone, .post, "log", nil, words).status == .ok)
                #expect(try wallet(phone, .post, "log", nil, ["logs": 1]).status == .unprocessable)

                #expect(try wallet(phone, .delete, mine, "x").status == .unauthorized)
                #expect(try wallet(phone, .delete, mine, secret).status == .ok)
                #expect(try wallet(phone, .get, place).status == .noContent)
                // What is gone has no secret any more.
                _ = try wallet(phone, .post, mine, secret, token)
                _ = try desk.command(.delete, "/cards/\(card.id)")
                #expect(try wallet(phone, .get, place).status == .noContent)
                #expect(try wallet(phone, .get, "passes/\(kind)/\(card.id)", secret).status == .unauthorized)
            }
        }
    }

    @Test("says nothing of changes where its secret would travel in the open")
    func inTheOpen() throws {
        try withCertificates { folder in
            try withDesk(settings: SiteSettings(publicOrigin: "http://desk.example")) { desk throws in
                let card = try desk.makeCard()
                try take(folder, into: desk)
                try trust("apple", folder, in: desk)
                let said = try pass(desk.command(.get, "/cards/\(card.id)/pass").bytes, in: folder)
                #expect(said["webServiceURL"] == nil && said["authenticationToken"] == nil)
            }
        }
    }

    @Test("takes no more telephones than a person meets, nor many at once from one place")
    func limited() throws {
        try withCertificates { folder in
            try withDesk(settings: settings) { desk throws in
                let card = try desk.makeCard()
                try take(folder, into: desk)
                try trust("apple", folder, in: desk)
                let said = try pass(desk.command(.get, "/cards/\(card.id)/pass").bytes, in: folder)
                let secret = said["authenticationToken"]?.string
                func register(_ number: Int, from address: String) throws -> Status {
                    try wallet(
                        (desk, address), .post,
                        "devices/phone\(number)/registrations/pass.org.example.card/\(card.id)", secret,
                        ["pushToken": "abc\(number)"]
                    ).status
                }
                var taken = 0
                for number in 0..<200 where try register(number, from: "192.0.2.9") == .created { taken += 1 }
                #expect(taken == 120)
                for number in 1000..<1400 {
                    if try register(number, from: "198.51.100.\(number % 200)") == .created { taken += 1 }
                }
                #expect(taken == 500)
                // Who is there already stays.
                #expect(try register(0, from: "203.0.113.9") == .ok)
            }
        }
    }

    @Test(
        "changes on telephones at once: Apple is told that it changed and nothing of what, with the certificate it gave",
        .enabled(if: Peer.has("h2"), "the Python package h2 is not installed (bin/setup --check)"))
    func told() throws {
        try withCertificates { folder in
            let apple = try Peer("apple_push.py", [folder])
            try withDesk(settings: settings) { desk throws in
                let card = try desk.makeCard()
                try take(folder, into: desk)
                try trust("apple", folder, in: desk)
                let said = try pass(desk.command(.get, "/cards/\(card.id)/pass").bytes, in: folder)
                var way = HTTPClient.Settings(guardian: .loopbackOnly)
                way.certificateAuthorities = folder + "/push.pem"
                desk.quire.walletPush.reach("https://127.0.0.1:\(apple.port)", through: way)
                let phone = (desk, "192.0.2.9")
                for token in ["00fc13", "gone1", "bad1", "busy1"] {
                    let answer = try wallet(
                        phone, .post, "devices/\(token)/registrations/pass.org.example.card/\(card.id)",
                        said["authenticationToken"]?.string, ["pushToken": .string(token)])
                    #expect(answer.status == .created)
                }
                func lines() throws -> [JSON] {
                    let text = (try? contents(of: folder + "/told")) ?? []
                    return try text.split(separator: 0x0A).map { try JSON(parsing: Array($0)) }
                }
                func wait(_ seconds: Int) {
                    desk.hands.advance(.seconds(seconds))
                    desk.quire.runner.runUntilIdle()
                }
                wait(60)
                #expect(try lines().isEmpty, "nothing has changed")
                for title in ["Town planner", "City planner"] {
                    _ = try desk.command(.patch, "/cards/\(card.id)", json: ["title": .string(title)])
                }
                wait(11)
                let first = try lines()
                #expect(first.map { $0["device"]?.string } == ["00fc13", "bad1", "busy1", "gone1"])
                #expect(
                    first.allSatisfy {
                        $0["method"] == "POST" && $0["topic"] == "pass.org.example.card" && $0["body"] == "{}"
                            && $0["who"] == "pass.org.example.card"
                    }, "\(first)")
                // Whom Apple does not know is forgotten; who was told is not told again, who was not is.
                let caller = Caller.local
                let id = try #require(ID<OwnCard>(card.id))
                #expect(try desk.quire.cards.walletCount(of: id, by: caller) == 2)
                wait(3_600)
                let later = try lines().dropFirst(4)
                #expect(!later.isEmpty && later.allSatisfy { $0["device"] == "busy1" }, "\(later)")
                // Where Apple is reached is among what leaves the desk.
                #expect(try desk.quire.network().contains { $0.address == "https://api.push.apple.com" })
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
