import Access
import SQL
public import Storage
public import Work

/// Which papers, as programs ask that have no search box: each condition that is set holds for all of them.
public struct Selection: Sendable, Equatable {
    /// As they are typed into the search box.
    public var words = ""
    /// The name holds this, or begins with it, as it is written but for capitals.
    public var nameHolds: String?
    public var nameBegins: String?
    public var ids: [ID<Document>]?
    /// By name: all of them, at least one of them, none of them.
    public var allTags: [String] = []
    public var anyTag: [String]?
    public var noTags: [String] = []
    public var isTagged: Bool?
    /// By name.
    public var anyPerson: [String]?
    public var hasPerson: Bool?
    public var anyFolder: [ID<Folder>]?
    public var hasFolder: Bool?
    /// What stands in a text field: one of these.
    public var values: [(field: String, any: [String])] = []
    public var hasValue: [(field: String, has: Bool)] = []
    /// Days as 2026-11-21, both included.
    public var dayFrom: String?
    public var dayTo: String?
    public var addedFrom: Moment?
    public var addedBefore: Moment?
    public var changedFrom: Moment?
    public var changedBefore: Moment?
    public var mediaType: String?

    public init() {}

    public static func == (a: Selection, b: Selection) -> Bool { "\(a)" == "\(b)" }

    /// Only these, of those that were wanted before.
    public mutating func narrow(to some: [ID<Document>]) {
        guard let before = ids else {
            ids = some
            return
        }
        let allowed = Set(some)
        ids = before.filter(allowed.contains)
    }

    var conditions: [Query] {
        var conditions: [Query] = []
        if let nameHolds { conditions.append(.holds(FileName.search(nameHolds), in: "name_search")) }
        if let nameBegins { conditions.append(.begins(with: FileName.search(nameBegins), in: "name_search")) }
        if let ids { conditions.append(.column("document.id", in: ids)) }
        for tag in allTags { conditions.append(Self.wears([tag])) }
        if let anyTag { conditions.append(Self.wears(anyTag)) }
        if !noTags.isEmpty { conditions.append("NOT " + Self.wears(noTags)) }
        if let isTagged { conditions.append(isTagged ? "tag_names <> ''" : "tag_names = ''") }
        if let anyPerson {
            conditions.append(
                "document.id IN (SELECT document FROM document_person WHERE \(Query.column("folded", in: anyPerson.map(Tag.folded))))"
            )
        }
        if let hasPerson { conditions.append(hasPerson ? "people_names <> ''" : "people_names = ''") }
        if let anyFolder { conditions.append(.column("folder", in: anyFolder)) }
        if let hasFolder { conditions.append(hasFolder ? "folder IS NOT NULL" : "folder IS NULL") }
        for value in values {
            let orders = value.any.map { Words.folded($0) }
            conditions.append(
                "document.id IN (\(Self.written(in: value.field)) AND \(Query.column("value_order", in: orders)))"
            )
        }
        for value in hasValue {
            let isThere: Query = "document.id IN (\(Self.written(in: value.field)))"
            conditions.append(value.has ? isThere : "NOT " + isThere)
        }
        if let dayFrom { conditions.append("dated >= \(dayFrom)") }
        if let dayTo { conditions.append("(dated <> '' AND dated <= \(dayTo))") }
        if let addedFrom { conditions.append("added_at >= \(addedFrom)") }
        if let addedBefore { conditions.append("added_at < \(addedBefore)") }
        if let changedFrom { conditions.append("changed_at >= \(changedFrom)") }
        if let changedBefore { conditions.append("changed_at < \(changedBefore)") }
        if let mediaType { conditions.append("media_type = \(mediaType)") }
        return conditions
    }

    private static func wears(_ tags: [String]) -> Query {
        """
        document.id IN (SELECT document_tag.document FROM document_tag JOIN tag ON tag.id = document_tag.tag
            WHERE \(Query.column("tag.folded", in: tags.map(Tag.folded))))
        """
    }

    private static func written(in field: String) -> Query {
        """
        SELECT document_value.document FROM document_value JOIN paper_field ON paper_field.id = document_value.field
        WHERE paper_field.folded = \(Tag.folded(field))
        """
    }
}
