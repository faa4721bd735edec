import Bytes
import Filling
import Mappings
import People
import Storage
import Tables
import Work

extension RecipientList {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "count": .int(count), "waiting": .int(flawCount),
            "question": question?.json ?? .null,
            "edition": .int(edition), "changedAt": .moment(changedAt), "trashedAt": .moment(trashedAt),
            "columns": .array(
                columns.map {
                    [
                        "name": .string($0.name), "kind": .string($0.kind.rawValue),
                        "role": .optional($0.role?.rawValue),
                    ]
                }),
            "sources": .array(
                sources.map {
                    [
                        "number": .int($0.number), "kind": .string($0.kind.rawValue),
                        "name": .string($0.name), "count": .int($0.count), "waiting": .int($0.flawCount),
                    ]
                }),
        ]
    }
}

extension Recipient {
    func json(of list: RecipientList) -> JSON {
        [
            "id": .string(id.text), "list": .string(self.list.text), "source": .int(source),
            "place": .int(place), "name": .string(name), "email": .string(email),
            "flaw": .optional(flaw), "text": .optional(flaw == nil ? nil : sourceText),
            "cells": .array(
                zip(list.columns, cells).map { column, cell in
                    [
                        "column": .string(column.name), "kind": .string(cell.kind.rawValue),
                        "raw": .string(cell.raw), "shown": .string(cell.shown),
                        "date": .optional(cell.date), "edited": .bool(cell.isEdited),
                    ]
                }),
        ]
    }
}

extension ImportPreview {
    var json: JSON {
        [
            "id": .string(pending.id.text), "list": .string(pending.list.text), "name": .string(pending.name),
            "format": .string(shape.format.rawValue), "headerRow": .int(shape.headerRow),
            "choices": .array(
                shape.choices.map {
                    [
                        "what": .string($0.what.rawValue), "value": .string($0.value), "why": .string($0.why),
                        "given": .bool($0.isGiven),
                    ]
                }),
            "sheets": .array(
                shape.sheets.map { ["name": .string($0.name), "hidden": .bool($0.isHidden)] }),
            "columns": .array(
                columns.map {
                    [
                        "name": .string($0.name), "kind": .string($0.kind.rawValue),
                        "role": .optional($0.role?.rawValue), "new": .bool($0.isNew),
                    ]
                }),
            "email": [
                "column": .optional(email.column), "candidates": .texts(email.candidates),
                "reason": .string(email.reason),
            ], "key": ["column": .optional(key.column), "reason": .string(key.reason)],
            "replacesSource": .bool(replacesSource), "whole": .bool(isWhole), "counts": counts.view,
            "notices": .texts(notices),
            "rows": .array(
                rows.map {
                    [
                        "place": .int($0.place), "flaw": .optional($0.flaw),
                        "cells": .texts($0.cells.map(\.shown)),
                    ]
                }),
            "examples": .array(
                examples.map {
                    [
                        "what": .string($0.what.rawValue), "place": .int($0.place), "name": .string($0.name),
                        "detail": .string($0.detail),
                    ]
                }),
        ]
    }
}

extension MatchPage {
    /// The same as on the page, for programs.
    func json(_ matching: Matching) -> JSON {
        [
            "part": .int(part), "row": .int(row), "rows": .int(rowCount), "person": .string(rowName),
            "mapping": .optional(matching.match.saved?.id.text), "text": .string(matching.mapping.text),
            "fields": .array(
                entries.map { entry in
                    [
                        "field": .string(entry.field.name), "label": .string(entry.field.label),
                        "source": .optional(entry.source.formula), "value": .optional(entry.value),
                        "problem": .optional(entry.problem),
                        "suggestion": entry.suggestion.map {
                            [
                                "source": .string($0.column), "reason": .string($0.reason),
                                "runnerUp": .optional($0.runnerUp),
                            ]
                        } ?? .null,
                    ]
                }),
            "undecided": .array(
                offers.map { offer in
                    [
                        "column": .string(offer.column),
                        "choices": .array(
                            offer.choices.map {
                                ["fields": .array($0.fields.map(JSON.string)), "reason": .string($0.reason)]
                            }),
                    ]
                }),
            "words": .array(
                words.map { words in
                    [
                        "field": .string(words.field), "label": .string(words.label),
                        "choices": .array(words.choices.map { .string($0.answer) }),
                        "words": .array(
                            words.words.map {
                                [
                                    "word": .string($0.text), "count": .int($0.count),
                                    "answer": .string($0.answer), "decided": .bool($0.isDecided),
                                ]
                            }),
                    ]
                }),
        ]
    }
}

extension MatchPage.Source {
    /// As the mapping's text has it; nil when nothing is said about the field.
    var formula: String? {
        switch self {
        case .nothing: nil
        case .empty: ""
        case .column(let name): Mapping.Source.column(name).text
        case .fixed(let text): Mapping.Source.fixed(text).text
        case .formula(let text): text
        }
    }
}

extension ContactBook {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "kind": .string(kind.rawValue),
            "address": .optional(address), "userName": .optional(userName), "count": .int(count),
            "pulledAt": .optional(pulledAt?.iso8601), "trouble": .optional(trouble),
            "bothWays": .bool(writes), "isInQuestion": .bool(isInQuestion),
            "tagsAreGroups": .bool(tagsAreGroups),
        ]
    }
}

extension ContactGroup {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "count": .int(count),
            "absentCount": .int(absentCount), "book": .string(book.id.text),
            "isChangedHere": .bool(book.isChangedHere),
        ]
    }
}

extension ContactCounts {
    func json(_ visit: Visit) -> JSON {
        [
            "added": .int(added), "changed": .int(changed), "unchanged": .int(unchanged),
            "groups": .int(groups), "refusedCount": .int(refusedCount),
            "odd": .array(
                oddities.map { ["line": .int($0.line), "reason": .string(visit.said($0.reason))] }),
            "refused": .array(
                leftOut.map {
                    [
                        "line": .int($0.line), "name": .string($0.name),
                        "reason": .string(visit.said($0.reason)),
                    ]
                }),
        ]
    }
}

extension ContactAct {
    func json(_ visit: Visit) -> JSON {
        var json = counts.json(visit)
        json["id"] = .string(id.text)
        json["kind"] = .string(kind.rawValue)
        json["gone"] = .int(counts.gone)
        json["name"] = .string(name)
        json["at"] = .moment(at)
        json["by"] = .string(actorName)
        json["undoneAt"] = .moment(undoneAt)
        return json
    }
}
