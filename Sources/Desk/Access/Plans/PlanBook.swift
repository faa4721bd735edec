internal import Bytes
public import Crypto
public import Storage

/// The plans of whoever runs Quire for others, read from a file of theirs. People who host Quire
/// for themselves have none, and everything is unlocked.
///
/// The first plan is what one has without a licence; later ones are worth more. Add-ons widen whichever counts.
public struct PlanBook: Sendable, Equatable {
    public let plans: [Plan]
    public let addOns: [PlanAddOn]
    /// Licences are signed with the private half, which never comes here.
    public let licenceKey: PublicKey?
    /// Where a plan is bought; nil where none is sold.
    public let shop: String?

    public static let selfHosted = PlanBook(plans: [], licenceKey: nil)

    /// What "simulate Free" shows where there is no plan file: look, try and fill a little.
    static let exampleFree = Plan(
        id: "free", name: "Free", limits: [.templates: 1, .recipients: 10, .retentionDays: 7, .members: 1],
        without: Set(PlanTool.allCases))

    public init(plans: [Plan], addOns: [PlanAddOn] = [], licenceKey: PublicKey?, shop: String? = nil) {
        self.plans = plans
        self.addOns = addOns
        self.licenceKey = licenceKey
        self.shop = shop
    }

    public init(file bytes: [UInt8]) throws(Failure) {
        let json: JSON
        do {
            json = try JSON(parsing: bytes, maximumDepth: 6)
        } catch {
            throw Self.wrong("it is no JSON: \(error)")
        }
        guard let list = json["plans"]?.array, !list.isEmpty else {
            throw Self.wrong("“plans” is missing or empty")
        }
        try Self.check(json, knows: ["plans", "addOns", "licenceKey", "buy"], "the file")
        var ids: Set<String> = []
        func isNew(_ id: String) throws(Failure) {
            guard ids.insert(id).inserted else { throw Self.wrong("two plans have the id “\(id)”") }
        }
        var plans: [Plan] = []
        for entry in list {
            let plan = try Self.plan(entry)
            try isNew(plan.id)
            plans.append(plan)
        }
        self.plans = plans
        var addOns: [PlanAddOn] = []
        for entry in json["addOns"]?.array ?? [] {
            let addOn = try Self.addOn(entry)
            try isNew(addOn.id)
            addOns.append(addOn)
        }
        self.addOns = addOns
        if let text = json["licenceKey"] {
            guard let bytes = text.string.flatMap(Base64.urlDecode), let key = try? PublicKey(ed25519: bytes)
            else {
                throw Self.wrong(
                    "“licenceKey” is no Ed25519 key in base64url; “quire plans key” makes one")
            }
            licenceKey = key
        } else {
            licenceKey = nil
        }
        shop = json["buy"]?.string
        guard shop == nil || shop?.hasPrefix("https://") == true || shop?.hasPrefix("mailto:") == true else {
            throw Self.wrong("“buy” is no address that begins with https:// or mailto:")
        }
    }

    func rank(of id: String) -> Int? { plans.firstIndex { $0.id == id } }

    /// What a licence for `id` is for, in the operator's words; nil when nothing here is called so.
    public func name(of id: String) -> String? {
        plans.first { $0.id == id }?.name ?? addOns.first { $0.id == id }?.name
    }

    private static func plan(_ json: JSON) throws(Failure) -> Plan {
        let (id, name) = try names(json)
        try check(
            json, knows: ["id", "name", "limits", "without", "price", "note", "trialDays"], "“\(id)”")
        var trialDays: Int?
        if let given = json["trialDays"] {
            guard let days = given.int, (1...366).contains(days) else {
                throw wrong("“trialDays” of “\(id)” is no number of days from 1 to 366")
            }
            trialDays = days
        }
        return Plan(
            id: id, name: name, limits: try limits(json, of: id),
            without: try tools(json["without"], "without", of: id), price: json["price"]?.string ?? "",
            note: json["note"]?.string ?? "", trialDays: trialDays)
    }

    private static func addOn(_ json: JSON) throws(Failure) -> PlanAddOn {
        let (id, name) = try names(json)
        try check(json, knows: ["id", "name", "limits", "with", "price", "note"], "“\(id)”")
        return PlanAddOn(
            id: id, name: name, tools: try tools(json["with"], "with", of: id),
            limits: try limits(json, of: id), price: json["price"]?.string ?? "",
            note: json["note"]?.string ?? "")
    }

    private static func names(_ json: JSON) throws(Failure) -> (id: String, name: String) {
        guard let id = json["id"]?.string, !id.isEmpty, let name = json["name"]?.string, !name.isEmpty else {
            throw wrong("every plan has an “id” and a “name”")
        }
        return (id, name)
    }

    // What is misspelt would silently be unlimited.

    private static func check(_ json: JSON, knows keys: Set<String>, _ place: String) throws(Failure) {
        for member in json.object ?? [:] where !keys.contains(member.key) {
            throw wrong("“\(member.key)” in \(place) is nothing Quire knows")
        }
    }

    private static func limits(_ json: JSON, of id: String) throws(Failure) -> [Limit: Int] {
        guard let listed = json["limits"] else { return [:] }
        guard let object = listed.object else { throw wrong("“limits” of “\(id)” is no object") }
        var limits: [Limit: Int] = [:]
        for member in object {
            guard let limit = Limit(rawValue: member.key) else {
                throw wrong("“\(id)” limits “\(member.key)”, which Quire does not know")
            }
            guard let count = member.value.int, count >= 0 else {
                throw wrong("“\(member.key)” of “\(id)” is no whole number")
            }
            limits[limit] = count
        }
        return limits
    }

    private static func tools(_ json: JSON?, _ key: String, of id: String) throws(Failure) -> Set<PlanTool> {
        guard let json else { return [] }
        guard let list = json.array else { throw wrong("“\(key)” of “\(id)” is no list") }
        var tools: Set<PlanTool> = []
        for entry in list {
            guard let tool = entry.string.flatMap(PlanTool.init(rawValue:)) else {
                throw wrong(
                    "“\(key)” of “\(id)” names something else than \(PlanTool.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            tools.insert(tool)
        }
        return tools
    }

    private static func wrong(_ what: String) -> Failure {
        Failure(.invalid, "The plan file cannot be used: \(what).")
    }
}
