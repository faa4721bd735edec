import PDF
import PDFDrawing

/// A paper of ours being made: pages, fields and what a screen reader is told. The same calls give the same bytes.
struct PaperDraft {
    let title: String
    private(set) var leaves: [Leaf] = []
    private var fields: [(field: PaperField, leaf: Int)] = []
    private var pictures: [[JPEGPicture]] = []
    private let fonts = Fonts.shared

    let language: String
    /// Whose colour stands in the place of our own.
    private let accent: Colour

    init(title: String, language: String = "en", accent: Colour? = nil) {
        self.title = title
        self.language = language
        self.accent = accent ?? .accent
    }

    mutating func page(width: Double, height: Double, _ draw: (inout Page) -> Void) {
        var page = Page(
            leaf: Leaf(width: width, height: height, fonts: fonts, accent: accent), first: fields.count)
        draw(&page)
        fields += page.fields.map { ($0, leaves.count) }
        leaves.append(page.leaf)
        pictures.append(page.pictures)
    }

    /// A leaf and the fields on it.
    struct Page {
        var leaf: Leaf
        fileprivate let first: Int
        fileprivate var fields: [PaperField] = []
        fileprivate var pictures: [JPEGPicture] = []

        fileprivate init(leaf: Leaf, first: Int) {
            self.leaf = leaf
            self.first = first
        }

        /// `words` say what it shows to those who cannot see it.
        mutating func add(_ picture: JPEGPicture, at place: Place, described words: String) {
            pictures.append(picture)
            leaf.picture(PDFName("P\(pictures.count)"), at: place, described: words)
        }

        mutating func add(_ field: PaperField) {
            leaf.field(first + fields.count)
            fields.append(field)
        }
    }

    // MARK: Writing

