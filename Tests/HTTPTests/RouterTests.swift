import HTTP
import Testing

@Suite("The router")
struct RouterTests {
    private let router = Router([
        route(.get, "/"),
        route(.get, "/documents"),
        route(.post, "/documents"),
        route(.get, "/documents/trash"),
        route(.get, "/documents/{id}"),
        route(.delete, "/documents/{id}"),
        route(.get, "/documents/{id}/file"),
        route(.get, "/people/{person}/cards/{card}"),
        .constant("/health", .text("ok\n")),
        Route(.get, "/refuses") { _ in throw Refusal(.conflict, "Somebody was quicker.") },
        Route(.get, "/breaks") { _ in throw Surprise() },
    ])

    private struct Surprise: Error {}

    /// A route that answers with its own pattern and what it found.
    private static func route(_ method: Method, _ pattern: String) -> Route {
        Route(method, pattern) { request in
            .text(
                pattern
                    + request.parameters.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined())
        }
    }

    private func ask(_ method: Method, _ target: String) throws -> Response {
        router.response(to: try Request(method, target))
    }

    @Test(
        "finds the route of a path",
        arguments: [
            ("/", "/"),
            ("/documents", "/documents"),
            ("/documents/7", "/documents/{id} id=7"),
            ("/documents/7/file", "/documents/{id}/file id=7"),
            ("/people/ada/cards/work", "/people/{person}/cards/{card} card=work person=ada"),
            ("/documents/a%2Fb", "/documents/{id} id=a/b"),
            ("/documents/caf%C3%A9?x=1", "/documents/{id} id=café"),
        ])
    func finds(target: String, answer: String) throws {
        #expect(try ask(.get, target).text == answer)
    }

    @Test("prefers a literal segment to a parameter")
    func literalFirst() throws {
        #expect(try ask(.get, "/documents/trash").text == "/documents/trash")
    }

    @Test("finds what a parameter offers behind a literal that leads nowhere")
    func backsUp() throws {
        #expect(try ask(.get, "/documents/trash/file").text == "/documents/{id}/file id=trash")
    }

    @Test(
        "answers 404 where nothing is",
        arguments: ["/nothing", "/documents/", "/documents//file", "//documents", "/documents/7/file/more"])
    func nothingThere(target: String) throws {
        #expect(try ask(.get, target).status == .notFound)
    }

    @Test("answers 405 with the methods that are allowed")
    func wrongMethod() throws {
        let response = try ask(.put, "/documents/7")
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS")
    }

    @Test("answers OPTIONS for every path there is")
    func options() throws {
        let response = try ask(.options, "/documents")
        #expect(response.status == .noContent)
        #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS, POST")
        #expect(try ask(.options, "/nothing").status == .notFound)
    }

    @Test("answers HEAD as it answers GET")
    func head() throws {
        let response = try ask(.head, "/documents/7")
        #expect(response.status == .ok)
        #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
    }

    @Test("turns a refusal into a problem that says what and why")
    func refusal() throws {
        let response = try ask(.get, "/refuses")
        #expect(response.status == .conflict)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(
            response.text
                == #"{"type":"about:blank","title":"Conflict","status":409,"detail":"Somebody was quicker."}"#
        )
    }

    @Test("does not tell strangers what broke inside")
    func surprise() throws {
        let response = try ask(.get, "/breaks")
        #expect(response.status == .internalError)
        #expect(response.text?.contains("Surprise") == false)
    }
}

extension Response {
    /// The body as text, for looking at in tests.
    var text: String? {
        switch body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .fixed(let fixed): String(decoding: fixed.bytes, as: UTF8.self)
        case .none: ""
        case .file, .stream, .events: nil
        }
    }
}
