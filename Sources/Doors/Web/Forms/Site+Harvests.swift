import Access
import App
import Archives
import Bytes
import Delivery
import Filling
import Making
import HTTP
import Library
import Markup
import Storage
import Work

extension Site {
    /// Filled forms that came back, read into tables and compared with what was sent.
    static let harvestActions: [Action] = [
        Action(
            .get, "/harvests", .member(.view),
            .init(
                "List tables of filled forms", description: "They are kept for a week.", tag: "Harvest",
                answers: [.ok("HarvestList", "The newest first")])
        ) { visit in
            let lines = try visit.quire.harvests.list(by: visit.member())
            return try visit.show(["harvests": .array(lines.map(\.json))]) {
                try visit.harvestsPage(lines)
            }
        },
        Action(
            .post, "/harvests", .member(.edit),
            .init(
                "Read filled forms into a table",
                description:
                    "A form with PDF, FDF, XFDF or JSON files in `file`, or the bytes of one with its name in `name`. With `document` papers of the library are read, as forms that came back by a link are. With `batch` they are compared with what was sent.",
                tag: "Harvest",
                parameters: [
                    .init("name", "The file's name, when the body is the file itself"),
                    .init("batch", "Compare with this batch, when the body is the file itself"),
                    .init(
                        "password",
                        "Opens it where the packet's own does not, when the body is the file itself"),
                ],
                requestBody: [
                    .init(
                        .multipart,
                        Schema.object(
                            [
                                (
                                    "file",
                                    ["type": "array", "items": ["type": "string", "format": "binary"]]
                                ),
                                ("document", Schema.list(of: Schema.id)), ("batch", Schema.string),
                                ("password", Schema.string),
                            ], optional: ["file", "document", "batch", "password"])),
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("document", Schema.list(of: Schema.id)), ("batch", Schema.string),
                                ("password", Schema.string),
                            ], optional: ["batch", "password"])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.made("Harvest", "Every form with its values")]), body: .upload(limit: 2 << 30)
        ) { visit in
            let caller = try visit.member()
            let arrival = try Arrival(visit)
            let word = try arrival.input.text("batch") ?? visit.request.query["batch"] ?? ""
            do {
                let batch = word.isEmpty ? nil : ID<Batch>(word)
                guard word.isEmpty || batch != nil else {
                    throw Failure(.notFound, "There is no such batch.", field: "batch")
                }
                let files = arrival.files.filter { !$0.name.isEmpty || $0.byteCount > 0 }.map {
                    file -> Harvests.File in
                    let name = file.name.isEmpty ? "form.pdf" : file.name
                    if let path = file.path { return .init(name: name, path: path) }
                    return .init(name: name, bytes: file.bytes ?? [])
                }
                let papers: [ID<Document>] = try arrival.input.ids("document", of: "paper")
                let password = try arrival.input.text("password") ?? visit.request.query["password"]
                let kept = try visit.quire.harvests.take(
                    files + visit.quire.harvests.papers(papers, by: caller), against: batch,
                    password: password, by: caller)
                return visit.done(
                    kept.json, .created, at: "/harvests/\(kept.id)", next: "/harvests/\(kept.id)")
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .tooLarge].contains(failure.code)
            {
                let lines = try visit.quire.harvests.list(by: caller)
                return visit.page(
                    try visit.harvestsPage(lines, chosen: word, failure: failure), .unprocessable)
            }
        },
        Action(
            .get, "/harvests/{id}", .member(.view),
            .init("Get a table of filled forms", tag: "Harvest", answers: [.ok("Harvest", "Every form")])
        ) { visit in
            let kept = try visit.harvest()
            return try visit.show(kept.json) { try visit.harvestPage(kept) }
        },
        Action(
            .get, "/harvests/{id}/file", .member(.view),
            .init(
                "Take a table of filled forms out",
                description:
                    "FDF and XFDF hold one form each; of several there is an archive. What somebody wrote never becomes a formula.",
                tag: "Harvest",
                parameters: [
                    .init(
                        "form", "In which form",
                        schema: Schema.choice(Harvest.Format.allCases.map(\.rawValue)))
                ], answers: [.init(.ok, "The file", [.anything])])
        ) { visit in
            guard let format = Harvest.Format(rawValue: visit.request.query["form"] ?? "csv") else {
                throw Failure(.invalid, "Choose csv, xlsx, json, fdf or xfdf.", field: "form")
            }
            return try visit.harvestFile(visit.harvest(), format)
        },
        Action(
            .post, "/harvests/{id}/marks", .member(.edit),
            .init(
                "Say in the ledger that they came back", tag: "Harvest",
                answers: [.ok("HarvestMarks", "How many were found among what was sent")])
        ) { visit in
            let kept = try visit.harvest()
            let count = try visit.quire.harvests.mark(kept.id, by: visit.member())
            return visit.done(
                ["marked": .int(count)],
                next: kept.batch.map { "/batches/\($0)/deliveries?show=returned" } ?? "/harvests/\(kept.id)",
                notice: "notice.marked", ["count": .number(count)])
        },
        Action(
            .delete, "/harvests/{id}", .member(.edit),
            .init(
                "Forget a table of filled forms", tag: "Harvest", answers: [.init(.noContent, "It is gone")])
        ) { visit in
            try visit.quire.harvests.remove(visit.id(of: "table"), by: visit.member())
            return visit.done([:], .noContent, next: "/harvests", notice: "notice.removed")
        },
    ]
}

