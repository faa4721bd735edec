public import Bytes
import SQL
public import Storage
public import Work

/// Which column goes into which field of one template, as a readable text. Separate from any data: the same mapping
/// serves every list with such columns.
public struct SavedMapping: Sendable, Equatable {
    public let id: ID<SavedMapping>
    public let template: ID<Template>
    public var name: String
    public var text: String
    /// The edition of the template it was last written for.
    public var edition: Int
    /// Counts the changes of the text, so that two people do not undo each other's unseen.
    public var version: Int
    public var addedAt: Moment
    public var addedBy: String
    public var addedByName: String
    public var changedAt: Moment
    public var trashedAt: Moment?

    public var isTrashed: Bool { trashedAt != nil }
}

extension SavedMapping {
    init(_ row: Row) throws {
        id = try row.id("id")
        template = try row.id("template")
        name = try row.text("name")
        text = try row.text("text")
        edition = try row.int("edition")
        version = try row.int("version")
        addedAt = try row.moment("added_at")
        addedBy = try row.text("added_by")
        addedByName = try row.text("added_by_name")
        changedAt = try row.moment("changed_at")
        trashedAt = try row.optionalMoment("trashed_at")
    }

    public var json: JSON {
        [
            "id": .string(id.text), "template": .string(template.text), "name": .string(name),
            "text": .string(text), "edition": .int(edition), "version": .int(version),
            "addedAt": .string(addedAt.iso8601), "addedBy": .string(addedByName),
            "changedAt": .string(changedAt.iso8601), "trashedAt": .optional(trashedAt?.iso8601),
        ]
    }
}
