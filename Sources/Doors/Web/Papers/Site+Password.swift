import Access
import App
import Bytes
import Converting
import HTTP
import Library
import Markup
import Storage

// The password of a paper, taken off by who knows it.

extension Site {
    static let passwordActions: [Action] = [
        Action(.get, "/documents/{id}/password", .member(.edit)) { visit in
            let document = try visit.document()
            return visit.page(
                Pages.password(
                    visit.frame, try passwordPage(visit, document, then: visit.request.query["then"])))
        },
        Action(
            .post, "/documents/{id}/password", .member(.edit),
            .init(
                "Take the password off a document",
                description:
                    "It becomes a new version that opens for everybody; the locked one is kept. Without `password` the limits go that "
                    + "its maker set on a document which opens for everybody. Where somebody signed it, nothing is changed unless "
                    + "`breakSignatures` says so. `base` is the version that was looked at.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("password", ["type": "string", "maxLength": 500]),
                                ("breakSignatures", Schema.boolean), ("base", Schema.integer(1, 1_000_000)),
                            ], optional: ["password", "breakSignatures", "base"]))
                ],
                answers: [.ok("Document", "It opens without a password")])
        ) { visit in
            let document = try visit.document()
            let input = try visit.input
            let then = try input.text("then").flatMap { PasswordPage.ways.contains($0) ? $0 : nil }
            do {
                let opened = try visit.quire.opened.open(
                    document, password: try input.text("password") ?? "",
                    breaksSignatures: try input.flag("breakSignatures"),
                    ifVersion: try input.integer("base"), by: visit.member())
                return visit.done(
                    opened.json, next: "/documents/\(document.id)" + (then.map { "/" + $0 } ?? ""),
                    notice: "notice.unlocked")
            } catch let failure as Failure
                where visit.wantsPage && [Failure.lockField, "breakSignatures"].contains(failure.field ?? "")
            {
                var page = try passwordPage(visit, document, then: then)
                page.error = visit.whole(failure)
                page.asksAboutSignatures = failure.field == "breakSignatures"
                return visit.page(Pages.password(visit.frame, page), .unprocessable)
            }
        },
    ]

    private static func passwordPage(
        _ visit: Visit, _ document: Document, then: String?
    ) throws -> PasswordPage {
        PasswordPage(
            line: DocumentLine(document),
            lock: try visit.quire.opened.lock(of: document, by: visit.member()),
            then: then.flatMap { PasswordPage.ways.contains($0) ? $0 : nil })
    }
}
