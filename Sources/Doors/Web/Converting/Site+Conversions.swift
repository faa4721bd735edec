import Access
import App
import Archives
import Bytes
import Conversion
import Converting
import Crypto
import Glibc
import HTTP
import Jobs
import Kinds
import Library
import Markup
import PDFReading
import Scanning
import Storage
import Work

extension Site {
    static let conversionActions: [Action] = [
        Action(
            .get, "/conversions", .member(.view),
            .init(
                "List conversions", description: "Those nobody has kept yet, the newest first.",
                tag: "Conversions",
                parameters: [
                    .init("all", "1 lists those that were kept as well", schema: Schema.choice(["0", "1"])),
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                ], answers: [.ok("ConversionList", "What is on its way")])
        ) { visit in
            let list = try visit.quire.conversions.list(
                open: visit.request.query["all"] != "1", limit: visit.limit(otherwise: 50, most: 500),
                by: visit.member())
            return try visit.show(["conversions": .array(list.map(\.json))]) {
                Pages.conversions(visit.frame, ConversionsPage(lines: list.map { ConversionLine($0) }))
            }
        },
        Action(.get, "/scan", .member(.edit), isForPhones: true) { visit in
            let folders =
                visit.onlyCaptures
                ? [] : try visit.quire.documents.folders(by: visit.member()).nodes.map { FolderLine($0) }
            return try visit.page(
                Pages.scan(
                    visit.frame,
                    ScanPage(
                        day: visit.dayHere, folders: folders, languages: Recognizer.installed,
                        owner: visit.capturedFor()))
            ).with("Permissions-Policy", SecurityHeaders.permissions(camera: true))
        },
        Action(.get, "/tools", .member(.edit)) { visit in
            let open = try visit.quire.conversions.list(open: true, limit: 5, by: visit.member())
            return visit.page(Pages.tools(visit.frame, onTheirWay: open.map { ConversionLine($0) }))
        },
        Action(.get, "/tools/split/separator.pdf", .member(.edit)) { visit in
            let words = visit.texts("convert.split.sheet.words")
            let sheet: Paper
            do throws(ConversionError) {
                sheet = try SplitWish.separator(words: words, visit.usualSize)
            } catch {
                throw Failure(error)
            }
            return Response(headers: ["Content-Type": "application/pdf"], body: .bytes(sheet.bytes))
                .with(
                    "Content-Disposition",
                    Disposition.text(inline: true, fileName: visit.texts("convert.split.sheet") + ".pdf")
                )
                .with("Cache-Control", "private, no-cache")
                .with("Content-Security-Policy", SecurityHeaders.pdfContents)
        },
        Action(.get, "/tools/{name}", .member(.edit)) { visit in
            guard let tool = Tool.named(visit.parameter("name")) else {
                throw Failure(.notFound, "There is no such tool.")
            }
            guard let page = tool.ofPaper else { return visit.page(Pages.tool(visit.frame, tool)) }
            let filter = String((visit.request.query["q"] ?? "").prefix(200))
            let found = try visit.quire.documents.list(
                .init(filter: filter, mediaType: "application/pdf", limit: 30), by: visit.member())
            return visit.page(
                Pages.toolPapers(
                    visit.frame, tool, page: page, filter: filter,
                    papers: found.documents.map { DocumentLine($0) }))
        },
        Action(.get, "/conversions/new", .member(.edit)) { visit in
            let from = visit.request.query["from"].flatMap(NewConversionPage.Source.init(rawValue:)) ?? .files
            let address = String((visit.request.query["address"] ?? "").prefix(4000))
            return visit.page(
                Pages.newConversion(
                    visit.frame,
                    NewConversionPage(source: from, address: address, minute: visit.minuteHere)))
        },
        Action(.get, "/shared", .member(.edit)) { visit in visit.goes(to: "/conversions/new") },
        Action(.post, "/shared", .member(.edit), body: .upload(limit: 1 << 50), isByAnotherApp: true) {
            visit in
            try takeShared(visit)
        },
        Action(
            .post, "/conversions", .member(.edit),
            .init(
                "Convert papers",
                description:
                    "Files in a form (`file`, and the wishes as fields), the bytes of one file with its name in `name`, or JSON that names documents of the library, addresses of web pages, or a text. It begins at once unless `hold` says to wait for more papers.",
                tag: "Conversions",
                parameters: [
                    .init("name", "The file's name, when the body is the file itself"),
                    .init("to", "What to make, when the body is the file itself"),
                ],
                requestBody: [
                    .init(.json, Schema.newConversion),
                    .init(
                        .multipart,
                        Schema.object([
                            ("file", ["type": "array", "items": ["type": "string", "format": "binary"]])
                        ])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.made("Conversion", "A job converts them, or it waits for more")]),
            body: .upload(limit: 1 << 50), isForPhones: true
        ) { visit in try beginConversion(visit) },
        Action(
            .get, "/conversions/{id}", .member(.view),
            .init("Get a conversion", tag: "Conversions", answers: [.ok("Conversion", "How far it is")]),
            isForPhones: true
        ) { visit in
            let conversion = try visit.conversion()
            if visit.onlyCaptures, visit.wantsPage {
                let page = visit.page(Pages.captured(visit.frame, ConversionLine(conversion)))
                return conversion.isUnderWay ? page.with("Refresh", "2") : page
            }
            let tool = visit.request.query["tool"].flatMap(Tool.named)
            return try visit.show(conversion.json) { try conversionPage(visit, conversion, asking: tool) }
        },
        Action(
            .patch, "/conversions/{id}", .member(.edit),
            .init(
                "Change what is wished",
                description:
                    "What is left out stays. What was converted already is converted anew. With `version`, only when nobody else has changed it since.",
                tag: "Conversions", requestBody: [.init(.json, Schema.conversionChange)],
                answers: [.ok("Conversion", "As it is now")]), isForPhones: true
        ) { visit in try changeConversion(visit) },
        Action(
            .delete, "/conversions/{id}", .member(.edit),
            .init(
                "Throw a conversion away",
                description: "With what it made. What was kept in the library stays there.",
                tag: "Conversions", answers: [.init(.noContent, "It is gone")])
        ) { visit in
            let conversion = try visit.conversion()
            try visit.quire.conversions.discard(conversion.id, by: visit.member())
            return visit.done(
                [:], .noContent, next: "/conversions", notice: "notice.removed",
                ["name": .text(conversion.name)])
        },
        Action(
            .post, "/conversions/{id}/papers", .member(.edit),
            .init(
                "Add papers to a conversion",
                description:
                    "In the same ways as at its beginning. It waits until a run is asked for. With a photo may come `corners`, as JSON, and `scan`, both as below.",
                tag: "Conversions",
                parameters: [
                    .init("name", "The file's name, when the body is the file itself"),
                    .init(
                        "place", "Which place among the others the first of them takes",
                        schema: Schema.integer(1, 1_000_000)),
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
                                ("corners", Schema.string), ("scan", Schema.look),
                            ], optional: ["corners", "scan"])),
                    .init(.json, Schema.conversionPapers),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.made("Conversion", "With the papers")]), body: .upload(limit: 1 << 50),
            isForPhones: true
        ) { visit in
            let conversion = try visit.conversion()
            let arrival = try Arrival(visit)
            var sheet = PhotographedSheet()
            try arrival.input.sheetChange()(&sheet)
            try visit.add(arrival, as: sheet, to: conversion.id, at: visit.place())
            let now = try visit.conversion()
            return visit.done(
                now.json, .created, at: "/conversions/\(now.id)", next: "/conversions/\(now.id)")
        },
        Action(
            .patch, "/conversions/{id}/papers/{paper}", .member(.edit),
            .init(
                "Turn or move a paper, or put its corners right",
                description:
                    "`turn` clockwise by degrees; `place` from 1. Of a photo `corners` say where the sheet lies: four `[x, y]` in pixels of the upright picture, clockwise from the page's top left; null looks for it again. `scan` is this page's own look, null that of the others. Both count where `scan` is wished for the conversion.",
                tag: "Conversions",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("turn", ["type": "integer", "enum": [-90, 90, 180, 270]]),
                                ("place", Schema.integer(1, 1_000)),
                                ("corners", Schema.orNull(Schema.corners)),
                                ("scan", Schema.lookOrNone),
                            ], optional: ["turn", "place", "corners", "scan"]))
                ], answers: [.ok("Conversion", "As it is now")])
        ) { visit in
            let input = try visit.input
            let conversion = try visit.quire.conversions.change(
                visit.id("paper", of: "paper"), of: visit.id(of: "conversion"),
                turn: try input.integer("turn"), place: try input.integer("place"),
                try input.sheetChange(), by: visit.member())
            return visit.done(conversion.json, next: "/conversions/\(conversion.id)")
        },
        Action(
            .delete, "/conversions/{id}/papers/{paper}", .member(.edit),
            .init(
                "Take a paper out of a conversion", tag: "Conversions",
                answers: [.ok("Conversion", "As it is now")])
        ) { visit in
            let conversion = try visit.quire.conversions.remove(
                visit.id("paper", of: "paper"), of: visit.id(of: "conversion"), by: visit.member())
            return visit.done(conversion.json, next: "/conversions/\(conversion.id)")
        },
        Action(
            .post, "/conversions/{id}/runs", .member(.edit),
            .init(
                "Convert", description: "What waited, failed or was cancelled; what was done is done again.",
                tag: "Conversions",
                answers: [.init(.accepted, "A job converts it", [.init(.json, Schema.ref("Conversion"))])]),
            isForPhones: true
        ) { visit in
            let conversion = try visit.quire.conversions.start(visit.id(of: "conversion"), by: visit.member())
            return visit.done(
                conversion.json, .accepted, at: "/conversions/\(conversion.id)",
                next: "/conversions/\(conversion.id)")
        },
        Action(
            .post, "/conversions/{id}/cancellation", .member(.edit),
            .init("Cancel a conversion", tag: "Conversions", answers: [.ok("Conversion", "It stops")])
        ) { visit in
            let conversion = try visit.quire.conversions.cancel(
                visit.id(of: "conversion"), by: visit.member())
            return visit.done(conversion.json, next: "/conversions/\(conversion.id)")
        },
        Action(
            .post, "/conversions/{id}/documents", .member(.edit),
            .init(
                "Keep results in the library",
                description:
                    "All that are not there yet, or those of `results`, under `names` by their numbers. They come to lie in `folder`: without one where it was wished, at the top when it is empty.",
                tag: "Conversions",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("results", Schema.list(of: Schema.integer(1, 1_000_000))),
                                ("names", ["type": "object", "additionalProperties": Schema.string]),
                                ("folder", Schema.string),
                            ], optional: ["results", "names", "folder"]))
                ],
                answers: [
                    .made("AddedDocuments", "They are in the library"),
                    .ok("AddedDocuments", "All of them were there already"),
                ])
        ) { visit in try keepResults(visit) },
        Action(
            .get, "/conversions/{id}/file", .member(.view),
            .init(
                "Get what was made", description: "One result as it is, several in a ZIP.",
                tag: "Conversions", answers: [.init(.ok, "The file", [.anything])])
        ) { visit in try results(visit) },
        Action(
            .get, "/conversions/{id}/results/{number}/file", .member(.view),
            .init(
                "Get one result", tag: "Conversions",
                parameters: [.download], answers: .file)
        ) { visit in
            let (result, path) = try visit.result()
            return .contents(
                of: result.blob, named: result.name, at: path,
                download: visit.request.query["download"] == "1")
        },
        Action(
            .get, "/conversions/{id}/results/{number}/pages/{page}", .member(.view),
            .init(
                "Get a picture of a page of a result", tag: "Conversions",
                parameters: [.init("width", "At least so many pixels wide", schema: Schema.integer(1, 1600))],
                answers: [.init(.ok, "A picture", [.anything]), .init(.notModified, "Not changed")])
        ) { visit in
            let (result, _) = try visit.result()
            guard result.pageCount != nil else { throw Failure(.notFound, "This result shows no pages.") }
            return try visit.picture(of: result.blob.digest, page: visit.pageNumber())
        },
        Action(.get, "/conversions/{id}/papers/{paper}/file", .member(.view)) { visit in
            let (paper, path) = try visit.quire.conversions.file(
                visit.id("paper", of: "paper"), of: visit.id(of: "conversion"), by: visit.member())
            guard case .file(let digest) = paper.content else { throw Failure(.notFound, "It is no file.") }
            let type = PaperKind.named(paper.kind)?.mediaType ?? "application/octet-stream"
            return .contents(
                of: Blob(digest: digest, byteCount: paper.byteCount, mediaType: type), named: paper.name,
                at: path, download: visit.request.query["download"] == "1")
        },
    ]

    private static func beginConversion(_ visit: Visit) throws -> Response {
        let arrival = try Arrival(visit)
        let input = arrival.input
        let conversions = visit.quire.conversions
        let caller = try visit.member()
        var wishes = JSONObject()
        if let whole = input.whole?.object {
            wishes = whole
        } else {
            wishes = try visit.wishes(input)
            if arrival.files.first?.path != nil, let to = visit.request.query["to"] {
                wishes["to"] = .string(to)
            }
            if case .bytes = visit.request.body, let to = visit.request.query["to"] {
                wishes["to"] = .string(to)
            }
        }
        // Nobody there keeps it afterwards.
        if visit.onlyCaptures { wishes["keep"] = true }
        if wishes["pageSize"] == nil { wishes["pageSize"] = .string(visit.usualSize) }
        let conversion = try conversions.begin(
            named: try input.text("name"), ConversionWishes(.object(wishes)), by: caller)
        do {
            let count = try visit.add(arrival, to: conversion.id)
            // A tool that has to be told something asks for it beside the papers.
            let asking = try input.text("tool").flatMap(Tool.named).flatMap { $0.asks ? $0 : nil }
            let holds = try input.flag("hold") || asking != nil
            guard count > 0 || holds else {
                throw Failure(.invalid, "Choose at least one file, or name a web page.", field: "file")
            }
            let now =
                holds
                ? try conversions.get(conversion.id, by: caller)
                : try conversions.start(conversion.id, by: caller)
            return visit.done(
                now.json, .created, at: "/conversions/\(now.id)",
                next: "/conversions/\(now.id)" + (asking.map { "?tool=\($0.name)" } ?? ""))
        } catch {
            try? conversions.discard(conversion.id, by: caller)
            guard visit.wantsPage, let failure = error as? Failure,
                [.invalid, .unsupported, .tooLarge].contains(failure.code)
            else { throw error }
            if let tool = try input.text("tool").flatMap(Tool.named) {
                return visit.page(
                    Pages.tool(visit.frameAt(tool.address), tool, error: visit.said(failure)), .unprocessable)
            }
            let source: NewConversionPage.Source =
                try input.text("address") != nil ? .web : try input.text("text") != nil ? .paste : .files
            return visit.page(
                Pages.newConversion(
                    visit.frameAt("/conversions/new"),
                    NewConversionPage(
                        source: source, error: visit.said(failure), address: try input.text("address") ?? "",
                        text: try input.text("text") ?? "", minute: visit.minuteHere)), .unprocessable)
        }
    }

    /// What another app handed over, where no service worker stood in between: looked at before it is kept.
    private static func takeShared(_ visit: Visit) throws -> Response {
        let arrival = try Arrival(visit)
        func said(_ name: String) throws -> String {
            (try arrival.input.text(name) ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        // Phones hand the address of a page over as its text.
        let words = try said("text")
        let isAddress = words.hasPrefix("https://") || words.hasPrefix("http://")
        let given = try said("address")
        let address = given.isEmpty && isAddress && !words.contains(where: \.isWhitespace) ? words : given
        let files = arrival.files.filter { $0.byteCount > 0 || !$0.name.isEmpty }
        guard files.isEmpty, !address.isEmpty else { return try beginConversion(visit) }
        return visit.goes(to: "/conversions/new?from=web&address=\(PercentCoding.encode(address))")
    }

    private static func changeConversion(_ visit: Visit) throws -> Response {
        let input = try visit.input
        let tool = try input.text("tool").flatMap(Tool.named)
        do {
            var changed = try visit.quire.conversions.change(
                visit.id(of: "conversion"), named: try input.text("name"),
                { wishes in
                    let said = try input.whole ?? .object(visit.wishes(input))
                    wishes = try ConversionWishes(said, changing: wishes)
                    if visit.onlyCaptures { wishes.keeps = true }
                }, ifVersion: try input.integer("version"), by: visit.member())
            if tool != nil { changed = try visit.quire.conversions.start(changed.id, by: visit.member()) }
            return visit.done(changed.json, next: "/conversions/\(changed.id)")
        } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
            return visit.page(
                try conversionPage(visit, visit.conversion(), error: failure, asking: tool), .unprocessable)
        }
    }

    private static func keepResults(_ visit: Visit) throws -> Response {
        let input = try visit.input
        var names: [Int: String] = [:]
        for pair in try input.pairs("name:", object: "names") {
            if let number = Int(pair.name), !pair.value.isEmpty { names[number] = pair.value }
        }
        let chosen = input.json("results")?.array.map { Set($0.compactMap(\.int)) }
        let conversion = try visit.conversion()
        let added = try visit.quire.conversions.keep(
            conversion.id, chosen, named: names, into: try input.folder(), by: visit.member())
        let new = added.compactMap { if case .added(let document) = $0 { document.id } else { nil } }
        let isNew = !new.isEmpty
        let first = added[0].document
        return visit.done(
            ["documents": .array(added.map(\.json))], isNew ? .created : .ok, at: "/documents/\(first.id)",
            next: added.count == 1 ? "/documents/\(first.id)" : "/documents",
            notice: isNew ? "notice.added" : "notice.duplicate",
            ["count": .number(added.count), "name": .text(first.name)],
            undo: isNew ? try visit.undo(.added(new)) : nil)
    }

    private static func results(_ visit: Visit) throws -> Response {
        let conversion = try visit.conversion()
        guard !conversion.results.isEmpty else { throw Failure(.conflict, "Nothing has been made yet.") }
        if conversion.results.count == 1, let only = conversion.results.first {
            let (result, path) = try visit.quire.conversions.file(
                only.place, of: conversion.id, by: visit.member())
            return .contents(of: result.blob, named: result.name, at: path, download: true)
        }
        let files = try conversion.results.map { result in
            (name: result.name, path: try visit.quire.store.blobs.path(of: result.blob.digest))
        }
        let modified = conversion.changedAt
        let response = Response(
            headers: ["Content-Type": "application/zip"],
            body: .stream { sink in
                var zip = ZIPWriter { try sink.write($0) }
                for file in files {
                    try zip.add(file.name, modified: modified, level: 1) { put in
                        try eachPiece(ofFile: file.path, put)
                    }
                }
                try zip.finish()
            })
        return response.with(
            "Content-Disposition", Disposition.text(inline: false, fileName: conversion.name + ".zip")
        ).with("Cache-Control", "private, no-cache")
    }
}

