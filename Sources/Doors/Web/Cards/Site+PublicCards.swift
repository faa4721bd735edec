import Access
import App
import Bytes
import CardCase
import Codes
import HTTP
import Markup
import Storage
import WebAssets
import Work

/// Cards as anybody sees them who has the address. Nothing is kept of who looks; a link for one person is counted.
extension Site {
    static let publicCardActions: [Action] =
        CardPicture.Kind.allCases.map(seenPicture) + [
            Action(.get, "/c/{slug}", .anyone) { visit in
                let (slug, form) = named(visit.parameter("slug"))
                switch try visit.quire.cards.follow(slug, pass: visit.cardPass(slug)) {
                case .gone: return goneCard(visit)
                case .moved(let now):
                    return .redirect(to: "/c/\(now)" + (form.map { ".\($0)" } ?? ""))
                case .once(let link):
                    guard visit.wantsPage, form == nil else { return goneCard(visit) }
                    let card = try visit.quire.cards.owner(of: link)
                    return visit.page(VisitorPages.once(visit.frame, path: "/c/\(slug)", from: card)).kept(
                        false)
                case .card(let shown):
                    let response = try answer(visit, shown, form)
                    if form == nil, let link = shown.link, !link.isOnce, visit.request.method == .get {
                        try visit.quire.cards.count(link)
                    }
                    return response
                }
            },
            Action(.get, cardWorker, .anyone) { visit in
                guard let script = visit.site.assets.asset(named: "card-worker.js")?.content.bytes else {
                    throw Refusal(.notFound, "There is no worker.")
                }
                return Response.bytes(script, .script).with("Cache-Control", "no-cache")
                    .with("Content-Security-Policy", "default-src 'none'; connect-src 'self'")
            },
            Action(.get, "/c/{slug}/glance", .anyone) { visit in
                guard let shown = try shownCard(visit) else { return goneCard(visit) }
                let name = shown.card.shownName(for: shown.card.language.rawValue)
                let texts = visit.texts(of: shown.card)
                let address = visit.address(of: shown.slug)
                guard let code = QRCode(address, boosts: true), code.text == address else {
                    throw Failure(.damaged, "The code could not be read again, so it is not given away.")
                }
                let page = GlancePage(
                    name: name, language: texts.language.tag,
                    code: code.svg(label: texts("cards.code.label", ["name": .text(name)])),
                    back: "/c/\(shown.slug)",
                    backLabel: texts("card.back"))
                return still(page.html, policy: PublicCardPage.policy(style: GlancePage.style)).kept(
                    shown.link == nil)
            },
            Action(.post, "/c/{slug}/opening", .anyone) { visit in
                let slug = visit.parameter("slug").lowercased()
                do {
                    let pass = try visit.quire.cards.openOnce(slug, from: visit.visitor)
                    var response = Response.redirect(to: "/c/\(PercentCoding.encode(slug))")
                    response.set(
                        visit.site.cookie(Visit.cardPassName(slug), pass, maxAge: 3_600, for: visit))
                    return response.kept(false)
                } catch let failure as Failure where failure.code == .notFound {
                    return goneCard(visit)
                }
            },
            Action(.get, "/c/{slug}/answer", .anyone) { visit in
                guard let shown = try shownCard(visit), shown.card.answers == .welcome else {
                    return goneCard(visit)
                }
                return visit.page(
                    VisitorPages.answer(
                        visit.frame, path: "/c/\(shown.slug)", from: shown.card.shownName())
                ).kept(false)
            },
            Action(.post, "/c/{slug}/answer", .anyone) { visit in
                guard let shown = try shownCard(visit) else { return goneCard(visit) }
                let input = try visit.input
                var said = VisitorCard()
                let lines: [(String, WritableKeyPath<VisitorCard, String>)] = [
                    ("name", \.name), ("email", \.email), ("phone", \.phone),
                    ("organization", \.organization),
                    ("title", \.title), ("website", \.website), ("message", \.message), ("card", \.card),
                ]
                for (name, path) in lines { said[keyPath: path] = try input.text(name) ?? "" }
                let name = shown.card.shownName()
                do {
                    let slug = try visit.quire.cards.answer(
                        shown.slug, said, pass: visit.cardPass(shown.slug), from: visit.visitor)
                    let address = visit.address(of: slug)
                    guard visit.wantsPage else {
                        return Response.json(["address": .string(address)], .created).kept(false)
                    }
                    return visit.page(VisitorPages.thanks(visit.frame, address: address, from: name)).kept(
                        false)
                } catch let failure as Failure where visit.wantsPage && failure.code != .tooMany {
                    return visit.page(
                        VisitorPages.answer(
                            visit.frame, path: "/c/\(shown.slug)", from: name, typed: said,
                            failure: (visit.said(failure), failure.field)), Site.status(of: failure.code)
                    ).kept(false)
                }
            },
        ]

    /// It lies beside the cards, so that it can keep them and nothing else of the desk.
    private static let cardWorker = "/c/worker.js"

    private static func seenPicture(_ kind: CardPicture.Kind) -> Action {
        Action(.get, "/c/{slug}/\(kind.rawValue)", .anyone) { visit in
            guard let shown = try shownCard(visit),
                let picture = try visit.quire.cards.picture(kind, of: shown.card)
            else { throw noPicture }
            return Response.bytes(picture, .jpeg).with("Cache-Control", "private, max-age=300")
                .kept(shown.link == nil)
        }
    }

