import Work

/// A PDF with a line of text on each page, or several with line breaks between them.
public enum SamplePaper {
    public static func pages(_ lines: [String]) -> String {
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Count \(lines.count) /Kids [\(lines.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " "))] >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        for (number, line) in lines.enumerated() {
            let rows = line.split(separator: "\n", omittingEmptySubsequences: false)
            let content =
                "BT /F 12 Tf 72 700 Td "
                + rows.map { "(\($0)) Tj" }.joined(separator: " 0 -18 Td ") + " ET"
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents \(5 + 2 * number) 0 R /Resources << /Font << /F 3 0 R >> >> >>"
            )
            objects.append("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
        }
        var file = PaperFile()
        for object in objects { file.add(object) }
        return String(decoding: file.closed(), as: UTF8.self)
    }

    /// The same pages as a scanner gives them: pictures in grey, with no words beneath.
    /// With `grain` no dot is quite like its neighbour, as it is with a real lamp.
    public static func scan(_ lines: [String], dotsPerInch: Int = 150, grain: Bool = false) throws -> [UInt8]
    {
        let drawn = try drawn(lines, dotsPerInch: dotsPerInch)
        var file = PaperFile()
        file.add("<< /Type /Catalog /Pages 2 0 R >>")
        file.add(
            "<< /Type /Pages /Count \(lines.count) /Kids [\(lines.indices.map { "\(3 + 3 * $0) 0 R" }.joined(separator: " "))] >>"
        )
        for (number, picture) in drawn.enumerated() {
            file.add(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents \(4 + 3 * number) 0 R /Resources << /XObject << /P \(5 + 3 * number) 0 R >> >> >>"
            )
            file.add("", stream: Array("612 0 0 792 0 0 cm /P Do".utf8))
            file.add(
                "/Type /XObject /Subtype /Image /Width \(picture.width) /Height \(picture.height) /ColorSpace /DeviceGray /BitsPerComponent 8",
                stream: grain ? grainy(picture.pixels) : Array(picture.pixels))
        }
        return file.closed()
    }

    private static func grainy(_ pixels: some Sequence<UInt8>) -> [UInt8] {
        var seed: UInt32 = 1
        return pixels.map { pixel in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return pixel &- min(pixel, UInt8(seed >> 27))
        }
    }

    /// The same as one TIFF, as fax machines and scanners give it.
    public static func tiff(_ lines: [String], dotsPerInch: Int = 150) throws -> [UInt8] {
        var bytes = Array("II*\0".utf8) + little(8)
        let drawn = try drawn(lines, dotsPerInch: dotsPerInch)
        for (number, picture) in drawn.enumerated() {
            // Tag, type (3 for short, 4 for long, 5 for a fraction), value: TIFF 6.0, section 2.
            let head = 2 + 11 * 12 + 4 + 8
            let strip = bytes.count + head
            let entries: [(tag: Int, type: Int, value: Int)] = [
                (256, 4, picture.width), (257, 4, picture.height), (258, 3, 8), (259, 3, 1), (262, 3, 1),
                (273, 4, strip), (277, 3, 1), (278, 4, picture.height), (279, 4, picture.pixels.count),
                (282, 5, strip - 8), (283, 5, strip - 8),
            ]
            bytes += little(entries.count).prefix(2)
            for entry in entries {
                bytes +=
                    little(entry.tag).prefix(2) + little(entry.type).prefix(2) + little(1)
                    + little(entry.value)
            }
            let end = strip + picture.pixels.count
            bytes += little(number + 1 < drawn.count ? end + end % 2 : 0)
            bytes += little(dotsPerInch) + little(1) + picture.pixels
            if bytes.count % 2 == 1 { bytes.append(0) }
        }
        return bytes
    }

    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func drawn(_ lines: [String], dotsPerInch: Int) throws -> [Graymap] {
        try lines.map { line in
            let child = Child(
                "pdftoppm", ["-gray", "-r", "\(dotsPerInch)", "-"], input: .bytes(Array(pages([line]).utf8)),
                output: .captured(limit: 1 << 26))
            return Graymap(try child.run().output)
        }
    }
}

/// What `pdftoppm -gray` prints: a few words about the picture, and then its bytes.
private struct Graymap {
    var width = 0
    var height = 0
    var pixels: ArraySlice<UInt8> = []

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        var words: [String] = []
        while words.count < 4, let end = rest.firstIndex(where: { $0 == 0x20 || $0 == 0x0A }) {
            words.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[(end + 1)...]
        }
        guard words.count == 4, words[0] == "P5" else { return }
        width = Int(words[1]) ?? 0
        height = Int(words[2]) ?? 0
        pixels = rest.prefix(width * height)
    }
}

/// The objects of a PDF one behind the other, and the table of where they begin.
private struct PaperFile {
    private var bytes = Array("%PDF-1.7\n".utf8)
    private var places: [Int] = []

    mutating func add(_ object: String) {
        places.append(bytes.count)
        bytes += Array("\(places.count) 0 obj\n\(object)\nendobj\n".utf8)
    }

    mutating func add(_ entries: String, stream: [UInt8]) {
        places.append(bytes.count)
        bytes += Array("\(places.count) 0 obj\n<< \(entries) /Length \(stream.count) >>\nstream\n".utf8)
        bytes += stream + Array("\nendstream\nendobj\n".utf8)
    }

    mutating func closed() -> [UInt8] {
        let start = bytes.count
        var table = "xref\n0 \(places.count + 1)\n0000000000 65535 f \n"
        for place in places {
            table += String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n"
        }
        table += "trailer\n<< /Size \(places.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return bytes + Array(table.utf8)
    }
}
