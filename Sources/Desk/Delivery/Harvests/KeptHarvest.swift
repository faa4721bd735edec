public import Bytes
public import Filling
public import Making
import PDFForms
import SQL
public import Storage
public import Work

/// Filled forms that somebody brought in together, read and compared, for as long as they are looked at.
public struct KeptHarvest: Sendable, Equatable {
    public let id: ID<KeptHarvest>
    /// What they were compared with.
    public let batch: ID<Batch>?
    public let harvest: Harvest
    /// Whose each is, in the order of the forms; empty when they were compared with nothing.
    public let matches: [ReturnMatch]
    /// Files that could not be read, each with why.
    public let problems: [Problem]
    public let madeAt: Moment
    public let madeByName: String

    public struct Problem: Sendable, Equatable {
        public var file: String
        public var message: String

        public init(file: String, message: String) {
            self.file = file
            self.message = message
        }
    }

    /// What lists show.
    public struct Line: Sendable, Equatable {
        public let id: ID<KeptHarvest>
        public let batch: ID<Batch>?
        public let formCount: Int
        public let madeAt: Moment
        public let madeByName: String

        init(_ row: Row) throws {
            id = try row.id("id")
            batch = try row.optionalID("batch")
            formCount = try row.int("form_count")
            madeAt = try row.moment("made_at")
            madeByName = try row.text("made_by_name")
        }

        public var json: JSON {
            [
                "id": .string(id.text), "batch": .optional(batch?.text), "forms": .int(formCount),
                "madeAt": .string(madeAt.iso8601), "madeBy": .string(madeByName),
            ]
        }
    }

    init(_ row: Row) throws {
        let line = try Line(row)
        id = line.id
        batch = line.batch
        madeAt = line.madeAt
        madeByName = line.madeByName
        let content = try JSON(parsing: try row.text("content"))
        var harvest = Harvest()
        for form in content["forms"]?.array ?? [] {
            harvest.add(
                .init(
                    file: form["file"]?.string ?? "",
                    entries: (form["fields"]?.array ?? []).map { entry in
                        .init(
                            name: entry[0]?.string ?? "",
                            values: (entry.array ?? []).dropFirst().compactMap(\.string))
                    }))
        }
        self.harvest = harvest
        matches = (content["matches"]?.array ?? []).map(ReturnMatch.init)
        problems = (content["problems"]?.array ?? []).map {
            Problem(file: $0["file"]?.string ?? "", message: $0["message"]?.string ?? "")
        }
    }

    /// As it is kept: a field is an array of its name and its values.
    static func content(_ harvest: Harvest, _ matches: [ReturnMatch], _ problems: [Problem]) -> JSON {
        [
            "forms": .array(
                harvest.forms.map { form in
                    [
                        "file": .string(form.file),
                        "fields": .array(
                            form.entries.map { .array([.string($0.name)] + $0.values.map(JSON.string)) }),
                    ]
                }), "matches": .array(matches.map(\.json)),
            "problems": .array(problems.map(json)),
        ]
    }

    private static func json(_ problem: Problem) -> JSON {
        ["file": .string(problem.file), "message": .string(problem.message)]
    }

    public var found: Int { matches.count { $0.packet != nil } }

    public var json: JSON {
        [
            "id": .string(id.text), "batch": .optional(batch?.text), "madeAt": .string(madeAt.iso8601),
            "madeBy": .string(madeByName), "names": .array(harvest.names.map(JSON.string)),
            "forms": .array(
                harvest.forms.enumerated().map { place, form in
                    [
                        "file": .string(form.file), "fields": form.data.json,
                        "match": matches.indices.contains(place) ? matches[place].json : .null,
                    ]
                }), "problems": .array(problems.map(Self.json)),
        ]
    }

    /// With whose each is, how that was told, and what is different, where they were compared.
    public func table(_ format: Harvest.Format, modified: Moment) throws -> [UInt8] {
        try harvest.table(format, and: ReturnMatch.columns(matches.map(\.json)), modified: modified)
    }
}

extension ReturnMatch {
    init(_ json: JSON) {
        self.init(
            file: json["file"]?.string ?? "", packet: json["packet"]?.string.flatMap(ID<Packet>.init),
            name: json["name"]?.string ?? "",
            how: json["how"]?.string.flatMap(How.init(rawValue:)) ?? .unknown,
            changed: (json["changed"]?.array ?? []).map {
                Change(
                    field: $0["field"]?.string ?? "", sent: $0["sent"]?.string ?? "",
                    returned: $0["returned"]?.string ?? "")
            }, added: (json["added"]?.array ?? []).compactMap(\.string))
    }
}
