public import Access
public import Bytes
public import Conversion
import Kinds
public import Library
import Marking
public import Storage

/// Papers whose pages are put into another order, turned, left out, doubled or joined with pages of others. The paper becomes a new
/// version, and what it was stays; or its pages become papers of their own, and it stays as it is.
public struct ArrangedPapers: Sendable {
    /// A page somebody wants, counted from 1 as people do.
    public struct Sheet: Sendable, Equatable {
        public enum Source: Sendable, Equatable {
            /// Of the paper itself where no other is named.
            case page(Int, of: ID<Document>? = nil)
            case blank
        }

        public var source: Source
        public var turn: Int
        /// What is hidden of its edges, as it is seen before it is turned.
        public var crop: CropSides?

        public init(_ source: Source, turn: Int = 0, crop: CropSides? = nil) {
            self.source = source
            self.turn = turn
            self.crop = crop
        }
    }

    /// What became of a paper, and what was lost on the way.
    public struct Outcome: Sendable {
        public var document: Document
        public var remarks: [JSON]
    }

    private let store: Store
    private let documents: Documents
    private let pages: PaperPages
    private let marked: MarkedPapers

    public static let mostSheets = 20_000
    static let mostPapers = 500
    private static let mostSources = 100
    private static let largest = 512 << 20

    public init(_ store: Store, documents: Documents, pages: PaperPages, marked: MarkedPapers) {
        self.store = store
        self.documents = documents
        self.pages = pages
        self.marked = marked
    }

    /// `{"page": 3, "turn": 90}`, `{"page": 1, "crop": {"top": 36}}`, `{"document": …, "page": 1}`, `{"blank": true}`.
    public static func sheets(_ json: JSON?) throws(Failure) -> [Sheet] {
        guard let list = json?.array else {
            throw Failure(.invalid, "The pages are missing.", field: "pages")
        }
        guard list.count <= mostSheets else {
            throw Failure(.tooLarge, "These are more than \(mostSheets) pages.", field: "pages")
        }
        var sheets: [Sheet] = []
        for item in list {
            let turn = item["turn"]?.int ?? 0
            let document = item["document"]?.string
            let id = document.flatMap(ID<Document>.init)
            let page = item["page"]?.int
            let isBlank = item["blank"]?.bool == true
            guard turn % 90 == 0, (-360...360).contains(turn), (document == nil) == (id == nil),
                isBlank != (page != nil)
            else { throw unreadable }
            let crop = try Self.crop(item["crop"] ?? .null)
            sheets.append(Sheet(page.map { .page($0, of: id) } ?? .blank, turn: turn, crop: crop))
        }
        return sheets
    }

    private static func crop(_ json: JSON) throws(Failure) -> CropSides? {
        if json == .null { return nil }
        guard let members = json.object else { throw unreadable }
        var sides = CropSides()
        for (name, value) in members {
            guard let length = value.number, length.isFinite, (0...14_400).contains(length) else {
                throw unreadable
            }
            switch name {
            case "top": sides.top = length
            case "right": sides.right = length
            case "bottom": sides.bottom = length
            case "left": sides.left = length
            default: throw unreadable
            }
        }
        return sides.isNothing ? nil : sides
    }

    private static var unreadable: Failure {
        let field = "pages"
        return Failure(.invalid, "What is said in “\(field)” cannot be read.", field: field)
    }

    /// Whose signature would not hold any more; nil where there is none.
    public func signer(of document: Document, by caller: Caller) throws -> String? {
        // Nearly all papers are not signed, and then nobody need read their notes.
        guard !(try documents.signers(of: document.id, by: caller)).isEmpty else { return nil }
        return try marked.look(at: document, by: caller)?.broken.byDrawing
    }

    /// The paper gets these pages.
    public func arrange(
        _ document: Document, _ sheets: [Sheet], breaksSignatures: Bool = false,
        ifVersion version: Int? = nil,
        by caller: Caller
    ) throws -> Outcome {
        try check(document, by: caller)
        if !breaksSignatures, let name = try signer(of: document, by: caller) {
            throw Failure(
                .conflict, "The signature of \(name) would not hold any more. Nothing was changed.",
                field: "breakSignatures")
        }
        let made = try made(sheets, of: document, by: caller, changes: true)
        let revised = try documents.revise(
            document.id, with: .bytes(made.bytes), ifVersion: version ?? document.version, by: caller)
        switch revised {
        case .same(let document), .revised(let document):
            return Outcome(document: document, remarks: made.remarks)
        }
    }

