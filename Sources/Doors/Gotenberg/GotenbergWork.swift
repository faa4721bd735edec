import Archives
import Browsing
import Bytes
import Conversion
import Kinds
import Work

/// What a route made: files to be answered with.
struct GotenbergResult {
    struct File {
        var name: String
        var mediaType: String
        var bytes: [UInt8]
    }

    var files: [File]
    /// The kind a single result is: `pdf`, `png`, …
    var ending: String

    init(_ papers: [Paper]) {
        files = papers.map { File(name: $0.name, mediaType: $0.kind.mediaType, bytes: $0.bytes) }
        ending = papers.first?.kind.name ?? "pdf"
    }

    init(json: JSON) {
        files = [File(name: "result.json", mediaType: "application/json", bytes: json.bytes)]
        ending = "json"
    }

    /// One file as it is, several in a ZIP.
    func packed(_ clock: Clock) throws -> (bytes: [UInt8], mediaType: String, ending: String) {
        if files.count == 1 { return (files[0].bytes, files[0].mediaType, ending) }
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        var taken: Set<String> = []
        for file in files {
            var name = file.name
            var number = 2
            while !taken.insert(name).inserted {
                name = "\(number)-\(file.name)"
                number += 1
            }
            try zip.add(name, file.bytes, modified: clock.now(), level: 1)
        }
        try zip.finish()
        return (bytes, "application/zip", "zip")
    }
}

/// The work behind the routes, free of everything HTTP.
struct GotenbergWork: Sendable {
    let engines: Engines
    let settings: GotenbergSettings
    let clock: Clock
    let cancellation: Cancellation

    private var tools: PDFTools { PDFTools(engines, cancellation: cancellation) }

    func page(_ route: String, _ form: GotenbergForm) throws -> GotenbergResult {
        let load = form.load(settings)
        let print = form.print()
        let after = try After(form, isNative: false)
        let source = try form.source(route, settings)
        try form.check()
        let made = try engines.browsers.print(source, print, load: load, cancellation: cancellation)
        let paper = Paper(name: "result.pdf", kind: .pdf, bytes: made.bytes)
        return GotenbergResult(try after.finish([paper], tools))
    }

    func screenshot(_ route: String, _ form: GotenbergForm) throws -> GotenbergResult {
        var load = form.load(settings)
        let shot = form.screenshot(&load)
        let source = try form.source(route, settings)
        try form.check()
        let made = try engines.browsers.picture(source, shot, load: load, cancellation: cancellation)
        let kind = PaperKind.named(shot.format.rawValue) ?? .png
        var result = GotenbergResult([Paper(name: "result", kind: kind, bytes: made.bytes)])
        result.ending = shot.format.rawValue
        return result
    }

    func office(_ form: GotenbergForm) throws -> GotenbergResult {
        let options = form.office(settings)
        let after = try After(form, isNative: true)
        let isMerged = form.flag("merge")
        let titles = form.flag("titleBookmarks")
        let files = form.papers.sorted { PaperNames.areInOrder($0.name, $1.name) }
        if files.isEmpty { form.missing("no form file found for extensions LibreOffice reads") }
        try form.check()
        let converter = Converter(engines, clock: clock)
        let cancellation = cancellation
        let papers = try engines.workers.map(files) { file -> Paper in
            var options = options
            // Pictures become pages by our own hand, which is faster and keeps them as they are.
            if PaperKind.detect(file.bytes, name: file.name)?.family == .picture { options.password = nil }
            let made = try converter.convert(
                [ConversionInput(name: file.name, .bytes(file.bytes))], to: .pdf, options,
                progress: Progress(cancellation: cancellation)
            ).papers
            return Paper(name: file.name + ".pdf", kind: .pdf, bytes: made.first?.bytes ?? [])
        }
        let results = isMerged ? [try merged(papers, titles: titles)] : papers
        return GotenbergResult(try after.finish(results, tools))
    }

    func merge(_ form: GotenbergForm) throws -> GotenbergResult {
        let after = try After(form, isNative: false)
        let papers = form.pdfs()
        let titles = form.flag("titleBookmarks")
        // Bookmarks of the files always point to where their pages have come to lie.
        _ = form.flag("autoIndexBookmarks")
        try form.check()
        // One file alone is not taken apart, and would be handed back unseen.
        for paper in papers { _ = try PDFTools.pageCount(paper.bytes, name: paper.name) }
        return GotenbergResult(try after.finish([try merged(papers, titles: titles)], tools))
    }

    private func merged(_ papers: [Paper], titles: Bool) throws -> Paper {
        try PaperSteps.merged(papers, name: "result.pdf", titles: titles)
    }

