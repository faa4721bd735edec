import PDF

/// Reads the whole field tree of a file (ISO 32000-2 §12.7.4), the way forms are and not only as they should be:
/// fields the form's list forgot, nameless nodes, kids that are places and kids that are fields side by side.
struct FieldTree<File: FormSource> {
    private(set) var fields: [Field] = []
    /// Some stand inside of others instead of being objects of their own, and are left out here.
    private(set) var hasLooseFields = false

    private let file: File
    private var seen: Set<PDFReference> = []
    private var pageOf: [PDFReference: Int] = [:]
    private static var deepest: Int { 60 }

    /// What a node hands down to its kids.
    private struct Inherited {
        var name = ""
        var type: PDFObject?
        var flags: PDFObject?
        var value: PDFObject?
        var defaultValue: PDFObject?
        var defaultAppearance: PDFObject?
        var alignment: PDFObject?
        var maximumLength: PDFObject?
        var options: PDFObject?

        mutating func take(_ node: PDFDictionary, partialName: String?, _ file: File) {
            if let partialName { name = name.isEmpty ? partialName : "\(name).\(partialName)" }
            // What points to nothing is not there, and hides nothing from above.
            func take(_ key: PDFName, _ value: inout PDFObject?) {
                guard let found = node[key] else { return }
                if found.reference == nil || !file.resolve(found).isNull { value = found }
            }
            take("FT", &type)
            take("Ff", &flags)
            take("V", &value)
            take("DV", &defaultValue)
            take("DA", &defaultAppearance)
            take("Q", &alignment)
            take("MaxLen", &maximumLength)
            take("Opt", &options)
        }
    }

    init(_ file: File) {
        self.file = file
        var widgetsByPage: [PDFReference] = []
        for (index, page) in file.pages.enumerated() {
            for annotation in file.array(file.dictionary(page.object)?["Annots"]) {
                if annotation.dictionary != nil { hasLooseFields = true }
                guard let reference = annotation.reference, let dictionary = file.dictionary(annotation),
                    file.resolve(dictionary["Subtype"]).name == "Widget"
                else { continue }
                if pageOf[reference] == nil { pageOf[reference] = index }
                widgetsByPage.append(reference)
            }
        }
        for root in file.array(file.form?["Fields"]) {
            if root.dictionary != nil { hasLooseFields = true }
            if let reference = root.reference { walk(reference, Inherited(), isListed: true, depth: 0) }
        }
        for widget in widgetsByPage where !seen.contains(widget) { takeOrphan(widget) }
        shareStates()
    }

    /// Several dictionaries of one name are one field (§12.7.4.2), so each must know what the others can be.
    private mutating func shareStates() {
        let boxes = Dictionary(grouping: fields.indices.filter { fields[$0].isBox }) { fields[$0].name }
        for twins in boxes.values where twins.count > 1 {
            for index in twins {
                fields[index].twinStates = twins.filter { $0 != index }.flatMap {
                    fields[$0].widgets.flatMap(\.states)
                }
            }
        }
    }

    private mutating func walk(_ reference: PDFReference, _ inherited: Inherited, isListed: Bool, depth: Int)
    {
        guard depth < Self.deepest, let node = file.dictionary(reference.object),
            seen.insert(reference).inserted
        else { return }
        var inherited = inherited
        inherited.take(node, partialName: file.resolve(node["T"]).text, file)
        var places: [PDFReference] = []
        var hasFieldsBelow = false
        for kid in file.array(node["Kids"]) {
            if kid.dictionary != nil { hasLooseFields = true }
            guard let kidReference = kid.reference, let below = file.dictionary(kid) else { continue }
            if below["T"] != nil || below["Kids"] != nil {
                hasFieldsBelow = true
                walk(kidReference, inherited, isListed: isListed, depth: depth + 1)
            } else if seen.insert(kidReference).inserted {
                places.append(kidReference)
            }
        }
        if places.isEmpty, hasFieldsBelow { return }
        // A node may be its own place on the page: field and widget merged in one dictionary.
        if places.isEmpty, node["Rect"] != nil || node["Subtype"] != nil { places = [reference] }
        add(reference, node, inherited, places: places, isListed: isListed)
    }

