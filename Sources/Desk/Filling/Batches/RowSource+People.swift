import Access
public import People
import Storage
import Tables

extension RowSource {
    /// The lists of the desk. Whoever plans a batch has been asked for his rights already; reading the list is then
    /// the desk's own doing.
    public init(_ recipients: Recipients) {
        self.init(
            list: { whom in
                let list = try recipients.get(Self.id(whom.list), by: .local)
                guard !list.isTrashed else {
                    throw Failure(.conflict, "The list “\(list.name)” lies in the trash.", field: "list")
                }
                let filter = try Self.filter(whom, of: list, recipients)
                return List(
                    name: list.name,
                    columns: list.columns.map { column in
                        Column(name: column.name, kind: column.kind, role: column.role.map(Self.meaning))
                    }, count: try recipients.count(list.id, filter, by: .local)
                )
            },
            changedAt: { id in try recipients.get(Self.id(id), by: .local).changedAt },
            each: { whom, body in
                let list = try recipients.get(Self.id(whom.list), by: .local)
                let names = Self.sources(of: list)
                let filter = try Self.filter(whom, of: list, recipients)
                try recipients.each(list.id, filter, by: .local) { try body(PacketRow($0, names)) }
            },
            some: { whom, offset, limit in
                let list = try recipients.get(Self.id(whom.list), by: .local)
                let names = Self.sources(of: list)
                let filter = try Self.filter(whom, of: list, recipients)
                return try recipients.page(
                    list.id, .init(filter, offset: offset, limit: limit), by: .local
                ).recipients.map { PacketRow($0, names) }
            },
            current: { id, wanted in
                let list = try recipients.get(Self.id(id), by: .local)
                let names = Self.sources(of: list)
                return try recipients.recipients(
                    wanted.compactMap { ID<Recipient>($0) }, of: list.id, by: .local
                ).map { PacketRow($0, names) }
            })
    }

    /// What the files and hands are called that rows came from.
    private static func sources(of list: RecipientList) -> [Int: String] {
        Dictionary(list.sources.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    private static func id(_ text: String) throws -> ID<RecipientList> {
        guard let id = ID<RecipientList>(text) else {
            throw Failure(.notFound, "There is no such list of recipients. Choose another.", field: "list")
        }
        return id
    }

    private static func filter(
        _ whom: Whom, of list: RecipientList, _ recipients: Recipients
    ) throws -> RecipientFilter {
        var filter = RecipientFilter.all
        if let audience = whom.audience { filter = try Self.filter(audience, of: list, recipients) }
        filter.choice = whom.choice
        return filter
    }

    private static func filter(
        _ audience: String, of list: RecipientList, _ recipients: Recipients
    ) throws -> RecipientFilter {
        guard let id = ID<Audience>(audience) else {
            throw Failure(.notFound, "There is no such audience. Choose another.", field: "audience")
        }
        let found = try recipients.audience(id, by: .local)
        guard found.list == list.id else {
            throw Failure(.conflict, "This audience belongs to another list.", field: "audience")
        }
        return found.filter
    }

    /// What formulas call a column that has this role.
    private static func meaning(_ role: ColumnRole) -> String {
        switch role {
        case .name: "fullName"
        default: role.rawValue
        }
    }
}

extension PacketRow {
    fileprivate init(_ recipient: Recipient, _ sources: [Int: String]) {
        self.init(
            recipient: recipient.id.text, name: recipient.name, email: recipient.email,
            source: sources[recipient.source] ?? "", place: recipient.place, cells: recipient.cells)
    }
}
