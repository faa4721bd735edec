import Access
import App
import Archives
import Bytes
import Delivery
import Filling
import Glibc
import PDF
import PDFForms
import SQL
import Storage
import TestSupport
import Testing
import Work

@testable import Commands

/// The same row, from whatever file and in whatever country, says the same on the command line, in a preview, in a packet,
/// in its receipt, in what is exported and in the letter that goes with it.
@Suite("One maker")
struct OneMakerTests {
    enum Source: String, CaseIterable, Sendable { case csv, pasted, xlsx, ods, json, xfdf, vcf, database }

    static let locales = ["en-US", "de", "fr-CA", "es-MX"]
    static let cases = Source.allCases.flatMap { source in locales.map { (source, $0) } }

    // MARK: The row

    /// A column of the row: what a person types there in each country, and what a file that knows kinds holds.
    struct Column: Sendable {
        enum Typed: Sendable { case text, number(String, format: Int), day(String), time(String), flag(Bool) }

        var name: String
        /// In the order of the locales; one for all where they do not differ.
        var texts: [String]
        var typed: Typed

        init(_ name: String, _ texts: [String], _ typed: Typed = .text) {
            self.name = name
            self.texts = texts
            self.typed = typed
        }

        func text(_ locale: String) -> String {
            texts.count == 1 ? texts[0] : texts[OneMakerTests.locales.firstIndex(of: locale) ?? 0]
        }
    }

    static let columns = [
        Column("child", ["Zoë Ångström"]),
        Column("whole", ["42"], .number("42", format: 0)),
        Column("decimal", ["1.125", "1,125", "1,125", "1.125"], .number("1.125", format: 0)),
        Column("thousands", ["12,345", "12.345", "12 345", "12,345"], .number("12345", format: 1)),
        Column(
            "money", ["$1,234.50", "1.234,50 €", "1 234,50 $", "$1,234.50"], .number("1234.5", format: 2)),
        Column("percent", ["23.02%", "23,02 %", "23,02 %", "23.02%"], .number("0.2302", format: 3)),
        Column(
            "owed", ["($1,234.50)", "(1.234,50 €)", "(1 234,50 $)", "($1,234.50)"],
            .number("-1234.5", format: 6)),
        Column("day", ["03/04/2026", "04.03.2026", "2026-03-04", "04/03/2026"], .day("2026-03-04")),
        Column("time", ["08:30"], .time("08:30")),
        Column("yes", ["yes", "ja", "oui", "sí"], .flag(true)),
        Column("no", ["no", "nein", "non", "no"], .flag(false)),
        Column("tak", ["tak"]), Column("nee", ["否"]),
        Column("empty", [""]),
        Column("zeros", ["00501"]),
        Column("digits", ["12345678901234567890"]),
        Column("part", ["1-2"]), Column("likeday", ["3/4"]), Column("likenumber", ["1e5"]),
    ]

    /// Cards have names of their own for what stands in them.
    static let cardNames = [
        "child": "Name", "decimal": "Note", "thousands": "Organization", "money": "Job title",
        "percent": "Nickname", "day": "Birthday", "zeros": "Postal code",
    ]

    /// What is calculated out of the row, and what has to come of it in each country, whatever file it stood in.
    static let formulas: [(field: String, formula: String, results: [String])] = [
        ("f decimal", "{decimal} * 2", ["2.25", "2,25", "2,25", "2.25"]),
        ("f thousands", "{thousands} + 1", ["12346"]),
        ("f money", "{money} * 2", ["2469"]),
        ("f owed", "{owed} * 2", ["-2469"]),
        ("f percent", "{percent} * 100", ["23.02", "23,02", "23,02", "23.02"]),
        ("f time", "{time} * 24", ["8.5", "8,5", "8,5", "8.5"]),
        ("f later", "date_format({time} + 3 / 4, \"h:mm tt\")", ["2:30 am"]),
        ("f early", "if({time} < \"09:00\" and {time} = \"8:30\", \"early\", \"late\")", ["early"]),
        ("f day", "date_format({day} + 1, \"yyyy-mm-dd\")", ["2026-03-05"]),
        ("f yes", "if({yes}, \"in\", \"out\")", ["in"]),
        ("f no", "if({no}, \"in\", \"out\")", ["out"]),
        ("f zeros", "{zeros} & \"!\"", ["00501!"]),
        ("f digits", "{digits} & \"!\"", ["12345678901234567890!"]),
        ("f empty", "default({empty}, \"nothing\")", ["nothing"]),
    ]

