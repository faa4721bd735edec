import Conversion
import Markup

/// What can be done with papers on their way, and what each step wants to know. They are picked from a list, put in
/// order and taken away again, each by a form of its own that works without scripts.
struct StepChoice: Sendable {
    enum Setting: Sendable, Equatable {
        case none
        case text(hint: Bool, type: String = "text", isRequired: Bool = true)
        case lines
        case one(of: [String])
        /// What the step's settings are, each in a field of its own; those that are asked for here.
        case settings([Ask])
    }

    /// A setting in a form: `choices` are offered where there are any, an empty one for what Quire finds by itself.
    struct Ask: Sendable, Equatable {
        var name: String
        var choices: [String] = []
        var hasHint = false
        var isRequired = false

        static let places = Ask(name: "place", choices: [""] + SheetPlace.allCases.map(\.rawValue))
        static let pages = Ask(name: "pages", hasHint: true)

        static func paper(_ first: String...) -> Ask {
            Ask(name: "paper", choices: first + ["a4", "letter", "legal", "a3", "a5"])
        }
    }

    /// As it is written in front of the equals sign; of several such as title and author the first.
    var word: String
    var setting = Setting.none
    /// Names that share a choice: the value of one of them is set.
    var names: [String] = []
    /// Without a value the same word means something else.
    var isWithValue: Bool?

    /// In the order in which people ask for them.
    static let all: [StepChoice] = [
        .init(word: "pages", setting: .text(hint: true)),
        .init(word: "rotate", setting: .one(of: ["90", "180", "270"])),
        .init(word: "merge"), .init(word: "alternate", setting: .one(of: ["", "from-end"])),
        .init(
            word: "split",
            setting: .settings([
                .init(name: "at", choices: ["", "bookmarks", "blank", "separators"], hasHint: true),
                .init(name: "every", hasHint: true), .init(name: "most", hasHint: true),
            ])),
        .init(word: "ocr", setting: .text(hint: true, isRequired: false)), .init(word: "compress"),
        .init(
            word: "number",
            setting: .settings([
                .init(name: "format", hasHint: true), .places, .init(name: "mirrored"),
                .init(name: "start", hasHint: true), .init(name: "bates", hasHint: true), .pages,
            ])),
        .init(
            word: "watermark",
            setting: .settings([.init(name: "text", isRequired: true), .pages, .init(name: "under")])),
        .init(
            word: "stamp",
            setting: .settings([
                .init(name: "text", hasHint: true), .places, .init(name: "header", hasHint: true),
                .init(name: "footer"), .pages,
            ])),
        .init(
            word: "picture",
            setting: .settings([
                .places, .init(name: "width", hasHint: true),
                .init(name: "opacity", choices: ["", "0.5", "0.2"]), .init(name: "under"), .pages,
            ])),
        .init(
            word: "nup",
            setting: .settings([
                .init(name: "count", choices: ["2", "4", "6", "8", "9", "16"]), .paper(""),
                .init(name: "order", choices: ["across", "down"]), .init(name: "border"),
                .init(name: "right-to-left"),
            ])),
        .init(
            word: "booklet",
            setting: .settings([.paper(""), .init(name: "right-to-left"), .init(name: "border")])),
        .init(
            word: "poster",
            setting: .settings([
                .init(name: "sheets", hasHint: true), .paper(""), .init(name: "overlap", hasHint: true),
                .init(name: "marks"), .pages,
            ])),
        .init(
            word: "background",
            setting: .settings([.init(name: "colour", hasHint: true), .init(name: "over"), .pages])),
        .init(
            word: "resize",
            setting: .settings([
                .paper(), .init(name: "fit", choices: ["fit", "shrink", "none"]),
                .init(name: "margin", hasHint: true), .pages,
            ])),
        .init(
            word: "crop",
            setting: .settings([
                .init(name: "by", hasHint: true, isRequired: true), .init(name: "same"), .pages,
            ])),
        .init(word: "sanitise"),
        .init(
            word: "title", setting: .text(hint: false), names: ["title", "author", "subject", "keywords"]),
        .init(word: "bookmarks", setting: .lines, isWithValue: true),
        .init(word: "labels", setting: .lines),
        .init(word: "pdfa", setting: .one(of: ["2b", "1b", "3b"])), .init(word: "flatten"),
        .init(word: "linearize"), .init(word: "attach"), .init(word: "attachments"),
        .init(word: "bookmarks", isWithValue: false),
        .init(word: "encrypt", setting: .text(hint: false, type: "password")),
    ]

