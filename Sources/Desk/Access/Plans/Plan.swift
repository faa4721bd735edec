/// What a plan can limit.
public enum Limit: String, Sendable, CaseIterable {
    case templates
    /// In one batch.
    case recipients
    /// How many days finished packets are kept.
    case retentionDays
    case members

    /// How sentences about it begin: no number stands beside it, so it is the same for one and for many.
    var title: String {
        switch self {
        case .templates: "Forms on the desk"
        case .recipients: "People on a list or in a send-out"
        case .retentionDays: "Days that what was sent is remembered"
        case .members: "Members of the team"
        }
    }
}

/// What an operator sells or gives away. A limit that is not named does not exist.
public struct Plan: Sendable, Equatable {
    public let id: String
    public let name: String
    public let limits: [Limit: Int]
    /// In the operator's own words: what it costs, and what else is to be said, a time to try it among that.
    public let price: String
    public let note: String

    public init(
        id: String, name: String, limits: [Limit: Int] = [:], price: String = "", note: String = ""
    ) {
        self.id = id
        self.name = name
        self.limits = limits
        self.price = price
        self.note = note
    }

    func allows(_ count: Int, of limit: Limit) -> Bool {
        limits[limit].map { count <= $0 } ?? true
    }
}
