extension PagePixels {
    /// Dots that differ by more than so many shades from all around the same place of the other picture: letters may come out a
    /// part of a dot beside where they stood. Numbers of dots of this picture, row by row; none where the widths differ.
    public func differences(
        from other: PagePixels, passingOver isPassedOver: [Bool] = [], tolerance: Int
    ) -> [Int] {
        guard width == other.width else { return [] }
        let height = min(height, other.height)
        var found: [Int] = []
        shades.withUnsafeBufferPointer { own in
            other.shades.withUnsafeBufferPointer { others in
                func fits(
                    _ shade: UInt8, _ shades: UnsafeBufferPointer<UInt8>, _ row: Int, _ column: Int
                ) -> Bool {
                    var (low, high) = (255, 0)
                    for y in max(0, row - 1)...min(height - 1, row + 1) {
                        for x in max(0, column - 1)...min(width - 1, column + 1) {
                            let value = Int(shades[y * width + x])
                            low = min(low, value)
                            high = max(high, value)
                        }
                    }
                    return Int(shade) >= low - tolerance && Int(shade) <= high + tolerance
                }
                for at in 0..<height * width where own[at] != others[at] {
                    guard abs(Int(own[at]) - Int(others[at])) > tolerance,
                        isPassedOver.isEmpty || !isPassedOver[at]
                    else { continue }
                    let (row, column) = (at / width, at % width)
                    if !fits(others[at], own, row, column) || !fits(own[at], others, row, column) {
                        found.append(at)
                    }
                }
            }
        }
        return found
    }

    /// How many dots of a part of this picture are in no way like those in as large a part of the other, so many dots further right
    /// and down.
    public func differences(
        from other: PagePixels, columns: Range<Int>, rows: Range<Int>, shiftedBy shift: (x: Int, y: Int),
        tolerance: Int
    ) -> Int {
        let columns = columns.clamped(
            to: max(0, -shift.x)..<max(0, -shift.x, min(width, other.width - shift.x)))
        let rows = rows.clamped(to: max(0, -shift.y)..<max(0, -shift.y, min(height, other.height - shift.y)))
        guard !columns.isEmpty, !rows.isEmpty else { return 0 }
        var count = 0
        shades.withUnsafeBufferPointer { own in
            other.shades.withUnsafeBufferPointer { others in
                func fits(
                    _ shade: Int, _ shades: UnsafeBufferPointer<UInt8>, _ width: Int, _ height: Int,
                    _ row: Int,
                    _ column: Int
                ) -> Bool {
                    var (low, high) = (255, 0)
                    for y in max(0, row - 1)...min(height - 1, row + 1) {
                        for x in max(0, column - 1)...min(width - 1, column + 1) {
                            let value = Int(shades[y * width + x])
                            low = min(low, value)
                            high = max(high, value)
                        }
                    }
                    return shade >= low - tolerance && shade <= high + tolerance
                }
                for row in rows {
                    for column in columns {
                        let shade = Int(own[row * width + column])
                        let (y, x) = (row + shift.y, column + shift.x)
                        let there = Int(others[y * other.width + x])
                        guard abs(shade - there) > tolerance else { continue }
                        if !fits(there, own, width, height, row, column)
                            || !fits(shade, others, other.width, other.height, y, x)
                        {
                            count += 1
                        }
                    }
                }
            }
        }
        return count
    }

    /// The mean shades of so many by so many parts: a picture small enough to be held against many others.
    public func small(_ side: Int) -> [UInt8] {
        var parts: [UInt8] = []
        parts.reserveCapacity(side * side)
        for row in 0..<side {
            let rows = row * height / side..<max(row * height / side + 1, (row + 1) * height / side)
            for column in 0..<side {
                let columns =
                    column * width / side..<max(column * width / side + 1, (column + 1) * width / side)
                var sum = 0
                for y in rows where y < height {
                    for x in columns where x < width { sum += Int(shades[y * width + x]) }
                }
                parts.append(UInt8(min(255, sum / max(1, rows.count * columns.count))))
            }
        }
        return parts
    }
}
