/// What somebody wants to be otherwise on a card, with what they saw when they said so.
///
/// Only what is named is touched: every other property stays byte for byte. What was changed by somebody else meanwhile is not
/// overwritten but told.
public struct CardEdit: Sendable {
    public struct Part: Sendable {
        public var part: CardPart
        public var text: String
        /// The fingerprint of what it said when it was looked at; nil to write over whatever is there.
        public var seen: String?

        public init(_ part: CardPart, _ text: String, seen: String? = nil) {
            self.part = part
            self.text = text
            self.seen = seen
        }
    }

    public struct Line: Sendable {
        /// Which line it takes the place of; nil for a new one.
        public var key: String?
        public var line: CardLine

        public init(_ line: CardLine, insteadOf key: String? = nil) {
            self.line = line
            self.key = key
        }
    }

    public var parts: [Part] = []
    public var lines: [Line] = []

    public init() {}

    public mutating func set(_ part: CardPart, _ text: String) { parts.append(Part(part, text)) }
    public mutating func add(_ line: CardLine) { lines.append(Line(line)) }
    public mutating func remove(_ key: String, _ kind: CardLine.Kind) {
        lines.append(Line(CardLine(kind, ""), insteadOf: key))
    }
}

/// Why a card was not changed.
public enum CardEditFault: Error, Equatable {
    case line(CardLineFault)
    /// Somebody else changed these meanwhile.
    case changedMeanwhile(parts: [CardPart], lines: [CardLine])
    /// A day one cannot tell.
    case metOn(String)
    case tooLong(CardPart)
}

extension ContactCard {
    public func edited(_ edit: CardEdit) throws(CardEditFault) -> ContactCard {
        var card = self
        var others: (parts: [CardPart], lines: [CardLine]) = ([], [])
        let known = lines
        var wanted: [(old: KeyedLine, line: CardLine)] = []
        var fresh: [CardLine] = []
        for said in edit.lines {
            let line: CardLine
            do throws(CardLineFault) {
                // What is left as it was seen may be whatever it is now.
                if let key = said.key, said.line.isKnown(by: key) { continue }
                line = try said.line.cleaned()
            } catch {
                throw .line(error)
            }
            guard let key = said.key else {
                if !line.isEmpty { fresh.append(line) }
                continue
            }
            guard let old = known.first(where: { $0.key == key }) else {
                others.lines.append(line)
                continue
            }
            wanted.append((old, line))
        }
        guard known.count + fresh.count <= CardLine.most else {
            throw .line(CardLineFault(kind: fresh.first?.kind ?? .phone, value: "", reason: .many))
        }
        var parts: [CardEdit.Part] = []
        for said in edit.parts {
            guard said.text.utf8.count <= (said.part == .note ? 50_000 : 2_000) else {
                throw .tooLong(said.part)
            }
            let text = CardText.trimmed(said.text)
            let print = CardPart.fingerprint(text, said.part)
            let now = fingerprint(of: said.part)
            guard print != said.seen, print != now else { continue }
            if let seen = said.seen, seen != now {
                others.parts.append(said.part)
                continue
            }
            if said.part == .metOn, !text.isEmpty, CardDate(text)?.day == nil { throw .metOn(text) }
            parts.append(said)
        }
        guard others.parts.isEmpty, others.lines.isEmpty else {
            throw .changedMeanwhile(parts: others.parts, lines: others.lines)
        }
        // From the end, so that the places in front of them stay.
        for (old, line) in wanted.sorted(by: { $0.old.place > $1.old.place }) { card.change(old, to: line) }
        for line in fresh { card.add(line) }
        let composed = nameOfParts
        for said in parts { card.set(said.part, said.text) }
        card.nameItself(before: composed, isSaid: parts.contains { $0.part == .name })
        return card
    }

    /// What a part says, for who comes back to change it.
    public func fingerprint(of part: CardPart) -> String { CardPart.fingerprint(self[part], part) }

    /// A name that was made of its parts follows them.
    private mutating func nameItself(before: String, isSaid: Bool) {
        let now = nameOfParts
        guard !isSaid, now != before, !now.isEmpty else { return }
        let said = self[.name]
        guard said.isEmpty || said == before else { return }
        set(.name, now)
    }
}

extension CardPart {
    /// Only in a note it matters where lines end.
    fileprivate static func fingerprint(_ text: String, _ part: CardPart) -> String {
        CardText.fingerprint(part == .note ? CardText.trimmed(text) : CardText.collapsed(text))
    }
}
