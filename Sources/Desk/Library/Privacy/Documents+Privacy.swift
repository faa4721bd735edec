public import Access
import Bytes
public import SQL
public import Storage

// Private folders: what lies in them and below them is shown only to whoever has just proved again who they are.

extension Documents {
    /// `hidden` repeats for each folder whether it or one above it is private, so that lists need not walk the tree.
    static let privacyTables = Migration(
        "privacy",
        script: """
            ALTER TABLE folder ADD COLUMN is_private INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE folder ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX folder_hidden ON folder (id) WHERE hidden = 1;
            """)

    /// Makes a folder with all below it private, or open to every member again. The links that were given away to it and
    /// to its papers go on working: whoever made them meant somebody.
    @discardableResult
    public func setPrivate(_ id: ID<Folder>, _ isPrivate: Bool, by caller: Caller) throws -> Folder {
        try caller.require(.edit)
        return try store.write { tx in
            let before = try folder(id, in: tx)
            guard before.trashedAt == nil else { throw noFolder }
            if try isHidden(id, in: tx) { try checkSees(caller) }
            guard before.isPrivate != isPrivate else { return before }
            try tx.run("UPDATE folder SET is_private = \(isPrivate ? 1 : 0) WHERE id = \(id)")
            try settlePrivacy(in: tx)
            tx.note(
                isPrivate ? "folder.closed" : "folder.opened", "folder/\(id)", by: caller.actor,
                ["name": .string(before.name)])
            return try folder(id, in: tx)
        }
    }

    /// Whether the desk has private folders.
    public func hasPrivateFolders() throws -> Bool {
        try store.read { desk in try hasHidden(in: desk) }
    }

    /// Which of these, as the journal names them (`document/018f…`), lie where this caller may not look.
    public func hidden(among subjects: some Sequence<String>, from caller: Caller) throws -> Set<String> {
        guard !caller.seesPrivate else { return [] }
        return try store.read { desk in
            guard try hasHidden(in: desk) else { return [] }
            var found: Set<String> = []
            for subject in Set(subjects) {
                let parts = subject.split(separator: "/", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let id = String(parts[1])
                let row: Row? =
                    switch parts[0] {
                    case "document":
                        try desk.row(
                            "SELECT 1 AS n FROM document JOIN folder ON folder.id = document.folder WHERE document.id = \(id) AND hidden = 1"
                        )
                    case "folder":
                        try desk.row("SELECT 1 AS n FROM folder WHERE id = \(id) AND hidden = 1")
                    default: nil
                    }
                if row != nil { found.insert(subject) }
            }
            return found
        }
    }

    /// The papers this caller may not see now, as a query for their ids; nil when there are none of them. For those who
    /// make something of papers and name it by them.
    public func hiddenPapers(
        from caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> Query? {
        guard !caller.seesPrivate, try hasHidden(in: desk) else { return nil }
        return
            "SELECT document.id FROM document JOIN folder ON folder.id = document.folder WHERE folder.hidden = 1"
    }

    /// After a folder was moved, made private or brought back.
    func settlePrivacy(in tx: borrowing Transaction) throws {
        let rows = try tx.rows("SELECT id, parent, is_private, hidden FROM folder")
        var parents: [String: String] = [:]
        var own: [String: Bool] = [:]
        var before: [String: Bool] = [:]
        for row in rows {
            let id = try row.text("id")
            parents[id] = try row.optionalText("parent")
            own[id] = try row.int("is_private") == 1
            before[id] = try row.int("hidden") == 1
        }
        for id in own.keys {
            var isHidden = false
            var next: String? = id
            var steps = 0
            while let here = next, !isHidden, steps < 100 {
                isHidden = own[here] ?? false
                next = parents[here]
                steps += 1
            }
            guard isHidden != before[id] else { continue }
            try tx.run("UPDATE folder SET hidden = \(isHidden ? 1 : 0) WHERE id = \(id)")
        }
    }

    // MARK: Asking

    /// What everybody may read about the work on a paper.
    func toldName(of document: Document) throws -> String {
        guard let folder = document.folder else { return document.name }
        return try store.read { desk in try isHidden(folder, in: desk) } ? "" : document.name
    }

    func hasHidden(in desk: borrowing some Readable & ~Copyable) throws -> Bool {
        try desk.row("SELECT 1 AS n FROM folder WHERE hidden = 1 LIMIT 1") != nil
    }

    func isHidden(_ id: ID<Folder>, in desk: borrowing some Readable & ~Copyable) throws -> Bool {
        try desk.row("SELECT 1 AS n FROM folder WHERE id = \(id) AND hidden = 1") != nil
    }

    /// The papers this caller may see: a condition, or nil for all of them.
    public func shown(to caller: Caller, in desk: borrowing some Readable & ~Copyable) throws -> Query? {
        guard !caller.seesPrivate, try hasHidden(in: desk) else { return nil }
        return Self.notHidden
    }

    static let notHidden: Query =
        "(document.folder IS NULL OR document.folder NOT IN (SELECT id FROM folder WHERE hidden = 1))"

    /// The paper of an id, for somebody who may see it. Whoever has a link to it was meant to.
    func find(
        _ id: ID<Document>, for caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> Document {
        let document = try find(id, in: desk)
        if case .share = caller.via { return document }
        guard !caller.seesPrivate, let folder = document.folder, try isHidden(folder, in: desk) else {
            return document
        }
        throw isPrivate
    }

    func checkSees(_ caller: Caller) throws(Failure) {
        guard !caller.seesPrivate else { return }
        throw isPrivate
    }

    /// The field is what pages and programs know it by.
    public var isPrivate: Failure {
        Failure(
            .denied,
            "This lies in a private folder. In the browser, show once more who you are; on the machine itself, add --private.",
            field: "private")
    }
}
