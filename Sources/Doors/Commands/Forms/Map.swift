import Bytes
import Making
import Glibc
import Mappings
import PDFForms
import Storage
import Tables

extension Command {
    static let map = Command(
        name: "map", summary: "suggest which column fills which field, as a file to complete",
        discussion: """
            Writes a mapping: a line for each field of the form, filled in where one column clearly fits, with the \
            reason and what came second as a comment above it. What fits alike stays empty. Change it as you like and \
            give it to “quire fill --map”. With --map, an existing mapping gets lines for the fields it does not speak \
            of, and everything in it stays as it is.

            With --values all rows are read, and words that a field with choices does not know as they stand are listed \
            below “[values FIELD]”, each with what it is taken as; “?” is still to be decided. What stands there is used \
            by “quire fill” for every row.

            With --json the suggestions are told as an array, with confidence, reason and runner-up. --explain tells of one \
            field how its value comes about in a row, cell by cell and step by step, and writes nothing.
            """,
        arguments: [
            Argument(name: "FORM", summary: "a PDF form", completion: .file),
            Argument(name: "TABLE", summary: "a table; - for standard input", completion: .file),
        ],
        options: [
            Option(
                "out", letter: "o", "MAP", "write the mapping here instead of printing it", completion: .file),
            Option("force", letter: "f", nil, "replace the file if it is there already"),
            Option("explain", "FIELD", "tell how the value of this field comes about"),
            Option(
                "undecided", nil,
                "tell only of columns that went nowhere by themselves, and what they may be meant for"),
            Option("row", "NUMBER", "with --explain: in which row, from 1"),
            Option(
                "values", nil,
                "also write what words of the table are taken as, where a field has choices: school = Elementary school"
            ),
        ] + Option.ofMappings + Option.ofTables,
        examples: [
            Example("quire map w9.pdf vendors.csv --out w9.map", "a mapping to look at and complete"),
            Example("quire fill w9.pdf vendors.csv --map w9.map", "and then this"),
            Example(
                "quire map visit.pdf pupils.xlsx --values --out visit.map",
                "with a list of what each word of the table means"),
            Example(
                "quire map w9.pdf vendors.csv --map w9.map --explain total --row 7",
                "why it says what it says"),
        ],
        run: { call in
            try withForms(password: "form-password") {
                let task = try FormTask(call)
                var table = try FormTable(task.table, options: task.tableOptions)
                let bytes = try task.form.bytes()
                let password = call.value("form-password")
                let facts = FormFacts.all(
                    try Form(bytes: bytes, password: password), bytes: bytes, password: password)
                let mapping = try task.mapping()
                if let field = call.value("explain") {
                    let explanation = try Explanation(
                        of: field, row: try row(call), mapping.completed(facts, table.facts), facts,
                        task,
                        &table)
                    call.answer(explanation.json) { explanation.text }
                    return
                }
                if call.has("undecided") {
                    let offers = mapping.offers(facts, table.facts)
                    call.answer(.array(offers.map(view))) {
                        offers.map { words($0, facts) }.joined(separator: "\n")
                    }
                    return
                }
                let suggestions = mapping.suggestions(facts, table.facts)
                var draft = mapping.draft(
                    facts, table.facts, title: "\(Files.name(task.formPath)) from \(table.name)")
                if call.has("values") { try FoundWords(draft, facts, task, &table).write(into: &draft) }
                if let path = call.value("out") {
                    try writeWhole(
                        Array(draft.text.utf8), to: call.absolute(path), overwrites: call.has("force"))
                }
                call.answer(.array(suggestions.map(view))) { call.has("out") ? "" : draft.text }
                let found = suggestions.count(where: \.isConfident)
                call.hint(
                    "\(Words.count(found, "field", "fields")) of \(facts.count(where: \.takesValues)) found their column"
                        + (call.value("out").map { "; the mapping is in \($0)." } ?? "."))
            }
        })

    private static func row(_ call: Invocation) throws -> Int {
        guard let words = call.value("row") else { return 1 }
        guard let row = Int(words), row > 0 else {
            throw UsageError(
                message: "--row takes a number, not “\(words)”",
                hint: "1 is the first row below the headings.")
        }
        return row
    }

    private static func view(_ offer: ColumnOffer) -> JSON {
        [
            "column": .string(offer.column),
            "choices": .array(
                offer.choices.map { choice in
                    [
                        "fields": .array(
                            choice.parts.map {
                                ["field": .string($0.field), "source": .string($0.source.text)]
                            }),
                        "confidence": .number(choice.confidence), "reason": .string(choice.reason),
                    ]
                }),
        ]
    }

    private static func words(_ offer: ColumnOffer, _ facts: [FieldFacts]) -> String {
        let choices = offer.choices.map { choice in
            // A name such as `TextField1[3]` tells nobody where it is.
            let field = facts.first { $0.name == choice.parts.first?.field }
            let label = (field?.label ?? field?.nearby).map { " “\($0.prefix(60))”" } ?? ""
            return
                "\n  or \(choice.parts.map(\.field).joined(separator: ", "))\(label): \(choice.reason)"
        }
        return "{\(offer.column)} may be meant for"
            + choices.joined().replacing("\n  or ", with: "\n  ", maxReplacements: 1)
    }

    private static func view(_ suggestion: MappingSuggestion) -> JSON {
        [
            "field": .string(suggestion.field), "source": .string(suggestion.source.text),
            "confident": .bool(suggestion.isConfident), "reason": .string(suggestion.reason),
            "candidates": .array(
                suggestion.candidates.map {
                    [
                        "source": .string($0.source.text), "confidence": .number($0.confidence),
                        "reason": .string($0.reason),
                    ]
                }),
        ]
    }
}

extension Mapping {
    /// As a run would have it: what is sure is filled in.
    fileprivate func completed(_ facts: [FieldFacts], _ columns: [ColumnFacts]) -> Mapping {
        var mapping = self
        mapping.complete(facts, columns)
        mapping.decideByPage(facts)
        return mapping
    }
}
