import Archives

/// A picture of few colours, packed: print with smooth edges takes half of what JPEG makes of it, and no dirt is round its letters.
public struct FewColors: Sendable {
    public let width: Int
    public let height: Int
    /// Four for sixteen colours, else eight.
    public let bitDepth: Int
    /// Red, green and blue of each.
    public let palette: [UInt8]
    public let packed: [UInt8]

    /// `index` is asked for each pixel, row by row, and answers with the number of a colour in the palette.
    public init(width: Int, height: Int, palette: [UInt8], index: (_ pixel: Int) -> UInt8) {
        (self.width, self.height, self.palette) = (width, height, palette)
        bitDepth = palette.count <= 48 ? 4 : 8
        let perRow = bitDepth == 4 ? (width + 1) / 2 : width
        var rows = [UInt8](repeating: 0, count: perRow * height)
        for y in 0..<height {
            for x in 0..<width {
                let value = index(y * width + x)
                if bitDepth == 8 {
                    rows[y * perRow + x] = value
                } else {
                    rows[y * perRow + x / 2] |= x % 2 == 0 ? value << 4 : value
                }
            }
        }
        packed = deflated(rows)
    }
}
