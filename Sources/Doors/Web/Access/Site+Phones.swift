import Access
import App
import Bytes
import Crypto
import HTTP
import Markup
import Storage
import Work

// A phone is let in by a code on the screen, to photograph papers.

extension Site {
    static let phoneActions: [Action] = [
        Action(
            .get, "/phones", .member(.edit),
            .init(
                "List phones that photograph", description: "One's own, that are in at the moment.",
                tag: "Sign-in", answers: [.ok("Phones", "Each is a session that can be ended")])
        ) { visit in
            let phones = try visit.access.phones.list(by: visit.member())
            return try visit.show([
                "phones": .array(phones.map { $0.json(current: visit.session?.id) })
            ]) { try phonesPage(visit) }
        },
        Action(
            .post, "/phones", .member(.edit),
            .init(
                "Let a phone in to photograph",
                description:
                    "The address lets in one phone within five minutes, for two hours: it brings photos of papers and sees nothing of the desk. Only for people who are signed in.",
                tag: "Sign-in", answers: [.made("PhoneCode", "The address to open on the phone")])
        ) { visit in
            let invited = try visit.access.phones.invite(by: visit.member())
            let address = "\(visit.originForPhones)/phone/\(invited.code)"
            guard visit.wantsPage else {
                return Response.json(
                    ["address": .string(address), "expiresAt": .moment(invited.until)], .created
                ).kept(false)
            }
            return visit.page(try phonesPage(visit, showing: address)).kept(false)
        },
        Action(.get, "/phone/{code}", .anyone) { visit in
            // Whoever is signed in here photographs as themselves.
            if visit.caller != nil, visit.session != nil { return .redirect(to: "/scan") }
            let owner = try visit.access.phones.owner(of: visit.parameter("code"))
            return visit.page(
                Pages.letIn(
                    visit.frame, address: "/phone/\(PercentCoding.encode(visit.parameter("code")))",
                    owner: owner.name)
            ).kept(false)
        },
        Action(.post, "/phone/{code}", .anyone) { visit in
            let signedIn = try visit.access.phones.letIn(by: visit.parameter("code"), from: visit.visitor)
            var response = visit.goes(to: "/scan")
            response.set(
                visit.site.cookie(
                    "session", signedIn.token.text, maxAge: Int(Phones.life.components.seconds), for: visit))
            return response
        },
    ]

    private static func phonesPage(_ visit: Visit, showing address: String? = nil) throws -> HTML {
        var page = PhonesPage(address: address)
        page.isOnlyHere = Guardian.isOnlyHere(visit.originForPhones)
        if let house = visit.site.settings.house, !page.isOnlyHere, let address = visit.trustAddress {
            page.trust = .init(address: address, fingerprint: house.authority.shownFingerprint)
        }
        page.phones = try visit.access.phones.list(by: visit.member()).map {
            .init(id: $0.id.text, device: $0.device, seenAt: $0.seenAt, until: $0.expiresAt)
        }
        return Pages.phones(visit.frameAt("/scan"), page)
    }
}
