/// What happened while a page was loaded and printed.
public struct PageReport: Sendable, Equatable {
    public struct Resource: Sendable, Equatable {
        public var address: String
        /// Nil when there was no answer at all.
        public var status: Int?
        public var reason: String

        public init(address: String, status: Int? = nil, reason: String) {
            self.address = address
            self.status = status
            self.reason = reason
        }
    }

    /// Where the page was found in the end.
    public var address = ""
    public var title = ""
    /// Addresses that were not asked, and why.
    public var blocked: [Resource] = []
    /// Parts of the page that could not be had.
    public var failed: [Resource] = []
    /// What the page's scripts complained of.
    public var consoleErrors: [String] = []
    /// Exceptions no script of the page caught.
    public var exceptions: [String] = []
    /// What else a person should know of the result.
    public var remarks: [String] = []
    public var requestCount = 0

    public init() {}

    static let longest = 100
    static let unfinished = "Not everything on the page came in time. It was taken as it was."
    static let staysOpen = "pages open no connections that stay"
}
