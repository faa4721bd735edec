/// Reads a formula once. What binds most stands lowest:
///
///     condition  = both { "or" both }
///     both       = negation { "and" negation }
///     negation   = "not" negation | comparison
///     comparison = text [ ("=" | "<>" | "<" | "<=" | ">" | ">=") text ]
///     text       = sum { "&" sum }
///     sum        = product { ("+" | "-") product }
///     product    = sign { ("*" | "/") sign }
///     sign       = "-" sign | value
///     value      = number | "text" | {column} | word | function "(" [ condition { "," condition } ] ")"
///                | "(" condition ")"
struct FormulaParser {
    private let tokens: [FormulaToken]
    private var at = 0
    private var nesting = 0
    private var nodeCount = 0

    /// A formula that is deeper than this was not written by a person.
    private static let deepestNesting = 30
    private static let mostNodes = 1000

    init(_ text: String) throws(FormulaProblem) { tokens = try FormulaToken.all(in: text) }

    mutating func formula() throws(FormulaProblem) -> FormulaNode {
        // As people are used to it from spreadsheets.
        if isSign("=") { at += 1 }
        guard token.kind != .end else { throw FormulaProblem(token.place, "The formula is empty.") }
        let node = try condition()
        guard token.kind == .end else { throw unexpected() }
        return node
    }

    private var token: FormulaToken { tokens[at] }

    private mutating func advance() { if at < tokens.count - 1 { at += 1 } }

    private func isSign(_ sign: String) -> Bool { token.kind == .sign(sign) }

    private func isWord(_ word: String) -> Bool {
        if case .word(let found) = token.kind { return found.lowercased() == word }
        return false
    }

    private mutating func take(_ signs: String...) -> String? {
        for sign in signs where isSign(sign) {
            advance()
            return sign
        }
        return nil
    }

    private func span(_ a: FormulaNode, _ b: FormulaNode) -> Range<Int> {
        a.place.lowerBound..<b.place.upperBound
    }

    private mutating func made(_ node: FormulaNode) throws(FormulaProblem) -> FormulaNode {
        nodeCount += 1
        if nodeCount > Self.mostNodes { throw FormulaProblem(node.place, "The formula is too long.") }
        return node
    }

    private mutating func condition() throws(FormulaProblem) -> FormulaNode {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.deepestNesting else {
            throw FormulaProblem(token.place, "The formula is nested too deeply.")
        }
        var parts = [try both()]
        while isWord("or") || isSign("||") {
            advance()
            parts.append(try both())
        }
        return parts.count == 1 ? parts[0] : try made(.some(parts, span(parts[0], parts[parts.count - 1])))
    }

    private mutating func both() throws(FormulaProblem) -> FormulaNode {
        var parts = [try negation()]
        while isWord("and") || isSign("&&") {
            advance()
            parts.append(try negation())
        }
        return parts.count == 1 ? parts[0] : try made(.all(parts, span(parts[0], parts[parts.count - 1])))
    }

    private mutating func negation() throws(FormulaProblem) -> FormulaNode {
        let start = token.place.lowerBound
        var isTurned = false
        var count = 0
        while isWord("not") || isSign("!") {
            isTurned.toggle()
            count += 1
            advance()
        }
        let part = try comparison()
        guard count > 0 else { return part }
        let place = start..<part.place.upperBound
        return try made(isTurned ? .not(part, place) : .not(.not(part, place), place))
    }

    private mutating func comparison() throws(FormulaProblem) -> FormulaNode {
        let first = try text()
        guard let sign = take("=", "<>", "<=", ">=", "<", ">"),
            let how = FormulaNode.Comparison(rawValue: sign)
        else { return first }
        let second = try text()
        if isSign("=") || isSign("<>") || isSign("<") || isSign("<=") || isSign(">") || isSign(">=") {
            throw FormulaProblem(
                token.place, "Only two values can be compared at a time.",
                hint: "Join comparisons with “and”.")
        }
        return try made(.comparison(how, first, second, span(first, second)))
    }

    private mutating func text() throws(FormulaProblem) -> FormulaNode {
        var parts = [try sum()]
        while take("&") != nil { parts.append(try sum()) }
        return parts.count == 1 ? parts[0] : try made(.joined(parts, span(parts[0], parts[parts.count - 1])))
    }

    private mutating func sum() throws(FormulaProblem) -> FormulaNode {
        var node = try product()
        var length = 0
        while let sign = take("+", "-"), let how = FormulaNode.Arithmetic(rawValue: sign) {
            length += 1
            // Each sign makes the tree one deeper, and trees are walked with the stack.
            if length > Self.deepestNesting * 2 { throw FormulaProblem(token.place, "The sum is too long.") }
            let next = try product()
            node = try made(.arithmetic(how, node, next, span(node, next)))
        }
        return node
    }

