import Markup

/// A form to be filled in by hand: its pages, with what one writes into laid over the fields. It works without scripts, too, which
/// only count, work out sums and go from field to field.
struct FillingPage: Sendable {
    /// Where something can be written or chosen, in points of its page.
    struct Box: Sendable {
        enum Kind: String, Sendable, CaseIterable { case text, multiline, check, radio, choice, list, image }

        var name: String
        var label: String
        var kind: Kind
        var page: Int
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        /// What is in it; of boxes and buttons the names of the states that are on.
        var value: [String] = []
        /// Of a box or button: the state that a mark here means.
        var state = ""
        var options: [(value: String, label: String)] = []
        /// Something else than the options may be written.
        var takesOwnWords = false
        var takesSeveral = false
        var isRequired = false
        /// Worked out from other fields.
        var isComputed = false
        var isComb = false
        /// A mark can be taken away again.
        var isLoose = false
        var isNumber = false
        var maximumLength: Int?
        /// How the form wants it, as `mm/dd/yyyy`.
        var hint: String?
        var isWrong = false
    }

    /// Somebody outside fills it in, who sees nothing else of the desk.
    struct Guest: Sendable {
        var token: String
        var name: String
        var askedBy: String
        var places: [SigningPlace]
    }

    /// Where a name is to stand.
    struct SigningPlace: Sendable {
        var name: String
        var label: String
        var page: Int
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        var isRequired = false
        /// A field for the day beside it, and how the form wants a day written.
        var date: (name: String, label: String, pattern: String)?
        /// What was typed and drawn, when it is shown once more.
        var typed = ""
        var drawn = ""
    }

    /// The paper; nil for somebody outside.
    var line: DocumentLine?
    var guest: Guest?
    var version: Int
    var sheets: [ReadPage.Sheet]
    var boxes: [Box]
    /// How many are required and empty.
    var missing = 0
    var isSigned = false
    /// Why nothing can be filled in.
    var hindrance: String?
    /// Why it was not kept.
    var problems: [String] = []
    /// Keeping it is a choice all the same.
    var mayKeepAnyway = false

    var name: String { guest?.name ?? line?.name ?? "" }
    /// What the pages, their pictures and what is kept are below.
    var path: String { guest.map { "/s/\($0.token)" } ?? "/documents/\(line?.id ?? "")" }

    static let mostSheets = 200
    static let mostBoxes = 5_000
}

extension Pages {
    static func filling(_ frame: Frame, _ model: FillingPage) -> HTML {
        let t = frame.texts
        let path = model.path
        let crumbs = [
            (name: t("documents.title"), address: "/documents"), (name: model.name, address: path),
        ]
        let content: HTML =
            if let hindrance = model.hindrance {
                Part.note(frame, .warn, "<p>\(hindrance)</p>")
            } else if model.boxes.isEmpty {
                Part.empty(
                    frame, icon: .form, title: t("byhand.none"),
                    """
                    <p>\(t("byhand.none.text"))</p>
                    <p>\(Part.link(frame, path + "/marks", t("marks.title"), icon: .pen, css: "button button-main"))</p>
                    """)
            } else {
                fillingDesk(frame, model)
            }
        return Shell.page(
            frame, title: t("byhand.title"),
            """
            \(Part.header(
                frame, t("byhand.title"), lede: model.boxes.isEmpty ? nil : t("byhand.lede"), crumbs: crumbs,
                actions: Part.link(frame, path + "/file?download=1", t("document.download"), icon: .download)))
            \(content)
            """)
    }

