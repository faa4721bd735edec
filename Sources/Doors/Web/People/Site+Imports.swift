import Access
import App
import Bytes
import HTTP
import Markup
import People
import Storage
import Tables

extension Site {
    static let importActions: [Action] = [
        Action(
            .post, "/lists/{id}/imports", .member(.edit),
            .init(
                "Look at a table before it is brought in",
                description:
                    "A form with the table in `file`, or a `block` of pasted rows, or the answer of a `database` to a `query` (owners only).",
                tag: "People",
                parameters: [.init("name", "The file's name, when the body is the file itself")],
                requestBody: [
                    .init(
                        .multipart, Schema.object([("file", ["type": "string", "format": "binary"])])),
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("block", Schema.string), ("database", Schema.string),
                                ("query", Schema.string),
                            ], optional: ["block", "database", "query"])),
                ], answers: [.made("Import", "How it was read, and what it would change")]),
            body: .upload(limit: 1 << 40)
        ) { visit in
            guard let origin = try visit.origin(Arrival(visit)) else {
                throw Failure(.invalid, "Choose a table.", field: "file")
            }
            let list = try visit.list()
            let pending = try visit.quire.recipients.take(
                origin.origin, named: origin.name, into: list.id, by: visit.member(),
                progress: visit.progress)
            do {
                let preview = try preview(visit, pending)
                let address = "/lists/\(list.id)/imports/\(pending.id)"
                return visit.done(preview.json, .created, at: address, next: address)
            } catch {
                try? visit.quire.recipients.discard(pending.id, by: visit.member())
                throw error
            }
        },
        Action(
            .get, "/lists/{id}/imports/{import}", .member(.view),
            .init(
                "Look at an import",
                description:
                    "Of a long table the beginning is read, and `whole` is false: what is gone is not known then.",
                tag: "People",
                parameters: [
                    .init(
                        "compare", "Read and compare all of it, however long that takes",
                        schema: Schema.choice(["yes"]))
                ],
                answers: [.ok("Import", "How it was read and why, its first rows, what it would change")])
        ) { visit in
            let pending = try visit.pending()
            if visit.wantsPage, pending.appliedAt != nil { return .redirect(to: "/lists/\(pending.list)") }
            let preview = try preview(visit, pending)
            return try visit.show(preview.json) { try importPage(visit, preview) }
        },
        Action(
            .patch, "/lists/{id}/imports/{import}", .member(.edit),
            .init(
                "Read an import in another way", description: "An empty text lets it be found again.",
                tag: "People",
                requestBody: [.init(.json, Schema.importSettings)],
                answers: [.ok("Import", "As it is read now")])
        ) { visit in
            let pending = try visit.pending()
            let shown = try visit.quire.recipients.preview(
                pending.id, rows: 1, comparing: false, by: visit.member())
            let settings = try visit.settings(pending, shown)
            let changed = try visit.quire.recipients.change(pending.id, settings, by: visit.member())
            do {
                let preview = try preview(visit, changed)
                return visit.done(preview.json, next: visit.here(pending))
            } catch {
                // A way that cannot be read is not kept: what was seen before stays.
                _ = try visit.quire.recipients.change(pending.id, pending.settings, by: visit.member())
                throw error
            }
        },
        Action(
            .delete, "/lists/{id}/imports/{import}", .member(.edit),
            .init("Give an import up", tag: "People", answers: [.init(.noContent, "The list stays as it is")])
        ) { visit in
            let pending = try visit.pending()
            try visit.quire.recipients.discard(pending.id, by: visit.member())
            if try visit.quire.recipients.forgetUnused(pending.list, by: visit.member()) {
                let batch = visit.request.query["batch"].map { "/batches/\($0)/people" }
                return visit.done([:], .noContent, next: batch ?? "/lists/new")
            }
            return visit.done([:], .noContent, next: "/lists/\(pending.list)")
        },
        Action(
            .post, "/lists/{id}/imports/{import}/application", .member(.edit),
            .init(
                "Bring an import in",
                description: "A short table at once, a long one as a job.", tag: "People",
                answers: [
                    .ok("ImportResult", "It is in"),
                    .init(.accepted, "A job brings it in", [.init(.json, Schema.ref("ImportResult"))]),
                ])
        ) { visit in try bringIn(visit) },
    ]

    /// What can be compared while somebody waits.
    private static let shortTable: Int64 = 6 << 20

    private static func preview(_ visit: Visit, _ pending: RecipientImport) throws -> ImportPreview {
        let size = (try? visit.quire.store.blobs.byteCount(of: pending.digest)) ?? 0
        return try visit.quire.recipients.preview(
            pending.id, rows: 12, comparing: size <= shortTable || visit.request.query["compare"] == "yes",
            by: visit.member())
    }

    private static func bringIn(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let pending = try visit.pending()
        let recipients = visit.quire.recipients
        let size = (try? visit.quire.store.blobs.byteCount(of: pending.digest)) ?? 0
        let batch = try visit.input.text("batch").flatMap { $0.isEmpty ? nil : $0 }
        let next = batch.map { "/batches/\($0)/mapping" } ?? "/lists/\(pending.list)"
        guard size <= shortTable else {
            let job = try recipients.applyLater(pending.id, by: caller)
            if let batch { try visit.choose(pending.list, for: batch) }
            return visit.done(
                ["list": .string(pending.list.text), "job": .string(job.text), "counts": .null], .accepted,
                next: next, notice: "notice.people.import", ["name": .text(pending.name)])
        }
        let done = try recipients.apply(pending.id, by: caller)
        if let batch { try visit.choose(pending.list, for: batch) }
        let list = try recipients.get(pending.list, by: caller)
        return visit.done(
            [
                "list": .string(pending.list.text), "job": .null,
                "counts": done.counts?.view ?? .null,
            ], next: next, notice: "notice.people.added", ["count": .number(done.counts?.rows ?? 0)],
            undo: batch == nil ? .reversal(list) : nil)
    }

    static func leftTable(
        in list: ID<RecipientList>, batch: String? = nil, _ visit: Visit
    ) throws -> LeftTable? {
        let query = batch.map { "?batch=\($0)" } ?? ""
        return try visit.quire.recipients.leftLying(in: list, by: visit.member()).map {
            LeftTable(name: $0.name, address: "/lists/\(list)/imports/\($0.id)\(query)")
        }
    }

    private static func importPage(_ visit: Visit, _ preview: ImportPreview) throws -> HTML {
        let list = try visit.list()
        let counts = preview.counts
        var model = ImportPage(
            list: ListLine(list), id: preview.pending.id.text, fileName: preview.pending.name,
            rowCount: preview.isWhole ? counts.rows : nil,
            columns: preview.columns.map {
                .init(name: $0.name, kind: $0.kind.rawValue, role: $0.role?.rawValue ?? "")
            }, choices: preview.shape.choices.compactMap { visit.choice($0, preview.shape) },
            rows: preview.rows.prefix(12).map {
                .init(place: $0.place, cells: $0.cells.map(\.shown), isFlawed: $0.flaw != nil)
            })
        model.flaws = preview.examples.filter { $0.what == .flawed || $0.what == .duplicate }.map {
            .init(id: "", place: $0.place, sentence: visit.texts.said($0.detail), text: "")
        }
        model.flawCount = counts.flawed
        model.emailReason = preview.email.reason.isEmpty ? nil : visit.texts.said(preview.email.reason)
        model.asksForEmail = preview.email.isAsked
        model.notices = preview.notices.map(visit.texts.said)
        let takesHidden = preview.pending.settings.options.includesHiddenRows
        if takesHidden || counts.hidden > 0 { model.hidden = (counts.hidden, takesHidden) }
        if list.count > 0, preview.isWhole {
            model.changes = .init(
                added: counts.added, changed: counts.changed, gone: counts.gone, unchanged: counts.unchanged,
                changedExamples: preview.examples.filter { $0.what == .changed }.map {
                    .init(name: $0.name, note: visit.texts.said($0.detail))
                },
                goneExamples: preview.examples.filter { $0.what == .gone }.map {
                    .init(name: $0.name, note: visit.texts.said($0.detail))
                })
        }
        model.batch = visit.request.query["batch"]
        return Pages.importing(visit.frame, model)
    }
}

