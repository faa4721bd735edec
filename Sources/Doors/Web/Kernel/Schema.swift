import Access
import App
import Bytes
import Conversion
import Converting
import HTTP
import Jobs
import Library
import Storage

/// JSON Schema (2020-12), as far as the API description needs it.
enum Schema {
    static let string: JSON = ["type": "string"]
    static let boolean: JSON = ["type": "boolean"]
    static let whole: JSON = ["type": "integer"]
    static let number: JSON = ["type": "number"]
    static let moment: JSON = ["type": "string", "format": "date-time"]
    static let id: JSON = ["type": "string", "format": "uuid"]
    static let anything: JSON = [:]
    static let name: JSON = ["type": "string", "minLength": 1, "maxLength": 100]

    static func ref(_ name: String) -> JSON { ["$ref": .string("#/components/schemas/\(name)")] }
    static func choice(_ words: [String]) -> JSON {
        ["type": "string", "enum": .array(words.map(JSON.string))]
    }
    static func integer(_ least: Int, _ most: Int) -> JSON {
        ["type": "integer", "minimum": .int(least), "maximum": .int(most)]
    }

    static func orNull(_ schema: JSON) -> JSON {
        guard var object = schema.object, let type = object["type"]?.string else {
            return ["anyOf": [schema, ["type": "null"]]]
        }
        object["type"] = [.string(type), "null"]
        return .object(object)
    }

    /// What somebody may set, as its list of fields has it.
    static func of<Thing>(_ fields: [ThingField<Thing>]) -> [(String, JSON)] {
        fields.map { field in
            let schema: JSON =
                switch field.kind {
                case .line(_, let isRequired) where isRequired: ["type": "string", "minLength": 1]
                case .line, .text: string
                case .whole(let bounds): orNull(integer(bounds.lowerBound, bounds.upperBound))
                case .time: orNull(string)
                case .day: ["type": "string", "format": "date"]
                case .choice(let words): choice(words)
                }
            return (field.name, schema)
        }
    }

    static func list(of schema: JSON) -> JSON { ["type": "array", "items": schema] }

    static func object(_ properties: [(String, JSON)], optional: Set<String> = []) -> JSON {
        [
            "type": "object", "properties": .object(JSONObject(properties)),
            "required": .array(properties.map(\.0).filter { !optional.contains($0) }.map(JSON.string)),
        ]
    }

    /// A page of a longer list.
    static func page(_ name: String, of item: String, counted: Bool = false) -> JSON {
        object(
            [(name, list(of: ref(item))), ("next", orNull(string))] + (counted ? [("total", whole)] : []))
    }

    static func with(_ more: [(String, JSON)], _ base: [(String, JSON)]) -> JSON { object(base + more) }

