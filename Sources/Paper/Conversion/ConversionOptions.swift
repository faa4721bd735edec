public import Browsing
public import Office
public import Pictures

/// Everything that can be said about how papers are to be converted. Each part is heeded by the engine it is for.
public struct ConversionOptions: Sendable {
    public var pictures = PictureLayout()
    public var print = PrintSettings()
    public var load = LoadSettings()
    public var screenshot = ScreenshotSettings()
    /// For pages that may fetch from the web; files of one's own may not unless this is set.
    public var web: WebAccess?
    public var office = OfficeOptions()
    /// Opens locked papers, PDF files too.
    public var password: String?
    /// Of pictures made of pages.
    public var dotsPerInch = 150
    public var pictureQuality = 85
    /// Which pages become pictures or text; nil for all. As people write them: `1-3,7`.
    public var pages: String?
    /// Attachments of a mail that can become PDF are put behind it.
    public var appendsAttachments = false
    /// PDF/A parts 1, 2 or 3; nil for ordinary PDF.
    public var archivePart: Int?
    public var isAccessible = false

    public init() {}
}

/// What happened on the way, for whoever wants to know how good the result is.
public struct ConversionReport: Sendable {
    public struct Leg: Sendable {
        public var name: String
        public var engine: String
        public var seconds: Double
    }

    public var legs: [Leg] = []
    public var pageCount: Int?
    /// Fonts the paper asks for that this machine does not have, and what was taken instead.
    public var substitutedFonts: [(wanted: String, taken: String)] = []
    public var blocked: [PageReport.Resource] = []
    public var failed: [PageReport.Resource] = []
    public var consoleErrors: [String] = []
    public var remarks: [String] = []
    public var seconds = 0.0

    public init() {}

    mutating func add(_ page: PageReport) {
        blocked += page.blocked
        failed += page.failed
        consoleErrors += page.consoleErrors + page.exceptions
    }
}
