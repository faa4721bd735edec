public import Access
public import Bundling
import Bytes
public import Filling
import Library
public import People
import SQL
public import Storage
import Work

/// Send-outs given away in one file, and taken in from others.
///
/// ```swift
/// let file = try bundles.file(of: batch.id, by: caller)
/// let (kept, view) = try bundles.look(at: bytes, by: caller)      // nothing is on the desk yet
/// try bundles.keep(kept.id, by: caller)
/// let batch = try bundles.begin(kept.id, by: caller)
/// try bundles.remove(kept.id, by: caller)                         // and what it brought, unless it is used
/// ```
public struct Bundles: Sendable {
    let sendings: Sendings
    let templates: Templates
    let mappings: SavedMappings
    let recipients: Recipients
    var batches: Batches { sendings.batches }
    var documents: Documents { sendings.documents }
    var store: Store { sendings.store }

    public init(
        _ sendings: Sendings, templates: Templates, mappings: SavedMappings, recipients: Recipients
    ) {
        self.sendings = sendings
        self.templates = templates
        self.mappings = mappings
        self.recipients = recipients
    }

    /// Those that were kept, the newest first.
    public func all(by caller: Caller) throws -> [KeptBundle] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM bundle WHERE kept_at IS NOT NULL AND removed_at IS NULL AND is_example = 0
                ORDER BY kept_at DESC, id DESC LIMIT 500
                """
            ).map(KeptBundle.init)
        }
    }

    public func get(_ id: ID<KeptBundle>, by caller: Caller) throws -> KeptBundle {
        try caller.require(.view)
        return try store.read { desk in try find(id, in: desk) }
    }

    /// What is in it, read anew from its file.
    public func view(_ bundle: KeptBundle, by caller: Caller) throws -> BundleView {
        try caller.require(.view)
        let (read, leftOut) = try read(bundle)
        return try view(read, leftOut: leftOut)
    }

    /// The PDF of one of its forms, by its place among the parts from 0, for a picture of it.
    public func form(_ place: Int, of bundle: KeptBundle, by caller: Caller) throws -> [UInt8] {
        try caller.require(.view)
        let parts = try read(bundle).bundle.parts
        guard parts.indices.contains(place), case .form(let bytes, _) = parts[place].content else {
            throw Failure(.notFound, "The bundle has no such form.")
        }
        return bytes
    }

    func view(_ bundle: Bundle, leftOut: [String] = []) throws -> BundleView {
        try BundleView(
            bundle, leftOut: leftOut, today: TimeZoneRules.utc.wallTime(at: store.clock.now()))
    }

    func read(_ bundle: KeptBundle) throws -> (bundle: Bundle, leftOut: [String]) {
        try Self.read(store.blobs.read(bundle.digest, atMost: Bundle.longestFile))
    }

    static func read(_ bytes: [UInt8]) throws -> (bundle: Bundle, leftOut: [String]) {
        do throws(BundleError) {
            return try Bundle.read(bytes)
        } catch {
            throw Failure(error)
        }
    }

    func find(
        _ id: ID<KeptBundle>, in desk: borrowing some Readable & ~Copyable
    ) throws -> KeptBundle {
        guard let row = try desk.row("SELECT * FROM bundle WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such bundle. It may have been removed.")
        }
        return try KeptBundle(row)
    }

    /// What was only looked at for a day, and what was removed for a month, goes. Run by the desk's own upkeep.
    public func sweep() throws {
        try store.write { tx in
            try tx.run(
                """
                DELETE FROM bundle WHERE kept_at IS NULL AND taken_at < \(tx.now - .seconds(86_400))
                    OR removed_at IS NOT NULL AND removed_at < \(tx.now - Documents.usualTrashTime)
                """)
        }
    }
}

extension Failure {
    public init(_ error: BundleError) {
        self =
            switch error {
            case .notABundle:
                Failure(
                    .unsupported,
                    "This file is no bundle of a send-out. Choose one whose name ends in .quire-bundle.zip.",
                    field: "file")
            case .newer:
                Failure(
                    .unsupported,
                    "This bundle was made by a newer Quire. Bring this one up to date, then take the bundle in.",
                    field: "file")
            case .damaged(let what):
                Failure(
                    .unsupported, "This bundle is damaged: “\(what)” is not as it was. Ask for it once more.",
                    field: "file")
            case .tooLarge:
                Failure(
                    .tooLarge, "This bundle is larger than one may be. Ask for one with fewer files.",
                    field: "file")
            }
    }
}