func eachPiece(ofFile path: String, _ body: ([UInt8]) throws -> Void) throws {
    guard let file = fopen(path, "re") else {
        throw Failure.disk(errno, "read", path)
    }
    defer { fclose(file) }
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var hash = SHA256Stream()
    while case let count = fread(&piece, 1, piece.count, file), count > 0 {
        let read = Array(piece[..<count])
        read.withUnsafeBytes { hash.update($0) }
        try body(read)
    }
    if let promised = SHA256.promised(byFileAt: path), hash.finish() != promised {
        throw Failure(.damaged, "A stored file is not what it was when it was saved.", cause: path)
    }
}

extension Visit {
    /// Whose desk a phone photographs for that was let in for that alone.
    func capturedFor() throws -> ScanPage.Owner? {
        guard onlyCaptures, let caller else { return nil }
        let mark = Hex.encode(Array(SHA256.hash("scans " + caller.actor).prefix(8)))
        return ScanPage.Owner(name: caller.name, mark: mark)
    }

    /// For a phone that only photographs: one of those it has begun.
    func conversion() throws -> Conversion {
        let conversion = try quire.conversions.get(id(of: "conversion"), by: member())
        if let session, session.onlyCaptures {
            guard conversion.addedBy == caller?.actor, conversion.addedAt > session.startedAt else {
                throw Failure(
                    .notFound,
                    "There is no such conversion, or no such part of it. It may have been thrown away.")
            }
        }
        return conversion
    }

