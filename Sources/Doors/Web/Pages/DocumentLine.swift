import Work

/// A document as lists show it.
struct DocumentLine: Sendable {
    var id: String
    var name: String
    var mediaType: String
    var byteCount: Int64
    var addedAt: Moment
    var addedBy: String = ""
    var shareCount = 0
    var trashedAt: Moment?
}

/// A share link as lists show it.
struct ShareLine: Sendable {
    enum State: String, Sendable, CaseIterable { case active, expired, usedUp, revoked }

    var id: String
    var documentID: String
    var documentName: String
    /// Only while it is known: just after it was made.
    var address: String?
    var createdAt: Moment
    var expiresAt: Moment?
    var hasPassword = false
    var openings = 0
    var openingLimit: Int?
    var state: State = .active
}