    /// `7k2m9q4x.vcf`
    private static func named(_ text: String) -> (slug: String, form: String?) {
        let parts = text.lowercased().split(separator: ".", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }

    /// For what belongs to a card that is open; nil when it is not, and what moved is not looked for a second time.
    private static func shownCard(_ visit: Visit) throws -> ShownCard? {
        let slug = visit.parameter("slug").lowercased()
        guard case .card(let shown) = try visit.quire.cards.follow(slug, pass: visit.cardPass(slug)) else {
            return nil
        }
        return shown
    }

    private static func answer(_ visit: Visit, _ shown: ShownCard, _ form: String?) throws -> Response {
        switch form {
        case "vcf":
            return try visit.cardFile(shown.card, inline: true, slug: shown.slug)
                .with("Cache-Control", "private, no-cache").kept(shown.link == nil)
        case "pkpass":
            // What is for one person alone is not for a pass, which stays.
            guard shown.slug == shown.card.slug, try visit.passCertificate(for: shown.card) != nil else {
                return goneCard(visit)
            }
            return try visit.pass(of: shown.card)
        case "png", "svg":
            let address = visit.address(of: shown.slug)
            guard let code = QRCode(address, boosts: true), code.text == address else {
                throw Failure(.damaged, "The code could not be read again, so it is not given away.")
            }
            let label = visit.texts(of: shown.card)(
                "cards.code.label", ["name": .text(shown.card.shownName())])
            return form == "png" ? .bytes(code.png(), .png) : .text(code.svg(label: label), .svg)
        case nil where visit.wantsPage:
            let style = PublicCardPage.style(visit.site.assets, shown.card.theme)
            let page = try page(visit, shown, style)
            return still(page.html, policy: PublicCardPage.policy(style: style, running: page.line))
                .kept(shown.link == nil)
        case nil, "json": return .json(publicJSON(visit, shown)).kept(shown.link == nil)
        default: return goneCard(visit)
        }
    }

    private static func page(_ visit: Visit, _ shown: ShownCard, _ style: String) throws -> PublicCardPage {
        let card = shown.card
        let texts = visit.texts(of: card)
        let (path, address) = ("/c/\(shown.slug)", visit.address(of: shown.slug))
        let isWelcome = card.answers == .welcome
        var page = PublicCardPage(
            card: card, texts: texts,
            places: PublicCardPage.Places(
                address: address, file: "\(path).vcf", pictures: .at(path, card), glance: "\(path)/glance",
                preview: card.pictures[.photo] == nil ? nil : "\(address)/photo"), style: style)
        if shown.slug == card.slug, try visit.passCertificate(for: card) != nil {
            page.places.pass = "\(path).pkpass"
        }
        // A link for one person ends, so nothing of it stays.
        if shown.link == nil { page.places.worker = cardWorker }
        if isWelcome, !shown.isAwaited, shown.audience == .everybody { page.places.answer = "\(path)/answer" }
        let key = shown.isAwaited ? "card.awaited" : shown.hidesSome && isWelcome ? "card.hides" : nil
        page.said = key.map { texts($0, ["name": .text(card.shownName(for: texts.language.tag))]) }
        return page
    }

    private static func publicJSON(_ visit: Visit, _ shown: ShownCard) -> JSON {
        let card = shown.card
        var json: JSON = [
            "name": .string(card.shownName()), "address": .string(visit.address(of: shown.slug)),
            "language": .string(card.language.rawValue),
        ]
        for (key, value) in [
            ("title", card.title), ("organization", card.organization), ("department", card.department),
            ("headline", card.headline), ("accreditations", card.accreditations), ("note", card.note),
        ] where !value.isEmpty { json[key] = .string(value) }
        let texts = visit.texts(of: card)
        json["fields"] = .array(
            card.fields.map {
                [
                    "kind": .string($0.kind.id), "name": .string(texts.name(of: $0)),
                    "value": .string($0.value),
                    "link": .optional($0.link),
                ]
            })
        return json
    }

    /// A page that needs no token and sets nothing: the same for everybody who sees the same.
    private static func still(_ html: HTML, policy: String) -> Response {
        Response.html(html.text).with("Content-Security-Policy", policy).with(
            "Cache-Control", "private, no-cache"
        )
        .with("Referrer-Policy", "no-referrer")
    }

    private static func goneCard(_ visit: Visit) -> Response {
        guard visit.wantsPage else {
            return .problem(
                .notFound, detail: "This card is not here: it was taken away, or the link to it has ended.")
        }
        return visit.page(VisitorPages.gone(visit.frame), .notFound).kept(false)
    }
}

extension Visit {
    /// A card speaks one language, whoever looks at it.
    func texts(of card: OwnCard) -> Texts {
        Texts(site.assets.catalog, Language(tag: card.language.rawValue) ?? language)
    }

    static func cardPassName(_ slug: String) -> String { "card_\(slug)" }

    func cardPass(_ slug: String) -> String? {
        request.cookies[site.cookieName(Self.cardPassName(slug), self)]
    }
}
