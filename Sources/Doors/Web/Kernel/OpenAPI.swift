import App
import Bytes
import HTTP

/// The description of the API (OpenAPI 3.1), made from the very table that routes the requests.
enum OpenAPI {
    static func document(of routes: [Route]) -> Response { .json(json(of: routes)) }

    static func json(of routes: [Route]) -> JSON {
        var paths = JSONObject()
        for route in routes where !route.documentation.summary.isEmpty {
            var operations = paths[route.pattern.description]?.object ?? [:]
            operations[route.method.name.lowercased()] = operation(route)
            paths[route.pattern.description] = .object(operations)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Quire", "version": .string(Version.number),
                "description":
                    "A private desk for people, papers and packets. Every address is also a page: ask for `text/html` or `application/json` with `Accept`.",
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "/"]],
            "security": [["token": []]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description":
                            "An API token, made under Settings › API tokens or with `quire tokens add`.",
                    ]
                ],
                "schemas": .object(
                    JSONObject(
                        Schema.all + Schema.filling + Schema.people + Schema.sync + Schema.packets
                            + Schema.delivery
                            + Schema.bundles + Schema.conversions + Schema.cards + Schema.signing)
                ),
            ],
        ]
    }

    private static func operation(_ route: Route) -> JSON {
        let text = route.documentation
        var operation: JSONObject = [
            "operationId": .string(identifier(route)), "summary": .string(text.summary),
            "tags": [.string(text.tag)],
        ]
        if !text.description.isEmpty { operation["description"] = .string(text.description) }
        let inPath = route.pattern.parameterNames.map { name in
            RouteDocumentation.Parameter(
                name, in: .path, "Which one",
                schema: name == "id" ? Schema.id : ["type": "string", "minLength": 1])
        }
        let parameters = inPath + text.parameters
        if !parameters.isEmpty { operation["parameters"] = .array(parameters.map(parameter)) }
        if !text.requestBody.isEmpty {
            operation["requestBody"] = ["required": true, "content": content(text.requestBody)]
        }
        var answers = JSONObject()
        for answer in text.answers {
            var json: JSONObject = ["description": .string(answer.description)]
            if !answer.content.isEmpty { json["content"] = content(answer.content) }
            if !answer.headers.isEmpty {
                json["headers"] = .object(JSONObject(answer.headers.map { ($0, ["schema": Schema.string]) }))
            }
            answers[String(answer.status.code)] = .object(json)
        }
        operation["responses"] = .object(answers)
        return .object(operation)
    }

    private static func parameter(_ parameter: RouteDocumentation.Parameter) -> JSON {
        [
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "description": .string(parameter.description), "required": .bool(parameter.isRequired),
            "schema": parameter.schema,
        ]
    }

    private static func content(_ content: [RouteDocumentation.Content]) -> JSON {
        .object(JSONObject(content.map { ($0.mediaType, ["schema": $0.schema]) }))
    }

    /// `get-documents-id-file`
    private static func identifier(_ route: Route) -> String {
        let words = route.pattern.description.split(separator: "/").map {
            $0.filter { $0 != "{" && $0 != "}" }
        }
        return ([route.method.name.lowercased()] + words).joined(separator: "-")
    }
}

extension RouteDocumentation.Answer {
    static func ok(_ schema: String, _ description: String, headers: [String] = []) -> Self {
        Self(.ok, description, [.init(.json, Schema.ref(schema))], headers: headers)
    }

    static func made(_ schema: String, _ description: String) -> Self {
        Self(.created, description, [.init(.json, Schema.ref(schema))], headers: ["Location"])
    }
}

extension RouteDocumentation {
    /// What may go wrong with every action of its kind, so that no table has to repeat it.
    mutating func addUsualAnswers(_ action: Action) {
        guard !summary.isEmpty else { return }
        var usual: [(Status, String)] = [
            (.badRequest, "The request is not well-formed"),
            (.misdirectedRequest, "The desk is not called so"),
            (.tooManyRequests, "Too often; `Retry-After` says when again"),
            (.unprocessable, "Something in the request cannot be right; `field` says what"),
            (.unavailable, "Not at this moment; `Retry-After` says when again, where that is known"),
        ]
        if case .member = action.who {
            usual += [(.unauthorized, "Nobody is signed in"), (.forbidden, "This caller may not")]
        }
        let namesOne = action.pattern.contains("{") || parameters.contains { $0.name == "id" }
        if namesOne || action.method != .get {
            usual += [
                (.notFound, "There is no such thing, or what it names is not there"),
                (.conflict, "It does not go with what is there now"),
            ]
        }
        if action.method != .get {
            usual += [
                (.outOfSpace, "The disk is full: nothing was saved"),
                (.contentTooLarge, "The body is too large"),
                (.unsupportedMediaType, "The body is of a kind not known here"),
            ]
            parameters.append(
                Parameter(
                    "Idempotency-Key", in: .header,
                    "For POST: sent again with the same key, the request is not done twice but answered alike",
                    schema: ["type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"]))
        }
        if action.method != .post { parameters.removeAll { $0.name == "Idempotency-Key" } }
        let problem = [Content(.problem, Schema.ref("Problem"))]
        for (status, words) in usual where !answers.contains(where: { $0.status == status }) {
            answers.append(Answer(status, words, problem))
        }
    }
}

extension [RouteDocumentation.Answer] {
    /// Of an address that sends a file, whole or in part.
    static let file: Self = [
        .init(.ok, "The file", [.anything]),
        .init(.partialContent, "The part that was asked for", [.anything]),
        .init(.notModified, "Not changed"),
        .init(.rangeNotSatisfiable, "That part does not exist"),
        .init(.preconditionFailed, "It is another version"),
    ]
}

extension RouteDocumentation.Parameter {
    static let download = Self(
        "download", "1 asks the browser to save it", schema: Schema.choice(["0", "1"]))
}
