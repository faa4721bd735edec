import Cards
public import Storage
public import Work

/// Follow-ups as a calendar that other programs read (iCalendar, RFC 5545): a whole day for each, coming again as they do.
public struct ReminderCalendar: Sendable {
    /// What the file is, wherever it is named.
    public static let mediaType = "text/calendar; charset=utf-8"

    public struct Reminder: Sendable, Equatable {
        public var id: ID<Contact>
        public var followUp: FollowUp
        public var changedAt: Moment
        /// What stands in the calendar, in its reader's language.
        public var title: String
        public var link: String

        public init(
            id: ID<Contact>, followUp: FollowUp, changedAt: Moment, title: String, link: String
        ) {
            self.id = id
            self.followUp = followUp
            self.changedAt = changedAt
            self.title = title
            self.link = link
        }
    }

    public var name: String
    public var reminders: [Reminder]

    public init(name: String, reminders: [Reminder]) {
        self.name = name
        self.reminders = reminders
    }

    public var bytes: [UInt8] {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Quire//Follow-ups//EN", "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH", "X-WR-CALNAME:\(Self.escaped(name))",
            "REFRESH-INTERVAL;VALUE=DURATION:PT4H", "X-PUBLISHED-TTL:PT4H",
        ]
        for reminder in reminders { lines += Self.event(reminder) }
        lines.append("END:VCALENDAR")
        var text: [UInt8] = []
        for line in lines { FoldedLine.write(Array(line.utf8), to: &text) }
        return text
    }

    private static func event(_ reminder: Reminder) -> [String] {
        let followUp = reminder.followUp
        guard let day = WallTime(day: followUp.on) else { return [] }
        let changed = utc(reminder.changedAt)
        var lines = [
            // The same whatever becomes of it, so that a calendar moves it and does not show it twice.
            "BEGIN:VEVENT", "UID:follow-up-\(reminder.id.text)@quire", "DTSTAMP:\(changed)",
            "LAST-MODIFIED:\(changed)", "DTSTART;VALUE=DATE:\(date(day))",
            "DTEND;VALUE=DATE:\(date(day.adding(days: 1)))", "SUMMARY:\(escaped(reminder.title))",
        ]
        if let rule = rule(followUp) { lines.append("RRULE:\(rule)") }
        if !followUp.note.isEmpty { lines.append("DESCRIPTION:\(escaped(followUp.note))") }
        if !reminder.link.isEmpty { lines.append("URL:\(reminder.link)") }
        // It takes nobody's time; a word of it in the morning is enough.
        lines += [
            "TRANSP:TRANSPARENT", "CLASS:PRIVATE", "BEGIN:VALARM", "ACTION:DISPLAY",
            "DESCRIPTION:\(escaped(reminder.title))", "TRIGGER:PT9H", "END:VALARM", "END:VEVENT",
        ]
        return lines
    }

    private static func rule(_ followUp: FollowUp) -> String? {
        guard let step = followUp.every.step else { return nil }
        if let days = step.days { return "FREQ=WEEKLY" + (days == 7 ? "" : ";INTERVAL=\(days / 7)") }
        // A month without that day would be left out; its last day is meant.
        let from = WallTime(day: followUp.from)?.day ?? 1
        let days =
            from < 29 ? "" : ";BYMONTHDAY=\((28...from).map(String.init).joined(separator: ","));BYSETPOS=-1"
        return "FREQ=MONTHLY" + (step.months == 1 ? "" : ";INTERVAL=\(step.months)") + days
    }

    private static func date(_ day: WallTime) -> String { day.dayText.filter { $0 != "-" } }

    private static func utc(_ moment: Moment) -> String {
        moment.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    /// As a text stands in a calendar: one line, without signs that mean something there.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
