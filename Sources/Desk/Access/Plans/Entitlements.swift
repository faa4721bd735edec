internal import Bytes
internal import SQL
internal import Storage
public import Work

/// What this desk may do under its plan, and why.
public struct Entitlements: Sendable {
    let store: Store
    public let book: PlanBook

    /// Something somebody is about to have, with the number there would be afterwards.
    public enum Wish: Sendable, Equatable {
        case templates(Int)
        case recipients(Int)
        case retentionDays(Int)
        case members(Int)

        public var limit: Limit {
            switch self {
            case .templates: .templates
            case .recipients: .recipients
            case .retentionDays: .retentionDays
            case .members: .members
            }
        }

        public var count: Int {
            switch self {
            case .templates(let count), .recipients(let count), .retentionDays(let count),
                .members(let count):
                count
            }
        }
    }

    /// An answer that explains itself.
    public struct Decision: Sendable, Equatable {
        public let allowed: Bool
        /// The word of a `Limit` or of a `PlanTool`.
        public let what: String
        /// Nil when there is none.
        public let limit: Int?
        /// Nil where nothing is counted.
        public let used: Int?
        public let plan: String
        /// A sentence for a person.
        public let reason: String
    }

    /// The plan that counts now, and where it comes from.
    public struct Standing: Sendable, Equatable {
        public enum Source: Sendable, Equatable {
            case selfHosted
            /// The operator's first plan, which needs no licence. `ended` was the best one there was before.
            case withoutLicence(ended: Licence?)
            case licence(Licence)
            case simulatedFree
        }

        /// With what its add-ons bring.
        public let plan: Plan
        public let source: Source
        public var addOns: [PlanAddOn] = []
    }

    public func standing() throws -> Standing {
        let now = store.clock.now()
        let (simulates, licences) = try store.read { desk in
            let choice = try desk.row("SELECT simulates_free FROM plan_choice")
            return (
                try choice?.bool("simulates_free") ?? false,
                book.plans.isEmpty ? [] : try kept(in: desk) + trials(in: desk)
            )
        }
        if simulates {
            return Standing(plan: book.plans.first ?? PlanBook.exampleFree, source: .simulatedFree)
        }
        guard let free = book.plans.first else {
            return Standing(plan: Plan(id: "self-hosted", name: "Self-hosted"), source: .selfHosted)
        }
        let addOns = book.addOns.filter { addOn in
            licences.contains { $0.plan == addOn.id && $0.counts(at: now) }
        }
        // By worth, then by how long it lasts.
        let best = licences.filter { book.rank(of: $0.plan) != nil }.sorted { a, b in
            (book.rank(of: a.plan) ?? -1, a.endsAt ?? .distant) > (
                book.rank(of: b.plan) ?? -1, b.endsAt ?? .distant
            )
        }
        if let licence = best.first(where: { $0.counts(at: now) }),
            let plan = book.plans.first(where: { $0.id == licence.plan })
        {
            return Standing(
                plan: addOns.reduce(plan) { $0.with($1) }, source: .licence(licence), addOns: addOns)
        }
        return Standing(
            plan: addOns.reduce(free) { $0.with($1) },
            source: .withoutLicence(ended: best.first { now >= $0.startsAt }), addOns: addOns)
    }

    /// Whether there may be so many, with the reason.
    public func decide(_ wish: Wish) throws -> Decision {
        decide(wish, try standing(), used: wish.count)
    }

    /// What may not be had fails, and a page of the plans can be pointed at.
    public func require(_ wish: Wish) throws {
        try require(decide(wish))
    }

    /// The same of something a plan may leave out.
    public func require(_ tool: PlanTool) throws {
        let standing = try standing()
        guard standing.plan.without.contains(tool) else { return }
        try require(decide(tool, standing))
    }

    private func require(_ decision: Decision) throws {
        guard !decision.allowed else { return }
        let reason = "\(decision.reason) See Settings › Plans and limits."
        throw Failure(.denied, reason, field: Self.failureField)
    }

    /// What a failure names that only another plan would mend.
    public static let failureField = "plan"

    /// One decision for each limit and each tool, for the page that explains them: what is used now, and what the plan allows.
    public func overview(used: [Limit: Int]) throws -> [Decision] {
        let standing = try standing()
        return Limit.allCases.map { limit in
            let count = used[limit] ?? 0
            let wish: Wish =
                switch limit {
                case .templates: .templates(count)
                case .recipients: .recipients(count)
                case .retentionDays: .retentionDays(count)
                case .members: .members(count)
                }
            return decide(wish, standing, used: used[limit])
        } + PlanTool.allCases.map { decide($0, standing) }
    }

    /// Takes in a licence, or takes it in again after a new installation: the same text may be given any number
    /// of times.
    @discardableResult
    public func install(_ text: String, by caller: Caller) throws -> Licence {
        try caller.require(.administer)
        guard let key = book.licenceKey else {
            throw Failure(.unsupported, "This Quire needs no licence: everything is unlocked.")
        }
        let licence = try Licence(text, signedBy: key)
        guard book.name(of: licence.plan) != nil else {
            throw Failure(.invalid, "This licence is for a plan that is not offered here.", field: "licence")
        }
        let kept = text.filter { !$0.isWhitespace }
        try store.write { tx in
            try tx.run(
                """
                INSERT INTO licence (id, text, installed_at) VALUES (\(licence.id), \(kept), \(tx.now))
                ON CONFLICT (id) DO UPDATE SET text = excluded.text, installed_at = excluded.installed_at
                """)
            tx.note(
                "licence.installed", "licence/\(licence.id)", by: caller.actor,
                ["plan": .string(licence.plan)])
        }
        return licence
    }

