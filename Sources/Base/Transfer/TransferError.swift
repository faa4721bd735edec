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

    /// What kind of trouble it was, without a word that the other side wrote, be it the name of a machine it leads to.
    /// Whoever may name an address is told what became of it, and is not to read by that what the machines of the desk's
    /// own network say.
    public var kind: String {
        switch self {
        case .answer(let status, let words):
            if let code = S3Client.knownCode(in: words) {
                "The answer was \(status) (\(code))"
            } else {
                "The answer was \(status)"
            }
        case .malformedAnswer: "The answer makes no sense"
        case .invalidAddress: "That is not a web address"
        case .redirectRefused(_, let why): "The address was forwarded to one that is refused: \(why)"
        case .forbiddenAddress:
            "It may not be reached from here: it leads to a machine that is not open to everybody"
        case .nameNotFound: "There is no machine of that name"
        case .unreachable: "It does not answer"
        case .timedOut: "It took too long"
        case .broken: "The connection broke"
        // Behind this stands a reason out of a list of OpenSSL's; elsewhere curl quotes the certificate.
        case .certificate(_, let why):
            why.hasPrefix("SSL certificate problem: ")
                ? "It could not prove who it is: \(why)" : "It could not prove who it is"
        case .invalidRequest, .cancelled, .tooLarge, .tooManyRedirects, .local: description
        }
    }
}
