/// Something a step over pages can be told: `place` in `number=Page {page}; place=top-right`.
public struct StepSetting: Sendable {
    public let name: String
    /// What to write behind it; nil for what is on or off.
    public let placeholder: String?
    public let summary: String
    public let choices: [String]

    init(_ name: String, _ placeholder: String?, _ summary: String, choices: [String] = []) {
        self.name = name
        self.placeholder = placeholder
        self.summary = summary
        self.choices = choices
    }
}

/// How a step over pages is to be done. The options of its command, the words of the step and the fields on the page are
/// the same settings, so that what can be said to one can be said to all.
public protocol SheetWish: Sendable, Equatable {
    /// The first is the one that stands behind the step's equals sign.
    static var settings: [StepSetting] { get }
    init()
    mutating func take(_ name: String, _ value: String) throws(ConversionError)
    /// Refuses what cannot be done as it is wished.
    func check() throws(ConversionError)
}

extension SheetWish {
    /// As a step is written: its main value, then `; name=value` as often as there is something more to say.
    public init(step text: String?) throws(ConversionError) {
        self.init()
        for (name, value) in StepSetting.parted(text ?? "", Self.settings) { try take(name, value) }
        try check()
    }

    public func check() throws(ConversionError) {}

    func unknown(_ name: String) -> ConversionError {
        .badOption(
            "There is no setting “\(name)”. There are: \(Self.settings.map(\.name).joined(separator: ", ")).")
    }

    func number(
        _ name: String, _ text: String, _ range: ClosedRange<Double>
    ) throws(ConversionError)
        -> Double
    {
        guard let value = Double(text), range.contains(value) else {
            throw .badOption(
                "“\(name)” takes a number from \(Int(range.lowerBound)) to \(Int(range.upperBound)), not “\(text)”."
            )
        }
        return value
    }

    func whole(_ name: String, _ text: String, _ range: ClosedRange<Int>) throws(ConversionError) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw .badOption(
                "“\(name)” takes a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”.")
        }
        return value
    }

    func length(_ name: String, _ text: String) throws(ConversionError) -> Double {
        guard let points = Self.points(text), points <= 14_400 else {
            throw .badOption("“\(text)” is no length. Write it like 10mm, 0.5in or 36pt.")
        }
        return points
    }

    private static func points(_ text: String) -> Double? { try? ConversionOptions.points(text, "margin") }

    func choice(_ name: String, _ text: String) throws(ConversionError) -> String {
        let known = Self.settings.first { $0.name == name }?.choices ?? []
        guard known.contains(text.lowercased()) else {
            throw .badOption("“\(name)” does not know “\(text)”. It knows \(known.joined(separator: ", ")).")
        }
        return text.lowercased()
    }

    func paper(_ text: String) throws(ConversionError) -> SheetSize {
        guard let size = SheetSize(text) else {
            throw .badOption(
                "“\(text)” is no size of paper. Write it like a4, letter, legal, a3, a5 or 210mmx297mm.")
        }
        return size
    }
}

extension StepSetting {
    /// Settings as they are written behind a step. What looks like none belongs to the words before it, so that a stamp may
    /// hold a semicolon.
    public static func parted(_ text: String, _ known: [StepSetting]) -> [(name: String, value: String)] {
        guard let main = known.first?.name else { return [] }
        var found: [(name: String, value: String)] = []
        for (index, part) in text.split(separator: ";", omittingEmptySubsequences: false).enumerated() {
            let words = part.drop(while: \.isWhitespace)
            let equal = words.firstIndex(of: "=")
            let name = (equal.map { words[..<$0] } ?? words).filter { !$0.isWhitespace }.lowercased()
            let setting = known.first { $0.name == name && ($0.placeholder == nil) == (equal == nil) }
            if let setting, index > 0 || equal != nil {
                found.append((setting.name, equal.map { String(words[words.index(after: $0)...]) } ?? ""))
            } else if let last = found.indices.last,
                known.contains(where: { $0.name == found[last].name && $0.placeholder != nil })
            {
                found[last].value += ";" + part
            } else if part.contains(where: { !$0.isWhitespace }) {
                found.append((main, String(words)))
            }
        }
        return found
    }

    /// The way back: the main value first.
    public static func joined(_ said: [(name: String, value: String)], _ known: [StepSetting]) -> String {
        guard let main = known.first?.name else { return "" }
        var parts = [said.first { $0.name == main }?.value ?? ""]
        for setting in known.dropFirst() {
            guard let value = said.first(where: { $0.name == setting.name })?.value else { continue }
            if setting.placeholder == nil {
                parts.append(setting.name)
            } else if !value.isEmpty {
                parts.append("\(setting.name)=\(value)")
            }
        }
        return parts.joined(separator: "; ")
    }
}

/// A sheet of paper, upright, in points.
public struct SheetSize: Sendable, Equatable {
    public var width: Double
    public var height: Double

    static let a4 = SheetSize(width: 595.276, height: 841.89)
    static let letter = SheetSize(width: 612, height: 792)

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// `a4`, `letter`, `210mmx297mm`.
    init?(_ text: String) {
        let text = text.lowercased().filter { $0 != " " }
        if let known = ConversionOptions.sheets[text] {
            self.init(width: known.width, height: known.height)
            return
        }
        let sides = text.split(separator: "x").map { try? ConversionOptions.points(String($0), "page-size") }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            (36...14_400).contains(width), (36...14_400).contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }

    var lying: SheetSize { SheetSize(width: max(width, height), height: min(width, height)) }
    var standing: SheetSize { SheetSize(width: min(width, height), height: max(width, height)) }
}

/// Red, green and blue, each from 0 to 1.
public struct Ink: Sendable, Equatable {
    public var red: Double
    public var green: Double
    public var blue: Double

    public init(red: Double, green: Double, blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// `#c62828`
    public init?(_ text: String) {
        let digits = text.drop { $0 == "#" }
        guard digits.count == 6, let whole = UInt32(digits, radix: 16) else { return nil }
        func part(_ shift: UInt32) -> Double { Double(whole >> shift & 255) / 255 }
        self.init(red: part(16), green: part(8), blue: part(0))
    }
}
