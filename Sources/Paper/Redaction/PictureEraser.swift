import PDF
import PDFReading
import Work

/// Takes out what a picture shows under a place. Pictures that hold plain samples are changed sample by sample; others are drawn
/// once more, in the jail and dot for dot, with the places covered before anything is kept of them.
struct PictureEraser {
    let file: PDFFile
    let reader: PageReader
    let cancellation: Cancellation
    let isWhite: Bool
    let add: (PDFDictionary, [UInt8]) -> PDFReference

    private static let longest = 256 << 20
    private static let mostDots = 120_000_000
    /// A dot counts as covered when more of it is than this.
    private static let hair = 0.02

    /// The picture as `matrix` places it, without what is under the quads.
    func erased(
        _ picture: PageWalker.Picture, _ matrix: PDFMatrix, under quads: [Quad]
    ) throws(RedactionError) -> PageWalker.PictureVerdict {
        let whole = Quad(PDFRectangle(left: 0, bottom: 0, right: 1, top: 1), by: matrix)
        let touching = quads.filter { $0.share(coveredBy: whole) > 0 || whole.share(coveredBy: $0) > 0 }
        guard !touching.isEmpty else { return .stays }
        if touching.contains(where: { quad in whole.corners.allSatisfy { quad.contains($0.x, $0.y) } }) {
            return .goes
        }
        guard let back = matrix.inverse else { return .goes }
        switch picture {
        case .object(let reference):
            let dictionary = file.dictionary(.reference(reference)) ?? [:]
            guard
                let new = try erased(
                    dictionary, file.stream(reference, limit: Self.longest), stored: .reference(reference),
                    touching, matrix, back)
            else { return .stays }
            return .becomes(new)
        case .inline(let short, let bytes):
            let dictionary = Self.spelledOut(short)
            // A colour space of the page's own has no name outside of the stream.
            if case .name(let space)? = dictionary["ColorSpace"],
                !["DeviceGray", "DeviceRGB", "DeviceCMYK"].contains(space)
            {
                return .goes
            }
            let samples = dictionary["Filter"] == nil ? bytes : nil
            guard
                let new = try erased(
                    dictionary, samples, stored: nil, bytes: bytes, touching, matrix, back)
            else { return .stays }
            return .becomes(new)
        }
    }

    private func erased(
        _ given: PDFDictionary, _ samples: [UInt8]?, stored: PDFObject?, bytes: [UInt8] = [],
        _ quads: [Quad], _ matrix: PDFMatrix, _ back: PDFMatrix
    ) throws(RedactionError) -> PDFReference? {
        let width = file.resolve(given["Width"]).integer ?? 0
        let height = file.resolve(given["Height"]).integer ?? 0
        guard width > 0, height > 0, width < 1 << 20, height < 1 << 20, width * height <= Self.mostDots else {
            throw .unreadable("A picture is larger than can be taken apart. Let such pages become pictures.")
        }
        var dictionary = given.without(
            "Length", "Metadata", "Alternates", "OPI", "PieceInfo", "StructParent", "ID")
        let isMask = file.resolve(given["ImageMask"]).boolean == true
        // What shines through it shows the outlines of what was there.
        for key: PDFName in ["SMask", "Mask"] {
            guard let below = given[key]?.reference, let mask = file.dictionary(.reference(below)) else {
                continue
            }
            if let new = try erased(
                mask, file.stream(below, limit: Self.longest), stored: .reference(below), quads, matrix, back)
            {
                dictionary[key] = .reference(new)
            }
        }
        let rows = covered(width, height, quads, matrix, back)
        guard !rows.isEmpty else { return nil }
        let bits = isMask ? 1 : file.resolve(given["BitsPerComponent"]).integer ?? 8
        if var samples, [1, 2, 4, 8].contains(bits) {
            let parts = isMask ? 1 : colours(given["ColorSpace"], samples.count, width, height, bits)
            let stride = (width * parts * bits + 7) / 8
            if parts > 0, samples.count >= stride * height {
                // Colours that come by number have no order: the first is taken, and the box is drawn above it.
                let fill: UInt8 = isMask ? 255 : isWhite && (parts == 1 || parts == 3) ? 255 : 0
                for (row, columns) in rows {
                    for span in columns {
                        let from = row * stride * 8 + span.lowerBound * parts * bits
                        let to = row * stride * 8 + span.upperBound * parts * bits
                        Self.set(&samples, from, to, fill)
                    }
                }
                dictionary["Filter"] = nil
                dictionary["DecodeParms"] = nil
                return add(dictionary, samples)
            }
        }
        return try drawnAnew(
            dictionary, given, stored, bytes, width, height, isMask: isMask, rows: rows, quads, back)
    }

