import Access
import App
import Bytes
import Converting
import Filling
import HTTP
import Jobs
import Library
import Markup
import Storage

// Private folders: opened by showing once more who one is, closed again by themselves or at once.

extension Site {
    static let privacyActions: [Action] = [
        Action(.get, "/private", .member(.view)) { visit in
            let next = next(visit.request.query["next"])
            guard let session = visit.session else {
                throw Failure(
                    .unsupported,
                    "Private folders are opened in the browser. On the machine itself, add --private to a command.",
                    field: "private")
            }
            do throws(Failure) {
                try visit.access.privateOpenings.open(for: session)
            } catch {
                // Shown who it is, they come back here.
                let here = "/private?next=\(PercentCoding.encode(next))"
                return .redirect(to: "/unlock?next=\(PercentCoding.encode(here))")
            }
            return visit.goes(to: next, notice: visit.texts("notice.privateOpen"))
        },
        Action(
            .post, "/private/closing", .member(.view),
            .init("Close private folders at once", tag: "Sign-in", answers: [.init(.noContent, "Closed")])
        ) { visit in
            if let session = visit.session { visit.access.privateOpenings.close(session.id) }
            return visit.done([:], .noContent, next: "/documents", notice: "notice.privateClosed")
        },
    ]

    /// Where a page would show what is private: first the question who is there.
    func privateAnswer(_ failure: Failure, _ request: Request, _ visit: Visit) -> Response? {
        guard failure.field == "private", failure.code == .denied, visit.session != nil, visit.wantsPage,
            !visit.wantsFragment
        else { return nil }
        let target = request.method.isSafe ? Site.next(request.target) : "/documents"
        return .redirect(to: "/private?next=\(PercentCoding.encode(target))")
    }
}

extension Visit {
    /// Which of these, as the journal names them, are private papers and folders, or made of private papers, while those
    /// are not open to whoever asks.
    func hidden(among subjects: some Sequence<String>) throws -> Set<String> {
        try quire.hidden(among: subjects, from: member())
    }

    /// The lines of the journal without those about what is private and not open.
    func shown(_ lines: [AuditJournal.Line]) throws -> [AuditJournal.Line] {
        func subjects(_ line: AuditJournal.Line) -> [String] {
            [line.subject, line.detail["of"]?.string ?? ""]
        }
        let hidden = try hidden(among: lines.flatMap(subjects))
        guard !hidden.isEmpty else { return lines }
        return lines.filter { line in !subjects(line).contains(where: hidden.contains) }
    }

    /// Work without that on what is private and not open: its title names it.
    func shown(_ jobs: some Sequence<Job>) throws -> [Job] {
        let hidden = try hidden(among: jobs.flatMap(Quire.subjects))
        return jobs.filter { job in !Quire.subjects(job).contains(where: hidden.contains) }
    }
}
