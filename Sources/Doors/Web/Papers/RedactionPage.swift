public import Bytes
import Jobs
public import Markup
public import PDFDrawing
import Redaction
import Storage
public import Work

/// What is to be blacked out of a paper: said in words, drawn on its pages, looked through before it is done.
struct RedactionPage: Sendable {
    var line: DocumentLine
    var sheets: [ReadPage.Sheet]
    var wish = RedactionWish()
    /// As they were typed.
    var pagesText = ""
    var preview: Redactor.Preview?
    /// The one that was looked at.
    var version = 0
    var trouble: String?
    var job: Job?

    /// So many pages are shown to draw on at once; words are looked for on all.
    static let mostSheets = 200
    static let mostHits = 500
}

extension Pages {
    static func redaction(_ frame: Frame, _ model: RedactionPage) -> HTML {
        let t = frame.texts
        let crumbs = [
            (name: t("documents.title"), address: "/documents"),
            (name: model.line.name, address: "/documents/\(model.line.id)"),
        ]
        return Shell.page(
            frame, title: t("redact.title"),
            """
            \(Part.header(frame, t("redact.title"), lede: t("redact.lede"), crumbs: crumbs))
            \(model.job.map { job in
                "<live-part\(attribute: "job", job.id.text)><div data-live>\(outcome(frame, model, job))</div></live-part>"
            } ?? .empty)
            \(model.trouble.map { Part.note(frame, .bad, "<p>\($0)</p>", role: "alert") } ?? .empty)
            <redact-areas class="stack" data-name="\(t("redact.area"))">
            \(Form.form(
                frame, "POST", "/documents/\(model.line.id)/redaction/hits",
                "\(redactionWishes(frame, model.wish, pages: model.pagesText))\(found(frame, model))"))
            \(sheets(frame, model))
            </redact-areas>
            """)
    }

    private static func outcome(_ frame: Frame, _ model: RedactionPage, _ job: Job) -> HTML {
        let t = frame.texts
        switch job.state {
        case .waiting, .running:
            return Part.working(frame, t("redact.working"), job.progress.fraction)
        case .done:
            let result = job.result ?? [:]
            let remarks = (result["remarks"]?.array ?? []).map(t.redactionRemark)
            let lines = t.redactionProof(result["proof"] ?? [:])
            return Part.note(
                frame, .good,
                """
                <p>\(t("redact.done", ["name": .text(result["name"]?.string ?? "")]))</p>
                \(remarks.isEmpty ? .empty : "<ul>\(remarks.map { "<li>\($0)</li>" as HTML })</ul>" as HTML)
                <details class="more"><summary>\(t("redact.proof"))</summary><ul>\(lines.map { "<li class=\"wrapped\">\($0)</li>" as HTML })</ul></details>
                <div class="row">\(Part.link(
                    frame, "/documents/\(result["document"]?.string ?? "")/read", t("redact.open"), icon: .eye,
                    css: "button button-main"))\
                \(Part.link(
                    frame, "/documents/\(result["document"]?.string ?? "")/file?download=1", t("document.download"),
                    icon: .download))\(redactionProofLink(frame, job))</div>
                """, role: "status")
        case .failed, .cancelled, .setAside:
            return Part.note(
                frame, .bad,
                "<p>\(job.reason.map(t.said) ?? t("redact.failed"))</p><p>\(t("redact.nothing"))</p>",
                role: "alert")
        }
    }

    static func redactionProofLink(_ frame: Frame, _ job: Job) -> HTML {
        Part.link(
            frame, "/redaction/proof?job=\(job.id)", frame.texts("redact.proof.get"), icon: .shield,
            css: "button"
        )
    }

