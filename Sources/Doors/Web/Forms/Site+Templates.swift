import Access
import App
import Bytes
import Filling
import HTTP
import Library
import Markup
import PDF
import PDFForms
import PDFReading
import Starters
import Storage
import Transfer

extension Site {
    static let templateActions: [Action] = [
        Action(
            .get, "/templates", .member(.view),
            .init(
                "List forms", tag: "Templates",
                parameters: [
                    .init("q", "Words that must occur in the name"),
                    .init("folder", "Only those in this folder"),
                    .init("trash", "1 lists the trash", schema: Schema.choice(["0", "1"])),
                    .init("page", "Which page, from 1", schema: Schema.integer(1, 100_000)),
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                ], answers: [.ok("TemplateList", "One page of them")])
        ) { visit in try templates(visit) },
        Action(.get, "/templates/new", .member(.edit)) { visit in
            visit.page(try newTemplatePage(visit))
        },
        Action(
            .post, "/templates", .member(.edit),
            .init(
                "Add forms",
                description:
                    "A form with PDF files in `file`; or JSON with `document` (of the library), `address` (of the web) or `starter` (one of ours). `password` opens what is locked; the form is kept without it.",
                tag: "Templates",
                parameters: [.init("name", "The file's name, when the body is the file itself")],
                requestBody: [
                    .init(
                        .multipart,
                        Schema.object(
                            [
                                (
                                    "file",
                                    ["type": "array", "items": ["type": "string", "format": "binary"]]
                                ),
                                ("password", Schema.string),
                            ], optional: ["password"])),
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("document", Schema.id), ("address", Schema.string),
                                ("starter", Schema.choice(StarterTemplates.all.map(\.key))),
                                ("folder", Schema.string), ("password", Schema.string),
                            ], optional: ["document", "address", "starter", "folder", "password"])),
                ], answers: [.made("AddedTemplates", "They are here, and what was found in them")]),
            body: .upload(limit: Int64(Templates.longestFile))
        ) { visit in try addTemplates(visit) },
        Action(
            .get, "/templates/{id}", .member(.view),
            .init(
                "Get a form", tag: "Templates", answers: [.ok("Template", "What is known about it")])
        ) { visit in
            let template = try visit.template()
            return try visit.show(template.json) { try templatePage(visit, template) }
        },
        Action(
            .patch, "/templates/{id}", .member(.edit),
            .init(
                "Rename or move a form", tag: "Templates",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("name", Schema.name), ("folder", Schema.string),
                                ("edition", Schema.whole),
                            ], optional: ["name", "folder", "edition"]))
                ],
                answers: [.ok("Template", "As it is now")])
        ) { visit in try changeTemplate(visit) },
        Action(
            .delete, "/templates/{id}", .member(.edit),
            .init(
                "Put a form into the trash",
                description: "One that lies in the trash is removed for good with `?forever=1`.",
                tag: "Templates",
                parameters: [
                    .init("forever", "1 removes it for good", schema: Schema.choice(["0", "1"]))
                ],
                answers: [.ok("Template", "It lies in the trash"), .init(.noContent, "It is gone")])
        ) { visit in
            if visit.request.query["forever"] == "1" {
                try visit.quire.templates.purge(visit.id(of: "form"), by: visit.member())
                return visit.done([:], .noContent, next: "/templates?trash=1", notice: "notice.removed")
            }
            let template = try visit.quire.templates.trash(visit.id(of: "form"), by: visit.member())
            return visit.done(
                template.json, next: "/templates", notice: "notice.trashed", ["name": .text(template.name)],
                undo: .init(action: "/templates/\(template.id)/restoration"))
        },
        Action(
            .post, "/templates/{id}/restoration", .member(.edit),
            .init(
                "Bring a form back from the trash", tag: "Templates",
                answers: [.ok("Template", "It is here again")])
        ) { visit in
            let template = try visit.quire.templates.restore(visit.id(of: "form"), by: visit.member())
            return visit.done(
                template.json, next: "/templates/\(template.id)", notice: "notice.back",
                ["name": .text(template.name)])
        },
        Action(
            .get, "/templates/{id}/fields", .member(.view),
            .init(
                "List the fields of a form", tag: "Templates",
                parameters: [.init("edition", "Of this edition", schema: Schema.integer(1, 100_000))],
                answers: [.ok("TemplateFieldList", "In the form's order")])
        ) { visit in
            let fields = try visit.quire.templates.fields(
                visit.id(of: "form"), edition: visit.edition, by: visit.member())
            return .json(["fields": .array(fields.map(\.json))])
        },
        Action(
            .get, "/templates/{id}/report", .member(.view),
            .init(
                "Get what was found in a form", tag: "Templates",
                parameters: [.init("edition", "Of this edition", schema: Schema.integer(1, 100_000))],
                answers: [.ok("ImportReport", "In sentences, and with a word for programs")])
        ) { visit in
            .json(
                try visit.quire.templates.report(
                    visit.id(of: "form"), edition: visit.edition, by: visit.member()
                ).json)
        },
        Action(
            .get, "/templates/{id}/editions", .member(.view),
            .init(
                "List the editions of a form", tag: "Templates",
                answers: [.ok("TemplateEditionList", "The newest first")])
        ) { visit in
            let editions = try visit.quire.templates.editions(visit.id(of: "form"), by: visit.member())
            return .json(["editions": .array(editions.map(\.json))])
        },
        Action(
            .get, "/templates/{id}/pages/{page}", .member(.view),
            .init(
                "Get a picture of a page", tag: "Templates",
                parameters: [
                    .init("width", "At least so many pixels wide", schema: Schema.integer(1, 1600)),
                    .init("edition", "Of this edition", schema: Schema.integer(1, 100_000)),
                ], answers: [.init(.ok, "A picture", [.anything]), .init(.notModified, "Not changed")])
        ) { visit in
            let found = try visit.quire.templates.file(
                visit.id(of: "form"), edition: visit.edition, by: visit.member())
            let page = try visit.pageNumber()
            return try visit.picture(of: found.edition.blob.digest, page: page)
        },
        Action(
            .get, "/templates/{id}/file", .member(.view),
            .init(
                "Get the file of a form", tag: "Templates",
                parameters: [
                    .init("edition", "Of this edition", schema: Schema.integer(1, 100_000)),
                    .init("download", "1 asks the browser to save it", schema: Schema.choice(["0", "1"])),
                ],
                answers: [
                    .init(.ok, "The file", [.anything]), .init(.partialContent, "A part", [.anything]),
                    .init(.notModified, "Not changed"),
                    .init(.rangeNotSatisfiable, "That part does not exist"),
                    .init(.preconditionFailed, "It is another version"),
                ])
        ) { visit in
            let found = try visit.quire.templates.file(
                visit.id(of: "form"), edition: visit.edition, by: visit.member())
            return Response.file(
                at: found.path, .pdf, tag: ETag(found.edition.blob.digest.hex),
                saveAs: found.edition.fileName,
                inline: visit.request.query["download"] != "1"
            ).with("Cache-Control", "private, no-cache").with(
                "Content-Security-Policy", SecurityHeaders.pdfContents)
        },
    ]

    private static func templates(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let query = visit.request.query
        var listing = Templates.Listing(filter: query["q"] ?? "", isTrash: query["trash"] == "1")
        listing.folder = query["folder"].flatMap { $0.isEmpty ? nil : $0 }
        listing.limit = try visit.limit(otherwise: 48, most: Documents.mostPerPage)
        listing.page = visit.pageOfList
        let page = try visit.quire.templates.list(listing, by: caller)
        let counts = try visit.quire.templates.counts(by: caller)
        return try visit.show([
            "templates": .array(page.templates.map(\.json)), "total": .int(page.matchCount),
        ]) {
            Pages.templates(
                visit.frame,
                TemplatesPage(
                    lines: page.templates.map { TemplateLine($0) }, filter: listing.filter,
                    folder: listing.folder,
                    folders: try visit.quire.templates.folders(by: caller).map(\.path),
                    page: listing.page,
                    pageCount: max(1, (page.matchCount + listing.limit - 1) / listing.limit),
                    matchCount: page.matchCount, totalCount: listing.isTrash ? counts.trashed : counts.kept,
                    showsTrash: listing.isTrash, trashCount: counts.trashed))
        }
    }

    private static func newTemplatePage(
        _ visit: Visit, _ input: Input? = nil, failure: Failure? = nil
    ) throws -> HTML {
        let search = input == nil ? visit.request.query["q"] ?? "" : ""
        let papers = try visit.quire.documents.list(
            .init(filter: search, mediaType: "application/pdf", limit: 8), by: visit.member())
        var model = NewTemplatePage(
            starters: visit.starters, documents: papers.documents.map { DocumentLine($0) },
            address: (try? input?.text("address")) ?? "", search: search, error: failure.map(visit.said),
            errorField: failure?.field)
        if failure?.field == "password" {
            for field in ["document", "address"] {
                guard let value = try? input?.text(field), !value.isEmpty else { continue }
                model.locked = (field, value)
            }
        }
        return Pages.newTemplate(visit.frameAt("/templates/new"), model)
    }

    private static func addTemplates(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let templates = visit.quire.templates
        let arrival = try Arrival(visit)
        let input = arrival.input
        let folder = try input.text("folder") ?? ""
        let password = try input.text("password").flatMap { $0.isEmpty ? nil : $0 }
        var taken: [(template: Template, report: ImportReport)] = []
        do {
            for file in arrival.files {
                let source: Templates.Source =
                    file.path.map { .upload($0) } ?? .bytes(file.bytes ?? [])
                taken.append(
                    try templates.take(
                        source, named: file.name, folder: folder, password: password, by: caller))
            }
            if let text = try input.text("document"), !text.isEmpty {
                guard let id = ID<Document>(text) else {
                    throw Failure(.notFound, "There is no such document.", field: "document")
                }
                taken.append(
                    try templates.take(.document(id), folder: folder, password: password, by: caller))
            }
            if let address = try input.text("address"), !address.isEmpty {
                let (bytes, name) = try fetch(address)
                taken.append(
                    try templates.take(
                        .bytes(bytes), named: name, folder: folder, password: password, by: caller))
            }
            if let key = try input.text("starter"), !key.isEmpty {
                taken.append(try visit.takeStarter(key, folder: folder))
            }
            guard !taken.isEmpty else { throw Failure(.invalid, "Choose at least one PDF.", field: "file") }
        } catch let failure as Failure where visit.wantsPage {
            return visit.page(
                try newTemplatePage(visit, input, failure: failure),
                Site.status(of: failure.code))
        }
        let json: JSON = [
            "templates": .array(
                taken.map { item in
                    var json = item.template.json.object ?? [:]
                    json["report"] = item.report.json
                    return .object(json)
                })
        ]
        let first = taken[0].template
        if try input.text("then") == "batch" {
            let batch = try visit.newBatch(of: first)
            return visit.done(
                json, .created, at: "/batches/\(batch.id)/people", next: "/batches/\(batch.id)/people")
        }
        let next = taken.count == 1 ? "/templates/\(first.id)" : "/templates"
        return visit.done(
            json, .created, at: "/templates/\(first.id)", next: next, notice: "notice.template",
            ["count": .number(taken.count), "name": .text(first.name)])
    }

    /// A PDF of the web, fetched behind the address guard: nothing inside the own network can be reached by this.
    private static func fetch(_ address: String) throws -> (bytes: [UInt8], name: String) {
        do {
            let answer = try HTTPClient(guardian: .publicOnly).get(address, limit: Templates.longestFile)
            guard answer.isSuccess else {
                throw Failure(
                    .invalid, "That address answered \(answer.status) instead of a file.", field: "address")
            }
            let path = answer.url.prefix { $0 != "?" && $0 != "#" }
            let name = path.split(separator: "/").last.map(String.init) ?? "form.pdf"
            return (answer.body, PercentCoding.decode(name) ?? name)
        } catch let error as TransferError {
            throw Failure(.invalid, "\(error.kind).", field: "address")
        }
    }

    private static func changeTemplate(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let input = try visit.input
        let id: ID<Template> = try visit.id(of: "form")
        var template = try visit.quire.templates.get(id, by: caller)
        let before = template
        do {
            if input.has("name") {
                template = try visit.quire.templates.rename(id, to: input.requiredText("name"), by: caller)
            }
            if input.has("folder") {
                template = try visit.quire.templates.move(id, to: input.text("folder") ?? "", by: caller)
            }
            if let edition = try input.integer("edition") {
                template = try visit.quire.templates.use(edition: edition, of: id, by: caller)
            }
        } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
            return visit.page(
                try templatePage(visit, template, view: .editions, nameError: visit.said(failure)),
                .unprocessable
            )
        }
        return visit.done(
            template.json, next: "/templates/\(id)?view=editions", notice: "notice.saved",
            undo: .template(
                id,
                [
                    "name": before.name == template.name ? nil : before.name,
                    "folder": before.folder == template.folder ? nil : before.folder,
                    "edition": before.edition.number == template.edition.number
                        ? nil : String(before.edition.number),
                ].compactMapValues { $0 }))
    }

    private static func templatePage(
        _ visit: Visit, _ template: Template, view: TemplatePage.View? = nil, nameError: String? = nil
    ) throws -> HTML {
        let caller = try visit.member()
        let fields = try visit.quire.templates.fields(template.id, by: caller)
        let frames = try visit.site.frames.all(of: template.edition.blob.digest)
        let chosen = visit.request.query["field"]
        var model = TemplatePage(line: TemplateLine(template), pages: [], fields: [], chosen: chosen)
        model.view =
            view ?? visit.request.query["view"].flatMap(TemplatePage.View.init(rawValue:)) ?? .fields
        model.fields = fields.map { FieldLine($0, frames) }
        model.pages = PagePicture.all(
            frames, of: model.fields, address: { "/templates/\(template.id)/pages/\($0)?width=900" },
            field: { "/templates/\(template.id)?field=\(Pages.queryEncoded($0))" }, chosen: chosen)
        model.findings = try visit.quire.templates.report(template.id, by: caller).remarks.map {
            FindingLine(mood: $0.blocksFilling ? .bad : $0.isNotable ? .warn : .plain, sentence: $0.message)
        }
        model.editions = try visit.quire.templates.editions(template.id, by: caller).map {
            .init(
                number: $0.number, addedAt: $0.addedAt, addedBy: $0.addedByName, fieldCount: $0.fieldCount,
                isCurrent: $0.number == template.edition.number)
        }
        model.mappings = try visit.quire.mappings.all(of: template.id, by: caller).map {
            .init(id: $0.id.text, name: $0.name, changedAt: $0.changedAt, text: $0.text)
        }
        model.folders = try visit.quire.templates.folders(by: caller).map(\.path)
        if fields.isEmpty, template.trashedAt == nil, caller.may(.edit) {
            model.proposalCount = (try? visit.proposals(template).count) ?? 0
        }
        model.nameError = nameError
        return Pages.template(visit.frameAt("/templates/\(template.id)"), model)
    }
}

