public import Access
import Bytes
import SQL
public import Storage
import Work

extension Documents {
    /// Nobody throws these papers away, changes what they say or lets a rule do so, until an owner lifts it.
    @discardableResult
    public func hold(_ ids: [ID<Document>], because reason: String, by caller: Caller) throws -> [Document] {
        try caller.require(.edit)
        guard let reason = FileName.title(reason) else {
            throw Failure(.invalid, "Say why they are held: a case, a letter, a name.", field: "reason")
        }
        return try store.write { tx in
            try ids.map { id in
                let document = try find(id, for: caller, in: tx)
                guard !document.isTrashed else { throw inTrash }
                try tx.run("UPDATE document SET hold = \(reason), held_by = \(caller.name) WHERE id = \(id)")
                tx.note(
                    "document.held", "document/\(id)", by: caller.actor,
                    ["name": .string(document.name), "reason": .string(reason)])
                return document
            }
        }
    }

    /// Owners may.
    @discardableResult
    public func release(_ ids: [ID<Document>], by caller: Caller) throws -> [Document] {
        try caller.require(.administer)
        return try store.write { tx in
            try ids.map { id in
                let document = try find(id, for: caller, in: tx)
                guard
                    try tx.run(
                        "UPDATE document SET hold = NULL, held_by = NULL WHERE id = \(id) AND hold IS NOT NULL"
                    ) > 0
                else { return document }
                tx.note(
                    "document.released", "document/\(id)", by: caller.actor, ["name": .string(document.name)])
                return document
            }
        }
    }

    public func keeping(of id: ID<Document>, by caller: Caller) throws -> Keeping {
        try caller.require(.view)
        return try store.read { desk in
            let document = try find(id, for: caller, in: desk)
            return try keeping(of: document, Keepers(self, in: desk), in: desk)
        }
    }

    // MARK: Rules

    public func retentionRules(by caller: Caller) throws -> [RetentionRule] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows("SELECT * FROM retention_rule ORDER BY name, id").map(RetentionRule.init)
        }
    }

    /// Owners may.
    @discardableResult
    public func addRetentionRule(
        named name: String, tag: String = "", folder place: ID<Folder>? = nil, months: Int,
        trashesAfter: Bool = false, by caller: Caller
    ) throws -> RetentionRule {
        try caller.require(.administer)
        guard let name = FileName.title(name), name.unicodeScalars.count <= 100 else {
            throw Failure(.invalid, "A rule needs a name of at most 100 characters.", field: "name")
        }
        let tag = Tag.cleaned(tag) ?? ""
        guard place != nil || !tag.isEmpty else {
            throw Failure(.invalid, "Say which papers: those with a tag, or in a folder.", field: "tag")
        }
        guard (1...1200).contains(months) else {
            throw Failure(.invalid, "Papers are kept from 1 month to 100 years.", field: "months")
        }
        return try store.write { tx in
            if let place, try folder(place, in: tx).trashedAt != nil { throw noFolder }
            let id: ID<RetentionRule> = tx.newID()
            try tx.run(
                """
                INSERT INTO retention_rule (id, name, tag, folder, months, trashes, made_at, made_by)
                VALUES (\(id), \(name), \(tag), \(place?.text), \(months), \(trashesAfter ? 1 : 0), \(tx.now),
                    \(caller.actor))
                """)
            tx.note("retention.set", "retention/\(id)", by: caller.actor, ["name": .string(name)])
            guard let row = try tx.row("SELECT * FROM retention_rule WHERE id = \(id)") else {
                throw noRetention
            }
            return try RetentionRule(row)
        }
    }

    /// Owners may; what it kept may go from then on.
    public func removeRetentionRule(_ id: ID<RetentionRule>, by caller: Caller) throws {
        try caller.require(.administer)
        try store.write { tx in
            guard let row = try tx.row("SELECT name FROM retention_rule WHERE id = \(id)") else {
                throw noRetention
            }
            try tx.run("DELETE FROM retention_rule WHERE id = \(id)")
            tx.note(
                "retention.removed", "retention/\(id)", by: caller.actor,
                ["name": .string(try row.text("name"))])
        }
    }

    /// Puts papers into the trash whose time has come by a rule that says so; what another rule or a hold keeps stays.
    /// Run by Quire itself, once a day; how many those were.
    @discardableResult
    public func endRetention() throws -> Int {
        var count = 0
        var last = ""
        while true {
            let (ended, next) = try store.write { tx -> (Int, String?) in
                let keepers = try Keepers(self, in: tx)
                guard keepers.rules.contains(where: \.trashesAfter) else { return (0, nil) }
                let today = String(tx.now.iso8601.prefix(10))
                let some = try tx.rows(
                    """
                    SELECT * FROM document WHERE id > \(last) AND trashed_at IS NULL AND hold IS NULL
                    ORDER BY id LIMIT 500
                    """
                ).map(Document.init)
                var ended = 0
                for document in some {
                    let rules = keepers.rules.filter { $0.means(document, keepers.tree) }
                    guard rules.contains(where: \.trashesAfter),
                        rules.allSatisfy({ $0.end(for: document) <= today })
                    else { continue }
                    try trash(document, by: "quire/retention", in: tx)
                    ended += 1
                }
                return (ended, some.last?.id.text)
            }
            count += ended
            guard let next else { return count }
            last = next
        }
    }

    /// All there is to know about what keeps papers, read once for many of them.
    struct Keepers {
        let rules: [RetentionRule]
        let tree: FolderTree

        init(_ documents: Documents, in desk: borrowing some Readable & ~Copyable) throws {
            rules = try desk.rows("SELECT * FROM retention_rule ORDER BY name, id").map(RetentionRule.init)
            tree =
                rules.isEmpty
                ? FolderTree([], paperCounts: [:]) : try documents.tree(in: desk, counting: false)
        }
    }

    /// Throws when a paper may not go: the sentence says why, and until when.
    func checkMayGo(
        _ document: Document, _ keepers: Keepers, in tx: borrowing Transaction
    ) throws {
        let keeping = try keeping(of: document, keepers, in: tx)
        if let reason = keeping.hold {
            throw Failure(
                .conflict, "“\(document.name)” is held (\(reason)). An owner can lift that.", field: "hold")
        }
        if let until = keeping.until, until > tx.now.iso8601.prefix(10) {
            throw Failure(
                .conflict,
                "“\(document.name)” has to be kept until \(until), says the rule “\(keeping.ruleName ?? "")”.",
                field: "retention")
        }
    }

    func checkIsNotHeld(_ document: Document, in tx: borrowing Transaction) throws {
        let row = try tx.row("SELECT hold FROM document WHERE id = \(document.id)")
        guard let reason = try row?.optionalText("hold") else { return }
        throw Failure(
            .conflict, "“\(document.name)” is held (\(reason)). An owner can lift that.", field: "hold")
    }

    private func keeping(
        of document: Document, _ keepers: Keepers, in desk: borrowing some Readable & ~Copyable
    ) throws -> Keeping {
        let row = try desk.row("SELECT hold, held_by FROM document WHERE id = \(document.id)")
        var keeping = Keeping(hold: try row?.optionalText("hold"), heldBy: try row?.optionalText("held_by"))
        for rule in keepers.rules where rule.means(document, keepers.tree) {
            let end = rule.end(for: document)
            if end > keeping.until ?? "" { (keeping.until, keeping.ruleName) = (end, rule.name) }
        }
        return keeping
    }

    private var noRetention: Failure {
        Failure(.notFound, "There is no such rule. It may have been removed.")
    }
}