    private static func fillingDesk(_ frame: Frame, _ model: FillingPage) -> HTML {
        let t = frame.texts
        let path = model.path + "/form"
        let isOutside = model.guest != nil
        var notes: HTML = .empty
        if !model.problems.isEmpty {
            let anyway: HTML =
                model.mayKeepAnyway
                ? Form.check(
                    name: "anyway", label: t(isOutside ? "shared.reply.anyway" : "byhand.anyway"), isOn: false
                )
                : .empty
            notes = Part.note(
                frame, .bad,
                """
                <p><strong>\(t(isOutside ? "shared.reply.problems" : "byhand.problems"))</strong></p>
                <ul>\(model.problems.map { "<li>\($0)</li>" as HTML })</ul>\(anyway)
                """, role: "alert")
        } else if model.isSigned {
            notes = Part.note(frame, .plain, "<p>\(t("byhand.signed"))</p>")
        }
        func step(_ name: String, _ icon: Icon) -> HTML {
            """
            <button class="button button-icon script-only" type="button" data-step="\(name)" \
            aria-label="\(t("byhand.\(name)"))" title="\(t("byhand.\(name)"))">\(frame.icon(icon))</button>
            """
        }
        let count = t("byhand.missing", ["count": .number(model.missing)])
        // Whoever is outside sends when everything is read, below the pages.
        let keeping: HTML =
            isOutside
            ? .empty
            : """
            <label class="choice"><input type="checkbox" name="asPage" value="yes"><span>\(t("marks.partOfPage"))</span></label>
            <button class="button button-main">\(frame.icon(.check))<span>\(t("marks.save"))</span></button>
            """
        let toSign: HTML =
            model.guest?.places.isEmpty == false
            ? "<a class=\"button button-s\" href=\"#sign\">\(frame.icon(.pen))\(t("shared.reply.toSign"))</a>"
            : .empty
        return """
            <fill-desk\(attribute: "data-trial", isOutside ? nil : path + "/trial") data-version="\(model.version)"\(attribute: "data-private", if: frame.isPrivate)>
            <form method="post" action="\(url: path)" id="fill" autocomplete="off">\(Form.csrf(frame))
            <input type="hidden" name="base" value="\(model.version)"><input type="hidden" name="at" value="">
            \(notes)
            <div class="fill-bar"><span class="soft small" data-count role="status">\(model.missing > 0 ? count : "")</span>
            <span class="mark-group">\(step("previous", .previous))\(step("next", .next))</span><span class="push"></span>
            \(toSign)\(keeping)</div>
            <div class="fill-sheets">\(fillingSheets(frame, model))</div>
            \(model.guest.map { sending(frame, $0) })
            </form></fill-desk>
            """
    }

    /// For somebody outside: the form, where one signs it by hand, and how it is sent back.
    static func replying(_ frame: Frame, _ model: FillingPage) -> HTML {
        let t = frame.texts
        let askedBy = model.guest?.askedBy ?? ""
        let lede = model.guest?.places.isEmpty == false ? "shared.reply.lede.sign" : "shared.reply.lede"
        return Shell.plain(
            frame, title: model.name, wide: true, isForStrangers: true,
            """
            <div class="reply"><h1 dir="auto">\(model.name)</h1>\
            <p class="soft">\(t(lede, ["name": .text(askedBy)]))</p>
            \(fillingDesk(frame, model))
            <p>\(Part.link(frame, model.path, t("shared.back.file"), icon: .previous))</p></div>
            """)
    }

    /// After it was sent.
    static func replied(_ frame: Frame, name: String, askedBy: String, token: String, signed: Int) -> HTML {
        let t = frame.texts
        return Shell.plain(
            frame, title: t("shared.reply.sent"), isForStrangers: true,
            """
            <section class="card"><h1>\(t("shared.reply.sent"))</h1>
            \(Part.note(
                frame, .good,
                "<p>\(t("shared.reply.sent.text", ["paper": .text(name), "name": .text(askedBy)]))</p>"
                    + (signed > 0 ? "<p>\(t("shared.reply.sent.signed", ["count": .number(signed)]))</p>" : .empty),
                role: "status"))
            <p class="soft">\(t("shared.reply.sent.again"))</p>
            \(Part.link(frame, "/s/\(token)/form", t("shared.reply.again"), icon: .pen))</section>
            """)
    }

