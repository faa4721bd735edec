/// How a field wants its value written, recognised from Acrobat's stock scripts. The script itself is never run.
public enum FieldFormat: Sendable, Equatable {
    case date(pattern: String)
    case time(pattern: String)
    case number(decimals: Int, separators: Int, negative: Int, currency: String, currencyIsFirst: Bool)
    case percent(decimals: Int, separators: Int)
    case zip, zipPlusFour, phone, socialSecurity
    /// A script of the form's own, which only the author's program can run.
    case script

    public var word: String {
        switch self {
        case .date: "date"
        case .time: "time"
        case .number: "number"
        case .percent: "percent"
        case .zip: "zip"
        case .zipPlusFour: "zipPlusFour"
        case .phone: "phone"
        case .socialSecurity: "socialSecurity"
        case .script: "script"
        }
    }

    /// How dates and times are written: `mm/dd/yyyy`.
    public var pattern: String? {
        switch self {
        case .date(let pattern), .time(let pattern): pattern
        default: nil
        }
    }

    public init?(script: String) {
        let call = StockCall.first(in: script)
        switch call?.name {
        case "AFDate_FormatEx", "AFDate_Format", "AFDate_KeystrokeEx", "AFDate_Keystroke":
            self = .date(pattern: call?.text(0) ?? Self.datePattern(call?.integer(0)))
        case "AFTime_FormatEx", "AFTime_Format", "AFTime_Keystroke":
            self = .time(pattern: call?.text(0) ?? Self.timePattern(call?.integer(0)))
        case "AFNumber_Format", "AFNumber_Keystroke":
            self = .number(
                decimals: min(max(call?.integer(0) ?? 0, 0), 10), separators: call?.integer(1) ?? 0,
                negative: call?.integer(2) ?? 0, currency: call?.text(4) ?? "",
                currencyIsFirst: call?.flag(5) ?? true)
        case "AFPercent_Format", "AFPercent_Keystroke":
            self = .percent(
                decimals: min(max(call?.integer(0) ?? 0, 0), 10), separators: call?.integer(1) ?? 0)
        case "AFSpecial_Format", "AFSpecial_Keystroke":
            switch call?.integer(0) {
            case 0: self = .zip
            case 1: self = .zipPlusFour
            case 2: self = .phone
            case 3: self = .socialSecurity
            default: self = .script
            }
        default:
            guard script.contains(where: { $0.isLetter }) else { return nil }
            self = .script
        }
    }

    private static func datePattern(_ index: Int?) -> String {
        let patterns = [
            "m/d", "m/d/yy", "mm/dd/yy", "mm/yy", "d-mmm", "d-mmm-yy", "dd-mmm-yy", "yy-mm-dd", "mmm-yy",
            "mmmm-yy",
            "mmm d, yyyy", "mmmm d, yyyy", "m/d/yy h:MM tt", "m/d/yy HH:MM",
        ]
        guard let index, patterns.indices.contains(index) else { return "mm/dd/yyyy" }
        return patterns[index]
    }

    private static func timePattern(_ index: Int?) -> String {
        let patterns = ["HH:MM", "h:MM tt", "HH:MM:ss", "h:MM:ss tt"]
        guard let index, patterns.indices.contains(index) else { return "HH:MM" }
        return patterns[index]
    }
}

/// What a field computes from others, recognised from `AFSimple_Calculate`.
public struct FieldCalculation: Sendable, Equatable {
    public enum Operation: String, Sendable {
        case sum = "SUM", product = "PRD", average = "AVG", least = "MIN", most = "MAX"
    }
    public var operation: Operation
    public var fields: [String]
    /// The computation as its author typed it, when it is more than a sum or the like.
    public var notation: SimpleNotation?

