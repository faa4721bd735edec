import Glibc
import MadePhotos
import Scanning
import Testing

@Suite("Making a page of a photo")
struct PageMakingTests {
    private let photo = MadePhoto(.shadow, seed: 21, longestSide: 1200)

    @Test("a sheet seen at an angle becomes one of its true proportion, however the camera was held")
    func shape() throws {
        let (width, height) = (3000, 4000)
        for (size, ratio) in [(PaperSize.a4, Float(1.4142)), (.letter, 1.2941), (.card, 1.5857)] {
            for tilt in stride(from: Float(-0.5), through: 0.5, by: 0.25) {
                for turn in [Float(0), 0.3, 1.2] {
                    let seen = Self.seen(ratio, tilt: tilt, turn: turn, width, height)
                    let shape = SheetShape(of: seen, frame: (width, height), mostPixels: 1_000_000)
                    #expect(shape.size == size, "\(size), tilted by \(tilt), turned by \(turn): \(shape)")
                    #expect(shape.width * shape.height <= 1_000_000)
                }
            }
        }
    }

    /// Through a pinhole, as phones see: the sheet turned in its plane, then tilted away.
    private static func seen(_ ratio: Float, tilt: Float, turn: Float, _ width: Int, _ height: Int) -> Corners
    {
        // Of a phone's lens, in diagonals.
        let focus = 0.85 * (Float(width * width + height * height)).squareRoot()
        func point(_ x: Float, _ y: Float) -> Point {
            let (across, down) = (x * cosf(turn) - y * sinf(turn), x * sinf(turn) + y * cosf(turn))
            let away = 5 + down * sinf(tilt)
            return Point(
                Float(width) / 2 + across * focus / away,
                Float(height) / 2 + down * cosf(tilt) * focus / away)
        }
        return Corners(point(-1, -ratio), point(1, -ratio), point(1, ratio), point(-1, ratio)).ordered
    }

    @Test("a wished size is that size")
    func wished() throws {
        let corners = try #require(photo.corners)
        for size in [PaperSize.a4, .letter, .card] {
            let page = MadePage(PageWish(corners: corners, size: size, turns: 0), of: photo.raster)
            let sheet = try #require(size.millimetres)
            let (long, short) = (
                max(page.raster.width, page.raster.height), min(page.raster.width, page.raster.height)
            )
            #expect(abs(Float(long) / Float(short) - sheet.height / sheet.width) < 0.02, "\(size)")
        }
    }

    @Test("its light is evened out: paper white, ink dark, also below a shadow")
    func clean() throws {
        let corners = try #require(photo.corners)
        let page = MadePage(PageWish(corners: corners, look: .grey, turns: 0), of: photo.raster)
        var histogram = [Int](repeating: 0, count: 256)
        for i in stride(from: 0, to: page.raster.pixels.count, by: 4) {
            histogram[Int(page.raster.pixels[i])] += 1
        }
        let count = page.raster.width * page.raster.height
        #expect(histogram[250...].reduce(0, +) * 100 > count * 70)
        #expect(histogram[..<100].reduce(0, +) * 100 > count)
    }

    @Test("black and white is nothing but black and white")
    func blackAndWhite() throws {
        let corners = try #require(photo.corners)
        let page = MadePage(PageWish(corners: corners, look: .blackAndWhite), of: photo.raster)
        #expect(page.look == .blackAndWhite)
        #expect(page.raster.pixels.allSatisfy { $0 == 0 || $0 == 255 })
    }

    @Test("what is no paper stays the photo it is")
    func photograph() {
        let photo = MadePhoto(.landscape, seed: 2)
        let page = MadePage(PageWish(), of: photo.raster)
        #expect(page.plan.isWhole)
        #expect(page.look == .photo)
        #expect((page.raster.width, page.raster.height) == (photo.raster.width, photo.raster.height))
    }

    @Test("turns are quarter turns clockwise")
    func turns() throws {
        let photo = MadePhoto(.landscape, seed: 2, longestSide: 160)
        let upright = MadePage(PageWish(look: .photo, turns: 0), of: photo.raster).raster
        let turned = MadePage(PageWish(look: .photo, turns: 1), of: photo.raster).raster
        #expect((turned.width, turned.height) == (upright.height, upright.width))
        var most = 0
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let from = (y * upright.width + x) * 4
                let to = (x * turned.width + (turned.width - 1 - y)) * 4
                for channel in 0..<3 {
                    most = max(
                        most, abs(Int(upright.pixels[from + channel]) - Int(turned.pixels[to + channel])))
                }
            }
        }
        #expect(most <= 2)
    }

    @Test("the same sheet is known by its fingerprint, another one is told from it")
    func fingerprint() throws {
        func print(_ kind: MadePhoto.Kind, _ seed: UInt64, _ look: Look) throws -> Fingerprint {
            let photo = MadePhoto(kind, seed: seed)
            let corners = try #require(photo.corners)
            let page = MadePage(
                PageWish(corners: corners, look: look, size: .a4, turns: 0), of: photo.raster)
            return page.raster.withView { Fingerprint(of: $0) }
        }
        let one = try print(.plain, 5, .grey)
        #expect(one.differences(from: try print(.plain, 5, .color)) < Fingerprint.same)
        #expect(one.differences(from: try print(.plain, 6, .grey)) > Fingerprint.same)
    }
}
