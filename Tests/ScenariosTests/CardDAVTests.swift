import Bytes
import HTTP
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Contacts over CardDAV")
struct CardDAVTests {
    private static let book = "/carddav/me/contacts/"
    private static let open =
        "xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:carddav\" xmlns:S=\"http://calendarserver.org/ns/\""

    private func report(_ desk: Desk, _ kind: String, _ inside: String) throws -> String {
        let response = try desk.ask("REPORT", Self.book, [:], "<\(kind) \(Self.open)>\(inside)</\(kind)>")
        #expect(response.status == .multiStatus)
        return String(decoding: try desk.bytes(of: response), as: UTF8.self)
    }

    private func sync(_ desk: Desk, _ token: String, _ more: String = "") throws -> String {
        try report(
            desk, "D:sync-collection",
            "<D:sync-token>\(token)</D:sync-token><D:sync-level>1</D:sync-level>\(more)<D:prop><D:getetag/></D:prop>"
        )
    }

    private func token(_ answer: String) throws -> String {
        try #require(answer.between("<D:sync-token>", "</D:sync-token>"))
    }

    private func card(_ uid: String, _ name: String, _ more: String = "") -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nN:\(name);;;;\r\nFN:\(name)\r\n\(more)END:VCARD\r\n"
    }

    private func names(_ desk: Desk) throws -> [String] {
        try desk.command(.get, "/contacts").json["contacts"]?.array?.compactMap { $0["name"]?.string } ?? []
    }

    @Test("A phone that knows no more than the desk's address finds the one book")
    func discovery() throws {
        try withDesk { desk throws in
            let known = try desk.ask("PROPFIND", "/.well-known/carddav")
            #expect(known.status == .movedPermanently && known.headers["Location"] == "/carddav/")
            let who = "<D:propfind \(Self.open)><D:prop><D:current-user-principal/></D:prop></D:propfind>"
            let top = try desk.ask("PROPFIND", "/carddav/", ["Depth": "0"], who).text
            #expect(top.contains("<D:current-user-principal><D:href>/carddav/me/</D:href>"))
            let home = "<D:propfind \(Self.open)><D:prop><C:addressbook-home-set/></D:prop></D:propfind>"
            let member = try desk.ask("PROPFIND", "/carddav/me/", ["Depth": "0"], home).text
            #expect(member.contains("<D:href>/carddav/me/</D:href></x:addressbook-home-set>"))
            let kinds =
                "<D:propfind \(Self.open)><D:prop><D:resourcetype/><S:getctag/><C:supported-address-data/></D:prop></D:propfind>"
            let books = try desk.ask("PROPFIND", "/carddav/me/", ["Depth": "1"], kinds).text
            #expect(books.contains("<D:href>\(Self.book)</D:href>"))
            #expect(books.components(of: "<C:addressbook ") == 1)
            #expect(books.contains("version=\"3.0\"") && books.contains("version=\"4.0\""))
            #expect(try desk.ask("OPTIONS", Self.book).headers["DAV"]?.contains("addressbook") == true)
            #expect(try desk.ask("PROPFIND", "/carddav/them/", ["Depth": "0"]).status == .notFound)
        }
    }

    @Test("A card that a phone puts there is a contact, given back byte for byte, and each act can be undone")
    func writing() throws {
        try withDesk { desk throws in
            let ada = card("ada-1", "Ada", "EMAIL:ada@example.org\r\nX-ODD;A=b:kept\\, as it is\r\n")
            let put = try desk.ask(
                "PUT", Self.book + "ada.vcf", ["Content-Type": "text/vcard", "If-None-Match": "*"], ada)
            #expect(put.status == .created)
            let tag = try #require(put.headers["ETag"])
            let got = try desk.ask("GET", Self.book + "ada.vcf")
            #expect(got.text == ada && got.headers["ETag"] == tag)
            #expect(try names(desk) == ["Ada"])
            // Somebody else has changed it meanwhile.
            let changed = card("ada-1", "Ada Lovelace")
            #expect(
                try desk.ask("PUT", Self.book + "ada.vcf", ["If-Match": "\"other\""], changed).status
                    == .preconditionFailed)
            #expect(
                try desk.ask("PUT", Self.book + "ada.vcf", ["If-None-Match": "*"], changed).status
                    == .preconditionFailed)
            let again = try desk.ask(
                "PUT", Self.book + "ada.vcf", ["If-Match": .init(tag)], changed)
            #expect(again.status == .noContent && again.headers["ETag"] != tag)
            #expect(try names(desk) == ["Ada Lovelace"])
            #expect(try desk.ask("DELETE", Self.book + "ada.vcf").status == .noContent)
            #expect(try desk.ask("GET", Self.book + "ada.vcf").status == .notFound)
            #expect(try desk.ask("DELETE", Self.book + "ada.vcf").status == .notFound)
            #expect(try names(desk) == [])
            let acts = try desk.command(.get, "/contacts/acts").json["acts"]?.array ?? []
            #expect(acts.map { $0["kind"]?.string } == ["removed", "edited", "made"])
            let removal = try #require(acts.first?["id"]?.string)
            _ = try desk.command(.post, "/contacts/undoings", json: ["id": [.string(removal)]])
            #expect(try names(desk) == ["Ada Lovelace"])
        }
    }

    @Test(
        "A card of the desk is given out as vCard 3, which all understand, and as vCard 4 on request, each time with its UID"
    )
    func forms() throws {
        try withDesk { desk throws in
            let made = try desk.command(
                .post, "/contacts/new", json: ["name": "Bo", "emails": [["value": "bo@example.org"]]])
            let id = try #require(made.json["id"]?.string)
            let three = try desk.ask("GET", Self.book + "\(id).vcf").text
            #expect(three.contains("VERSION:3.0\r\n") && three.contains("\r\nUID:"))
            let four = try desk.ask("GET", Self.book + "\(id).vcf", ["Accept": "text/vcard; version=4.0"])
                .text
            #expect(four.contains("VERSION:4.0\r\n"))
            let many = try report(
                desk, "C:addressbook-multiget",
                "<D:prop><D:getetag/><C:address-data><C:prop name=\"VERSION\"/><C:prop name=\"EMAIL\"/></C:address-data></D:prop><D:href>\(Self.book)\(id).vcf</D:href><D:href>\(Self.book)none.vcf</D:href>"
            )
            #expect(many.contains("EMAIL") && !many.contains("FN:") && many.contains("VERSION:3.0&#13;\n"))
            #expect(many.contains("none.vcf</D:href><D:status>HTTP/1.1 404"))
        }
    }

    @Test("A program is told what came, changed and went since it last asked, also what was done on the page")
    func changes() throws {
        try withDesk { desk throws in
            let first = try sync(desk, "")
            for name in ["a", "b", "c"] {
                _ = try desk.ask("PUT", Self.book + "\(name).vcf", [:], card(name, name.uppercased()))
            }
            let three = try sync(desk, try token(first))
            #expect(three.components(of: "<D:getetag>") == 3 && !three.contains("404"))
            #expect(try !sync(desk, try token(three)).contains("<D:response>"))
            // On the page somebody is edited, somebody removed, somebody new.
            let contacts = try desk.command(.get, "/contacts").json["contacts"]?.array ?? []
            let ids = contacts.compactMap { $0["id"]?.string }
            _ = try desk.command(.patch, "/contacts/\(ids[0])", json: ["note": "met in spring"])
            _ = try desk.command(.delete, "/contacts/\(ids[1])")
            let dee = try desk.command(.post, "/contacts/new", json: ["name": "Dee"])
            let fourth = try #require(dee.json["id"]?.string)
            let more = try sync(desk, try token(three))
            #expect(more.contains("a.vcf</D:href><D:propstat>"))
            #expect(more.contains("b.vcf</D:href><D:status>HTTP/1.1 404"))
            #expect(more.contains("\(fourth).vcf</D:href><D:propstat>") && !more.contains("c.vcf"))
            // Who comes back is told again.
            let acts = try desk.command(.get, "/contacts/acts").json["acts"]?.array ?? []
            let removal = try #require(acts.first { $0["kind"] == "removed" }?["id"]?.string)
            _ = try desk.command(.post, "/contacts/undoings", json: ["id": [.string(removal)]])
            let back = try sync(desk, try token(more))
            #expect(back.components(of: "<D:getetag>") == 1 && !back.contains("404"))
            // A token that this desk never gave.
            let wrong = try desk.ask(
                "REPORT", Self.book, [:],
                "<D:sync-collection \(Self.open)><D:sync-token>urn:quire:contacts:never</D:sync-token><D:sync-level>1</D:sync-level><D:prop/></D:sync-collection>"
            )
            #expect(wrong.status == .forbidden && wrong.text.contains("valid-sync-token"))
        }
    }

    @Test("A long answer comes in parts when that is asked for, and misses nobody")
    func parts() throws {
        try withDesk { desk throws in
            let file = (1...25).map { card("u\($0)", "Person \($0)") }.joined()
            _ = try desk.command(.post, "/contacts?name=all.vcf", body: .bytes(Array(file.utf8)))
            var seen: [String] = []
            var token = ""
            for _ in 0..<9 {
                let part = try sync(desk, token, "<D:limit><D:nresults>10</D:nresults></D:limit>")
                seen += part.split(separator: "<D:href>").dropFirst().compactMap {
                    $0.split(separator: "<").first
                }
                .map { String($0) }.filter { $0.hasSuffix(".vcf") }
                token = try self.token(part)
                if !part.contains("507") { break }
            }
            #expect(seen.count == 25 && Set(seen).count == 25)
            #expect(try !sync(desk, token).contains("<D:response>"))
        }
    }

    @Test("A program may ask for those whose cards say something")
    func asking() throws {
        try withDesk { desk throws in
            for (name, more) in [
                ("Ada", "EMAIL;TYPE=HOME:ada@Example.org\r\n"), ("Bo", "EMAIL;TYPE=WORK:bo@example.com\r\n"),
                ("Cy", "TEL:+1 555 0100\r\n"),
            ] { _ = try desk.ask("PUT", Self.book + "\(name).vcf", [:], card(name, name, more)) }
            func found(_ filter: String) throws -> String {
                let answer = try report(
                    desk, "C:addressbook-query", "<D:prop><D:getetag/></D:prop><C:filter>\(filter)</C:filter>"
                )
                return ["Ada", "Bo", "Cy"].filter { answer.contains("/\($0).vcf") }.joined()
            }
            #expect(try found("") == "AdaBoCy")
            #expect(try found("<C:prop-filter name=\"EMAIL\"/>") == "AdaBo")
            #expect(try found("<C:prop-filter name=\"email\"><C:is-not-defined/></C:prop-filter>") == "Cy")
            #expect(
                try found(
                    "<C:prop-filter name=\"EMAIL\"><C:text-match match-type=\"ends-with\">EXAMPLE.ORG</C:text-match></C:prop-filter>"
                ) == "Ada")
            #expect(
                try found(
                    "<C:prop-filter name=\"EMAIL\"><C:param-filter name=\"TYPE\"><C:text-match match-type=\"equals\">work</C:text-match></C:param-filter></C:prop-filter>"
                ) == "Bo")
            #expect(
                try found(
                    "<C:prop-filter name=\"FN\"><C:text-match negate-condition=\"yes\">b</C:text-match></C:prop-filter>"
                ) == "AdaCy")
            let unknown = try desk.ask(
                "REPORT", Self.book, [:],
                "<C:addressbook-query \(Self.open)><D:prop/><C:filter><C:prop-filter name=\"FN\"><C:text-match collation=\"i;klingon\">b</C:text-match></C:prop-filter></C:filter></C:addressbook-query>"
            )
            #expect(unknown.status == .forbidden && unknown.text.contains("supported-collation"))
        }
    }

    @Test("What is no card, too large, somebody who is there already, or not theirs to write is refused")
    func refusals() throws {
        try withDesk { desk throws in
            let bad = try desk.ask("PUT", Self.book + "x.vcf", [:], "hello")
            #expect(bad.status == .forbidden && bad.text.contains("valid-address-data"))
            let two = try desk.ask("PUT", Self.book + "x.vcf", [:], card("1", "One") + card("2", "Two"))
            #expect(two.status == .forbidden && two.text.contains("valid-address-data"))
            let typed = try desk.ask(
                "PUT", Self.book + "x.vcf", ["Content-Type": "image/png"], card("1", "One"))
            #expect(typed.status == .forbidden && typed.text.contains("supported-address-data"))
            _ = try desk.ask("PUT", Self.book + "one.vcf", [:], card("1", "One"))
            let double = try desk.ask("PUT", Self.book + "other.vcf", [:], card("1", "One"))
            #expect(
                double.status == .forbidden && double.text.contains("one.vcf</D:href></C:no-uid-conflict>"))
            let stranger = try desk.ask("PUT", Self.book + "one.vcf", [:], card("9", "Nine"))
            #expect(stranger.status == .forbidden && stranger.text.contains("no-uid-conflict"))
            #expect(try names(desk) == ["One"])
            #expect(try desk.ask("DELETE", Self.book).status == .forbidden)
            let second = try desk.ask("MKCOL", "/carddav/me/second/")
            #expect(second.status == .forbidden && second.text.contains("addressbook-collection-location-ok"))
            #expect(try desk.ask("MKCOL", Self.book).status == .methodNotAllowed)
            let kind =
                "<D:mkcol \(Self.open)><D:set><D:prop><D:resourcetype><D:collection/></D:resourcetype><D:displayname>x</D:displayname></D:prop></D:set></D:mkcol>"
            let other = try desk.ask("MKCOL", "/carddav/me/second/", [:], kind).text
            #expect(other.contains("<D:mkcol-response") && other.contains("<D:valid-resourcetype/>"))
            #expect(try desk.ask("MKCOL", Self.book, [:], kind).text.contains("resource-must-be-null"))
            let old = card("old", "Old").replacing("3.0", with: "2.1")
            #expect(
                try desk.ask("PUT", Self.book + "old.vcf", [:], old).text.contains("supported-address-data"))
            #expect(
                try desk.ask("PUT", "/carddav/me/second/one.vcf", [:], card("1", "One")).status == .conflict)
            #expect(try desk.ask("POST", Self.book, [:], card("1", "One")).status == .methodNotAllowed)
            #expect(try desk.ask("REPORT", Self.book, [:], "<!DOCTYPE a><a/>").status == .badRequest)
        }
    }

    @Test(
        "A card may be posted whose name the desk chooses, and the book be called and marked as programs like"
    )
    func posting() throws {
        try withDesk { desk throws in
            let asked = "<D:propfind \(Self.open)><D:prop><D:add-member/></D:prop></D:propfind>"
            let place = try #require(
                try desk.ask("PROPFIND", Self.book, ["Depth": "0"], asked).text.between(
                    "<D:add-member><D:href>", "</D:href>"))
            let made = try desk.ask("POST", place, ["Content-Type": "text/vcard"], card("1", "One"))
            #expect(made.status == .created)
            let address = try #require(made.headers["Location"])
            #expect(try desk.ask("GET", address).text == card("1", "One"))
            #expect(
                try desk.ask("GET", Self.book, ["Accept": "*/*"]).text + ""
                    == "\(address.split(separator: "/").last ?? "")\n")
            let whole = try desk.ask("PROPFIND", "/carddav/", ["Depth": "infinity"]).text
            #expect(whole.components(of: "<D:response>") == 4)
            let patch =
                "<D:propertyupdate \(Self.open)><D:set><D:prop><D:displayname>Ours &amp; theirs</D:displayname><x xmlns=\"urn:x\">red</x></D:prop></D:set></D:propertyupdate>"
            #expect(try desk.ask("PROPPATCH", Self.book, [:], patch).text.contains("HTTP/1.1 200"))
            let told = try desk.ask(
                "PROPFIND", Self.book, ["Depth": "0"],
                "<D:propfind \(Self.open)><D:prop><D:displayname/><x xmlns=\"urn:x\"/></D:prop></D:propfind>"
            ).text
            #expect(told.contains("Ours &amp; theirs</D:displayname>") && told.contains(">red</x:x>"))
            let fixed =
                "<D:propertyupdate \(Self.open)><D:set><D:prop><D:displayname>No</D:displayname><D:resourcetype/></D:prop></D:set></D:propertyupdate>"
            let refused = try desk.ask("PROPPATCH", Self.book, [:], fixed).text
            #expect(refused.contains("403") && refused.contains("424"))
            #expect(refused.contains("<D:cannot-modify-protected-property/>"))
        }
    }

    @Test(
        "What programs write on a card is kept in its language, whatever the card is called, and comes back with whoever was removed"
    )
    func writtenOnCards() throws {
        try withDesk { desk throws in
            _ = try desk.ask("PUT", Self.book + "ada.vcf", [:], card("1", "Ada"))
            let patch =
                "<D:propertyupdate \(Self.open)><D:set><D:prop xml:lang=\"fr\"><x xmlns=\"urn:x\">rouge<y n=\"1\"/></x></D:prop></D:set></D:propertyupdate>"
            #expect(
                try desk.ask("PROPPATCH", Self.book + "ada.vcf", ["Prefer": "return=minimal"], patch).status
                    == .ok)
            let moved = try desk.ask(
                "MOVE", Self.book + "ada.vcf", ["Destination": "\(Self.book)lovelace.vcf"])
            #expect(moved.status == .created)
            func told() throws -> String {
                try desk.ask(
                    "PROPFIND", Self.book, ["Depth": "1"],
                    "<D:propfind \(Self.open)><D:allprop/></D:propfind>"
                )
                .text
            }
            let kept = "<x:x xml:lang='fr' xmlns:x=\"urn:x\">rouge<x:y n=\"1\" xmlns:x=\"urn:x\"/></x:x>"
            #expect(try told().contains(kept))
            _ = try desk.ask("DELETE", Self.book + "lovelace.vcf")
            #expect(try !told().contains(kept))
            let acts = try desk.command(.get, "/contacts/acts").json["acts"]?.array ?? []
            let removal = try #require(acts.first?["id"]?.string)
            _ = try desk.command(.post, "/contacts/undoings", json: ["id": [.string(removal)]])
            #expect(try told().contains(kept))
        }
    }

    @Test(
        "A card that is called otherwise is new to programs under that name and gone under the other, and stays who it is"
    )
    func otherName() throws {
        try withDesk { desk throws in
            _ = try desk.ask("PUT", Self.book + "ada.vcf", [:], card("1", "Ada"))
            _ = try desk.ask("PUT", Self.book + "bo.vcf", [:], card("2", "Bo"))
            let before = try desk.command(.get, "/contacts").json["contacts"]
            let known = try token(sync(desk, ""))
            func move(_ name: String, _ headers: Headers = [:]) throws -> Response {
                var headers = headers
                headers.set("Destination", Self.book + name)
                return try desk.ask("MOVE", Self.book + "ada.vcf", headers)
            }
            #expect(try move("bo.vcf", ["Overwrite": "F"]).status == .preconditionFailed)
            #expect(try move("bo.vcf").text.contains("bo.vcf</D:href></C:no-uid-conflict>"))
            #expect(try move("c.vcf", ["If-Match": "\"x\""]).status == .preconditionFailed)
            #expect(try move("c.vcf").status == .created)
            #expect(try move("d.vcf").status == .notFound)
            let news = try sync(desk, known)
            #expect(news.contains("c.vcf</D:href><D:propstat>"))
            #expect(news.contains("ada.vcf</D:href><D:status>HTTP/1.1 404") && !news.contains("bo.vcf"))
            #expect(try desk.command(.get, "/contacts").json["contacts"] == before)
            let copied = try desk.ask(
                "COPY", Self.book + "c.vcf", ["Destination": "\(Self.book)e.vcf"])
            #expect(copied.status == .forbidden && copied.text.contains("no-uid-conflict"))
        }
    }

    @Test(
        "What would stop a telephone is not given out: other letters, control characters, and lines that end otherwise"
    )
    func clear() throws {
        try withDesk { desk throws in
            let put = try #require(Method("PUT"))
            let latin = card("1", "~na").utf8.map { $0 == UInt8(ascii: "~") ? 0xC1 : $0 }
            let written = try desk.command(put, Self.book + "a.vcf", body: .bytes(latin))
            #expect(written.status == .created && written.headers["ETag"] == nil)
            #expect(try desk.ask("GET", Self.book + "a.vcf").text == card("1", "\u{C1}na"))
            let odd = try desk.ask("PUT", Self.book + "b.vcf", [:], card("2", "Bo\u{B}", "NOTE:a\u{1}b\r\n"))
            #expect(odd.status == .created && odd.headers["ETag"] == nil)
            #expect(try desk.ask("GET", Self.book + "b.vcf").text == card("2", "Bo", "NOTE:ab\r\n"))
            // Also what came in by a file.
            let file = card("3", "Cy\u{1}")
            _ = try desk.command(.post, "/contacts?name=all.vcf", body: .bytes(Array(file.utf8)))
            let all = try report(desk, "C:addressbook-query", "<D:prop><C:address-data/></D:prop>")
            #expect(all.contains("FN:Cy&#13;") && !all.contains("\u{1}"))
            _ = try desk.ask(
                "PUT", Self.book + "d.vcf", [:], card("4", "Dee").replacing("\r\n", with: "\n"))
            let some = try report(
                desk, "C:addressbook-multiget",
                "<D:prop><C:address-data><C:prop name=\"FN\"/></C:address-data></D:prop><D:href>\(Self.book)d.vcf</D:href>"
            )
            #expect(some.contains("VERSION:3.0&#13;\nFN:Dee&#13;\nEND:VCARD") && !some.contains("UID"))
        }
    }

    @Test(
        "On the way to the book programs are told that something is new in it, and what, where they ask so far down"
    )
    func above() throws {
        try withDesk { desk throws in
            func ask(_ level: String, _ token: String = "") throws -> String {
                let body =
                    "<D:sync-collection \(Self.open)><D:sync-token>\(token)</D:sync-token>\(level)</D:sync-collection>"
                return String(
                    decoding: try desk.bytes(
                        of: desk.ask("REPORT", "/carddav/me/", ["Depth": "infinity"], body)), as: UTF8.self)
            }
            let one = "<D:sync-level>1</D:sync-level>"
            _ = try desk.ask("PUT", Self.book + "ada.vcf", [:], card("1", "Ada"))
            let first = try ask(one)
            #expect(first.contains("<D:href>\(Self.book)</D:href>") && !first.contains("ada.vcf"))
            let known = try token(first)
            #expect(try !ask(one, known).contains("<D:response>"))
            _ = try desk.ask("PUT", Self.book + "bo.vcf", [:], card("2", "Bo"))
            for level in ["", "<D:sync-level>infinite</D:sync-level>"] {
                let news = try ask(level, known)
                #expect(news.contains("<D:href>\(Self.book)</D:href>"), "\(level)")
                #expect(news.contains("bo.vcf") && !news.contains("ada.vcf"), "\(level)")
            }
        }
    }

    @Test("Who shows no token, or one that may only read, writes nothing")
    func rights() throws {
        try withDesk { desk throws in
            let stranger = desk.browser(from: "192.0.2.7")
            let put = try #require(Method("PUT"))
            #expect(try stranger.raw(put, Self.book + "a.vcf", [:]).status == .unauthorized)
            #expect(
                try stranger.raw(#require(Method("PROPFIND")), Self.book, ["Depth": "1"]).headers[
                    "WWW-Authenticate"]?.hasPrefix("Basic") == true)
            let made = try desk.command(.post, "/tokens", json: ["name": "look", "scope": ["read"]])
            let secret = try #require(made.json["token"]?.string)
            let reader = desk.program(secret)
            let lacking = try reader.raw(put, Self.book + "a.vcf", [:])
            #expect(lacking.status == .forbidden && lacking.text.contains("<D:need-privileges>"))
            #expect(try reader.raw(.get, Self.book + "a.vcf", [:]).status == .notFound)
        }
    }

    @Test("A password made for a phone opens the contacts there and nothing else")
    func phone() throws {
        try withDesk { desk throws in
            _ = try desk.ask("PUT", Self.book + "ada.vcf", [:], card("1", "Ada"))
            let made = try desk.command(.post, "/tokens", json: ["name": "phone", "scope": ["contacts"]])
            let secret = try #require(made.json["token"]?.string)
            let phone = desk.program(secret)
            #expect(try phone.raw(.get, Self.book + "ada.vcf").text == card("1", "Ada"))
            #expect(try phone.raw(.delete, Self.book + "ada.vcf").status == .noContent)
            for elsewhere in [
                "/documents", "/contacts", "/contacts/cards", "/tokens", "/dav/", "/api/documents/",
            ] {
                #expect(try phone.raw(.get, elsewhere).status == .forbidden, "\(elsewhere)")
            }
        }
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
