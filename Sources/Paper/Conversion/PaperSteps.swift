import Bytes
import Kinds
import PDF
public import Work

/// Steps that follow each other, each with what the one before it made; nothing leaves the process in between.
public struct PaperSteps: Sendable {
    let converter: Converter
    let options: ConversionOptions
    let progress: Progress

    public init(_ converter: Converter, _ options: ConversionOptions, progress: Progress = Progress()) {
        self.converter = converter
        self.options = options
        self.progress = progress
    }

    /// What goes its own way, because the first step puts it into the others: as it is, or as a picture of its own size.
    public static func carried(
        _ inputs: [ConversionInput], by steps: [PaperStep]
    ) -> (converted: [ConversionInput], carried: [ConversionInput]) {
        switch steps.first {
        case .attach: (Array(inputs.prefix(1)), Array(inputs.dropFirst()))
        case .picture where inputs.count > 1: (Array(inputs.dropLast()), Array(inputs.suffix(1)))
        default: (inputs, [])
        }
    }

    public func run(
        _ steps: [PaperStep], on papers: [Paper], carrying others: [ConversionInput] = [],
        report: inout ConversionReport
    ) throws(ConversionError) -> [Paper] {
        try PaperStep.checkOrder(of: steps, archive: options.archivePart)
        var papers = papers
        for other in others {
            if case .picture? = steps.first {
                let made = try converter.convert(
                    [other], to: .pdf, ConversionOptions(),
                    progress: Progress(cancellation: progress.cancellation))
                papers += made.papers.prefix(1)
                continue
            }
            let kind = PaperKind.named(PaperKind.ending(of: other.name)) ?? .other(other.name)
            papers.append(Paper(name: other.name, kind: kind, bytes: try Converter.bytes(of: other)))
        }
        for step in steps {
            do { try progress.check() } catch { throw .cancelled(reason: error.reason) }
            progress.phase(step.word)
            let watch = Stopwatch()
            papers = try unclaimed(papers, before: step, &report)
            papers = try take(step, papers, &report)
            report.legs.append(
                .init(name: "\(papers.count)", engine: step.word, seconds: watch.elapsed.inSeconds))
        }
        return papers
    }

    /// What is PDF/A, and is none behind this step, must not say so any more.
    private func unclaimed(
        _ papers: [Paper], before step: PaperStep, _ report: inout ConversionReport
    ) throws(ConversionError) -> [Paper] {
        // Few steps end it, and only PDFs are looked into.
        guard step.endsArchive(part: 1) else { return papers }
        if step == .merge, papers.count < 2 { return papers }
        var left: [Paper] = []
        for paper in papers {
            guard paper.kind == .pdf, let part = PDFTools.claimedArchivePart(paper.bytes),
                step.endsArchive(part: part)
            else {
                left.append(paper)
                continue
            }
            left.append(try PDFTools.unclaimed(paper))
            report.remarks.append(
                "“\(paper.name)” was PDF/A. What “\(step.word)” makes of it is none, and does not say so any more; put “pdfa” last."
            )
        }
        return left
    }

    private func take(
        _ step: PaperStep, _ papers: [Paper], _ report: inout ConversionReport
    ) throws(ConversionError) -> [Paper] {
        switch step {
        case .merge: return [try Self.merged(pdfs(papers, &report), name: papers.first?.name ?? "papers.pdf")]
        case .become(let kind):
            var made: [Paper] = []
            for paper in papers {
                let input = ConversionInput(name: paper.name, .bytes(paper.bytes))
                let result = try converter.convert(
                    [input], to: kind, options, progress: Progress(cancellation: progress.cancellation))
                made += result.papers
                report.add(result.report)
            }
            return made
        case .alternate(let fromEnd):
            return [try Self.alternated(pdfs(papers, &report), fromEnd: fromEnd, &report.remarks)]
        case .split(let wish):
            var made: [Paper] = []
            for paper in try pdfs(papers, &report) { made += try split(paper, wish, &report) }
            return made
        case .background(let wish):
            var papers = try pdfs(papers, &report)
            let ground = wish.ink == nil && papers.count > 1 ? papers.removeLast() : nil
            var made: [Paper] = []
            for paper in papers {
                try tellSigned(paper, &report)
                made.append(try PDFTools.grounded(paper, wish, on: ground))
            }
            return made
        case .picture(var wish):
            var papers = try pdfs(papers, &report)
            guard papers.count > 1 else {
                throw .badOption(
                    "There is no picture to put on the pages: the step takes the last of several papers.")
            }
            wish.picture = papers.removeLast().bytes
            var made: [Paper] = []
            for paper in papers {
                try tellSigned(paper, &report)
                made.append(try PDFTools.stamped(paper, wish))
            }
            return made
        case .attach:
            guard let first = try pdfs(Array(papers.prefix(1)), &report).first, papers.count > 1 else {
                throw .badOption(
                    "There is nothing to attach: the step takes what stands behind the first paper.")
            }
            let files = papers.dropFirst().map {
                PDFTools.Attachment(
                    name: $0.name, mediaType: PaperKind.mediaType(ofName: $0.name), bytes: $0.bytes)
            }
            return [try PDFTools.carrying(files, in: first)]
        case .attachments:
            var made: [Paper] = []
            for paper in try pdfs(papers, &report) {
                for file in try PDFTools.attachments(in: paper) {
                    let kind = PaperKind.detect(file.bytes, name: file.name) ?? .other(file.name)
                    made.append(Paper(name: file.name, kind: kind, bytes: file.bytes))
                }
            }
            guard !made.isEmpty else {
                throw .badOption("No files are carried inside “\(papers.first?.name ?? "this paper")”.")
            }
            return made
        case .number(let wish):
            var numbers = try PageNumbers(wish)
            var made: [Paper] = []
            for paper in try pdfs(papers, &report) {
                try tellSigned(paper, &report)
                made.append(try numbers.put(on: paper).paper)
            }
            return made
        case .compress(let ways):
            var made: [Paper] = []
            for paper in try pdfs(papers, &report) { made += try compressed(paper, ways, &report) }
            return made
        case .listBookmarks:
            var made: [Paper] = []
            for paper in try pdfs(papers, &report) {
                let list = BookmarkList(json: try PDFTools.bookmarks(paper).array ?? [])
                made.append(Paper(name: paper.title + ".txt", kind: .text, bytes: Array(list.text.utf8)))
            }
            return made
        default:
            var made: [Paper] = []
            for paper in try pdfs(papers, &report) {
                var paper = paper
                do {
                    paper.bytes = try changed(paper, step, &report)
                } catch {
                    throw ConversionError.of(error, paper.name)
                }
                made.append(paper)
            }
            return made
        }
    }

