import Bytes
import Jobs
import Markup
import SigningKeys
import Storage
import Work

/// Several papers that are to be signed, and how.
struct SigningManyPage: Sendable {
    var papers: [(id: String, name: String)]
    var identities: [(id: String, name: String)]
    var error: String?
}

extension Pages {
    static func signingMany(_ frame: Frame, _ model: SigningManyPage) -> HTML {
        let t = frame.texts
        let names = model.papers.map { paper -> HTML in
            "<li class=\"wrapped\"><a href=\"/documents/\(paper.id)\">\(paper.name)</a></li>"
        }
        let count = t("signing.many.papers", ["count": .number(model.papers.count)])
        let list: HTML =
            names.count <= 8
            ? "<ul>\(names)</ul>"
            : "<details class=\"more\"><summary>\(count)</summary><ul>\(names)</ul></details>"
        return Shell.page(
            frame, title: t("signatures.sign"),
            """
            \(Part.header(
                frame, t("signatures.sign"), lede: count, crumbs: [(t("documents.title"), "/documents")]))
            \(Form.failure(frame, model.error))<div class="stack">\(list)
            \(Part.card(t("signatures.sign"), model.identities.isEmpty ? noIdentity(frame) : wishes(frame, model)))</div>
            """)
    }

    private static func wishes(_ frame: Frame, _ model: SigningManyPage) -> HTML {
        let t = frame.texts
        return Form.form(
            frame, "POST", "/signing",
            """
            <p class="soft">\(t("signatures.sign.hint"))</p>
            \(model.papers.map { "<input type=\"hidden\" name=\"documents\" value=\"\($0.id)\">" as HTML })
            \(Form.select(
                frame, name: "identity", label: t("signatures.with"),
                options: model.identities.map { ($0.id, $0.name) }, chosen: model.identities[0].id))
            \(Form.select(
                frame, name: "seen", label: t("signing.seen"),
                options: SignedPapers.Seen.allCases.map { ($0.rawValue, t("signing.seen.\($0.rawValue)")) },
                chosen: SignedPapers.Seen.nowhere.rawValue))
            \(signingWords(frame))
            <div><button class="button button-main">\(frame.icon(.edit))\(t("signatures.sign"))</button></div>
            """)
    }

    /// What became of it, as far as it has come.
    static func signedMany(_ frame: Frame, _ job: Job) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("signatures.sign"),
            """
            \(Part.header(frame, t("signatures.sign"), crumbs: [(t("documents.title"), "/documents")]))
            <live-part\(attribute: "job", job.id.text)><div class="stack" data-live>\(outcome(frame, job))</div></live-part>
            """)
    }

    private static func outcome(_ frame: Frame, _ job: Job) -> HTML {
        let t = frame.texts
        let back = Part.link(frame, "/documents", t("signing.many.back"), icon: .document, css: "button")
        switch job.state {
        case .waiting, .running:
            return Part.working(frame, t("signing.many.working"), job.progress.fraction)
        case .done:
            let signed = job.result?["signed"]?.int ?? 0
            let left = job.result?["left"]?.array ?? []
            let lines = left.map { line -> HTML in
                """
                <li class="wrapped"><a href="/documents/\(line["document"]?.string ?? "")">\(line["name"]?.string ?? "")</a>: \
                \(t.said(line["reason"]?.string ?? ""))</li>
                """
            }
            let done: HTML =
                signed == 0
                ? .empty
                : Part.note(
                    frame, .good, "<p>\(t("signing.many.done", ["count": .number(signed)]))</p>",
                    role: "status")
            let missed: HTML =
                left.isEmpty
                ? .empty
                : Part.note(
                    frame, .bad,
                    "<p>\(t("signing.many.left", ["count": .number(left.count)]))</p><ul>\(lines)</ul>",
                    role: "alert")
            return "\(done)\(missed)<div class=\"row\">\(back)</div>"
        case .failed, .cancelled, .setAside:
            return """
                \(Part.note(
                    frame, .bad, "<p>\(job.reason.map(t.said) ?? t("signing.many.failed"))</p>", role: "alert"))
                <div class="row">\(back)</div>
                """
        }
    }
}
