import Cards
import Markup

/// Where a card is read: a square code before the camera, on a photo or pasted, or the print of a card.
struct ReadCardPage: Sendable {
    /// Where the code leads, when that is no card of this desk.
    var address: String?
    /// Whether a card may lie there.
    var mayBeCard = false
    /// What it says, when it is no card.
    var words: String?
    var typed = ""
    var error: String?
    var errorField: String?
}

/// A person before anybody said yes to them.
struct CardProposal: Sendable {
    /// The card as it was read, which the person is written down from.
    var card: String
    var source: CardReading.Source?
    /// What was read, for comparing.
    var text = ""
    /// Who is here already and may be the same.
    var known: [(id: String, name: String)] = []
}

extension Pages {
    static func readCard(_ frame: Frame, _ model: ReadCardPage) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("card.read"),
            """
            \(Part.header(
                frame, t("card.read"), lede: t("card.read.lede"),
                crumbs: [(t("people.title"), "/lists"), (t("people.contacts"), "/contacts")]))
            \(model.errorField == nil ? Form.failure(frame, model.error) : .empty)\(told(frame, model))
            <div class="columns"><div class="stack">\(camera(frame))\(photo(frame, model))</div>\
            <div class="stack">\(pasting(frame, model))</div></div>
            """)
    }

    /// What was read and is no card.
    private static func told(_ frame: Frame, _ model: ReadCardPage) -> HTML {
        let t = frame.texts
        if let address = model.address {
            let fetch: HTML =
                model.mayBeCard
                ? Form.form(
                    frame, "POST", "/contacts/scan",
                    """
                    <input type="hidden" name="text" value="\(address)"><input type="hidden" name="fetch" value="true">\
                    <p class="soft small">\(t("card.read.fetch.text"))</p>\
                    <div class="row"><button class="button button-main">\(frame.icon(.download))\(t("card.read.fetch"))</button></div>
                    """) : .empty
            return Part.note(
                frame, .plain,
                """
                <p>\(t("card.read.leads")) <a href="\(url: address)" rel="noopener noreferrer" target="_blank" dir="ltr">\(address)</a></p>\(fetch)
                """, role: "status")
        }
        guard let words = model.words else { return .empty }
        return Part.note(
            frame, .plain,
            """
            <p>\(t("card.read.words"))</p><blockquote class="card-read-words" dir="auto">\(words)</blockquote>
            """, role: "status")
    }

    private static func camera(_ frame: Frame) -> HTML {
        let t = frame.texts
        return """
            <code-camera class="card stack script-only"><h2>\(t("card.read.camera"))</h2>\
            <p class="soft">\(t("card.read.camera.text"))</p>\
            <div class="code-stage" data-stage hidden><video playsinline muted aria-label="\(t("card.read.camera.seen"))"></video></div>\
            <p role="status" data-word></p>\
            <div class="row"><button class="button button-main" type="button" data-begin>\(frame.icon(.camera))\(t("card.read.camera.begin"))</button>\
            <button class="button" type="button" data-end hidden>\(frame.icon(.stop))\(t("card.read.camera.end"))</button></div></code-camera>
            """
    }

    private static func photo(_ frame: Frame, _ model: ReadCardPage) -> HTML {
        let t = frame.texts
        let isWrong = model.errorField == "file"
        return Part.card(
            t("card.read.photo"),
            """
            <form class="stack" method="post" action="/contacts/scan" enctype="multipart/form-data">\(Form.csrf(frame))\
            \(isWrong ? Form.failure(frame, model.error) : .empty)\
            <div class="field"><label for="f-file">\(t("card.read.file"))</label>\
            <input id="f-file" type="file" name="file" accept="image/*,.heic,.heif" required aria-describedby="f-file-hint"\
            \(attribute: "aria-invalid", isWrong ? "true" : nil)>\
            <p class="field-hint" id="f-file-hint">\(t("card.read.file.hint"))</p></div>\
            <div class="row"><button class="button">\(frame.icon(.eye))\(t("card.read.go"))</button></div></form>
            """)
    }

    private static func pasting(_ frame: Frame, _ model: ReadCardPage) -> HTML {
        let t = frame.texts
        return Part.card(
            t("card.read.paste"),
            Form.form(
                frame, "POST", "/contacts/scan",
                """
                \(Form.field(
                    frame,
                    .init(
                        name: "text", label: t("card.read.text"), value: model.typed, hint: t("card.read.text.hint"),
                        error: model.errorField == "text" ? model.error : nil, autocomplete: "off", isRequired: true,
                        rows: 6)))
                <div class="row"><button class="button">\(frame.icon(.eye))\(t("card.read.go"))</button></div>
                """))
    }

    /// Above the fields of somebody new: what they were read from, and who may be the same.
    static func proposal(_ frame: Frame, _ model: CardProposal) -> HTML {
        let t = frame.texts
        guard let source = model.source else { return .empty }
        let known: HTML =
            model.known.isEmpty
            ? .empty
            : """
            <p>\(t("card.read.known")) \(model.known.map { person in
                "<a href=\"\(url: "/contacts/\(person.id)")\" dir=\"auto\">\(person.name)</a>" as HTML
            }.joined(separator: ", "))</p>
            """
        let text: HTML =
            model.text.isEmpty
            ? .empty
            : """
            <details class="more small"><summary>\(t("card.read.said"))</summary><blockquote class="card-read-words" dir="auto">\(model.text)</blockquote></details>
            """
        return Part.note(
            frame, model.known.isEmpty ? .plain : .warn,
            "<p>\(t("card.read.from.\(source.rawValue)"))</p>\(known)\(text)", role: "status")
    }
}
