import PDF
import PDFReading

/// Pages on sheets of another size, with everything that lies on them.
public struct ResizeWish: SheetWish {
    public enum Fit: String, Sendable, CaseIterable {
        /// As large as fits.
        case fit
        /// Smaller where that is needed, never larger.
        case shrink
        /// As large as they are, in the middle.
        case none
    }

    public var paper: SheetSize?
    public var fit = Fit.fit
    public var margin = 0.0
    public var pages: String?

    public init() {}

    public static let settings: [StepSetting] = [
        StepSetting("paper", "SIZE", "a4, letter, legal, a3, a5, 210mmx297mm; turned as each page is"),
        StepSetting(
            "fit", "HOW", "as large as fits, only smaller, or as large as they are",
            choices: Fit.allCases.map(\.rawValue)),
        StepSetting("margin", "LENGTH", "white around what is on the pages: 10mm, 0.5in"),
        StepSetting("pages", "PAGES", "only these: 2-, 1-3,7, odd"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(ConversionError) {
        switch name {
        case "paper": paper = try self.paper(value)
        case "fit": fit = Fit(rawValue: try choice(name, value)) ?? .fit
        case "margin": margin = try length(name, value)
        case "pages": pages = value
        default: throw unknown(name)
        }
    }

    public func check() throws(ConversionError) {
        guard let paper else {
            throw .badOption("The size of the paper is missing. Write it like a4, letter or 210mmx297mm.")
        }
        guard 2 * margin + 36 <= min(paper.width, paper.height) else {
            throw .badOption("The margin leaves no room on the paper.")
        }
    }

    /// What a page's own coordinates become, and the sheet in which they lie then.
    func move(_ frame: PageFrame, unit: Double) -> (matrix: PDFMatrix, sheet: SheetSize) {
        let paper = paper ?? .letter
        let seen = (width: frame.width * unit, height: frame.height * unit)
        let sheet = seen.width > seen.height ? paper.lying : paper.standing
        let most = min((sheet.width - 2 * margin) / seen.width, (sheet.height - 2 * margin) / seen.height)
        let scale: Double =
            switch fit {
            case .fit: most
            case .shrink: min(1, most)
            case .none: 1
            }
        let box =
            frame.isOnItsSide ? SheetSize(width: sheet.height, height: sheet.width) : sheet
        let crop = frame.cropBox
        let by = scale * unit
        return (
            PDFMatrix(
                a: by, b: 0, c: 0, d: by, e: box.width / 2 - by * (crop.left + crop.right) / 2,
                f: box.height / 2 - by * (crop.bottom + crop.top) / 2), box
        )
    }
}

extension PDFTools {
    public static func resized(_ paper: Paper, _ wish: ResizeWish) throws(ConversionError) -> Paper {
        try wish.check()
        return try working(on: paper) { (work) throws(ConversionError) in
            let pages = try work.chosen(wish.pages)
            let moves = pages.map { wish.move(work.frame($0), unit: work.unit($0)) }
            // A link may lead to a page behind its own.
            var mover = PageMover(
                Dictionary(uniqueKeysWithValues: zip(pages.map { work.pages[$0] }, moves.map(\.matrix))))
            for (page, move) in zip(pages, moves) { mover.move(page, onto: move.sheet, of: &work) }
            mover.finish(&work)
        }
    }
}

/// Moves and scales pages with what lies on them: fields, notes and links, and the places bookmarks lead to.
struct PageMover {
    private let matrices: [PDFReference: PDFMatrix]
    private var moved: Set<PDFReference> = []
    private var patterns: [PatternKey: PDFReference] = [:]

    private struct PatternKey: Hashable {
        var reference: PDFReference
        var numbers: [Double]
    }

    init(_ matrices: [PDFReference: PDFMatrix]) { self.matrices = matrices }

    mutating func move(_ page: Int, onto sheet: SheetSize, of work: inout PageWork) {
        let file = work.file
        let matrix = matrices[work.pages[page]] ?? PDFMatrix()
        let crop = work.frame(page).cropBox
        var operators: [UInt8] = []
        operators.append(matrix.numbers, decimals: 6, then: "cm ")
        // What was cut off is not to be seen in the margins.
        operators.append([crop.left, crop.bottom, crop.width, crop.height], decimals: 4, then: "re W n\n")
        let box = PDFObject.array([0, 0, sheet.width, sheet.height].map(PDFObject.real))
        let inherited = file.dictionary(file.inherited("Resources", by: work.pages[page]))
        let resources = inherited.flatMap { withPatterns($0, by: matrix, of: &work) }
        var annotations = file.array(file.dictionary(.reference(work.pages[page]))?["Annots"])
        for place in annotations.indices {
            guard let annotation = file.dictionary(annotations[place]) else { continue }
            let reference = annotations[place].reference
            if let reference, !moved.insert(reference).inserted { continue }
            let now = PDFObject.dictionary(moved(annotation, by: matrix, file))
            if let reference { work.revision.put(now, at: reference) } else { annotations[place] = now }
        }
        work.edit(page) { edit in
            edit.move(operators)
            edit["MediaBox"] = box
            edit["CropBox"] = box
            for key: PDFName in ["TrimBox", "BleedBox", "ArtBox", "UserUnit", "Thumb"] { edit[key] = nil }
            if let resources { edit["Resources"] = .dictionary(resources) }
            edit.annotations = annotations
        }
    }

    // Patterns lie in the coordinates of the page itself, whatever moves its drawing (ISO 32000-2 §8.7.3.1).
    private mutating func withPatterns(
        _ resources: PDFDictionary, by matrix: PDFMatrix, of work: inout PageWork
    ) -> PDFDictionary? {
        let file = work.file
        guard var named = file.dictionary(resources["Pattern"]), !named.isEmpty else { return nil }
        for entry in named.entries {
            guard var pattern = file.dictionary(entry.value) else { continue }
            let own = PDFMatrix(file.numbers(pattern["Matrix"])) ?? PDFMatrix()
            pattern["Matrix"] = .array(own.then(matrix).numbers.map(PDFObject.real))
            guard let reference = entry.value.reference else {
                named[entry.key] = .dictionary(pattern)
                continue
            }
            let key = PatternKey(reference: reference, numbers: matrix.numbers)
            if patterns[key] == nil {
                let copy = work.revision.newReference()
                if file.isStream(reference) {
                    guard let data = file.storedStream(reference) else { continue }
                    work.revision.putStream(pattern, data, at: copy)
                } else {
                    work.revision.put(.dictionary(pattern), at: copy)
                }
                patterns[key] = copy
            }
            named[entry.key] = patterns[key].map(PDFObject.reference)
        }
        var resources = resources
        resources["Pattern"] = .dictionary(named)
        return resources
    }

    private func moved(_ annotation: PDFDictionary, by matrix: PDFMatrix, _ file: PDFFile) -> PDFDictionary {
        var made = file.moved(annotation, by: matrix)
        if file.resolve(made["Subtype"]).name == "Widget" || made["DA"] != nil,
            let look = look(of: made, file)
        {
            made["DA"] = .string(Self.scaled(look, by: matrix.a))
        }
        return led(.dictionary(made), 0, file)?.dictionary ?? made
    }

    /// Letters of fields, which may be said by the fields above or by the form.
    private func look(of widget: PDFDictionary, _ file: PDFFile) -> [UInt8]? {
        var node = widget
        for _ in 0..<32 {
            if let look = file.resolve(node["DA"]).bytes { return look }
            guard let parent = file.dictionary(node["Parent"]) else { break }
            node = parent
        }
        let kind = file.resolve(file.inherited("FT", by: widget)).name
        return kind == "Tx" || kind == "Ch" ? file.resolve(file.form?["DA"]).bytes : nil
    }

    /// `/Helv 12 Tf 0 g`: the number before `Tf`.
    private static func scaled(_ look: [UInt8], by scale: Double) -> [UInt8] {
        var words = look.split(whereSeparator: { $0 <= 32 }).map(Array.init)
        for at in words.indices.dropFirst() where words[at] == Array("Tf".utf8) {
            guard let size = Double(String(decoding: words[at - 1], as: UTF8.self)), size > 0 else {
                continue
            }
            var number: [UInt8] = []
            number.append(number: size * scale, decimals: 2)
            words[at - 1] = number
        }
        return Array(words.joined(separator: [32]))
    }

    // MARK: Where bookmarks and links lead

    /// To be called once, when all pages are moved.
    mutating func finish(_ work: inout PageWork) {
        let file = work.file
        let pages = Set(work.pages)
        let root = file.trailer["Root"]?.reference
        for number in 1...max(1, file.highestObject) {
            let reference = PDFReference(number)
            guard !moved.contains(reference), !pages.contains(reference), reference != root,
                !file.isStream(reference), let now = led(file.object(reference), 0, file)
            else { continue }
            work.revision.put(now, at: reference)
        }
        if let now = led(.dictionary(work.catalog), 0, file)?.dictionary { work.catalog = now }
    }

    /// Nil where nothing in it leads to a place on a page that was moved.
    private func led(_ object: PDFObject, _ depth: Int, _ file: PDFFile) -> PDFObject? {
        guard depth < 40 else { return nil }
        switch object {
        case .array(var items):
            if items.count > 1, let page = items[0].reference, let matrix = matrices[page],
                let kind = items[1].name
            {
                let isAcross: [Bool?] =
                    switch kind {
                    case "XYZ": [true, false, nil]
                    case "FitH", "FitBH": [false]
                    case "FitV", "FitBV": [true]
                    case "FitR": [true, false, true, false]
                    default: []
                    }
                for (at, isAcross) in zip(2..., isAcross) where at < items.count {
                    guard let isAcross, let number = file.resolve(items[at]).number else { continue }
                    let point = matrix.point(number, number)
                    items[at] = .real(isAcross ? point.x : point.y)
                }
                return isAcross.isEmpty ? nil : .array(items)
            }
            var isChanged = false
            for at in items.indices {
                if let now = led(items[at], depth + 1, file) {
                    items[at] = now
                    isChanged = true
                }
            }
            return isChanged ? .array(items) : nil
        case .dictionary(var dictionary):
            var isChanged = false
            for entry in dictionary.entries {
                if let now = led(entry.value, depth + 1, file) {
                    dictionary[entry.key] = now
                    isChanged = true
                }
            }
            return isChanged ? .dictionary(dictionary) : nil
        default: return nil
        }
    }
}

extension PDFFile {
    /// The places an annotation names, and how thick its lines are, after a move.
    func moved(_ annotation: PDFDictionary, by matrix: PDFMatrix) -> PDFDictionary {
        var made = annotation
        func points(_ object: PDFObject?) -> PDFObject {
            let places = numbers(object)
            var out: [PDFObject] = []
            for at in stride(from: 0, to: places.count - 1, by: 2) {
                let point = matrix.point(places[at], places[at + 1])
                out += [.real(point.x), .real(point.y)]
            }
            return .array(out)
        }
        for key: PDFName in ["Rect", "QuadPoints", "Vertices", "L", "CL"] where made[key] != nil {
            made[key] = points(made[key])
        }
        if made["InkList"] != nil { made["InkList"] = .array(array(made["InkList"]).map { points($0) }) }
        if made["RD"] != nil {
            made["RD"] = .array(numbers(made["RD"]).map { .real($0 * matrix.scale) })
        }
        if var style = dictionary(made["BS"]), let width = resolve(style["W"]).number {
            style["W"] = .real(width * matrix.scale)
            made["BS"] = .dictionary(style)
        }
        if made["Border"] != nil {
            var border = array(made["Border"])
            for at in border.indices.prefix(3) {
                if let number = resolve(border[at]).number { border[at] = .real(number * matrix.scale) }
            }
            made["Border"] = .array(border)
        }
        return made
    }
}
