import PDF
import PDFDrawing
import Synchronization

extension PreparedForm {
    /// Reads a filled document again, the way a stranger would, and tells what is not as it was given: values, states in
    /// every place, appearances. Nothing of how the document was made is used, only what it says.
    ///
    /// Of a copy that leaves the template's bytes as they are, only what it adds is read, found by its own
    /// cross-references. Copies that are flattened, locked or have pages of their own, and those asked for `deeply`, are
    /// opened whole by qpdf.
    public func prove(
        _ filled: Filled, columns: FormColumns, row: [FieldValue?], deeply: Bool = false
    ) -> [Finding] {
        let isUsual =
            flattening == nil && filled.password == nil && filled.addedPages == 0 && filled.row == nil
        if isUsual, !deeply, filled.base == base, let reader = readers.take() ?? QuickProof(self) {
            defer { readers.put(reader) }
            if case .doubts(let doubts) = reader.prove(filled, columns: columns, row: row) { return doubts }
        }
        return proveWhole(filled, columns: columns, row: row)
    }

    private func proveWhole(_ filled: Filled, columns: FormColumns, row: [FieldValue?]) -> [Finding] {
        guard let file = try? PDFFile(bytes: filled.bytes, password: filled.password) else {
            return [.notProven("", "The finished document cannot be opened again.")]
        }
        var proof = Proof(file: file)
        if !file.repairs.isEmpty { proof.doubt("", "The finished document has flaws: \(file.repairs[0]).") }
        if file.pages.count != form.pageCount + filled.addedPages {
            proof.doubt("", "The finished document has lost pages.")
        }
        if flattening?.isWhole == true, file.form != nil {
            proof.doubt("", "Fields are left in the flattened document.")
        }
        let drawn = flattening.map { _ in DrawnPictures(file) }
        let fields = Dictionary(
            FieldTree(file).fields.map { ($0.object, $0) }, uniquingKeysWith: { first, _ in first })
        let left = Set(
            filled.findings.filter { [.noSuchChoice, .notFillable, .locked].contains($0.kind) }.map(\.field))
        let row = filled.row ?? row
        // Dates are brought into the form's pattern on the way in.
        var written: [Int: FieldValue] = [:]
        customs.apply(
            to: { plans[$0].field },
            value: { place in
                (0..<columns.count).last {
                    columns[$0]?.contains(place) == true && $0 < row.count && row[$0] != nil
                }
                .flatMap { row[$0] }
            }, change: { written[$0] = $1 }, finding: { _ in })
        for (index, value) in row.enumerated() {
            guard let value, index < columns.count, let places = columns[index] else { continue }
            for place in places where !left.contains(plans[place].field.name) {
                let field = plans[place].field
                proof.told = Set(filled.findings.filter { $0.field == field.name }.map(\.kind))
                if let drawn, flattening?.flattened.contains(place) == true {
                    proof.checkDrawn(field, written[place] ?? value, drawn)
                } else {
                    proof.check(field, fields[field.object], written[place] ?? value)
                }
            }
        }
        return proof.doubts
    }
}

/// Readers that rest between documents: each is used by one thread at a time, and knows the template already.
final class ProofReaders: Sendable {
    /// The mutex guards the list; outside of it, a reader belongs to the one thread that took it.
    private struct Resting: @unchecked Sendable { let reader: QuickProof }

    private let resting = Mutex<[Resting]>([])

    func take() -> QuickProof? { resting.withLock { $0.popLast() }?.reader }

    func put(_ reader: QuickProof) {
        let reader = Resting(reader: reader)
        resting.withLock { $0.append(reader) }
    }
}

/// Judges field by field: what was given, what the document says, what its pictures show.
struct Proof<File: ObjectSource> {
    let file: File
    private(set) var doubts: [Finding] = []
    /// What was said of the field that is looked at: a text that is told to be cut off need not be whole.
    var told: Set<Finding.Kind> = []
    private(set) var fonts: [PDFObject: ReadFont?]

    init(file: File, fonts: [PDFObject: ReadFont?] = [:]) {
        self.file = file
        self.fonts = fonts
    }

