import PDF
import PDFForms
import PDFReading
import Work

/// One file on its way: page after page what was found is taken out, then everything around it.
final class RedactionWork {
    let file: PDFFile
    let finding: PageFinding
    let wish: RedactionWish
    let reader: PageReader
    let cancellation: Cancellation
    private let search: TextSearch?

    /// What is covered, by pages, in their own coordinates.
    private(set) var quads: [Int: [Quad]] = [:]
    /// Where notes and fields stood that are gone.
    private(set) var cleared: [Int: [Quad]] = [:]
    private(set) var knots: [Int] = []
    private(set) var remarks: Set<RedactionRemark> = []
    private var rework: Rework { finding.around.rework }
    private var touchedMarks: [PDFReference: Set<Int>] = [:]
    private var drawings = PageWalker.Drawings()
    private var retired: Set<PDFReference> = []
    /// What stood in places that were marked by hand.
    private var taken: Set<String> = []
    private var fieldCount = 0
    private var noteCount = 0

    init(
        file: PDFFile, finding: PageFinding, wish: RedactionWish, search: TextSearch?, reader: PageReader,
        cancellation: Cancellation
    ) {
        self.search = search
        self.file = file
        self.finding = finding
        self.wish = wish
        self.reader = reader
        self.cancellation = cancellation
    }

    func take(
        _ page: Int, _ found: PageFinding.Found, marked: [Quad], seen given: [Quad], isWhole: Bool
    ) throws(RedactionError) {
        let frame = finding.frames[page]
        let reference = finding.pages[page]
        let seen = found.quads + given
        var dictionary = rework.dictionary(.reference(reference)) ?? [:]
        if dictionary["Thumb"] != nil || dictionary["PieceInfo"] != nil || dictionary["Metadata"] != nil {
            remarks.insert(.metadata)
        }
        dictionary = dictionary.without("Thumb", "PieceInfo", "Metadata", "AA", "AF", "LastModified")
        if isWhole {
            takeWhole(page, &dictionary, frame.mediaBox)
            rework.put(.dictionary(dictionary), at: reference)
            return
        }
        let all = (marked + seen).filter(\.isSound)
        takeWidgets(page, found.widgets, &dictionary)
        guard !all.isEmpty || found.isTold else {
            rework.put(.dictionary(dictionary), at: reference)
            return
        }
        quads[page] = all
        let words = marked.isEmpty ? nil : try finding.words(page).words
        var gone: [Int] = []
        let eraser = PictureEraser(
            file: file, reader: reader, cancellation: cancellation, isWhite: wish.colour == .white,
            add: { self.rework.add($0, $1) })
        var isKnotted = false
        let bounds = all.map(\.bounds)
        let judge = PageWalker.Judge(
            keepsGlyph: { glyph in
                if found.glyphs.contains(glyph.number) { return false }
                if marked.contains(where: { glyph.quad.share(coveredBy: $0) > 0.08 }) {
                    gone.append(glyph.number)
                    return false
                }
                return !seen.contains { glyph.quad.share(coveredBy: $0) > 0.5 }
            },
            picture: { (picture, matrix) throws(RedactionError) in
                try eraser.erased(picture, matrix, under: all)
            },
            keepsShape: { place, isPlain in
                let quad = Quad(
                    PDFRectangle(
                        left: place.left - 0.2, bottom: place.bottom - 0.2, right: place.right + 0.2,
                        top: place.top + 0.2))
                if isPlain { return !all.contains { quad.share(coveredBy: $0) > 0.97 } }
                for area in marked {
                    let share = quad.share(coveredBy: area)
                    if share > 0.3 { return false }
                    // A drawing that only partly lies there, and cannot be divided.
                    if share > 0.02 { isKnotted = true }
                }
                return !seen.contains { quad.share(coveredBy: $0) > 0.6 }
            },
            isTouched: { place in
                bounds.contains {
                    $0.left < place.right && $0.right > place.left && $0.bottom < place.top
                        && $0.top > place.bottom
                }
            },
            told: { [search] told in
                guard let search else { return told }
                return HiddenTexts.covered(.dictionary(told), search)?.dictionary ?? [:]
            })
        let walker = PageWalker(file, fonts: finding.fonts, judge: judge) { self.rework.add($0, $1) }
        let content = PageWalker.content(of: file.dictionary(.reference(reference)) ?? [:], file)
        let resources = finding.resources(page)
        let changed = try walker.walk(content, resources: resources)
        if isKnotted || walker.isKnotted || found.isKnotted { knots.append(page) }
        retired.formUnion(walker.retired)
        touchedMarks[reference, default: []].formUnion(walker.touchedMarks)
        for (font, codes) in walker.drawings.gone { drawings.gone[font, default: []].formUnion(codes) }
        for (font, codes) in walker.drawings.shown { drawings.shown[font, default: []].formUnion(codes) }
        if let words { taken.formUnion(words.pieces(gone)) }

        let body = changed?.content ?? content + [10] + PageOperators(content).closing
        var out = Array("q\n".utf8) + body + Array("\nQ\nq \(Quad.written(wish.colour.lightness)) g\n".utf8)
        for quad in all { out += Array(quad.path.utf8) }
        out += Array("Q\n".utf8)
        dictionary["Contents"] = .reference(rework.add([:], out))
        dictionary["Resources"] = .dictionary(
            changed.map { walker.resources(resources, with: $0.objects) } ?? resources)
        rework.put(.dictionary(dictionary), at: reference)
    }