extension Visit {
    fileprivate func harvest() throws -> KeptHarvest {
        try quire.harvests.get(id(of: "table"), by: member())
    }

    /// Batches one can compare with or repeat: the newest.
    func newestBatches() throws -> [(id: String, name: String)] {
        try quire.batches.list(.init(limit: 100), by: member()).batches.map { ($0.id.text, $0.name) }
    }

    fileprivate func harvestsPage(
        _ lines: [KeptHarvest.Line], chosen: String? = nil, failure: Failure? = nil
    ) throws -> HTML {
        var model = HarvestsPage()
        model.batches = try newestBatches()
        let names = Dictionary(
            model.batches.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        model.lines = lines.map { line in
            .init(
                id: line.id.text, batch: line.batch.flatMap { names[$0.text] }, formCount: line.formCount,
                at: line.madeAt, madeBy: line.madeByName)
        }
        model.chosen = chosen ?? request.query["batch"] ?? ""
        if let id = ID<Batch>(model.chosen) {
            model.part = try line(of: quire.batches.get(id, by: member()))
            model.lines = zip(lines, model.lines).filter { $0.0.batch == id }.map(\.1)
            model.replies = try quire.replies.list(.toBatch(id), by: member()).map { try ReplyLine($0, self) }
        }
        model.error = failure.map(said)
        return Pages.harvests(frameAt("/harvests"), model)
    }

    /// So many rows a page shows; all are in the files.
    private static let shownForms = 200

    fileprivate func harvestPage(_ kept: KeptHarvest) throws -> HTML {
        let caller = try member()
        let names = kept.harvest.names
        var model = HarvestPage(
            id: kept.id.text,
            batch: kept.batch.map { id in
                (id.text, (try? quire.batches.get(id, by: caller).name) ?? texts("harvest.batch.gone"))
            }, names: names,
            rows: kept.harvest.forms.prefix(Self.shownForms).enumerated().map { place, form in
                let values = form.texts
                return .init(
                    file: form.file,
                    match: kept.matches.indices.contains(place) ? .init(kept.matches[place]) : nil,
                    cells: names.map { values[$0] ?? "" })
            }, formCount: kept.harvest.forms.count, at: kept.madeAt)
        model.found = kept.found
        model.problems = kept.problems.map { ($0.file, texts.said($0.message)) }
        return Pages.harvest(frameAt("/harvests/\(kept.id)"), model)
    }

    fileprivate func harvestFile(_ kept: KeptHarvest, _ format: Harvest.Format) throws -> Response {
        let forms = kept.harvest.forms
        if format.isTable || forms.count == 1 {
            let bytes =
                try format.isTable
                ? kept.table(format, modified: kept.madeAt) : forms.first?.exchanged(format) ?? []
            let name = format.isTable ? "forms.\(format.rawValue)" : forms.first?.name(as: format) ?? "form"
            return Self.download(bytes, format.mediaType, named: name)
        }
        var bytes: [UInt8] = []
        var archive = ZIPWriter { bytes += $0 }
        var taken: Set<String> = []
        for form in forms {
            var name = form.name(as: format)
            var number = 2
            while !taken.insert(name.lowercased()).inserted {
                name =
                    "\(form.name(as: format).dropLast(format.rawValue.count + 1)) (\(number)).\(format.rawValue)"
                number += 1
            }
            try archive.add(name, form.exchanged(format), modified: kept.madeAt)
        }
        try archive.finish()
        return Self.download(bytes, "application/zip", named: "forms-\(format.rawValue).zip")
    }

    private static func download(_ bytes: [UInt8], _ mediaType: String, named name: String) -> Response {
        Response(headers: ["Content-Type": mediaType], body: .bytes(bytes))
            .with("Content-Disposition", Disposition.text(inline: false, fileName: name))
            .with("Cache-Control", "no-store")
    }
}

extension HarvestPage.Match {
    fileprivate init(_ match: ReturnMatch) {
        self.init(
            packet: match.packet?.text, name: match.name, how: match.how.rawValue,
            changed: match.changed.map { ($0.field, $0.sent, $0.returned) }, added: match.added)
    }
}
