import Markup
import Work

/// A batch that is made again by itself.
struct RepetitionLine: Sendable {
    var id: String
    var batch: String
    var name: String
    var rule: String
    var file: String
    /// The table whose rows the file's take the place of.
    var source = ""
    var sends: Bool
    var isPaused: Bool
    var isRunning: Bool
    /// For somebody to approve or to mend something.
    var waits = false
    var nextAt: Moment?
    var outcome: String
    var ranAt: Moment?
}

struct RepetitionsPage: Sendable {
    var lines: [RepetitionLine] = []
    var batches: [(id: String, name: String)] = []
    var chosen = ""
    var rule = ""
    var file = ""
    var source = ""
    var sends = true
    var error: String?
    var errorField: String?
}

struct RepetitionPage: Sendable {
    struct Run: Sendable {
        var at: Moment
        var outcome: String
        var batch: String?
    }

    struct Forecast: Sendable {
        var planned: Int
        var new: Int
        var changed: Int
        var names: [String]
    }

    var line: RepetitionLine
    var zone: String
    var newest: String
    var runs: [Run] = []
    var forecast: Forecast?
    var error: String?
}

extension Pages {
    static func repetitions(_ frame: Frame, _ model: RepetitionsPage) -> HTML {
        let t = frame.texts
        let items = model.lines.map { repetitionItem(frame, $0) }
        let list: HTML =
            items.isEmpty
            ? Part.empty(
                frame, icon: .again, title: t("repeat.empty"), "<p>\(t("repeat.empty.text"))</p>")
            : "<section class=\"card card-flush\" aria-label=\"\(t("repeat.title"))\">\(Part.list(items))</section>"
        return Shell.page(
            frame, title: t("repeat.title"),
            """
            \(Part.header(frame, t("repeat.title"), lede: t("repeat.lede")))
            \(packetTabs(frame, .repetitions))\(list)\(newRepetition(frame, model))
            """)
    }

    private static func newRepetition(_ frame: Frame, _ model: RepetitionsPage) -> HTML {
        let t = frame.texts
        guard frame.canEdit else { return .empty }
        guard !model.batches.isEmpty else {
            return Part.card(
                t("repeat.add"),
                """
                <p>\(t("repeat.noBatch"))</p><p>\(Part.link(frame, "/batches/new", t("packets.new"), icon: .plus))</p>
                """)
        }
        return Part.card(
            t("repeat.add"),
            repetitionForm(
                frame, model,
                which: Form.select(
                    frame, name: "batch", label: t("repeat.batch"),
                    options: model.batches.map { ($0.id, $0.name) }, chosen: model.chosen)))
    }

    /// How a send-out repeats, asked where one stands in it: off until it is filled in, then with its state.
    static func repeating(_ frame: Frame, _ batch: BatchLine, _ lines: [RepetitionLine]) -> HTML {
        let t = frame.texts
        guard lines.isEmpty else {
            return """
                <section class="card card-flush"><div class="card-head"><h2>\(t("repeat.here"))</h2></div>\
                \(Part.list(lines.map { repetitionItem(frame, $0) }))</section>
                """
        }
        guard frame.canEdit else { return .empty }
        let form = repetitionForm(
            frame, RepetitionsPage(), which: "<input type=\"hidden\" name=\"batch\" value=\"\(batch.id)\">")
        return """
            <section class="card"><details class="more"><summary>\(t("repeat.here"))</summary>\
            <div class="stack"><p class="soft">\(t("repeat.empty.text"))</p>\(form)</div></details></section>
            """
    }

    private static func repetitionForm(_ frame: Frame, _ model: RepetitionsPage, which: HTML) -> HTML {
        let t = frame.texts
        let rules = [
            ("", t("repeat.when.file")), ("FREQ=HOURLY", t("repeat.when.hourly")),
            ("FREQ=DAILY;BYHOUR=7;BYMINUTE=0", t("repeat.when.daily")),
            ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=7;BYMINUTE=0", t("repeat.when.weekly")),
            ("FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=7;BYMINUTE=0", t("repeat.when.monthly")),
        ]
        return Form.form(
            frame, "POST", "/repetitions",
            """
            \(Form.failure(frame, model.errorField == nil ? model.error : nil))
            \(which)
            \(Form.select(
                frame, name: "rule", label: t("repeat.when"), options: rules, chosen: model.rule,
                error: model.errorField == "rule" ? model.error : nil))
            \(Form.field(
                frame,
                .init(
                    name: "file", label: t("repeat.file"), value: model.file, hint: t("repeat.file.hint"),
                    error: model.errorField == "file" ? model.error : nil, autocomplete: "off",
                    placeholder: "pupils.csv", optionalNote: t("form.optional"))))
            \(model.errorField == "source" ? sourceField(frame, model) : HTML.empty)
            \(Form.check(name: "sends", label: t("repeat.sends"), hint: t("repeat.sends.hint"), isOn: model.sends))
            <div class="row"><button class="button button-main">\(frame.icon(.again))\(t("repeat.add.do"))</button></div>
            """)
    }

    /// Asked only where the list has rows of several tables.
    private static func sourceField(_ frame: Frame, _ model: RepetitionsPage) -> HTML {
        let t = frame.texts
        return Form.field(
            frame,
            .init(
                name: "source", label: t("repeat.source"), value: model.source, hint: t("repeat.source.hint"),
                error: model.error, autocomplete: "off"))
    }

