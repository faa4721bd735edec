import App
import Bytes
import HTTP
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("The library over WebDAV")
struct WebDAVTests {
    private func text(_ response: Response) -> String {
        switch response.body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .file(let path, let part):
            (try? contents(of: path)).map { bytes in
                let part = part.map { Int($0.lowerBound)..<Int($0.upperBound) } ?? bytes.indices
                return String(decoding: bytes[part], as: UTF8.self)
            } ?? ""
        case .none, .fixed, .stream, .events: ""
        }
    }

    @Test("shows folders as folders and papers as files, and says what it can")
    func listing() throws {
        try withDesk { desk throws in
            #expect(try desk.ask("MKCOL", "/dav/Taxes").status == .created)
            #expect(try desk.ask("MKCOL", "/dav/Taxes").status == .methodNotAllowed)
            #expect(try desk.ask("MKCOL", "/dav/Not/there").status == .conflict)
            #expect(try desk.ask("PUT", "/dav/Taxes/letter%20%231.txt", [:], "Dear Ada").status == .created)
            let list = try desk.ask("PROPFIND", "/dav/Taxes/", ["Depth": "1"])
            #expect(list.status == .multiStatus)
            #expect(text(list).contains("<D:href>/dav/Taxes/</D:href>"))
            #expect(text(list).contains("<D:href>/dav/Taxes/letter%20%231.txt</D:href>"))
            #expect(text(list).contains("<D:getcontentlength>8</D:getcontentlength>"))
            #expect(try desk.ask("PROPFIND", "/dav/", ["Depth": "infinity"]).status == .forbidden)
            #expect(try desk.ask("OPTIONS", "/dav/").headers["DAV"] == "1, 2")
            #expect(try desk.ask("GET", "/dav/nothing").status == .notFound)
        }
    }

    @Test("makes a new version of a paper that is written over, and puts what is deleted into the trash")
    func versions() throws {
        try withDesk { desk throws in
            _ = try desk.ask("PUT", "/dav/plan.txt", [:], "one")
            #expect(try desk.ask("PUT", "/dav/plan.txt", [:], "two").status == .noContent)
            let found = try desk.command(.get, "/documents").json["documents"]?[0]
            #expect(found?["version"] == 2 && found?["name"] == "plan.txt")
            #expect(
                try desk.ask("PUT", "/dav/plan.txt", ["If-None-Match": "*"], "no").status
                    == .preconditionFailed)
            #expect(try desk.ask("DELETE", "/dav/plan.txt").status == .noContent)
            #expect(try desk.command(.get, "/documents?trash=1").json["total"] == 1)
        }
    }

    @Test("keeps nothing that is larger than an upload may be, whether or not that was said beforehand")
    func tooLarge() throws {
        try withDesk(settings: SiteSettings(uploadLimit: 4)) { desk throws in
            #expect(try desk.ask("PUT", "/dav/short.txt", [:], "four").status == .created)
            #expect(try desk.ask("PUT", "/dav/long.txt", [:], "fives").status == .contentTooLarge)
            #expect(
                try desk.ask("PUT", "/dav/long.txt", ["Content-Length": "5"], "fives").status
                    == .contentTooLarge)
            #expect(try desk.command(.get, "/documents").json["total"] == 1)
        }
    }

    @Test("gives back at once what has just come, whole or in part, as it was and under the same mark")
    func justCome() throws {
        try withDesk { desk throws in
            let letter = String(repeating: "Dear Ada, ", count: 500)
            let mark = try desk.ask("PUT", "/dav/letter.txt", [:], letter).headers.first("ETag")
            for _ in 0..<2 {
                let whole = try desk.ask("GET", "/dav/letter.txt", ["Accept-Encoding": "gzip"])
                #expect(whole.status == .ok && text(whole) == letter)
                #expect(whole.headers.first("ETag") == mark && mark != nil)
                #expect(whole.headers.first("Content-Encoding") == nil)
                #expect(whole.headers.all("Accept-Ranges") == ["bytes"])
                let part = try desk.ask("GET", "/dav/letter.txt", ["Range": "bytes=5-7"])
                #expect(part.status == .partialContent && text(part) == "Ada")
                // Before, it was at hand; the second time it lies on the shelf.
                try desk.quire.store.sweep()
            }
        }
    }

    @Test("a title with a stroke is one file, and is called the same when it comes back")
    func strokes() throws {
        try withDesk { desk throws in
            _ = try desk.ask("PUT", "/dav/a.txt", [:], "one")
            let id = try #require(try desk.command(.get, "/documents").json["documents"]?[0]?["id"]?.string)
            _ = try desk.command(.patch, "/documents/\(id)", json: ["name": "Invoice 2024/05.txt"])
            let file = "/dav/" + PercentCoding.encode("Invoice 2024\u{2215}05.txt")
            #expect(
                text(try desk.ask("PROPFIND", "/dav/", ["Depth": "1"])).contains("<D:href>\(file)</D:href>"))
            #expect(text(try desk.ask("GET", file)) == "one")
            #expect(try desk.ask("PUT", file, [:], "two").status == .noContent)
            #expect(try desk.ask("MKCOL", "/dav/Taxes").status == .created)
            let target = "/dav/Taxes/" + PercentCoding.encode("Invoice 2024\u{2215}05.txt")
            #expect(try desk.ask("MOVE", file, ["Destination": target]).status == .created)
            let paper = try desk.command(.get, "/documents/\(id)").json
            #expect(paper["name"] == "Invoice 2024/05.txt" && paper["version"] == 2)
        }
    }

    @Test("keeps the same bytes in two places when two programs put them there")
    func twice() throws {
        try withDesk { desk throws in
            _ = try desk.ask("PUT", "/dav/a.txt", [:], "same")
            _ = try desk.ask("PUT", "/dav/b.txt", [:], "same")
            #expect(try desk.ask("GET", "/dav/b.txt").status == .ok)
            // Two papers of one name lie in a folder as two files.
            let id = try #require(
                try desk.command(.get, "/documents?q=b.txt").json["documents"]?[0]?["id"]?.string)
            _ = try desk.command(.patch, "/documents/\(id)", json: ["name": "a.txt"])
            let list = text(try desk.ask("PROPFIND", "/dav/", ["Depth": "1"]))
            #expect(list.contains("/dav/a.txt<") && list.contains("/dav/a%20%282%29.txt<"))
            #expect(try desk.ask("GET", "/dav/a%20%282%29.txt").status == .ok)
        }
    }

    @Test("lets nobody write where somebody else holds the place")
    func locks() throws {
        try withDesk { desk throws in
            _ = try desk.ask("PUT", "/dav/shared.txt", [:], "one")
            let wish = """
                <lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>
                """
            let lock = try desk.ask("LOCK", "/dav/shared.txt", ["Timeout": "Second-60"], wish)
            let token = try #require(lock.headers["Lock-Token"])
            #expect(try desk.ask("PUT", "/dav/shared.txt", [:], "two").status == .locked)
            #expect(try desk.ask("DELETE", "/dav/shared.txt").status == .locked)
            #expect(try desk.ask("LOCK", "/dav/shared.txt", [:], wish).status == .locked)
            #expect(try desk.ask("PUT", "/dav/shared.txt", ["If": "(\(token))"], "two").status == .noContent)
            desk.hands.advance(.seconds(61))
            #expect(try desk.ask("PUT", "/dav/shared.txt", [:], "three").status == .noContent)
        }
    }

    @Test(
        "moves within the library and nowhere else",
        arguments: ["http://evil.example/dav/b.txt", "/documents", "../b"])
    func elsewhere(destination: String) throws {
        try withDesk { desk throws in
            _ = try desk.ask("PUT", "/dav/a.txt", [:], "a")
            let answer = try desk.ask(
                "MOVE", "/dav/a.txt", ["Destination": destination, "Host": "localhost"])
            #expect(answer.status == .badRequest)
            #expect(try desk.ask("GET", "/dav/a.txt").status == .ok)
        }
    }
}
