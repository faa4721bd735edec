import Archives

/// A picture as its file holds it, understood just far enough to be put on a page without being unpacked.
public struct Picture: Sendable {
    public enum Format: String, Sendable {
        case jpeg, jpeg2000, png
    }

    public let format: Format
    /// In pixels, before it is turned.
    public let width: Int
    public let height: Int
    public let turn: PictureTurn
    /// Nil when the file does not say, or says something impossible.
    public let dotsPerInch: Double?
    let content: Content

    enum Content: Sendable {
        case jpeg(JPEGHead)
        case jpeg2000(JPEG2000Head)
        case png(PNGFile)
    }

    /// What can be unpacked when a picture cannot be passed on as it is.
    public static let mostPixels = 300_000_000

    public init(_ bytes: [UInt8]) throws(PictureError) {
        let dots: Double?
        switch Self.format(of: bytes) {
        case .jpeg:
            let head = try JPEGHead(bytes)
            (format, width, height, turn) = (.jpeg, head.width, head.height, head.turn)
            dots = head.dotsPerInch
            content = .jpeg(head)
        case .jpeg2000:
            let head = try JPEG2000Head(bytes)
            (format, width, height, turn) = (.jpeg2000, head.width, head.height, .none)
            dots = head.dotsPerInch
            content = .jpeg2000(head)
        case .png:
            let file = try PNGFile(bytes)
            (format, width, height, turn) = (.png, file.width, file.height, file.turn)
            dots = file.dotsPerInch
            content = .png(file)
        case nil: throw .unknownFormat
        }
        dotsPerInch = dots.flatMap { (5...20_000).contains($0) ? $0 : nil }
    }

    /// It holds several pictures, to be shown one after the other.
    public var isMoving: Bool {
        if case .png(let file) = content { file.isMoving } else { false }
    }

    /// Whether its pixels are there, as far as can be told without drawing them. A JPEG that breaks off lacks its end.
    public func isComplete(_ bytes: [UInt8]) -> Bool {
        switch content {
        case .jpeg:
            // Cameras write more behind the end, which has an end of its own.
            let tail = bytes.suffix(1 << 16)
            return zip(tail, tail.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
        case .png(let file):
            let expected = file.height * file.rowByteCount(width: file.width)
            guard file.isWhole, !file.isInterlaced else { return file.isWhole }
            return (inflated(file.rows, .zlib, limit: expected + file.height + 1)?.count ?? 0)
                >= expected + file.height
        case .jpeg2000: return true
        }
    }

    public static func format(of bytes: [UInt8]) -> Format? {
        let view = ByteView(bytes)
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: PNGFile.signature) { return .png }
        if view.begins("jP  ", at: 4) || bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return .jpeg2000 }
        return nil
    }
}
