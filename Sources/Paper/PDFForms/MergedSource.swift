import PDF
import PDFDrawing

/// A form or document whose pages are shown again and again: what its pages share is copied on the first use.
final class MergedSource {
    let order: Int
    let file: PDFFile
    let stream: PDFStream
    let copies: SharedObjects
    /// What of it is not taken over, in sentences.
    private(set) var remarks: [String] = []
    /// The fields and places each record has for itself, when fields are kept.
    let fields: KeptFields?
    var packs = RevisionObjects.Packs()
    private let form: PreparedForm?
    private let fonts: MergedFonts
    @exclusivity(unchecked) private(set) var pages: [Page] = []
    /// What stands behind the page's own content, by the fields that records fill themselves.
    private var endings: [FieldSet: [PDFReference?]] = [:]
    @exclusivity(unchecked) private var lastEnding: (filled: FieldSet, contents: [PDFReference?])?
    @exclusivity(unchecked) private var spareOverlays: [MergedOverlay] = []
    private(set) var pictures: [PDFReference: PDFReference] = [:]
    /// What many records say in the same place.
    let repeated = RepeatedTexts()

    struct Page {
        var reference: PDFReference
        /// Everything but the contents behind the shared ones, and the parent.
        var head: [UInt8] = []
        var resources: PDFDictionary
        var sharedResources: PDFReference
        /// Those of its texts: the fonts alone.
        var textResources: PDFReference?
        var fonts: [(font: TemplateFont, name: [UInt8])] = []
        var pictures: [Shown] = []
        /// Texts that many records have on it.
        var texts: [PDFReference] = []
        /// What the page's own operators left open.
        var closing: [UInt8]
        var annotations: [PDFDictionary] = []
        /// All that lies on the page, fields too.
        var listed: [PDFReference] = []
        var stamp: PageStamp
        var isNumbered = false
    }

    init(
        _ bytes: [UInt8], form: PreparedForm?, order: Int, keepsFields: Bool, _ stream: PDFStream,
        _ fonts: MergedFonts, _ layers: MergedLayers
    ) throws {
        file = try PDFFile(bytes: bytes)
        self.form = form
        fontsOfPlaces = [Int](repeating: -1, count: form?.plain.placeCount ?? 0)
        if let form, keepsFields, form.flattening == nil {
            fields = KeptFields(form.form, file)
        } else {
            fields = nil
        }
        self.order = order
        self.stream = stream
        self.fonts = fonts
        copies = SharedObjects(file, stream)
        for (reference, text) in form?.fixedPictures ?? [] {
            let copy = stream.newReference()
            try stream.putWhole(text, at: copy)
            pictures[reference] = copy
        }
        for reference in file.pages { try add(reference) }
        if file.dictionary(file.catalog["StructTreeRoot"]) != nil {
            remarks.append("The tags that tell screen readers what is what are not in the merged file.")
        }
        if fields?.computes == true {
            remarks.append("Fields of the merged file do not compute themselves from others any more.")
        }
        if let properties = file.dictionary(file.catalog["OCProperties"]) {
            layers.take([
                "OCGs": .array(file.array(properties["OCGs"]).map(copies.shared)),
                "D": .dictionary([
                    "OFF": .array(
                        file.array(file.dictionary(properties["D"])?["OFF"]).map(copies.shared))
                ]),
            ])
        }
        try copies.write()
    }

    private func add(_ reference: PDFReference) throws {
        let page = file.dictionary(reference.object) ?? [:]
        let resources = file.dictionary(file.inherited("Resources", by: page)) ?? [:]
        let shared = stream.newReference()
        let content = PageContent(of: page, file)
        // One stream instead of several keeps the page of each record short.
        let copied = stream.newReference()
        // Nothing is drawn behind the content of a page whose fields stay, but for its number.
        let closing = fields == nil ? [] : [10] + content.closing + Array("Q\n".utf8)
        try stream.putPacked([:], Array("q\n".utf8) + content.bytes + closing, at: copied)
        var head: [UInt8] = Array("<</Type/Page".utf8)
        var kept: PDFDictionary = [:]
        for key: PDFName in ["MediaBox", "CropBox", "Rotate"] {
            kept[key] = file.inherited(key, by: page).map { file.resolve($0) }
        }
        if kept["CropBox"] == kept["MediaBox"] { kept["CropBox"] = nil }
        if kept["Rotate"]?.integer == 0 { kept["Rotate"] = nil }
        for key: PDFName in ["BleedBox", "TrimBox", "ArtBox", "UserUnit", "Group"] {
            kept[key] = page[key].map(copies.shared)
        }
        kept["Resources"] = .reference(shared)
        kept.writeEntries(into: &head)
        head.append(text: "/Contents[")
        head.append(reference: copied)
        let annotations = file.array(page["Annots"]).compactMap { file.dictionary($0) }.filter {
            let kind = file.resolve($0["Subtype"]).name
            return kind != "Widget" && kind != "Popup"
        }
        let media = PDFRectangle(file.numbers(file.inherited("MediaBox", by: page)))
        let box = PDFRectangle(file.numbers(file.inherited("CropBox", by: page))) ?? media
        pages.append(
            Page(
                reference: reference, head: head, resources: resources, sharedResources: shared,
                closing: content.closing, annotations: annotations,
                listed: file.array(page["Annots"]).compactMap(\.reference),
                stamp: PageStamp(
                    box: box ?? PDFRectangle(left: 0, bottom: 0, right: 612, top: 792),
                    turn: file.resolve(file.inherited("Rotate", by: page)).integer ?? 0)))
    }