    /// The routes that take PDF files and give as many back.
    func change(
        _ form: GotenbergForm, _ needs: (GotenbergForm) -> Void = { _ in }, compresses: Bool = false,
        body: (Paper) throws -> Paper = { $0 }
    ) throws -> GotenbergResult {
        needs(form)
        let after = try After(form, isNative: false, compresses: compresses)
        let papers = form.pdfs()
        try form.check()
        return GotenbergResult(try after.finish(papers.map(body), tools))
    }

    func compressed(_ form: GotenbergForm) throws -> GotenbergResult {
        try change(form, compresses: true)
    }

    func flattened(_ form: GotenbergForm) throws -> GotenbergResult {
        try change(form, body: { try PDFTools.flattened($0) })
    }

    func facts(_ form: GotenbergForm, _ read: (Paper) throws -> JSON) throws -> GotenbergResult {
        let papers = form.pdfs()
        try form.check()
        var members = JSONObject()
        for paper in papers { members[paper.name] = try read(paper) }
        return GotenbergResult(json: .object(members))
    }
}

/// What every route that makes PDF files can do with them at the end.
struct After {
    private enum Split { case intervals(Int), pages(String) }

    private var split: Split?
    private var isUnified = false
    private var rotation: (angle: Int, pages: String?)?
    private var isFlattened = false
    private var part: Int?
    private var facts: JSONObject?
    private var bookmarks: JSON?
    private var passwords: (user: String, owner: String?)?
    private var allowed = PDFTools.Permissions()
    private var embeds: [PDFTools.Attachment] = []
    private enum Mark {
        case words(StampWish)
        case drawing(Paper, isUnder: Bool)
    }

    private var marks: [(mark: Mark, pages: String?)] = []
    private var isCompressed = false
    private var imageQuality: Int?
    private var isAccessible = false
    private var invoice: PDFTools.Invoice?

    init(_ form: GotenbergForm, isNative: Bool, compresses: Bool = false) throws {
        if let mode = form.text("splitMode") {
            let span = form.needed("splitSpan")
            switch mode {
            case "intervals":
                if let every = Int(span), every > 0 {
                    split = .intervals(every)
                } else {
                    form.wrong("splitSpan", span, "it is no number of pages")
                }
            case "pages": split = .pages(span)
            default: form.wrong("splitMode", mode, "it is neither 'intervals' nor 'pages'")
            }
            isUnified = form.flag("splitUnify")
        }
        if let angle = form.integer("rotateAngle", nil, 0...360) {
            if [90, 180, 270].contains(angle) {
                rotation = (angle, form.text("rotatePages"))
            } else {
                form.wrong("rotateAngle", "\(angle)", "it is none of 90, 180 and 270")
            }
        }
        isFlattened = form.flag("flatten")
        isCompressed = form.flag("optimizeImages") || compresses
        imageQuality = form.integer("imageQuality", nil, 1...100)
        // LibreOffice writes PDF/A itself unless it was told not to.
        let part = form.archivePart()
        if !(isNative && form.flag("nativePdfFormats", true)) { self.part = part }
        // Whoever prints or exports marks up as well; a file that is PDF already must bring its marks along.
        isAccessible = form.flag("pdfua") && !isNative
        invoice = Self.invoice(form)
        facts = form.object("metadata")
        bookmarks = form.json("bookmarks")
        if let user = form.text("userPassword") {
            passwords = (user, form.text("ownerPassword"))
        } else if form.text("ownerPassword") != nil {
            form.missing("form field 'userPassword' is required")
        }
        allowed.mayPrint = form.flag("allowPrinting", true)
        allowed.mayCopy = form.flag("allowCopying", true)
        allowed.mayChange = form.flag("allowModifying", true)
        allowed.mayAnnotate = form.flag("allowAnnotating", true)
        allowed.mayFill = form.flag("allowFillingForms", true)
        allowed.mayAssemble = form.flag("allowAssembling", true)
        let about = form.object("embedsMetadata")
        for file in form.files where file.field == "embeds" {
            let own = about?[file.name]
            embeds.append(
                PDFTools.Attachment(
                    name: file.name,
                    mediaType: own?["mimeType"]?.string ?? PaperKind.mediaType(ofName: file.name),
                    relationship: own?["relationship"]?.string, bytes: file.bytes))
        }
        for kind in ["watermark", "stamp"] { take(kind, form) }
    }