    func result() throws -> (result: ConversionResult, path: String) {
        guard let number = Int(parameter("number")), number > 0 else {
            throw Failure(.notFound, "There is no such result.")
        }
        return try quire.conversions.file(number, of: id(of: "conversion"), by: member())
    }

    func place() throws(Failure) -> Int? {
        guard let text = request.query["place"] else { return nil }
        guard let place = Int(text), (1...1_000_000).contains(place) else {
            throw Failure(.invalid, "“place” is a number from 1.", field: "place")
        }
        return place
    }

    /// Hands over everything that arrived; the number of papers.
    @discardableResult
    func add(
        _ arrival: Arrival, as sheet: PhotographedSheet = PhotographedSheet(), to id: ID<Conversion>,
        at place: Int? = nil
    ) throws -> Int {
        let caller = try member()
        var way: PaperArrival?
        if case .token = caller.via { way = .app }
        if request.path == ["shared"] || request.query["shared"] != nil { way = .share }
        var count = 0
        func take(_ source: Conversions.Source, _ name: String) throws {
            try quire.conversions.add(
                source, named: name, as: sheet, arriving: way, at: place.map { $0 + count }, to: id,
                by: caller)
            count += 1
        }
        for file in arrival.files where file.byteCount > 0 || !file.name.isEmpty {
            if let path = file.path {
                try take(.upload(path), file.name)
            } else if let bytes = file.bytes {
                try take(.bytes(bytes), file.name)
            }
        }
        let input = arrival.input
        if onlyCaptures {
            for name in ["document", "documents", "address", "addresses", "text"] where input.has(name) {
                throw Failure(
                    .denied, "A phone that was let in to photograph brings photos, and nothing else.")
            }
            return count
        }
        for name in ["document", "documents"] {
            for text in try input.texts(name) where !text.isEmpty {
                guard let document = ID<Document>(text) else {
                    throw Failure(.notFound, "There is no such document.", field: name)
                }
                try take(.document(document), "")
            }
        }
        for name in ["address", "addresses"] {
            for text in try input.texts(name) where text.contains(where: { !$0.isWhitespace }) {
                try take(.address(text), text)
            }
        }
        if let text = try input.text("text"), text.contains(where: { !$0.isWhitespace }) {
            let kind = try input.text("textKind") ?? "txt"
            guard ["txt", "md", "html", "csv"].contains(kind) else {
                throw Failure(.invalid, "Pasted text is txt, md, html or csv.", field: "textKind")
            }
            try take(.bytes(Array(text.utf8)), "\(try input.text("name") ?? texts("convert.pasted")).\(kind)")
        }
        return count
    }

