/// Why a file could not be read or written.
public enum PDFError: Error, Sendable, Equatable, CustomStringConvertible {
    case notReadable(path: String, reason: String)
    case passwordNeeded
    case wrongPassword
    /// Locked for those who hold a certificate.
    case certificateNeeded
    /// Locked in a way that is not known here; what the way is called, when it says.
    case unknownLock(String)
    case damaged(String)
    /// Opened, and there is no page in it.
    case noPages
    case unusablePassword(String)
    case tooLarge(byteCount: Int)
    /// The machine has none for it now; no fault of the file.
    case tooLittleMemory

    public var description: String {
        switch self {
        case .notReadable(let path, let reason): "\(path) could not be read: \(reason)."
        case .passwordNeeded: "The file is locked with a password. Give the password to open it."
        case .wrongPassword: "The password does not open this file."
        case .unusablePassword(let reason): "The password cannot be used. \(reason)"
        case .certificateNeeded:
            "The file is locked for those who hold a certificate. Open it in a program that has the certificate, and save "
                + "a copy without the lock."
        case .unknownLock(let name):
            "The file is locked by \(name), which cannot be opened here. Open it in a program that can, and save a copy "
                + "without the lock or with AES-256."
        case .noPages:
            "The file has no page that can be found. Save it once more in the program it comes from, or ask for it again."
        case .damaged(let reason):
            "The file is no PDF, or so damaged that it cannot be opened. Save it once more in the program it comes from, "
                + "or ask for it again. (In detail: \(reason).)"
        case .tooLarge(let byteCount): "The file would need \(byteCount) bytes, more than allowed."
        case .tooLittleMemory: "This machine has too little memory left. Try again in a moment."
        }
    }
}

extension PDFError {
    /// What qpdf said when it gave up.
    static func of(_ message: String) -> PDFError {
        message.contains("bad_alloc") || message.contains("out of memory")
            ? .tooLittleMemory : .damaged(message)
    }

    /// What hinders opening, when it is a lock of a kind that qpdf does not know; nil when it is something else. A
    /// dictionary that describes a lock is never locked or packed itself.
    static func unknownLock(in bytes: [UInt8], _ message: String) -> PDFError? {
        guard message.contains("ncrypt") || message.contains("/R or /V") else { return nil }
        func has(_ word: String) -> Bool { bytes.contains(Array(word.utf8)) }
        if has("/Adobe.PubSec") || has("/Adobe.PPKLite") && has("/Recipients") { return .certificateNeeded }
        if has("/AESV4") { return .unknownLock("AES-GCM") }
        return message.contains("nsupported") ? .unknownLock("a method of its own") : nil
    }
}
