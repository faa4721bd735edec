import Access
import App
import Crypto
import Jobs
import Library
import SQL
import Storage
@testable import Sync
import TestSupport
import Transfer
import Work

/// A desk of its own, with its own clock, that keeps in step with a place.
final class TestDesk {
    let hand = HandClock()
    let store: Store
    let documents: Documents
    let places: SyncPlaces
    let name: String
    private let keeper: ServedQuire?
    private(set) var place: SyncPlace?

    static let areas = [Gate.migrations, JobQueue.migrations, Documents.migrations, SyncTables.migrations]

    init(
        _ name: String, in folder: String, seed: UInt64, database: Store.DatabaseChoice = .memory
    ) throws {
        self.name = name
        keeper = nil
        let chance = Chance.seeded(seed)
        store = try Store.open(
            home: "\(folder)/\(name)", database: database, clock: hand.clock, chance: chance,
            areas: Self.areas)
        documents = Documents(Gate(store))
        places = SyncPlaces(
            store, documents: documents, queue: JobQueue(store),
            circumstances: .init(
                desk: { name }, key: { try SealingKey(bytes: [UInt8](repeating: 7, count: 32)) },
                cost: .least))
        place = try places.list(by: .local).first
    }

    /// A whole Quire that others reach over HTTP.
    init(serving name: String, in folder: String, seed: UInt64) throws {
        self.name = name
        let served = try ServedQuire(home: "\(folder)/\(name)", hand: hand, seed: seed)
        keeper = served
        store = served.quire.store
        documents = served.quire.documents
        places = served.quire.sync
        place = try places.openHere(by: .local)
    }

    /// What another Quire is told, so that it keeps in step with this one.
    func code(at address: String) throws -> String {
        guard let keeper else { throw Failure(.notFound, "not served") }
        let (token, _) = try keeper.quire.access.tokens.make(name: "other", scopes: [.sync], by: .local)
        return "\(address)#\(token.text)"
    }

    func revokeCodes() throws {
        for token in try keeper?.quire.access.tokens.list(by: .local) ?? [] {
            try keeper?.quire.access.tokens.revoke(token.id, by: .local)
        }
    }

    var port: Int { keeper?.port ?? 0 }

    deinit {
        if let keeper { keeper.close() } else { store.close() }
    }

    func keepInStep(_ draft: SyncDraft) throws { place = try places.add(draft, by: .local) }

    /// Goes there once, and says how it was.
    @discardableResult
    func visit() throws -> SyncPlace {
        guard let place else { throw Failure(.notFound, "no place") }
        try places.visit(place.id)
        return try places.get(place.id, by: .local)
    }

    /// The same over a shelf of the test's.
    func visit(over shelf: any SyncShelf) throws -> SyncPlace {
        guard let place else { throw Failure(.notFound, "no place") }
        _ = try places.visit(place) { shelf }
        return try places.get(place.id, by: .local)
    }

    /// The same place by another way.
    func moveTo(_ address: String) throws {
        try store.write { tx in try tx.run("UPDATE sync_place SET address = \(address) WHERE kind <> 'here'")
        }
    }

    // MARK: What lies on it

    @discardableResult
    func add(_ name: String, _ text: String, into folder: ID<Folder>? = nil) throws -> Document {
        try documents.add(.bytes(Array(text.utf8)), named: name, into: folder, evenIfThere: true, by: .local)
            .document
    }

    func all() throws -> [Document] {
        let ids = try store.read { try documents.paperIDs(after: "", limit: 10_000, in: $0) }
        return try ids.compactMap { ID<Document>($0) }.map { try documents.get($0, by: .local) }
    }

    func text(_ document: Document) throws -> String {
        String(decoding: try store.blobs.read(document.blob.digest), as: UTF8.self)
    }

    func texts(ofAllVersions id: ID<Document>) throws -> Set<String> {
        let versions = try documents.versions(of: id, by: .local)
        return try Set(
            versions.map { String(decoding: try store.blobs.read($0.blob.digest), as: UTF8.self) })
    }

    /// Everything somebody would see here, one line for each thing.
    func picture() throws -> [String] {
        let tree = try documents.folders(by: .local, counting: false)
        var lines = tree.nodes.map { "folder \($0.path)" }
        for document in try all() {
            let place = document.isTrashed ? "trash" : document.folder.flatMap { tree[$0]?.path } ?? "desk"
            let versions = try texts(ofAllVersions: document.id).sorted().joined(separator: ",")
            lines.append(
                "\(document.id) \(place)/\(document.name) \(try text(document)) [\(versions)] note=\(document.note) tags=\(document.tags.sorted())"
            )
        }
        return lines.sorted()
    }
}
