import App
import Bytes
import Markup
import WebAssets

/// The page around the page: head, navigation, the + menu, messages.
enum Shell {
    /// A page of the app, for people who are signed in.
    ///
    /// - Parameter isFirst: most come here first, and wait for no more than it wears
    static func page(
        _ frame: Frame, title: String, narrow: Bool = false, isFirst: Bool = false, _ content: HTML
    ) -> HTML {
        let t = frame.texts
        return document(
            frame, title: title, bodyClass: "app", isFirst: isFirst,
            body: """
                <a class="skip-link" href="#main">\(t("shell.skip"))</a>
                \(navigation(frame))
                <header class="topbar">
                <a class="brand" href="/">\(mark(frame))<span>Quire</span></a>
                <div class="topbar-tools">
                <a class="search-button" href="/search" data-command="palette" aria-label="\(t("shell.search"))">\
                \(frame.icon(.search))<span>\(t("shell.search"))</span><kbd class="script-only">Ctrl K</kbd></a>
                \(bell(frame))
                \(activity(frame))
                <button class="avatar-button" type="button" popovertarget="me" \
                aria-label="\(t("shell.account", ["name": .text(frame.reader?.name ?? "")]))">\
                <span class="avatar" aria-hidden="true">\(initials(frame.reader?.name ?? "?"))</span></button>
                </div>
                </header>
                <main class="page\(narrow ? " page-narrow" : "")" id="main" tabindex="-1"\(attribute: "data-fresh", if: frame.isFresh)>
                \(content)
                </main>
                \(makeMenu(frame))
                \(accountMenu(frame))
                \(messages(frame))
                \(lock(frame))
                """)
    }

    /// A page on its own: sign-in, welcome, a paper shared with a stranger.
    static func plain(
        _ frame: Frame, title: String, wide: Bool = false, isForStrangers: Bool = false, _ content: HTML
    ) -> HTML {
        let t = frame.texts
        let worn = isForStrangers ? frame.worn() : nil
        return document(
            frame, title: title, bodyClass: "plain", worn: worn,
            body: """
                <a class="skip-link" href="#main">\(t("shell.skip"))</a>
                \(top(frame, worn))
                <main class="plain-main" id="main" tabindex="-1"><div\(attribute: "class", wide ? "wide" : nil)>
                \(content)
                </div></main>
                <footer class="plain-foot"><span>\(t(isForStrangers ? "shell.strangers" : "shell.private"))</span></footer>
                \(messages(frame))
                """)
    }

    /// Whose page it is: for those outside by what its office wears, where it wears a name or a logo. They have nothing to
    /// go to from there.
    static func top(_ frame: Frame, _ worn: Worn?) -> HTML {
        guard let worn, worn.showsName || worn.logo != nil else {
            return
                "<header class=\"plain-top\"><a class=\"brand\" href=\"/\">\(mark(frame))<span>Quire</span></a></header>"
        }
        let logo = worn.logo.map { digest -> HTML in
            "<img src=\"\(url: Looks.address(ofLogo: digest))\" alt=\"\(worn.showsName ? "" : worn.name)\">"
        }
        let name: HTML? = worn.showsName ? "<span dir=\"auto\">\(worn.name)</span>" : nil
        return "<header class=\"plain-top plain-own\"><span class=\"brand\">\(logo)\(name)</span></header>"
    }

    private static func document(
        _ frame: Frame, title: String, bodyClass: String, worn: Worn? = nil, isFirst: Bool = false,
        body: HTML
    ) -> HTML {
        let theme = frame.theme == .system ? nil : frame.theme.rawValue
        let house = worn.flatMap { $0.name.isEmpty ? nil : $0.name } ?? "Quire"
        return """
            <!doctype html>
            <html lang="\(frame.texts.language.tag)"\(attribute: "data-theme", theme)\(attribute: "class", worn?.dye?.name)>
            <head>
            <meta charset="utf-8">
            <title>\(title) – \(house)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f6f1">
            <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0c1412">
            <meta name="csrf" content="\(frame.csrfToken)">
            \(reader(frame))
            <meta name="referrer" content="same-origin">
            <link rel="icon" href="\(url: frame.assets.address(of: "icon.svg"))" type="image/svg+xml">
            <link rel="apple-touch-icon" href="\(url: frame.assets.address(of: "apple-touch-icon.png"))">
            <link rel="manifest" href="/manifest.webmanifest">
            \(stylesheet(frame, Assets.stylesheet))\(isFirst ? .empty : stylesheet(frame, Assets.roomStyles))\(worn?.dye?.sheet)
            \(scripts(frame, isFirst: isFirst))
            </head>
            <body class="\(bodyClass)">
            \(body)
            </body>
            </html>
            """
    }

