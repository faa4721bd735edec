/// Why a file could not be read or written.
public enum PDFError: Error, Sendable, Equatable, CustomStringConvertible {
    case notReadable(path: String, reason: String)
    case passwordNeeded
    case wrongPassword
    case damaged(String)
    case unusablePassword(String)
    case tooLarge(byteCount: Int)

    public var description: String {
        switch self {
        case .notReadable(let path, let reason): "\(path) could not be read: \(reason)."
        case .passwordNeeded: "The file is locked with a password. Give the password to open it."
        case .wrongPassword: "The password does not open this file."
        case .unusablePassword(let reason): "The password cannot be used. \(reason)"
        case .damaged(let reason):
            "The file is no PDF, or so damaged that it cannot be opened. Save it once more in the program it comes from, "
                + "or ask for it again. (In detail: \(reason).)"
        case .tooLarge(let byteCount): "The file would need \(byteCount) bytes, more than allowed."
        }
    }
}
