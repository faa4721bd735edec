/// Why something could not be sent or fetched. The text of each case is a sentence for a log or a person.
public enum TransferError: Error, Sendable, Equatable, CustomStringConvertible {
    case invalidAddress(String)
    case invalidRequest(String)
    case forbiddenAddress(host: String, address: String, why: String)
    case nameNotFound(host: String)
    case unreachable(host: String, why: String)
    case certificate(host: String, why: String)
    case timedOut(host: String)
    case cancelled
    case tooLarge(limit: Int64)
    case tooManyRedirects(limit: Int)
    case redirectRefused(to: String, why: String)
    case local(path: String, why: String)
    case answer(status: Int, words: String)
    case malformedAnswer(String)
    case broken(host: String, why: String)

    public var description: String {
        switch self {
        case .invalidAddress(let text): "\(text) is not a web address"
        case .invalidRequest(let why): "The request cannot be sent: \(why)"
        // Where an inner name leads is nobody's business who can only ask; whoever may know finds it in `address`.
        case .forbiddenAddress(let host, _, _):
            "\(host) may not be reached from here: it leads to a machine that is not open to everybody"
        case .nameNotFound(let host): "There is no machine called \(host)"
        case .unreachable(let host, let why): "\(host) does not answer: \(why)"
        case .certificate(let host, let why): "\(host) could not prove who it is: \(why)"
        case .timedOut(let host): "\(host) took too long"
        case .cancelled: "Cancelled"
        case .tooLarge(let limit): "The answer is larger than \(limit) bytes"
        case .tooManyRedirects(let limit): "The address was forwarded more than \(limit) times"
        case .redirectRefused(let to, let why): "The address was forwarded to \(to), which is refused: \(why)"
        case .local(let path, let why): "\(path): \(why)"
        case .answer(let status, let words):
            words.isEmpty ? "The answer was \(status)" : "The answer was \(status): \(words)"
        case .malformedAnswer(let why): "The answer makes no sense: \(why)"
        case .broken(let host, let why): "The connection to \(host) broke: \(why)"
        }
    }
}
