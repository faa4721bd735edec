import Access
import App
import Bytes
import Filling
import HTTP
import Library
import Markup
import PDF
import PDFReading
import Starters
import Storage

extension Site {
    static let proposalActions: [Action] = [
        Action(
            .get, "/templates/starters/{key}/picture", .member(.view),
            .init(
                "Get a picture of a paper to begin with", tag: "Templates",
                answers: [.init(.ok, "A picture of its first page", [.anything])])
        ) { visit in
            let key = visit.parameter("key")
            guard let bytes = StarterTemplates.bytes(key, letterhead: try visit.letterhead) else {
                throw Failure(.notFound, "There is no such starter.")
            }
            let picture = try visit.quire.previews.picture(of: Digest(of: bytes), page: 0, width: 240) {
                bytes
            }
            return Response.bytes(picture, .jpeg).with("Cache-Control", "private, max-age=3600")
        },
        Action(
            .get, "/templates/{id}/proposals", .member(.view),
            .init(
                "Propose fields for a flat paper",
                description: "From its lines, boxes and words. Nothing is changed.",
                tag: "Templates", answers: [.ok("ProposalList", "Page by page, in reading order")])
        ) { visit in
            let template = try visit.template()
            let proposals = try visit.proposals(template)
            return try visit.show([
                "proposals": .array(proposals.map(\.json))
            ]) { try proposalsPage(visit, template, proposals) }
        },
        Action(
            .post, "/templates/{id}/proposals", .member(.edit),
            .init(
                "Make proposed fields real",
                description:
                    "Those that are sent, as they are sent: a new edition of the form. The paper as it came stays.",
                tag: "Templates",
                requestBody: [
                    .init(.json, Schema.object([("proposals", Schema.list(of: Schema.ref("Proposal")))]))
                ], answers: [.ok("Template", "With the fields")])
        ) { visit in try accept(visit) },
    ]

    private static func proposalsPage(
        _ visit: Visit, _ template: Template, _ proposals: [FieldProposal], failure: Failure? = nil
    ) throws -> HTML {
        let frames = try visit.site.frames.all(of: template.edition.blob.digest)
        let lines = proposals.enumerated().compactMap { number, proposal -> ProposalsPage.Proposal? in
            guard frames.indices.contains(proposal.page) else { return nil }
            let frame = frames[proposal.page]
            let part = frame.fractions(proposal.place)
            return .init(
                key: "p\(number)", name: proposal.label.isEmpty ? proposal.name : proposal.label,
                kind: FieldLine.Kind(proposal.kind),
                place: .init(
                    page: proposal.page + 1, x: part.left * frame.width, y: part.top * frame.height,
                    width: part.width * frame.width, height: part.height * frame.height),
                reason: visit.texts(
                    "proposals.sure", ["percent": .number(Int((proposal.confidence * 100).rounded()))]),
                isAccepted: proposal.confidence >= 0.5)
        }
        var pages = frames.enumerated().map { place, frame in
            PagePicture(
                number: place + 1, width: frame.width, height: frame.height,
                address: "/templates/\(template.id)/pages/\(place + 1)?width=900")
        }
        for line in lines where pages.indices.contains(line.place.page - 1) {
            pages[line.place.page - 1].marks.append(
                .init(
                    key: line.key, label: line.name, address: "#\(line.key)", x: line.place.x,
                    y: line.place.y, width: line.place.width, height: line.place.height))
        }
        return Pages.proposals(
            visit.frameAt("/templates/\(template.id)/proposals"),
            ProposalsPage(
                line: TemplateLine(template), pages: pages, proposals: lines, error: failure.map(visit.said)))
    }

    private static func accept(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let template = try visit.template()
        let frames = try visit.site.frames.all(of: template.edition.blob.digest)
        let accepted = try visit.accepted(frames)
        do {
            guard !accepted.isEmpty else {
                throw Failure(.invalid, "Keep at least one field.", field: "proposals")
            }
            let bytes = try visit.quire.store.blobs.read(template.edition.blob.digest)
            let made: [UInt8]
            do {
                made = try FieldProposals.add(accepted, to: bytes)
            } catch {
                throw Failure(.unsupported, "Fields cannot be put into this file: \(error)")
            }
            let replaced = try visit.quire.templates.replace(
                template.id, with: .bytes(made), named: template.edition.fileName, by: caller)
            return visit.done(
                replaced.template.json, next: "/templates/\(template.id)", notice: "notice.fields",
                ["count": .number(accepted.count)])
        } catch let failure as Failure where visit.wantsPage {
            return visit.page(
                try proposalsPage(visit, template, visit.proposals(template), failure: failure),
                Site.status(of: failure.code))
        }
    }
}

