import Access
import App
import Bytes
import HTTP
import Library
import Storage

extension Site {
    /// What the command palette finds: places of the app, and papers by what they are called and what they say.
    static let searchActions: [Action] = [
        Action(
            .get, "/search", .member(.view),
            .init(
                "Find places and documents", tag: "Documents",
                parameters: [.init("q", "Words that must occur")],
                answers: [.ok("SearchResult", "The best few")])
        ) { visit in
            let words = visit.request.query["q"] ?? ""
            let frame = visit.frame
            let needle = words.lowercased()
            var hits = Pages.places(frame).filter { needle.isEmpty || $0.title.lowercased().contains(needle) }
            var meant: String?
            var unreadCount = 0
            if !words.isEmpty {
                visit.quire.searches.count(by: try visit.member().actor)
                let found = try visit.quire.documents.find(
                    words, sortedBy: try visit.findOrder(), limit: visit.wantsPage ? 50 : 20,
                    by: try visit.member())
                meant = found.meant
                unreadCount = found.unreadCount
                // The palette, which asks at every key, does not show them.
                let folders =
                    visit.wantsPage
                    ? try visit.quire.documents.folders(by: try visit.member(), counting: false) : nil
                hits += found.finds.map { find in
                    let paper = find.document
                    return .init(
                        title: paper.name, address: address(of: find, words), icon: .document,
                        note: find.snippet?.text ?? paper.addedByName, page: page(of: find),
                        snippet: find.snippet,
                        facts: .init(
                            folder: paper.folder.flatMap { folders?[$0]?.path }, pageCount: paper.pageCount,
                            addedAt: paper.addedAt))
                }
            }
            return try visit.show([
                "hits": .array(
                    hits.map {
                        [
                            "title": .string($0.title), "address": .string($0.address),
                            "icon": .string($0.icon.rawValue),
                            "note": .string($0.note), "page": $0.page.map(JSON.int) ?? .null,
                        ]
                    })
            ]) {
                Pages.search(
                    frame,
                    SearchPage(
                        query: words, hits: hits, meant: meant, unreadCount: unreadCount,
                        sort: visit.request.query["sort"] ?? ""))
            }
        },
        Action(
            .get, "/documents/matches", .member(.view),
            .init(
                "Find documents by what they are called and what they say",
                description:
                    "Words must all occur, each at least as the beginning of a word; `\"a phrase\"` as it stands; `-word` must "
                    + "not occur. `type:pdf`, `by:name`, `before:2026-01-31`, `after:2026-01-31`, `pages>3` and `pages<9` narrow. "
                    + "Those with the words in their name come first.",
                tag: "Documents",
                parameters: [
                    .init("q", "What to find"),
                    .init(
                        "sort", "In another order than by relevance",
                        schema: Schema.choice(["relevance"] + DocumentsPage.Sort.allCases.map(\.rawValue))),
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                ],
                answers: [.ok("DocumentMatches", "What was found, and where in it")])
        ) { visit in
            let query = visit.request.query
            visit.quire.searches.count(by: try visit.member().actor)
            let found = try visit.quire.documents.find(
                query["q"] ?? "", sortedBy: try visit.findOrder(),
                limit: try visit.limit(otherwise: 50, most: Documents.mostPerPage),
                by: try visit.member())
            return .json([
                "matches": .array(found.finds.map(\.json)), "total": .int(found.matchCount),
                "unread": .int(found.unreadCount), "meant": .optional(found.meant),
            ])
        },
    ]

    private static func page(of find: Documents.Find) -> Int? {
        PaperPages.isFoundByPage(find.document) ? find.page : nil
    }

    /// Where the words stand on a page, the paper opens there with them marked. The reader finds that page where it is not
    /// known yet.
    private static func address(of find: Documents.Find, _ words: String) -> String {
        guard find.page != nil, PaperPages.isReadable(find.document) else {
            return "/documents/\(find.document.id)"
        }
        return ReadPage.address(
            of: find.document.id.text, page: page(of: find) ?? 1, words: Wanted(words).plainWords)
    }
}

extension Visit {
    /// Nil for by relevance.
    func findOrder() throws(Failure) -> Documents.Listing.Order? {
        let word = request.query["sort"] ?? ""
        if word.isEmpty || word == "relevance" { return nil }
        guard let sort = DocumentsPage.Sort(rawValue: word) else {
            throw Failure(.invalid, "Sort by relevance, name, size, pages, date or added.", field: "sort")
        }
        return sort.order
    }
}
