import Access
import PDFReading
import Pictures
import SQL
public import Storage
public import Work

/// PDFs that stand for papers of other kinds while these are looked at: made when somebody first looks, kept beside the
/// pictures of pages, and made again when somebody threw them away. The papers themselves stay as they are.
///
/// To make one may take a while. It happens apart from whoever asks, who waits a moment and is then told to come back.
public final class ReadingCopies: Sendable {
    /// Makes the copy of a paper; throws what a person is told when there can be none.
    public typealias Maker = @Sendable (_ document: Document, Cancellation) throws -> [UInt8]

    public struct Limits: Sendable {
        /// How many are made at the same time.
        public var atOnce = 2
        /// How many may wait to be made.
        public var waiting = 500
        /// How long somebody waits for one.
        public var patience = Duration.seconds(3)
        /// More are told at once to come back, so that those who want something else find somebody to answer.
        public var patientAtOnce = 2
        /// When another try may succeed, as where a program was missing.
        public var anotherTry = Duration.seconds(60)

        public init() {}
    }

    private struct State {
        var making: Set<Digest> = []
        var patient = 0
        var troubles: [(digest: Digest, failure: Failure, end: Moment?)] = []

        func trouble(_ digest: Digest, at now: Moment) -> Failure? {
            troubles.first { $0.digest == digest && $0.end.map { now < $0 } ?? true }?.failure
        }
    }

    private static let mostTroubles = 500
    private static let mostByteCount = 256 << 20

    private let store: Store
    private let previews: PagePreviews
    private let limits: Limits
    private let make: Maker
    private let workers: Workers
    private let ending = Cancellation()
    private let state = Monitor(State())

    public init(
        _ store: Store, previews: PagePreviews, limits: Limits = Limits(), make: @escaping Maker
    ) {
        self.store = store
        self.previews = previews
        self.limits = limits
        self.make = make
        workers = Workers(
            name: "copies", threads: limits.atOnce, stackByteCount: 4 << 20, isPolite: true)
    }

    /// Where the copy lies; one that is not there yet is begun, and waited for a moment.
    func path(of document: Document) throws -> String {
        let digest = document.blob.digest
        if let path = previews.copy(of: digest) { return path }
        try begin(document)
        let isPatient = state.update(waking: .nobody) { state in
            guard state.patient < limits.patientAtOnce else { return false }
            state.patient += 1
            return true
        }
        defer { if isPatient { state.update(waking: .nobody) { $0.patient -= 1 } } }
        return try settled(digest, within: isPatient ? limits.patience : .zero)
    }

    /// The same for whoever has the time to make it.
    func pathMadeNow(of document: Document) throws -> String {
        let digest = document.blob.digest
        if let path = previews.copy(of: digest) { return path }
        if try claim(digest) { work(on: document) }
        return try settled(digest, within: nil)
    }

    /// Gives up what is being made.
    public func stop() {
        ending.cancel(reason: "Quire stops")
        workers.stop()
    }

    private func begin(_ document: Document) throws {
        guard try claim(document.blob.digest) else { return }
        workers.submit { self.work(on: document) }
    }

    /// False when somebody is making it.
    private func claim(_ digest: Digest) throws -> Bool {
        try state.update(waking: .nobody) { state in
            if let failure = state.trouble(digest, at: store.clock.now()) { throw failure }
            guard !state.making.contains(digest) else { return false }
            guard state.making.count < limits.waiting else { throw Self.preparing }
            state.making.insert(digest)
            return true
        }
    }

    private func settled(_ digest: Digest, within patience: Duration?) throws -> String {
        let isMade =
            state.wait(timeout: patience) { $0.making.contains(digest) ? nil : true } ?? false
        guard isMade else { throw Self.preparing }
        if let failure = state.read({ $0.trouble(digest, at: store.clock.now()) }) { throw failure }
        guard let path = previews.copy(of: digest) else { throw Self.preparing }
        return path
    }

    private func work(on document: Document) {
        let digest = document.blob.digest
        var trouble: Failure?
        do {
            try ending.check()
            if previews.copy(of: digest) == nil {
                try previews.keep(copy: made(document), of: digest)
            }
        } catch let failure as Failure {
            trouble = failure
        } catch is Cancelled {
        } catch {
            trouble = Failure(
                .unavailable, "The pages of this paper could not be prepared.", cause: "\(error)")
        }
        let now = store.clock.now()
        state.update { state in
            state.making.remove(digest)
            state.troubles.removeAll { $0.digest == digest }
            guard let trouble, trouble.code != .cancelled else { return }
            let isLasting = ![.unavailable, .full].contains(trouble.code)
            state.troubles.append((digest, trouble, isLasting ? nil : now + limits.anotherTry))
            if state.troubles.count > Self.mostTroubles { state.troubles.removeFirst() }
        }
    }

