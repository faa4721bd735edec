import Access
import App
import Bytes
import HTTP
import Library
import Storage
import Work

/// Papers, one by one and in lists.
extension PaperlessDoor.Call {
    func documentsAnswer() throws -> Response {
        let method = request.method
        switch (path.count, path.count > 1 ? path[1] : "") {
        case (1, _) where method == .get: return try list()
        case (2, "post_document") where method == .post: return try upload()
        case (2, "next_asn") where method == .get:
            return json(.int(try documents.lastSerialNumber(by: caller) + 1))
        case (2, "bulk_edit") where method == .post: return try changeMany()
        case (2, "bulk_download") where method == .post: return try downloadMany()
        case (2, _):
            let document = try document()
            switch method {
            case .get: return json(try described(document))
            case .patch, .put:
                try change([document], try request.json)
                return json(try described(try documents.get(document.id, by: caller)))
            case .delete:
                try documents.trash(document.id, by: caller)
                return .noContent
            default: break
            }
        case (3, _): return try part(path[2])
        default: break
        }
        throw Refusal(.notFound, "Quire does not speak this part of the API of Paperless-ngx.")
    }

    private func document() throws -> Document { try document(number(path[1])) }

    func document(_ number: Int) throws -> Document {
        guard let id = try documents.numbers.owner(of: number, .document).flatMap(ID<Document>.init),
            let document = try? documents.get(id, by: caller), !document.isTrashed
        else { throw missing }
        return document
    }

    private func list() throws -> Response {
        let wanted = try selection()
        let (order, isDescending) = order()
        let offset = (pageNumber - 1) * pageSize
        let found = try documents.select(
            wanted, sortedBy: order, isDescending: isDescending, limit: pageSize, offset: offset, by: caller)
        guard !found.finds.isEmpty || pageNumber == 1 else { throw Failure(.notFound, "Invalid page.") }
        // The ids of all that match, as far as a program can want them.
        let ids = try documents.selectAll(
            wanted, sortedBy: order, isDescending: isDescending, atMost: 10_000, by: caller)
        let numbers = try documents.numbers.numbers(of: ids.map(\.text), .document)
        return page(
            try described(found.finds, withWords: true), count: found.matchCount, size: pageSize,
            all: ids.compactMap { numbers[$0.text] })
    }

    // MARK: As Paperless describes them

    private func described(_ document: Document) throws -> JSON {
        try described([Documents.Find(document: document)], withWords: true)[0]
    }

