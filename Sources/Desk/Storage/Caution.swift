/// What the desk does by itself is to be little. Where it would take much of what somebody owns, that is more often a
/// mistake: the wrong disk, a folder that was emptied, a database that was set back.
public enum Caution {
    /// Whether these are too many of all to go without somebody's word: more than a few, and more than one in so many.
    public static func isMuch(_ count: Int, of all: Int, beyond few: Int = 10, oneIn parts: Int) -> Bool {
        count > max(few, all / parts)
    }
}
