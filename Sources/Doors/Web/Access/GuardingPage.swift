import Markup
import Work

struct GuardingPage: Sendable {
    struct Session: Sendable {
        var member: String
        /// `Firefox on Android`
        var device: String
        var address: String
        var lastSeenAt: Moment
    }
    struct Entry: Sendable {
        var who: String
        var isGood: Bool
        /// The device and the address, as far as they are known.
        var from: [String]
        var at: Moment
    }
    var walls: [AboutPage.Finding]
    var sessions: [Session]
    var tokens: [TokensPage.Token]
    /// Who came in or tried to, the newest first.
    var entries: [Entry]
    var linkCount: Int
    var linksWithoutPassword: Int
    var linksWithoutEnd: Int
}

extension Pages {
    static func guarding(_ frame: Frame, _ model: GuardingPage) -> HTML {
        let t = frame.texts
        let sessions = model.sessions.map { session -> HTML in
            """
            <div class="item">\(frame.icon(.device))<span class="item-text"><span class="item-title">\(session.member)</span>\
            <span class="item-note">\(session.device) · \(session.address) · \(Part.time(session.lastSeenAt))</span></span></div>
            """
        }
        let tokens = model.tokens.map { tokenItem(frame, $0) }
        let entries = model.entries.map { line -> HTML in
            return """
                <div class="item">\(frame.icon(line.isGood ? .check : .warning))<span class="item-text"><span class="item-title">\(line.who)</span>\
                <span class="item-note">\(t(line.isGood ? "guarding.cameIn" : "guarding.failed")) · \(line.from.joined(separator: " · ")) · \(Part.time(line.at))</span></span></div>
                """
        }
        func card(_ title: String, _ items: [HTML], _ address: String) -> HTML {
            """
            <section class="card card-flush"><div class="card-head"><h2>\(t(title))</h2>\
            <a class="button button-s" href="\(url: address)">\(t("guarding.open"))<span class="unseen"> \(t(title))</span></a></div>\
            \(items.isEmpty ? "<p class=\"soft about-lede\">\(t("guarding.none"))</p>" : Part.list(items))</section>
            """
        }
        let links = t(
            "guarding.links.text",
            [
                "count": .number(model.linkCount), "endless": .number(model.linksWithoutEnd),
                "open": .number(model.linksWithoutPassword),
            ])
        return settingsPage(
            frame, "settings.guarding",
            """
            <section class="card card-flush"><div class="card-head"><h2>\(t("guarding.walls"))</h2></div>\
            \(findings(frame, model.walls))</section>
            \(card("guarding.signIns", entries, "/activity"))
            \(card("guarding.sessions", sessions, "/members"))
            \(card("settings.tokens", tokens, "/tokens"))
            <section class="card"><div class="card-head"><h2>\(t("guarding.links"))</h2>\
            <a class="button button-s" href="/shares">\(t("guarding.open"))<span class="unseen"> \(t("guarding.links"))</span></a></div>\
            <p class="soft">\(links)</p></section>
            """)
    }
}
