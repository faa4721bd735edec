import Bytes
import SQL
import Storage
import Tables
import Work

/// One state of a list: its columns, its sources, and which chunks hold its rows.
struct Edition {
    var number: Int
    var parent: Int
    var columns: [RecipientColumn] = []
    var sources: [RecipientSource] = []
    /// Numbers of recipients are given once and never again.
    var nextNumber: UInt32 = 1
    var chunks: [ChunkEntry] = []

    var count: Int { chunks.reduce(0) { $0 + ($1.isSetAside ? 0 : Int($1.count)) } }
    var flawCount: Int { chunks.reduce(0) { $0 + ($1.isSetAside ? Int($1.count) : 0) } }

    /// Counts again what each source has, after its chunks have changed.
    mutating func recount() {
        for place in sources.indices {
            let own = chunks.filter { $0.source == sources[place].number }
            sources[place].count = own.reduce(0) { $0 + ($1.isSetAside ? 0 : Int($1.count)) }
            sources[place].flawCount = own.reduce(0) { $0 + ($1.isSetAside ? Int($1.count) : 0) }
        }
    }

    /// Rows that were made by hand, for a first one to come.
    mutating func sourceForHand(
        kind: RecipientSource.Kind, name: String, at now: Moment, by person: String
    ) -> Int {
        if let there = sources.first(where: { $0.kind == kind && $0.name == name }) { return there.number }
        let number = (sources.map(\.number).max() ?? 0) + 1
        sources.append(
            RecipientSource(
                number: number, kind: kind, name: name, count: 0, flawCount: 0, importedAt: now,
                importedByName: person))
        return number
    }
}

/// A chunk as an edition names it.
struct ChunkEntry: Equatable {
    var number: Int64
    var source: Int
    var count: UInt32
    /// The lowest and highest numbers of the recipients in it.
    var first: UInt32
    var last: UInt32
    /// Holds rows that wait to be mended.
    var isSetAside: Bool

    static let byteCount = 25

    static func encode(_ chunks: [ChunkEntry]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chunks.count * byteCount)
        for chunk in chunks {
            withUnsafeBytes(of: chunk.number.littleEndian) { bytes.append(contentsOf: $0) }
            for number in [UInt32(clamping: chunk.source), chunk.count, chunk.first, chunk.last] {
                withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
            }
            bytes.append(chunk.isSetAside ? 1 : 0)
        }
        return bytes
    }

    static func decode(_ bytes: [UInt8]) throws -> [ChunkEntry] {
        guard bytes.count % byteCount == 0 else {
            throw Failure(
                .damaged, "A list is not what it was when it was saved.", cause: "chunks of an edition")
        }
        return bytes.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count, by: byteCount).map { place in
                func word(_ offset: Int) -> UInt32 {
                    UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: place + offset, as: UInt32.self))
                }
                return ChunkEntry(
                    number: Int64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: Int64.self)),
                    source: Int(word(8)), count: word(12), first: word(16), last: word(20),
                    isSetAside: raw[place + 24] == 1)
            }
        }
    }
}

extension Edition {
    var facts: JSON {
        [
            "columns": .array(
                columns.map { column in
                    [
                        "name": .string(column.name), "kind": .string(column.kind.rawValue),
                        "role": .optional(column.role?.rawValue),
                    ]
                }),
            "sources": .array(
                sources.map { source in
                    [
                        "number": .int(source.number), "kind": .string(source.kind.rawValue),
                        "name": .string(source.name), "count": .int(source.count),
                        "flaws": .int(source.flawCount), "at": .integer(source.importedAt.milliseconds),
                        "by": .string(source.importedByName), "digest": .optional(source.digest?.hex),
                        "format": .optional(source.format?.rawValue), "key": .optional(source.keyColumn),
                        "hidden": .int(source.hiddenRowCount), "layout": source.layout.view,
                    ]
                }),
            "next": .int(Int(nextNumber)),
        ]
    }

    init(_ row: Row) throws {
        number = try row.int("number")
        parent = try row.int("parent")
        chunks = try ChunkEntry.decode(try row.blob("chunks"))
        read(try JSON(parsing: try row.text("facts")))
    }

    /// What `facts` wrote.
    mutating func read(_ facts: JSON) {
        columns = (facts["columns"]?.array ?? []).map { column in
            RecipientColumn(
                name: column["name"]?.string ?? "",
                kind: column["kind"]?.string.flatMap(Cell.Kind.init) ?? .text,
                role: column["role"]?.string.flatMap(ColumnRole.init))
        }
        sources = (facts["sources"]?.array ?? []).map { source in
            RecipientSource(
                number: source["number"]?.int ?? 0,
                kind: source["kind"]?.string.flatMap(RecipientSource.Kind.init) ?? .file,
                name: source["name"]?.string ?? "", count: source["count"]?.int ?? 0,
                flawCount: source["flaws"]?.int ?? 0,
                importedAt: Moment(milliseconds: source["at"]?.integer ?? 0),
                importedByName: source["by"]?.string ?? "",
                digest: source["digest"]?.string.flatMap { Digest($0) },
                format: source["format"]?.string.flatMap(TableFormat.init), keyColumn: source["key"]?.string,
                hiddenRowCount: source["hidden"]?.int ?? 0, layout: SourceLayout(source["layout"]))
        }
        nextNumber = UInt32(clamping: facts["next"]?.int ?? 1)
    }
}
