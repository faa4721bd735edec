import Work

/// What can be called in a formula. The list in docs/formats/formulas.md is checked against these.
public struct FormulaFunction: Sendable {
    public let name: String
    /// Other names it is known by elsewhere.
    public let aliases: [String]
    let parameters: [Parameter]
    /// Nil when it gives what its values are.
    private let result: FormulaType?
    /// What it gives, in a few words.
    public let summary: String
    let usesToday: Bool
    /// Without arguments it speaks of the person in the row.
    let needsName: Bool
    let run: @Sendable (FormulaCall) throws -> Datum

    struct Parameter: Sendable {
        enum Form: Sendable { case plain, datePattern, numberPattern, locale, table }
        var name: String
        var type: FormulaType
        var isOptional = false
        var isRepeated = false
        var form = Form.plain

        static func text(_ name: String) -> Parameter { Parameter(name: name, type: .text) }
        static func number(_ name: String) -> Parameter { Parameter(name: name, type: .number) }
        static func date(_ name: String) -> Parameter { Parameter(name: name, type: .date) }
        static func flag(_ name: String) -> Parameter { Parameter(name: name, type: .flag) }
        static func any(_ name: String) -> Parameter { Parameter(name: name, type: .any) }
        static func text(_ name: String, as form: Form) -> Parameter {
            Parameter(name: name, type: .text, form: form)
        }

        var optional: Parameter {
            var changed = self
            changed.isOptional = true
            return changed
        }
        var repeated: Parameter {
            var changed = self
            changed.isRepeated = true
            return changed
        }
    }

    init(
        _ name: String, aliases: [String] = [], _ parameters: [Parameter], gives result: FormulaType?,
        _ summary: String, usesToday: Bool = false, needsName: Bool = false,
        run: @escaping @Sendable (FormulaCall) throws -> Datum
    ) {
        self.name = name
        self.aliases = aliases
        self.parameters = parameters
        self.result = result
        self.summary = summary
        self.usesToday = usesToday
        self.needsName = needsName
        self.run = run
    }

    public static let all: [FormulaFunction] = texts + numbers + dates + choices

    static let named: [String: FormulaFunction] = Dictionary(
        all.flatMap { function in ([function.name] + function.aliases).map { ($0, function) } },
        uniquingKeysWith: { first, _ in first })

    /// `left(text, count)`, with what may be left out in brackets.
    public var usage: String {
        let words = parameters.map { parameter in
            let word = parameter.isRepeated ? "\(parameter.name), …" : parameter.name
            return parameter.isOptional ? "[\(word)]" : word
        }
        return "\(name)(\(words.joined(separator: ", ")))"
    }

    func fault(argumentCount count: Int) -> String? {
        let least = parameters.count { !$0.isOptional }
        if count < least {
            return least == 1 ? "“\(name)” needs one value." : "“\(name)” needs \(least) values."
        }
        if count > parameters.count, parameters.last?.isRepeated != true {
            return parameters.isEmpty
                ? "“\(name)” takes no values." : "“\(name)” takes at most \(parameters.count) values."
        }
        return nil
    }

    func parameter(_ index: Int, of count: Int) -> Parameter? {
        if name == "if" {
            // Conditions and values take turns; the last one may stand alone.
            return index % 2 == 0 && index < count - 1 ? .flag("condition") : .any("value")
        }
        if parameters.indices.contains(index) { return parameters[index] }
        return parameters.last?.isRepeated == true ? parameters.last : nil
    }

    func type(_ arguments: [FormulaType]) -> FormulaType {
        if let result { return result }
        var values = arguments
        switch name {
        case "if":
            values = arguments.indices.filter { $0 % 2 == 1 || $0 == arguments.count - 1 }.map {
                arguments[$0]
            }
        case "switch":
            values = arguments.indices.filter {
                $0 > 0 && ($0 % 2 == 0 || $0 == arguments.count - 1)
            }.map { arguments[$0] }
        default: break
        }
        let kinds = Set(values).subtracting([.blank])
        if kinds.isEmpty { return .blank }
        return kinds.count == 1 ? values.first { $0 != .blank } ?? .any : .any
    }
}

/// The arguments of a call; each is worked out when it is asked for.
struct FormulaCall {
    let run: FormulaRun
    let parts: [FormulaNode]
    let place: Range<Int>

    var count: Int { parts.count }
    var context: FormulaContext { run.context }

    func has(_ index: Int) -> Bool { parts.indices.contains(index) }

    func datum(_ index: Int) throws -> Datum { has(index) ? try run.datum(parts[index]) : .blank }
    func text(_ index: Int) throws -> String { try datum(index).text }

    func number(_ index: Int) throws -> Decimal? {
        has(index) ? try run.number(run.datum(parts[index]), parts[index]) : nil
    }

    func date(_ index: Int) throws -> WallTime? {
        has(index) ? try run.date(run.datum(parts[index]), parts[index]) : nil
    }

    func flag(_ index: Int) throws -> Bool? {
        has(index) ? try run.flag(run.datum(parts[index]), parts[index]) : nil
    }

    /// A whole number of a size that makes sense for places and counts.
    func count(_ index: Int) throws -> Int? {
        guard let number = try number(index) else { return nil }
        guard let int = number.int, abs(int) <= 1_000_000 else {
            throw fail(index, "“\(number.text)” is no whole number of a sensible size.")
        }
        return int
    }

    /// The one that is named, or the usual one.
    func locale(_ index: Int, or other: FormulaLocale? = nil) throws -> FormulaLocale {
        let usual = other ?? context.locale
        guard has(index) else { return usual }
        let code = try text(index)
        if code.trimmed.isEmpty { return usual }
        guard let locale = FormulaLocale(code) else {
            throw fail(index, "There is no locale “\(FormulaRun.short(code))”.")
        }
        return locale
    }

    /// All texts from this argument on that are not blank.
    func texts(from index: Int) throws -> [String] {
        var texts: [String] = []
        for index in index..<max(index, count) {
            let datum = try datum(index)
            if !datum.isBlank { texts.append(datum.text.trimmed) }
        }
        return texts
    }

    func give(_ text: String) throws -> Datum { Datum(.text(try run.bounded(text, place))) }
    func give(_ number: Decimal?) throws -> Datum {
        guard let number else { throw FormulaProblem(place, "The number grows too large.") }
        return Datum(.number(number))
    }

    func fail(_ index: Int, _ message: String, hint: String? = nil) -> FormulaProblem {
        FormulaProblem(has(index) ? parts[index].place : place, message, hint: hint)
    }
}