    static func result(_ results: [String], _ locale: String) -> String {
        results.count == 1 ? results[0] : results[locales.firstIndex(of: locale) ?? 0]
    }

    private func columns(_ source: Source) -> [Column] {
        source == .vcf ? Self.columns.filter { Self.cardNames[$0.name] != nil } : Self.columns
    }

    private func header(_ column: String, _ source: Source) -> String {
        source == .vcf ? Self.cardNames[column] ?? column : column
    }

    private func formulas(_ source: Source) -> [(field: String, formula: String, results: [String])] {
        let names = Set(columns(source).map(\.name))
        return Self.formulas.compactMap { entry in
            var formula = entry.formula
            for column in Self.columns where formula.contains("{\(column.name)}") {
                guard names.contains(column.name) else { return nil }
                formula = formula.replacing("{\(column.name)}", with: "{\(header(column.name, source))}")
            }
            return (entry.field, formula, entry.results)
        }
    }

    // MARK: The way of the row

    @Test("A row says the same wherever it is made", arguments: Self.cases)
    func sameEverywhere(_ source: Source, _ locale: String) throws {
        try withScratchFolder { folder in
            let home = folder + "/desk"
            func run(_ words: [String]) -> Said {
                quire(words, home: folder, environment: ["QUIRE_HOME": home])
            }
            func done(_ words: [String]) throws {
                let said = run(words)
                try #require(said.code == .done, "\(words): \(said.error)")
            }
            let table =
                "\(folder)/People.\(source == .pasted ? "txt" : source == .database ? "db" : source.rawValue)"
            try write(source, locale, to: table)
            try put(form(), folder + "/Form.pdf")
            try put(Array(mapping(source, locale).utf8), folder + "/form.map")

            var made: [String: [String: [String]]] = [:]
            if source != .database {
                try done([
                    "fill", "Form.pdf", table, "--map", "form.map", "--out", "filled", "--receipts", "--name",
                    "one",
                ])
                made["fill"] = try values(read(folder + "/filled/one.pdf"))
                let receipt = try JSON(
                    parsing: String(decoding: read(folder + "/filled/one.receipt.json"), as: UTF8.self))
                made["receipt of fill"] = texts(receipt["fields"])
            }
            // Form data of another program are one form's values, not a list of people.
            if source == .xfdf { return try compare(made, source, locale) }

            let database = [
                "recipients", "add", "--from", table, "--query", "SELECT * FROM row",
            ]
            try done(source == .database ? database : ["recipients", "add", table])
            let lists = try JSON(parsing: run(["recipients", "list", "--json"]).output)
            let list = try #require(lists["lists"]?[0]?["id"]?.string, "\(lists.text)")
            try done(["template", "add", "Form.pdf"])
            try done([
                "batch", "add", "B", "--list", list, "-t", "Form", "--map", "form.map", "--name", "one",
                "--locale", locale, "--despite-problems",
            ])
            let before = try look(home, source)
            made["preview"] = before.preview
            try done(["batch", "plan", "B"])
            try done(["batch", "fill", "B"])
            let packets = try JSON(parsing: run(["packet", "list", "B", "--json"]).output)
            let id = try #require(packets["packets"]?[0]?["id"]?.string)
            #expect(packets["packets"]?[0]?["state"]?.string == "made", "\(packets.text)")
            try done(["packet", "export", id, "packet.pdf"])
            made["packet"] = try values(read(folder + "/packet.pdf"))
            let shown = try JSON(parsing: run(["packet", "show", id, "--json"]).output)
            made["receipt of packet"] = texts(shown["receipt"]?["parts"]?[0]?["fields"])
            try done(["batch", "export", "B", "--zip", "all.zip", "--flat"])
            let zip = try ZIPReader(path: folder + "/all.zip")
            let entry = try #require(zip.entries.first { $0.name == "one.pdf" })
            made["export"] = try values(zip.bytes(entry))

            try compare(made, source, locale)
            let letter = try look(home, source).letter
            let folderLetter = run([
                "send", "filled", "--to", "z@example.org", "--subject", "x", "--plain", "--body",
                letterBody(source), "--json",
            ])
            for (place, entry) in formulas(source).enumerated() {
                let expected = Self.result(entry.results, locale)
                #expect(letter[place] == expected, "letter of the batch: \(entry.formula)")
                if source != .database {
                    let text =
                        (try? JSON(parsing: folderLetter.output))?["first"]?["text"]?.string
                        ?? folderLetter.error
                    #expect(text.split(separator: "\n").contains("\(place): \(expected)"), "folder: \(text)")
                }
            }
        }
    }

