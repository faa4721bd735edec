import Bytes
import Crypto
import HTTP
import Markup
import WebAssets

/// Leads a phone through trusting the authority of the desk. It brings its rules and its script along: before a phone trusts
/// the desk, it gets nothing else from it.
struct TrustPage: Sendable {
    /// Which phone reads it, as far as it says so.
    enum Phone: Sendable { case apple, android, other }

    /// “Quire of desk”
    var name: String
    var fingerprint: String
    /// `https://192.168.1.20:8484`
    var address: String
    var phone = Phone.other

    /// What the browser may do on it: take this style and this script, and ask the desk's own address whether it answers.
    func policy(_ frame: Frame) -> String {
        let digest = Base64.encode(Array(SHA256.hash(Self.style(frame.assets))))
        return "default-src 'none'; style-src 'sha256-\(digest)'; script-src 'nonce-\(frame.nonce)'; "
            + "connect-src 'self' \(address); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    fileprivate static func style(_ assets: Assets) -> String {
        text(assets, "css/tokens.css") + text(assets, "trust.css")
    }

    fileprivate static func text(_ assets: Assets, _ name: String) -> String {
        String(decoding: assets.asset(named: name)?.content.bytes ?? [], as: UTF8.self)
    }
}

extension Pages {
    static func trust(_ frame: Frame, _ model: TrustPage) -> HTML {
        let t = frame.texts
        let title = t("trust.title")
        let theme = frame.theme == .system ? nil : frame.theme.rawValue
        return """
            <!doctype html>
            <html lang="\(t.language.tag)"\(attribute: "data-theme", theme)>
            <head>
            <meta charset="utf-8">
            <title>\(title) – Quire</title>
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <style>\(raw: TrustPage.style(frame.assets))</style>
            </head>
            <body>
            <main>
            <p class="brand">\(raw: mark)<span>\(model.name)</span></p>
            <h1>\(title)</h1>
            <p>\(t("trust.lede"))</p>
            \(sign(frame, model))
            \(apple(frame, model))
            \(android(frame, model))
            \(check(frame, model))
            \(without(frame))
            \(away(frame, model))
            </main>
            <script type="module" nonce="\(frame.nonce)">\(raw: TrustPage.text(frame.assets, "trust.js"))</script>
            </body>
            </html>
            """
    }

    private static func sign(_ frame: Frame, _ model: TrustPage) -> HTML {
        let t = frame.texts
        let pairs = model.fingerprint.replacing(":", with: " ")
        return """
            <section class="card"><h2>\(t("trust.sign"))</h2><p>\(t("trust.sign.text"))</p>
            <p class="sign" dir="ltr">\(pairs)</p><p class="soft">\(t("trust.sign.why"))</p></section>
            """
    }

    private static func apple(_ frame: Frame, _ model: TrustPage) -> HTML {
        let t = frame.texts
        let on: HTML =
            "<svg viewBox=\"0 0 24 16\" aria-hidden=\"true\"><rect width=\"24\" height=\"16\" rx=\"8\" fill=\"currentColor\"/><circle cx=\"16\" cy=\"8\" r=\"6.5\" fill=\"#fff\"/></svg>"
        return fold(
            t("trust.apple"), isOpen: model.phone != .android,
            [
                """
                <p>\(t("trust.apple.get"))</p><a class="button main" href="/trust/quire.mobileconfig">\(t("trust.apple.get.button"))</a>
                """,
                """
                <p>\(t("trust.apple.install"))</p>\(screen(
                    t("trust.apple.settings"), [nil, "<span class=\"here\">\(t("trust.apple.settings.row"))\(raw: further)</span>", nil]))
                """,
                """
                <p>\(t("trust.apple.switch"))</p>\(screen(
                    t("trust.apple.trusts"), ["<span class=\"here\">\(model.name)\(on)</span>"]))
                """,
            ])
    }

