import Bytes

/// What a program shows in `Authorization` to be let in (RFC 9110 §11.6.2).
public enum Authorization {
    /// A token: sent as `Bearer`, or as the password of any name, which is what programs without tokens can send.
    public static func token(in header: String) -> String? {
        let words = header.split(separator: " ")
        guard words.count == 2 else { return nil }
        switch words[0].lowercased() {
        case "bearer": return String(words[1])
        case "basic":
            guard let pair = Base64.decode(String(words[1])),
                let colon = pair.firstIndex(of: UInt8(ascii: ":"))
            else { return nil }
            return String(validating: pair[(colon + 1)...], as: UTF8.self)
        default: return nil
        }
    }
}
