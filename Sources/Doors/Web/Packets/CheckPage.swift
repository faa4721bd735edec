import Markup

/// Step three: everything that would be made, before anything is.
struct CheckPage: Sendable {
    struct Planned: Sendable {
        var id: String
        var number: Int
        var name: String
        var fileName: String
        /// Whom it would be sent to; empty where there is no address.
        var address = ""
        var papers: String
        var problems: [FindingLine] = []
        /// `new`, `changed`, `same`: against the last time.
        var change: String = "new"
    }

    struct Options: Sendable {
        var naming: String
        var namingError: String?
        var namingExamples: [String] = []
        var flatten = false
        var password = ""
        var passwordError: String?
        /// In whose name each packet is signed, and in whose it can be.
        var signer = ""
        var signers: [(id: String, name: String)] = []
        var signerError: String?
        /// Who attests when each was signed, and whether what later checks need is put in.
        var timestamp = ""
        var timestampError: String?
        var proofs = false
        var pageNumbers = ""
        var numberingError: String?
        var bates = ""
        var duplex = false
        var despite = false
        var onlyChanged = false
        /// There is a batch before to compare with.
        var isCopy = false
        var overflow = "shrink"
        /// How numbers and dates are written; empty is the usual way.
        var locale = ""
        var localeError: String?
        /// Those to choose from, the usual one first, each with a number and a day as they are written there.
        var locales: [(code: String, sample: String)] = []
        /// What each packet says about itself: the names of the properties, and their formulas.
        var metadata: [(name: String, formula: String)] = []
        var metadataError: String?
    }

    var batch: BatchLine
    var total: Int
    var problemCount: Int
    var blockedCount = 0
    /// How many would be made.
    var plannedCount = 0
    /// A problem of a field, or of packets as a whole.
    struct Count: Sendable {
        var sentence: String
        var count: Int
        /// It holds packets back.
        var isSerious: Bool
        /// Where it can be put right, and what that is called.
        var cure: (address: String, label: String)?
    }

    var counts: [Count] = []
    /// What holds for the batch as a whole.
    var remarks: [String] = []
    var show: String = ""
    var filter = ""
    var page = 1
    var pageCount = 1
    /// Where the next page begins, when pages cannot be counted.
    var next: Int?
    var matchCount: Int
    var planned: [Planned]
    var options: Options
    var needsSecond = false
    var approvedBy: String?
    /// What is looked at: whoever says yes to something else has to look again.
    var edition = ""
    /// Why nothing could be planned. What was planned before holds no more.
    var error: String?
}

