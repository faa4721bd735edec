import Formulas
import Mappings
import PDFForms
import Tables
import Testing
import Work

@Suite("Words of a table and choices of a form") struct FieldChoicesTests {
    private func combo(_ options: String..., editable: Bool = false) throws -> FieldChoices {
        var field = FieldFacts(name: "f", kind: .combo)
        field.options = options.map { .init(export: $0, display: $0) }
        field.isEditable = editable
        return try #require(FieldChoices(field))
    }

    private func boxes(_ states: String..., kind: Field.Kind = .radio) throws -> FieldChoices {
        var field = FieldFacts(name: "f", kind: kind)
        field.states = states
        return try #require(FieldChoices(field))
    }

    /// “=Name” for the same written otherwise, “?Name” for a guess, “=” for what the form knows, nothing for unknown.
    private func meant(_ word: String, _ choices: FieldChoices) -> String {
        switch choices.meaning(of: word) {
        case .itself: "="
        case .same(let choice): "=" + choice.name
        case .guess(let choice): "?" + choice.name
        case .unknown: ""
        }
    }

    @Test("A box is ticked by yes in many languages, left by no, and by nothing else")
    func box() throws {
        let box = try boxes("Yes", kind: .checkBox)
        for word in [
            "yes", "Yes", "Y", "y", "ja", "JA", "oui", "o", "sí", "si", "x", "X", "true", "1", "✓", " yes ",
        ] {
            #expect(["=", "=yes"].contains(meant(word, box)), "\(word)")
        }
        for word in ["no", "N", "n", "nein", "non", "false", "0", "", " no "] {
            #expect(["=", "=no"].contains(meant(word, box)), "\(word)")
        }
        for word in ["maybe", "ye", "yess", "2", "?"] { #expect(meant(word, box).isEmpty, "\(word)") }
    }

    @Test("Where a form asks for yes or no, every yes and every no is understood, whatever its own words are")
    func yesOrNo() throws {
        for form in [
            try boxes("Yes", "No"), try boxes("ja", "nein"), try combo("Oui", "Non"), try boxes("1", "0"),
        ] {
            let (yes, no) = (form.choices[0].name, form.choices[1].name)
            for word in ["y", "Y", "yes", "ja", "oui", "sí", "x", "true", "1"]
            where word.lowercased() != yes.lowercased() {
                #expect(meant(word, form) == "=\(yes)", "\(word)")
            }
            for word in ["n", "N", "no", "nein", "non", "false", "0"]
            where word.lowercased() != no.lowercased() {
                #expect(meant(word, form) == "=\(no)", "\(word)")
            }
        }
        // Neither men and women nor marks of one to five are yes or no.
        #expect(meant("no", try combo("F", "M")).isEmpty)
        #expect(meant("yes", try combo("0", "1", "2")).isEmpty)
    }

    @Test(
        "The same text, the same beginning, the same words, one letter off: what can be only one choice is taken",
        arguments: [
            ("Elementary school", "="), ("elementary  SCHOOL", "=Elementary school"),
            (" High school", "=High school"), ("Elem", "?Elementary school"),
            ("Kindergarden", "?Kindergarten"), ("école supérieure", "=École supérieure"),
            ("Ecole superieure", "=École supérieure"),
            ("school elementary", "?Elementary school"), ("elementry school", "?Elementary school"),
            ("school", ""), ("Gymnasium", ""), ("kin", "?Kindergarten"), ("…", ""),
        ])
    func guesses(word: String, expected: String) throws {
        let form = try combo("Kindergarten", "Elementary school", "High school", "École supérieure")
        #expect(meant(word, form) == expected)
    }

    @Test("What could mean two choices means none, and “not” and numbers are never guessed away")
    func doubts() throws {
        #expect(meant("M", try combo("Mother", "Mentor", "Father")).isEmpty)
        #expect(meant("bother", try combo("Brother", "Mother")).isEmpty)
        #expect(meant("married", try combo("Not married", "Single")).isEmpty)
        #expect(meant("1", try combo("10 years", "20 years")).isEmpty)
        #expect(meant("Room 12", try combo("Room 13", "Room 14")).isEmpty)
        #expect(meant("5 A", try combo("5a", "5b")) == "=5a")
        #expect(meant("A-", try combo("A+", "B+")).isEmpty, "blood of another kind")
        #expect(meant("> 5 years", try combo("5 years", "none")).isEmpty)
        #expect(meant("Elem", try combo("Elementary", "Other", editable: true)) == "=")
        let form = try boxes("A", "B")
        #expect(meant("no", form) == "=", "none of the boxes")
        #expect(meant("yes", form).isEmpty)
    }

    @Test("A row is given what is meant, and each guess is told with its word")
    func row() throws {
        var kind = FieldFacts(name: "kind", kind: .combo)
        kind.options = [
            .init(export: "1", display: "Elementary school"), .init(export: "2", display: "High school"),
        ]
        var consent = FieldFacts(name: "consent", kind: .radio)
        consent.states = ["Yes", "No"]
        var subjects = FieldFacts(name: "subjects", kind: .list)
        subjects.options = ["Music", "Arts", "Sports"].map { .init(export: $0, display: $0) }
        subjects.isMultiSelect = true
        let compiled = try CompiledMapping(
            Mapping(parsing: "[fields]\nkind = {k}\nconsent = {c}\nsubjects = {s}\n"),
            fields: [kind, consent, subjects],
            context: FormulaContext(
                columns: FormulaColumns(["k", "c", "s"]),
                today: try #require(WallTime(year: 2026, month: 11, day: 21))))
        let row = compiled.row(["Elem", "Y", "music; spots"].map { Cell($0) }, number: 1)
        #expect(row.values == [.text("Elementary school"), .text("Yes"), .texts(["Music", "Sports"])])
        #expect(
            row.problems.map(\.description) == [
                "line 2: kind: “Elem” was taken as “Elementary school”.",
                "line 4: subjects: “spots” was taken as “Sports”.",
            ])
        #expect(row.problems.map(\.value) == ["Elem", "spots"])
        #expect(row.problems.allSatisfy { $0.kind == .takenAs && $0.severity == .warning })
        let typed = Cell(kind: .boolean, raw: "0", shown: "FALSE")
        #expect(compiled.row([.empty, typed, .empty], number: 1).values[1] == .text("No"))
        #expect(compiled.row(["kita", "maybe", ""].map { Cell($0) }, number: 1).problems.isEmpty)
    }
}

@Suite("Words beside boxes") struct WordsBesideBoxesTests {
    private func decided(
        _ words: [(state: String, word: String)], _ text: String = "[fields]\ncolour = {colour}"
    ) throws -> String {
        var field = FieldFacts(name: "colour", kind: .radio)
        field.states = words.map(\.state)
        field.stateWords = words.map { .init(state: $0.state, word: $0.word) }
        var mapping = try Mapping(parsing: text)
        mapping.decideByPage([field])
        return mapping.answers(for: "colour").map { "\($0.word)=\($0.answer.text)" }.joined(separator: " ")
    }

    @Test("name them where their states say nothing, and are written down for whoever reads the mapping")
    func taken() throws {
        #expect(try decided([("0", "Single"), ("1", "Married")]) == "Single=0 Married=1")
        #expect(
            try decided([("Choice1", "Single"), ("Choice2", "Married")]) == "Single=Choice1 Married=Choice2")
        // What numbers seem to say does not matter beside what people read.
        #expect(try decided([("0", "Yes"), ("1", "No")]) == "Yes=0 No=1")
        #expect(try decided([("A", "Yes"), ("B", "No")]) == "Yes=A No=B")
        #expect(try decided([("single", "Single"), ("M", "Verheiratet")]) == "Verheiratet=M")
    }

    @Test(
        "mean nothing where the page may have been misread, where they are missing, and where somebody has decided"
    )
    func left() throws {
        #expect(try decided([("Single", "Married"), ("Married", "Single")]) == "")
        #expect(try decided([("0", "Single"), ("1", "")]) == "")
        #expect(try decided([("0", "Single"), ("1", "single")]) == "")
        #expect(try decided([("0", "Single"), ("1", "Married")], "[fields]\ncolour = \"0\"") == "")
        #expect(try decided([("0", "Single"), ("1", "Married")], "[fields]\ncolour =") == "")
        let given = "[fields]\ncolour = {colour}\n\n[values colour]\nM = 1\n"
        #expect(try decided([("0", "Single"), ("1", "Married")], given) == "M=1")
    }
}

@Suite("Decided words") struct DecidedWordsTests {
    private let text = """
        [fields]
        kind = {k}
        ok = {o}

        [values kind]
        # what the town calls it
        kita = Kindergarten
        n/a =
        Elem = ?
        "a = b" = High school

        [values "o[k]"]
        J = yes

        """

