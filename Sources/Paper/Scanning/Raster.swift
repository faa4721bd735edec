/// A picture as pixels: four bytes each, red, green, blue and one that is not looked at; rows without gaps.
public struct Raster: Equatable, Sendable {
    public let width: Int
    public let height: Int
    public var pixels: [UInt8]

    /// Black.
    public init(width: Int, height: Int) {
        (self.width, self.height) = (max(0, width), max(0, height))
        pixels = [UInt8](repeating: 0, count: self.width * self.height * 4)
    }

    /// Nil when there are not as many bytes as pixels need.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20, pixels.count == width * height * 4
        else {
            return nil
        }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    public func withView<Result>(_ body: (RasterView) -> Result) -> Result {
        pixels.withUnsafeBytes { bytes in
            body(
                RasterView(
                    bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16)!, width: width, height: height))
        }
    }
}

/// Pixels that lie in somebody else's memory.
public struct RasterView {
    let base: UnsafeRawPointer
    public let width: Int
    public let height: Int

    public init(_ base: UnsafeRawPointer, width: Int, height: Int) {
        (self.base, self.width, self.height) = (base, width, height)
    }

    @inline(__always)
    func pixel(at offset: Int) -> SIMD4<UInt8> {
        base.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
    }

    /// The colour between pixels; outside, that of the nearest pixel.
    @inline(__always)
    func color(at point: Point) -> SIMD4<Float> {
        let x = min(max(point.x - 0.5, 0), Float(width - 1))
        let y = min(max(point.y - 0.5, 0), Float(height - 1))
        let (column, row) = (min(Int(x), max(0, width - 2)), min(Int(y), max(0, height - 2)))
        let (right, down) = (x - Float(column), y - Float(row))
        let here = (row * width + column) * 4
        let (next, below) = (width > 1 ? 4 : 0, height > 1 ? width * 4 : 0)
        let upper = floats(here) + (floats(here + next) - floats(here)) * right
        let lower = floats(here + below) + (floats(here + below + next) - floats(here + below)) * right
        return upper + (lower - upper) * down
    }

    @inline(__always)
    private func floats(_ offset: Int) -> SIMD4<Float> {
        SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pixel(at: offset)))
    }

    /// Red, green and blue apart, each of their pixels the mean of `factor` × `factor` of these.
    func shrunk(by factor: Int) -> [Plane] {
        var planes = [Plane](repeating: Plane(width: width / factor, height: height / factor), count: 3)
        let (columns, rows) = (width / factor, height / factor)
        let share = UInt32(65536 / (factor * factor))
        var line = [SIMD4<UInt32>](repeating: SIMD4(), count: columns)
        for row in 0..<rows {
            line.withUnsafeMutableBufferPointer { line in
                for column in 0..<columns {
                    var sum = SIMD4<UInt32>()
                    for down in 0..<factor {
                        let start = ((row * factor + down) * width + column * factor) * 4
                        for across in 0..<factor {
                            sum &+= SIMD4<UInt32>(truncatingIfNeeded: pixel(at: start + across * 4))
                        }
                    }
                    line[column] = (sum &* share) &>> 16
                }
            }
            for channel in 0..<3 {
                planes[channel].pixels.withUnsafeMutableBufferPointer { pixels in
                    for column in 0..<columns {
                        pixels[row * columns + column] = UInt8(truncatingIfNeeded: line[column][channel])
                    }
                }
            }
        }
        return planes
    }
}

/// How bright a colour is to the eye, 0…255.
@inline(__always)
func brightness(_ pixel: SIMD4<UInt8>) -> Int {
    (Int(pixel.x) &* 77 &+ Int(pixel.y) &* 150 &+ Int(pixel.z) &* 29) &>> 8
}

@inline(__always)
func brightness(_ color: SIMD4<Float>) -> Float { 0.3 * color.x + 0.59 * color.y + 0.11 * color.z }

/// The largest of red, green and blue without their signs.
@inline(__always)
func largest(_ color: SIMD4<Float>) -> Float { max(abs(color.x), max(abs(color.y), abs(color.z))) }