    /// The fields of the page's forms, as wishes.
    func wishes(_ input: Input) throws(Failure) -> JSONObject {
        var wishes = JSONObject()
        for word in ["to", "folder"] + ConversionOptions.words.map(\.key) {
            // A password is never written into a page, so an empty field says nothing about it.
            guard let text = try input.text(word), !(text.isEmpty && word == "password") else { continue }
            wishes[word] = text.isEmpty ? .null : .string(text)
        }
        if let to = wishes["to"], to == .null { wishes["to"] = nil }
        // A box that is not ticked is not sent: the form says which boxes it has.
        for box in try input.texts("boxes") {
            wishes[box] = .bool(try input.flag(box))
        }
        if try input.text("together") != nil, wishes["together"] == nil {
            wishes["together"] = .bool(try input.flag("together"))
        }
        if input.has("tags") { wishes["tags"] = .array(try input.tags("tags").map(JSON.string)) }
        if try input.text("keep") != nil { wishes["keep"] = .bool(try input.flag("keep")) }
        let quick = try QuickStep.allCases.map { step throws(Failure) in
            (step: step, isOn: try input.flag(step.rawValue))
        }
        if input.has("then") || input.has("step") || input.has("boxes") || quick.contains(where: \.isOn) {
            var steps = try input.texts("then").flatMap {
                $0.split(whereSeparator: \.isNewline).map(String.init)
            }
            if let step = try chosenStep(input) {
                let place = try input.integer("at") ?? steps.count
                steps.insert(step, at: min(max(place, 0), steps.count))
            }
            let boxes = try input.texts("boxes")
            for (step, isOn) in quick {
                let isThere = steps.contains(where: step.isMeant)
                if isOn, !isThere { steps.append(try step.words(language: input.text("language"))) }
                if !isOn, boxes.contains(step.rawValue) { steps.removeAll(where: step.isMeant) }
            }
            // What is locked can be opened by none of the others.
            let locks = steps.filter { $0.hasPrefix("encrypt") }
            wishes["then"] = .array((steps.filter { !$0.hasPrefix("encrypt") } + locks).map(JSON.string))
        }
        for step in QuickStep.allCases { wishes[step.rawValue] = nil }
        return wishes
    }

