import Bytes

/// Whole plan files to begin with, each another way in which programs are sold. Names, prices and addresses are the
/// operator's to change.
enum PlanExample: String, Sendable, CaseIterable {
    /// Look and try for nothing, all of it after paying once.
    case once
    /// The whole program, and one thing to be had beside it.
    case addOn = "add-on"
    case subscription
    case lifetime
    /// For so many members of a team.
    case seats

    /// The file; `licenceKey` is what licences are checked with.
    func file(licenceKey: String) -> JSON {
        var members: [(String, JSON)] = [("licenceKey", .string(licenceKey)), ("plans", .array(plans))]
        if case .addOn = self {
            members.append(
                (
                    "addOns",
                    [
                        [
                            "id": "sync", "name": "Everywhere", "with": ["sync"], "price": "9 € once",
                            "note": "Keeps the desk in step with your other places.",
                        ]
                    ]
                ))
        }
        members.append(("buy", "https://example.org/quire"))
        return .object(JSONObject(members))
    }

    private var plans: [JSON] {
        switch self {
        case .once:
            [
                Self.free,
                ["id": "full", "name": "Full", "price": "29 € once", "note": "Paid once, nothing runs on."],
            ]
        case .addOn:
            [
                Self.free,
                [
                    "id": "full", "name": "Full", "without": ["sync"], "price": "19 € once",
                    "note": "All but keeping in step, which can be had beside it.",
                ],
            ]
        case .subscription:
            [
                Self.free,
                [
                    "id": "studio", "name": "Studio", "price": "4 € a month", "trialDays": 14,
                    "note": "Can be ended any month; what you made stays yours.",
                ],
            ]
        case .lifetime:
            [
                Self.free,
                ["id": "studio", "name": "Studio", "price": "4 € a month", "trialDays": 14],
                [
                    "id": "lifetime", "name": "For good", "price": "99 € once",
                    "note": "With all that is still to come.",
                ],
            ]
        case .seats:
            [
                Self.free,
                [
                    "id": "team", "name": "Team", "price": "3 € a month for each member", "trialDays": 30,
                    "note": "For as many members as the licence says.",
                ],
            ]
        }
    }

    /// One form, ten people at once, a week of memory; papers are looked at, tried out and scanned, not kept.
    private static let free: JSON = [
        "id": "free", "name": "Free",
        "limits": ["templates": 1, "recipients": 10, "retentionDays": 7, "members": 1],
        "without": ["save", "share", "edit", "convert", "sync", "folders"],
    ]
}
