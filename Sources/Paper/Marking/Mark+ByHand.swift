public import Bytes

// A name by hand as a page draws it: strokes, a text or a picture in a room of its own, which is then put where one signs.

extension Mark {
    /// More lines than anybody signs with.
    static let mostStrokes = 400
    static let mostPointsByHand = 20_000
    static let longestName = 100
    static let largestPictureByHand = 1 << 20
    /// Of a picture; so many are unpacked.
    static let mostDots = 4_000_000

    /// What somebody signed with, as large as it can stand in a place of a page.
    ///
    /// What comes here is a stranger's: nothing of it is unpacked or drawn that is larger than a signature can be.
    public init(byHand json: JSON, page: Int, in place: Area) throws(MarkError) {
        var told: JSONObject = ["kind": .string(Kind.signature.rawValue), "page": .int(page + 1)]
        if let strokes = json["strokes"]?.array, !strokes.isEmpty {
            guard strokes.count <= Self.mostStrokes,
                strokes.reduce(0, { $0 + ($1.array?.count ?? 0) }) <= Self.mostPointsByHand
            else { throw .tooMany }
            told["strokes"] = .array(strokes)
        } else if let picture = json["picture"]?.string, !picture.isEmpty {
            guard picture.utf8.count <= Self.largestPictureByHand * 4 / 3 + 100 else { throw .tooMany }
            told["picture"] = .string(picture)
        } else if let text = json["text"]?.string {
            told["text"] = .string(
                String(
                    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(Self.longestName)
                ))
        }
        try self.init(json: .object(told))
        areas = [place]
        guard !strokes.allSatisfy(\.isEmpty) || !picture.isEmpty || !text.isEmpty else {
            throw .badWish("text")
        }
        if !picture.isEmpty {
            guard let size = Self.dots(picture), size.width * size.height <= Self.mostDots else {
                throw .badPicture
            }
        }
        strokes.removeAll(where: \.isEmpty)
        if !strokes.isEmpty { fit(into: place) }
    }

    /// As a browser's canvas gives it, which is a PNG; what it says of its size is at one place.
    private static func dots(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count > 33, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            return nil
        }
        func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        let size = (width: number(16), height: number(20))
        let sides = 1...20_000
        return sides.contains(size.width) && sides.contains(size.height) ? size : nil
    }

    private mutating func fit(into place: Area) {
        let points = strokes.flatMap(\.self)
        let left = points.map(\.x).min() ?? 0
        let top = points.map(\.y).min() ?? 0
        let width = max((points.map(\.x).max() ?? 0) - left, 1)
        let height = max((points.map(\.y).max() ?? 0) - top, 1)
        let usual = 3.5
        let scale = min(place.width / (width + 2 * usual), place.height / (height + 2 * usual))
        thickness = min(max(usual * scale, 0.7), 3)
        let x = place.x + (place.width - width * scale) / 2
        let y = place.y + (place.height - height * scale) / 2
        for stroke in strokes.indices {
            for point in strokes[stroke].indices {
                strokes[stroke][point].x = x + (strokes[stroke][point].x - left) * scale
                strokes[stroke][point].y = y + (strokes[stroke][point].y - top) * scale
            }
        }
    }
}
