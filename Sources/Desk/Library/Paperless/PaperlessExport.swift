import Bytes
import Storage
import Work

/// What `document_exporter` of Paperless-ngx wrote: its papers and what was written on them. Files are read when they are
/// asked for.
public struct PaperlessExport {
    struct Paper {
        var number: Int
        var title: String
        /// As Paperless knows the bytes.
        var checksum: String
        var created: String
        var tags: [Int]
        var correspondent: Int?
        var documentType: Int?
        var storagePath: Int?
        var serialNumber: Int?
        var original: String?
        var archive: String?
        var isDeleted: Bool
    }

    struct Field {
        var name: String
        var kind: String
        var choices: [(id: String, label: String)]
    }

    struct Note {
        var text: String
        var day: String
        var author: Int?
    }

    let files: PaperlessFiles
    private(set) var papers: [Paper] = []
    private(set) var tags: [Int: String] = [:]
    private(set) var correspondents: [Int: String] = [:]
    private(set) var documentTypes: [Int: String] = [:]
    private(set) var storagePaths: [Int: String] = [:]
    private(set) var fields: [Int: Field] = [:]
    /// By paper and field.
    private(set) var values: [Int: [(field: Int, value: JSON)]] = [:]
    private(set) var notes: [Int: [Note]] = [:]
    private(set) var users: [Int: String] = [:]
    /// Saved searches that are nothing but words.
    private(set) var searches: [(name: String, words: String)] = []
    /// What Quire has no place for, by what it is called, with how many there are.
    private(set) var others: [String: Int] = [:]

    private var views: [Int: String] = [:]
    private var viewRules: [Int: [(kind: Int, value: String)]] = [:]

    /// The folder of an export, or a ZIP archive of it.
    public init(_ path: String) throws {
        files = try PaperlessFiles(path)
        for list in files.lists {
            var elements = JSONElements()
            do {
                try files.read(list) { piece in try elements.take(piece) { take($0) } }
                try elements.end()
            } catch let error as JSONError {
                throw Failure(
                    .damaged, "The list \(list) of the export cannot be read: \(error.reason).", field: "file"
                )
            }
        }
        settleSearches()
    }

    public var paperCount: Int { papers.count }

    private mutating func take(_ record: JSON) {
        guard let model = record["model"]?.string, let number = record["pk"]?.int,
            let fields = record["fields"]
        else { return }
        let name = fields["name"]?.string ?? ""
        switch model {
        case "documents.tag": tags[number] = name
        case "documents.correspondent": correspondents[number] = name
        case "documents.documenttype": documentTypes[number] = name
        case "documents.storagepath": storagePaths[number] = name
        case "documents.customfield": self.fields[number] = Self.field(fields)
        case "documents.customfieldinstance": takeValue(fields)
        case "documents.note", "documents.comment": takeNote(fields)
        case "documents.document": papers.append(Self.paper(number, fields, record))
        case "documents.savedview": views[number] = name
        case "documents.savedviewfilterrule":
            guard let view = fields["saved_view"]?.int, let kind = fields["rule_type"]?.int else { return }
            viewRules[view, default: []].append((kind, fields["value"]?.string ?? ""))
        case "auth.user": users[number] = fields["username"]?.string ?? ""
        default:
            if let what = Self.unknownKinds[model] { others[what, default: 0] += 1 }
        }
    }

    private static let unknownKinds = [
        "auth.group": "groups", "documents.workflow": "workflows", "documents.sharelink": "share links",
        "documents.consumptiontemplate": "consumption templates",
        "paperless_mail.mailaccount": "mail accounts",
        "paperless_mail.mailrule": "mail rules",
    ]

    private static func paper(_ number: Int, _ fields: JSON, _ record: JSON) -> Paper {
        Paper(
            number: number, title: fields["title"]?.string ?? "", checksum: fields["checksum"]?.string ?? "",
            created: day(fields["created"]?.string ?? ""),
            tags: (fields["tags"]?.array ?? []).compactMap(\.int),
            correspondent: fields["correspondent"]?.int, documentType: fields["document_type"]?.int,
            storagePath: fields["storage_path"]?.int, serialNumber: fields["archive_serial_number"]?.int,
            original: record["__exported_file_name__"]?.string,
            archive: record["__exported_archive_name__"]?.string,
            isDeleted: fields["deleted_at"].map { !$0.isNull } ?? false)
    }

    /// Since version 2.16 a day; before that the moment at which the day began where Paperless stood, told as that of
    /// Greenwich: east of it that is an hour of the evening before.
    static func day(_ text: String) -> String {
        let day = String(text.prefix(10))
        guard text.utf8.count > 10 else { return Moment(iso8601: day + "T00:00:00Z") == nil ? "" : day }
        guard let moment = Moment(iso8601: text) else {
            return Moment(iso8601: day + "T00:00:00Z") == nil ? "" : day
        }
        let time = moment.wallTimeInUTC
        let isMidnightSomewhere = time.second == 0 && time.minute % 15 == 0 && time.hour > 12
        return String((isMidnightSomewhere ? moment + .seconds(12 * 3_600) : moment).iso8601.prefix(10))
    }

    private static func field(_ fields: JSON) -> Field {
        let options = fields["extra_data"]?["select_options"]?.array ?? []
        // Older exports name a choice by its place.
        let choices = options.enumerated().map { place, option in
            (id: option["id"]?.string ?? String(place), label: option["label"]?.string ?? option.string ?? "")
        }
        return Field(
            name: fields["name"]?.string ?? "", kind: fields["data_type"]?.string ?? "string",
            choices: choices)
    }

    private mutating func takeValue(_ fields: JSON) {
        guard let paper = fields["document"]?.int, let field = fields["field"]?.int,
            fields["deleted_at"]?.isNull ?? true
        else { return }
        let columns = [
            "value_text", "value_bool", "value_url", "value_date", "value_int", "value_float",
            "value_monetary",
            "value_document_ids", "value_select", "value_long_text",
        ]
        for column in columns {
            if let value = fields[column], !value.isNull {
                values[paper, default: []].append((field, value))
                return
            }
        }
    }

    private mutating func takeNote(_ fields: JSON) {
        guard let paper = fields["document"]?.int, fields["deleted_at"]?.isNull ?? true,
            let text = fields["note"]?.string ?? fields["comment"]?.string
        else { return }
        notes[paper, default: []].append(
            Note(
                text: text, day: String((fields["created"]?.string ?? "").prefix(10)),
                author: fields["user"]?.int))
    }

    /// A view that asks for words alone is a search; any other is a way of looking that Quire has not.
    private mutating func settleSearches() {
        for (number, name) in views.sorted(by: { $0.key < $1.key }) {
            let rules = viewRules[number] ?? []
            // 19: words in title and content; 20: the search box.
            if rules.count == 1, [19, 20].contains(rules[0].kind), !rules[0].value.isEmpty {
                searches.append((name, rules[0].value))
            } else {
                others["saved views", default: 0] += 1
            }
        }
        (views, viewRules) = ([:], [:])
    }
}
