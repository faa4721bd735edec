import PDF
import PDFDrawing

/// How a barcode field wants its value encoded: its paper metadata, PMD, as Acrobat writes it.
struct BarcodeField: Sendable, Equatable {
    var symbology: Barcode.Symbology
    /// How much damage the symbol survives; nil when the form does not say.
    var level: Int?
    /// How many columns of data a PDF417 has.
    var columns: Int?
    /// The value is deflated before it is encoded.
    var isPacked: Bool

    /// Nil when the symbology is none that is known here.
    init?(_ file: PDFFile, _ metadata: PDFDictionary) {
        switch file.resolve(metadata["Symbology"]).name {
        case "PDF417": symbology = .pdf417
        case "QRCode": symbology = .qrCode
        case "DataMatrix": symbology = .dataMatrix
        default: return nil
        }
        // Acrobat counts from 0 for both; of a Data Matrix there is but one level.
        let asked = file.resolve(metadata["ECC"]).integer
        switch symbology {
        case .pdf417: level = asked.map { min(max($0, 0), 8) }
        case .qrCode: level = asked.map { min(max($0, 0), 3) + 1 }
        case .dataMatrix: level = nil
        }
        columns = file.resolve(metadata["nCodeWordCol"]).integer.flatMap { (1...30).contains($0) ? $0 : nil }
        isPacked = file.resolve(metadata["DataPrep"]).integer == 1
    }

    func symbol(_ text: String) -> Barcode? {
        let bytes = Array(text.utf8)
        guard isPacked else {
            return Barcode(symbology, bytes, isText: true, level: level, dataColumns: columns)
        }
        return deflated(bytes).flatMap {
            Barcode(symbology, $0, isText: false, level: level, dataColumns: columns)
        }
    }

    /// The operators that draw a symbol into a place, as large as it can be with light around it; nil when its modules
    /// would be too small to be read from paper.
    func draw(_ symbol: Barcode, _ place: WidgetPlan) -> [UInt8]? {
        // Readers find the edge of a symbol by the light around it.
        let quiet = 2.0
        let width = place.width - 2 * place.inset
        let height = place.height - 2 * place.inset
        var across = width / (Double(symbol.columns) + 2 * quiet)
        var along = height / (Double(symbol.rows) + 2 * quiet)
        if symbology == .pdf417 {
            // Rows of a PDF417 are about three times as high as its modules are wide.
            along = min(along, across * 4)
        } else {
            across = min(across, along)
            along = across
        }
        guard across >= Self.smallestModule, along >= Self.smallestModule else { return nil }
        let left = (place.width - across * Double(symbol.columns)) / 2
        let top = (place.height + along * Double(symbol.rows)) / 2
        var out = place.frame
        out.append(text: "q\n0 g\n")
        for row in 0..<symbol.rows {
            for run in symbol.darkRuns(inRow: row) {
                for number in [
                    left + across * Double(run.lowerBound), top - along * Double(row + 1),
                    across * Double(run.count),
                ] {
                    out.append(number: number, decimals: 4)
                    out.append(32)
                }
                out.append(number: along, decimals: 4)
                out.append(text: " re\n")
            }
        }
        out.append(text: "f\nQ\n")
        return out
    }

    /// A third of a dot of 72 to the inch: less than that, printers and scanners smear.
    private static let smallestModule = 0.3
}