    /// A widget that no list leads to: found from its page, named by climbing up.
    private mutating func takeOrphan(_ widget: PDFReference) {
        var chain: [PDFReference] = [widget]
        while chain.count < Self.deepest, let last = chain.last,
            let parent = file.dictionary(last.object)?["Parent"]?.reference, !chain.contains(parent),
            file.dictionary(parent.object) != nil
        {
            chain.append(parent)
        }
        guard let top = chain.last else { return }
        if !seen.contains(top) {
            walk(top, Inherited(), isListed: false, depth: 0)
            if seen.contains(widget) { return }
        }
        var inherited = Inherited()
        for reference in chain.reversed() {
            guard let node = file.dictionary(reference.object) else { continue }
            inherited.take(node, partialName: file.resolve(node["T"]).text, file)
        }
        guard seen.insert(widget).inserted, let own = file.dictionary(widget.object) else { return }
        let parent = own["T"] == nil ? own["Parent"]?.reference : nil
        if let parent, let index = fields.firstIndex(where: { $0.object == parent }) {
            fields[index].widgets.append(place(widget, isBox: fields[index].isBox))
            return
        }
        let field = parent ?? widget
        add(field, file.dictionary(field.object) ?? own, inherited, places: [widget], isListed: false)
    }

    private mutating func add(
        _ reference: PDFReference, _ node: PDFDictionary, _ inherited: Inherited, places: [PDFReference],
        isListed: Bool
    ) {
        let flags = FieldFlags(rawValue: file.resolve(inherited.flags).integer ?? 0)
        let kind = kind(file.resolve(inherited.type).name, flags, places)
        let isBox = kind == .checkBox || kind == .radio
        let scripts = scripts(node)
        let calculation = scripts.calculation.flatMap(FieldCalculation.init(script:))
        fields.append(
            Field(
                name: inherited.name, kind: kind, flags: flags, value: texts(inherited.value),
                defaultValue: texts(inherited.defaultValue),
                options: options(inherited.options),
                maximumLength: file.resolve(inherited.maximumLength).integer.flatMap { $0 > 0 ? $0 : nil },
                alternateName: file.resolve(node["TU"]).text, mappingName: file.resolve(node["TM"]).text,
                format: scripts.format.flatMap(FieldFormat.init(script:)),
                calculation: calculation,
                validation: scripts.validation.flatMap(FieldValidation.init(script:)),
                isComputedByScript: calculation == nil
                    && scripts.calculation?.contains(where: \.isLetter) == true,
                isRichText: flags.contains(.richText) && kind == .text || node["RV"] != nil,
                widgets: places.map { place($0, isBox: isBox) }, isListed: isListed,
                top: top(reference), object: reference,
                appearance: TextAttributes(
                    defaultAppearance: file.resolve(inherited.defaultAppearance).text,
                    alignment: file.resolve(inherited.alignment).integer)))
    }

    private func top(_ reference: PDFReference) -> PDFReference {
        var top = reference
        for _ in 0..<Self.deepest {
            guard let parent = file.dictionary(top.object)?["Parent"]?.reference,
                file.dictionary(parent.object) != nil
            else { break }
            top = parent
        }
        return top
    }

    private func kind(_ type: PDFName?, _ flags: FieldFlags, _ places: [PDFReference]) -> Field.Kind {
        switch type {
        case "Tx":
            places.contains { file.dictionary($0.object)?["PMD"] != nil } ? .barcode : .text
        case "Btn": flags.contains(.pushButton) ? .pushButton : flags.contains(.radio) ? .radio : .checkBox
        case "Ch": flags.contains(.combo) ? .combo : .list
        case "Sig": .signature
        default: .unknown
        }
    }

