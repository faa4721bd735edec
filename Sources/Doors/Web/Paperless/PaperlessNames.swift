import Access
import Bytes
import Library
import Storage
import Work

/// The numbers of what is written on some papers.
struct PaperlessNames {
    private let papers: [String: Int]
    private let tags: [String: Int]
    private let people: [String: Int]
    private let types: [String: Int]
    private let folders: [String: Int]
    private let members: [String: Int]
    private let fields: [String: (number: Int, kind: PaperField.Kind)]

    init(_ some: [Document], _ documents: Documents, _ caller: Caller) throws {
        let numbers = documents.numbers
        papers = try numbers.numbers(of: some.map(\.id.text), .document)
        let ids = try documents.tagIDs(named: Array(Set(some.flatMap(\.tags))), by: caller)
        let ofTags = try numbers.numbers(of: ids.values.map(\.text), .tag)
        tags = ids.compactMapValues { ofTags[$0.text] }
        // Lists of everybody are made once for a page of papers, and only when somebody is named on one.
        let hasPeople = some.contains { !$0.people.isEmpty }
        people = Self.byName(hasPeople ? try documents.namedPeople(by: caller) : [])
        let hasTypes = some.contains { $0.values.contains { $0.field == Documents.documentTypeField } }
        types = Self.byName(hasTypes ? try documents.namedTypes(by: caller) : [])
        folders = try numbers.numbers(of: some.compactMap { $0.folder?.text }, .folder)
        let owners = some.compactMap { Self.memberID($0.addedBy) }
        members = try numbers.numbers(of: owners, .member)
        let hasValues = some.contains { !$0.values.isEmpty }
        let all = hasValues ? try documents.fields(by: caller) : []
        let ofFields = try numbers.numbers(of: all.map(\.id.text), .field)
        fields = Dictionary(
            all.map { ($0.name, (ofFields[$0.id.text] ?? 0, $0.kind)) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func byName(_ list: [PaperNumbers.Named]) -> [String: Int] {
        Dictionary(list.map { ($0.name.lowercased(), $0.number) }, uniquingKeysWith: { first, _ in first })
    }

    private static func memberID(_ actor: String) -> String? {
        actor.hasPrefix("member/") ? String(actor.dropFirst("member/".count)) : nil
    }

    /// Several people may have written in the one note a paper has.
    static let somebody: JSON = ["id": 0, "username": "", "first_name": "", "last_name": ""]

    /// The day it is from; the day it came when nobody said.
    static func day(of document: Document) -> String {
        document.date.isEmpty ? String(document.addedAt.iso8601.prefix(10)) : document.date
    }

    /// Without the ending, which Paperless keeps apart.
    static func title(of document: Document) -> String {
        FileName.withoutEnding(document.name, of: document.blob.mediaType)
    }

    func described(_ document: Document, content: String, _ version: Int) throws -> JSONObject {
        let day = Self.day(of: document)
        let number = papers[document.id.text] ?? 0
        var serial: JSON = .null
        var type: JSON = .null
        var values: [JSON] = []
        for value in document.values {
            switch value.field {
            case Documents.serialNumberField: serial = Int(value.value).map(JSON.int) ?? .null
            case Documents.documentTypeField: type = .optional(types[value.value.lowercased()])
            default:
                guard let field = fields[value.field] else { continue }
                let isNumber = field.kind == .number
                values.append([
                    "field": .int(field.number),
                    "value": isNumber ? .optional(Double(value.value)) : .string(value.value),
                ])
            }
        }
        return [
            "id": .int(number), "title": .string(Self.title(of: document)), "content": .string(content),
            "correspondent": .optional(document.people.first.flatMap { people[$0.name.lowercased()] }),
            "document_type": type, "storage_path": .optional(document.folder.flatMap { folders[$0.text] }),
            "tags": .array(document.tags.compactMap { tags[$0] }.map(JSON.int)),
            "created": .string(version >= 9 ? day : day + "T00:00:00Z"), "created_date": .string(day),
            "modified": .string(document.changedAt.iso8601), "added": .string(document.addedAt.iso8601),
            "deleted_at": .null, "archive_serial_number": serial,
            "original_file_name": .string(document.fileName),
            "archived_file_name": document.version > 1 ? .string(document.fileName) : .null,
            "owner": .optional(Self.memberID(document.addedBy).flatMap { members[$0] }),
            "is_shared_by_requester": false, "mime_type": .string(document.blob.mediaType),
            "page_count": .optional(document.pageCount), "custom_fields": .array(values),
            "notes": .array(PaperlessNote.described(document, number)),
        ]
    }
}

/// The notes of a paper as Paperless counts them. A paper has one here; what was written at different times stands apart
/// in it, behind an empty line.
enum PaperlessNote {
    private static let apart = "\n\n"

    static func described(_ document: Document, _ number: Int) -> [JSON] {
        pieces(document.note).map { text in
            [
                "id": .int(id(of: text)), "note": .string(text),
                "created": .string(document.changedAt.iso8601), "document": .int(number),
                "user": PaperlessNames.somebody,
            ]
        }
    }

    /// What is left of the note without this one; nil when it is not there.
    static func text(_ note: String, without id: Int) -> String? {
        var pieces = pieces(note)
        guard let place = pieces.firstIndex(where: { Self.id(of: $0) == id }) else { return nil }
        pieces.remove(at: place)
        return pieces.joined(separator: apart)
    }

    private static func pieces(_ note: String) -> [String] {
        note.split(separator: apart).map(String.init)
    }

    /// Made from what it says (FNV-1a), so that an old list never names another note than it showed.
    private static func id(of text: String) -> Int {
        let hash = text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Int(max(1, hash & 0x7FFF_FFFF))
    }
}
