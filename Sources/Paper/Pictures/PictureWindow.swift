/// What of a picture is to be seen: a window on it as it looks after a turn. In parts of its sides, so that it means the
/// same in every size of the picture.
public struct PictureWindow: Sendable, Equatable {
    public enum Turn: String, Sendable, CaseIterable {
        case none = "0"
        case right = "90"
        case half = "180"
        case left = "270"

        /// Clockwise.
        public var degrees: Int { Int(rawValue) ?? 0 }
        public var isOnItsSide: Bool { self == .right || self == .left }
    }

    /// From the upper left corner of the turned picture.
    public var left: Double
    public var top: Double
    public var width: Double
    public var height: Double
    public var turn: Turn

    public static let whole = PictureWindow(left: 0, top: 0, width: 1, height: 1)

    public init(left: Double, top: Double, width: Double, height: Double, turn: Turn = .none) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        self.turn = turn
    }

    /// The same window on the picture before it is turned.
    var unturned: PictureWindow {
        let (right, bottom) = (1 - left - width, 1 - top - height)
        return switch turn {
        case .none: self
        case .right: PictureWindow(left: top, top: right, width: height, height: width)
        case .half: PictureWindow(left: right, top: bottom, width: width, height: height)
        case .left: PictureWindow(left: bottom, top: left, width: height, height: width)
        }
    }
}

extension Picture {
    /// As it is looked at, whatever way its camera was held.
    public var uprightSize: (width: Int, height: Int) {
        turn.isOnItsSide ? (height, width) : (width, height)
    }
}

extension PicturePages {
    /// A page of so many points that is all window.
    public mutating func add(
        _ bytes: [UInt8], seenThrough window: PictureWindow, width: Double, height: Double
    ) throws {
        let picture = try Picture(bytes)
        let seen = window.unturned
        // The page is turned, so what is drawn on it is not.
        let (across, up) = window.turn.isOnItsSide ? (height, width) : (width, height)
        let (wide, high) = (across / seen.width, up / seen.height)
        let place = PictureLayout.Place(
            pageWidth: across, pageHeight: up, left: -seen.left * wide,
            bottom: -(1 - seen.top - seen.height) * high, width: wide, height: high, isCut: true)
        try add(picture, bytes, on: place, turnedBy: window.turn.degrees)
    }
}