    // MARK: What overlays need

    var pageCount: Int { pages.count }
    var fieldCount: Int { form?.plans.count ?? 0 }
    var plain: PlainFields? { form?.plain }
    func newFontReference() -> PDFReference { fonts.newDistantReference() }

    /// What a page calls a font of the form.
    func name(of font: TemplateFont, on page: Int) -> [UInt8] {
        if let known = pages[page].fonts.first(where: { $0.font === font }) { return known.name }
        let name: [UInt8] = Array("/QF\(pages[page].fonts.count)".utf8)
        pages[page].fonts.append((font, name))
        return name
    }

    /// An empty overlay for a record.
    func overlay() -> MergedOverlay {
        guard let spare = spareOverlays.popLast() else { return MergedOverlay(self, fonts) }
        spare.clear()
        return spare
    }

    /// By place; -1 where nobody asked yet.
    @exclusivity(unchecked) private var fontsOfPlaces: [Int] = []

    /// The number in the name a page calls the font of a place by.
    func font(ofPlace index: Int, on page: Int) -> Int {
        guard fontsOfPlaces.indices.contains(index) else { return 0 }
        if fontsOfPlaces[index] >= 0 { return fontsOfPlaces[index] }
        guard let font = form?.plain.font(ofPlace: index) else { return 0 }
        _ = name(of: font, on: page)
        let number = pages[page].fonts.firstIndex { $0.font === font } ?? 0
        fontsOfPlaces[index] = number
        return number
    }

    /// The font most text places of each page ask for, and its size in hundredths. It is set before a record's own
    /// content, which need not say it then.
    private(set) lazy var usualFonts: [(font: Int, size: Int)?] = pages.indices.map { page in
        guard let plain = form?.plain else { return nil }
        var counts: [[Int]: Int] = [:]
        for place in 0..<plain.placeCount where plain.view.places[place].page == page {
            let size = Int((plain.view.places[place].plain.size * 100).rounded())
            if size > 0 { counts[[font(ofPlace: place, on: page), size], default: 0] += 1 }
        }
        let usual = counts.max { ($0.value, $1.key[0], $1.key[1]) < ($1.value, $0.key[0], $0.key[1]) }
        return usual.map { ($0.key[0], $0.key[1]) }
    }

    /// A picture of the form with its place on the page, as a page shows it.
    struct Shown: Equatable {
        var picture: PDFReference
        var matrix: [Double]
    }

    /// Writes the operator that shows a picture of the form at its place; nothing for one that is empty. The place is
    /// part of the shown object, so that records need only name it.
    func show(_ placed: WidgetPlan.Placed, on page: Int, into out: inout [UInt8]) {
        guard !isEmpty(placed.stream) else { return }
        let shown = Shown(picture: placed.stream, matrix: placed.matrix)
        let index: Int
        if let known = pages[page].pictures.firstIndex(of: shown) {
            index = known
        } else {
            index = pages[page].pictures.count
            pages[page].pictures.append(shown)
        }
        out.append(text: "/QW")
        out.append(number: index)
        out.append(text: " Do\n")
    }

    /// What shows a state of a box on the pages it is on; by states, nil where it was not asked for yet.
    @exclusivity(unchecked) private var shownStates: [[(page: Int, text: [UInt8])]?] = []

    func shown(state: Int) -> [(page: Int, text: [UInt8])]? {
        state < shownStates.count ? shownStates[state] : nil
    }

