/// What a plan can limit.
public enum Limit: String, Sendable, CaseIterable {
    case templates
    /// In one batch.
    case recipients
    /// How many days finished packets are kept.
    case retentionDays
    case members

    func counted(_ count: Int) -> String {
        let one = count == 1
        return switch self {
        case .templates: one ? "1 template" : "\(count) templates"
        case .recipients: one ? "1 recipient in a batch" : "\(count) recipients in a batch"
        case .retentionDays: one ? "1 day of keeping" : "\(count) days of keeping"
        case .members: one ? "1 member" : "\(count) members"
        }
    }

    var plural: String {
        switch self {
        case .templates: "templates"
        case .recipients: "recipients in a batch"
        case .retentionDays: "days of keeping"
        case .members: "members"
        }
    }
}

/// What an operator sells or gives away. A limit that is not named does not exist.
public struct Plan: Sendable, Equatable {
    public let id: String
    public let name: String
    public let limits: [Limit: Int]

    public init(id: String, name: String, limits: [Limit: Int] = [:]) {
        self.id = id
        self.name = name
        self.limits = limits
    }

    func allows(_ count: Int, of limit: Limit) -> Bool {
        limits[limit].map { count <= $0 } ?? true
    }
}