    /// New papers of such pages, beside the paper they come from.
    public func take(
        _ papers: [[Sheet]], outOf document: Document, by caller: Caller
    ) throws -> [Outcome] {
        try check(document, by: caller)
        try documents.requirePlan(.save)
        guard !papers.isEmpty, papers.count <= Self.mostPapers,
            papers.reduce(0, { $0 + $1.count }) <= Self.mostSheets
        else {
            throw Failure(
                .invalid, "Between 1 and \(Self.mostPapers) papers are made at once.", field: "papers")
        }
        // All of them before the first is kept: half of them would be taken for the whole.
        let all = try papers.map { try made($0, of: document, by: caller, changes: false) }
        let ending = FileName.ending(of: document.name)
        let stem = FileName.safe(
            ending.isEmpty ? document.name : String(document.name.dropLast(ending.count + 1)))
        let digits = String(papers.count).count
        return try all.enumerated().map { place, paper in
            let number = String(place + 1)
            let zeros = String(repeating: "0", count: digits - number.count)
            let added = try documents.arriving(by: document.arrival).add(
                .bytes(paper.bytes), named: "\(stem)-\(zeros)\(number).pdf", into: document.folder,
                evenIfThere: true, by: caller)
            return Outcome(document: added.document, remarks: paper.remarks)
        }
    }

    private func check(_ document: Document, by caller: Caller) throws {
        try caller.require(.edit)
        guard PaperPages.isPDF(document) else {
            throw Failure(
                .unsupported,
                "“\(document.name)” is no PDF. Make one of it first, then its pages can be arranged.")
        }
        try document.checkIsHere()
    }

    private func made(
        _ sheets: [Sheet], of document: Document, by caller: Caller, changes: Bool
    ) throws -> (bytes: [UInt8], remarks: [JSON]) {
        guard !sheets.isEmpty else { throw Failure(.invalid, "No page would be left.", field: "pages") }
        var papers = [document]
        var places: [ID<Document>: Int] = [document.id: 0]
        var order = PageOrder([PageOrder.Sheet]())
        for sheet in sheets {
            guard case .page(let page, let id) = sheet.source else {
                order.sheets.append(.init(.blank, turn: sheet.turn))
                continue
            }
            let paper = id ?? document.id
            if places[paper] == nil {
                guard papers.count < Self.mostSources else {
                    throw Failure(
                        .tooLarge, "Pages of at most \(Self.mostSources) papers are joined at once.",
                        field: "pages")
                }
                places[paper] = papers.count
                papers.append(try documents.get(paper, by: caller))
            }
            order.sheets.append(.init(.page(page - 1, of: places[paper] ?? 0), turn: sheet.turn))
        }
        var files: [[UInt8]] = []
        var counts: [Int] = []
        for paper in papers {
            guard let bytes = try pages.shownPDF(of: paper) else {
                throw Failure(
                    .unsupported, "“\(paper.name)” has no pages that could be put into a PDF.", field: "pages"
                )
            }
            files.append(bytes)
            guard files.reduce(0, { $0 + $1.count }) <= Self.largest else {
                throw Failure(.tooLarge, "These papers are too large to be joined at once.", field: "pages")
            }
            counts.append(try pages.frames(of: paper).count)
        }
        for case .page(let page, let file) in order.sheets.map(\.source)
        where !(0..<counts[file]).contains(page) {
            throw Failure(
                .invalid, "There is no page \(page + 1): the paper has \(counts[file]).", field: "pages")
        }
        var cuts: [Int: CropSides] = [:]
        for (place, sheet) in sheets.enumerated() { cuts[place] = sheet.crop?.turned(by: sheet.turn) }
        if changes, cuts.isEmpty, order.isAsBefore(counts[0]) {
            throw Failure(.invalid, "The pages lie in this order already.", field: "pages")
        }
        return try MarkedPapers.explained {
            let made = try order.made(of: files)
            do throws(ConversionError) {
                let paper = Paper(name: document.name, kind: .pdf, bytes: made.bytes)
                return (try PDFTools.cropped(paper, cuts).bytes, made.remarks.map(\.json))
            } catch {
                var failure = Failure(error)
                failure.field = "pages"
                throw failure
            }
        }
    }
}
