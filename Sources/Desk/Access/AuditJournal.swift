public import Bytes
internal import SQL
public import Storage
public import Work

/// The journal as owners read it: who did what, with names instead of ids.
public struct AuditJournal: Sendable {
    let store: Store

    /// One line of it.
    public struct Line: Sendable, Equatable {
        public let number: Int64
        public let at: Moment
        public let actor: String
        /// "Ada", "this machine", "a visitor"; the id when nobody of this name is left.
        public let actorName: String
        public let verb: String
        public let subject: String
        public let detail: JSON
    }

    public struct Page: Sendable, Equatable {
        public let lines: [Line]
        /// What to ask for to see older ones; nil on the last page.
        public let before: Int64?
    }

    /// Newest first.
    public func page(
        _ filter: Journal.Filter = Journal.Filter(), before: Int64? = nil, limit: Int = 50, by caller: Caller
    ) throws -> Page {
        try caller.require(.administer)
        let limit = min(max(1, limit), 500)
        return try shown(store.journal.lines(filter, before: before, limit: limit + 1), limit)
    }

    /// What happened to one thing, and to the links that lead to it; for all who may see it.
    public func page(
        of subject: Subject, before: Int64? = nil, limit: Int = 50, by caller: Caller
    ) throws -> Page {
        try caller.require(.view, on: subject)
        let links = try store.read { desk in
            try desk.rows(
                "SELECT id FROM share_link WHERE subject_kind = \(subject.kind) AND subject_id = \(subject.id)"
            ).map { "share/\(try $0.text("id"))" }
        }
        let limit = min(max(1, limit), 500)
        var filter = Journal.Filter()
        filter.subjects = ["\(subject.kind)/\(subject.id)"] + links
        return try shown(store.journal.lines(filter, before: before, limit: limit + 1), limit)
    }

    private func shown(_ found: [Journal.Line], _ limit: Int) throws -> Page {
        let shown = found.prefix(limit)
        let names = try names(of: Set(shown.map(\.entry.actor)))
        let lines = shown.map { line in
            Line(
                number: line.number, at: line.at, actor: line.entry.actor,
                actorName: names[line.entry.actor] ?? Self.name(line.entry.actor), verb: line.entry.verb,
                subject: line.entry.subject, detail: line.entry.detail)
        }
        return Page(lines: lines, before: found.count > limit ? lines.last?.number : nil)
    }

    private func names(of actors: Set<String>) throws -> [String: String] {
        let ids = actors.filter { $0.hasPrefix("member/") }.map { String($0.dropFirst("member/".count)) }
        guard !ids.isEmpty else { return [:] }
        return try store.read { desk in
            let members = try desk.rows("SELECT id, name FROM member WHERE \(Query.column("id", in: ids))")
            let here = try members.map { ("member/" + (try $0.text("id")), try $0.text("name")) }
            return Dictionary(here, uniquingKeysWith: { first, _ in first })
        }
    }

    private static func name(_ actor: String) -> String {
        switch actor {
        case "local": "this machine"
        case "visitor": "a visitor"
        case let rule where rule.hasPrefix("rule/"): "a rule"
        case let place where place.hasPrefix("sync/"): "the sync"
        case let own where own.hasPrefix("quire/"): "Quire"
        default: actor.hasPrefix("share/") ? "a visitor with a link" : actor
        }
    }
}
