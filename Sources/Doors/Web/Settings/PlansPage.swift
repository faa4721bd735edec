import Markup
import Work

struct PlansPage: Sendable {
    struct Decision: Sendable {
        var name: String
        var isAllowed: Bool
        var used: Int?
        var limit: Int?
        /// Why it is so, in a sentence.
        var why: String
    }
    var planName: String
    var planNote: String
    var decisions: [Decision]
    /// What the operator offers, in their words; the last is worth the most.
    var offered: [Offer] = []
    var addOns: [Offer] = []
    /// Where one is bought.
    var shop: String?
    /// Of what counts now.
    var endsAt: Moment?
    var simulatesFree: Bool
    /// Whether what was bought can be brought here.
    var takesLicences = false
    /// Those that were taken in; owners' only.
    var licences: [Licence] = []
    /// What was pasted and could not be taken.
    var licence = ""
    var licenceError: String?

    struct Offer: Sendable {
        var id = ""
        var name: String
        var price: String
        var note: String
        /// Nil is without one.
        var limits: [(name: String, count: Int?)]
        var tools: [String] = []
        var missing: [String] = []
        var isHere = false
        /// For how many days it can be tried, as long as it can.
        var trialDays: Int?
    }

    struct Licence: Sendable {
        var address: String
        var holder: String
        var plan: String
        var endsAt: Moment?
        var counts: Bool
    }
}

extension Pages {
    static func plans(_ frame: Frame, _ model: PlansPage) -> HTML {
        let t = frame.texts
        let end = model.endsAt.map {
            "<p class=\"soft\">\(t.html("shares.until", markup: ["when": Part.time($0, style: .date)]))</p>"
                as HTML
        }
        return settingsPage(
            frame, "settings.plans",
            """
            <section class="card card-lamp"><div><h2>\(model.planName)</h2><p class="soft">\(model.planNote)</p>\(end)</div></section>
            \(offers(frame, model))
            \(restoring(frame, model))
            <section class="card card-flush"><div class="card-head"><h2>\(t("plans.decisions"))</h2></div>\
            \(Part.list(model.decisions.map { decision(frame, $0) }))</section>
            \(simulating(frame, model))
            """)
    }

    private static func decision(_ frame: Frame, _ decision: PlansPage.Decision) -> HTML {
        let t = frame.texts
        let use: HTML =
            switch (decision.used, decision.limit) {
            case (let used?, let limit?):
                """
                <progress max="\(max(limit, 1))" value="\(min(used, limit))" aria-label="\(decision.name)"></progress>\
                <span class="item-note">\(t("plans.use", ["used": .number(used), "limit": .number(limit)]))</span>
                """
            case (let used?, nil):
                "<span class=\"item-note\">\(t("plans.noLimit", ["used": .number(used)]))</span>"
            default: .empty
            }
        let chip = Part.chip(
            frame, t(decision.isAllowed ? "plans.allowed" : "plans.blocked"),
            decision.isAllowed ? .good : .warn,
            icon: decision.isAllowed ? .check : .lock)
        return """
            <div class="item"><span class="item-text"><span class="item-title">\(decision.name)</span>\
            <span class="item-note">\(decision.why)</span>\(use)</span>\(chip)</div>
            """
    }

    /// Each in the operator's words, and where it is bought.
    private static func offers(_ frame: Frame, _ model: PlansPage) -> HTML {
        guard !model.offered.isEmpty else { return .empty }
        let t = frame.texts
        let shop: HTML =
            model.shop.map { "<p>\(Part.link(frame, $0, t("plans.buy"), icon: .open))</p>" } ?? .empty
        let beside: HTML =
            model.addOns.isEmpty
            ? .empty
            : """
            <h3>\(t("plans.addOns"))</h3><ul class="plans">\(model.addOns.map { offer(frame, $0) })</ul>
            """
        return Part.card(
            t("plans.offered"),
            "<ul class=\"plans\">\(model.offered.map { offer(frame, $0) })</ul>\(beside)\(shop)")
    }

