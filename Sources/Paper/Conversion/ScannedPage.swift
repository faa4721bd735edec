import Kinds
import Pictures
import Scanning
import Work

/// What a photo of a paper became: a page, small, ready to be put into a PDF.
struct ScannedPage: Sendable {
    private enum Content: Sendable {
        case jpeg([UInt8])
        case fax(FaxRows)
        case few(FewColors)

        var byteCount: Int {
            switch self {
            case .jpeg(let bytes): bytes.count
            case .fax(let rows): rows.bytes.count
            case .few(let pixels): pixels.packed.count
            }
        }
    }

    private(set) var page: PaperScans.Page
    private let content: Content

    /// One, or the two of an open book.
    static func pages(
        of photo: Paper, _ wish: PageWish, engines: Engines, cancellation: Cancellation
    ) throws(ConversionError) -> [ScannedPage] {
        let pixels = PhotoPixels(engines: engines, cancellation: cancellation)
        let picture = try pixels.unpacked(photo)
        guard wish.size == .book, let book = OpenBook(wish, in: picture) else {
            var wish = wish
            if wish.size == .book { wish.size = nil }
            return [try ScannedPage(MadePage(wish, of: picture), photo, pixels)]
        }
        var made: [ScannedPage] = []
        for (side, page) in zip([PaperScans.Side.left, .right], book.pages) {
            var own = wish
            own.corners = Corners(width: page.width, height: page.height)
            (own.size, own.turns) = (.seen, 0)
            var one = try ScannedPage(MadePage(own, of: page), photo, pixels)
            one.page.side = side
            (one.page.outline, one.page.confidence) = (book.plan, book.confidence)
            made.append(one)
        }
        return made
    }

    private init(_ made: MadePage, _ photo: Paper, _ pixels: PhotoPixels) throws(ConversionError) {
        content = try Self.packed(made, photo, pixels)
        page = PaperScans.Page(
            name: photo.name, plan: made.plan, confidence: made.plan.confidence, look: made.look,
            byteCount: content.byteCount,
            photoByteCount: photo.bytes.count)
    }

    func add(to file: inout PicturePages) throws {
        let sheet = page.plan.millimetres
        let (width, height) = (Double(sheet.width) / 25.4 * 72, Double(sheet.height) / 25.4 * 72)
        switch content {
        case .jpeg(let bytes): try file.add(bytes, width: width, height: height)
        case .fax(let rows): try file.add(rows, width: width, height: height)
        case .few(let pixels): try file.add(pixels, width: width, height: height)
        }
    }

    /// As small as it can be without harm: a page of print is black and white, or has few colours; photos stay JPEG.
    private static func packed(
        _ made: MadePage, _ photo: Paper, _ pixels: PhotoPixels
    ) throws(ConversionError) -> Content {
        if made.look == .blackAndWhite { return .fax(PagePacking.blackAndWhite(made.raster)) }
        // A photo is worth its bytes; a sheet of A4 takes 150 kB at 200 dots to an inch.
        let share = Double(made.raster.width * made.raster.height) / 3_868_706
        let most = made.look == .photo ? photo.bytes.count : min(photo.bytes.count, Int(150_000 * share))
        if made.look != .photo, PagePacking.isPrint(made.raster) {
            return .few(PagePacking.fewColors(made.raster, isGrey: made.look == .grey, most: most))
        }
        return .jpeg(
            try pixels.packed(
                made.raster, isGrey: made.look == .grey, named: photo.name, most: max(6000, most)))
    }
}
