/// A file that qpdf does not mend by itself. Noise before its header, more than readers must accept, moves all that is in it
/// (ISO 32000-1, annex H.3). And where its end is gone, as of a download that broke off, so is the word on where its catalog
/// is (ISO 32000-2 §7.5.5), without which nothing is read; the catalog itself is often still there.
enum SpoiledFile {
    /// The bytes from the header on, with an end that names the last catalog; nil when there is nothing to mend or no
    /// catalog, or the file is locked and the key was in the end that is gone.
    static func mended(_ given: [UInt8]) -> [UInt8]? {
        let bytes = withoutNoise(given)
        if last("startxref", in: bytes, before: bytes.count, within: 1100) != nil, bytes.count < given.count {
            return bytes
        }
        guard last("/Encrypt", in: bytes, before: bytes.count) == nil, let root = catalog(bytes) else {
            return nil
        }
        return bytes + Array("\ntrailer\n<</Root \(root) 0 R>>\nstartxref\n0\n%%EOF\n".utf8)
    }

    private static func withoutNoise(_ bytes: [UInt8]) -> [UInt8] {
        let header = Array("%PDF-".utf8)
        guard !bytes.starts(with: header), bytes.count > header.count else { return bytes }
        let start = bytes.withUnsafeBufferPointer { bytes in
            (0..<bytes.count - header.count).first {
                bytes[$0] == header[0] && bytes[$0..<$0 + header.count].elementsEqual(header)
            }
        }
        return start.map { Array(bytes[$0...]) } ?? bytes
    }

    /// The number of the last object that calls itself a catalog; packed ones cannot be seen from here.
    private static func catalog(_ bytes: [UInt8]) -> Int? {
        var end = bytes.count
        while let word = last("/Catalog", in: bytes, before: end) {
            if let number = objectNumber(bytes, before: word) { return number }
            end = word
        }
        return nil
    }

    /// `12 0 obj` not far before a place.
    private static func objectNumber(_ bytes: [UInt8], before place: Int) -> Int? {
        guard var at = last(" 0 obj", in: bytes, before: place), place - at < 4096 else { return nil }
        var number = 0
        var unit = 1
        while at > 0, case 48...57 = bytes[at - 1], unit < 100_000_000 {
            at -= 1
            number += Int(bytes[at] - 48) * unit
            unit *= 10
        }
        return number > 0 ? number : nil
    }

    private static func last(
        _ word: StaticString, in bytes: [UInt8], before end: Int, within reach: Int = .max
    ) -> Int? {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return bytes.withUnsafeBufferPointer { bytes in
            let least = max(0, end - min(reach, end))
            var at = end - word.count
            while at >= least {
                if bytes[at] == word[0], bytes[at..<at + word.count].elementsEqual(word) { return at }
                at -= 1
            }
            return nil
        }
    }
}
