import PDF
import Work

/// A form to be spoiled: as it is, and written anew with its objects in the open, where damage reaches them.
struct FormSource: Sendable {
    private var shapes: [[UInt8]]

    init(_ bytes: [UInt8]) {
        shapes = [bytes]
        if let file = try? PDFFile(bytes: bytes) {
            var open = PDFFile.Writing()
            open.packsObjects = false
            if let written = try? file.rewritten(open) { shapes += [written, written, written] }
            if let packed = try? file.rewritten() { shapes.append(packed) }
        }
    }

    private static let words: [[UInt8]] = [
        "/Kids[1 0 R]", "/Kids[", "/Parent 4 0 R", "/Parent 1 0 R", "99999999999999999999", "-1", "0",
        "2147483647",
        "-2147483648", "1e400", "null", "[[[[", "<<<<", ">>", "]", "/MaxLen 2147483647", "/MaxLen 0",
        "/MaxLen -1",
        "/Rect[1e30 nan -5 0]", "/Rect[0 0 0 0]", "/Rect[0 0 1e7 1e-7]", "/DA(/X 1e9 Tf)", "/DA()",
        "/DA(/Helv 0 Tf)",
        "/Opt[[()]]", "/Opt[[][][]]", "/AP<</N null>>", "/AP<</N<</On null>>>>", "/AS/Nothing",
        "/Ff 4294967295",
        "/Ff -9223372036854775808", "/Ff 16777216", "/Ff 4096", "/Ff 131072", "/Ff 49152", "/Q 99999999999",
        "/FT/Tx",
        "/FT/Btn", "/FT/Ch", "/FT/Sig", "/V(text)", "/V/Yes", "/V[(a)(b)]", "/V 1 0 R",
        "/MK<</R 90/BC[0]/BG[1 1 1]>>",
        "/MK<</R -270>>", "/BS<</W 1e9/S/D/D[0 0]>>", "/Border[0 0 9999[3]]", "/Widths[1e300]",
        "/FirstChar -9999999999",
        "/Encoding<</Differences[999/A -5/B]>>", "/Length 0", "/Length 99999999", "/Filter/FlateDecode",
        "stream\n",
        "endstream", "endobj", "1 0 obj", "/NeedAppearances true", "/SigFlags 3", "/T(a.b.c)", "/T<FEFF0041>",
        "/T()",
        "/Rotate 45", "/Rotate 90", "/StructParent 0", "/OC 1 0 R", "/Contents[]", "/BBox[0 0 0 0]",
        "/Matrix[0 0 0 0 0 0]",
        "/Subtype/Type0", "/DescendantFonts[1 0 R]", "/Lock<</Action/All>>", "/PMD<</Symbology/QRCode>>",
        "\u{0}",
    ].map { Array($0.utf8) }

    func spoiled(_ chance: Chance) -> [UInt8] {
        var bytes = shapes[chance.integer(below: shapes.count)]
        for _ in 0...chance.integer(below: chance.integer(below: 4) == 0 ? 40 : 6) {
            guard bytes.count > 40 else { return bytes }
            spoil(&bytes, chance)
        }
        return bytes
    }

    private func spoil(_ bytes: inout [UInt8], _ chance: Chance) {
        let place = chance.integer(below: bytes.count)
        switch chance.integer(below: 40) % 9 {
        case 0: bytes[place] = UInt8(chance.integer(below: 256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + chance.integer(below: 30)))
        case 2, 3: insert(Self.words[chance.integer(below: Self.words.count)], near: place, &bytes)
        case 4:
            let word = Self.words[chance.integer(below: Self.words.count)]
            bytes.replaceSubrange(place..<min(bytes.count, place + word.count), with: word)
        case 5:
            // A piece of the form itself, somewhere else.
            let from = chance.integer(below: bytes.count)
            let piece = Array(bytes[from..<min(bytes.count, from + 1 + chance.integer(below: 80))])
            bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
        case 6, 7: renumber(near: place, &bytes, chance)
        case _ where chance.integer(below: 8) > 0: renumber(near: place, &bytes, chance)
        default:
            bytes.removeSubrange(
                max(0, bytes.count - chance.integer(below: bytes.count / 2 + 1))..<bytes.count)
        }
    }

    /// Into the next dictionary, where words mean something.
    private func insert(_ word: [UInt8], near place: Int, _ bytes: inout [UInt8]) {
        var at = place
        let end = min(bytes.count - 1, place + 4000)
        while at < end, !(bytes[at] == UInt8(ascii: "<") && bytes[at + 1] == UInt8(ascii: "<")) { at += 1 }
        bytes.insert(contentsOf: word + [32], at: min(bytes.count, at < end ? at + 2 : place))
    }

    /// Another number instead of the next one: references point elsewhere, sizes are wrong.
    private func renumber(near place: Int, _ bytes: inout [UInt8], _ chance: Chance) {
        var at = place
        while at < bytes.count, !(48...57).contains(bytes[at]) { at += 1 }
        var end = at
        while end < bytes.count, (48...57).contains(bytes[end]) { end += 1 }
        let number = [
            "0", "1", "\(chance.integer(below: 100))", "\(chance.integer(below: 2000))", "65536",
            "4294967296", "-7",
        ]
        bytes.replaceSubrange(at..<end, with: Array(number[chance.integer(below: number.count)].utf8))
    }
}
