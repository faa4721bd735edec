public import Access
import Bytes
import Delivery
import Library
import SQL
import Storage
import Sync
import Work

/// How much a desk is used, counted out of what it keeps anyway and by `SearchTally`. Nothing leaves.
public struct DeskFigures: Sendable, Equatable {
    public struct Tool: Sendable, Equatable {
        /// As a step is written: `compress`; `convert` where papers only changed their kind.
        public var name: String
        public var uses: Int
    }

    /// Papers that are kept.
    public var papers = 0
    /// Of them, how many came in each week; as many weeks as were asked for, this one last.
    public var kept: [Int] = []
    /// How often somebody searched in each of these weeks.
    public var searches: [Int] = []
    /// Of the papers, how many every place had whole when it was visited last; nil where the desk keeps in step with none.
    public var inStep: Int?
    /// From the desk's first line in its history to its first paper; nil while there is none.
    public var untilFirstPaper: Duration?
    /// Over the conversions there still are, the most used first; nil for those who are not told of private papers.
    public var tools: [Tool]?
}

extension Quire {
    /// Private papers are counted for nobody for whom they are closed.
    public func figures(weeks: Int, by caller: Caller) throws -> DeskFigures {
        try caller.require(.view)
        return try store.read { desk in
            let shown = try documents.shown(to: caller, in: desk)
            let papers: Query = "document WHERE document.trashed_at IS NULL AND \(shown ?? "1 = 1")"
            var figures = DeskFigures()
            figures.papers = try desk.row("SELECT count(*) AS n FROM \(papers)")?.int("n") ?? 0
            let last = Week(of: store.clock.now()).number
            let first = last - Int64(weeks) + 1
            figures.kept = [Int](repeating: 0, count: weeks)
            for row in try desk.rows(
                """
                SELECT (document.added_at / 86400000 + 3) / 7 AS week, count(*) AS n FROM \(papers)
                    AND document.added_at >= \(Week(number: first).begins) GROUP BY 1
                """)
            {
                let place = Int(try row.integer("week") - first)
                if figures.kept.indices.contains(place) { figures.kept[place] = try row.int("n") }
            }
            let searches = try SearchTally.weeks(in: desk)
            figures.searches = (first...last).map { searches[$0] ?? 0 }
            if try desk.row("SELECT 1 AS one FROM sync_place LIMIT 1") != nil {
                figures.inStep = try desk.row(
                    """
                    SELECT count(*) AS n FROM \(papers) AND NOT EXISTS (
                        SELECT 1 FROM sync_place p WHERE NOT EXISTS (
                            SELECT 1 FROM sync_record r WHERE r.place = p.id AND r.kind = 'document'
                                AND r.id = document.id AND r.trouble IS NULL AND r.incoming IS NULL
                                AND r.is_untold = 0))
                    """)?.int("n")
            }
            let began = try desk.row("SELECT at FROM journal ORDER BY number LIMIT 1")?.moment("at")
            let paper = try desk.row("SELECT min(document.added_at) AS at FROM \(papers)")?.optionalMoment(
                "at")
            if let began, let paper { figures.untilFirstPaper = max(.zero, paper - began) }
            if shown == nil { figures.tools = try Self.tools(in: desk) }
            return figures
        }
    }

    private static func tools(in desk: borrowing some Readable & ~Copyable) throws -> [DeskFigures.Tool] {
        var uses: [String: Int] = [:]
        for row in try desk.rows("SELECT wishes FROM conversion WHERE state = 'done'") {
            let wishes = try? JSON(parsing: row.text("wishes"))
            let steps = (wishes?["then"]?.array ?? []).compactMap { step in
                step.string?.split(separator: "=").first.map(String.init)
            }
            for name in steps.isEmpty ? ["convert"] : steps { uses[name, default: 0] += 1 }
        }
        return uses.map { DeskFigures.Tool(name: $0.key, uses: $0.value) }
            .sorted { ($1.uses, $0.name) < ($0.uses, $1.name) }
    }
}