    /// Several ways are looked at before one is chosen, so each says what it would cost; one alone costs no field.
    private func compressed(
        _ paper: Paper, _ ways: [Compression], _ report: inout ConversionReport
    ) throws(ConversionError) -> [Paper] {
        let tools = PDFTools(converter.engines, cancellation: progress.cancellation)
        guard ways.count > 1 else {
            let small = try tools.compressed(paper, by: ways[0], &report)
            if small.bytes != paper.bytes { try tellSigned(paper, &report) }
            return [small]
        }
        let parts = try tools.parts(of: paper)
        report.parts.append(parts)
        var made: [Paper] = []
        for (place, way) in ways.enumerated() {
            progress.set(done: Int64(place), total: Int64(ways.count))
            let small = try tools.compressed(paper, by: way, mayLoseFields: true, &report)
            report.parts.append(
                small.bytes == paper.bytes ? parts : try tools.parts(of: small, keepsSignatures: false))
            made.append(small)
        }
        return made
    }

    /// What is no PDF yet becomes one.
    private func pdfs(_ papers: [Paper], _ report: inout ConversionReport) throws(ConversionError) -> [Paper]
    {
        var made: [Paper] = []
        for paper in papers {
            if paper.kind == .pdf {
                made.append(paper)
            } else {
                made += try take(.become(.pdf), [paper], &report)
            }
        }
        return made
    }

    private func changed(
        _ paper: Paper, _ step: PaperStep, _ report: inout ConversionReport
    ) throws -> [UInt8] {
        let cancellation = progress.cancellation
        switch step {
        case .pages(let text):
            let file = try PDFFile(bytes: paper.bytes)
            let pages =
                text.lowercased() == "printed"
                ? try PDFTools(converter.engines, cancellation: cancellation).printedPages(of: paper)
                : try PageRanges(text, of: file.pages.count).pages
            return try PageOrder(pages).made(of: [paper.bytes]).bytes
        case .rotate(let angle):
            let file = try PDFFile(bytes: paper.bytes)
            for page in file.pages.indices { try file.rotate(page: page, by: angle) }
            return try file.rewritten()
        case .recognise(let languages):
            return try Recognition(
                engines: converter.engines, languages: languages, cancellation: cancellation
            ).searchable(paper)
        case .archive(let part):
            return try Archiving(engines: converter.engines, cancellation: cancellation).archived(
                paper, part: part, &report)
        case .linearize:
            var writing = PDFFile.Writing()
            writing.linearizes = true
            return try PDFFile(bytes: paper.bytes).rewritten(writing)
        case .flatten: return try PDFTools.flattened(paper).bytes
        case .encrypt(let password):
            let lock = try PDFLock(userPassword: password)
            return try LockableFile(PDFFile(bytes: paper.bytes).rewritten()).locked(lock)
        case .stamp, .nup, .booklet, .poster, .resize, .crop, .sanitise:
            return try sheets(paper, step, &report)
        case .metadata(let key, let value):
            return try DocumentFacts(paper.bytes).setting([(key, value)])
        case .setBookmarks(let text):
            return try PDFTools.setting(bookmarks: BookmarkList(text).json, in: paper).bytes
        case .label(let list):
            try tellSigned(paper, &report)
            return try PDFTools.labelled(paper, list).bytes
        case .merge, .alternate, .split, .picture, .background, .become, .listBookmarks, .attach,
            .attachments, .number,
            .compress:
            return paper.bytes
        }
    }