    /// All outlets say the same of each field, and of what is calculated they say what is right.
    private func compare(
        _ made: [String: [String: [String]]], _ source: Source, _ locale: String
    ) throws {
        let packet = try #require(made["packet"] ?? made["fill"])
        for (outlet, values) in made {
            for (field, value) in values where !(outlet.hasPrefix("receipt") && value.isEmpty) {
                // Boxes have words of their own for yes.
                if field == "box", outlet.hasPrefix("receipt") || outlet == "preview" { continue }
                #expect(value == packet[field], "\(outlet): \(field)")
            }
        }
        for entry in formulas(source) {
            #expect(packet[entry.field] == [Self.result(entry.results, locale)], "\(entry.formula)")
        }
        for column in columns(source) {
            let text = packet["c \(column.name)"]
            switch column.typed {
            case .text: #expect(text == (column.texts[0].isEmpty ? [] : column.texts), "\(column.name)")
            default: #expect(text?.first?.isEmpty == false, "\(column.name)")
            }
        }
        if source != .vcf { #expect(packet["box"] == ["Yes"]) }
    }

    // MARK: Conditions

    @Test(
        "A condition means the same for a row of a run and for a part of a packet",
        arguments: [
            ("nein", false), ("ja", true), ("non", false), ("oui", true), ("no", false), ("sí", true),
            ("0", false), ("1", true), ("", false), ("x", true), ("falsch", false), ("否", false),
            ("maybe", nil),
        ] as [(String, Bool?)])
    func conditions(_ word: String, _ isMeant: Bool?) throws {
        try withScratchFolder { folder in
            let home = folder + "/desk"
            func run(_ words: [String]) -> Said {
                quire(words, home: folder, environment: ["QUIRE_HOME": home])
            }
            try put(Array("child,goes\nZoë,\(word)\n".utf8), folder + "/People.csv")
            try put(form(), folder + "/Form.pdf")
            try put(Array("[fields]\nc child = {child}\n".utf8), folder + "/form.map")
            let filled = run([
                "fill", "Form.pdf", "People.csv", "--map", "form.map", "--only", "{goes}", "--out", "out",
                "--name", "one",
            ])
            let isThere = access(folder + "/out/one.pdf", F_OK) == 0
            #expect(isThere == (isMeant ?? false), "\(filled.error)")
            #expect(run(["recipients", "add", "People.csv"]).code == .done)
            #expect(run(["template", "add", "Form.pdf"]).code == .done)
            let added = run([
                "batch", "add", "B", "--list", "People", "-t", "Form", "--map", "form.map", "--if",
                "1={goes}",
            ])
            #expect(added.code == .done, "\(added.error)")
            #expect(run(["batch", "plan", "B"]).code == .done)
            let packet = try JSON(parsing: run(["packet", "list", "B", "--json"]).output)["packets"]?[0]
            #expect(packet?["state"]?.string == (isMeant == true ? "planned" : "held"))
            let reason = packet?["reason"]?.string ?? ""
            guard isMeant == nil else { return }
            #expect(filled.error.contains("“maybe” is neither yes nor no."), "\(filled.error)")
            #expect(reason.contains("“maybe” is neither yes nor no."), "\(reason)")
        }
    }

    // MARK: Looking

    /// What the page that matches columns shows, and the letter of the batch.
    private func look(
        _ home: String, _ source: Source
    ) throws -> (preview: [String: [String]], letter: [String]) {
        let desk = try Quire.open(.load(flags: ["home": home], environment: [:]), log: .silent)
        defer { desk.stop() }
        let batch = try #require(try desk.batches.list(by: .local).batches.first)
        let preview = try values(desk.batches.match(batch, by: .local).filled().bytes)
        guard batch.state == .done else { return (preview, []) }
        let letter = BatchLetter(subject: "x", body: letterBody(source), form: .plain, attaches: .nothing)
        let written = try desk.sendings.preview(letter, of: batch.id, by: .local)
        let lines = written.text.split(separator: "\n").map(String.init)
        return (preview, lines.map { String($0.drop { $0 != ":" }.dropFirst(2)) })
    }

    private func letterBody(_ source: Source) -> String {
        formulas(source).enumerated().map { "\($0): {{= \($1.formula)}}" }.joined(separator: "\n")
    }

    private func values(_ bytes: [UInt8]) throws -> [String: [String]] {
        let fields = try Form(bytes: bytes).fields
        return Dictionary(
            fields.map { ($0.name, $0.value.filter { !$0.isEmpty }) }, uniquingKeysWith: { first, _ in first }
        )
    }

    private func texts(_ json: JSON?) -> [String: [String]] {
        Dictionary(
            (json?.array ?? []).map { entry in
                (entry["field"]?.string ?? "", [entry["value"]?.string ?? ""].filter { !$0.isEmpty })
            }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Files

    private func mapping(_ source: Source, _ locale: String) -> String {
        var lines = ["locale = \(locale)", "[fields]"]
        for column in columns(source) {
            lines.append("c \(column.name) = {\(header(column.name, source))}")
        }
        for entry in formulas(source) { lines.append("\(entry.field) = \(entry.formula)") }
        if source != .vcf {
            lines += ["number = {decimal}", "date = {day}", "box = {yes}"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func form() throws -> [UInt8] {
        var draft = PDFDraft()
        let page = draft.newReference()
        let names = Self.columns.map { "c \($0.name)" } + Self.formulas.map(\.field)
        func field(_ name: String, _ place: Int, _ more: PDFDictionary) -> PDFObject {
            var entries: PDFDictionary = [
                "Type": .name("Annot"), "Subtype": .name("Widget"), "T": .text(name), "F": .integer(4),
                "Rect": .array([10, 10 + 20 * place, 400, 26 + 20 * place].map(PDFObject.integer)),
            ]
            for key in more.keys { entries[key] = more[key] }
            return .reference(draft.add(.dictionary(entries)))
        }
        func script(_ text: String) -> PDFObject {
            .dictionary(["S": .name("JavaScript"), "JS": .text(text)])
        }
        let state = draft.add(
            .dictionary([
                "Type": .name("XObject"), "Subtype": .name("Form"),
                "BBox": .array([0, 0, 16, 16].map(PDFObject.integer)),
            ]))
        var fields = names.enumerated().map { field($1, $0, ["FT": .name("Tx")]) }
        fields.append(
            field(
                "number", names.count,
                [
                    "FT": .name("Tx"),
                    "AA": .dictionary(["F": script("AFNumber_Format(3, 0, 0, 0, \"\", true);")]),
                ]))
        fields.append(
            field(
                "date", names.count + 1,
                ["FT": .name("Tx"), "AA": .dictionary(["F": script("AFDate_FormatEx(\"yyyy-mm-dd\");")])]))
        fields.append(
            field(
                "box", names.count + 2,
                [
                    "FT": .name("Btn"), "AS": .name("Off"),
                    "AP": .dictionary([
                        "N": .dictionary(["Yes": .reference(state), "Off": .reference(state)])
                    ]),
                ]))
        let pages = draft.add(
            .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]))
        draft.put(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(pages), "Annots": .array(fields),
                "MediaBox": .array([0, 0, 612, 792].map(PDFObject.integer)),
            ]), at: page)
        let root = draft.add(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(pages),
                "AcroForm": .dictionary(["Fields": .array(fields)]),
            ]))
        return draft.bytes(root: root)
    }

