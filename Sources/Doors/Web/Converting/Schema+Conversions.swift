import Bytes
import Conversion
import Converting
import Kinds

/// Conversions: what is wished, what was handed in, and what came of it.
extension Schema {
    static let conversions: [(String, JSON)] = [
        ("Conversion", object(conversion, optional: Set(optionKeys))),
        ("ConversionList", object([("conversions", list(of: ref("Conversion")))])),
    ]

    private static let words = ConversionOptions.words
    private static let optionKeys = words.map(\.key)
    private static let goals = choice(PaperKind.all.map(\.name))

    /// The words of `quire convert`, each under its name.
    private static let options: [(String, JSON)] = words.map { word in
        var schema: JSONObject = ["description": .string(word.summary)]
        if word.placeholder == nil {
            schema["type"] = "boolean"
        } else if word.isRepeating {
            schema["type"] = "array"
            schema["items"] = string
        } else {
            schema["type"] = "string"
            if !word.choices.isEmpty { schema["enum"] = .array(word.choices.map(JSON.string)) }
        }
        return (word.key, .object(schema))
    }

    private static let steps: JSON = [
        "type": "array", "maxItems": 32, "items": string,
        "description": .string(
            "What is done with the results: "
                + PaperStep.words.map { "`\($0.word)` \($0.meaning)" }.joined(separator: "; ")),
    ]

    private static let wishes: [(String, JSON)] = [
        ("to", goals), ("together", boolean), ("keep", boolean), ("folder", orNull(id)),
        ("tags", list(of: string)),
        ("then", steps),
    ]

    /// Where a sheet lies in a photo.
    static let corners: JSON = [
        "type": "array", "minItems": 4, "maxItems": 4,
        "items": ["type": "array", "minItems": 2, "maxItems": 2, "items": ["type": "number"]],
    ]
    private static let looks = words.first { $0.name == "scan" }?.choices ?? []
    static let look = choice(looks)
    static let lookOrNone: JSON = [
        "type": ["string", "null"], "enum": .array(looks.map(JSON.string) + [.null]),
    ]

    private static let sources: [(String, JSON)] = [
        ("document", id), ("documents", list(of: id)), ("address", string), ("addresses", list(of: string)),
        ("text", string), ("textKind", choice(["txt", "md", "html", "csv"])),
    ]

    static let newConversion = object(
        [("name", name), ("hold", boolean)] + sources + wishes + options,
        optional: Set(
            ["name", "hold"] + sources.map(\.0) + wishes.map(\.0) + optionKeys))

    static let conversionChange = object(
        [("name", name), ("version", whole)] + wishes + options,
        optional: Set(["name", "version"] + wishes.map(\.0) + optionKeys))

    static let conversionPapers = object(
        [("name", name)] + sources, optional: Set(["name"] + sources.map(\.0)))

    private static let conversion: [(String, JSON)] =
        [
            ("id", id), ("name", string), ("version", whole),
            ("state", choice(Conversion.State.allCases.map(\.rawValue))), ("job", orNull(id)),
            ("done", whole), ("total", orNull(whole)), ("phase", string), ("reason", orNull(string)),
            (
                "papers",
                list(
                    of: object([
                        ("id", id), ("name", string), ("kind", string), ("address", orNull(string)),
                        ("byteCount", whole), ("turn", whole), ("corners", orNull(corners)),
                        ("scan", lookOrNone),
                    ]))
            ),
            (
                "results",
                list(
                    of: object([
                        ("number", whole), ("name", string), ("mediaType", string), ("byteCount", whole),
                        ("digest", string), ("pages", orNull(whole)), ("document", orNull(id)),
                    ]))
            ), ("report", anything), ("hasPassword", boolean), ("addedAt", moment), ("addedBy", string),
            ("changedAt", moment),
        ] + wishes + options.filter { $0.0 != "password" }
}