    private static func android(_ frame: Frame, _ model: TrustPage) -> HTML {
        let t = frame.texts
        return fold(
            t("trust.android"), isOpen: model.phone != .apple,
            [
                """
                <p>\(t("trust.android.get"))</p><a class="button main" href="/trust/quire.crt">\(t("trust.android.get.button"))</a>
                """,
                """
                <p>\(t("trust.android.find"))</p>\(screen(
                    t("trust.android.settings"), [nil, "<span class=\"here\">\(t("trust.android.settings.row"))\(raw: further)</span>", nil]))
                """,
                """
                <p>\(t("trust.android.install"))</p>\(screen(
                    t("trust.android.warns"), ["<span class=\"here\">\(t("trust.android.warns.row"))</span>", "<span>quire.crt</span>"]))
                """,
            ], "<p class=\"soft\">\(t("trust.android.firefox"))</p>")
    }

    private static func check(_ frame: Frame, _ model: TrustPage) -> HTML {
        let t = frame.texts
        return """
            <section class="card"><h2>\(t("trust.check"))</h2><p>\(t("trust.check.text"))</p>
            <a class="button main" href="\(url: model.address + "/")" data-check="\(model.address)/trust/check">\(t("trust.check.button"))</a>
            <p class="said" role="status" data-said="\(t("trust.check.not"))"></p></section>
            """
    }

    private static func without(_ frame: Frame) -> HTML {
        let t = frame.texts
        return """
            <section class="card"><h2>\(t("trust.without"))</h2><ul><li>\(t("trust.without.passing"))</li>\
            <li>\(t("trust.without.works"))</li><li>\(t("trust.without.not"))</li></ul></section>
            """
    }

    private static func away(_ frame: Frame, _ model: TrustPage) -> HTML {
        let t = frame.texts
        return """
            <section class="card"><h2>\(t("trust.away"))</h2><ul>\
            <li>\(t("trust.away.apple", ["name": .text(model.name)]))</li>\
            <li>\(t("trust.away.android", ["name": .text(model.name)]))</li></ul></section>
            """
    }

    private static func fold(
        _ title: String, isOpen: Bool, _ steps: [HTML], _ more: HTML = .empty
    ) -> HTML {
        """
        <details class="card"\(attribute: "open", if: isOpen)><summary><h2>\(title)</h2></summary>\
        <ol>\(steps.map { "<li>\($0)</li>" as HTML })</ol>\(more)</details>
        """
    }

    /// A drawing of a screen: what stands in it is read out, what is only around it is not. Nil is a line of no matter.
    private static func screen(_ title: String, _ rows: [HTML?]) -> HTML {
        let other: HTML = "<span class=\"other\" aria-hidden=\"true\"><i></i></span>"
        return """
            <div class="screen"><svg viewBox="0 0 60 8" preserveAspectRatio="xMidYMid" aria-hidden="true"><rect x="20" y="1" width="20" height="5" rx="2.5" fill="currentColor"/></svg>\
            <b>\(title)</b>\(rows.map { $0 ?? other })</div>
            """
    }

    private static let further =
        "<svg viewBox=\"0 0 24 16\" aria-hidden=\"true\"><path d=\"M15 3l5 5-5 5\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"/></svg>"

    /// The sign of the desk, as in `icon.svg`, which would be a file of its own.
    private static let mark = """
        <svg viewBox="0 0 512 512" aria-hidden="true"><rect width="512" height="512" rx="116" fill="#17513f"/>\
        <g fill="none" stroke-linecap="round" stroke-linejoin="round" stroke-width="30"><path stroke="#f4efe0" \
        d="M118 176c58-8 106 12 138 52 32-40 80-60 138-52M118 244c58-8 106 12 138 52 32-40 80-60 138-52"/>\
        <path stroke="#e0b04a" d="M118 312c58-8 106 12 138 52 32-40 80-60 138-52"/></g></svg>
        """
}
