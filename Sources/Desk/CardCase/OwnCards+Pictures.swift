public import Access
import PDFReading
import Pictures
public import Storage

extension OwnCards {
    /// What a camera gives is smaller.
    public static let longestPhoto = 32 << 20
    /// With the card around it, telephones take it (Apple's limit is 224 kB).
    static let longestInCard = 160_000

    /// Draws the middle of a picture anew: what a camera wrote into it, such as the place, is not in there any more.
    @discardableResult
    public func setPhoto(_ bytes: [UInt8], of id: ID<OwnCard>, by caller: Caller) throws -> OwnCard {
        _ = try get(id, by: caller)
        guard bytes.count <= Self.longestPhoto else {
            throw Failure(.tooLarge, "This picture is too large. Take one of at most 32 MB.", field: "file")
        }
        var layout = PictureLayout()
        layout.size = .sheet(width: 360, height: 360)
        layout.fit = .fill
        let small = try PictureAnew.drawn(
            bytes, layout, [(512, 82), (400, 76), (320, 60)], atMost: Self.longestInCard, reader: reader())
        let digest = try store.blobs.put(small)
        return try change(id, by: caller) { card, tx in
            try tx.keep(digest)
            card.photo = digest
        }
    }

    @discardableResult
    public func removePhoto(of id: ID<OwnCard>, by caller: Caller) throws -> OwnCard {
        try change(id, by: caller) { card, _ in card.photo = nil }
    }

    /// A page as a PNG, each point of it a pixel.
    public func picture(ofPage page: [UInt8], width: Int) throws -> [UInt8] {
        guard let reader = reader() else {
            throw Failure(.unavailable, "Pictures cannot be drawn here. quire doctor says what is missing.")
        }
        return try reader.picture(of: Sheets(bytes: page), page: 0, width: width, format: .png)
    }
}
