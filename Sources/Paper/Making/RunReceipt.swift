import Bytes
import Crypto
import Formulas
import Mappings
import PDFForms
import Tables

/// The receipt of one document: what the engine says, and where in the table each value stood.
struct RunReceipt {
    private let settings: FormRun.ReceiptSettings
    private let fileName: String
    private let row: TableRow
    private let context: FormulaContext
    private let number: Int
    private let outcome: FormRun.Outcome
    private let origins: [FieldOrigin]

    init(
        _ settings: FormRun.ReceiptSettings, _ fileName: String, _ row: TableRow, _ context: FormulaContext,
        _ number: Int,
        _ outcome: FormRun.Outcome,
        _ origins: [FieldOrigin]
    ) {
        self.settings = settings
        self.fileName = fileName
        self.row = row
        self.context = context
        self.number = number
        self.outcome = outcome
        self.origins = origins
    }

    /// SHA-256 of a row: of a JSON array of what its cells hold, as they stand in the file.
    static func hash(_ row: TableRow) -> String {
        FillReceipt.hash(Array(JSON.array(row.cells.map { .string($0.raw) }).text.utf8))
    }

    func text(_ receipt: FillReceipt) -> String {
        var json = receipt.json
        let byField = Dictionary(origins.map { ($0.field, $0) }, uniquingKeysWith: { first, _ in first })
        json["file"] = .string(fileName)
        json["template"]?["name"] = .string(settings.templateName)
        json["row"] = [
            "table": .string(settings.tableName), "place": .int(row.place), "number": .int(number),
            "sha256": .string(outcome.rowHash ?? Self.hash(row)),
            // All of it: the address to send to seldom stands on the form.
            "cells": .array(
                zip(context.columns.names, row.cells).map { column, cell in
                    var view: JSON = [
                        "column": .string(column), "raw": .string(cell.raw), "shown": .string(cell.shown),
                    ]
                    // What a letter calculates with is what the form calculated with.
                    if cell.isTyped { view["kind"] = .string(cell.kind.rawValue) }
                    if cell.isTyped, let date = cell.date { view["date"] = .string(date) }
                    return view
                }),
            "locale": .string(context.locale.code),
        ]
        json["fields"] = .array(
            receipt.entries.map { entry in
                let origin = byField[entry.field]
                return [
                    "field": .string(entry.field), "value": entry.value.json,
                    "source": .optional(origin?.text),
                    "cells": .array(
                        (origin?.cells ?? []).map {
                            [
                                "column": .string($0.column), "raw": .string($0.cell.raw),
                                "shown": .string($0.cell.shown),
                            ]
                        }),
                ]
            })
        json["problems"] = .array(
            outcome.problems.map { ["field": .optional($0.field), "message": .string($0.message)] })
        return json.text + "\n"
    }
}
