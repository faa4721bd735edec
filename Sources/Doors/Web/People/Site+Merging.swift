import Access
import App
import Bytes
import Cards
import HTTP
import Markup
import People
import Storage

// Two who could be one: proposed, looked at, made one, or kept apart.

extension Site {
    static let mergeActions: [Action] = [
        Action(
            .get, "/contacts/matches", .member(.view),
            .init(
                "List contacts who could be one", description: "The likeliest first, each with the reasons.",
                tag: "People",
                parameters: [.init("limit", "How many at most", schema: Schema.integer(1, 500))],
                answers: [.ok("ContactMatches", "Nothing is joined by itself")])
        ) { visit in
            let limit = try visit.limit(otherwise: 50, most: 500)
            let found = try visit.quire.contacts.matches(limit: limit, by: visit.member())
            return try visit.show([
                "matches": .array(found.matches.map(\.json)), "total": .int(found.total),
            ]) {
                Pages.contactMatches(
                    visit.frame, found.matches.map { MatchLine($0, visit.texts) }, total: found.total)
            }
        },
        Action(
            .post, "/contacts/apart", .member(.edit),
            .init(
                "Say that two contacts are not the same", description: "They are not proposed again.",
                tag: "People",
                requestBody: [.init(.json, Schema.object([("first", Schema.id), ("second", Schema.id)]))],
                answers: [.init(.noContent, "They stay two")])
        ) { visit in
            let (first, second) = try two(try visit.input)
            try visit.quire.contacts.keepApart(first, second, by: visit.member())
            return visit.done([:], .noContent, next: "/contacts/matches", notice: "notice.contacts.apart")
        },
        Action(
            .get, "/contacts/merging", .member(.view),
            .init(
                "Look at what two contacts would be as one", tag: "People",
                parameters: [
                    .init("first", "Who stays", isRequired: true),
                    .init("second", "Who is made one with them", isRequired: true),
                ], answers: [.ok("ContactMerge", "Nothing is changed")])
        ) { visit in
            let query = visit.request.query
            guard let first = ID<Contact>(query["first"] ?? ""),
                let second = ID<Contact>(query["second"] ?? "")
            else {
                throw Failure(.invalid, "Say which two contacts.", field: "first")
            }
            let merge = try visit.quire.contacts.merge(of: first, and: second, by: visit.member())
            return try visit.show(merge.json) {
                Pages.merging(visit.frame, MergePage(merge, first: first.text, second: second.text))
            }
        },
        Action(
            .post, "/contacts/merges", .member(.edit),
            .init(
                "Make one contact of two",
                description:
                    "The first stays, with whatever the second says. `take` names for a field whose is right (`first`, `second`, of notes `both`); `without` names lines that do not come along. `POST /contacts/undoings` makes them two again.",
                tag: "People",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("first", Schema.id), ("second", Schema.id),
                                (
                                    "take",
                                    Schema.object(
                                        CardMerge.Field.allCases.map {
                                            ($0.rawValue, Schema.choice($0.sides.map(\.rawValue)))
                                        }, optional: Set(CardMerge.Field.allCases.map(\.rawValue)))
                                ), ("without", Schema.list(of: Schema.string)),
                            ], optional: ["take", "without"]))
                ], answers: [.ok("Contact", "The one they are now")])
        ) { visit in try mergeContacts(visit) },
    ]

    private static func two(_ input: Input) throws -> (ID<Contact>, ID<Contact>) {
        guard let first = ID<Contact>(try input.requiredText("first")),
            let second = ID<Contact>(try input.requiredText("second"))
        else {
            throw Failure(.notFound, "There is no such contact. It may have been removed.")
        }
        return (first, second)
    }

    private static func mergeContacts(_ visit: Visit) throws -> Response {
        let input = try visit.input
        let caller = try visit.member()
        let (first, second) = try two(input)
        var choices: [CardMerge.Field: CardMerge.Side] = [:]
        for (name, value) in try input.pairs("take:", object: "take") {
            guard let field = CardMerge.Field(rawValue: name), let side = CardMerge.Side(rawValue: value),
                field.sides.contains(side)
            else {
                throw Failure(.invalid, "“\(name)” cannot be taken from “\(value)”.", field: "take")
            }
            choices[field] = side
        }
        var without: Set<String>?
        if input.whole != nil {
            if input.has("without") { without = Set(try input.texts("without")) }
        } else {
            without = Set(try input.texts("known")).subtracting(try input.texts("keep"))
        }
        if visit.wantsPage, try input.flag("look") {
            var merge = try visit.quire.contacts.merge(of: first, and: second, by: caller)
            merge.choices = choices
            if let without { merge.without = without }
            return visit.page(
                Pages.merging(
                    visit.frameAt("/contacts/merging"),
                    MergePage(merge, first: first.text, second: second.text)))
        }
        let act = try visit.quire.contacts.merge(
            first, with: second, taking: choices, without: without, by: caller)
        return visit.done(
            try visit.contactJSON(first), next: "/contacts/\(first)", notice: "notice.contacts.merged",
            undo: .act(act, next: "/contacts/matches"))
    }
}

extension ContactMatch {
    fileprivate var json: JSON {
        [
            "first": first.briefly, "second": second.briefly,
            "reasons": .array(reasons.map { ["kind": .string($0.kind), "value": .string($0.value)] }),
        ]
    }
}

extension ContactMatch.Reason {
    var kind: String {
        switch self {
        case .email: "email"
        case .phone: "phone"
        case .nameAndOrganization: "nameAndOrganization"
        case .name: "name"
        }
    }

    var value: String {
        switch self {
        case .email(let value), .phone(let value): value
        case .nameAndOrganization, .name: ""
        }
    }
}

extension Contact {
    fileprivate var briefly: JSON {
        [
            "id": .string(id.text), "name": .string(name), "emails": .texts(emails),
            "organization": .string(organization),
        ]
    }
}

extension CardMerge {
    var json: JSON {
        [
            "differing": .array(
                differing.map { field in
                    [
                        "field": .string(field.rawValue),
                        "first": .string(field == .photo ? "" : said(field, by: .first)),
                        "second": .string(field == .photo ? "" : said(field, by: .second)),
                    ]
                }),
            "lines": .array(
                lines.map {
                    [
                        "key": .string($0.key), "kind": .string($0.line.kind.rawValue),
                        "text": .string($0.line.text), "isKept": .bool(!without.contains($0.key)),
                    ]
                }),
            "card": .object(merged.json),
        ]
    }
}
