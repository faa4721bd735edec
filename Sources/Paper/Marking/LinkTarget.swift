import Bytes

/// Where a place on a page leads: to the web, to a mail, to a telephone, or to another page of the paper.
public enum LinkTarget: Sendable, Equatable {
    case address(String)
    /// Counted from 0.
    case page(Int)

    private static let schemes = ["http", "https", "mailto", "tel", "sms"]
    static let longest = 2_000

    /// As people write it: `https://example.org`, `example.org/forms`, `ada@example.org`, `+52 55 1234 5678`, and `#3` for a
    /// page. Nil for what leads nowhere, and for what would run something.
    public init?(_ written: String) {
        var words = written.drop(while: \.isWhitespace)
        while words.last?.isWhitespace == true { words.removeLast() }
        let text = String(words)
        if text.hasPrefix("#") {
            guard let page = Int(text.dropFirst()), page >= 1 else { return nil }
            self = .page(page - 1)
            return
        }
        let digits = text.filter { !" -().".contains($0) }
        if digits.count >= 5, digits.drop(while: { $0 == "+" }).allSatisfy({ ("0"..."9").contains($0) }) {
            self = .address("tel:" + digits)
            return
        }
        guard (3...Self.longest).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: {
                $0.value <= 32 || "<>\"\\^`{|}".unicodeScalars.contains($0)
            })
        else { return nil }
        let whole: String
        if let colon = text.firstIndex(of: ":"), Self.schemes.contains(text[..<colon].lowercased()) {
            let scheme = text[..<colon].lowercased()
            let isWeb = scheme.hasPrefix("http")
            let rest = text[text.index(after: colon)...]
            guard isWeb ? rest.hasPrefix("//") && rest.count > 2 : !rest.isEmpty else { return nil }
            whole = scheme + ":" + rest
        } else {
            let host = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            let name = host.prefix { $0 != ":" }
            guard name.dropFirst().dropLast().contains("."),
                host.dropFirst(name.count).dropFirst().allSatisfy({ ("0"..."9").contains($0) })
            else { return nil }
            whole = (host.contains("@") ? "mailto:" : "https://") + text
        }
        // Addresses in a file are of plain letters; others stand in them as their bytes.
        self = .address(
            whole.unicodeScalars.map { $0.isASCII ? String($0) : PercentCoding.encode(String($0)) }.joined())
    }

    public var text: String {
        switch self {
        case .address(let address): address
        case .page(let page): "#\(page + 1)"
        }
    }
}
