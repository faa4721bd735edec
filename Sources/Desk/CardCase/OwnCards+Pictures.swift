public import Access
public import Bytes
import PDFReading
import Pictures
import SQL
public import Storage

extension OwnCards {
    /// What a camera gives is smaller.
    public static let longestPicture = 32 << 20
    /// Telephones take cards of so many bytes with all that is in them (Apple's limit), and a photo of 224 kB, which is
    /// a third longer in a card than by itself.
    public static let longestCard = 256_000

    /// What is drawn of a picture, one after the other until it is short enough.
    private struct Drawing {
        /// In pixels along its longer side, and how good.
        var steps: [(side: Int, quality: Int)]
        var longest: Int

        init(_ kind: CardPicture.Kind) {
            switch kind {
            case .photo: (steps, longest) = ([(512, 82), (400, 76), (320, 60)], 144_000)
            case .cover: (steps, longest) = ([(1200, 80), (1200, 66), (900, 55)], 200_000)
            case .logo:
                (steps, longest) = ([(400, 90), (400, 80), (320, 70), (240, 60), (160, 50)], 24_000)
            }
        }
    }

    /// What is shown of it, as a JPEG; nil when there is none.
    public func picture(_ kind: CardPicture.Kind, of card: OwnCard) throws -> [UInt8]? {
        try card.pictures[kind].map { try store.blobs.read($0.shown) }
    }

    /// The file as it came; its owner's alone.
    public func original(_ kind: CardPicture.Kind, of card: OwnCard) throws -> [UInt8]? {
        try card.pictures[kind].map { try store.blobs.read($0.original) }
    }

    /// All of the original, upright and small enough for a screen, to choose a part of it.
    public func whole(_ kind: CardPicture.Kind, of card: OwnCard) throws -> [UInt8]? {
        guard let picture = card.pictures[kind], let bytes = try original(kind, of: card) else { return nil }
        let longer = Double(max(picture.width, picture.height))
        let scale = min(1, 1200 / longer)
        let width = max(1, (Double(picture.width) * scale).rounded())
        let page = try Self.page(
            of: bytes, through: .whole, width: width,
            height: max(1, (Double(picture.height) * scale).rounded()))
        return try PictureAnew.drawn(on: page, atMost: .max, reader: pageReader()) { _, _ in
            [(Int(width), 80)]
        }
    }

    /// Takes the place of the one before, which can be brought back. What is shown of it is its middle.
    @discardableResult
    public func set(
        _ kind: CardPicture.Kind, to bytes: [UInt8], of id: ID<OwnCard>, by caller: Caller
    ) throws -> OwnCard {
        _ = try get(id, by: caller)
        let size = try Self.size(of: bytes)
        let fresh = CardPicture(
            original: try store.blobs.put(bytes),
            shown: try store.blobs.put(try shown(bytes, CardCrop(), kind, size)), width: size.width,
            height: size.height)
        return try change(id, by: caller) { card, tx in
            try tx.keep(fresh.original)
            try tx.keep(fresh.shown)
            try Self.setAside(kind, of: card, in: tx)
            try Self.write(fresh, kind, of: id, in: tx)
            card.pictures[kind] = fresh
        }
    }

    /// Shows another part of it. What the JSON does not say stays as it is.
    @discardableResult
    public func crop(
        _ kind: CardPicture.Kind, _ said: JSON, of id: ID<OwnCard>, by caller: Caller
    ) throws -> OwnCard {
        let card = try get(id, by: caller)
        guard let before = card.pictures[kind], let bytes = try original(kind, of: card) else {
            throw Self.noPicture
        }
        var crop = before.crop
        try CardCrop.fields.take(said, into: &crop)
        try CardCrop.fields.check(crop)
        crop = crop.settled(width: before.width, height: before.height, shape: kind.shape)
        guard crop != before.crop else { return card }
        var after = before
        after.crop = crop
        after.shown = try store.blobs.put(
            try shown(bytes, crop, kind, (before.width, before.height)))
        return try change(id, by: caller) { card, tx in
            guard card.pictures[kind]?.original == before.original else {
                throw Failure(
                    .conflict, "Another picture has come since. Look at it, then choose the part again.")
            }
            try tx.keep(after.shown)
            try tx.run(
                "DELETE FROM own_card_picture WHERE card_id = \(id) AND kind = \(kind.rawValue) AND is_shown = 1"
            )
            try Self.write(after, kind, of: id, in: tx)
            card.pictures[kind] = after
        }
    }

    /// It can be brought back.
    @discardableResult
    public func remove(
        _ kind: CardPicture.Kind, of id: ID<OwnCard>, by caller: Caller
    ) throws -> OwnCard {
        try change(id, by: caller) { card, tx in
            try Self.setAside(kind, of: card, in: tx)
            card.pictures[kind] = nil
        }
    }

    /// The picture that was there before, in the place of the one that is there now, and the other way round next time.
    @discardableResult
    public func restore(
        _ kind: CardPicture.Kind, of id: ID<OwnCard>, by caller: Caller
    ) throws -> OwnCard {
        try change(id, by: caller) { card, tx in
            let former = try tx.row(
                "SELECT * FROM own_card_picture WHERE card_id = \(id) AND kind = \(kind.rawValue) AND is_shown = 0"
            ).map(CardPicture.init)
            guard let former else {
                throw Failure(.conflict, "There is no earlier picture that could be brought back.")
            }
            try Self.setAside(kind, of: card, in: tx)
            if card.pictures[kind] == nil {
                try tx.run(
                    "DELETE FROM own_card_picture WHERE card_id = \(id) AND kind = \(kind.rawValue)")
            }
            try Self.write(former, kind, of: id, in: tx)
            card.pictures[kind] = former
        }
    }

