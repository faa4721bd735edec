public import Access
import SQL
public import Storage
public import Work

/// A paper in the library: bytes under a name. Both may change; what the bytes were before is kept as its versions.
public struct Document: Sendable, Equatable {
    public let id: ID<Document>
    public var name: String
    public var blob: Blob
    public var addedAt: Moment
    /// As the journal names them: `member/018f…`.
    public var addedBy: String
    /// What they were called at the time.
    public var addedByName: String
    /// When the name or the place last changed.
    public var changedAt: Moment
    public var trashedAt: Moment?
    /// Nil on the desk itself.
    public var folder: ID<Folder>?
    /// By name.
    public var tags: [String] = []
    /// What somebody wrote about it.
    public var note = ""
    /// The day it is from, `2026-11-21`; empty when nobody said.
    public var date = ""
    /// Which of its states this is, from 1.
    public var version = 1
    /// Whom it has to do with, by name.
    public var people: [PaperPerson] = []
    /// What is written in the desk's fields, by their names.
    public var values: [PaperValue] = []
    /// Why nobody may throw it away; nil when nothing holds it.
    public var hold: String?
    /// Nil when it has none, or nobody has looked yet.
    public var pageCount: Int?
    /// The mail it came with.
    public var origin: ID<Document>?
    /// Nil when somebody laid it here themselves, or it is older than the question.
    public var arrival: PaperArrival?

    public var isTrashed: Bool { trashedAt != nil }

    /// The name for somebody's disk: with the ending that programs expect of such bytes.
    public var fileName: String { FileName.safe(FileName.completed(name, for: blob.mediaType)) }

    /// How the journal and share links name it.
    public var subject: Subject { Document.subject(id) }

    public static func subject(_ id: ID<Document>) -> Subject { Subject(kind: "document", id: id.text) }
}

extension Document {
    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        blob = Blob(
            digest: try row.digest("digest"), byteCount: try row.integer("byte_count"),
            mediaType: try row.text("media_type"))
        addedAt = try row.moment("added_at")
        addedBy = try row.text("added_by")
        addedByName = try row.text("added_by_name")
        changedAt = try row.moment("changed_at")
        trashedAt = try row.optionalMoment("trashed_at")
        folder = try row.optionalText("folder").flatMap(ID.init)
        tags = try row.text("tag_names").split(separator: "\n").map(String.init)
        note = try row.text("note")
        date = try row.text("dated")
        version = try row.int("version")
        people = try row.text("people_names").split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            return PaperPerson(name: String(parts[0]), contact: parts.count > 1 ? String(parts[1]) : "")
        }
        values = try row.text("field_values").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 1)
            return parts.count == 2 ? PaperValue(field: String(parts[0]), value: String(parts[1])) : nil
        }
        hold = try row.optionalText("hold")
        let pages = try row.int("pages")
        pageCount = pages > 0 ? pages : nil
        origin = try row.optionalText("origin").flatMap(ID.init)
        arrival = PaperArrival(rawValue: try row.text("arrival"))
    }
}

/// Something happened to a document; for those who show it.
public struct DocumentChange: Sendable, Equatable {
    public enum Act: String, Sendable {
        case added, revised, renamed, moved, labelled, trashed, restored, purged
    }

    public var act: Act
    public var document: Document
}
