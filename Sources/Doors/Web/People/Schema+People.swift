import Bytes
import Cards
import People
import Storage
import Tables

/// Lists of people, tables on their way into them, and what is matched with them.
extension Schema {
    private static let contactOddity = object([("line", whole), ("reason", string)])
    private static let contactLeftOut = object([("line", whole), ("name", string), ("reason", string)])

    private static let contactParts: [(String, JSON)] = CardPart.allCases.map {
        ($0.rawValue, $0 == .tags ? list(of: string) : string)
    }

    private static func contactLines(keyed: Bool) -> [(String, JSON)] {
        CardLine.Kind.allCases.map { kind in
            let type = kind.types.isEmpty ? string : choice([""] + kind.types)
            let fields: [(String, JSON)] =
                kind.partNames.map { ($0, string) } + [("type", type), ("label", string), ("key", string)]
            let optional: Set<String> = keyed ? [] : Set(fields.map(\.0)).subtracting(["value"])
            return (kind.listName, list(of: object(fields, optional: optional)))
        }
    }

    static let followUp: JSON = [
        "anyOf": [
            object(of(FollowUp.fields) + [("due", orNull(choice(Due.allCases.map(\.rawValue))))]),
            ["type": "null"],
        ]
    ]
    static let question = object(
        of(ContactQuestion.fields), optional: Set(ContactQuestion.fields.map(\.name)))
    private static let span = choice(FollowUp.Step.allCases.map(\.rawValue))
    static let followUpInput = object(
        of(FollowUp.fields) + [("in", span)], optional: ["on", "every", "note", "in"])
    static let followUpDay = object(
        [("on", ["type": "string", "format": "date"]), ("in", span)], optional: ["on", "in"])

    private static let contactBriefly = object([
        ("id", id), ("name", string), ("emails", Schema.list(of: string)), ("organization", string),
    ])

    /// Everything of a card that can be changed by hand.
    private static let contactCard = object(contactParts + contactLines(keyed: true))

    /// Whatever of a person is to be otherwise.
    static let contactInput = contactInput(with: [("version", string)])
    /// The card they begin with, and what is to be otherwise; the book on a server that they are to be in.
    static let newContactInput = contactInput(with: [("card", string), ("book", id)])

    private static func contactInput(with own: [(String, JSON)]) -> JSON {
        let fields = contactParts + contactLines(keyed: false) + own
        return object(fields, optional: Set(fields.map(\.0)))
    }

