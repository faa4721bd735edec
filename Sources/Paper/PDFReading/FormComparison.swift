import PDF
public import PDFForms

/// A new edition of a form against the old one: which field became which, how sure that is, and what has no
/// counterpart. Names alone cannot be trusted: when a line is put into a form that numbers its fields, every name
/// below it means something else.
public struct FormComparison: Sendable {
    public struct Match: Sendable, Equatable {
        public let old: String
        public let new: String
        /// From 0 to 1. Below `FormComparison.sure` a person should look at it.
        public let confidence: Double
        public let changes: [Change]
    }

    public enum Change: Sendable, Equatable {
        case renamed
        case relabelled(from: String, to: String)
        case kind(from: Field.Kind, to: Field.Kind)
        /// Pages counted from 1.
        case page(from: Int, to: Int)
        /// So many points on the sheet.
        case moved(Double)
        case maximumLength(from: Int?, to: Int?)
        case options

        public var sentence: String {
            switch self {
            case .renamed: "It has another name."
            case .relabelled(let from, let to): "It was called “\(from)” and is now called “\(to)”."
            case .kind(let from, let to): "It was a \(from.rawValue) field and is now a \(to.rawValue) field."
            case .page(let from, let to): "It moved from page \(from) to page \(to)."
            case .moved: "It stands in another place."
            case .maximumLength(_, let to):
                to.map { "It takes up to \($0) characters now." } ?? "It takes any number of characters now."
            case .options: "Its choices are others now."
            }
        }
    }

    /// From here on a match needs no second look.
    public static let sure = 0.75

    /// In the order of the old form.
    public let matches: [Match]
    /// Fields of the old form that are nowhere in the new one.
    public let gone: [String]
    /// Fields that only the new form has.
    public let added: [String]

    public var unsure: [Match] { matches.filter { $0.confidence < Self.sure } }

    /// True when every field is still there under its name and nothing about it changed but its place.
    public var isSame: Bool {
        gone.isEmpty && added.isEmpty
            && matches.allSatisfy { match in
                match.changes.allSatisfy {
                    switch $0 {
                    case .moved, .page: true
                    default: false
                    }
                }
            }
    }

    /// What a mapping's target is called now; nil when it is gone.
    public func name(now old: String) -> String? { matches.first { $0.old == old }?.new }

    public init(old: FormEdition, new: FormEdition) {
        let before = ComparedField.all(old)
        let after = ComparedField.all(new)
        var pairs: [(old: Int, new: Int, score: Double)] = []
        let index = PairIndex(after)
        for (position, field) in before.enumerated() {
            for candidate in index.candidates(for: field) {
                let score = field.likeness(to: after[candidate])
                if score >= Self.least { pairs.append((position, candidate, score)) }
            }
        }
        pairs.sort { ($0.score, $1.old, $1.new) > ($1.score, $0.old, $0.new) }
        var newOf: [Int: (new: Int, score: Double)] = [:]
        var taken: Set<Int> = []
        for pair in pairs where newOf[pair.old] == nil && !taken.contains(pair.new) {
            newOf[pair.old] = (pair.new, pair.score)
            taken.insert(pair.new)
        }
        let rivals = Self.rivals(pairs, newOf)
        matches = before.indices.compactMap { position in
            guard let found = newOf[position] else { return nil }
            let (was, now) = (before[position], after[found.new])
            // Another field that fits as well makes it a guess.
            let margin = found.score - (rivals[position] ?? 0)
            let confidence = margin < 0.04 ? found.score * 0.8 : found.score
            return Match(
                old: was.name, new: now.name, confidence: (min(confidence, 1) * 100).rounded() / 100,
                changes: was.changes(to: now))
        }
        gone = before.indices.filter { newOf[$0] == nil }.map { before[$0].name }
        added = after.indices.filter { !taken.contains($0) }.map { after[$0].name }
    }

    private static let least = 0.45

    /// For each old field the best new one it did not get and nobody fits better.
    private static func rivals(
        _ pairs: [(old: Int, new: Int, score: Double)], _ newOf: [Int: (new: Int, score: Double)]
    ) -> [Int: Double] {
        let owner = Dictionary(
            newOf.map { ($0.value.new, $0.value.score) }, uniquingKeysWith: { first, _ in first })
        var best: [Int: Double] = [:]
        for pair in pairs where newOf[pair.old]?.new != pair.new {
            // One that is clearly somebody else's is no rival.
            if let score = owner[pair.new], score > pair.score + 0.04 { continue }
            best[pair.old] = max(best[pair.old] ?? 0, pair.score)
        }
        return best
    }
}

