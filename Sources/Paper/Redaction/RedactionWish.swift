public import Bytes
import PDF
import PDFReading

/// What is to be blacked out.
public struct RedactionWish: Sendable {
    /// Things that look the same wherever they stand.
    public enum Pattern: String, CaseIterable, Sendable {
        case mail, phone, account, ssn
    }

    public enum Colour: String, CaseIterable, Sendable {
        case black, grey, white

        /// From 0 for black to 1 for white.
        var lightness: Double {
            switch self {
            case .black: 0
            case .grey: 0.6
            case .white: 1
            }
        }
    }

    /// A place on a sheet, as a reader sees it: points from its upper left corner.
    public struct Area: Sendable, Equatable {
        /// Counted from 0.
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

        /// `seen` counts from the lower left corner, as `PageFrame` does.
        init(page: Int, seen: PDFRectangle, on frame: PageFrame) {
            self.init(
                page: page, x: seen.left, y: frame.height - seen.top, width: seen.width, height: seen.height)
        }

        var isSound: Bool {
            [x, y, width, height].allSatisfy { abs($0) < 100_000 } && width > 0 && height > 0
        }

        func overlaps(_ other: Area) -> Bool {
            page == other.page && x < other.x + other.width && other.x < x + width
                && y < other.y + other.height && other.y < y + height
        }

        /// In the page's own coordinates.
        func written(on frame: PageFrame) -> PDFRectangle {
            frame.written(
                PDFRectangle(
                    left: x, bottom: frame.height - y - height, right: x + width, top: frame.height - y))
        }
    }

    /// Whole words or phrases; capitals do not matter. A star stands for the rest of a word: `Mill*`.
    public var words: [String] = []
    public var patterns: Set<Pattern> = []
    public var expressions: [String] = []
    public var areas: [Area] = []
    /// Pages that are blacked out as a whole, counted from 0.
    public var pages: Set<Int> = []
    /// What was looked at and stays where it stands, although it fits: hits in the text of a page.
    public var spared: [RedactionHit] = []
    public var colour = Colour.black
    /// Pages with something blacked out become pictures of themselves: nothing but what is seen is left of them.
    public var makesPictures = false
    /// Pages that are pictures without words cannot be searched. They are left as they are only where this was said.
    public var passesOverPictures = false

    public init() {}

    public var isEmpty: Bool { !searches && areas.isEmpty && pages.isEmpty }
    public var searches: Bool { !words.isEmpty || !patterns.isEmpty || !expressions.isEmpty }

    public func spares(_ hit: RedactionHit) -> Bool { spared.contains(where: hit.isSame) }
}

/// Something that is to be blacked out, as it was found.
public struct RedactionHit: Sendable, Equatable {
    public enum Place: String, Sendable {
        case page, field, note, bookmark, hidden
    }

    public var place: Place
    /// Counted from 0; nil for what stands on no page.
    public var page: Int?
    public var text: String
    /// What stands around it, for whoever looks through the hits.
    public var before: String
    public var after: String
    /// Several where it goes over a line's end; none where it stands on no page.
    public var areas: [RedactionWish.Area]

    public init(
        place: Place, page: Int?, text: String, before: String, after: String, areas: [RedactionWish.Area]
    ) {
        self.place = place
        self.page = page
        self.text = text
        self.before = before
        self.after = after
        self.areas = areas
    }

    /// Only what stands on a page by itself can stay; notes, fields and what is unseen go whenever they say it.
    public var canStay: Bool { place == .page && !areas.isEmpty }

    /// Whether both are the same words in the same place; the same paper is read alike every time, within a hair.
    fileprivate func isSame(as other: RedactionHit) -> Bool {
        guard page == other.page, place == other.place, text == other.text, let own = areas.first,
            let others = other.areas.first
        else { return false }
        return abs(own.x - others.x) < 1.5 && abs(own.y - others.y) < 1.5
    }
}

// MARK: As JSON, with pages counted from 1

extension RedactionWish {
    public static let mostWords = 2_000
    public static let mostAreas = 5_000
    public static let mostSpared = 10_000

