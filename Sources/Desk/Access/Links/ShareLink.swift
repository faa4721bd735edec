internal import SQL
public import Storage
public import Work

/// A link that shows one thing to whoever has it.
public struct ShareLink: Sendable, Equatable {
    public let id: ID<ShareLink>
    public let subject: Subject
    /// For whom it is, as its maker wrote.
    public let note: String
    /// As the journal names them.
    public let madeBy: String
    public let madeByName: String
    public let madeAt: Moment
    public let expiresAt: Moment?
    public let maximumOpenings: Int?
    public let openings: Int
    public let openedAt: Moment?
    public let needsPassword: Bool
    /// May be looked at but not downloaded. Whoever can see a thing can keep a picture of it; this is a request
    /// to visitors, not a wall.
    public let isViewOnly: Bool
    /// The form behind it may be filled in where it is opened, signed by hand, and sent back.
    public let takesReplies: Bool

    init(_ row: Row) throws {
        id = try row.id("id")
        subject = Subject(kind: try row.text("subject_kind"), id: try row.text("subject_id"))
        note = try row.text("note")
        madeBy = try row.text("made_by")
        madeByName = try row.text("made_by_name")
        madeAt = try row.moment("made_at")
        expiresAt = try row.optionalMoment("expires_at")
        maximumOpenings = try row.optionalInt("maximum_openings")
        openings = try row.int("openings")
        openedAt = try row.optionalMoment("opened_at")
        needsPassword = try row.optionalText("password_hash") != nil
        isViewOnly = try row.bool("view_only")
        takesReplies = try row.bool("takes_replies")
    }

    public func isExpired(at now: Moment) -> Bool { expiresAt.map { $0 <= now } ?? false }
    public var isUsedUp: Bool { maximumOpenings.map { openings >= $0 } ?? false }
}
