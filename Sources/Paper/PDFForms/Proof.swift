import PDF

extension PreparedForm {
    /// Reads a filled document again, the way a stranger would, and tells what is not as it was given: values, states in
    /// every place, appearances. Nothing of how the document was made is used, only what it says.
    public func prove(_ filled: Filled, columns: [[Int]?], row: [FieldValue?]) -> [Finding] {
        guard let file = try? PDFFile(bytes: filled.bytes, password: filled.password) else {
            return [
                Finding(field: "", kind: .notProven, message: "The finished document cannot be opened again.")
            ]
        }
        var proof = Proof(file: file)
        if !file.repairs.isEmpty { proof.doubt("", "The finished document has flaws: \(file.repairs[0]).") }
        if file.pages.count != form.pageCount { proof.doubt("", "The finished document has lost pages.") }
        if let flattening, flattening.isWhole {
            if file.form != nil { proof.doubt("", "Fields are left in the flattened document.") }
            return proof.doubts
        }
        let fields = Dictionary(
            FieldTree(file).fields.map { ($0.object, $0) }, uniquingKeysWith: { first, _ in first })
        let left = Set(
            filled.findings.filter { [.noSuchChoice, .notFillable, .locked].contains($0.kind) }.map(\.field))
        for (index, value) in row.enumerated() {
            guard let value, index < columns.count, let places = columns[index] else { continue }
            for place in places
            where !left.contains(plans[place].field.name) && flattening?.flattened.contains(place) != true {
                proof.check(plans[place].field, fields[plans[place].field.object], value)
            }
        }
        return proof.doubts
    }
}

private struct Proof {
    let file: PDFFile
    private(set) var doubts: [Finding] = []

    init(file: PDFFile) { self.file = file }

    mutating func doubt(_ field: String, _ message: String) {
        doubts.append(Finding(field: field, kind: .notProven, message: message))
    }

    mutating func check(_ field: Field, _ found: Field?, _ value: FieldValue) {
        guard let found else { return doubt(field.name, "The field is not there any more.") }
        switch field.kind {
        case .text:
            var wanted = Self.lines(value.texts.joined(separator: "\n"))
            if let limit = field.maximumLength, wanted.utf16.count > limit {
                wanted = String(wanted.prefix(limit))
            }
            if field.flags.contains(.password) { wanted = "" }
            if Self.lines(found.value.first ?? "") != wanted {
                doubt(field.name, "The value is not the one given.")
            }
            checkPictures(
                found, isEmpty: wanted.allSatisfy(\.isWhitespace) && !field.flags.contains(.password))
        case .checkBox, .radio:
            let state = BoxChoice(value, for: field)?.state ?? "Off"
            if (found.value.first ?? "Off") != state.text {
                doubt(field.name, "The state is not the one given.")
            }
            for widget in found.widgets {
                let shown = file.resolve(file.dictionary(widget.object.object)?["AS"]).name ?? "Off"
                if shown != (widget.states.contains(state) ? state : "Off") {
                    doubt(field.name, "A place shows another state.")
                }
            }
        case .combo, .list:
            let given = Set(
                value.texts.flatMap {
                    [$0] + $0.split { ";\n|".contains($0) }.map { String($0).trimmingSpaces }
                })
            let isMeant = found.value.allSatisfy { kept in
                given.contains(kept)
                    || field.options.contains { $0.export == kept && given.contains($0.display) }
            }
            if !isMeant { doubt(field.name, "The choice is not the one given.") }
            checkPictures(found, isEmpty: found.value.allSatisfy(\.isEmpty))
        case .pushButton, .signature, .barcode, .unknown: break
        }
    }

    /// Every place has a picture of its own, and there are letters in it when there should be.
    private mutating func checkPictures(_ field: Field, isEmpty: Bool) {
        for widget in field.widgets {
            let normal = file.dictionary(file.dictionary(widget.object.object)?["AP"])?["N"]?.reference
            guard let normal, let content = normal.number > 0 ? file.stream(normal, limit: 4 << 20) : nil
            else {
                if !isEmpty { doubt(field.name, "A place shows nothing.") }
                continue
            }
            let shows = content.indices.dropLast().contains {
                content[$0] == UInt8(ascii: "T") && (content[$0 + 1] | 0x20) == UInt8(ascii: "j")
            }
            if !isEmpty, !shows { doubt(field.name, "A place shows no letters.") }
        }
    }

    /// One kind of line ends, and no characters that are none.
    private static func lines(_ text: String) -> String {
        var lines = String.UnicodeScalarView()
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars where scalar.value != 0x7F {
            if scalar == "\r" {
                lines.append("\n")
            } else if scalar.value >= 32 || scalar == "\n" || scalar == "\t" {
                lines.append(scalar)
            }
        }
        return String(lines)
    }
}
