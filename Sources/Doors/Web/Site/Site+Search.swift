import Access
import App
import Bytes
import HTTP
import Library
import Storage

extension Site {
    /// What the command palette finds: places of the app, and documents by name.
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
            if !words.isEmpty {
                let page = try visit.quire.documents.list(
                    .init(filter: words, limit: 20), by: try visit.member())
                hits += page.documents.map {
                    .init(
                        title: $0.name, address: "/documents/\($0.id)", icon: .document, note: $0.addedByName)
                }
            }
            return try visit.show([
                "hits": .array(
                    hits.map {
                        [
                            "title": .string($0.title), "address": .string($0.address),
                            "icon": .string($0.icon.rawValue),
                            "note": .string($0.note),
                        ]
                    })
            ]) { Pages.search(frame, SearchPage(query: words, hits: hits)) }
        }
    ]
}
