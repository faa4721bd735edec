import Conversion
import Library
import Markup

/// A paper in every way it could be smaller: what each saves and costs, and its pages beside those there are now.
struct SmallerPage: Sendable {
    struct Way: Sendable {
        var way: Compression
        /// Of its result, from 1.
        var number: Int
        var byteCount: Int64
        var lost: [(kind: PaperParts.Kind, count: Int)] = []
        /// Whether it is smaller than the paper and than every gentler way.
        var isOffered: Bool

        /// The size that was asked for.
        var most: Int64? {
            guard case .fit(let most) = way else { return nil }
            return most
        }
        /// To an inch, as it was asked for.
        var dots: Int? {
            guard case .dots(let count) = way else { return nil }
            return count
        }
        var word: String { SmallerPage.word(of: way) }
        var isTooLarge: Bool { most.map { byteCount > $0 } ?? false }
    }

    static let ways = Compression.usual.map(\.word) + ["fit", "dots"]

    /// In addresses, texts and the API.
    static func word(of way: Compression) -> String {
        switch way {
        case .careful, .balanced, .strong: way.word
        case .fit: "fit"
        case .dots: "dots"
        }
    }

    var line: DocumentLine
    var version: Int
    /// Nil before anybody asked.
    var state: ConversionLine.State?
    var trial = ""
    var job: String?
    var fraction: Double?
    var reason: String?
    var ways: [Way] = []
    /// What there is in it now.
    var there: [PaperParts.Kind] = []
    /// Which way is looked at, and which page of so many, from 1.
    var chosen = Compression.balanced
    var page = 1
    var pageCount = 1
    var isLarge = false
    /// What was typed as a size or a number of dots, and why it cannot be one.
    var refused: (field: String, typed: String, why: String)?
    /// Of the page that is looked at, so that nothing jumps when its pictures come.
    var size = (width: 612, height: 792)

    var path: String { "/documents/\(line.id)/smaller" }
    var offered: [Way] { ways.filter(\.isOffered) }
    /// The one that is looked at: the chosen one, or what is nearest to it.
    var look: Way? { offered.first { $0.way == chosen } ?? offered.last }

    func address(_ way: Way, page: Int, isLarge: Bool) -> String {
        "\(path)?way=\(way.word)&page=\(page)\(isLarge ? "&large=1" : "")"
    }
}

