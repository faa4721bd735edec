import Bytes
import Jobs
import Markup
import Redaction
import Storage
import Work

/// Words and patterns that are to be blacked out of several papers, and what was found in each.
struct RedactionManyPage: Sendable {
    struct Paper: Sendable {
        var id: String
        var name: String
        var version: Int
        /// Whether it is to be done; it can be left out of what was found.
        var isChosen = true
        var preview: Redactor.Preview?
        /// What lost its tick here; the same place in another paper is another hit.
        var spared: [RedactionHit] = []
        /// Why nothing can be looked for in it.
        var trouble: String?
    }

    var papers: [Paper]
    var wish = RedactionWish()
    var trouble: String?

    /// What is shown with a tick; in any paper, and in all of them.
    static let mostHits = 200
    static let mostHitsInAll = 2_000

    /// What was looked for, so that nothing else is done than what was looked through.
    static func fingerprint(_ wish: RedactionWish) -> String { wish.json.text }

    var wasLookedAt: Bool { papers.contains { $0.preview != nil } }
    var hitCount: Int { papers.reduce(0) { $0 + ($1.preview?.hits.count ?? 0) } }
}

extension Pages {
    static func redactionMany(_ frame: Frame, _ model: RedactionManyPage) -> HTML {
        let t = frame.texts
        let count = t("convert.papers", ["count": .number(model.papers.count)])
        return Shell.page(
            frame, title: t("redact.title"),
            """
            \(Part.header(
                frame, t("redact.title"), lede: t("redact.many.lede"), crumbs: [(t("documents.title"), "/documents")]))
            \(Form.failure(frame, model.trouble))
            \(Form.form(
                frame, "POST", "/redaction/hits",
                """
                \(model.papers.map { "<input type=\"hidden\" name=\"documents\" value=\"\($0.id)\">" as HTML })
                \(redactionWishes(frame, model.wish, pages: nil, canMake: model.wasLookedAt))
                \(model.wasLookedAt ? findings(frame, model) : Part.card(count, names(model.papers)))
                """))
            """)
    }

    private static func names(_ papers: [RedactionManyPage.Paper]) -> HTML {
        let names = papers.map { paper -> HTML in
            "<li class=\"wrapped\"><a href=\"/documents/\(paper.id)\">\(paper.name)</a></li>"
        }
        return "<ul>\(names)</ul>"
    }

    private static func findings(_ frame: Frame, _ model: RedactionManyPage) -> HTML {
        let t = frame.texts
        let total = t("redact.hits", ["count": .number(model.hitCount)])
        var number = 0
        var room = RedactionManyPage.mostHitsInAll
        var parts: [HTML] = []
        // Where nothing stands there is nothing to look at.
        let empty = model.papers.filter { $0.preview?.isEmpty == true }
        for paper in model.papers where paper.preview?.isEmpty != true {
            let most = min(RedactionManyPage.mostHits, room)
            room -= min(paper.preview?.hits.count ?? 0, most)
            parts.append(finding(frame, model.wish, paper, from: &number, most: most))
        }
        if !empty.isEmpty {
            parts.append(
                Part.card(t("redact.many.untouched", ["count": .number(empty.count)]), names(empty)))
        }
        let choice = redactionChoice(frame, model.papers.compactMap(\.preview))
        return """
            <section id="hits" class="stack"><h2>\(total)</h2>\
            <input type="hidden" name="looked" value="\(RedactionManyPage.fingerprint(model.wish))">\
            \(choice)\(parts.joined())</section>
            """
    }

