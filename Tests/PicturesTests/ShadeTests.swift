import Pictures
import Testing

@Suite("A colour")
struct ShadeTests {
    @Test(
        "stands against another as WCAG counts it",
        arguments: [
            ("#000000", "#ffffff", 21.0), ("#ffffff", "#ffffff", 1), ("#767676", "#ffffff", 4.54),
            ("#777777", "#ffffff", 4.48), ("#ff0000", "#ffffff", 4.0), ("#0000ff", "#000000", 2.44),
        ])
    func contrast(front: String, back: String, expected: Double) throws {
        let (front, back) = (try #require(Shade(front)), try #require(Shade(back)))
        #expect(abs(front.contrast(with: back) - expected) < 0.01)
        #expect(front.contrast(with: back) == back.contrast(with: front))
    }

    @Test("is read as people write it, and as nothing else")
    func reading() {
        #expect(Shade("#1E4BA8")?.css == "#1e4ba8" && Shade("1e4ba8") == Shade(0x1E4BA8))
        #expect(Shade("#14a")?.css == "#1144aa")
        for wrong in [
            "", "#", "blue", "#12345", "#1234567", "+12345", "#12 45a", "#１２３", "url(x)", "#12345g",
        ] {
            #expect(Shade(wrong) == nil, "\(wrong)")
        }
    }

    @Test("is made as dark or as light as its ground needs, and no more")
    func read() throws {
        for colour in stride(from: UInt32(0), through: 0xFFFFFF, by: 0x01A3F7).map({ Shade($0) }) {
            for ground in [Shade.white, Shade(0xF8F7F2), Shade(0x0E1412), .black] {
                let read = colour.read(on: [ground])
                #expect(read.contrast(with: ground) >= Shade.readable, "\(colour.css) on \(ground.css)")
                if colour.contrast(with: ground) >= Shade.readable { #expect(read == colour) }
            }
            #expect(colour.onTop.contrast(with: colour) >= Shade.readable)
        }
        let yellow = try #require(Shade("#ffdd00"))
        #expect(yellow.read(on: [.white]).contrast(with: .white) < 5)
    }
}
