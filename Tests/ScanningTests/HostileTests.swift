import MadePhotos
import Scanning
import Testing

@Suite("Pictures and corners that nobody would hand in")
struct HostileTests {
    private static let sizes = [
        (1, 1), (2, 1), (1, 7), (3, 3), (8, 8), (31, 400), (32, 32), (33, 65), (64, 4), (4, 900), (7, 3000),
        (3000, 9), (2000, 33), (320, 240),
    ]
    private static let odd: [Float] = [0, -1e9, 1e9, .nan, .infinity, -.infinity, 1e-20, 3.4e38]

    @Test("none of them ends the program", arguments: Array(0..<60))
    func any(round: Int) {
        var chance = Chance(seed: UInt64(round))
        let (width, height) = chance.one(of: Self.sizes)
        var raster = Raster(width: width, height: height)
        let kind = chance.whole(0...3)
        for i in raster.pixels.indices {
            switch kind {
            case 0: raster.pixels[i] = UInt8(chance.next() & 255)
            case 1: raster.pixels[i] = 255
            case 2: raster.pixels[i] = i < raster.pixels.count / 2 ? 0 : 255
            default: raster.pixels[i] = (i / 4 % width / 16 + i / 4 / width / 16) % 2 == 0 ? 20 : 240
            }
        }
        func point() -> Point {
            func value(_ size: Int) -> Float {
                chance.happens(0.2) ? chance.one(of: Self.odd) : chance.within(-Float(size)...2 * Float(size))
            }
            return Point(value(width), value(height))
        }
        let corners = Corners(point(), point(), point(), point())
        var film = Steadiness()
        raster.withView { view in
            film.follow(SheetFinder.find(in: view), after: chance.one(of: Self.odd), diagonal: 0)
            _ = Sight(of: corners, in: view)
            _ = Fingerprint(of: view)
        }
        for look in Look.allCases {
            let wish = PageWish(
                corners: chance.happens(0.7) ? corners : nil, look: look,
                size: chance.happens(0.5) ? chance.one(of: PaperSize.allCases) : nil,
                turns: chance.happens(0.5) ? chance.whole(-9...9) : nil,
                mostPixels: chance.whole(-5...40_000),
                dotsPerInch: chance.whole(-3...300))
            let page = MadePage(wish, of: raster)
            #expect(page.raster.pixels.count == page.plan.width * page.plan.height * 4)
            #expect(page.raster.width * page.raster.height <= 50_000)
        }
    }

    @Test("a picture is refused that has other than its pixels' bytes")
    func bytes() {
        #expect(Raster(width: 2, height: 2, pixels: [1, 2, 3]) == nil)
        #expect(Raster(width: 0, height: 2, pixels: []) == nil)
        #expect(Raster(width: 1 << 40, height: 1 << 40, pixels: []) == nil)
        #expect(Raster(width: 1, height: 1, pixels: [1, 2, 3, 4]) != nil)
    }
}
