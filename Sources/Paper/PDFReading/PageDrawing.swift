public import PDF

/// The straight lines and boxes drawn on a page: what makes a form look like a form. Places are on the sheet
/// (`PageFrame`). Read by ourselves, without a program of others.
public struct PageDrawing: Sendable, Equatable {
    /// A line across or upright.
    public struct Rule: Sendable, Equatable {
        public var place: PDFRectangle
        public var isUpright: Bool { place.height > place.width }
        public var length: Double { max(place.width, place.height) }
        public var thickness: Double { min(place.width, place.height) }
    }

    public struct Box: Sendable, Equatable {
        public var place: PDFRectangle
        public var isOutlined: Bool
        /// How light its inside is, from 0 for black to 1 for white; nil when the page shines through.
        public var lightness: Double?
    }

    public var frame: PageFrame
    public var rules: [Rule]
    public var boxes: [Box]
    /// Places with curved outlines of their own, such as round boxes to tick.
    public var rounds: [PDFRectangle]
    /// Pictures, by the places they fill: a scanned page is one.
    public var pictures: [PDFRectangle]

    public init(_ file: PDFFile, page: Int) {
        let frames = file.frames
        let pages = file.pages
        guard pages.indices.contains(page), frames.indices.contains(page) else {
            self.init(frame: .usual)
            return
        }
        self.init(file, pages[page], frames[page])
    }

    init(frame: PageFrame, rules: [Rule] = [], boxes: [Box] = []) {
        self.frame = frame
        self.rules = rules
        self.boxes = boxes
        rounds = []
        pictures = []
    }

    init(_ file: PDFFile, _ page: PDFReference, _ frame: PageFrame) {
        var tracer = PathTracer(file, frame)
        let dictionary = file.dictionary(.reference(page)) ?? [:]
        var content: [UInt8] = []
        let contents = dictionary["Contents"]
        for part in file.resolve(contents).array ?? [contents ?? .null] {
            guard let reference = part.reference, content.count < PathTracer.longestContent else { continue }
            // The parts are one stream, divided anywhere between two words (§7.7.3.3).
            content += (file.stream(reference, limit: PathTracer.longestContent) ?? []) + [10]
        }
        tracer.trace(content, resources: file.dictionary(file.inherited("Resources", by: page)) ?? [:])
        self.frame = frame
        rules = Self.joined(tracer.rules)
        boxes = tracer.boxes
        rounds = tracer.rounds
        pictures = tracer.pictures
    }

    /// All pages; one file is walked through once.
    public static func all(_ file: PDFFile) -> [PageDrawing] {
        zip(file.pages, file.frames).map { PageDrawing(file, $0, $1) }
    }

    /// Lines are often drawn in pieces, cell by cell: pieces that touch become one again.
    private static func joined(_ pieces: [Rule]) -> [Rule] {
        func join(_ pieces: [Rule], across: Bool) -> [Rule] {
            func along(_ r: PDFRectangle) -> (Double, Double) {
                across ? (r.left, r.right) : (r.bottom, r.top)
            }
            func beside(_ r: PDFRectangle) -> Double { across ? r.middle.y : r.middle.x }
            var result: [Rule] = []
            var rest = pieces.sorted { beside($0.place) < beside($1.place) }[...]
            while let first = rest.first {
                let level = rest.prefix { beside($0.place) - beside(first.place) < 0.8 }
                rest = rest.dropFirst(level.count)
                let start = result.count
                for piece in level.sorted(by: { along($0.place).0 < along($1.place).0 }) {
                    if result.count > start, let last = result.last,
                        along(piece.place).0 - along(last.place).1 < 1
                    {
                        result[result.count - 1].place = last.place.union(piece.place)
                    } else {
                        result.append(piece)
                    }
                }
            }
            return result
        }
        return join(pieces.filter { !$0.isUpright }, across: true)
            + join(pieces.filter(\.isUpright), across: false)
    }
}
