import SQL
public import Storage
public import Work

/// What somebody does with papers of one kind each time: where such papers lie, what they wear, what they are called.
/// A rule suggests; only one that was told to acts at once, and that is written down and can be undone.
public struct FilingRule: Sendable, Equatable {
    /// What a paper has to be like; everything that is not empty has to hold.
    public struct Conditions: Sendable, Equatable {
        /// It came into this folder, or one below it: where a scanner or a sender puts papers.
        public var folder: ID<Folder>?
        /// `Scan*.pdf`: a star for anything, a question mark for one sign.
        public var name: String
        /// As in the search: words that occur in it, "a phrase", -without, `type:pdf`, `tag:`, `by:`, `pages>`.
        public var words: String
        /// It is a mail from, or came with a mail from: a part of the name or address, or `*@bank.example` for all of it.
        public var sender: String

        public init(
            folder: ID<Folder>? = nil, name: String = "", words: String = "", sender: String = ""
        ) {
            self.folder = folder
            self.name = name
            self.words = words
            self.sender = sender
        }

        var isEmpty: Bool { folder == nil && name.isEmpty && words.isEmpty && sender.isEmpty }
    }

    /// What becomes of it; what is left out stays as it is.
    public struct Outcome: Sendable, Equatable {
        public var folder: ID<Folder>?
        public var tags: [String]
        /// `{date} {line}`; see `TitlePattern`.
        public var title: String

        public init(folder: ID<Folder>? = nil, tags: [String] = [], title: String = "") {
            self.folder = folder
            self.tags = tags
            self.title = title
        }

        var isEmpty: Bool { folder == nil && tags.isEmpty && title.isEmpty }
    }

    public let id: ID<FilingRule>
    public var name: String
    public var conditions: Conditions
    public var outcome: Outcome
    /// Nobody is asked; what was done is told and can be undone.
    public var actsAtOnce: Bool
    /// Whether private papers are asked too: only when those were open to whoever set it.
    var seesPrivate: Bool
    public var madeAt: Moment

    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        seesPrivate = try row.int("sees_private") == 1
        conditions = Conditions(
            folder: try row.optionalText("from_folder").flatMap(ID.init),
            name: try row.text("name_pattern"), words: try row.text("words"), sender: try row.text("sender"))
        outcome = Outcome(
            folder: try row.optionalText("to_folder").flatMap(ID.init),
            tags: try row.text("tags").split(separator: "\n").map(String.init), title: try row.text("title"))
        actsAtOnce = try row.int("at_once") == 1
        madeAt = try row.moment("made_at")
    }
}

/// What a rule would make of a paper, before and after.
public struct FilingSuggestion: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable { case open, taken, left, undone }

    public let id: ID<FilingSuggestion>
    public var document: ID<Document>
    public var ruleName: String
    public var state: State
    /// Nil for what stays as it is.
    public var folder: ID<Folder>?
    /// Those it does not wear yet.
    public var tags: [String]
    public var title: String?
    /// As it was when this was suggested.
    public var folderBefore: ID<Folder>?
    public var titleBefore: String
    public var madeAt: Moment

    init(_ row: Row) throws {
        id = try row.id("id")
        document = try row.id("document")
        ruleName = try row.text("rule_name")
        state = State(rawValue: try row.text("state")) ?? .left
        folder = try row.optionalText("folder").flatMap(ID.init)
        tags = try row.text("tags").split(separator: "\n").map(String.init)
        title = try row.optionalText("title")
        folderBefore = try row.optionalText("folder_before").flatMap(ID.init)
        titleBefore = try row.text("title_before")
        madeAt = try row.moment("made_at")
    }
}

extension Documents {
    /// Who sent a mail counts as well as what it says.
    static let ruleSenders = Migration(
        "senders in rules", script: "ALTER TABLE filing_rule ADD COLUMN sender TEXT NOT NULL DEFAULT ''")

    /// A rule reaches private papers when whoever set it saw them. Those about a private folder could be set by nobody else.
    static let ruleSight = Migration(
        "sight of rules",
        script: """
            ALTER TABLE filing_rule ADD COLUMN sees_private INTEGER NOT NULL DEFAULT 0;
            UPDATE filing_rule SET sees_private = 1 WHERE from_folder IN (SELECT id FROM folder WHERE hidden = 1);
            """)

    static let ruleTables = Migration(
        "rules",
        script: """
            CREATE TABLE filing_rule (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
                from_folder TEXT REFERENCES folder (id) ON DELETE CASCADE,
                name_pattern TEXT NOT NULL,
                words TEXT NOT NULL,
                to_folder TEXT REFERENCES folder (id) ON DELETE CASCADE,
                tags TEXT NOT NULL,
                title TEXT NOT NULL,
                at_once INTEGER NOT NULL,
                made_at INTEGER NOT NULL,
                made_by TEXT NOT NULL
            );
            CREATE TABLE filing_suggestion (
                id TEXT NOT NULL PRIMARY KEY,
                document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
                rule TEXT NOT NULL,
                rule_name TEXT NOT NULL,
                state TEXT NOT NULL CHECK (state IN ('open', 'taken', 'left', 'undone')),
                folder TEXT,
                tags TEXT NOT NULL,
                title TEXT,
                folder_before TEXT,
                title_before TEXT NOT NULL,
                made_at INTEGER NOT NULL,
                settled_at INTEGER
            );
            CREATE UNIQUE INDEX filing_suggestion_once ON filing_suggestion (document, rule);
            CREATE INDEX filing_suggestion_by_state ON filing_suggestion (state, made_at, id);
            """)
}