    private static func finding(
        _ frame: Frame, _ wish: RedactionWish, _ paper: RedactionManyPage.Paper, from number: inout Int,
        most: Int
    ) -> HTML {
        let t = frame.texts
        guard let preview = paper.preview else {
            return """
                <section class="card"><h3 class="wrapped"><a href="/documents/\(paper.id)">\(paper.name)</a></h3>
                <p>\(paper.trouble ?? "")</p></section>
                """
        }
        var wish = wish
        wish.spared = paper.spared
        let pages = "/documents/\(paper.id)/read?page="
        let hits = redactionHits(
            frame, preview, wish, of: paper.id, from: &number, most: most, at: { pages + "\($0 + 1)" })
        let tick: HTML =
            preview.hits.isEmpty
            ? .empty
            : """
            <input type="hidden" name="versions" value="\(paper.id):\(paper.version)">\
            \(Form.check(name: "chosen", value: paper.id, label: t("redact.many.take"), isOn: paper.isChosen))
            """
        return """
            <section class="card stack"><div class="row"><h3 class="wrapped"><a href="/documents/\(paper.id)">\(paper.name)</a></h3>\
            <span class="push"></span>\(tick)</div>\(hits)</section>
            """
    }

    /// What became of them, as far as it has come.
    static func redactedMany(_ frame: Frame, _ job: Job) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("redact.title"),
            """
            \(Part.header(frame, t("redact.title"), crumbs: [(t("documents.title"), "/documents")]))
            <live-part\(attribute: "job", job.id.text)><div class="stack" data-live>\(outcomeOfMany(frame, job))</div></live-part>
            """)
    }

    private static func outcomeOfMany(_ frame: Frame, _ job: Job) -> HTML {
        let t = frame.texts
        let back = Part.link(frame, "/documents", t("signing.many.back"), icon: .document, css: "button")
        switch job.state {
        case .waiting, .running:
            return Part.working(frame, t("redact.many.working"), job.progress.fraction)
        case .done:
            let made = job.result?["made"]?.array ?? []
            let untouched = job.result?["untouched"]?.array ?? []
            let left = job.result?["left"]?.array ?? []
            func named(_ papers: [JSON], _ reason: (JSON) -> HTML) -> HTML {
                "<ul>\(papers.map { "<li class=\"wrapped\"><a href=\"/documents/\($0["document"]?.string ?? "")\">\($0["name"]?.string ?? "")</a>\(reason($0))</li>" as HTML })</ul>"
            }
            func note(_ kind: Part.Mood, _ key: String, _ papers: [JSON], _ list: HTML) -> HTML {
                papers.isEmpty
                    ? .empty
                    : Part.note(
                        frame, kind, "<p>\(t(key, ["count": .number(papers.count)]))</p>\(list)",
                        role: kind == .bad ? "alert" : "status")
            }
            return """
                \(note(.good, "redact.many.done", made, "<ul>\(made.map { redacted(frame, $0) })</ul>"))
                \(note(.bad, "redact.many.left", left, named(left) { ": \(t.said($0["reason"]?.string ?? ""))" }))
                \(note(.plain, "redact.many.untouched", untouched, named(untouched) { _ in .empty }))
                <div class="row">\(back)\(made.isEmpty ? .empty : redactionProofLink(frame, job))</div>
                """
        case .failed, .cancelled, .setAside:
            return """
                \(Part.note(
                    frame, .bad, "<p>\(job.reason.map(t.said) ?? t("redact.failed"))</p>", role: "alert"))
                <div class="row">\(back)</div>
                """
        }
    }

    /// One that was made, with what went along and what was looked at.
    private static func redacted(_ frame: Frame, _ made: JSON) -> HTML {
        let t = frame.texts
        let lines = (made["remarks"]?.array ?? []).map(t.redactionRemark)
        let proof = t.redactionProof(made["proof"] ?? [:])
        return """
            <li class="wrapped"><a href="/documents/\(made["document"]?.string ?? "")/read">\(made["name"]?.string ?? "")</a>
            <details class="more"><summary>\(t("redact.proof"))</summary>\
            <ul>\((lines + proof).map { "<li class=\"wrapped\">\($0)</li>" as HTML })</ul></details></li>
            """
    }
}
