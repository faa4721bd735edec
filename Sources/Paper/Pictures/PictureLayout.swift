/// How pictures stand on their pages. Lengths are points, 72 to an inch.
public struct PictureLayout: Sendable, Equatable {
    public enum PageSize: Sendable, Equatable {
        /// The page is as large as the picture.
        case picture
        /// As large as the picture where it says its own size and a desk could hold it, or where it is no photo and fits the
        /// sheet; all else stands on the sheet. A camera's picture says nothing about the size of a page.
        case usual(width: Double, height: Double)
        /// A sheet, turned on its side for pictures that are wider than high when `turnsSheet` says so.
        case sheet(width: Double, height: Double)

        /// Whatever the picture is.
        public var isSheet: Bool {
            if case .sheet = self { true } else { false }
        }
    }

    /// What a picture does with the room between the margins.
    public enum Fit: String, Sendable, CaseIterable {
        /// As large as it can be, all of it to be seen.
        case into
        /// Like `into`, but never larger than it is.
        case shrink
        /// Covers everything; what stands out is not to be seen.
        case fill
    }

    public var size = PageSize.picture
    public var turnsSheet = true
    public var margin = 0.0
    public var fit = Fit.into
    /// For pictures that do not say their own.
    public var dotsPerInch = 96.0
    /// What pictures are believed when they say their own; cameras and programs write anything.
    public var believedDotsPerInch = 5.0...20_000.0

    public init() {}

    /// For looking at: a photo is as large as a print of it, and its letters are found without enlarging it.
    public static let reading: PictureLayout = {
        var layout = PictureLayout()
        layout.dotsPerInch = 300
        layout.believedDotsPerInch = 100...1200
        return layout
    }()

    public static let a4 = PageSize.sheet(width: 595.276, height: 841.89)
    public static let letter = PageSize.sheet(width: 612, height: 792)

    /// Sheets up to A3 are scanned; a picture that says it is larger is a photo.
    private static let longestScan = (across: 842.0, along: 1191.0)

    /// PDF readers agree on pages from 3 to 14,400 points (ISO 32000-1 annex C).
    static let pageLengths = 3.0...14_400.0

    struct Place: Equatable {
        var pageWidth: Double
        var pageHeight: Double
        var left: Double
        var bottom: Double
        var width: Double
        var height: Double
        /// Something of it stands out of the margins.
        var isCut: Bool
    }

    func place(_ picture: Picture) -> Place {
        let told = picture.dotsPerInch.flatMap { believedDotsPerInch.contains($0) ? $0 : nil }
        let dots = told ?? dotsPerInch
        let (across, up) =
            picture.turn.isOnItsSide
            ? (picture.height, picture.width) : (picture.width, picture.height)
        let natural = (width: Double(across) / dots * 72, height: Double(up) / dots * 72)
        let margin = max(0, margin)
        let sheet: (width: Double, height: Double)?
        var mostScale = Double.infinity
        switch size {
        case .picture: sheet = nil
        case .sheet(let width, let height): sheet = (width, height)
        case .usual(let width, let height):
            let (short, long) =
                (min(natural.width, natural.height), max(natural.width, natural.height))
            let staysAsItIs =
                told != nil
                ? short <= Self.longestScan.across && long <= Self.longestScan.along
                : picture.format == .png && short <= min(width, height) && long <= max(width, height)
            sheet = staysAsItIs ? nil : (width, height)
            // A small one is not blown up beyond a point for each of its dots.
            mostScale = dots / 72
        }
        guard var (sheetWidth, sheetHeight) = sheet else {
            // A picture that would make no page is shown larger or smaller, keeping its shape.
            let longest = max(natural.width, natural.height)
            let shortest = min(natural.width, natural.height)
            let most = Self.pageLengths.upperBound - 2 * margin
            let scale =
                longest > most
                ? most / longest
                : shortest < Self.pageLengths.lowerBound
                    ? min(Self.pageLengths.lowerBound / shortest, most / longest) : 1
            let (width, height) = (natural.width * scale, natural.height * scale)
            return Place(
                pageWidth: width + 2 * margin, pageHeight: height + 2 * margin, left: margin, bottom: margin,
                width: width, height: height, isCut: false)
        }
        let isWide = natural.width > natural.height
        if turnsSheet, isWide != (sheetWidth > sheetHeight) { swap(&sheetWidth, &sheetHeight) }
        let room = (
            width: max(1, sheetWidth - 2 * margin), height: max(1, sheetHeight - 2 * margin)
        )
        let (x, y) = (room.width / natural.width, room.height / natural.height)
        let scale =
            switch fit {
            case .into: min(x, y, mostScale)
            case .shrink: min(x, y, 1)
            case .fill: max(x, y)
            }
        let (width, height) = (natural.width * scale, natural.height * scale)
        return Place(
            pageWidth: sheetWidth, pageHeight: sheetHeight, left: (sheetWidth - width) / 2,
            bottom: (sheetHeight - height) / 2, width: width, height: height, isCut: fit == .fill)
    }
}
