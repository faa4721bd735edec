import Archives
import Bytes
import Kinds
import PDF
import PDFReading
import Tables
import Work

extension ConversionRun {
    /// The words of a PDF file, or the tables in it.
    mutating func words(of paper: Paper, _ kind: PaperKind) throws(ConversionError) -> Paper {
        let (engines, cancellation, wanted) = (engines, cancellation, options.pages)
        let texts = try timed(paper.name, .reading) { _ throws(ConversionError) -> [PageText] in
            guard PageReader.isReady else { throw .missing(program: "Poppler", package: "poppler-utils") }
            do throws(ReadingError) {
                let sheets = try Sheets(bytes: paper.bytes)
                let texts = try PageReader(jail: engines.jail).text(of: sheets, cancellation: cancellation)
                guard let wanted else { return texts }
                let pages: [Int]
                do throws(ConversionError) { pages = try PageRanges(wanted, of: sheets.count).pages } catch {
                    throw ReadingError.failed(page: 0, reason: "\(error)")
                }
                return pages.map { texts[$0] }
            } catch {
                throw .of(error, paper.name)
            }
        }
        let name = "\(paper.title).\(kind.name)"
        if kind == .text {
            let text = texts.map(\.text).joined(separator: "\u{C}\n")
            return Paper(name: name, kind: kind, bytes: Array((text + "\n").utf8))
        }
        let rows = texts.flatMap { PageTables(of: $0).rows }
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

/// Tables found on a page by where words stand: rows of words with gaps between them, above each other.
struct PageTables {
    /// Of all tables of the page, an empty row between two.
    private(set) var rows: [[String]] = []

    private struct Piece {
        var text: String
        var left: Double
        var right: Double
    }

    init(of page: PageText) {
        let words = page.words.sorted { $0.place.top > $1.place.top }
        var lines: [[PageText.Word]] = []
        for word in words {
            let middle = (word.place.top + word.place.bottom) / 2
            if let last = lines.last?.first, middle < last.place.top, middle > last.place.bottom {
                lines[lines.count - 1].append(word)
            } else {
                lines.append([word])
            }
        }
        var table: [[Piece]] = []
        var last: [PageText.Word] = []
        for line in lines {
            let pieces = Self.pieces(line)
            if pieces.count >= 2 || Self.continues(table, pieces, line, below: last) {
                table.append(pieces)
            } else {
                close(&table)
            }
            last = line
        }
        close(&table)
    }

    /// Whether a line with words in one place only is the rest of a cell above it: close below, and beginning where a
    /// cell of that column begins. What begins at the table's own edge must end within the first column too: otherwise
    /// it is the text behind the table.
    private static func continues(
        _ table: [[Piece]], _ pieces: [Piece], _ line: [PageText.Word], below last: [PageText.Word]
    ) -> Bool {
        guard let piece = pieces.first, let word = line.first, let above = last.first, !table.isEmpty else {
            return false
        }
        let height = word.place.top - word.place.bottom
        guard above.place.bottom - word.place.top < height else { return false }
        let cells = table.flatMap { $0 }
        let edge = cells.map(\.left).min() ?? 0
        let column = cells.filter { abs($0.left - piece.left) < 3 }
        guard let widest = column.map(\.right).max() else { return false }
        return piece.left > edge + 3 || piece.right <= widest + 3
    }

    /// Words that stand close are one cell.
    private static func pieces(_ line: [PageText.Word]) -> [Piece] {
        var pieces: [Piece] = []
        for word in line.sorted(by: { $0.place.left < $1.place.left }) {
            let gap = (word.place.top - word.place.bottom) * 0.75
            if let last = pieces.last, word.place.left - last.right < gap {
                pieces[pieces.count - 1].text += " " + word.text
                pieces[pieces.count - 1].right = max(last.right, word.place.right)
            } else {
                pieces.append(Piece(text: word.text, left: word.place.left, right: word.place.right))
            }
        }
        return pieces
    }

    private mutating func close(_ table: inout [[Piece]]) {
        defer { table = [] }
        // Two lines with cells beside each other at least; lines that only go on make no table.
        guard table.filter({ $0.count >= 2 }).count >= 2 else { return }
        // Columns are where pieces of different rows stand above each other.
        var columns: [(left: Double, right: Double)] = []
        for piece in table.flatMap({ $0 }).sorted(by: { $0.left < $1.left }) {
            if let last = columns.last, piece.left < last.right - 1 {
                columns[columns.count - 1].right = max(last.right, piece.right)
            } else {
                columns.append((piece.left, piece.right))
            }
        }
        var cells = table.map { line in
            var cells = [String](repeating: "", count: columns.count)
            for piece in line {
                let middle = (piece.left + piece.right) / 2
                let column = columns.firstIndex { middle >= $0.left - 1 && middle <= $0.right + 1 } ?? 0
                cells[column] += cells[column].isEmpty ? piece.text : " " + piece.text
            }
            return cells
        }
        // A heading to the left and numbers to the right are one column: no row has something in both.
        var column = 0
        while column + 1 < cells[0].count {
            if cells.allSatisfy({ $0[column].isEmpty || $0[column + 1].isEmpty }) {
                for row in cells.indices { cells[row][column] += cells[row].remove(at: column + 1) }
            } else {
                column += 1
            }
        }
        guard cells[0].count >= 2 else { return }
        if !rows.isEmpty { rows.append([]) }
        rows += cells
    }
}
