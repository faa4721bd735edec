extension RasterView {
    /// Writes what lies within the corners as a flat page of `width` × `height` pixels.
    ///
    /// Where a pixel comes from is worked out exactly at each sixteenth and straight between: a division for each pixel would
    /// take most of the time.
    func flatten(_ corners: Corners, into out: UnsafeMutableRawPointer, width columns: Int, height rows: Int)
    {
        guard width > 1, height > 1, width < 32_000, height < 32_000,
            let map = Perspective(width: columns, height: rows, onto: corners)
        else { return }
        let (lastX, lastY) = (Int32(width - 2), Int32(height - 2))
        let line = width * 4
        for y in 0..<rows {
            let row = out + y * columns * 4
            var x = 0
            var start = map.place(0.5, Double(y) + 0.5)
            while x < columns {
                let count = min(16, columns - x)
                let end = map.place(Double(x + count) + 0.5, Double(y) + 0.5)
                var (u, v) = (Self.fixed(start.x - 0.5, width), Self.fixed(start.y - 0.5, height))
                let stepU = (Self.fixed(end.x - 0.5, width) &- u) / Int32(count)
                let stepV = (Self.fixed(end.y - 0.5, height) &- v) / Int32(count)
                for i in 0..<count {
                    let (left, top) = (min(max(u >> 16, 0), lastX), min(max(v >> 16, 0), lastY))
                    let right = UInt16(truncatingIfNeeded: (u >> 8) & 255)
                    let lower = UInt16(truncatingIfNeeded: (v >> 8) & 255)
                    let pixel = mixed(at: Int(top) * line + Int(left) * 4, line, right, lower)
                    (row + (x + i) * 4).storeBytes(of: pixel, as: SIMD4<UInt8>.self)
                    u &+= stepU
                    v &+= stepV
                }
                start = end
                x += count
            }
        }
    }

    /// Of four pixels, in 256ths. Both of a row are loaded at once.
    @inline(__always)
    private func mixed(at offset: Int, _ line: Int, _ right: UInt16, _ lower: UInt16) -> SIMD4<UInt8> {
        let upper = SIMD8<UInt16>(
            truncatingIfNeeded: base.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt8>.self))
        let under = SIMD8<UInt16>(
            truncatingIfNeeded: base.loadUnaligned(fromByteOffset: offset + line, as: SIMD8<UInt8>.self))
        let both = (upper &* (256 &- lower) &+ under &* lower) &>> 8
        return SIMD4<UInt8>(
            truncatingIfNeeded: (both.lowHalf &* (256 &- right) &+ both.highHalf &* right) &>> 8)
    }

    /// In 65536ths. A little beyond the picture is far enough, and a point on the horizon is no number at all.
    @inline(__always)
    private static func fixed(_ value: Double, _ size: Int) -> Int32 {
        guard value > -8 else { return -8 << 16 }
        return value < Double(size) + 8 ? Int32(value * 65536) : Int32(size + 8) << 16
    }
}
