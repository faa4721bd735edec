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

    @Test(
        "says the same when its modules are read again, at every level, and nothing once one is wrong",
        arguments: texts)
    func readAgain(text: String) throws {
        for boosts in [false, true] {
            let code = try #require(QRCode(text, boosts: boosts))
            #expect(code.text == text)
            #expect(QRCode.version(for: text) == code.version)
        }
    }

    @Test(
        "takes the best level its size has room for",
        arguments: [
            (7, QRLevel.high), (8, .quartile), (11, .quartile), (14, .medium), (27, .quartile),
            (32, .quartile),
            (42, .medium),
        ])
    func levels(bytes: Int, level: QRLevel) throws {
        let text = String(repeating: "x", count: bytes)
        let code = try #require(QRCode(text, boosts: true))
        #expect(code.size == QRCode(text)?.size)
        #expect(code.level == level, "\(code.version)")
    }

    @Test(
        "is read from its picture by another program, at every level",
        .enabled(
            if: Peer.has("zxingcpp"), "the Python package zxing-cpp is not installed (bin/setup --check)"))
    func pictures() throws {
        try withScratchFolder { folder in
            let made = try (1...20).map { number -> (String, QRCode) in
                let text =
                    number % 2 == 0
                    ? "Fernández \(String(repeating: "ñ", count: number * 12))"
                    : String(repeating: "q", count: number * 26)
                return (text, try #require(QRCode(text, boosts: true)))
            }
            for (place, code) in made.enumerated() {
                try write(code.1.png(scale: 4), to: "\(folder)/\(place).png")
            }
            let read = try python(
                """
                import sys, struct, zlib, zxingcpp
                def picture(path):
                    data = open(path, "rb").read()
                    side = struct.unpack(">I", data[16:20])[0]
                    start = data.index(b"IDAT")
                    count = struct.unpack(">I", data[start - 4:start])[0]
                    rows = zlib.decompress(data[start + 4:start + 4 + count])
                    width = (side + 7) // 8
                    grey = bytearray()
                    for y in range(side):
                        row = rows[y * (width + 1) + 1:(y + 1) * (width + 1)]
                        for x in range(side): grey.append(255 if row[x // 8] >> (7 - x % 8) & 1 else 0)
                    return memoryview(bytes(grey)).cast("B", shape=[side, side])
                for place in range(int(sys.argv[2])):
                    found = zxingcpp.read_barcodes(picture(f"{sys.argv[1]}/{place}.png"))
                    print("|".join(code.text for code in found))
                """, [folder, "\(made.count)"])
            #expect(read.split(separator: "\n").map(String.init) == made.map(\.0))
        }
    }
}
