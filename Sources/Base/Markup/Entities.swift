/// The letters that HTML and XML write as words: `&uuml;`, `&#252;`.
public enum Entities {
    /// The text with the letters in place of the words; what is none of them stays as it is.
    public static func plain(_ text: String) -> String {
        guard text.utf8.contains(and) else { return text }
        var bytes: [UInt8] = []
        append(Array(text.utf8)[...], to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func append(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        var rest = text
        while let start = rest.firstIndex(of: and) {
            bytes += rest[..<start]
            rest = rest[start...]
            if let end = rest.prefix(longest).firstIndex(of: semicolon),
                let letter = letter(String(decoding: rest[(start + 1)..<end], as: UTF8.self))
            {
                bytes += Array(String(letter).utf8)
                rest = rest[(end + 1)...]
            } else {
                bytes.append(and)
                rest = rest.dropFirst()
            }
        }
        bytes += rest
    }

    private static let (and, semicolon) = (UInt8(ascii: "&"), UInt8(ascii: ";"))
    private static let longest = 12

    private static func letter(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let number =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }

    /// From U+00A0 on, one behind the other (HTML, named character references).
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
        Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
        ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
        uuml yacute thorn yuml
        """

    private static let named: [String: Unicode.Scalar] = {
        var named: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "euro": "€", "hellip": "…",
            "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”",
            "bdquo": "„", "bull": "•", "trade": "™", "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š",
            "Yuml": "Ÿ", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}", "zwnj": "\u{200C}",
            "minus": "−",
        ]
        for (place, name) in latin.split(separator: " ").enumerated() {
            named[String(name)] = Unicode.Scalar(0xA0 + UInt32(place))
        }
        return named
    }()
}
