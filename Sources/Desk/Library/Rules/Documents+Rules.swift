public import Access
import Bytes
import Kinds
import SQL
public import Storage
import Transfer
public import Work

extension Documents {
    public static let mostRules = 500

    public func rules(by caller: Caller) throws -> [FilingRule] {
        try caller.require(.view)
        return try store.read { desk in
            let rules = try rules(in: desk)
            guard !caller.seesPrivate, try hasHidden(in: desk) else { return rules }
            // By which words private papers are told apart says what stands in them.
            return try rules.filter { try $0.conditions.folder.map { try !isHidden($0, in: desk) } ?? true }
        }
    }

    func rules(in desk: borrowing some Readable & ~Copyable) throws -> [FilingRule] {
        try desk.rows("SELECT * FROM filing_rule ORDER BY made_at, id").map(FilingRule.init)
    }

    /// A new rule, or other words for one that is there. Papers that came before are looked at only when asked
    /// (`applyRule`).
    @discardableResult
    public func setRule(
        _ id: ID<FilingRule>? = nil, named name: String, _ conditions: FilingRule.Conditions,
        _ outcome: FilingRule.Outcome, actsAtOnce: Bool = false, by caller: Caller
    ) throws -> FilingRule {
        try caller.require(.edit)
        guard let name = FileName.title(name), name.unicodeScalars.count <= 100 else {
            throw Failure(.invalid, "A rule needs a name of at most 100 characters.", field: "name")
        }
        guard !conditions.isEmpty else {
            throw Failure(
                .invalid, "Say which papers: a folder, a name, words or who sent them.", field: "words")
        }
        guard conditions.sender.unicodeScalars.count <= 300 else {
            throw Failure(.invalid, "The sender is longer than an address can be.", field: "sender")
        }
        if !conditions.words.isEmpty {
            let wanted = Wanted(conditions.words)
            guard !wanted.isEmpty, wanted.folders.isEmpty, wanted.after == nil, wanted.before == nil else {
                throw Failure(
                    .invalid,
                    "A rule looks at words, type:, tag:, by: and pages; for a folder choose it beside.",
                    field: "words")
            }
        }
        guard !outcome.isEmpty else {
            throw Failure(.invalid, "Say what becomes of them: a folder, tags or a title.", field: "title")
        }
        let tags = try outcome.tags.map { text throws(Failure) in
            guard let tag = Tag.cleaned(text) else {
                throw Failure(.invalid, "A tag needs a name.", field: "tags")
            }
            return tag
        }
        return try store.write { tx in
            for place in [conditions.folder, outcome.folder] {
                if let place, try folder(place, in: tx).trashedAt != nil { throw noFolder }
            }
            // What a rule finds in private papers is known to whoever wrote its words.
            try checkMayAsk(conditions.folder, by: caller, in: tx)
            if let id { try checkMayAsk(self.rule(id, in: tx).conditions.folder, by: caller, in: tx) }
            let count = try tx.row("SELECT count(*) AS n FROM filing_rule")
            guard try count?.int("n") ?? 0 < Self.mostRules else {
                throw Failure(.tooMany, "There are \(Self.mostRules) rules already, as many as can be.")
            }
            let id = id ?? tx.newID()
            try tx.run(
                """
                INSERT INTO filing_rule (id, name, from_folder, name_pattern, words, to_folder, tags, title, at_once,
                    made_at, made_by, sender, sees_private)
                VALUES (\(id), \(name), \(conditions.folder?.text), \(conditions.name), \(conditions.words),
                    \(outcome.folder?.text), \(tags.joined(separator: "\n")), \(outcome.title),
                    \(actsAtOnce ? 1 : 0), \(tx.now), \(caller.actor), \(conditions.sender), \(caller.seesPrivate ? 1 : 0))
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, from_folder = excluded.from_folder,
                    name_pattern = excluded.name_pattern, words = excluded.words, to_folder = excluded.to_folder,
                    tags = excluded.tags, title = excluded.title, at_once = excluded.at_once, sender = excluded.sender,
                    sees_private = excluded.sees_private
                """)
            // What it once suggested and nobody has looked at, it suggests anew.
            try tx.run("DELETE FROM filing_suggestion WHERE rule = \(id.text) AND state = 'open'")
            tx.note("rule.set", "rule/\(id)", by: caller.actor, ["name": .string(name)])
            return try self.rule(id, in: tx)
        }
    }

