/// Why an office paper could not be converted.
public enum OfficeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The Debian packages that bring what is missing.
    case notInstalled(package: String)
    /// The program that holds LibreOffice does not lie where Quire looks for it.
    case incomplete
    /// LibreOffice cannot read it.
    case unreadable(String)
    case passwordNeeded
    case wrongPassword
    /// A password was given for a paper that has none.
    case passwordNotNeeded
    case notWritten(String)
    case timedOut
    case tooMuch(String)
    case cancelled(reason: String)
    /// This machine cannot run it at the moment.
    case machine(String)
    /// It ended where it may take too little; the whole sentence.
    case tooLittleMemory(String)
    /// It crashed, twice.
    case lost(String)
    case busy

    public var description: String {
        switch self {
        case .notInstalled(let package):
            "LibreOffice is not installed. The package “\(package)” brings it: apt install \(package)."
        case .incomplete: EngineProgram.absence
        case .unreadable(let why):
            why.isEmpty
                ? "LibreOffice cannot read the document." : "LibreOffice cannot read the document: \(why)."
        case .passwordNeeded: "The document is locked with a password."
        case .wrongPassword: "The password does not open the document."
        case .passwordNotNeeded: "The document is not locked, but a password was given for it."
        case .notWritten(let why):
            why.isEmpty
                ? "LibreOffice could not write the result."
                : "LibreOffice could not write the result: \(why)."
        case .timedOut: "The document took too long."
        case .tooMuch(let what): "The document needs \(what)."
        case .cancelled(let reason): "Cancelled: \(reason)."
        case .machine(let why): "LibreOffice does not start here: \(why)."
        case .tooLittleMemory(let sentence): sentence
        case .lost(let what): "LibreOffice crashed over the document: \(what)."
        case .busy: "Too many documents are waiting."
        }
    }
}
