import Alphabet

/// Looks for words, patterns and expressions in texts.
final class TextSearch {
    private let all: [(expression: Expression, isMeant: (String) -> Bool)]

    init(_ wish: RedactionWish) throws(RedactionError) {
        var all: [(Expression, (String) -> Bool)] = []
        let words = wish.words.map { Self.trimmed($0) }.filter { !$0.isEmpty }
        if !words.isEmpty {
            // The longest first, since the first that fits is taken.
            let each = words.sorted { $0.count > $1.count }.map(Self.wholeWord)
            all.append((try Self.expression("(?:" + each.joined(separator: "|") + ")"), { _ in true }))
        }
        for pattern in RedactionWish.Pattern.allCases where wish.patterns.contains(pattern) {
            for (text, isMeant) in Self.known(pattern) { all.append((try Self.expression(text), isMeant)) }
        }
        for text in wish.expressions { all.append((try Self.expression(text), { _ in true })) }
        self.all = all
    }

    func places(in text: String) throws(RedactionError) -> [Range<Int>] {
        try places(in: Array(text.utf16))
    }

    func places(in units: [UInt16]) throws(RedactionError) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for (expression, isMeant) in all {
            do throws(Expression.Trouble) {
                found += try expression.places(in: units).filter {
                    isMeant(String(decoding: units[$0], as: UTF16.self))
                }
            } catch {
                throw .expressionTooSlow
            }
        }
        return found
    }

    func isIn(_ text: String) throws(RedactionError) -> Bool { try !places(in: text).isEmpty }

    private static func expression(_ text: String) throws(RedactionError) -> Expression {
        do throws(Expression.Trouble) { return try Expression(text) } catch { throw .noExpression(text) }
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func wholeWord(_ text: String) -> String {
        var out = ""
        for (index, part) in text.split(separator: " ").enumerated() {
            if index > 0 { out += "\\s+" }
            out += part.split(separator: "*", omittingEmptySubsequences: false)
                .map { Expression.escaped(String($0)) }.joined(separator: "[\\p{L}\\p{M}\\p{N}]*")
        }
        let isLetter = { (character: Character?) in character.map { $0.isLetter || $0.isNumber } ?? false }
        let start = isLetter(text.first) ? "(?<![\\p{L}\\p{N}])" : ""
        let end = isLetter(text.last) || text.last == "*" ? "(?![\\p{L}\\p{N}])" : ""
        return start + out + end
    }

    private static func known(_ pattern: RedactionWish.Pattern) -> [(String, (String) -> Bool)] {
        switch pattern {
        case .mail:
            [("[\\p{L}\\p{N}._%+'-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)*\\.\\p{L}{2,24}", { _ in true })]
        case .phone:
            [
                (
                    "(?<![\\p{L}\\p{N}.,/-])(?:(?:\\+|00)\\d{1,3}[ ./-]{0,2})?(?:\\(\\d{1,5}\\)[ ./-]{0,2})?"
                        + "\\d{2,5}(?:[ ./-]{1,2}\\d{2,8}){1,5}(?![\\p{L}\\p{N}]|[.,]\\d)", isPhone
                ),
                ("(?<![\\p{L}\\p{N}])\\+\\d{8,15}(?!\\d)", { _ in true }),
            ]
        case .account:
            [
                ("(?<![\\p{L}\\p{N}])[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{2,4}){3,8}(?![\\p{L}\\p{N}])", isIBAN),
                ("(?<![\\p{L}\\p{N}])\\d(?:[ -]?\\d){12,18}(?![\\p{L}\\p{N}])", isCard),
                (
                    "(?<=(?:account|acct|konto|compte|cuenta|clabe|routing|transit)[^\\n]{0,24})"
                        + "(?<![\\p{L}\\p{N}])\\d(?:[ -]?\\d){5,17}(?![\\p{L}\\p{N}])",
                    { _ in true }
                ),
            ]
        case .ssn:
            [
                ("(?<![\\p{L}\\p{N}-])\\d{3}[- ]\\d{2}[- ]\\d{4}(?![\\p{L}\\p{N}-])", { _ in true }),
                // Canada's, of which the last digit is reckoned from the others.
                ("(?<![\\p{L}\\p{N}-])\\d{3}[- ]\\d{3}[- ]\\d{3}(?![\\p{L}\\p{N}-])", isCard),
            ]
        }
    }

    /// Between 7 and 15 digits, and no day.
    private static func isPhone(_ text: String) -> Bool {
        let digits = text.count(where: \.isNumber)
        guard (7...15).contains(digits) else { return false }
        let parts = text.split { !$0.isNumber }.map(\.count)
        let isDay = parts == [4, 2, 2] || parts == [2, 2, 4] || parts == [2, 2, 2]
        return !isDay
    }

    /// The last digit follows from the others (Luhn), as on cards.
    private static func isCard(_ text: String) -> Bool {
        let digits = text.compactMap(\.wholeNumberValue)
        guard Set(digits).count > 1 else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            let value = digit.offset % 2 == 1 ? digit.element * 2 : digit.element
            return sum + (value > 9 ? value - 9 : value)
        }
        return sum % 10 == 0
    }

    private static func isIBAN(_ text: String) -> Bool {
        let signs = text.uppercased().filter { !$0.isWhitespace }
        guard (15...34).contains(signs.count) else { return false }
        var rest = 0
        for sign in signs.dropFirst(4) + signs.prefix(4) {
            guard let value = Int(String(sign), radix: 36) else { return false }
            rest = (rest * (value > 9 ? 100 : 10) + value) % 97
        }
        return rest == 1
    }
}
