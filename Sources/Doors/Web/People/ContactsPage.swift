import Markup
import People
import Work

/// People one knows, to be put on a list with a tap.
struct ContactsPage: Sendable {
    struct Contact: Sendable {
        var id: String
        var name: String
        var note: String
        var tags: [String] = []
        var followUp: FollowUpLine?
    }

    struct Book: Sendable {
        var id: String
        var name: String
        var count: Int
        var isRemote: Bool
        var pulledAt: Moment?
        var trouble: String?
        /// Whether it goes both ways.
        var writes = false
        /// So many would go that somebody has to say that it is meant.
        var isInQuestion = false
        var isChangedHere = true
        var tagsAreGroups = false
    }

    /// A card that stands for several people.
    struct Group: Sendable {
        var id: String
        var name: String
        var book: String
        var count: Int
        var absentCount = 0
        var isChangedHere = true
    }

    /// A file that was brought in, and what it changed.
    struct Import: Sendable {
        var id: String
        var name: String
        var at: Moment
        var isUndone: Bool
        var added: Int
        var changed: Int
        var unchanged: Int
        var groups = 0
        var leftOutCount: Int
        var leftOut: [(line: Int, name: String, reason: String)]
        /// What was taken all the same.
        var odd: [(line: Int, name: String, reason: String)]
    }