    private func made(_ document: Document) throws -> [UInt8] {
        let bytes = try make(document, Cancellation(following: ending))
        guard bytes.count <= Self.mostByteCount else {
            throw Failure(
                .unsupported, "This paper has too many pages to be shown; it can be opened or downloaded.")
        }
        // What cannot be shown is not worth being kept.
        _ = try previews.sheets(bytes)
        return bytes
    }

    /// What is said while one is made; whoever shows it asks again by itself.
    static let preparing = Failure(
        .unavailable, "The pages of this paper are being prepared. Try again in a moment.",
        retryAfter: .seconds(2))
}

extension Failure {
    /// Whoever asks again in a moment gets it.
    public var isBeingPrepared: Bool { self == ReadingCopies.preparing }
}

/// Opens papers to be looked at, whatever their pages come from.
struct PaperSheets: Sendable {
    let store: Store
    let copies: ReadingCopies?
    let reader: @Sendable () -> PageReader

    /// `hasTime` for whoever keeps nobody waiting meanwhile.
    func open(_ document: Document, hasTime: Bool = false) throws -> Sheets {
        let sheets = try PagePreviews.sheets(shown(document, hasTime: hasTime), reader)
        if PageOrigin(document.blob) != .own { note(sheets.count, of: document) }
        return sheets
    }

    /// The PDF that a paper is looked at by.
    func shown(_ document: Document, hasTime: Bool = false) throws -> [UInt8] {
        switch PageOrigin(document.blob) {
        case .own: return try bytes(of: document)
        case .picture: return try page(of: bytes(of: document))
        case .drawn, .written:
            guard let copies else { throw Self.noPages }
            let path = try hasTime ? copies.pathMadeNow(of: document) : copies.path(of: document)
            // It may be thrown away at any time.
            guard let bytes = PagePreviews.read(path, atMost: PaperPages.largest) else {
                throw ReadingCopies.preparing
            }
            return bytes
        case nil: throw Self.noPages
        }
    }

    /// What it says: of old office files and books what their copy does.
    func text(
        of document: Document, hasTime: Bool = false, reader: () -> PageReader, _ cancellation: Cancellation
    ) throws -> PaperText {
        let blob = document.blob
        guard PageOrigin.old.contains(blob.mediaType), PageOrigin(blob) != nil, copies != nil else {
            return try PaperText(
                blob.mediaType, byteCount: blob.byteCount, reader: reader, cancellation: cancellation
            ) { try bytes(of: document) }
        }
        do {
            var text = try PaperText(pdf: shown(document, hasTime: hasTime), reader(), cancellation)
            // Its pictures are no pages that could be read in another way.
            text.bareCount = 0
            return text
        } catch let failure as Failure where failure.code == .unsupported || failure.code == .unavailable {
            guard !failure.isBeingPrepared else { throw failure }
            return PaperText(state: .unreadable, reason: failure.message)
        }
    }

    private func bytes(of document: Document) throws -> [UInt8] {
        try store.blobs.read(document.blob.digest, atMost: Int(PaperPages.largest))
    }

    /// A picture laid on a page of its own, untouched; where it is drawn it is drawn in the jail, as all from strangers is.
    private func page(of picture: [UInt8]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            var pages = try PicturePages(layout: .reading) { bytes += $0 }
            try pages.add(picture)
            try pages.finish()
        } catch let error as PictureError {
            throw Failure(.unsupported, "\(error)")
        }
        return bytes
    }

    /// How many pages it has is known when they have been made.
    private func note(_ pageCount: Int, of document: Document) {
        guard document.pageCount == nil else { return }
        try? store.write { tx in
            try tx.run(
                """
                UPDATE document SET pages = \(pageCount)
                WHERE id = \(document.id) AND digest = \(document.blob.digest) AND pages = 0
                """)
            try tx.run(
                """
                UPDATE document_text SET page_count = \(pageCount) WHERE page_count IS NULL AND document IN
                    (SELECT id FROM document WHERE id = \(document.id) AND digest = \(document.blob.digest))
                """)
        }
    }

    private static let noPages = Failure(
        .unsupported,
        "This paper has no pages that can be shown; it can be opened or downloaded.")
}