    private func facts() -> [FieldFacts] {
        var kind = FieldFacts(name: "kind", kind: .combo)
        kind.options = ["Kindergarten", "Elementary school", "High school"].map {
            .init(export: $0, display: $0)
        }
        kind.value = ["High school"]
        var ok = FieldFacts(name: "ok", kind: .checkBox)
        ok.states = ["1"]
        return [kind, ok]
    }

    private func compiled(_ mapping: Mapping) throws -> CompiledMapping {
        try CompiledMapping(
            mapping, fields: facts(),
            context: FormulaContext(
                columns: FormulaColumns(["k", "o"]),
                today: try #require(WallTime(year: 2026, month: 11, day: 21))))
    }

    @Test("stand in the mapping's file, which is written back as it was read")
    func file() throws {
        var mapping = try Mapping(parsing: text)
        #expect(mapping.text == text)
        #expect(mapping.answers(for: "kind").map(\.word) == ["kita", "n/a", "Elem", "a = b"])
        #expect(
            mapping.answers(for: "kind").map(\.answer) == [
                .choice("Kindergarten"), .empty, .hold, .choice("High school"),
            ])
        #expect(mapping.answers(for: "o[k]").map(\.word) == ["J"])
        mapping.decide([("Elem", .choice("Elementary school")), ("?", .choice("?"))], for: "kind")
        mapping.decide([("x=y", .empty)], for: "a = b")
        #expect(try Mapping(parsing: mapping.text) == mapping)
        #expect(mapping.text.contains("\nElem = Elementary school\n"))
        #expect(mapping.text.contains("\n? = \"?\"\n"))
        #expect(mapping.text.hasSuffix("\n\n[values \"a = b\"]\n\"x=y\" =\n"))
        #expect(mapping.tables.isEmpty)
    }

    @Test("count before any guess: a choice, nothing, or a paper that waits")
    func rows() throws {
        var mapping = try Mapping(parsing: text)
        mapping.decide([("J", .choice("yes")), ("ja", .choice("no"))], for: "ok")
        let compiled = try compiled(mapping)
        func row(_ kind: String, _ ok: String) -> CompiledMapping.Row {
            compiled.row([Cell(kind), Cell(ok)], number: 1)
        }
        #expect(row("kita", "J").values == [.text("Kindergarten"), .flag(true)])
        #expect(row("KITA", "ja").values == [.text("Kindergarten"), .flag(false)])
        #expect(row("n/a", "x").values == [.text(""), .text("x")], "what stands in the form goes")
        let held = row("Elem", "")
        #expect(held.problems.map(\.message) == ["What “Elem” means is still to be decided."])
        #expect(held.problems.map(\.kind) == [.noSuchChoice])
        #expect(row("elemen", "").problems.map(\.kind) == [.takenAs])
    }

    @Test("that name no choice or no field are told before any row")
    func checked() throws {
        var mapping = try Mapping(parsing: "[fields]\nkind = {k}\n")
        mapping.decide([("kita", .choice("Nursery"))], for: "kind")
        mapping.decide([("kita", .choice("Nursery"))], for: "knid")
        let problems = mapping.check(
            facts(), [ColumnFacts(name: "k", samples: ["kita"]), ColumnFacts(name: "o")],
            today: try compiled(mapping).scopes.context)
        let told = problems.filter { $0.severity == .warning }.map(\.description)
        #expect(
            told == [
                "kind: No choice of the form: “kita” is to be “Nursery”.",
                "knid: The form has no field “knid”, for which words were decided.",
            ])
    }

    @Test("are found in a table, each with its count and what it is taken as")
    func found() throws {
        let mapping = try Mapping(
            parsing: "[fields]\nkind = {k}\nok = {o}\n[values kind]\nold = High school\n")
        var words = FieldWords(try compiled(mapping), mapping)
        for (place, kind) in ["Elem", "Elem", "kita", "kita", "kita", "high School", ""].enumerated() {
            words.add([Cell(kind), Cell("yes")], number: place + 1)
        }
        #expect(words.fields == ["kind"])
        #expect(words.words(of: "kind").map(\.text) == ["kita", "Elem", "old", "high School"])
        #expect(words.words(of: "kind").map(\.count) == [3, 2, 0, 1])
        #expect(
            words.words(of: "kind").map(\.answer) == [
                .hold, .choice("Elementary school"), .choice("High school"), .choice("High school"),
            ])
    }
}
