import Access
import Bytes
import HTTP
import Library
import Storage
import Work

/// Tags, correspondents, types of papers, storage paths and fields: the things papers are sorted by.
extension PaperlessDoor.Call {
    func labelsAnswer() throws -> Response {
        if request.method == .get { return try labelList() }
        switch (path[0], path.count, request.method) {
        case (_, 1, .post): return json(try addLabel(), .created)
        case ("tags", 2, .patch), ("tags", 2, .put):
            let id = try tagID(number(path[1]))
            var change: JSONObject = [:]
            if let name = try request.json["name"]?.string { change["name"] = .string(name) }
            if let colour = try request.json["color"]?.string {
                change["colour"] = .string(try Tag.Colour(nearest: colour).rawValue)
            }
            try documents.changeTag(id, .object(change), by: caller)
            guard let tag = try tags().first(where: { $0["id"]?.int == Int(path[1]) }) else { throw missing }
            return json(tag)
        case ("tags", 2, .delete):
            try documents.removeTag(tagID(number(path[1])), by: caller)
            return .noContent
        default:
            throw Refusal(.methodNotAllowed, "Change this in Quire itself.", headers: ["Allow": "GET, POST"])
        }
    }

    private func labelList() throws -> Response {
        var all = try labels(path[0])
        if path.count == 2 {
            guard let one = all.first(where: { $0["id"]?.int == Int(path[1]) }) else { throw missing }
            return json(one)
        }
        var asked = PaperlessFilters(query)
        if let part = try asked.text("name__icontains")?.lowercased() {
            all = all.filter { ($0["name"]?.string ?? "").lowercased().contains(part) }
        }
        if let start = try asked.text("name__istartswith")?.lowercased() {
            all = all.filter { ($0["name"]?.string ?? "").lowercased().hasPrefix(start) }
        }
        if let end = try asked.text("name__iendswith")?.lowercased() {
            all = all.filter { ($0["name"]?.string ?? "").lowercased().hasSuffix(end) }
        }
        if let name = try asked.text("name__iexact")?.lowercased() {
            all = all.filter { $0["name"]?.string?.lowercased() == name }
        }
        if let ids = try asked.numbers("id__in", and: "id") {
            all = all.filter { ids.contains($0["id"]?.int ?? 0) }
        }
        switch query["ordering"] {
        case "-name": all.reverse()
        case "document_count":
            all.sort { ($0["document_count"]?.int ?? 0) < ($1["document_count"]?.int ?? 0) }
        case "-document_count":
            all.sort { ($0["document_count"]?.int ?? 0) > ($1["document_count"]?.int ?? 0) }
        default: break
        }
        return try page(all, asked)
    }

    private func labels(_ kind: String) throws -> [JSON] {
        switch kind {
        case "tags": try tags()
        case "correspondents": try named(documents.namedPeople(by: caller))
        case "document_types": try named(documents.namedTypes(by: caller))
        case "storage_paths": try storagePaths()
        default: try customFields()
        }
    }

    func tags() throws -> [JSON] {
        let tags = try documents.tags(by: caller)
        let numbers = try documents.numbers.numbers(of: tags.map(\.id.text), .tag)
        return tags.map { tag in
            [
                "id": .int(numbers[tag.id.text] ?? 0), "slug": .string(slug(tag.name)),
                "name": .string(tag.name),
                "color": .string(tag.colour.hex), "text_color": "#000000", "match": "",
                "matching_algorithm": 0,
                "is_insensitive": true, "is_inbox_tag": false, "document_count": .int(tag.paperCount),
                "owner": .null, "user_can_change": .bool(caller.may(.edit)), "parent": .null, "children": [],
            ]
        }
    }

    func named(_ list: [PaperNumbers.Named]) -> [JSON] {
        list.map { item in
            [
                "id": .int(item.number), "slug": .string(slug(item.name)), "name": .string(item.name),
                "match": "",
                "matching_algorithm": 0, "is_insensitive": true, "document_count": .int(item.paperCount),
                "last_correspondence": .null, "owner": .null, "user_can_change": .bool(caller.may(.edit)),
            ]
        }
    }

