public import Browsing
public import Kinds
import Office
import PDF
import PDFReading
import Pictures

/// Why a paper could not become what it was to become.
public enum ConversionError: Error, Sendable, CustomStringConvertible {
    case unreadableFile(String, reason: String)
    /// Quire knows nothing of this kind.
    case unknownKind(String)
    case noWay(from: PaperKind, to: PaperKind)
    /// A program is missing.
    case missing(program: String, package: String)
    case passwordNeeded(String)
    case wrongPassword(String)
    case passwordNotNeeded(String)
    case damaged(String, reason: String)
    case tooLarge(String)
    case timedOut(String)
    /// A page of the web.
    case pageTimedOut(String)
    case cancelled(reason: String)
    case badOption(String)
    /// The page itself, or what it needs, could not be had.
    case page(BrowserError)
    case busy
    case engineFailed(String)
    /// No fault of the paper; the whole sentence.
    case tooLittleMemory(String)

    public var description: String {
        switch self {
        case .unreadableFile(let name, let reason): "“\(name)” could not be read: \(reason)."
        case .unknownKind(let name): "“\(name)” is of no kind Quire knows."
        case .noWay(let from, let to): "There is no way from \(from.words) to \(to.words)."
        case .missing(let program, let package):
            "\(program) is needed and not installed. Install it with: apt install \(package)"
        case .passwordNeeded(let name): "“\(name)” is locked with a password."
        case .wrongPassword(let name): "The password does not open “\(name)”."
        case .passwordNotNeeded(let name): "“\(name)” is not locked, but a password was given for it."
        case .damaged(let name, let reason):
            "“\(name)” could not be converted: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
        case .tooLarge(let what): "\(what)"
        case .timedOut(let name): "“\(name)” took too long."
        case .pageTimedOut(let name):
            "“\(name)” took too long. Try again later, or open it in a browser, print it there as a PDF and add that."
        case .cancelled(let reason): "Cancelled: \(reason)."
        case .badOption(let what): what
        case .page(let error): error.description
        case .busy: "Too many conversions are waiting; try again in a moment."
        case .engineFailed(let what): what
        case .tooLittleMemory(let sentence): sentence
        }
    }

    /// What any engine said, told of this paper.
    static func of(_ error: any Error, _ name: String) -> ConversionError {
        switch error {
        case let error as ConversionError: return error
        case let error as OfficeError:
            switch error {
            case .notInstalled(let package): return .missing(program: "LibreOffice", package: package)
            case .passwordNeeded: return .passwordNeeded(name)
            case .wrongPassword: return .wrongPassword(name)
            case .passwordNotNeeded: return .passwordNotNeeded(name)
            case .timedOut: return .timedOut(name)
            case .cancelled(let reason): return .cancelled(reason: reason)
            case .tooMuch: return .tooLarge("“\(name)”: \(error)")
            case .busy: return .busy
            case .unreadable, .notWritten: return .damaged(name, reason: error.description)
            case .incomplete, .machine: return .engineFailed(error.description)
            case .lost: return .engineFailed("“\(name)”: \(error)")
            case .tooLittleMemory(let sentence): return .tooLittleMemory(sentence)
            }
        case let error as BrowserError:
            switch error {
            case .notInstalled(let package): return .missing(program: "Chromium", package: package)
            case .cancelled(let reason): return .cancelled(reason: reason)
            case .timedOut: return .timedOut(name)
            case .busy: return .busy
            // No fault of the paper.
            case .lost: return .engineFailed("“\(name)”: \(error)")
            case .tooLittleMemory(let sentence): return .tooLittleMemory(sentence)
            default: return .page(error)
            }
        case let error as PictureError:
            if case .tooLarge = error { return .tooLarge("“\(name)”: \(error)") }
            return .damaged(name, reason: error.description)
        case let error as ReadingError:
            switch error {
            case .tooLittleMemory(let sentence): return .tooLittleMemory(sentence)
            case .cancelled(let reason): return .cancelled(reason: reason)
            default: return .damaged(name, reason: error.description)
            }
        case let error as PDFError:
            switch error {
            case .passwordNeeded: return .passwordNeeded(name)
            case .wrongPassword: return .wrongPassword(name)
            case .tooLittleMemory: return .tooLittleMemory("\(error)")
            default: return .damaged(name, reason: "\(error)")
            }
        default: return .engineFailed("“\(name)”: \(error)")
        }
    }
}
