import HTTP
import TestSupport
import Testing

@Suite("The target of a request")
struct TargetTests {
    @Test("is cut into decoded segments and fields")
    func parts() throws {
        let target = try Target("/people/Ada%20L/caf%C3%A9?q=two+words&tag=a&tag=b%26c&empty=&bare")
        #expect(target.path == ["people", "Ada L", "café"])
        #expect(target.query.first("q") == "two words")
        #expect(target.query.all("tag") == ["a", "b&c"])
        #expect(target.query.first("empty")?.isEmpty == true)
        #expect(target.query.first("bare")?.isEmpty == true)
        #expect(target.query.first("missing") == nil)
    }

    @Test("keeps an escaped slash inside its segment")
    func slash() throws {
        #expect(try Target("/a%2Fb/c").path == ["a/b", "c"])
    }

    @Test("keeps a plus sign in a path as it is")
    func plus() throws {
        #expect(try Target("/a+b").path == ["a+b"])
    }

    @Test("has no segments at the root")
    func root() throws {
        #expect(try Target("/").path.isEmpty)
        #expect(try Target("/?a=1").path.isEmpty)
    }

    @Test(
        "is refused when it climbs, hides or breaks",
        arguments: [
            "", "documents", "http://example.org/", "*", "/..", "/a/../b", "/a/%2e%2e/b", "/a/%2E./b", "/./a",
            "/a%00b", "/a%0d%0aSet-Cookie:x", "/a%", "/a%4", "/a%zz", "/a%ff", "/a%c3", "/a b", "/é",
            "/a\u{0}b",
            "/a?q=%ff", "/a?q=%00", "/a?q=%f",
        ])
    func refused(raw: String) {
        #expect { try Target(raw) } throws: { ($0 as? Refusal)?.status == .badRequest }
    }

    @Test("is refused when it is endless, or a flood of fields")
    func tooLong() {
        #expect { try Target("/" + String(repeating: "a", count: 9_000)) } throws: {
            ($0 as? Refusal)?.status == .targetTooLong
        }
        #expect(throws: Refusal.self) { try Target("/?" + String(repeating: "a&", count: 1_001)) }
    }

    @Test("never traps, and what it lets through has no way up and no control characters")
    func fuzzed() {
        var dice = Dice(1)
        for _ in 0..<20_000 {
            let raw = dice.spoil("/documents/%41%2fb/../x%20y?q=a+b&c=%C3%A9#z")
            guard let target = try? Target(raw) else { continue }
            #expect(!target.path.contains("..") && !target.path.contains("."))
            #expect(target.path.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } })
        }
    }

    @Test("survives a round trip of its fields")
    func fields() throws {
        let fields: Fields = ["name": "Ada & Co", "note": "100 % café\r\nline", "": "nameless"]
        #expect(try Fields(urlEncoded: fields.urlEncoded) == fields)
    }
}
