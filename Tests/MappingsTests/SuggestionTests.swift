import Formulas
import Mappings
import PDFForms
import TestSupport
import Testing

@Suite("Suggestions") struct SuggestionTests {
    private func suggested(
        _ fields: [FieldFacts], _ columns: [ColumnFacts], _ mapping: String = ""
    ) throws -> [String: String] {
        let found = try Mapping(parsing: mapping).suggestions(fields, columns)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.field, $0.source.text) })
    }

    private func columns(_ names: String...) -> [ColumnFacts] { names.map { ColumnFacts(name: $0) } }
    private func fields(_ names: String...) -> [FieldFacts] { names.map { FieldFacts(name: $0) } }

    private func comb(
        _ name: String, _ count: Int, left: Double, bottom: Double = 100, page: Int = 0, label: String? = nil
    ) -> FieldFacts {
        var field = FieldFacts(name: name, label: label, maximumLength: count)
        field.isComb = true
        field.places = [
            .init(page: page, left: left, bottom: bottom, right: left + Double(count) * 12, top: bottom + 16)
        ]
        return field
    }

    @Test(
        "Fields and columns that mean the same find each other, whatever the spelling and the language",
        arguments: [
            ("First Name", "first_name"), ("firstName", "Given name"), ("DOB", "Date of birth"),
            ("topmostSubform[0].Page1[0].LastName[0]", "Surname"),
            ("E-Mail", "Email address"), ("PLZ", "ZIP"), ("Geburtsdatum", "birth date"),
            ("SSN", "Social Security Number"), ("phone_number", "Tel."),
            ("Child's name", "child name"), ("Name", "Student name"), ("Ciudad", "City"),
            ("place and date", "Place and Date"),
        ])
    func alike(field: String, column: String) throws {
        #expect(try suggested(fields(field), columns(column, "Shoe size"))[field] == "{\(column)}")
    }

    @Test("Beside a mapping only what is certain goes in by itself, and no column that it uses elsewhere")
    func completions() throws {
        let form = fields("guardian name", "full name", "class", "city")
        let table = columns("Full name", "Class", "City", "Town")
        func completed(_ text: String) throws -> [String: String] {
            let found = try Mapping(parsing: text).completions(form, table)
            return Dictionary(uniqueKeysWithValues: found.map { ($0.field, $0.source.text) })
        }
        let mapped = try completed("[fields]\nguardian name = upper({Full name})\ncity =\n")
        #expect(mapped == ["class": "{Class}"])
        #expect(try completed("others = keep\n[fields]\ncity =\n").isEmpty)
        #expect(try completed("others = suggest\n[fields]\ncity =\n")["full name"] == "{Full name}")
    }

    @Test("The form's own words count more than the field's name")
    func labels() throws {
        let form = [
            FieldFacts(name: "f1_01", label: "Your first name"),
            FieldFacts(name: "f1_02", label: "2. E-mail (we never share it)"),
        ]
        #expect(
            try suggested(form, columns("First name", "Mail")) == [
                "f1_01": "{First name}", "f1_02": "{Mail}",
            ])
        var beside = FieldFacts(name: "Text7")
        beside.nearby = "ZIP code:"
        #expect(try suggested([beside], columns("Postal code"))["Text7"] == "{Postal code}")
    }

    @Test("A column that is called exactly like the field needs no other reason, even among many alike")
    func sameNames() throws {
        let names = ["form[0].f1_01_0_[0]", "form[0].f1_02_0_[0]", "form[0].c1_01[0]", "form[0].c1_01[1]"]
        let found = try suggested(names.map { FieldFacts(name: $0) }, names.map { ColumnFacts(name: $0) })
        for name in names { #expect(found[name] == "{\(name)}") }
    }

    @Test("A column with a field's very name is for that field, and for no other that sounds like it")
    func ownNames() throws {
        // A form of the Veterans Administration has both, and two programs fill them differently.
        let form = [
            FieldFacts(
                name: "form1[0].#subform[37].OFFICIAL_POSITION[0]",
                label: "Official position of person signing"),
            FieldFacts(name: "officialPosition"),
        ]
        let found = try suggested(form, columns("officialPosition"))
        #expect(
            found == [
                "form1[0].#subform[37].OFFICIAL_POSITION[0]": "", "officialPosition": "{officialPosition}",
            ])
        let position = ColumnFacts(name: "Official position", samples: ["Clerk"])
        #expect(
            try suggested(form, [position])["form1[0].#subform[37].OFFICIAL_POSITION[0]"]
                == "{Official position}")
    }

    @Test(
        "A column that is called exactly like a field is not pushed aside by one that could be poured into it"
    )
    func ownNameBeforeGroups() throws {
        let form = [comb("2", 3, left: 100), comb("3", 2, left: 160), comb("4", 4, left: 200)]
        let found = try suggested(
            form,
            [
                ColumnFacts(name: "2", samples: ["101"]), ColumnFacts(name: "3", samples: ["22"]),
                ColumnFacts(name: "4", samples: ["3333"]), ColumnFacts(name: "SSN", samples: ["987-65-4321"]),
            ])
        #expect(found == ["2": "{2}", "3": "{3}", "4": "{4}"])
    }

    @Test("What fits alike stays empty, and says so")
    func ambiguous() throws {
        let found = Mapping().suggestions(fields("Phone"), columns("Phone home", "Phone work"))
        #expect(found[0].source == .empty)
        #expect(found[0].doubt != nil)
        #expect(found[0].runnerUp != nil)
        #expect(
            try suggested(fields("Applicant name", "Spouse name"), columns("Name")) == [
                "Applicant name": "{Name}", "Spouse name": "",
            ])
        #expect(
            try suggested(fields("Employer name", "Colour"), columns("First name", "Last name")) == [
                "Employer name": "", "Colour": "",
            ])
        #expect(try suggested(fields("Name", "Name 2"), columns("Name")) == ["Name": "{Name}", "Name 2": ""])
    }

    @Test("What is mapped, or left empty on purpose, is not spoken of")
    func neverOverwrites() throws {
        #expect(
            try suggested(
                fields("Name", "City", "ZIP"), columns("Name", "City", "ZIP"),
                "[fields]\nName = \"x\"\nCity =\n") == ["ZIP": "{ZIP}"])
        var mapping = try Mapping(parsing: "[fields]\nName = \"x\"\n")
        mapping.takeSuggestions(fields("Name", "City"), columns("Name", "City"))
        #expect(mapping.text == "[fields]\nName = \"x\"\nCity = {City}\n")
    }

    @Test("A suggestion has its reason and its runner-up")
    func reasons() throws {
        let found = Mapping().suggestions(fields("Email"), columns("Email", "Parent email"))[0]
        #expect(found.source == .column("Email"))
        #expect(found.reason == "the field is called so")
        #expect(found.runnerUp?.source == .column("Parent email"))
    }

    @Test("A social security number is poured over three combs, on every page")
    func combs() throws {
        let form = [
            comb("a", 3, left: 50, label: "Social security number"), comb("b", 2, left: 100),
            comb("c", 4, left: 140),
            comb("p2a", 3, left: 50, page: 1, label: "SSN"), comb("p2b", 2, left: 100, page: 1),
            comb("p2c", 4, left: 140, page: 1),
        ]
        let table = [
            ColumnFacts(name: "Name"), ColumnFacts(name: "SSN", samples: ["123-45-6789", "987-65-4321"]),
        ]
        let found = try suggested(form, table)
        #expect(found["a"] == "slice(digits({SSN}), 1, 3)")
        #expect(found["b"] == "slice(digits({SSN}), 4, 5)")
        #expect(found["c"] == "slice(digits({SSN}), 6, 9)")
        #expect(found["p2c"] == "slice(digits({SSN}), 6, 9)")
        let other = try suggested(form, [ColumnFacts(name: "Salary", samples: ["123456789"])])
        #expect(other["a"] == "")
    }

    @Test("A number that two groups of fields could take goes into neither")
    func eitherGroup() throws {
        let form = [
            comb("a", 3, left: 50, label: "SSN or TIN"), comb("b", 2, left: 100), comb("c", 4, left: 140),
            comb("d", 2, left: 50, bottom: 50, label: "EIN or TIN"), comb("e", 7, left: 90, bottom: 50),
        ]
        let open = try suggested(form, [ColumnFacts(name: "TIN", samples: ["123-45-6789"])])
        #expect(open["a"] == "" && open["d"] == "")
        #expect(
            try suggested(form, [ColumnFacts(name: "SSN", samples: ["123-45-6789"])])["a"]
                == "slice(digits({SSN}), 1, 3)")
    }

    @Test("A telephone number over three fields is not taken for a social security number")
    func phoneCombs() throws {
        let form = [
            comb("x", 3, left: 50, label: "Area code"), comb("y", 3, left: 100),
            comb("z", 4, left: 140, label: "Phone"),
        ]
        let table = [
            ColumnFacts(name: "SSN", samples: ["123-45-6789"]),
            ColumnFacts(name: "Phone", samples: ["(555) 010-1234", "555-010-9999"]),
        ]
        #expect(try suggested(form, table)["z"] == "slice(digits({Phone}), 7, 10)")
    }

    @Test("A date is split over month, day and year")
    func dateParts() throws {
        let table = [
            ColumnFacts(name: "DOB", type: .date, samples: ["2015-06-10"]),
            ColumnFacts(name: "Hired", type: .date, samples: ["2020-01-01"]),
        ]
        let form = ["DOB_Month", "DOB_Day", "DOB_Year"].map {
            FieldFacts(name: $0, maximumLength: $0.hasSuffix("Year") ? 2 : nil)
        }
        #expect(
            try suggested(form, table) == [
                "DOB_Month": "date_format({DOB}, \"mm\")", "DOB_Day": "date_format({DOB}, \"dd\")",
                "DOB_Year": "date_format({DOB}, \"yy\")",
            ])
    }

    @Test("A date is split by the names of its fields where the labels have a day of their own")
    func dateLabels() throws {
        let form = ["month", "day", "year"].map {
            FieldFacts(name: "start \($0)", label: "First day of work: \($0)")
        }
        let table = [
            ColumnFacts(name: "First day of work", samples: ["2026-01-31"]),
            ColumnFacts(name: "Birth date", samples: ["1990-01-31"]),
        ]
        #expect(try suggested(form, table)["start day"] == "date_format({First day of work}, \"dd\")")
    }

    @Test("A date is split over fields of two, two and four digits beside a word for a date")
    func dateRun() throws {
        let form = [
            comb("a", 2, left: 50, label: "Date of birth"), comb("b", 2, left: 90), comb("c", 4, left: 130),
        ]
        let table = [ColumnFacts(name: "Born", samples: ["2015-06-10"])]
        #expect(try suggested(form, table)["b"] == "date_format({Born}, \"dd\")")
        #expect(try suggested(form, table, "locale = de\n")["a"] == "date_format({Born}, \"dd\")")
    }

    @Test("A field that is only a part of what stands beside it does not get the whole")
    func parts() throws {
        var form = [FieldFacts(name: "Text1"), FieldFacts(name: "Text2")]
        for index in form.indices {
            form[index].nearby = "Telephone"
            form[index].part = index + 1
        }
        #expect(try suggested(form, columns("Telephone")) == ["Text1": "", "Text2": ""])
    }

    @Test(
        "A whole name does not go where a part of it is asked for, although “name” stands there too",
        arguments: ["NAME. Last Name. 18 characters.", "1. NAME. First Name. 12 characters."])
    func partOfName(_ label: String) throws {
        let form = [comb("Name1", 18, left: 10, label: label), FieldFacts(name: "City")]
        let people = [
            ColumnFacts(name: "Name", samples: ["Ada Lovelace", "Bo Derek"]),
            ColumnFacts(name: "City", samples: ["Rome", "Bern"]),
        ]
        #expect(try suggested(form, people) == ["Name1": "", "City": "{City}"])
        // What a clerk calls so by itself is asked for.
        let family = ColumnFacts(
            name: label.contains("Last") ? "Last name" : "First name", samples: ["Byron"])
        #expect(try suggested(form, [family])["Name1"] == "{\(family.name)}")
    }

    @Test("A date goes into a comb of eight digits in the order of the locale")
    func dateComb() throws {
        let form = [comb("birth date", 8, left: 10)]
        let table = [ColumnFacts(name: "Birth date", samples: ["2015-06-10", "2016-01-31"])]
        #expect(try suggested(form, table)["birth date"] == "date_format({Birth date}, \"mmddyyyy\")")
        #expect(
            try suggested(form, table, "locale = de\n")["birth date"]
                == "date_format({Birth date}, \"ddmmyyyy\")")
        let digits = [ColumnFacts(name: "Birth date", samples: ["06102015", "01312016"])]
        #expect(try suggested(form, digits)["birth date"] == "{Birth date}")
    }

    @Test("A whole name and a whole address are put together from their parts")
    func composed() throws {
        let table = columns("First name", "Last name", "Street", "City", "State", "ZIP")
        #expect(try suggested(fields("Name"), table)["Name"] == "full_name({First name}, {Last name})")
        #expect(
            try suggested([FieldFacts(name: "n", label: "Name (last, first)")], table)["n"]?.isEmpty == false)
        #expect(
            try suggested([FieldFacts(name: "t", label: "City, state, and ZIP code")], table)["t"]
                == "join(\", \", {City}, join(\" \", {State}, {ZIP}))")
        var address = FieldFacts(name: "Address")
        address.isMultiline = true
        #expect(
            try suggested([address], table)["Address"]
                == "lines({Street}, join(\", \", {City}, join(\" \", {State}, {ZIP})))")
        #expect(try suggested(fields("Street", "City"), table) == ["Street": "{Street}", "City": "{City}"])
        #expect(try suggested(fields("Name"), columns("Name", "First name", "Last name"))["Name"] == "{Name}")
    }

    @Test("Boxes whose words are the values of a column are ticked by them")
    func boxes() throws {
        let form = ["Married", "Single", "Widowed"].map { FieldFacts(name: $0, kind: .checkBox) }
        let table = [ColumnFacts(name: "Status", samples: ["single", "married", "single"])]
        let found = try suggested(form, table)
        #expect(found["Married"] == "{Status} = \"married\"")
        #expect(found["Single"] == "{Status} = \"single\"")
        #expect(found["Widowed"] == "")
    }

    @Test(
        "A column whose values do not fit the field is no confident match, unless it has the field's very name"
    )
    func misfits() throws {
        let form = [FieldFacts(name: "State", maximumLength: 2)]
        #expect(
            try suggested(form, [ColumnFacts(name: "state", samples: ["California", "Oregon"])])["State"]
                == "")
        #expect(
            try suggested(form, [ColumnFacts(name: "state", samples: ["CA", "OR"])])["State"] == "{state}")
        #expect(
            try suggested(form, [ColumnFacts(name: "State", samples: ["California", "Oregon"])])["State"]
                == "{State}")
    }

    @Test("Buttons and signatures are left alone; read-only fields only take what is called exactly so")
    func leftAlone() throws {
        #expect(
            try suggested(
                [FieldFacts(name: "Name", kind: .signature), FieldFacts(name: "Send", kind: .pushButton)],
                columns("Name", "Send")
            ).isEmpty)
        var locked = FieldFacts(name: "Name")
        locked.isReadOnly = true
        #expect(try suggested([locked], columns("Name"))["Name"] == "{Name}")
        #expect(try suggested([locked], columns("Student name"))["Name"] == "")
    }

    @Test("A form of six hundred fields and a table of three hundred columns take a moment")
    func large() throws {
        let form = (0..<600).map { FieldFacts(name: "form.field \($0) name", label: "Name of person \($0)") }
        let table = (0..<300).map { ColumnFacts(name: "column \($0) name", samples: ["a"]) }
        let time = try workTime { _ = try suggested(form, table) }
        #expect(time < .seconds(30))
    }
}
