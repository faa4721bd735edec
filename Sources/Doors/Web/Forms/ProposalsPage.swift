import Markup

/// Places on a flat paper that look like fields. Nothing is changed before somebody has looked.
struct ProposalsPage: Sendable {
    struct Proposal: Sendable {
        var key: String
        var name: String
        var kind: FieldLine.Kind
        var place: FieldLine.Place
        /// "a line of 62 mm after “Name:”"
        var reason: String
        var isAccepted = true
    }

    var line: TemplateLine
    var pages: [PagePicture]
    var proposals: [Proposal]
    var error: String?
}

extension Pages {
    static func proposals(_ frame: Frame, _ model: ProposalsPage) -> HTML {
        let t = frame.texts
        let path = "/templates/\(model.line.id)"
        let list: HTML = """
            <p class="soft with-script small">\(t("proposals.keys"))</p>
            <ol class="field-list">\(model.proposals.enumerated().map { place, proposal in
                proposalEntry(frame, proposal, place)
            })</ol>
            """
        let form = Form.form(
            frame, "POST", path + "/proposals", css: "stack",
            """
            \(Form.failure(frame, model.error))\(list)
            <div class="action-bar"><span class="soft small" data-count role="status"></span><span class="push"></span>\
            \(Part.link(frame, path, t("proposals.later"), css: "button button-quiet"))\
            <button class="button button-main">\(frame.icon(.check))\(t("proposals.make"))</button></div>
            """)
        let nothing = Part.empty(
            frame, icon: .form, title: t("proposals.none"), "<p>\(t("proposals.none.text"))</p>")
        return Shell.page(
            frame, title: t("proposals.title"),
            """
            \(Part.header(
                frame, t("proposals.title"), lede: t("proposals.lede"),
                crumbs: [(t("templates.title"), "/templates"), (model.line.name, path)]))
            <field-boxes class="beside">
            <div class="page-well" data-well tabindex="0" role="region" aria-label="\(t("template.pages"))">\
            \(model.pages.map { Part.picture(frame, $0, of: model.line.name) })</div>
            <section aria-label="\(t("proposals.title"))">\(model.proposals.isEmpty ? nothing : form)</section>
            </field-boxes>
            """)
    }

    /// The numbers are what is sent, so that a place can be moved without scripts and without a pointer.
    private static func proposalEntry(
        _ frame: Frame, _ proposal: ProposalsPage.Proposal, _ number: Int
    )
        -> HTML
    {
        let t = frame.texts
        let kinds: [FieldLine.Kind] = [.text, .multiline, .comb, .date, .number, .check, .signature]
        func measure(_ name: String, _ value: Double) -> HTML {
            """
            <label><span>\(t("proposals.\(name)"))</span><input type="number" step="any" name="\(name)-\(number)" \
            value="\(Part.tenths(value))" data-measure="\(name)" inputmode="decimal"></label>
            """
        }
        return """
            <li data-entry="\(proposal.key)" data-page="\(proposal.place.page)" tabindex="0" aria-label="\(proposal.name)">
            <div class="proposal">
            <label class="tick"><span class="unseen">\(t("proposals.accept", ["name": .text(proposal.name)]))</span>\
            <input type="checkbox" name="accept-\(number)" value="yes"\(attribute: "checked", if: proposal.isAccepted)></label>
            <label class="unseen" for="p-name-\(number)">\(t("documents.name"))</label>\
            <input type="text" id="p-name-\(number)" name="name-\(number)" value="\(proposal.name)" maxlength="200" autocomplete="off" dir="auto">
            <label class="unseen" for="p-kind-\(number)">\(t("document.kind"))</label>\
            <select id="p-kind-\(number)" name="kind-\(number)">\(kinds.map { kind -> HTML in
                "<option value=\"\(kind.rawValue)\"\(attribute: "selected", if: kind == proposal.kind)>\(t("field.kind.\(kind.rawValue)"))</option>"
            })</select></div>
            <details class="more"><summary>\(proposal.reason)</summary>
            <div class="measures"><input type="hidden" name="page-\(number)" value="\(proposal.place.page)">\
            \(measure("x", proposal.place.x))\(measure("y", proposal.place.y))\
            \(measure("width", proposal.place.width))\(measure("height", proposal.place.height))</div></details></li>
            """
    }
}
