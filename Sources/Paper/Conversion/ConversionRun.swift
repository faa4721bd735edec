import Browsing
import Bytes
import Kinds
import Office
import PDF
import PDFReading
import Pictures
import Transfer
import Work

/// One call of the converter: what is wanted, and what was noted on the way.
struct ConversionRun {
    let converter: Converter
    /// What the paper is to be in the end; while a leg is gone, what that leg ends with.
    private(set) var goal: PaperKind
    let options: ConversionOptions
    let progress: Progress
    var report = ConversionReport()

    var engines: Engines { converter.engines }
    var cancellation: Cancellation { progress.cancellation }

    mutating func convert(_ portion: Converter.Portion) throws(ConversionError) -> [Paper] {
        if portion.isPictures { return try pictures(portion.inputs) }
        var papers: [Paper] = []
        for input in portion.inputs {
            if case .address(let address) = input.source {
                papers += try page(address, input.name)
            } else {
                papers += try convert(Converter.read(input), input)
            }
        }
        return papers
    }

    /// Goes all legs from what the paper is to what it is to be.
    mutating func convert(_ paper: Paper, _ input: ConversionInput) throws(ConversionError) -> [Paper] {
        var paper = paper
        if paper.kind == .pdf { try tried(paper) }
        if paper.kind == .pdf, goal != .pdf || options.password != nil { paper.bytes = try opened(paper) }
        if paper.kind == goal { return [try archived(turned(paper, paper.turn))] }
        guard let route = ConversionMap.route(from: paper.kind, to: goal) else {
            throw .noWay(from: paper.kind, to: goal)
        }
        var papers = [paper]
        for leg in route {
            var next: [Paper] = []
            for paper in papers { next += try go(leg, paper, input) }
            papers = next
        }
        guard paper.turn != 0, paper.kind.family != .picture else { return papers }
        return try papers.map { made throws(ConversionError) in try turned(made, paper.turn) }
    }

    private func turned(_ paper: Paper, _ angle: Int) throws(ConversionError) -> Paper {
        guard angle != 0, paper.kind == .pdf else { return paper }
        return try PDFTools.rotated(paper, by: angle, pages: nil)
    }

    /// A page for each, in one file. Only the picture at hand is held.
    private mutating func pictures(_ inputs: [ConversionInput]) throws(ConversionError) -> [Paper] {
        guard let first = inputs.first else { return [] }
        let title = Paper(name: first.name, kind: .png, bytes: []).title
        progress.phase(inputs.count == 1 ? first.name : "\(inputs.count) pictures")
        let made = try timed(inputs.count == 1 ? first.name : "\(inputs.count) pictures", .pictures) {
            run throws(ConversionError) in
            try run.book(of: inputs.count, title: title) { place throws(ConversionError) in
                try Converter.read(inputs[place])
            }
        }
        return [try archived(Paper(name: title + ".pdf", kind: .pdf, bytes: made))]
    }

    mutating func page(_ text: String, _ name: String) throws(ConversionError) -> [Paper] {
        let address = Self.normalised(text)
        do throws(ConversionError) {
            return try fetched(address, name)
        } catch {
            // Whoever typed only a name did not ask for encryption, which small servers of a house do not have.
            guard !text.contains("://"), address.hasPrefix("https://"), case .page(.notLoaded) = error else {
                throw error
            }
            report = ConversionReport()
            do throws(ConversionError) {
                return try fetched("http" + address.dropFirst(5), name)
            } catch let second {
                // The first answer says more when neither way leads anywhere.
                if case .page(.notLoaded) = second { throw error }
                throw second
            }
        }
    }

    private mutating func fetched(_ address: String, _ name: String) throws(ConversionError) -> [Paper] {
        var web = options.web
        let host = (try? WebAddress(address))?.host ?? ""
        for place in web.cookies.indices where web.cookies[place].domain.isEmpty {
            web.cookies[place].domain = host
        }
        let source = PageSource(.address(address), web: web)
        return try printed(source, name: name, kind: .html)
    }

    /// `example.com` as people type it.
    static func normalised(_ address: String) -> String {
        let text = address.filter { !$0.isWhitespace }
        return text.contains("://") ? text : "https://" + text
    }