    private static func invoice(_ form: GotenbergForm) -> PDFTools.Invoice? {
        let file = form.files.first { $0.field == "facturxXml" }
        guard let xml = file?.bytes ?? form.text("facturxXml").map({ Array($0.utf8) }) else { return nil }
        let level = form.needed("facturxConformanceLevel").uppercased()
        guard PDFTools.Invoice.levels.contains(level) else {
            if !level.isEmpty {
                form.wrong(
                    "facturxConformanceLevel", level,
                    "it is none of \(PDFTools.Invoice.levels.joined(separator: ", "))")
            }
            return nil
        }
        return PDFTools.Invoice(
            xml: xml, level: level, documentType: form.text("facturxDocumentType") ?? "INVOICE",
            version: form.text("facturxVersion") ?? "1.0")
    }

    private mutating func take(_ kind: String, _ form: GotenbergForm) {
        guard let source = form.text(kind + "Source") else { return }
        let pages = form.text(kind + "Pages")
        switch source {
        case "text":
            var wish = look(kind, form)
            wish.text = form.needed(kind + "Expression")
            wish.pages = pages
            marks.append((.words(wish), pages))
        case "image", "pdf":
            guard
                let file = form.files.first(where: { $0.field == kind })
                    ?? form.text(kind + "Expression").flatMap({ form.file($0) }),
                let found = PaperKind.detect(file.bytes, name: file.name)
            else { return form.missing("form file '\(kind)' is required") }
            let drawing = Paper(name: file.name, kind: found, bytes: file.bytes)
            marks.append((.drawing(drawing, isUnder: kind == "watermark"), pages))
        default: form.wrong(kind + "Source", source, "it is none of 'text', 'image' and 'pdf'")
        }
    }

    /// `{"points": 48, "color": "#808080", "rotation": 45, "opacity": 0.15}`; words it does not know are left aside,
    /// as they depend on what Gotenberg draws with.
    private func look(_ kind: String, _ form: GotenbergForm) -> StampWish {
        var look = StampWish()
        look.isWatermark = true
        // Words under a page would be hidden by its pictures, so they lie over it, and only a stamp covers it.
        if kind == "stamp" { look.opacity = 1 }
        let field = kind + "Options"
        for (key, value) in form.object(field) ?? [:] {
            let number = value.number ?? value.string.flatMap(Double.init)
            switch key.lowercased() {
            case "points": look.size = number.map { min(1000, max(1, $0)) }
            case "rotation": look.angle = number
            case "opacity": look.opacity = number ?? look.opacity
            case "color", "fillcolor":
                guard let ink = Ink(value.string ?? "") else {
                    form.wrong(field, value.text, "a colour is written as #808080")
                    continue
                }
                look.ink = ink
            default: continue
            }
        }
        return look
    }

    /// The order matters: pages first, then what stands on them, then what is said about them; locks last.
    func finish(_ papers: [Paper], _ tools: PDFTools) throws -> [Paper] {
        var made: [Paper] = []
        for paper in papers {
            switch split {
            case nil: made.append(paper)
            case .intervals(let every):
                try tools.split(paper, SplitWish(every: every)) { made.append($0.paper) }
            case .pages(let span):
                if isUnified {
                    made.append(try PDFTools.chosen(paper, pages: span))
                } else {
                    let chosen = try PDFTools.chosen(paper, pages: span)
                    try tools.split(chosen, SplitWish(every: 1)) { made.append($0.paper) }
                }
            }
        }
        return try made.map { try finish($0, tools) }
    }

    private func finish(_ paper: Paper, _ tools: PDFTools) throws -> Paper {
        var paper = paper
        if let rotation { paper = try PDFTools.rotated(paper, by: rotation.angle, pages: rotation.pages) }
        for (mark, pages) in marks {
            switch mark {
            case .words(let wish):
                paper = try PDFTools.stamped(paper, wish)
            case .drawing(let stamp, let isUnder):
                let drawing = stamp.kind == .pdf ? stamp : try tools.page(of: stamp)
                paper = try PDFTools.drawn(drawing, on: paper, pages: pages, isUnder: isUnder)
            }
        }
        if isFlattened { paper = try PDFTools.flattened(paper) }
        if isCompressed { paper = try tools.compressed(paper, quality: imageQuality) }
        if let part { paper = try tools.archived(paper, part: part) }
        // Making it PDF/A takes the marks away; what is left is not declared what it is not.
        if isAccessible, part == nil { paper = try PDFTools.accessible(paper) }
        if let bookmarks {
            let own = bookmarks.array ?? bookmarks[paper.name]?.array
            if let own { paper = try PDFTools.setting(bookmarks: own, in: paper) }
        }
        if let facts { paper = try PDFTools.setting(facts, in: paper) }
        paper = try PDFTools.carrying(embeds, in: paper)
        if let invoice { paper = try PDFTools.invoicing(paper, invoice) }
        if let passwords {
            paper = try PDFTools.locked(paper, user: passwords.user, owner: passwords.owner, allowed)
        }
        return paper
    }
}
