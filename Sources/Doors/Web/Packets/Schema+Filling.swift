import Bytes
import Filling

/// Forms, and the packets made from them.
extension Schema {
    static let filling: [(String, JSON)] = [
        ("TemplateEdition", object(edition)),
        ("TemplateEditionList", object([("editions", list(of: ref("TemplateEdition")))])),
        ("Template", object(template)),
        ("TemplateList", object([("templates", list(of: ref("Template"))), ("total", whole)])),
        ("AddedTemplate", with([("report", ref("ImportReport"))], template)),
        ("AddedTemplates", object([("templates", list(of: ref("AddedTemplate")))])),
        (
            "ImportReport",
            object([
                ("pageCount", whole), ("fieldCount", whole), ("canBeFilled", boolean),
                ("kinds", list(of: object([("kind", string), ("count", whole)]))),
                (
                    "remarks",
                    list(of: object([("kind", string), ("message", string), ("blocksFilling", boolean)]))
                ),
                ("duplicates", list(of: object([("id", id), ("name", string)]))),
            ])
        ),
        (
            "TemplateField",
            object([
                ("name", string), ("label", string), ("labelSource", string),
                ("labelConfidence", ["type": "number"]),
                ("choices", list(of: string)),
                ("kind", choice(TemplateField.Kind.allCases.map(\.rawValue))), ("required", boolean),
                ("readOnly", boolean), ("hidden", boolean), ("canBeFilled", boolean),
                ("maximumLength", orNull(whole)),
                ("options", list(of: object([("value", string), ("label", string)]))),
                ("states", list(of: string)), ("format", orNull(string)), ("pattern", orNull(string)),
                ("meaning", orNull(string)),
                ("takesOwnWords", boolean), ("takesSeveral", boolean), ("value", list(of: string)),
                (
                    "places",
                    list(
                        of: object([
                            ("page", whole), ("rectangle", list(of: ["type": "number"])),
                            ("state", orNull(string)),
                        ]))
                ),
            ])
        ),
        (
            "Proposal",
            object(
                [
                    ("name", string), ("label", string), ("kind", string), ("page", whole),
                    ("rectangle", list(of: ["type": "number"])), ("cells", orNull(whole)),
                    ("confidence", ["type": "number"]), ("x", ["type": "number"]),
                    ("y", ["type": "number"]), ("width", ["type": "number"]), ("height", ["type": "number"]),
                ],
                optional: ["label", "rectangle", "cells", "confidence", "x", "y", "width", "height"])
        ),
        ("ProposalList", object([("proposals", list(of: ref("Proposal")))])),
        (
            "Comparison",
            object([
                ("before", whole), ("after", whole), ("same", boolean),
                (
                    "matches",
                    list(
                        of: object([
                            ("before", string), ("after", string), ("confidence", ["type": "number"]),
                            ("sure", boolean), ("changes", list(of: string)),
                        ]))
                ), ("gone", list(of: string)), ("added", list(of: string)),
                (
                    "mappings",
                    list(
                        of: object([
                            ("id", id), ("name", string), ("kept", whole), ("lost", list(of: string)),
                        ]))
                ),
            ])
        ),
        ("TemplateFieldList", object([("fields", list(of: ref("TemplateField")))])),
        ("SavedMapping", object(mapping)),
        ("SavedMappingList", object([("mappings", list(of: ref("SavedMapping")))])),
        ("Batch", object(batch)),
        (
            "BatchElsewhere",
            object([
                ("desk", string), ("state", choice(Batch.State.allCases.map(\.rawValue))),
                ("begunAt", moment), ("made", whole), ("missing", whole), ("sent", whole),
                ("replies", whole),
            ])
        ),
        (
            "BatchList",
            object([
                (
                    "batches",
                    list(
                        of: object(
                            batch + [("counts", object(packetCounts)), ("tally", orNull(ref("LedgerTally")))])
                    )
                ),
                ("total", whole),
            ])
        ),
        ("BatchDraft", object(draft)),
        (
            "PacketPart",
            object(
                [
                    ("kind", choice(["template", "document", "attachment"])), ("template", id),
                    ("mapping", orNull(id)), ("document", id), ("pattern", string), ("condition", string),
                ], optional: ["template", "mapping", "document", "pattern", "condition"])
        ),
        (
            "BatchOptions",
            object(options, optional: Set(options.map(\.0)))
        ),
        (
            "PlanSummary",
            object([
                ("recipients", whole), ("planned", whole), ("held", whole), ("left", whole), ("new", whole),
                ("changed", whole), ("same", whole), ("pages", whole),
                (
                    "problems",
                    list(
                        of: object([
                            ("kind", string), ("packets", whole), ("serious", boolean), ("example", string),
                            ("part", orNull(whole)), ("field", orNull(string)), ("label", orNull(string)),
                            ("value", orNull(string)), ("meant", orNull(string)),
                        ]))
                ), ("remarks", list(of: string)),
            ])
        ),
    ]

