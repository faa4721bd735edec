public import Bytes
public import Filling
public import Storage

/// Something to know before letters go out.
public struct SendingProblem: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        // What keeps one letter from going out.
        case noAddress, badAddress, suppressed, sentAlready, notMade, tooLarge, noPassword
        // What may well be meant so.
        case duplicateAddress, heldBack, emptyToken, unknownToken, badValue
        // What keeps all of them.
        case badFormula, noSubject, noAccount, noOrigin, notFilled, underWay, example

        /// Keeps this letter, or all of them, from going out.
        public var stops: Bool {
            switch self {
            case .duplicateAddress, .heldBack, .emptyToken, .unknownToken, .badValue: false
            default: true
            }
        }

        public var stopsAll: Bool {
            switch self {
            case .badFormula, .noSubject, .noAccount, .noOrigin, .notFilled, .underWay, .example: true
            default: false
            }
        }
    }

    public var kind: Kind
    public var packet: ID<Packet>?
    /// Of the person.
    public var name: String
    /// A whole sentence.
    public var message: String
    /// The name in the letter it is about, in its braces.
    public var token: String?
    public var stops: Bool { kind.stops }

    init(_ kind: Kind, _ packet: Packet? = nil, _ message: String, token: String? = nil) {
        self.kind = kind
        self.packet = packet?.id
        name = packet?.name ?? ""
        self.message = message
        self.token = token
    }

    public var json: JSON {
        [
            "kind": .string(kind.rawValue), "packet": .optional(packet?.text), "name": .string(name),
            "message": .string(message), "stops": .bool(stops),
        ]
    }
}
