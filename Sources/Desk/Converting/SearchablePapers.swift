public import Access
public import Bytes
public import Conversion
public import Jobs
import Kinds
public import Library
import PDFReading
import SQL
public import Storage
public import Work

extension JobKind {
    public static let makeSearchable = JobKind(
        "library.searchable", title: "Make papers searchable", maximumAttempts: 2)
}

/// Searchable PDFs on request: the words of scans and photos laid unseen over their pages, as a new version of the paper
/// or as a copy beside it. What was there stays; a signed paper is copied, as any change would end its signatures.
public struct SearchablePapers: Sendable {
    public enum Outcome: Sendable, Equatable {
        case revised(Document)
        case copied(Document)
        /// Every page has words that can be found already.
        case unchanged(Document)
    }

    public static let mostPapers = 500

    private let store: Store
    private let documents: Documents
    private let queue: JobQueue
    private let engines: @Sendable () -> Engines
    private let usualLanguages: @Sendable () -> [String]

    /// `usualLanguages` are asked for where nobody says in which languages to read.
    public init(
        _ store: Store, documents: Documents, queue: JobQueue,
        usualLanguages: @escaping @Sendable () -> [String],
        engines: @escaping @Sendable () -> Engines
    ) {
        self.store = store
        self.documents = documents
        self.queue = queue
        self.usualLanguages = usualLanguages
        self.engines = engines
    }

    public func handle(in runner: JobRunner) {
        runner.handle(.makeSearchable) { run in
            let ids = (run.payload["documents"]?.array ?? []).compactMap {
                $0.string.flatMap(ID<Document>.init)
            }
            let caller = try documents.caller(actor: run.payload["actor"]?.string ?? "")
            run.answer(
                try make(
                    ids, languages: run.payload["languages"]?.string ?? "",
                    asCopy: run.payload["copy"]?.bool ?? false, by: caller, progress: run.progress))
        }
    }

    /// Promises it for papers; what cannot be done is said at once.
    public func begin(
        _ ids: [ID<Document>], languages: String = "", asCopy: Bool = false, by caller: Caller
    ) throws -> ID<Job> {
        try caller.require(.edit)
        try documents.requirePlan(.convert)
        try Documents.check(ids, atMost: Self.mostPapers)
        let languages = try checked(languages)
        for id in ids { try check(documents.get(id, by: caller)) }
        return try store.write { tx in
            try queue.add(
                .makeSearchable,
                payload: [
                    "documents": .array(ids.map { .string($0.text) }), "languages": .string(languages),
                    "copy": .bool(asCopy), "actor": .string(caller.actor),
                ], in: tx, asks: caller.member)
        }
    }

    /// All of them, one after the other; one that cannot be read does not stop the others. Done twice, nothing happens to
    /// those that are done.
    public func make(
        _ ids: [ID<Document>], languages: String = "", asCopy: Bool = false, by caller: Caller,
        progress: Progress = Progress()
    ) throws -> JSON {
        let languages = try checked(languages)
        var counts = (revised: 0, copied: 0, unchanged: 0)
        var copies: [JSON] = []
        var renamed: [JSON] = []
        var left: [JSON] = []
        progress.set(done: 0, total: Int64(max(1, ids.count)))
        for id in ids {
            try progress.check()
            let document = try documents.get(id, by: caller)
            do {
                switch try make(document, languages: languages, asCopy: asCopy, by: caller, progress) {
                case .revised(let revised):
                    counts.revised += 1
                    if revised.name != document.name {
                        renamed.append(["from": .string(document.name), "to": .string(revised.name)])
                    }
                case .copied(let copy):
                    counts.copied += 1
                    copies.append(.string(copy.id.text))
                case .unchanged: counts.unchanged += 1
                }
            } catch let failure as Failure where ![.cancelled, .full].contains(failure.code) {
                left.append(["name": .string(document.name), "reason": .string(failure.message)])
            }
            progress.advance()
        }
        return [
            "revised": .int(counts.revised), "copied": .int(counts.copied),
            "unchanged": .int(counts.unchanged),
            "copies": .array(copies), "renamed": .array(renamed), "left": .array(left),
        ]
    }

    private func make(
        _ document: Document, languages: String, asCopy: Bool, by caller: Caller, _ progress: Progress
    ) throws -> Outcome {
        try check(document)
        let path = try store.blobs.path(of: document.blob.digest)
        let converter = Converter(engines(), clock: store.clock)
        let made: [UInt8]
        do throws(ConversionError) {
            let result = try converter.convert(
                [ConversionInput(name: document.name, .file(path))], to: .pdf, joinsPictures: false,
                progress: Progress(cancellation: progress.cancellation))
            var report = result.report
            let steps = PaperSteps(
                converter, ConversionOptions(), progress: Progress(cancellation: progress.cancellation))
            let papers = try steps.run([.recognise(languages: languages)], on: result.papers, report: &report)
            made = papers.first?.bytes ?? []
        } catch {
            if case .cancelled(let reason) = error { throw Cancelled(reason: reason) }
            throw Failure(error)
        }
        guard !made.isEmpty, Digest(of: made) != document.blob.digest else { return .unchanged(document) }
        let isSigned = try !documents.signers(of: document.id, by: caller).isEmpty
        let note = "Made searchable (\(languages))"
        guard asCopy || isSigned else {
            return .revised(
                try documents.revise(
                    document.id, with: .bytes(made), named: document.name, note: note,
                    ifVersion: document.version, by: caller
                ).document)
        }
        let ending = FileName.ending(of: document.name)
        let stem = ending.isEmpty ? document.name : String(document.name.dropLast(ending.count + 1))
        return .copied(
            try documents.add(
                .bytes(made), named: "\(FileName.safe(stem)) (searchable).pdf", into: document.folder,
                by: caller
            ).document)
    }

    private func check(_ document: Document) throws(Failure) {
        guard PaperPages.hasPages(document) else {
            throw Failure(
                .unsupported,
                "“\(document.name)” is neither a PDF nor a picture, so there are no pages to read.")
        }
        try document.checkIsHere()
    }

    private func checked(_ languages: String) throws(Failure) -> String {
        guard !Recognizer.installed.isEmpty else {
            throw Failure(
                .unavailable,
                "Reading scans needs Tesseract. Install it: apt install tesseract-ocr tesseract-ocr-eng")
        }
        let wanted = languages.split { $0 == "+" || $0 == "," || $0 == " " }.map(String.init)
        let chosen = wanted.isEmpty ? usualLanguages() : wanted
        for language in chosen where language != Recognizer.auto && !Recognizer.installed.contains(language) {
            throw Failure(
                .invalid,
                "Tesseract does not know “\(language)” here. Installed: \(Recognizer.installed.joined(separator: ", ")).",
                field: "languages")
        }
        return chosen.joined(separator: "+")
    }
}
