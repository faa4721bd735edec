public import PDF

/// Paragraphs set one below the other, broken where they get too long, in one font and, where that lacks letters, in
/// fonts of this machine.
public struct TextLines {
    public let font: TemplateFont
    public let size: Double
    private let rows: [(set: SetText, range: Range<Int>)]

    /// From one line to the next, in sizes.
    public static let leading = 1.2

    /// - Parameter width: in points; without one no line is broken.
    public init(_ paragraphs: [String], font: TemplateFont, size: Double, width: Double? = nil) {
        self.init(paragraphs.map { SetText($0[...], font: font) }, font: font, size: size, width: width)
    }

    private init(_ sets: [SetText], font: TemplateFont, size: Double, width: Double?) {
        self.font = font
        self.size = size
        let limit = width.map { $0 * 1000 / size } ?? .infinity
        rows = sets.flatMap { set in set.lines(fitting: limit).map { (set, $0) } }
    }

    /// The largest of some sizes at which all of it fits, or the smallest of them.
    public init(
        _ paragraphs: [String], font: TemplateFont, width: Double, height: Double,
        sizes: ClosedRange<Double>
    ) {
        let sets = paragraphs.map { SetText($0[...], font: font) }
        var size = sizes.upperBound
        while true {
            self.init(sets, font: font, size: size, width: width)
            if self.height <= height && self.width <= width * 1.001 || size <= sizes.lowerBound { return }
            size = max(sizes.lowerBound, size - 0.5)
        }
    }

    public var count: Int { rows.count }
    public var height: Double { Double(rows.count) * size * Self.leading }
    public var width: Double { rows.map { $0.set.width($0.range) * size / 1000 }.max() ?? 0 }
    /// Whether the first of them begins on the right.
    public var runsLeft: Bool { rows.first?.set.runsLeft ?? false }
    /// What no font at hand can show.
    public var missing: [Unicode.Scalar] { rows.flatMap(\.set.missing) }

    /// What stands between BT and ET, the uppermost line on `baseline`. Gives the fonts it needs in its resources.
    /// - Parameters:
    ///   - room: so wide is the place they stand in.
    ///   - share: how much of what a line leaves empty is before it: 0 on the left, 0.5 in the middle, 1 on the right.
    public func draw(
        left: Double, baseline: Double, room: Double = 0, share: Double = 0, fonts: inout FallbackFonts,
        into out: inout [UInt8], newReference: () -> PDFReference
    ) -> PDFDictionary {
        var used: PDFDictionary = [font.name: font.resource]
        var place = baseline
        for row in rows {
            out.append(text: "1 0 0 1 ")
            out.append(number: left + (room - row.set.width(row.range) * size / 1000) * share)
            out.append(32)
            out.append(number: place)
            out.append(text: " Tm ")
            for run in row.set.runs(row.range) {
                switch run {
                case .form(let codes):
                    out.append(name: font.name)
                    out.append(32)
                    out.append(number: size)
                    out.append(text: " Tf (")
                    for code in codes { out.append(escaping: code) }
                    out.append(text: ") Tj ")
                case .fallback(let fallback):
                    let other = fonts.show(fallback, size: size, into: &out, newReference: newReference)
                    used[other.name] = .reference(other.reference)
                }
            }
            out.append(10)
            place -= size * Self.leading
        }
        return used
    }
}