    /// A step that was picked on the page, with what it was told.
    private func chosenStep(_ input: Input) throws(Failure) -> String? {
        guard let step = try input.text("step"), !step.isEmpty else { return nil }
        let value = try input.text("value") ?? ""
        if let known = PaperStep.settings[step], value.isEmpty {
            var said: [(name: String, value: String)] = []
            for setting in known {
                let name = "set-\(setting.name)"
                if setting.placeholder == nil {
                    if try input.flag(name) { said.append((setting.name, "")) }
                } else if let value = try input.text(name), !value.isEmpty {
                    said.append((setting.name, value))
                }
            }
            // A setting ends where the next begins; a line that is left would be one of its own.
            let line = StepSetting.joined(said, known).split(whereSeparator: \.isNewline).joined(
                separator: " ")
            return said.isEmpty ? step : "\(step)=\(line)"
        }
        // Lines of a text field are one value here.
        let line = value.split(whereSeparator: \.isNewline).joined(separator: "; ")
        return line.isEmpty ? step : "\(step)=\(line)"
    }
}

/// Steps that most people want, each behind one tick.
enum QuickStep: String, CaseIterable {
    case findable, smaller, archive

    func isMeant(by step: String) -> Bool {
        switch self {
        case .findable: step == "ocr" || step.hasPrefix("ocr=")
        case .smaller: step == "compress"
        case .archive: step == "pdfa" || step.hasPrefix("pdfa=")
        }
    }

    func words(language: String?) -> String {
        switch self {
        case .findable: "ocr=" + (language.flatMap { $0.isEmpty ? nil : $0 } ?? "auto")
        case .smaller: "compress"
        case .archive: "pdfa=2b"
        }
    }
}

extension Input {
    /// What is said of the sheet in a photo: in a form the corners are JSON in a field.
    func sheetChange() throws(Failure) -> (inout PhotographedSheet) -> Void {
        var corners: Corners??
        if has("corners") {
            var said = json("corners")
            if said == nil, let text = try text("corners"), !text.isEmpty {
                said = (try? JSON(parsing: text)) ?? false
            }
            let found = said.flatMap { Corners($0) }
            guard found != nil || said == nil || said == .null else {
                throw Failure(
                    .invalid, "“corners” are four [x, y], or null where the sheet is looked for.",
                    field: "corners")
            }
            corners = .some(found)
        }
        var look: String??
        if has("scan") {
            let said = try text("scan") ?? ""
            look = .some(said.isEmpty ? nil : said)
        }
        return { sheet in
            if let corners { sheet.corners = corners }
            if let look { sheet.look = look }
        }
    }
}
