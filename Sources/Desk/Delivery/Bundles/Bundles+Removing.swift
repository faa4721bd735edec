public import Access
import Bytes
import Filling
import Library
import People
import SQL
public import Storage

extension Bundles {
    /// What became of a bundle that was removed.
    public struct Removal: Sendable, Equatable {
        /// How many things went with it into the trash.
        public var count: Int
        /// The names of what it brought and somebody uses: that stays.
        public var stays: [String]
    }

    /// Takes a bundle away, and what it brought where nobody uses it; `restore` brings all of it back. Of the example
    /// goes everything that it began, too.
    @discardableResult
    public func remove(_ id: ID<KeptBundle>, by caller: Caller) throws -> Removal {
        try caller.require(.edit)
        let bundle = try get(id, by: caller)
        guard bundle.isKept else {
            try store.write { tx in try tx.run("DELETE FROM bundle WHERE id = \(id) AND kept_at IS NULL") }
            return Removal(count: 0, stays: [])
        }
        for batch in bundle.brought.batches {
            guard let found = try? batches.get(batch, by: caller), !found.isTrashed else { continue }
            // As it was begun: nobody has decided anything about it yet.
            let isForOthers = found.draft.list.map { list in
                !bundle.brought.lists.contains { $0.text == list }
            }
            let isUntouched = found.state == .draft && found.version == 1 && isForOthers != true
            if bundle.isExample || isUntouched {
                try batches.trash(batch, by: caller)
            }
        }
        let gone = try takeAway(bundle.brought, by: caller)
        return try store.write { tx in
            var brought = try find(id, in: tx).brought
            brought.removed = try gone.removed + trashed(bundle.brought.batches, in: tx)
            try tx.run("UPDATE bundle SET removed_at = \(tx.now) WHERE id = \(id)")
            try write(brought, of: id, in: tx)
            tx.note("bundle.removed", "bundle/\(id)", by: caller.actor, ["name": .string(bundle.name)])
            return Removal(count: brought.removed.count, stays: gone.stays)
        }
    }

    /// Back with everything that went with it.
    @discardableResult
    public func restore(_ id: ID<KeptBundle>, by caller: Caller) throws -> KeptBundle {
        try caller.require(.edit)
        let bundle = try get(id, by: caller)
        guard bundle.removedAt != nil else { return bundle }
        for thing in bundle.brought.removed {
            let words = thing.split(separator: "/").map(String.init)
            guard words.count == 2 else { continue }
            // What was removed for good meanwhile does not come back, and keeps nothing else away.
            switch words[0] {
            case "form": ID<Template>(words[1]).map { _ = try? templates.restore($0, by: caller) }
            case "mapping": ID<SavedMapping>(words[1]).map { _ = try? mappings.restore($0, by: caller) }
            case "document": ID<Document>(words[1]).map { _ = try? documents.restore($0, by: caller) }
            case "list": ID<RecipientList>(words[1]).map { _ = try? recipients.restore($0, by: caller) }
            default: ID<Batch>(words[1]).map { _ = try? batches.restore($0, by: caller) }
            }
        }
        return try store.write { tx in
            var brought = try find(id, in: tx).brought
            brought.removed = []
            try tx.run("UPDATE bundle SET removed_at = NULL WHERE id = \(id)")
            try write(brought, of: id, in: tx)
            tx.note("bundle.restored", "bundle/\(id)", by: caller.actor, ["name": .string(bundle.name)])
            return try find(id, in: tx)
        }
    }

    /// Puts into the trash what a bundle brought, where no send-out uses it.
    @discardableResult
    func takeAway(
        _ brought: KeptBundle.Brought, by caller: Caller
    ) throws -> (removed: [String], stays: [String]) {
        var removed: [String] = []
        var stays: [String] = []
        func go(_ kind: String, _ id: String, name: String?, _ trash: () throws -> Void) throws {
            // Gone already, or not for the caller to see.
            guard let name else { return }
            if try isUsed(id) {
                if !stays.contains(name) { stays.append(name) }
            } else {
                try trash()
                removed.append("\(kind)/\(id)")
            }
        }
        for part in brought.parts {
            if let id = part.mapping, part.isMappingNew {
                let mapping = (try? mappings.get(id, by: caller)).flatMap { $0.isTrashed ? nil : $0 }
                try go("mapping", id.text, name: mapping?.name) { try mappings.trash(id, by: caller) }
            }
            guard part.isNew else { continue }
            if let id = part.template {
                let form = (try? templates.get(id, by: caller)).flatMap { $0.isTrashed ? nil : $0 }
                try go("form", id.text, name: form?.name) { try templates.trash(id, by: caller) }
            }
            if let id = part.document {
                let paper = (try? documents.get(id, by: caller)).flatMap { $0.trashedAt == nil ? $0 : nil }
                try go("document", id.text, name: paper?.name) { try documents.trash(id, by: caller) }
            }
        }
        for id in brought.lists {
            let list = (try? recipients.get(id, by: caller)).flatMap { $0.isTrashed ? nil : $0 }
            try go("list", id.text, name: list?.name) { try recipients.trash(id, by: caller) }
        }
        return (removed, stays)
    }

    /// Whether a send-out that is there names it.
    private func isUsed(_ id: String) throws -> Bool {
        try store.read { desk in
            try desk.row(
                "SELECT 1 AS one FROM batch WHERE trashed_at IS NULL AND draft LIKE \("%\"\(id)\"%") LIMIT 1")
                != nil
        }
    }

    private func trashed(_ ids: [ID<Batch>], in tx: borrowing Transaction) throws -> [String] {
        try ids.filter { id in
            try tx.row("SELECT 1 AS one FROM batch WHERE id = \(id) AND trashed_at IS NOT NULL") != nil
        }.map { "batch/\($0)" }
    }
}
