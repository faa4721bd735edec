internal import Bytes
public import Crypto
public import Storage

/// The plans of whoever runs Quire for others, read from a file of theirs. People who host Quire for themselves
/// have none, and everything is unlocked.
///
///     {
///       "licenceKey": "Ed25519 public key, base64url",
///       "plans": [
///         {"id": "free", "name": "Free", "limits": {"templates": 3, "recipients": 50}},
///         {"id": "studio", "name": "Studio", "price": "4 € a month", "note": "Free for the first two weeks."}
///       ],
///       "buy": "https://example.org/quire"
///     }
///
/// The first plan is what one has without a licence; later ones are worth more.
public struct PlanBook: Sendable, Equatable {
    public let plans: [Plan]
    /// Licences are signed with the private half, which never comes here.
    public let licenceKey: PublicKey?
    /// Where a plan is bought; nil where none is sold.
    public let shop: String?

    public static let selfHosted = PlanBook(plans: [], licenceKey: nil)

    /// What "simulate Free" shows where there is no plan file.
    static let exampleFree = Plan(
        id: "free", name: "Free", limits: [.templates: 1, .recipients: 10, .retentionDays: 7, .members: 1])

    public init(plans: [Plan], licenceKey: PublicKey?, shop: String? = nil) {
        self.plans = plans
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
        var plans: [Plan] = []
        for entry in list {
            let plan = try Self.plan(entry)
            guard !plans.contains(where: { $0.id == plan.id }) else {
                throw Self.wrong("two plans have the id “\(plan.id)”")
            }
            plans.append(plan)
        }
        self.plans = plans
        if let text = json["licenceKey"] {
            guard let bytes = text.string.flatMap(Base64.urlDecode), let key = try? PublicKey(ed25519: bytes)
            else {
                throw Self.wrong("“licenceKey” is no Ed25519 key in base64url")
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

    private static func plan(_ json: JSON) throws(Failure) -> Plan {
        guard let id = json["id"]?.string, !id.isEmpty, let name = json["name"]?.string, !name.isEmpty else {
            throw wrong("every plan has an “id” and a “name”")
        }
        var limits: [Limit: Int] = [:]
        if let listed = json["limits"] {
            guard let object = listed.object else { throw wrong("“limits” of “\(id)” is no object") }
            for member in object {
                // A limit misspelt would silently be none.
                guard let limit = Limit(rawValue: member.key) else {
                    throw wrong("“\(id)” limits “\(member.key)”, which Quire does not know")
                }
                guard let count = member.value.int, count >= 0 else {
                    throw wrong("“\(member.key)” of “\(id)” is no whole number")
                }
                limits[limit] = count
            }
        }
        return Plan(
            id: id, name: name, limits: limits, price: json["price"]?.string ?? "",
            note: json["note"]?.string ?? "")
    }

    private static func wrong(_ what: String) -> Failure {
        Failure(.invalid, "The plan file cannot be used: \(what).")
    }
}
