import SQL
public import Storage
import Work

/// How long papers of one kind have to be kept, and what becomes of them then.
public struct RetentionRule: Sendable, Equatable {
    public let id: ID<RetentionRule>
    public var name: String
    /// Papers that wear this tag.
    public var tag: String
    /// Papers that lie in this folder or below it.
    public var folder: ID<Folder>?
    /// From the day the paper is from; without one, from the day it came in.
    public var months: Int
    /// After that they go into the trash by themselves.
    public var trashesAfter: Bool

    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        tag = try row.text("tag")
        folder = try row.optionalText("folder").flatMap(ID.init)
        months = try row.int("months")
        trashesAfter = try row.int("trashes") == 1
    }

    func means(_ document: Document, _ tree: FolderTree) -> Bool {
        if !tag.isEmpty {
            let wanted = Tag.folded(tag)
            guard document.tags.contains(where: { Tag.folded($0) == wanted }) else { return false }
        }
        guard let folder else { return !tag.isEmpty }
        return document.folder.map { tree.way(to: $0).contains { $0.folder.id == folder } } ?? false
    }

    /// The first day on which a paper may go.
    func end(for document: Document) -> String {
        let from = document.date.isEmpty ? String(document.addedAt.iso8601.prefix(10)) : document.date
        return Self.day(from, plusMonths: months)
    }

    /// 31 January and a month is the last of February.
    static func day(_ day: String, plusMonths months: Int) -> String {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, months >= 0 else { return day }
        let whole = parts[0] * 12 + parts[1] - 1 + months
        let (year, month) = (whole / 12, whole % 12 + 1)
        let last = min(parts[2], WallTime.daysIn(month: month, of: year))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(last))"
    }
}

/// What keeps a paper from going.
public struct Keeping: Sendable, Equatable {
    /// Why nobody may throw it away, until somebody lifts it: a legal hold.
    public var hold: String?
    public var heldBy: String?
    /// The first day on which the rules let it go; nil when none means it.
    public var until: String?
    public var ruleName: String?

    public static let none = Keeping()
}

extension Documents {
    static let retentionTables = Migration(
        "retention",
        script: """
            CREATE TABLE retention_rule (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
                tag TEXT NOT NULL,
                folder TEXT REFERENCES folder (id) ON DELETE CASCADE,
                months INTEGER NOT NULL CHECK (months BETWEEN 1 AND 1200),
                trashes INTEGER NOT NULL,
                made_at INTEGER NOT NULL,
                made_by TEXT NOT NULL
            );
            ALTER TABLE document ADD COLUMN hold TEXT;
            ALTER TABLE document ADD COLUMN held_by TEXT;
            CREATE INDEX document_held ON document (id) WHERE hold IS NOT NULL;
            """)
}
