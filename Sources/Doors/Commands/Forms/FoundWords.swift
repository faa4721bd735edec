import Making
import Mappings
import Tables

/// The words of a table that fields with choices do not know as they stand, written into a mapping for somebody to look at.
struct FoundWords {
    private var found: [(field: String, words: [FieldWords.Word], note: String)] = []

    /// Reads all rows of the table.
    init(
        _ mapping: Mapping, _ facts: [FieldFacts], _ task: FormTask, _ table: inout FormTable
    ) throws {
        let compiled = try CompiledMapping(mapping, fields: facts, context: task.context(table))
        var words = FieldWords(compiled, mapping)
        var number = 0
        while let row = try table.next() {
            number += 1
            if row.flaw == nil { words.add(row.cells, number: number) }
        }
        for field in words.fields {
            let names = compiled.choices(of: field)?.choices.map(\.name) ?? []
            let some = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
            found.append(
                (
                    field, words.words(of: field).filter { !$0.isPlain && $0.decided == nil },
                    "\(field) is one of \(some). Nothing leaves it empty, ? holds the paper back."
                ))
        }
    }

    func write(into mapping: inout Mapping) {
        for (field, words, note) in found {
            mapping.decide(words.map { ($0.text, $0.answer) }, for: field, note: note)
        }
    }
}