    /// What is to go, in words; with places and pages where it is one paper that is spoken of.
    static func redactionWishes(
        _ frame: Frame, _ wish: RedactionWish, pages: String?, canMake: Bool = true
    ) -> HTML {
        let t = frame.texts
        let patterns = RedactionWish.Pattern.allCases.map { pattern in
            Form.check(
                name: "patterns", value: pattern.rawValue, label: t("redact.pattern.\(pattern.rawValue)"),
                isOn: wish.patterns.contains(pattern))
        }
        let isMore =
            !wish.expressions.isEmpty || pages?.isEmpty == false || wish.makesPictures
            || wish.passesOverPictures || wish.colour != .black
        let places: HTML =
            pages == nil
            ? .empty
            : """
            <p class="soft with-script">\(t("redact.areas.hint"))</p>
            <input type="hidden" name="areas" data-areas value="\(JSON.array(wish.areas.map(\.json)).text)">
            """
        let wholePages =
            pages.map {
                Form.field(
                    frame,
                    .init(
                        name: "pages", label: t("redact.pages"), value: $0, hint: t("redact.pages.hint"),
                        autocomplete: "off"))
            } ?? .empty
        let make: HTML =
            canMake
            ? """
            <button class="button button-main" name="action" value="make">\(frame.icon(.check))\(t("redact.make"))</button>
            """ : .empty
        return """
            <div class="card stack">
            \(Form.field(
                frame,
                .init(
                    name: "words", label: t("redact.words"), value: wish.words.joined(separator: "\n"),
                    hint: t("redact.words.hint"), rows: 4)))
            <fieldset class="field"><legend class="field-label">\(t("redact.patterns"))</legend><div class="choices">\(patterns)</div></fieldset>
            \(places)
            <details class="more"\(attribute: "open", if: isMore)><summary>\(t("redact.more"))</summary><div class="stack">
            <div class="form-grid">\(wholePages)
            \(Form.select(
                frame, name: "colour", label: t("redact.colour"),
                options: RedactionWish.Colour.allCases.map { ($0.rawValue, t("redact.colour.\($0.rawValue)")) },
                chosen: wish.colour.rawValue))</div>
            \(Form.field(
                frame,
                .init(
                    name: "expressions", label: t("redact.expressions"),
                    value: wish.expressions.joined(separator: "\n"), hint: t("redact.expressions.hint"), rows: 2)))
            \(Form.check(
                name: "asPictures", label: t("redact.asPictures"), hint: t("redact.asPictures.hint"),
                isOn: wish.makesPictures))
            \(Form.check(
                name: "skipPictures", label: t("redact.skipPictures"), hint: t("redact.skipPictures.hint"),
                isOn: wish.passesOverPictures))
            </div></details>
            <div class="row"><button class="button\(canMake ? "" : " button-main")" name="action" value="look">\(frame.icon(.search))\(t("redact.look"))</button>\
            \(make)</div>
            <p class="soft small">\(t("redact.width"))</p>
            </div>
            """
    }

    private static func found(_ frame: Frame, _ model: RedactionPage) -> HTML {
        guard let preview = model.preview else { return .empty }
        var number = 0
        let hits = redactionHits(
            frame, preview, model.wish, from: &number, most: RedactionPage.mostHits,
            at: { "#sheet-\($0 + 1)" })
        return Part.card(
            frame.texts("redact.hits", ["count": .number(preview.hits.count)]), id: "hits",
            "<input type=\"hidden\" name=\"version\" value=\"\(model.version)\">\(redactionChoice(frame, [preview]))\(hits)"
        )
    }

    /// What the ticks are for, where there are any.
    static func redactionChoice(_ frame: Frame, _ previews: [Redactor.Preview]) -> HTML {
        previews.contains { $0.hits.contains(where: \.canStay) }
            ? "<p class=\"soft\">\(frame.texts("redact.hits.choose"))</p>" : .empty
    }

    /// What was found in a paper, each with the words around it and a tick that can be taken away. `number` counts them through
    /// all papers of a form.
    static func redactionHits(
        _ frame: Frame, _ preview: Redactor.Preview, _ wish: RedactionWish, of document: String? = nil,
        from number: inout Int, most: Int, at address: (Int) -> String
    ) -> HTML {
        let t = frame.texts
        var parts: [HTML] = []
        if !preview.unreadablePages.isEmpty {
            let pages = RedactionError.numbers(preview.unreadablePages)
            parts.append(
                Part.note(frame, .warn, "<p>\(t("redact.unreadable", ["pages": .text(pages)]))</p>"))
        }
        if preview.hits.isEmpty {
            parts.append("<p>\(t(wish.searches ? "redact.hits.none" : "redact.hits.noWords"))</p>")
        }
        let items = preview.hits.prefix(most).map { hit -> HTML in
            let tick: HTML
            if hit.canStay {
                tick = redactionTick(frame, hit, of: document, number, isOn: !wish.spares(hit))
                number += 1
            } else {
                tick = "<span class=\"redact-tick\"></span>"
            }
            return "<li class=\"item\">\(tick)\(redactionHit(frame, hit, at: address))</li>"
        }
        if !items.isEmpty { parts.append("<ul class=\"list redact-hits\">\(items)</ul>") }
        if preview.hits.count > most {
            let more = preview.hits.count - most
            parts.append("<p class=\"soft\">\(t("redact.hits.more", ["count": .number(more)]))</p>")
        }
        return parts.joined()
    }

    private static func redactionHit(
        _ frame: Frame, _ hit: RedactionHit, at address: (Int) -> String
    ) -> HTML {
        let t = frame.texts
        let place: HTML =
            hit.page.map { page -> HTML in
                let kind = hit.place == .page ? "" : " · " + t("redact.place.\(hit.place.rawValue)")
                return
                    "<a href=\"\(url: address(page))\">\(t("redact.page", ["number": .number(page + 1)]))\(kind)</a>"
            } ?? HTML(plain: t("redact.place.\(hit.place.rawValue)"))
        let before: HTML = hit.before.isEmpty ? .empty : "\(hit.before) "
        let after: HTML = hit.after.isEmpty ? .empty : " \(hit.after)"
        return """
            <span class="item-text"><span dir="auto">\(before)<mark>\(hit.text)</mark>\(after)</span>\
            <span class="item-note">\(place)</span></span>
            """
    }

