import PDF

/// The pictures a flattened document draws onto its pages, and where: found by following the operators behind the
/// page's own content, as a viewer does (ISO 32000-2 §8.10).
struct DrawnPictures {
    struct Drawn {
        var picture: PDFReference
        var box: PDFRectangle
    }

    private let pages: [[Drawn]]
    private static let mostWords = 500_000

    init(_ file: PDFFile) {
        pages = file.pages.map { Self.drawn(on: $0, file) }
    }

    /// What is drawn where a field had its place. `anywhere`: its place on the page is not that of its rectangle.
    func pictures(on page: Int, in place: PDFRectangle, anywhere: Bool) -> [PDFReference] {
        guard pages.indices.contains(page) else { return [] }
        return pages[page].filter { drawn in
            anywhere || zip(drawn.box.numbers, place.numbers).allSatisfy { abs($0 - $1) < 0.5 }
        }.map(\.picture)
    }

    private static func drawn(on page: PDFReference, _ file: PDFFile) -> [Drawn] {
        guard let dictionary = file.dictionary(page.object) else { return [] }
        // What the page drew before is enclosed, so this part begins with nothing moved.
        let contents = file.resolve(dictionary["Contents"]).array?.last ?? dictionary["Contents"]
        guard let stream = contents?.reference, let content = file.stream(stream, limit: 64 << 20) else {
            return []
        }
        let resources = file.dictionary(dictionary["Resources"])
        let named = file.dictionary(resources?["XObject"]) ?? [:]
        var found: [Drawn] = []
        var space = ShownLetters.Matrix()
        var saved: [ShownLetters.Matrix] = []
        var operands: [PDFObject] = []
        var count = 0
        for word in ContentWords(content) {
            count += 1
            if count > mostWords { break }
            guard case .operation(let operation) = word else {
                if case .operand(let object) = word, operands.count < 64 { operands.append(object) }
                continue
            }
            switch operation {
            case "q": if saved.count < 64 { saved.append(space) }
            case "Q": space = saved.popLast() ?? ShownLetters.Matrix()
            case "cm":
                let numbers = operands.compactMap(\.number)
                if numbers.count == 6 { space = ShownLetters.Matrix(numbers).followed(by: space) }
            case "Do":
                if let name = operands.last?.name, let picture = named[name]?.reference,
                    let box = box(of: picture, in: space, file)
                {
                    found.append(Drawn(picture: picture, box: box))
                }
            default: break
            }
            operands = []
        }
        return found
    }

    /// The box of a picture on the page: around its four corners.
    private static func box(
        of picture: PDFReference, in space: ShownLetters.Matrix, _ file: PDFFile
    ) -> PDFRectangle? {
        guard let dictionary = file.dictionary(picture.object),
            let own = PDFRectangle(file.numbers(dictionary["BBox"]))
        else { return nil }
        let matrix = ShownLetters.Matrix(file.numbers(dictionary["Matrix"])).followed(by: space)
        let corners = [
            matrix.point(own.left, own.bottom), matrix.point(own.left, own.top),
            matrix.point(own.right, own.bottom), matrix.point(own.right, own.top),
        ]
        let across = corners.map(\.x)
        let along = corners.map(\.y)
        return PDFRectangle([
            across.min() ?? 0, along.min() ?? 0, across.max() ?? 0, along.max() ?? 0,
        ])
    }
}

extension Proof where File == PDFFile {
    /// The same for a field that became part of its pages: what is drawn in its places, since nothing else is left.
    mutating func checkDrawn(_ field: Field, _ value: FieldValue, _ drawn: DrawnPictures) {
        for widget in field.widgets {
            guard let page = widget.page, widget.isOnPage, !widget.isHidden, widget.rectangle.width > 1,
                widget.rectangle.height > 1
            else { continue }
            let dictionary = file.dictionary(widget.object.object) ?? [:]
            let isUpright = (file.resolve(dictionary["F"]).integer ?? 0) & (1 << 4) != 0
            let pictures = drawn.pictures(on: page, in: widget.rectangle, anywhere: isUpright)
            switch field.kind {
            case .text, .combo: checkText(field, value, pictures)
            case .checkBox, .radio:
                checkState(field, value, widget, file.dictionary(dictionary["AP"]), pictures)
            case .list, .pushButton, .barcode:
                if value.texts.contains(where: { !$0.isEmpty }), pictures.isEmpty {
                    doubt(field.name, "A place shows nothing.")
                }
            case .signature, .unknown: break
            }
        }
    }

    private mutating func checkText(_ field: Field, _ value: FieldValue, _ pictures: [PDFReference]) {
        var wanted = Self.lines(value.texts.joined(separator: "\n"))
        if field.kind == .text, let limit = field.maximumLength, wanted.utf16.count > limit {
            wanted = String(wanted.prefix(limit))
        }
        if field.kind == .combo {
            let option = field.options.first { $0.export == wanted }
            wanted = option?.display ?? wanted
        }
        let isSecret = field.flags.contains(.password)
        if wanted.allSatisfy(\.isWhitespace) { return }
        if pictures.isEmpty { return doubt(field.name, "A place shows nothing.") }
        let isPlain = field.kind == .combo || field.format == nil || field.format == .script
        // Places may lie one upon the other; one of the pictures must be the right one.
        var trials: [Proof] = []
        for picture in pictures {
            var trial = self
            trial.checkLetters(field, picture, isPlain && !isSecret ? wanted : nil, mustShow: true)
            if trial.doubts.count == doubts.count {
                self = trial
                return
            }
            trials.append(trial)
        }
        if let trial = trials.last { self = trial }
    }

    /// A picture without width or height shows nothing, wherever it is put; so authors draw boxes that are off.
    private func hasRoom(_ picture: PDFReference) -> Bool {
        let box = PDFRectangle(file.numbers(file.dictionary(picture.object)?["BBox"]))
        return box.map { $0.width > 0 && $0.height > 0 } ?? false
    }

    /// The dictionary of the field is not in use any more, but it still tells which picture means which state.
    private mutating func checkState(
        _ field: Field, _ value: FieldValue, _ widget: FieldWidget, _ appearances: PDFDictionary?,
        _ pictures: [PDFReference]
    ) {
        let state = BoxChoice(value, for: field)?.state ?? "Off"
        let own: PDFName = widget.states.contains(state) ? state : "Off"
        guard !widget.needsPicture, let states = file.dictionary(appearances?["N"]) else {
            if own != "Off", pictures.isEmpty { doubt(field.name, "A place shows nothing.") }
            return
        }
        let wanted = states[own]?.reference
        let others = states.entries.filter { $0.key != own }.compactMap(\.value.reference)
        if let wanted, own != "Off" || hasRoom(wanted), !pictures.contains(wanted) {
            return doubt(field.name, "A place shows another state.")
        }
        if pictures.contains(where: { $0 != wanted && others.contains($0) }) {
            doubt(field.name, "A place shows another state.")
        }
    }
}
