import Glibc
import Scanning
import Testing

/// An open book, made with a known bend: lines of print on two pages that come up before they go down into the fold.
private struct MadeBook {
    static let (width, height) = (2200, 1600)
    static let (left, fold, right) = (180, 1120, 2020)
    static let (top, bottom) = (260, 1380)
    static let lineCount = 24
    /// In pixels, where a page is highest.
    var bend: Float
    var isDarkTable = true

    /// How far an edge lies from where it would lie flat; 0 at the outer edge, 1 in the fold.
    private func lift(_ place: Float) -> Float { bend * 6.75 * place * place * (1 - place) }

    var raster: Raster {
        var raster = Raster(width: Self.width, height: Self.height)
        var noise: UInt32 = 12345
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let grain = Int(noise >> 28) - 8
                var shade = (isDarkTable ? 70 : 205) + grain
                if x >= Self.left, x < Self.right {
                    let isLeft = x < Self.fold
                    let span = Float(isLeft ? Self.fold - Self.left : Self.right - Self.fold)
                    let place = Float(isLeft ? x - Self.left : Self.right - 1 - x) / span
                    let upper = Float(Self.top) - lift(place)
                    let lower = Float(Self.bottom) + lift(place) * 0.8
                    let down = (Float(y) - upper) / (lower - upper)
                    if down >= 0, down < 1 {
                        // Darker into the fold.
                        let light = 1 - 0.45 * powf(max(0, place - 0.8) / 0.2, 2)
                        shade = Int(Float(isPrinted(place, down) ? 40 : 238) * light) + grain / 2
                    }
                }
                let at = (y * Self.width + x) * 4
                let value = UInt8(min(255, max(0, shade)))
                (raster.pixels[at], raster.pixels[at + 1], raster.pixels[at + 2]) = (value, value, value)
            }
        }
        return raster
    }

    private func isPrinted(_ place: Float, _ down: Float) -> Bool {
        guard place > 0.1, place < 0.88 else { return false }
        let line = (down - 0.08) / 0.84 * Float(Self.lineCount)
        // Words with gaps between them.
        return line >= 0 && line < Float(Self.lineCount) && line - Float(Int(line)) < 0.3
            && Int(place * 60) % 7 != 0
    }
}

@Suite("Making pages of an open book")
struct OpenBookTests {
    /// How far each line of print wanders up and down, as a part of the page's width.
    private func wandering(_ page: Raster) -> [Float] {
        func isDark(_ x: Int, _ y: Int) -> Bool { page.pixels[(y * page.width + x) * 4] < 110 }
        let columns = stride(from: page.width / 6, to: page.width * 5 / 6, by: 4)
        var lines = [[Float]](repeating: [], count: MadeBook.lineCount)
        for x in columns {
            var starts: [Float] = []
            var from: Int?
            for y in page.height / 40..<page.height * 39 / 40 {
                if isDark(x, y) {
                    from = from ?? y
                } else if let begun = from {
                    if y - begun > 4 { starts.append(Float(begun + y) / 2) }
                    from = nil
                }
            }
            guard starts.count == MadeBook.lineCount else { continue }
            for (line, start) in starts.enumerated() { lines[line].append(start) }
        }
        return lines.map { line in
            guard line.count > 40, let least = line.min(), let most = line.max() else { return 1 }
            return (most - least) / Float(page.width)
        }
    }

    @Test(
        "two pages, whose lines are straight within a hundredth of the width", arguments: [Float(0), 20, 45],
        [true, false])
    func flat(_ bend: Float, _ isDarkTable: Bool) throws {
        let photo = MadeBook(bend: bend, isDarkTable: isDarkTable).raster
        let book = try #require(OpenBook(PageWish(size: .book, turns: 0), in: photo))
        #expect(book.pages.count == 2)
        for page in book.pages {
            let share = Float(page.width) / Float(MadeBook.fold - MadeBook.left)
            #expect(share > 0.92 && share < 1.3, "\(page.width)")
            let most = wandering(page).max() ?? 1
            #expect(most < 0.01, "bend \(bend): \(most)")
        }
    }

    @Test("what stands higher than it is wide is no open book")
    func none() {
        let tall = MadeBook(bend: 0).raster
        let corners = Corners(Point(200, 300), Point(900, 300), Point(900, 1300), Point(200, 1300))
        #expect(OpenBook(PageWish(corners: corners, size: .book, turns: 0), in: tall) == nil)
    }
}
