import Bytes
import Cards
import HTTP
import People
import Storage

/// What somebody said about a person: in the fields of a page, each with what it was made of, or in JSON.
struct ContactInput {
    /// One line of the page: which one it stands for, and what was typed.
    struct Row {
        var key: String
        var line: CardLine
    }

    var parts: [(part: CardPart, text: String, seen: String?)] = []
    var rows: [Row] = []

    /// Fields of a page: `given` and `seen-given`; then for each line `line` (its kind and key), `type`, `label` and its parts.
    init(form input: Input) throws(Failure) {
        for part in CardPart.allCases {
            guard let text = try input.text(part.rawValue) else { continue }
            parts.append(
                (part, text.replacing("\r\n", with: "\n"), try input.text("seen-\(part.rawValue)")))
        }
        for row in input.rows(begunBy: "line") {
            let words = (row.first?.value ?? "").split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let kind = words.first.flatMap({ CardLine.Kind(rawValue: String($0)) }) else {
                throw Failure(.invalid, "A line of the form does not say its kind.", field: "line")
            }
            var line = CardLine(kind, [])
            for field in row.dropFirst() {
                switch field.name {
                case "type": line.type = kind.types.contains(field.value) ? field.value : ""
                case "label": line.label = field.value
                case "part" where line.parts.count < kind.partCount:
                    line.parts.append(field.value.replacing("\r\n", with: "\n"))
                default: break
                }
            }
            while line.parts.count < kind.partCount { line.parts.append("") }
            rows.append(Row(key: words.count > 1 ? String(words[1]) : "", line: line))
        }
    }

    var edit: CardEdit {
        var edit = CardEdit()
        for (part, text, seen) in parts { edit.parts.append(.init(part, text, seen: seen)) }
        for row in rows { edit.lines.append(.init(row.line, insteadOf: row.key.isEmpty ? nil : row.key)) }
        return edit
    }

    /// A program says what there is to be: a list takes the place of the one there is, except for lines it names by their `key`.
    static func edit(_ json: JSON, of card: ContactCard) throws(Failure) -> CardEdit {
        var edit = CardEdit()
        for part in CardPart.allCases {
            guard let said = json[part.rawValue], said != .null else { continue }
            if part == .tags {
                edit.set(part, try texts(said, "tags").joined(separator: ","))
            } else if let text = said.string, !text.utf8.contains(0) {
                edit.set(part, text)
            } else {
                throw Failure(.invalid, "“\(part.rawValue)” must be text.", field: part.rawValue)
            }
        }
        let known = card.lines
        for kind in CardLine.Kind.allCases {
            guard let said = json[kind.listName], said != .null else { continue }
            guard let list = said.array, list.count <= 500 else {
                throw Failure(.invalid, "“\(kind.listName)” must be a list.", field: kind.listName)
            }
            var named: Set<String> = []
            for item in list {
                let key = item["key"]?.string
                if let key { named.insert(key) }
                edit.lines.append(.init(try line(kind, item), insteadOf: key))
            }
            for line in known where line.line.kind == kind && !named.contains(line.key) {
                edit.remove(line.key, kind)
            }
        }
        return edit
    }

    private static func line(_ kind: CardLine.Kind, _ json: JSON) throws(Failure) -> CardLine {
        func text(_ name: String) throws(Failure) -> String {
            guard let said = json[name], said != .null else { return "" }
            guard let text = said.string, !text.utf8.contains(0) else {
                throw Failure(.invalid, "“\(name)” must be text.", field: name)
            }
            return text
        }
        guard json.object != nil else {
            throw Failure(.invalid, "“\(kind.listName)” must be a list.", field: kind.listName)
        }
        let type = try text("type")
        guard type.isEmpty || kind.types.contains(type) else {
            throw Failure(.invalid, "“\(type)” is no kind of it.", field: "type")
        }
        var parts: [String] = []
        for name in kind.partNames { parts.append(try text(name)) }
        return CardLine(kind, parts, type: type, label: try text("label"))
    }

    private static func texts(_ json: JSON, _ name: String) throws(Failure) -> [String] {
        guard let list = json.array else { throw Failure(.invalid, "“\(name)” must be a list.", field: name) }
        var texts: [String] = []
        for item in list {
            guard let text = item.string, !text.utf8.contains(0) else {
                throw Failure(.invalid, "“\(name)” must be a list.", field: name)
            }
            texts.append(text)
        }
        return texts
    }
}

extension CardLine.Kind {
    /// In JSON.
    var listName: String {
        switch self {
        case .phone: "phones"
        case .email: "emails"
        case .address: "addresses"
        case .link: "links"
        case .organization: "organizations"
        case .title: "titles"
        case .date: "dates"
        }
    }

    /// What its parts are called, in the order of the card.
    var partNames: [String] {
        switch self {
        case .address: ["box", "extra", "street", "city", "region", "code", "country"]
        case .organization: ["value", "department"]
        default: ["value"]
        }
    }
}

extension ContactCard {
    /// Everything of it that can be changed by hand.
    var json: JSONObject {
        var json: JSONObject = [:]
        for part in CardPart.allCases {
            json[part.rawValue] = part == .tags ? .texts(tags) : .string(self[part])
        }
        for kind in CardLine.Kind.allCases {
            json[kind.listName] = .array(
                lines.filter { $0.line.kind == kind }.map { line in
                    var item: JSON = [
                        "key": .string(line.key), "type": .string(line.line.type),
                        "label": .string(line.line.label),
                    ]
                    for (name, part) in zip(kind.partNames, line.line.parts) { item[name] = .string(part) }
                    return item
                })
        }
        return json
    }
}