    func described(_ finds: [Documents.Find], withWords: Bool) throws -> [JSON] {
        let names = try PaperlessNames(finds.map(\.document), documents, caller)
        let words = withWords ? try documents.words(of: finds.map(\.document.id), by: caller) : [:]
        let isShort = query["truncate_content"] == "true"
        return try finds.enumerated().map { place, find in
            let document = find.document
            let whole = words[document.id] ?? ""
            var json = try names.described(
                document, content: isShort ? String(whole.prefix(550)) : whole, version)
            json["user_can_change"] = .bool(caller.may(.edit))
            if let snippet = find.snippet {
                let marked = snippet.pieces.map { piece in
                    let text = Self.escaped(piece.text)
                    return piece.isHit ? "<span class=\"match\">\(text)</span>" : text
                }.joined()
                json["__search_hit__"] = [
                    "score": .number(1 / Double(place + 1)), "highlights": .string(marked),
                    "note_highlights": "",
                    "rank": .int(place),
                ]
            }
            return .object(json)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.map { ["<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;"][$0] ?? String($0) }.joined()
    }

    // MARK: Parts of one

    private func part(_ name: String) throws -> Response {
        let document = try document()
        switch (name, request.method) {
        case ("preview", .get)
        where PaperPages.hasPages(document) && PaperPages.isPrepared(document) && query["original"] != "true":
            // Programs that show papers by themselves know PDF, and not many kinds of pictures.
            guard let path = try door.quire.pages.copy(of: document) else { throw missing }
            return .file(
                at: path, .pdf, tag: ETag("\(document.blob.digest.hex.prefix(24))-pdf"), inline: true)
        case ("download", .get), ("preview", .get):
            var shown = document
            if query["original"] == "true" {
                shown = try documents.get(document.id, version: 1, by: caller)
            }
            let path = try door.quire.store.blobs.path(of: shown.blob.digest)
            return Response.contents(of: shown, at: path, download: name == "download")
        case ("thumb", .get):
            guard PaperPages.hasPages(document) else { throw missing }
            let path = try door.quire.pages.picture(of: document, page: 0, width: 480)
            return .file(
                at: path, .jpeg, tag: ETag("\(document.blob.digest.hex.prefix(24))-thumb"), inline: true)
        case ("metadata", .get): return json(try metadata(document))
        case ("notes", .get): return try list(notes(document))
        case ("notes", .post):
            guard let text = try request.json["note"]?.string, !text.isEmpty else {
                throw Failure(.invalid, "This field is required.", field: "note")
            }
            let all = document.note.isEmpty ? text : "\(document.note)\n\n\(text)"
            let changed = try documents.file([document.id], as: .init(note: all), by: caller)[0]
            return json(.array(try notes(changed)))
        case ("notes", .delete):
            guard let wanted = query["id"].flatMap({ Int($0) }) else {
                throw Failure(.invalid, "Say which note.", field: "id")
            }
            guard let rest = PaperlessNote.text(document.note, without: wanted) else { throw missing }
            let changed = try documents.file([document.id], as: .init(note: rest), by: caller)[0]
            return json(.array(try notes(changed)))
        case ("suggestions", .get):
            return json([
                "correspondents": [], "tags": [], "document_types": [], "storage_paths": [], "dates": [],
            ])
        case ("history", .get), ("share_links", .get): return try list([])
        default: throw Refusal(.notFound, "Quire does not speak this part of the API of Paperless-ngx.")
        }
    }

    private func metadata(_ document: Document) throws -> JSON {
        let first = try documents.get(document.id, version: 1, by: caller)
        let hasArchive = document.version > 1
        return [
            "original_checksum": .string(first.blob.digest.hex),
            "original_size": .integer(first.blob.byteCount),
            "original_mime_type": .string(first.blob.mediaType), "media_filename": .string(document.fileName),
            "has_archive_version": .bool(hasArchive), "original_metadata": [],
            "archive_checksum": hasArchive ? .string(document.blob.digest.hex) : .null,
            "archive_media_filename": hasArchive ? .string(document.fileName) : .null,
            "original_filename": .string(document.fileName), "lang": "",
            "archive_size": hasArchive ? .integer(document.blob.byteCount) : .null, "archive_metadata": [],
        ]
    }

    private func notes(_ document: Document) throws -> [JSON] {
        PaperlessNote.described(
            document, try documents.numbers.number(of: document.id.text, .document))
    }

    // MARK: Changing

    /// What is not named stays; what Paperless has and Quire has not is left alone.
    private func change(_ papers: [Document], _ input: JSON) throws {
        for paper in papers {
            var filing = Documents.Filing()
            if let tags = input["tags"] {
                let names = try Self.numbers(tags, "tags").map(tagName)
                filing.addedTags = names
                filing.removedTags = paper.tags.filter { tag in
                    !names.contains { $0.lowercased() == tag.lowercased() }
                }
            }
            if let person = input["correspondent"] {
                filing.people = try people(
                    of: paper, with: Self.number(person, "correspondent").map(personName))
            }
            if let type = input["document_type"] {
                let name = try Self.number(type, "document_type").map(typeName)
                filing.values.append(PaperValue(field: Documents.documentTypeField, value: name ?? ""))
            }
            if let path = input["storage_path"] {
                filing.folder = .some(try Self.number(path, "storage_path").map(folderID))
            }
            if let given = input["archive_serial_number"] {
                let number = try Self.number(given, "archive_serial_number").map { String($0) }
                filing.values.append(PaperValue(field: Documents.serialNumberField, value: number ?? ""))
            }
            if let day = input["created_date"]?.string ?? input["created"]?.string {
                // A moment is told back as it was given; only another day is news.
                if !day.hasPrefix(PaperlessNames.day(of: paper)) { filing.date = String(day.prefix(10)) }
            }
            for value in input["custom_fields"]?.array ?? [] {
                guard let number = try Self.number(value["field"] ?? .null, "custom_fields") else {
                    throw Failure(.invalid, "This field is required.", field: "custom_fields")
                }
                filing.values.append(
                    PaperValue(field: try fieldName(number), value: Self.text(value["value"])))
            }
            try makeFields(for: filing)
            try documents.file([paper.id], as: filing, by: caller)
            if let title = input["title"]?.string, title != PaperlessNames.title(of: paper) {
                try documents.rename(paper.id, to: title, by: caller)
            }
        }
    }

    /// Nil for nothing. What is no number is refused: taken for nothing, it would take away what stands there.
    private static func number(_ json: JSON, _ field: String) throws(Failure) -> Int? {
        if json.isNull { return nil }
        guard let number = json.int ?? json.string.flatMap({ Int($0) }) else {
            throw Failure(.invalid, "A valid number is required.", field: field)
        }
        return number
    }

    static func numbers(_ json: JSON?, _ field: String) throws(Failure) -> [Int] {
        guard let list = json?.array else {
            throw Failure(.invalid, "A list of numbers is required.", field: field)
        }
        var numbers: [Int] = []
        for item in list {
            guard let number = try number(item, field) else {
                throw Failure(.invalid, "A valid number is required.", field: field)
            }
            numbers.append(number)
        }
        return numbers
    }

    /// The papers that a call for many names, each of them.
    private func papers(_ input: JSON) throws -> [Document] {
        let numbers =
            input["documents"]?.string == nil ? try Self.numbers(input["documents"], "documents") : []
        guard !numbers.isEmpty, input["all"]?.bool != true else {
            throw Failure(
                .invalid, "Name the papers by their numbers; Quire does not take “all”.", field: "documents")
        }
        return try numbers.map(document)
    }

    /// Paperless knows one correspondent; further people stay.
    private func people(of paper: Document, with name: String?) -> [PaperPerson] {
        guard paper.people.first?.name != name else { return paper.people }
        return (name.map { [PaperPerson(name: $0)] } ?? []) + paper.people.dropFirst()
    }

    private func fieldName(_ number: Int) throws -> String {
        let owner = try documents.numbers.owner(of: number, .field)
        guard let field = try documents.fields(by: caller).first(where: { $0.id.text == owner }) else {
            throw Failure(
                .invalid, "Invalid pk \"\(number)\" - object does not exist.", field: "custom_fields")
        }
        return field.name
    }

    private static func text(_ value: JSON?) -> String {
        switch value {
        case .string(let text)?: text
        case .integer(let number)?: String(number)
        case .number(let number)?: String(number)
        case .bool(let flag)?: flag ? "yes" : "no"
        default: ""
        }
    }

    /// The desk's own fields for what Paperless has by itself come to be when something is written in them.
    private func makeFields(for filing: Documents.Filing) throws {
        let kinds: [(String, PaperField.Kind)] = [
            (Documents.documentTypeField, .text), (Documents.serialNumberField, .number),
        ]
        let needed = kinds.filter { kind in filing.values.contains { $0.field == kind.0 } }
        guard !needed.isEmpty else { return }
        let there = try documents.fields(by: caller).map { $0.name.lowercased() }
        for (name, kind) in needed where !there.contains(name.lowercased()) {
            try documents.addField(named: name, kind, by: caller)
        }
    }

    private func changeMany() throws -> Response {
        let input = try request.json
        let papers = try papers(input)
        let wish = input["parameters"] ?? [:]
        func said(_ name: String) throws -> JSON {
            guard let value = wish[name] else {
                throw Failure(.invalid, "This field is required.", field: name)
            }
            return value
        }
        func one(_ name: String) throws -> [Int] { try Self.numbers([said(name)], name) }
        func some(_ name: String) throws -> [Int] { try wish[name].map { try Self.numbers($0, name) } ?? [] }
        switch input["method"]?.string ?? "" {
        case "set_correspondent": try change(papers, ["correspondent": said("correspondent")])
        case "set_document_type": try change(papers, ["document_type": said("document_type")])
        case "set_storage_path": try change(papers, ["storage_path": said("storage_path")])
        case "add_tag": try tag(papers, add: one("tag"), remove: [])
        case "remove_tag": try tag(papers, add: [], remove: one("tag"))
        case "modify_tags": try tag(papers, add: some("add_tags"), remove: some("remove_tags"))
        case "delete": for paper in papers { try documents.trash(paper.id, by: caller) }
        default:
            throw Failure(
                .invalid, "Quire does not know this method; open the desk in a browser.", field: "method")
        }
        return json(["result": "OK"])
    }

    private func tag(_ papers: [Document], add: [Int], remove: [Int]) throws {
        let filing = Documents.Filing(
            addedTags: try add.map(tagName), removedTags: try remove.map(tagName))
        try documents.file(papers.map(\.id), as: filing, by: caller)
    }

    private func downloadMany() throws -> Response {
        let papers = try papers(request.json)
        let pieces = try Site.archived(papers, in: door.quire.store)
        return Site.archive(pieces, named: "documents")
    }

    // MARK: Bringing

    private func upload() throws -> Response {
        guard case .form(let form) = request.body,
            let file = form.files.first(where: { $0.name == "document" })
        else { throw Failure(.invalid, "No file was submitted.", field: "document") }
        try Request.checkLength(file.byteCount, atMost: door.uploadLimit)
        func one(_ name: String) throws -> Int? {
            try form[name].flatMap { $0.isEmpty ? nil : try Self.number(.string($0), name) }
        }
        // All that is named is looked at before anything is kept.
        var filing = Documents.Filing()
        let tags = form.fields.all("tags").flatMap { $0.split(separator: ",") }
        filing.addedTags = try Self.numbers(.array(tags.map { .string(String($0)) }), "tags").map(tagName)
        if let number = try one("correspondent") {
            filing.people = [PaperPerson(name: try personName(number))]
        }
        if let number = try one("document_type") {
            filing.values.append(PaperValue(field: Documents.documentTypeField, value: try typeName(number)))
        }
        if let number = try one("archive_serial_number") {
            filing.values.append(PaperValue(field: Documents.serialNumberField, value: String(number)))
        }
        if let created = form["created"], created.utf8.count >= 10 {
            filing.date = String(created.prefix(10))
        }
        let folder = try one("storage_path").map(folderID)
        let title = form["title"].flatMap { $0.isEmpty ? nil : $0 }
        let added = try documents.arriving(by: .app).add(
            .upload(file.path), named: file.fileName, into: folder, by: caller)
        var document = added.document
        if case .added = added {
            try makeFields(for: filing)
            document = try documents.file([document.id], as: filing, by: caller)[0]
            if let title { document = try documents.rename(document.id, to: title, by: caller) }
        }
        let number = try documents.numbers.number(of: document.id.text, .document)
        var isDuplicate = false
        if case .alreadyThere = added { isDuplicate = true }
        let task = Self.taskID(door.quire.store.chance.bytes(16))
        door.tasks.add(
            .init(
                id: task, number: 0, owner: caller.actor, fileName: file.fileName,
                at: door.quire.store.clock.now(), document: number, isDuplicate: isDuplicate))
        return json(.string(task))
    }

    /// Written as programs expect the name of a task (RFC 9562, version 4).
    private static func taskID(_ chance: [UInt8]) -> String {
        var bytes = chance
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var hex = Hex.encode(bytes)
        for place in [20, 16, 12, 8] { hex.insert("-", at: hex.index(hex.startIndex, offsetBy: place)) }
        return hex
    }
}
