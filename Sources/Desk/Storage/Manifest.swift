import Bytes
import Glibc
public import Work

/// What a backup holds, with a digest of every file. Written last: a snapshot without it is not finished.
public struct Manifest: Sendable, Equatable {
    static let format = 1
    static let fileName = "manifest.json"

    /// A file and what it must be.
    struct Seal: Sendable, Equatable {
        /// Relative to the snapshot.
        var name: String
        var byteCount: Int64
        var digest: Digest
    }

    struct Table: Sendable, Equatable {
        var name: String
        var rowCount: Int
        var file: Seal
    }

    /// The steps that had led to the schema.
    struct Area: Sendable, Equatable {
        var name: String
        var steps: [String]
    }

    /// The version of Quire that made it.
    public var madeBy: String
    public var made: Moment
    /// Which of the backups in its folder this is: the newest has the highest, whatever the clock said. 0 for those from
    /// before there were numbers.
    var number = 0
    var schema: [Area]
    var tables: [Table]
    /// A list of digests and sizes; the bytes lie on the shelf that all snapshots share.
    var blobList: Seal
    public internal(set) var blobCount: Int
    var keys: [Seal]
    /// What the desk itself had lost when the backup was made.
    var missing: [Digest]
}

extension Manifest {
    var json: JSON {
        [
            "format": .int(Self.format),
            "quire": .string(madeBy),
            "made": .string(made.iso8601),
            "number": .int(number),
            "schema": .array(
                schema.map { ["area": .string($0.name), "steps": .array($0.steps.map(JSON.string))] }),
            "tables": .array(
                tables.map { ["name": .string($0.name), "rows": .int($0.rowCount), "file": $0.file.json] }),
            "blobs": ["count": .int(blobCount), "file": blobList.json],
            "keys": .array(keys.map(\.json)),
            "missing": .array(missing.map { .string($0.hex) }),
        ]
    }

    init(_ json: JSON) throws {
        guard let format = json["format"]?.int else { throw Self.unreadable("no format") }
        guard format <= Self.format else {
            throw Failure(
                .unsupported,
                "This backup was made by a newer version of Quire. Restore it with that version.",
                cause: "format \(format)")
        }
        guard let madeBy = json["quire"]?.string,
            let made = json["made"]?.string.flatMap(Moment.init(iso8601:)),
            let areas = json["schema"]?.array, let tables = json["tables"]?.array,
            let keys = json["keys"]?.array, let missing = json["missing"]?.array,
            let blobCount = json["blobs"]?["count"]?.int
        else { throw Self.unreadable("a member is missing") }
        self.madeBy = madeBy
        self.made = made
        self.blobCount = blobCount
        number = json["number"]?.int ?? 0
        schema = try areas.map { area in
            guard let name = area["area"]?.string, let steps = area["steps"]?.array else {
                throw Self.unreadable("schema")
            }
            return Area(name: name, steps: steps.compactMap(\.string))
        }
        self.tables = try tables.map { table in
            guard let name = table["name"]?.string, let rows = table["rows"]?.int else {
                throw Self.unreadable("table")
            }
            return Table(name: name, rowCount: rows, file: try Seal(table["file"]))
        }
        blobList = try Seal(json["blobs"]?["file"])
        self.keys = try keys.map(Seal.init)
        self.missing = missing.compactMap { $0.string.flatMap(Digest.init) }
    }

    static func read(in snapshot: String, _ form: BackupForm) throws -> Manifest {
        let bytes = try form.read(fileName, in: snapshot)
        do {
            return try Manifest(JSON(parsing: bytes))
        } catch let error as JSONError {
            throw unreadable(error.description)
        }
    }

    static func unreadable(_ cause: String) -> Failure {
        Failure(.damaged, "The backup's list of contents is damaged. Choose another snapshot.", cause: cause)
    }
}

extension Manifest.Seal {
    var json: JSON {
        ["name": .string(name), "bytes": .integer(byteCount), "sha256": .string(digest.hex)]
    }

    init(_ json: JSON?) throws {
        guard let name = json?["name"]?.string, let byteCount = json?["bytes"]?.integer,
            let digest = json?["sha256"]?.string.flatMap(Digest.init),
            // The name becomes a path; a spoilt one must not lead elsewhere.
            !name.split(separator: "/", omittingEmptySubsequences: false).contains(where: {
                ["", ".", ".."].contains($0)
            })
        else { throw Manifest.unreadable("file") }
        self.init(name: name, byteCount: byteCount, digest: digest)
    }

    func check(in snapshot: String, _ form: BackupForm) throws {
        var hash = DigestStream()
        var count: Int64 = 0
        try form.each(name, in: snapshot) { piece in
            hash.update(piece)
            count += Int64(piece.count)
        }
        guard count == byteCount, hash.finish() == digest else { throw BackupForm.damaged(name) }
    }
}
