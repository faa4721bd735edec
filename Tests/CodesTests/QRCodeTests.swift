import Codes
import TestSupport
import Testing
import Work

@Suite("A QR code")
struct QRCodeTests {
    private static let texts = [
        "a", "https://desk.example/s/quire_share_3hFQw9", "Größe: 漢字 🙂",
        String(repeating: "0123456789", count: 20), String(repeating: "ü", count: 331),
    ]

    @Test("has the size that its words need", arguments: [(14, 21), (15, 25), (26, 25), (27, 29), (180, 53)])
    func sizes(bytes: Int, size: Int) throws {
        #expect(try #require(QRCode(String(repeating: "x", count: bytes))).size == size)
    }

    @Test("has finders in three corners, and is refused when nobody could read it")
    func shape() throws {
        let code = try #require(QRCode("a"))
        for (x, y) in [(0, 0), (14, 0), (0, 14)] {
            #expect(code[x, y] && code[x + 6, y + 6] && !code[x + 1, y + 1] && code[x + 3, y + 3])
        }
        #expect(!code[-1, 0] && !code[21, 0])
        #expect(QRCode(String(repeating: "x", count: QRCode.longest)) != nil)
        #expect(QRCode(String(repeating: "x", count: QRCode.longest + 1)) == nil)
        #expect(code.svg(label: "a < b").contains("aria-label=\"a &lt; b\""))
    }

    @Test(
        "is read by another program's eyes",
        .enabled(
            if: Peer.has("zxingcpp"), "the Python package zxing-cpp is not installed (bin/setup --check)"),
        arguments: texts)
    func reader(text: String) throws {
        let code = try #require(QRCode(text))
        // A picture as plain as can be: a grey map, four pixels for each module.
        let side = (code.size + 8) * 4
        var picture = "P2\n\(side) \(side)\n255\n"
        for y in 0..<side {
            for x in 0..<side { picture += code[x / 4 - 4, y / 4 - 4] ? "0 " : "255 " }
            picture += "\n"
        }
        try withScratchFolder { folder in
            try write(Array(picture.utf8), to: "\(folder)/code.pgm")
            let read = try python(
                """
                import sys, zxingcpp
                numbers = open(sys.argv[1]).read().split()
                side = int(numbers[1])
                image = memoryview(bytes(int(n) for n in numbers[4:])).cast("B", shape=[side, side])
                found = zxingcpp.read_barcodes(image)
                sys.stdout.write("|".join(code.format.name + " " + code.text for code in found))
                """, ["\(folder)/code.pgm"])
            #expect(read == "QRCode \(text)")
        }
    }
}