    public func remove(_ id: String, by caller: Caller) throws {
        try caller.require(.administer)
        try store.write { tx in
            guard try tx.run("DELETE FROM licence WHERE id = \(id)") == 1 else {
                throw Failure(.notFound, "There is no such licence.")
            }
            tx.note("licence.removed", "licence/\(id)", by: caller.actor)
        }
    }

    /// All that are kept and genuine, also those that have ended.
    public func licences() throws -> [Licence] {
        try store.read { desk in try kept(in: desk) }
    }

    /// Shows an operator what people without a licence see.
    public func simulateFree(_ simulates: Bool, by caller: Caller) throws {
        try caller.require(.administer)
        try store.write { tx in
            try tx.run(
                """
                INSERT INTO plan_choice (one, simulates_free) VALUES (1, \(simulates))
                ON CONFLICT (one) DO UPDATE SET simulates_free = excluded.simulates_free
                """)
            tx.note(
                simulates ? "plan.simulation-began" : "plan.simulation-ended", "plan/free", by: caller.actor)
        }
    }

    public func simulatesFree() throws -> Bool { try standing().source == .simulatedFree }

    /// A text that was changed in the database is no licence and simply does not count.
    private func kept(in desk: borrowing some Readable & ~Copyable) throws -> [Licence] {
        guard let key = book.licenceKey else { return [] }
        return try desk.rows("SELECT text FROM licence ORDER BY installed_at, id").compactMap {
            try? Licence(try $0.text("text"), signedBy: key)
        }
    }

    private func decide(_ wish: Wish, _ standing: Standing, used: Int?) -> Decision {
        let limit = standing.limit(wish.limit)
        let title = wish.limit.title
        return decide(
            wish.limit.rawValue, limit.map { wish.count <= $0 } ?? true, limit, used, standing,
            allowed: limit.map { "\(title): the plan “\(standing.plan.name)” allows \($0)." }
                ?? "\(title): the plan “\(standing.plan.name)” sets no limit.",
            refused:
                "\(title): the plan “\(standing.plan.name)” allows \(limit ?? 0), and this would make \(wish.count)."
        ) { $0.allows(wish.count, of: wish.limit) }
    }

    private func decide(_ tool: PlanTool, _ standing: Standing) -> Decision {
        decide(
            tool.rawValue, !standing.plan.without.contains(tool), nil, nil, standing,
            allowed: "\(tool.title): the plan “\(standing.plan.name)” has it.",
            refused: "\(tool.title): the plan “\(standing.plan.name)” does not have it."
        ) { !$0.without.contains(tool) }
    }

    /// With the next plan that would do, or else the first add-on that would to the one there is.
    private func decide(
        _ what: String, _ isAllowed: Bool, _ limit: Int?, _ used: Int?, _ standing: Standing,
        allowed: String, refused: String, wouldDo: (Plan) -> Bool
    ) -> Decision {
        let larger = book.plans.drop { $0.id != standing.plan.id }.dropFirst().first(where: wouldDo)?.name
        let way =
            isAllowed ? nil : larger ?? book.addOns.first { wouldDo(standing.plan.with($0)) }?.name
        let sentence =
            standing.source == .selfHosted
            ? "You host Quire yourself: nothing is limited." : isAllowed ? allowed : refused
        let reason = [sentence, way.map { "“\($0)” would allow it." }, standing.remark(book)]
        return Decision(
            allowed: isAllowed, what: what, limit: limit, used: used, plan: standing.plan.name,
            reason: reason.compactMap(\.self).joined(separator: " "))
    }
}

extension Entitlements.Standing {
    /// When what counts now comes to its end, a time of trial among that.
    public var endsAt: Moment? {
        guard case .licence(let licence) = source else { return nil }
        return licence.endsAt
    }

    public var isTrial: Bool {
        guard case .licence(let licence) = source else { return false }
        return licence.kind == .trial
    }

    /// A licence for so many people holds although its plan would allow more.
    func limit(_ limit: Limit) -> Int? {
        let planned = plan.limits[limit]
        guard limit == .members, case .licence(let licence) = source, let seats = licence.seats else {
            return planned
        }
        return min(seats, planned ?? seats)
    }

    func remark(_ book: PlanBook) -> String? {
        switch source {
        case .simulatedFree:
            "You are looking at Quire as people without a licence do."
        case .withoutLicence(ended: let licence?):
            licence.endsAt.map {
                licence.kind == .trial
                    ? "The trial of “\(book.name(of: licence.plan) ?? licence.plan)” ended on \($0.iso8601.prefix(10)); what was made in it stays."
                    : "The licence for “\(book.name(of: licence.plan) ?? licence.plan)” ended on \($0.iso8601.prefix(10)); what was made with it stays."
            }
        default: nil
        }
    }
}

extension Moment {
    /// Later than any end somebody writes into a licence.
    static let distant = Moment(milliseconds: .max)
}
