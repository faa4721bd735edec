/// Where the work on a page is.
public enum PageStage: String, Sendable, CaseIterable {
    /// Its address was asked.
    case asked = "asking for the page"
    /// It is there, and what it is made of is coming.
    case coming = "waiting for what is on it"
    /// It becomes a file.
    case drawn = "drawing it"
}
