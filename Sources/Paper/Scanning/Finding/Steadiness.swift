/// Keeps the outline calm from picture to picture of a film, and knows since when the sheet has been still.
public struct Steadiness: Equatable, Sendable {
    public private(set) var corners = Corners(width: 0, height: 0)
    /// Whether there is an outline to be shown.
    public private(set) var isKnown = false
    /// For how many milliseconds the sheet has not moved. In time and not in pictures: a hand that turns round stands still
    /// for some pictures of a fast camera, too.
    public private(set) var stillFor: Float = 0
    /// Pictures in a row without the sheet, or with one somewhere else.
    private var missed = 0

    public init() {}

    /// Takes what was found so many milliseconds after the picture before; `diagonal` is the picture's.
    public mutating func follow(_ finding: Finding?, after passed: Float, diagonal: Float) {
        // After a pause nobody knows what happened meanwhile.
        let passed = passed > 0 ? min(passed, 500) : 0
        guard let finding, finding.confidence >= Finding.shown else {
            missed += 1
            stillFor = 0
            if missed > 4 { isKnown = false }
            return
        }
        let seen = isKnown ? Self.turned(finding.corners, like: corners) : finding.corners
        let moved = isKnown ? seen.distances(to: corners).mean / max(1, diagonal) : 1
        switch moved {
        case ..<0.012:
            corners = corners.mixed(with: seen, 0.35)
            stillFor += passed
            missed = 0
        case ..<0.08:
            corners = corners.mixed(with: seen, 0.8)
            stillFor = 0
            missed = 0
        default:
            // One odd picture is no reason to jump.
            missed += 1
            stillFor = 0
            if !isKnown || missed > 2 { (corners, isKnown, missed) = (finding.corners, true, 0) }
        }
    }

    /// The same sheet, whichever corner is now nearest to the top left.
    private static func turned(_ corners: Corners, like other: Corners) -> Corners {
        var (best, least) = (corners, Float.infinity)
        for place in 0..<4 {
            let turned = corners.beginning(at: place)
            let off =
                turned.topLeft.distance(to: other.topLeft)
                + turned.bottomRight.distance(to: other.bottomRight)
            if off < least { (best, least) = (turned, off) }
        }
        return best
    }
}
