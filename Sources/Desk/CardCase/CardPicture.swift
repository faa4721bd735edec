import Bytes
import Crypto
public import Pictures
import SQL
public import Storage

/// One of the pictures of a card. The file stays as it came, for nobody but its owner; what others see is drawn anew of a
/// part of it, which can be chosen again at any time.
public struct CardPicture: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Of its owner: square.
        case photo
        /// Wide, above the card's page.
        case cover
        /// Of where they work: in its own shape, on white.
        case logo

        /// As wide as it is high; nil for what has any shape.
        public var shape: Double? {
            switch self {
            case .photo: 1
            case .cover: 3
            case .logo: nil
            }
        }
    }

    /// The file as it came, and what is shown of it: a JPEG.
    public let original: Digest
    public internal(set) var shown: Digest
    /// Of the original as one looks at it, in pixels. Only their relation is sure for those of older desks.
    public let width: Int
    public let height: Int
    public internal(set) var crop = CardCrop()

    public init(original: Digest, shown: Digest, width: Int, height: Int) {
        self.original = original
        self.shown = shown
        self.width = width
        self.height = height
    }
}

/// Which part of a picture is shown: what people set, in thousandths.
public struct CardCrop: Sendable, Equatable {
    /// Where the middle of the part is.
    public var x: Int? = 500
    public var y: Int? = 500
    /// Of the largest part that has the shape; of a logo how wide it is.
    public var size: Int? = 1000
    /// Of a logo alone, how high it is.
    public var height: Int? = 1000
    public var turn = PictureWindow.Turn.none

    public init() {}

    public static let fields: [ThingField<CardCrop>] = [
        .whole(
            "x", \.x, 0...1000, label: "cards.crop.x",
            "where its middle is, from the left, in thousandths of the picture",
            rule: "A place on a picture is from 0 to 1000, in thousandths of it."),
        .whole(
            "y", \.y, 0...1000, label: "cards.crop.y",
            "where its middle is, from above, in thousandths of the picture",
            rule: "A place on a picture is from 0 to 1000, in thousandths of it."),
        .whole(
            "size", \.size, 50...1000, label: "cards.crop.size",
            "how large it is, in thousandths of the largest that fits; of a logo its width",
            rule: "A part of a picture is from 50 to 1000 thousandths of it."),
        .whole(
            "height", \.height, 50...1000, label: "cards.crop.height",
            "of a logo alone: its height, in thousandths of the picture",
            rule: "A part of a picture is from 50 to 1000 thousandths of it."),
        .choice(
            "turn", \.turn, label: "cards.crop.turn",
            "by how many degrees the picture is turned clockwise first"),
    ]

    /// The part on a picture of this size; it never stands out of it.
    public func window(width: Int, height: Int, shape: Double?) -> PictureWindow {
        let (across, up) =
            turn.isOnItsSide ? (Double(height), Double(width)) : (Double(width), Double(height))
        func part(_ number: Int?) -> Double { Double(min(max(number ?? 1000, 50), 1000)) / 1000 }
        var (wide, high) = (part(size), part(self.height))
        if let shape {
            // The largest of its shape touches two sides of the picture.
            let isWider = across / up > shape
            (wide, high) =
                isWider
                ? (part(size) * up * shape / across, part(size))
                : (part(size), part(size) * across / shape / up)
        }
        func start(_ middle: Int?, _ length: Double) -> Double {
            min(max(Double(middle ?? 500) / 1000 - length / 2, 0), 1 - length)
        }
        return PictureWindow(
            left: start(x, wide), top: start(y, high), width: wide, height: high, turn: turn)
    }

    /// With its middle where it really is, so that nobody moves something that does not follow.
    func settled(width: Int, height: Int, shape: Double?) -> CardCrop {
        let window = window(width: width, height: height, shape: shape)
        var crop = self
        func thousandths(_ part: Double) -> Int { Int((part * 1000).rounded()) }
        crop.x = thousandths(window.left + window.width / 2)
        crop.y = thousandths(window.top + window.height / 2)
        crop.size = min(max(size ?? 1000, 50), 1000)
        crop.height = shape == nil ? min(max(self.height ?? 1000, 50), 1000) : 1000
        return crop
    }
}

extension CardPicture {
    public func window(_ kind: Kind) -> PictureWindow {
        crop.window(width: width, height: height, shape: kind.shape)
    }

    init(_ row: Row) throws {
        guard let original = Digest(try row.text("original")), let shown = Digest(try row.text("shown"))
        else { throw Failure(.damaged, "The picture of this card is not here any more.") }
        self.init(
            original: original, shown: shown, width: Int(try row.int("width")),
            height: Int(try row.int("height")))
        try? CardCrop.fields.take((try? JSON(parsing: row.text("crop"))) ?? [:], into: &crop)
    }
}