    /// Another kind of paper is a step as well: it is written as the kind alone.
    static let kind = "kind"

    /// Tells those of one word apart.
    var key: String { isWithValue == false ? word + "-list" : word }

    static func of(_ step: (word: String, value: String?)) -> StepChoice? {
        all.first { choice in
            (choice.word == step.word || choice.names.contains(step.word))
                && (choice.isWithValue ?? (step.value != nil)) == (step.value != nil)
        }
    }
}

extension Pages {
    /// The steps there are, in forms that only change something else.
    static func stepsKept(_ steps: [String]) -> HTML {
        "\(steps.map { "<input type=\"hidden\" name=\"then\" value=\"\($0)\">" as HTML })"
    }

    static func conversionSteps(_ frame: Frame, _ model: ConversionPage, _ path: String) -> HTML {
        let t = frame.texts
        let steps = model.wishes.steps
        let items = steps.indices.map { stepItem(frame, steps, at: $0, model, path) }
        let choices = StepChoice.all.map { choice in
            stepChoice(frame, choice, path, label: t("convert.step.\(choice.key)"), steps: steps)
        }
        let kinds = model.wishes.otherKinds.map { ($0, $0.uppercased()) }
        let kind: HTML = """
            <details class="more" name="step"><summary>\(t("convert.step.kind"))</summary>\(Form.form(
                frame, "PATCH", path, soft: true,
                """
                \(stepsKept(steps))\(Form.select(frame, name: "step", id: "step-kind", label: t("convert.step.kind.value"), options: kinds, chosen: nil))
                <div><button class="button">\(frame.icon(.plus))\(t("papers.add"))</button></div>
                """))</details>
            """
        return Part.card(
            t("convert.steps"),
            """
            \(model.isStepWrong ? Form.failure(frame, model.error) : .empty)
            <p class="soft">\(t(steps.isEmpty ? "convert.steps.none" : "convert.steps.some"))</p>
            \(steps.isEmpty ? HTML.empty : "<ol class=\"list\">\(items.map { "<li>\($0)</li>" as HTML })</ol>")
            <details class="more" id="add-step"><summary>\(frame.icon(.plus))\(t("convert.steps.add"))</summary>
            <ul class="list">\((choices + [kind]).map { "<li>\($0)</li>" as HTML })</ul></details>
            """)
    }

    /// A step that was picked: what it is, what it was told, and its way up, down and out.
    private static func stepItem(
        _ frame: Frame, _ steps: [String], at place: Int, _ model: ConversionPage, _ path: String
    ) -> HTML {
        let t = frame.texts
        let step = parted(steps[place])
        let choice = StepChoice.of(step)
        let name =
            choice.map { $0.names.isEmpty ? t("convert.step.\($0.key)") : t("convert.fact.\(step.word)") }
            ?? t("convert.step.kind.to", ["kind": .text(step.word.uppercased())])
        let said = ["name": Catalog.Argument.text(name)]
        func order(_ changed: [String], _ icon: Icon, _ label: String) -> HTML {
            Form.form(
                frame, "PATCH", path, css: nil, soft: true,
                """
                \(changed.isEmpty ? "<input type=\"hidden\" name=\"then\" value=\"\">" : stepsKept(changed))\
                <button class="button button-icon button-quiet" id="step-\(icon.rawValue)-\(place)" aria-label="\(label)">\(frame.icon(icon))</button>
                """)
        }
        func moved(by offset: Int) -> [String] {
            var changed = steps
            changed.swapAt(place, place + offset)
            return changed
        }
        // A lock comes last whatever is asked.
        let isLock = step.word == "encrypt"
        let isBeforeLock = place + 1 < steps.count && parted(steps[place + 1]).word == "encrypt"
        let up = place > 0 && !isLock ? order(moved(by: -1), .up, t("papers.up", said)) : .empty
        let down =
            place + 1 < steps.count && !isBeforeLock && !isLock
            ? order(moved(by: 1), .down, t("papers.down", said)) : .empty
        var rest = steps
        rest.remove(at: place)
        let value = step.value.map { value -> HTML in
            "<span class=\"item-note\" dir=\"auto\">\(valueSaid(frame, step.word, value))</span>"
        }
        let change: HTML =
            choice.map {
                $0.setting == .none || !$0.names.isEmpty
                    ? .empty
                    : stepSetting(
                        frame, $0, path, steps: rest, at: place, value: step.value ?? "")
            } ?? .empty
        return """
            <div class="item"><span class="item-text"><span class="item-title">\(place + 1). \(name)</span>\(value)</span>\
            <div class="row">\(up)\(down)\(order(rest, .close, t("members.remove.name", said)))</div>\
            \(change == .empty ? HTML.empty : "<details class=\"more step-change\"><summary>\(t("convert.step.change"))</summary>\(change)</details>")</div>
            """
    }

    private static func stepChoice(
        _ frame: Frame, _ choice: StepChoice, _ path: String, label: String, steps: [String]
    ) -> HTML {
        """
        <details class="more" name="step"><summary>\(label)</summary>\(stepSetting(frame, choice, path, steps: steps, at: nil, value: ""))</details>
        """
    }

    /// What a tool has to be told before its work can begin.
    static func stepAsked(_ frame: Frame, _ tool: Tool, _ path: String, steps: [String]) -> HTML? {
        guard let step = tool.step, let choice = StepChoice.of((step, "")) else { return nil }
        return stepSetting(frame, choice, path, steps: steps, at: nil, value: "", of: tool)
    }

    /// What a step wants to know, and the button that adds or changes it, or begins the work of a tool with it.
    private static func stepSetting(
        _ frame: Frame, _ choice: StepChoice, _ path: String, steps: [String], at place: Int?, value: String,
        of tool: Tool? = nil
    ) -> HTML {
        let t = frame.texts
        let id = "step-\(choice.key)-\(tool != nil ? "asked" : place.map(String.init) ?? "new")"
        let key = "convert.step.\(choice.key)"
        let control: HTML =
            switch choice.setting {
            case .none: "<p class=\"soft\">\(t(key + ".hint"))</p>"
            case .text(let hint, let type, let isRequired):
                Form.field(
                    frame,
                    .init(
                        name: "value", label: t(key + ".value"), value: value, type: type,
                        hint: hint ? t(key + ".hint") : nil,
                        autocomplete: type == "password" ? "new-password" : "off", isRequired: isRequired,
                        maximumLength: type == "number" ? nil : 500, id: id))
            case .lines:
                Form.field(
                    frame,
                    .init(
                        name: "value", label: t(key + ".value"),
                        value: value.split(separator: ";").map { String($0.drop { $0 == " " }) }.joined(
                            separator: "\n"), hint: t(key + ".hint"), autocomplete: "off", isRequired: true,
                        rows: 4, id: id))
            case .settings(let asks):
                settings(frame, choice.word, asks, id: id, value: value)
            case .one(let values):
                Form.select(
                    frame, name: "value", id: id, label: t(key + ".value"),
                    options: values.map { ($0, valueSaid(frame, choice.word, $0)) }, chosen: value)
            }
        let word: HTML =
            choice.names.isEmpty
            ? "<input type=\"hidden\" name=\"step\" value=\"\(choice.word)\">"
            : Form.select(
                frame, name: "step", id: id + "-name", label: t("convert.step.which"),
                options: choice.names.map { ($0, t("convert.fact.\($0)")) }, chosen: nil)
        let at = place.map { "<input type=\"hidden\" name=\"at\" value=\"\($0)\">" as HTML } ?? .empty
        if let tool {
            return Form.form(
                frame, "PATCH", path,
                """
                \(stepsKept(steps))\(word)\(control)<input type="hidden" name="tool" value="\(tool.name)">
                <div><button class="button button-main">\(frame.icon(tool.icon))\(t("tool.\(tool.name)"))</button></div>
                """)
        }
        return Form.form(
            frame, "PATCH", path, soft: true,
            """
            \(stepsKept(steps))\(at)\(word)\(control)
            <div><button class="button">\(frame.icon(place == nil ? .plus : .check))\(t(place == nil ? "papers.add" : "form.save"))</button></div>
            """)
    }

    /// A field for each setting that is asked for. What was said beside stays as it was.
    private static func settings(
        _ frame: Frame, _ word: String, _ asks: [StepChoice.Ask], id: String, value: String
    ) -> HTML {
        let t = frame.texts
        let known = PaperStep.settings[word] ?? []
        let said = StepSetting.parted(value, known)
        let fields = asks.map { ask -> HTML in
            let key = "convert.set.\(ask.name)"
            let own = said.first { $0.name == ask.name }?.value
            let name = "set-\(ask.name)"
            if known.first(where: { $0.name == ask.name })?.placeholder == nil {
                return Form.check(name: name, label: t(key), isOn: own != nil)
            }
            let hint =
                ask.hasHint
                ? t("\(key).hint", ["page": .text("{page}"), "pages": .text("{pages}")]) : nil
            guard ask.choices.isEmpty else {
                return Form.select(
                    frame, name: name, id: "\(id)-\(ask.name)", label: t(key),
                    options: ask.choices.map { choice in
                        (
                            choice,
                            ask.name == "count"
                                ? choice : t(choice.isEmpty ? "\(key).none" : "\(key).\(choice)")
                        )
                    }, chosen: own, hint: hint)
            }
            let isNumber = ["start", "every"].contains(ask.name)
            return Form.field(
                frame,
                .init(
                    name: name, label: t(key), value: own ?? "",
                    type: isNumber ? "number" : "text", hint: hint, autocomplete: "off",
                    isRequired: ask.isRequired, maximumLength: isNumber ? nil : 500, id: "\(id)-\(ask.name)"))
        }
        let others = said.filter { one in !asks.contains { $0.name == one.name } }
        let kept = others.map { one -> HTML in
            "<input type=\"hidden\" name=\"set-\(one.name)\" value=\"\(one.value.isEmpty ? "yes" : one.value)\">"
        }
        let sheet: HTML =
            word == "split"
            ? "<p>\(Part.link(frame, "/tools/split/separator.pdf", t("convert.split.sheet"), icon: .printer, css: "button button-s"))</p>"
            : .empty
        return "\(kept)\(fields)\(sheet)"
    }

    private static func valueSaid(_ frame: Frame, _ word: String, _ value: String) -> String {
        if let known = PaperStep.settings[word],
            case .settings(let asks)? = StepChoice.of((word, value))?.setting
        {
            return settingsSaid(frame, StepSetting.parted(value, known), asks)
        }
        return switch word {
        case "alternate": frame.texts("convert.step.alternate.\(value.isEmpty ? "same" : value)")
        case "pages" where value.lowercased() == "printed": frame.texts("convert.step.pages.printed")
        case "rotate": ["90", "180", "270"].contains(value) ? frame.texts("convert.turn.\(value)") : value
        case "pdfa": value.lowercased().hasPrefix("pdf") ? value : "PDF/A-" + value
        default: value
        }
    }

    /// What a step was told, as its fields say it; what has no field is said as it was written.
    private static func settingsSaid(
        _ frame: Frame, _ said: [(name: String, value: String)], _ asks: [StepChoice.Ask]
    ) -> String {
        let t = frame.texts
        return said.map { one in
            let key = "convert.set.\(one.name)"
            guard let ask = asks.first(where: { $0.name == one.name }) else {
                return one.value.isEmpty ? one.name : "\(one.name)=\(one.value)"
            }
            if one.value.isEmpty { return t(key) }
            let isKnown = ask.name != "count" && ask.choices.contains(one.value)
            return t(
                "convert.step.said",
                ["name": .text(t(key)), "value": .text(isKnown ? t("\(key).\(one.value)") : one.value)])
        }.joined(separator: " · ")
    }

    private static func parted(_ step: String) -> (word: String, value: String?) {
        let parts = step.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts[0].lowercased(), parts.count > 1 ? String(parts[1]) : nil)
    }
}