    static let people: [(String, JSON)] = [
        ("RecipientList", object(list)),
        ("NewRecipientList", with([("import", orNull(id))], list)),
        ("RecipientLists", object([("lists", Schema.list(of: ref("RecipientList")))])),
        (
            "Recipient",
            object([
                ("id", id), ("list", id), ("source", whole), ("place", whole), ("name", string),
                ("email", string), ("flaw", orNull(string)), ("text", orNull(string)),
                ("cells", Schema.list(of: object([("column", string)] + cell))),
            ])
        ),
        (
            "ContactPage",
            object([
                (
                    "contacts",
                    Schema.list(
                        of: object([
                            ("id", id), ("name", string), ("emails", Schema.list(of: string)),
                            ("organization", string), ("tags", Schema.list(of: string)),
                            ("followUp", followUp),
                        ]))
                ), ("total", whole),
            ])
        ),
        (
            "Contact",
            object([
                ("id", id), ("version", string), ("name", string), ("emails", Schema.list(of: string)),
                ("organization", string), ("tags", Schema.list(of: string)), ("changedAt", moment),
                ("source", string), ("isOwn", boolean), ("hasPhoto", boolean), ("followUp", followUp),
                ("card", contactCard),
                ("fields", Schema.list(of: object([("name", string), ("value", string)]))),
                (
                    "history",
                    Schema.list(
                        of: object([
                            ("subject", string), ("recipient", string), ("address", string),
                            ("state", string), ("at", moment), ("desk", Schema.orNull(string)),
                        ]))
                ), ("papers", Schema.list(of: object([("id", id), ("name", string)]))),
            ])
        ),
        (
            "ContactMatches",
            object([
                (
                    "matches",
                    Schema.list(
                        of: object([
                            ("first", contactBriefly), ("second", contactBriefly),
                            (
                                "reasons",
                                Schema.list(
                                    of: object([
                                        ("kind", choice(["email", "phone", "nameAndOrganization", "name"])),
                                        ("value", string),
                                    ]))
                            ),
                        ]))
                ), ("total", whole),
            ])
        ),
        (
            "ContactMerge",
            object([
                (
                    "differing",
                    Schema.list(
                        of: object([
                            ("field", choice(CardMerge.Field.allCases.map(\.rawValue))), ("first", string),
                            ("second", string),
                        ]))
                ),
                (
                    "lines",
                    Schema.list(
                        of: object([
                            ("key", string), ("kind", choice(CardLine.Kind.allCases.map(\.rawValue))),
                            ("text", string), ("isKept", boolean),
                        ]))
                ), ("card", contactCard),
            ])
        ),
        (
            "ReadCard",
            object([
                ("source", choice(CardReading.Source.allCases.map(\.rawValue))), ("text", string),
                ("address", orNull(string)),
                (
                    "cards",
                    Schema.list(
                        of: object([
                            ("name", string), ("vcard", string),
                            ("card", contactCard),
                            ("known", Schema.list(of: object([("id", id), ("name", string)]))),
                        ]))
                ),
            ])
        ),
        ("ContactChange", object([("count", whole), ("act", orNull(id))])),
        ("ContactActList", object([("acts", Schema.list(of: ref("ContactImport")))])),
        (
            "ContactCounts",
            object([
                ("added", whole), ("changed", whole), ("unchanged", whole), ("groups", whole),
                ("refused", Schema.list(of: contactLeftOut)), ("refusedCount", whole),
                ("odd", Schema.list(of: contactOddity)), ("imports", Schema.list(of: id)),
            ])
        ),
        (
            "ContactImport",
            object([
                ("id", id), ("kind", choice(ContactAct.Kind.allCases.map(\.rawValue))), ("name", string),
                ("at", moment), ("by", string), ("added", whole),
                ("changed", whole), ("unchanged", whole), ("gone", whole),
                ("groups", whole), ("refused", Schema.list(of: contactLeftOut)),
                ("refusedCount", whole), ("odd", Schema.list(of: contactOddity)),
                ("undoneAt", orNull(moment)),
            ])
        ),
        ("ContactImportList", object([("imports", Schema.list(of: ref("ContactImport")))])),
        ("ContactUndoing", object([("removed", whole), ("restored", whole), ("kept", whole)])),
        (
            "ContactBook",
            object([
                ("id", id), ("name", string), ("kind", choice(["cards", "carddav"])),
                ("address", orNull(string)), ("userName", orNull(string)), ("count", whole),
                ("pulledAt", orNull(moment)), ("trouble", orNull(string)), ("bothWays", boolean),
                ("isInQuestion", boolean), ("tagsAreGroups", boolean),
            ])
        ),
        (
            "ContactGroup",
            object([
                ("id", id), ("name", string), ("count", whole), ("absentCount", whole), ("book", id),
                ("isChangedHere", boolean),
            ])
        ),
        ("ContactGroupList", object([("groups", Schema.list(of: ref("ContactGroup")))])),
        ("ContactBookList", object([("books", Schema.list(of: ref("ContactBook")))])),
        ("Audience", object([("id", id), ("name", string), ("count", whole)])),
        ("AudienceList", object([("audiences", Schema.list(of: ref("Audience")))])),
        (
            "RecipientPage",
            object([("recipients", Schema.list(of: ref("Recipient"))), ("total", whole)])
        ),
        (
            "Import",
            object([
                ("id", id), ("list", id), ("name", string),
                ("format", choice(TableFormat.allCases.map(\.rawValue))), ("headerRow", whole),
                (
                    "choices",
                    Schema.list(
                        of: object([
                            ("what", choice(TableChoice.What.allCases.map(\.rawValue))), ("value", string),
                            ("why", string), ("given", boolean),
                        ]))
                ), ("sheets", Schema.list(of: object([("name", string), ("hidden", boolean)]))),
                (
                    "columns",
                    Schema.list(
                        of: object([
                            ("name", string), ("kind", kind), ("role", orNull(role)), ("new", boolean),
                        ]))
                ),
                (
                    "email",
                    object([
                        ("column", orNull(string)), ("candidates", Schema.list(of: string)),
                        ("reason", string),
                    ])
                ), ("key", object([("column", orNull(string)), ("reason", string)])),
                ("replacesSource", boolean), ("whole", boolean), ("counts", ref("ImportCounts")),
                ("notices", Schema.list(of: string)),
                (
                    "rows",
                    Schema.list(
                        of: object([
                            ("place", whole), ("flaw", orNull(string)), ("cells", Schema.list(of: string)),
                        ]))
                ),
                (
                    "examples",
                    Schema.list(
                        of: object([
                            ("what", string), ("place", whole), ("name", string), ("detail", string),
                        ]))
                ),
            ])
        ),
        (
            "ImportCounts",
            object(
                [
                    "added", "changed", "unchanged", "gone", "flawed", "mended", "keptEdits", "lostEdits",
                    "duplicates", "hidden",
                ].map { ($0, whole) })
        ),
        (
            "ImportResult",
            object([("list", id), ("job", orNull(id)), ("counts", orNull(ref("ImportCounts")))])
        ),
        (
            "Matching",
            object([
                ("part", whole), ("row", whole), ("rows", whole), ("person", string),
                ("mapping", orNull(id)), ("text", string),
                (
                    "fields",
                    Schema.list(
                        of: object([
                            ("field", string), ("label", string), ("source", orNull(string)),
                            ("value", orNull(string)), ("problem", orNull(string)),
                            (
                                "suggestion",
                                orNull(
                                    object([
                                        ("source", string), ("reason", string), ("runnerUp", orNull(string)),
                                    ]))
                            ),
                        ]))
                ),
                (
                    "undecided",
                    Schema.list(
                        of: object([
                            ("column", string),
                            (
                                "choices",
                                Schema.list(
                                    of: object([("fields", Schema.list(of: string)), ("reason", string)]))
                            ),
                        ]))
                ),
                (
                    "words",
                    Schema.list(
                        of: object([
                            ("field", string), ("label", string), ("choices", Schema.list(of: string)),
                            (
                                "words",
                                Schema.list(
                                    of: object([
                                        ("word", string), ("count", whole), ("answer", string),
                                        ("decided", boolean),
                                    ]))
                            ),
                        ]))
                ),
            ])
        ),
    ]

