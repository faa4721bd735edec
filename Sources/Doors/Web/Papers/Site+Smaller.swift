import Access
import App
import Bytes
import Conversion
import Converting
import HTTP
import Library
import Markup
import PDFReading
import Storage
import Work

// A paper made smaller: worked out once, looked at, and only then kept.

extension Site {
    static let smallerActions: [Action] = [
        Action(
            .get, "/documents/{id}/smaller", .member(.edit),
            .init(
                "See how small a PDF would be",
                description:
                    "What was worked out of it as it is now: for each way the bytes, and how much of what is in it would be lost. A "
                    + "way that is not `offered` would not be smaller than a gentler one. To keep one, name `conversion` and its "
                    + "`result` as a new version, with `base`.",
                tag: "Documents", answers: [.ok("SmallerPaper", "What is known")])
        ) { visit in
            let model = try smallerPage(visit)
            return try visit.show(model.json) { Pages.smaller(visit.frame, model) }
        },
        Action(
            .post, "/documents/{id}/smaller", .member(.edit),
            .init(
                "Work out how small a PDF would be",
                description:
                    "A job makes it smaller in every way, once for whoever looks; with `most`, a size like `2MB` or a count of bytes, "
                    + "also so that it is no larger than that, where that can be; or with `dots`, its pictures to so many dots to an "
                    + "inch. The document stays as it is. What nobody keeps is thrown away after a day.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("most", ["type": ["string", "integer"]]), ("dots", Schema.whole)],
                            optional: ["most", "dots"]))
                ],
                answers: [
                    .init(.accepted, "It is being worked out", [.init(.json, Schema.ref("SmallerPaper"))])
                ])
        ) { visit in
            let path = "/documents/\(visit.parameter("id"))/smaller"
            do {
                let more = try way(visit.input)
                _ = try visit.quire.conversions.tryOut(visit.document(), also: more, by: visit.member())
                return visit.done(
                    try smallerPage(visit).json, .accepted, at: path,
                    next: path + (more.map { "?way=\(SmallerPage.word(of: $0))" } ?? ""))
            } catch let failure as Failure
                where visit.wantsPage && ["most", "dots"].contains(failure.field)
            {
                var model = try smallerPage(visit)
                let field = failure.field ?? ""
                model.refused = (field, try visit.input.text(field) ?? "", visit.said(failure))
                return visit.page(
                    Pages.smaller(visit.frameAt(path), model), Site.status(of: failure.code))
            }
        },
        Action(
            .delete, "/documents/{id}/smaller", .member(.edit),
            .init(
                "Leave a PDF as large as it is", description: "What was worked out is thrown away.",
                tag: "Documents", answers: [.init(.noContent, "It is gone")])
        ) { visit in
            let document = try visit.document()
            try visit.quire.conversions.throwAwayTrial(of: document.id, by: visit.member())
            return visit.done(
                [:], .noContent, next: "/documents/\(document.id)", notice: "notice.leftAsIs",
                ["name": .text(document.name)])
        },
    ]

    /// What somebody wishes beside the usual ways.
    private static func way(_ input: Input) throws(Failure) -> Compression? {
        if let most = try size(input) { return .fit(most) }
        guard let text = try input.text("dots"), text.contains(where: { !$0.isWhitespace }) else {
            return nil
        }
        return .dots(Int(text.filter { !$0.isWhitespace }) ?? 0)
    }

    /// A bare number on the page counts megabytes, as limits of mail are told; for programs it counts bytes.
    private static func size(_ input: Input) throws(Failure) -> Int64? {
        if let bytes = input.whole?["most"]?.int { return Int64(bytes) }
        guard let text = try input.text("most"), text.contains(where: { !$0.isWhitespace }) else {
            return nil
        }
        let isBare = input.whole == nil && !text.contains(where: \.isLetter)
        guard let bytes = ByteSize.bytes(isBare ? text + "MB" : text) else {
            throw Failure(.invalid, "“\(text)” is no size. Write it like 2 MB or 500 kB.", field: "most")
        }
        return bytes
    }

    private static func smallerPage(_ visit: Visit) throws -> SmallerPage {
        let document = try visit.document()
        guard PaperPages.isPDF(document) else { throw Failure.noPDF(document) }
        var model = SmallerPage(line: DocumentLine(document), version: document.version)
        guard let trial = try visit.quire.conversions.trial(of: document, by: visit.member()) else {
            return model
        }
        model.state = ConversionLine.State(rawValue: trial.state.rawValue)
        (model.trial, model.job, model.reason) = (trial.id.text, trial.job?.text, trial.reason)
        model.fraction = trial.progress.fraction
        guard trial.state == .done else { return model }
        let parts = (trial.report?["parts"]?.array ?? []).map { PaperParts($0) }
        var least = document.blob.byteCount
        let ways = Conversions.ways(of: trial)
        for (place, result) in trial.results.enumerated() where place < ways.count {
            var way = SmallerPage.Way(
                way: ways[place], number: place + 1, byteCount: result.blob.byteCount,
                isOffered: result.blob.byteCount < least)
            // What somebody asked for is offered though it may be gentler than the strongest way.
            if !Compression.usual.contains(way.way) {
                way.isOffered = result.blob.byteCount < document.blob.byteCount
            }
            least = min(least, result.blob.byteCount)
            if let before = parts.first, parts.indices.contains(place + 1) {
                way.lost = before.lost(in: parts[place + 1])
            }
            model.ways.append(way)
        }
        model.there = PaperParts.Kind.allCases.filter { (parts.first?.counts[$0] ?? 0) > 0 }
        // Whoever has not chosen sees first what costs nothing, as far as there is such a thing.
        let free = model.offered.filter(\.lost.isEmpty)
        model.chosen = free.first { $0.way == .balanced }?.way ?? free.last?.way ?? .balanced
        let query = visit.request.query
        if let word = query["way"], let way = model.ways.first(where: { $0.word == word }) {
            model.chosen = way.way
        }
        model.pageCount = max(1, trial.results.first?.pageCount ?? 1)
        model.page = min(max(query["page"].flatMap { Int($0) } ?? 1, 1), model.pageCount)
        if let frames = try? visit.quire.pages.frames(of: document), frames.indices.contains(model.page - 1) {
            let frame = frames[model.page - 1]
            model.size = (Int(frame.width.rounded()), Int(frame.height.rounded()))
        }
        model.isLarge = query["large"] == "1"
        return model
    }
}

extension SmallerPage {
    var json: JSON {
        [
            "state": .optional(state?.rawValue), "conversion": .optional(trial.isEmpty ? nil : trial),
            "job": .optional(job), "reason": .optional(reason), "byteCount": .integer(line.byteCount),
            "version": .int(version),
            "ways": .array(
                ways.map { way in
                    [
                        "way": .string(way.word), "most": way.most.map { .integer($0) } ?? .null,
                        "dots": way.dots.map { .int($0) } ?? .null, "result": .int(way.number),
                        "byteCount": .integer(way.byteCount), "offered": .bool(way.isOffered),
                        "lost": .object(JSONObject(way.lost.map { ($0.kind.rawValue, .int($0.count)) })),
                    ]
                }),
        ]
    }
}