    private static func sending(_ frame: Frame, _ guest: FillingPage.Guest) -> HTML {
        let t = frame.texts
        let places = guest.places.enumerated().map { number, place -> HTML in
            let required: HTML? =
                place.isRequired ? " <span class=\"soft small\">\(t("shared.reply.required"))</span>" : nil
            return """
                <li class="sign-place" data-place="\(place.name)"\(attribute: "data-required", if: place.isRequired)\
                \(attribute: "data-date", place.date?.name)\(attribute: "data-date-label", place.date?.label)\
                \(attribute: "data-pattern", place.date?.pattern)>\
                <p class="field-label" id="sign-\(number)" dir="auto">\(place.label)\(required)</p>\
                <div class="field sign-typed"><label for="sign-\(number)-name">\(t("shared.reply.type"))</label>\
                <input id="sign-\(number)-name" type="text" name="sign:\(place.name)" value="\(place.typed)" maxlength="100" \
                autocomplete="off" aria-describedby="sign-\(number)"></div>\
                <input type="hidden" name="drawn:\(place.name)" value="\(place.drawn)"></li>
                """
        }
        let signing: HTML =
            guest.places.isEmpty
            ? .empty
            : """
            <h2>\(t("shared.reply.sign"))</h2><p class="soft">\(t("shared.reply.sign.hint"))</p>
            <sign-places><p class="soft small" data-signed role="status"></p><ul class="sign-list">\(places)</ul></sign-places>
            """
        return """
            <section class="card sign-card" id="sign" tabindex="-1">\(signing)
            <p class="soft small">\(t("shared.reply.send.hint", ["name": .text(guest.askedBy)]))</p>
            <button class="button button-main button-wide">\(frame.icon(.upload))<span>\(t("shared.reply.send"))</span></button></section>
            """
    }

    private static func fillingSheets(_ frame: Frame, _ model: FillingPage) -> HTML {
        let t = frame.texts
        var byPage: [Int: [FillingPage.Box]] = [:]
        for box in model.boxes { byPage[box.page, default: []].append(box) }
        var asked: Set<String> = []
        let shown = model.sheets.prefix(FillingPage.mostSheets).map { sheet -> HTML in
            let boxes = (byPage[sheet.number] ?? []).map { box -> HTML in
                // A box that is not ticked sends nothing; this says that it was there.
                let isAsked =
                    [.check, .radio, .list].contains(box.kind) && !box.isComputed
                    && asked.insert(box.name).inserted
                return """
                    <foreignObject x="\(Part.tenths(box.x))" y="\(Part.tenths(box.y))" width="\(Part.tenths(box.width))" \
                    height="\(Part.tenths(box.height))" font-size="\(Part.tenths(letterSize(box)))">\
                    \(isAsked ? "<input type=\"hidden\" name=\"box:\(box.name)\" value=\"1\">" as HTML : .empty)\(fillingBox(frame, box))</foreignObject>
                    """
            }
            let alternative = t(
                "template.page.of", ["number": .number(sheet.number), "name": .text(model.name)])
            let address = "\(model.path)/pages/\(sheet.number)?width=900"
            let places = (model.guest?.places ?? []).filter { $0.page == sheet.number }.map { place -> HTML in
                """
                <foreignObject x="\(Part.tenths(place.x))" y="\(Part.tenths(place.y))" width="\(Part.tenths(place.width))" \
                height="\(Part.tenths(place.height))" font-size="\(Part.tenths(min(12, max(5, place.height * 0.6))))">\
                <button class="sign-here script-only" type="button" data-sign="\(place.name)" \
                aria-label="\(t("shared.reply.signHere")): \(place.label)"><span>\(t("shared.reply.signHere"))</span></button></foreignObject>
                """
            }
            let size = (width: Int(sheet.width.rounded()), height: Int(sheet.height.rounded()))
            return """
                <figure class="fill-sheet" id="sheet-\(sheet.number)" data-page="\(sheet.number)">\
                <div class="fill-paper"><img src="\(url: address)" alt="\(alternative)" width="\(size.width)" height="\(size.height)" \
                loading="lazy" draggable="false">\
                <svg viewBox="0 0 \(Part.tenths(sheet.width)) \(Part.tenths(sheet.height))">\(boxes)\(places)</svg></div>\
                <figcaption class="soft small">\(t("redact.page", ["number": .number(sheet.number)]))</figcaption></figure>
                """
        }
        let more: HTML =
            model.sheets.count > FillingPage.mostSheets
            ? "<p class=\"soft\">\(t("byhand.more", ["count": .number(FillingPage.mostSheets)]))</p>" : .empty
        return "\(shown)\(more)"
    }

