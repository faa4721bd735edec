import Bytes
import CardCase
import Starters
import Storage

/// The cards that members give away.
extension Schema {
    private static let cardField: [(String, JSON)] = [
        ("kind", string), ("value", string), ("title", string),
        ("visibility", choice(FieldAudience.allCases.map(\.rawValue))),
    ]

    /// What a card is made of; a field without a kind is recognised by its value.
    static let cardInput = object(
        of(OwnCard.settable)
            + [("fields", list(of: object(cardField, optional: ["kind", "title", "visibility"])))],
        optional: Set(OwnCard.settable.map(\.name) + ["fields"]))

    static let cardCrop = object(of(CardCrop.fields), optional: Set(CardCrop.fields.map(\.name)))

    static let cardLinkInput = object(
        [
            ("note", string), ("days", integer(1, 3650)), ("once", boolean),
            ("shows", choice([FieldAudience.everybody, .exchanged].map(\.rawValue))),
        ], optional: ["days", "once", "shows"])

    /// What a visitor says of themselves.
    static let cardAnswerInput = object(
        visitorLines.map { ($0, string) }, optional: Set(visitorLines))

    static let visitorLines = [
        "name", "email", "phone", "organization", "title", "website", "message", "card",
    ]

    static let cards: [(String, JSON)] = [
        (
            "Card",
            object(
                [
                    ("id", id), ("name", string), ("address", string), ("slug", string), ("default", boolean),
                    ("photo", boolean), ("cover", boolean), ("logo", boolean), ("madeAt", moment),
                    ("changedAt", moment),
                    (
                        "pictures",
                        list(
                            of: object([
                                ("picture", choice(CardPicture.Kind.allCases.map(\.rawValue))),
                                ("width", whole), ("height", whole), ("crop", object(of(CardCrop.fields))),
                            ]))
                    ),
                    (
                        "fields",
                        list(
                            of: object(
                                cardField + [("name", string), ("shown", string), ("link", orNull(string))]))
                    ),
                ] + of(OwnCard.settable).filter { $0.0 != "name" })
        ),
        ("CardList", object([("cards", list(of: ref("Card")))])),
        (
            "FieldKindList",
            object([
                (
                    "kinds",
                    list(
                        of: object([
                            ("id", string), ("family", choice(FieldKind.Family.allCases.map(\.rawValue))),
                            ("name", string), ("example", string), ("inputMode", string),
                        ]))
                )
            ])
        ),
        ("RecognisedField", object([("kind", orNull(string)), ("value", string), ("name", string)])),
        (
            "CardLink",
            object([
                ("id", id), ("address", string), ("note", string),
                ("shows", choice([FieldAudience.everybody, .exchanged].map(\.rawValue))), ("once", boolean),
                ("openings", whole), ("madeAt", moment), ("expiresAt", orNull(moment)),
                ("openedAt", orNull(moment)), ("state", choice(CardLink.State.allCases.map(\.rawValue))),
            ])
        ),
        ("CardLinkList", object([("links", list(of: ref("CardLink")))])),
        (
            "CardAnswer",
            object([
                ("id", id), ("card", id), ("cardName", string), ("name", string), ("note", string),
                ("message", string), ("at", moment),
                ("fields", list(of: object([("name", string), ("value", string)]))),
            ])
        ),
        ("CardAnswerList", object([("answers", list(of: ref("CardAnswer")))])),
        (
            "CardCode",
            object([
                ("holds", choice(CodeContent.allCases.map(\.rawValue))), ("text", string),
                ("leftOut", list(of: string)), ("version", whole),
                ("level", choice(["medium", "quartile", "high"])), ("isFine", boolean),
            ])
        ),
        (
            "CardTag",
            object([
                ("holds", choice(["address", "vcard"])), ("address", orNull(string)),
                ("vcard", orNull(string)),
                ("byteCount", whole), ("hex", string), ("tag", orNull(string)),
            ])
        ),
        (
            "CardSignature",
            object([("html", string), ("text", string), ("photo", boolean), ("address", orNull(string))])
        ),
        (
            "CardSheet",
            object([
                ("paper", choice(PaperSize.allCases.map(\.rawValue))),
                ("size", choice(CardSheet.Size.allCases.map(\.rawValue))),
                ("side", choice(CardSheet.Sides.allCases.map(\.rawValue))), ("count", whole),
                ("leftOut", list(of: string)), ("missing", string), ("code", ref("CardCode")),
            ])
        ),
    ]
}