extension Visit {
    func proposals(_ template: Template) throws -> [FieldProposal] {
        let bytes = try quire.store.blobs.read(template.edition.blob.digest)
        return try Templates.explained {
            try FieldProposals(for: PDFFile(bytes: bytes), reader: PageReader(jail: quire.jail)).all
        }
    }

    /// What somebody kept, moved and renamed: from the form's numbered fields, or a list in JSON.
    func accepted(_ frames: [PageFrame]) throws -> [FieldProposal] {
        let input = try input
        var accepted: [FieldProposal] = []
        func take(
            _ name: String, _ kind: String, _ page: Int, _ x: Double, _ y: Double, _ width: Double,
            _ height: Double
        ) throws {
            guard frames.indices.contains(page - 1), [x, y, width, height].allSatisfy(\.isFinite),
                width >= 1, height >= 1
            else { throw Failure(.invalid, "“\(name)” has no place on the paper.", field: "proposals") }
            let frame = frames[page - 1]
            let seen = PDFRectangle(
                left: x, bottom: frame.height - y - height, right: x + width, top: frame.height - y)
            let own = FieldProposal.Kind(word: kind)
            accepted.append(
                FieldProposal(
                    kind: own, page: page - 1, place: frame.written(seen), name: name, label: name,
                    cellCount: own == .comb ? max(1, Int((width / max(height, 1)).rounded())) : nil))
        }
        if let list = input.json("proposals")?.array {
            for item in list.prefix(FieldProposals.most) {
                try take(
                    item["name"]?.string ?? "", item["kind"]?.string ?? "text", item["page"]?.int ?? 0,
                    item["x"]?.number ?? .nan, item["y"]?.number ?? .nan, item["width"]?.number ?? .nan,
                    item["height"]?.number ?? .nan)
            }
            return accepted
        }
        for number in 0..<FieldProposals.most where input.has("name-\(number)") {
            guard try input.flag("accept-\(number)") else { continue }
            func measure(_ name: String) throws -> Double {
                Double(try input.text("\(name)-\(number)") ?? "") ?? .nan
            }
            try take(
                input.text("name-\(number)") ?? "", input.text("kind-\(number)") ?? "text",
                input.integer("page-\(number)") ?? 0, measure("x"), measure("y"), measure("width"),
                measure("height"))
        }
        return accepted
    }

    var starters: [NewTemplatePage.Starter] {
        // What was drawn before the desk put on something else is not shown again.
        let looks =
            (try? quire.settings.looks()).map { "?looks=\(Digest(of: $0.json.bytes).hex.prefix(12))" } ?? ""
        return StarterTemplates.all.map {
            .init(
                key: $0.key, name: named($0, \.name, ""), about: named($0, \.summary, ".about"),
                picture: "/templates/starters/\($0.key)/picture\(looks)")
        }
    }

    /// In the reader's language where the catalog has it.
    private func named(
        _ starter: StarterTemplate, _ own: KeyPath<StarterTemplate, String>, _ ending: String
    )
        -> String
    {
        let key = "starter.\(starter.key)\(ending)"
        let text = texts(key)
        return text == key ? starter[keyPath: own] : text
    }

    func takeStarter(_ key: String, folder: String) throws -> (template: Template, report: ImportReport) {
        guard let starter = StarterTemplates.all.first(where: { $0.key == key }),
            let bytes = StarterTemplates.bytes(
                key,
                paper: language == .mexicanSpanish || language == .canadianFrench || language == .english
                    ? .letter : .a4, letterhead: try letterhead)
        else { throw Failure(.notFound, "There is no such starter.", field: "starter") }
        return try quire.templates.take(
            .bytes(bytes), named: named(starter, \.name, "") + ".pdf", folder: folder, by: member())
    }
}

extension FieldProposal {
    var json: JSON {
        [
            "name": .string(name), "label": .string(label), "kind": .string(kind.rawValue),
            "page": .int(page + 1), "rectangle": .array(place.numbers.map(JSON.number)),
            "cells": .optional(cellCount), "confidence": .number(confidence),
        ]
    }
}

extension FieldLine.Kind {
    init(_ kind: FieldProposal.Kind) {
        self =
            switch kind {
            case .text: .text
            case .multiline: .multiline
            case .comb: .comb
            case .checkBox: .check
            case .signature: .signature
            }
    }
}

extension FieldProposal.Kind {
    /// As the page's choices or a program call it.
    init(word: String) {
        self =
            switch word {
            case "multiline": .multiline
            case "comb": .comb
            case "check", "checkBox": .checkBox
            case "signature": .signature
            default: .text
            }
    }
}
