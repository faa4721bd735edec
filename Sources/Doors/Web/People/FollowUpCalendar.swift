import Markup
import Work

/// Where a calendar finds the follow-ups of the desk.
struct FollowUpCalendar: Sendable {
    /// Nil when it cannot be shown again.
    var address: String?
    var madeAt: Moment
    var readAt: Moment?
}

extension Pages {
    /// Below the people one looks through: how they come into a calendar.
    static func inCalendar(_ frame: Frame, _ calendar: FollowUpCalendar?) -> HTML {
        let t = frame.texts
        let path = "/contacts/reminders"
        guard let calendar else {
            return Part.card(
                t("followUp.calendar"), id: "calendar",
                """
                <p class="soft">\(t("followUp.calendar.text"))</p>
                <div>\(Form.button(frame, "POST", path, t("followUp.calendar.make"), icon: .calendar))</div>
                """)
        }
        let address: HTML =
            if let address = calendar.address {
                "\(Part.newLink(frame, address))<div class=\"row\">\(Part.copy(frame, address))</div>"
            } else {
                "<p>\(t("followUp.calendar.lost"))</p>"
            }
        let read: HTML =
            calendar.readAt.map { t.html("followUp.calendar.read", markup: ["when": Part.time($0)]) }
            ?? HTML(plain: t("followUp.calendar.unread"))
        return Part.card(
            t("followUp.calendar"), id: "calendar",
            """
            <p class="soft">\(t("followUp.calendar.paste"))</p>\(address)<p class="soft small">\(read)</p>
            <div class="row">\(Form.button(
                frame, "POST", path, t("followUp.calendar.renew"), icon: .again, css: "button button-s",
                confirm: t("followUp.calendar.renew.ask")))\
            \(Form.button(
                frame, "DELETE", path, t("followUp.calendar.stop"), css: "button button-s button-danger",
                confirm: t("followUp.calendar.stop.ask")))</div>
            """)
    }
}
