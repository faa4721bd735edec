import Markup

/// One page of a form as a picture, with its fields laid over it.
struct PagePicture: Sendable {
    /// A field's place, in points from the top left corner of the page as it is shown.
    struct Mark: Sendable {
        enum Mood: String, Sendable, CaseIterable { case plain, matched, problem }

        /// Ties the place to its entry in the list beside the picture.
        var key: String
        var label: String
        var address: String
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        var mood: Mood = .plain
        var isChosen = false
    }

    var number: Int
    var width: Double
    var height: Double
    var address: String
    var marks: [Mark] = []
}

extension Part {
    /// The places are drawn as SVG, because the security policy allows no style attributes. They serve the pointer:
    /// by keyboard and by ear the same is chosen in the list beside, so they are left out there.
    static func picture(_ frame: Frame, _ picture: PagePicture, of name: String) -> HTML {
        let alternative = frame.texts(
            "template.page.of", ["number": .number(picture.number), "name": .text(name)])
        let marks = picture.marks.map { mark -> HTML in
            """
            <a href="\(url: mark.address)" tabindex="-1" data-soft data-mark="\(mark.key)"><title>\(mark.label)</title>\
            <rect class="mark mark-\(mark.mood.rawValue)\(mark.isChosen ? " is-chosen" : "")" \
            x="\(tenths(mark.x))" y="\(tenths(mark.y))" width="\(tenths(mark.width))" \
            height="\(tenths(mark.height))" rx="1.5"></rect></a>
            """
        }
        return """
            <figure class="page-picture" id="page-\(picture.number)" data-page="\(picture.number)">
            <img src="\(url: picture.address)" alt="\(alternative)" width="\(Int(picture.width))" height="\(Int(picture.height))"\
            \(attribute: "loading", picture.number > 2 ? "lazy" : nil)>
            <svg viewBox="0 0 \(tenths(picture.width)) \(tenths(picture.height))" aria-hidden="true" focusable="false">\(marks)</svg>
            </figure>
            """
    }

    /// Points to a tenth: finer than any screen.
    static func tenths(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1_000_000 else { return "0" }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0
            ? String(tenths / 10) : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// The first page of a paper, small; until there is one, a sheet that says what it is.
    static func thumbnail(_ address: String?, letters: String = "PDF") -> HTML {
        guard let address else {
            return "<span class=\"thumb thumb-none\" aria-hidden=\"true\"><span>\(letters)</span></span>"
        }
        return
            "<span class=\"thumb\"><img src=\"\(url: address)\" alt=\"\" loading=\"lazy\" width=\"180\" height=\"234\"></span>"
    }

    static func pager(
        _ frame: Frame, page: Int, pageCount: Int, soft: Bool = false, address: (Int) -> String
    )
        -> HTML
    {
        guard pageCount > 1 else { return .empty }
        let t = frame.texts
        func step(_ page: Int, _ label: String, _ icon: Icon, rel: String) -> HTML {
            guard (1...pageCount).contains(page) else { return .empty }
            return """
                <a class="button button-icon" rel="\(rel)" href="\(url: address(page))"\(attribute: "data-soft", if: soft) \
                aria-label="\(label)">\(frame.icon(icon))</a>
                """
        }
        return """
            <nav class="pager" aria-label="\(t("pager.label"))">
            <span>\(t("pager.place", ["page": .number(page), "pages": .number(pageCount)]))</span>
            <div class="row">\(step(page - 1, t("pager.previous"), .previous, rel: "prev"))\
            \(step(page + 1, t("pager.next"), .next, rel: "next"))</div></nav>
            """
    }

    static func tabs(
        _ frame: Frame, _ label: String,
        _ tabs: [(name: String, address: String, isHere: Bool, count: Int)]
    ) -> HTML {
        """
        <nav class="tabs" aria-label="\(label)">\(tabs.map { tab -> HTML in
            """
            <a href="\(url: tab.address)"\(attribute: "aria-current", tab.isHere ? "page" : nil)>\(tab.name)\
            \(tab.count > 0 ? "&nbsp;<span class=\"count\">\(tab.count)</span>" as HTML : .empty)</a>
            """
        })</nav>
        """
    }

    /// A search field that asks again while one types, and by its button without scripts.
    static func search(
        _ frame: Frame, _ action: String, _ query: String, label: String, hidden: [(String, String)] = [],
        more: HTML = .empty
    ) -> HTML {
        """
        <form class="table-tools" method="get" action="\(url: action)" role="search" data-soft data-soft-live>
        \(hidden.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" as HTML })
        <div class="filter">\(frame.icon(.search))<label class="unseen" for="q">\(label)</label>\
        <input id="q" type="search" name="q" value="\(query)" placeholder="\(label)" autocomplete="off"></div>
        \(more)<button class="button no-script">\(frame.texts("documents.search"))</button>
        </form>
        """
    }

    /// Where files come in that are not simply kept: forms, tables, cards.
    static func fileZone(
        _ frame: Frame, action: String, label: String, hint: String, accept: String? = nil, many: Bool = true,
        hidden: [(String, String)] = [], extra: HTML = .empty, id: String = "files",
        mayBeLocked: Bool = false, tables: String? = nil
    ) -> HTML {
        let t = frame.texts
        // Asked for only when a file turns out to be locked; without scripts it can be opened by hand.
        let password: HTML =
            mayBeLocked
            ? """
            <details class="more" data-password><summary>\(t("templates.password"))</summary><div class="field"><label for="\(id)-password">\(t("form.password"))</label>
            <input type="password" id="\(id)-password" name="password" autocomplete="off" aria-describedby="\(id)-password-hint">
            <p class="field-hint" id="\(id)-password-hint">\(t("templates.locked.hint"))</p></div>
            <button class="button script-only">\(t("templates.unlock"))</button></details>
            """ : .empty
        return """
            <upload-zone action="\(url: action)" follow\(attribute: "tables", tables)>
            <form class="drop" method="post" action="\(url: action)" enctype="multipart/form-data">\(Form.csrf(frame))
            \(hidden.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" as HTML })
            \(frame.icon(.upload))
            <label for="\(id)"><strong>\(label)</strong>\
            <span class="button button-main with-script">\(frame.icon(.plus))\(t("upload.choose"))</span></label>
            <input id="\(id)" type="file" name="file"\(attribute: "multiple", if: many)\(attribute: "accept", accept)>
            <p class="drop-hint">\(hint)</p>\(extra)\(password)
            <button class="button button-main without-script">\(t("upload.send"))</button>
            </form>
            <ul class="list uploads" aria-label="\(t("upload.list"))"></ul>
            <p class="unseen" role="status" data-status></p>
            </upload-zone>
            """
    }
}
