/// What two texts have in common, line by line, and what only one of them says.
public struct TextChanges: Sendable, Equatable {
    public enum Kind: String, Sendable { case same, gone, new }

    public struct Line: Sendable, Equatable {
        public var kind: Kind
        public var text: String

        public init(kind: Kind, text: String) {
            self.kind = kind
            self.text = text
        }
    }

    public private(set) var lines: [Line] = []

    /// Beyond it two texts are not looked through for the fewest changes: all of the one is gone, all of the other new.
    static let mostLines = 2_000

    public init(from before: [String], to after: [String]) {
        let before = Self.lines(of: before)
        let after = Self.lines(of: after)
        let start = zip(before, after).prefix { $0 == $1 }.count
        let end = zip(before[start...].reversed(), after[start...].reversed()).prefix { $0 == $1 }.count
        let old = Array(before[start..<before.count - end])
        let new = Array(after[start..<after.count - end])
        add(before[..<start], .same)
        if max(old.count, new.count) > Self.mostLines {
            add(old[...], .gone)
            add(new[...], .new)
        } else {
            addFewestChanges(from: old, to: new)
        }
        add(before[(before.count - end)...], .same)
    }

    public var isEmpty: Bool { lines.allSatisfy { $0.kind == .same } }

    public func count(_ kind: Kind) -> Int { lines.count { $0.kind == kind } }

    private mutating func addFewestChanges(from old: [String], to new: [String]) {
        let difference = new.difference(from: old)
        var gone: Set<Int> = []
        var added: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let place, _, _): gone.insert(place)
            case .insert(let place, _, _): added.insert(place)
            }
        }
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if gone.contains(left) {
                lines.append(Line(kind: .gone, text: old[left]))
                left += 1
            } else if added.contains(right) {
                lines.append(Line(kind: .new, text: new[right]))
                right += 1
            } else {
                if left < old.count { lines.append(Line(kind: .same, text: old[left])) }
                left += 1
                right += 1
            }
        }
    }

    private mutating func add(_ some: ArraySlice<String>, _ kind: Kind) {
        lines += some.map { Line(kind: kind, text: $0) }
    }

    /// Blanks at the ends and empty lines say nothing.
    private static func lines(of pages: [String]) -> [String] {
        pages.flatMap { $0.split(whereSeparator: \.isNewline) }.compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.isEmpty ? nil : words.joined(separator: " ")
        }
    }
}
