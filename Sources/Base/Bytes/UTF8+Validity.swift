extension ArraySlice<UInt8> {
    /// Where the first sequence starts that is not UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing
    /// above U+10FFFF), or nil when all of it is.
    public var firstInvalidUTF8: Int? {
        var place = startIndex
        while place < endIndex {
            let length =
                switch self[place] {
                case 0x00...0x7F: 1
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 0
                }
            guard length > 0, endIndex - place >= length,
                self[place..<place + length].dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 })
            else { return place }
            if length > 2 {
                let second = self[place + 1]
                switch self[place] {
                case 0xE0 where second < 0xA0, 0xED where second > 0x9F: return place
                case 0xF0 where second < 0x90, 0xF4 where second > 0x8F: return place
                default: break
                }
            }
            place += length
        }
        return nil
    }
}
