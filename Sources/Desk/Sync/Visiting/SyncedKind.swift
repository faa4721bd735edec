public import Storage

/// A sort of things that is kept in step, and how it lies in this desk.
public protocol SyncedKind: Sendable {
    /// As it stands in what travels; never changed once released.
    var name: String { get }
    /// By what it is chosen.
    var thing: SyncPlace.Thing { get }
    /// How subjects of the journal begin that may have changed one of them; nil when they are looked at each time.
    var subjects: [String]? { get }
    /// Grows with each change of which the journal says nothing; always the same where there are none.
    func pulse(in desk: borrowing Reading) throws -> Int64
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
    public func pulse(in desk: borrowing Reading) throws -> Int64 { 0 }
    public func mayGo(_ id: String, in tx: borrowing Transaction) throws -> Bool { true }
}
