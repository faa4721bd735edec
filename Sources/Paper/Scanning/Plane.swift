/// One byte for each pixel.
struct Plane {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        pixels = [UInt8](repeating: 0, count: width * height)
    }

    /// Without whatever is dark and thinner than `2 * radius + 1`: print and ruling go, a sheet becomes an even patch, and its
    /// outline stays where it was. Otherwise lines of print would be the strongest edges in sight.
    func closed(radius: Int) -> Plane { spread(radius, brighter: true).spread(radius, brighter: false) }

    /// Each pixel becomes the brightest (or the darkest) within `radius`, first along rows, then along columns.
    private func spread(_ radius: Int, brighter: Bool) -> Plane {
        var rows = self
        for y in 0..<height { Self.spreadRow(pixels, &rows.pixels, y * width, width, radius, brighter) }
        var result = rows
        for y in 0..<height {
            for other in max(0, y - radius)...min(height - 1, y + radius) where other != y {
                Self.take(rows.pixels, other * width, into: &result.pixels, y * width, width, brighter)
            }
        }
        return result
    }

    private static func spreadRow(
        _ from: [UInt8], _ to: inout [UInt8], _ start: Int, _ count: Int, _ radius: Int, _ brighter: Bool
    ) {
        for shift in 1...max(1, radius) where shift < count {
            take(from, start + shift, into: &to, start, count - shift, brighter)
            take(from, start, into: &to, start + shift, count - shift, brighter)
        }
    }

    @inline(__always)
    private static func take(
        _ from: [UInt8], _ source: Int, into to: inout [UInt8], _ target: Int, _ count: Int, _ brighter: Bool
    ) {
        from.withUnsafeBufferPointer { from in
            to.withUnsafeMutableBufferPointer { to in
                guard let source = from.baseAddress.map({ $0 + source }),
                    let target = to.baseAddress.map({ $0 + target })
                else { return }
                if brighter {
                    for i in 0..<count { target[i] = max(target[i], source[i]) }
                } else {
                    for i in 0..<count { target[i] = min(target[i], source[i]) }
                }
            }
        }
    }

    /// Noise smoothed away over 5 × 5, then spread over the whole range, at most six times: for dim rooms and for white sheets
    /// on white tables.
    static func stretched(_ planes: [Plane]) -> [Plane] {
        guard let first = planes.first, first.width > 8, first.height > 8 else { return planes }
        let count = first.width * first.height
        let sums = planes.map { $0.sumsOfFive }
        var histogram = [Int](repeating: 0, count: 255 * 25 + 1)
        for sum in sums { for value in sum { histogram[Int(value)] += 1 } }
        // One in a hundred may be darker, one in a hundred brighter.
        let few = planes.count * count / 100
        let low = Self.place(in: histogram, few, from: 0, step: 1)
        let high = Self.place(in: histogram, few, from: histogram.count - 1, step: -1)
        let gain = min(6, 230 * 25 / Float(max(1, high - low))) / 25
        return sums.map { sum in
            var plane = Plane(width: first.width, height: first.height)
            for i in 0..<count {
                plane.pixels[i] = UInt8(min(255, max(0, (Float(sum[i]) - Float(low)) * gain)))
            }
            return plane
        }
    }

    private static func place(in histogram: [Int], _ few: Int, from start: Int, step: Int) -> Int {
        var (place, left) = (start, few - histogram[start])
        while left > 0, histogram.indices.contains(place + step) {
            place += step
            left -= histogram[place]
        }
        return place
    }

    /// Each the sum of the 25 pixels around it.
    private var sumsOfFive: [UInt16] {
        var rows = [UInt16](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                var sum: UInt16 = 0
                for shift in -2...2 { sum &+= UInt16(pixels[y * width + min(max(x + shift, 0), width - 1)]) }
                rows[y * width + x] = sum
            }
        }
        var result = rows
        for y in 0..<height {
            for x in 0..<width {
                var sum: UInt16 = 0
                for shift in -2...2 { sum &+= rows[min(max(y + shift, 0), height - 1) * width + x] }
                result[y * width + x] = sum
            }
        }
        return result
    }
}
