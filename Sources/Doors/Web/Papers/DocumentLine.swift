import Library
import Sync
import Work

/// A document as lists show it.
struct DocumentLine: Sendable {
    var id: String
    var name: String
    var mediaType: String
    var byteCount: Int64
    var addedAt: Moment
    var addedBy: String = ""
    /// When its name, its place or its file last changed.
    var changedAt: Moment?
    /// The name for somebody's disk.
    var fileName = ""
    /// On which way it came, when nobody here brought it themselves.
    var arrival: PaperArrival?
    var shareCount = 0
    var trashedAt: Moment?
    /// It is looked at page by page itself: a PDF or a picture.
    var hasPages = false
    /// It can be leafed through.
    var isReadable = false
    /// Its first page can be shown.
    var hasPicture = false
    /// Its pages are prepared when somebody first looks.
    var isPrepared = false
    var pageCount: Int?
    var folder: String?
    var tags: [String] = []
    var note = ""
    /// Their contacts, when they have one.
    var people: [(name: String, contact: String)] = []
    var values: [(field: String, value: String)] = []
    var date = ""
    /// How it stands with the places the desk keeps in step with; nil without such places.
    var sync: SyncedState?
}

/// A folder as lists show it.
struct FolderLine: Sendable {
    var id: String
    var name: String
    var path: String
    var depth: Int
    var count: Int
    var parent: String?
    /// Shown only to whoever proved again who they are.
    var isPrivate = false
    /// It is not open at the moment.
    var isLocked = false
}

/// The folders around a list of papers.
struct FilingLines: Sendable {
    /// The folder that is open; nil at the top.
    var here: FolderLine?
    var way: [FolderLine] = []
    var children: [FolderLine] = []
    /// Where papers can be moved to.
    var all: [FolderLine] = []
    /// The open folder and those in it, where it cannot be moved to.
    var below: Set<String> = []
}

/// A share link as lists show it.
struct ShareLine: Sendable {
    enum State: String, Sendable, CaseIterable { case active, expired, usedUp, revoked }

    var id: String
    var documentID: String
    var documentName: String
    /// For whom it is, where somebody said so.
    var note = ""
    /// Only while it is known: just after it was made.
    var address: String?
    var createdAt: Moment
    var expiresAt: Moment?
    var hasPassword = false
    var openings = 0
    var openingLimit: Int?
    /// Pages can be looked at, the file itself is not given.
    var isViewOnly = false
    /// The form may be filled in there and sent back.
    var takesReplies = false
    var state: State = .active
}
