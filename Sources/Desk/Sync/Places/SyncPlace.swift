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

    public enum Thing: String, Sendable, CaseIterable {
        /// With the folders they lie in.
        case papers
        case templates
        /// Which belong to templates, and so go with them.
        case mappings
        case contacts
        /// Of people to make papers for.
        case lists
        /// Send-outs with their letters, and to whom they went; with what they are made from.
        case batches
        case settings
    }

    /// What is kept in step.
    public struct Choice: Sendable, Equatable {
        /// What a place begins with when nobody says: all but what makes two desks call themselves the same.
        public static let usual: Set<Thing> = [.papers, .templates, .mappings, .contacts, .lists, .batches]

        /// Earlier versions of papers.
        public var versions: Bool
        public var things: Set<Thing>

        public init(versions: Bool = true, things: Set<Thing> = Self.usual) {
            self.versions = versions
            self.things = things
            if things.contains(.batches) { self.things.formUnion([.mappings, .lists]) }
            if self.things.contains(.mappings) { self.things.insert(.templates) }
        }

        /// In their own order.
        public var words: [String] { Thing.allCases.filter(things.contains).map(\.rawValue) }
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
    var json: JSON { ["versions": .bool(versions), "things": .array(words.map(JSON.string))] }

    /// A place from before there was a choice keeps what it had.
    init(_ json: JSON) {
        let things = json["things"]?.array?.compactMap { $0.string.flatMap(SyncPlace.Thing.init) }
        self.init(versions: json["versions"]?.bool ?? true, things: things.map { Set($0) } ?? [.papers])
    }
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