    /// A page as a PNG, each point of it a pixel.
    public func picture(ofPage page: [UInt8], width: Int) throws -> [UInt8] {
        try pageReader().picture(of: Sheets(bytes: page), page: 0, width: width, format: .png)
    }

    /// A picture that was drawn here once more as a PNG, as large as fits into so many pixels.
    public func png(of picture: [UInt8], within room: (width: Int, height: Int)) throws -> [UInt8] {
        let size = try Picture(picture).uprightSize
        let scale = min(
            Double(room.width) / Double(size.width), Double(room.height) / Double(size.height))
        let width = max(1, (Double(size.width) * scale).rounded())
        let page = try Self.page(
            of: picture, through: .whole, width: width,
            height: max(1, (Double(size.height) * scale).rounded()))
        return try self.picture(ofPage: page, width: Int(width))
    }

    static let noPicture = Failure(.notFound, "This card has no picture.")

    // MARK: Rows

    /// What is shown now becomes what was there before; of that only one is kept.
    private static func setAside(
        _ kind: CardPicture.Kind, of card: OwnCard, in tx: borrowing Transaction
    ) throws {
        guard card.pictures[kind] != nil else { return }
        try tx.run(
            "DELETE FROM own_card_picture WHERE card_id = \(card.id) AND kind = \(kind.rawValue) AND is_shown = 0"
        )
        try tx.run(
            "UPDATE own_card_picture SET is_shown = 0 WHERE card_id = \(card.id) AND kind = \(kind.rawValue)")
    }

    private static func write(
        _ picture: CardPicture, _ kind: CardPicture.Kind, of id: ID<OwnCard>, in tx: borrowing Transaction
    ) throws {
        try tx.run(
            """
            INSERT INTO own_card_picture (card_id, kind, is_shown, original, shown, width, height, crop)
            VALUES (\(id), \(kind.rawValue), 1, \(picture.original), \(picture.shown), \(picture.width),
                \(picture.height), \(JSON.object(CardCrop.fields.json(of: picture.crop)).text))
            """)
    }

    // MARK: Drawing

    /// Of a picture that can be used, as one looks at it.
    private static func size(of bytes: [UInt8]) throws(Failure) -> (width: Int, height: Int) {
        guard bytes.count <= longestPicture else {
            throw Failure(.tooLarge, "This picture is too large. Take one of at most 32 MB.", field: "file")
        }
        guard let format = Picture.format(of: bytes), format != .jpeg2000 else { throw PictureAnew.unusable }
        let picture: Picture
        do { picture = try Picture(bytes) } catch {
            throw Failure(
                .invalid, "This picture is damaged. Take another one.", field: "file", cause: "\(error)")
        }
        let size = picture.uprightSize
        guard size.width >= 16, size.height >= 16 else {
            throw Failure(
                .invalid, "This picture has only \(size.width) × \(size.height) pixels. Take a larger one.",
                field: "file")
        }
        // A photo is unpacked bit by bit, a drawing at once.
        guard size.width <= (format == .jpeg ? 200_000_000 : 40_000_000) / size.height else {
            throw Failure(
                .tooLarge,
                "This picture has \(size.width) × \(size.height) pixels, which is too much. Make it smaller first.",
                field: "file")
        }
        guard !picture.isMoving else {
            throw Failure(.invalid, "This picture moves. Take one that stands still.", field: "file")
        }
        guard picture.isComplete(bytes) else {
            throw Failure(
                .invalid, "This picture breaks off before its end. Take it again from where it came from.",
                field: "file")
        }
        return size
    }

    private func shown(
        _ bytes: [UInt8], _ crop: CardCrop, _ kind: CardPicture.Kind, _ size: (width: Int, height: Int)
    ) throws -> [UInt8] {
        let window = crop.window(width: size.width, height: size.height, shape: kind.shape)
        let turned = window.turn.isOnItsSide ? (size.height, size.width) : (size.width, size.height)
        let seen = (width: Double(turned.0) * window.width, height: Double(turned.1) * window.height)
        // A strip that nobody could recognise is not drawn thinner than a sixteenth of its length.
        let shape = kind.shape ?? min(max(seen.width / seen.height, 1.0 / 16), 16)
        func wide(_ side: Int) -> Double {
            max(1, (shape < 1 ? Double(side) * shape : Double(side)).rounded())
        }
        let drawing = Drawing(kind)
        let largest = drawing.steps[0].side
        let height = shape < 1 ? Double(largest) : max(1, (Double(largest) / shape).rounded())
        let page = try Self.page(of: bytes, through: window, width: wide(largest), height: height)
        return try PictureAnew.drawn(on: page, atMost: drawing.longest, reader: pageReader()) { _, _ in
            drawing.steps.map { (Int(wide($0.side)), $0.quality) }
        }
    }

    private static func page(
        of bytes: [UInt8], through window: PictureWindow, width: Double, height: Double
    ) throws -> [UInt8] {
        try PictureAnew.page { try $0.add(bytes, seenThrough: window, width: width, height: height) }
    }

    private func pageReader() throws -> PageReader {
        guard let reader = reader() else {
            throw Failure(.unavailable, "Pictures cannot be drawn here. quire doctor says what is missing.")
        }
        return reader
    }
}
