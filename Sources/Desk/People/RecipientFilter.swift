public import Bytes
import Glibc
import Storage
import Tables

/// Which recipients of a list. All that it says must hold.
public struct RecipientFilter: Sendable, Hashable {
    /// Words that must all occur in the row, in any cell, without regard to case and accents.
    public var search: String
    public var conditions: [Condition]
    /// Only those from this source.
    public var source: Int?
    /// Only those ticked one by one. No part of what is kept under a name: that is a question, not its answers of one day.
    public var choice: RecipientChoice?

    public struct Condition: Sendable, Hashable {
        public enum Relation: String, Sendable, CaseIterable {
            case `is`, isNot, contains, startsWith, isEmpty, isFilled
            /// By number or date where both are one, else by letters.
            case isAbove, isBelow
            /// Filled, but no address a mail could be sent to.
            case isNoAddress
        }

        public var column: String
        public var relation: Relation
        public var value: String

        public init(_ column: String, _ relation: Relation, _ value: String = "") {
            self.column = column
            self.relation = relation
            self.value = value
        }
    }

    public init(search: String = "", conditions: [Condition] = [], source: Int? = nil) {
        self.search = search
        self.conditions = conditions
        self.source = source
    }

    public static let all = RecipientFilter()
    public var isEmpty: Bool {
        search.trimmed.isEmpty && conditions.isEmpty && source == nil && choice == nil
    }
}

extension RecipientFilter {
    public var view: JSON {
        [
            "search": .string(search), "source": .optional(source),
            "conditions": .array(
                conditions.map {
                    [
                        "column": .string($0.column), "relation": .string($0.relation.rawValue),
                        "value": .string($0.value),
                    ]
                }),
        ]
    }

    /// Throws when it says something that is no filter.
    public init(_ view: JSON) throws {
        search = view["search"]?.string ?? ""
        source = view["source"]?.int
        conditions = try (view["conditions"]?.array ?? []).map { condition in
            guard let column = condition["column"]?.string, let word = condition["relation"]?.string else {
                throw Failure(.invalid, "A condition names a column and a relation.", field: "conditions")
            }
            guard let relation = Condition.Relation(rawValue: word) else {
                let known = Condition.Relation.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure(.invalid, "“\(word)” is no relation. There are \(known).", field: "conditions")
            }
            return Condition(column, relation, condition["value"]?.string ?? "")
        }
    }
}

/// A filter made ready for many rows: it looks at their bytes where they lie.
struct RowMatcher {
    private let words: [[UInt8]]
    private let conditions: [Ready]
    private let ticked: (numbers: Set<UInt32>, isExcept: Bool)?
    let source: Int?
    private let isOpen: Bool
    private var scratch: [UInt8] = []

    private struct Ready {
        var place: Int
        var relation: RecipientFilter.Condition.Relation
        var folded: [UInt8]
        var ordered: OrderedValue
    }

    init(_ filter: RecipientFilter, of list: RecipientList) throws {
        let columns = list.columns
        words = filter.search.split(whereSeparator: \.isWhitespace).prefix(8).map { Folding.text(String($0)) }
        conditions = try filter.conditions.map { condition in
            Ready(
                place: try Recipients.place(of: condition.column, in: columns), relation: condition.relation,
                folded: Folding.text(condition.value.trimmed), ordered: OrderedValue(Cell(condition.value)))
        }
        // Numbers count within a list: whoever is named of another one is nobody here.
        ticked = filter.choice.map { choice in
            let here = choice.people.filter { $0.series(of: RecipientList.self) == list.id }
            return (Set(here.map(\.memberNumber)), choice.isExcept)
        }
        source = filter.source
        isOpen = words.isEmpty && conditions.isEmpty
    }

