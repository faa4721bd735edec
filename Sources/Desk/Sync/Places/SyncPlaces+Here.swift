public import Access
import Library
import SQL
import Storage

extension SyncPlaces {
    /// The place that this desk is for other Quires; nil while it is none.
    public func here() throws -> SyncPlace? {
        try store.read { desk in
            try desk.row("SELECT * FROM sync_place WHERE kind = \(SyncPlace.Kind.here.rawValue)").map {
                try SyncPlace($0)
            }
        }
    }

    /// Makes this desk a place where other Quires meet; it takes part itself.
    @discardableResult
    public func openHere(_ choice: SyncPlace.Choice = .init(), by caller: Caller) throws -> SyncPlace {
        try caller.require(.administer)
        if let place = try here() { return place }
        return try add(SyncDraft(.here, address: "", choice: choice), by: caller)
    }

    /// What lies here for other Quires, for one of them.
    public func shelf(for caller: Caller) throws -> (place: SyncPlace, shelf: DeskShelf) {
        try caller.require(.keepInStep)
        try documents.requirePlan(.sync)
        guard let place = try here() else {
            throw Failure(
                .conflict, "This desk keeps in step with no other Quire any more. Ask there for a new code.")
        }
        guard !place.isPaused else {
            throw Failure(
                .unavailable, "This desk pauses. Nothing is lost meanwhile.", retryAfter: .seconds(300))
        }
        return (place, DeskShelf(store))
    }

    /// Another Quire has told something: it is put into effect here soon.
    public func heardHere(_ place: SyncPlace) throws {
        try store.write { tx in try promise(place.id, in: tx, after: Self.restAfterChange) }
    }
}
