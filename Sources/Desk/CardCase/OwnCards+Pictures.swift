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
        let small = try drawn(bytes)
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

    private func drawn(_ bytes: [UInt8]) throws -> [UInt8] {
        guard Picture.format(of: bytes) != nil else {
            throw Failure(
                .invalid, "This is no picture that can be used. Take a JPEG or a PNG.", field: "file")
        }
        var layout = PictureLayout()
        layout.size = .sheet(width: 360, height: 360)
        layout.fit = .fill
        var sheet: [UInt8] = []
        do {
            var pages = try PicturePages(layout: layout) { sheet += $0 }
            try pages.add(bytes)
            try pages.finish()
        } catch {
            throw Failure(
                .invalid, "This picture is damaged. Take another one.", field: "file", cause: "\(error)")
        }
        guard let reader = reader() else {
            throw Failure(.unavailable, "Pictures cannot be drawn here. quire doctor says what is missing.")
        }
        do throws(ReadingError) {
            let sheets = try Sheets(bytes: sheet)
            for (width, quality) in [(512, 82), (400, 76), (320, 60)] {
                let drawn = try reader.picture(
                    of: sheets, page: 0, width: width, format: .jpeg(quality: quality))
                if drawn.count <= Self.longestInCard { return drawn }
            }
        } catch {
            throw Failure(
                .unavailable, "The picture could not be drawn. Take another one.", cause: "\(error)")
        }
        throw Failure(.invalid, "This picture cannot be made small enough. Take another one.", field: "file")
    }
}
