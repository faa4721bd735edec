import PDF
import PDFDrawing

/// A short text at the foot of a page, the right way up however the page is turned.
struct PageStamp {
    static let fontName: PDFName = "QuireNumber"
    static let font = PDFObject.dictionary([
        "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica"),
        "Encoding": .name("WinAnsiEncoding"),
    ])
    private static let size = 9.0
    /// Where the letters stand above the edge: printers leave out the last few millimetres.
    private static let height = 20.0

    /// What of the page is shown.
    var box: PDFRectangle
    /// By how many degrees it is turned.
    var turn: Int

    /// Operators in brackets of their own.
    func print(_ text: String, into out: inout [UInt8]) {
        let half = PlainWidth.helvetica(text, size: Self.size) / 2
        let middle = (x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2)
        // The way the page is shown, letters run to the right; this is where that is on the page itself.
        let matrix: [Double] =
            switch ((turn % 360) + 360) % 360 {
            case 90: [0, 1, -1, 0, box.right - Self.height, middle.y - half]
            case 180: [-1, 0, 0, -1, middle.x + half, box.top - Self.height]
            case 270: [0, -1, 1, 0, box.left + Self.height, middle.y + half]
            default: [1, 0, 0, 1, middle.x - half, box.bottom + Self.height]
            }
        out.append(text: "q\nBT 0 g ")
        out.append(name: Self.fontName)
        out.append(text: " ")
        out.append(number: Self.size)
        out.append(text: " Tf ")
        for number in matrix {
            out.append(number: number)
            out.append(text: " ")
        }
        out.append(text: "Tm ")
        // The letters of WinAnsi that are also Latin-1; others have no place in a number.
        out.append(
            string: text.unicodeScalars.map { scalar in
                (0x20...0x7E).contains(scalar.value) || (0xA1...0xFF).contains(scalar.value)
                    ? UInt8(scalar.value) : UInt8(ascii: "?")
            })
        out.append(text: " Tj ET\nQ\n")
    }
}
