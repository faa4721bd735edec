import Access
import App
import Bytes
import CardCase
import HTTP
import Markup
import Storage

/// The photo, the cover and the logo of a card: each comes in, is cut, goes, and comes back in the same way.
extension Site {
    static let cardPictureActions: [Action] = CardPicture.Kind.allCases.flatMap(pictureActions)

    static let noPicture = Failure(.notFound, "This card has no such picture.")

    private static func pictureActions(_ kind: CardPicture.Kind) -> [Action] {
        let word = kind.rawValue
        let path = "/cards/{id}/\(word)"
        return [
            Action(
                .get, path, .member(.view),
                .init(
                    "Look at the \(word) of a card", description: "What others see of it.", tag: "Cards",
                    answers: [.init(.ok, "A JPEG", [.anything])])
            ) { visit in
                Response.bytes(
                    try file(visit) { try $0.picture(kind, of: $1) }, .jpeg
                ).with(
                    "Cache-Control", "private, no-cache")
            },
            Action(
                .get, "\(path)/whole", .member(.view),
                .init(
                    "Look at all of the \(word) of a card",
                    description: "Upright, for choosing a part of it.",
                    tag: "Cards", answers: [.init(.ok, "A JPEG", [.anything])])
            ) { visit in
                Response.bytes(try file(visit) { try $0.whole(kind, of: $1) }, .jpeg).with(
                    "Cache-Control", "private, max-age=3600")
            },
            Action(
                .get, "\(path)/original", .member(.view),
                .init(
                    "Take out the \(word) of a card as it came",
                    description: "With what its camera wrote into it; only you get it.", tag: "Cards",
                    answers: [.init(.ok, "The file", [.anything])])
            ) { visit in
                let bytes = try file(visit) { try $0.original(kind, of: $1) }
                let isJPEG = bytes.starts(with: [0xFF, 0xD8])
                return Response.bytes(bytes, isJPEG ? .jpeg : .png).with(
                    "Content-Disposition",
                    Disposition.text(inline: false, fileName: "\(word).\(isJPEG ? "jpg" : "png")"))
            },
            Action(.get, "\(path)/crop", .member(.view)) { visit in
                visit.page(try picturePage(visit, kind))
            },
            Action(
                .post, path, .member(.view),
                .init(
                    "Give a card a \(word)",
                    description:
                        "The file is kept as it came, for you alone. What others see is drawn anew of a part of it, first its middle, without what a camera wrote into it.",
                    tag: "Cards",
                    parameters: [.init("name", "The file's name, when the body is the file itself")],
                    requestBody: [
                        .init(
                            .multipart,
                            Schema.object([("file", ["type": "string", "format": "binary"])])),
                        .init(.octets, ["type": "string", "format": "binary"]),
                    ], answers: [.ok("Card", "As it is now")]),
                body: .upload(limit: Int64(OwnCards.longestPicture))
            ) { visit in
                try changingPicture(visit, kind) {
                    guard let file = try Arrival(visit).files.first, file.byteCount > 0 else {
                        throw Failure(.invalid, "Choose a picture.", field: "file")
                    }
                    return try visit.quire.cards.set(
                        kind, to: file.read(atMost: OwnCards.longestPicture), of: visit.id(of: "card"),
                        by: visit.member())
                }
            },
            Action(
                .patch, path, .member(.view),
                .init(
                    "Show another part of the \(word) of a card",
                    description: "The file itself stays as it is. What is left out stays as it was.",
                    tag: "Cards", requestBody: [.init(.json, Schema.cardCrop)],
                    answers: [.ok("Card", "As it is now")])
            ) { visit in
                try changingPicture(visit, kind) {
                    let input = try visit.input
                    let isReset = try input.whole == nil && input.text("do") == "reset"
                    let said =
                        isReset
                        ? JSON.object(CardCrop.fields.json(of: CardCrop()))
                        : try input.json(of: CardCrop.fields)
                    return try visit.quire.cards.crop(
                        kind, said, of: visit.id(of: "card"), by: visit.member())
                }
            },
            Action(
                .delete, path, .member(.view),
                .init(
                    "Take the \(word) off a card", description: "`POST \(path)/restoration` brings it back.",
                    tag: "Cards", answers: [.init(.noContent, "It has none now")])
            ) { visit in
                let card = try visit.quire.cards.remove(kind, of: visit.id(of: "card"), by: visit.member())
                let here = "/cards/\(card.id)/\(word)"
                return visit.done(
                    [:], .noContent, next: "\(here)/crop", notice: "notice.removed",
                    undo: .init(action: "\(here)/restoration"))
            },
            Action(
                .post, "\(path)/restoration", .member(.view),
                .init(
                    "Bring back the \(word) that a card had before",
                    description: "It changes places with the one that is there now.", tag: "Cards",
                    answers: [.ok("Card", "As it is now")])
            ) { visit in
                try changingPicture(visit, kind) {
                    try visit.quire.cards.restore(kind, of: visit.id(of: "card"), by: visit.member())
                }
            },
        ]
    }

    private static func file(
        _ visit: Visit, _ read: (OwnCards, OwnCard) throws -> [UInt8]?
    ) throws -> [UInt8] {
        guard let bytes = try read(visit.quire.cards, visit.ownCard()) else { throw noPicture }
        return bytes
    }

    /// What cannot be done is said on the page it was asked from.
    private static func changingPicture(
        _ visit: Visit, _ kind: CardPicture.Kind, _ body: () throws -> OwnCard
    ) throws -> Response {
        do {
            let card = try body()
            let here = "/cards/\(card.id)/\(kind.rawValue)"
            return visit.done(
                card.json(at: visit.address(of: card)), next: "\(here)/crop", notice: "notice.saved")
        } catch let failure as Failure where visit.wantsPage && failure.code != .notFound {
            return visit.page(
                try picturePage(visit, kind, failure: failure), Site.status(of: failure.code))
        }
    }

    private static func picturePage(
        _ visit: Visit, _ kind: CardPicture.Kind, failure: Failure? = nil
    ) throws -> HTML {
        let card = try visit.ownCard()
        return Pages.cardPicture(
            visit.frameAt("/cards/\(card.id)/\(kind.rawValue)/crop"),
            CardPicturePage(card: card, kind: kind, error: failure.map { visit.said($0) }))
    }
}