    public init?(script: String) {
        if let notation = SimpleNotation(script: script) {
            self.notation = notation
            operation = .sum
            fields = notation.fields
            return
        }
        guard let call = StockCall.first(in: script), call.name == "AFSimple_Calculate",
            let operation = call.text(0).flatMap(Operation.init)
        else { return nil }
        self.operation = operation
        // One string of names with commas, or an array of them: both are written.
        fields = call.arguments.dropFirst()
            .flatMap { $0.split(separator: ",").map(String.init) }
            .map(\.trimmingSpaces)
            .filter { !$0.isEmpty }
    }
}

/// A call of one of Acrobat's stock functions, found in a script by its name.
struct StockCall {
    var name: String
    var arguments: [String]

    func text(_ index: Int) -> String? {
        guard arguments.indices.contains(index), Int(arguments[index]) == nil else { return nil }
        return arguments[index]
    }

    func integer(_ index: Int) -> Int? {
        guard arguments.indices.contains(index) else { return nil }
        return Int(arguments[index])
    }

    func double(_ index: Int) -> Double? {
        guard arguments.indices.contains(index) else { return nil }
        return Double(arguments[index].trimmingSpaces).flatMap { $0.isFinite ? $0 : nil }
    }

    func flag(_ index: Int) -> Bool? {
        guard arguments.indices.contains(index) else { return nil }
        return arguments[index] == "true" || arguments[index] == "1"
    }

    static func first(in script: String) -> StockCall? {
        let units = Array(script.utf8.prefix(20_000))
        var at = 0
        while at + 2 < units.count {
            guard units[at] == UInt8(ascii: "A"), units[at + 1] == UInt8(ascii: "F") else {
                at += 1
                continue
            }
            var end = at
            while end < units.count, isWordByte(units[end]) { end += 1 }
            if end < units.count, units[end] == UInt8(ascii: "(") {
                let name = String(decoding: units[at..<end], as: UTF8.self)
                return StockCall(name: name, arguments: arguments(units, from: end + 1))
            }
            at = end
        }
        return nil
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The arguments up to the closing bracket; the items of `new Array(…)` count as arguments of their own.
    private static func arguments(_ units: [UInt8], from start: Int) -> [String] {
        var arguments: [String] = []
        var current: [UInt8] = []
        var depth = 1
        var at = start
        func isArrayWord(_ bytes: [UInt8]) -> Bool {
            let word = String(decoding: bytes, as: UTF8.self).trimmingSpaces
            return word == "new Array" || word == "Array" || word.isEmpty
        }
        while at < units.count, depth > 0 {
            let byte = units[at]
            at += 1
            switch byte {
            case UInt8(ascii: " "), 9, 10, 13:
                if !current.isEmpty { current.append(32) }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                while at < units.count, units[at] != byte {
                    if units[at] == UInt8(ascii: "\\"), at + 1 < units.count {
                        at += 1
                        if units[at] == UInt8(ascii: "u"), at + 4 < units.count,
                            let value = UInt32(
                                String(decoding: units[at + 1...at + 4], as: UTF8.self), radix: 16),
                            let scalar = Unicode.Scalar(value)
                        {
                            current.append(contentsOf: Array(String(Character(scalar)).utf8))
                            at += 5
                            continue
                        }
                    }
                    current.append(units[at])
                    at += 1
                }
                at += 1
            case UInt8(ascii: "("), UInt8(ascii: "["):
                depth += 1
                if isArrayWord(current) { current = [] }
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","):
                arguments.append(String(decoding: current, as: UTF8.self))
                current = []
            default: current.append(byte)
            }
        }
        arguments.append(String(decoding: current, as: UTF8.self))
        return arguments.map {
            ["true", "false"].contains($0.trimmingSpaces) || Int($0.trimmingSpaces) != nil
                ? $0.trimmingSpaces : $0
        }
    }
}

extension String {
    var trimmingSpaces: String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
        let scalars = unicodeScalars.drop(while: isSpace)
        guard let last = scalars.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(scalars[...last])
    }
}
