import CardCase
import Markup
import Pictures
import Storage
import WebAssets
import Work

/// Where one of the pictures of a card is chosen, and the part of it that is shown.
struct CardPicturePage: Sendable {
    var card: OwnCard
    var kind: CardPicture.Kind
    var error: String?
}

extension Pages {
    static func cardPicture(_ frame: Frame, _ model: CardPicturePage) -> HTML {
        let t = frame.texts
        let card = model.card
        let name = t("cards.picture.\(model.kind.rawValue)")
        let picture = card.pictures[model.kind]
        return Shell.page(
            frame, title: name,
            """
            \(Part.header(
                frame, name, lede: t("cards.picture.\(model.kind.rawValue).lede"),
                crumbs: [(t("cards.mine"), "/cards"), (card.called, "/cards/\(card.id.text)")]))
            \(Form.failure(frame, model.error))\
            <div class="columns"><div class="stack">\(picture.map { cropping(frame, model, $0) } ?? .empty)</div>\
            <div class="stack">\(choosing(frame, model))\(picture == nil ? .empty : keeping(frame, model))</div></div>
            """)
    }

    /// The window is drawn here, and again by `crop-image` while it is moved.
    private static func cropping(_ frame: Frame, _ model: CardPicturePage, _ picture: CardPicture) -> HTML {
        let t = frame.texts
        let path = "/cards/\(model.card.id.text)/\(model.kind.rawValue)"
        let window = picture.window(model.kind)
        let isOnItsSide = window.turn.isOnItsSide
        let (across, up) =
            isOnItsSide ? (picture.height, picture.width) : (picture.width, picture.height)
        let names = model.kind.shape == nil ? ["x", "y", "size", "height"] : ["x", "y", "size"]
        let sliders = CardCrop.fields.filter { names.contains($0.name) }.map {
            slider(frame, $0, model.kind, picture)
        }
        let turn = CardCrop.fields.filter { $0.name == "turn" }.map {
            Form.choices(frame, SettableLine($0, of: picture.crop))
        }
        let box = Box(window, across, up)
        return Part.card(
            t("cards.crop"),
            """
            <crop-image data-width="\(picture.width)" data-height="\(picture.height)" data-shape="\(model.kind.shape.map { "\($0)" } ?? "free")">\
            <svg class="crop-stage" viewBox="0 0 \(across) \(up)" role="group" tabindex="0" aria-label="\(t("cards.crop.stage"))" aria-describedby="crop-keys">\
            <image href="\(url: "\(path)/whole?\(picture.original.hex.prefix(12))")" width="\(picture.width)" height="\(picture.height)" preserveAspectRatio="none" transform="\(turning(window.turn, picture))"/>\
            <path class="crop-shade" fill-rule="evenodd" d="M0 0H\(across)V\(up)H0Z \(box.path)"/><path class="crop-window" d="\(box.path)"/></svg>
            <p class="field-hint script-only" id="crop-keys">\(t("cards.crop.keys"))</p>
            \(Form.form(
                frame, "PATCH", path,
                """
                \(sliders)\(turn)<div class="row"><button class="button button-main">\(frame.icon(.check))\(t("cards.crop.save"))</button>\
                <button class="button" name="do" value="reset">\(frame.icon(.undo))\(t("cards.crop.reset"))</button>\
                \(Part.link(frame, "/cards/\(model.card.id.text)", t("cards.picture.done"), icon: .previous, css: "button"))</div>
                """))</crop-image>
            """)
    }

    /// In pixels of the turned picture.
    private struct Box {
        let path: String

        init(_ window: PictureWindow, _ across: Int, _ up: Int) {
            func pixels(_ part: Double, _ whole: Int) -> Int { Int((part * Double(whole)).rounded()) }
            let (x, y) = (pixels(window.left, across), pixels(window.top, up))
            path = "M\(x) \(y)h\(pixels(window.width, across))v\(pixels(window.height, up))H\(x)Z"
        }
    }

    /// Turned about a corner, then moved back to where it is seen.
    private static func turning(_ turn: PictureWindow.Turn, _ picture: CardPicture) -> String {
        switch turn {
        case .none: ""
        case .right: "translate(\(picture.height) 0) rotate(90)"
        case .half: "translate(\(picture.width) \(picture.height)) rotate(180)"
        case .left: "translate(0 \(picture.width)) rotate(270)"
        }
    }

    private static func slider(
        _ frame: Frame, _ field: ThingField<CardCrop>, _ kind: CardPicture.Kind, _ picture: CardPicture
    ) -> HTML {
        guard case .whole(let bounds) = field.kind else { return .empty }
        // What has a height of its own has a width.
        let label = kind.shape == nil && field.name == "size" ? "cards.crop.width" : field.label
        return """
            <div class="field"><label for="f-\(field.name)">\(frame.texts(label))</label>\
            <input id="f-\(field.name)" type="range" name="\(field.name)" min="\(bounds.lowerBound)" max="\(bounds.upperBound)" step="5" value="\(field.text(of: picture.crop))" autocomplete="off"></div>
            """
    }

    private static func choosing(_ frame: Frame, _ model: CardPicturePage) -> HTML {
        let t = frame.texts
        let path = "/cards/\(model.card.id.text)/\(model.kind.rawValue)"
        let hasOne = model.card.pictures[model.kind] != nil
        return Part.card(
            t(hasOne ? "cards.picture.other" : "cards.picture.choose"),
            """
            <picture-field><form class="stack" method="post" action="\(path)" enctype="multipart/form-data">\(Form.csrf(frame))\
            <div class="field"><label for="f-file">\(t("cards.photo.file"))</label>\
            <input id="f-file" type="file" name="file" accept="image/jpeg,image/png" required aria-describedby="f-file-hint">\
            <p class="field-hint" id="f-file-hint">\(t("cards.picture.hint")) <span class="script-only">\(t("cards.picture.drop"))</span></p></div>\
            <button class="button\(hasOne ? "" : " button-main")">\(frame.icon(.upload))\(t("cards.photo.set"))</button></form></picture-field>
            """)
    }

    private static func keeping(_ frame: Frame, _ model: CardPicturePage) -> HTML {
        let t = frame.texts
        let path = "/cards/\(model.card.id.text)/\(model.kind.rawValue)"
        return Part.card(
            t("cards.picture.kept"),
            """
            <img class="card-picture-seen" src="\(url: "\(path)?\(model.card.changedAt.milliseconds)")" alt="\(t("cards.picture.seen"))">\
            <p class="soft">\(t("cards.picture.kept.text"))</p>\
            <div class="row">\(Part.link(frame, "\(path)/original", t("cards.picture.original"), icon: .download, css: "button button-s"))\
            \(Form.button(frame, "DELETE", path, t("cards.photo.remove"), icon: .trash, css: "button button-s"))</div>
            """)
    }
}
