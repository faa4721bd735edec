import Access
import App
import Bytes
import Converting
import HTTP
import Jobs
import Library
import Markup
import Storage
import Work

// Taking back what was done to papers.

extension Site {
    static let undoActions: [Action] = [
        Action(.post, "/undoings/{id}", .member(.edit)) { visit in
            let caller = try visit.member()
            guard let act = visit.site.undoings.take(visit.parameter("id"), by: caller.actor) else {
                throw Failure(.notFound, "This cannot be taken back any more, or was taken back already.")
            }
            let from = try visit.input.text("from") ?? ""
            let count = try visit.undo(act)
            return visit.done(
                [:], .noContent, next: from.hasPrefix("/documents") ? from : "/documents",
                notice: "notice.takenBack", ["count": .number(count)])
        }
    ]
}

extension Visit {
    /// The word that takes an act back, for the notice that tells of it.
    func undo(_ act: UndoShelf.Act, from: String = "/documents") throws -> Frame.Notice.Undo {
        let id = Base64.urlEncode(quire.store.chance.bytes(12))
        site.undoings.keep(act, as: id, by: try member().actor)
        return .init(action: "/undoings/\(id)", fields: [(name: "from", value: from)])
    }

    /// How many papers are again as they were. What somebody has changed since stays as they made it, and what is gone
    /// is passed over.
    fileprivate func undo(_ act: UndoShelf.Act) throws -> Int {
        let caller = try member()
        let documents = quire.documents
        var count = 0
        switch act {
        case .filed(let papers):
            let tree = try documents.folders(by: caller, counting: false)
            for (before, after) in papers {
                guard let now = try? documents.get(after.id, by: caller), !now.isTrashed else { continue }
                func past<Part: Equatable>(_ part: KeyPath<Document, Part>) -> Part? {
                    before[keyPath: part] != after[keyPath: part]
                        && now[keyPath: part] == after[keyPath: part]
                        ? before[keyPath: part] : nil
                }
                var filing = Documents.Filing(
                    folder: past(\.folder), addedTags: before.tags.filter { !after.tags.contains($0) },
                    removedTags: after.tags.filter { !before.tags.contains($0) }, note: past(\.note),
                    date: past(\.date), people: past(\.people))
                if let folder = before.folder, tree[folder] == nil { filing.folder = nil }
                if let values = past(\.values) {
                    let fields = Set(values.map(\.field))
                    filing.values =
                        values
                        + after.values.filter { !fields.contains($0.field) }.map {
                            PaperValue(field: $0.field, value: "")
                        }
                }
                try documents.file([now.id], as: filing, by: caller)
                if let name = past(\.name) { try documents.rename(now.id, to: name, by: caller) }
                count += 1
            }
        case .gathered(let folder, let papers):
            count = try undo(.filed(papers))
            // What somebody else has laid there keeps it.
            let tree = try documents.folders(by: caller)
            if tree[folder]?.totalCount == 0, tree.children(of: folder).isEmpty {
                _ = try? documents.trashFolder(folder, by: caller)
            }
        case .trashed(let ids):
            for id in ids where (try? documents.restore(id, by: caller)) != nil { count += 1 }
        case .added(let ids):
            for id in ids where (try? documents.trash(id, by: caller)) != nil { count += 1 }
        case .began(let id):
            count = try quire.conversions.get(id, by: caller).papers.count
            try quire.conversions.discard(id, by: caller)
        case .recognition(let id, let papers):
            if let job = try quire.queue.get(id) {
                _ = try? quire.queue.cancel(id)
                for copy in job.result?["copies"]?.array ?? [] {
                    guard let copy = copy.string.flatMap(ID<Document>.init) else { continue }
                    if (try? documents.trash(copy, by: caller)) != nil { count += 1 }
                }
            }
            for paper in papers {
                guard let now = try? documents.get(paper.id, by: caller), now.version == paper.version + 1
                else { continue }
                _ = try documents.bringBack(version: paper.version, of: paper.id, by: caller)
                count += 1
            }
        }
        return count
    }
}
