import PDF
import PDFDrawing

/// The ticked picture of a box that came without any: its frame and the sign its MK asks for, drawn as lines so
/// that no font is needed.
struct BoxAppearance {
    let stream: [UInt8]

    init(_ plan: WidgetPlan, isRadio: Bool, _ file: PDFFile) {
        let style = file.dictionary(file.dictionary(plan.object.object)?["MK"]) ?? [:]
        let sign = file.resolve(style["CA"]).text?.first ?? (isRadio ? "l" : "4")
        var content = plan.frame
        content.append(text: "q\n")
        content.append(contentsOf: plan.colour)
        content.append(10)
        let side = max(1, min(plan.width, plan.height) - 2 * plan.inset)
        let left = (plan.width - side) / 2
        let bottom = (plan.height - side) / 2
        func point(_ x: Double, _ y: Double, _ operation: String) {
            content.append(number: left + x * side)
            content.append(32)
            content.append(number: bottom + y * side)
            content.append(contentsOf: " \(operation)\n".utf8)
        }
        func curve(_ points: [(Double, Double)]) {
            for (x, y) in points {
                content.append(number: left + x * side)
                content.append(32)
                content.append(number: bottom + y * side)
                content.append(32)
            }
            content.append(text: "c\n")
        }
        switch sign {
        case "8":
            for (x, y, turn) in [
                (0.15, 0.15, "m"), (0.25, 0.05, "l"), (0.95, 0.75, "l"), (0.85, 0.95, "l"), (0.05, 0.25, "l"),
            ] {
                point(x, y, turn)
            }
            content.append(text: "f\n")
            for (x, y, turn) in [(0.85, 0.05, "m"), (0.95, 0.25, "l"), (0.25, 0.95, "l"), (0.05, 0.75, "l")] {
                point(x, y, turn)
            }
        case "l":
            let r = 0.35
            let k = r * 0.5523
            point(0.5 + r, 0.5, "m")
            curve([(0.5 + r, 0.5 + k), (0.5 + k, 0.5 + r), (0.5, 0.5 + r)])
            curve([(0.5 - k, 0.5 + r), (0.5 - r, 0.5 + k), (0.5 - r, 0.5)])
            curve([(0.5 - r, 0.5 - k), (0.5 - k, 0.5 - r), (0.5, 0.5 - r)])
            curve([(0.5 + k, 0.5 - r), (0.5 + r, 0.5 - k), (0.5 + r, 0.5)])
        case "n":
            for (x, y, turn) in [(0.15, 0.15, "m"), (0.85, 0.15, "l"), (0.85, 0.85, "l"), (0.15, 0.85, "l")] {
                point(x, y, turn)
            }
        case "u":
            for (x, y, turn) in [(0.5, 0.05, "m"), (0.95, 0.5, "l"), (0.5, 0.95, "l"), (0.05, 0.5, "l")] {
                point(x, y, turn)
            }
        default:
            for (x, y, turn) in [
                (0.08, 0.48, "m"), (0.2, 0.58, "l"), (0.38, 0.32, "l"), (0.82, 0.95, "l"), (0.94, 0.86, "l"),
                (0.4, 0.05, "l"),
            ] { point(x, y, turn) }
        }
        content.append(text: "f\nQ\n")
        stream = Self.stream(plan, content)
    }

    /// The same box when it is off.
    init(frameOf plan: WidgetPlan) { stream = Self.stream(plan, plan.frame) }

    private static func stream(_ plan: WidgetPlan, _ content: [UInt8]) -> [UInt8] {
        var stream = plan.pictureHead
        stream.append(text: "/Length ")
        stream.append(number: content.count)
        stream.append(text: ">>\nstream\n")
        stream.append(contentsOf: content)
        stream.append(text: "\nendstream")
        return stream
    }
}
