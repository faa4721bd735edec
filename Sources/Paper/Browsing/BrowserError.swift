/// Why a page could not be printed.
public enum BrowserError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The Debian package that brings it.
    case notInstalled(package: String)
    /// It ended, or no longer made sense: worth another try in a new one.
    case lost(String)
    /// It ended where it may take too little; the whole sentence.
    case tooLittleMemory(String)
    case timedOut
    case cancelled(reason: String)
    /// The page itself could not be had.
    case notLoaded(String)
    /// The address leads where Quire may not go.
    case forbidden(String)
    case answered(status: Int, address: String)
    /// More pages are waiting than may.
    case busy
    /// What was asked for makes no sense to the browser.
    case refused(String)
    /// Something was asked to fail when the page complains, and it did.
    case complaints([String])

    public var description: String {
        switch self {
        case .notInstalled(let package):
            "Chromium is not installed. The package “\(package)” brings it: apt install \(package)."
        case .lost(let what): "The browser was lost: \(what)."
        case .tooLittleMemory(let sentence): sentence
        case .timedOut: "The page took too long."
        case .cancelled(let reason): "Cancelled: \(reason)."
        case .notLoaded(let why): "The page could not be loaded: \(why)."
        case .forbidden(let what): "\(what)."
        case .answered(let status, let address): "\(address) answered \(status)."
        case .busy: "Too many pages are waiting; try again in a moment."
        case .refused(let why): "The browser refused: \(why)."
        case .complaints(let list): list.joined(separator: "\n")
        }
    }

    /// Whether a new browser may do better.
    public var isTheBrowsersFault: Bool { if case .lost = self { true } else { false } }
}
