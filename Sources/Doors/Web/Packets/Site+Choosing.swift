import Access
import App
import Filling
import HTTP
import Library
import Markup
import People
import Storage

// Who of a list gets papers. What is ticked stays with the batch, whatever is searched for meanwhile.
extension Site {
    static let choosingActions: [Action] = [
        Action(.get, "/batches/{id}/whom", .member(.edit)) { visit in
            let batch = try visit.batch()
            guard !batch.state.isBegun, batch.draft.list != nil else {
                return .redirect(to: "/batches/\(batch.id)/people")
            }
            return visit.page(try choosePeople(visit, batch))
        },
        Action(.patch, "/batches/{id}/whom", .member(.edit)) { visit in
            let input = try visit.input
            let batch = try visit.batch()
            var draft = batch.draft
            if let found = try input.text("found") {
                try draft.tick(found == "yes", in: visit)
            } else {
                let shown = Set(try input.texts("shown").compactMap { ID<Recipient>($0) })
                let ticked = Set(try input.texts("people").compactMap { ID<Recipient>($0) })
                draft.people = try RecipientChoice.setting(
                    shown.intersection(ticked), true, in: draft.people)
                draft.people = try RecipientChoice.setting(
                    shown.subtracting(ticked), false, in: draft.people)
            }
            let changed = try visit.quire.batches.change(batch.id, to: draft, by: visit.member())
            let query = visit.request.query
            return visit.done(
                changed.json,
                next:
                    "/batches/\(batch.id)/whom?q=\(Pages.queryEncoded(query["q"] ?? ""))&page=\(visit.pageOfList)"
            )
        },
    ]

    private static func choosePeople(_ visit: Visit, _ batch: Batch) throws -> HTML {
        let caller = try visit.member()
        let list = try visit.list(of: batch.draft)
        let limit = 100
        let search = visit.request.query["q"] ?? ""
        let page = try visit.quire.recipients.page(
            list.id,
            .init(
                try visit.filter(of: batch.draft.audience, in: list, and: search),
                offset: (visit.pageOfList - 1) * limit, limit: limit), by: caller)
        let group = try visit.filter(of: batch.draft.audience, in: list, and: "")
        let ticked = try visit.quire.batches.recipientCount(of: batch)
        var model = ChoosePeoplePage(
            batch: try visit.line(of: batch),
            people: page.recipients.map {
                .init(line: PersonLine($0, in: list), isTicked: batch.draft.people?.contains($0.id) ?? true)
            }, filter: search, matchCount: page.matchCount,
            totalCount: try visit.quire.recipients.count(list.id, group, by: caller), tickedCount: ticked)
        model.page = visit.pageOfList
        model.pageCount = max(1, (page.matchCount + limit - 1) / limit)
        model.limit = try visit.quire.access.entitlements.decide(.recipients(ticked)).limit
        return Pages.choosePeople(visit.frame, model)
    }
}

extension BatchDraft {
    /// Ticks all that the page's search finds, or none of them; without a search that is everybody, or nobody, and needs
    /// no names.
    fileprivate mutating func tick(_ isTicked: Bool, in visit: Visit) throws {
        let search = visit.request.query["q"] ?? ""
        guard !search.isEmpty else {
            people = isTicked ? nil : try RecipientChoice(only: [])
            return
        }
        let list = try visit.list(of: self)
        var ids: Set<ID<Recipient>> = []
        try visit.quire.recipients.each(
            list.id, visit.filter(of: audience, in: list, and: search), by: visit.member()
        ) { ids.insert($0.id) }
        people = try RecipientChoice.setting(ids, isTicked, in: people)
    }
}

extension Visit {
    fileprivate func list(of draft: BatchDraft) throws -> RecipientList {
        guard let id = draft.list.flatMap({ ID<RecipientList>($0) }) else {
            throw Failure(.conflict, "Choose for whom first.", field: "list")
        }
        return try quire.recipients.get(id, by: member())
    }
}
