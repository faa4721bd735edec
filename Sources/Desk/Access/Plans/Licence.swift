internal import Bytes
public import Crypto
public import Storage
public import Work

/// An operator's signed word that somebody has a plan. Checked without asking anybody.
///
/// The text is `QUIRE-LICENCE.terms.signature`, both parts base64url; the terms are JSON, and the Ed25519
/// signature is over `quire licence` + newline + terms, so that it can never be one made for something else.
public struct Licence: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Bought once, for this version of the plan.
        case once
        case subscription, trial, lifetime
    }

    public var id: String
    public var plan: String
    public var kind: Kind
    public var holder: String
    /// How many members it is for; nil when the plan alone says.
    public var seats: Int?
    public var startsAt: Moment
    /// Nil when it never ends.
    public var endsAt: Moment?
    /// After its end it still counts so long, for payments that are late.
    public var graceDays: Int

    public init(
        id: String, plan: String, kind: Kind, holder: String, seats: Int? = nil, startsAt: Moment,
        endsAt: Moment? = nil, graceDays: Int = 0
    ) {
        self.id = id
        self.plan = plan
        self.kind = kind
        self.holder = holder
        self.seats = seats
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.graceDays = graceDays
    }

    /// Reads a licence somebody pasted; spaces and line breaks do not matter.
    public init(_ text: String, signedBy key: PublicKey) throws(Failure) {
        let kept = String(text.prefix(8192).filter { !$0.isWhitespace })
        let parts = kept.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.mark, let terms = Base64.urlDecode(String(parts[1])),
            let signature = Base64.urlDecode(String(parts[2]))
        else {
            throw Failure(
                .invalid, "This is no licence. Copy the whole text, from \(Self.mark) to its end.",
                field: "licence")
        }
        guard key.verify(signature, of: Self.signed(terms)) else {
            throw Failure(
                .invalid, "This licence was changed or is for another Quire. Ask its seller for it again.",
                field: "licence")
        }
        guard let licence = Self(terms: terms) else {
            throw Failure(
                .unsupported, "This licence is for a newer Quire. Install that first.", field: "licence")
        }
        self = licence
    }

    /// For the operator: the text to hand out.
    public func text(signedWith key: PrivateKey) throws(CryptoError) -> String {
        let terms = json.bytes
        let signature = try key.sign(Self.signed(terms))
        return "\(Self.mark).\(Base64.urlEncode(terms)).\(Base64.urlEncode(signature))"
    }

    public func counts(at now: Moment) -> Bool {
        guard now >= startsAt else { return false }
        return endsAt.map { now < $0 + .days(graceDays) } ?? true
    }

    private static let mark = "QUIRE-LICENCE"

    private static func signed(_ terms: [UInt8]) -> [UInt8] { Array("quire licence\n".utf8) + terms }

    private var json: JSON {
        [
            "id": .string(id), "plan": .string(plan), "kind": .string(kind.rawValue),
            "holder": .string(holder),
            "seats": .optional(seats), "startsAt": .string(startsAt.iso8601),
            "endsAt": .optional(endsAt?.iso8601), "graceDays": .int(graceDays),
        ]
    }

    private init?(terms: [UInt8]) {
        guard let json = try? JSON(parsing: terms, maximumDepth: 4), let id = json["id"]?.string, !id.isEmpty,
            let plan = json["plan"]?.string, let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)),
            let holder = json["holder"]?.string,
            let startsAt = json["startsAt"]?.string.flatMap(Moment.init(iso8601:)),
            let grace = json["graceDays"]?.int, (0...3660).contains(grace), let seats = json["seats"],
            let endsAt = json["endsAt"]
        else { return nil }
        self.init(
            id: id, plan: plan, kind: kind, holder: holder, startsAt: startsAt, graceDays: grace)
        // Present but of a form we do not know must never read as "without end" or "any number".
        if !seats.isNull {
            guard let count = seats.int, count > 0 else { return nil }
            self.seats = count
        }
        if !endsAt.isNull {
            guard let end = endsAt.string.flatMap(Moment.init(iso8601:)) else { return nil }
            self.endsAt = end
        }
    }
}
