/// A computation in Acrobat's “simplified field notation”: field names, numbers, + - * / and brackets. Acrobat keeps what
/// the author typed in a comment before the script it makes of it:
///
///     /** BVCALC Quantity * Unit\ price EVCALC **/
public struct SimpleNotation: Sendable, Equatable {
    /// The fields it names, each once.
    public let fields: [String]
    private let steps: [Step]

    private enum Step: Sendable, Equatable {
        case number(Double)
        case field(Int)
        case operation(Character)
        case negation
    }

    /// Nil when the script holds no such comment, or one that makes no sense.
    init?(script: String) {
        guard let start = script.range(of: "BVCALC"), let end = script.range(of: "EVCALC"),
            start.upperBound <= end.lowerBound
        else { return nil }
        self.init(expression: script[start.upperBound..<end.lowerBound].prefix(4000))
    }

    init?(expression: Substring) {
        var reader = Reader(text: expression)
        guard reader.sum(depth: 0), reader.isAtEnd else { return nil }
        fields = reader.fields
        steps = reader.steps
    }

    /// Nil when it would divide by nothing.
    func result(_ value: (String) -> Double) -> Double? {
        var stack: [Double] = []
        for step in steps {
            switch step {
            case .number(let number): stack.append(number)
            case .field(let index): stack.append(value(fields[index]))
            case .negation:
                guard let top = stack.popLast() else { return nil }
                stack.append(-top)
            case .operation(let sign):
                guard let second = stack.popLast(), let first = stack.popLast() else { return nil }
                switch sign {
                case "+": stack.append(first + second)
                case "-": stack.append(first - second)
                case "*": stack.append(first * second)
                default:
                    if second == 0 { return nil }
                    stack.append(first / second)
                }
            }
        }
        return stack.count == 1 ? stack[0] : nil
    }

    private struct Reader {
        var text: Substring
        var fields: [String] = []
        var steps: [Step] = []

        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return text.isEmpty
            }
        }

        private mutating func skipSpace() { text = text.drop { $0.isWhitespace } }

        private mutating func take(_ signs: String) -> Character? {
            skipSpace()
            guard let first = text.first, signs.contains(first) else { return nil }
            text.removeFirst()
            return first
        }

        mutating func sum(depth: Int) -> Bool {
            guard depth < 50, product(depth: depth) else { return false }
            while let sign = take("+-") {
                guard product(depth: depth) else { return false }
                steps.append(.operation(sign))
            }
            return true
        }

        private mutating func product(depth: Int) -> Bool {
            guard factor(depth: depth) else { return false }
            while let sign = take("*/") {
                guard factor(depth: depth) else { return false }
                steps.append(.operation(sign))
            }
            return true
        }

        private mutating func factor(depth: Int) -> Bool {
            guard depth < 50 else { return false }
            if take("-") != nil {
                guard factor(depth: depth + 1) else { return false }
                steps.append(.negation)
                return true
            }
            if take("(") != nil { return sum(depth: depth + 1) && take(")") != nil }
            skipSpace()
            var word = ""
            while let character = text.first {
                if character == "\\", let next = text.dropFirst().first {
                    // A blank or a sign that belongs to the name.
                    word.append(next)
                    text.removeFirst(2)
                } else if character.isWhitespace || "+-*/()".contains(character) {
                    break
                } else {
                    word.append(character)
                    text.removeFirst()
                }
            }
            guard !word.isEmpty else { return false }
            if let number = Double(word) {
                steps.append(.number(number))
            } else {
                let index = fields.firstIndex(of: word) ?? fields.count
                if index == fields.count { fields.append(word) }
                steps.append(.field(index))
            }
            return true
        }
    }
}
