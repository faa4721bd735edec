/// How a page is brought onto paper. Lengths are inches, as the browser has them.
public struct PrintSettings: Sendable {
    public enum Media: String, Sendable { case print, screen }

    public var paperWidth = 8.5
    public var paperHeight = 11.0
    public var marginTop = 0.39
    public var marginBottom = 0.39
    public var marginLeft = 0.39
    public var marginRight = 0.39
    public var isLandscape = false
    public var scale = 1.0
    public var printsBackground = false
    public var prefersCSSPageSize = false
    /// As in a print dialogue: `1-3,5`. Empty for all.
    public var pageRanges = ""
    /// HTML; classes date, title, url, pageNumber and totalPages are filled in.
    public var header: String?
    public var footer: String?
    /// All of the page on one sheet that is as long as it takes.
    public var isOnePage = false
    public var outlines = false
    public var tags = false
    /// Without the white the page would stand on.
    public var omitsBackground = false

    public init() {}

    public mutating func setMargins(inches: Double) {
        marginTop = inches
        marginBottom = inches
        marginLeft = inches
        marginRight = inches
    }
}

/// What is to be waited for before a page counts as loaded, and how it is shown.
public struct LoadSettings: Sendable {
    public var media = PrintSettings.Media.print
    /// `prefers-color-scheme: dark` and the like.
    public var mediaFeatures: [(name: String, value: String)] = []
    public var runsScripts = true
    public var delay = Duration.zero
    public var selector: String?
    /// Until it is true.
    public var expression: String?
    public var windowStatus: String?
    /// Until nothing has been asked for half a second; for pages that fetch their contents late.
    public var awaitsIdleNetwork = false
    /// Pictures that load when they are scrolled to are scrolled to.
    public var scrollsThrough = true
    /// Only what the page is about, in plain letters.
    public var isReaderView = false
    public var time = Duration.seconds(60)
    /// What has come when most of the time is over is taken as it is; otherwise a page that is not all there fails.
    public var takesUnfinished = false
    /// Statuses of the page at which to fail; 499 means 400...499, and 599 all of 500.
    public var failingStatuses: [Int] = [499, 599]
    public var failingResourceStatuses: [Int] = []
    /// Hosts whose answers do not count for `failingResourceStatuses`.
    public var forgivenHosts: [String] = []
    public var failsOnFailedResources = false
    public var failsOnExceptions = false
    /// In pixels.
    public var windowWidth: Int?
    public var windowHeight: Int?
    public var deviceScale = 1.0

    public init() {}
}

/// How a picture of a page is taken.
public struct ScreenshotSettings: Sendable {
    public enum Format: String, Sendable, CaseIterable { case png, jpeg, webp }

    public var format = Format.png
    /// For JPEG and WebP.
    public var quality = 90
    /// Only the window, instead of the whole page.
    public var clips = false
    /// Only this part of the page.
    public var selector: String?
    public var omitsBackground = false
    public var favoursSpeed = false

    public init() {}
}