    mutating func matches(_ bytes: UnsafeRawBufferPointer, number: UInt32) -> Bool {
        if let ticked, ticked.numbers.contains(number) == ticked.isExcept { return false }
        guard !isOpen else { return true }
        if !words.isEmpty {
            scratch.removeAll(keepingCapacity: true)
            var cells = PackedCells(bytes)
            while let cell = cells.next() {
                Folding.append(cell.shown, to: &scratch)
                scratch.append(0x1F)
            }
            for word in words where !Self.contains(scratch, word) { return false }
        }
        for condition in conditions where !holds(condition, bytes) { return false }
        return true
    }

    private mutating func holds(_ condition: Ready, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let cell = bytes.cell(condition.place)
        let isEmpty = cell?.isEmpty ?? true
        switch condition.relation {
        case .isEmpty: return isEmpty
        case .isFilled: return !isEmpty
        case .isNoAddress:
            return !isEmpty && !Addresses.areAll(String(decoding: cell?.shown ?? bytes, as: UTF8.self))
        case .isAbove, .isBelow:
            guard let cell, !isEmpty else { return false }
            guard let isBelow = OrderedValue(cell.cell).isBelow(condition.ordered) else { return false }
            return isBelow == (condition.relation == .isBelow)
        case .is, .isNot, .contains, .startsWith: break
        }
        scratch.removeAll(keepingCapacity: true)
        if let cell { Folding.append(cell.shown, to: &scratch) }
        switch condition.relation {
        case .is: return Self.trimmed(scratch).elementsEqual(condition.folded)
        case .isNot: return !Self.trimmed(scratch).elementsEqual(condition.folded)
        case .startsWith: return Self.trimmed(scratch).starts(with: condition.folded)
        default: return Self.contains(scratch, condition.folded)
        }
    }

    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard let last = bytes.lastIndex(where: { $0 != 0x20 }) else { return [] }
        return bytes[...last].drop { $0 == 0x20 }
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard !part.isEmpty else { return true }
        return bytes.withUnsafeBytes { whole in
            part.withUnsafeBytes { part in
                guard let start = whole.baseAddress, let word = part.baseAddress else { return false }
                var place = 0
                while whole.count - place >= part.count,
                    let found = memchr(start + place, Int32(part[0]), whole.count - place - part.count + 1)
                {
                    let at = UnsafeRawPointer(found)
                    if memcmp(at, word, part.count) == 0 { return true }
                    place = at - start + 1
                }
                return false
            }
        }
    }
}

/// A value that can be put in order with others: a number, a date, or letters.
struct OrderedValue: Sendable {
    var number: Double?
    var date: String?
    var letters: [UInt8]

    init(_ cell: Cell) {
        if cell.kind == .number { number = Self.number(cell.raw) }
        date = cell.date
        letters = Folding.text(cell.shown)
    }

    /// Nil when both are the same.
    func isBelow(_ other: OrderedValue) -> Bool? {
        if let number, let others = other.number { return number == others ? nil : number < others }
        if let date, let others = other.date { return date == others ? nil : date < others }
        return letters == other.letters ? nil : letters.lexicographicallyPrecedes(other.letters)
    }

    /// With a point or a comma for the decimals, whichever comes last.
    static func number(_ text: String) -> Double? {
        if let plain = Double(text) { return plain }
        let signs = text.filter { $0 == "," || $0 == "." }
        guard let last = signs.last else { return Double(text.filter { $0 != "'" && $0 != " " }) }
        let isGrouping = signs.count > 1 && signs.allSatisfy { $0 == last }
        var plain = ""
        for character in text {
            if character == last, !isGrouping {
                plain += "."
            } else if character.isNumber || "+-eE".contains(character) {
                plain.append(character)
            }
        }
        return Double(plain)
    }
}

extension UnsafeRawBufferPointer {
    /// The n-th of packed cells.
    func cell(_ place: Int) -> PackedCells.Place? {
        var cells = PackedCells(self)
        for _ in 0..<place where cells.next() == nil { return nil }
        return cells.next()
    }
}
