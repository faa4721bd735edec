import Bytes
import CardCase
import Crypto
import HTTP
import Markup
import WebAssets

/// The page of a card. It carries its style inside itself, asks for nothing but the picture, and runs nothing but one line that
/// has it kept for where there is no network.
struct PublicCardPage: Sendable {
    var card: OwnCard
    var texts: Texts
    var places: Places
    /// The rules of `card.css`.
    var style: String
    /// What its reader is told below the card.
    var said: String?

    /// Where the page and what belongs to it lie.
    struct Places: Sendable {
        /// The whole address; nil for a copy of which nobody knows where it will lie.
        var address: String?
        var file: String
        var pictures: CardView.Pictures
        var glance: String
        /// For Apple Wallet; nil where nobody can sign one.
        var pass: String?
        /// Where visitors send their own card; nil where they cannot.
        var answer: String?
        /// What keeps the page for where there is no network; nil where it is not to be kept, or lies elsewhere.
        var worker: String?
        /// The whole address of a picture for previews of links.
        var preview: String?
    }

    /// Makes the browser take this very style, this very line to run, and nothing else.
    static func policy(style: String, running line: String? = nil) -> String {
        func digest(_ text: String) -> String { "'sha256-\(Base64.encode(Array(SHA256.hash(text))))'" }
        let scripts = line.map { "script-src \(digest($0)); worker-src 'self'; " } ?? ""
        return
            "default-src 'none'; \(scripts)style-src \(digest(style)); img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    /// Starts the worker, and has it keep this page and what belongs to it.
    var line: String? {
        places.worker.map {
            "navigator.serviceWorker?.register('\($0)').then(()=>navigator.serviceWorker.ready).then(w=>w.active.postMessage('keep')).catch(()=>{})"
        }
    }

    static func style(_ assets: Assets, _ theme: CardTheme) -> String {
        let rules = String(decoding: assets.asset(named: "card.css")?.content.bytes ?? [], as: UTF8.self)
            .split(separator: "\n").filter { line in
                // Of the colours only those of this card.
                let isTheme = CardTheme.allCases.contains { line.hasPrefix(".bizcard-\($0.rawValue) ") }
                return !line.hasPrefix("/*") && (!isTheme || line.hasPrefix(".bizcard-\(theme.rawValue) "))
            }
        return """
            :root { color-scheme: light dark; } body { margin: 0; min-block-size: 100vh; background: var(--c-ground); } \
            .around { max-inline-size: 34rem; margin-inline: auto; padding: 1rem; box-sizing: border-box; } \
            @media (min-width: 40rem) { .around { padding-block: 3rem; } } \
            .said { margin: 1rem 0.5rem 0; color: var(--c-soft); font: 0.875rem/1.5 system-ui, sans-serif; } \(rules.joined(separator: "\n"))
            """
    }

    private var name: String { card.shownName(for: texts.language.tag) }

    var html: HTML {
        let t = texts
        var actions = [(address: places.file, label: t("card.save"), isMain: true)]
        if let pass = places.pass { actions.append((pass, t("card.wallet"), false)) }
        if let answer = places.answer { actions.append((answer, t("card.sendBack"), false)) }
        actions.append((places.glance, t("card.showCode"), false))
        let view = CardView(
            card: card, texts: t, pictures: places.pictures, actions: actions, isPage: true)
        let below: HTML = said.map { "<p class=\"said\">\($0)</p>" } ?? .empty
        return """
            <!doctype html>
            <html lang="\(t.language.tag)"><head><meta charset="utf-8"><title>\(name)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            \(description)<style>\(raw: style)</style></head>
            <body class="bizcard-\(card.theme.rawValue)">\(CardIcons.sprite)<main class="around">\(view.html)\(below)</main>\(line.map { "<script>\(raw: $0)</script>" as HTML } ?? .empty)</body></html>
            """
    }

    /// For programs: previews of links, readers of h-cards and of structured data.
    private var description: HTML {
        let about = [card.title, card.organization, card.headline].filter { !$0.isEmpty }.joined(
            separator: " · ")
        let picture: HTML =
            places.preview.map { "<meta property=\"og:image\" content=\"\($0)\">" } ?? .empty
        let (itself, canonical): (HTML, HTML) =
            places.address.map {
                (
                    "<meta property=\"og:url\" content=\"\($0)\">",
                    "<link rel=\"canonical\" href=\"\($0)\">"
                )
            } ?? (.empty, .empty)
        let colours = [("light", card.theme.light.ground), ("dark", card.theme.dark.ground)]
        return """
            <meta name="robots" content="noindex"><meta name="description" content="\(about)">
            <meta property="og:type" content="profile"><meta property="og:title" content="\(name)">\
            <meta property="og:description" content="\(about)">\(itself)\(picture)
            \(colours.map { "<meta name=\"theme-color\" media=\"(prefers-color-scheme: \($0.0))\" content=\"\(CardTheme.css($0.1))\">" as HTML })
            \(canonical)<link rel="alternate" type="text/vcard" href="\(places.file)">
            <script type="application/ld+json">\(script: linkedData.text)</script>
            """
    }

    private var linkedData: JSON {
        var person: JSON = [
            "@context": "https://schema.org",
            "@type": .string(card.name.isEmpty ? "Organization" : "Person"),
            "name": .string(card.name.isEmpty ? card.organization : card.name.plain),
        ]
        if let address = places.address { person["url"] = .string(address) }
        if !card.title.isEmpty { person["jobTitle"] = .string(card.title) }
        if !card.organization.isEmpty, !card.name.isEmpty {
            person["worksFor"] = ["@type": "Organization", "name": .string(card.organization)]
        }
        if card.pictures[.photo] != nil, let preview = places.preview { person["image"] = .string(preview) }
        func all(_ wanted: (FieldKind) -> Bool, _ value: (OwnCard.Field) -> String?) -> [JSON] {
            card.fields.filter { wanted($0.kind) }.compactMap(value).map(JSON.string)
        }
        let mails = all({ $0.id == "email" }, \.value)
        let phones = all({ $0.form == .telephone }, \.value)
        let pages = all({ $0.form != .telephone && $0.form != .mail }, \.link)
        if !mails.isEmpty { person["email"] = .array(mails) }
        if !phones.isEmpty { person["telephone"] = .array(phones) }
        if !pages.isEmpty { person["sameAs"] = .array(pages) }
        return person
    }
}

/// Black, and a code as large as the screen: to be held up, also by a watch.
struct GlancePage: Sendable {
    var name: String
    var language: String
    /// The picture of the code.
    var code: String
    var back: String
    var backLabel: String

