public import Access
public import Bytes
import Crypto
import Formulas
import Making
public import Mappings
import PDFForms
public import Storage
import Work

/// Where a value in a packet comes from: the cells, and what was done with them.
public struct PacketOrigin: Sendable, Equatable {
    public var part: Int
    public var field: String
    /// What was put into the field; nil when it was left as the form has it.
    public var value: String?
    public var origin: FieldOrigin
    /// The file or hand the row came from.
    public var source: String
    /// How the value came about, innermost part first.
    public var steps: [Step]

    public struct Step: Sendable, Equatable {
        public var part: String
        public var value: String
        public var isProblem: Bool
    }

    public var json: JSON {
        [
            "part": .int(part), "field": .string(field), "value": .optional(value),
            "formula": .string(origin.source.text), "source": .string(source), "place": .int(origin.place),
            "cells": .array(
                origin.cells.map {
                    var cell = $0.cell.json
                    cell["column"] = .string($0.column)
                    return cell
                }),
            "steps": .array(
                steps.map {
                    ["part": .string($0.part), "value": .string($0.value), "problem": .bool($0.isProblem)]
                }),
        ]
    }
}

extension Batches {
    /// Which cell a field of the packet was filled from, and what was done with it on the way.
    public func origin(
        of field: String, in id: ID<Packet>, part wanted: Int? = nil, by caller: Caller
    ) throws -> PacketOrigin {
        try caller.require(.view)
        let kept = try kept(id)
        for (place, part) in kept.maker.parts.enumerated() where wanted == nil || place == wanted {
            guard case .form(let form) = part.content,
                let index = form.mapping.fields.firstIndex(of: field)
            else { continue }
            let row = form.mapping.row(kept.row.cells, number: kept.packet.place)
            let origins = form.mapping.origins(kept.row.cells, place: kept.row.place ?? kept.packet.place)
            let steps = form.mapping.explain(field, kept.row.cells, number: kept.packet.place)
            return PacketOrigin(
                part: place, field: field, value: row.values[index]?.words, origin: origins[index],
                source: kept.row.source,
                steps: steps.map { .init(part: $0.part, value: $0.value, isProblem: $0.isProblem) })
        }
        throw Failure(.notFound, "Nothing of the row goes into “\(field)”.", field: "field")
    }

    /// What the packet was made of and what came out of it, for the file: the same packet gives the same receipt.
    public func receipt(of id: ID<Packet>, by caller: Caller) throws -> JSON {
        try caller.require(.view)
        let kept = try kept(id)
        return try receipt(kept, of: get(kept.packet.batch, by: caller))
    }

    func receipt(_ kept: Kept, of batch: Batch) throws -> JSON {
        let made = try kept.maker.make(
            kept.thought, attachments: kept.attachments, proves: false, opened: true, orNothing: true)
        var view: JSON = [
            "packet": .string(kept.packet.id.text),
            "batch": ["id": .string(batch.id.text), "name": .string(batch.name)],
            "recipient": ["id": .string(kept.packet.recipient), "name": .string(kept.packet.name)],
            "fileName": .string(kept.packet.fileName + ".pdf"), "state": .string(kept.packet.state.rawValue),
            "madeBy": .string(kept.maker.pins.madeBy), "madeAt": .optional(kept.packet.madeAt?.iso8601),
        ]
        view["document"] = [
            "sha256": .optional(kept.packet.digest?.hex), "bytes": .integer(kept.packet.byteCount),
            "pages": .int(kept.packet.pageCount),
        ]
        view["row"] = [
            "sha256": .string(Hex.encode(SHA256.hash(kept.row.keptCells))),
            "source": .string(kept.row.source),
            "place": .optional(kept.row.place),
        ]
        view["proven"] = kept.packet.state == .made ? .bool(kept.maker.pins.options.proves) : .null
        view["parts"] = .array(made.papers.map { Self.receipt($0, kept) })
        view["problems"] = .array(kept.problems.map(\.json))
        return view
    }

    private static func receipt(_ paper: PacketParts.Paper, _ kept: Kept) -> JSON {
        switch paper {
        case .whole(let part, let name, let digest, _):
            return ["part": .int(part), "name": .string(name), "sha256": .string(digest.hex)]
        case .filled(let part, let form, let filled, let values):
            let origins = form.mapping.origins(kept.row.cells, place: kept.row.place ?? kept.packet.place)
            let hash = kept.maker.digest(ofForm: part)?.hex ?? ""
            let receipt = form.form.receipt(
                filled, columns: form.columns, row: values, template: hash, sources: origins.map(\.text))
            var view = receipt.json
            view["part"] = .int(part)
            view["name"] = .string(form.name)
            // Of the part before it was put together with others; the packet's own digest is above.
            view["document"] = nil
            view["proven"] = nil
            if case .form(let template, let edition, _, let mapping, let name) = kept.maker.pins.parts[part]
                .content
            {
                view["template"] = [
                    "id": .string(template.text), "edition": .int(edition), "sha256": .string(hash),
                ]
                view["mapping"] = [
                    "name": .string(name), "sha256": .string(Hex.encode(SHA256.hash(mapping))),
                ]
            }
            return view
        }
    }
}

extension FieldValue {
    var words: String {
        switch self {
        case .text(let text): text
        case .texts(let texts): texts.joined(separator: "; ")
        case .flag(let flag): flag ? "yes" : "no"
        }
    }
}
