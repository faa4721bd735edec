import Bytes
import Storage
import Work

/// Checks JSON against the schemas of the API description, more strictly than they say: a property that is not
/// described is a mistake of the description.
struct SchemaCheck {
    let description: JSON

    func complaints(_ value: JSON, _ schema: JSON, at place: String = "$") -> [String] {
        if let name = schema["$ref"]?.string?.split(separator: "/").last {
            guard let found = description["components"]?["schemas"]?[String(name)] else {
                return ["\(place): there is no schema \(name)"]
            }
            return complaints(value, found, at: place)
        }
        if let choices = schema["anyOf"]?.array {
            return choices.contains { complaints(value, $0, at: place).isEmpty }
                ? [] : ["\(place): fits no choice"]
        }
        guard let type = schema["type"] else { return [] }
        let types = type.string.map { [$0] } ?? (type.array ?? []).compactMap(\.string)
        guard types.contains(where: { isOf($0, value) }) else { return ["\(place): \(value) is no \(types)"] }
        var found: [String] = []
        if let words = schema["enum"]?.array, !value.isNull, !words.contains(value) {
            found.append("\(place): \(value) is not among \(words)")
        }
        if let text = value.string {
            switch schema["format"]?.string {
            case "date-time" where Moment(iso8601: text) == nil: found.append("\(place): no moment")
            case "uuid" where ID<Job>(text) == nil: found.append("\(place): no id")
            default: break
            }
        }
        if let items = schema["items"] {
            for (number, item) in (value.array ?? []).enumerated() {
                found += complaints(item, items, at: "\(place)[\(number)]")
            }
        }
        guard let properties = schema["properties"]?.object, let object = value.object else {
            return found
        }
        for name in (schema["required"]?.array ?? []).compactMap(\.string) where object[name] == nil {
            found.append("\(place): \(name) is missing")
        }
        for (name, member) in object {
            guard let described = properties[name] else {
                found.append("\(place): \(name) is not described")
                continue
            }
            found += complaints(member, described, at: "\(place).\(name)")
        }
        return found
    }

    private enum Job {}

    private func isOf(_ type: String, _ value: JSON) -> Bool {
        switch type {
        case "null": value.isNull
        case "string": value.string != nil
        case "integer": value.integer != nil
        case "number": value.number != nil
        case "boolean": value.bool != nil
        case "array": value.array != nil
        case "object": value.object != nil
        default: false
        }
    }
}
