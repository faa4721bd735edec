import Bytes
import Making
import Formulas
import Mappings
import PDFForms
import Storage
import Tables

/// Where the value of one field comes from, and what was done with it on the way.
struct Explanation {
    let field: String
    let place: Int
    let value: String
    let source: String
    let cells: [(column: String, shown: String)]
    let steps: [FormulaStep]
    let problems: [String]

    /// `row` counts the rows of the table from 1.
    init(
        of wanted: String, row: Int, _ mapping: Mapping, _ facts: [FieldFacts], _ task: FormTask,
        _ table: inout FormTable
    ) throws {
        let compiled = try CompiledMapping(mapping, fields: facts, context: task.context(table))
        guard let index = compiled.fields.firstIndex(of: wanted) else {
            guard facts.contains(where: { $0.name == wanted }) else {
                throw Failure(
                    .notFound, "The form has no field “\(wanted)”. “quire fields” lists them.")
            }
            throw Failure(
                .notFound,
                "Nothing fills “\(wanted)”: the mapping leaves it empty. “quire map” tells why no column was sure."
            )
        }
        var number = 0
        var found: TableRow?
        while let next = try table.next() {
            number += 1
            guard number == row else { continue }
            found = next
            break
        }
        guard let found else {
            throw Failure(
                .notFound, "The table has no row \(row): it has \(Words.count(number, "row", "rows")).")
        }
        let filled = compiled.row(found.cells, number: row)
        let origin = compiled.origins(found.cells, place: found.place)[index]
        field = wanted
        place = found.place
        value =
            switch filled.values[index] {
            case .text(let text): text
            case .texts(let texts): texts.joined(separator: ", ")
            case .flag(let flag): flag ? "ticked" : "not ticked"
            case nil: ""
            }
        source = compiled.sources[index].text
        cells = origin.cells.map { ($0.column, $0.cell.shown) }
        steps = compiled.explain(wanted, found.cells, number: row)
        problems = filled.problems.filter { $0.field == wanted }.map(\.description)
    }

    var text: String {
        var text = "\(field), row \(place): \(value.isEmpty ? "nothing" : "“\(value)”")\n  from \(source)\n"
        for cell in cells {
            text += "  {\(cell.column)} is \(cell.shown.isEmpty ? "empty" : "“\(cell.shown)”")\n"
        }
        // The last step of a formula that is a column alone says nothing new.
        if steps.count > 1 || steps.contains(where: \.isProblem) {
            for step in steps { text += "    \(step.part)  \(step.isProblem ? "!" : "→")  \(step.value)\n" }
        }
        for problem in problems { text += "  ! \(problem)\n" }
        return text.split(separator: "\n").map { TextTable.harmless(String($0)) + "\n" }.joined()
    }

    var json: JSON {
        [
            "field": .string(field), "row": .int(place), "value": .string(value), "source": .string(source),
            "cells": .array(
                cells.map { ["column": .string($0.column), "shown": .string($0.shown)] }),
            "steps": .array(
                steps.map {
                    [
                        "part": .string($0.part), "value": .string($0.value),
                        "problem": .bool($0.isProblem),
                    ]
                }),
            "problems": .array(problems.map(JSON.string)),
        ]
    }
}
