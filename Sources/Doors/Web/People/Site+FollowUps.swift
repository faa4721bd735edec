import Access
import App
import Bytes
import HTTP
import Markup
import People
import Storage
import Work

// When to get back to somebody.
extension Site {
    static let followUpActions: [Action] = [
        Action(
            .post, "/contacts/{id}/follow-up", .member(.edit),
            .init(
                "Say when to get back to somebody",
                description:
                    "On a day, or `in` a span from today. It is the desk's own and never goes out with a card; people that an address book on a server keeps can have one, too.",
                tag: "People", requestBody: [.init(.json, Schema.followUpInput)],
                answers: [.ok("Contact", "With the follow-up")])
        ) { visit in try planFollowUp(visit) },
        Action(
            .patch, "/contacts/{id}/follow-up", .member(.edit),
            .init(
                "Postpone a follow-up", description: "To a day, or `in` a span from today.", tag: "People",
                requestBody: [.init(.json, Schema.followUpDay)], answers: [.ok("Contact", "As it is now")])
        ) { visit in
            let id: ID<Contact> = try visit.id(of: "contact")
            let input = try visit.input
            let act: ContactAct?
            if let step = try input.step() {
                act = try visit.quire.contacts.postpone(id, by: step, by: visit.member())
            } else {
                act = try visit.quire.contacts.postpone(
                    id, to: input.requiredText("on"), by: visit.member())
            }
            return try visit.followUpChanged(id, act, "notice.followUp.postponed")
        },
        Action(
            .post, "/contacts/{id}/follow-up/done", .member(.edit),
            .init(
                "Tell that somebody got back to them",
                description: "What repeats moves on to its next day; anything else goes.", tag: "People",
                answers: [.ok("Contact", "As it is now")])
        ) { visit in
            let id: ID<Contact> = try visit.id(of: "contact")
            let act = try visit.quire.contacts.followedUp(id, by: visit.member())
            return try visit.followUpChanged(id, act, "notice.followUp.done")
        },
        Action(
            .delete, "/contacts/{id}/follow-up", .member(.edit),
            .init(
                "Remove a follow-up", description: "`POST /contacts/undoings` brings it back.",
                tag: "People", answers: [.init(.noContent, "There is none")])
        ) { visit in
            let id: ID<Contact> = try visit.id(of: "contact")
            let act = try visit.quire.contacts.removeFollowUp(of: id, by: visit.member())
            return visit.done(
                [:], .noContent, next: "/contacts/\(id)",
                notice: act == nil ? "notice.contact.same" : "notice.followUp.removed",
                undo: act.map { .act($0, next: "/contacts/\(id)") })
        },
    ]

    private static func planFollowUp(_ visit: Visit) throws -> Response {
        let id: ID<Contact> = try visit.id(of: "contact")
        let input = try visit.input
        let said = try input.json(of: FollowUp.fields)
        var followUp = FollowUp()
        do {
            try FollowUp.fields.take(said, into: &followUp)
            if let step = try input.step() { followUp.on = visit.quire.contacts.day(in: step) }
            let act = try visit.quire.contacts.plan(followUp, of: id, by: visit.member())
            return try visit.followUpChanged(id, act, "notice.followUp.planned")
        } catch let failure as Failure where visit.wantsPage && failure.isAboutInput {
            // One field that cannot be taken does not cost the others.
            for field in FollowUp.fields { try? [field].take(said, into: &followUp) }
            var model = try visit.contactPage(id)
            model.followUpForm = FollowUpForm(
                followUp: followUp, error: visit.said(failure), errorField: failure.field)
            return visit.page(
                Pages.contact(visit.frameAt("/contacts/\(id)"), model), Site.status(of: failure.code))
        }
    }
}

extension Input {
    /// A span from today, where one is named.
    fileprivate func step() throws(Failure) -> FollowUp.Step? {
        guard let word = try text("in"), !word.isEmpty else { return nil }
        guard let step = FollowUp.Step(rawValue: word) else {
            let known = FollowUp.Step.allCases.map(\.rawValue).joined(separator: ", ")
            let name = "in"
            throw Failure(.invalid, "“\(name)” is one of: \(known).", field: name)
        }
        return step
    }
}

extension Contact {
    /// When to get back to them, and how near that is.
    func followUpJSON(_ visit: Visit) -> JSON {
        guard let followUp else { return .null }
        var json = FollowUp.fields.json(of: followUp)
        json["due"] = .optional(followUp.due(on: visit.quire.contacts.today)?.rawValue)
        return .object(json)
    }
}

extension Visit {
    fileprivate func followUpChanged(
        _ id: ID<Contact>, _ act: ContactAct?, _ notice: String
    ) throws -> Response {
        let contact = try quire.contacts.get(id, by: member())
        return done(
            try contactJSON(id), next: "/contacts/\(id)",
            notice: act == nil ? "notice.contact.same" : notice, ["name": .text(contact.name)],
            undo: act.map { .act($0, next: "/contacts/\(id)") })
    }

    func line(of followUp: FollowUp?) -> FollowUpLine? {
        let today = quire.contacts.today
        return followUp.map {
            FollowUpLine(followUp: $0, due: $0.due(on: today), isToday: $0.on == today.dayText)
        }
    }
}
