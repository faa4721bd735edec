import Bytes
import SQL
public import Storage
public import Work

/// A place with which this desk keeps in step.
public struct SyncPlace: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case folder, webdav, s3
        /// Another Quire, which serves as the place.
        case quire
        /// This desk itself, which serves as the place for other Quires.
        case here
    }

    public enum State: String, Sendable, CaseIterable {
        /// Nobody has been there yet.
        case new
        case syncing
        case synced
        /// Done but for single things, which say why.
        case failed
        /// It does not answer; tried again by itself.
        case unavailable
        /// It answers and does not let us: a person has to do something.
        case refused
    }

    /// What is kept in step besides papers and folders.
    public struct Choice: Sendable, Equatable {
        /// Earlier versions of papers.
        public var versions = true

        public init(versions: Bool = true) { self.versions = versions }
    }

    /// What a server asks for besides its address and a secret.
    public struct Options: Sendable, Equatable {
        /// The user of a WebDAV server, the access key of a bucket.
        public var user = ""
        public var bucket = ""
        public var region = ""
        /// A folder in the bucket.
        public var prefix = ""
        public var isEncrypted = false

        public init(
            user: String = "", bucket: String = "", region: String = "", prefix: String = "",
            isEncrypted: Bool = false
        ) {
            self.user = user
            self.bucket = bucket
            self.region = region
            self.prefix = prefix
            self.isEncrypted = isEncrypted
        }
    }

    public let id: ID<SyncPlace>
    public var name: String
    public var kind: Kind
    /// A folder's path, or where the server is.
    public var address: String
    public var options: Options
    public var choice: Choice
    public var isPaused: Bool
    public var state: State
    /// What there is to say about it; empty when all is well.
    public var sentence: String
    public var triedAt: Moment?
    public var syncedAt: Moment?
    /// Things that wait to be told or put into effect.
    public var waiting = 0
    /// Things that cannot be.
    public var failed = 0
    /// Things that are the same on both sides.
    public var synced = 0
}

extension SyncPlace {
    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        kind = Kind(rawValue: try row.text("kind")) ?? .folder
        address = try row.text("address")
        options = Options(try JSON(parsing: try row.text("options")))
        choice = Choice(try JSON(parsing: try row.text("choice")))
        isPaused = try row.int("is_paused") != 0
        state = State(rawValue: try row.text("state")) ?? .new
        sentence = try row.text("sentence")
        triedAt = try row.optionalMoment("tried_at")
        syncedAt = try row.optionalMoment("synced_at")
    }
}

extension SyncPlace.Choice {
    var json: JSON { ["versions": .bool(versions)] }

    init(_ json: JSON) { self.init(versions: json["versions"]?.bool ?? true) }
}

extension SyncPlace.Options {
    var json: JSON {
        [
            "user": .string(user), "bucket": .string(bucket), "region": .string(region),
            "prefix": .string(prefix), "encrypted": .bool(isEncrypted),
        ]
    }

    init(_ json: JSON) {
        self.init(
            user: json["user"]?.string ?? "", bucket: json["bucket"]?.string ?? "",
            region: json["region"]?.string ?? "", prefix: json["prefix"]?.string ?? "",
            isEncrypted: json["encrypted"]?.bool ?? false)
    }
}
