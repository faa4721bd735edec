import Bytes
import Making
import Formulas
import Glibc
import Mappings
import PDFForms
import Storage
import Tables
import Work

extension Option {
    /// How the table is to be read, where looking at it is not enough.
    static let ofTables: [Option] = [
        Option("sheet", "NAME", "which sheet of a workbook"),
        Option("header-row", "NUMBER", "the line or row with the names of the columns; 0 when there is none"),
        Option("separator", "SIGN", "what stands between cells: ',' ';' '|' or tab"),
        Option("encoding", "NAME", "how letters are stored, such as windows-1252"),
        Option("hidden-rows", nil, "also rows that the sheet hides"),
    ]

    /// What fills what.
    static let ofMappings: [Option] = [
        Option("map", "MAP", "a mapping file, as “quire map” writes it", completion: .file),
        Option(
            "set", "FIELD=FORMULA", "fill one field: 'city={Town}', 'date=today', 'note=\"text\"'",
            isRepeating: true),
        Option("locale", "LOCALE", "how numbers and dates are read and written: en-US, de, fr-CA"),
        Option("form-password", "PASSWORD", "opens a locked form"),
        Option("today", "DATE", "what day it is for formulas, as 2026-12-31", isHidden: true),
    ]

    /// What is made, and how.
    static let ofRuns: [Option] = [
        Option(
            "out", letter: "o", "FOLDER", "where the documents go; made when it is not there",
            completion: .folder),
        Option("zip", "FILE", "one ZIP archive with all documents instead of a folder", completion: .file),
        Option(
            "merged", "FILE", "one PDF with all documents, ready to print, values part of the pages",
            completion: .file),
        Option(
            "keep-fields", nil, "with --merged: fields stay, each record's under a name of its own (7.name)"),
        Option(
            "name", letter: "n", "PATTERN",
            "what files are called: '{Class}/{Last name} {row}'; strokes make folders"),
        Option("only", "FORMULA", "only rows for which it says yes: '{Class} = \"5a\"'"),
        Option("flatten", nil, "make the fields part of the page, so that nothing can be changed"),
        Option("password", "FORMULA", "lock each document (AES-256) with a password: '{Birth date}'"),
        Option("receipts", nil, "write for each document what went into it and where from, as JSON"),
        Option("strict", nil, "take warnings for failures, and keep no document that lacks something"),
        Option("force", letter: "f", nil, "replace files that are there already"),
        Option("proof", nil, "read every document again before it is kept, not only the first"),
        Option(
            "proof-pictures", nil,
            "and draw and read each, to see that every value is there; slow"),
        Option("jobs", letter: "j", "NUMBER", "how many documents are made at the same time"),
    ]
}

/// A form, a table, and what fills what: what “fill”, “plan” and “map” have in common.
struct FormTask {
    let call: Invocation
    let formPath: String
    let form: InputFile
    let table: InputFile
    let tableOptions: TableOptions
    let today: WallTime

    init(_ call: Invocation) throws {
        HeldMemory.letGo()
        self.call = call
        formPath = call.absolute(call.arguments[0])
        form = try InputFile(path: formPath)
        table =
            call.arguments[1] == "-"
            ? try InputFile(pipe: 0, name: "standard input")
            : try InputFile.table(call.absolute(call.arguments[1]), call)
        tableOptions = try Self.tableOptions(call)
        today = try Self.today(call)
    }

    init(
        _ call: Invocation, form: InputFile, formPath: String, table: InputFile, tableOptions: TableOptions,
        today: WallTime
    ) {
        self.call = call
        self.form = form
        self.formPath = formPath
        self.table = table
        self.tableOptions = tableOptions
        self.today = today
    }

    /// The form's name without its ending.
    var template: String { Self.stem(formPath) }

    static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? "form"
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && parts[0] != "" ? parts.dropLast().joined(separator: ".") : name
    }

    /// What was typed and what the mapping file says, together; what was typed counts more.
    func mapping() throws -> Mapping {
        var mapping = Mapping()
        if let path = call.value("map") {
            let text = String(decoding: try InputFile(path: call.absolute(path)).bytes(), as: UTF8.self)
            do throws(MappingProblem) { mapping = try Mapping(parsing: text) } catch {
                throw Failure(.invalid, "The mapping “\(path)” cannot be read, \(error)")
            }
        }
        for pair in call.options["set"] ?? [] {
            guard let split = pair.firstIndex(of: "="), split != pair.startIndex else {
                throw UsageError(
                    message: "--set takes FIELD=FORMULA, not “\(pair)”",
                    hint: "For example --set 'city={Town}'.")
            }
            mapping[String(pair[..<split])] = Mapping.Source(String(pair[pair.index(after: split)...]))
        }
        for (option, setting) in [
            ("name", Mapping.Setting.name), ("only", .only), ("password", .password), ("locale", .locale),
        ] {
            if let value = call.value(option) { mapping[setting] = value }
        }
        if call.has("flatten") { mapping[.flatten] = "yes" }
        return mapping
    }

    func context(_ table: borrowing FormTable) -> FormulaContext {
        FormulaContext(
            columns: FormulaColumns(table.columns), today: today, rowCount: table.count, template: template)
    }

    private static func tableOptions(_ call: Invocation) throws -> TableOptions {
        var options = TableOptions()
        options.sheet = call.value("sheet")
        options.encoding = call.value("encoding")
        options.includesHiddenRows = call.has("hidden-rows")
        if let words = call.value("header-row") {
            guard let row = Int(words), (0...1_000_000).contains(row) else {
                throw UsageError(
                    message: "--header-row takes a number, not “\(words)”",
                    hint: "1 is the first row, 0 none.")
            }
            options.headerRow = row
        }
        if let sign = call.value("separator") {
            let sign = sign.lowercased() == "tab" || sign == "\\t" ? "\t" : sign
            guard sign.count == 1, let character = sign.first, character.isASCII else {
                throw UsageError(
                    message: "--separator takes one sign, not “\(sign)”", hint: "For example --separator ';'."
                )
            }
            options.separator = character
        }
        return options
    }

    private static func today(_ call: Invocation) throws -> WallTime {
        if let words = call.value("today") {
            guard let day = WallTime(day: words) else {
                throw UsageError(
                    message: "--today takes a date like 2026-12-31, not “\(words)”",
                    hint: "Leave it out for today.")
            }
            return day
        }
        return try now()
    }

    /// The day it is where this machine stands.
    static func now() throws -> WallTime {
        var seconds = time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        guard
            let day = WallTime(
                year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        else { throw Failure(.unavailable, "The clock of this machine shows no date.") }
        return day
    }
}

extension WallTime {
    /// `2026-12-31`
    init?(day text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
            return nil
        }
        self.init(year: year, month: month, day: day)
    }

    var dayText: String { String(text.prefix { $0 != "T" }) }
}
