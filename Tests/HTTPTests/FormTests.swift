import Bytes
import HTTP
import Testing

@Suite("The body of a request")
struct FormTests {
    private func post(_ text: String, _ type: String) throws -> Request {
        try Request(.post, "/", headers: ["Content-Type": type], body: .bytes(Array(text.utf8)))
    }

    @Test("is read as the form it says it is")
    func form() throws {
        let request = try post("name=Ada+L&note=a%26b", "application/x-www-form-urlencoded; charset=UTF-8")
        #expect(try request.form["name"] == "Ada L")
        #expect(try request.form["note"] == "a&b")
    }

    @Test("is read as JSON only when it says so")
    func json() throws {
        #expect(try post("{\"a\":1}", "application/json").json["a"]?.integer == 1)
        #expect(try post("{}", "application/merge-patch+json").json == [:])
        #expect { try post("{\"a\":1}", "text/plain").json } throws: {
            ($0 as? Refusal)?.status == .unsupportedMediaType
        }
        #expect { try post("{\"a\":", "application/json").json } throws: {
            ($0 as? Refusal)?.status == .badRequest
        }
    }

    @Test("is refused as a form when it is something else")
    func notAForm() throws {
        #expect { try post("{}", "application/json").form } throws: {
            ($0 as? Refusal)?.status == .unsupportedMediaType
        }
        #expect { try post("a=%ff", "application/x-www-form-urlencoded").form } throws: {
            ($0 as? Refusal)?.status == .badRequest
        }
    }

    @Test("may be missing, which is an empty form")
    func missing() throws {
        #expect(try Request(.post, "/").form == Form())
    }
}
