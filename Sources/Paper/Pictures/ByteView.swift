/// Bytes asked for by their place; what lies outside reads as nothing. Heads of pictures point all over the place,
/// and a damaged one points nowhere.
struct ByteView {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var count: Int { bytes.count }

    subscript(place: Int) -> UInt8? {
        place >= 0 && place < bytes.count ? bytes[bytes.startIndex + place] : nil
    }

    func part(_ place: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard place >= 0, count >= 0, place <= bytes.count, count <= bytes.count - place else { return nil }
        let start = bytes.startIndex + place
        return bytes[start..<start + count]
    }

    func number(_ place: Int, bytes width: Int, isLittle: Bool = false) -> Int? {
        guard let part = part(place, width), width <= 4 else { return nil }
        return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }

    func begins(_ text: StaticString, at place: Int = 0) -> Bool {
        guard let part = part(place, text.utf8CodeUnitCount) else { return false }
        return text.withUTF8Buffer { part.elementsEqual($0) }
    }
}
