import Markup

/// A form to be filled in by hand: its pages, with what one writes into laid over the fields. It works without scripts, too, which
/// only count, work out sums and go from field to field.
struct FillingPage: Sendable {
    /// Where something can be written or chosen, in points of its page.
    struct Box: Sendable {
        enum Kind: String, Sendable, CaseIterable { case text, multiline, check, radio, choice, list }

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

    var line: DocumentLine
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

    static let mostSheets = 200
    static let mostBoxes = 5_000
}

extension Pages {
    static func filling(_ frame: Frame, _ model: FillingPage) -> HTML {
        let t = frame.texts
        let path = "/documents/\(model.line.id)"
        let crumbs = [
            (name: t("documents.title"), address: "/documents"), (name: model.line.name, address: path),
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
        let path = "/documents/\(model.line.id)/form"
        var notes: HTML = .empty
        if !model.problems.isEmpty {
            let anyway: HTML =
                model.mayKeepAnyway
                ? Form.check(name: "anyway", label: t("byhand.anyway"), isOn: false) : .empty
            notes = Part.note(
                frame, .bad,
                """
                <p><strong>\(t("byhand.problems"))</strong></p>
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
        return """
            <fill-desk data-trial="\(path)/trial" data-version="\(model.version)"\(attribute: "data-private", if: frame.isPrivate)>
            <form method="post" action="\(url: path)" id="fill" autocomplete="off">\(Form.csrf(frame))
            <input type="hidden" name="base" value="\(model.version)"><input type="hidden" name="at" value="">
            \(notes)
            <div class="fill-bar"><span class="soft small" data-count role="status">\(model.missing > 0 ? count : "")</span>
            <span class="mark-group">\(step("previous", .previous))\(step("next", .next))</span><span class="push"></span>
            <label class="choice"><input type="checkbox" name="asPage" value="yes"><span>\(t("marks.partOfPage"))</span></label>
            <button class="button button-main">\(frame.icon(.check))<span>\(t("marks.save"))</span></button></div>
            <div class="fill-sheets">\(fillingSheets(frame, model))</div>
            </form></fill-desk>
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
                "template.page.of", ["number": .number(sheet.number), "name": .text(model.line.name)])
            let address = "/documents/\(model.line.id)/pages/\(sheet.number)?width=900"
            let size = (width: Int(sheet.width.rounded()), height: Int(sheet.height.rounded()))
            return """
                <figure class="fill-sheet" id="sheet-\(sheet.number)" data-page="\(sheet.number)">\
                <div class="fill-paper"><img src="\(url: address)" alt="\(alternative)" width="\(size.width)" height="\(size.height)" \
                loading="lazy" draggable="false">\
                <svg viewBox="0 0 \(Part.tenths(sheet.width)) \(Part.tenths(sheet.height))">\(boxes)</svg></div>\
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
