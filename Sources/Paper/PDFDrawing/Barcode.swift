import CZint

/// A symbol made of dark and light modules, for the fields of a form that are read by machines from paper.
public struct Barcode: Sendable {
    public enum Symbology: Sendable { case pdf417, qrCode, dataMatrix }

    public let rows: Int
    public let columns: Int
    private let modules: [UInt8]

    /// Nil when the bytes do not fit. `level`: how much damage it survives, in the symbology's own counting; nil leaves
    /// that, and `dataColumns`, to what fits best.
    public init?(
        _ symbology: Symbology, _ bytes: [UInt8], isText: Bool, level: Int? = nil, dataColumns: Int? = nil
    ) {
        let kind =
            switch symbology {
            case .pdf417: QUIRE_PDF417
            case .qrCode: QUIRE_QR
            case .dataMatrix: QUIRE_DATA_MATRIX
            }
        var rows: Int32 = 0
        var width: Int32 = 0
        guard bytes.count <= 8000,
            let made = quire_barcode_make(
                Int32(kind.rawValue), bytes, Int32(bytes.count), isText ? 1 : 0,
                Int32(clamping: level ?? -1), Int32(clamping: dataColumns ?? -1), &rows, &width)
        else { return nil }
        defer { quire_barcode_free(made) }
        self.rows = Int(rows)
        columns = Int(width)
        modules = Array(UnsafeBufferPointer(start: made, count: Int(rows) * Int(width)))
    }

    /// The dark stretches of a row, counted from the top.
    public func darkRuns(inRow row: Int) -> [Range<Int>] {
        guard (0..<rows).contains(row) else { return [] }
        var runs: [Range<Int>] = []
        var start: Int?
        for column in 0...columns {
            let isDark = column < columns && modules[row * columns + column] != 0
            if isDark {
                start = start ?? column
            } else if let from = start {
                runs.append(from..<column)
                start = nil
            }
        }
        return runs
    }
}
