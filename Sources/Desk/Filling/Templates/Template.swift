public import Access
public import Bytes
import SQL
public import Storage
public import Work

/// A form that packets are made from: a name people know it by, and the file as its publisher last printed it.
public struct Template: Sendable, Equatable {
    public let id: ID<Template>
    public var name: String
    /// Where it is kept: `School/2026`; empty for none.
    public var folder: String
    public var edition: TemplateEdition
    public var addedAt: Moment
    public var addedBy: String
    public var addedByName: String
    /// When the name, the folder or the edition last changed.
    public var changedAt: Moment
    public var trashedAt: Moment?

    public var isTrashed: Bool { trashedAt != nil }

    public var subject: Subject { Template.subject(id) }
    public static func subject(_ id: ID<Template>) -> Subject { Subject(kind: "template", id: id.text) }
}

/// One file that a template has had. Editions stay: packets that were made from an old one can be made again.
public struct TemplateEdition: Sendable, Equatable {
    /// From 1.
    public var number: Int
    public var blob: Blob
    public var fileName: String
    public var pageCount: Int
    public var fieldCount: Int
    public var canBeFilled: Bool
    public var addedAt: Moment
    public var addedBy: String
    public var addedByName: String
}

extension Template {
    /// Of a row of `Templates.selection`.
    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        folder = try row.text("folder")
        edition = try TemplateEdition(row)
        addedAt = try row.moment("added_at")
        addedBy = try row.text("added_by")
        addedByName = try row.text("added_by_name")
        changedAt = try row.moment("changed_at")
        trashedAt = try row.optionalMoment("trashed_at")
    }

    public var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "folder": .string(folder),
            "edition": edition.json, "addedAt": .string(addedAt.iso8601), "addedBy": .string(addedByName),
            "changedAt": .string(changedAt.iso8601), "trashedAt": .optional(trashedAt?.iso8601),
        ]
    }
}

extension TemplateEdition {
    init(_ row: Row) throws {
        number = try row.int("edition_number")
        blob = Blob(
            digest: try row.digest("edition_digest"), byteCount: try row.integer("edition_byte_count"),
            mediaType: "application/pdf")
        fileName = try row.text("edition_file_name")
        pageCount = try row.int("edition_page_count")
        fieldCount = try row.int("edition_field_count")
        canBeFilled = try row.bool("edition_can_be_filled")
        addedAt = try row.moment("edition_added_at")
        addedBy = try row.text("edition_added_by")
        addedByName = try row.text("edition_added_by_name")
    }

    static let selection: Query = """
        e.number AS edition_number, e.digest AS edition_digest, e.byte_count AS edition_byte_count,
        e.file_name AS edition_file_name, e.page_count AS edition_page_count,
        e.field_count AS edition_field_count, e.can_be_filled AS edition_can_be_filled,
        e.added_at AS edition_added_at, e.added_by AS edition_added_by,
        e.added_by_name AS edition_added_by_name
        """

    public var json: JSON {
        [
            "number": .int(number), "fileName": .string(fileName), "digest": .string(blob.digest.hex),
            "byteCount": .integer(blob.byteCount), "pageCount": .int(pageCount),
            "fieldCount": .int(fieldCount), "canBeFilled": .bool(canBeFilled),
            "addedAt": .string(addedAt.iso8601), "addedBy": .string(addedByName),
        ]
    }
}

/// Something happened to a template; for those who show it.
public struct TemplateChange: Sendable, Equatable {
    public enum Act: String, Sendable { case added, renamed, moved, replaced, trashed, restored, purged }

    public var act: Act
    public var template: Template
}