    private func takeWhole(_ page: Int, _ dictionary: inout PDFDictionary, _ sheet: PDFRectangle) {
        let quad = Quad(sheet)
        quads[page] = [quad]
        for widget in finding.around.widgets(of: page, dictionary) { remove(widget) }
        // Whoever describes what stood here says too much.
        touchedMarks[finding.pages[page], default: []].formUnion(0..<10_000)
        dictionary["Annots"] = nil
        dictionary["Resources"] = .dictionary([:])
        dictionary["Contents"] = .reference(
            rework.add([:], Array("q \(Quad.written(wish.colour.lightness)) g\n\(quad.path)Q\n".utf8)))
        dictionary = dictionary.without("Group", "StructParents", "B", "Trans", "SeparationInfo")
    }

    /// Which notes and fields go from the pages: what was found, what is touched, what belongs to it, and every other place where
    /// the value of a field that goes is shown.
    func chooseWidgets(_ pages: inout [PageFinding.Found], _ areas: [(marked: [Quad], seen: [Quad])]) {
        var places: [PDFReference: (page: Int, widget: PaperAround.Widget)] = [:]
        var all: [[PaperAround.Widget]] = []
        for page in pages.indices {
            let widgets = finding.around.widgets(of: page, finding.dictionary(page))
            all.append(widgets)
            for widget in widgets {
                if let reference = widget.reference { places[reference] = (page, widget) }
            }
        }
        for page in pages.indices {
            for widget in all[page] {
                let isTouched =
                    areas[page].marked.contains {
                        Self.overlap($0.bounds, widget.place) > (widget.isField ? 0.2 : 0.05)
                    }
                    || (areas[page].seen + pages[page].quads).contains {
                        Self.overlap($0.bounds, widget.place) > (widget.isField ? 0.5 : 0.1)
                    }
                if isTouched { pages[page].widgets.insert(widget.index) }
                if widget.kind == "FileAttachment" {
                    remarks.insert(.attachments)
                    pages[page].widgets.insert(widget.index)
                }
            }
            let gone = all[page].filter { pages[page].widgets.contains($0.index) }
            let references = Set(gone.compactMap(\.reference))
            // What answers a note, or is its window, goes with it.
            for widget in all[page] where !widget.isField {
                for key: PDFName in ["Parent", "IRT"] {
                    if let above = widget.dictionary[key]?.reference, references.contains(above) {
                        pages[page].widgets.insert(widget.index)
                    }
                }
            }
            for widget in gone where widget.isField {
                guard let reference = widget.reference else { continue }
                for place in finding.around.places(ofField: reference) {
                    guard let (other, sister) = places[place], place != reference else { continue }
                    if pages[other].widgets.insert(sister.index).inserted {
                        pages[other].quads.append(Quad(sister.place))
                    }
                }
            }
        }
    }