/// What counts when fields are compared.
struct ComparedField {
    var name: String
    var label: String
    private var words: Set<String>
    /// Whether the label was read off the page or given by the author, not made from the name.
    private var isLabelled: Bool
    private var nameWords: Set<String>
    private var kind: Field.Kind
    private var maximumLength: Int?
    private var options: [FieldOption]
    var page: Int?
    private var x = 0.0
    private var y = 0.0
    private var part: Int?
    private var row: Int?

    static func all(_ edition: FormEdition) -> [ComparedField] {
        zip(edition.form.fields, edition.labels).map { ComparedField($0, $1, edition.frames) }
    }

    private init(_ field: Field, _ label: FieldLabel, _ frames: [PageFrame]) {
        name = field.name
        self.label = label.text
        words = Set(LabelText.words(label.text))
        isLabelled = label.source != .name && !words.isEmpty
        nameWords = Set(
            LabelText.words(field.readableName)
                + LabelText.words(field.name.split(separator: ".").last.map(String.init) ?? ""))
        kind = field.kind
        maximumLength = field.maximumLength
        options = field.options
        part = label.part
        row = label.row
        guard let widget = field.widgets.first, let page = widget.page, frames.indices.contains(page) else {
            return
        }
        self.page = page
        // From the upper left corner: what is above a change stays where it was.
        let seen = frames[page].shown(widget.rectangle)
        x = seen.left
        y = frames[page].height - seen.top
    }

    var keys: Set<String> { words.union(nameWords) }

    func likeness(to other: ComparedField) -> Double {
        let isSameKind = kind == other.kind
        if !isSameKind, !(isWritten && other.isWritten) { return 0 }
        var score = isSameKind ? 0.1 : 0.04
        let nameScore = name == other.name ? 1 : 0.7 * Self.overlap(nameWords, other.nameWords)
        if isLabelled, other.isLabelled {
            var labelScore = label == other.label ? 1 : 0.9 * Self.overlap(words, other.words)
            if part != other.part || row != other.row { labelScore *= 0.75 }
            score += 0.45 * labelScore + 0.25 * nameScore + 0.2 * nearness(to: other)
        } else {
            score += 0.6 * nameScore + 0.3 * nearness(to: other)
        }
        return score
    }

    private var isWritten: Bool { kind == .text || kind == .combo || kind == .list || kind == .barcode }

    private func nearness(to other: ComparedField) -> Double {
        guard let page, let there = other.page else { return 0 }
        guard page == there else { return abs(page - there) == 1 ? 0.15 : 0 }
        let distance = ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
        return max(0, 1 - distance / 150)
    }

    private static func overlap(_ a: Set<String>, _ b: Set<String>) -> Double {
        guard !a.isEmpty, !b.isEmpty else { return 0 }
        let common = Double(a.intersection(b).count)
        return common / Double(a.union(b).count)
    }

    func changes(to other: ComparedField) -> [FormComparison.Change] {
        var changes: [FormComparison.Change] = []
        if name != other.name { changes.append(.renamed) }
        if isLabelled, other.isLabelled, LabelText.words(label) != LabelText.words(other.label) {
            changes.append(.relabelled(from: label, to: other.label))
        }
        if kind != other.kind { changes.append(.kind(from: kind, to: other.kind)) }
        if let page, let there = other.page {
            if page != there {
                changes.append(.page(from: page + 1, to: there + 1))
            } else {
                let distance = ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
                if distance > 2 { changes.append(.moved(distance.rounded())) }
            }
        }
        if maximumLength != other.maximumLength {
            changes.append(.maximumLength(from: maximumLength, to: other.maximumLength))
        }
        if options != other.options { changes.append(.options) }
        return changes
    }
}

/// Finds the fields worth comparing without trying all against all.
private struct PairIndex {
    private var byName: [String: [Int]] = [:]
    private var byWord: [String: [Int]] = [:]
    private var byPage: [Int: [Int]] = [:]

    /// A word that so many fields have tells nothing by itself.
    private static let common = 60

    init(_ fields: [ComparedField]) {
        for (index, field) in fields.enumerated() {
            byName[field.name, default: []].append(index)
            for word in field.keys { byWord[word, default: []].append(index) }
            if let page = field.page { byPage[page, default: []].append(index) }
        }
    }

    func candidates(for field: ComparedField) -> Set<Int> {
        var found = Set(byName[field.name] ?? [])
        for word in field.keys {
            guard let fields = byWord[word], fields.count <= Self.common else { continue }
            found.formUnion(fields)
        }
        if let page = field.page, let fields = byPage[page], fields.count <= 250 { found.formUnion(fields) }
        return found
    }
}
