/// Finds out what kind of value each part gives, and what cannot be right, without any row.
struct FormulaCheck {
    private let context: FormulaContext?
    private(set) var problems: [FormulaProblem] = []

    /// Without a context only what no table could mend is a problem.
    init(_ context: FormulaContext?) { self.context = context }

    mutating func type(_ node: FormulaNode) -> FormulaType {
        switch node {
        case .literal(let value, _):
            switch value {
            case .blank: return .blank
            case .text: return .text
            case .number: return .number
            case .date: return .date
            case .flag: return .flag
            }
        case .column(let name, _, let place): return column(name, place)
        case .special(let word, _): return word.type
        case .call(let function, let parts, let place): return call(function, parts, place)
        case .joined(let parts, _):
            for part in parts { _ = type(part) }
            return .text
        case .arithmetic(let sign, let a, let b, _): return arithmetic(sign, a, b)
        case .negative(let part, _):
            expect(.number, part, by: "“-”")
            return .number
        case .comparison(let sign, let a, let b, let place):
            let (left, right) = (type(a), type(b))
            compare(sign, (a, left), (b, right), place)
            return .flag
        case .all(let parts, _), .some(let parts, _):
            for part in parts { expect(.flag, part, by: "A condition") }
            return .flag
        case .not(let part, _):
            expect(.flag, part, by: "“not”")
            return .flag
        }
    }

    private mutating func column(_ name: String, _ place: Range<Int>) -> FormulaType {
        guard let columns = context?.columns else { return .any }
        if let index = columns.index(name) { return columns.types[index] }
        let near = columns.nearest(name)
        let function = FormulaFunction.named[name.lowercased()].map {
            "As a function it is written \($0.usage)."
        }
        problems.append(
            FormulaProblem(
                place, "The table has no column “\(name)”.",
                hint: near.map { "Did you mean “\($0)”?" } ?? function ?? Self.list(columns.names)))
        return .any
    }

    private static func list(_ names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let some = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
        return "It has \(some)."
    }

    private mutating func arithmetic(
        _ sign: FormulaNode.Arithmetic, _ a: FormulaNode, _ b: FormulaNode
    ) -> FormulaType {
        let left = type(a)
        let right = type(b)
        switch (sign, left, right) {
        case (.minus, .date, .date): return .number
        case (.plus, .date, .number), (.minus, .date, .number), (.plus, .number, .date): return .date
        case (.plus, .date, .any), (.plus, .any, .date), (.minus, .date, .any), (.minus, .any, .date),
            (.plus, .any, .any), (.minus, .any, .any), (.plus, .any, .number), (.plus, .number, .any),
            (.minus, .any, .number), (.minus, .date, .blank), (.plus, .date, .blank):
            return .any
        default:
            expect(.number, a, left, by: "“\(sign.rawValue)”")
            expect(.number, b, right, by: "“\(sign.rawValue)”")
            return .number
        }
    }

    private mutating func compare(
        _ sign: FormulaNode.Comparison, _ a: (node: FormulaNode, type: FormulaType),
        _ b: (node: FormulaNode, type: FormulaType), _ place: Range<Int>
    ) {
        for (one, other) in [(a, b), (b, a)] {
            guard [.number, .date, .flag].contains(one.type), other.type == .text,
                case .literal(.text(let text), let where_) = other.node, !text.trimmed.isEmpty,
                !Self.reads(text, one.type, context?.locale ?? .standard)
            else { continue }
            problems.append(
                FormulaProblem(
                    where_, "A \(Self.noun(one.type)) is never “\(text)”.", isWarning: context == nil))
        }
        let pair: Set<FormulaType> = [a.type, b.type]
        if pair == [.number, .date] || pair == [.flag, .date] || pair == [.flag, .number] {
            problems.append(
                FormulaProblem(
                    place, "A \(Self.noun(a.type)) cannot be compared with a \(Self.noun(b.type))."))
        }
        if pair.contains(.flag), sign != .equal, sign != .different {
            problems.append(FormulaProblem(place, "Yes and no have no order."))
        }
    }

    private static func noun(_ type: FormulaType) -> String {
        switch type {
        case .number: "number"
        case .date: "date"
        case .flag: "yes or no"
        case .text: "text"
        case .blank, .any: "value"
        }
    }

    private mutating func call(
        _ function: FormulaFunction, _ parts: [FormulaNode], _ place: Range<Int>
    ) -> FormulaType {
        var types: [FormulaType] = []
        for (index, part) in parts.enumerated() {
            let found = type(part)
            types.append(found)
            guard let parameter = function.parameter(index, of: parts.count) else { continue }
            checkLiteral(parameter, part)
            // What was reckoned out of times of day is a number, and written as one of them again.
            if found == .number, index == 0, function.name == "date_format", Self.isTime(parts) { continue }
            expect(parameter.type, part, found, by: "“\(function.name)”")
        }
        if function.needsName, parts.isEmpty, let roles = context?.columns.roles,
            roles[.fullName] == nil, roles[.firstName] == nil, roles[.lastName] == nil
        {
            problems.append(
                FormulaProblem(
                    place, "The table has no columns that are called like names.",
                    hint: "Name them: \(function.name)({First}, {Last})."))
        }
        return function.type(types)
    }

