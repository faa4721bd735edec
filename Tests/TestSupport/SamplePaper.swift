/// A PDF with a line of text on each page.
public enum SamplePaper {
    public static func pages(_ lines: [String]) -> String {
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Count \(lines.count) /Kids [\(lines.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " "))] >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        for (number, line) in lines.enumerated() {
            let content = "BT /F 12 Tf 72 700 Td (\(line)) Tj ET"
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents \(5 + 2 * number) 0 R /Resources << /Font << /F 3 0 R >> >> >>"
            )
            objects.append("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
        }
        var text = "%PDF-1.7\n"
        var places: [Int] = []
        for (number, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(number + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places {
            text += String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n"
        }
        return text + "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
    }
}