    private mutating func go(
        _ leg: Leg, _ paper: Paper, _ input: ConversionInput
    ) throws(ConversionError) -> [Paper] {
        progress.phase("\(paper.name): \(leg.engine.rawValue)")
        switch leg.engine {
        case .pictures, .drawing:
            let made = try timed(paper.name, leg.engine) { run throws(ConversionError) in
                try run.book(of: 1, title: paper.title) { _ throws(ConversionError) in paper }
            }
            return [try archived(Paper(name: paper.title + ".pdf", kind: .pdf, bytes: made))]
        case .chromium:
            let whole = goal
            goal = leg.to
            defer { goal = whole }
            return try page(of: paper, input)
        case .libreoffice where leg.to == .pdf && engines.remote != nil: return [try elsewhere(paper)]
        case .libreoffice:
            var office = options.office
            office.format = leg.to == .text ? "txt" : leg.to.name
            office.password = options.password ?? office.password
            if leg.to == .pdf {
                if let part = options.archivePart { office.setArchive(part: part) }
                if options.isAccessible { office.export["PDFUACompliance"] = .boolean(true) }
                if let pages = options.pages { office.export["PageRange"] = .text(pages) }
            }
            noteFonts(of: paper)
            let paper = [.csv, .tabbed].contains(paper.kind) ? try workbook(of: paper) : paper
            let ending = PaperKind.ending(of: paper.name)
            let suffix = PaperKind.named(ending) == paper.kind ? ending : paper.kind.name
            let made = try timed(paper.name, .libreoffice) { run throws(ConversionError) in
                do throws(OfficeError) {
                    return try run.engines.offices.convert(
                        paper.bytes, suffix: suffix, office, cancellation: run.cancellation)
                } catch {
                    return try run.instead(of: error, for: paper, to: leg.to)
                }
            }
            return [Paper(name: "\(paper.title).\(leg.to.name)", kind: leg.to, bytes: made)]
        case .calibre:
            let made = try timed(paper.name, .calibre) { run throws(ConversionError) in
                try run.calibre(paper)
            }
            return [Paper(name: paper.title + ".epub", kind: .epub, bytes: made)]
        case .poppler: return try pictures(ofPages: paper, leg.to)
        case .reading: return [try words(of: paper, leg.to)]
        case .ghostscript, .remote: return [try archived(paper)]
        }
    }

    mutating func timed<R>(
        _ name: String, _ engine: Leg.Engine, _ body: (inout ConversionRun) throws(ConversionError) -> R
    ) throws(ConversionError) -> R {
        let watch = Stopwatch()
        let result = try body(&self)
        report.legs.append(.init(name: name, engine: engine.rawValue, seconds: watch.elapsed.inSeconds))
        return result
    }

    private func tried(_ paper: Paper) throws(ConversionError) {
        let outcome: PDFTrial.Outcome
        do {
            outcome = try PDFTrial(engines.jail).outcome(
                of: paper.bytes, .merge, password: options.password, cancellation: cancellation)
        } catch {
            throw ConversionError.of(error, paper.name)
        }
        switch outcome {
        case .givenUp(.tooLong): throw .timedOut(paper.name)
        case .givenUp(.tooLarge): throw .tooLarge("“\(paper.name)” needs more memory than it may take.")
        case .givenUp(.crashed): throw .damaged(paper.name, reason: "it is too badly damaged.")
        case .worked, .refused, .untried: return
        }
    }

    /// A locked file as one that opens for everybody.
    private func opened(_ paper: Paper) throws(ConversionError) -> [UInt8] {
        do throws(PDFError) {
            let file = try PDFFile(bytes: paper.bytes, password: options.password)
            return file.encryption == nil ? paper.bytes : try file.rewritten()
        } catch {
            // What qpdf cannot put in order can perhaps be drawn all the same.
            if case .damaged = error, [.png, .jpeg].contains(goal) { return paper.bytes }
            throw ConversionError.of(error, paper.name)
        }
    }

    private mutating func archived(_ paper: Paper) throws(ConversionError) -> Paper {
        guard let part = options.archivePart, paper.kind == .pdf else { return paper }
        var paper = paper
        paper.bytes = try timed(paper.name, .ghostscript) { run throws(ConversionError) in
            try Archiving(engines: run.engines, cancellation: run.cancellation).archived(
                paper, part: part, &run.report)
        }
        return paper
    }

