import MadePhotos
import Scanning
import Testing

@Suite("Finding a sheet in a photo")
struct FindingTests {
    @Test(
        "its corners are right within 1 % of the diagonal, on each kind of ground and in each kind of light")
    func corners() {
        var all = FindingScore()
        for kind in MadePhoto.Kind.sheets {
            var score = FindingScore()
            for seed in 0..<4 { score.take(MadePhoto(kind, seed: 9000 + UInt64(seed), longestSide: 480)) }
            #expect(score.worstRight >= 3, "\(kind.rawValue): \(score.worstRight) of \(score.count)")
            all.add(score)
        }
        #expect(all.worstRight * 100 >= all.count * 96, "\(all.worstRight) of \(all.count)")
        #expect(all.surelyWrong <= 1)
        #expect(all.sure * 100 >= all.count * 75, "\(all.sure) of \(all.count)")
    }

    @Test("where none is, no picture is taken by itself")
    func nothing() {
        for kind in [MadePhoto.Kind.landscape, .house] {
            var score = FindingScore()
            for seed in 0..<8 { score.take(MadePhoto(kind, seed: 500 + UInt64(seed), longestSide: 480)) }
            #expect(score.surelyWrong == 0, "\(kind.rawValue)")
        }
    }

    @Test("a sheet that the picture cuts off is shown, and said to be cut")
    func cut() throws {
        let photo = MadePhoto(.wood, seed: 3)
        let corners = try #require(photo.corners)
        // The right side of the sheet is beyond the picture.
        let left = min(corners.topLeft.x, corners.bottomLeft.x)
        let right = min(corners.topRight.x, corners.bottomRight.x)
        let cut = photo.raster.cropped(toWidth: Int(left + (right - left) * 0.8))
        let found = cut.withView { SheetFinder.find(in: $0) }
        let sight = found.map { found in cut.withView { Sight(of: found.corners, in: $0) } }
        if let found, let sight {
            #expect(found.isCut || sight.isCut || found.confidence < Finding.sure)
            #expect(found.confidence < Finding.sure)
        }
    }

    @Test("the outline is calm and knows in milliseconds for how long the sheet has been still")
    func steadiness() {
        let corners = Corners(Point(100, 100), Point(300, 110), Point(310, 400), Point(90, 390))
        let finding = Finding(corners: corners, confidence: 0.9, isCut: false)
        var film = Steadiness()
        for _ in 0..<5 { film.follow(finding, after: 40, diagonal: 800) }
        #expect(film.isKnown)
        #expect(film.stillFor == 160)
        // The same sheet, counted from another corner.
        let turned = Corners(Point(300, 110), Point(310, 400), Point(90, 390), Point(100, 100))
        film.follow(Finding(corners: turned, confidence: 0.9, isCut: false), after: 40, diagonal: 800)
        #expect(film.stillFor == 200)
        // One odd picture is no reason to jump; five without a sheet are one to give up.
        let odd = corners.scaled(by: 2)
        film.follow(Finding(corners: odd, confidence: 0.9, isCut: false), after: 40, diagonal: 800)
        #expect(film.isKnown && film.corners.distances(to: corners).mean < 1 && film.stillFor == 0)
        for _ in 0..<5 { film.follow(nil, after: 40, diagonal: 800) }
        #expect(!film.isKnown)
    }

    @Test("whoever holds the camera is told what to do")
    func advice() throws {
        let photo = MadePhoto(.plain, seed: 12)
        let corners = try #require(photo.corners)
        func advice(_ raster: Raster, _ corners: Corners, stillFor: Float = 1000) -> Advice {
            raster.withView { Advice(Sight(of: corners, in: $0), stillFor: stillFor) }
        }
        #expect(advice(photo.raster, corners) == .none)
        #expect(advice(photo.raster, corners, stillFor: 100) == .holdStill)
        #expect(advice(photo.raster.darkened(to: 0.2), corners) == .moreLight)
        let center = corners.center
        func drawn(_ point: Point) -> Point {
            Point(center.x + (point.x - center.x) * 0.3, center.y + (point.y - center.y) * 0.3)
        }
        let small = Corners(
            drawn(corners.topLeft), drawn(corners.topRight), drawn(corners.bottomRight),
            drawn(corners.bottomLeft))
        #expect(advice(photo.raster, small) == .moveCloser)
        #expect(
            advice(photo.raster, Corners(width: photo.raster.width, height: photo.raster.height)) == .moveBack
        )
    }
}

extension Raster {
    func cropped(toWidth width: Int) -> Raster {
        var result = Raster(width: width, height: height)
        for y in 0..<height {
            let from = y * self.width * 4
            result.pixels.replaceSubrange(
                y * width * 4..<(y + 1) * width * 4, with: pixels[from..<from + width * 4])
        }
        return result
    }

    func darkened(to share: Float) -> Raster {
        var result = self
        for i in pixels.indices { result.pixels[i] = UInt8(Float(pixels[i]) * share) }
        return result
    }
}
