import Markup
import Storage
import Sync
import Work

/// The places with which the desk keeps in step.
struct SyncPage: Sendable {
    struct Place: Sendable {
        var id: String
        var name: String
        var kind: String
        var address: String
        var state: SyncPlace.State
        var isPaused: Bool
        var isEncrypted: Bool
        var sentence: String
        var syncedAt: Moment?
        var synced: Int
        var waiting: Int
        var failed: Int
        var choice: SyncPlace.Choice

        init(_ place: SyncPlace) {
            id = place.id.text
            name = place.name
            kind = place.kind.rawValue
            address = place.address
            state = place.state
            isPaused = place.isPaused
            isEncrypted = place.options.isEncrypted
            sentence = place.sentence
            syncedAt = place.syncedAt
            synced = place.synced
            waiting = place.waiting
            failed = place.failed
            choice = place.choice
        }
    }

    var places: [Place]
    /// What was typed and could not be taken.
    var kind = "folder"
    var typed: [String: String] = [:]
    var things = SyncPlace.Choice.usual
    var error: String?
    var errorField: String?
    /// The code just made for another Quire; shown this once.
    var code: String?
    var invitationError: String?

    init(places: [Place]) { self.places = places }
}

extension Pages {
    static func sync(_ frame: Frame, _ model: SyncPage) -> HTML {
        let t = frame.texts
        let list: HTML =
            model.places.isEmpty
            ? "<p class=\"soft\">\(t("sync.none"))</p>"
            : "<section class=\"card card-flush\">\(Part.list(model.places.map { place(frame, $0) }))</section>"
        guard frame.isOwner else { return settingsPage(frame, "settings.sync", list) }
        let code: HTML =
            model.code.map { code in
                Part.note(
                    frame, .good,
                    """
                    <p><strong>\(t("sync.code.made"))</strong> \(t("sync.code.once"))</p>\(Part.secret(code))
                    <div class="row">\(Part.copy(frame, code))</div>
                    """, role: "status")
            } ?? .empty
        let new = Part.card(t("sync.new"), id: "new", draft(frame, model))
        return settingsPage(frame, "settings.sync", "\(code)\(list)\(new)\(invitation(frame, model))")
    }

    private static func invitation(_ frame: Frame, _ model: SyncPage) -> HTML {
        let t = frame.texts
        return Part.card(
            t("sync.invite"), id: "invite",
            Form.form(
                frame, "POST", "/sync/invitations",
                """
                <p>\(t("sync.invite.hint"))</p>
                \(Form.failure(frame, model.invitationError))
                \(Form.field(
                    frame,
                    Form.Field(
                        name: "name", label: t("sync.invite.name"), hint: t("sync.invite.name.hint"),
                        autocomplete: "off", isRequired: true, id: "sync-invite-name")))
                <div><button class="button">\(frame.icon(.plus))\(t("sync.invite.make"))</button></div>
                """))
    }

    private static func place(_ frame: Frame, _ place: SyncPage.Place) -> HTML {
        let t = frame.texts
        let (word, mood) = words(place)
        let when: HTML =
            place.syncedAt.map { t.html("sync.last", markup: ["when": Part.time($0)]) }
            ?? HTML(plain: t("sync.never"))
        var counts = [t("sync.count.synced", ["count": .number(place.synced)])]
        if place.waiting > 0 { counts.append(t("sync.count.waiting", ["count": .number(place.waiting)])) }
        if place.failed > 0 { counts.append(t("sync.count.failed", ["count": .number(place.failed)])) }
        let sentence: HTML =
            place.sentence.isEmpty || place.isPaused
            ? .empty : "<span class=\"item-note\" dir=\"auto\">\(t.said(place.sentence))</span>"
        // A place from before something could be kept in step goes on without it, until somebody hears of it.
        let left = SyncPlace.Thing.allCases.filter {
            SyncPlace.Choice.usual.contains($0) && !place.choice.things.contains($0)
        }
        let without: HTML =
            left.isEmpty
            ? .empty
            : """
            <span class="item-note">\(t("sync.what.not", ["what": .text(left.map { t("sync.what.\($0.rawValue)") }.joined(separator: "; "))]))</span>
            """
        let now: HTML =
            place.isPaused || !frame.canEdit
            ? .empty
            : Form.button(
                frame, "POST", "/sync/\(place.id)/visits", t("sync.now"), icon: .again,
                css: "button button-s", name: t("sync.now.of", ["name": .text(place.name)]))
        let owners: HTML =
            frame.isOwner
            ? """
            \(Form.form(
                frame, "PATCH", "/sync/\(place.id)", css: nil,
                """
                <input type="hidden" name="paused" value="\(place.isPaused ? "no" : "yes")">
                <button class="button button-s">\(t(place.isPaused ? "sync.resume" : "sync.pause"))</button>
                """))
            <details class="more"><summary>\(t("sync.what.change"))</summary>\
            \(Form.form(
                frame, "PATCH", "/sync/\(place.id)",
                """
                \(choice(frame, place.choice))
                <div><button class="button button-s">\(t("form.save"))</button></div>
                """))</details>
            \(Form.button(
                frame, "DELETE", "/sync/\(place.id)", t("form.remove"), css: "button button-s button-danger",
                confirm: t(place.kind == "here" ? "sync.remove.here" : "sync.remove.confirm", ["name": .text(place.name)])))
            """ : .empty
        return """
            <div class="item item-wrap">\(frame.icon(place.isEncrypted ? .lock : place.kind == "folder" ? .folder : .globe))\
            <span class="item-text"><span class="item-title" dir="auto">\(place.name)</span>\
            <span class="item-note" dir="auto">\(t("sync.kind.\(place.kind)"))\(place.kind == "here" ? "" : " · \(place.address)")</span>\
            <span class="item-note">\(when) · \(counts.joined(separator: " · "))</span>\(without)\(sentence)</span>\
            \(Part.chip(frame, t("sync.state.\(word)"), mood))<span class="row">\(now)\(owners)</span></div>
            """
    }

