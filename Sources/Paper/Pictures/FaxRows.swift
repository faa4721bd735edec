/// Rows of black and white packed as fax machines of group four do (ITU-T T.6): each row by how it differs from the one above.
/// A page of print takes half of what deflate makes of it, and every PDF reader knows it.
public struct FaxRows: Sendable {
    public let width: Int
    public let height: Int
    public private(set) var bytes: [UInt8] = []
    private var bits: UInt64 = 0
    private var bitCount = 0

    /// `isBlack` is asked for each pixel, row by row.
    public init(width: Int, height: Int, isBlack: (_ x: Int, _ y: Int) -> Bool) {
        (self.width, self.height) = (width, height)
        // Where a row changes its colour, white first; twice the end behind it.
        var above = [width, width]
        for y in 0..<height {
            var changes: [Int] = []
            var wasBlack = false
            for x in 0..<width where isBlack(x, y) != wasBlack {
                changes.append(x)
                wasBlack.toggle()
            }
            changes += [width, width]
            pack(changes, above)
            above = changes
        }
        put(FaxCodes.end)
        put(FaxCodes.end)
        if bitCount > 0 { put(FaxCodes.Code(value: 0, count: 8 - bitCount % 8)) }
    }

    private mutating func pack(_ changes: [Int], _ above: [Int]) {
        var (place, isBlack) = (-1, false)
        // The next change in this row, and where the row above is read.
        var (next, over) = (0, 0)
        while place < width {
            let own = changes[next]
            // The first change above that lies to the right and goes to the other colour: even ones go to black.
            while over > 0, above[over - 1] > place { over -= 1 }
            while above[over] < width, above[over] <= place || (over % 2 == 0) == isBlack { over += 1 }
            let upper = above[over]
            let behind = over + 1 < above.count ? above[over + 1] : width
            if behind < own {
                put(FaxCodes.pass)
                place = behind
            } else if abs(own - upper) <= 3 {
                put(FaxCodes.vertical[own - upper + 3])
                place = own
                isBlack.toggle()
                next = min(next + 1, changes.count - 1)
            } else {
                put(FaxCodes.horizontal)
                let end = changes[min(next + 1, changes.count - 1)]
                run(own - max(0, place), isBlack)
                run(end - own, !isBlack)
                place = end
                next = min(next + 2, changes.count - 1)
            }
        }
    }

    private mutating func run(_ length: Int, _ isBlack: Bool) {
        var left = length
        while left > 2623 {
            put(FaxCodes.long[12])
            left -= 2560
        }
        if left >= 1792 {
            put(FaxCodes.long[left / 64 - 28])
        } else if left >= 64 {
            put((isBlack ? FaxCodes.black : FaxCodes.white)[63 + left / 64])
        }
        put((isBlack ? FaxCodes.black : FaxCodes.white)[left % 64])
    }

    private mutating func put(_ code: FaxCodes.Code) {
        bits = bits << UInt64(code.count) | UInt64(code.value)
        bitCount += code.count
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(bitCount - 8)))
            bitCount -= 8
        }
    }
}

/// The words of ITU-T T.4 and T.6.
enum FaxCodes {
    struct Code {
        let value: UInt16
        let count: Int
    }

    static let pass = code("0001")
    static let horizontal = code("001")
    /// From three to the left to three to the right.
    static let vertical = codes("0000010 000010 010 1 011 000011 0000011")
    static let end = code("000000000001")

    /// Runs of 0 to 63, then of 64, 128 and so on to 1728.
    static let white = codes(
        "00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 "
            + "110100 110101 101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 "
            + "0101011 0010011 0100100 0011000 00000010 00000011 00011010 00011011 00010010 00010011 "
            + "00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 "
            + "00101101 00000100 00000101 00001010 00001011 01010010 01010011 01010100 01010101 "
            + "00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010 "
            + "00110011 00110100 11011 10010 010111 0110111 00110110 00110111 01100100 01100101 "
            + "01101000 01100111 011001100 011001101 011010010 011010011 011010100 011010101 011010110 "
            + "011010111 011011000 011011001 011011010 011011011 010011000 010011001 010011010 011000 "
            + "010011011")
    static let black = codes(
        "0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 "
            + "00000111 000011000 0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 "
            + "00000110111 00000101000 00000010111 00000011000 000011001010 000011001011 000011001100 "
            + "000011001101 000001101000 000001101001 000001101010 000001101011 000011010010 "
            + "000011010011 000011010100 000011010101 000011010110 000011010111 000001101100 "
            + "000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 "
            + "000001010111 000001100100 000001100101 000001010010 000001010011 000000100100 "
            + "000000110111 000000111000 000000100111 000000101000 000001011000 000001011001 "
            + "000000101011 000000101100 000001011010 000001100110 000001100111 0000001111 "
            + "000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 "
            + "0000001101100 0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 "
            + "0000001110010 0000001110011 0000001110100 0000001110101 0000001110110 0000001110111 "
            + "0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 "
            + "0000001100100 0000001100101")
    /// Of both colours: 1792, 1856 and so on to 2560.
    static let long = codes(
        "00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 "
            + "000000010110 000000010111 000000011100 000000011101 000000011110 000000011111")

    private static func codes(_ text: String) -> [Code] { text.split(separator: " ").map { code($0) } }

    private static func code(_ text: some StringProtocol) -> Code {
        Code(value: UInt16(text, radix: 2) ?? 0, count: text.count)
    }
}