    private static func isTime(_ parts: [FormulaNode]) -> Bool {
        guard parts.count > 1, case .literal(.text(let text), _) = parts[1] else { return false }
        return DatePattern(text)?.showsDay == false
    }

    /// What is written out in the formula can be looked at now.
    private mutating func checkLiteral(_ parameter: FormulaFunction.Parameter, _ part: FormulaNode) {
        switch part {
        case .literal(.text(let text), let place):
            switch parameter.form {
            case .datePattern:
                if let fault = DatePattern.fault(text) { problems.append(FormulaProblem(place, fault)) }
            case .numberPattern:
                if let fault = NumberPattern.fault(text) { problems.append(FormulaProblem(place, fault)) }
            case .locale where FormulaLocale(text) == nil:
                problems.append(
                    FormulaProblem(
                        place, "There is no locale “\(text)”.",
                        hint: "For example en-US, en-GB, de, fr-CA, es-MX."))
            case .table:
                guard let context, context.table(text) == nil else { return }
                problems.append(
                    FormulaProblem(
                        place, "There is no small table “\(text)”.",
                        hint: Nearest.word(to: text, among: context.tables.map(\.name))
                            .map { "Did you mean “\($0)”?" } ?? "The mapping names them."))
            case .plain, .locale: break
            }
        default: break
        }
    }

    private mutating func expect(_ wanted: FormulaType, _ node: FormulaNode, by whom: String) {
        expect(wanted, node, type(node), by: whom)
    }

    private mutating func expect(
        _ wanted: FormulaType, _ node: FormulaNode, _ found: FormulaType, by whom: String
    ) {
        guard wanted != .any, wanted != .text, found != wanted, found != .any, found != .blank else { return }
        if case .literal(.text(let text), _) = node, Self.reads(text, wanted, context?.locale ?? .standard) {
            return
        }
        if wanted == .flag, case .literal(.number(let number), _) = node,
            number == .zero || number == Decimal(1)
        {
            return
        }
        // Ones and zeros of a column are yes and no.
        if wanted == .flag, found == .number, case .column = node { return }
        // A column of texts may hold numbers in the rows that matter; a calculated text never does.
        if case .column(let name, _, let place) = node, found == .text {
            if let doubt = doubt(wanted, name) {
                problems.append(FormulaProblem(place, doubt, isWarning: true))
            }
            return
        }
        let isText: Bool = if case .call = node { found == .text } else { false }
        // What text functions cut out may well be a number.
        guard !isText else { return }
        problems.append(
            FormulaProblem(node.place, "\(whom) needs \(wanted.words), but this is \(found.words)."))
    }

    /// What of a column of texts would not be read as the kind of value that is asked for, in words of the table; nil when
    /// all that is known of it would.
    private func doubt(_ wanted: FormulaType, _ name: String) -> String? {
        guard let context, let cells = context.columns.samples(of: name), !cells.isEmpty else {
            return "\(wanted.words.capitalizedFirst) is needed here, and “\(name)” may hold other texts."
        }
        var seen: Set<String> = []
        let strange = cells.filter { !$0.isA(wanted, context) }.map(\.shown).filter {
            seen.insert($0).inserted
        }
        guard !strange.isEmpty else { return nil }
        let some = strange.prefix(3).map { "“\($0.prefix(40))”" }.joined(separator: ", ")
        let no = wanted == .flag ? "is neither yes nor no" : "is no \(Self.noun(wanted))"
        return "In “\(name)” this \(no): \(some)\(strange.count > 3 ? ", …" : "")."
    }

    private static func reads(_ text: String, _ type: FormulaType, _ locale: FormulaLocale) -> Bool {
        switch type {
        case .number: NumberReading.number(text, locale) != nil || ClockReading.days(text) != nil
        case .date: DateReading.date(text, locale, today: nil) != nil
        case .flag: FlagReading.flag(text) != nil
        case .text, .blank, .any: true
        }
    }
}

extension FormulaCell {
    /// Whether a formula that asks for this kind of value can go on with the cell; an empty one it can.
    fileprivate func isA(_ type: FormulaType, _ context: FormulaContext) -> Bool {
        switch (type, value) {
        case (_, .blank), (.number, .number), (.date, .date), (.flag, .flag): return true
        case (.number, .text(let text)):
            return text.trimmed.isEmpty || NumberReading.number(text, context.locale) != nil
                || ClockReading.days(text) != nil
        case (.date, .text(let text)):
            return text.trimmed.isEmpty
                || DateReading.date(text, context.locale, today: context.today) != nil
        case (.flag, .text(let text)): return text.trimmed.isEmpty || FlagReading.flag(text) != nil
        case (.flag, .number(let number)): return number == .zero || number == Decimal(1)
        default: return false
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