    private static func choice(
        _ frame: Frame, _ choice: SyncPlace.Choice, error: String? = nil
    ) -> HTML {
        let t = frame.texts
        let things = SyncPlace.Thing.allCases.map { thing in
            Form.check(
                name: "what", value: thing.rawValue, label: t("sync.what.\(thing.rawValue)"),
                hint: [.contacts, .lists, .batches, .settings].contains(thing)
                    ? t("sync.what.\(thing.rawValue).hint") : nil,
                isOn: choice.things.contains(thing))
        }
        return """
            <input type="hidden" name="choosing" value="yes">\
            <fieldset class="field"><legend class="field-label">\(t("sync.what"))</legend><div class="choices">\(things)\
            \(Form.check(name: "versions", label: t("sync.versions"), hint: t("sync.versions.hint"), isOn: choice.versions))\
            </div>\(Form.error(frame, "sync-what", error))</fieldset>
            """
    }

    private static func words(_ place: SyncPage.Place) -> (String, Part.Mood) {
        if place.isPaused { return ("paused", .plain) }
        return switch place.state {
        case .new, .syncing: ("syncing", .plain)
        case .synced: ("synced", .good)
        case .failed, .refused: ("failed", .bad)
        case .unavailable: ("unavailable", .warn)
        }
    }

    private static func draft(_ frame: Frame, _ model: SyncPage) -> HTML {
        let t = frame.texts
        func field(
            _ name: String, _ label: String, type: String = "text", hint: String? = nil, optional: Bool = true
        ) -> HTML {
            Form.field(
                frame,
                Form.Field(
                    name: name, label: t(label), value: model.typed[name] ?? "", type: type,
                    hint: hint.map { t($0) }, error: model.errorField == name ? model.error : nil,
                    autocomplete: type == "password" ? "new-password" : "off", isRequired: !optional,
                    id: "sync-\(name)", optionalNote: optional ? t("form.optional") : nil))
        }
        let known = ["address", "bucket", "user", "passphrase", "what"]
        let kinds = SyncPlace.Kind.allCases.filter { $0 != .here }.map {
            ($0.rawValue, t("sync.kind.\($0.rawValue)"))
        }
        return Form.form(
            frame, "POST", "/sync",
            """
            \(Form.failure(frame, model.errorField.map { known.contains($0) } == true ? nil : model.error))
            \(Form.select(frame, name: "kind", label: t("sync.kind"), options: kinds, chosen: model.kind))
            \(field("address", "sync.address", hint: "sync.address.hint", optional: false))
            \(field("user", "sync.user", hint: "sync.user.hint"))
            \(field("password", "sync.password", type: "password"))
            <details class="more"\(attribute: "open", if: model.kind == "s3")><summary>\(t("sync.bucket.title"))</summary><div class="stack">
            \(field("bucket", "sync.bucket"))
            \(field("region", "sync.region", hint: "sync.region.hint"))
            \(field("prefix", "sync.prefix"))</div></details>
            \(field("passphrase", "sync.passphrase", type: "password", hint: "sync.passphrase.hint"))
            \(field("name", "sync.name"))
            \(choice(frame, SyncPlace.Choice(things: model.things), error: model.errorField == "what" ? model.error : nil))
            <div><button class="button button-main">\(frame.icon(.check))\(t("sync.add"))</button></div>
            """)
    }

    /// How a paper stands with the places; one that failed is tried again by a tap.
    static func syncChip(_ frame: Frame, _ state: SyncedState?) -> HTML {
        guard let state else { return .empty }
        let t = frame.texts
        let label = t("sync.state.\(state.word.rawValue)")
        let title = state.sentence.isEmpty ? state.placeName : "\(state.placeName): \(t.said(state.sentence))"
        return switch state.word {
        case .synced:
            "<span class=\"chip chip-good\" title=\"\(title)\">\(frame.icon(.check))\(label)</span>"
        case .syncing: "<span class=\"chip\" title=\"\(title)\">\(frame.icon(.again))\(label)</span>"
        case .unavailable:
            "<span class=\"chip chip-warn\" title=\"\(title)\">\(frame.icon(.clock))\(label)</span>"
        case .failed where frame.canEdit:
            // Inside the form of the list, where no other form may stand.
            """
            <button class="chip chip-bad chip-link" formaction="\(url: "/sync/\(state.place)/visits?next=\(queryEncoded(frame.path))")" \
            title="\(title)">\(frame.icon(.warning))\(t("sync.state.failedRetry"))</button>
            """
        case .failed:
            "<span class=\"chip chip-bad\" title=\"\(title)\">\(frame.icon(.warning))\(label)</span>"
        }
    }
}
