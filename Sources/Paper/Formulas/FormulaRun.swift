import Work

/// One formula being worked out for one row.
final class FormulaRun {
    let scope: FormulaScope
    var context: FormulaContext { scope.context }
    var steps: [FormulaStep] = []
    private let text: [Character]?
    private var visits = 0

    /// Far above what any formula of a person needs; it is there so that none can run away.
    private static let mostVisits = 20_000
    static let longestText = 100_000

    init(_ scope: FormulaScope, traces text: [Character]? = nil) {
        self.scope = scope
        self.text = text
    }

    func top(_ node: FormulaNode) throws(FormulaProblem) -> Datum {
        do {
            return try datum(node)
        } catch let problem as FormulaProblem {
            throw problem
        } catch {
            throw FormulaProblem(node.place, "\(error)")
        }
    }

    func part(_ place: Range<Int>) -> String {
        guard let text else { return "" }
        return String(text[place.clamped(to: text.indices)])
    }

    func datum(_ node: FormulaNode) throws -> Datum {
        visits += 1
        guard visits <= Self.mostVisits else {
            throw FormulaProblem(node.place, "The formula takes too long.")
        }
        let datum = try worked(node)
        if text != nil, isWorthTelling(node) {
            steps.append(FormulaStep(part: part(node.place), value: Self.told(datum)))
        }
        return datum
    }

    private func isWorthTelling(_ node: FormulaNode) -> Bool {
        if case .literal = node { false } else { steps.count < 500 }
    }

    private static func told(_ datum: Datum) -> String {
        let text = datum.text
        let short = text.count > 200 ? text.prefix(199) + "…" : text[...]
        return switch datum.value {
        case .blank: "nothing"
        case .text: datum.isBlank ? "nothing" : "“\(short)”"
        case .number(let number):
            text == number.text ? String(short) : "\(number.text), shown as “\(short)”"
        case .date, .flag:
            datum.value.text == text ? String(short) : "\(datum.value.text), shown as “\(short)”"
        }
    }

    private func worked(_ node: FormulaNode) throws -> Datum {
        switch node {
        case .literal(let value, _): return Datum(value)
        case .column(let name, let index, let place):
            guard let index = index ?? context.columns.index(name) else {
                throw FormulaProblem(place, "The table has no column “\(name)”.")
            }
            guard scope.cells.indices.contains(index) else { return .blank }
            let cell = scope.cells[index]
            return Datum(cell.value, shown: cell.shown)
        case .special(let word, _):
            switch word {
            case .today: return Datum(.date(context.today))
            case .row: return Datum(.number(Decimal(scope.row)))
            case .rowcount: return Datum(context.rowCount.map { .number(Decimal($0)) } ?? .blank)
            case .template: return Datum(.text(context.template))
            }
        case .call(let function, let parts, let place):
            return try function.run(FormulaCall(run: self, parts: parts, place: place))
        case .joined(let parts, let place):
            var text = ""
            for part in parts { text += try datum(part).text }
            return Datum(.text(try bounded(text, place)))
        case .arithmetic(let sign, let a, let b, let place):
            return Datum(try arithmetic(sign, a, b, place))
        case .negative(let part, _):
            return Datum(try number(datum(part), part).map { .number($0.negated) } ?? .blank)
        case .comparison(let sign, let a, let b, _): return Datum(try comparison(sign, a, b))
        case .all(let parts, _): return Datum(try together(parts, deciding: false))
        case .some(let parts, _): return Datum(try together(parts, deciding: true))
        case .not(let part, _): return Datum(try flag(datum(part), part).map { .flag(!$0) } ?? .blank)
        }
    }

    func bounded(_ text: String, _ place: Range<Int>) throws -> String {
        guard text.utf8.count <= Self.longestText else {
            throw FormulaProblem(place, "The text grows longer than \(Self.longestText) bytes.")
        }
        return text
    }

    /// The first condition that decides ends the matter; nothing is neither yes nor no.
    private func together(_ parts: [FormulaNode], deciding: Bool) throws -> FormulaValue {
        var isOpen = false
        for part in parts {
            guard let flag = try flag(datum(part), part) else {
                isOpen = true
                continue
            }
            if flag == deciding { return .flag(deciding) }
        }
        return isOpen ? .blank : .flag(!deciding)
    }

