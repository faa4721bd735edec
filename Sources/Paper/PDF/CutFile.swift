/// A file whose end is gone, as a download that broke off: with it went the word on where its catalog is (ISO 32000-2
/// §7.5.5), without which nothing is read. The catalog itself is often still there.
enum CutFile {
    /// The bytes with an end that names the last catalog; nil when there is none, or the file is locked and the key was in
    /// the end that is gone.
    static func mended(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: "%PDF-".utf8), last("/Encrypt", in: bytes, before: bytes.count) == nil,
            let root = catalog(bytes)
        else { return nil }
        return bytes + Array("\ntrailer\n<</Root \(root) 0 R>>\nstartxref\n0\n%%EOF\n".utf8)
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

    private static func last(_ word: StaticString, in bytes: [UInt8], before end: Int) -> Int? {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return bytes.withUnsafeBufferPointer { bytes in
            var at = end - word.count
            while at >= 0 {
                if bytes[at] == word[0], bytes[at..<at + word.count].elementsEqual(word) { return at }
                at -= 1
            }
            return nil
        }
    }
}
