import Converting
import Markup

/// A paper that is locked, and the way to take the lock off.
struct PasswordPage: Sendable {
    var line: DocumentLine
    var lock: OpenedPapers.Lock
    /// Where somebody was going when the lock was in the way.
    var then: String?
    var error: String?
    /// Somebody signed it: it is asked once more.
    var asksAboutSignatures = false

    /// Pages of a paper for which it has to be open.
    static let ways = ["read", "marks", "form", "pages", "redaction", "signatures", "smaller", "comparison"]
}

extension Pages {
    static func password(_ frame: Frame, _ model: PasswordPage) -> HTML {
        let t = frame.texts
        let path = "/documents/\(model.line.id)"
        let crumbs = [
            (name: t("documents.title"), address: "/documents"), (name: model.line.name, address: path),
        ]
        let field: HTML =
            model.lock == .password
            ? Form.field(
                frame,
                .init(
                    name: "password", label: t("paper.password"), type: "password",
                    hint: t("paper.password.hint"),
                    autocomplete: "off", isRequired: true, isFocused: true, maximumLength: 500))
            : "<p>\(t("paper.password.limits"))</p>"
        let signatures: HTML =
            model.asksAboutSignatures
            ? Form.check(name: "breakSignatures", label: t("paper.password.signatures"), isOn: false) : .empty
        let content: HTML =
            model.lock == .none
            ? Part.empty(
                frame, icon: .key, title: t("paper.password.none"),
                "<p>\(Part.link(frame, path, t("document.details"), icon: .document, css: "button button-main"))</p>"
            )
            : """
            <section class="card">\(Form.form(
                frame, "POST", path + "/password",
                """
                \(Form.failure(frame, model.error))\(field)\(signatures)
                \(model.then.map { "<input type=\"hidden\" name=\"then\" value=\"\($0)\">" as HTML })
                <div><button class="button button-main">\(frame.icon(.key))\(t(model.lock == .password ? "paper.password.do" : "paper.password.limits.do"))</button></div>
                """))</section>
            """
        return Shell.page(
            frame, title: t("paper.password.title"), narrow: true,
            """
            \(Part.header(
                frame, t("paper.password.title"), lede: model.lock == .none ? nil : t("paper.password.lede"), crumbs: crumbs))
            \(content)
            """)
    }

    /// Below the sentence that a paper is locked.
    static func unlocking(_ frame: Frame, _ line: DocumentLine, then: String? = nil) -> HTML {
        guard frame.canEdit else { return .empty }
        let address = "/documents/\(line.id)/password" + (then.map { "?then=\($0)" } ?? "")
        return "<p>\(Part.link(frame, address, frame.texts("paper.password.title"), icon: .key))</p>"
    }
}
