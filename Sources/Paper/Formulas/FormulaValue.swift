public import Work

/// What a formula gives.
public enum FormulaValue: Sendable, Hashable {
    case blank
    case text(String)
    case number(Decimal)
    /// A day, or a day with a time.
    case date(WallTime)
    case flag(Bool)

    public var isBlank: Bool {
        switch self {
        case .blank: true
        case .text(let text): text.allSatisfy(\.isWhitespace)
        case .number, .date, .flag: false
        }
    }

    /// The value in words where nothing else is asked for: numbers with a point and without groups, dates as in
    /// ISO 8601, yes and no.
    public var text: String {
        switch self {
        case .blank: ""
        case .text(let text): text
        case .number(let number): number.text
        case .date(let date):
            date.hour == 0 && date.minute == 0 && date.second == 0
                ? String(date.text.prefix { $0 != "T" }) : String(date.text.prefix { $0 != "." })
        case .flag(let flag): flag ? "yes" : "no"
        }
    }
}

extension FormulaValue {
    /// As it goes into a form, a letter or a title: a cell that is passed on keeps its own look, and what was calculated,
    /// which has none, is written as the locale writes.
    public func words(shown: String, _ locale: FormulaLocale) -> String {
        guard shown == text else { return shown }
        switch self {
        case .number:
            return locale.decimalMark == "."
                ? shown : String(shown.map { $0 == "." ? locale.decimalMark : $0 })
        case .date(let day): return DatePattern("short", locale)?.text(day, locale) ?? shown
        case .blank, .text, .flag: return shown
        }
    }
}

/// What kind of value a part of a formula gives, as far as that is known before any row.
public enum FormulaType: String, Sendable, Hashable {
    case text, number, date, flag, blank
    /// It depends on the row.
    case any

    /// "needs …"
    var words: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .date: "a date"
        case .flag: "yes or no"
        case .blank: "nothing"
        case .any: "a value"
        }
    }
}

/// A value and how it looked where it came from: a postal code keeps its zeros and an amount its marks until
/// somebody calculates with them.
struct Datum {
    var value: FormulaValue
    var shown: String?

    init(_ value: FormulaValue, shown: String? = nil) {
        self.value = value
        self.shown = shown
    }

    static let blank = Datum(.blank)

    var text: String { shown ?? value.text }
    var isBlank: Bool { value.isBlank && shown?.allSatisfy(\.isWhitespace) ?? true }
}