    mutating func doubt(_ field: String, _ message: String) {
        doubts.append(.notProven(field, message))
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
            let isEmpty = wanted.allSatisfy(\.isWhitespace) && !field.flags.contains(.password)
            // What a format makes of a value is the form's business; that something is shown is ours.
            let isPlain = field.format == nil || field.format == .script
            checkPictures(
                found, isEmpty: isEmpty,
                shown: isPlain && !field.flags.contains(.password) && !isEmpty ? wanted : nil)
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
            let kept = found.value.first ?? ""
            let display = field.options.first { $0.export == kept }?.display ?? kept
            checkPictures(
                found, isEmpty: display.allSatisfy(\.isWhitespace),
                shown: field.kind == .combo ? display : nil)
        case .pushButton:
            for widget in found.widgets {
                let normal = file.dictionary(file.dictionary(widget.object.object)?["AP"])?["N"]
                let pictures = file.dictionary(
                    file.dictionary(file.dictionary(normal)?["Resources"])?["XObject"])
                let isImage = pictures?.entries.contains {
                    file.resolve(file.dictionary($0.value)?["Subtype"]).name == "Image"
                }
                if isImage != true { doubt(field.name, "A place shows no picture.") }
            }
        case .barcode:
            let wanted = Self.lines(value.texts.joined(separator: "\n"))
            if told.contains(.tooLong) { return }
            if Self.lines(found.value.first ?? "") != wanted {
                doubt(field.name, "The value is not the one given.")
            }
            if !wanted.isEmpty, told.isDisjoint(with: [.clipped]) { checkModules(found) }
        case .signature, .unknown: break
        }
    }

    /// What the modules mean is for a reader of barcodes to say; that there are some, and inside of the place, is seen.
    private mutating func checkModules(_ field: Field) {
        for widget in field.widgets {
            let normal = file.dictionary(file.dictionary(widget.object.object)?["AP"])?["N"]?.reference
            guard let normal, let box = PDFRectangle(file.numbers(file.dictionary(normal.object)?["BBox"])),
                let content = file.stream(normal, limit: 4 << 20)
            else {
                doubt(field.name, "A place shows no barcode.")
                continue
            }
            var numbers: [Double] = []
            var count = 0
            var isOutside = false
            for word in ContentWords(content) {
                switch word {
                case .operand(let object): if let number = object.number { numbers.append(number) }
                case .operation(let operation):
                    if operation == "re", numbers.count == 4 {
                        count += 1
                        if numbers[0] < box.left || numbers[0] + numbers[2] > box.right
                            || numbers[1] < box.bottom
                            || numbers[1] + numbers[3] > box.top
                        {
                            isOutside = true
                        }
                    }
                    numbers = []
                }
            }
            if count < 20 { doubt(field.name, "A place shows no barcode.") }
            if isOutside { doubt(field.name, "A barcode stands outside of its place.") }
        }
    }

    /// Every place has a picture of its own, and there are letters in it when there should be.
    private mutating func checkPictures(_ field: Field, isEmpty: Bool, shown: String?) {
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
            checkLetters(field, normal, shown)
        }
    }

    /// Follows the picture's operators: each letter has a real picture in its font, stands inside the place, and
    /// together they are the text.
    mutating func checkLetters(
        _ field: Field, _ picture: PDFReference, _ shown: String?, mustShow: Bool = false
    ) {
        guard let letters = ShownLetters(file, picture, fonts: &fonts) else {
            return doubt(field.name, "A place has a picture that cannot be read.")
        }
        if mustShow, letters.letters.isEmpty, !told.contains(.notShown) {
            doubt(field.name, "A place shows no letters.")
        }
        if let font = letters.unreadableFonts.first {
            return doubt(field.name, "A place uses a font that is not there: \(font).")
        }
        let isBare = { (letter: ShownLetters.Letter) in
            !letter.hasGlyph && (letter.text.isEmpty || !PlainLetters.of(letter.text).isEmpty)
        }
        if told.isDisjoint(with: [.notShown]), let bare = letters.letters.first(where: isBare) {
            doubt(field.name, "The font has no picture of “\(bare.text)”.")
        }
        guard told.isDisjoint(with: [.notShown, .clipped]) else { return }
        let box = letters.box
        let isOutside =
            field.kind != .list
            && letters.letters.contains { letter in
                guard !PlainLetters.of(letter.text).isEmpty else { return false }
                let middle = (letter.left + letter.right) / 2
                return middle < box.left || middle > box.right
                    || letter.baseline < box.bottom - 0.3 * letter.size
                    || letter.baseline > box.top
            }
        if isOutside { doubt(field.name, "Letters stand outside of their place, and that was not told.") }
        // A sign without a meaning of its own is explained beside the letters; then they cannot be compared.
        guard let shown, letters.letters.allSatisfy({ !$0.text.isEmpty }) else { return }
        let seen = letters.letters.map(\.text).joined()
        let isSame =
            PlainLetters.of(seen) == PlainLetters.of(shown)
            || PlainLetters.mayRunLeft(shown) && PlainLetters.mirrored(seen) == PlainLetters.mirrored(shown)
        if !isSame {
            doubt(field.name, "The letters shown are not the ones given.")
        }
    }

    /// One kind of line ends, and no characters that are none.
    static func lines(_ text: String) -> String {
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
