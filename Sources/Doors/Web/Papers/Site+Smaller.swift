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
                    "A job makes it smaller in every way, once for whoever looks. The document stays as it is. What nobody keeps is "
                    + "thrown away after a day.",
                tag: "Documents",
                answers: [
                    .init(.accepted, "It is being worked out", [.init(.json, Schema.ref("SmallerPaper"))])
                ])
        ) { visit in
            _ = try visit.quire.conversions.tryOut(visit.document(), by: visit.member())
            let path = "/documents/\(visit.parameter("id"))/smaller"
            return visit.done(try smallerPage(visit).json, .accepted, at: path, next: path)
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
        for (place, result) in trial.results.enumerated() where place < Conversions.ways.count {
            var way = SmallerPage.Way(
                way: Conversions.ways[place], byteCount: result.blob.byteCount,
                isOffered: result.blob.byteCount < least)
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
        if let way = query["way"].flatMap(Compression.init(rawValue:)) { model.chosen = way }
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
                        "way": .string(way.way.rawValue), "result": .int(way.number),
                        "byteCount": .integer(way.byteCount), "offered": .bool(way.isOffered),
                        "lost": .object(JSONObject(way.lost.map { ($0.kind.rawValue, .int($0.count)) })),
                    ]
                }),
        ]
    }
}