    /// With the hit itself, so that whoever answers need not look for it again.
    private static func redactionTick(
        _ frame: Frame, _ hit: RedactionHit, of document: String?, _ number: Int, isOn: Bool
    ) -> HTML {
        var told = hit
        (told.before, told.after) = ("", "")
        told.areas = Array(hit.areas.prefix(1))
        var json = told.json.object ?? [:]
        if let document { json["document"] = .string(document) }
        let label = frame.texts("redact.hit.goes", ["text": .text(hit.text)])
        return """
            <input type="hidden" name="hits" value="\(JSON.object(json).text)">\
            <input class="redact-tick" type="checkbox" name="gone" value="\(number)" aria-label="\(label)"\(attribute: "checked", if: isOn)>
            """
    }

    /// A page as a picture that something is drawn over, with a button below it.
    static func drawnSheet(
        _ frame: Frame, _ line: DocumentLine, _ sheet: ReadPage.Sheet, attributes: HTML = .empty,
        css: String = "redact-paper", boxes: HTML = .empty, button: HTML
    ) -> HTML {
        let t = frame.texts
        let alternative = t(
            "template.page.of", ["number": .number(sheet.number), "name": .text(line.name)])
        let address = "/documents/\(line.id)/pages/\(sheet.number)?width=900"
        let size = (width: Int(sheet.width.rounded()), height: Int(sheet.height.rounded()))
        return """
            <figure class="redact-sheet" id="sheet-\(sheet.number)" data-page="\(sheet.number)"\(attributes)>\
            <div class="\(css)"><img src="\(url: address)" alt="\(alternative)" width="\(size.width)" height="\(size.height)" loading="lazy" draggable="false">\
            <svg viewBox="0 0 \(size.width) \(size.height)" aria-hidden="true">\(boxes)</svg></div>\
            <figcaption class="row"><span class="soft small">\(t("redact.page", ["number": .number(sheet.number)]))</span>\
            <span class="push"></span>\(button)</figcaption></figure>
            """
    }

    private static func sheets(_ frame: Frame, _ model: RedactionPage) -> HTML {
        let t = frame.texts
        var hits: [Int: [RedactionWish.Area]] = [:]
        for area in (model.preview?.hits ?? []).flatMap(\.areas) { hits[area.page, default: []].append(area) }
        let shown = model.sheets.prefix(RedactionPage.mostSheets).map { sheet -> HTML in
            func box(_ area: RedactionWish.Area) -> HTML {
                """
                <rect class="redact-hit" x="\(Int(area.x.rounded(.down)))" y="\(Int(area.y.rounded(.down)))" \
                width="\(Int(area.width.rounded(.up)))" height="\(Int(area.height.rounded(.up)))"></rect>
                """
            }
            return drawnSheet(
                frame, model.line, sheet, boxes: (hits[sheet.number - 1] ?? []).map(box).joined(),
                button:
                    "<button class=\"button button-s with-script\" type=\"button\" data-add>\(frame.icon(.plus))\(t("redact.area.add"))</button>"
            )
        }
        let more: HTML =
            model.sheets.count > RedactionPage.mostSheets
            ? "<p class=\"soft\">\(t("redact.sheets.more", ["count": .number(RedactionPage.mostSheets)]))</p>"
            : .empty
        return "<div class=\"redact-sheets\">\(shown)</div>\(more)"
    }
}

extension Texts {
    /// What went along with what was blacked out.
    public func redactionRemark(_ remark: JSON) -> String {
        let kind = remark["kind"]?.string ?? ""
        return self(
            "redact.remark.\(kind)",
            [
                "count": .number(remark["count"]?.int ?? 0), "text": .text(remark["text"]?.string ?? ""),
                "pages": .text(remark["pages"]?.string ?? ""),
            ])
    }

    /// A page to be kept: of each paper what went along, and what was looked at.
    public func redactionReport(
        _ papers: [(name: String, remarks: [JSON], proof: JSON)], at moment: Moment
    ) -> [PlainReport.Line] {
        let time = String(moment.iso8601.prefix(16)).replacing("T", with: " ") + " UTC"
        return [
            .title(self("redact.proof.title")), .text(self("redact.proof.made", ["time": .text(time)])),
        ]
            + papers.flatMap { paper -> [PlainReport.Line] in
                let said = paper.remarks.map(redactionRemark) + redactionProof(paper.proof)
                return [.heading(paper.name)] + said.map { .item("•", $0) }
            }
    }

    /// What was looked at afterwards, line by line.
    public func redactionProof(_ proof: JSON) -> [String] {
        var lines = (proof["checks"]?.array ?? []).map { check in
            self(
                "redact.check.\(check["name"]?.string ?? "")",
                ["count": .number(check["looked"]?.string.flatMap { Int($0) } ?? 0)])
        }
        lines.append(self("redact.digest", ["digest": .text(proof["sha256"]?.string ?? "")]))
        return lines
    }
}