    private func takeWidgets(_ page: Int, _ gone: Set<Int>, _ dictionary: inout PDFDictionary) {
        guard !gone.isEmpty else { return }
        for widget in finding.around.widgets(of: page, dictionary) where gone.contains(widget.index) {
            cleared[page, default: []].append(Quad(widget.place))
            remove(widget)
        }
        let items = file.array(dictionary["Annots"]).enumerated().filter { !gone.contains($0.offset) }
        dictionary["Annots"] = .array(items.map(\.element))
    }

    private func remove(_ widget: PaperAround.Widget) {
        guard let reference = widget.reference else {
            noteCount += 1
            return
        }
        guard !rework.isRemoved(reference) else { return }
        if widget.isField {
            fieldCount += 1
            for node in finding.around.places(ofField: reference) { rework.remove(node) }
        } else {
            if widget.kind != "Popup" { noteCount += 1 }
            rework.remove(reference)
        }
    }

    private static func overlap(_ a: PDFRectangle, _ b: PDFRectangle) -> Double {
        let width = min(a.right, b.right) - max(a.left, b.left)
        let height = min(a.top, b.top) - max(a.bottom, b.bottom)
        guard width > 0, height > 0 else { return 0 }
        return width * height / max(0.01, min(a.width * a.height, b.width * b.height))
    }

    // MARK: Around the pages

    func finish() throws(RedactionError) -> [UInt8] {
        let around = finding.around
        around.cleanCatalog(&remarks)
        around.cleanTags(touchedMarks)
        if file.encryption != nil { remarks.insert(.lock) }
        try takeSignatures()
        takeDrawings()
        try takeRetired()
        if fieldCount > 0 { remarks.insert(.fields(fieldCount)) }
        if noteCount > 0 { remarks.insert(.notes(noteCount)) }
        var hidden = wish
        // What was marked by hand must not be told by a bookmark either.
        hidden.words += taken.filter { $0.count >= 4 }
        let search = hidden.searches ? try TextSearch(hidden) : nil
        let lists: Set<PDFName> = ["Kids", "Annots", "Fields"]
        return try rework.written(from: around.root) { _, object in
            var object = object
            if var dictionary = object.dictionary {
                if dictionary["Type"] != nil || dictionary["Subtype"] != nil || dictionary["FT"] != nil {
                    dictionary = dictionary.without("Metadata", "PieceInfo", "AF", "OPI", "AA")
                }
                for key in lists {
                    if let items = dictionary[key]?.array { dictionary[key] = .array(around.left(items)) }
                }
                object = .dictionary(dictionary)
            }
            guard let search else { return object }
            return HiddenTexts.covered(object, search) ?? .null
        }
    }

    private func takeSignatures() throws(RedactionError) {
        var found: [PDFReference] = []
        try rework.eachObject(from: finding.around.root) { reference, object in
            if let dictionary = object.dictionary, dictionary["ByteRange"] != nil { found.append(reference) }
        }
        for reference in found { rework.remove(reference) }
        if !found.isEmpty { remarks.insert(.signatures) }
    }

