import Bytes
import Library
import Storage
import Work

/// What the packets of one plan are made from, held fast when it was planned. Whatever becomes of templates,
/// mappings and papers afterwards, these packets stay as they were looked at.
struct Pins: Sendable, Equatable {
    struct Column: Sendable, Equatable {
        var name: String
        var kind: String
        /// What it is for, as the list says: `email`, `firstName`, …
        var role: String?
    }

    struct Part: Sendable, Equatable {
        enum Content: Sendable, Equatable {
            case form(
                template: ID<Template>, edition: Int, digest: Digest, mapping: String, mappingName: String)
            case paper(document: ID<Document>, digest: Digest, pageCount: Int)
            case attachment(pattern: String)
        }

        var name: String
        var content: Content
        var condition: String

        var digest: Digest? {
            switch content {
            case .form(_, _, let digest, _, _), .paper(_, let digest, _): digest
            case .attachment: nil
            }
        }
    }

    /// The Quire that planned; another one may set text otherwise.
    var madeBy: String
    var today: String
    var list: String
    var columns: [Column]
    var rowCount: Int
    var parts: [Part]
    var naming: String
    var options: BatchOptions

    /// What `{Template}` stands for.
    var templateName: String {
        for part in parts { if case .form = part.content { return part.name } }
        return parts.first?.name ?? ""
    }
}

extension Pins {
    var json: JSON {
        [
            "madeBy": .string(madeBy), "today": .string(today), "list": .string(list),
            "columns": .array(
                columns.map { [.string($0.name), .string($0.kind), .optional($0.role)] }),
            "rowCount": .int(rowCount), "parts": .array(parts.map(\.json)), "naming": .string(naming),
            "options": options.json,
        ]
    }

    init(kept json: JSON) throws {
        madeBy = json["madeBy"]?.string ?? ""
        today = json["today"]?.string ?? ""
        list = json["list"]?.string ?? ""
        columns = (json["columns"]?.array ?? []).map {
            Column(name: $0[0]?.string ?? "", kind: $0[1]?.string ?? "", role: $0[2]?.string)
        }
        rowCount = json["rowCount"]?.int ?? 0
        parts = try (json["parts"]?.array ?? []).map(Part.init(kept:))
        naming = json["naming"]?.string ?? BatchDraft.usualNaming
        options = try BatchOptions(json["options"] ?? [:])
    }
}

extension Pins.Part {
    var json: JSON {
        var view: JSON = ["name": .string(name), "condition": .string(condition)]
        switch content {
        case .form(let template, let edition, let digest, let mapping, let mappingName):
            view["template"] = .string(template.text)
            view["edition"] = .int(edition)
            view["digest"] = .string(digest.hex)
            view["mapping"] = .string(mapping)
            view["mappingName"] = .string(mappingName)
        case .paper(let document, let digest, let pageCount):
            view["document"] = .string(document.text)
            view["digest"] = .string(digest.hex)
            view["pageCount"] = .int(pageCount)
        case .attachment(let pattern): view["pattern"] = .string(pattern)
        }
        return view
    }

    init(kept json: JSON) throws {
        name = json["name"]?.string ?? ""
        condition = json["condition"]?.string ?? ""
        let digest = json["digest"]?.string.flatMap { Digest($0) }
        if let template = json["template"]?.string.flatMap(ID<Template>.init), let digest {
            content = .form(
                template: template, edition: json["edition"]?.int ?? 1, digest: digest,
                mapping: json["mapping"]?.string ?? "", mappingName: json["mappingName"]?.string ?? "")
        } else if let document = json["document"]?.string.flatMap(ID<Document>.init), let digest {
            content = .paper(document: document, digest: digest, pageCount: json["pageCount"]?.int ?? 1)
        } else if let pattern = json["pattern"]?.string {
            content = .attachment(pattern: pattern)
        } else {
            throw Failure(.damaged, "What was written down for this batch cannot be read.")
        }
    }
}