    /// The same for the places of a box, each with the picture of the state it is put into.
    func show(
        state: Int, _ places: () -> [(page: Int, picture: WidgetPlan.Placed)]
    ) -> [(page: Int, text: [UInt8])] {
        let shown = places().map { page, picture in
            var text: [UInt8] = []
            show(picture, on: page, into: &text)
            return (page, text)
        }
        while shownStates.count <= state { shownStates.append(nil) }
        shownStates[state] = shown
        return shown
    }

    func show(_ text: RepeatedTexts.Kept, on page: Int, into out: inout [UInt8]) {
        out.append(text: "/QT")
        out.append(number: text.number)
        out.append(text: " Do\n")
    }

    /// Takes a text into the file for all records that say it.
    func keep(
        _ content: [UInt8], saying text: RepeatedTexts.Text, on page: Int, shrunk: Double?
    ) -> RepeatedTexts.Kept {
        let kept = repeated.keep(
            text, as: RepeatedTexts.Kept(number: pages[page].texts.count, shrunk: shrunk))
        let reference = stream.newReference()
        pages[page].texts.append(reference)
        if pages[page].textResources == nil { pages[page].textResources = stream.newReference() }
        repeated.waiting.append((reference, page, content))
        return kept
    }

    /// Writes the texts that were kept since the last record.
    private func writeRepeated() throws {
        if repeated.waiting.isEmpty { return }
        for (reference, page, content) in repeated.waiting {
            try stream.putPacked(
                [
                    "Type": .name("XObject"), "Subtype": .name("Form"),
                    "BBox": .array(Self.everywhere),
                    "Resources": pages[page].textResources.map(PDFObject.reference) ?? .dictionary([:]),
                ], content, at: reference)
        }
        repeated.waiting.removeAll()
    }

    /// Wide enough for every page there can be.
    private static let everywhere = [-20_000, -20_000, 20_000, 20_000].map(PDFObject.integer)

    @exclusivity(unchecked) private var emptiness: [PDFReference: Bool] = [:]

    private func isEmpty(_ picture: PDFReference) -> Bool {
        if let known = emptiness[picture] { return known }
        // Those that were drawn for boxes without a picture show something, and are not in the form's own file.
        let content = pictures[picture] == nil ? file.stream(picture, limit: 1 << 20) : nil
        let isEmpty = content?.allSatisfy { $0 <= 32 } ?? false
        emptiness[picture] = isEmpty
        return isEmpty
    }

    /// What stands behind the content of each page for records that fill these fields: the frames of what they fill,
    /// and the fields they leave as they are in the template.
    private func ending(_ filled: FieldSet) throws -> [PDFReference?] {
        // Most often it is that of the record before.
        if let lastEnding, lastEnding.filled == filled { return lastEnding.contents }
        let contents = try endings[filled] ?? newEnding(filled)
        lastEnding = (filled, contents)
        return contents
    }

    private func newEnding(_ filled: FieldSet) throws -> [PDFReference?] {
        var texts = pages.map { Array("\n".utf8) + $0.closing + Array("Q\n".utf8) }
        for (index, plan) in (form?.plans ?? []).enumerated() {
            for widget in plan.widgets where !widget.isHidden {
                guard let page = widget.page, pages.indices.contains(page) else { continue }
                if filled.contains(index) {
                    guard !plan.field.isBox, plan.field.kind != .list, !widget.frame.isEmpty else { continue }
                    widget.writePlaced(into: &texts[page]) { $0.append(contentsOf: widget.frame) }
                } else if let old = widget.oldPictures[nil] ?? widget.oldPictures[widget.oldState ?? "Off"] {
                    show(widget.onPage(old), on: page, into: &texts[page])
                }
            }
        }
        for page in pages.indices {
            guard let usual = usualFonts[page] else { continue }
            texts[page].append(text: "/QF")
            texts[page].append(number: usual.font)
            texts[page].append(32)
            texts[page].append(number: Double(usual.size) / 100)
            texts[page].append(text: " Tf\n")
        }
        var written: [PDFReference?] = []
        for text in texts {
            let reference = stream.newReference()
            try stream.putPacked([:], text, at: reference)
            written.append(reference)
        }
        endings[filled] = written
        return written
    }

    // MARK: Writing

