public import Bytes
public import Scanning

/// As they are written down for programs: four `[x, y]` in pixels of the upright picture, clockwise from the page's top left.
extension Corners {
    /// Nil where these are no four points; whether they make a sheet `isConvex` tells.
    public init?(_ json: JSON) {
        let points = (json.array ?? []).compactMap { pair -> Point? in
            guard let numbers = pair.array, numbers.count == 2, let x = numbers[0].number,
                let y = numbers[1].number, x.isFinite, y.isFinite
            else { return nil }
            return Point(Float(x), Float(y))
        }
        guard points.count == 4, json.array?.count == 4 else { return nil }
        self.init(points[0], points[1], points[2], points[3])
    }

    public var json: JSON {
        func tenths(_ value: Float) -> JSON { .number((Double(value) * 10).rounded() / 10) }
        return .array((0..<4).map { .array([tenths(self[$0].x), tenths(self[$0].y)]) })
    }
}

extension PaperSize {
    /// Those that can be wished for, as people say them; more are known when found.
    public static let words: [(word: String, size: PaperSize?)] = [
        ("auto", nil), ("a4", .a4), ("letter", .letter), ("receipt", .receipt), ("card", .card),
        ("book", .book),
    ]
}
