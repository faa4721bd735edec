import Archives
import Bytes
import Kinds
import PDF
import PDFReading
import Tables
import Work

extension ConversionRun {
    /// The words of a PDF file, the tables in it, or all of it as a paper to be gone on with.
    mutating func words(of paper: Paper, _ kind: PaperKind) throws(ConversionError) -> Paper {
        let (engines, cancellation, wanted) = (engines, cancellation, options.pages)
        let isFlow = [.docx, .markdown, .epub].contains(kind)
        let (texts, looks) = try timed(paper.name, .reading) {
            _ throws(ConversionError) -> ([PageText], [PageLook]) in
            guard PageReader.isReady else { throw .missing(program: "Poppler", package: "poppler-utils") }
            do throws(ReadingError) {
                let sheets = try Sheets(bytes: paper.bytes)
                let reader = PageReader(jail: engines.jail)
                let texts = try reader.text(of: sheets, cancellation: cancellation)
                let looks = isFlow ? try reader.looks(of: sheets, cancellation: cancellation) : []
                guard let wanted else { return (texts, looks) }
                let pages: [Int]
                do throws(ConversionError) { pages = try PageRanges(wanted, of: sheets.count).pages } catch {
                    throw ReadingError.failed(page: 0, reason: "\(error)")
                }
                return (pages.map { texts[$0] }, isFlow ? pages.map { looks[$0] } : [])
            } catch {
                throw .of(error, paper.name)
            }
        }
        if isFlow { return try flow(of: paper, texts, looks, kind) }
        let name = "\(paper.title).\(kind.name)"
        if kind == .text {
            let text = texts.map(\.text).joined(separator: "\u{C}\n")
            return Paper(name: name, kind: kind, bytes: Array((text + "\n").utf8))
        }
        let tables = texts.map { PageTables(of: $0) }
        note(tables.flatMap { $0.tables.map(\.certainty) }, in: paper)
        let rows = tables.flatMap(\.rows)
        if rows.isEmpty { throw .damaged(paper.name, reason: "no table is found on its pages.") }
        var bytes: [UInt8] = []
        let width = rows.map(\.count).max() ?? 0
        do {
            let sink: ([UInt8]) throws -> Void = { bytes += $0 }
            func give(_ add: ([Cell]) throws -> Void) throws {
                for row in rows {
                    try cancellation.check()
                    let padding = [String](repeating: "", count: width - row.count)
                    try add((row + padding).map { $0.isEmpty ? .empty : Cell($0) })
                }
            }
            if kind == .csv {
                try TableWriter.csv(columns: [], to: sink, rows: give)
            } else {
                try TableWriter.xlsx(columns: [], modified: converter.clock.now(), to: sink, rows: give)
            }
        } catch let cancelled as Cancelled {
            throw .cancelled(reason: cancelled.reason)
        } catch {
            throw .engineFailed("“\(paper.name)”: \(error)")
        }
        return Paper(name: name, kind: kind, bytes: bytes)
    }
}

extension ConversionRun {
    /// What the pages say, as a paper for programs that write.
    private mutating func flow(
        of paper: Paper, _ texts: [PageText], _ looks: [PageLook], _ kind: PaperKind
    ) throws(ConversionError) -> Paper {
        let flow = FlowReader.flow(of: texts, looks, title: paper.title)
        guard flow.holdsWords else {
            throw .damaged(paper.name, reason: "no words are found on its pages. Make it searchable first.")
        }
        report.remarks.append(
            "What the pages of “\(paper.name)” say was written anew: headings, paragraphs, lists, tables and pictures. Columns, colours, drawings, fields and exact places are not kept."
        )
        if !flow.wordlessPages.isEmpty {
            let pages = flow.wordlessPages.map(String.init).joined(separator: ", ")
            report.remarks.append("There are no words on some pages of “\(paper.name)”: \(pages).")
        }
        if flow.runningLines > 0 {
            report.remarks.append("What stands at the edge of each page of “\(paper.name)” was left out.")
        }
        note(flow.certainties, in: paper)
        let now = converter.clock.now()
        do {
            let bytes: [UInt8] =
                switch kind {
                case .docx: try WordFile.bytes(of: flow, modified: now)
                case .epub:
                    try flow.book(modified: now)
                default: Array(flow.markdown.utf8)
                }
            return Paper(name: "\(paper.title).\(kind.name)", kind: kind, bytes: bytes)
        } catch {
            throw .engineFailed("“\(paper.name)”: \(error)")
        }
    }

    /// Says how sure the tables are that were found.
    private mutating func note(_ certainties: [Double], in paper: Paper) {
        guard !certainties.isEmpty else { return }
        let more = certainties.count > 20 ? ["…"] : []
        let shown = (certainties.prefix(20).map { "\(Int(($0 * 100).rounded())) %" } + more).joined(
            separator: ", ")
        report.remarks.append(
            "Tables found in “\(paper.name)”: \(certainties.count). How sure that is: \(shown)."
        )
    }

    /// A table of text as a workbook, by our own reading: LibreOffice would ask how it is written, and nobody is there.
    func workbook(of paper: Paper) throws(ConversionError) -> Paper {
        var bytes: [UInt8] = []
        do {
            let text = Array(TextDecoding.text(paper.bytes).utf8)
            var sheet = SheetPaper()
            var reader = CSVReader(text)
            while let row = try reader.row() {
                try cancellation.check()
                sheet.fit(row.cells)
            }
            reader = CSVReader(text)
            try TableWriter.xlsx(
                columns: [], modified: converter.clock.now(), paper: sheet, to: { bytes += $0 }
            ) { add in
                while let row = try reader.row() {
                    try cancellation.check()
                    try add(row.cells.map { Cell($0) })
                }
            }
        } catch let cancelled as Cancelled {
            throw .cancelled(reason: cancelled.reason)
        } catch {
            throw .damaged(paper.name, reason: "the table cannot be read: \(error).")
        }
        return Paper(name: paper.title + ".xlsx", kind: .xlsx, bytes: bytes)
    }
}
