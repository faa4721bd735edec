import PDF
import PDFReading

/// Tables found on a page by where words stand: rows of words with gaps between them, above each other.
struct PageTables {
    struct Table {
        var rows: [[String]]
        var place: PDFRectangle
        /// How sure it is that this is one, from 0 to 1: cells that are there, columns whose cells end on one line, and
        /// words that are few enough for a cell.
        var certainty: Double
    }

    private(set) var tables: [Table] = []

    /// Of all tables of the page, an empty row between two.
    var rows: [[String]] { Array(tables.map(\.rows).joined(separator: [[]])) }

    private struct Piece {
        var text: String
        var left: Double
        var right: Double
        var place: PDFRectangle
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
                pieces[pieces.count - 1].place = last.place.union(word.place)
            } else {
                pieces.append(
                    Piece(
                        text: word.text, left: word.place.left, right: word.place.right, place: word.place))
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
        guard cells[0].count >= 2, let first = table.first?.first?.place else { return }
        tables.append(
            Table(
                rows: cells, place: table.flatMap { $0 }.reduce(first) { $0.union($1.place) },
                certainty: Self.certainty(cells, table.flatMap { $0 }, columns)))
    }

    private static func certainty(
        _ cells: [[String]], _ pieces: [Piece], _ columns: [(left: Double, right: Double)]
    ) -> Double {
        let texts = cells.joined().filter { !$0.isEmpty }
        let filled = Double(texts.count) / Double(cells.count * cells[0].count)
        // A cell ends where its column does, or both have one middle.
        let even = pieces.filter { piece in
            columns.contains {
                abs($0.left - piece.left) < 3 || abs($0.right - piece.right) < 3
                    || abs($0.left + $0.right - piece.left - piece.right) < 6
            }
        }
        let share = Double(even.count) / Double(max(1, pieces.count))
        let words = texts.reduce(0) { $0 + $1.split(separator: " ").count }
        // Lines of two columns of text stand beside each other as well.
        let isText = words > texts.count * 5
        return (0.2 + 0.4 * filled + 0.4 * share) * (isText ? 0.4 : 1) * (cells.count < 3 ? 0.9 : 1)
    }
}
