public import Bytes
import SQL
public import Storage
public import Tables
public import Work

/// A file on its way into a list: taken, looked at, perhaps read in another way, and then applied or forgotten.
public struct RecipientImport: Sendable, Equatable {
    public let id: ID<RecipientImport>
    public let list: ID<RecipientList>
    /// What the source is called. A source of the list with the same name is replaced.
    public var name: String
    public var kind: RecipientSource.Kind
    public var digest: Digest
    public var settings: ImportSettings
    public var takenAt: Moment
    public var takenByName: String
    public var appliedAt: Moment?
    /// What it did, once applied.
    public var counts: ImportCounts?
}

/// What a person decided about an import; all else is found by looking.
public struct ImportSettings: Sendable, Equatable {
    public var options: TableOptions
    /// The column of the file whose cells tell recipients apart. Empty: none.
    public var keyColumn: String?
    /// What columns are for, by their names in the file; wins over what their names suggest. Nil: for nothing.
    public var roles: [String: ColumnRole?]

    public init(
        options: TableOptions = TableOptions(), keyColumn: String? = nil,
        roles: [String: ColumnRole?] = [:]
    ) {
        self.options = options
        self.keyColumn = keyColumn
        self.roles = roles
    }
}

/// What an import does to its list.
public struct ImportCounts: Sendable, Equatable {
    public var added = 0
    public var changed = 0
    public var unchanged = 0
    /// Were there from the same source and are not in the file any longer.
    public var gone = 0
    /// Set aside, to be mended.
    public var flawed = 0
    /// Rows mended earlier that came again as they were, and are mended again.
    public var mended = 0
    /// Cells typed over by hand that stay, as the file says the same as before.
    public var keptEdits = 0
    /// Cells typed over by hand that the file has changed meanwhile: the file wins.
    public var lostEdits = 0
    /// Rows whose key had come before in the file.
    public var duplicates = 0
    /// Left out because the sheet hides them.
    public var hidden = 0

    public init() {}

    public var rows: Int { added + changed + unchanged }
}

extension ImportCounts {
    public var view: JSON {
        [
            "added": .int(added), "changed": .int(changed), "unchanged": .int(unchanged), "gone": .int(gone),
            "flawed": .int(flawed), "mended": .int(mended), "keptEdits": .int(keptEdits),
            "lostEdits": .int(lostEdits), "duplicates": .int(duplicates), "hidden": .int(hidden),
        ]
    }

    init(_ view: JSON) {
        func count(_ name: String) -> Int { view[name]?.int ?? 0 }
        added = count("added")
        changed = count("changed")
        unchanged = count("unchanged")
        gone = count("gone")
        flawed = count("flawed")
        mended = count("mended")
        keptEdits = count("keptEdits")
        lostEdits = count("lostEdits")
        duplicates = count("duplicates")
        hidden = count("hidden")
    }
}

/// What an import would do, shown before it is done.
public struct ImportPreview: Sendable, Equatable {
    public var pending: RecipientImport
    /// How the file was read, and why.
    public var shape: TableShape
    /// Its first rows.
    public var rows: [TableRow]
    /// For each column of the file the column of the list it goes to, and what it is for.
    public var columns: [Column]
    public var email: EmailChoice
    public var key: KeyChoice
    /// Whether the list has this source already, and its rows are replaced.
    public var replacesSource: Bool
    /// Whether all of the file was read and compared; otherwise counts and examples are of its beginning alone.
    public var isWhole: Bool
    /// Rows that the sheet hides are among them: people should be told.
    public var counts: ImportCounts
    /// Some of those that change, go, or cannot be read.
    public var examples: [Example]
    public var notices: [String]

    public struct Column: Sendable, Equatable {
        public var name: String
        public var kind: Cell.Kind
        public var role: ColumnRole?
        public var isNew: Bool
    }

    public struct Example: Sendable, Equatable {
        public enum What: String, Sendable { case changed, gone, flawed, duplicate }

        public var what: What
        public var place: Int
        public var name: String
        /// What changes, in words: `Town: Rome → Oslo`.
        public var detail: String
    }
}

/// Which column tells recipients apart, and why.
public struct KeyChoice: Sendable, Equatable {
    public var column: String?
    public var reason: String
    public var isGiven: Bool
}

extension ImportSettings {
    var view: JSON {
        [
            "key": .optional(keyColumn),
            "roles": .object(
                JSONObject(roles.sorted { $0.key < $1.key }.map { ($0.key, .optional($0.value?.rawValue)) })),
            "options": [
                "format": .optional(options.format?.rawValue),
                "separator": .optional(options.separator.map { String($0) }),
                "quote": .optional(options.quote), "encoding": .optional(options.encoding),
                "sheet": .optional(options.sheet), "headerRow": .optional(options.headerRow),
                "hiddenRows": .bool(options.includesHiddenRows), "shortRows": .bool(options.fillsShortRows),
            ],
        ]
    }

    init(_ view: JSON) {
        var options = TableOptions()
        let given = view["options"]
        options.format = given?["format"]?.string.flatMap(TableFormat.init)
        options.separator = given?["separator"]?.string?.first
        options.quote = given?["quote"]?.string
        options.encoding = given?["encoding"]?.string
        options.sheet = given?["sheet"]?.string
        options.headerRow = given?["headerRow"]?.int
        options.includesHiddenRows = given?["hiddenRows"]?.bool ?? false
        options.fillsShortRows = given?["shortRows"]?.bool ?? false
        var roles: [String: ColumnRole?] = [:]
        for (name, role) in view["roles"]?.object ?? [:] {
            roles[name] = .some(role.string.flatMap(ColumnRole.init))
        }
        self.init(options: options, keyColumn: view["key"]?.string, roles: roles)
    }
}

extension RecipientImport {
    init(_ row: Row) throws {
        id = try row.id("id")
        list = try row.id("list_id")
        name = try row.text("name")
        kind = RecipientSource.Kind(rawValue: try row.text("kind")) ?? .file
        digest = try row.digest("digest")
        settings = ImportSettings(try JSON(parsing: try row.text("settings")))
        takenAt = try row.moment("taken_at")
        takenByName = try row.text("taken_by_name")
        appliedAt = try row.optionalMoment("applied_at")
        counts = try row.optionalText("result").map { ImportCounts(try JSON(parsing: $0)) }
    }
}