    public init(json: JSON) throws(RedactionError) {
        func texts(_ name: String) throws(RedactionError) -> [String] {
            guard let value = json[name], !value.isNull else { return [] }
            if let text = value.string { return text.split(whereSeparator: \.isNewline).map(String.init) }
            guard let list = value.array else { throw .badWish(name) }
            var texts: [String] = []
            for item in list {
                guard let text = item.string else { throw .badWish(name) }
                texts.append(text)
            }
            return texts
        }
        self.init()
        words = try texts("words").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
        expressions = try texts("expressions").filter { !$0.isEmpty }
        for name in try texts("patterns") {
            guard let pattern = Pattern(rawValue: name) else { throw .badWish("patterns") }
            patterns.insert(pattern)
        }
        areas = try Self.areas(json["areas"] ?? .null)
        for page in json["pages"]?.array ?? [] {
            guard let number = page.int else { throw .badWish("pages") }
            pages.insert(number - 1)
        }
        spared = try Self.spared(json["except"] ?? .null)
        if let text = json["colour"]?.string, !text.isEmpty {
            guard let known = Colour(rawValue: text) else { throw .badWish("colour") }
            colour = known
        }
        makesPictures = json["asPictures"]?.bool ?? false
        passesOverPictures = json["skipPictures"]?.bool ?? false
        guard words.count <= Self.mostWords, expressions.count <= 100, areas.count <= Self.mostAreas else {
            throw .badWish("words")
        }
    }

    /// Hits as they were told, of which some may stay.
    public static func spared(_ json: JSON) throws(RedactionError) -> [RedactionHit] {
        if json.isNull { return [] }
        guard let list = json.array, list.count <= mostSpared else { throw .badWish("except") }
        var hits: [RedactionHit] = []
        for item in list {
            guard let hit = try RedactionHit(json: item) else { throw .badWish("except") }
            guard hit.canStay else { throw .cannotStay(hit.text) }
            hits.append(hit)
        }
        return hits
    }

    public static func areas(_ json: JSON) throws(RedactionError) -> [Area] {
        if json.isNull { return [] }
        guard let list = json.array else { throw .badWish("areas") }
        var areas: [Area] = []
        for item in list {
            guard let page = item["page"]?.int, let x = item["x"]?.number, let y = item["y"]?.number,
                let width = item["width"]?.number, let height = item["height"]?.number,
                page > 0
            else { throw .badWish("areas") }
            areas.append(Area(page: page - 1, x: x, y: y, width: width, height: height))
        }
        return areas
    }

    public var json: JSON {
        [
            "words": .array(words.map(JSON.string)), "expressions": .array(expressions.map(JSON.string)),
            "patterns": .array(patterns.map(\.rawValue).sorted().map(JSON.string)),
            "areas": .array(areas.map(\.json)), "pages": .array(pages.sorted().map { .int($0 + 1) }),
            "except": .array(spared.map(\.json)),
            "colour": .string(colour.rawValue), "asPictures": .bool(makesPictures),
            "skipPictures": .bool(passesOverPictures),
        ]
    }
}

extension RedactionWish.Area {
    public var json: JSON {
        [
            "page": .int(page + 1), "x": .number(x), "y": .number(y), "width": .number(width),
            "height": .number(height),
        ]
    }
}

extension RedactionHit {
    init?(json: JSON) throws(RedactionError) {
        guard let place = json["place"]?.string.flatMap(Place.init), let text = json["text"]?.string else {
            return nil
        }
        self.init(
            place: place, page: json["page"]?.int.map { $0 - 1 }, text: text,
            before: json["before"]?.string ?? "", after: json["after"]?.string ?? "",
            areas: try RedactionWish.areas(json["areas"] ?? .null))
    }

    public var json: JSON {
        [
            "place": .string(place.rawValue), "page": page.map { .int($0 + 1) } ?? .null,
            "text": .string(text), "before": .string(before), "after": .string(after),
            "areas": .array(areas.map(\.json)),
        ]
    }
}