    private mutating func product() throws(FormulaProblem) -> FormulaNode {
        var node = try sign()
        var length = 0
        while let sign = take("*", "/"), let how = FormulaNode.Arithmetic(rawValue: sign) {
            length += 1
            if length > Self.deepestNesting * 2 {
                throw FormulaProblem(token.place, "The product is too long.")
            }
            let next = try self.sign()
            node = try made(.arithmetic(how, node, next, span(node, next)))
        }
        return node
    }

    private mutating func sign() throws(FormulaProblem) -> FormulaNode {
        let start = token.place.lowerBound
        var isNegative = false
        var hasSign = false
        while let sign = take("-", "+") {
            hasSign = true
            if sign == "-" { isNegative.toggle() }
        }
        let value = try value()
        guard hasSign, isNegative else { return value }
        if case .literal(.number(let number), let place) = value {
            return .literal(.number(number.negated), start..<place.upperBound)
        }
        return try made(.negative(value, start..<value.place.upperBound))
    }

    private mutating func value() throws(FormulaProblem) -> FormulaNode {
        let here = token
        switch here.kind {
        case .number(let number):
            advance()
            return try made(.literal(.number(number), here.place))
        case .text(let text):
            advance()
            return try made(.literal(.text(text), here.place))
        case .column(let name):
            advance()
            return try made(.column(name, index: nil, here.place))
        case .word(let word):
            advance()
            return try made(isSign("(") ? try call(word, here.place) : try meant(by: word, here.place))
        case .sign("("):
            advance()
            let inner = try condition()
            guard take(")") != nil else {
                throw FormulaProblem(here.place, "This bracket is not closed.")
            }
            return inner
        case .sign, .end: throw unexpected()
        }
    }

    private func meant(by word: String, _ place: Range<Int>) throws(FormulaProblem) -> FormulaNode {
        switch word.lowercased() {
        case "yes", "true": return .literal(.flag(true), place)
        case "no", "false": return .literal(.flag(false), place)
        case "blank", "nothing": return .literal(.blank, place)
        case "and", "or", "then", "else": throw unexpected(at - 1)
        case "if":
            throw FormulaProblem(place, "“if” needs brackets.", hint: "if(condition, value, otherwise)")
        case let lower:
            return FormulaWord(rawValue: lower).map { .special($0, place) }
                ?? .column(word, index: nil, place)
        }
    }

    private mutating func call(_ word: String, _ place: Range<Int>) throws(FormulaProblem) -> FormulaNode {
        let lower = word.lowercased()
        guard let function = FormulaFunction.named[lower] else {
            // AND(…) and OR(…), as in spreadsheets.
            if lower == "and" || lower == "or" {
                let (parts, end) = try arguments(of: word, place)
                guard !parts.isEmpty else { throw FormulaProblem(place, "“\(word)” needs conditions.") }
                let whole = place.lowerBound..<end
                return lower == "and" ? .all(parts, whole) : .some(parts, whole)
            }
            let near = Nearest.word(to: word, among: FormulaFunction.named.keys.sorted())
            throw FormulaProblem(
                place, "There is no function “\(word)”.", hint: near.map { "Did you mean “\($0)”?" })
        }
        let (parts, end) = try arguments(of: word, place)
        let whole = place.lowerBound..<end
        if let fault = function.fault(argumentCount: parts.count) {
            throw FormulaProblem(whole, fault, hint: "It is written \(function.usage).")
        }
        return .call(function, parts, whole)
    }

    private mutating func arguments(
        of word: String, _ place: Range<Int>
    ) throws(FormulaProblem) -> (parts: [FormulaNode], end: Int) {
        advance()
        var parts: [FormulaNode] = []
        if !isSign(")") {
            parts.append(try condition())
            while take(",") != nil { parts.append(try condition()) }
        }
        let end = token.place.upperBound
        guard take(")") != nil else {
            if token.kind == .end { throw FormulaProblem(place, "The brackets of “\(word)” are not closed.") }
            throw unexpected()
        }
        return (parts, end)
    }

    private func unexpected() -> FormulaProblem { unexpected(at) }

    private func unexpected(_ index: Int) -> FormulaProblem {
        let token = tokens[index]
        let hint: String? =
            switch token.kind {
            case .word("then"), .word("else"): "Conditions are written if(condition, value, otherwise)."
            case .text, .column, .word: "Texts are joined with &."
            default: nil
            }
        switch token.kind {
        case .end:
            return FormulaProblem(token.place, "The formula ends too early: a value is missing.")
        case .number(let number):
            return FormulaProblem(token.place, "“\(number.text)” is not expected here.", hint: hint)
        case .text(let text):
            return FormulaProblem(token.place, "The text “\(text)” is not expected here.", hint: hint)
        case .column(let name):
            return FormulaProblem(token.place, "The column “\(name)” is not expected here.", hint: hint)
        case .word(let word), .sign(let word):
            return FormulaProblem(token.place, "“\(word)” is not expected here.", hint: hint)
        }
    }
}
