import Access
import App
import Bytes
import HTTP
import Library
import Markup
import SQL
import Storage
import Work

// Help, and what this desk does with papers.
extension Site {
    static let helpActions: [Action] = [
        Action(.get, "/help", .member(.view)) { visit in
            visit.page(Pages.help(visit.frame, try helpPage(visit)))
        },
        Action(.get, "/help/privacy", .member(.view)) { visit in
            visit.page(Pages.privacy(visit.frame, try privacyPage(visit)))
        },
        Action(
            .post, "/help/questions", .member(.view),
            .init(
                "Write to those who look after the desk",
                description: "They are told at the bell, and by mail where they want that.", tag: "About",
                requestBody: [.init(.json, Schema.object([("text", Schema.string)]))],
                answers: [.init(.noContent, "They were told")])
        ) { visit in
            let text = try visit.input.text("text") ?? ""
            do {
                try visit.access.notices.ask(text, by: try visit.member())
                return visit.done([:], .noContent, next: "/help", notice: "notice.asked")
            } catch let failure as Failure where visit.wantsPage && failure.field == "text" {
                var model = try helpPage(visit)
                model.question = .init(text: text, error: visit.said(failure))
                return visit.page(Pages.help(visit.frameAt("/help"), model), .unprocessable)
            }
        },
        Action(
            .post, "/help/feedback", .member(.view),
            .init(
                "Say how the desk is to work with",
                description:
                    "The first of two steps: `later` puts the question off, `never` ends it; what one thinks, and why, is written to `/help/questions`.",
                tag: "About",
                requestBody: [
                    .init(
                        .json,
                        Schema.object([
                            ("answer", Schema.choice(FeedbackPrompt.Answer.allCases.map(\.rawValue)))
                        ]))
                ], answers: [.init(.noContent, "It is kept")])
        ) { visit in
            guard let answer = FeedbackPrompt.Answer(rawValue: try visit.input.requiredText("answer")) else {
                throw Failure(.invalid, "The answer is good, bad, later or never.", field: "answer")
            }
            try visit.quire.feedback.answer(answer, by: visit.member())
            return visit.done(
                [:], .noContent, next: answer.isOpinion ? "/help?feel=\(answer.rawValue)#ask" : "/",
                notice: answer == .never ? "notice.feedback.never" : nil)
        },
    ]

    private static func helpPage(_ visit: Visit) throws -> HelpPage {
        let identity = try visit.quire.settings.identity()
        return HelpPage(
            organization: identity.organization, email: identity.email, phone: identity.phone,
            terms: identity.terms,
            owners: try visit.access.members.list().filter { $0.role == .owner }.map(\.name),
            question: try visit.member().may(.administer) ? nil : .init(),
            feeling: visit.request.query["feel"].flatMap { FeedbackPrompt.Answer(rawValue: $0) })
    }

    private static func privacyPage(_ visit: Visit) throws -> PrivacyPage {
        let quire = visit.quire
        let caller = try visit.member()
        let isOwner = caller.may(.administer)
        let backups = try quire.settings.backups()
        let now = quire.store.clock.now()
        return PrivacyPage(
            folder: isOwner ? quire.store.home.path : nil,
            isInPostgreSQL: quire.store.database.kind == .postgres,
            memberCount: max(1, try visit.access.members.count()),
            openLinkCount: caller.may(.edit)
                ? try visit.access.shareLinks.list(by: caller).filter { !$0.isExpired(at: now) }.count : nil,
            outgoing: try quire.network().map { one in
                .init(
                    what: "\(visit.texts.said(one.purpose)): \(visit.texts.said(one.occasion))",
                    address: isOwner ? one.address : nil)
            },
            ledgerDays: try quire.settings.ledger().keepDays, plansBackups: !backups.folder.isEmpty,
            encryptsBackups: !backups.folder.isEmpty && backups.encrypted,
            backupFolder: isOwner && !backups.folder.isEmpty ? backups.folder : nil)
    }
}
