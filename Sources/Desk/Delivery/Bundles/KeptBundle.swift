public import Bytes
public import Filling
public import Library
public import People
import SQL
public import Storage
public import Work

/// A bundle that somebody is looking at or has kept.
public struct KeptBundle: Sendable, Equatable {
    public let id: ID<KeptBundle>
    public var name: String
    public var digest: Digest
    public var byteCount: Int64
    /// The send-out to play with that Quire brings along.
    public var isExample: Bool
    public var takenAt: Moment
    public var takenByName: String
    /// Nil as long as it is only looked at.
    public var keptAt: Moment?
    public var removedAt: Moment?
    public var brought: Brought

    public var isKept: Bool { keptAt != nil && removedAt == nil }

    /// What it put on the desk. What was there before is used, and not its own.
    public struct Brought: Sendable, Equatable {
        public struct Part: Sendable, Equatable {
            public var template: ID<Template>?
            public var mapping: ID<SavedMapping>?
            public var document: ID<Document>?
            /// The paper came with the bundle.
            public var isNew = false
            public var isMappingNew = false
        }

        /// In the order of the bundle's parts.
        public var parts: [Part] = []
        public var batches: [ID<Batch>] = []
        public var lists: [ID<RecipientList>] = []
        /// Taken away with the bundle, and back with it.
        public var removed: [String] = []
    }
}

extension KeptBundle {
    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        digest = try row.digest("digest")
        byteCount = Int64(try row.int("byte_count"))
        isExample = try row.bool("is_example")
        takenAt = try row.moment("taken_at")
        takenByName = try row.text("taken_by_name")
        keptAt = try row.optionalMoment("kept_at")
        removedAt = try row.optionalMoment("removed_at")
        brought = Brought(kept: try JSON(parsing: row.text("brought")))
    }

    public var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "byteCount": .integer(byteCount),
            "digest": .string(digest.hex), "example": .bool(isExample), "kept": .bool(isKept),
            "takenAt": .string(takenAt.iso8601), "takenBy": .string(takenByName),
            "batches": .array(brought.batches.map { .string($0.text) }),
        ]
    }
}

extension KeptBundle.Brought {
    var json: JSON {
        [
            "parts": .array(
                parts.map {
                    [
                        "template": .optional($0.template?.text), "mapping": .optional($0.mapping?.text),
                        "document": .optional($0.document?.text), "new": .bool($0.isNew),
                        "newMapping": .bool($0.isMappingNew),
                    ]
                }),
            "batches": .array(batches.map { .string($0.text) }),
            "lists": .array(lists.map { .string($0.text) }), "removed": .array(removed.map(JSON.string)),
        ]
    }

    init(kept json: JSON) {
        func ids<Of>(_ key: String, of: Of.Type = Of.self) -> [ID<Of>] {
            (json[key]?.array ?? []).compactMap { $0.string.flatMap { ID<Of>($0) } }
        }
        parts = (json["parts"]?.array ?? []).map { part in
            Part(
                template: part["template"]?.string.flatMap { ID<Template>($0) },
                mapping: part["mapping"]?.string.flatMap { ID<SavedMapping>($0) },
                document: part["document"]?.string.flatMap { ID<Document>($0) },
                isNew: part["new"]?.bool ?? false, isMappingNew: part["newMapping"]?.bool ?? false)
        }
        batches = ids("batches")
        lists = ids("lists")
        removed = (json["removed"]?.array ?? []).compactMap(\.string)
    }
}

/// What is in a bundle, for a person to look at before it is kept.
public struct BundleView: Sendable, Equatable {
    public struct Part: Sendable, Equatable {
        public enum Kind: String, Sendable, CaseIterable { case form, paper, attachment }

        public struct Line: Sendable, Equatable {
            public var field: String
            /// As the mapping says it: a column in braces, a text in quotation marks, a formula.
            public var source: String
        }

        public var kind: Kind
        public var name: String
        public var condition: String
        public var pageCount = 0
        public var fieldCount = 0
        public var lines: [Line] = []
        /// The mapping word for word: its tables, comments and decided words travel, too.
        public var mapping: String?
        /// Fields that the mapping does not name stay as they are.
        public var keepsOthers = false
        /// What does not fit together, in sentences.
        public var problems: [String] = []
    }

    public var name: String
    public var parts: [Part]
    public var naming: String
    public var options: BatchOptions
    public var letter: BatchLetter?
    public var files: [String]
    public var columns: [String]
    public var rows: [[String]]
    public var hasRealRows: Bool
    /// What of the file this Quire does not know, and what of the send-out does not go along.
    public var leftOut: [String]
    /// What of the file is never taken over.
    public var notTaken: Set<Bundles.HeldBack> = []

    public var json: JSON {
        [
            "name": .string(name),
            "parts": .array(
                parts.map { part in
                    [
                        "kind": .string(part.kind.rawValue), "name": .string(part.name),
                        "condition": .string(part.condition), "pageCount": .int(part.pageCount),
                        "fieldCount": .int(part.fieldCount), "keepsOthers": .bool(part.keepsOthers),
                        "mapping": .optional(part.mapping),
                        "lines": .array(
                            part.lines.map {
                                ["field": .string($0.field), "source": .string($0.source)]
                            }),
                        "problems": .array(part.problems.map(JSON.string)),
                    ]
                }),
            "naming": .string(naming), "options": options.json,
            "letter": letter.map {
                ["subject": .string($0.subject), "body": .string($0.body)]
            } ?? .null,
            "files": .array(files.map(JSON.string)), "columns": .array(columns.map(JSON.string)),
            "rows": .array(rows.map { .array($0.map(JSON.string)) }), "realRows": .bool(hasRealRows),
            "leftOut": .array(leftOut.map(JSON.string)),
            "notTaken": .array(
                Bundles.HeldBack.allCases.filter(notTaken.contains).map { .string($0.rawValue) }),
        ]
    }
}
