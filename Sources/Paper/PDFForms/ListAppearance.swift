import PDF
import PDFDrawing

/// Draws a list with its selected options on a tinted ground, scrolled so that the first of them is in view.
struct ListAppearance {
    let plan: WidgetPlan
    let options: [String]
    let selected: Set<Int>

    var size: Double { plan.size == 0 ? 12 : plan.size }
    private var lead: Double { plan.font.lineHeight * size }
    private var inner: Double { plan.height - 2 * plan.inset }

    /// The option the list begins with.
    var top: Int {
        guard let first = selected.min(), lead > 0 else { return 0 }
        let visible = max(1, Int(inner / lead))
        return first < visible ? 0 : min(first, max(0, options.count - visible))
    }

    func draw(
        into out: inout [UInt8], fonts: inout FallbackFonts, fontName: [UInt8]? = nil,
        newReference: () -> PDFReference
    ) -> (used: [(name: PDFName, reference: PDFReference)], missing: [Unicode.Scalar]) {
        var used: [(name: PDFName, reference: PDFReference)] = []
        var missing: [Unicode.Scalar] = []
        out.append(contentsOf: plan.frame)
        out.append(text: "/Tx BMC\nq\n")
        for number in [plan.inset, plan.inset, plan.width - 2 * plan.inset, inner] {
            out.append(number: max(0, number))
            out.append(32)
        }
        out.append(text: "re W n\n")
        var y = plan.height - plan.inset
        for index in options.indices.dropFirst(top) where y > plan.inset {
            if selected.contains(index) {
                // The tint Acrobat uses.
                out.append(text: "0.6 0.75686 0.8549 rg ")
                for number in [plan.inset, y - lead, plan.width - 2 * plan.inset, lead] {
                    out.append(number: number)
                    out.append(32)
                }
                out.append(text: "re f\n")
            }
            let set = SetText(options[index][...], font: plan.font)
            if selected.contains(index) { missing += set.missing }
            out.append(text: "BT ")
            out.append(contentsOf: plan.colour)
            out.append(32)
            out.append(number: plan.inset + 1)
            out.append(32)
            out.append(
                number: y - plan.font.ascent * size - (lead - (plan.font.ascent - plan.font.descent) * size)
                    / 2)
            out.append(text: " Td ")
            for run in set.runs(0..<set.count) {
                switch run {
                case .form(let codes):
                    out.append(contentsOf: fontName ?? plan.fontName)
                    out.append(32)
                    out.append(number: size)
                    out.append(text: " Tf (")
                    for code in codes { out.append(escaping: code) }
                    out.append(text: ") Tj ")
                case .fallback(let fallback):
                    let font = fonts.show(fallback, size: size, into: &out, newReference: newReference)
                    if !used.contains(where: { $0.name == font.name }) { used.append(font) }
                }
            }
            out.append(text: "ET\n")
            y -= lead
        }
        out.append(text: "Q\nEMC\n")
        return (used, missing)
    }
}