    private static func stylesheet(_ frame: Frame, _ name: String) -> HTML {
        "<link rel=\"stylesheet\" href=\"\(url: frame.assets.address(of: name))\">"
    }

    private static func scripts(_ frame: Frame, isFirst: Bool) -> HTML {
        let (assets, words) = (frame.assets, Assets.texts(in: frame.texts.language))
        let texts = JSON.object(["imports": ["quire/said": .string(assets.address(of: words))]])
        let said: HTML =
            "<script type=\"importmap\" nonce=\"\(frame.nonce)\">\(script: texts.text)</script>"
        if isFirst {
            // A module waits for the styles in front of it. What it fetches would share their way, and be no use before
            // something is seen. What they say waits until somebody presses something.
            let first = assets.addresses(ofScripts: ["app", "live-jobs", "upload-zone"])
            let list = JSON.array(first.map { .string($0) })
            return """
                \(said)
                <script type="module" nonce="\(frame.nonce)">for (const script of \(script: list.text)) import(script);</script>
                """
        }
        let app = assets.address(of: "js/app.js")
        let early = assets.addresses(ofScripts: ["app", "texts"]).filter { $0 != app }
        let links = (early + [assets.address(of: words)]).map { address -> HTML in
            "<link rel=\"modulepreload\" href=\"\(url: address)\">"
        }
        return """
            \(said)
            <script type="module" src="\(url: app)" nonce="\(frame.nonce)"></script>
            \(links.joined())
            """
    }

    /// Tells scripts whose page it is, and whether what is typed into it may outlast it.
    private static func reader(_ frame: Frame) -> HTML {
        guard let reader = frame.reader else { return .empty }
        return
            "<meta name=\"reader\" content=\"\(reader.id)\"\(attribute: "data-private", if: frame.isPrivate)>"
    }

    private static func mark(_ frame: Frame) -> HTML {
        """
        <img src="\(url: frame.assets.address(of: "icon.svg"))" alt="" width="30" height="30">
        """
    }

    private static func navigation(_ frame: Frame) -> HTML {
        let t = frame.texts
        let make: HTML = """
            <li class="nav-make"><button class="nav-link" type="button" popovertarget="make" aria-haspopup="menu">\
            \(frame.icon(.plus))<span>\(t("nav.make"))</span></button></li>
            """
        // The + stands in the middle of the bottom bar, and first in the rail (by CSS order). Home has the name of the
        // house above the page on phones, where a sixth place would cut the words of the others.
        return """
            <nav class="nav" aria-label="\(t("nav.label"))">
            <a class="brand" href="/" tabindex="-1" aria-hidden="true">\(mark(frame))<span>Quire</span></a>
            <ul class="nav-list">
            \(link(frame, "/", .desk, t("nav.home"), css: "nav-home"))
            \(link(frame, "/documents", .library, t("nav.papers"), also: ["/shares", "/tags", "/suggestions", "/rules", "/retention", "/paperless"]))
            \(link(frame, "/batches", .packets, t("nav.sendouts"), also: ["/packets", "/templates", "/outbox", "/ledger", "/suppressions", "/repetitions", "/harvests"]))
            \(frame.canEdit ? make : .empty)
            \(link(frame, "/lists", .people, t("nav.people"), also: ["/contacts", "/cards"]))
            \(frame.canEdit ? link(frame, "/tools", .tools, t("nav.tools"), also: ["/conversions", "/scan"]) : .empty)
            </ul>
            </nav>
            """
    }

    private static func link(
        _ frame: Frame, _ address: String, _ icon: Icon, _ name: String, also: [String] = [],
        css: String? = nil
    ) -> HTML {
        let isHere =
            address == "/"
            ? frame.path == "/"
            : ([address] + also).contains { frame.path == $0 || frame.path.hasPrefix($0 + "/") }
        return """
            <li\(attribute: "class", css)><a class="nav-link" href="\(url: address)"\(attribute: "aria-current", isHere ? "page" : nil)>\
            \(frame.icon(icon))<span>\(name)</span></a></li>
            """
    }