    private func arithmetic(
        _ sign: FormulaNode.Arithmetic, _ a: FormulaNode, _ b: FormulaNode, _ place: Range<Int>
    ) throws -> FormulaValue {
        let left = try datum(a)
        let right = try datum(b)
        // Nothing cannot be reckoned with, and a wrong amount is worse than none.
        if left.isBlank || right.isBlank { return .blank }
        if sign == .plus || sign == .minus {
            if let day = asDate(left) {
                if sign == .minus, let other = asDate(right) {
                    return .number(Decimal(Int(day.dayNumber - other.dayNumber)))
                }
                return .date(try shifted(day, by: right, b, backwards: sign == .minus))
            }
            if sign == .plus, let day = asDate(right) {
                return .date(try shifted(day, by: left, a, backwards: false))
            }
        }
        guard let x = try number(left, a), let y = try number(right, b) else { return .blank }
        let result: Decimal?
        switch sign {
        case .plus: result = x.plus(y)
        case .minus: result = x.minus(y)
        case .times: result = x.times(y)
        case .divided:
            guard y != .zero else { throw FormulaProblem(b.place, "Nothing can be divided by zero.") }
            result = x.divided(by: y)
        }
        guard let result else { throw FormulaProblem(place, "The number grows too large.") }
        return .number(result.settled)
    }

    private func shifted(
        _ day: WallTime, by datum: Datum, _ node: FormulaNode, backwards: Bool
    ) throws -> WallTime {
        guard let days = try number(datum, node)?.int else {
            throw FormulaProblem(node.place, "Only a whole number of days can be added to a date.")
        }
        guard abs(days) < 4_000_000 else { throw FormulaProblem(node.place, "That is too far away.") }
        return day.adding(days: backwards ? -days : days)
    }

    /// A date, or a text that can only be one: a number is tried first.
    private func asDate(_ datum: Datum) -> WallTime? {
        switch datum.value {
        case .date(let date): return date
        case .text(let text):
            guard NumberReading.number(text, context.locale) == nil else { return nil }
            return DateReading.date(text, context.locale, today: context.today)
        case .blank, .number, .flag: return nil
        }
    }

    // MARK: Comparing

    private func comparison(
        _ sign: FormulaNode.Comparison, _ a: FormulaNode, _ b: FormulaNode
    ) throws -> FormulaValue {
        let left = try datum(a)
        let right = try datum(b)
        switch sign {
        case .equal: return .flag(equal(left, right))
        case .different: return .flag(!equal(left, right))
        case .less, .lessOrEqual, .more, .moreOrEqual:
            if left.isBlank || right.isBlank { return .blank }
            let order = try order((left, a), (right, b))
            let holds: Bool =
                switch sign {
                case .less: order < 0
                case .lessOrEqual: order <= 0
                case .more: order > 0
                default: order >= 0
                }
            return .flag(holds)
        }
    }

    func equal(_ a: Datum, _ b: Datum) -> Bool {
        if a.isBlank || b.isBlank { return a.isBlank && b.isBlank }
        switch (a.value, b.value) {
        case (.number(let x), .number(let y)): return x == y
        case (.date(let x), .date(let y)): return x == y
        case (.flag(let x), .flag(let y)): return x == y
        // A number or a day that its table shows as a word (1 as “very good”) is that word as well.
        case (.number(let x), .text(let text)), (.text(let text), .number(let x)):
            if let number = NumberReading.number(text, context.locale) { return number == x }
            return ClockReading.days(text).map { ClockReading.areSame($0, x) } ?? false
                || alike(a.text, b.text)
        case (.date(let x), .text(let text)), (.text(let text), .date(let x)):
            return DateReading.date(text, context.locale, today: context.today).map { $0 == x }
                ?? alike(a.text, b.text)
        case (.flag(let x), .text(let text)), (.text(let text), .flag(let x)):
            return FlagReading.flag(text) == x
        case (.text(let x), .text(let y)):
            if let m = ClockReading.days(x), let n = ClockReading.days(y) { return m == n }
            return alike(x, y)
        default: return false
        }
    }

