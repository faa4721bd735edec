import Access
import App
import Bytes
import HTTP
import Markup
import People
import Storage
import Work

// The follow-ups as a calendar that other programs read.
extension Site {
    private static let calendarSchema = Schema.object([
        ("address", Schema.orNull(Schema.string)), ("madeAt", Schema.moment),
        ("readAt", Schema.orNull(Schema.moment)),
    ])

    static let reminderActions: [Action] = [
        Action(
            .get, "/contacts/reminders", .member(.view),
            .init(
                "Show your calendar of follow-ups",
                description: "The secret address that calendar programs read; `null` when there is none.",
                tag: "People",
                answers: [
                    .init(
                        .ok, "The calendar",
                        [.init(.json, Schema.object([("calendar", Schema.orNull(calendarSchema))]))])
                ])
        ) { visit in
            guard !visit.wantsPage else { return visit.goes(to: "/contacts?due=planned#calendar") }
            return .json(["calendar": try visit.followUpCalendar()?.json ?? .null]).with(
                "Cache-Control", "no-store")
        },
        Action(
            .post, "/contacts/reminders", .member(.view),
            .init(
                "Make a calendar of follow-ups",
                description:
                    "Whoever knows its address can read whom the desk means to get back to, and when. The address before leads nowhere from then on.",
                tag: "People",
                answers: [.init(.created, "The calendar", [.init(.json, calendarSchema)])])
        ) { visit in
            let calendar = visit.calendar(try visit.quire.contacts.makeReminderFeed(by: visit.member()))
            return visit.done(
                calendar.json, .created, next: "/contacts?due=planned#calendar",
                notice: "notice.followUp.calendar"
            ).with("Cache-Control", "no-store")
        },
        Action(
            .delete, "/contacts/reminders", .member(.view),
            .init(
                "Turn your calendar of follow-ups off", tag: "People",
                answers: [.init(.noContent, "Its address leads nowhere")])
        ) { visit in
            try visit.quire.contacts.removeReminderFeed(by: visit.member())
            return visit.done(
                [:], .noContent, next: "/contacts?due=planned#calendar",
                notice: "notice.followUp.calendarStopped")
        },
        Action(.get, "/reminders/{token}/follow-ups.ics", .anyone) { visit in
            let contacts = try visit.quire.contacts.reminders(visit.parameter("token"))
            let calendar = ReminderCalendar(
                name: visit.texts("followUp.calendar.name"),
                reminders: contacts.compactMap { contact in
                    contact.followUp.map {
                        .init(
                            id: contact.id, followUp: $0, changedAt: contact.changedAt,
                            title: visit.texts("followUp.calendar.entry", ["name": .text(contact.name)]),
                            link: "\(visit.origin)/contacts/\(contact.id)")
                    }
                })
            return Response(.ok, body: .bytes(calendar.bytes))
                .with("Content-Type", ReminderCalendar.mediaType)
                .with("Content-Disposition", "inline; filename=\"follow-ups.ics\"").kept(false)
        },
    ]
}

extension FollowUpCalendar {
    var json: JSON {
        [
            "address": .optional(address), "madeAt": .string(madeAt.iso8601),
            "readAt": .optional(readAt?.iso8601),
        ]
    }
}

extension Visit {
    func followUpCalendar() throws -> FollowUpCalendar? {
        try quire.contacts.reminderFeed(by: member()).map(calendar)
    }

    fileprivate func calendar(_ feed: ReminderFeed) -> FollowUpCalendar {
        FollowUpCalendar(
            address: feed.token.map { "\(origin)/reminders/\($0)/follow-ups.ics" }, madeAt: feed.madeAt,
            readAt: feed.readAt)
    }
}
