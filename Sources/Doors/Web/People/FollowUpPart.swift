import Markup
import People
import Storage

/// When to get back to a person, as a page shows it and takes it.
struct FollowUpLine: Sendable {
    var followUp: FollowUp
    /// Nil for a day that is further away than a week.
    var due: Due?
    var isToday: Bool
}

/// What was said of it and could not be taken.
struct FollowUpForm: Sendable {
    var followUp = FollowUp()
    var error: String?
    var errorField: String?
}

extension Pages {
    static func followUp(_ frame: Frame, _ model: ContactPage) -> HTML {
        let t = frame.texts
        let path = "/contacts/\(model.id)/follow-up"
        guard let line = model.followUp else {
            guard frame.canEdit else { return .empty }
            return """
                <section class="card" id="follow-up"><details class="more"\(attribute: "open", if: model.followUpForm.error != nil)>\
                <summary>\(frame.icon(.calendar))\(t("followUp.plan"))</summary>\
                \(planning(frame, path, model.followUpForm))</details></section>
                """
        }
        let said = line.followUp
        let rhythm: HTML =
            said.every == .once
            ? .empty : " · <span class=\"soft\">\(t("followUp.every.\(said.every.rawValue)"))</span>"
        let note: HTML = said.note.isEmpty ? .empty : "<p dir=\"auto\">\(said.note)</p>"
        let acts: HTML =
            frame.canEdit
            ? """
            <div class="row">\(Form.button(
                frame, "POST", path + "/done", t("followUp.done"), icon: .check, css: "button button-main"))\
            \(Form.button(frame, "DELETE", path, t("form.remove"), css: "button button-quiet", name: t("followUp.remove")))</div>
            <details class="more"><summary>\(frame.icon(.clock))\(t("followUp.postpone"))</summary>\(postponing(frame, path))</details>
            <details class="more"\(attribute: "open", if: model.followUpForm.error != nil)>\
            <summary>\(frame.icon(.edit))\(t("followUp.change"))</summary>\(planning(
                frame, path, model.followUpForm.error == nil ? FollowUpForm(followUp: said) : model.followUpForm))</details>
            """ : .empty
        return """
            <section class="card stack stack-s" id="follow-up"><h2>\(t("followUp.title"))</h2>
            <p class="row">\(followUpChip(frame, line))<span>\(Part.day(said.on))\(rhythm)</span></p>\(note)\(acts)</section>
            """
    }

    /// How near the day is, in a word; nothing when it is far.
    static func followUpChip(_ frame: Frame, _ line: FollowUpLine) -> HTML {
        let t = frame.texts
        switch line.due {
        case .overdue: return Part.chip(frame, t("followUp.overdue"), .bad, icon: .calendar)
        case .week where line.isToday: return Part.chip(frame, t("followUp.today"), .warn, icon: .calendar)
        case .week: return Part.chip(frame, t("followUp.week"), icon: .calendar)
        case .planned, nil: return .empty
        }
    }

    /// A tap for the usual spans, or a day of one's own.
    private static func planning(_ frame: Frame, _ path: String, _ form: FollowUpForm) -> HTML {
        let t = frame.texts
        let fields = FollowUp.fields.reversed().map { field -> HTML in
            var line = SettableLine(field, of: form.followUp)
            // The buttons bring a day of their own.
            line.isRequired = false
            return Form.field(
                frame, line, id: "follow-\(field.name)",
                error: form.errorField == field.name ? form.error : nil)
        }
        return Form.form(
            frame, "POST", path,
            """
            \(form.errorField == nil ? Form.failure(frame, form.error) : .empty)\(fields)
            <div class="row"><button class="button button-main">\(frame.icon(.check))\(t("form.save"))</button></div>
            <p class="field-label">\(t("followUp.soon"))</p><div class="row">\(spans(frame))</div>
            """)
    }

    private static func postponing(_ frame: Frame, _ path: String) -> HTML {
        let t = frame.texts
        return Form.form(
            frame, "PATCH", path,
            """
            <div class="row">\(spans(frame))</div>
            <div class="with-button">\(Form.field(
                frame, .init(name: "on", label: t("followUp.on"), type: "date", id: "postpone-on")))\
            <button class="button align-end">\(t("followUp.postpone"))</button></div>
            """)
    }

    private static func spans(_ frame: Frame) -> HTML {
        let buttons = [FollowUp.Step.week, .twoWeeks, .month, .quarter].map { step -> HTML in
            """
            <button class="button button-s" name="in" value="\(step.rawValue)">\(frame.texts("followUp.in.\(step.rawValue)"))</button>
            """
        }
        return "\(buttons)"
    }
}
