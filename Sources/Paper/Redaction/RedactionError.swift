/// Why nothing was blacked out.
public enum RedactionError: Error, Sendable, Equatable {
    case nothingWished
    /// What cannot be read of a wish.
    case badWish(String)
    /// Something in a field, a note or unseen was to stay.
    case cannotStay(String)
    case noExpression(String)
    case expressionTooSlow
    /// There is nothing of what was looked for.
    case nothingFound
    /// There is something, and all of it was chosen to stay.
    case allSpared
    case noPage(Int, of: Int)
    /// Pages, counted from 0, whose words cannot be read, so that nothing can be looked for on them.
    case unreadablePages([Int])
    /// Drawn in a way that cannot be taken apart on these pages.
    case knotted([Int])
    /// It was done, looked at, and something was still to be seen or read.
    case notProven([String])
    case unreadable(String)
    case cancelled(reason: String)

    /// `1, 4, 7`
    public static func numbers(_ pages: [Int]) -> String {
        let shown = pages.prefix(12).map { "\($0 + 1)" }.joined(separator: ", ")
        return pages.count > 12 ? shown + ", …" : shown
    }
}
