import Browsing
import Bytes
import Conversion
import Kinds
import Markup
import Transfer
import Work

/// What the fields of the Chromium routes mean.
extension GotenbergForm {
    func load(_ settings: GotenbergSettings) -> LoadSettings {
        var load = LoadSettings()
        load.time = settings.time
        load.runsScripts = settings.runsScripts
        load.delay = duration("waitDelay") ?? .zero
        load.expression = text("waitForExpression")
        load.selector = text("waitForSelector")
        load.windowStatus = text("waitWindowStatus")
        load.awaitsIdleNetwork =
            !flag("skipNetworkIdleEvent", true) || !flag("skipNetworkAlmostIdleEvent", true)
        if let media = text("emulatedMediaType") {
            if let known = PrintSettings.Media(rawValue: media) {
                load.media = known
            } else {
                wrong("emulatedMediaType", media, "it is neither 'screen' nor 'print'")
            }
        }
        for feature in json("emulatedMediaFeatures")?.array ?? [] {
            if let name = feature["name"]?.string, let value = feature["value"]?.string {
                load.mediaFeatures.append((name, value))
            }
        }
        load.failingStatuses = statuses("failOnHttpStatusCodes", [499, 599])
        load.failingResourceStatuses = statuses("failOnResourceHttpStatusCodes", [])
        load.forgivenHosts = strings("ignoreResourceHttpStatusDomains")
        load.failsOnFailedResources = flag("failOnResourceLoadingFailed")
        load.failsOnExceptions = flag("failOnConsoleExceptions")
        return load
    }

    func print() -> PrintSettings {
        var print = PrintSettings()
        print.isLandscape = flag("landscape")
        print.printsBackground = flag("printBackground")
        print.scale = number("scale", 1, 0.1...2)
        print.isOnePage = flag("singlePage")
        print.paperWidth = inches("paperWidth", 8.5)
        print.paperHeight = inches("paperHeight", 11)
        print.marginTop = inches("marginTop", 0.39)
        print.marginBottom = inches("marginBottom", 0.39)
        print.marginLeft = inches("marginLeft", 0.39)
        print.marginRight = inches("marginRight", 0.39)
        print.pageRanges = text("nativePageRanges") ?? ""
        print.prefersCSSPageSize = flag("preferCssPageSize")
        print.outlines = flag("generateDocumentOutline")
        print.tags = flag("generateTaggedPdf") || flag("pdfua")
        print.omitsBackground = flag("omitBackground")
        if print.omitsBackground, !print.printsBackground {
            missing("omitBackground requires printBackground set to true")
        }
        print.header = file("header.html").map { String(decoding: $0.bytes, as: UTF8.self) }
        print.footer = file("footer.html").map { String(decoding: $0.bytes, as: UTF8.self) }
        return print
    }

    func screenshot(_ load: inout LoadSettings) -> ScreenshotSettings {
        var shot = ScreenshotSettings()
        load.windowWidth = integer("width", 800, 1...16_000)
        load.windowHeight = integer("height", 600, 1...16_000)
        load.deviceScale = number("deviceScaleFactor", 1, 0.1...10)
        load.media = text("emulatedMediaType") == nil ? .screen : load.media
        shot.clips = flag("clip")
        shot.selector = text("selector")
        if let format = text("format") {
            if let known = ScreenshotSettings.Format(rawValue: format) {
                shot.format = known
            } else {
                wrong("format", format, "it is none of 'png', 'jpeg' and 'webp'")
            }
        }
        shot.quality = integer("quality", 100, 0...100) ?? 100
        shot.omitsBackground = flag("omitBackground")
        shot.favoursSpeed = flag("optimizeForSpeed")
        return shot
    }

    func web(_ settings: GotenbergSettings, host: String?) -> WebAccess {
        var web = WebAccess(guardian: settings.guardian)
        web.asksAgain = false
        web.allowed = settings.allowed
        web.denied = settings.denied
        web.userAgent = text("userAgent")
        for member in object("extraHttpHeaders") ?? [:] {
            guard let value = member.value.string else {
                wrong("extraHttpHeaders", member.value.text, "a value is no text")
                continue
            }
            // `value;scope=expression`
            let parts = value.split(separator: ";", omittingEmptySubsequences: false)
            let scope = parts.first { $0.drop { $0 == " " }.hasPrefix("scope=") }
            let plain = parts.filter { !$0.drop { $0 == " " }.hasPrefix("scope=") }.joined(separator: ";")
            web.headers.append(
                .init(member.key, plain, scope: scope.map { String($0.drop { $0 == " " }.dropFirst(6)) }))
        }
        for cookie in json("cookies")?.array ?? [] {
            guard let name = cookie["name"]?.string, let value = cookie["value"]?.string,
                let domain = cookie["domain"]?.string ?? host
            else {
                wrong("cookies", cookie.text, "a cookie needs a name, a value and a domain")
                continue
            }
            web.cookies.append(
                .init(
                    name, value, domain: domain, path: cookie["path"]?.string ?? "/",
                    isSecure: cookie["secure"]?.bool ?? false))
        }
        return web
    }

    /// The page of a route: an address, files around `index.html`, or Markdown in a template.
    func source(_ route: String, _ settings: GotenbergSettings) throws -> PageSource {
        if route == "url" {
            let address = needed("url")
            try check()
            guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
                throw GotenbergProblem(
                    address.hasPrefix("file:") ? 403 : 400,
                    address.hasPrefix("file:")
                        ? "Forbidden" : "Invalid form data: form field 'url' is no web address")
            }
            let host = address.split(separator: "/").dropFirst().first.map { String($0.prefix { $0 != ":" }) }
            return PageSource(.address(address), web: web(settings, host: host))
        }
        guard let index = file("index.html") else {
            missing("form file 'index.html' is required")
            try check()
            return PageSource(html: "")
        }
        var html = index.bytes
        if route == "markdown" {
            if files(endings: ["md"]).isEmpty { missing("no form file found for extensions: [.md]") }
            html = try Array(filled(String(decoding: html, as: UTF8.self)).utf8)
        }
        var source = PageSource(.file("index.html"), web: web(settings, host: nil))
        for file in papers where file.name != "header.html" && file.name != "footer.html" {
            source.files[file.name] = .init(file.bytes, mediaType: PaperKind.mediaType(ofName: file.name))
        }
        source.files["index.html"] = .init(html, mediaType: "text/html")
        return source
    }

    /// `{{ toHTML "page.md" }}` in the template becomes what the file says.
    private func filled(_ template: String) throws -> String {
        var result = ""
        var rest = template[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}")
        {
            let inside = rest[open.upperBound..<close.lowerBound]
            result += rest[..<open.lowerBound]
            let parts = inside.split(separator: "\"", omittingEmptySubsequences: false)
            if parts.count == 3, parts[0].contains("toHTML") {
                guard let file = file(String(parts[1])) else {
                    throw GotenbergProblem(
                        400, "Invalid form data: markdown file '\(parts[1])' does not exist")
                }
                result += Markdown.html(String(decoding: file.bytes, as: UTF8.self)).text
            } else {
                result += rest[open.lowerBound..<close.upperBound]
            }
            rest = rest[close.upperBound...]
        }
        return result + rest
    }
}
