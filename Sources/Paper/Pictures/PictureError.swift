/// Why a picture cannot be put on a page.
public enum PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    case unknownFormat
    case damaged(String)
    /// More pixels than may be unpacked.
    case tooLarge(width: Int, height: Int)

    public var description: String {
        switch self {
        case .unknownFormat: "This is no picture Quire knows."
        case .damaged(let what): "The picture is damaged: \(what)."
        case .tooLarge(let width, let height): "The picture is too large: \(width) × \(height) pixels."
        }
    }
}
