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
        /// How many the audience has.
        public var count: Int
        public var changedAt: Moment?

        public init(name: String, columns: [Column], count: Int, changedAt: Moment? = nil) {
            self.name = name
            self.columns = columns
            self.count = count
            self.changedAt = changedAt
        }
    }

    /// The list, or a failure that says why it cannot be used.
    public var list: @Sendable (_ list: String, _ audience: String?) throws -> List
    /// All of them in the list's order, as they are at one moment. What is called for each may not write to the desk
    /// on the same thread.
    public var each:
        @Sendable (_ list: String, _ audience: String?, _ body: (PacketRow) throws -> Void) throws -> Void
    /// Some of them, from the `offset`-th on.
    public var some:
        @Sendable (_ list: String, _ audience: String?, _ offset: Int, _ limit: Int) throws -> [PacketRow]
    /// These recipients as they are now; those who have left the list are left out.
    public var current: @Sendable (_ list: String, _ recipients: [String]) throws -> [PacketRow]

    public init(
        list: @escaping @Sendable (_ list: String, _ audience: String?) throws -> List,
        each:
            @escaping @Sendable (
                _ list: String, _ audience: String?, _ body: (PacketRow) throws -> Void
            ) throws -> Void,
        some: (
            @Sendable (_ list: String, _ audience: String?, _ offset: Int, _ limit: Int) throws -> [PacketRow]
        )? = nil,
        current: @escaping @Sendable (_ list: String, _ recipients: [String]) throws -> [PacketRow]
    ) {
        self.list = list
        self.each = each
        self.some =
            some ?? { list, audience, offset, limit in
                try Self.walked(offset, limit) { try each(list, audience, $0) }
            }
        self.current = current
    }

    /// For lists that can only be walked through.
    private static func walked(
        _ offset: Int, _ limit: Int, _ each: ((PacketRow) throws -> Void) throws -> Void
    ) throws -> [PacketRow] {
        struct Enough: Error {}
        var rows: [PacketRow] = []
        var place = 0
        do {
            try each { row in
                if place >= offset { rows.append(row) }
                place += 1
                if rows.count == limit { throw Enough() }
            }
        } catch is Enough {}
        return rows
    }
}