    private static func repetitionChip(_ frame: Frame, _ line: RepetitionLine) -> HTML {
        let t = frame.texts
        if line.waits { return Part.chip(frame, t("repeat.state.waits"), .warn, icon: .clock) }
        if line.isRunning { return Part.chip(frame, t("repeat.state.running"), .good, icon: .again) }
        return line.isPaused
            ? Part.chip(frame, t("repeat.state.paused"), icon: .stop)
            : Part.chip(frame, t("repeat.state.on"), .good, icon: .clock)
    }

    private static func repetitionTimes(_ frame: Frame, _ line: RepetitionLine) -> HTML {
        let t = frame.texts
        var parts: [HTML] = [HTML(plain: rhythm(frame, line.rule))]
        if !line.file.isEmpty {
            parts.append(HTML(plain: t("repeat.file.of", ["file": .text(fileName(line.file))])))
        }
        if let next = line.nextAt, !line.isPaused {
            parts.append(t.html("repeat.next", markup: ["when": Part.time(next)]))
        }
        return parts.joined(separator: " · ")
    }

    private static func fileName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    private static func repetitionItem(_ frame: Frame, _ line: RepetitionLine) -> HTML {
        let outcome: HTML? =
            line.outcome.isEmpty
            ? nil
            : "<span class=\"item-note\"><span dir=\"auto\">\(frame.texts.said(line.outcome))</span>\(line.ranAt.map { " · \(Part.time($0))" as HTML })</span>"
        return """
            <div class="item">\(frame.icon(.again))<span class="item-text"><a class="item-title item-link" href="\(url: "/repetitions/\(line.id)")" dir="auto">\(line.name)</a>\
            <span class="item-note">\(repetitionTimes(frame, line))</span>\(outcome)</span>\(repetitionChip(frame, line))</div>
            """
    }

    static func repetition(_ frame: Frame, _ model: RepetitionPage) -> HTML {
        let t = frame.texts
        let line = model.line
        let path = "/repetitions/\(line.id)"
        var actions: HTML = repetitionChip(frame, line)
        if frame.canEdit {
            actions += Form.button(
                frame, "POST", path + "/run", t("repeat.run"), icon: .again, css: "button button-main")
            actions +=
                line.isPaused
                ? Form.button(frame, "POST", path + "/resumption", t("make.resume"), icon: .next)
                : Form.button(frame, "POST", path + "/pause", t("make.pause"), icon: .stop)
            actions += Form.button(
                frame, "DELETE", path, t("repeat.remove"), icon: .trash, css: "button button-quiet",
                confirm: t("repeat.remove.confirm"))
        }
        var facts: [(name: String, value: HTML)] = [
            (t("repeat.when"), "\(repetitionTimes(frame, line)) (\(model.zone))"),
            (t("repeat.does"), HTML(plain: t(line.sends ? "repeat.does.send" : "repeat.does.make"))),
            (
                t("repeat.newest"),
                Part.link(frame, "/batches/\(model.newest)/packets", t("repeat.newest.open"), css: "link")
            ),
        ]
        if !line.source.isEmpty, line.source != fileName(line.file) {
            facts.insert((t("repeat.source"), "<span dir=\"auto\">\(line.source)</span>"), at: 1)
        }
        let runs = model.runs.map { run -> HTML in
            let made: HTML =
                run.batch.map {
                    Part.link(
                        frame, "/batches/\($0)/deliveries", t("repeat.run.open"), icon: .next,
                        css: "button button-s")
                } ?? .empty
            return """
                <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(t.said(run.outcome))</span>\
                <span class="item-note">\(Part.time(run.at, style: .full))</span></span>\(made)</div>
                """
        }
        let history: HTML =
            runs.isEmpty ? "<p class=\"soft about-lede\">\(t("repeat.runs.none"))</p>" : Part.list(runs)
        return Shell.page(
            frame, title: line.name,
            """
            \(Part.header(
                frame, line.name, lede: t("repeat.lede"),
                crumbs: [(t("packets.title"), "/batches"), (t("repeat.title"), "/repetitions")], actions: actions))
            \(Form.failure(frame, model.error))
            <section class="card">\(Part.facts(facts))</section>
            \(forecast(frame, model, path))
            <section class="card card-flush"><div class="card-head"><h2>\(t("repeat.runs"))</h2></div>\(history)</section>
            """)
    }

    private static func forecast(_ frame: Frame, _ model: RepetitionPage, _ path: String) -> HTML {
        let t = frame.texts
        guard frame.canEdit else { return .empty }
        let button = Form.button(frame, "POST", path + "/forecast", t("repeat.forecast.do"), icon: .eye)
        guard let forecast = model.forecast else {
            return Part.card(
                t("repeat.forecast"), "<p class=\"soft\">\(t("repeat.forecast.text"))</p>\(button)")
        }
        guard forecast.planned > 0 else {
            return Part.card(
                t("repeat.forecast"), "<p role=\"status\">\(t("repeat.forecast.none"))</p>\(button)")
        }
        let rest = forecast.planned - forecast.names.count
        let more: HTML? = rest > 0 ? "<li>\(t("repeat.forecast.more", ["count": .number(rest)]))</li>" : nil
        return Part.card(
            t("repeat.forecast"),
            """
            <p role="status">\(t(
                "repeat.forecast.some",
                ["count": .number(forecast.planned), "new": .number(forecast.new), "changed": .number(forecast.changed)]))</p>
            <ul>\(forecast.names.map { "<li dir=\"auto\">\($0)</li>" as HTML })\(more)</ul>\(button)
            """)
    }
}
