import Markup

/// People one knows, to be put on a list with a tap.
struct ContactsPage: Sendable {
    struct Contact: Sendable {
        var id: String
        var name: String
        var note: String
    }

    var contacts: [Contact]
    var filter = ""
    var page = 1
    var pageCount = 1
    var matchCount: Int
    var totalCount: Int
    var lists: [ListLine] = []
    var error: String?
}

extension Pages {
    static func contacts(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        let zone: HTML =
            frame.canEdit
            ? Part.fileZone(
                frame, action: "/contacts", label: t("contacts.drop"), hint: t("contacts.drop.hint"),
                accept: ".vcf,text/vcard", many: true, id: "cards") : .empty
        let body: HTML =
            model.totalCount == 0
            ? Part.empty(
                frame, icon: .person, title: t("contacts.empty"), "<p>\(t("contacts.empty.text"))</p>")
            : contactList(frame, model)
        return Shell.page(
            frame, title: t("people.contacts"),
            """
            \(Part.header(frame, t("people.title"), lede: t("contacts.lede")))
            \(peopleTabs(frame, .contacts))
            \(Form.failure(frame, model.error))
            <div class="columns"><div class="stack">\(body)</div><div class="stack">\(zone)</div></div>
            """)
    }

    private static func contactList(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        let items = model.contacts.map { contact -> HTML in
            """
            <label class="item choice-item"><input type="checkbox" name="id" value="\(contact.id)">\
            <span class="item-text"><span class="item-title" dir="auto">\(contact.name)</span>\
            <span class="item-note" dir="auto">\(contact.note)</span></span></label>
            """
        }
        let onto: HTML = """
            <div class="selection-bar" role="group" aria-label="\(t("documents.selection"))"><span data-selected>\(t("documents.selection"))</span>\
            <span class="push"></span><label class="unseen" for="onto">\(t("contacts.onto"))</label>\
            <select id="onto" name="list" class="narrow"><option value="">\(t("contacts.newList"))</option>\
            \(model.lists.map { "<option value=\"\($0.id)\">\($0.name)</option>" as HTML })</select>\
            <button class="button button-main">\(t("contacts.onto"))</button></div>
            """
        let nothing = Part.empty(
            frame, icon: .search, title: t("documents.none", ["filter": .text(model.filter)]),
            "<p>\(t("documents.none.text"))</p>")
        return """
            <soft-page><data-table>\(Part.search(frame, "/contacts", model.filter, label: t("list.search")))
            <div class="stack" data-swap="results"><p class="soft small" role="status">\(t("people.count", ["count": .number(model.matchCount)]))</p>
            <form method="post" action="/contacts/selection" class="stack">\(Form.csrf(frame))
            \(model.contacts.isEmpty ? nothing : "<section class=\"card card-flush\" aria-label=\"\(t("people.contacts"))\">\(Part.list(items))</section>")
            \(frame.canEdit ? onto : .empty)</form>
            \(Part.pager(frame, page: model.page, pageCount: model.pageCount, soft: true) { "/contacts?q=\(queryEncoded(model.filter))&page=\($0)" })
            </div></data-table></soft-page>
            """
    }
}
