import App
import Archives
import Bytes
import CardCase
import Cards
import Codes
import HTTP
import Library
import Markup
import Starters
import Storage
import WebAssets
import Work

/// Cards as files that any web server gives out, or nobody but a browser reads: a folder for each, which leads nowhere but
/// into itself.
struct CardCopy {
    struct File {
        var name: String
        var bytes: [UInt8]
    }

    private(set) var files: [File] = []
    private let visit: Visit
    /// Where the folder will lie; nil when nobody has said.
    private let base: String?

    init(of cards: [OwnCard], at base: String?, _ visit: Visit) throws {
        self.visit = visit
        self.base = base
        var listed: [(card: OwnCard, folder: String)] = []
        for own in cards {
            let card = own.seen(by: .everybody)
            try add(card, own)
            listed.append((card, card.slug))
        }
        if listed.count > 1 { files.append(File(name: "index.html", bytes: Array(index(listed).text.utf8))) }
    }

    private mutating func add(_ card: OwnCard, _ own: OwnCard) throws {
        let texts = visit.texts(of: card)
        let address = base.map { "\($0)/\(card.slug)/" }
        let code = try visit.code(of: own, at: address)
        func put(_ name: String, _ bytes: [UInt8]) {
            files.append(File(name: "\(card.slug)/\(name)", bytes: bytes))
        }
        let preview = try preview(visit.sheetContent(of: card, code))
        let page = PublicCardPage(
            card: card, texts: texts,
            places: PublicCardPage.Places(
                address: address, file: "card.vcf", pictures: .beside(card), glance: "glance.html",
                preview: preview == nil ? nil : address.map { $0 + "preview.jpg" }),
            style: PublicCardPage.style(visit.site.assets, card.theme))
        put("index.html", Array(page.html.text.utf8))
        var around = try visit.surroundings(of: card, pictures: true)
        around.address = address ?? around.address
        put("card.vcf", card.file(as: .vcard3, around))
        for kind in CardPicture.Kind.allCases {
            if let picture = try visit.quire.cards.picture(kind, of: card) {
                put("\(kind.rawValue).jpg", picture)
            }
        }
        put("code.svg", Array(code.code.svg(label: code.label).utf8))
        put("code.png", code.code.png())
        let name = card.shownName(for: texts.language.tag)
        let glance = GlancePage(
            name: name, language: texts.language.tag,
            code: code.code.svg(label: texts("cards.code.label", ["name": .text(name)])), back: "index.html",
            backLabel: texts("card.back"))
        put("glance.html", Array(glance.html.text.utf8))
        if let preview { put("preview.jpg", preview) }
    }

    /// What is shown where somebody passes the link on; a desk that can draw no pages does without.
    private func preview(_ content: CardSheet.Content) throws -> [UInt8]? {
        let bytes = try CardSheet.preview(of: content)
        return try? visit.quire.previews.picture(of: Digest(of: bytes), page: 0, width: 1200) { bytes }
    }

    private func index(_ cards: [(card: OwnCard, folder: String)]) -> HTML {
        let t = visit.texts
        let items = cards.map { card, folder -> HTML in
            let about = [card.title, card.organization].filter { !$0.isEmpty && $0 != card.shownName() }
            return """
                <li lang="\(card.language.rawValue)"><a href="\(url: folder)/index.html" dir="auto">\(card.shownName())</a> <span dir="auto">\(about.joined(separator: ", "))</span></li>
                """
        }
        return """
            <!doctype html>
            <html lang="\(t.language.tag)"><head><meta charset="utf-8"><title>\(t("cards.copy.index"))</title>\
            <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">\
            <style>\(raw: Self.style)</style></head>
            <body><main><h1>\(t("cards.copy.index"))</h1><ul>\(items)</ul></main></body></html>
            """
    }

    private static let style =
        ":root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;margin:0}main{max-width:34rem;margin:auto;padding:1.5rem}ul{list-style:none;padding:0}li{padding:.25rem 0}a{display:inline-block;padding:.5rem 0}"

    func archive() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        for file in files { try zip.add(file.name, file.bytes, modified: visit.now) }
        try zip.finish()
        return bytes
    }

    /// An address to which a name can be added; nil when none was said.
    static func base(_ said: String?) throws(Failure) -> String? {
        var base = (said ?? "").filter { !$0.isWhitespace }
        guard !base.isEmpty else { return nil }
        while base.hasSuffix("/") { base.removeLast() }
        let host = base.hasPrefix("https://") ? base.dropFirst(8) : base.dropFirst(7)
        let isFine =
            (base.hasPrefix("https://") || base.hasPrefix("http://")) && base.utf8.count <= 400
            && !(host.first.map { "/:.".contains($0) } ?? true)
            && base.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"\"<>\\^`{|}?#@".utf8.contains($0) }
        guard isFine else {
            throw Failure(
                .invalid, "Give the address where the copy will lie, such as https://example.org/cards.",
                field: "address")
        }
        return base
    }

    /// Those that were named, in this order; all of them when none was.
    static func cards(_ visit: Visit) throws -> [OwnCard] {
        let named = (visit.request.query["cards"] ?? "").split(separator: ",").map(String.init)
        let all = try visit.quire.cards.list(by: visit.member())
        guard !named.isEmpty else {
            guard !all.isEmpty else {
                throw Failure(.notFound, "There are no cards to copy. Make one first.")
            }
            return all
        }
        guard named.count <= OwnCards.most * 10 else {
            throw Failure(.tooMany, "These are too many cards at once.", field: "cards")
        }
        var found: [OwnCard] = []
        for name in named {
            guard let card = all.first(where: { $0.id.text == name }) else {
                throw Failure(.notFound, "There is no such card. It may have been removed.")
            }
            if !found.contains(where: { $0.id == card.id }) { found.append(card) }
        }
        return found
    }
}
