public import Access
public import Bytes
public import Jobs
public import Library
public import Redaction
import SQL
public import Storage
import Work

extension JobKind {
    public static let redactMany = JobKind(
        "library.redactMany", title: "Black out papers", maximumAttempts: 3)
}

/// The same words and patterns taken out of several papers. One of which nothing can be taken out does not stop the others.
extension RedactedPapers {
    /// One of them, as it was looked at.
    public struct Order: Sendable {
        public var document: ID<Document>
        /// Nil when nobody looked.
        public var version: Int?
        /// What stays in this one.
        public var spared: [RedactionHit]

        public init(_ document: ID<Document>, version: Int? = nil, spared: [RedactionHit] = []) {
            self.document = document
            self.version = version
            self.spared = spared
        }
    }

    public static let mostPapers = 100

    public static func check(_ ids: [ID<Document>]) throws(Failure) {
        try Documents.check(ids, atMost: mostPapers)
    }

    /// Promises it; what cannot be done with any of them is said at once.
    public func begin(_ orders: [Order], _ wish: RedactionWish, by caller: Caller) throws -> ID<Job> {
        try caller.require(.edit)
        try documents.requirePlan(.edit)
        try Self.check(orders.map(\.document))
        try Self.checkForMany(wish)
        for order in orders { _ = try documents.get(order.document, by: caller) }
        return try store.write { tx in
            try queue.add(
                .redactMany,
                payload: [
                    "papers": .array(orders.map(\.json)), "wish": wish.json,
                    "actor": .string(caller.actor),
                ], in: tx, asks: caller.member)
        }
    }

    /// Places and pages mean something in one paper only.
    public static func checkForMany(_ wish: RedactionWish) throws(Failure) {
        guard wish.areas.isEmpty, wish.pages.isEmpty, wish.spared.isEmpty else {
            throw Failure(.invalid, "Places and pages are of one paper. For several, give words or patterns.")
        }
        if !wish.searches { throw Failure(RedactionError.nothingWished) }
    }

    public static func orders(_ json: JSON) throws -> [Order] {
        try (json.array ?? []).map { item in
            guard let order = try Order(item) else {
                throw Failure(.invalid, "A paper is missing.", field: "papers")
            }
            return order
        }
    }

    func makeMany(_ run: JobRun) throws {
        let caller = try documents.caller(actor: run.payload["actor"]?.string ?? "")
        let wish = try Self.wish(run.payload["wish"] ?? .null)
        let orders = try Self.orders(run.payload["papers"] ?? .null)
        // Begun once more after an interruption: what was made then is there.
        var made = run.checkpoint?["made"]?.array ?? []
        var left = run.checkpoint?["left"]?.array ?? []
        var untouched = run.checkpoint?["untouched"]?.array ?? []
        let first = run.checkpoint?["at"]?.int ?? 0
        run.progress.set(done: Int64(first), total: Int64(max(1, orders.count)))
        for (index, order) in orders.enumerated().dropFirst(first) {
            try run.progress.check()
            var name = ""
            do {
                name = try documents.get(order.document, by: caller).name
                made.append(try make(order, of: name, wish, by: caller, run))
            } catch let failure as Failure where failure.code == .notFound && !name.isEmpty {
                untouched.append(Self.told(order, name))
            } catch let failure as Failure where ![.cancelled, .full].contains(failure.code) {
                left.append(Self.told(order, name, failure.message))
            }
            run.progress.advance()
            try run.save(
                checkpoint: [
                    "at": .int(index + 1), "made": .array(made), "untouched": .array(untouched),
                    "left": .array(left),
                ])
        }
        run.answer(["made": .array(made), "untouched": .array(untouched), "left": .array(left)])
    }

    private static func told(_ order: Order, _ name: String, _ reason: String? = nil) -> JSON {
        var told: JSONObject = ["document": .string(order.document.text), "name": .string(name)]
        if let reason { told["reason"] = .string(reason) }
        return .object(told)
    }

    private func make(
        _ order: Order, of name: String, _ wish: RedactionWish, by caller: Caller, _ run: JobRun
    ) throws -> JSON {
        var wish = wish
        wish.spared = order.spared
        var told =
            try make(
                order.document, wish, version: order.version, by: caller,
                progress: Progress(cancellation: run.cancellation)
            ).object ?? [:]
        told["from"] = Self.told(order, name)
        return .object(told)
    }
}

extension RedactedPapers.Order {
    fileprivate init?(_ json: JSON) throws {
        guard let id = json["document"]?.string.flatMap(ID<Document>.init) else { return nil }
        self.init(id, version: json["version"]?.int)
        do { spared = try RedactionWish.spared(json["except"] ?? .null) } catch { throw Failure(error) }
    }

    fileprivate var json: JSON {
        [
            "document": .string(document.text), "version": .optional(version),
            "except": .array(spared.map(\.json)),
        ]
    }
}