    static let cells: JSON = ["type": "object", "additionalProperties": ["type": "string"]]
    static let importSettings = object(
        [
            ("separator", string), ("encoding", string), ("sheet", string), ("headerRow", string),
            ("hiddenRows", boolean), ("key", string),
            ("roles", ["type": "object", "additionalProperties": role]),
        ],
        optional: ["separator", "encoding", "sheet", "headerRow", "hiddenRows", "key", "roles"])
    static let assignment = object(
        [
            ("part", whole), ("row", whole), ("field", string), ("column", string), ("fixed", string),
            ("formula", string), ("suggestion", string), ("empty", boolean), ("nothing", boolean),
            ("text", string), ("saved", id), ("saveAs", string), ("undecided", string), ("choice", whole),
            ("words", cells), ("then", choice(["plan"])),
        ],
        optional: [
            "words", "then",
            "undecided", "choice", "part", "row", "field", "column", "fixed", "formula", "suggestion",
            "empty", "nothing", "text",
            "saved", "saveAs",
        ])

    private static let kind = choice(Cell.Kind.allCases.map(\.rawValue))
    private static let role = choice(ColumnRole.allCases.map(\.rawValue))
    static let cell: [(String, JSON)] = [
        ("kind", kind), ("raw", string), ("shown", string), ("date", orNull(string)), ("edited", boolean),
    ]
    private static let list: [(String, JSON)] = [
        ("id", id), ("name", string), ("count", whole), ("waiting", whole), ("edition", whole),
        ("changedAt", moment), ("trashedAt", orNull(moment)),
        ("question", orNull(object(of(ContactQuestion.fields)))),
        (
            "columns",
            Schema.list(of: object([("name", string), ("kind", kind), ("role", orNull(role))]))
        ),
        (
            "sources",
            Schema.list(
                of: object([
                    ("number", whole), ("kind", choice(RecipientSource.Kind.allCases.map(\.rawValue))),
                    ("name", string), ("count", whole), ("waiting", whole),
                ]))
        ),
    ]
}
