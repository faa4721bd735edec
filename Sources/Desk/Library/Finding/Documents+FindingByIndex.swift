import SQL
import Storage

// On SQLite, also among a million pages.
extension Documents {
    /// When more papers have the words, those with them in the name and the newest are compared by how often they have
    /// them, and the others follow by their age.
    private static let mostCompared = 200

    func findByIndex(
        _ wanted: Wanted, _ sorting: Listing.Order?, _ part: Part,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> Finds {
        var matches = try PaperIndex.papers(having: wanted, in: desk)
        try leaveOut(&matches, narrowing(wanted, in: desk) + part.conditions, in: desk)
        let first =
            try sorting.map { try sorted(matches, part.order($0), part.end, in: desk) }
            ?? ranked(matches, wanted.terms, part.end, in: desk)
        let best = first.dropFirst(part.offset)
        var rows: [Int64: Row] = [:]
        for row in try desk.rows(
            "SELECT * FROM document WHERE index_number IN (\(PaperIndex.list(best.map(\.number))))")
        {
            rows[try row.integer("index_number")] = row
        }
        let finds = try best.compactMap { match -> Find? in
            guard let row = rows[match.number] else { return nil }
            let document = try Document(row)
            let hits =
                try match.hits ?? hits(of: [match.number], wanted.terms, in: desk)[match.number]
            guard let page = hits?.page else { return Find(document: document) }
            let text = try desk.row(
                "SELECT text FROM document_page WHERE document = \(document.id) AND page = \(page)")
            let snippet = try text.flatMap { Snippet(of: try $0.text("text"), for: wanted.terms) }
            return Find(document: document, page: page, snippet: snippet)
        }
        return Finds(finds: finds, matchCount: matches.all.count, unreadCount: 0)
    }

    private struct Match {
        var number: Int64
        var hits: Hits?
    }

    private struct Hits {
        /// The sum over the words of the pages that have each.
        var count: Int
        /// The first page with one of them.
        var page: Int?
    }

    /// What lies in the trash, and what is something else than is wanted.
    private func leaveOut(
        _ matches: inout PaperIndex.Matches, _ conditions: [Query],
        in desk: borrowing some Readable & ~Copyable
    ) throws {
        guard let last = matches.all.last else { return }
        guard !conditions.isEmpty else {
            // Few papers lie in the trash, and many may have the words.
            let trashed = try PaperIndex.numbers(
                "SELECT group_concat(index_number) AS numbers FROM document WHERE trashed_at IS NOT NULL",
                in: desk)
            guard !trashed.isEmpty else { return }
            let those = Set(trashed)
            return matches.keep { !those.contains($0) }
        }
        var query: Query = """
            SELECT group_concat(index_number) AS numbers FROM document
            WHERE trashed_at IS NULL AND \(conditions.joined(separator: " AND "))
            """
        if matches.all.count <= 2_000 { query += " AND index_number IN (\(PaperIndex.list(matches.all)))" }
        var fits = [Bool](repeating: false, count: Int(last) + 1)
        for number in try PaperIndex.numbers(query, in: desk) where number <= last {
            fits[Int(number)] = true
        }
        matches.keep { fits[Int($0)] }
    }

    private func ranked(
        _ matches: PaperIndex.Matches, _ terms: [Wanted.Term], _ limit: Int,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> [Match] {
        let most = max(limit, Self.mostCompared)
        let named = matches.named.sorted(by: >).prefix(most)
        let others = matches.all.reversed().lazy.filter { !matches.named.contains($0) }.prefix(most)
        let rows = try desk.rows(
            """
            SELECT index_number, pages FROM document
            WHERE index_number IN (\(PaperIndex.list(named + Array(others)))) ORDER BY added_at DESC, id DESC
            """)
        var pagesLeft = PaperIndex.mostPagesRead
        var compared: [Int64] = []
        var candidates = try rows.map { row -> (number: Int64, isNamed: Bool) in
            let number = try row.integer("index_number")
            return (number, matches.named.contains(number))
        }
        candidates = candidates.filter(\.isNamed) + candidates.filter { !$0.isNamed }
        let pageCounts = Dictionary(
            try rows.map { (try $0.integer("index_number"), try $0.int("pages")) }, uniquingKeysWith: { $1 })
        for candidate in candidates {
            pagesLeft -= max(1, pageCounts[candidate.number] ?? 1)
            if pagesLeft < 0, !compared.isEmpty { break }
            compared.append(candidate.number)
        }
        let hits = try hits(of: compared, terms, in: desk)
        // Sorting keeps the order of those that are alike: the newest first.
        let places = candidates.indices.sorted { one, other in
            let (first, second) = (candidates[one], candidates[other])
            return (first.isNamed ? 1 : 0, hits[first.number]?.count ?? 0, other)
                > (second.isNamed ? 1 : 0, hits[second.number]?.count ?? 0, one)
        }
        return places.prefix(limit).map {
            Match(number: candidates[$0].number, hits: hits[candidates[$0].number])
        }
    }

    private func sorted(
        _ matches: PaperIndex.Matches, _ order: Query, _ limit: Int,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> [Match] {
        guard let last = matches.all.last else { return [] }
        let isFew = matches.all.count <= 5_000
        var fits = [Bool](repeating: false, count: Int(last) + 1)
        for number in matches.all { fits[Int(number)] = true }
        var found: [Match] = []
        // Where many papers have the words, those that come first in the order are soon found among all.
        let portion = isFew ? limit : 2_000
        var offset = 0
        while found.count < limit {
            let condition: Query =
                isFew ? "index_number IN (\(PaperIndex.list(matches.all)))" : "trashed_at IS NULL"
            let rows = try desk.rows(
                """
                SELECT index_number FROM document WHERE \(condition)
                ORDER BY \(order) LIMIT \(portion) OFFSET \(offset)
                """)
            for row in rows where found.count < limit {
                let number = try row.integer("index_number")
                if number <= last, fits[Int(number)] { found.append(Match(number: number)) }
            }
            offset += portion
            if rows.count < portion || isFew { break }
        }
        return found
    }

    /// By the numbers of the papers. Their pages lie one behind the other, so no index is asked for each of them.
    private func hits(
        of papers: [Int64], _ terms: [Wanted.Term], in desk: borrowing some Readable & ~Copyable
    ) throws -> [Int64: Hits] {
        guard !papers.isEmpty else { return [:] }
        let pages = PaperIndex.pagesOfOne
        let rows = try desk.rows(
            """
            WITH paper (place) AS (VALUES \(PaperIndex.places(papers)))
            SELECT place, sum(hits) AS hits, min(CASE WHEN page > 0 AND hits > 0 THEN page END) AS page
            FROM (SELECT place, page, \(PaperIndex.held(terms)) AS hits FROM paper CROSS JOIN document_page
                ON number >= place * \(pages) AND number < (place + 1) * \(pages))
            GROUP BY place
            """)
        var hits: [Int64: Hits] = [:]
        for row in rows {
            hits[try row.integer("place")] = Hits(
                count: try row.int("hits"), page: try row.optionalInt("page"))
        }
        return hits
    }
}
