import Bytes
import Crypto
public import PDF
public import PDFReading
public import Work

/// Takes words, places and pages out of a paper for good, and proves that they are gone before anything is kept.
///
///     let redactor = Redactor(reader: PageReader(jail: .detect()))
///     let hits = try redactor.find(wish, in: bytes)
///     let redaction = try redactor.redact(wish, in: bytes)
public struct Redactor: Sendable {
    private let reader: PageReader
    private let progress: Progress

    public init(reader: PageReader, progress: Progress = Progress()) {
        self.reader = reader
        self.progress = progress
    }

    /// What would be blacked out.
    public struct Preview: Sendable {
        public var hits: [RedactionHit]
        /// Pages, counted from 0, on which nothing can be looked for.
        public var unreadablePages: [Int]
        public var pageCount: Int

        /// There is nothing to look at, and nothing that could not be looked at.
        public var isEmpty: Bool { hits.isEmpty && unreadablePages.isEmpty }

        public init(hits: [RedactionHit], unreadablePages: [Int], pageCount: Int) {
            self.hits = hits
            self.unreadablePages = unreadablePages
            self.pageCount = pageCount
        }
    }

    public struct Outcome: Sendable {
        public var bytes: [UInt8]
        public var hits: [RedactionHit]
        public var remarks: [RedactionRemark]
        public var proof: RedactionProof
    }

    private static let mostRounds = 3

    public func find(
        _ wish: RedactionWish, in bytes: [UInt8], password: String? = nil
    ) throws(RedactionError) -> Preview {
        try Self.find(wish, in: Self.open(bytes, password), progress)
    }

    /// The same in a file that is open already.
    public static func find(
        _ wish: RedactionWish, in file: PDFFile, _ progress: Progress = Progress()
    ) throws(RedactionError) -> Preview {
        try check(wish, file.pages.count)
        let finding = PageFinding(file)
        var preview = Preview(hits: [], unreadablePages: [], pageCount: finding.pages.count)
        guard wish.searches else { return preview }
        let search = try TextSearch(wish)
        for page in finding.pages.indices {
            try step(page, of: finding.pages.count, progress)
            let found = try finding.look(at: page, finding.words(page), for: search)
            preview.hits += found.hits
            if found.isUnreadable { preview.unreadablePages.append(page) }
        }
        preview.hits += try finding.lookBeside(search)
        return preview
    }

    public func redact(
        _ wish: RedactionWish, in bytes: [UInt8], password: String? = nil
    ) throws(RedactionError) -> Outcome {
        var more: [RedactionWish.Area] = []
        var doubts: [RedactionProof.Doubt] = []
        for _ in 0..<Self.mostRounds {
            let attempt = try attempt(wish, more, bytes, password)
            doubts = attempt.doubts
            if doubts.isEmpty { return attempt.outcome }
            // What somebody else still reads is taken out where it is read, and looked for again.
            let left = doubts.compactMap(\.area)
            if left.isEmpty { break }
            more += left
        }
        throw .notProven(Array(doubts.map(\.words).prefix(5)))
    }

    private static func open(_ bytes: [UInt8], _ password: String?) throws(RedactionError) -> PDFFile {
        do throws(PDFError) {
            let file = try PDFFile(bytes: bytes, password: password)
            try file.requirePages()
            return file
        } catch {
            throw .unreadable(error.description)
        }
    }

    private static func check(_ wish: RedactionWish, _ count: Int) throws(RedactionError) {
        if wish.isEmpty { throw .nothingWished }
        guard wish.areas.allSatisfy(\.isSound) else { throw .badWish("areas") }
        for page in wish.areas.map(\.page) + wish.pages where !(0..<count).contains(page) {
            throw .noPage(page + 1, of: count)
        }
    }

    private static func step(_ page: Int, of count: Int, _ progress: Progress) throws(RedactionError) {
        do { try progress.check() } catch { throw .cancelled(reason: error.reason) }
        progress.set(done: Int64(page), total: Int64(count))
    }

    // MARK: Once

    private struct Attempt {
        var outcome: Outcome
        var doubts: [RedactionProof.Doubt]
    }

    private func attempt(
        _ wish: RedactionWish, _ more: [RedactionWish.Area], _ bytes: [UInt8], _ password: String?
    ) throws(RedactionError) -> Attempt {
        let file = try Self.open(bytes, password)
        try Self.check(wish, file.pages.count)
        let finding = PageFinding(file)
        let search = wish.searches ? try TextSearch(wish) : nil
        let work = RedactionWork(
            file: file, finding: finding, wish: wish, search: search, reader: reader,
            cancellation: progress.cancellation)
        var hits: [RedactionHit] = []
        var spared: [RedactionHit] = []
        var unreadable: [Int] = []
        var pages: [PageFinding.Found] = []
        for page in finding.pages.indices {
            try Self.step(page, of: finding.pages.count, progress)
            var found = PageFinding.Found()
            if let search {
                found = try finding.look(at: page, finding.words(page), for: search, sparing: wish)
            }
            if found.isUnreadable { unreadable.append(page) }
            hits += found.hits
            spared += found.spared
            pages.append(found)
        }
        let areas = finding.pages.indices.map { page in
            (
                marked: wish.areas.filter { $0.page == page }.map {
                    Quad($0.written(on: finding.frames[page]))
                },
                seen: more.filter { $0.page == page }.map { Quad($0.written(on: finding.frames[page])) }
            )
        }
        work.chooseWidgets(&pages, areas)
        for page in finding.pages.indices {
            try Self.step(page, of: finding.pages.count, progress)
            try work.take(
                page, pages[page], marked: areas[page].marked, seen: areas[page].seen,
                isWhole: wish.pages.contains(page))
        }
        if let search { hits += try finding.lookBeside(search) }
        if !unreadable.isEmpty, !wish.passesOverPictures { throw .unreadablePages(unreadable) }
        guard !hits.isEmpty || !wish.areas.isEmpty || !wish.pages.isEmpty else {
            throw spared.isEmpty ? .nothingFound : .allSpared
        }
        if !work.knots.isEmpty, !wish.makesPictures { throw .knotted(work.knots) }
        var made = try work.finish()
        if wish.makesPictures, !work.quads.isEmpty {
            made = try RedactionPictures(reader: reader, cancellation: progress.cancellation)
                .pictured(made, pages: work.quads.keys.sorted())
        }
        var remarks = work.remarks
        if wish.passesOverPictures, !unreadable.isEmpty { remarks.insert(.notLookedAt(pages: unreadable)) }
        if !spared.isEmpty { remarks.insert(.spared(spared.count)) }
        var proof = RedactionProver(
            reader: reader, before: file, made: made, wish: wish, quads: work.quads,
            cleared: work.cleared, texts: Set(hits.map(\.text)), spared: spared, progress: progress)
        let doubts = try proof.doubts()
        for (text, pages) in try work.stillThere() { remarks.insert(.stillThere(text, pages: pages)) }
        return Attempt(
            outcome: Outcome(
                bytes: made, hits: hits, remarks: remarks.sorted(),
                proof: RedactionProof(
                    digest: Hex.encode(SHA256.hash(made)),
                    pageCount: finding.pages.count, changedPages: work.quads.keys.sorted(),
                    hitCount: hits.count, checks: proof.checks)),
            doubts: doubts)
    }
}