extension Frame.Notice.Undo {
    /// A form as it was before: its name, its folder, its edition. Nil when nothing was changed.
    static func template(_ id: ID<Template>, _ before: [String: String]) -> Self? {
        guard !before.isEmpty else { return nil }
        return Self(
            action: "/templates/\(id)",
            fields: [(name: "_method", value: "PATCH")]
                + before.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    }
}

extension ImportReport.Remark {
    /// Worth a look before filling; the others are only good to know.
    var isNotable: Bool {
        switch kind {
        case .repaired, .staticXFA, .signed, .usageRights, .sameName, .duplicate, .hiddenFields: true
        default: false
        }
    }
}

extension Visit {
    func template(_ name: String = "id") throws -> Template {
        try quire.templates.get(id(name, of: "form"), by: member())
    }

    /// `?edition=`; nil for the current one.
    var edition: Int? {
        get throws(Failure) {
            guard let text = request.query["edition"], !text.isEmpty else { return nil }
            guard let number = Int(text), number > 0 else {
                throw Failure(.invalid, "“edition” is a number from 1.", field: "edition")
            }
            return number
        }
    }

    func pageNumber() throws(Failure) -> Int {
        guard let number = Int(parameter("page")), (1...100_000).contains(number) else {
            throw Failure(.notFound, "There is no such page.")
        }
        return number
    }

