/// Why an archive could not be read or written, as a sentence.
public enum ZIPError: Error, Sendable, Equatable, CustomStringConvertible {
    case notReadable(path: String, reason: String)
    case notAnArchive
    case damaged(String)
    /// Larger than the reader is ready for, such as a few kilobytes that claim to be gigabytes.
    case tooLarge(String)
    case unsupported(name: String, reason: String)
    case badName(String)

    public var description: String {
        switch self {
        case .notReadable(let path, let reason): "\(path) could not be read: \(reason)."
        case .notAnArchive: "The file is no ZIP archive."
        case .damaged(let reason): "The archive is damaged: \(reason)."
        case .tooLarge(let reason): "The archive is refused: \(reason)."
        case .unsupported(let name, let reason): "“\(name)” in the archive cannot be read: \(reason)."
        case .badName(let name): "“\(name)” is no name for a file in an archive."
        }
    }
}
