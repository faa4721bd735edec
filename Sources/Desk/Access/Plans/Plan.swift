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

/// What a plan can leave out. Under every plan papers are looked at, found, tried out, taken out and thrown away: nobody's
/// own papers are held back.
public enum PlanTool: String, Sendable, CaseIterable {
    case save, share, edit, convert, sync, folders

    /// How sentences about it begin.
    var title: String {
        switch self {
        case .save: "Keeping new papers"
        case .share: "Links and mail to others"
        case .edit: "Changing papers"
        case .convert: "Converting papers"
        case .sync: "Syncing with other places"
        case .folders: "Making folders"
        }
    }
}

/// What an operator sells or gives away. A limit that is not named does not exist.
public struct Plan: Sendable, Equatable {
    public let id: String
    public let name: String
    public internal(set) var limits: [Limit: Int]
    public internal(set) var without: Set<PlanTool>
    /// In the operator's own words: what it costs, and what else is to be said.
    public let price: String
    public let note: String
    /// For how many days a desk may try it, once and without a licence; nil where it may not.
    public let trialDays: Int?

    public init(
        id: String, name: String, limits: [Limit: Int] = [:], without: Set<PlanTool> = [],
        price: String = "", note: String = "", trialDays: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.limits = limits
        self.without = without
        self.price = price
        self.note = note
        self.trialDays = trialDays
    }

    func allows(_ count: Int, of limit: Limit) -> Bool {
        limits[limit].map { count <= $0 } ?? true
    }

    func with(_ addOn: PlanAddOn) -> Plan {
        var plan = self
        plan.without.subtract(addOn.tools)
        for (limit, count) in addOn.limits { plan.limits[limit] = plan.limits[limit].map { max($0, count) } }
        return plan
    }
}

/// What is bought beside a plan and widens whichever counts.
public struct PlanAddOn: Sendable, Equatable {
    public let id: String
    public let name: String
    public let tools: Set<PlanTool>
    /// Up to how many there may be with it, where the plan alone allows fewer.
    public let limits: [Limit: Int]
    public let price: String
    public let note: String

    public init(
        id: String, name: String, tools: Set<PlanTool> = [], limits: [Limit: Int] = [:], price: String = "",
        note: String = ""
    ) {
        self.id = id
        self.name = name
        self.tools = tools
        self.limits = limits
        self.price = price
        self.note = note
    }
}
