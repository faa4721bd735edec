import App
import Bytes
import CardCase
import HTTP
import Markup
import Starters
import Storage
import WebAssets

/// How cards are to be printed.
struct CardSheetWish {
    var paper: PaperSize
    var size: CardSheet.Size
    var sides = CardSheet.Sides.code
    var hasMarks = true

    static let parameters: [RouteDocumentation.Parameter] = [
        .init("as", "The sheet, or about it", schema: Schema.choice(["pdf", "json"])),
        .init(
            "paper", "What is printed on; what is usual where the reader is",
            schema: Schema.choice(PaperSize.allCases.map(\.rawValue))),
        .init(
            "size", "Of a card; what is usual with the paper",
            schema: Schema.choice(CardSheet.Size.allCases.map(\.rawValue))),
        .init(
            "side", "A code beside the words, words alone, or the code on the back",
            schema: Schema.choice(CardSheet.Sides.allCases.map(\.rawValue))),
        .init("marks", "Whether there are marks to cut along", schema: Schema.choice(["yes", "no"])),
        .init("holds", "What the code says", schema: Schema.choice(CodeContent.allCases.map(\.rawValue))),
    ]

    /// `usual` is how conversions call the paper.
    init(_ query: Fields, usual: String) throws(Failure) {
        func chosen<Choice: RawRepresentable<String>>(
            _ name: String, _ usual: Choice, _ failure: Failure
        ) throws(Failure) -> Choice {
            guard let word = query[name], !word.isEmpty else { return usual }
            guard let choice = Choice(rawValue: word) else { throw failure }
            return choice
        }
        paper = try chosen(
            "paper", PaperSize(usual: usual),
            Failure(.invalid, "Cards are printed on a4 or letter.", field: "paper"))
        size = try chosen(
            "size", CardSheet.Size(for: paper),
            Failure(.invalid, "A card is 85x55 (millimetres) or 3.5x2in.", field: "size"))
        sides = try chosen(
            "side", .code,
            Failure(
                .invalid, "Cards have a code beside the words (qr), none (plain), or one on the back (both).",
                field: "side"))
        switch query["marks"] ?? "yes" {
        case "yes", "": hasMarks = true
        case "no": hasMarks = false
        default: throw Failure(.invalid, "Marks are yes or no.", field: "marks")
        }
    }
}

extension PaperSize {
    /// As conversions call what is usual somewhere.
    init(usual word: String) { self = word.hasSuffix("letter") ? .letter : .a4 }
}

/// Cards ready to be printed, and what found no room on them.
struct MadeSheet {
    var wish: CardSheetWish
    var sheet: CardSheet
    var code: MadeCode
    var leftOut: [String]

    var json: JSON {
        [
            "paper": .string(wish.paper.rawValue), "size": .string(wish.size.rawValue),
            "side": .string(wish.sides.rawValue), "count": .int(sheet.count), "leftOut": .texts(leftOut),
            "missing": .string(sheet.missing),
            "code": code.json,
        ]
    }
}

extension Visit {
    /// Nothing that is not public is printed: cards of paper are passed on.
    func sheet(of own: OwnCard, _ wish: CardSheetWish) throws -> MadeSheet {
        let code = try code(of: own)
        let card = own.seen(by: .everybody)
        let sheet = try CardSheet(
            sheetContent(of: card, code), paper: wish.paper, size: wish.size, sides: wish.sides,
            hasMarks: wish.hasMarks)
        let texts = texts(of: card)
        return MadeSheet(
            wish: wish, sheet: sheet, code: code,
            leftOut: sheet.leftOut.map { texts.name(of: card.fields[$0]) })
    }

    /// A PNG of a card for a screen.
    func picture(of own: OwnCard, _ kind: CardScreen.Kind) throws -> [UInt8] {
        let card = own.seen(by: .everybody)
        var content = try sheetContent(of: card, code(of: own))
        var colours = card.theme.light
        if kind != .call {
            // The clock of a telephone is white, and a watch is black.
            colours = card.theme.dark
            if kind == .glance { colours.ground = 0 }
        }
        content.text = colours.text
        content.soft = colours.soft
        let page = try CardScreen(content, kind, ground: colours.ground).bytes()
        return try quire.cards.picture(ofPage: page, width: kind.size.width)
    }

    /// What was taken down to what everybody may see before.
    func sheetContent(of card: OwnCard, _ code: MadeCode) throws -> CardSheet.Content {
        let texts = texts(of: card)
        var name = card.name
        // They stand on a line of their own.
        name.pronouns = ""
        let shown = name.shown(in: texts.language.tag)
        let place = [card.organization, card.department].filter { !$0.isEmpty && !shown.isEmpty }
        let about = [card.title, place.joined(separator: ", "), card.accreditations]
        let colours = card.theme.light
        return CardSheet.Content(
            name: shown.isEmpty ? card.organization : shown, pronouns: card.name.pronouns,
            about: about.filter { !$0.isEmpty }, fields: card.fields.map { texts.line(of: $0) },
            photo: try quire.cards.picture(.photo, of: card),
            logo: try quire.cards.picture(.logo, of: card), code: code.code, text: colours.text,
            soft: colours.soft,
            accent: colours.accent, language: texts.language.tag)
    }
}

extension Texts {
    /// A field on one line; what says by itself what it is goes without its name.
    func line(of field: OwnCard.Field) -> String {
        let shown = field.shown.split(whereSeparator: \.isNewline).joined(separator: ", ")
        guard field.title.isEmpty else { return "\(field.title) · \(shown)" }
        return switch field.kind.form {
        case .telephone, .mail, .page, .place: shown
        default: "\(name(of: field.kind)) · \(shown)"
        }
    }
}
