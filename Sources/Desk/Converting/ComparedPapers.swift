import Access
public import Comparing
import Conversion
public import Library
public import PDFReading
import Storage
import Synchronization
public import Work

/// Papers of the desk held against each other. Whoever asks has been given both papers already, through the door that reading goes
/// through. What two files differ in never changes, so the last ones that were compared are remembered.
public final class ComparedPapers: Sendable {
    private let pages: PaperPages
    private let reader: @Sendable () -> PageReader
    private let clock: Clock
    private let known = Mutex<[(name: Name, found: PaperComparison)]>([])

    private struct Name: Equatable {
        var before: Digest
        var after: Digest
    }

    private static let mostKnown = 8
    /// Somebody waits for it; the command takes more.
    private static let mostPages = 500
    private static let mostWords = 500_000

    public init(pages: PaperPages, clock: Clock, reader: @escaping @Sendable () -> PageReader) {
        self.pages = pages
        self.clock = clock
        self.reader = reader
    }

    public func compare(
        _ before: Document, _ after: Document, progress: Progress = Progress()
    ) throws -> PaperComparison {
        let name = Name(before: before.blob.digest, after: after.blob.digest)
        if let found = known.withLock({ known in known.first { $0.name == name }?.found }) { return found }
        guard PageReader.isReady else {
            throw Failure(.unavailable, "Comparing papers needs Poppler. Install poppler-utils.")
        }
        let bytes = (try self.bytes(before), try self.bytes(after))
        try tryOut([(before, bytes.0), (after, bytes.1)])
        var limits = Comparer.Limits()
        limits.pages = Self.mostPages
        limits.words = Self.mostWords
        let found: PaperComparison
        do throws(ComparisonError) {
            found = try Comparer(reader: reader(), limits: limits, progress: progress)
                .compare(bytes.0, bytes.1)
        } catch {
            if case .cancelled(let reason) = error { throw Cancelled(reason: reason) }
            throw Failure(error, names: (before.name, after.name))
        }
        known.withLock { known in
            known.append((name, found))
            if known.count > Self.mostKnown { known.removeFirst() }
        }
        return found
    }

    /// To be read and printed.
    public func report(
        _ before: Document, _ after: Document, _ words: (PaperComparison) -> ComparisonReport.Words
    ) throws -> [UInt8] {
        let found = try compare(before, after)
        return try ComparisonReport(found, words: words(found)).bytes(
            bytes(before), bytes(after), now: clock.now().milliseconds / 1000)
    }

    /// The pages that are looked at, be they a copy made for that.
    private func bytes(_ document: Document) throws -> [UInt8] {
        guard let bytes = try pages.shownPDF(of: document) else {
            throw Failure(.unsupported, "“\(document.name)” has no pages that could be compared.")
        }
        return bytes
    }

    /// Strangers' files are worked through in the jail before they are opened here.
    private func tryOut(_ papers: [(document: Document, bytes: [UInt8])]) throws {
        let outcomes = try PDFTrial(reader().jail).outcomes(of: papers.map(\.bytes), .look)
        for (paper, outcome) in zip(papers, outcomes) {
            guard case .givenUp(let trouble) = outcome else { continue }
            switch trouble {
            case .crashed:
                throw Failure(
                    .unsupported, "“\(paper.document.name)” cannot be read, so it cannot be compared.")
            case .tooLong, .tooLarge:
                throw Failure(.tooLarge, "“\(paper.document.name)” is too much to be compared.")
            }
        }
    }
}