    private mutating func page(of paper: Paper, _ input: ConversionInput) throws(ConversionError) -> [Paper] {
        var source: PageSource
        switch paper.kind {
        case .epub: return [try archived(book(paper))]
        case .mail:
            let mail = MailFile(paper.bytes)
            source = mail.page()
            var papers = try printed(source, name: paper.name, kind: .mail)
            if options.appendsAttachments, goal == .pdf { try append(mail.attachments, to: &papers) }
            return papers
        case .markdown:
            let page = PageDress.markdown(TextDecoding.text(paper.bytes), title: paper.title)
            source = PageSource(
                .file("index.html"), files: ["index.html": .init(page, mediaType: "text/html")])
        case .text:
            let page = PageDress.text(TextDecoding.text(paper.bytes), title: paper.title)
            source = PageSource(
                .file("index.html"), files: ["index.html": .init(page, mediaType: "text/html")])
        case .svg:
            let page = PageDress.drawing(
                file: "drawing.svg", title: paper.title, fillsSheet: options.pictures.size.isSheet)
            source = PageSource(
                .file("index.html"),
                files: [
                    "index.html": .init(page, mediaType: "text/html"),
                    "drawing.svg": .init(paper.bytes, mediaType: "image/svg+xml"),
                ])
        default:
            // By its own name, so that links to itself and its neighbours hold.
            let isStrict = PaperKind.ending(of: paper.name) == "xhtml"
            source = PageSource(
                .file("index.html"),
                files: [
                    "index.html": .init(
                        paper.bytes, mediaType: isStrict ? "application/xhtml+xml" : "text/html")
                ])
        }
        for (name, bytes) in input.companions where source.files[name] == nil {
            source.files[name] = .init(bytes, mediaType: PaperKind.mediaType(ofName: name))
        }
        if let folder = input.folder {
            source.find = { path in
                Neighbours.read(path, beneath: folder).map {
                    .init($0, mediaType: PaperKind.mediaType(ofName: path))
                }
            }
        }
        source.web = options.filesMayFetch ? options.web : nil
        return try printed(source, name: paper.name, kind: paper.kind)
    }

    private mutating func printed(
        _ source: PageSource, name: String, kind: PaperKind
    ) throws(ConversionError) -> [Paper] {
        var print = options.print
        var load = options.load
        if kind == .svg { print.prefersCSSPageSize = true }
        if kind == .markdown || kind == .text || kind == .mail { print.prefersCSSPageSize = true }
        if kind == .mail { load.runsScripts = true }
        if options.isAccessible { print.tags = true }
        if let pages = options.pages, goal == .pdf { print.pageRanges = pages }
        var screenshot = options.screenshot
        if goal == .jpeg { screenshot.format = .jpeg }
        if goal == .webp { screenshot.format = .webp }
        let goal = goal
        var source = source
        if !source.isAddress { source.title = Paper(name: name, kind: kind, bytes: []).title }
        if let made = try elsewhere(source, print, load, screenshot, named: name) {
            var title = Paper(name: name, kind: kind, bytes: []).title
            if case .address(let address) = source.start {
                title = Self.fileName(goal == .pdf ? Self.title(of: made) : "", host: address)
            }
            return [try archived(Paper(name: "\(title).\(goal.name)", kind: goal, bytes: made))]
        }
        let (page, settings, loading, picture, progress) = (source, print, load, screenshot, progress)
        // A file is there at once; only for pages of the web it is worth saying what is waited for.
        let stage: @Sendable (PageStage) -> Void = {
            if page.isAddress { progress.phase("\(name): \($0.rawValue)") }
        }
        let result = try timed(name, .chromium) { run throws(ConversionError) in
            do throws(BrowserError) {
                return goal == .pdf
                    ? try run.engines.browsers.print(
                        page, settings, load: loading, cancellation: run.cancellation, stage: stage)
                    : try run.engines.browsers.picture(
                        page, picture, load: loading, cancellation: run.cancellation, stage: stage)
            } catch {
                if error == .timedOut, page.isAddress { throw .pageTimedOut(name) }
                throw ConversionError.of(error, name)
            }
        }
        report.add(result.report)
        if goal == .pdf { noteEmptiness(of: result.bytes, name, settings) }
        // A web page is called what it calls itself, or by its host.
        let title =
            source.isAddress
            ? Self.fileName(result.report.title, host: result.report.address)
            : Paper(name: name, kind: kind, bytes: []).title
        let paper = Paper(name: "\(title).\(goal.name)", kind: goal, bytes: result.bytes)
        return [try archived(paper)]
    }

