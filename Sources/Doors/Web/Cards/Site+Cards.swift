import Access
import App
import Bytes
import CardCase
import Codes
import HTTP
import Markup
import Starters
import Storage
import Work

/// What members do with their own cards.
extension Site {
    static let cardActions: [Action] = [
        Action(
            .get, "/cards", .member(.view),
            .init(
                "List your cards", description: "The default one first.", tag: "Cards",
                answers: [.ok("CardList", "All of them")])
        ) { visit in
            if visit.wantsPage { return visit.page(try cardsPage(visit)) }
            let cards = try visit.quire.cards.list(by: visit.member())
            return .json(["cards": .array(cards.map { $0.json(at: visit.address(of: $0)) })])
        },
        Action(
            .post, "/cards", .member(.view),
            .init(
                "Make a card",
                description:
                    "It needs a name or an organization. A field without a kind is recognised by its value.",
                tag: "Cards", requestBody: [.init(.json, Schema.cardInput)],
                answers: [.made("Card", "The card")])
        ) { visit in
            do {
                let card = try visit.quire.cards.make(visit.cardSaid(), by: visit.member())
                return visit.done(
                    card.json(at: visit.address(of: card)), .created, at: "/cards/\(card.id)",
                    next: "/cards/\(card.id)", notice: "notice.card.made")
            } catch let failure as Failure where visit.wantsPage {
                return visit.page(
                    try cardsPage(visit, error: visit.said(failure)), Site.status(of: failure.code))
            }
        },
        Action(
            .get, "/cards/kinds", .member(.view),
            .init(
                "List the kinds of fields", description: "Family by family.", tag: "Cards",
                answers: [.ok("FieldKindList", "All of them")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/cards") }
            return .json(["kinds": .array(FieldKind.all.map(\.json))])
        },
        Action(
            .get, "/cards/recognition", .member(.view),
            .init(
                "Recognise what a pasted text is", tag: "Cards",
                parameters: [.init("value", "What was pasted", isRequired: true)],
                answers: [.ok("RecognisedField", "Its kind, or none")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/cards") }
            let found = FieldKind.recognise(String((visit.request.query["value"] ?? "").prefix(4096)))
            return .json([
                "kind": .optional(found?.kind.id), "value": .string(found?.value ?? ""),
                "name": .string(found.map { visit.texts.name(of: $0.kind) } ?? ""),
            ])
        },
        Action(
            .get, "/cards/copy", .member(.view),
            .init(
                "Copy cards for any web server",
                description:
                    "A ZIP with a folder for each card: its page, its file, its code and a picture of it, with what is public. “Send mine back” and links for one person are at the desk alone.",
                tag: "Cards",
                parameters: [
                    .init("cards", "Their ids, with commas between; all of yours when left out"),
                    .init("address", "Where the copy will lie: codes and links lead there"),
                ], answers: [.init(.ok, "The ZIP", [.anything]), .init(.notFound, "There is no such card")])
        ) { visit in
            let base = try CardCopy.base(visit.request.query["address"])
            let copy = try CardCopy(of: CardCopy.cards(visit), at: base, visit)
            return Response.bytes(try copy.archive(), .zip).with(
                "Content-Disposition", Disposition.text(inline: false, fileName: "cards.zip"))
        },
        Action(
            .get, "/cards/{id}", .member(.view),
            .init("Look at a card", tag: "Cards", answers: [.ok("Card", "As its owner has it")])
        ) { visit in
            let card = try visit.ownCard()
            return try visit.show(card.json(at: visit.address(of: card))) {
                Pages.cardEditor(visit.frame, CardEditPage(card: card))
            }
        },
        Action(
            .patch, "/cards/{id}", .member(.view),
            .init(
                "Change a card",
                description:
                    "What is left out stays as it is; `fields` takes the place of all of them, in this order.",
                tag: "Cards", requestBody: [.init(.json, Schema.cardInput)],
                answers: [.ok("Card", "As it is now")])
        ) { visit in
            do {
                let card = try visit.quire.cards.change(
                    visit.id(of: "card"), visit.cardSaid(), by: visit.member())
                return visit.done(card.json(at: visit.address(of: card)), next: "/cards/\(card.id)")
            } catch let failure as Failure where visit.wantsPage && failure.code != .notFound {
                let input = try visit.input
                let page = CardEditPage(
                    card: try visit.ownCard(), failure: (visit.said(failure), failure.field),
                    typed: try input.text("newValue") ?? "", typedKind: try input.text("newKind") ?? "")
                return visit.page(
                    Pages.cardEditor(visit.frame, page), Site.status(of: failure.code))
            }
        },
        Action(
            .delete, "/cards/{id}", .member(.view),
            .init(
                "Remove a card", description: "Its addresses say that it is gone.", tag: "Cards",
                answers: [.init(.noContent, "It is gone")])
        ) { visit in
            try visit.quire.cards.remove(visit.id(of: "card"), by: visit.member())
            return visit.done([:], .noContent, next: "/cards", notice: "notice.removed")
        },
        Action(
            .post, "/cards/{id}/default", .member(.view),
            .init(
                "Make a card the default one", tag: "Cards", answers: [.ok("Card", "As it is now")])
        ) { visit in
            let card = try visit.quire.cards.makeDefault(visit.id(of: "card"), by: visit.member())
            return visit.done(
                card.json(at: visit.address(of: card)), next: "/cards", notice: "notice.saved")
        },
        Action(
            .post, "/cards/{id}/address", .member(.view),
            .init(
                "Give a card another address",
                description:
                    "The `slug`, or one by chance. What was given away before goes on leading to the card.",
                tag: "Cards",
                requestBody: [
                    .init(.json, Schema.object([("slug", Schema.string)], optional: ["slug"]))
                ], answers: [.ok("Card", "As it is now")])
        ) { visit in
            do {
                let card = try visit.quire.cards.readdress(
                    visit.id(of: "card"), to: visit.input.text("slug"), by: visit.member())
                return visit.done(
                    card.json(at: visit.address(of: card)), next: "/cards/\(card.id)/share",
                    notice: "notice.saved")
            } catch let failure as Failure where visit.wantsPage && failure.field == "slug" {
                return visit.page(
                    try sharePage(visit, visit.ownCard(), failure: failure), Site.status(of: failure.code))
            }
        },
        Action(.get, "/cards/{id}/share", .member(.view)) { visit in
            visit.page(try sharePage(visit, visit.ownCard()))
        },
        Action(
            .get, "/cards/{id}/file", .member(.view),
            .init(
                "Take a card out as a file",
                description: "With what is `for` everybody, those after an exchange, or all of it.",
                tag: "Cards",
                parameters: [
                    .init(
                        "as", "In which form", schema: Schema.choice(CardFileForm.allCases.map(\.rawValue))),
                    .init("for", "For whom", schema: Schema.choice(FieldAudience.allCases.map(\.rawValue))),
                ], answers: [.init(.ok, "The file", [.anything])])
        ) { visit in
            let card = try visit.ownCard()
            let word = visit.request.query["for"] ?? FieldAudience.everybody.rawValue
            guard let audience = FieldAudience(rawValue: word) else {
                throw Failure(.invalid, "A card goes out for public, exchange or private.", field: "for")
            }
            return try visit.cardFile(card.seen(by: audience), inline: false)
        },
        Action(
            .get, "/cards/{id}/pass", .member(.view),
            .init(
                "Take a card out for Apple Wallet",
                description:
                    "With what is public and a code of its address, signed with the certificate that Apple gave its owner. Wallet keeps it up to date where the desk is reached by https.",
                tag: "Cards",
                answers: [
                    .init(.ok, "The pass (.pkpass)", [.anything]),
                    .init(.conflict, "There is no certificate, or no address that others reach"),
                ])
        ) { visit in try visit.pass(of: visit.ownCard()) },
        Action(
            .get, "/cards/{id}/tag", .member(.view),
            .init(
                "Make what an NFC tag of a card says",
                description:
                    "Its address, which telephones open; with `holds=vcard` the public part of the card behind it, and alone where the desk has no address that others reach.",
                tag: "Cards",
                parameters: [
                    .init("as", "In which form", schema: Schema.choice(["json", "ndef"])),
                    .init("holds", "What it says", schema: Schema.choice(["address", "vcard"])),
                ], answers: [.init(.ok, "The message", [.init(.json, Schema.ref("CardTag")), .anything])])
        ) { visit in
            let made = try visit.tag(of: visit.ownCard())
            switch visit.request.query["as"] ?? "json" {
            case "json": return .json(made.json)
            case "ndef":
                return Response(
                    headers: ["Content-Type": "application/octet-stream"], body: .bytes(made.message.bytes)
                ).with("Content-Disposition", Disposition.text(inline: false, fileName: "\(made.name).ndef"))
            default: throw Failure(.invalid, "A tag comes out as json or ndef.", field: "as")
            }
        },
        Action(
            .get, "/cards/{id}/code", .member(.view),
            .init(
                "Make a square code of a card",
                description:
                    "It `holds` the card's address where the desk has one that others reach, and the card itself else. Read again before it is given.",
                tag: "Cards",
                parameters: [
                    .init("as", "In which form", schema: Schema.choice(CodeForm.allCases.map(\.rawValue))),
                    .init(
                        "holds", "What it says", schema: Schema.choice(CodeContent.allCases.map(\.rawValue))),
                ], answers: [.init(.ok, "The code", [.init(.json, Schema.ref("CardCode")), .anything])])
        ) { visit in
            let made = try visit.code(of: visit.ownCard())
            switch CodeForm(rawValue: visit.request.query["as"] ?? "json") {
            case .json: return .json(made.json)
            case .svg:
                return Response.text(made.code.svg(label: made.label), .svg).with(
                    "Content-Disposition", Disposition.text(inline: true, fileName: "\(made.name).svg"))
            case .png:
                return Response.bytes(made.code.png(), .png).with(
                    "Content-Disposition", Disposition.text(inline: true, fileName: "\(made.name).png"))
            case .text: return .text(made.code.terminal())
            case nil:
                throw Failure(.invalid, "A code comes out as json, svg, png or text.", field: "as")
            }
        },
        Action(
            .get, "/cards/{id}/sheet", .member(.view),
            .init(
                "Print cards on a sheet",
                description:
                    "A PDF of ten cards with marks to cut along, with what is public and a code as `/cards/{id}/code` makes it; `json` tells what found no room.",
                tag: "Cards", parameters: CardSheetWish.parameters,
                answers: [.init(.ok, "The sheet", [.init(.json, Schema.ref("CardSheet")), .anything])])
        ) { visit in
            let wish = try CardSheetWish(visit.request.query, usual: visit.usualSize)
            let made = try visit.sheet(of: visit.ownCard(), wish)
            switch visit.request.query["as"] ?? "pdf" {
            case "json": return .json(made.json)
            case "pdf":
                return Response.bytes(made.sheet.bytes(), .pdf)
                    .with(
                        "Content-Disposition",
                        Disposition.text(inline: true, fileName: "\(made.code.name).pdf")
                    )
                    .with("Content-Security-Policy", SecurityHeaders.pdfContents)
            default: throw Failure(.invalid, "A sheet of cards comes out as pdf or json.", field: "as")
            }
        },
        Action(
            .get, "/cards/{id}/picture", .member(.view),
            .init(
                "Draw a card for a screen",
                description:
                    "A PNG with the name and a code: a wallpaper of 1170 by 2532 pixels, a background for calls of 1920 by 1080, or a picture of 396 by 484 for a watch.",
                tag: "Cards",
                parameters: [
                    .init(
                        "kind", "For which screen",
                        schema: Schema.choice(CardScreen.Kind.allCases.map(\.rawValue))),
                    .init(
                        "holds", "What the code says",
                        schema: Schema.choice(CodeContent.allCases.map(\.rawValue))),
                ], answers: [.init(.ok, "A PNG", [.anything])])
        ) { visit in
            let word = visit.request.query["kind"] ?? CardScreen.Kind.wallpaper.rawValue
            guard let kind = CardScreen.Kind(rawValue: word) else {
                throw Failure(.invalid, "A picture is for a wallpaper, a call or a glance.", field: "kind")
            }
            let card = try visit.ownCard()
            return Response.bytes(try visit.picture(of: card, kind), .png).with(
                "Content-Disposition",
                Disposition.text(inline: false, fileName: "\(visit.fileName(of: card)) \(word).png"))
        },
        Action(
            .get, "/cards/{id}/signature", .member(.view),
            .init(
                "Make a signature for mails of a card",
                description:
                    "With what is public: HTML that mail programs bear, and the same as plain text. The picture is left out unless it is asked for.",
                tag: "Cards",
                parameters: [
                    .init("as", "Both, or one of them", schema: Schema.choice(["json", "html", "text"])),
                    .init("photo", "Whether the picture is in it", schema: Schema.choice(["yes", "no"])),
                ],
                answers: [
                    .init(.ok, "The signature", [.init(.json, Schema.ref("CardSignature")), .anything])
                ])
        ) { visit in
            let card = try visit.ownCard()
            let signature = try visit.signature(of: card)
            switch visit.request.query["as"] ?? "json" {
            case "html":
                // Looked at inside of our own page, which runs nothing of it.
                return Response.html(signature.page.text).with(
                    "Content-Security-Policy", SecurityHeaders.fileContents
                ).with("X-Frame-Options", "SAMEORIGIN")
            case "text": return .text(signature.plain)
            case "json":
                guard visit.wantsPage else { return .json(signature.json) }
                let page = CardSignaturePage(card: card, signature: signature)
                return visit.page(Pages.cardSignature(visit.frameAt("/cards/\(card.id)/signature"), page))
                    .with(
                        "Content-Security-Policy",
                        SecurityHeaders.policy(nonce: visit.nonce) + "; frame-src 'self'")
            default: throw Failure(.invalid, "A signature comes out as json, html or text.", field: "as")
            }
        },
        Action(
            .get, "/cards/{id}/links", .member(.view),
            .init(
                "List the links to a card", tag: "Cards", answers: [.ok("CardLinkList", "The latest first")])
        ) { visit in
            let card = try visit.ownCard()
            if visit.wantsPage { return .redirect(to: "/cards/\(card.id)/share") }
            let links = try visit.quire.cards.links(of: card.id, by: visit.member())
            return .json(["links": .array(links.map { $0.json(visit.address(of: $0.slug), at: visit.now) })])
        },
        Action(
            .post, "/cards/{id}/links", .member(.view),
            .init(
                "Make a link to a card for one person", tag: "Cards",
                requestBody: [.init(.json, Schema.cardLinkInput)],
                answers: [.made("CardLink", "The link")])
        ) { visit in
            let input = try visit.input
            let word =
                try input.text("shows").flatMap { $0.isEmpty ? nil : $0 } ?? FieldAudience.everybody.rawValue
            guard let audience = FieldAudience(rawValue: word), audience != .nobody else {
                throw Failure(
                    .invalid, "A link shows what is public, or also what is for after an exchange.",
                    field: "shows")
            }
            let link: CardLink
            do {
                link = try visit.quire.cards.link(
                    to: visit.id(of: "card"), for: input.text("note") ?? "",
                    until: input.days("days", from: visit.now), once: input.flag("once"), showing: audience,
                    by: visit.member())
            } catch let failure as Failure where visit.wantsPage && failure.field != nil {
                return visit.page(
                    try sharePage(visit, visit.ownCard(), failure: failure), Site.status(of: failure.code))
            }
            return visit.done(
                link.json(visit.address(of: link.slug), at: visit.now), .created,
                at: "/cards/\(link.card)/links", next: "/cards/\(link.card)/share#links",
                notice: "notice.card.linked")
        },
        Action(
            .delete, "/cards/{id}/links/{link}", .member(.view),
            .init(
                "Revoke a link to a card", description: "A second time it is removed from the list.",
                tag: "Cards", answers: [.init(.noContent, "It leads nowhere now")])
        ) { visit in
            let card: ID<OwnCard> = try visit.id(of: "card")
            try visit.quire.cards.revoke(visit.id("link", of: "link"), of: card, by: visit.member())
            return visit.done([:], .noContent, next: "/cards/\(card)/share#links", notice: "notice.revoked")
        },
        Action(
            .get, "/cards/answers", .member(.view),
            .init(
                "List the cards that visitors sent back", description: "Those that wait, the latest first.",
                tag: "Cards", answers: [.ok("CardAnswerList", "On all of your cards")])
        ) { visit in
            let answers = try visit.quire.cards.answers(by: visit.member())
            if visit.wantsPage { return .redirect(to: "/cards") }
            return .json(["answers": .array(answers.map(\.json))])
        },
        Action(
            .post, "/cards/answers/{id}", .member(.edit),
            .init(
                "Say yes to a card that was sent back",
                description: "It becomes a contact, and who sent it sees what is for after an exchange.",
                tag: "Cards", answers: [.ok("CardAnswer", "Who it is")])
        ) { visit in
            let answer = try visit.quire.cards.take(visit.id(of: "card"), by: visit.member())
            return visit.done(
                answer.json, next: "/cards", notice: "notice.card.taken", ["name": .text(answer.name)])
        },
        Action(
            .delete, "/cards/answers/{id}", .member(.view),
            .init(
                "Say no to a card that was sent back", description: "Nothing is kept of it.", tag: "Cards",
                answers: [.init(.noContent, "It is gone")])
        ) { visit in
            try visit.quire.cards.decline(visit.id(of: "card"), by: visit.member())
            return visit.done([:], .noContent, next: "/cards", notice: "notice.removed")
        },
    ]

    private static func cardsPage(_ visit: Visit, error: String? = nil) throws -> HTML {
        let caller = try visit.member()
        return Pages.cards(
            visit.frameAt("/cards"),
            CardsPage(
                cards: try visit.quire.cards.list(by: caller),
                answers: try visit.quire.cards.answers(by: caller),
                error: error))
    }

    private static func sharePage(_ visit: Visit, _ card: OwnCard, failure: Failure? = nil) throws -> HTML {
        var page = CardSharePage(
            card: card, address: visit.address(of: card), isReachable: visit.isReachable,
            links: try visit.quire.cards.links(of: card.id, by: visit.member()).map {
                ($0, visit.address(of: $0.slug))
            }, error: failure.map { visit.said($0) })
        page.paper = PaperSize(usual: visit.usualSize)
        page.hasPass = try visit.passCertificate(for: card) != nil
        page.wallets = try visit.quire.cards.walletCount(of: card.id, by: visit.member())
        if let wish = try? CardSheetWish([:], usual: visit.usualSize),
            let made = try? visit.sheet(of: card, wish)
        {
            (page.leftOut, page.missing) = (made.leftOut, made.sheet.missing)
        }
        if failure != nil {
            page.note = try visit.input.text("note") ?? ""
            page.slug = try visit.input.text("slug") ?? ""
        }
        do { page.code = try visit.code(of: card) } catch let failure as Failure {
            page.codeError = visit.said(failure)
        }
        return Pages.cardShare(visit.frameAt("/cards/\(card.id)/share"), page)
    }
}

/// The files a card becomes.
enum CardFileForm: String, CaseIterable {
    case vcard3, vcard4, jcard, jscontact
}

/// What a square code becomes.
enum CodeForm: String, CaseIterable {
    case json, svg, png, text
}
