import PDF
import PDFForms

/// Many papers at a glance: small pictures in rows, each with its name, those with a problem in red.
///
///     let sheet = try ContactSheet(title: "Summer trip", tiles: tiles, paper: .a4).bytes()
public struct ContactSheet {
    public struct Tile: Sendable {
        /// A JPEG of the first page; a paper without one is shown as an empty sheet.
        public var picture: [UInt8]?
        public var name: String
        /// What is wrong with it, in a few words.
        public var problem: String?

        public init(picture: [UInt8]?, name: String, problem: String? = nil) {
            self.picture = picture
            self.name = name
            self.problem = problem
        }
    }

    private let title: String
    private let tiles: [Tile]
    private let width: Double
    private let height: Double

    private static let margin = 36.0
    private static let top = 84.0
    private static let columns = 5
    private static let rows = 4
    private static let gap = 12.0
    private static let captionHeight = 24.0

    public init(title: String, tiles: [Tile], paper: PaperSize = .a4) {
        self.title = title
        self.tiles = tiles
        (width, height) = paper.size
    }

    private var perPage: Int { Self.columns * Self.rows }

    private var cell: (width: Double, height: Double) {
        let columns = Double(Self.columns)
        let rows = Double(Self.rows)
        return (
            (width - 2 * Self.margin - (columns - 1) * Self.gap) / columns,
            (height - Self.top - Self.margin - 14 - (rows - 1) * Self.gap) / rows
        )
    }

    /// Names may be in any script, so they are filled in like fields and then made part of the page.
    public func bytes() throws -> [UInt8] {
        var draft = PaperDraft(title: title)
        var values: [String: FieldValue] = ["title": .text(title)]
        let pageCount = max(1, (tiles.count + perPage - 1) / perPage)
        for number in 0..<pageCount {
            let first = number * perPage
            let shown = tiles[min(first, tiles.count)..<min(first + perPage, tiles.count)]
            draft.page(width: width, height: height) { page in
                head(&page, number: number, of: pageCount)
                for (offset, tile) in shown.enumerated() {
                    draw(tile, at: offset, named: "tile \(first + offset)", &page)
                }
            }
            for (offset, tile) in shown.enumerated() {
                values["tile \(first + offset)"] = .text(tile.name)
                if let problem = tile.problem { values["tile \(first + offset) problem"] = .text(problem) }
            }
        }
        if pageCount > 1 { for number in 1..<pageCount { values["title \(number + 1)"] = .text(title) } }
        var options = PreparedForm.Options()
        options.flattens = .all
        return try PreparedForm(bytes: draft.bytes(), options: options).fill(values).bytes
    }

    private func head(_ page: inout PaperDraft.Page, number: Int, of count: Int) {
        let problems = tiles.filter { $0.problem != nil }.count
        page.add(
            PaperField(
                number == 0 ? "title" : "title \(number + 1)", tooltip: "Title",
                Place(x: Self.margin - 2, y: 30, width: width - 2 * Self.margin, height: 22)
            ).with {
                $0.font = .sansBold
                $0.size = 14
            })
        var words = tiles.count == 1 ? "1 paper" : "\(tiles.count) papers"
        page.leaf.text(words, x: Self.margin, y: 64, size: 9, colour: .muted)
        if problems > 0 {
            let x = Self.margin + page.leaf.width(words, .sans, size: 9) + 10
            words = problems == 1 ? "1 with a problem" : "\(problems) with problems"
            page.leaf.text(words, x: x, y: 64, .sansBold, size: 9, colour: .alarm)
        }
        page.leaf.text(
            "\(number + 1) / \(count)", x: width - Self.margin, y: height - 24, size: 8, colour: .muted,
            alignment: .right)
    }

    private func draw(_ tile: Tile, at offset: Int, named name: String, _ page: inout PaperDraft.Page) {
        let x = Self.margin + Double(offset % Self.columns) * (cell.width + Self.gap)
        let y = Self.top + Double(offset / Self.columns) * (cell.height + Self.gap)
        let room = Place(x: x, y: y, width: cell.width, height: cell.height - Self.captionHeight)
        let picture = tile.picture.flatMap(JPEGPicture.init)
        let shape = picture.map { Double($0.width) / Double($0.height) } ?? 0.707
        let size =
            shape > room.width / room.height
            ? (width: room.width, height: room.width / shape)
            : (width: room.height * shape, height: room.height)
        // Papers stand on the line of their captions, in the middle of their column.
        let place = Place(
            x: x + (room.width - size.width) / 2, y: y + room.height - size.height, width: size.width,
            height: size.height)
        if let picture { page.add(picture, at: place, described: tile.name) }
        let isWrong = tile.problem != nil
        page.leaf.box(place, stroke: isWrong ? .alarm : .hair, width: isWrong ? 1.6 : 0.5)
        if isWrong {
            page.leaf.circle(x: place.x + place.width - 1, y: place.y + 1, radius: 6, fill: .alarm)
            page.leaf.text(
                "!", x: place.x + place.width - 1, y: place.y + 4.2, .sansBold, size: 9, colour: .white,
                alignment: .centre)
        }
        page.add(
            PaperField(
                name, tooltip: "Name", Place(x: x, y: y + room.height + 3, width: cell.width, height: 11)
            ).with {
                $0.size = 7.5
                $0.alignment = .centre
            })
        guard isWrong else { return }
        page.add(
            PaperField(
                "\(name) problem", tooltip: "Problem",
                Place(x: x, y: y + room.height + 13, width: cell.width, height: 10)
            ).with {
                $0.size = 6.5
                $0.colour = .alarm
                $0.alignment = .centre
            })
    }
}

/// A JPEG as it is put into a document: its bytes need no change (ISO 32000-2 §7.4.8), only its size must be known.
struct JPEGPicture {
    let bytes: [UInt8]
    let width: Int
    let height: Int
    let isGrey: Bool

    /// Nil for what is no JPEG, or one with other colours than grey or red, green and blue.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var at = 2
        while at + 9 < bytes.count {
            guard bytes[at] == 0xFF else { return nil }
            let marker = bytes[at + 1]
            if marker == 0xFF {
                at += 1
                continue
            }
            // Frames (SOF0-15) say the size; 4, 8 and 12 are other things in that range.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                height = Int(bytes[at + 5]) << 8 | Int(bytes[at + 6])
                width = Int(bytes[at + 7]) << 8 | Int(bytes[at + 8])
                let parts = bytes[at + 9]
                guard width > 0, height > 0, parts == 1 || parts == 3 else { return nil }
                isGrey = parts == 1
                self.bytes = bytes
                return
            }
            at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
        }
        return nil
    }
}
