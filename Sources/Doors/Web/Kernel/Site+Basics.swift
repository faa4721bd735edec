import Access
import App
import Bytes
import Filling
import HTTP
import Jobs
import Library
import Markup
import People
import Storage
import WebAssets
import Work

extension Site {
    /// The start page, the app's own files, and the stream of events.
    static let basicActions: [Action] = [
        Action(.get, "/", .member(.view)) { visit in
            try visit.show(
                [
                    "name": "Quire", "version": .string(Version.number), "documents": "/documents",
                    "jobs": "/jobs",
                    "description": "/openapi.json",
                ]
            ) { Pages.desk(visit.frame, try deskPage(visit)) }
        },
        Action(
            .get, "/version", .anyone,
            .init("Tell the version", tag: "About", answers: [.ok("Version", "Which Quire this is")])
        ) { _ in .json(["version": .string(Version.number)]) },
        Action(.get, "/assets/{hash}/{name}", .anyone) { try asset($0, $0.parameter("name")) },
        Action(.get, "/assets/{hash}/{folder}/{name}", .anyone) {
            try asset($0, $0.parameter("folder") + "/" + $0.parameter("name"))
        },
        Action(.get, "/manifest.webmanifest", .anyone) { visit in
            .bytes(Manifest.json(visit.frame).bytes, .manifest).with("Cache-Control", "no-cache")
        },
        Action(.get, "/sw.js", .anyone) { visit in
            guard let script = ServiceWorker.script(visit.site.assets) else {
                throw Refusal(.notFound, "There is no worker.")
            }
            // The worker fetches what it keeps, under its own policy.
            return Response.text(script, .script).with("Cache-Control", "no-cache")
                .with("Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'")
        },
        Action(.get, "/offline", .anyone) { visit in visit.page(Pages.offline(visit.frame)) },
        Action(.get, "/robots.txt", .anyone) { _ in .text("User-agent: *\nDisallow: /\n") },
        Action(.get, "/favicon.ico", .anyone) { visit in try asset(visit, "icon.svg") },
        Action(
            .get, "/events", .member(.view),
            .init(
                "Listen to what changes",
                description:
                    "Server-sent events: `job` with `{id, state}`, `document` with `{id, act}`, `sending`, and `act` whenever anything was done.",
                tag: "Jobs",
                answers: [
                    .init(.ok, "A stream that stays open", [.init(.eventStream, ["type": "string"])])
                ])
        ) { visit in .events(try visit.site.events.stream(for: try visit.member())) },
    ]

    private static func asset(_ visit: Visit, _ name: String) throws -> Response {
        guard let asset = visit.site.assets.asset(named: name), !name.hasSuffix(".texts") else {
            throw Refusal(.notFound, "There is no such file.")
        }
        // An address that was good once: what it stands for may have changed, so it is not kept.
        let isExact = visit.parameter("hash") == asset.hash
        let response = asset.response(isImmutable: visit.site.assets.isImmutable && isExact)
        // A worker is held to the policy of its own answer, not to that of the page it belongs to.
        return name == ScanPage.worker
            ? response.with("Content-Security-Policy", SecurityHeaders.scanner) : response
    }

    private static func deskPage(_ visit: Visit) throws -> DeskPage {
        let caller = try visit.member()
        let page = try visit.quire.documents.list(.init(limit: 6), by: caller)
        let shares = try visit.shareCounts()
        let jobs = try visit.shown(visit.quire.queue.list(.init(states: [.waiting, .running]), limit: 10))
        let due = try visit.quire.contacts.waiting(limit: 5, by: caller)
        var model = DeskPage(
            recent: page.documents.map { DocumentLine($0, shares: shares[$0.id.text] ?? 0) },
            documentCount: page.matchCount, jobs: jobs.map { JobLine($0) }, hints: try hints(visit, caller))
        model.sendouts = try visit.newestLines(3)
        model.followUps = due.contacts.compactMap { contact in
            visit.line(of: contact.followUp).map {
                .init(id: contact.id.text, name: contact.name, line: $0)
            }
        }
        model.followUpCount = due.matchCount
        if let id = caller.memberID, visit.session != nil, !caller.may(.administer) {
            model.asksHowItIs = try visit.quire.feedback.isDue(for: visit.access.members.get(id))
        }
        model.offersExample = page.matchCount == 0 && model.sendouts.isEmpty
        return model
    }

    private static func hints(_ visit: Visit, _ caller: Caller) throws -> [DeskPage.Hint] {
        var hints: [DeskPage.Hint] = []
        if let id = caller.memberID, visit.session != nil {
            let member = try visit.access.members.get(id)
            if member.passkeyCount == 0 { hints.append(.addPasskey) }
            if try visit.access.recoveryCodes.remaining(of: id) == 0 { hints.append(.saveRecoveryCodes) }
        }
        guard caller.may(.administer) else { return hints }
        if !visit.quire.troubles.isEmpty { hints.insert(.troubles, at: 0) }
        let counts = try visit.quire.queue.counts()
        if counts[.failed, default: 0] + counts[.setAside, default: 0] > 0 { hints.append(.jobsNeedYou) }
        if let last = try visit.quire.reports.latest(.verification), !last.isGood {
            hints.append(.verifyFailed)
        }
        if try visit.quire.reports.latest(.backup) == nil { hints.append(.makeBackup) }
        if try visit.quire.settings.needsRecoverySheet() { hints.append(.printRecoverySheet) }
        return hints
    }
}
