import Browsing
import Bytes
import Kinds
import Office
import Work

// What a server elsewhere is asked for, in the words of its own fields.
extension ConversionRun {
    mutating func elsewhere(_ paper: Paper) throws(ConversionError) -> Paper {
        guard let remote = engines.remote else { throw .engineFailed("There is no server elsewhere.") }
        var fields = [("landscape", options.office.isLandscape ? "true" : "false")]
        if let pages = options.pages { fields.append(("nativePageRanges", pages)) }
        if let password = options.password { fields.append(("password", password)) }
        if let part = options.archivePart { fields.append(("pdfa", "PDF/A-\(part)b")) }
        if options.isAccessible { fields.append(("pdfua", "true")) }
        if case .number(let quality)? = options.office.export["Quality"] {
            fields.append(("quality", "\(quality)"))
        }
        // Its ending tells LibreOffice what it is, so the right one is put on.
        let isRight = PaperKind.named(PaperKind.ending(of: paper.name)) == paper.kind
        let file = isRight ? paper.name : "\(paper.title).\(paper.kind.name)"
        let cancellation = cancellation
        let made = try timed(paper.name, .remote) { _ throws(ConversionError) in
            try remote.convert(
                "libreoffice/convert", fields, [.init(name: file, bytes: paper.bytes)], named: paper.name,
                cancellation)
        }
        return Paper(name: paper.title + ".pdf", kind: .pdf, bytes: made)
    }

    /// Nil for pages that must stay here: those whose files lie in folders, as they cannot be sent along, and those
    /// with wishes the other server knows no word for. Files beside a page on this disk are found by the browser of
    /// this machine, when there is one.
    mutating func elsewhere(
        _ source: PageSource, _ print: PrintSettings, _ load: LoadSettings, _ picture: ScreenshotSettings,
        named name: String
    ) throws(ConversionError) -> [UInt8]? {
        guard let remote = engines.remote, source.find == nil || !Browsers.isInstalled, load.runsScripts,
            source.files.keys.allSatisfy({ !$0.contains("/") }),
            source.web.map({ $0.allowed.isEmpty && $0.denied.isEmpty }) ?? true
        else { return nil }
        var fields = goal == .pdf ? Self.fields(print) : Self.fields(picture, load)
        fields += Self.fields(load) + (source.web.map(Self.fields) ?? [])
        var route = goal == .pdf ? "chromium/convert" : "chromium/screenshot"
        var files: [RemoteEngine.File] = []
        switch source.start {
        case .address(let address):
            route += "/url"
            fields.append(("url", address))
        case .file(let start):
            guard start == "index.html" else { return nil }
            route += "/html"
            files = source.files.sorted { $0.key < $1.key }.map { .init(name: $0.key, bytes: $0.value.bytes) }
        }
        if goal == .pdf {
            for (file, html) in [("header.html", print.header), ("footer.html", print.footer)] {
                if let html { files.append(.init(name: file, bytes: Array(html.utf8))) }
            }
        }
        let (cancellation, asked, sent) = (cancellation, fields, files)
        return try timed(name, .remote) { _ throws(ConversionError) in
            try remote.convert(route, asked, sent, named: name, cancellation)
        }
    }

    private static func fields(_ print: PrintSettings) -> [(String, String)] {
        var fields: [(String, String)] = [
            ("paperWidth", "\(print.paperWidth)"), ("paperHeight", "\(print.paperHeight)"),
            ("marginTop", "\(print.marginTop)"), ("marginBottom", "\(print.marginBottom)"),
            ("marginLeft", "\(print.marginLeft)"), ("marginRight", "\(print.marginRight)"),
            ("scale", "\(print.scale)"),
        ]
        for (name, isOn) in [
            ("landscape", print.isLandscape), ("printBackground", print.printsBackground),
            ("preferCssPageSize", print.prefersCSSPageSize), ("singlePage", print.isOnePage),
            ("generateDocumentOutline", print.outlines), ("generateTaggedPdf", print.tags),
        ] where isOn { fields.append((name, "true")) }
        if !print.pageRanges.isEmpty { fields.append(("nativePageRanges", print.pageRanges)) }
        return fields
    }

    private static func fields(_ picture: ScreenshotSettings, _ load: LoadSettings) -> [(String, String)] {
        var fields = [("format", picture.format.rawValue), ("quality", "\(picture.quality)")]
        if let width = load.windowWidth { fields.append(("width", "\(width)")) }
        return fields
    }

    private static func fields(_ load: LoadSettings) -> [(String, String)] {
        var fields = [("emulatedMediaType", load.media.rawValue)]
        if load.delay > .zero { fields.append(("waitDelay", "\(load.delay.inSeconds)s")) }
        if let selector = load.selector { fields.append(("waitForSelector", selector)) }
        var expressions = load.expression.map { ["(\($0))"] } ?? []
        // It has no word for this, but it evaluates what it is told to wait for.
        if load.isReaderView { expressions.append(ReaderView.expression) }
        if !expressions.isEmpty {
            fields.append(("waitForExpression", expressions.joined(separator: " && ")))
        }
        return fields
    }

    private static func fields(_ web: WebAccess) -> [(String, String)] {
        var fields: [(String, String)] = []
        if let agent = web.userAgent { fields.append(("userAgent", agent)) }
        if !web.headers.isEmpty {
            let members = web.headers.map { header in
                (header.name, JSON.string(header.value + (header.scope.map { ";scope=\($0)" } ?? "")))
            }
            fields.append(("extraHttpHeaders", JSON.object(JSONObject(members)).text))
        }
        if !web.cookies.isEmpty {
            let list = web.cookies.map { cookie -> JSON in
                [
                    "name": .string(cookie.name), "value": .string(cookie.value),
                    "domain": .string(cookie.domain), "path": .string(cookie.path),
                    "secure": .bool(cookie.isSecure),
                ]
            }
            fields.append(("cookies", JSON.array(list).text))
        }
        return fields
    }
}
