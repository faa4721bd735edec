public import Access
import SQL
public import Storage

/// How far the words of a paper can be found.
public enum WordState: Sendable, Equatable {
    /// Nobody has looked yet.
    case unread
    case read
    /// Read off pictures of pages, of so many, in these languages as Tesseract names them.
    case recognised(Int, languages: [String])
    /// Pages that are pictures nobody has looked at.
    case pictures
    /// It has none, or none that Quire can read, and why.
    case none(reason: String?)
}

extension Documents {
    public func wordState(of id: ID<Document>, by caller: Caller) throws -> WordState {
        try caller.require(.view)
        return try store.read { desk in
            _ = try find(id, for: caller, in: desk)
            guard
                let row = try desk.row(
                    "SELECT state, reason, bare, languages FROM document_text WHERE document = \(id)")
            else { return .unread }
            if try row.int("bare") > 0 { return .pictures }
            let pages = try desk.row(
                "SELECT count(*) AS n FROM document_page WHERE document = \(id) AND places IS NOT NULL")
            if let count = try pages?.int("n"), count > 0 {
                return .recognised(
                    count, languages: try row.text("languages").split(separator: "+").map(String.init))
            }
            let isRead = try row.text("state") == PaperText.State.read.rawValue
            return try isRead ? .read : .none(reason: row.optionalText("reason"))
        }
    }
}