    static let style =
        "body{margin:0;background:#000;color:#fff}main{min-height:100vh;display:grid;place-content:center;justify-items:center;gap:1rem;font:1.25rem/1.3 system-ui,sans-serif;text-align:center}svg{width:min(94vw,78vh);height:auto;background:#fff;border-radius:.5rem;forced-color-adjust:none}h1{font-size:1.25rem;margin:0 1rem;font-weight:600}a{color:#fff;padding:.75rem 1.5rem}"

    var html: HTML {
        """
        <!doctype html>
        <html lang="\(language)"><head><meta charset="utf-8"><title>\(name)</title>\
        <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">\
        <meta name="theme-color" content="#000000"><style>\(raw: Self.style)</style></head>
        <body><main>\(raw: code)<h1 dir="auto">\(name)</h1><a href="\(url: back)">\(backLabel)</a></main></body></html>
        """
    }
}

/// What a visitor is told who comes by a link that opens once, or that leads nowhere.
enum VisitorPages {
    static func once(_ frame: Frame, path: String, from name: String) -> HTML {
        let t = frame.texts
        return Shell.plain(
            frame, title: t("card.once.title"), isForStrangers: true,
            """
            <section class="card"><h1>\(t("card.once.title"))</h1><p>\(t("card.once.text", ["name": .text(name)]))</p>\
            <form class="stack" method="post" action="\(url: path)/opening">\(Form.csrf(frame))\
            <button class="button button-main button-wide">\(t("card.once.open"))</button></form></section>
            """)
    }

    static func gone(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Shell.plain(
            frame, title: t("card.gone.title"), isForStrangers: true,
            """
            <section class="card">\(Part.empty(
                frame, icon: .person, title: t("card.gone.title"), isPageTitle: true, "<p>\(t("card.gone.text"))</p>"))</section>
            """)
    }

    /// The form for a card of one's own.
    static func answer(
        _ frame: Frame, path: String, from name: String, typed: VisitorCard = VisitorCard(),
        failure: (sentence: String, field: String?)? = nil
    ) -> HTML {
        let t = frame.texts
        func field(
            _ name: String, _ value: String, type: String = "text", autocomplete: String, rows: Int? = nil,
            isRequired: Bool = false
        ) -> HTML {
            Form.field(
                frame,
                Form.Field(
                    name: name, label: t("card.answer.\(name)"), value: value, type: type,
                    error: failure?.field == name ? failure?.sentence : nil, autocomplete: autocomplete,
                    isRequired: isRequired, maximumLength: rows == nil ? 200 : 1000, rows: rows,
                    optionalNote: isRequired ? nil : t("form.optional")))
        }
        let isPlaced = ["name", "email", "phone", "organization", "title", "website", "message"].contains(
            failure?.field)
        return Shell.plain(
            frame, title: t("card.answer.heading"), isForStrangers: true,
            """
            <section class="card"><h1>\(t("card.answer.heading"))</h1>\
            <p class="soft">\(t("card.answer.text", ["name": .text(name)]))</p>\(Form.failure(frame, isPlaced ? nil : failure?.sentence))\
            <form class="stack" method="post" action="\(url: path)/answer">\(Form.csrf(frame))\
            \(field("name", typed.name, autocomplete: "name", isRequired: true))\
            \(field("email", typed.email, type: "email", autocomplete: "email"))\
            \(field("phone", typed.phone, type: "tel", autocomplete: "tel"))\
            \(field("organization", typed.organization, autocomplete: "organization"))\
            \(field("title", typed.title, autocomplete: "organization-title"))\
            \(field("website", typed.website, autocomplete: "url"))\
            \(field("message", typed.message, autocomplete: "off", rows: 3))\
            <button class="button button-main button-wide">\(t("card.answer.send"))</button>\
            <a class="button button-wide" href="\(url: path)">\(t("card.back"))</a></form></section>
            """)
    }

    static func thanks(_ frame: Frame, address: String, from name: String) -> HTML {
        let t = frame.texts
        return Shell.plain(
            frame, title: t("card.thanks.title"), isForStrangers: true,
            """
            <section class="card"><h1>\(t("card.thanks.title"))</h1>\
            <p>\(t("card.thanks.text", ["name": .text(name)]))</p>\(Part.secret(address))\
            <div class="row">\(Part.copy(frame, address))\(Part.link(frame, address, t("card.back"), css: "button button-main"))</div></section>
            """)
    }
}
