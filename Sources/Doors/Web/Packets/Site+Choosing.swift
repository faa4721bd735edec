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
                try draft.tick(found == "yes", visit.found(for: draft), in: visit)
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
        let list = try visit.quire.recipients.get(visit.listID(of: batch.draft), by: caller)
        let limit = 100
        let page = try visit.quire.recipients.page(
            list.id,
            .init(try visit.found(for: batch.draft), offset: (visit.pageOfList - 1) * limit, limit: limit),
            by: caller)
        var group = try visit.group(of: batch.draft, in: list, and: "")
        let total = try visit.quire.recipients.count(list.id, group, by: caller)
        group.choice = batch.draft.people
        let ticked = try visit.quire.recipients.count(list.id, group, by: caller)
        var model = ChoosePeoplePage(
            batch: try visit.line(of: batch),
            people: page.recipients.map {
                .init(line: PersonLine($0, in: list), isTicked: batch.draft.people?.contains($0.id) ?? true)
            }, filter: visit.request.query["q"] ?? "", matchCount: page.matchCount, totalCount: total,
            tickedCount: ticked)
        model.page = visit.pageOfList
        model.pageCount = max(1, (page.matchCount + limit - 1) / limit)
        model.limit = try visit.quire.access.entitlements.decide(.recipients(ticked)).limit
        return Pages.choosePeople(visit.frame, model)
    }
}

extension BatchDraft {
    /// Ticks all that are found, or none of them; without a search that is everybody, or nobody, and needs no names.
    fileprivate mutating func tick(_ isTicked: Bool, _ found: RecipientFilter, in visit: Visit) throws {
        if (visit.request.query["q"] ?? "").isEmpty {
            people = isTicked ? nil : try RecipientChoice(only: [])
            return
        }
        var ids: Set<ID<Recipient>> = []
        try visit.quire.recipients.each(visit.listID(of: self), found, by: visit.member()) {
            ids.insert($0.id)
        }
        people = try RecipientChoice.setting(ids, isTicked, in: people)
    }
}

extension Visit {
    fileprivate func listID(of draft: BatchDraft) throws -> ID<RecipientList> {
        guard let id = draft.list.flatMap({ ID<RecipientList>($0) }) else {
            throw Failure(.conflict, "Choose for whom first.", field: "list")
        }
        return id
    }

    /// What the search on the page finds, of those the batch's list or its group has.
    fileprivate func found(for draft: BatchDraft) throws -> RecipientFilter {
        let list = try quire.recipients.get(listID(of: draft), by: member())
        return try group(of: draft, in: list, and: request.query["q"] ?? "")
    }

    fileprivate func group(
        of draft: BatchDraft, in list: RecipientList, and search: String
    ) throws -> RecipientFilter {
        guard let audience = draft.audience else { return RecipientFilter(typed: search, in: list.columns) }
        return try filter(of: audience, in: list, and: search)
    }
}
