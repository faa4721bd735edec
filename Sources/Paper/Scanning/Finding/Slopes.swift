/// How steeply brightness rises at each pixel, by the colour in which it does so most: a white sheet on a light table of wood
/// differs from it in blue alone.
struct Slopes {
    let width: Int
    let height: Int
    private(set) var across: [Int16]
    private(set) var down: [Int16]
    private(set) var strength: [Int16]

    init(_ planes: [Plane]) {
        (width, height) = (planes[0].width, planes[0].height)
        across = [Int16](repeating: 0, count: width * height)
        down = across
        strength = across
        guard width > 4, height > 4 else { return }
        for plane in planes { take(plane) }
    }

    /// Sobel's differences.
    private mutating func take(_ plane: Plane) {
        let (width, height) = (width, height)
        plane.pixels.withUnsafeBufferPointer { pixels in
            across.withUnsafeMutableBufferPointer { across in
                down.withUnsafeMutableBufferPointer { down in
                    strength.withUnsafeMutableBufferPointer { strength in
                        guard let pixels = pixels.baseAddress, let across = across.baseAddress,
                            let down = down.baseAddress, let strength = strength.baseAddress
                        else { return }
                        for y in 1..<height - 1 {
                            let start = y * width + 1
                            Self.row(
                                pixels + start - 1, width, across + start, down + start, strength + start)
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func row(
        _ middle: UnsafePointer<UInt8>, _ width: Int, _ across: UnsafeMutablePointer<Int16>,
        _ down: UnsafeMutablePointer<Int16>, _ strength: UnsafeMutablePointer<Int16>
    ) {
        let (above, below) = (middle - width, middle + width)
        for x in 0..<width - 2 {
            let (a, b, c) = (Int16(above[x]), Int16(above[x + 1]), Int16(above[x + 2]))
            let (d, e) = (Int16(middle[x]), Int16(middle[x + 2]))
            let (f, g, h) = (Int16(below[x]), Int16(below[x + 1]), Int16(below[x + 2]))
            let right = (c &- a) &+ (h &- f) &+ ((e &- d) &<< 1)
            let lower = (f &- a) &+ (h &- c) &+ ((g &- b) &<< 1)
            let (wide, high) = (max(right, 0 &- right), max(lower, 0 &- lower))
            // Within 4 % of the true length, without a root.
            let length = max(wide, high) &+ ((min(wide, high) &* 3) &>> 3)
            let isSteeper = length > strength[x]
            across[x] = isSteeper ? right : across[x]
            down[x] = isSteeper ? lower : down[x]
            strength[x] = isSteeper ? length : strength[x]
        }
    }

    /// The strength that only so many of all pixels are above, within limits.
    func threshold(share: Float, within limits: ClosedRange<Int>) -> Int {
        var histogram = [Int](repeating: 0, count: 257)
        for value in strength { histogram[min(256, Int(value) >> 1)] += 1 }
        var (left, place) = (Int(Float(strength.count) * share), 256)
        while place > limits.lowerBound / 2 {
            left -= histogram[place]
            if left < 0 { break }
            place -= 1
        }
        return min(limits.upperBound, max(limits.lowerBound, place * 2))
    }
}
