internal import SQL
public import Storage
public import Work

/// A word to one member about something that happened without them.
public struct Notice: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case repetitionRan, repetitionWaits, repetitionFailed
        case mailBack, sendingStopped
        case cardBack
        case followUpsDue
        case papersCame, formBack, papersWait
        case backupFailed
        case jobFailed
        case question

        public var topic: Topic {
            switch self {
            case .repetitionRan, .repetitionWaits, .repetitionFailed: .repetitions
            case .mailBack, .sendingStopped: .mail
            case .cardBack: .cards
            case .followUpsDue: .followUps
            case .papersCame, .formBack, .papersWait: .papers
            case .backupFailed: .backups
            case .jobFailed: .work
            case .question: .questions
            }
        }

        /// It comes again by itself until somebody mends it; one mail a day says enough.
        var isStanding: Bool { [.repetitionFailed, .backupFailed, .jobFailed].contains(self) }
    }

    /// What a member chooses to be told of, or not.
    public enum Topic: String, Sendable, CaseIterable {
        case repetitions, mail, papers, cards, followUps, work, backups, questions

        /// Who can do something about it.
        var right: Right {
            switch self {
            case .repetitions, .mail, .papers, .followUps, .work: .edit
            case .cards: .view
            case .backups, .questions: .administer
            }
        }

        public static func open(to role: Role) -> [Topic] {
            allCases.filter { role.rights.contains($0.right) }
        }
    }

    public let id: ID<Notice>
    public let kind: Kind
    /// What it is about, as the journal names it.
    public let subject: String
    /// What it was made of: where that is private, nothing is named.
    public let about: String
    /// What came of it, in English; empty where the kind says it all.
    public let words: String
    /// How often it has happened since it was last read.
    public let count: Int
    public let at: Moment
    public let readAt: Moment?

    init(_ row: Row) throws {
        id = try row.id("id")
        kind = try row.choice("kind")
        subject = try row.text("subject")
        about = try row.text("about")
        words = try row.text("words")
        count = try row.int("times")
        at = try row.moment("at")
        readAt = try row.optionalMoment("read_at")
    }
}

/// What a member wants to be told, and how.
public struct NoticeChoice: Sendable, Equatable {
    public enum Mail: String, Sendable, CaseIterable { case off, atOnce, daily }

    public var topics: Set<Notice.Topic>
    public var mail: Mail
    /// Empty for the name they sign in with, where that is an address.
    public var address: String

    public init(
        topics: Set<Notice.Topic> = Set(Notice.Topic.allCases), mail: Mail = .off, address: String = ""
    ) {
        self.topics = topics
        self.mail = mail
        self.address = address
    }

    init(_ row: Row) throws {
        let silent = Set(
            (try row.optionalText("silent") ?? "").split(separator: " ").compactMap {
                Notice.Topic(rawValue: String($0))
            })
        self.init(
            topics: Set(Notice.Topic.allCases).subtracting(silent),
            mail: Mail(rawValue: try row.optionalText("mail") ?? "") ?? .off,
            address: try row.optionalText("address") ?? "")
    }

    var silent: String {
        Notice.Topic.allCases.filter { !topics.contains($0) }.map(\.rawValue).joined(separator: " ")
    }
}
