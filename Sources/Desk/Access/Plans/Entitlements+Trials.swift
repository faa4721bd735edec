internal import Bytes
internal import SQL
internal import Storage
internal import Work

/// Plans that a desk may try, once, for the days its operator gives. A trial needs no licence and ends by itself.
extension Entitlements {
    /// Those that would bring more than the desk has now and were not tried yet.
    public func offersOfTrial() throws -> [Plan] {
        let standing = try standing()
        guard standing.source != .simulatedFree else { return [] }
        let tried = try store.read { desk in try trials(in: desk) }.map(\.plan)
        let here = book.rank(of: standing.plan.id) ?? 0
        return book.plans.dropFirst(here + 1).filter { $0.trialDays != nil && !tried.contains($0.id) }
    }

    public func beginTrial(of id: String, by caller: Caller) throws {
        try caller.require(.administer)
        guard let plan = book.plans.first(where: { $0.id == id }), plan.trialDays != nil else {
            throw Failure(.notFound, "There is no plan of that name to try.", field: "trial")
        }
        guard try offersOfTrial().contains(plan) else {
            throw Failure(.conflict, "“\(plan.name)” was tried already, or is yours.", field: "trial")
        }
        try store.write { tx in
            try tx.run(
                "INSERT INTO plan_trial (plan, began_at) VALUES (\(id), \(tx.now)) ON CONFLICT (plan) DO NOTHING"
            )
            tx.note("plan.trial-began", "plan/\(id)", by: caller.actor, ["plan": .string(plan.name)])
        }
    }

    /// Each as what a licence for it would say.
    func trials(in desk: borrowing some Readable & ~Copyable) throws -> [Licence] {
        try desk.rows("SELECT plan, began_at FROM plan_trial ORDER BY began_at, plan").compactMap { row in
            let id = try row.text("plan")
            let beganAt: Moment = try row.moment("began_at")
            guard let days = book.plans.first(where: { $0.id == id })?.trialDays else { return nil }
            return Licence(
                id: "trial", plan: id, kind: .trial, holder: "", startsAt: beganAt,
                endsAt: beganAt + .days(days))
        }
    }
}
