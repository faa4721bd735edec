/// Text strings (ISO 32000-2 §7.9.2.2): PDFDocEncoding, UTF-16BE with its mark, UTF-8 with its mark.
public enum PDFText {
    public static func decode(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), high: 0) }
        // Not in the standard, but written by enough programs that every viewer reads it.
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), high: 1) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return withoutLanguage(String(decoding: bytes.dropFirst(3), as: UTF8.self))
        }
        return fromDocEncoding(bytes)
    }

    /// ASCII as it is; anything else as UTF-16BE, which every reader since PDF 1.2 knows.
    public static func encode(_ text: String) -> [UInt8] {
        let isPlain = text.utf8.allSatisfy { ($0 >= 32 && $0 < 127) || $0 == 10 || $0 == 13 || $0 == 9 }
        if isPlain { return Array(text.utf8) }
        var bytes: [UInt8] = [0xFE, 0xFF]
        for unit in text.utf16 {
            bytes.append(UInt8(unit >> 8))
            bytes.append(UInt8(unit & 0xFF))
        }
        return bytes
    }

    public static func fromDocEncoding(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { if let scalar = docEncoding(byte) { text.append(scalar) } }
        return String(text)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, high: Int) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            units.append(UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high]))
            index += 2
        }
        return withoutLanguage(String(decoding: units, as: UTF16.self))
    }

    /// A language tag sits between two escape characters (§7.9.2.2.1) and is no part of the text.
    private static func withoutLanguage(_ text: String) -> String {
        guard text.unicodeScalars.contains("\u{1B}") else { return text }
        var kept = String.UnicodeScalarView()
        var isTag = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1B}" { isTag.toggle() } else if !isTag { kept.append(scalar) }
        }
        return String(kept)
    }

    private static let low: [UInt32] = [0x02D8, 0x02C7, 0x02C6, 0x02D9, 0x02DD, 0x02DB, 0x02DA, 0x02DC]
    private static let high: [UInt32] = [
        0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x0192, 0x2044, 0x2039, 0x203A, 0x2212, 0x2030,
        0x201E,
        0x201C, 0x201D, 0x2018, 0x2019, 0x201A, 0x2122, 0xFB01, 0xFB02, 0x0141, 0x0152, 0x0160, 0x0178,
        0x017D,
        0x0131, 0x0142, 0x0153, 0x0161, 0x017E, 0xFFFD, 0x20AC,
    ]

    /// Annex D.3. Control characters other than tab and line ends are nothing that can be shown.
    static func docEncoding(_ byte: UInt8) -> Unicode.Scalar? {
        switch byte {
        case 0x18...0x1F: Unicode.Scalar(low[Int(byte) - 0x18])
        case 0x80...0xA0: Unicode.Scalar(high[Int(byte) - 0x80])
        case 0xAD: nil
        case 9, 10, 13: Unicode.Scalar(byte)
        case 0..<32, 0x7F: nil
        default: Unicode.Scalar(byte)
        }
    }
}
