public import Library
public import People
public import SigningKeys
public import Storage

/// What a person decides about a batch before anything is made: for whom, from what, called how.
///
/// Its JSON is what the API takes and gives.
public struct BatchDraft: Sendable, Equatable {
    public var name: String
    /// The list of recipients, and which of them: a saved audience, or all.
    public var list: String?
    public var audience: String?
    /// Who of these is ticked; nil for everybody.
    public var people: RecipientChoice?
    /// In the order they follow each other in the packet.
    public var parts: [PacketPart]
    /// A pattern for the names of the packets, as `{Template}_{Full name}_{id}`; see Mappings.
    public var naming: String
    public var options: BatchOptions

    public init(
        name: String, list: String? = nil, audience: String? = nil, people: RecipientChoice? = nil,
        parts: [PacketPart] = [], naming: String = BatchDraft.usualNaming,
        options: BatchOptions = BatchOptions()
    ) {
        self.name = name
        self.list = list
        self.audience = audience
        self.people = people
        self.parts = parts
        self.naming = naming
        self.options = options
    }

    public var whom: RowSource.Whom? {
        list.map { RowSource.Whom($0, audience: audience, choice: people) }
    }

    /// Another list has other people, and so has another group.
    public mutating func choose(list: String?) {
        guard list != self.list else { return }
        self.list = list
        choose(audience: nil)
        people = nil
    }

    public mutating func choose(audience: String?) {
        guard audience != self.audience else { return }
        self.audience = audience
        people = nil
    }

    public static let usualNaming = "{Template}_{Full name}_{id}"
}

/// One of the papers a packet is put together from.
public struct PacketPart: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
        /// A form, filled for each recipient. Without a mapping, confident suggestions are used.
        case template(ID<Template>, mapping: ID<SavedMapping>?)
        /// The same paper of the library for everybody.
        case document(ID<Document>)
        /// A paper of the library for each recipient, found by its name: `Certificate {id}.pdf`.
        case attachment(pattern: String)
    }

    public var content: Content
    /// A formula; the part is left out where it says no. Empty: always there.
    public var condition: String

    public init(_ content: Content, condition: String = "") {
        self.content = content
        self.condition = condition
    }
}

public struct BatchOptions: Sendable, Equatable {
    /// What happens to text that is too long for its place even at the smallest size.
    public enum Overflow: String, Sendable, CaseIterable {
        /// It is set smaller, and what still does not fit is a problem.
        case shrink
        /// It goes on a page of its own behind the form: "see attachment, item 7".
        case continuation
    }

    /// What stands at the foot of each page; at least one of the two.
    public struct Numbering: Sendable, Equatable {
        /// A number that runs through all packets of the batch, `ACME-000001`.
        public struct Bates: Sendable, Equatable {
            public var prefix: String
            public var first: Int
            public var digits: Int

            public init(prefix: String, first: Int = 1, digits: Int = 6) {
                self.prefix = prefix
                self.first = first
                self.digits = digits
            }
        }

        /// `{page}` and `{pages}` count within the packet.
        public private(set) var pattern: String?
        public private(set) var bates: Bates?

        /// Nil when there is nothing to print.
        public init?(pattern: String?, bates: Bates? = nil) {
            let pattern = pattern.flatMap { $0.isEmpty ? nil : $0 }
            guard pattern != nil || bates != nil else { return nil }
            self.pattern = pattern
            self.bates = bates
        }
    }

    public struct Metadata: Sendable, Equatable {
        /// Formulas; empty leaves what the template says.
        public var title = ""
        public var author = ""
        public var subject = ""
        public var keywords = ""
        public init() {}
    }

    /// Fields become part of the page.
    public var flattens = false
    /// A formula that gives each recipient's password for opening; empty for none.
    public var password = ""
    public var numbering: Numbering?
    /// Each part begins on the front of a sheet.
    public var duplex = false
    public var metadata = Metadata()
    public var overflow = Overflow.shrink
    /// Somebody else than who planned it has to approve.
    public var needsSecondMember = false
    /// Packets with a serious problem are made all the same; otherwise they are held back and said so.
    public var makesDespiteProblems = false
    /// Leaves out recipients whose packet would be what they got from the batch this one is a copy of.
    public var onlyChanged = false
    /// Reads each finished document again, independently, before it counts as made.
    public var proves = true
    /// In whose name each packet is signed with a certificate; nil for none.
    public var signer: ID<KeptIdentity>?
    /// The address of a time stamp authority that attests when each packet was signed.
    public var timestamp: String?
    /// Those who vouch for the signer are asked, and what they say is put into each packet.
    public var asksForProofs = false
    /// How numbers and dates are written: `en-US`, `de-DE`, …
    public var locale = ""

    public init() {}

    func witnesses() throws(Failure) -> Identities.Witnesses {
        try Identities.Witnesses(timestamp: timestamp, proofs: asksForProofs)
    }

    /// Where nobody signs, nobody attests anything.
    public mutating func leaveUnsigned() {
        signer = nil
        timestamp = nil
        asksForProofs = false
    }
}
