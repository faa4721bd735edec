public import Bytes
import PDFForms
import SQL
public import Storage
public import Work

/// One recipient's papers.
public struct Packet: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        case planned
        /// Not made because of a serious problem.
        case held
        /// Left out: the same as last time.
        case left
        case made
        /// Tried, and not made; `reason` says why.
        case failed
    }

    /// Compared with what the recipient got from the batch before.
    public enum Change: String, Sendable { case new, changed, same }

    public let id: ID<Packet>
    public let batch: ID<Batch>
    /// The number within the batch, from 1, in the list's order.
    public var place: Int
    /// The recipient on the list, by id. The list may have changed since.
    public var recipient: String
    public var name: String
    public var email: String
    /// Without the ending; folders divided by `/`.
    public var fileName: String
    public var state: State
    public var change: Change
    public var seriousCount: Int
    public var remarkCount: Int
    /// There is no address, or none one could write to, where the list has addresses.
    public var isUnreachable: Bool
    public var pageCount: Int
    /// Why it failed, or is held back.
    public var reason: String?
    /// SHA-256 of the finished file.
    public var digest: Digest?
    public var byteCount: Int64
    public var madeAt: Moment?
}

extension Packet {
    init(_ row: Row) throws {
        id = try row.id("id")
        batch = try row.id("batch")
        place = try row.int("place")
        recipient = try row.text("recipient")
        name = try row.text("recipient_name")
        email = try row.text("email")
        fileName = try row.text("file_name")
        state = try row.choice("state")
        change = try row.choice("change")
        seriousCount = try row.int("serious")
        remarkCount = try row.int("remarks")
        isUnreachable = try row.int("unreachable") != 0
        pageCount = try row.int("page_count")
        let reason = try row.text("reason")
        self.reason = reason.isEmpty ? nil : reason
        digest = Digest(try row.text("digest"))
        byteCount = try row.integer("byte_count")
        let made = try row.moment("made_at")
        madeAt = made.milliseconds == 0 ? nil : made
    }

    public var json: JSON {
        [
            "id": .string(id.text), "batch": .string(batch.text), "place": .int(place),
            "recipient": .string(recipient), "name": .string(name), "email": .string(email),
            "fileName": .string(fileName + ".pdf"), "state": .string(state.rawValue),
            "change": .string(change.rawValue), "seriousProblems": .int(seriousCount),
            "remarks": .int(remarkCount), "pages": .int(pageCount), "reason": .optional(reason),
            "digest": .optional(digest?.hex), "byteCount": .integer(byteCount),
            "madeAt": .optional(madeAt?.iso8601),
        ]
    }
}

/// Something about one packet that a person should know before it goes out.
public struct PacketProblem: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A required field, or one whose column is empty in this row where others have something.
        case missingValue
        case missingOptional
        /// A word of the list was taken as the only choice of the form that it can mean.
        case takenAs
        case doesNotFit, shrunk, tooLong, noGlyph, noSuchChoice, unknownField, notFillable, notKept
        case scriptNotRun, continued, notSeen, locked
        case ambiguous, notInPattern, outOfRange
        case noAddress, badAddress, duplicateAddress
        case duplicateName
        case formula
        case missingAttachment, unusableAttachment, noParts
        case notProven

        public var isSerious: Bool {
            switch self {
            case .missingOptional, .takenAs, .shrunk, .notKept, .scriptNotRun, .continued, .duplicateName,
                .noAddress,
                .badAddress, .duplicateAddress:
                false
            default: true
            }
        }
    }

    public var kind: Kind
    /// The part it is about, from 0; nil for the packet as a whole.
    public var part: Int?
    public var field: String?
    /// A whole sentence.
    public var message: String
    /// The word of the list that means none of the field's choices, or was taken as one.
    public var value: String?
    /// The choice it was taken as.
    public var meant: String?

    public var isSerious: Bool { kind.isSerious }

    public init(
        _ kind: Kind, part: Int? = nil, field: String? = nil, _ message: String, value: String? = nil,
        meant: String? = nil
    ) {
        self.kind = kind
        self.part = part
        self.field = field
        self.message = message
        self.value = value
        self.meant = meant
    }
}

extension PacketProblem {
    init(_ finding: Finding, part: Int? = nil) {
        self.init(
            Kind(finding.kind), part: part, field: finding.field, finding.message, value: finding.value)
    }

    public var json: JSON {
        [
            "kind": .string(kind.rawValue), "serious": .bool(isSerious), "part": .optional(part),
            "field": .optional(field), "message": .string(message), "value": .optional(value),
            "meant": .optional(meant),
        ]
    }

    init?(kept json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init), let message = json["message"]?.string else {
            return nil
        }
        self.init(
            kind, part: json["part"]?.int, field: json["field"]?.string, message,
            value: json["value"]?.string, meant: json["meant"]?.string)
    }
}

extension PacketProblem.Kind {
    init(_ finding: Finding.Kind) {
        self =
            switch finding {
            case .unknownField: .unknownField
            case .notFillable: .notFillable
            case .noSuchChoice: .noSuchChoice
            case .tooLong: .tooLong
            case .notShown: .noGlyph
            case .clipped: .doesNotFit
            case .shrunk: .shrunk
            case .notKept: .notKept
            case .scriptNotRun: .scriptNotRun
            case .continued: .continued
            case .ambiguous: .ambiguous
            case .notInPattern: .notInPattern
            case .outOfRange: .outOfRange
            case .notSeen: .notSeen
            case .locked: .locked
            case .notProven: .notProven
            }
    }
}
