import Markup

/// The fields on what terms a link opens something, for whatever is shared.
enum ShareTerms {
    static func viewOnly(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Form.check(
            name: "viewOnly", label: t("shares.viewOnly"), hint: t("shares.viewOnly.hint"), isOn: false)
    }

    static func days(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Form.select(
            frame, name: "days", label: t("shares.expiry"),
            options: [
                ("1", t("shares.days", ["count": 1])), ("7", t("shares.days", ["count": 7])),
                ("30", t("shares.days", ["count": 30])), ("", t("shares.never")),
            ], chosen: "7")
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

    static func note(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Form.field(
            frame,
            Form.Field(
                name: "note", label: t("request.note"), hint: t("request.note.hint"), autocomplete: "off",
                maximumLength: 200, optionalNote: t("form.optional")))
    }
}
