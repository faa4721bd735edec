import App
import Markup
import Pictures
import Storage

/// What the desk wears for those outside, and what comes of it beside.
struct LooksPage: Sendable {
    var looks: Looks
    /// With the identity's words where the looks have none of their own.
    var worn: Worn
    /// What is told when nothing is entered.
    var organization = ""
    var error: String?
    var errorField: String?
    /// A picture of a letter, as it is saved.
    var paper: String?
}

extension Looks {
    /// Only who has been told it by a page finds it.
    static func address(ofLogo logo: Digest) -> String { "/looks/\(logo.hex).jpg" }
}

extension Dye {
    /// The class of what wears it.
    var name: String { "wears-\(chosen.hex)" }

    var address: String { "/looks/\(chosen.hex).css" }

    var sheet: HTML { "<link rel=\"stylesheet\" href=\"\(url: address)\">" }

    /// The colours of tokens.css, in those of the office.
    var style: String {
        let (day, night) = (byDay, byNight)
        func both(_ part: KeyPath<Shades, Shade>) -> String {
            "light-dark(\(day[keyPath: part].css), \(night[keyPath: part].css))"
        }
        return """
            .\(name) { --own: \(chosen.css); --on-own: \(chosen.onTop.css); --lamp: \(both(\.accent)); --lamp-strong: \(both(\.strong)); \
            --on-lamp: \(both(\.onAccent)); --lamp-tint: \(both(\.tint)); accent-color: var(--lamp); }
            @media (prefers-contrast: more) { .\(name) { --lamp: light-dark(\(clearByDay.css), \(clearByNight.css)); \
            --lamp-strong: light-dark(\(clearByDay.css), \(clearByNight.css)); } }

            """
    }
}

extension Pages {
    static func looks(_ frame: Frame, _ model: LooksPage) -> HTML {
        let t = frame.texts
        return settingsPage(
            frame, "settings.looks",
            """
            <soft-page class="stack">\(Form.failure(frame, model.errorField == nil ? model.error : nil))
            \(Part.card(t("looks.words"), words(frame, model)))
            \(Part.card(
                t("looks.preview"),
                "<p class=\"soft\">\(t("looks.preview.text"))</p><div data-swap=\"looks-preview\">\(preview(frame, model))</div>"))
            \(Part.card(t("looks.logo"), logo(frame, model)))
            </soft-page>
            """)
    }

    private static func words(_ frame: Frame, _ model: LooksPage) -> HTML {
        let t = frame.texts
        let fields = Looks.fields.map { field -> HTML in
            var line = Form.Field(
                frame, SettableLine(field, of: model.looks),
                error: model.errorField == field.name ? model.error : nil, isOptional: true)
            switch field.name {
            case "name":
                if !model.organization.isEmpty {
                    line.hint = t("looks.name.instead", ["name": .text(model.organization)])
                }
            case "letterhead": line.rows = 4
            default: line.placeholder = Worn.lamp.css
            }
            guard field.name == "colour" else { return Form.field(frame, line) }
            return """
                <div class="colour-field">\(Form.field(frame, line))\
                <input class="script-only" type="color" aria-label="\(t("looks.colour.pick"))" \
                value="\((model.worn.dye?.chosen ?? Worn.lamp).css)" data-for="f-colour"></div>
                """
        }
        return """
            <looks-form>\(Form.form(
                frame, "POST", "/settings/looks", id: "looks-form", "\(fields)\(save(frame))"))</looks-form>
            """
    }

    private static func logo(_ frame: Frame, _ model: LooksPage) -> HTML {
        let t = frame.texts
        let error = model.errorField == "file" ? model.error : nil
        let now = model.worn.logo.map { logo -> HTML in
            """
            <div class="row"><img class="looks-logo" src="\(url: Looks.address(ofLogo: logo))" alt="\(t("looks.logo.now"))">\
            \(Form.button(frame, "DELETE", "/settings/looks/logo", t("looks.logo.remove"), icon: .trash))</div>
            """
        }
        return """
            \(now)<form class="stack" method="post" action="/settings/looks/logo" enctype="multipart/form-data">\(Form.csrf(frame))\
            <div class="field"><label for="f-file">\(t("looks.logo.file"))</label>\
            <input id="f-file" type="file" name="file" accept="image/png,image/jpeg" required \
            aria-describedby="f-file-hint\(error == nil ? "" : " f-file-error")"\(attribute: "aria-invalid", error == nil ? nil : "true")>\
            \(Form.error(frame, "f-file", error))<p class="field-hint" id="f-file-hint">\(t("looks.logo.hint"))</p></div>\
            <div><button class="button">\(frame.icon(.upload))\(t("looks.logo.set"))</button></div></form>
            """
    }

    /// What outsiders see, by day and by night; and what is to be said of the colour.
    private static func preview(_ frame: Frame, _ model: LooksPage) -> HTML {
        let t = frame.texts
        let dye = model.worn.dye
        let advice = dye?.nearest.map { nearest -> HTML in
            Part.note(
                frame, .warn,
                """
                <p>\(t("looks.pale", ["colour": .text(model.looks.colour), "nearest": .text(nearest.css)]))</p>\
                <div><button class="button button-s" form="looks-form" name="take" value="\(nearest.css)">\
                <span class="looks-swatch \(Dye(nearest).name)" aria-hidden="true"></span>\
                \(t("looks.take", ["colour": .text(nearest.css)]))</button></div>\(Dye(nearest).sheet)
                """, role: "status")
        }
        func page(_ time: String, _ name: String) -> HTML {
            """
            <figure class="looks-page looks-\(time)"><figcaption>\(name)</figcaption>\
            <div class="looks-sheet \(dye?.name ?? "")" inert>\(Shell.top(frame, model.worn))<div class="card"><p class="looks-title">\(t("looks.example"))</p>\
            <p class="soft">\(t("shared.from", ["name": .text(frame.reader?.name ?? "")]))</p>\
            <p><a href="/">\(t("looks.example.link"))</a></p>\
            <span class="button button-main button-wide">\(t("document.open"))</span></div></div></figure>
            """
        }
        let paper = model.paper.map { address -> HTML in
            """
            <figure class="looks-page"><figcaption>\(t("looks.paper"))</figcaption>\
            <img class="looks-paper" src="\(url: address)" alt="" width="240" height="311" loading="lazy"></figure>
            """
        }
        return """
            \(advice)\(dye?.sheet)<div class="looks-pages">\(page("day", t("looks.day")))\(page("night", t("looks.night")))\(paper)</div>
            """
    }
}