    private func rule(
        _ id: ID<FilingRule>, in desk: borrowing some Readable & ~Copyable
    ) throws -> FilingRule {
        guard let row = try desk.row("SELECT * FROM filing_rule WHERE id = \(id)") else { throw noRule }
        return try FilingRule(row)
    }

    private func checkMayAsk(
        _ place: ID<Folder>?, by caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws {
        if let place, try isHidden(place, in: desk) { try checkSees(caller) }
    }

    /// With what it suggested and nobody has taken.
    public func removeRule(_ id: ID<FilingRule>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let rule = try self.rule(id, in: tx)
            try checkMayAsk(rule.conditions.folder, by: caller, in: tx)
            try tx.run("DELETE FROM filing_suggestion WHERE rule = \(id.text) AND state = 'open'")
            try tx.run("DELETE FROM filing_rule WHERE id = \(id)")
            tx.note("rule.removed", "rule/\(id)", by: caller.actor, ["name": .string(rule.name)])
        }
    }

    /// Looks at all papers that are there, not only at those to come; how many suggestions it makes. Also of a rule that
    /// acts at once nothing is done to them unasked.
    public func applyRule(_ id: ID<FilingRule>, by caller: Caller) throws -> Int {
        try caller.require(.edit)
        let rule = try store.read { desk in
            let rule = try self.rule(id, in: desk)
            try checkMayAsk(rule.conditions.folder, by: caller, in: desk)
            return rule
        }
        var count = 0
        var last = ""
        while true {
            // In portions, so that others get to write in between.
            let (made, next) = try store.write { tx -> (Int, String?) in
                let some = try tx.rows(
                    "SELECT * FROM document WHERE id > \(last) AND trashed_at IS NULL ORDER BY id LIMIT 200"
                ).map(Document.init)
                var made = 0
                let tree = try tree(in: tx, counting: false)
                for document in some where try suggest(rule, for: document, tree, in: tx) != nil {
                    // What it found among private papers is told to those who see them.
                    let isTold =
                        try caller.seesPrivate || !(document.folder.map { try isHidden($0, in: tx) } ?? false)
                    if isTold { made += 1 }
                }
                return (made, some.last?.id.text)
            }
            count += made
            guard let next else { return count }
            last = next
        }
    }

    // MARK: Suggestions

