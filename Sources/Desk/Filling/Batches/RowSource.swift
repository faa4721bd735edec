public import People
public import Tables
public import Work

/// Where batches get their recipients from: the lists of the desk.
public struct RowSource: Sendable {
    public struct Column: Sendable, Equatable {
        public var name: String
        public var kind: Cell.Kind
        /// What it is for: `email`, `firstName`, `key`, …
        public var role: String?

        public init(name: String, kind: Cell.Kind, role: String? = nil) {
            self.name = name
            self.kind = kind
            self.role = role
        }
    }

    public struct List: Sendable, Equatable {
        public var name: String
        public var columns: [Column]
        /// How many of it are meant.
        public var count: Int

        public init(name: String, columns: [Column], count: Int) {
            self.name = name
            self.columns = columns
            self.count = count
        }
    }

    /// For whom: a list, a group of it, and who of them is ticked.
    public struct Whom: Sendable, Equatable {
        public var list: String
        public var audience: String?
        public var choice: RecipientChoice?

        public init(_ list: String, audience: String? = nil, choice: RecipientChoice? = nil) {
            self.list = list
            self.audience = audience
            self.choice = choice
        }
    }

    /// The list, or a failure that says why it cannot be used.
    public var list: @Sendable (_ whom: Whom) throws -> List
    /// When the list was last changed, where it is known.
    public var changedAt: @Sendable (_ list: String) throws -> Moment?
    /// All of them in the list's order, as they are at one moment. What is called for each may not write to the desk
    /// on the same thread.
    public var each: @Sendable (_ whom: Whom, _ body: (PacketRow) throws -> Void) throws -> Void
    /// Some of them, from the `offset`-th on.
    public var some: @Sendable (_ whom: Whom, _ offset: Int, _ limit: Int) throws -> [PacketRow]
    /// These recipients as they are now; those who have left the list are left out.
    public var current: @Sendable (_ list: String, _ recipients: [String]) throws -> [PacketRow]

    public init(
        list: @escaping @Sendable (_ whom: Whom) throws -> List,
        changedAt: @escaping @Sendable (_ list: String) throws -> Moment? = { _ in nil },
        each: @escaping @Sendable (_ whom: Whom, _ body: (PacketRow) throws -> Void) throws -> Void,
        some: @escaping @Sendable (_ whom: Whom, _ offset: Int, _ limit: Int) throws -> [PacketRow],
        current: @escaping @Sendable (_ list: String, _ recipients: [String]) throws -> [PacketRow]
    ) {
        self.list = list
        self.changedAt = changedAt
        self.each = each
        self.some = some
        self.current = current
    }
}