    private func storagePaths() throws -> [JSON] {
        let nodes = try documents.folders(by: caller).withoutLocked.nodes
        let numbers = try documents.numbers.numbers(of: nodes.map(\.folder.id.text), .folder)
        return nodes.map { node in
            [
                "id": .int(numbers[node.folder.id.text] ?? 0), "slug": .string(slug(node.path)),
                "name": .string(node.path), "path": .string("\(node.path)/{title}"), "match": "",
                "matching_algorithm": 0, "is_insensitive": true, "document_count": .int(node.paperCount),
                "owner": .null, "user_can_change": .bool(caller.may(.edit)),
            ]
        }
    }

    private func customFields() throws -> [JSON] {
        let fields = try documents.fields(by: caller)
        let numbers = try documents.numbers.numbers(of: fields.map(\.id.text), .field)
        return fields.map { field in
            let kind = field.kind == .date ? "date" : field.kind == .number ? "float" : "string"
            return [
                "id": .int(numbers[field.id.text] ?? 0), "name": .string(field.name),
                "data_type": .string(kind),
                "extra_data": ["select_options": [], "default_currency": .null],
                "document_count": .int(field.paperCount),
            ]
        }
    }

    private func addLabel() throws -> JSON {
        let input = try request.json
        guard let name = input["name"]?.string, !name.allSatisfy(\.isWhitespace) else {
            throw Failure(.invalid, "This field is required.", field: "name")
        }
        if try labels(path[0]).contains(where: { $0["name"]?.string?.lowercased() == name.lowercased() }) {
            throw Failure(
                .invalid, "Object violates owner / name unique constraint: there is “\(name)” already.",
                field: "name")
        }
        let number: Int
        switch path[0] {
        case "tags":
            let tag = try documents.addTag(named: name, by: caller)
            if let colour = input["color"]?.string {
                let nearest = try Tag.Colour(nearest: colour)
                try documents.changeTag(tag.id, ["colour": .string(nearest.rawValue)], by: caller)
            }
            number = try documents.numbers.number(of: tag.id.text, .tag)
        case "correspondents": number = try documents.numbers.remember(name, .person)
        case "document_types": number = try documents.numbers.remember(name, .type)
        case "storage_paths":
            let folder = try documents.makeFolder(path: name, by: caller)
            number = try documents.numbers.number(of: folder.id.text, .folder)
        default:
            let kind: PaperField.Kind =
                switch input["data_type"]?.string {
                case "date": .date
                case "integer", "float": .number
                default: .text
                }
            let field = try documents.addField(named: name, kind, by: caller)
            number = try documents.numbers.number(of: field.id.text, .field)
        }
        guard let made = try labels(path[0]).first(where: { $0["id"]?.int == number }) else { throw missing }
        return made
    }

    // MARK: From numbers to things

    func number(_ text: String) throws(Failure) -> Int {
        guard let number = Int(text) else { throw missing }
        return number
    }

    func tagID(_ number: Int) throws -> ID<Tag> {
        guard let id = try documents.numbers.owner(of: number, .tag).flatMap(ID<Tag>.init) else {
            throw unknown(number, "tags")
        }
        return id
    }

    func tagName(_ number: Int) throws -> String {
        let id = try tagID(number)
        guard let tag = try documents.tag(id, by: caller) else { throw unknown(number, "tags") }
        return tag
    }

    func personName(_ number: Int) throws -> String {
        guard let person = try documents.namedPeople(by: caller).first(where: { $0.number == number }) else {
            throw unknown(number, "correspondent")
        }
        return person.name
    }

    func typeName(_ number: Int) throws -> String {
        guard let type = try documents.namedTypes(by: caller).first(where: { $0.number == number }) else {
            throw unknown(number, "document_type")
        }
        return type.name
    }

    func folderID(_ number: Int) throws -> ID<Folder> {
        guard let id = try documents.numbers.owner(of: number, .folder).flatMap(ID<Folder>.init) else {
            throw unknown(number, "storage_path")
        }
        return id
    }

    private func unknown(_ number: Int, _ field: String) -> Failure {
        Failure(.invalid, "Invalid pk \"\(number)\" - object does not exist.", field: field)
    }

    private func slug(_ name: String) -> String {
        String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
    }
}
