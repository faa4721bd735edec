import Browsing
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

    /// Nil for pages whose files cannot be sent along: those that lie in folders. Files beside a page on this disk are
    /// found by the browser of this machine, when there is one.
    mutating func elsewhere(
        _ source: PageSource, _ print: PrintSettings, _ load: LoadSettings, named name: String
    ) throws(ConversionError) -> [UInt8]? {
        guard let remote = engines.remote, source.find == nil || !Browsers.isInstalled, print.header == nil,
            print.footer == nil,
            !load.isReaderView, source.files.keys.allSatisfy({ !$0.contains("/") })
        else { return nil }
        var fields = Self.fields(print, load)
        let route: String
        var files: [RemoteEngine.File] = []
        switch source.start {
        case .address(let address):
            route = "chromium/convert/url"
            fields.append(("url", address))
        case .file(let start):
            guard start == "index.html" else { return nil }
            route = "chromium/convert/html"
            files = source.files.sorted { $0.key < $1.key }.map { .init(name: $0.key, bytes: $0.value.bytes) }
        }
        let cancellation = cancellation
        return try timed(name, .remote) { _ throws(ConversionError) in
            try remote.convert(route, fields, files, named: name, cancellation)
        }
    }

    private static func fields(_ print: PrintSettings, _ load: LoadSettings) -> [(String, String)] {
        var fields: [(String, String)] = [
            ("paperWidth", "\(print.paperWidth)"), ("paperHeight", "\(print.paperHeight)"),
            ("marginTop", "\(print.marginTop)"), ("marginBottom", "\(print.marginBottom)"),
            ("marginLeft", "\(print.marginLeft)"), ("marginRight", "\(print.marginRight)"),
            ("scale", "\(print.scale)"), ("emulatedMediaType", load.media.rawValue),
        ]
        for (name, isOn) in [
            ("landscape", print.isLandscape), ("printBackground", print.printsBackground),
            ("preferCssPageSize", print.prefersCSSPageSize), ("singlePage", print.isOnePage),
            ("generateDocumentOutline", print.outlines), ("generateTaggedPdf", print.tags),
        ] where isOn { fields.append((name, "true")) }
        if !print.pageRanges.isEmpty { fields.append(("nativePageRanges", print.pageRanges)) }
        if load.delay > .zero { fields.append(("waitDelay", "\(load.delay.inSeconds)s")) }
        if let selector = load.selector { fields.append(("waitForSelector", selector)) }
        if let expression = load.expression { fields.append(("waitForExpression", expression)) }
        return fields
    }
}