    static let newBatch = object(
        draft + [("template", id)], optional: Set(draft.map(\.0) + ["template"]))
    static let batchChange = object(
        draft + [("version", whole)], optional: Set(draft.map(\.0) + ["version"]))

    private static let edition: [(String, JSON)] = [
        ("number", whole), ("fileName", string), ("digest", string), ("byteCount", whole),
        ("pageCount", whole), ("fieldCount", whole), ("canBeFilled", boolean), ("addedAt", moment),
        ("addedBy", string),
    ]
    private static let template: [(String, JSON)] = [
        ("id", id), ("name", string), ("folder", string), ("edition", ref("TemplateEdition")),
        ("addedAt", moment), ("addedBy", string), ("changedAt", moment), ("trashedAt", orNull(moment)),
    ]
    private static let mapping: [(String, JSON)] = [
        ("id", id), ("template", id), ("name", string), ("text", string), ("edition", whole),
        ("version", whole), ("addedAt", moment), ("addedBy", string), ("changedAt", moment),
        ("trashedAt", orNull(moment)),
    ]
    private static let batch: [(String, JSON)] = [
        ("id", id), ("state", choice(Batch.State.allCases.map(\.rawValue))), ("version", whole),
        ("draft", ref("BatchDraft")), ("name", string), ("previous", orNull(id)),
        ("summary", orNull(ref("PlanSummary"))), ("plannedAt", orNull(moment)),
        ("plannedBy", orNull(string)), ("approvedAt", orNull(moment)),
        ("approvedBy", orNull(string)), ("begunAt", orNull(moment)), ("endedAt", orNull(moment)),
        ("job", orNull(id)), ("trouble", orNull(string)), ("addedAt", moment), ("addedBy", string),
        ("changedAt", moment),
        ("trashedAt", orNull(moment)), ("madeElsewhere", orNull(ref("BatchElsewhere"))),
    ]
    /// How many packets are in each state.
    static let packetCounts: [(String, JSON)] = Packet.State.allCases.map { ($0.rawValue, whole) }
    private static let draft: [(String, JSON)] = [
        ("name", string), ("list", orNull(string)), ("audience", orNull(string)),
        (
            "people",
            orNull(object([("only", list(of: id)), ("except", list(of: id))], optional: ["only", "except"]))
        ),
        ("parts", list(of: ref("PacketPart"))), ("naming", string), ("options", ref("BatchOptions")),
    ]
    private static let options: [(String, JSON)] = [
        ("flatten", boolean), ("password", string),
        (
            "numbering",
            orNull(
                object(
                    [
                        ("kind", choice(["pages", "bates", "both"])), ("pattern", string), ("prefix", string),
                        ("first", whole), ("digits", whole),
                    ], optional: ["pattern", "prefix", "first", "digits"]))
        ), ("duplex", boolean),
        (
            "metadata",
            object(
                [("title", string), ("author", string), ("subject", string), ("keywords", string)],
                optional: ["title", "author", "subject", "keywords"])
        ), ("overflow", choice(BatchOptions.Overflow.allCases.map(\.rawValue))),
        ("needsSecondMember", boolean), ("makesDespiteProblems", boolean), ("onlyChanged", boolean),
        ("proof", boolean), ("locale", string), ("signer", orNull(id)),
        ("timestamp", orNull(string)), ("proofs", boolean),
    ]
}