    func bytes() -> [UInt8] {
        var draft = PDFDraft()
        let root = draft.newReference()
        let tree = draft.newReference()
        let pages = leaves.map { _ in draft.newReference() }
        let fontPlaces = writeFonts(&draft)
        let structure = draft.newReference()

        var widgets = [[PDFReference]](repeating: [], count: leaves.count)
        var placesOfField: [[PDFReference]] = []
        var fieldPlaces: [PDFObject] = []
        var order: [PDFObject] = []
        var key = leaves.count
        var keys: [(key: Int, field: Int, widget: PDFReference)] = []
        for (number, entry) in fields.enumerated() {
            var own: [PDFReference] = []
            let isShared = entry.field.places.count > 1
            let parent = isShared ? draft.newReference() : nil
            for place in entry.field.places {
                let reference = draft.newReference()
                var widget = self.widget(
                    entry.field, place, page: pages[entry.leaf], height: leaves[entry.leaf].height, &draft)
                widget["StructParent"] = .integer(key)
                if let parent {
                    widget["Parent"] = .reference(parent)
                } else {
                    for (name, value) in self.dictionary(entry.field).entries { widget[name] = value }
                }
                draft.put(.dictionary(widget), at: reference)
                keys.append((key, number, reference))
                key += 1
                own.append(reference)
                widgets[entry.leaf].append(reference)
            }
            if let parent {
                var field = self.dictionary(entry.field)
                field["Kids"] = .array(own.map(PDFObject.reference))
                draft.put(.dictionary(field), at: parent)
                fieldPlaces.append(.reference(parent))
            } else {
                fieldPlaces += own.map(PDFObject.reference)
            }
            if entry.field.calculation != nil, let last = fieldPlaces.last { order.append(last) }
            placesOfField.append(own)
        }
        writeStructure(&draft, at: structure, pages: pages, placesOfField, keys)
        for (index, leaf) in leaves.enumerated() {
            let packed = deflated(leaf.content)
            let content = draft.addStream(
                packed == nil ? [:] : ["Filter": .name("FlateDecode")], packed ?? leaf.content)
            draft.put(
                .dictionary([
                    "Type": .name("Page"), "Parent": .reference(tree),
                    "MediaBox": .array([.integer(0), .integer(0), .real(leaf.width), .real(leaf.height)]),
                    "Resources": .dictionary(resources(index, fontPlaces.page, &draft)),
                    "Contents": .reference(content),
                    "Annots": .array(widgets[index].map(PDFObject.reference)),
                    "Tabs": .name("S"), "StructParents": .integer(index),
                ]), at: pages[index])
        }
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array(pages.map(PDFObject.reference)),
                "Count": .integer(pages.count),
            ]), at: tree)
        var form: PDFDictionary = [
            "Fields": .array(fieldPlaces), "DA": .text("/Text 10 Tf 0 g"),
            "DR": .dictionary(["Font": .dictionary(fontPlaces.form)]),
        ]
        if !order.isEmpty { form["CO"] = .array(order) }
        draft.put(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(tree), "AcroForm": .dictionary(form),
                "Lang": .text(language), "MarkInfo": .dictionary(["Marked": .boolean(true)]),
                "StructTreeRoot": .reference(structure),
                "ViewerPreferences": .dictionary(["DisplayDocTitle": .boolean(true)]),
            ]), at: root)
        let info = draft.add(.dictionary(["Title": .text(title), "Creator": .text("Quire")]))
        return draft.bytes(root: root, extra: ["Info": .reference(info)])
    }

    private func resources(_ page: Int, _ fonts: PDFDictionary, _ draft: inout PDFDraft) -> PDFDictionary {
        var resources: PDFDictionary = ["Font": .dictionary(fonts)]
        guard !pictures[page].isEmpty else { return resources }
        var named = PDFDictionary()
        for (index, picture) in pictures[page].enumerated() {
            named[PDFName("P\(index + 1)")] = .reference(draft.add(picture))
        }
        resources["XObject"] = .dictionary(named)
        return resources
    }

    /// Fonts of pages hold only the letters on them; fonts of fields hold all, since nobody knows what is coming.
    private func writeFonts(_ draft: inout PDFDraft) -> (page: PDFDictionary, form: PDFDictionary) {
        var letters: [FontKey: Set<UInt8>] = [:]
        for leaf in leaves { for (key, used) in leaf.letters { letters[key, default: []].formUnion(used) } }
        let inFields = Set(fields.filter { !$0.field.isMark }.map(\.field.font)).union([.sans])
        var page = PDFDictionary()
        var form = PDFDictionary()
        for key in FontKey.allCases {
            let full = inFields.contains(key) ? fonts[key].write(into: &draft) : nil
            if let full { form[key.name] = .reference(full) }
            guard let used = letters[key] else { continue }
            // One font is smaller than two of the same family.
            page[key.name] = .reference(full ?? fonts[key].write(into: &draft, letters: used))
        }
        form["ZaDb"] = .reference(
            draft.add(
                .dictionary([
                    "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("ZapfDingbats"),
                ])))
        return (page, form)
    }

    // MARK: Fields

    private func dictionary(_ field: PaperField) -> PDFDictionary {
        var entries: PDFDictionary = ["T": .text(field.name), "TU": .text(field.tooltip)]
        var flags = field.isRequired ? 2 : 0
        switch field.kind {
        case .text: entries["FT"] = .name("Tx")
        case .multiline:
            entries["FT"] = .name("Tx")
            flags |= 1 << 12
        case .checkBox:
            entries["FT"] = .name("Btn")
            entries["V"] = .name("Off")
        case .choice(let options):
            entries["FT"] = .name("Ch")
            entries["Opt"] = .array(options.map(PDFObject.text))
            // A list to open, into which other words may be typed.
            flags |= 1 << 17 | 1 << 18
        case .signature: entries["FT"] = .name("Sig")
        }
        if flags != 0 { entries["Ff"] = .integer(flags) }
        if field.isText {
            entries["DA"] = .text(appearance(field))
            if field.alignment != .left { entries["Q"] = .integer(field.alignment.rawValue) }
        }
        if let scripts = scripts(field) { entries["AA"] = scripts }
        return entries
    }

    private func appearance(_ field: PaperField) -> String {
        var bytes: [UInt8] = []
        bytes.append(name: field.font.name)
        bytes.append(32)
        bytes.append(number: field.size)
        bytes.append(text: " Tf ")
        let colour = field.colour == .accent ? accent : field.colour
        for number in [colour.red, colour.green, colour.blue] {
            bytes.append(number: number, decimals: 3)
            bytes.append(32)
        }
        bytes.append(text: "rg")
        return String(decoding: bytes, as: UTF8.self)
    }

    private func scripts(_ field: PaperField) -> PDFObject? {
        func script(_ text: String) -> PDFObject {
            .dictionary(["S": .name("JavaScript"), "JS": .text(text)])
        }
        var actions = PDFDictionary()
        switch field.format {
        case .date(let pattern):
            actions["F"] = script("AFDate_FormatEx(\"\(pattern)\");")
            actions["K"] = script("AFDate_KeystrokeEx(\"\(pattern)\");")
        case .number(let decimals):
            actions["F"] = script("AFNumber_Format(\(decimals), 0, 0, 0, \"\", true);")
            actions["K"] = script("AFNumber_Keystroke(\(decimals), 0, 0, 0, \"\", true);")
        case .percent(let decimals):
            actions["F"] = script("AFPercent_Format(\(decimals), 0);")
            actions["K"] = script("AFPercent_Keystroke(\(decimals), 0);")
        case nil: break
        }
        if let calculation = field.calculation {
            let names = calculation.fields.map { "\"\($0)\"" }.joined(separator: ", ")
            actions["C"] = script("AFSimple_Calculate(\"\(calculation.operation)\", new Array(\(names)));")
        }
        return actions.isEmpty ? nil : .dictionary(actions)
    }

    private func widget(
        _ field: PaperField, _ place: Place, page: PDFReference, height: Double, _ draft: inout PDFDraft
    ) -> PDFDictionary {
        let bottom = height - place.y - place.height
        var widget: PDFDictionary = [
            "Type": .name("Annot"), "Subtype": .name("Widget"), "F": .integer(4), "P": .reference(page),
            "Rect": .array(
                [place.x, bottom, place.x + place.width, bottom + place.height].map {
                    .real(($0 * 100).rounded() / 100)
                }),
        ]
        guard case .checkBox = field.kind else { return widget }
        var form: PDFDictionary = [
            "Type": .name("XObject"), "Subtype": .name("Form"),
            "BBox": .array([.integer(0), .integer(0), .real(place.width), .real(place.height)]),
        ]
        var tick: [UInt8] = Array("q 1 J 1 j ".utf8)
        let colour = field.colour == .accent ? accent : field.colour
        for number in [colour.red, colour.green, colour.blue] {
            tick.append(number: number, decimals: 3)
            tick.append(32)
        }
        tick.append(text: "RG 1.6 w ")
        for (index, point) in [(0.22, 0.50), (0.43, 0.27), (0.80, 0.76)].enumerated() {
            tick.append(number: point.0 * place.width)
            tick.append(32)
            tick.append(number: point.1 * place.height)
            tick.append(text: index == 0 ? " m " : " l ")
        }
        tick.append(text: "S Q")
        let on = draft.addStream(form, tick)
        form["Length"] = nil
        let off = draft.addStream(form, [])
        widget["AS"] = .name("Off")
        widget["AP"] = .dictionary(["N": .dictionary(["Yes": .reference(on), "Off": .reference(off)])])
        return widget
    }

    // MARK: Structure

    /// One element for each piece of text and each field, in the order they were drawn, which is how they are read.
    private func writeStructure(
        _ draft: inout PDFDraft, at root: PDFReference, pages: [PDFReference],
        _ placesOfField: [[PDFReference]], _ keys: [(key: Int, field: Int, widget: PDFReference)]
    ) {
        let document = draft.newReference()
        var kids: [PDFObject] = []
        var parents: [Int: PDFObject] = [:]
        for (index, leaf) in leaves.enumerated() {
            var byMark: [PDFObject] = []
            for piece in leaf.pieces {
                switch piece {
                case .text(let tag, let number):
                    let element = draft.add(
                        .dictionary([
                            "Type": .name("StructElem"), "S": .name(PDFName(tag.rawValue)),
                            "P": .reference(document),
                            "Pg": .reference(pages[index]), "K": .integer(number),
                        ]))
                    kids.append(.reference(element))
                    byMark.append(.reference(element))
                case .picture(let words, let number):
                    let element = draft.add(
                        .dictionary([
                            "Type": .name("StructElem"), "S": .name("Figure"), "P": .reference(document),
                            "Pg": .reference(pages[index]), "K": .integer(number), "Alt": .text(words),
                        ]))
                    kids.append(.reference(element))
                    byMark.append(.reference(element))
                case .field(let number):
                    guard placesOfField.indices.contains(number) else { continue }
                    for widget in placesOfField[number] {
                        let element = draft.add(
                            .dictionary([
                                "Type": .name("StructElem"), "S": .name("Form"), "P": .reference(document),
                                "Pg": .reference(pages[index]),
                                "K": .dictionary([
                                    "Type": .name("OBJR"), "Obj": .reference(widget),
                                    "Pg": .reference(pages[index]),
                                ]),
                            ]))
                        kids.append(.reference(element))
                        if let key = keys.first(where: { $0.widget == widget })?.key {
                            parents[key] = .reference(element)
                        }
                    }
                }
            }
            parents[index] = .array(byMark)
        }
        draft.put(
            .dictionary([
                "Type": .name("StructElem"), "S": .name("Document"), "P": .reference(root), "K": .array(kids),
            ]), at: document)
        let numbers = draft.add(
            .dictionary([
                "Nums": .array(parents.sorted { $0.key < $1.key }.flatMap { [.integer($0.key), $0.value] })
            ]))
        draft.put(
            .dictionary([
                "Type": .name("StructTreeRoot"), "K": .reference(document), "ParentTree": .reference(numbers),
                "ParentTreeNextKey": .integer((parents.keys.max() ?? 0) + 1),
            ]), at: root)
    }
}

extension PaperField {
    var isMark: Bool {
        if case .checkBox = kind { true } else if case .signature = kind { true } else { false }
    }
    var isText: Bool { !isMark }
}
