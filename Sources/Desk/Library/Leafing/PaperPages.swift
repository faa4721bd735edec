import Access
public import PDFReading
import Pictures
import Storage
import Synchronization
public import Work

/// The pages of a PDF in the library, one by one: how large they are, how they look, which words stand where.
///
/// How large the pages of the papers looked at last are is remembered, as a reader asks for one page after the other.
public final class PaperPages: Sendable {
    private let documents: Documents
    private let previews: PagePreviews
    private let reader: @Sendable () -> PageReader
    private let known = Mutex<[(digest: Digest, frames: [PageFrame])]>([])

    private static let mostKnown = 32
    /// What is read into memory to look at a page of it.
    public static let largest: Int64 = 512 << 20

    public init(
        _ documents: Documents, previews: PagePreviews, reader: @escaping @Sendable () -> PageReader
    ) {
        self.documents = documents
        self.previews = previews
        self.reader = reader
    }

    public static func hasPages(_ document: Document) -> Bool {
        document.blob.mediaType.hasPrefix("application/pdf") && document.blob.byteCount <= largest
    }

    /// A photo or a scan that can be looked at as a page.
    public static func isPicture(_ document: Document) -> Bool {
        ["image/jpeg", "image/png"].contains(document.blob.mediaType)
            && document.blob.byteCount <= 64 << 20
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
        try previews.path(
            ofPage: page, of: document.blob.digest, width: width, cancellation: cancellation
        ) {
            try Self.isPicture(document)
                ? PagePreviews.sheets(Self.page(of: store(document))) : sheets(of: document)
        }
    }

    private func store(_ document: Document) throws -> [UInt8] {
        try documents.store.blobs.read(document.blob.digest)
    }

    /// A picture laid on a page of its own, untouched; where it is drawn it is drawn in the jail, as all from strangers is.
    private static func page(of picture: [UInt8]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            var pages = try PicturePages { bytes += $0 }
            try pages.add(picture)
            try pages.finish()
        } catch let error as PictureError {
            throw Failure(.unsupported, "\(error)")
        }
        return bytes
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
            return PageText(page: page, frame: text.frame, lines: kept)
        } catch {
            throw Failure(error)
        }
    }

    /// What it says, page by page; nothing for what has no words that Quire can read.
    public func texts(
        of document: Document, cancellation: Cancellation = Cancellation()
    ) throws -> [String] {
        try PaperText(
            document.blob.mediaType, byteCount: document.blob.byteCount, reader: reader,
            cancellation: cancellation
        ) { try documents.store.blobs.read(document.blob.digest) }.pages
    }

    private func sheets(of document: Document) throws -> Sheets {
        guard Self.hasPages(document) else {
            throw Failure(
                .unsupported, "Only PDF files can be leafed through; this one can be opened or downloaded.")
        }
        let sheets = try PagePreviews.sheets(documents.store.blobs.read(document.blob.digest))
        known.withLock { known in
            known.removeAll { $0.digest == document.blob.digest }
            known.append((document.blob.digest, sheets.frames))
            if known.count > Self.mostKnown { known.removeFirst() }
        }
        return sheets
    }
}