    var pictureWidth: Int {
        PagePreviews.rounded(max(1, request.query["width"].flatMap(Int.init) ?? 900))
    }

    /// A page of a kept file as a picture. Pages are counted from 1.
    func picture(of digest: Digest, page: Int) throws -> Response {
        let path = try quire.previews.path(of: digest, page: page - 1, width: pictureWidth) {
            try quire.store.blobs.read(digest)
        }
        return Response.file(
            at: path, .jpeg, tag: ETag("\(digest.hex.prefix(24))-\(page)-\(pictureWidth)"), inline: true
        ).with("Cache-Control", "private, max-age=60")
    }

    var pageOfList: Int { max(1, min(100_000, request.query["page"].flatMap(Int.init) ?? 1)) }
}

extension TemplateLine {
    init(_ template: Template) {
        self.init(
            id: template.id.text, name: template.name, folder: template.folder,
            pageCount: template.edition.pageCount, fieldCount: template.edition.fieldCount,
            edition: template.edition.number, changedAt: template.changedAt, trashedAt: template.trashedAt,
            picture: "/templates/\(template.id)/pages/1?width=240&edition=\(template.edition.number)")
    }
}

extension FieldLine {
    init(_ field: TemplateField, _ frames: [PageFrame]) {
        let kind: Kind =
            switch field.kind {
            case .text, .unknown: .text
            case .multiline: .multiline
            case .comb: .comb
            case .date: .date
            case .number: .number
            case .checkBox: .check
            case .radio: .radio
            case .dropDown: .choice
            case .list: .list
            case .image: .image
            case .signature: .signature
            case .barcode: .barcode
            case .button: .button
            }
        self.init(
            name: field.name, label: field.label, kind: kind, isRequired: field.isRequired,
            isReadOnly: field.isReadOnly || !field.canBeFilled, maximumLength: field.maximumLength,
            choices: field.options.isEmpty ? field.states : field.options.map(\.display),
            value: field.value.joined(separator: ", "))
        places = field.places.compactMap { place in
            guard frames.indices.contains(place.page) else { return nil }
            let frame = frames[place.page]
            let part = frame.fractions(place.rectangle)
            return Place(
                page: place.page + 1, x: part.left * frame.width, y: part.top * frame.height,
                width: part.width * frame.width, height: part.height * frame.height)
        }
    }
}

extension PagePicture {
    /// All pages with the places of the fields on them.
    static func all(
        _ frames: [PageFrame], of fields: [FieldLine], address: (Int) -> String, field: (String) -> String,
        mood: (FieldLine) -> Mark.Mood = { _ in .plain }, chosen: String? = nil
    ) -> [PagePicture] {
        var pages = frames.enumerated().map { place, frame in
            PagePicture(
                number: place + 1, width: frame.width, height: frame.height, address: address(place + 1))
        }
        for line in fields {
            for place in line.places where pages.indices.contains(place.page - 1) {
                pages[place.page - 1].marks.append(
                    Mark(
                        key: line.name, label: line.label, address: field(line.name), x: place.x, y: place.y,
                        width: place.width, height: place.height, mood: mood(line),
                        isChosen: line.name == chosen))
            }
        }
        return pages
    }
}