    /// The bits from one place to another, all of them.
    private static func set(_ samples: inout [UInt8], _ from: Int, _ to: Int, _ fill: UInt8) {
        guard to > from, to <= samples.count * 8 else { return }
        let (first, last) = (from / 8, (to - 1) / 8)
        for index in first...last {
            var mask: UInt8 = 255
            if index == first { mask &= 255 >> UInt8(from % 8) }
            if index == last, to % 8 != 0 { mask &= ~(255 >> UInt8(to % 8)) }
            samples[index] = samples[index] & ~mask | fill & mask
        }
    }

    /// For each row of dots those that any of the places covers, however little of them.
    private func covered(
        _ width: Int, _ height: Int, _ quads: [Quad], _ matrix: PDFMatrix, _ back: PDFMatrix
    ) -> [(row: Int, columns: [Range<Int>])] {
        var spans: [Int: [Range<Int>]] = [:]
        for quad in quads {
            // The place on the picture: its first row is on top.
            let corners = quad.corners.map { corner in
                let point = back.point(corner.x, corner.y)
                return (x: point.x * Double(width), y: (1 - point.y) * Double(height))
            }
            let top = corners.map(\.y).min() ?? 0
            let bottom = corners.map(\.y).max() ?? 0
            guard top.isFinite, bottom.isFinite, bottom > -1, top < Double(height) + 1 else { continue }
            let first = max(0, Int(max(top + Self.hair, 0).rounded(.down)))
            let last = min(height - 1, Int(min(bottom - Self.hair, Double(height)).rounded(.down)))
            guard first <= last else { continue }
            for row in first...last {
                // Where the outline crosses the band of this row and what lies in it.
                let (low, high) = (Double(row) + Self.hair, Double(row) + 1 - Self.hair)
                var left = Double.infinity
                var right = -Double.infinity
                for (from, to) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
                    let (a, b) = from.y <= to.y ? (from, to) : (to, from)
                    guard b.y >= low, a.y <= high else { continue }
                    func x(at y: Double) -> Double {
                        b.y - a.y < 1e-9
                            ? a.x : a.x + (b.x - a.x) * (min(max(y, a.y), b.y) - a.y) / (b.y - a.y)
                    }
                    for value in b.y - a.y < 1e-9 ? [a.x, b.x] : [x(at: low), x(at: high)] {
                        left = min(left, value)
                        right = max(right, value)
                    }
                }
                guard left.isFinite, right.isFinite else { continue }
                let start = Int(min(max(left + Self.hair, 0), Double(width)).rounded(.down))
                let end = Int(max(0, min(right, Double(width)) - Self.hair).rounded(.up))
                if end > start { spans[row, default: []].append(start..<end) }
            }
        }
        return spans.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func colours(
        _ space: PDFObject?, _ count: Int, _ width: Int, _ height: Int, _ bits: Int
    ) -> Int {
        let known: Int? =
            switch file.resolve(space) {
            case .name("DeviceGray"), .name("CalGray"): 1
            case .name("DeviceRGB"): 3
            case .name("DeviceCMYK"): 4
            case .array(let items):
                switch file.resolve(items.first).name {
                case "Indexed", "CalGray", "Separation": 1
                case "CalRGB", "Lab": 3
                case "ICCBased": file.resolve(file.dictionary(items.dropFirst().first)?["N"]).integer
                case "DeviceN": file.array(items.dropFirst().first).count
                default: nil
                }
            default: nil
            }
        if let known { return (1...32).contains(known) ? known : 0 }
        return (1...4).first { (width * $0 * bits + 7) / 8 * height == count } ?? 0
    }