    /// Pages often share one list of all they draw: what is no longer drawn here must not be kept by a page that only could.
    private func takeRetired() throws(RedactionError) {
        guard !retired.isEmpty else { return }
        func isNamed(_ resources: PDFDictionary) -> Bool {
            file.dictionary(resources["XObject"])?.entries.contains {
                $0.value.reference.map(retired.contains) ?? false
            } ?? false
        }
        func pruned(_ resources: PDFDictionary, _ content: [UInt8]) throws(RedactionError) -> PDFDictionary {
            let walker = PageWalker(file, fonts: finding.fonts, judge: PageWalker.Judge()) { _, _ in
                PDFReference(0)
            }
            _ = try walker.walk(content, resources: resources)
            return walker.resources(resources, with: [])
        }
        for page in finding.pages.indices where quads[page] == nil && isNamed(finding.resources(page)) {
            let reference = finding.pages[page]
            var dictionary = rework.dictionary(.reference(reference)) ?? [:]
            let content = PageWalker.content(of: dictionary, file)
            dictionary["Resources"] = .dictionary(try pruned(finding.resources(page), content))
            rework.put(.dictionary(dictionary), at: reference)
        }
        // Nodes above the pages, which have their own list now.
        var others: [(PDFReference, PDFDictionary)] = []
        try rework.eachObject(from: finding.around.root) { reference, object in
            guard var dictionary = object.dictionary, let own = file.dictionary(dictionary["Resources"]),
                isNamed(own)
            else { return }
            if file.resolve(dictionary["Type"]).name == "Pages" {
                for page in finding.pages {
                    guard var leaf = rework.dictionary(.reference(page)), leaf["Resources"] == nil else {
                        continue
                    }
                    leaf["Resources"] = file.inherited("Resources", by: page)
                    rework.put(.dictionary(leaf), at: page)
                }
                dictionary["Resources"] = nil
                rework.put(.dictionary(dictionary), at: reference)
            } else if file.isStream(reference) {
                others.append((reference, dictionary))
            }
        }
        for (reference, given) in others {
            var dictionary = given
            guard let content = file.stream(reference, limit: 128 << 20) else { continue }
            dictionary["Resources"] = .dictionary(
                try pruned(file.dictionary(given["Resources"]) ?? [:], content))
            rework.put(.dictionary(dictionary), at: reference)
        }
    }

    /// Signs that are small drawings of their own may be the very thing that was taken out.
    private func takeDrawings() {
        for (object, codes) in drawings.gone {
            guard let font = finding.fonts.known[object], var dictionary = file.dictionary(object) else {
                continue
            }
            var shown = drawings.shown[object] ?? []
            // Other pages were not walked for their signs.
            for page in finding.pages.indices where quads[page] == nil {
                let fonts = file.dictionary(finding.resources(page)["Font"])?.entries ?? []
                if fonts.contains(where: { $0.value == object }) { shown.formUnion(font.drawings.keys) }
            }
            let kept = Set(shown.compactMap { font.drawings[$0] })
            var procedures = file.dictionary(dictionary["CharProcs"]) ?? [:]
            for code in codes {
                if let name = font.drawings[code], !kept.contains(name) { procedures[name] = nil }
            }
            dictionary["CharProcs"] = .dictionary(procedures)
            if let reference = object.reference { rework.put(.dictionary(dictionary), at: reference) }
        }
    }

    /// What was marked by hand and still stands elsewhere, so that nobody takes it for gone.
    func stillThere() throws(RedactionError) -> [(text: String, pages: [Int])] {
        guard !wish.areas.isEmpty else { return [] }
        let texts = taken.filter { $0.count >= 5 }.sorted().prefix(12)
        guard !texts.isEmpty else { return [] }
        var searches: [(String, TextSearch)] = []
        for text in texts {
            var wish = RedactionWish()
            wish.words = [text]
            searches.append((text, try TextSearch(wish)))
        }
        var pages: [String: [Int]] = [:]
        for page in finding.pages.indices {
            let words = try finding.words(page).words
            let gone = quads[page] ?? []
            for (text, search) in searches {
                let left = try words.hits(search).contains { hit in
                    words.places(hit.glyphs).contains { place in
                        !gone.contains { place.share(coveredBy: $0) > 0.3 }
                    }
                }
                if left { pages[text, default: []].append(page) }
            }
        }
        return texts.compactMap { text in pages[text].map { (text, $0) } }
    }
}
