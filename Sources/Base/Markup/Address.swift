/// Decides which addresses may stand in a link.
///
/// Browsers drop tabs and line ends inside an address and control characters before it, so
/// `java\nscript:` runs (WHATWG URL §4.4). The scheme is therefore looked for after dropping the same.
enum Address {
    static let allowedSchemes: Set<String> = ["http", "https", "mailto", "tel"]
    static let blocked = "about:blank#blocked"

    static func safe(_ address: String) -> String {
        var scheme = ""
        for scalar in address.unicodeScalars {
            switch scalar.value {
            case 0...0x20, 0x7F: continue
            case 0x3A:  // ":"
                return allowedSchemes.contains(scheme) ? address : blocked
            case 0x2F, 0x3F, 0x23, 0x5C:  // "/", "?", "#", "\": a relative address, no scheme can follow
                return address
            default:
                scheme.unicodeScalars.append(lowercased(scalar))
            }
        }
        return address
    }

    private static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x41...0x5A: Unicode.Scalar(UInt8(scalar.value) + 0x20)
        default: scalar
        }
    }
}