extension Pages {
    static func smaller(_ frame: Frame, _ model: SmallerPage) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("document.smaller"),
            """
            \(Part.header(
                frame, t("document.smaller"), lede: model.line.name,
                crumbs: [(t("documents.title"), "/documents"), (model.line.name, "/documents/\(model.line.id)")]))
            <soft-page><div class="stack" data-swap="smaller"><live-part\(attribute: "job", model.job)><div class="stack" data-live>\
            \(state(frame, model))</div></live-part></div></soft-page>
            """)
    }

    private static func state(_ frame: Frame, _ model: SmallerPage) -> HTML {
        let t = frame.texts
        let size = ["size": Part.size(model.line.byteCount)]
        func begin(_ label: String, _ icon: Icon) -> HTML {
            "<div class=\"row\">\(Form.button(frame, "POST", model.path, label, icon: icon, css: "button button-main"))</div>"
        }
        switch model.state {
        case nil, .draft?, .cancelled?:
            return
                "\(Part.note(frame, .plain, "<p>\(t.html("smaller.about", markup: size))</p>"))\(begin(t("smaller.begin"), .compress))"
        case .waiting?, .running?:
            let value = model.fraction.map { String(Int($0 * 100)) }
            return """
                <section class="card" aria-label="\(t("convert.progress"))"><p role="status">\(t("smaller.working"))</p>
                <progress max="100"\(attribute: "value", value) aria-label="\(t("convert.progress"))"></progress>
                <div class="row">\(Form.button(frame, "DELETE", model.path, t("convert.cancel"), icon: .stop))</div></section>
                """
        case .failed?:
            return """
                \(Part.note(frame, .bad, "<p>\(model.reason.map(t.said) ?? t("convert.state.failed"))</p>"))
                \(begin(t("convert.again"), .again))
                """
        case .done?:
            guard let look = model.look else {
                return """
                    \(Part.note(frame, .plain, "<p>\(t.html("smaller.not", markup: size))</p>"))
                    <div class="row">\(Part.link(frame, "/documents/\(model.line.id)", t("smaller.back"), icon: .previous))</div>
                    \(wished(frame, model))
                    """
            }
            return """
                <p>\(t.html("smaller.now", markup: size))</p>
                <ul class="smaller-ways">\(model.ways.map { way(frame, model, $0, isChosen: $0.way == look.way) })</ul>
                \(wished(frame, model))\(keeping(frame, model, look))\(pair(frame, model, look))
                """
        }
    }

    /// For whoever has a limit to keep, of mail or a form on the web, or knows how fine pictures have to be.
    private static func wished(_ frame: Frame, _ model: SmallerPage) -> HTML {
        let t = frame.texts
        func fold(_ title: String, _ field: String, _ label: String, hint: String, inputMode: String) -> HTML
        {
            let refused = model.refused?.field == field ? model.refused : nil
            return """
                <details class="more"\(attribute: "open", if: refused != nil)><summary>\(t(title))</summary>\(Form.form(
                    frame, "POST", model.path, css: "stack stack-s",
                    """
                    \(Form.field(
                        frame,
                        .init(
                            name: field, label: t(label), value: refused?.typed ?? "", hint: t(hint),
                            error: refused?.why, autocomplete: "off", inputMode: inputMode, isRequired: true)))
                    <div class="row"><button class="button">\(frame.icon(.compress))\(t("smaller.fit.go"))</button></div>
                    """))</details>
                """
        }
        return """
            \(fold("smaller.fit", "most", "smaller.fit.most", hint: "smaller.fit.hint", inputMode: "decimal"))
            \(fold("smaller.dots", "dots", "smaller.dots.count", hint: "smaller.dots.hint", inputMode: "numeric"))
            """
    }

    private static func way(
        _ frame: Frame, _ model: SmallerPage, _ way: SmallerPage.Way, isChosen: Bool
    ) -> HTML {
        let t = frame.texts
        let name: HTML =
            way.most.map { t.html("smaller.way.fit", markup: ["size": Part.size($0)]) }
            ?? way.dots.map { HTML(plain: t("smaller.way.dots", ["count": .number($0)])) }
            ?? HTML(plain: t("smaller.way.\(way.word)"))
        guard way.isOffered else {
            return """
                <li class="smaller-way"><strong>\(name)</strong><span class="soft small">\(t("smaller.same"))</span></li>
                """
        }
        let share =
            100 - Int((Double(way.byteCount) / Double(max(1, model.line.byteCount)) * 100).rounded(.up))
        let address = model.address(way, page: model.page, isLarge: model.isLarge)
        let hint = t(way.isTooLarge ? "smaller.way.fit.not" : "smaller.way.\(way.word).hint")
        return """
            <li class="smaller-way\(isChosen ? " is-chosen" : "")"><a href="\(url: address)" data-soft id="way-\(way.word)"\
            \(attribute: "aria-current", isChosen ? "true" : nil)><strong>\(name)</strong></a>\
            <span>\(Part.size(way.byteCount)) <span class="soft">\(t("smaller.saved", ["percent": .number(share)]))</span></span>\
            <span class="soft small">\(hint)</span>\
            \(way.lost.isEmpty
                ? Part.chip(frame, t("smaller.stays"), .good, icon: .check)
                : Part.chip(frame, t("smaller.breaks"), .warn, icon: .warning))</li>
            """
    }

    /// What the way that is looked at keeps and what it costs, and the button.
    private static func keeping(_ frame: Frame, _ model: SmallerPage, _ look: SmallerPage.Way) -> HTML {
        let t = frame.texts
        let lost = Set(look.lost.map(\.kind))
        let stay = model.there.filter { !lost.contains($0) }.map { t("smaller.kind.\($0.rawValue)") }
        let costs = look.lost.map { one -> HTML in
            "<li>\(t("smaller.lost.\(one.kind.rawValue)", ["count": .number(one.count)]))</li>"
        }
        let warning: HTML =
            costs.isEmpty
            ? .empty
            : Part.note(frame, .warn, "<p>\(t("smaller.costs"))</p><ul>\(costs)</ul>")
        let unsigned: HTML =
            lost.contains(.signatures)
            ? Form.check(name: "unsigned", label: t("signed.unsigned"), isOn: false) : .empty
        return """
            <section class="stack stack-s" aria-label="\(t("smaller.chosen"))">\(warning)
            \(stay.isEmpty ? HTML.empty : "<p class=\"small\">\(t("smaller.keeps", ["what": .text(stay.joined(separator: ", "))]))</p>")
            \(Form.form(
                frame, "POST", "/documents/\(model.line.id)/versions", css: "stack stack-s",
                """
                <input type="hidden" name="conversion" value="\(model.trial)"><input type="hidden" name="result" value="\(look.number)">\
                <input type="hidden" name="base" value="\(model.version)">\(unsigned)\
                <div class="row"><button class="button button-main">\(frame.icon(.check))\(t.html("smaller.keep", markup: ["size": Part.size(look.byteCount)]))</button></div>
                """))
            <div class="row">\(Form.button(frame, "DELETE", model.path, t("smaller.leave"), icon: .close))</div>
            <p class="soft small">\(t("smaller.kept"))</p></section>
            """
    }

    /// One page as it is and as it would be; large enough to see its letters where that is asked.
    private static func pair(_ frame: Frame, _ model: SmallerPage, _ look: SmallerPage.Way) -> HTML {
        let t = frame.texts
        let width = model.isLarge ? 1600 : 700
        let before =
            "/documents/\(model.line.id)/versions/\(model.version)/pages/\(model.page)?width=\(width)"
        let after =
            "/conversions/\(model.trial)/results/\(look.number)/pages/\(model.page)?width=\(width)&of=\(look.byteCount)"
        func side(_ name: String, _ address: String, _ size: Int64) -> HTML {
            let label = "\(name) \(t("compare.page", ["page": .number(model.page)]))"
            return """
                <figure class="compare-sheet"><figcaption class="soft small">\(name) \(Part.size(size))</figcaption>\
                <div class="compare-paper smaller-paper\(model.isLarge ? " is-large" : "")"\(attribute: "tabindex", model.isLarge ? "0" : nil)\
                \(attribute: "role", model.isLarge ? "region" : nil)\(attribute: "aria-label", model.isLarge ? label : nil)>\
                <img src="\(url: address)" alt="\(label)" width="\(model.size.width)" height="\(model.size.height)"></div></figure>
                """
        }
        func go(_ page: Int, _ icon: Icon, _ key: String, id: String) -> HTML {
            guard (1...model.pageCount).contains(page) else { return .empty }
            let address = model.address(look, page: page, isLarge: model.isLarge)
            return
                "<a class=\"button button-s\" href=\"\(url: address)\" data-soft id=\"\(id)\">\(frame.icon(icon))\(t(key))</a>"
        }
        let zoom = model.address(look, page: model.page, isLarge: !model.isLarge)
        return """
            <section class="stack stack-s" aria-label="\(t("smaller.pages"))"><div class="row">\
            \(go(model.page - 1, .previous, "compare.previous", id: "page-before"))\
            <span class="small">\(t("smaller.page", ["page": .number(model.page), "pages": .number(model.pageCount)]))</span>\
            \(go(model.page + 1, .next, "compare.next", id: "page-behind"))<span class="push"></span>\
            <a class="button button-s" href="\(url: zoom)" data-soft id="page-size">\(frame.icon(.search))\
            \(t(model.isLarge ? "smaller.whole" : "smaller.large"))</a></div>
            <side-by-side class="compare-pair">\(side(t("compare.before"), before, model.line.byteCount))\(side(t("compare.after"), after, look.byteCount))</side-by-side></section>
            """
    }
}