    /// What happened that concerns the reader; a number only while something is unread.
    private static func bell(_ frame: Frame) -> HTML {
        let t = frame.texts
        let count = frame.unreadNotices
        let shown: HTML =
            count == 0
            ? .empty
            : "<span class=\"count\" aria-hidden=\"true\">\(count > 99 ? "99+" : String(count))</span>"
        return """
            <a class="button button-icon button-quiet activity-button" href="/notices"\
            \(attribute: "aria-current", frame.path == "/notices" ? "page" : nil) \
            aria-label="\(t("notices.bell", ["count": .number(count)]))" title="\(t("notices.title"))">\
            \(frame.icon(.bell))\(shown)</a>
            """
    }

    /// What runs, what has to be looked at, what was done: one place beside the account.
    private static func activity(_ frame: Frame) -> HTML {
        let t = frame.texts
        let running: HTML =
            frame.runningJobs > 0
            ? """
            <span class="count">\(frame.runningJobs)<span class="unseen"> \(t("nav.running"))</span></span>
            """ : .empty
        let isHere = ["/activity", "/jobs", "/journal"].contains { frame.path.hasPrefix($0) }
        return """
            <a class="button button-icon button-quiet activity-button" href="/activity"\(attribute: "aria-current", isHere ? "page" : nil) \
            aria-label="\(t("nav.activity"))" title="\(t("nav.activity"))">\(frame.icon(.activity))\(running)</a>
            """
    }

    private static func makeMenu(_ frame: Frame) -> HTML {
        guard frame.canEdit else { return .empty }
        let t = frame.texts
        return """
            <nav class="menu menu-make" id="make" popover aria-label="\(t("nav.make"))">
            <p class="menu-title">\(t("make.title"))</p>
            \(Part.menuLink(frame, "/batches/new", .packets, t("make.packet"), t("make.packet.hint")))
            \(Part.menuLink(frame, "/documents/new", .upload, t("make.papers"), t("make.papers.hint")))
            \(Part.menuLink(frame, "/scan", .camera, t("make.photo"), t("make.photo.hint")))
            \(Part.menuLink(frame, "/lists/new", .people, t("make.people"), t("make.people.hint")))
            </nav>
            """
    }

    private static func accountMenu(_ frame: Frame) -> HTML {
        let t = frame.texts
        let lock: HTML =
            frame.lockAfterMinutes == nil
            ? .empty
            : Part.menuButton(frame, "POST", "/lock", .lock, t("shell.lock"))
        let signOut: HTML =
            frame.canSignOut
            ? Part.menuButton(frame, "POST", "/sign-out", .signOut, t("shell.signOut")) : .empty
        return """
            <nav class="menu" id="me" popover aria-label="\(t("shell.account.menu"))">
            <p class="menu-title">\(frame.reader?.name ?? "")</p>
            \(Part.menuLink(frame, "/settings/identity", .person, t("settings.identity")))
            \(Part.menuLink(frame, "/settings/security", .shield, t("settings.security")))
            \(Part.menuLink(frame, "/settings/language", .globe, t("settings.language")))
            \(Part.menuLink(frame, "/settings", .settings, t("settings.all")))
            \(Part.menuLink(frame, "/help", .info, t("help.title")))
            <button class="menu-item script-only" type="button" data-command="keys">\(frame.icon(.keyboard))\
            <span>\(t("shell.keys"))</span></button>
            \(lock)\(signOut)
            </nav>
            """
    }

    private static func messages(_ frame: Frame) -> HTML {
        """
        <toast-region role="status" aria-live="polite" aria-label="\(frame.texts("shell.messages"))">\
        \(frame.notice.map { toast(frame, $0) })</toast-region>
        """
    }

    private static func toast(_ frame: Frame, _ notice: Frame.Notice) -> HTML {
        let undo = notice.undo.map { undo -> HTML in
            """
            <form method="post" action="\(url: undo.action)">\(Form.csrf(frame))\
            \(undo.fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as HTML })\
            <button class="button" data-undo>\(frame.texts("shell.undo"))</button></form>
            """
        }
        return """
            <div class="toast\(notice.kind == .failed ? " toast-bad" : "")"><p>\(notice.text)</p>\(undo)\
            <button class="button button-icon script-only" type="button" data-dismiss \
            aria-label="\(frame.texts("shell.dismiss"))">\(frame.icon(.close))</button></div>
            """
    }

    private static func lock(_ frame: Frame) -> HTML {
        guard let minutes = frame.lockAfterMinutes else { return .empty }
        return "<app-lock minutes=\"\(minutes)\"></app-lock>"
    }

    private static func initials(_ name: String) -> String {
        let words = name.split(separator: " ")
        guard let first = words.first?.first else { return "?" }
        guard words.count > 1, let last = words.last?.first else { return String(first).uppercased() }
        return (String(first) + String(last)).uppercased()
    }
}
