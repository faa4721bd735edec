import Bytes
import Storage

extension Option {
    /// One for each of a thing's fields.
    static func of<Thing>(
        _ fields: [ThingField<Thing>], only names: [String], letters: [String: Character] = [:]
    ) -> [Option] {
        names.compactMap { name in
            fields.first { $0.name == name }.map { field in
                var option = Option(
                    field.option, letter: letters[name], field.placeholder, field.summary)
                if case .choice(let words) = field.kind { option.completion = .choices(words) }
                return option
            }
        }
    }
}

extension ThingField {
    /// `link-openings` for `linkOpenings`.
    var option: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }
}

extension Invocation {
    /// What was said about a thing's fields, as its JSON. Where there may be no number, 0 stands for none.
    func said<Thing>(_ fields: [ThingField<Thing>]) throws -> JSONObject {
        var json: JSONObject = [:]
        for field in fields {
            guard let text = value(field.option) else { continue }
            switch field.kind {
            case .whole(let bounds):
                guard let number = Int(text), number == 0 || bounds.contains(number) else {
                    throw UsageError(
                        message: "--\(field.option) takes a number up to \(bounds.upperBound), not “\(text)”",
                        hint: "As in --\(field.option) \(min(30, bounds.upperBound)).")
                }
                json[field.name] = bounds.contains(number) ? .int(number) : .null
            case .choice(let words) where !words.contains(text):
                throw UsageError(
                    message: "--\(field.option) does not know “\(text)”",
                    hint: "It knows \(words.joined(separator: ", ")).")
            default: json[field.name] = .string(text)
            }
        }
        return json
    }
}
