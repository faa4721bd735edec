import Work

/// A conversion as the list shows it.
struct ConversionLine: Sendable {
    enum State: String, Sendable, CaseIterable { case draft, waiting, running, done, failed, cancelled }

    var id: String
    var name: String
    var state: State
    var paperCount: Int
    var resultCount = 0
    var pageCount = 0
    /// The first page of what was made.
    var picture: String?
    var reason: String?
    var isKept = false
    var changedAt: Moment
}