extension Visit {
    func pending() throws -> RecipientImport {
        let pending = try quire.recipients.pending(id("import", of: "import"), by: member())
        guard pending.list.text == parameter("id") else {
            throw Failure(.notFound, "There is no such import. It may have been given up.")
        }
        return pending
    }

    func here(_ pending: RecipientImport) -> String {
        "/lists/\(pending.list)/imports/\(pending.id)" + (request.query["batch"].map { "?batch=\($0)" } ?? "")
    }

    /// The form's choices, or those of a program. What is not spoken of stays.
    func settings(_ pending: RecipientImport, _ shown: ImportPreview) throws -> ImportSettings {
        let input = try input
        var settings = pending.settings
        func said(_ name: String) throws -> String? {
            guard input.has(name), let text = try input.text(name) else { return nil }
            // What a form sends as it was found is no wish.
            let found = shown.shape.choices.first { $0.what.rawValue == name }
            return found.map { !$0.isGiven && Site.word($0) == text } == true ? nil : text
        }
        if let text = try said("separator") {
            settings.options.separator = text.isEmpty ? nil : text == "tab" ? "\t" : text.first
        }
        if let text = try said("encoding") { settings.options.encoding = text.isEmpty ? nil : text }
        if let text = try said("sheet") { settings.options.sheet = text.isEmpty ? nil : text }
        if let text = try said("headerRow") {
            guard text.isEmpty || Int(text).map({ $0 >= 0 }) == true else {
                throw Failure(.invalid, "“headerRow” is a number from 0.", field: "headerRow")
            }
            settings.options.headerRow = Int(text)
        }
        if input.has("hiddenRows") || input.has("mayTakeHidden") {
            settings.options.includesHiddenRows = try input.flag("hiddenRows")
        }
        try takeRoles(input, shown, &settings)
        for (name, word) in try input.pairs("role:", object: "roles") {
            settings.roles[name] = .some(ColumnRole(rawValue: word))
        }
        if input.has("key") { settings.keyColumn = try input.text("key") }
        return settings
    }