    private static let document: [(String, JSON)] = [
        ("id", id), ("name", string), ("mediaType", string), ("byteCount", whole), ("digest", string),
        ("addedAt", moment), ("addedBy", string), ("changedAt", moment), ("trashedAt", orNull(moment)),
        ("folder", orNull(id)), ("tags", list(of: string)), ("note", string), ("date", string),
        ("people", list(of: object([("name", string), ("contact", orNull(string))]))),
        ("fields", ["type": "object", "additionalProperties": ["type": "string"]]),
        ("hold", orNull(string)),
        ("version", whole), ("origin", orNull(id)),
        ("arrival", orNull(choice(PaperArrival.allCases.map(\.rawValue)))), ("pages", orNull(whole)),
    ]
    private static let share: [(String, JSON)] = [
        ("id", id), ("document", string),
        ("kind", choice(["document", "packet", "folder", "selection", "request"])),
        ("note", string), ("viewOnly", boolean), ("takesReplies", boolean),
        ("madeBy", string), ("madeAt", moment),
        ("expiresAt", orNull(moment)), ("hasPassword", boolean), ("openings", whole),
        ("limit", orNull(whole)),
        ("openedAt", orNull(moment)), ("state", choice(["active", "expired", "usedUp"])),
    ]
    static let ruleInput = object(
        [
            ("name", string), ("from", string), ("pattern", string), ("words", string),
            ("sender", string), ("folder", string), ("tags", list(of: string)), ("title", string),
            ("atOnce", boolean),
        ], optional: ["from", "pattern", "words", "sender", "folder", "tags", "title", "atOnce"])
    private static let rule: [(String, JSON)] = [
        ("id", id), ("name", string), ("from", orNull(id)), ("pattern", string), ("words", string),
        ("sender", string), ("folder", orNull(id)), ("tags", list(of: string)), ("title", string),
        ("atOnce", boolean),
        ("madeAt", moment),
    ]
    private static let invitation: [(String, JSON)] = [
        ("id", id), ("role", choice(Role.allCases.map(\.rawValue))), ("note", string), ("madeBy", string),
        ("madeAt", moment), ("expiresAt", moment),
    ]
    private static let finding = object([
        ("part", string), ("name", string), ("state", choice(["good", "limited", "bad"])),
        ("sentence", string), ("remedy", orNull(string)),
    ])
    private static let tool = choice(PlanTool.allCases.map(\.rawValue))
    /// A plan or an add-on; a limit of null is none.
    private static func offered(_ more: [(String, JSON)]) -> JSON {
        object(
            [
                ("id", string), ("name", string), ("price", string), ("note", string),
                ("limits", object(Limit.allCases.map { ($0.rawValue, orNull(whole)) })),
            ] + more)
    }
    private static let token: [(String, JSON)] = [
        ("id", id), ("name", string), ("scope", list(of: choice(Scope.allCases.map(\.rawValue)))),
        ("madeAt", moment),
        ("expiresAt", orNull(moment)), ("usedAt", orNull(moment)),
    ]
    private static let mail: [(String, JSON)] = [
        ("host", string), ("port", whole),
        ("security", choice(MailSettings.Security.allCases.map(\.rawValue))),
        ("username", string), ("fromName", string), ("fromAddress", string),
    ]

