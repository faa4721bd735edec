import PDF
import Pictures
import TestSupport
import Testing
import Work

@Suite("Black and white as fax machines pack it")
struct FaxRowsTests {
    /// Unpacked by poppler, dot for dot; rows of P4 begin at bytes.
    private func drawn(_ rows: FaxRows) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var pages = try PicturePages { bytes += $0 }
        try pages.add(rows, width: Double(rows.width), height: Double(rows.height))
        try pages.finish()
        return try withScratchFolder { folder in
            try write(bytes, to: "\(folder)/fax.pdf")
            let outcome = try Child("pdfimages", ["\(folder)/fax.pdf", "\(folder)/out"]).run()
            #expect(outcome.succeeded, "\(outcome.errorText)")
            #expect(outcome.errorText.isEmpty)
            let file = try PDFFile.read("\(folder)/out-000.pbm")
            return Array(file.suffix((rows.width + 7) / 8 * rows.height))
        }
    }

    private func expected(_ width: Int, _ height: Int, _ isBlack: (Int, Int) -> Bool) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (width + 7) / 8 * height)
        for y in 0..<height {
            for x in 0..<width where isBlack(x, y) {
                bytes[y * ((width + 7) / 8) + x / 8] |= 0x80 >> UInt8(x % 8)
            }
        }
        return bytes
    }

    @Test("runs of every length, in both colours")
    func runs() throws {
        let (width, height) = (5600, 2800)
        // Each row begins with a run one longer, black ones in every other row, and nothing above helps.
        func isBlack(_ x: Int, _ y: Int) -> Bool {
            let length = y / 2 + 1
            return y % 4 == 1 ? x < length || x > 3000 && x < 3000 + length : y % 4 == 3 && x >= length
        }
        #expect(
            try drawn(FaxRows(width: width, height: height, isBlack: isBlack))
                == expected(width, height, isBlack))
    }

    @Test("rows that follow the ones above them, and rows that do not")
    func rows() throws {
        var state: UInt32 = 7
        // Whole bytes: what lies behind the end of a row is nobody’s.
        let (width, height) = (336, 400)
        var pixels = [Bool](repeating: false, count: width * height)
        for y in 1..<height {
            for x in 0..<width {
                state = state &* 1_664_525 &+ 1_013_904_223
                let isOdd = state >> 24 < (y < 200 ? 12 : 120)
                let above = pixels[
                    (y - 1) * width + max(0, x - Int(state >> 20 & 3) + 1).clamped(below: width)]
                pixels[y * width + x] = isOdd ? !above : above
            }
        }
        let isBlack = { (x: Int, y: Int) in pixels[y * width + x] }
        #expect(
            try drawn(FaxRows(width: width, height: height, isBlack: isBlack))
                == expected(width, height, isBlack))
    }
}

extension Int {
    fileprivate func clamped(below limit: Int) -> Int { Swift.min(self, limit - 1) }
}
