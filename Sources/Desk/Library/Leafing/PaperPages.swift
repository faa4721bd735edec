public import Access
public import PDF
public import PDFReading
import Storage
import Synchronization
public import Work

/// The pages of a paper in the library, one by one: how large they are, how they look, which words stand where.
///
/// How large the pages of the papers looked at last are is remembered, as a reader asks for one page after the other.
public final class PaperPages: Sendable {
    private let documents: Documents
    private let previews: PagePreviews
    private let opening: PaperSheets
    private let copies: ReadingCopies?
    private let reader: @Sendable () -> PageReader
    private let known = Mutex<[(digest: Digest, frames: [PageFrame])]>([])
    /// Those of whose first page no picture could be made: nobody asks for one again, until a server begins anew.
    private let unseen = Mutex<Set<Digest>>([])

    private static let mostKnown = 32
    private static let mostUnseen = 10_000
    /// What is read into memory to look at a page of it.
    public static let largest: Int64 = 512 << 20

    /// Without `copies` only PDF files and the pictures that one can hold have pages.
    public init(
        _ documents: Documents, previews: PagePreviews, copies: ReadingCopies? = nil,
        reader: @escaping @Sendable () -> PageReader
    ) {
        self.documents = documents
        self.previews = previews
        self.copies = copies
        self.reader = reader
        opening = PaperSheets(store: documents.store, copies: copies, reader: reader)
    }

    public static func isPDF(_ document: Document) -> Bool { PageOrigin(document.blob) == .own }

    /// PDF files and pictures: what is looked at is the paper itself, page by page.
    public static func hasPages(_ document: Document) -> Bool {
        PageOrigin(document.blob).map { $0 != .written } ?? false
    }

    /// Whether it can be leafed through, be it on pages that are made for that.
    public static func isReadable(_ document: Document) -> Bool { PageOrigin(document.blob) != nil }

    /// Whether what is found in it is found on the pages one leafs through; of most that was written these come later.
    public static func isFoundByPage(_ document: Document) -> Bool {
        hasPages(document) || PageOrigin.old.contains(document.blob.mediaType)
    }

    /// Whether its first page can be shown in a list, as far as is known. Of what was written it can when somebody has
    /// opened it.
    public func hasPicture(_ document: Document) -> Bool {
        guard !unseen.withLock({ $0.contains(document.blob.digest) }) else { return false }
        return PageOrigin(document.blob) == .written
            ? previews.copy(of: document.blob.digest) != nil : Self.hasPages(document)
    }

    /// Whether its pages are made when somebody first looks, who is told to come back meanwhile.
    public static func isPrepared(_ document: Document) -> Bool {
        PageOrigin(document.blob)?.isCopied ?? false
    }

    /// The sheets of all pages, in order.
    public func frames(of document: Document) throws -> [PageFrame] {
        let digest = document.blob.digest
        if let frames = known.withLock({ known in known.first { $0.digest == digest }?.frames }) {
            return frames
        }
        return try sheets(of: document).frames
    }

    /// Where the picture of a page lies, at least so many pixels wide. Pages count from 0.
    public func picture(
        of document: Document, page: Int, width: Int, cancellation: Cancellation = Cancellation()
    ) throws -> String {
        do {
            if Self.isPrepared(document) {
                if let kept = try previews.kept(page, of: document.blob.digest, width: width) { return kept }
                // Nobody who wants a page drawn is to wait for this.
                _ = try copies?.path(of: document)
            }
            return try previews.path(
                ofPage: page, of: document.blob.digest, width: width, cancellation: cancellation
            ) { try sheets(of: document) }
        } catch let failure as Failure where failure.code == .unsupported && page == 0 {
            // What took too long now may be drawn when there is less to do.
            guard failure != Failure(ReadingError.tooSlow(page: 1)) else { throw failure }
            unseen.withLock { unseen in
                if unseen.count >= Self.mostUnseen { unseen = [] }
                unseen.insert(document.blob.digest)
            }
            throw failure
        }
    }

    /// The PDF that shows a paper: the paper itself, or the copy that stands for it; nil for what has neither.
    public func shownPDF(of document: Document) throws -> [UInt8]? {
        switch PageOrigin(document.blob) {
        case .own, .drawn, .written: try opening.shown(document)
        case .picture, nil: nil
        }
    }

    /// Where the copy lies that stands for a paper; nil for what has none.
    public func copy(of document: Document) throws -> String? {
        Self.isPrepared(document) ? try copies?.path(of: document) : nil
    }

    /// The words of a page and their places on it.
    public func words(
        of document: Document, page: Int, cancellation: Cancellation = Cancellation()
    ) throws -> PageText {
        let sheets = try sheets(of: document)
        do throws(ReadingError) {
            let texts = try reader().text(of: sheets, pages: page..<page + 1, cancellation: cancellation)
            guard let text = texts.first else { throw .noPage(page + 1, of: sheets.count) }
            guard text.lines.isEmpty, let kept = documents.recognised(page + 1, of: document) else {
                return text
            }
            // Places on photos were once counted in their dots, from the top.
            let isOnPage = kept.allSatisfy { $0.words.allSatisfy { $0.place.top > 0 } }
            return PageText(page: page, frame: text.frame, lines: isOnPage ? kept : [])
        } catch {
            throw Failure(error)
        }
    }

    /// What is seen of a page.
    public struct Drawn: Sendable {
        public var place: PDFRectangle
        /// Nothing can be read there: it is dust, or the shadow of an edge.
        public var isBlank: Bool
    }

    /// Where something is drawn on pages, counted from 0; none for one that is white all over.
    public func drawn(
        on pages: [Int], of document: Document, cancellation: Cancellation = Cancellation()
    ) throws -> [Int: Drawn] {
        let sheets = try sheets(of: document)
        var found: [Int: Drawn] = [:]
        do throws(ReadingError) {
            for page in pages where page < sheets.count {
                let frame = sheets.frames[page]
                let pixels = try reader().pixels(
                    of: sheets, page: page, width: Int(min(1000, max(100, frame.width))),
                    cancellation: cancellation)
                found[page] = pixels.drawn.map {
                    Drawn(
                        place: PDFRectangle(
                            left: $0.left * frame.width, bottom: $0.bottom * frame.height,
                            right: $0.right * frame.width, top: $0.top * frame.height),
                        isBlank: pixels.isAsGoodAsBlank)
                }
            }
        } catch {
            throw Failure(error)
        }
        return found
    }

    /// The pages that have all the words, from 1: of what was written, those it is looked at by.
    public func pages(of document: Document, with text: String, by caller: Caller) throws -> [Int] {
        guard PageOrigin(document.blob) == .written else {
            return try documents.pages(of: document.id, with: text, by: caller)
        }
        let wanted = Wanted(text)
        let sheets = try sheets(of: document)
        do throws(ReadingError) {
            let texts = try reader().text(of: sheets)
            return texts.indices.filter { wanted.stands(on: Words.folded(texts[$0].text)) }.map { $0 + 1 }
        } catch {
            throw Failure(error)
        }
    }

    /// What it says, page by page; nothing for what has no words that Quire can read.
    public func texts(
        of document: Document, cancellation: Cancellation = Cancellation()
    ) throws -> [String] {
        try opening.text(of: document, reader: reader, cancellation).pages
    }

    private func sheets(of document: Document) throws -> Sheets {
        let sheets = try opening.open(document)
        known.withLock { known in
            known.removeAll { $0.digest == document.blob.digest }
            known.append((document.blob.digest, sheets.frames))
            if known.count > Self.mostKnown { known.removeFirst() }
        }
        return sheets
    }
}