    /// The pages of one record with its values drawn on them; `continued` has its pages of continuation.
    func write(
        _ overlay: MergedOverlay, continued: Filled? = nil, numbers: [String] = [], to tree: PageTree
    ) throws -> [PDFReference] {
        try writeRepeated()
        let endings = try ending(overlay.filled)
        let own = newPages()
        var record = try continued.map { try RecordObjects(self, $0, pages: own) }
        for index in pages.indices {
            var content: PDFReference?
            try overlay.withText(of: index, stamped: { stamp(numbers, index, into: &$0) }) { text in
                if text.isEmpty { return }
                let reference = stream.newReference(of: .content)
                try put(text, at: reference, page: index)
                content = reference
            }
            var annotations = try annotations(of: index, own)
            if let links = record?.links(on: index) { annotations += links }
            try write(index, at: own[index], endings[index], content, annotations, to: tree)
        }
        spareOverlays.append(overlay)
        guard let more = try record?.writePages(numbers: Array(numbers.dropFirst(own.count)), to: tree) else {
            return own
        }
        return own + more
    }

    private func newPages() -> [PDFReference] {
        var own: [PDFReference] = []
        own.reserveCapacity(pages.count)
        for _ in pages.indices { own.append(stream.newReference(of: .page)) }
        return own
    }

    /// The pages of one record with fields of their own, and the node its fields hang on.
    func write(
        _ filled: Filled, called name: String, numbers: [String] = [], to tree: PageTree
    ) throws -> (pages: [PDFReference], node: PDFReference?) {
        let own = newPages()
        var record = try RecordObjects(self, filled, pages: own)
        for index in pages.indices {
            var text: [UInt8] = []
            stamp(numbers, index, into: &text)
            var content: PDFReference?
            if !text.isEmpty {
                let reference = stream.newReference(of: .content)
                try stream.putPacked([:], text, at: reference)
                content = reference
            }
            let annotations = try annotations(of: index, own) + record.places(on: index)
            try write(index, at: own[index], nil, content, annotations, to: tree)
        }
        let more = try record.writePages(numbers: Array(numbers.dropFirst(own.count)), to: tree)
        return (own + more, try record.writeFields(called: name))
    }

    private func stamp(_ numbers: [String], _ page: Int, into text: inout [UInt8]) {
        guard page < numbers.count, !numbers[page].isEmpty else { return }
        pages[page].isNumbered = true
        pages[page].stamp.print(numbers[page], into: &text)
    }

    /// Notes and links that are no fields.
    private func annotations(of page: Int, _ numbers: [PDFReference]) throws -> [PDFReference] {
        let annotations = pages[page].annotations
        if annotations.isEmpty { return [] }
        let own = Dictionary(
            zip(pages.map(\.reference), numbers), uniquingKeysWith: { first, _ in first })
        return try annotations.map { annotation in
            let reference = stream.newReference()
            try stream.put(.dictionary(copies.annotation(annotation, pages: own)), at: reference)
            return reference
        }
    }

    private func write(
        _ index: Int, at number: PDFReference, _ ending: PDFReference?, _ content: PDFReference?,
        _ annotations: [PDFReference], to tree: PageTree
    ) throws {
        let parent = try tree.add(number)
        try stream.put(at: number, of: .page) { out in
            out.append(contentsOf: pages[index].head)
            out.append(upTo: Self.mostBehindHead) { cursor in
                for part in [ending, content] {
                    guard let part else { continue }
                    cursor.put(UInt8(ascii: " "))
                    cursor.put(reference: part)
                }
                cursor.put("]")
            }
            if !annotations.isEmpty {
                out.append(text: "/Annots")
                PDFObject.array(annotations.map(PDFObject.reference)).write(into: &out)
            }
            out.append(upTo: Self.mostBehindHead) { cursor in
                cursor.put("/Parent ")
                cursor.put(reference: parent)
                cursor.put(">>")
            }
        }
    }

    /// What a page says behind what all records share, at most; notes and links come besides.
    private static let mostBehindHead = 192