    private func alike(_ a: String, _ b: String) -> Bool { a.trimmed.lowercased() == b.trimmed.lowercased() }

    /// Below, at or above zero. Two texts that both read as numbers or as dates are compared as such.
    private func order(
        _ a: (datum: Datum, node: FormulaNode), _ b: (datum: Datum, node: FormulaNode)
    ) throws -> Int {
        func sign<T: Comparable>(_ x: T, _ y: T) -> Int { x < y ? -1 : x == y ? 0 : 1 }
        if case .text(let x) = a.datum.value, case .text(let y) = b.datum.value {
            if let m = NumberReading.number(x, context.locale),
                let n = NumberReading.number(y, context.locale)
            {
                return sign(m, n)
            }
            if let m = asDate(a.datum), let n = asDate(b.datum) { return sign(m, n) }
            if let m = ClockReading.days(x), let n = ClockReading.days(y) { return sign(m, n) }
            return sign(x.lowercased(), y.lowercased())
        }
        let isDate: Bool =
            switch (a.datum.value, b.datum.value) {
            case (.date, _), (_, .date): true
            default: false
            }
        if isDate {
            guard let x = try date(a.datum, a.node), let y = try date(b.datum, b.node) else { return 0 }
            return sign(x, y)
        }
        guard let x = try number(a.datum, a.node), let y = try number(b.datum, b.node) else { return 0 }
        for datum in [a.datum, b.datum] {
            if case .text(let text) = datum.value, ClockReading.days(text) != nil, ClockReading.areSame(x, y)
            {
                return 0
            }
        }
        return sign(x, y)
    }

    // MARK: Reading values as what is needed

    func number(_ datum: Datum, _ node: FormulaNode) throws -> Decimal? {
        switch datum.value {
        case .blank: return nil
        case .number(let number): return number
        case .text(let text):
            if datum.isBlank { return nil }
            guard let number = NumberReading.number(text, context.locale) ?? ClockReading.days(text) else {
                throw isNo(.number, text, node)
            }
            return number
        case .date, .flag: throw isNo(.number, datum.text, node)
        }
    }

    func date(_ datum: Datum, _ node: FormulaNode) throws -> WallTime? {
        switch datum.value {
        case .blank: return nil
        case .date(let date): return date
        case .text(let text):
            if datum.isBlank { return nil }
            guard let date = DateReading.date(text, context.locale, today: context.today) else {
                var problem = isNo(.date, text, node)
                problem.hint =
                    "Dates are read as \(context.locale.orderWords) or as 2026-12-31; another order is told with date(text, \"dd.mm.yyyy\")."
                throw problem
            }
            return date
        case .number, .flag: throw isNo(.date, datum.text, node)
        }
    }

    func flag(_ datum: Datum, _ node: FormulaNode) throws -> Bool? {
        switch datum.value {
        case .blank: return nil
        case .flag(let flag): return flag
        case .text(let text):
            if datum.isBlank { return nil }
            guard let flag = FlagReading.flag(text) else {
                throw isNo(.flag, text, node)
            }
            return flag
        case .number(let number):
            if number == .zero { return false }
            if number == Decimal(1) { return true }
            throw isNo(.flag, number.text, node)
        case .date: throw FormulaProblem(node.place, "A date is neither yes nor no.")
        }
    }

    private func isNo(_ type: FormulaType, _ text: String, _ node: FormulaNode) -> FormulaProblem {
        let text = Self.short(text)
        let message =
            if case .column(let name, _, _) = node {
                switch type {
                case .date: "“\(text)” in the column “\(name)” is no date."
                case .flag: "“\(text)” in the column “\(name)” is neither yes nor no."
                default: "“\(text)” in the column “\(name)” is no number."
                }
            } else {
                switch type {
                case .date: "“\(text)” is no date."
                case .flag: "“\(text)” is neither yes nor no."
                default: "“\(text)” is no number."
                }
            }
        return FormulaProblem(node.place, message)
    }

    static func short(_ text: String) -> String { text.count > 40 ? text.prefix(39) + "…" : text }
}