    private func write(_ source: Source, _ locale: String, to path: String) throws {
        let columns = columns(source)
        let names = columns.map(\.name)
        let texts = columns.map { $0.text(locale) }
        func csv(_ cells: [String], _ separator: String) -> String {
            cells.map { "\"\($0)\"" }.joined(separator: separator) + "\n"
        }
        func file(_ text: String) throws { try put(Array(text.utf8), path) }
        switch source {
        case .csv: try file(csv(names, ";") + csv(texts, ";"))
        case .pasted: try file(names.joined(separator: "\t") + "\n" + texts.joined(separator: "\t") + "\n")
        case .xlsx: try put(workbook(), path)
        case .ods: try put(openSheet(), path)
        case .json: try file(JSON.array([.object(object())]).text)
        case .xfdf:
            let fields = zip(names, texts).map {
                "<field name=\"\($0)\"><value>\($1)</value></field>"
            }.joined()
            try file(
                "<?xml version=\"1.0\"?><xfdf xmlns=\"http://ns.adobe.com/xfdf/\"><fields>\(fields)</fields></xfdf>"
            )
        case .vcf:
            let text = Dictionary(zip(names, texts), uniquingKeysWith: { first, _ in first })
            func line(_ key: String, _ column: String) -> String {
                "\(key):\((text[column] ?? "").replacing(",", with: "\\,"))\r\n"
            }
            try file(
                "BEGIN:VCARD\r\nVERSION:3.0\r\n" + line("FN", "child") + line("NOTE", "decimal")
                    + line("ORG", "thousands") + line("TITLE", "money") + line("NICKNAME", "percent")
                    + line("BDAY", "day") + "ADR:;;;;;\(text["zeros"] ?? "");\r\nEND:VCARD\r\n")
        case .database:
            let database = try Database.sqlite(at: path)
            defer { database.close() }
            try database.write { db in
                let kinds = columns.map { column -> String in
                    switch column.typed {
                    case .number: "\"\(column.name)\" REAL"
                    case .flag: "\"\(column.name)\" INTEGER"
                    default: "\"\(column.name)\" TEXT"
                    }
                }
                let values = columns.map { column -> String in
                    switch column.typed {
                    case .number(let number, _): number
                    case .flag(let flag): flag ? "1" : "0"
                    case .day(let day): "'\(day)'"
                    case .time(let time): "'\(time)'"
                    case .text: "'\(column.texts[0])'"
                    }
                }
                try db.run(Query(raw: "CREATE TABLE row (\(kinds.joined(separator: ", ")))"))
                try db.run(Query(raw: "INSERT INTO row VALUES (\(values.joined(separator: ", ")))"))
            }
        }
    }

