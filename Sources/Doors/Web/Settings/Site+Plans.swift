import Access
import App
import Bytes
import HTTP
import Markup
import Storage
import Work

extension Site {
    static let planActions: [Action] = [
        Action(
            .get, "/settings/plans", .member(.view),
            .init(
                "Get what the plan allows", tag: "Settings",
                answers: [.ok("Plans", "Every limit, with the reason")])
        ) { visit in try plans(visit) },
        Action(
            .get, "/plans", .member(.view),
            .init(
                "Get what the plan allows", tag: "Settings",
                answers: [.ok("Plans", "Every limit, with the reason")])
        ) { visit in try plans(visit) },
        Action(
            .post, "/settings/plans", .member(.administer),
            .init(
                "Install a licence, try a plan, or see the desk as somebody without one",
                description: "A licence may be installed again at any time. A trial ends by itself.",
                tag: "Settings",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("licence", ["type": "string"]), ("trial", ["type": "string"]),
                                ("simulateFree", ["type": "boolean"]),
                            ], optional: ["licence", "trial", "simulateFree"]))
                ], answers: [.ok("Plans", "As it is now")]), isGrave: true
        ) { visit in
            let input = try visit.input
            let caller = try visit.member()
            do {
                if let licence = try input.text("licence"), !licence.isEmpty {
                    try visit.access.entitlements.install(licence, by: caller)
                } else if let plan = try input.text("trial"), !plan.isEmpty {
                    try visit.access.entitlements.beginTrial(of: plan, by: caller)
                } else {
                    try visit.access.entitlements.simulateFree(try input.flag("simulateFree"), by: caller)
                }
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .unsupported].contains(failure.code)
            {
                return try plans(visit, failure, typed: try input.text("licence") ?? "")
            }
            return visit.wantsPage
                ? visit.goes(to: "/settings/plans", notice: visit.texts("notice.saved")) : try plans(visit)
        },
        Action(
            .delete, "/licences/{id}", .member(.administer),
            .init(
                "Remove a licence", tag: "Settings",
                answers: [.init(.noContent, "It does not count any more")]), isGrave: true
        ) { visit in
            try visit.access.entitlements.remove(visit.parameter("id"), by: try visit.member())
            return visit.done([:], .noContent, next: "/settings/plans", notice: "notice.removed")
        },
    ]

    private static func plans(
        _ visit: Visit, _ failure: Failure? = nil, typed: String = ""
    ) throws -> Response {
        let entitlements = visit.access.entitlements
        let book = entitlements.book
        let standing = try entitlements.standing()
        let decisions = try entitlements.overview(used: try visit.quire.planUse())
        let licences = try visit.member().may(.administer) ? try entitlements.licences() : []
        let trials = try entitlements.offersOfTrial().map(\.id)
        guard visit.wantsPage else {
            return .json([
                "plan": .string(standing.plan.name), "endsAt": .moment(standing.endsAt),
                "isTrial": .bool(standing.isTrial), "simulatesFree": .bool(standing.source == .simulatedFree),
                "decisions": .array(decisions.map(\.json)), "buy": .optional(book.shop),
                "offered": .array(book.plans.map(\.json)), "addOns": .array(book.addOns.map(\.json)),
                "trials": .array(trials.map { .string($0) }),
                "licences": .array(licences.map { $0.json(visit.now) }),
            ])
        }
        let t = visit.texts
        func offer(
            _ name: String, _ price: String, _ note: String, _ limits: [(name: String, count: Int?)],
            with tools: Set<PlanTool>, without: Set<PlanTool> = []
        ) -> PlansPage.Offer {
            func names(_ tools: Set<PlanTool>) -> [String] {
                PlanTool.allCases.filter(tools.contains).map { t("plan.tool.\($0.rawValue)") }
            }
            return .init(
                name: name, price: price, note: note, limits: limits, tools: names(tools),
                missing: names(without))
        }
        var page = PlansPage(
            planName: standing.plan.name, planNote: note(standing, t),
            decisions: decisions.map {
                let name = t(Limit(rawValue: $0.what) == nil ? "plan.tool.\($0.what)" : "limit.\($0.what)")
                return .init(
                    name: name.prefix(1).uppercased() + name.dropFirst(),
                    isAllowed: $0.allowed, used: $0.used, limit: $0.limit, why: t.said($0.reason))
            }, simulatesFree: standing.source == .simulatedFree)
        page.offered = book.plans.map { plan in
            var offer = offer(
                plan.name, plan.price, plan.note,
                Limit.allCases.map { (t("limit.\($0.rawValue)"), plan.limits[$0]) },
                with: Set(PlanTool.allCases).subtracting(plan.without), without: plan.without)
            offer.isHere = plan.id == standing.plan.id
            offer.trialDays = trials.contains(plan.id) ? plan.trialDays : nil
            offer.id = plan.id
            return offer
        }
        page.addOns = book.addOns.map { addOn in
            var offer = offer(
                addOn.name, addOn.price, addOn.note,
                Limit.allCases.compactMap { limit in
                    addOn.limits[limit].map { (t("limit.\(limit.rawValue)"), $0) }
                }, with: addOn.tools)
            offer.isHere = standing.addOns.contains(addOn)
            return offer
        }
        page.shop = book.shop
        page.endsAt = standing.endsAt
        page.takesLicences = book.licenceKey != nil
        page.licences = licences.map {
            .init(
                address: "/licences/\(PercentCoding.encode($0.id))", holder: $0.holder,
                plan: book.name(of: $0.plan) ?? $0.plan, endsAt: $0.endsAt, counts: $0.counts(at: visit.now))
        }
        page.licence = typed
        page.licenceError = failure.map(visit.said)
        return visit.page(
            Pages.plans(visit.frameAt("/settings/plans"), page), failure == nil ? .ok : .unprocessable)
    }

    private static func note(_ standing: Entitlements.Standing, _ t: Texts) -> String {
        switch standing.source {
        case .selfHosted: t("plans.note.selfHosted")
        case .withoutLicence: t("plans.note.none")
        case .licence(let licence) where licence.kind == .trial: t("plans.note.trial")
        case .licence(let licence): t("plans.note.licence", ["holder": .text(licence.holder)])
        case .simulatedFree: t("plans.note.simulated")
        }
    }
}
