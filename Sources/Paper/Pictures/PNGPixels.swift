import Archives

/// A PNG's pixels, unpacked: for what cannot be passed on as it is.
struct PNGPixels {
    /// Rows without filters, each beginning on a byte.
    private(set) var rows: [UInt8]

    init(_ file: PNGFile) throws(PictureError) {
        guard file.width <= Picture.mostPixels / file.height else {
            throw .tooLarge(width: file.width, height: file.height)
        }
        let passes = file.isInterlaced ? Self.passes(file) : [Pass(0, 0, 1, 1, file)]
        let expected = passes.reduce(0) {
            $0 + ($1.width > 0 ? $1.height * (file.rowByteCount(width: $1.width) + 1) : 0)
        }
        // No more than the head promised: a bomb ends here.
        guard var packed = inflated(file.rows, .zlib, limit: expected), packed.count == expected else {
            throw .damaged("its pixels cannot be unpacked")
        }
        let pixelByteCount = max(1, file.samples * file.bitDepth / 8)
        var start = 0
        for pass in passes where pass.width > 0 {
            let rowByteCount = file.rowByteCount(width: pass.width)
            try Self.unfilter(&packed, from: start, rows: pass.height, rowByteCount, pixelByteCount)
            start += pass.height * (rowByteCount + 1)
        }
        rows = file.isInterlaced ? Self.weave(packed, passes, file) : Self.withoutFilterBytes(packed, file)
    }

    /// One of Adam7's passes: where it begins, how far apart its pixels stand.
    private struct Pass {
        let left: Int
        let top: Int
        let across: Int
        let down: Int
        let width: Int
        let height: Int

        init(_ left: Int, _ top: Int, _ across: Int, _ down: Int, _ file: PNGFile) {
            (self.left, self.top, self.across, self.down) = (left, top, across, down)
            let width = (file.width - left + across - 1) / across
            let height = (file.height - top + down - 1) / down
            self.width = height > 0 ? max(0, width) : 0
            self.height = width > 0 ? max(0, height) : 0
        }
    }

    private static func passes(_ file: PNGFile) -> [Pass] {
        [
            Pass(0, 0, 8, 8, file), Pass(4, 0, 8, 8, file), Pass(0, 4, 4, 8, file), Pass(2, 0, 4, 4, file),
            Pass(0, 2, 2, 4, file), Pass(1, 0, 2, 2, file), Pass(0, 1, 1, 2, file),
        ]
    }

    private static func unfilter(
        _ bytes: inout [UInt8], from start: Int, rows: Int, _ rowByteCount: Int, _ pixelByteCount: Int
    ) throws(PictureError) {
        let isSound = bytes.withUnsafeMutableBufferPointer { buffer -> Bool in
            for row in 0..<rows {
                let place = start + row * (rowByteCount + 1)
                let line = place + 1
                let above = line - rowByteCount - 1
                switch buffer[place] {
                case 0: break
                case 1:
                    for index in stride(from: pixelByteCount, to: rowByteCount, by: 1) {
                        buffer[line + index] &+= buffer[line + index - pixelByteCount]
                    }
                case 2 where row > 0:
                    for index in 0..<rowByteCount { buffer[line + index] &+= buffer[above + index] }
                case 2: break
                case 3:
                    for index in 0..<rowByteCount {
                        let left = index >= pixelByteCount ? Int(buffer[line + index - pixelByteCount]) : 0
                        let up = row > 0 ? Int(buffer[above + index]) : 0
                        buffer[line + index] &+= UInt8(truncatingIfNeeded: (left + up) / 2)
                    }
                case 4:
                    for index in 0..<rowByteCount {
                        let left = index >= pixelByteCount ? Int(buffer[line + index - pixelByteCount]) : 0
                        let up = row > 0 ? Int(buffer[above + index]) : 0
                        let corner =
                            row > 0 && index >= pixelByteCount
                            ? Int(buffer[above + index - pixelByteCount]) : 0
                        buffer[line + index] &+= UInt8(truncatingIfNeeded: paeth(left, up, corner))
                    }
                default: return false
                }
            }
            return true
        }
        guard isSound else { throw .damaged("its rows are packed in an unknown way") }
    }

    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
        let guess = left + up - corner
        let (a, b, c) = (abs(guess - left), abs(guess - up), abs(guess - corner))
        return a <= b && a <= c ? left : b <= c ? up : corner
    }

    private static func withoutFilterBytes(_ packed: [UInt8], _ file: PNGFile) -> [UInt8] {
        let rowByteCount = file.rowByteCount(width: file.width)
        var rows: [UInt8] = []
        rows.reserveCapacity(rowByteCount * file.height)
        for row in 0..<file.height {
            let start = row * (rowByteCount + 1) + 1
            rows += packed[start..<start + rowByteCount]
        }
        return rows
    }

    private static func weave(_ packed: [UInt8], _ passes: [Pass], _ file: PNGFile) -> [UInt8] {
        let rowByteCount = file.rowByteCount(width: file.width)
        let bits = file.samples * file.bitDepth
        var rows = [UInt8](repeating: 0, count: rowByteCount * file.height)
        var start = 0
        for pass in passes where pass.width > 0 {
            let passRowByteCount = file.rowByteCount(width: pass.width)
            for y in 0..<pass.height {
                let from = start + y * (passRowByteCount + 1) + 1
                let to = (pass.top + y * pass.down) * rowByteCount
                for x in 0..<pass.width {
                    let column = pass.left + x * pass.across
                    if bits >= 8 {
                        let count = bits / 8
                        for byte in 0..<count {
                            rows[to + column * count + byte] = packed[from + x * count + byte]
                        }
                    } else {
                        let perByte = 8 / bits
                        let value = packed[from + x / perByte] >> UInt8((perByte - 1 - x % perByte) * bits)
                        let mask = UInt8((1 << bits) - 1)
                        rows[to + column / perByte] |=
                            (value & mask) << UInt8((perByte - 1 - column % perByte) * bits)
                    }
                }
            }
            start += pass.height * (passRowByteCount + 1)
        }
        return rows
    }
}