    private func object() -> JSONObject {
        var object: JSONObject = [:]
        for column in Self.columns {
            switch column.typed {
            case .number(let number, _): object[column.name] = (try? JSON(parsing: number)) ?? .null
            case .flag(let flag): object[column.name] = .bool(flag)
            case .day(let day): object[column.name] = .string(day)
            default: object[column.name] = .string(column.texts[0])
            }
        }
        return object
    }

    private func zipped(_ parts: [(String, String)]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        for (name, text) in parts { try zip.add(name, Array(text.utf8), modified: Moment(milliseconds: 0)) }
        try zip.finish()
        return bytes
    }

    private func workbook() throws -> [UInt8] {
        let main = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
        let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        func text(_ text: String) -> String { "<c t=\"str\"><v>\(text)</v></c>" }
        // 2026-03-04 is day 46085 of a workbook, and half past eight a little more than a third of a day.
        let cells = Self.columns.map { column in
            switch column.typed {
            case .text: column.texts[0].isEmpty ? "<c/>" : text(column.texts[0])
            case .number(let number, let format): "<c s=\"\(format)\"><v>\(number)</v></c>"
            case .day: "<c s=\"4\"><v>46085</v></c>"
            case .time: "<c s=\"5\"><v>0.354166666666667</v></c>"
            case .flag(let flag): "<c t=\"b\"><v>\(flag ? 1 : 0)</v></c>"
            }
        }
        let formats = [
            (200, "#,##0"), (201, "&quot;$&quot;#,##0.00"), (202, "0.00%"), (203, "yyyy\\-mm\\-dd"),
            (204, "hh:mm"), (205, "&quot;$&quot;#,##0.00_);(&quot;$&quot;#,##0.00)"),
        ]
        let styles =
            "<numFmts>"
            + formats.map { "<numFmt numFmtId=\"\($0.0)\" formatCode=\"\($0.1)\"/>" }.joined()
            + "</numFmts><cellXfs><xf numFmtId=\"0\"/>"
            + formats.map { "<xf numFmtId=\"\($0.0)\"/>" }.joined() + "</cellXfs>"
        return try zipped([
            ("[Content_Types].xml", "<Types/>"),
            (
                "_rels/.rels",
                "<Relationships><Relationship Id=\"r\" Type=\"\(relations)/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
            (
                "xl/workbook.xml",
                "<workbook \(main)><sheets><sheet name=\"People\" r:id=\"s1\"/></sheets></workbook>"
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"s1\" Type=\"\(relations)/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"t\" Type=\"\(relations)/styles\" Target=\"styles.xml\"/></Relationships>"
            ),
            ("xl/styles.xml", "<styleSheet \(main)>\(styles)</styleSheet>"),
            (
                "xl/worksheets/sheet1.xml",
                "<worksheet \(main)><sheetData><row>\(Self.columns.map { text($0.name) }.joined())</row><row>\(cells.joined())</row></sheetData></worksheet>"
            ),
        ])
    }

    private func openSheet() throws -> [UInt8] {
        func cell(_ attributes: String, _ text: String) -> String {
            "<table:table-cell \(attributes)><text:p>\(text)</text:p></table:table-cell>"
        }
        let cells = Self.columns.map { column in
            let shown = column.texts[0]
            switch column.typed {
            case .text:
                return shown.isEmpty ? "<table:table-cell/>" : cell("office:value-type=\"string\"", shown)
            case .number(let number, let format):
                let kind = [2: "currency", 3: "percentage", 6: "currency"][format] ?? "float"
                return cell("office:value-type=\"\(kind)\" office:value=\"\(number)\"", shown)
            case .day(let day): return cell("office:value-type=\"date\" office:date-value=\"\(day)\"", day)
            case .time(let time):
                return cell("office:value-type=\"time\" office:time-value=\"PT08H30M00S\"", time)
            case .flag(let flag):
                return cell(
                    "office:value-type=\"boolean\" office:boolean-value=\"\(flag)\"", flag ? "TRUE" : "FALSE")
            }
        }
        let names = Self.columns.map { cell("office:value-type=\"string\"", $0.name) }
        return try zipped([
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            (
                "content.xml",
                """
                <office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" \
                xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" \
                xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>\
                <table:table table:name="People"><table:table-row>\(names.joined())</table:table-row>\
                <table:table-row>\(cells.joined())</table:table-row></table:table>\
                </office:spreadsheet></office:body></office:document-content>
                """
            ),
        ])
    }

    private func put(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "we"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    private func read(_ path: String) -> [UInt8] { (try? PDFFile.read(path)) ?? [] }
}