    /// What the page says about each column. As soon as one is chosen, what was guessed for the others is chosen, too:
    /// a second address must not take the first one away.
    private func takeRoles(
        _ input: Input, _ shown: ImportPreview, _ settings: inout ImportSettings
    ) throws(Failure) {
        var roles = shown.columns.map(\.role)
        var chosen: [Int] = []
        for place in roles.indices where input.has("role-\(place)") {
            let role = ColumnRole(rawValue: try input.text("role-\(place)") ?? "")
            guard role != roles[place] else { continue }
            // There is one key and one name of each kind, but any number of addresses.
            if let role, ![.email, .cc, .bcc].contains(role) {
                for other in roles.indices where roles[other] == role {
                    roles[other] = nil
                    chosen.append(other)
                }
            }
            roles[place] = role
            chosen.append(place)
        }
        guard !chosen.isEmpty else { return }
        for (place, column) in shown.shape.columns.enumerated() where roles.indices.contains(place) {
            guard roles[place] != nil || chosen.contains(place) else { continue }
            settings.roles[column.name] = .some(roles[place])
        }
        if let key = roles.firstIndex(of: .key) {
            settings.keyColumn = shown.shape.columns[key].name
        } else if shown.columns.contains(where: { $0.role == .key }) {
            settings.keyColumn = ""
        }
    }

    /// A guess with the other ways it could have gone; nil for what nobody would want to change.
    func choice(_ choice: TableChoice, _ shape: TableShape) -> ImportPage.Choice? {
        let options: [(value: String, label: String)]
        switch choice.what {
        case .separator:
            options = [
                (",", texts("import.comma")), (";", texts("import.semicolon")), ("tab", texts("import.tab")),
                ("|", texts("import.bar")),
            ]
        case .encoding:
            let names = [
                "UTF-8", "windows-1252", "macintosh", "UTF-16LE", "UTF-16BE", "windows-1250", "windows-1251",
                "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257",
                "windows-1258",
                "ISO-8859-1", "ISO-8859-2", "ISO-8859-15", "IBM850", "IBM437", "KOI8-R", "KOI8-U",
                "Shift_JIS",
                "EUC-JP", "ISO-2022-JP", "GB18030", "Big5", "EUC-KR", "windows-874",
            ]
            options = (names.contains(choice.value) ? names : [choice.value] + names).map { ($0, $0) }
        case .sheet:
            options = shape.sheets.map { ($0.name, $0.name) }
        case .headerRow:
            let rows = Set(0...6).union([shape.headerRow]).sorted()
            options = rows.map { row in
                (
                    String(row),
                    row == 0 ? texts("import.noHeader") : texts("import.row", ["row": .number(row)])
                )
            }
        case .format, .quote, .lineEnds: return nil
        }
        return .init(
            what: choice.what.rawValue, value: Site.word(choice), options: options,
            why: texts.said(choice.why))
    }
}

extension Site {
    /// A tab cannot be seen in a choice.
    static func word(_ choice: TableChoice) -> String { choice.value == "\t" ? "tab" : choice.value }
}
