public import PDF

/// A page drawn in shades of grey: 0 is black, 255 white, rows from the top.
public struct PagePixels: Sendable, Equatable {
    public let width: Int
    public let height: Int
    public let shades: [UInt8]

    public init?(width: Int, height: Int, shades: [UInt8]) {
        guard width > 0, height > 0, width.multipliedReportingOverflow(by: height) == (shades.count, false)
        else { return nil }
        self.width = width
        self.height = height
        self.shades = shades
    }

    /// A portable graymap (`P5`), as poppler prints it.
    init?(graymap bytes: [UInt8]) {
        guard let first = Self.all(graymaps: bytes)?.first else { return nil }
        self = first
    }

    /// The way back.
    public var graymap: [UInt8] { Array("P5\n\(width) \(height)\n255\n".utf8) + shades }

    /// Nothing can be read on it: dust, the shadow of an edge and what shines through from the back do not count.
    /// Meant for pages drawn about 600 dots wide.
    public var isAsGoodAsBlank: Bool {
        var counts = [Int](repeating: 0, count: 256)
        for shade in shades { counts[Int(shade)] += 1 }
        var (paper, left) = (0, shades.count / 2)
        while paper < 255, left >= counts[paper] {
            left -= counts[paper]
            paper += 1
        }
        guard paper > 128 else { return false }
        let dark = UInt8(max(0, min(paper - 48, 207)))
        let (edge, foot) = (width * 3 / 100, height * 3 / 100)
        // A digit of small print fills a good part of a cell, a grain of dust a corner of one.
        let (cell, most) = (8, 8)
        for top in stride(from: foot, to: height - foot - cell, by: cell / 2) {
            for start in stride(from: edge, to: width - edge - cell, by: cell / 2) {
                var count = 0
                for row in top..<top + cell {
                    let at = row * width + start
                    for shade in shades[at..<at + cell] where shade < dark { count += 1 }
                }
                if count >= most { return false }
            }
        }
        return true
    }

    /// Several, one behind the other.
    static func all(graymaps bytes: [UInt8]) -> [PagePixels]? {
        var found: [PagePixels] = []
        var at = 0
        while at < bytes.count {
            guard bytes[at...].starts(with: [UInt8(ascii: "P"), UInt8(ascii: "5")]) else { return nil }
            at += 2
            var numbers: [Int] = []
            while numbers.count < 3 {
                while at < bytes.count, bytes[at] == 32 || (9...13).contains(bytes[at]) { at += 1 }
                let digits = bytes[at...].prefix { (48...57).contains($0) }
                guard !digits.isEmpty, digits.count < 9 else { return nil }
                numbers.append(digits.reduce(0) { $0 * 10 + Int($1 - 48) })
                at += digits.count
            }
            let (count, isTooMuch) = numbers[0].multipliedReportingOverflow(by: numbers[1])
            guard numbers[2] == 255, !isTooMuch, count < bytes.count - at,
                let pixels = PagePixels(
                    width: numbers[0], height: numbers[1], shades: Array(bytes[(at + 1)...].prefix(count)))
            else { return nil }
            found.append(pixels)
            at += 1 + count
        }
        return found
    }

    /// The share of a place that is darker than `threshold`; the place in fractions of the page from its upper left
    /// corner, as `PageFrame.fractions` gives it.
    public func darkness(
        in place: (left: Double, top: Double, width: Double, height: Double), threshold: UInt8 = 128
    ) -> Double {
        func pixel(_ fraction: Double, _ count: Int) -> Int {
            let value = fraction * Double(count)
            return value.isFinite ? Int(min(max(value, 0), Double(count))) : 0
        }
        let columns =
            pixel(
                place.left, width)..<max(
                pixel(place.left, width), pixel(place.left + place.width, width))
        let rows =
            pixel(
                place.top, height)..<max(
                pixel(place.top, height), pixel(place.top + place.height, height))
        guard !columns.isEmpty, !rows.isEmpty else { return 0 }
        var dark = 0
        for row in rows {
            for column in columns where shades[row * width + column] < threshold { dark += 1 }
        }
        return Double(dark) / Double(columns.count * rows.count)
    }
}

/// How much two pictures of a page differ.
public struct PageDifference: Sendable, Equatable {
    /// The share of pixels that differ by more than the tolerance; 1 when the sizes differ.
    public let share: Double
    /// The mean difference of all pixels, from 0 to 1.
    public let mean: Double
    /// Where they differ, in fractions from the upper left corner; nil when nowhere.
    public let place: Place?

    public struct Place: Sendable, Equatable {
        public let left: Double
        public let top: Double
        public let right: Double
        public let bottom: Double
    }

    /// Edges of letters come out a little differently when a page is written in another way; `tolerance` forgives
    /// differences of so many shades.
    public init(_ old: PagePixels, _ new: PagePixels, tolerance: Int = 48) {
        guard old.width == new.width, old.height == new.height else {
            share = 1
            mean = 1
            place = Place(left: 0, top: 0, right: 1, bottom: 1)
            return
        }
        var count = 0
        var sum = 0
        var (left, right, top, bottom) = (old.width, -1, old.height, -1)
        old.shades.withUnsafeBufferPointer { old in
            new.shades.withUnsafeBufferPointer { new in
                for index in 0..<min(old.count, new.count) where old[index] != new[index] {
                    let difference = abs(Int(old[index]) - Int(new[index]))
                    sum += difference
                    guard difference > tolerance else { continue }
                    count += 1
                }
            }
        }
        if count > 0 {
            for row in 0..<old.height {
                for column in 0..<old.width {
                    let index = row * old.width + column
                    guard abs(Int(old.shades[index]) - Int(new.shades[index])) > tolerance else { continue }
                    left = min(left, column)
                    right = max(right, column)
                    top = min(top, row)
                    bottom = max(bottom, row)
                }
            }
        }
        let pixels = Double(old.shades.count)
        share = Double(count) / pixels
        mean = Double(sum) / 255 / pixels
        place =
            right < 0
            ? nil
            : Place(
                left: Double(left) / Double(old.width), top: Double(top) / Double(old.height),
                right: Double(right + 1) / Double(old.width), bottom: Double(bottom + 1) / Double(old.height))
    }
}

extension PagePixels {
    /// Where something is drawn, in shares of the page from its lower left corner; nil where it is white all over.
    public var drawn: PDFRectangle? {
        var (left, right, top, bottom) = (width, -1, height, -1)
        shades.withUnsafeBufferPointer { shades in
            for row in 0..<height {
                let line = shades[row * width..<(row + 1) * width]
                guard let first = line.firstIndex(where: { $0 < 232 }),
                    let last = line.lastIndex(where: { $0 < 232 })
                else { continue }
                left = min(left, first - row * width)
                right = max(right, last - row * width)
                top = min(top, row)
                bottom = row
            }
        }
        guard right >= 0 else { return nil }
        let (across, up) = (Double(width), Double(height))
        return PDFRectangle(
            left: Double(left) / across, bottom: 1 - Double(bottom + 1) / up,
            right: Double(right + 1) / across,
            top: 1 - Double(top) / up)
    }
}