extension Pages {
    static func check(_ frame: Frame, _ model: CheckPage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)"
        let verdict: HTML =
            model.total == 0
            ? Form.failure(frame, model.error)
            : model.blockedCount > 0
                ? Part.note(
                    frame, .bad, "<p>\(t("check.blocked", ["count": .number(model.blockedCount)]))</p>")
                : model.problemCount > 0
                    ? Part.note(
                        frame, .warn, "<p>\(t("check.problems", ["count": .number(model.problemCount)]))</p>")
                    : Part.note(frame, .good, "<p>\(t("check.good", ["count": .number(model.total)]))</p>")
        return stepPage(
            frame, model.batch, .check,
            """
            <soft-page><div class="columns columns-wide">
            <div class="stack" data-swap="plan">\(verdict)
            \(planRemarks(frame, model))
            \(model.error == nil ? planFilter(frame, model, path) : .empty)
            \(model.error != nil ? .empty : model.planned.isEmpty
                ? Part.empty(frame, icon: .check, title: t("check.nothing"), "<p>\(t("check.nothing.text"))</p>")
                : "<section class=\"card card-flush\" aria-label=\"\(t("check.all"))\"><ol class=\"list\">\(model.planned.map { plannedItem(frame, $0, path) })</ol></section>")
            \(Part.pager(frame, page: model.page, pageCount: model.pageCount, soft: true) { page in
                "\(path)/plan?page=\(page)"
            })\(further(frame, model.next.map { "\(path)/plan?after=\($0)&show=\(queryEncoded(model.show))&q=\(queryEncoded(model.filter))" }))</div>
            <div class="stack">\(checkOptions(frame, model, path))</div></div>
            \(approval(frame, model, path))</soft-page>
            """)
    }

    /// What there is to know before one looks at single packets.
    private static func planRemarks(_ frame: Frame, _ model: CheckPage) -> HTML {
        guard !model.counts.isEmpty || !model.remarks.isEmpty else { return .empty }
        let t = frame.texts
        let kinds = model.counts.map { kind -> HTML in
            """
            <li class="problem\(kind.isSerious ? " problem-bad" : "")">\(frame.icon(.warning, small: true))\
            <span>\(kind.sentence) <span class="soft">(\(t("check.howMany", ["count": .number(kind.count)])))</span>\
            \(kind.cure.map { " <a href=\"\(url: $0.address)\">\($0.label)</a>" as HTML })</span></li>
            """
        }
        let remarks = model.remarks.map { remark -> HTML in
            "<li class=\"problem\">\(frame.icon(.info, small: true))<span>\(remark)</span></li>"
        }
        return Part.card(t("check.remarks"), "<ul class=\"problems\">\(kinds)\(remarks)</ul>")
    }

    static func further(_ frame: Frame, _ address: String?) -> HTML {
        guard let address else { return .empty }
        return """
            <nav class="pager" aria-label="\(frame.texts("pager.label"))"><a class="button" rel="next" href="\(url: address)" data-soft>\
            \(frame.texts("pager.next"))\(frame.icon(.next))</a></nav>
            """
    }

    private static func planFilter(_ frame: Frame, _ model: CheckPage, _ path: String) -> HTML {
        let t = frame.texts
        let kinds: [(String, String, Int)] =
            [("", t("check.all"), model.total), ("problems", t("check.withProblems"), model.problemCount)]
        let options = kinds.map { kind -> HTML in
            """
            <a class="filter-chip" href="\(url: "\(path)/plan?show=\(queryEncoded(kind.0))")" data-soft\
            \(attribute: "aria-current", kind.0 == model.show ? "true" : nil)>\(kind.1) <span class="count">\(Part.number(kind.2))</span></a>
            """
        }
        return """
            <div class="row" role="group" aria-label="\(t("check.filter"))">\(options)</div>
            \(Part.search(frame, path + "/plan", model.filter, label: t("list.search"), hidden: [("show", model.show)]))
            """
    }

    private static func plannedItem(_ frame: Frame, _ planned: CheckPage.Planned, _ path: String) -> HTML {
        let problems = planned.problems.map { problem -> HTML in
            """
            <li class="problem\(problem.mood == .bad ? " problem-bad" : "")">\(frame.icon(.warning, small: true))<span>\(problem.sentence)</span></li>
            """
        }
        let list: HTML = problems.isEmpty ? .empty : "<ul class=\"problems\">\(problems)</ul>"
        return """
            <li><div class="item planned"><span class="planned-number">\(planned.number)</span><span class="item-text">\
            <a class="item-title item-link" href="\(url: "\(path)/mapping?row=\(planned.number)")" dir="auto">\(planned.name)</a>\
            <span class="item-note"><span class="mono" dir="auto">\(planned.fileName)</span> · \(planned.papers)\
            \(planned.address.isEmpty ? HTML.empty : " · <span dir=\"auto\">\(planned.address)</span>")</span></span>\
            \(planned.change == "changed" ? Part.chip(frame, frame.texts("check.changed"), .warn) : .empty)\
            \(planned.change == "same" ? Part.chip(frame, frame.texts("check.same")) : .empty)\(list)</div></li>
            """
    }

    private static func checkOptions(_ frame: Frame, _ model: CheckPage, _ path: String) -> HTML {
        let t = frame.texts
        let options = model.options
        let labels = [
            "title": t("check.metadata.title"), "author": t("check.metadata.author"),
            "subject": t("check.metadata.subject"), "keywords": t("check.metadata.keywords"),
        ]
        let naming: HTML = """
            <div class="field"><label for="f-naming">\(t("check.naming"))</label>
            <input type="text" class="mono" id="f-naming" name="naming" value="\(options.naming)" autocomplete="off" spellcheck="false" dir="ltr" \
            aria-describedby="\(options.namingError == nil ? "" : "f-naming-error ")f-naming-hint"\(attribute: "aria-invalid", options.namingError == nil ? nil : "true")>
            \(Form.liveError(frame, "f-naming", options.namingError))
            <p class="field-hint" id="f-naming-hint">\(t("check.naming.hint"))</p>
            <ul class="examples" data-swap="examples">\(options.namingExamples.map { "<li class=\"mono\" dir=\"auto\">\($0)</li>" as HTML })</ul></div>
            """
        return Part.card(
            t("check.options"),
            Form.form(
                frame, "PATCH", path, css: "stack", id: "options", soft: true, live: true,
                """
                <input type="hidden" name="options" value="yes"><input type="hidden" name="then" value="plan">
                \(naming)
                \(Form.check(name: "flatten", label: t("check.flatten"), hint: t("check.flatten.hint"), isOn: options.flatten))
                \(Form.select(
                    frame, name: "overflow", label: t("check.overflow"),
                    options: [
                        ("shrink", t("check.overflow.shrink")), ("continuation", t("check.overflow.continuation")),
                    ], chosen: options.overflow, hint: t("check.overflow.hint")))
                \(Form.select(
                    frame, name: "locale", label: t("check.locale"),
                    options: options.locales.map { (
                        $0.code, "\($0.code.isEmpty ? t("check.locale.usual") : $0.code) · \($0.sample)"
                    ) },
                    chosen: options.locale, hint: t("check.locale.hint"), error: options.localeError))
                \(Form.check(name: "despite", label: t("check.despite"), hint: t("check.despite.hint"), isOn: options.despite))
                \(options.isCopy ? Form.check(name: "onlyChanged", label: t("check.onlyChanged"), isOn: options.onlyChanged) : HTML.empty)
                <details class="more"\(attribute: "open", if: !options.password.isEmpty || !options.signer.isEmpty || options.signerError != nil || !options.pageNumbers.isEmpty || !options.bates.isEmpty || options.duplex
                    || options.metadataError != nil || options.numberingError != nil || options.metadata.contains { !$0.formula.isEmpty })>\
                <summary>\(t("check.more"))</summary><div class="stack">
                \(Form.field(
                    frame,
                    .init(
                        name: "password", label: t("check.password"), value: options.password, hint: t("check.password.hint"),
                        error: options.passwordError, autocomplete: "off", optionalNote: t("form.optional"), isLive: true)))
                \(options.signers.isEmpty ? "<p><a href=\"/identities\">\(t("check.signer.make"))</a></p>" : Form.select(
                    frame, name: "signer", label: t("check.signer"), options: [("", t("check.signer.none"))] + options.signers.map { ($0.id, $0.name) },
                    chosen: options.signer, hint: t("check.signer.hint"), error: options.signerError)
                    + "<div class=\"stack witnesses\">\(witnesses(frame, timestamp: options.timestamp, proofs: options.proofs, error: options.timestampError, isLive: true))</div>")
                \(Form.field(
                    frame,
                    .init(
                        name: "pageNumbers", label: t("check.pageNumbers"), value: options.pageNumbers,
                        hint: t("check.pageNumbers.hint"), error: options.numberingError, autocomplete: "off",
                        optionalNote: t("form.optional"), isLive: true)))
                \(Form.field(
                    frame,
                    .init(
                        name: "bates", label: t("check.bates"), value: options.bates, hint: t("check.bates.hint"),
                        autocomplete: "off", optionalNote: t("form.optional"))))
                \(Form.check(name: "duplex", label: t("check.duplex"), hint: t("check.duplex.hint"), isOn: options.duplex))
                <fieldset class="stack stack-s"><legend class="field-label">\(t("check.metadata"))</legend>
                <p class="field-hint">\(t("check.metadata.hint"))</p>
                \(Form.liveError(frame, "f-metadata", options.metadataError))
                \(options.metadata.map { property in
                    Form.field(
                        frame,
                        .init(
                            name: property.name, label: labels[property.name] ?? property.name, value: property.formula,
                            autocomplete: "off", optionalNote: t("form.optional")))
                })</fieldset></div></details>
                <div class="no-script"><button class="button">\(t("form.save"))</button></div>
                """))
    }

    private static func approval(_ frame: Frame, _ model: CheckPage, _ path: String) -> HTML {
        let t = frame.texts
        let second = Form.check(
            name: "second", label: t("check.second"), hint: t("check.second.hint"), isOn: model.needsSecond)
        let ready = model.plannedCount > 0
        let approved = model.approvedBy.map { name -> HTML in
            "<span class=\"soft small\">\(t("check.approvedBy", ["name": .text(name)]))</span>"
        }
        let button: HTML =
            ready
            ? """
            <button class="button button-main button-forward" id="make">\(frame.icon(.check))\
            \(t("check.go", ["count": .number(model.plannedCount)]))</button>
            """
            : "<span class=\"soft\">\(t("check.notReady"))</span>"
        return Form.form(
            frame, "POST", path + "/approval", css: "action-bar",
            """
            <input type="hidden" name="asked" value="yes">\(approved ?? second)<span class="push"></span>\
            <span class="ready" data-swap="ready"><input type="hidden" name="edition" value="\(model.edition)">\(button)</span>
            """)
    }
}
