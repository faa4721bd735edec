import Markup

/// The fields on what terms a link opens something, for whatever is shared.
enum ShareTerms {
    static func viewOnly(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Form.check(
            name: "viewOnly", label: t("shares.viewOnly"), hint: t("shares.viewOnly.hint"), isOn: false)
    }

    static func takesReplies(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Form.check(
            name: "takesReplies", label: t("shares.takesReplies"), hint: t("shares.takesReplies.hint"),
            isOn: false)
    }

    /// How long it opens, in days.
    static func days(_ frame: Frame, _ choices: [Int] = [1, 7, 30], chosen: Int = 7) -> HTML {
        let t = frame.texts
        return Form.select(
            frame, name: "days", label: t("shares.expiry"),
            options: choices.map { (String($0), t("shares.days", ["count": .number($0)])) }
                + [("", t("shares.never"))],
            chosen: String(chosen))
    }

    static func password(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Form.field(
            frame,
            Form.Field(
                name: "password", label: t("shares.password"), type: "password",
                hint: t("shares.password.hint"),
                autocomplete: "new-password", optionalNote: t("form.optional")))
    }

    static func limit(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Form.field(
            frame,
            Form.Field(
                name: "limit", label: t("shares.limit"), type: "number", hint: t("shares.limit.hint"),
                inputMode: "numeric", optionalNote: t("form.optional")))
    }

    /// For whom the link is.
    static func note(_ frame: Frame, hint: String = "request.note.hint") -> HTML {
        let t = frame.texts
        return Form.field(
            frame,
            Form.Field(
                name: "note", label: t("request.note"), hint: t(hint), autocomplete: "off",
                maximumLength: 200,
                // A paper has a note of its own on the same page.
                id: "for-whom", optionalNote: t("form.optional")))
    }
}
