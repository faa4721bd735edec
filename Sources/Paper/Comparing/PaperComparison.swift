public import Bytes

/// What two papers have in common and what only one of them has, page by page.
public struct PaperComparison: Sendable, Equatable {
    /// A place in points from the upper left corner of the page as a reader sees it. Pages are counted from 0. One without a width
    /// is the gap between two words where the other paper says more.
    public struct Area: Sendable, Equatable {
        public var page: Int
        public var x: Double
        public var y: Double
        public var width: Double
        public var height: Double

        public init(page: Int, x: Double, y: Double, width: Double, height: Double) {
            self.page = page
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Where something is on one of the two papers; without areas it is the page as a whole.
    public struct Place: Sendable, Equatable {
        public var page: Int
        public var areas: [Area]

        public init(page: Int, areas: [Area] = []) {
            self.page = page
            self.areas = areas
        }
    }

    public enum Kind: String, Sendable, CaseIterable {
        case words
        /// The same words stand elsewhere.
        case moved
        /// A line that is repeated at the edge of pages.
        case running
        /// Something looks different although the words do not.
        case look
        case field
        case pageAdded, pageRemoved
        case pageSize
    }

    public struct Change: Sendable, Equatable {
        public var kind: Kind
        /// What only the first says, and what only the second does.
        public var removed = ""
        public var added = ""
        /// What is said right before and after it.
        public var lead = ""
        public var trail = ""
        public var before: Place?
        public var after: Place?
        /// What a field is called in its file, and by people.
        public var field: String?
        public var label: String?
        /// On so many pages of the second paper, or of the first where the second has none of it.
        public var pageCount = 1

        public init(_ kind: Kind) { self.kind = kind }
    }

    /// Two pages that belong together, or one without a counterpart.
    public struct Pair: Sendable, Equatable {
        public var before: Int?
        public var after: Int?
        /// True where a page has no counterpart, and yet most of its words are on other pages.
        public var isFlowed = false

        public init(before: Int?, after: Int?, isFlowed: Bool = false) {
            self.before = before
            self.after = after
            self.isFlowed = isFlowed
        }
    }

    /// What was not compared.
    public enum Remark: Sendable, Equatable {
        /// Pages with more words than are read of one.
        case cut(isAfter: Bool, pages: [Int])
        /// Pages that look too large or too odd to be drawn.
        case undrawn(pages: [Int])
        /// More changes than are told.
        case more(Int)
        /// What pages look like was not asked for.
        case wordsOnly
    }

    public var pairs: [Pair]
    public var changes: [Change]
    public var remarks: [Remark]
    public var pagesBefore: Int
    public var pagesAfter: Int

    public init(
        pairs: [Pair], changes: [Change], remarks: [Remark] = [], pagesBefore: Int, pagesAfter: Int
    ) {
        self.pairs = pairs
        self.changes = changes
        self.remarks = remarks
        self.pagesBefore = pagesBefore
        self.pagesAfter = pagesAfter
    }

    public var isSame: Bool { changes.isEmpty }

    public func count(_ kind: Kind) -> Int { changes.count { $0.kind == kind } }

    /// More are counted and not told.
    public static let mostChanges = 10_000
    public static let longestText = 4_000
}

extension PaperComparison {
    public var json: JSON {
        [
            "same": .bool(isSame), "pagesBefore": .int(pagesBefore), "pagesAfter": .int(pagesAfter),
            "counts": .object(JSONObject(Kind.allCases.map { ($0.rawValue, .int(count($0))) })),
            "pages": .array(pairs.map(\.json)),
            "changes": .array(changes.enumerated().map { $1.json(number: $0 + 1) }),
            "remarks": .array(remarks.map(\.json)),
        ]
    }
}

extension PaperComparison.Pair {
    var json: JSON {
        let kind =
            isFlowed ? "flowed" : before == nil ? "added" : after == nil ? "removed" : "both"
        return [
            "before": .optional(before.map { $0 + 1 }), "after": .optional(after.map { $0 + 1 }),
            "kind": .string(kind),
        ]
    }
}

extension PaperComparison.Change {
    func json(number: Int) -> JSON {
        [
            "number": .int(number), "kind": .string(kind.rawValue), "removed": .string(removed),
            "added": .string(added), "lead": .string(lead), "trail": .string(trail),
            "before": before?.json ?? .null, "after": after?.json ?? .null, "field": .optional(field),
            "label": .optional(label), "pageCount": .int(pageCount),
        ]
    }
}

extension PaperComparison.Place {
    var json: JSON { ["page": .int(page + 1), "areas": .array(areas.map(\.json))] }
}

extension PaperComparison.Area {
    var json: JSON {
        func points(_ value: Double) -> JSON { .number((value * 100).rounded() / 100) }
        return [
            "page": .int(page + 1), "x": points(x), "y": points(y), "width": points(width),
            "height": points(height),
        ]
    }
}

extension PaperComparison.Remark {
    var json: JSON {
        func numbers(_ pages: [Int]) -> JSON { .array(pages.map { .int($0 + 1) }) }
        return switch self {
        case .cut(let isAfter, let pages):
            ["kind": "cut", "paper": isAfter ? "after" : "before", "pages": numbers(pages)]
        case .undrawn(let pages): ["kind": "undrawn", "pages": numbers(pages)]
        case .more(let count): ["kind": "more", "count": .int(count)]
        case .wordsOnly: ["kind": "wordsOnly"]
        }
    }
}

/// Why two papers were not compared. The sentence tells which of them it is about.
public enum ComparisonError: Error, Sendable, Equatable {
    case locked(isAfter: Bool)
    case unreadable(isAfter: Bool, String)
    case tooManyPages(isAfter: Bool, limit: Int)
    case tooManyWords(isAfter: Bool, limit: Int)
    case cancelled(reason: String)
    /// No fault of the papers.
    case machine(String)
}
