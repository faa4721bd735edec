/// What was seen in one picture.
public struct Finding: Equatable, Sendable {
    public var corners: Corners
    /// 0…1. From `shown` on it is worth an outline, from `sure` on a picture may be taken by it.
    public var confidence: Float
    /// A part of the sheet lies outside the picture.
    public var isCut: Bool

    public init(corners: Corners, confidence: Float, isCut: Bool) {
        (self.corners, self.confidence, self.isCut) = (corners, confidence, isCut)
    }

    public static let shown: Float = 0.3
    public static let sure: Float = 0.7
}

/// Finds the four corners of a sheet of paper.
///
/// Made small, print closed away, slopes, straight edges, every four of them that may be a sheet, the best supported of them,
/// and its sides put right in the picture as it was given.
public enum SheetFinder {
    private static let longestSide = 320
    private static let mostEdges = 40
    private static let closing = 3

    public static func find(in view: RasterView) -> Finding? {
        let factor = max(1, (max(view.width, view.height) + longestSide / 2) / longestSide)
        guard view.width / factor >= 32, view.height / factor >= 32 else { return nil }
        let seen = view.shrunk(by: factor)
        let planes = seen.map { $0.closed(radius: closing) }
        let first = Attempt(view, seen, planes, factor)
        if let found = first.finding(), found.confidence >= Finding.shown { return found }
        let second = Attempt(view, seen, Plane.stretched(planes), closed: planes, factor)
        if let found = second.finding(), found.confidence * 0.9 >= Finding.shown { return found.trusted(0.9) }
        // A sheet that the picture cuts off has fewer than four sides to be seen.
        return first.finding(withBorders: true) ?? second.finding()?.trusted(0.9)
    }

    private struct Attempt {
        let view: RasterView
        let seen: [Plane]
        let closed: [Plane]
        let planes: [Plane]
        let factor: Int
        let slopes: Slopes
        let edges: [StraightEdge]

        init(
            _ view: RasterView, _ seen: [Plane], _ planes: [Plane], closed: [Plane]? = nil, _ factor: Int
        ) {
            (self.view, self.seen, self.planes, self.factor) = (view, seen, planes, factor)
            self.closed = closed ?? planes
            slopes = Slopes(planes)
            let threshold = slopes.threshold(share: 0.12, within: 12...60)
            edges = EdgeSearch(slopes, threshold: threshold).edges(atMost: mostEdges)
        }

        func finding(withBorders: Bool = false) -> Finding? {
            let search = OutlineSearch(
                withBorders ? edges + borders : edges, width: slopes.width, height: slopes.height)
            guard let best = search.best(in: planes) else { return nil }
            let fit = SideFitter(view).fitted(best.corners.scaled(by: Float(factor)), signs: best.signs)
            // Sides whose places do not agree on a line leave corners that are off.
            var sure = best.confidence * (best.isCut ? 1 : 0.5 + 0.5 * fit.agreement.ramp(0.35, 0.7))
            let surface = Surface(of: best.corners, seen: seen, closed: closed)
            if !surface.isLikelyPaper { sure *= 0.6 }
            return Finding(
                corners: fit.corners.ordered, confidence: sure, isCut: best.isCut)
        }

        private var borders: [StraightEdge] {
            let (right, bottom) = (Float(slopes.width), Float(slopes.height))
            return [
                Line(normal: Point(1, 0), offset: 0), Line(normal: Point(-1, 0), offset: -right),
                Line(normal: Point(0, 1), offset: 0), Line(normal: Point(0, -1), offset: -bottom),
            ].map { StraightEdge(border: $0, on: slopes) }
        }
    }
}

extension Finding {
    fileprivate func trusted(_ share: Float) -> Finding {
        Finding(corners: corners, confidence: confidence * share, isCut: isCut)
    }
}
