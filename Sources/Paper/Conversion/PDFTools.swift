public import Bytes
import Kinds
import PDF
import PDFForms
public import Work

/// What can be done with PDF files as a whole, one thing at a time; pipelines and other programs' interfaces are made
/// of these.
public struct PDFTools: Sendable {
    let engines: Engines
    let cancellation: Cancellation

    public init(_ engines: Engines, cancellation: Cancellation = LiveChild.never) {
        self.engines = engines
        self.cancellation = cancellation
    }

    public static func pageCount(
        _ bytes: [UInt8], name: String, password: String? = nil
    ) throws(ConversionError) -> Int {
        try told(name) { () throws(PDFError) in
            let file = try PDFFile(bytes: bytes, password: password)
            try file.requirePages()
            return file.pages.count
        }
    }

    /// Pages chosen as people write them.
    public static func chosen(_ paper: Paper, pages text: String) throws(ConversionError) -> Paper {
        let count = try pageCount(paper.bytes, name: paper.name)
        let pages = try PageRanges(text, of: count).pages
        var paper = paper
        let bytes = paper.bytes
        paper.bytes = try told(paper.name) { () throws(PDFError) in
            var runs: [[Int]] = [[]]
            for page in pages {
                if runs[runs.count - 1].contains(page) { runs.append([]) }
                runs[runs.count - 1].append(page)
            }
            var parts: [PDFAssembly.Part] = []
            for run in runs { parts.append(PDFAssembly.Part(try PDFFile(bytes: bytes), pages: run)) }
            return try PDFAssembly(parts).bytes
        }
        return paper
    }

    public static func rotated(
        _ paper: Paper, by angle: Int, pages text: String?
    ) throws(ConversionError) -> Paper {
        let count = try pageCount(paper.bytes, name: paper.name)
        let pages =
            try text.map { text throws(ConversionError) in try PageRanges(text, of: count).pages }
            ?? Array(0..<count)
        var paper = paper
        let bytes = paper.bytes
        paper.bytes = try told(paper.name) { () throws(PDFError) in
            let file = try PDFFile(bytes: bytes)
            for page in pages { try file.rotate(page: page, by: angle) }
            return try file.rewritten()
        }
        return paper
    }

    public static func flattened(_ paper: Paper) throws(ConversionError) -> Paper {
        var paper = paper
        do {
            // Without a form there is nothing to be made part of the pages.
            guard try PDFFile(bytes: paper.bytes).form != nil else { return paper }
            var options = PreparedForm.Options()
            options.base = .rewrite
            options.flattens = .all
            let form = try PreparedForm(bytes: paper.bytes, options: options)
            paper.bytes = try PDFFile(bytes: form.fill([:]).bytes).rewritten()
        } catch {
            throw ConversionError.of(error, paper.name)
        }
        return paper
    }

    public struct Permissions: Sendable {
        public var mayPrint = true
        public var mayCopy = true
        public var mayChange = true
        public var mayAnnotate = true
        public var mayFill = true
        public var mayAssemble = true

        public init() {}
    }

    public static func locked(
        _ paper: Paper, user: String, owner: String?, _ allowed: Permissions = Permissions()
    ) throws(ConversionError) -> Paper {
        // A locked file is no PDF/A, and must not say that it is.
        var paper = try unclaimed(paper)
        let bytes = paper.bytes
        paper.bytes = try told(paper.name) { () throws(PDFError) in
            var permissions: PDFLock.Permissions = []
            for (may, permission) in [
                (allowed.mayPrint, PDFLock.Permissions.print), (allowed.mayCopy, .copy),
                (allowed.mayChange, .change),
                (allowed.mayAnnotate, .annotate), (allowed.mayFill, .fill), (allowed.mayAssemble, .assemble),
            ] where may { permissions.insert(permission) }
            let lock = try PDFLock(
                userPassword: user, ownerPassword: owner?.isEmpty == true ? nil : owner,
                permissions: permissions)
            return try LockableFile(PDFFile(bytes: bytes).rewritten()).locked(lock)
        }
        return paper
    }

