/// Codes that people copy by hand, without letters that look like others (Crockford's base 32).
public enum ReadableCode {
    public static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// As it was meant: in any case, with or without hyphens, O for 0 and I or L for 1.
    public static func plain(_ typed: String) -> String {
        let letters = typed.utf8.prefix(100).compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
            case UInt8(ascii: "-"), UInt8(ascii: " "): nil
            default: byte
            }
        }
        return String(
            decoding: letters.map { letter in
                switch letter {
                case UInt8(ascii: "O"): UInt8(ascii: "0")
                case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
                default: letter
                }
            }, as: UTF8.self)
    }
}
