import Pictures
import Scanning

/// How the pixels of a cleaned page become few bytes.
enum PagePacking {
    static func blackAndWhite(_ page: Raster) -> FaxRows {
        page.pixels.withUnsafeBufferPointer { pixels in
            FaxRows(width: page.width, height: page.height) { x, y in pixels[(y * page.width + x) * 4] == 0 }
        }
    }

    /// Nearly all of it paper or ink: what has shades, as a photo on the page does, would show steps in few colours.
    static func isPrint(_ page: Raster) -> Bool {
        var (between, colored, count) = (0, 0, 0)
        for i in stride(from: 0, to: page.pixels.count - 3, by: 4 * 7) {
            let (red, green, blue) = (page.pixels[i], page.pixels[i + 1], page.pixels[i + 2])
            if green > 70, green < 235 { between += 1 }
            if max(red, green, blue) - min(red, green, blue) > 40 { colored += 1 }
            count += 1
        }
        return between * 100 < count * 22 && colored * 100 < count * 8
    }

    /// In sixteen greys, or eight when those need more than `most` bytes; with 64 colours beside them.
    static func fewColors(_ page: Raster, isGrey: Bool, most: Int) -> FewColors {
        let made = fewColors(page, greys: 16, hasColors: !isGrey)
        return made.packed.count <= most ? made : fewColors(page, greys: 8, hasColors: !isGrey)
    }

    private static func fewColors(_ page: Raster, greys: Int, hasColors: Bool) -> FewColors {
        var palette: [UInt8] = []
        for grey in 0..<greys { palette += [UInt8](repeating: UInt8(grey * 255 / (greys - 1)), count: 3) }
        if hasColors {
            for color in 0..<64 {
                for shift in [4, 2, 0] { palette.append(UInt8((color >> shift & 3) * 85)) }
            }
        }
        return page.pixels.withUnsafeBufferPointer { pixels in
            FewColors(width: page.width, height: page.height, palette: palette) { pixel in
                let at = pixel * 4
                let (red, green, blue) = (Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2]))
                if hasColors, max(red, green, blue) - min(red, green, blue) > 40 {
                    return UInt8(greys + step(red, 4) << 4 + step(green, 4) << 2 + step(blue, 4))
                }
                return UInt8(step((red * 77 + green * 150 + blue * 29) >> 8, greys))
            }
        }
    }

    private static func step(_ value: Int, _ count: Int) -> Int { (value * (count - 1) + 127) / 255 }
}
