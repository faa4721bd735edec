import PDFForms

/// Something written or drawn on a page: it lies on the paper as a note of its own, which any reader shows and can take off
/// again. Places are points from the upper left corner of the page as a reader sees it.
public struct Mark: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// On words.
        case highlight, underline, strike, squiggle
        /// A few words behind a small sign.
        case note
        /// Words on the page itself, as of a typewriter.
        case text
        case tick, cross, dot
        case line, arrow, box, ellipse, ink
        /// A word in a frame.
        case stamp
        case picture
        /// A name written by hand: drawn, typed or photographed.
        case signature
        /// Nothing to be seen: who touches the place is led where the words say.
        case link

        public var isOnWords: Bool {
            switch self {
            case .highlight, .underline, .strike, .squiggle: true
            default: false
            }
        }

        /// Made of lines that were drawn.
        var isDrawn: Bool { self == .ink || self == .line || self == .arrow }
    }

    public enum Face: String, Sendable, CaseIterable { case sans, serif, fixed, hand }

    public struct Area: Sendable, Equatable {
        public var x: Double
        public var y: Double
        public var width: Double
        public var height: Double

        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    public struct Point: Sendable, Equatable {
        public var x: Double
        public var y: Double
        /// How hard the pen was pressed, from 0 to 1; half where nobody can say.
        public var pressure = 0.5

        public init(x: Double, y: Double, pressure: Double = 0.5) {
            self.x = x
            self.y = y
            self.pressure = pressure
        }
    }

    public struct Colour: Sendable, Equatable {
        public var red: UInt8
        public var green: UInt8
        public var blue: UInt8

        public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// `#1f3d7a`
        public init?(_ text: String) {
            guard text.utf8.count == 7, text.hasPrefix("#"), let number = UInt32(text.dropFirst(), radix: 16)
            else { return nil }
            self.init(
                UInt8(number >> 16), UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)
            )
        }

        public var text: String {
            let number = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
            let digits = String(number, radix: 16)
            return "#" + String(repeating: "0", count: 6 - digits.count) + digits
        }

        /// As PDF writes it, from 0 to 1; nil for other inks than red, green and blue.
        init?(parts: [Double]) {
            guard parts.count == 3, parts.allSatisfy(\.isFinite) else { return nil }
            let bytes = parts.map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
            self.init(bytes[0], bytes[1], bytes[2])
        }

        var parts: [Double] { [red, green, blue].map { (Double($0) / 255 * 1000).rounded() / 1000 } }
    }

    public var kind: Kind
    /// Counted from 0.
    public var page: Int
    /// Where it lies; several for words that go over a line's end. Without a width or height it takes the room it needs.
    public var areas: [Area] = []
    /// What was drawn, stroke by stroke.
    public var strokes: [[Point]] = []
    public var text = ""
    public var colour: Colour
    /// What is inside boxes and behind words.
    public var fill: Colour?
    public var opacity = 1.0
    /// Of lines, in points.
    public var thickness = 1.5
    /// Of letters, in points.
    public var size = 12.0
    public var face = Face.sans
    /// PNG or JPEG.
    public var picture: [UInt8] = []
    public var author = ""

    public init(_ kind: Kind, page: Int) {
        self.kind = kind
        self.page = page
        switch kind {
        case .highlight: colour = Colour(0xFF, 0xE0, 0x66)
        case .note: colour = Colour(0xF2, 0xB8, 0x2E)
        case .underline, .strike, .squiggle, .arrow, .box, .ellipse, .line, .stamp:
            colour = Colour(0xC6, 0x28, 0x28)
        case .text, .tick, .cross, .dot, .picture: colour = Colour(0x11, 0x18, 0x27)
        case .ink, .signature, .link: colour = Colour(0x1F, 0x3D, 0x9A)
        }
        switch kind {
        case .signature:
            face = .hand
            size = 24
        case .stamp: size = 18
        default: break
        }
    }

    /// Takes size and colour of words from what a file says of them.
    mutating func dress(_ look: DefaultAppearance) {
        if look.size >= 2 { size = min(look.size, 400) }
        if let colour = Colour(parts: look.colourParts) { self.colour = colour }
    }

    public var area: Area { areas.first ?? Area(x: 0, y: 0, width: 0, height: 0) }
}

/// What is to become of the notes on a paper.
public struct MarkChanges: Sendable, Equatable {
    public struct Words: Sendable, Equatable {
        public var id: String
        public var text: String

        public init(_ id: String, _ text: String) {
            self.id = id
            self.text = text
        }
    }

    public var added: [Mark] = []
    public var removed: [String] = []
    public var reworded: [Words] = []
    public var replies: [Words] = []
    /// Those that are settled, and those that are open again.
    public var done: [String] = []
    public var reopened: [String] = []
    /// What is added becomes part of the page, and cannot be taken off any more.
    public var isPartOfPage = false
    /// Also where a signature on the paper does not hold any more afterwards.
    public var breaksSignatures = false
    public var author = ""

    public init() {}

    public var isEmpty: Bool {
        added.isEmpty && removed.isEmpty && reworded.isEmpty && replies.isEmpty && done.isEmpty
            && reopened.isEmpty
    }

    public static let mostAdded = 2_000
    public static let longestText = 10_000
    static let mostPoints = 200_000
    static let largestPicture = 8 << 20
}

/// A note that lies on a paper, whoever's program put it there.
public struct FoundMark: Sendable, Equatable {
    public struct Reply: Sendable, Equatable {
        public var author: String
        /// Seconds since 1970.
        public var time: Int64?
        public var text: String

        public init(author: String, time: Int64?, text: String) {
            self.author = author
            self.time = time
            self.text = text
        }
    }

    /// Its own name, or where it lies in the file.
    public var id: String
    /// As `Mark.Kind` has it, or as the file does.
    public var kind: String
    /// Counted from 0.
    public var page: Int
    public var area: Mark.Area
    public var author: String
    public var time: Int64?
    public var text: String
    public var colour: Mark.Colour?
    public var isDone = false
    public var replies: [Reply] = []

    public init(
        id: String, kind: String, page: Int, area: Mark.Area, author: String = "", time: Int64? = nil,
        text: String = "", colour: Mark.Colour? = nil
    ) {
        self.id = id
        self.kind = kind
        self.page = page
        self.area = area
        self.author = author
        self.time = time
        self.text = text
        self.colour = colour
    }
}

public enum MarkError: Error, Sendable, Equatable {
    case locked
    case noPages
    /// What of a wish cannot be read.
    case badWish(String)
    case noSuchPage(Int, of: Int)
    case offPage(page: Int)
    case noSuchMark(String)
    /// What leads nowhere, or where nobody should be led.
    case badLink(String)
    case badPicture
    case tooMany
    /// The signature of this one would not hold any more.
    case breaks(signatureOf: String)
    case badXFDF(String)
    case nothing
}
