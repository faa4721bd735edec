/// 256 bits of a page, by which the same sheet is known when somebody scans it twice: for 16 × 16 fields, whether the next one
/// to the right is brighter.
public struct Fingerprint: Equatable, Sendable {
    public private(set) var bits = SIMD8<UInt32>()

    private static let fields = 16

    public init(of view: RasterView) {
        // What lies at the very edge differs from cut to cut.
        let (left, top) = (view.width * 3 / 100, view.height * 3 / 100)
        let (width, height) = (view.width - 2 * left, view.height - 2 * top)
        guard width >= 34, height >= 32 else { return }
        var means = [Float](repeating: 0, count: (Self.fields + 1) * Self.fields)
        for row in 0..<Self.fields {
            for column in 0...Self.fields {
                var (sum, count) = (0, 0)
                let rows = stride(
                    from: top + row * height / Self.fields, to: top + (row + 1) * height / Self.fields,
                    by: max(1, height / 400))
                let columns = stride(
                    from: left + column * width / (Self.fields + 1),
                    to: left + (column + 1) * width / (Self.fields + 1), by: max(1, width / 400))
                for y in rows {
                    for x in columns {
                        sum += Int(view.pixel(at: (y * view.width + x) * 4).y)
                        count += 1
                    }
                }
                means[row * (Self.fields + 1) + column] = Float(sum) / Float(max(1, count))
            }
        }
        for row in 0..<Self.fields {
            for column in 0..<Self.fields {
                let at = row * (Self.fields + 1) + column
                let bit = row * Self.fields + column
                if means[at + 1] > means[at] + 0.5 { bits[bit / 32] |= 1 << UInt32(bit & 31) }
            }
        }
    }

    /// So few bits differ when it is the same sheet.
    public static let same = 40

    public func differences(from other: Fingerprint) -> Int {
        var count = 0
        for lane in 0..<8 { count += (bits[lane] ^ other.bits[lane]).nonzeroBitCount }
        return count
    }
}
