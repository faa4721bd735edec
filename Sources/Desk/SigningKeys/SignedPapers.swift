public import Access
import Bytes
import Crypto
public import Jobs
public import Library
import PDF
import SQL
import Signing
public import Storage
import Work

extension JobKind {
    public static let signPapers = JobKind("library.sign", title: "Sign papers", maximumAttempts: 2)
}

/// Several papers of the library signed with a certificate one after another, each as a new version of its own. One that cannot
/// be signed does not stop the others.
public struct SignedPapers: Sendable {
    /// Where the signature is seen on each of them.
    public enum Seen: String, Sendable, CaseIterable { case nowhere, first, last }

    public struct Wish: Sendable {
        public var identity: ID<KeptIdentity>
        public var seen = Seen.nowhere
        public var reason = ""
        public var whereabouts = ""
        public var timestamp: String?
        public var proofs = false

        public init(_ identity: ID<KeptIdentity>) { self.identity = identity }
    }

    private static let mostPapers = 200

    private let identities: Identities
    private let documents: Documents
    private let queue: JobQueue

    public init(_ identities: Identities, documents: Documents, queue: JobQueue) {
        self.identities = identities
        self.documents = documents
        self.queue = queue
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.signPapers) { run in
            let caller = try documents.caller(actor: run.payload["actor"]?.string ?? "")
            run.answer(try sign(run.payload, by: caller, progress: run.progress))
        }
    }

    /// Promises it; what cannot be done is said at once.
    public func begin(_ ids: [ID<Document>], _ wish: Wish, by caller: Caller) throws -> ID<Job> {
        try caller.require(.edit)
        try documents.requirePlan(.edit)
        try Self.check(ids)
        _ = try identities.get(wish.identity, by: caller)
        _ = try Identities.Witnesses(timestamp: wish.timestamp, proofs: wish.proofs)
        let papers = try ids.map { try documents.get($0, by: caller) }
        return try identities.store.write { tx in
            try queue.add(
                .signPapers,
                payload: [
                    "papers": .array(
                        papers.map { ["id": .string($0.id.text), "version": .int($0.version)] }),
                    "identity": .string(wish.identity.text), "seen": .string(wish.seen.rawValue),
                    "reason": .string(wish.reason), "whereabouts": .string(wish.whereabouts),
                    "timestamp": .optional(wish.timestamp), "proofs": .bool(wish.proofs),
                    "actor": .string(caller.actor),
                ], in: tx, asks: caller.member)
        }
    }

    public static func check(_ ids: [ID<Document>]) throws(Failure) {
        try Documents.check(ids, atMost: mostPapers)
    }

    private func sign(_ order: JSON, by caller: Caller, progress: Progress) throws -> JSON {
        guard let identity = order["identity"]?.string.flatMap(ID<KeptIdentity>.init) else {
            throw Failure(.notFound, "There is no such identity. It may have been removed.")
        }
        let signer = try identities.get(identity, by: caller).certificate
        let witnesses = try Identities.Witnesses(
            timestamp: order["timestamp"]?.string, proofs: order["proofs"]?.bool ?? false)
        var wish = SigningWish(at: 0)
        wish.reason = order["reason"]?.string ?? ""
        wish.whereabouts = order["whereabouts"]?.string ?? ""
        wish.place = Self.place(Seen(rawValue: order["seen"]?.string ?? "") ?? .nowhere)
        let papers = order["papers"]?.array ?? []
        var signed = 0
        var left: [JSON] = []
        progress.set(done: 0, total: Int64(max(1, papers.count)))
        for paper in papers {
            try progress.check()
            guard let id = paper["id"]?.string.flatMap(ID<Document>.init) else { continue }
            var name = ""
            do {
                let document = try documents.get(id, by: caller)
                name = document.name
                // Begun once more after an interruption: what was signed then is not signed twice.
                if document.version == paper["version"]?.int {
                    _ = try identities.sign(
                        document, with: identity, wish, asking: witnesses, documents: documents, by: caller)
                } else if try !isSigned(document, signer, behind: paper["version"]?.int ?? 0, by: caller) {
                    throw Failure(
                        .conflict, "Somebody changed this paper meanwhile. Look at it, and sign it then.")
                }
                signed += 1
            } catch let failure as Failure where ![.cancelled, .full].contains(failure.code) {
                left.append([
                    "document": .string(id.text), "name": .string(name), "reason": .string(failure.message),
                ])
            }
            progress.advance()
        }
        return ["signed": .int(signed), "left": .array(left)]
    }

    private func isSigned(
        _ document: Document, _ signer: X509Certificate, behind version: Int, by caller: Caller
    ) throws -> Bool {
        guard document.version == version + 1 else { return false }
        return try documents.versions(of: document.id, by: caller).first?.note
            == Identities.note(of: signer)
    }

    private static func place(_ seen: Seen) -> SigningWish.Place? {
        guard seen != .nowhere else { return nil }
        return SigningWish.Place(
            page: seen == .last ? SigningWish.Place.lastPage : 0,
            box: PDFRectangle(left: 36, bottom: 36, right: 236, top: 92))
    }
}
