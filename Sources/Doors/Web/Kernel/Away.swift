import Access
import Bytes
import HTTP
import Markup

/// Why an answer is not the one a page hoped for: whoever opened it is not there any more. Scripts read it, so that what
/// somebody has typed stays where it is and is not thrown away with the page.
enum Away: String, Sendable {
    /// Signed out, or the session has ended by itself.
    case out
    case locked
    /// The page was opened before somebody signed in again: it needs a new token, and to see whether it was the same person.
    case stale

    static let header = "X-Quire-Away"
}

extension Response {
    func away(_ away: Away) -> Response { with(Away.header, away.rawValue) }
}

extension Site {
    static let presenceActions: [Action] = [
        Action(.get, "/presence", .member(.view)) { visit in
            guard visit.wantsPage else {
                let frame = visit.frame
                return Response.json([
                    "reader": .optional(frame.reader?.id), "csrf": .string(frame.csrfToken),
                ]).kept(false)
            }
            return visit.page(Pages.presence(visit.frame)).kept(false)
        }
    ]
}

extension Pages {
    /// Where one arrives after signing in beside a page that waits.
    static func presence(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("presence.title"), narrow: true,
            Part.empty(
                frame, icon: .check, title: t("presence.title"), isPageTitle: true,
                "<p>\(t("presence.text"))</p>",
                actions: Part.link(frame, "/", t("problem.home"), icon: .desk)))
    }
}
