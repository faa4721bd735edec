public import Access
import Bytes
public import Library
public import Marking
import PDF
public import Storage
import Work

/// What is written on papers of the desk: each time it is kept, the paper becomes a new version, and what it was stays.
public struct MarkedPapers: Sendable {
    private let store: Store
    private let documents: Documents

    private static let largest = 256 << 20

    public init(_ store: Store, documents: Documents) {
        self.store = store
        self.documents = documents
    }

    /// The notes on a paper, and whose signatures would not hold any more if more were written.
    public struct Look: Sendable {
        public var marks: [FoundMark]
        public var links: [FoundMark]
        public var broken: MarkedPaper.Broken
    }

    /// Nil for what is no PDF, on which nothing is written.
    public func look(at document: Document, by caller: Caller) throws -> Look? {
        try caller.require(.view)
        guard document.blob.mediaType == "application/pdf" else { return nil }
        let paper = try opened(document)
        return try Self.explained {
            Look(
                marks: paper.marks, links: paper.links,
                broken: try paper.broken(now: store.clock.now().milliseconds / 1000))
        }
    }

    public func change(
        _ document: Document, _ changes: MarkChanges, ifVersion version: Int? = nil, by caller: Caller
    ) throws -> Document {
        try caller.require(.edit)
        try document.checkIsHere()
        var changes = changes
        changes.author = caller.name
        let paper = try opened(document)
        let made = try Self.explained {
            try paper.changed(changes, now: store.clock.now().milliseconds / 1000) {
                Hex.encode(store.chance.bytes(12))
            }
        }
        let revised = try documents.revise(
            document.id, with: .bytes(made), ifVersion: version ?? document.version, by: caller)
        switch revised {
        case .same(let document), .revised(let document): return document
        }
    }

    /// The notes in the words of other programs.
    public func xfdf(of document: Document, by caller: Caller) throws -> String {
        try caller.require(.view)
        return try opened(document).xfdf
    }

    public func take(xfdf: [UInt8], onto document: Document, by caller: Caller) throws -> Document {
        let changes = try Self.explained { try opened(document).changes(xfdf: xfdf) }
        return try change(document, changes, by: caller)
    }

    private func opened(_ document: Document) throws -> MarkedPaper {
        guard document.blob.mediaType == "application/pdf" else { throw Failure.noPDF(document) }
        let bytes = try store.blobs.read(document.blob.digest, atMost: Self.largest)
        return try Self.explained { try MarkedPaper(bytes) }
    }

    static func explained<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as MarkError {
            throw Failure(error)
        } catch PDFError.tooLittleMemory {
            throw Failure.tooLittleMemory
        } catch PDFError.passwordNeeded {
            throw Failure(MarkError.locked)
        } catch let error as PDFError {
            throw Failure(
                .unsupported, "The file is no PDF, or too damaged to be read.", cause: "\(error)")
        }
    }
}

extension Failure {
    /// Why nothing was written on a paper.
    public init(_ error: MarkError) {
        switch error {
        case .locked:
            self = Failure(
                .unsupported, "The paper is locked with a password. Take the password off first.",
                field: Failure.lockField)
        case .noPages: self = Failure(.unsupported, "The paper has no page that could be written on.")
        case .badWish(let name):
            self = Failure(.invalid, "What is said in “\(name)” cannot be read.", field: name)
        case .noSuchPage(let page, let count):
            self = Failure(.invalid, "There is no page \(page): the paper has \(count).")
        case .offPage(let page):
            self = Failure(.invalid, "What is written on page \(page + 1) lies beside the page.")
        case .noSuchMark(let id):
            self = Failure(.notFound, "There is no note “\(id)” on this paper. It may have been removed.")
        case .badLink(let target):
            self = Failure(
                .invalid,
                "“\(target)” is nothing a link can lead to. Write a web or mail address, or # and a page.",
                field: "text")
        case .badPicture:
            self = Failure(.invalid, "The picture cannot be read. PNG and JPEG can.", field: "picture")
        case .tooMany:
            self = Failure(.tooLarge, "That is more than is written on a paper at once.")
        case .breaks(let name):
            self = Failure(
                .conflict,
                "The signature of \(name) would not hold any more. Nothing was written.",
                field: "breakSignatures")
        case .badXFDF(let why):
            self = Failure(.invalid, "This is no XFDF that can be read: \(why).", field: "file")
        case .nothing: self = Failure(.invalid, "Nothing was written yet.")
        }
    }
}