    public func suggestions(
        _ state: FilingSuggestion.State = .open, of document: ID<Document>? = nil, limit: Int = 100,
        by caller: Caller
    ) throws -> [(suggestion: FilingSuggestion, document: Document)] {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            let only: Query = document.map { "AND document = \($0)" } ?? ""
            let rows = try desk.rows(
                """
                SELECT * FROM filing_suggestion WHERE state = \(state.rawValue) \(only)
                    AND document IN (SELECT id FROM document WHERE trashed_at IS NULL\(shown))
                ORDER BY made_at DESC, id DESC LIMIT \(min(max(1, limit), Self.mostPerPage))
                """
            ).map(FilingSuggestion.init)
            return try rows.map { ($0, try find($0.document, in: desk)) }
        }
    }

    /// How many papers rules have filed by themselves since then, and nobody has undone it.
    public func filedByRulesCount(since moment: Moment, by caller: Caller) throws -> Int {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            return try desk.row(
                """
                SELECT count(DISTINCT document) AS n FROM filing_suggestion
                WHERE state = 'taken' AND made_at > \(moment) AND settled_at = made_at
                    AND document IN (SELECT id FROM document WHERE trashed_at IS NULL\(shown))
                """)?.int("n") ?? 0
        }
    }

    public func openSuggestionCount(by caller: Caller) throws -> Int {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            return try desk.row(
                """
                SELECT count(*) AS n FROM filing_suggestion
                WHERE state = 'open' AND document IN (SELECT id FROM document WHERE trashed_at IS NULL\(shown))
                """)?.int("n") ?? 0
        }
    }

    /// Does what was suggested: all of them or, when one cannot be done, none.
    @discardableResult
    public func take(_ ids: [ID<FilingSuggestion>], by caller: Caller) throws -> [Document] {
        try caller.require(.edit)
        return try store.write { tx in
            try ids.map { id in
                let suggestion = try suggestion(id, in: tx)
                _ = try find(suggestion.document, for: caller, in: tx)
                guard suggestion.state == .open else { throw settled }
                return try take(suggestion, actor: caller.actor, in: tx)
            }
        }
    }

    /// Leaves papers as they are; the rule does not suggest it again.
    public func leave(_ ids: [ID<FilingSuggestion>], by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            for id in ids {
                let suggestion = try suggestion(id, in: tx)
                _ = try find(suggestion.document, for: caller, in: tx)
                guard suggestion.state == .open else { throw settled }
                try settle(id, .left, in: tx)
            }
        }
    }

    /// Takes back what was taken: what the paper was called and where it lay, without the tags it got. What somebody
    /// changed since stays as they made it.
    @discardableResult
    public func undo(_ ids: [ID<FilingSuggestion>], by caller: Caller) throws -> [Document] {
        try caller.require(.edit)
        return try store.write { tx in
            try ids.map { id in
                let done = try suggestion(id, in: tx)
                guard done.state == .taken else {
                    throw Failure(.conflict, "This was not done, or was undone already.")
                }
                var document = try find(done.document, for: caller, in: tx)
                var filing = Filing(removedTags: done.tags)
                if done.folder != nil, document.folder == done.folder {
                    filing.folder = .some(done.folderBefore)
                }
                if case .some(.some(let place)) = filing.folder,
                    try tx.row("SELECT id FROM folder WHERE id = \(place) AND trashed_at IS NULL") == nil
                {
                    filing.folder = .some(nil)
                }
                document = try file(document, as: filing, actor: caller.actor, in: tx)
                if let title = done.title, document.name == title {
                    document = try rename(document, to: done.titleBefore, actor: caller.actor, in: tx)
                }
                try settle(id, .undone, in: tx)
                return document
            }
        }
    }

    /// What the rules say about a paper whose words were just read.
    func considerRules(_ id: ID<Document>, in tx: borrowing Transaction) throws {
        let rules = try rules(in: tx)
        guard !rules.isEmpty else { return }
        let tree = try tree(in: tx, counting: false)
        var asks = false
        for rule in rules {
            let document = try find(id, in: tx)
            guard let made = try suggest(rule, for: document, tree, in: tx) else { continue }
            guard rule.actsAtOnce else {
                // What is found among private papers is nobody else's business.
                asks = try asks || !(document.folder.map { try isHidden($0, in: tx) } ?? false)
                continue
            }
            _ = try take(made, actor: "rule/\(rule.id)", in: tx)
        }
        if asks { try access.notices.tell(.papersWait, "suggestions", in: tx) }
    }

    /// Nil when the rule does not mean this paper, would change nothing, or has suggested it before.
    private func suggest(
        _ rule: FilingRule, for document: Document, _ tree: FolderTree, in tx: borrowing Transaction
    ) throws -> FilingSuggestion? {
        guard !document.isTrashed,
            try tx.row(
                "SELECT id FROM filing_suggestion WHERE document = \(document.id) AND rule = \(rule.id.text)")
                == nil
        else { return nil }
        // Set by somebody else, it could be written to learn a private paper's words, or to carry it out.
        if !rule.seesPrivate, let here = document.folder, try isHidden(here, in: tx) { return nil }
        if let place = rule.conditions.folder {
            guard let here = document.folder, tree.way(to: here).contains(where: { $0.folder.id == place })
            else {
                return nil
            }
        }
        if !rule.conditions.name.isEmpty, !NamePattern(rule.conditions.name).fits(document.name) {
            return nil
        }
        if !rule.conditions.sender.isEmpty {
            guard let sender = try sender(of: document, in: tx),
                SenderPattern(rule.conditions.sender).fits(sender)
            else { return nil }
        }
        let pages = try tx.rows(
            "SELECT page, text FROM document_page WHERE document = \(document.id) ORDER BY page")
        if !rule.conditions.words.isEmpty {
            let count = try tx.row("SELECT page_count FROM document_text WHERE document = \(document.id)")
            guard
                Wanted(rule.conditions.words).fits(
                    document, pages: try pages.map { Words.folded(try $0.text("text")) },
                    pageCount: try (count?.optionalInteger("page_count")).flatMap { $0 }.map(Int.init))
            else { return nil }
        }
        let first = try pages.first { try $0.int("page") > 0 }?.text("text") ?? ""
        var title: String?
        if !rule.outcome.title.isEmpty {
            title = TitlePattern(rule.outcome.title).title(of: document, saying: first)
            if title == document.name { title = nil }
        }
        let worn = Set(document.tags.map(Tag.folded))
        let tags = rule.outcome.tags.filter { !worn.contains(Tag.folded($0)) }
        let folder = rule.outcome.folder.flatMap { tree[$0]?.folder.id }.flatMap {
            $0 == document.folder ? nil : $0
        }
        guard folder != nil || !tags.isEmpty || title != nil else { return nil }
        let id: ID<FilingSuggestion> = tx.newID()
        try tx.run(
            """
            INSERT INTO filing_suggestion (id, document, rule, rule_name, state, folder, tags, title, folder_before,
                title_before, made_at)
            VALUES (\(id), \(document.id), \(rule.id.text), \(rule.name), 'open', \(folder?.text),
                \(tags.joined(separator: "\n")), \(title), \(document.folder?.text), \(document.name), \(tx.now))
            """)
        return try suggestion(id, in: tx)
    }

    /// Who sent the mail that a paper is, or came with.
    private func sender(of document: Document, in tx: borrowing Transaction) throws -> String? {
        let mail = try document.origin.map { try find($0, in: tx) } ?? document
        guard mail.blob.mediaType == PaperKind.mail.mediaType, mail.blob.byteCount <= 64 << 20,
            let bytes = try? store.blobs.read(mail.blob.digest)
        else { return nil }
        return MailFile(bytes).from
    }

    private func take(
        _ suggestion: FilingSuggestion, actor: String, in tx: borrowing Transaction
    ) throws -> Document {
        var document = try find(suggestion.document, in: tx)
        guard !document.isTrashed else { throw inTrash }
        try tx.run(
            """
            UPDATE filing_suggestion SET folder_before = \(document.folder?.text), title_before = \(document.name)
            WHERE id = \(suggestion.id)
            """)
        var filing = Filing(addedTags: suggestion.tags)
        if let place = suggestion.folder {
            guard try folder(place, in: tx).trashedAt == nil else { throw noFolder }
            filing.folder = .some(place)
        }
        document = try file(document, as: filing, actor: actor, in: tx)
        if let title = suggestion.title { document = try rename(document, to: title, actor: actor, in: tx) }
        try settle(suggestion.id, .taken, in: tx)
        return document
    }

    private func settle(
        _ id: ID<FilingSuggestion>, _ state: FilingSuggestion.State, in tx: borrowing Transaction
    ) throws {
        try tx.run(
            "UPDATE filing_suggestion SET state = \(state.rawValue), settled_at = \(tx.now) WHERE id = \(id)")
    }

    private func suggestion(
        _ id: ID<FilingSuggestion>, in desk: borrowing some Readable & ~Copyable
    ) throws -> FilingSuggestion {
        guard let row = try desk.row("SELECT * FROM filing_suggestion WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such suggestion. Its rule may have been changed.")
        }
        return try FilingSuggestion(row)
    }

    private var settled: Failure { Failure(.conflict, "Somebody has decided about this already.") }
    private var noRule: Failure { Failure(.notFound, "There is no such rule. It may have been removed.") }
}