    private func sheets(
        _ paper: Paper, _ step: PaperStep, _ report: inout ConversionReport
    ) throws(ConversionError) -> [UInt8] {
        try tellSigned(paper, &report)
        switch step {
        case .stamp(let wish): return try PDFTools.stamped(paper, wish).bytes
        case .nup, .booklet, .poster:
            if let told = try PDFTools.onlyDrawn(paper) { report.remarks.append(told) }
            if case .nup(let wish) = step { return try PDFTools.imposed(paper, wish).bytes }
            if case .booklet(let wish) = step { return try PDFTools.imposed(paper, wish).bytes }
            if case .poster(let wish) = step { return try PDFTools.poster(paper, wish).bytes }
            return paper.bytes
        case .resize(let wish): return try PDFTools.resized(paper, wish).bytes
        case .crop(let wish):
            let tools = PDFTools(converter.engines, cancellation: progress.cancellation)
            report.remarks.append(
                "What was cut off “\(paper.name)” is hidden, not gone: whoever has the file can bring it back."
            )
            return try tools.cropped(paper, wish).bytes
        case .sanitise(let wish):
            let (made, found) = try PDFTools.sanitised(paper, wish)
            report.remarks.append(
                found.isEmpty
                    ? "There was nothing in “\(paper.name)” that had to be taken out."
                    : "Taken out of “\(paper.name)”: \(found.map(\.words).joined(separator: "; ")).")
            return made.bytes
        default: return paper.bytes
        }
    }

    private func split(
        _ paper: Paper, _ wish: SplitWish, _ report: inout ConversionReport
    ) throws(ConversionError) -> [Paper] {
        var made: [Paper] = []
        var tooLarge: [Int] = []
        let tools = PDFTools(converter.engines, cancellation: progress.cancellation)
        do {
            try tools.split(paper, wish) { part in
                made.append(part.paper)
                if part.isTooLarge { tooLarge.append((part.pages.first ?? 0) + 1) }
            }
        } catch {
            throw ConversionError.of(error, paper.name)
        }
        if !tooLarge.isEmpty { report.remarks.append(SplitPart.tooLarge(tooLarge, of: paper.name)) }
        return made
    }

    /// A page of each in turn. Of what is longer than the others the rest stands at the end.
    public static func alternated(
        _ papers: [Paper], fromEnd: Bool, _ remarks: inout [String]
    ) throws(ConversionError) -> Paper {
        guard let first = papers.first, papers.count > 1 else {
            throw .badOption("Pages alternate between two papers or more, such as the fronts and the backs.")
        }
        var counts: [Int] = []
        for paper in papers { counts.append(try PDFTools.pageCount(paper.bytes, name: paper.name)) }
        if Set(counts).count > 1 {
            let said = zip(papers, counts).map { "“\($0.name)” has \($1)" }.joined(separator: ", ")
            remarks.append("The papers have not as many pages: \(said). What is left over stands at the end.")
        }
        var sheets: [PageOrder.Sheet] = []
        for page in 0..<(counts.max() ?? 0) {
            for (paper, count) in counts.enumerated() where page < count {
                sheets.append(.init(.page(paper > 0 && fromEnd ? count - 1 - page : page, of: paper)))
            }
        }
        do {
            let made = try PageOrder(sheets).made(of: papers.map(\.bytes))
            return Paper(name: first.title + ".pdf", kind: .pdf, bytes: made.bytes)
        } catch {
            throw ConversionError.of(error, first.name)
        }
    }

    private func tellSigned(_ paper: Paper, _ report: inout ConversionReport) throws(ConversionError) {
        guard try PDFTools.isSigned(paper) else { return }
        report.remarks.append(
            "“\(paper.name)” was signed. Signatures hold only for the file they were given in, so they were left out."
        )
    }

    /// With `titles` each paper gets a bookmark of its name, its own bookmarks below it.
    public static func merged(
        _ papers: [Paper], name: String, titles: Bool = true
    ) throws(ConversionError) -> Paper {
        if papers.count == 1, let only = papers.first { return only }
        var parts: [PDFAssembly.Part] = []
        for paper in papers {
            do throws(PDFError) {
                parts.append(
                    PDFAssembly.Part(try PDFFile(bytes: paper.bytes), bookmark: titles ? paper.title : nil))
            } catch {
                throw ConversionError.of(error, paper.name)
            }
        }
        do throws(PDFError) {
            let title = Paper(name: name, kind: .pdf, bytes: []).title
            return Paper(name: title + ".pdf", kind: .pdf, bytes: try PDFAssembly(parts).bytes)
        } catch {
            throw ConversionError.of(error, name)
        }
    }
}