    /// What a line of a form is written in, as far as its height tells.
    private static func letterSize(_ box: FillingPage.Box) -> Double {
        box.kind == .multiline || box.kind == .list
            ? min(10, max(6, box.height * 0.72)) : min(12, max(5, box.height * 0.66))
    }

    private static func fillingBox(_ frame: Frame, _ box: FillingPage.Box) -> HTML {
        let t = frame.texts
        let name = "v:\(box.name)"
        let label = box.hint.map { "\(box.label) (\($0))" } ?? box.label
        let marks: HTML = """
             class="fill-\(box.kind.rawValue)\(box.isComb ? " fill-comb" : "")" name="\(name)" aria-label="\(label)" title="\(label)"\
            \(attribute: "data-required", if: box.isRequired)\(attribute: "aria-required", box.isRequired ? "true" : nil)\
            \(attribute: "aria-invalid", box.isWrong ? "true" : nil)\(attribute: "data-computed", if: box.isComputed)\(attribute: "data-loose", if: box.isLoose)
            """
        let limit: HTML = box.maximumLength.map { " maxlength=\"\($0)\"" } ?? .empty
        let first = box.value.first ?? ""
        switch box.kind {
        case .text:
            return """
                <input type="text"\(marks) value="\(first)"\(limit)\
                \(attribute: "inputmode", box.isNumber ? "decimal" : nil)\(attribute: "placeholder", box.hint)\
                \(attribute: "readonly", if: box.isComputed) autocomplete="off" dir="auto">
                """
        case .multiline:
            return """
                <textarea\(marks)\(limit)\(attribute: "readonly", if: box.isComputed) autocomplete="off" dir="auto">
                \(first)</textarea>
                """
        case .check, .radio:
            return """
                <input type="\(box.kind == .check ? "checkbox" : "radio")"\(marks) value="\(box.state)"\
                \(attribute: "checked", if: box.value.contains(box.state))>
                """
        case .image:
            let isChosen = first.hasPrefix("data:")
            return """
                <button type="button" class="fill-image script-only" data-picture aria-label="\(t("byhand.picture")): \(label)" title="\(label)">\
                <img alt="" src="\(isChosen ? first : "data:,")"\(attribute: "hidden", if: !isChosen)><span\(attribute: "hidden", if: isChosen)>\(t("byhand.picture"))</span></button>\
                <input type="hidden" name="\(name)" value="\(isChosen ? first : "")"><input type="file" accept="image/*" hidden>
                """
        case .choice where box.takesOwnWords:
            let list = "o:\(box.name):\(box.page)"
            return """
                <input type="text"\(marks) value="\(box.options.first { $0.value == first }?.label ?? first)" list="\(list)" autocomplete="off" dir="auto">\
                <datalist id="\(list)">\(box.options.map { "<option value=\"\($0.label)\">" as HTML })</datalist>
                """
        case .choice, .list:
            let isKnown = box.options.contains { box.value.contains($0.value) }
            // A choice that nobody has made yet is not the first of them.
            let none: HTML =
                box.kind == .choice && !box.options.contains { $0.value.isEmpty }
                ? "<option value=\"\"\(attribute: "selected", if: !isKnown)></option>" : .empty
            let options = box.options.map { option -> HTML in
                "<option value=\"\(option.value)\"\(attribute: "selected", if: box.value.contains(option.value))>\(option.label)</option>"
            }
            return """
                <select\(marks)\(attribute: "multiple", if: box.takesSeveral)\(box.kind == .list && !box.takesSeveral ? " size=\"4\"" : .empty)>\(none)\(options)</select>
                """
        }
    }
}
