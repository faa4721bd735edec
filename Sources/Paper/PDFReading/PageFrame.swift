public import PDF

/// The sheet a page is looked at on: cut to its crop box and turned as the page asks. Everything this module finds on
/// a page is placed on that sheet: points, counted from its lower left corner, as a reader sees it.
public struct PageFrame: Sendable, Equatable {
    /// In the page's own coordinates, in which fields and drawing are written down.
    public let mediaBox: PDFRectangle
    public let cropBox: PDFRectangle
    /// Clockwise: 0, 90, 180 or 270.
    public let rotation: Int

    public init(mediaBox: PDFRectangle, cropBox: PDFRectangle? = nil, rotation: Int = 0) {
        self.mediaBox = mediaBox
        let crop = cropBox.flatMap { $0.common(with: mediaBox) }
        // A crop box beside the sheet would leave nothing; every viewer then shows the whole sheet.
        self.cropBox = crop ?? mediaBox
        let turns = rotation % 360
        self.rotation = (turns < 0 ? turns + 360 : turns) / 90 * 90
    }

    /// US Letter, which readers take where a page names no size.
    public static let usual = PageFrame(mediaBox: PDFRectangle(left: 0, bottom: 0, right: 612, top: 792))

    public var isOnItsSide: Bool { rotation == 90 || rotation == 270 }
    public var width: Double { isOnItsSide ? cropBox.height : cropBox.width }
    public var height: Double { isOnItsSide ? cropBox.width : cropBox.height }

    /// Where on the sheet a place of the page is seen.
    public func shown(_ place: PDFRectangle) -> PDFRectangle {
        let first = shown(x: place.left, y: place.bottom)
        let second = shown(x: place.right, y: place.top)
        return PDFRectangle(left: first.x, bottom: first.y, right: second.x, top: second.y)
    }

    /// As poppler tells places: in points from the upper left corner of the whole sheet, turned but not cut. (The size it
    /// prints for the page is that before turning.)
    func shown(
        fromUpperLeft left: Double, _ top: Double, _ right: Double, _ bottom: Double
    ) -> PDFRectangle {
        let full = PageFrame(mediaBox: mediaBox, rotation: rotation)
        return shown(
            full.written(
                PDFRectangle(left: left, bottom: full.height - bottom, right: right, top: full.height - top)))
    }

    public func shown(x: Double, y: Double) -> (x: Double, y: Double) {
        let x = x - cropBox.left
        let y = y - cropBox.bottom
        switch rotation {
        case 90: return (y, cropBox.width - x)
        case 180: return (cropBox.width - x, cropBox.height - y)
        case 270: return (cropBox.height - y, x)
        default: return (x, y)
        }
    }

    /// The matrix by which a picture stands upright for the reader of a page that is turned so far.
    public static func upright(_ rotation: Int) -> [Int] {
        switch rotation {
        case 90: [0, 1, -1, 0, 0, 0]
        case 180: [-1, 0, 0, -1, 0, 0]
        case 270: [0, -1, 1, 0, 0, 0]
        default: [1, 0, 0, 1, 0, 0]
        }
    }

    /// The way back: the page's own coordinates of a place seen on the sheet.
    public func written(_ place: PDFRectangle) -> PDFRectangle {
        let first = written(x: place.left, y: place.bottom)
        let second = written(x: place.right, y: place.top)
        return PDFRectangle(left: first.x, bottom: first.y, right: second.x, top: second.y)
    }

    public func written(x: Double, y: Double) -> (x: Double, y: Double) {
        let (right, up): (Double, Double) =
            switch rotation {
            case 90: (cropBox.width - y, x)
            case 180: (cropBox.width - x, cropBox.height - y)
            case 270: (y, cropBox.height - x)
            default: (x, y)
            }
        return (right + cropBox.left, up + cropBox.bottom)
    }

    /// A place of the page as fractions of the sheet, from its upper left corner: what a web page lays over a picture.
    public func fractions(_ place: PDFRectangle) -> (left: Double, top: Double, width: Double, height: Double)
    {
        let seen = shown(place)
        guard width > 0, height > 0 else { return (0, 0, 0, 0) }
        return (seen.left / width, 1 - seen.top / height, seen.width / width, seen.height / height)
    }
}

extension PDFFile {
    /// The sheets of all pages, in order.
    public var frames: [PageFrame] {
        pages.map { page in
            let media = PDFRectangle(numbers(inherited("MediaBox", by: page)))
            let crop = PDFRectangle(numbers(inherited("CropBox", by: page)))
            let turn = resolve(inherited("Rotate", by: page)).integer ?? 0
            guard let media, media.width >= 1, media.height >= 1 else {
                return PageFrame(mediaBox: PageFrame.usual.mediaBox, rotation: turn)
            }
            return PageFrame(mediaBox: media, cropBox: crop, rotation: turn)
        }
    }
}

extension PDFRectangle {
    /// What both cover; nil when that is nothing.
    package func common(with other: PDFRectangle) -> PDFRectangle? {
        let left = max(left, other.left)
        let right = min(right, other.right)
        let bottom = max(bottom, other.bottom)
        let top = min(top, other.top)
        guard right > left, top > bottom else { return nil }
        return PDFRectangle(left: left, bottom: bottom, right: right, top: top)
    }

    package func union(_ other: PDFRectangle) -> PDFRectangle {
        PDFRectangle(
            left: min(left, other.left), bottom: min(bottom, other.bottom), right: max(right, other.right),
            top: max(top, other.top))
    }

    func grown(by margin: Double) -> PDFRectangle {
        PDFRectangle(left: left - margin, bottom: bottom - margin, right: right + margin, top: top + margin)
    }

    package func contains(x: Double, y: Double) -> Bool { x >= left && x <= right && y >= bottom && y <= top }

    var middle: (x: Double, y: Double) { ((left + right) / 2, (bottom + top) / 2) }
    var area: Double { width * height }

    /// How much of this one the other covers, from 0 to 1.
    func share(coveredBy other: PDFRectangle) -> Double {
        guard area > 0, let common = common(with: other) else { return 0 }
        return common.area / area
    }

    /// How far two places are the same one: what both cover by what either covers.
    func likeness(to other: PDFRectangle) -> Double {
        guard let common = common(with: other) else { return 0 }
        let all = area + other.area - common.area
        return all > 0 ? common.area / all : 0
    }

    func sharedWidth(with other: PDFRectangle) -> Double { min(right, other.right) - max(left, other.left) }
    func sharedHeight(with other: PDFRectangle) -> Double { min(top, other.top) - max(bottom, other.bottom) }
}
