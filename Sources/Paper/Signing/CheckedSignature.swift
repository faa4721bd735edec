public import Crypto

/// A signature on a paper: who, when, whether it holds, and what became of the paper since.
public struct CheckedSignature: Sendable {
    public enum Kind: Sendable, Equatable {
        /// Somebody agrees to what the paper says.
        case approval
        /// Its author says what may still be done to it.
        case certification(Allowance)
        /// Nobody signed: it says when the paper was there.
        case timeStamp

        public var name: String {
            switch self {
            case .approval: "signature"
            case .certification: "certification"
            case .timeStamp: "time-stamp"
            }
        }
    }

    /// What may be done to a paper afterwards (ISO 32000-2 §12.8.2.2).
    public enum Allowance: Int, Sendable, CaseIterable {
        case nothing = 1
        case filling, notes

        public var name: String {
            switch self {
            case .nothing: "none"
            case .filling: "filling"
            case .notes: "notes"
            }
        }

        func allows(_ kind: LaterChange.Kind) -> Bool {
            switch self {
            case .nothing: kind <= .proofs
            case .filling: kind <= .filled
            case .notes: kind <= .notes
            }
        }
    }

    /// What it says of itself; nothing of it is proven.
    public struct Claim: Sendable, Equatable {
        public var name = ""
        public var reason = ""
        public var place = ""
        public var contact = ""
        /// Seconds since 1970.
        public var time: Int64?
    }

    public struct Stamp: Sendable {
        public var time: Int64
        public var authority: String
        public var isTrusted: Bool
    }

    public enum Verdict: String, Sendable, CaseIterable {
        case good
        /// It holds as far as can be said; something cannot be said.
        case uncertain
        case bad
    }

    /// The whole name of its field.
    public var field: String
    public var kind: Kind
    /// `ETSI.CAdES.detached`
    public var method: String
    public var claim: Claim
    public var certificate: X509Certificate?
    public var trust: TrustAnchors.Judgement?
    public var stamp: Stamp?
    public var revocation = Revocation.unknown
    /// How many bytes of the file it is over, its own not counted out; nil when it says nonsense.
    public var coveredByteCount: Int?
    public var coversWholeFile = false
    /// Whether the digest and the signature over it are right; nil when that could not be found out.
    public var isIntact: Bool?
    public var allows: Allowance
    public var laterChanges: [LaterChange] = []
    public var findings: [SignatureFinding] = []

    public var verdict: Verdict {
        switch findings.map(\.weight).max() {
        case .fault: .bad
        case .doubt: .uncertain
        default: .good
        }
    }

    /// Whom it is shown to be of: by the certificate, never by what it says of itself.
    public var signer: String? { certificate?.name }

    /// When, as far as can be said: by a stamp that is trusted, else by the signer's clock.
    public var time: Int64? {
        if let stamp, stamp.isTrusted { return stamp.time }
        return claim.time ?? stamp?.time
    }

    /// The weightiest kind of change since.
    public var heaviestChange: LaterChange.Kind? { laterChanges.map(\.kind).max() }

    mutating func add(_ finding: SignatureFinding) {
        if !findings.contains(finding) { findings.append(finding) }
    }
}
