import People
import Work

/// A list of people as lists of lists show it.
struct ListLine: Sendable {
    var id: String
    var name: String
    var count: Int
    var columns: [String] = []
    /// Rows that could not be taken and wait to be put right.
    var quarantined = 0
    var changedAt: Moment
    var trashedAt: Moment?
    /// Of a smart list: whoever matches it is on the list.
    var question: ContactQuestion?
}

/// One person of a list.
struct PersonLine: Sendable {
    var id: String
    var name: String
    var email: String = ""
    /// In the order of the list's columns.
    var cells: [String]
    /// "members.csv, line 14"
    var source: String = ""
    var flaw: String?
}