    private static func offer(_ frame: Frame, _ offer: PlansPage.Offer) -> HTML {
        let t = frame.texts
        let limits = offer.limits.map { limit -> HTML in
            "<li>\(limit.name): \(limit.count.map { "\(Part.number($0))" as HTML } ?? "\(t("plans.free"))")</li>"
        }
        func tools(_ names: [String], _ key: String) -> HTML {
            names.isEmpty
                ? .empty : "<li>\(t(key, ["tools": .text(names.joined(separator: ", "))]))</li>"
        }
        let price: HTML = offer.price.isEmpty ? .empty : "<p><strong>\(offer.price)</strong></p>"
        let trial: HTML =
            offer.trialDays.map { days in
                frame.isOwner
                    ? Form.form(
                        frame, "POST", "/settings/plans",
                        """
                        <input type="hidden" name="part" value="trial"><input type="hidden" name="trial" value="\(offer.id)">
                        <button class="button">\(t("plans.trial", ["count": .number(days)]))</button>
                        <p class="soft small">\(t("plans.trial.hint"))</p>
                        """)
                    : "<p class=\"soft small\">\(t("plans.trial.owner", ["count": .number(days)]))</p>"
            } ?? .empty
        return """
            <li class="card"><div class="card-head"><h3>\(offer.name)</h3>\
            \(offer.isHere ? Part.chip(frame, t("plans.here"), .good, icon: .check) : .empty)</div>\(price)\
            \(offer.note.isEmpty ? HTML.empty : "<p class=\"soft\">\(offer.note)</p>")<ul class="plan-limits">\(limits)\
            \(tools(offer.tools, "plans.with"))\(tools(offer.missing, "plans.without"))</ul>\(trial)</li>
            """
    }

    /// Brings what was bought to this desk, once more after a new installation.
    private static func restoring(_ frame: Frame, _ model: PlansPage) -> HTML {
        guard frame.isOwner, model.takesLicences || model.licenceError != nil else { return .empty }
        let t = frame.texts
        let licences = model.licences.map { licence -> HTML in
            let end =
                licence.endsAt.map { t.html("shares.until", markup: ["when": Part.time($0, style: .date)]) }
                ?? HTML(plain: t("shares.never"))
            return """
                <div class="item">\(frame.icon(.gauge))<span class="item-text"><span class="item-title">\(licence.plan)</span>\
                <span class="item-note">\(licence.holder) · \(end)</span></span>\
                \(licence.counts ? HTML.empty : Part.chip(frame, t("shares.state.expired"), .warn))\
                \(Form.button(
                    frame, "DELETE", licence.address, t("form.remove"), css: "button button-s button-danger",
                    confirm: t("plans.licence.confirm", ["plan": .text(licence.plan)])))</div>
                """
        }
        return Part.card(
            t("plans.restore"), id: "restore",
            """
            <p class="soft">\(t("plans.restore.text"))</p>
            \(Form.form(
                frame, "POST", "/settings/plans",
                """
                <input type="hidden" name="part" value="licence">
                \(Form.field(
                    frame,
                    Form.Field(
                        name: "licence", label: t("plans.licence"), value: model.licence, hint: t("plans.licence.hint"),
                        error: model.licenceError, autocomplete: "off", isRequired: true, rows: 3)))
                <div><button class="button">\(t("plans.licence.add"))</button></div>
                """))
            \(licences.isEmpty ? HTML.empty : Part.list(licences))
            """)
    }

    private static func simulating(_ frame: Frame, _ model: PlansPage) -> HTML {
        guard frame.isOwner else { return .empty }
        let t = frame.texts
        return Part.card(
            t("plans.operator"),
            """
            <p class="soft">\(t("plans.operator.text"))</p>
            \(Form.form(
                frame, "POST", "/settings/plans",
                """
                <input type="hidden" name="part" value="simulation">
                \(Form.check(
                    name: "simulateFree", label: t("plans.simulate"), hint: t("plans.simulate.hint"),
                    isOn: model.simulatesFree))
                \(save(frame))
                """))
            """)
    }
}
