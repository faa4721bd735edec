import Conversion
import Office

/// What the fields of the LibreOffice route mean.
extension GotenbergForm {
    private static let flags: [(String, String)] = [
        ("exportFormFields", "ExportFormFields"), ("allowDuplicateFieldNames", "AllowDuplicateFieldNames"),
        ("exportBookmarks", "ExportBookmarks"),
        ("exportBookmarksToPdfDestination", "ExportBookmarksToPDFDestination"),
        ("exportPlaceholders", "ExportPlaceholders"), ("exportNotes", "ExportNotes"),
        ("exportNotesPages", "ExportNotesPages"), ("exportOnlyNotesPages", "ExportOnlyNotesPages"),
        ("exportNotesInMargin", "ExportNotesInMargin"),
        ("convertOooTargetToPdfTarget", "ConvertOOoTargetToPDFTarget"),
        ("exportLinksRelativeFsys", "ExportLinksRelativeFsys"), ("exportHiddenSlides", "ExportHiddenSlides"),
        ("skipEmptyPages", "IsSkipEmptyPages"), ("addOriginalDocumentAsStream", "IsAddStream"),
        ("singlePageSheets", "SinglePageSheets"), ("losslessImageCompression", "UseLosslessCompression"),
        ("reduceImageResolution", "ReduceImageResolution"), ("firstPageOnLeft", "FirstPageOnLeft"),
        ("resizeWindowToInitialPage", "ResizeWindowToInitialPage"), ("centerWindow", "CenterWindow"),
        ("openInFullScreenMode", "OpenInFullScreenMode"),
        ("displayPDFDocumentTitle", "DisplayPDFDocumentTitle"),
        ("hideViewerMenubar", "HideViewerMenubar"), ("hideViewerToolbar", "HideViewerToolbar"),
        ("hideViewerWindowControls", "HideViewerWindowControls"),
        ("useTransitionEffects", "UseTransitionEffects"),
    ]
    /// LibreOffice itself has these on.
    private static let off = [("exportNotes", "ExportNotes"), ("skipEmptyPages", "IsSkipEmptyPages")]
    private static let numbers: [(String, String)] = [
        ("quality", "Quality"), ("maxImageResolution", "MaxImageResolution"), ("initialView", "InitialView"),
        ("initialPage", "InitialPage"), ("magnification", "Magnification"), ("zoom", "Zoom"),
        ("pageLayout", "PageLayout"), ("openBookmarkLevels", "OpenBookmarkLevels"),
        ("nativeWatermarkFontHeight", "WatermarkFontHeight"),
        ("nativeWatermarkRotateAngle", "WatermarkRotateAngle"), ("nativeWatermarkColor", "WatermarkColor"),
    ]
    private static let texts: [(String, String)] = [
        ("nativePageRanges", "PageRange"), ("nativeWatermarkText", "Watermark"),
        ("nativeTiledWatermarkText", "TiledWatermark"), ("nativeWatermarkFontName", "WatermarkFontName"),
    ]

    func office(_ settings: GotenbergSettings) -> ConversionOptions {
        var options = ConversionOptions()
        options.office.time = settings.time
        options.office.isLandscape = flag("landscape")
        options.office.updatesIndexes = flag("updateIndexes", true)
        options.password = text("password")
        for (field, name) in Self.flags where text(field) != nil {
            options.office.export[name] = .boolean(flag(field))
        }
        for (field, name) in Self.off where text(field) == nil {
            options.office.export[name] = .boolean(false)
        }
        for (field, name) in Self.numbers {
            if let value = integer(field, nil, -1_000_000...16_777_215) {
                options.office.export[name] = .number(value)
            }
        }
        for (field, name) in Self.texts {
            if let value = text(field) { options.office.export[name] = .text(value) }
        }
        options.isAccessible = flag("pdfua")
        if flag("nativePdfFormats", true) { options.archivePart = archivePart() }
        return options
    }

    /// `PDF/A-2b` as 2; what is no PDF/A is noted.
    func archivePart() -> Int? {
        guard let text = text("pdfa") else { return nil }
        switch text {
        case "PDF/A-1b": return 1
        case "PDF/A-2b": return 2
        case "PDF/A-3b": return 3
        default:
            wrong("pdfa", text, "it is none of PDF/A-1b, PDF/A-2b and PDF/A-3b")
            return nil
        }
    }
}