    /// An empty page, as large as the last one.
    func writeBlank(to tree: PageTree) throws {
        guard let last = pages.last else { return }
        let page = stream.newReference(of: .page)
        try stream.put(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(try tree.add(page)),
                "Resources": .dictionary([:]), "MediaBox": .array(last.stamp.box.numbers.map(PDFObject.real)),
                "Rotate": .integer(last.stamp.turn),
            ]), at: page)
    }

    func numberFont() throws -> PDFReference { try fonts.numberFont() }

    /// What the dictionary of the form says, with its fonts as they are in the merged file.
    var formEntries: PDFDictionary {
        let form = file.form ?? [:]
        var entries: PDFDictionary = [:]
        entries["DA"] = form["DA"].map { file.resolve($0) }
        var resources: PDFDictionary = [:]
        for (key, value) in file.dictionary(form["DR"])?.entries ?? [] {
            guard let inner = file.dictionary(value) else { continue }
            resources[key] = copies.shared(.dictionary(inner))
        }
        if !resources.isEmpty { entries["DR"] = .dictionary(resources) }
        return entries
    }

    /// An object that shows a picture at its place.
    private func placed(_ shown: Shown) throws -> PDFReference {
        let picture = pictures[shown.picture] ?? copies.copy(of: shown.picture)
        let reference = stream.newReference()
        var content: [UInt8] = []
        for number in shown.matrix {
            content.append(number: number, decimals: 4)
            content.append(32)
        }
        content.append(text: "cm/W Do")
        // The picture has limits of its own.
        try stream.putStream(
            [
                "Type": .name("XObject"), "Subtype": .name("Form"), "BBox": .array(Self.everywhere),
                "Resources": .dictionary(["XObject": .dictionary(["W": .reference(picture)])]),
            ], content, at: reference)
        return reference
    }

    /// Overlays of a page are much alike. The first wait until there are enough to learn from.
    private func put(_ text: [UInt8], at reference: PDFReference, page: Int) throws {
        if let coder = coders[page] {
            try putCoded(text, coder, reference)
            return
        }
        waiting[page].append((reference, text))
        if waiting[page].count == Self.enough { try writeWaiting(page) }
    }

    private static let enough = 64
    private lazy var coders = [LetterCoder?](repeating: nil, count: pages.count)
    private lazy var waiting = [[(reference: PDFReference, text: [UInt8])]](repeating: [], count: pages.count)

    private func writeWaiting(_ page: Int) throws {
        let texts = waiting[page]
        waiting[page] = []
        if texts.count == Self.enough { coders[page] = LetterCoder(texts.map(\.text)) }
        for (reference, text) in texts { try putCoded(text, coders[page], reference) }
    }

    private func putCoded(_ text: [UInt8], _ coder: LetterCoder?, _ reference: PDFReference) throws {
        if let coder {
            try stream.putPacked(text, by: coder, at: reference)
        } else {
            try stream.putPacked([:], text, at: reference)
        }
    }

    /// The resources of the pages, complete now: fonts of fields, pictures of boxes, fonts of this machine.
    func finish() throws {
        for page in pages.indices { try writeWaiting(page) }
        for page in pages {
            var resources = page.resources
            var named = file.dictionary(resources["Font"]) ?? [:]
            for (font, name) in page.fonts { named[PDFName(bytes: Array(name.dropFirst()))] = font.resource }
            let shown = file.dictionary(resources["XObject"]) ?? [:]
            var drawn: PDFDictionary = [:]
            for (index, picture) in page.pictures.enumerated() {
                drawn[PDFName("QW\(index)")] = .reference(try placed(picture))
            }
            for (index, text) in page.texts.enumerated() {
                drawn[PDFName("QT\(index)")] = .reference(text)
            }
            resources["Font"] = nil
            resources["XObject"] = nil
            var copied = copies.shared(.dictionary(resources)).dictionary ?? [:]
            var fontEntries = copies.shared(.dictionary(named)).dictionary ?? [:]
            if fields == nil {
                for font in fonts.fonts.used {
                    fontEntries[font.name] = .reference(fonts.near(font.reference))
                }
            }
            if page.isNumbered { fontEntries[PageStamp.fontName] = .reference(try fonts.numberFont()) }
            let pictureEntries = (copies.shared(.dictionary(shown)).dictionary ?? [:]).entries + drawn.entries
            if !fontEntries.isEmpty { copied["Font"] = .dictionary(fontEntries) }
            if let reference = page.textResources {
                try stream.put(.dictionary(["Font": .dictionary(fontEntries)]), at: reference)
            }
            if !pictureEntries.isEmpty { copied["XObject"] = .dictionary(PDFDictionary(pictureEntries)) }
            try stream.put(.dictionary(copied), at: page.sharedResources)
        }
        try copies.write()
    }
}

extension WidgetPlan {
    /// Writes operators in the widget's own coordinates onto its page.
    func writePlaced(into out: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        out.append(text: "q ")
        for number in placement {
            out.append(number: number)
            out.append(32)
        }
        out.append(text: "cm ")
        write(&out)
        out.append(text: "Q\n")
    }
}
