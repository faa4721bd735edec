import Storage

/// A sort of things that is kept in step, and how it lies in this desk.
protocol SyncedKind: Sendable {
    /// As it stands in what travels; never changed once released.
    var name: String { get }
    /// What the journal calls them, so that what changed is found by it; nil when all are looked at each time.
    var journalKind: String? { get }
    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String]
    /// Nil when it is not here.
    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem?
    /// Makes it what the item says.
    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws
    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws
    /// False while something here keeps it from being thrown away.
    func mayGo(_ id: String, in tx: borrowing Transaction) throws -> Bool
}

extension SyncedKind {
    func mayGo(_ id: String, in tx: borrowing Transaction) throws -> Bool { true }
}