    var contacts: [Contact]
    var imports: [Import] = []
    var books: [Book] = []
    var groups: [Group] = []
    /// What was typed for a server that could not be used.
    var address = ""
    var userName = ""
    var bothWays = true
    var bookError: String?
    /// Under what address a phone finds the desk.
    var server = ""
    var filter = ""
    /// Only those whose names begin so.
    var letter: String?
    var tag: String?
    var due: Due?
    var dueCounts: [Due: Int] = [:]
    /// Nil while they are in no calendar.
    var calendar: FollowUpCalendar?
    /// With which letters names begin at all.
    var letters: [String] = []
    /// All there are, to choose from.
    var tags: [String] = []
    var page = 1
    var pageCount = 1
    var matchCount: Int
    var totalCount: Int
    var lists: [ListLine] = []
    /// What is being looked for, as a smart list would ask it.
    var question: ContactQuestion {
        ContactQuestion(words: letter == nil ? filter : "", tag: tag ?? "", due: due)
    }
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
            \(Part.header(
                frame, t("people.title"), lede: t("contacts.lede"),
                actions: frame.canEdit
                    ? """
                    \(Part.link(frame, "/contacts/scan", t("card.read"), icon: .camera, css: "button"))\
                    \(Part.link(frame, "/contacts/new", t("contact.new"), icon: .plus, css: "button button-main"))
                    """ : .empty))
            \(peopleTabs(frame, .contacts))
            \(Form.failure(frame, model.error))
            <div class="columns"><div class="stack">\(body)</div><div class="stack">\(smartLists(frame, model.lists))\(doubles(frame, model))\(zone)\(imports(frame, model))\
            \(model.totalCount == 0 ? .empty : saving(frame, model))\(groups(frame, model))\(phones(frame, model))\(books(frame, model))</div></div>
            """)
    }

    /// Looking for them takes a while with very many, so that nobody is made to wait who did not ask.
    private static func doubles(_ frame: Frame, _ model: ContactsPage) -> HTML {
        guard model.totalCount > 1 else { return .empty }
        return """
            <p>\(Part.link(frame, "/contacts/matches", frame.texts("contacts.matches"), icon: .people))</p>
            """
    }

    /// What came from files, with what was left out and why, each with its way back.
    private static func imports(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        guard !model.imports.isEmpty else { return .empty }
        let items = model.imports.map { act -> HTML in
            let counts: [(key: String, count: Int)] = [
                ("contacts.import.added", act.added), ("contacts.import.changed", act.changed),
                ("contacts.import.unchanged", act.unchanged), ("contacts.import.groups", act.groups),
                ("contacts.import.refused", act.leftOutCount),
            ]
            let said = counts.filter { $0.count > 0 }.map { t($0.key, ["count": .number($0.count)]) }
            let told =
                told(frame, t("contacts.import.why"), act.leftOut)
                + told(frame, t("contacts.import.odd"), act.odd)
            let undo: HTML =
                act.isUndone
                ? "<span class=\"soft small\">\(t("contacts.import.undone"))</span>"
                : frame.canEdit && act.added + act.changed + act.groups > 0
                    ? """
                    <form method="post" action="/contacts/undoings">\(Form.csrf(frame))<input type="hidden" name="id" value="\(act.id)">\
                    <button class="button button-s" aria-label="\(t("contacts.import.undo.name", ["name": .text(act.name)]))">\(t("shell.undo"))</button></form>
                    """ : .empty
            return """
                <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(act.name)</span>\
                <span class="item-note">\(said.joined(separator: " · ")) · \(Part.time(act.at))</span>\(told)</span>\(undo)</div>
                """
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("contacts.imports"))</h2></div>\(Part.list(items))</section>
            """
    }

    private static func told(
        _ frame: Frame, _ title: String, _ entries: [(line: Int, name: String, reason: String)]
    ) -> HTML {
        guard !entries.isEmpty else { return .empty }
        return """
            <details class="more small"><summary>\(title)</summary><ul>\(entries.map { "<li>\(leftOutLine(frame, $0))</li>" as HTML })</ul></details>
            """
    }

    private static func leftOutLine(
        _ frame: Frame, _ entry: (line: Int, name: String, reason: String)
    ) -> String {
        let arguments: [String: Catalog.Argument] = [
            "line": .number(entry.line), "name": .text(entry.name), "reason": .text(entry.reason),
        ]
        return entry.name.isEmpty
            ? frame.texts("contacts.import.line", arguments) : frame.texts("contacts.import.card", arguments)
    }

    /// Groups are tags of people; one that nobody is in would be seen nowhere else.
    private static func groups(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        guard !model.groups.isEmpty else { return .empty }
        let severalBooks = Set(model.groups.map(\.book)).count > 1
        let items = model.groups.map { group -> HTML in
            let title: HTML =
                group.count == 0
                ? "<span class=\"item-title\" dir=\"auto\">\(group.name)</span>"
                : """
                <a class="item-title item-link" href="\(url: address(model, tag: group.name, filter: ""))" dir="auto">\(group.name)</a>
                """
            var notes = [
                group.count == 0
                    ? t("contacts.group.nobody") : t("people.count", ["count": .number(group.count)])
            ]
            if group.absentCount > 0 {
                notes.append(t("contacts.group.absent", ["count": .number(group.absentCount)]))
            }
            if severalBooks { notes.append(group.book) }
            let remove: HTML =
                frame.canEdit && group.isChangedHere
                ? Form.button(
                    frame, "DELETE", "/contacts/groups/\(group.id)", t("form.remove"),
                    css: "button button-s",
                    name: t("contacts.group.remove.name", ["name": .text(group.name)])) : .empty
            return """
                <div class="item"><span class="item-text">\(title)<span class="item-note" dir="auto">\(notes.joined(separator: " · "))</span></span>\(remove)</div>
                """
        }
        return """
            <section class="card" id="groups"><details class="more"\(attribute: "open", if: model.groups.contains { $0.count == 0 })>\
            <summary>\(frame.icon(.tag))\(t("contacts.groups", ["count": .number(model.groups.count)]))</summary>\
            <p class="soft small">\(t("contacts.groups.text"))</p>\(Part.list(items))</details></section>
            """
    }

    /// The contacts that are shown, as a file.
    private static func saving(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        let forms = [
            ("cards", t("contacts.as.cards")), ("vcard3", t("contacts.as.vcard3")),
            ("vcard4", t("contacts.as.vcard4")), ("jcard", t("contacts.as.jcard")),
            ("jscontact", t("contacts.as.jscontact")), ("csv", t("contacts.as.csv")),
        ]
        return """
            <section class="card"><details class="more"><summary>\(frame.icon(.download))\(t("contacts.save"))</summary>\
            <form class="stack" method="get" action="/contacts/cards">\
            \(model.filter.isEmpty ? .empty : "<input type=\"hidden\" name=\"q\" value=\"\(model.filter)\">" as HTML)\
            \(Form.select(
                frame, name: "as", label: t("contacts.as"),
                options: forms.map { (value: $0.0, label: $0.1) }, chosen: "cards"))\
            <div><button class="button">\(t("contacts.save.go"))</button></div></form></details></section>
            """
    }

    /// What has to be typed into a phone, with a password that opens nothing else.
    private static func phones(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        guard frame.canEdit else { return .empty }
        let insecure: HTML =
            model.server.hasPrefix("https:")
            ? .empty : Part.note(frame, .warn, "<p class=\"small\">\(t("contacts.phone.insecure"))</p>")
        return """
            <section class="card"><details class="more"><summary>\(frame.icon(.device))\(t("contacts.phone"))</summary><div class="stack">\
            <p class="soft small">\(t("contacts.phone.text"))</p>\
            <div><p class="field-label">\(t("contacts.phone.server"))</p><p dir="ltr" class="secret">\(model.server)</p>\
            <div class="row">\(Part.copy(frame, model.server))</div></div>\(insecure)\
            \(Form.form(
                frame, "POST", "/tokens",
                """
                <input type="hidden" name="name" value="\(t("contacts.phone.name"))"><input type="hidden" name="scope" value="contacts">\
                <div><button class="button">\(frame.icon(.key))\(t("contacts.phone.go"))</button></div>
                """))\(phoneGroups(frame, model))</div></details></section>
            """
    }

    private static func phoneGroups(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        guard frame.isOwner, let own = model.books.first(where: { !$0.isRemote }) else { return .empty }
        return """
            <p class="soft small">\(t(own.tagsAreGroups ? "contacts.phone.areGroups" : "contacts.phone.groups"))</p>\
            <div>\(tagsKept(frame, own, css: "button"))</div>
            """
    }

    /// Turns round where a book keeps the tags of its people.
    private static func tagsKept(_ frame: Frame, _ book: ContactsPage.Book, css: String) -> HTML {
        Form.form(
            frame, "PATCH", "/contacts/books/\(book.id)", css: nil,
            """
            <input type="hidden" name="tagsAreGroups" value="\(book.tagsAreGroups ? "false" : "true")">\
            <button class="\(css)">\(frame.texts(book.tagsAreGroups ? "contacts.book.tags" : "contacts.book.groups"))</button>
            """)
    }

    /// Address books: of files, and on servers, from which the cards are fetched anew on request.
    private static func books(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        let items = model.books.map { book -> HTML in
            let path = "/contacts/books/\(book.id)"
            let name = ["name": Catalog.Argument.text(book.name)]
            var notes: [HTML] = [HTML(plain: t("people.count", ["count": .number(book.count)]))]
            if book.writes { notes.append(HTML(plain: t("contacts.book.both"))) }
            if book.tagsAreGroups { notes.append(HTML(plain: t("contacts.book.areGroups"))) }
            if let pulledAt = book.pulledAt { notes.append(Part.time(pulledAt)) }
            let trouble: HTML? = book.trouble.map {
                "<span class=\"field-error\">\(frame.icon(.warning))<span>\($0)</span></span>"
            }
            let pull: HTML =
                book.isRemote && frame.canEdit
                ? Form.button(
                    frame, "POST", path + "/pull", t("contacts.book.pull"), icon: .again,
                    css: "button button-s", name: t("contacts.book.pull.name", name)) : .empty
            let meant: HTML =
                book.isInQuestion && frame.canEdit
                ? Form.form(
                    frame, "POST", path + "/pull", css: nil,
                    """
                    <input type="hidden" name="evenMany" value="true">\
                    <button class="button button-s button-danger">\(t("contacts.book.meant"))</button>
                    """) : .empty
            let turn: HTML =
                book.isRemote && frame.isOwner
                ? Form.form(
                    frame, "PATCH", path, css: nil,
                    """
                    <input type="hidden" name="bothWays" value="\(book.writes ? "false" : "true")">\
                    <button class="button button-s">\(t(book.writes ? "contacts.book.onlyRead" : "contacts.book.write"))</button>
                    """) : .empty
            let tags: HTML =
                book.isRemote && book.isChangedHere && frame.isOwner
                ? tagsKept(frame, book, css: "button button-s") : .empty
            let remove: HTML =
                frame.isOwner
                ? Form.button(
                    frame, "DELETE", path, t("form.remove"), css: "button button-s button-danger",
                    confirm: t("contacts.book.remove.confirm", name),
                    name: t("contacts.book.remove.name", name)) : .empty
            return """
                <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(book.name)</span>\
                <span class="item-note">\(notes.joined(separator: " · "))</span>\(trouble)</span>\(meant)\(pull)\(turn)\(tags)\(remove)</div>
                """
        }
        let list: HTML =
            items.isEmpty
            ? .empty
            : """
            <section class="card card-flush"><div class="card-head"><h2>\(t("contacts.books"))</h2></div>\(Part.list(items))</section>
            """
        guard frame.isOwner else { return list }
        return """
            \(list)<section class="card"><details class="more"\(attribute: "open", if: model.bookError != nil)>\
            <summary>\(frame.icon(.globe))\(t("contacts.book.add"))</summary>\(Form.form(
                frame, "POST", "/contacts/books",
                """
                <p class="soft small">\(t("contacts.book.text"))</p>\(Form.failure(frame, model.bookError))
                \(Form.field(
                    frame,
                    .init(
                        name: "address", label: t("contacts.book.address"), value: model.address, type: "url",
                        hint: t("contacts.book.address.hint"), autocomplete: "off", isRequired: true)))
                \(Form.field(
                    frame,
                    .init(
                        name: "userName", label: t("mail.username"), value: model.userName, autocomplete: "off",
                        optionalNote: t("form.optional"))))
                \(Form.field(
                    frame,
                    .init(
                        name: "password", label: t("form.password"), type: "password", autocomplete: "off",
                        optionalNote: t("form.optional"))))
                \(Form.check(name: "bothWays", value: "true", label: t("contacts.book.bothWays"), isOn: model.bothWays))
                <div><button class="button">\(t("contacts.book.go"))</button></div>
                """))</details></section>
            """
    }

    private static func address(
        _ model: ContactsPage, letter: String? = nil, tag: String? = nil, due: Due? = nil, page: Int = 1,
        filter: String? = nil
    ) -> String {
        var query: [String] = []
        let filter = filter ?? model.filter
        if letter == nil, !filter.isEmpty { query.append("q=\(queryEncoded(filter))") }
        if let letter, !letter.isEmpty { query.append("letter=\(queryEncoded(letter))") }
        if let tag, !tag.isEmpty { query.append("tag=\(queryEncoded(tag))") }
        if let due { query.append("due=\(due.rawValue)") }
        if page > 1 { query.append("page=\(page)") }
        return "/contacts" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// A to Z, and # for whatever else names begin with; letters nobody begins with lead nowhere.
    private static func index(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        guard model.totalCount > 20 || model.letter != nil else { return .empty }
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ#".map { String($0) }
        let items = letters.map { letter -> HTML in
            guard model.letters.contains(letter) else {
                return "<li><span aria-hidden=\"true\">\(letter)</span></li>"
            }
            let name = letter == "#" ? t("contacts.letter.other") : letter
            return """
                <li><a href="\(url: address(model, letter: letter))" data-soft aria-label="\(name)"\
                \(attribute: "aria-current", model.letter == letter ? "true" : nil)>\(letter)</a></li>
                """
        }
        return "<nav aria-label=\"\(t("contacts.index"))\"><ol class=\"letters\">\(items)</ol></nav>"
    }

    /// Nobody to get back to, nothing to choose from.
    private static func dueChips(_ frame: Frame, _ model: ContactsPage) -> HTML {
        guard model.dueCounts[.planned, default: 0] > 0 || model.due != nil else { return .empty }
        let t = frame.texts
        let parts =
            [(key: "", name: t("followUp.everybody"), count: model.totalCount)]
            + Due.allCases.map { due in
                (
                    key: due.rawValue, name: t("followUp.due.\(due.rawValue)"),
                    count: model.dueCounts[due, default: 0]
                )
            }
        return filterChips(frame, label: t("followUp.title"), chosen: model.due?.rawValue ?? "", parts) {
            address(model, due: Due(rawValue: $0))
        }
    }

    /// Where one looks for them the day stands; elsewhere a word is enough.
    private static func followUpNote(
        _ frame: Frame, _ line: FollowUpLine?, in model: ContactsPage
    ) -> HTML {
        guard let line, model.due != nil || line.due == .overdue || line.isToday else { return .empty }
        let about: HTML =
            line.followUp.note.isEmpty ? .empty : " · <span dir=\"auto\">\(line.followUp.note)</span>"
        let day: HTML =
            model.due == nil ? .empty : "<span>\(Part.day(line.followUp.on))\(about)</span>"
        return "<span class=\"item-note row\">\(followUpChip(frame, line))\(day)</span>"
    }

    private static func chosen(_ frame: Frame, _ model: ContactsPage) -> HTML {
        guard model.tag != nil || model.letter != nil else { return .empty }
        let said = [model.tag, model.letter].compactMap { $0 }
        return """
            <p class="row">\(said.map { Part.chip(frame, $0, icon: model.tag == $0 ? .tag : nil) })\
            <a href="/contacts" data-soft>\(frame.texts("documents.clear"))</a></p>
            """
    }

    private static func contactList(_ frame: Frame, _ model: ContactsPage) -> HTML {
        let t = frame.texts
        let items = model.contacts.map { contact -> HTML in
            let tick: HTML =
                frame.canEdit
                ? """
                <label class="tick"><span class="unseen">\(t("documents.select", ["name": .text(contact.name)]))</span>\
                <input type="checkbox" name="id" value="\(contact.id)"></label>
                """ : .empty
            let tags: HTML =
                contact.tags.isEmpty
                ? .empty
                : "<span class=\"tag-row\">\(contact.tags.prefix(4).map { Part.chip(frame, $0, icon: .tag) })</span>"
            return """
                <div class="item person-item">\(tick)<a class="person-link" href="\(url: "/contacts/\(contact.id)")">\
                <span class="item-title" dir="auto">\(contact.name)</span>\
                <span class="item-note" dir="auto">\(contact.note)</span>\(followUpNote(frame, contact.followUp, in: model))</a>\(tags)</div>
                """
        }
        let acts: HTML = """
            <span class="row"><label class="unseen" for="tag">\(t("contacts.tag"))</label>\
            <input id="tag" type="text" name="tag" class="narrow" list="tags" placeholder="\(t("contacts.tag"))" autocomplete="off" maxlength="100">\
            <datalist id="tags">\(model.tags.map { "<option value=\"\($0)\"></option>" as HTML })</datalist>\
            <button class="button" name="action" value="tag">\(frame.icon(.tag))\(t("contacts.tag.give"))</button>\
            <button class="button" name="action" value="untag">\(t("contacts.tag.take"))</button></span>\
            <span class="row"><label class="unseen" for="onto">\(t("contacts.onto"))</label>\
            <select id="onto" name="list" class="narrow"><option value="">\(t("contacts.newList"))</option>\
            \(model.lists.filter { $0.question == nil }.map { "<option value=\"\($0.id)\">\($0.name)</option>" as HTML })</select>\
            <button class="button button-main" name="action" value="list">\(t("contacts.onto"))</button></span>\
            <button class="button" name="action" value="merge">\(t("contacts.merge"))</button>\
            <button class="button" name="action" value="export" data-no-soft>\(frame.icon(.download))\(t("contacts.export"))</button>\
            <button class="button button-danger" name="action" value="remove">\(frame.icon(.trash))\(t("contact.remove"))</button>
            """
        let bar = Part.selectionBar(frame, acts)
        let nothing = Part.empty(
            frame, icon: .search,
            title: t(
                "documents.none",
                ["filter": .text(model.filter.isEmpty ? model.tag ?? model.letter ?? "" : model.filter)]),
            "<p>\(t("documents.none.text"))</p>")
        return """
            <soft-page><data-table>\(Part.search(frame, "/contacts", model.filter, label: t("contacts.search")))
            <div class="stack" data-swap="results">\(dueChips(frame, model))\(index(frame, model))\(chosen(frame, model))\
            <p class="soft small" role="status">\(t("people.count", ["count": .number(model.matchCount)]))</p>
            \(model.letter == nil ? keepingSmart(frame, model.question) : .empty)
            <form method="post" action="/contacts/selection" class="stack">\(Form.csrf(frame))
            \(model.contacts.isEmpty ? nothing : "<section class=\"card card-flush\" aria-label=\"\(t("people.contacts"))\">\(Part.list(items))</section>")
            \(frame.canEdit && !model.contacts.isEmpty ? bar : .empty)</form>
            \(Part.pager(frame, page: model.page, pageCount: model.pageCount, soft: true) {
                address(model, letter: model.letter, tag: model.tag, due: model.due, page: $0)
            })
            \(model.due == nil ? .empty : inCalendar(frame, model.calendar))
            </div></data-table></soft-page>
            """
    }
}
