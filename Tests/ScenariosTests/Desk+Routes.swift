import Bytes
import HTTP
import Storage
import TestSupport
import Web
import Work

// What a walk over every route needs: addresses with real things in their places, and bodies as the route describes them.
// A route that is added to the table is walked without a word said here.
extension Desk {
    /// Everything that has an address and its method, those of the nested doors too.
    var everyRoute: [Route] { site.router.routes }

    /// The route's addresses with each of these things in its places.
    func targets(_ route: Route, with things: [String]) -> [String] {
        let path = route.pattern.description.replacing("{...}", with: "")
        guard path.contains("{") else { return [path] }
        return things.map { thing in
            "/"
                + path.split(separator: "/").map { part in
                    switch part {
                    case "{page}", "{version}", "{part}", "{place}", "{number}": "1"
                    default: part.hasPrefix("{") ? thing : String(part)
                    }
                }.joined(separator: "/")
        }
    }

    /// Bodies as the route's description has them, filled by the names of their fields; one for each word of a choice.
    func bodies(_ route: Route, _ description: JSON, fill: @escaping (String) -> JSON?) -> [JSON] {
        guard
            let schema = route.documentation.requestBody.first(where: { $0.mediaType.contains("json") })?
                .schema
        else { return [[:]] }
        return BodyMaker(description: description, fill: fill).values(schema, named: "", depth: 0)
    }
}

private struct BodyMaker {
    let description: JSON
    let fill: (String) -> JSON?

    func values(_ schema: JSON, named name: String, depth: Int) -> [JSON] {
        if let reference = schema["$ref"]?.string?.split(separator: "/").last {
            let found = description["components"]?["schemas"]?[String(reference)] ?? [:]
            return values(found, named: name, depth: depth + 1)
        }
        if let first = schema["anyOf"]?[0] { return values(first, named: name, depth: depth + 1) }
        if let words = schema["enum"]?.array, !words.isEmpty { return words }
        switch schema["type"]?.string ?? schema["type"]?[0]?.string {
        case "object":
            guard depth < 6 else { return [[:]] }
            var first: JSONObject = [:]
            var others: [(String, JSON)] = []
            for property in schema["properties"]?.object ?? [:] {
                let its = values(property.value, named: property.key, depth: depth + 1)
                first[property.key] = its.first
                others += its.dropFirst().map { (property.key, $0) }
            }
            let required = (schema["required"]?.array ?? []).compactMap(\.string)
            let least = JSONObject(first.filter { required.contains($0.key) }.map { ($0.key, $0.value) })
            // Choices are tried one by one, while the rest stays as it is first.
            return [.object(least), .object(first)]
                + others.prefix(8).map { name, value in
                    var other = first
                    other[name] = value
                    return .object(other)
                }
        case "array":
            if let filled = fill(name) { return [[filled]] }
            return [
                .array(
                    schema["items"].map { Array(values($0, named: name, depth: depth + 1).prefix(1)) } ?? [])
            ]
        case "integer", "number": return [1]
        case "boolean": return [true, false]
        case "string" where schema["format"] == "date-time": return ["2100-01-01T00:00:00Z"]
        default: return [fill(name) ?? "something"]
        }
    }
}
