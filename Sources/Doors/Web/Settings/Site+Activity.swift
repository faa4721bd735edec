import Access
import App
import Bytes
import HTTP
import Jobs
import Library
import Markup
import Storage

extension Site {
    static let activityActions: [Action] = [
        Action(.get, "/activity", .member(.view)) { visit in try activity(visit) },
        Action(
            .get, "/jobs", .member(.view),
            .init(
                "List jobs", tag: "Jobs",
                parameters: [
                    .init(
                        "state", "Only those in this state",
                        schema: Schema.choice(Job.State.allCases.map(\.rawValue))),
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                    .init("after", "`next` of the page before"),
                ], answers: [.ok("JobList", "The newest first", headers: ["Link"])])
        ) { visit in
            if visit.wantsPage { return try activity(visit) }
            var filter = JobQueue.Filter()
            if let word = visit.request.query["state"] {
                guard let state = Job.State(rawValue: word) else {
                    throw Failure(.invalid, "There is no such state.", field: "state")
                }
                filter.states = [state]
            }
            let before = try visit.request.query["after"].map { text throws(Failure) in
                guard let id = ID<Job>(text) else {
                    throw Failure(.invalid, "“after” is not a job.", field: "after")
                }
                return id
            }
            let limit = try visit.limit(otherwise: 50, most: 500)
            let jobs = try visit.quire.queue.list(filter, before: before, limit: limit + 1)
            let shown = jobs.prefix(limit)
            return try visit.list(
                "jobs", visit.shown(shown).map(\.json), next: jobs.count > limit ? shown.last?.id.text : nil)
        },
        Action(
            .get, "/jobs/{id}", .member(.view),
            .init("Get a job", tag: "Jobs", answers: [.ok("Job", "How far it is")])
        ) { visit in
            let job = try visit.job()
            if visit.wantsFragment {
                return Response.html(Pages.jobItem(visit.frame, JobLine(job)).text).kept(false)
            }
            return visit.wantsPage ? .redirect(to: "/activity") : Response.json(job.json).kept(false)
        },
        Action(
            .post, "/jobs/{id}/cancellation", .member(.edit),
            .init("Cancel a job", tag: "Jobs", answers: [.ok("Job", "It ends, or has ended already")])
        ) { visit in
            let job = try visit.job()
            try visit.quire.queue.cancel(job.id)
            return visit.done(
                try visit.job().json, next: "/activity", notice: "notice.cancelled",
                ["title": .text(job.title)])
        },
        Action(
            .post, "/jobs/{id}/dismissal", .member(.edit),
            .init(
                "Let go of a job that failed", tag: "Jobs",
                answers: [.ok("Job", "Nobody need decide about it")])
        ) { visit in
            let job = try visit.job()
            try visit.quire.queue.dismiss(job.id)
            return visit.done(
                try visit.job().json, next: "/activity", notice: "notice.dismissed",
                ["title": .text(job.title)])
        },
        Action(
            .post, "/jobs/{id}/retry", .member(.edit),
            .init("Try a job again", tag: "Jobs", answers: [.ok("Job", "It waits to be done")])
        ) { visit in
            let job = try visit.job()
            try visit.quire.queue.retry(job.id)
            return visit.done(
                try visit.job().json, next: "/activity", notice: "notice.retried", ["title": .text(job.title)]
            )
        },
        Action(
            .get, "/schedules", .member(.view),
            .init("List what happens by itself", tag: "Jobs", answers: [.ok("ScheduleList", "All schedules")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/activity?view=schedule") }
            let schedules = try Schedules(visit.quire.queue).list()
            return .json(["schedules": .array(schedules.map(\.json))])
        },
        Action(
            .get, "/journal", .member(.administer),
            .init(
                "Read the journal", tag: "About",
                parameters: [
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                    .init("after", "`next` of the page before"),
                ], answers: [.ok("Journal", "Who did what, the newest first", headers: ["Link"])])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/activity?view=journal") }
            let before = try visit.request.query["after"].map { text throws(Failure) in
                guard let number = Int64(text) else {
                    throw Failure(.invalid, "“after” is a number.", field: "after")
                }
                return number
            }
            let page = try visit.access.journal.page(
                before: before, limit: try visit.limit(otherwise: 50, most: 500), by: try visit.member())
            let lines = try visit.shown(page.lines)
            return visit.list("entries", lines.map(\.json), next: page.before.map(String.init))
        },
    ]

    private static func activity(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let perPage = 50
        var model = ActivityPage(
            view: visit.request.query["view"].flatMap(ActivityPage.View.init(rawValue:)) ?? .jobs)
        model.page = max(1, min(10_000, visit.request.query["page"].flatMap(Int.init) ?? 1))
        switch model.view {
        case .jobs:
            model.jobs = try visit.shown(
                visit.quire.queue.list(
                    .init(states: [.waiting, .running, .failed, .setAside]), limit: 200)
            ).map { JobLine($0) }
        case .figures: model.figures = try visit.figuresModel()
        case .history:
            let jobs = try visit.quire.queue.list(
                .init(states: [.done, .cancelled, .failed, .setAside]), limit: model.page * perPage + 1)
            model.jobs = try visit.shown(jobs.dropFirst((model.page - 1) * perPage).prefix(perPage)).map {
                JobLine($0)
            }
            model.hasMore = jobs.count > model.page * perPage
        case .schedule:
            model.schedules = try Schedules(visit.quire.queue).list().map { schedule in
                ScheduleLine(
                    id: schedule.name, title: schedule.title, nextAt: schedule.nextAt,
                    rule: schedule.recurrence.text)
            }
        case .journal:
            guard caller.may(.administer) else { break }
            let page = try visit.access.journal.page(limit: min(500, model.page * perPage), by: caller)
            let lines = try visit.shown(page.lines).dropFirst((model.page - 1) * perPage)
            let names = try visit.quire.names(of: lines.map(\.subject))
            model.journal = lines.map { line in
                JournalLine(
                    at: line.at, actor: line.actorName, verb: line.verb,
                    subject: line.detail["name"]?.string ?? line.detail["title"]?.string
                        ?? names[line.subject] ?? JournalLine.name(in: line.subject)
                        ?? visit.texts("journal.something"))
            }
            model.hasMore = page.before != nil && model.page * perPage < 500
        }
        return try visit.show(["jobs": "/jobs", "schedules": "/schedules", "journal": "/journal"]) {
            Pages.activity(visit.frame, model)
        }
    }
}

extension Visit {
    func job() throws -> Job {
        guard let job = try quire.queue.get(id(of: "job")), try !shown([job]).isEmpty else {
            throw Failure(.notFound, "There is no such job. Finished ones are forgotten after a while.")
        }
        return job
    }
}
