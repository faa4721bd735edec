public import Browsing
public import Office
public import Pictures
public import Scanning

/// Everything that can be said about how papers are to be converted. Each part is heeded by the engine it is for.
public struct ConversionOptions: Sendable {
    public var pictures = PictureLayout()
    public var print = PrintSettings()
    public var load = LoadSettings()
    public var screenshot = ScreenshotSettings()
    /// How pages of the web are fetched, and by whom.
    public var web = WebAccess()
    /// Files that are web pages may fetch from the web as well.
    public var filesMayFetch = false
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
    /// Photos of papers become clean pages that look so; nil: pictures go in as they are.
    public var scan: Look?
    /// What sheets they are of; nil: by each one's shape.
    public var scanSize: PaperSize?
    /// Two photos each, the sides of a card, share a sheet.
    public var scansSides = false
    /// Pictures that PDF cannot hold are packed as photographs when they have shades, which is quick and small and not
    /// the picture itself any more.
    public var packsPictures = false
    /// Pictures with more are refused.
    public var mostPixels = Picture.mostPixels
    /// A book of pictures that would become larger is refused.
    public var mostByteCount = Converter.mostByteCount

    /// Where people are, see `useSheets`.
    var usualSheet: (width: Double, height: Double) = (612, 792)

    public init() {
        load.time = .seconds(120)
        load.takesUnfinished = true
    }

    /// For a PDF that stands for a paper while it is looked at.
    public static let reading: ConversionOptions = {
        var options = ConversionOptions()
        options.pictures = .reading
        options.packsPictures = true
        options.mostPixels = 120_000_000
        options.mostByteCount = 256 << 20
        options.load.time = .seconds(60)
        options.print.outlines = true
        return options
    }()
}