    private func place(_ reference: PDFReference, isBox: Bool) -> FieldWidget {
        let widget = file.dictionary(reference.object) ?? [:]
        let flags = file.resolve(widget["F"]).integer ?? 0
        return FieldWidget(
            object: reference, page: pageOf[reference] ?? pageNamed(by: widget),
            rectangle: PDFRectangle(file.numbers(widget["Rect"]))
                ?? PDFRectangle(left: 0, bottom: 0, right: 0, top: 0),
            states: isBox ? states(widget) : [],
            // Hidden (bit 2) or not to be viewed (bit 6).
            isHidden: flags & 2 != 0 || flags & 32 != 0, isOnPage: pageOf[reference] != nil,
            needsPicture: isBox && !isDrawn(widget))
    }

    private func pageNamed(by widget: PDFDictionary) -> Int? {
        guard let page = widget["P"]?.reference else { return nil }
        return file.pages.firstIndex(of: page)
    }

    /// The states a box has pictures for: any name but Off, in the normal or else the pressed appearance.
    private func states(_ widget: PDFDictionary) -> [PDFName] {
        guard let appearances = file.dictionary(widget["AP"]) else { return [] }
        for kind: PDFName in ["N", "D"] {
            guard let pictures = appearances[kind] else { continue }
            if let reference = pictures.reference, file.isStream(reference) { continue }
            let states = (file.dictionary(pictures)?.keys ?? []).filter { $0 != "Off" }
            if !states.isEmpty { return states }
        }
        return []
    }

    /// Whether a box has a picture of any state but off: some name their states and leave the drawing to others.
    private func isDrawn(_ widget: PDFDictionary) -> Bool {
        file.dictionary(file.dictionary(widget["AP"])?["N"])?.entries.contains {
            $0.key != "Off" && $0.value.reference.map(file.isStream) == true
        } ?? false
    }

    private func texts(_ object: PDFObject?) -> [String] {
        if let reference = object?.reference, file.isStream(reference) {
            return [PDFText.decode(file.stream(reference, limit: 1 << 20) ?? [])]
        }
        switch file.resolve(object) {
        case .string(let bytes): return [PDFText.decode(bytes)]
        case .name(let name): return [name.text]
        case .array(let items): return items.compactMap { file.resolve($0).said }
        // Some programs write the amount 12.50 as a number; it is a value all the same.
        case let value: return value.said.map { [$0] } ?? []
        }
    }

    private func options(_ object: PDFObject?) -> [FieldOption] {
        file.array(object).map { item in
            let pair = file.array(item).map { file.resolve($0).text ?? "" }
            if pair.count >= 2 { return FieldOption(export: pair[0], display: pair[1]) }
            let text = pair.first ?? file.resolve(item).text ?? ""
            return FieldOption(export: text, display: text)
        }
    }

    private func scripts(
        _ node: PDFDictionary
    ) -> (format: String?, calculation: String?, validation: String?) {
        guard let actions = file.dictionary(node["AA"]) else { return (nil, nil, nil) }
        func script(_ key: PDFName) -> String? {
            guard let action = file.dictionary(actions[key]), let code = action["JS"] else { return nil }
            if let reference = code.reference, file.isStream(reference) {
                return file.stream(reference, limit: 1 << 20).map(PDFText.decode)
            }
            return file.resolve(code).text
        }
        return (script("F") ?? script("K"), script("C"), script("V"))
    }
}

extension Field {
    public var isBox: Bool { kind == .checkBox || kind == .radio }
}

extension PDFObject {
    /// What stands there, for people: a text, or a number as it is written.
    fileprivate var said: String? {
        switch self {
        case .integer, .real: String(decoding: written, as: UTF8.self)
        default: text
        }
    }
}

extension PDFReference {
    var object: PDFObject { .reference(self) }
}