    public func archived(_ paper: Paper, part: Int) throws(ConversionError) -> Paper {
        var result = paper
        var report = ConversionReport()
        result.bytes = try Archiving(engines: engines, cancellation: cancellation).archived(
            paper, part: part, &report)
        return result
    }

    /// With a `quality`, 1 to 100, pictures become JPEG of it; nil leaves those alone that are coarse enough.
    public func compressed(_ paper: Paper, quality: Int? = nil) throws(ConversionError) -> Paper {
        var report = ConversionReport()
        return try compressed(paper, by: .balanced, quality: quality, &report)
    }

    /// The very same bytes where it would not become smaller. Fields are only lost where that is said to be allowed.
    public func compressed(
        _ paper: Paper, by way: Compression, quality: Int? = nil, mayLoseFields: Bool = false,
        _ report: inout ConversionReport
    ) throws(ConversionError) -> Paper {
        var result = paper
        result.bytes = try Archiving(engines: engines, cancellation: cancellation).compressed(
            paper, by: way, quality: quality, mayLoseFields: mayLoseFields, &report)
        return result
    }

    public func parts(of paper: Paper, keepsSignatures: Bool = true) throws(ConversionError) -> PaperParts {
        do {
            var parts = try PaperParts(paper.bytes, keepsSignatures: keepsSignatures)
            try parts.countWords(paper.bytes, engines, cancellation)
            return parts
        } catch {
            throw ConversionError.of(error, paper.name)
        }
    }

    /// Draws the first page of `stamp` on pages, over or under what is there.
    public static func drawn(
        _ stamp: Paper, on paper: Paper, pages text: String?, isUnder: Bool
    ) throws(ConversionError) -> Paper {
        let count = try pageCount(paper.bytes, name: paper.name)
        let pages =
            try text.map { text throws(ConversionError) in try PageRanges(text, of: count).pages }
            ?? Array(0..<count)
        var paper = paper
        let bytes = paper.bytes
        paper.bytes = try told(paper.name) { () throws(PDFError) in
            let file = try PDFFile(bytes: bytes)
            let drawing = try PDFFile(bytes: stamp.bytes)
            for page in pages { try file.draw(drawing, on: page, under: isUnder) }
            return try file.rewritten()
        }
        return paper
    }

    public static func facts(_ paper: Paper) throws(ConversionError) -> JSON {
        try told(paper.name) { () throws(PDFError) in try DocumentFacts(paper.bytes).json() }
    }

    /// Texts, numbers and lists of texts, by the names of PDF's entries.
    public static func setting(_ facts: JSONObject, in paper: Paper) throws(ConversionError) -> Paper {
        var paper = paper
        let bytes = paper.bytes
        let list = facts.map { member -> (key: String, value: String) in
            let texts = member.value.array?.compactMap(\.string)
            return (member.key, member.value.string ?? texts?.joined(separator: ", ") ?? member.value.text)
        }
        paper.bytes = try told(paper.name) { () throws(PDFError) in try DocumentFacts(bytes).setting(list) }
        return paper
    }

    static func told<R>(_ name: String, _ body: () throws(PDFError) -> R) throws(ConversionError) -> R {
        do throws(PDFError) { return try body() } catch { throw ConversionError.of(error, name) }
    }
}

extension PDFTools {
    /// A picture as a page to be drawn on others.
    public func page(of paper: Paper) throws(ConversionError) -> Paper {
        let input = ConversionInput(name: paper.name, .bytes(paper.bytes))
        let made = try Converter(engines).convert(
            [input], to: .pdf, progress: Progress(cancellation: cancellation))
        guard let first = made.papers.first else { throw .damaged(paper.name, reason: "it has no page") }
        return first
    }
}