    /// Every resource of the API by name.
    static let all: [(String, JSON)] = [
        (
            "Problem",
            object(
                [
                    ("type", string), ("title", string), ("status", whole), ("detail", string),
                    ("code", string),
                    ("field", string), ("reference", string),
                ], optional: ["code", "field", "reference"])
        ),
        ("Version", object([("version", string)])),
        ("Document", object(document)),
        (
            "DocumentMatches",
            object([
                (
                    "matches",
                    list(
                        of: object([
                            ("document", ref("Document")), ("page", orNull(whole)),
                            (
                                "snippet",
                                orNull(list(of: object([("text", string), ("isHit", boolean)])))
                            ),
                        ]))
                ), ("total", whole), ("unread", whole), ("meant", orNull(string)),
            ])
        ),
        ("DocumentList", page("documents", of: "Document", counted: true)),
        ("ArrangedDocument", with([("remarks", list(of: ["type": "object"]))], document)),
        ("FilledDocument", with([("problems", list(of: ref("PacketProblem")))], document)),
        ("AddedDocument", with([("duplicateOf", orNull(id))], document)),
        (
            "AddedDocuments",
            object(
                [
                    ("documents", list(of: ref("AddedDocument"))), ("folder", orNull(id)),
                    (
                        "left",
                        list(
                            of: object(
                                [("name", string), ("reason", string)]))
                    ),
                ], optional: ["folder", "left"])
        ),
        (
            "Field",
            object([
                ("id", id), ("name", string), ("kind", choice(PaperField.Kind.allCases.map(\.rawValue))),
                ("documents", whole),
            ])
        ),
        ("FieldList", object([("fields", list(of: ref("Field")))])),
        (
            "Keeping",
            object([
                ("hold", orNull(string)), ("heldBy", orNull(string)), ("until", orNull(string)),
                ("rule", orNull(string)),
            ])
        ),
        (
            "RetentionRule",
            object([
                ("id", id), ("name", string), ("tag", string), ("folder", orNull(id)), ("months", whole),
                ("trashes", boolean),
            ])
        ),
        ("RetentionRuleList", object([("rules", list(of: ref("RetentionRule")))])),
        ("Rule", object(rule)),
        ("RuleList", object([("rules", list(of: ref("Rule")))])),
        (
            "SuggestionList",
            object([
                (
                    "suggestions",
                    list(
                        of: object([
                            ("id", id), ("document", id), ("name", string), ("rule", string),
                            ("state", choice(FilingSuggestion.State.allCases.map(\.rawValue))),
                            ("folder", orNull(id)), ("tags", list(of: string)), ("title", orNull(string)),
                            ("folderBefore", orNull(id)), ("titleBefore", string), ("madeAt", moment),
                        ]))
                )
            ])
        ),
        ("ListedDocuments", object([("documents", list(of: ref("Document")))])),
        (
            "SimilarDocuments",
            object([
                (
                    "similar",
                    list(of: object([("document", ref("Document")), ("words", list(of: string))]))
                )
            ])
        ),
        (
            "DocumentActivity",
            object([
                (
                    "entries",
                    list(
                        of: object([
                            ("at", moment), ("actorName", string), ("verb", string), ("subject", string),
                        ]))
                ), ("next", orNull(string)),
            ])
        ),
        (
            "Folder",
            object([
                ("id", id), ("name", string), ("path", string), ("parent", orNull(id)), ("documents", whole),
                ("total", whole), ("madeAt", moment), ("private", boolean), ("locked", boolean),
            ])
        ),
        (
            "DocumentVersionList",
            object([
                (
                    "versions",
                    list(
                        of: object([
                            ("number", whole), ("mediaType", string), ("byteCount", whole),
                            ("digest", string), ("madeAt", moment), ("madeBy", string), ("note", string),
                        ]))
                )
            ])
        ),
        (
            "DocumentChanges",
            object([
                ("from", whole), ("to", whole),
                (
                    "lines",
                    list(of: object([("kind", choice(["same", "gone", "new"])), ("text", string)]))
                ),
            ])
        ),
        (
            "PaperComparison",
            object([
                ("same", boolean), ("pagesBefore", whole), ("pagesAfter", whole),
                ("counts", ["type": "object", "additionalProperties": ["type": "integer"]]),
                (
                    "pages",
                    list(
                        of: object([
                            ("before", orNull(whole)), ("after", orNull(whole)),
                            ("kind", choice(["both", "added", "removed", "flowed"])),
                        ]))
                ),
                (
                    "changes",
                    list(
                        of: object([
                            ("number", whole),
                            (
                                "kind",
                                choice([
                                    "words", "moved", "running", "look", "field", "pageAdded", "pageRemoved",
                                    "pageSize",
                                ])
                            ), ("removed", string), ("added", string), ("lead", string), ("trail", string),
                            ("before", orNull(ref("ComparedPlace"))),
                            ("after", orNull(ref("ComparedPlace"))), ("field", orNull(string)),
                            ("label", orNull(string)), ("pageCount", whole),
                        ]))
                ), ("remarks", list(of: ["type": "object"])),
            ])
        ),
        (
            "ComparedPlace",
            object([
                ("page", whole),
                (
                    "areas",
                    list(
                        of: object([
                            ("page", whole), ("x", number), ("y", number), ("width", number),
                            ("height", number),
                        ]))
                ),
            ])
        ),
        (
            "PaperOutline",
            object([
                ("bookmarks", list(of: ref("PaperBookmark"))),
                (
                    "attachments",
                    list(of: object([("name", string), ("mediaType", string), ("byteCount", whole)]))
                ),
            ])
        ),
        (
            "PaperBookmark",
            object(
                [("title", string), ("page", whole), ("children", list(of: ref("PaperBookmark")))],
                optional: ["page", "children"])
        ),
        (
            "SmallerPaper",
            object([
                ("state", orNull(choice(Conversion.State.allCases.map(\.rawValue)))),
                ("conversion", orNull(id)),
                ("job", orNull(id)), ("reason", orNull(string)), ("byteCount", whole), ("version", whole),
                (
                    "ways",
                    list(
                        of: object([
                            ("way", choice(SmallerPage.ways)), ("most", orNull(whole)),
                            ("dots", orNull(whole)),
                            ("result", whole),
                            ("byteCount", whole), ("offered", boolean), ("lost", anything),
                        ]))
                ),
            ])
        ),
        (
            "PaperPages",
            object([
                ("pages", list(of: object([("number", whole), ("width", number), ("height", number)]))),
                ("count", whole),
            ])
        ),
        (
            "PageMargins",
            object([
                (
                    "pages",
                    list(
                        of: object([
                            ("number", whole), ("top", number), ("right", number), ("bottom", number),
                            ("left", number), ("blank", boolean),
                        ]))
                )
            ])
        ),
        (
            "PageWords",
            object([
                ("width", number), ("height", number),
                (
                    "lines",
                    list(
                        of: list(
                            of: object([
                                ("text", string), ("x", number), ("y", number), ("width", number),
                                ("height", number),
                            ])))
                ),
            ])
        ),
        ("FolderList", object([("folders", list(of: ref("Folder")))])),
        ("Tag", object([("id", id)] + of(Tag.fields) + [("documents", whole)])),
        ("TagList", object([("tags", list(of: ref("Tag")))])),
        ("SavedSearch", object([("id", id), ("name", string), ("words", string), ("madeAt", moment)])),
        ("SavedSearchList", object([("searches", list(of: ref("SavedSearch")))])),
        ("Share", object(share)),
        ("NewShare", with([("address", string)], share)),
        ("ShareList", object([("shares", list(of: ref("Share")))])),
        (
            "FormReply",
            object([
                ("id", id), ("share", id), ("of", string), ("batch", orNull(id)), ("document", id),
                ("digest", string), ("sentFor", string), ("signed", whole), ("sentAt", moment),
            ])
        ),
        ("FormReplyList", object([("replies", list(of: ref("FormReply")))])),
        (
            "Job",
            object([
                ("id", id), ("kind", string), ("title", string),
                ("state", choice(Job.State.allCases.map(\.rawValue))),
                ("done", whole), ("total", orNull(whole)), ("phase", string), ("attempts", whole),
                ("createdAt", moment),
                ("startedAt", orNull(moment)), ("finishedAt", orNull(moment)), ("runAt", moment),
                ("reason", orNull(string)), ("isCancelling", boolean), ("result", anything),
            ])
        ),
        ("JobList", page("jobs", of: "Job")),
        (
            "Schedule",
            object([
                ("name", string), ("kind", string), ("title", string), ("rule", string), ("zone", string),
                ("nextAt", orNull(moment)), ("lastAt", orNull(moment)), ("isPaused", boolean),
            ])
        ),
        ("ScheduleList", object([("schedules", list(of: ref("Schedule")))])),
        (
            "Member",
            object([
                ("id", id), ("name", string), ("login", string),
                ("role", choice(Role.allCases.map(\.rawValue))),
                ("joinedAt", moment), ("hasPassword", boolean), ("passkeys", whole),
            ])
        ),
        ("MemberList", object([("members", list(of: ref("Member")))])),
        ("Invitation", object(invitation)),
        ("NewInvitation", with([("address", string)], invitation)),
        ("InvitationList", object([("invitations", list(of: ref("Invitation")))])),
        ("SignedIn", object([("member", ref("Member"))])),
        ("NewOwner", object([("member", ref("Member")), ("recoveryCodes", list(of: string))])),
        ("RecoveryCodes", object([("codes", list(of: string))])),
        ("Question", object([("publicKey", ["type": "object"]), ("ceremony", string)])),
        ("Next", object([("next", string)])),
        ("EmptiedTrash", object([("removed", whole), ("left", whole)])),
        ("Lock", object([("minutes", orNull(whole))])),
        ("Region", object([("language", string), ("timeZone", string)])),
        ("Recognition", object([("languages", list(of: string)), ("installed", list(of: string))])),
        ("RecognitionChange", object([("languages", list(of: string))])),
        (
            "RegionChange",
            object([("language", string), ("timeZone", string)], optional: ["language", "timeZone"])
        ),
        (
            "BackupSettings",
            object([
                ("folder", string), ("rule", orNull(string)), ("keeping", whole), ("encrypted", boolean),
                ("sheetMadeAt", orNull(moment)),
            ])
        ),
        (
            "RecoverySheet",
            object([
                ("key", string), ("groups", list(of: string)), ("folders", list(of: string)),
                ("desk", string),
                ("command", string), ("madeAt", moment),
            ])
        ),
        (
            "BackupSettingsChange",
            object(
                [
                    ("folder", string), ("rule", string), ("keeping", integer(1, 1_000)),
                    ("encrypted", boolean),
                ], optional: ["folder", "rule", "keeping", "encrypted"])
        ),
        ("Token", object(token)),
        ("NewToken", with([("token", string)], token)),
        ("TokenList", object([("tokens", list(of: ref("Token")))])),
        (
            "Passkey",
            object([
                ("id", id), ("name", string), ("site", string), ("isBackedUp", boolean), ("madeAt", moment),
                ("usedAt", orNull(moment)),
            ])
        ),
        ("PasskeyList", object([("passkeys", list(of: ref("Passkey")))])),
        (
            "Session",
            object([
                ("id", id), ("device", string), ("address", string), ("startedAt", moment),
                ("seenAt", moment),
                ("expiresAt", moment), ("isCurrent", boolean), ("onlyCaptures", boolean),
            ])
        ),
        ("SessionList", object([("sessions", list(of: ref("Session")))])),
        ("Phones", object([("phones", list(of: ref("Session")))])),
        ("PhoneCode", object([("address", string), ("expiresAt", moment)])),
        (
            "JournalEntry",
            object([
                ("number", whole), ("at", moment), ("actor", string), ("actorName", string), ("verb", string),
                ("subject", string), ("detail", anything),
            ])
        ),
        ("Journal", page("entries", of: "JournalEntry")),
        (
            "Report",
            object([
                ("id", id), ("kind", choice(Report.Kind.allCases.map(\.rawValue))), ("at", moment),
                ("isGood", boolean),
                ("sentence", string), ("detail", anything),
            ])
        ),
        ("ReportList", object([("reports", list(of: ref("Report")))])),
        (
            "Usage",
            object([
                ("documents", whole), ("trashedDocuments", whole), ("files", whole), ("fileBytes", whole),
                ("databaseBytes", orNull(whole)), ("previewBytes", orNull(whole)),
                ("freeBytes", orNull(whole)),
                ("members", whole),
                ("unfinishedJobs", whole),
            ])
        ),
        (
            "Identity",
            object(
                [
                    ("name", string), ("organization", string), ("email", string), ("phone", string),
                    ("address", string), ("terms", string),
                ], optional: ["name", "organization", "email", "phone", "address", "terms"])
        ),
        ("Looks", deskLooks),
        (
            "Language",
            object(
                [
                    ("language", string),
                    ("theme", choice(App.Preferences.Theme.allCases.map(\.rawValue))),
                ], optional: ["language", "theme"])
        ),
        ("Mail", with([("hasPassword", boolean)], mail)),
        ("MailChange", object(mail + [("password", string)], optional: Set(mail.map(\.0) + ["password"]))),
        (
            "Licence",
            object([
                ("id", string), ("plan", string), ("kind", choice(Licence.Kind.allCases.map(\.rawValue))),
                ("holder", string), ("seats", orNull(whole)), ("startsAt", moment),
                ("endsAt", orNull(moment)), ("counts", boolean),
            ])
        ),
        (
            "Plans",
            object([
                ("plan", string), ("endsAt", orNull(moment)), ("isTrial", boolean),
                ("simulatesFree", boolean),
                ("licences", list(of: ref("Licence"))), ("buy", orNull(string)),
                ("offered", list(of: offered([("trialDays", orNull(whole)), ("without", list(of: tool))]))),
                ("addOns", list(of: offered([("with", list(of: tool))]))), ("trials", list(of: string)),
                (
                    "decisions",
                    list(
                        of: object([
                            (
                                "what",
                                choice(Limit.allCases.map(\.rawValue) + PlanTool.allCases.map(\.rawValue))
                            ), ("allowed", boolean),
                            ("used", orNull(whole)), ("limit", orNull(whole)), ("reason", string),
                        ]))
                ),
            ])
        ),
        (
            "Guarding",
            object([
                ("walls", list(of: finding)),
                (
                    "sessions",
                    list(
                        of: object([
                            ("id", id), ("member", string), ("device", string), ("address", string),
                            ("seenAt", moment),
                        ]))
                ),
                ("tokens", list(of: ref("Token"))),
                ("links", object([("count", whole), ("withoutEnd", whole), ("withoutPassword", whole)])),
                ("signIns", list(of: ref("JournalEntry"))),
            ])
        ),
        (
            "About",
            object([
                ("version", string), ("commit", orNull(string)),
                (
                    "network",
                    list(of: object([("address", string), ("purpose", string), ("occasion", string)]))
                ),
                ("findings", list(of: finding)),
            ])
        ),
        (
            "SearchResult",
            object([
                (
                    "hits",
                    list(
                        of: object([
                            ("title", string), ("address", string), ("icon", string), ("note", string),
                            ("page", orNull(whole)),
                        ]))
                )
            ])
        ),
    ]
}
