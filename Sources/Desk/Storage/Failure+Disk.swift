import Glibc
import Work

extension Failure {
    /// No fault of what was asked.
    public static let tooLittleMemory = Failure(
        .unavailable, "This machine has too little memory left. Try again in a moment.",
        retryAfter: .seconds(5))

    /// What the system said about a file, in words that tell what to do.
    public static func disk(_ number: Int32, _ act: String, _ path: String) -> Failure {
        let cause = systemMessage(number)
        return switch number {
        case ENOSPC, EDQUOT:
            Failure(
                .full, "The disk is full: Quire could not \(act) \(path). Make room and try again.",
                cause: cause)
        case EROFS:
            Failure(
                .unavailable,
                "Quire could not \(act) \(path): the file system is read-only. Mount it writable or choose another data directory.",
                cause: cause)
        case EACCES, EPERM:
            Failure(
                .unavailable,
                "Quire may not \(act) \(path). Give the user that runs Quire the right to, or choose another data directory.",
                cause: cause)
        case ENOENT, ENOTDIR:
            Failure(.notFound, "Quire could not \(act) \(path): it is not there.", cause: cause)
        case EMFILE, ENFILE:
            Failure(
                .unavailable, "Too many files are open. Try again in a moment.", cause: cause,
                retryAfter: .seconds(5))
        case ENOMEM:
            .tooLittleMemory
        case EIO:
            Failure(
                .damaged, "The disk reports an error: Quire could not \(act) \(path). Make a backup soon.",
                cause: cause)
        default: Failure(.unavailable, "Quire could not \(act) \(path): \(cause).", cause: cause)
        }
    }
}
