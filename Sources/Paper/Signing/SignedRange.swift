import PDF

/// Which bytes of a file a signature is over: all but the signature itself, in two pieces (ISO 32000-2 §12.8.1).
struct SignedRange {
    enum Flaw: Error {
        case missing
        /// Not from the first byte, or beyond the last.
        case outside
        /// More is left out than the signature.
        case hole
        /// What is left out is not the signature that the field holds.
        case otherContents
    }

    let before: Range<Int>
    let after: Range<Int>

    /// Where what was signed ends.
    var end: Int { after.upperBound }

    init(of signature: PDFDictionary, in file: PDFFile) throws(Flaw) {
        let numbers = file.array(signature["ByteRange"]).map { file.resolve($0).integer ?? -1 }
        guard numbers.count == 4 else { throw numbers.isEmpty ? .missing : .hole }
        let count = file.bytes.count
        guard numbers.allSatisfy({ (0...count).contains($0) }), numbers[0] == 0, numbers[1] > 0,
            numbers[2] > numbers[1], numbers[2] + numbers[3] <= count
        else { throw .outside }
        before = 0..<numbers[1]
        after = numbers[2]..<numbers[2] + numbers[3]
        guard let contents = file.resolve(signature["Contents"]).bytes else { throw .missing }
        let gap = file.bytes[before.upperBound..<after.lowerBound]
        guard gap.first == UInt8(ascii: "<"), gap.last == UInt8(ascii: ">") else { throw .hole }
        guard let written = Self.hex(gap.dropFirst().dropLast()) else { throw .hole }
        guard written == contents else { throw .otherContents }
    }

    private static func hex(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var half: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case 48...57: value = digit - 48
            case 65...70: value = digit - 55
            case 97...102: value = digit - 87
            // Anything else could be a part of the page that the signature does not see.
            case 9, 10, 12, 13, 32: continue
            default: return nil
            }
            if let high = half {
                bytes.append(high << 4 | value)
                half = nil
            } else {
                half = value
            }
        }
        if let half { bytes.append(half << 4) }
        return bytes
    }

    /// True when nothing but line ends stands behind what was signed.
    func reachesEnd(of bytes: [UInt8]) -> Bool {
        bytes[end...].allSatisfy { $0 == 10 || $0 == 13 || $0 == 32 || $0 == 9 || $0 == 0 }
    }

    func withPieces<R>(of bytes: [UInt8], _ body: ([UnsafeRawBufferPointer]) -> R) -> R {
        bytes.withUnsafeBytes { raw in
            body([
                UnsafeRawBufferPointer(rebasing: raw[before]), UnsafeRawBufferPointer(rebasing: raw[after]),
            ])
        }
    }
}
