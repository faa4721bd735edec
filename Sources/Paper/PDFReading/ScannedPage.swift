import PDF

/// A page that is one upright picture and nothing else, as scanners make them: the picture can be read off as it is, without
/// drawing the page. Whatever is less plain than that is none of these.
package struct ScannedPage {
    /// As a file by itself: JPEG, or a bitmap of grey or black dots (PGM, PBM).
    package let picture: [UInt8]
    package let width: Int

    /// Coarser scans are read better when they are drawn finer, and finer ones in less time when they are not.
    private static let dotsPerInch = 250.0...350.0
    private static let mostPixels = 40_000_000
    private static let longestContent = 4096
    /// The picture may stand off the page's edges by so much of its width.
    private static let looseness = 0.01
    private static let knownEntries: Set<PDFName> = [
        "Type", "Subtype", "Width", "Height", "ColorSpace", "BitsPerComponent", "Filter", "DecodeParms",
        "Length", "Name", "Interpolate", "Intent", "Metadata", "ID",
    ]

    package init?(of sheets: Sheets, page: Int) {
        guard let file = try? PDFFile(bytes: sheets.bytes), sheets.frames.indices.contains(page) else {
            return nil
        }
        self.init(file, page: page, sheets.frames[page])
    }

    private init?(_ file: PDFFile, page: Int, _ frame: PageFrame) {
        let pages = file.pages
        guard frame.rotation == 0, pages.indices.contains(page) else { return nil }
        let entries = file.dictionary(.reference(pages[page])) ?? [:]
        guard file.array(entries["Annots"]).isEmpty,
            let content = Self.content(file, entries["Contents"]),
            let (name, place) = Self.onlyPicture(in: content), Self.covers(place, frame.cropBox),
            let resources = file.dictionary(file.inherited("Resources", by: pages[page])),
            let reference = file.dictionary(resources["XObject"])?[name]?.reference,
            let about = file.dictionary(.reference(reference)),
            about.keys.allSatisfy(Self.knownEntries.contains), about["Subtype"]?.name == "Image",
            let width = about["Width"]?.integer, let height = about["Height"]?.integer,
            width > 0, height > 0, width <= Self.mostPixels / height,
            Self.dotsPerInch.contains(Double(width) / (place.width / 72)),
            Self.dotsPerInch.contains(Double(height) / (place.height / 72)),
            let picture = Self.picture(file, reference, about, width, height)
        else { return nil }
        self.picture = picture
        self.width = width
    }

    private static func content(_ file: PDFFile, _ contents: PDFObject?) -> [UInt8]? {
        var content: [UInt8] = []
        for part in file.resolve(contents).array ?? [contents ?? .null] {
            guard let reference = part.reference,
                let piece = file.stream(reference, limit: longestContent)
            else { return nil }
            content += piece + [10]
        }
        return content.count <= longestContent ? content : nil
    }

    /// Where it says nothing but which picture stands where.
    private static func onlyPicture(in content: [UInt8]) -> (name: PDFName, place: PDFRectangle)? {
        var scanner = ContentScanner(content)
        var (width, height, left, bottom) = (1.0, 1.0, 0.0, 0.0)
        var found: (PDFName, PDFRectangle)?
        while let word = scanner.nextOperator() {
            switch word {
            case "q", "BMC", "BDC", "EMC": break
            // What was placed before would hold no longer, and nothing may follow but the end.
            case "Q": guard found != nil else { return nil }
            case "cm":
                let n = scanner.numbers
                guard found == nil, n.count == 6, n[1] == 0, n[2] == 0, n[0] > 0, n[3] > 0 else { return nil }
                left += n[4] * width
                bottom += n[5] * height
                width *= n[0]
                height *= n[3]
            case "Do":
                guard found == nil, let name = scanner.name else { return nil }
                found = (
                    name,
                    PDFRectangle(left: left, bottom: bottom, right: left + width, top: bottom + height)
                )
            default: return nil
            }
        }
        return found
    }

    private static func covers(_ place: PDFRectangle, _ sheet: PDFRectangle) -> Bool {
        let loose = sheet.width * looseness
        return abs(place.left - sheet.left) <= loose && abs(place.right - sheet.right) <= loose
            && abs(place.bottom - sheet.bottom) <= loose && abs(place.top - sheet.top) <= loose
    }

    private static func picture(
        _ file: PDFFile, _ reference: PDFReference, _ about: PDFDictionary, _ width: Int, _ height: Int
    ) -> [UInt8]? {
        guard let colors = colorCount(file, about["ColorSpace"]) else { return nil }
        let bits = about["BitsPerComponent"]?.integer
        if file.resolve(about["Filter"]).name == "DCTDecode" {
            return bits == 8 && about["DecodeParms"] == nil ? file.storedStream(reference) : nil
        }
        guard bits == 8 || bits == 1 && colors == 1,
            names(file, about["Filter"]).allSatisfy(knownFilters.contains)
        else { return nil }
        if bits == 1 {
            // There 1 is ink, and in a PDF it is light.
            return dots(file, reference, head: "P4\n\(width) \(height)\n", count: (width + 7) / 8 * height) {
                ~$0
            }
        }
        let head = "P5\n\(width) \(height)\n255\n"
        guard colors == 3 else {
            return dots(file, reference, head: head, count: width * height) { $0 }
        }
        return shades(file, reference, head: head, count: width * height)
    }

    private static let knownFilters: Set<PDFName?> = [
        "FlateDecode", "LZWDecode", "ASCII85Decode", "ASCIIHexDecode",
    ]

    private static func names(_ file: PDFFile, _ filter: PDFObject?) -> [PDFName?] {
        let filter = file.resolve(filter)
        return filter == .null ? [] : (filter.array ?? [filter]).map { file.resolve($0).name }
    }

    private static func dots(
        _ file: PDFFile, _ reference: PDFReference, head: String, count: Int, _ change: (UInt8) -> UInt8
    ) -> [UInt8]? {
        var bytes = Array(head.utf8)
        let end = bytes.count + count
        bytes.reserveCapacity(end)
        _ = file.takeStream(reference) { piece in
            bytes.append(contentsOf: piece.prefix(end - bytes.count).lazy.map(change))
            return bytes.count < end
        }
        return bytes.count == end ? bytes : nil
    }

    /// Tesseract looks at shades alone, and takes longer to make them.
    private static func shades(
        _ file: PDFFile, _ reference: PDFReference, head: String, count: Int
    ) -> [UInt8]? {
        var bytes = Array(head.utf8)
        let end = bytes.count + count
        bytes.reserveCapacity(end)
        // Red, green and blue as the eye takes them (Rec. 601); a piece may end between two of them.
        var (color, shade) = (0, 0)
        _ = file.takeStream(reference) { piece in
            for byte in piece where bytes.count < end {
                switch color {
                case 0: (color, shade) = (1, 77 * Int(byte))
                case 1: (color, shade) = (2, shade + 150 * Int(byte))
                default:
                    bytes.append(UInt8(truncatingIfNeeded: (shade + 29 * Int(byte)) >> 8))
                    color = 0
                }
            }
            return bytes.count < end
        }
        return bytes.count == end ? bytes : nil
    }

    /// 1 of grey, 3 of red, green and blue.
    private static func colorCount(_ file: PDFFile, _ space: PDFObject?) -> Int? {
        let space = file.resolve(space)
        switch space.name ?? space.array?.first?.name {
        case "DeviceGray", "CalGray": return 1
        case "DeviceRGB", "CalRGB": return 3
        case "ICCBased":
            guard let profile = space.array?.dropFirst().first,
                let count = file.dictionary(profile)?["N"]?.integer
            else { return nil }
            return count == 1 || count == 3 ? count : nil
        default: return nil
        }
    }
}