    /// A page that is nothing but the picture, a point for a dot, with the places covered, as poppler draws it.
    private func drawnAnew(
        _ dictionary: PDFDictionary, _ given: PDFDictionary, _ stored: PDFObject?, _ bytes: [UInt8],
        _ width: Int, _ height: Int, isMask: Bool, rows: [(row: Int, columns: [Range<Int>])],
        _ quads: [Quad], _ back: PDFMatrix
    ) throws(RedactionError) -> PDFReference {
        let page = Rework(file)
        var bare = given.without("Length", "SMask", "Mask", "Metadata", "Alternates", "OPI")
        bare["Subtype"] = .name("Image")
        let picture: PDFReference
        if let stored = stored?.reference {
            picture = stored
            page.put(.dictionary(bare), at: stored)
        } else {
            picture = page.add(bare, bytes)
        }
        let longest = Double(max(width, height))
        // No page is longer than 200 inches.
        let scale = min(1, 14_000 / longest)
        let (across, up) = (Double(width) * scale, Double(height) * scale)
        let turn = back.then(PDFMatrix(a: across, b: 0, c: 0, d: up, e: 0, f: 0))
        // What a stencil lets through comes out black, and what it does not white.
        // A hair smaller than its page: poppler draws what reaches a dot's edge over one more, and no dot would be where it was.
        var content =
            "q \(Quad.written(across - 0.01)) 0 0 \(Quad.written(up - 0.01)) 0.005 0.005 cm /I Do Q "
            + "\(isWhite || isMask ? 1 : 0) g\n"
        for quad in quads {
            var moved = quad
            moved.corners = quad.corners.map { turn.point($0.x, $0.y) }
            content += moved.path
        }
        let stream = page.add([:], Array(content.utf8))
        let sheet = page.add(
            .dictionary([
                "Type": .name("Page"),
                "MediaBox": .array([.integer(0), .integer(0), .real(across), .real(up)]),
                "Resources": .dictionary(["XObject": .dictionary(["I": .reference(picture)])]),
                "Contents": .reference(stream),
            ]))
        let pages = page.add(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array([.reference(sheet)]), "Count": .integer(1),
            ]))
        let root = page.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(pages)]))
        let whole = try page.written(from: root) { _, object in object }
        var result = dictionary.without("Filter", "DecodeParms", "Decode", "Mask", "Intent")
        do throws(ReadingError) {
            let sheets = try Sheets(bytes: whole)
            let filter = file.resolve(given["Filter"])
            let isTwo =
                isMask || file.resolve(given["BitsPerComponent"]).integer == 1
                || filter.name == "JBIG2Decode" || filter.name == "CCITTFaxDecode"
            if !isTwo, colours(given["ColorSpace"], 0, width, height, 8) != 1 {
                let drawn = try reader.picture(
                    of: sheets, page: 0, width: width, format: .jpeg(quality: 92), cancellation: cancellation)
                let size = reader.size(of: sheets.frames[0], width: width)
                result["Width"] = .integer(size.width)
                result["Height"] = .integer(size.height)
                result["BitsPerComponent"] = .integer(8)
                result["ColorSpace"] = .name("DeviceRGB")
                result["Filter"] = .name("DCTDecode")
                return add(result, drawn)
            }
            let drawn = try reader.pixels(of: sheets, page: 0, width: width, cancellation: cancellation)
            result["Width"] = .integer(drawn.width)
            result["Height"] = .integer(drawn.height)
            result["BitsPerComponent"] = .integer(isTwo ? 1 : 8)
            if !isMask { result["ColorSpace"] = .name("DeviceGray") }
            return add(result, isTwo ? Self.bits(drawn) : drawn.shades)
        } catch {
            throw .unreadable("A picture could not be taken apart: \(error)")
        }
    }

    private static func bits(_ pixels: PagePixels) -> [UInt8] {
        let stride = (pixels.width + 7) / 8
        var bits = [UInt8](repeating: 0, count: stride * pixels.height)
        for row in 0..<pixels.height {
            for column in 0..<pixels.width where pixels.shades[row * pixels.width + column] > 127 {
                bits[row * stride + column / 8] |= 128 >> UInt8(column % 8)
            }
        }
        return bits
    }

    /// The short names of pictures that stand in a stream (§8.9.7), in full.
    private static func spelledOut(_ short: PDFDictionary) -> PDFDictionary {
        let keys: [PDFName: PDFName] = [
            "BPC": "BitsPerComponent", "CS": "ColorSpace", "D": "Decode", "DP": "DecodeParms", "F": "Filter",
            "H": "Height", "IM": "ImageMask", "I": "Interpolate", "W": "Width",
        ]
        let values: [PDFName: PDFName] = [
            "G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK", "I": "Indexed",
            "AHx": "ASCIIHexDecode", "A85": "ASCII85Decode", "LZW": "LZWDecode", "Fl": "FlateDecode",
            "RL": "RunLengthDecode", "CCF": "CCITTFaxDecode", "DCT": "DCTDecode",
        ]
        func full(_ object: PDFObject) -> PDFObject {
            switch object {
            case .name(let name): .name(values[name] ?? name)
            case .array(let items): .array(items.map(full))
            default: object
            }
        }
        var dictionary = PDFDictionary(short.entries.map { (keys[$0.key] ?? $0.key, full($0.value)) })
        dictionary["Type"] = .name("XObject")
        dictionary["Subtype"] = .name("Image")
        return dictionary
    }
}