    /// Nobody is handed an empty sheet without a word: often it is the background that was all there was to see.
    private mutating func noteEmptiness(of bytes: [UInt8], _ name: String, _ print: PrintSettings) {
        // One that says anything is longer than that.
        guard bytes.count < 1 << 16, let file = try? PDFFile(bytes: bytes), file.isBlank else { return }
        report.remarks.append("Nothing stands on the pages made of “\(name)”.")
        guard !print.printsBackground, !print.omitsBackground else { return }
        report.remarks.append(
            "Colours and pictures behind the words are only printed with “background”.")
    }

    private static func title(of bytes: [UInt8]) -> String {
        guard let file = try? PDFFile(bytes: bytes), let info = file.dictionary(file.trailer["Info"]) else {
            return ""
        }
        return file.resolve(info["Title"]).text ?? ""
    }

    private static func fileName(_ title: String, host address: String) -> String {
        func harmless(_ text: String) -> String {
            String(
                text.filter { !"/\\:*?\"<>|".contains($0) && !$0.isNewline }.trimmingBlanks.prefix(100))
        }
        let words = harmless(title)
        if !words.isEmpty { return words }
        // An address in numbers may stand in brackets.
        let host = harmless((try? WebAddress(address))?.host.filter { !"[]".contains($0) } ?? "")
        return host.isEmpty ? "page" : host
    }

    private mutating func book(_ paper: Paper) throws(ConversionError) -> Paper {
        let book = try Book(paper.bytes, name: paper.name)
        var settings = options.print
        settings.outlines = true
        var load = options.load
        load.scrollsThrough = false
        let (engines, cancellation, print, loading) = (engines, cancellation, settings, load)
        let results = try timed(paper.name, .chromium) { run throws(ConversionError) in
            do {
                return try engines.workers.map(book.parts) { part in
                    try engines.browsers.print(
                        PageSource(.file(part.path), files: book.files), print, load: loading,
                        cancellation: cancellation)
                }
            } catch {
                throw ConversionError.of(error, paper.name)
            }
        }
        do throws(PDFError) {
            var parts: [PDFAssembly.Part] = []
            for (part, result) in zip(book.parts, results) {
                report.add(result.report)
                parts.append(PDFAssembly.Part(try PDFFile(bytes: result.bytes), bookmark: part.title))
            }
            let bytes = try PDFAssembly(parts).bytes
            return Paper(name: paper.title + ".pdf", kind: .pdf, bytes: bytes)
        } catch {
            throw ConversionError.of(error, paper.name)
        }
    }

    private mutating func append(
        _ attachments: [MailFile.Attachment], to papers: inout [Paper]
    ) throws(ConversionError) {
        guard let mail = papers.first else { return }
        var all = [mail]
        for attachment in attachments {
            guard let kind = PaperKind.detect(attachment.bytes, name: attachment.name),
                kind == .pdf || ConversionMap.route(from: kind, to: .pdf) != nil, kind != .mail
            else { continue }
            let name = attachment.name.isEmpty ? "attachment" : attachment.name
            let paper = Paper(name: name, kind: kind, bytes: attachment.bytes)
            do throws(ConversionError) {
                all += try convert(paper, ConversionInput(name: name, .bytes(attachment.bytes)))
            } catch {
                if case .cancelled = error { throw error }
                report.remarks.append("The attachment \(error)")
            }
        }
        papers = [try PaperSteps.merged(all, name: mail.name)]
    }
}

extension PDFFile {
    /// Whether no page says anything at all.
    fileprivate var isBlank: Bool {
        !pages.isEmpty
            && pages.allSatisfy { page in
                let entries = dictionary(.reference(page)) ?? [:]
                let contents = entries["Contents"] ?? .null
                let isEmpty = (resolve(contents).array ?? [contents]).allSatisfy { part in
                    guard let reference = part.reference else { return part == .null }
                    // Longer than this, or not to be unpacked: it says something.
                    return stream(reference, limit: 1024)?.allSatisfy { $0 <= 0x20 } ?? false
                }
                return isEmpty && array(entries["Annots"]).isEmpty
            }
    }
}

extension PageSource {
    fileprivate var isAddress: Bool { if case .address = start { true } else { false } }
}
