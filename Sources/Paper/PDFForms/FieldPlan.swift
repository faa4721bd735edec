import PDF

/// One field with all its places, worked out for filling.
final class FieldPlan: Sendable {
    let field: Field
    /// The field's dictionary without its value and its closing brackets, when it is not also its own widget.
    let head: [UInt8]?
    let widgets: [WidgetPlan]
    let layout: TextAppearance.Layout
    let isSecret: Bool
    /// True when pages show the field and nothing locks it.
    let isOpen: Bool
    /// True when an empty value leaves the field exactly as the template has it.
    let isEmptyAnyway: Bool
    /// Where the value stands, when the field's dictionaries are the same in all copies and only point to it.
    let value: PDFReference?
    let valueStart: [UInt8]
    /// Those dictionaries, and resources they share with others.
    let fixed: [(reference: PDFReference, text: [UInt8])]
    let boxStates: [BoxState]
    /// How the value of a barcode is encoded; nil for other fields, and for kinds that are not known.
    let barcode: BarcodeField?
    /// How each place of a button fits a picture.
    let imageFits: [ImageFit]
    let boxWords: [(word: String, state: Int)]

    /// One state of a check box or radio group: what it makes of each dictionary.
    struct BoxState: Sendable {
        var name: PDFName
        var objects: [(reference: PDFReference, text: [UInt8])] = []
        /// What each widget shows then, for flattening.
        var shown: [WidgetPlan.Placed?] = []
        /// Pictures of ours that it needs.
        var pictures: [PDFReference] = []
        /// True when the template is in this state.
        var isOriginal = false
    }

    /// `points`: whether values may stand in objects of their own. `isFlattened`: whether every copy has all that is shared.
    init(
        _ field: Field, _ file: PDFFile, _ planner: inout WidgetPlanner, points: Bool,
        isFlattened: Bool, pictures: inout [(reference: PDFReference, text: [UInt8])],
        newReference: () -> PDFReference
    ) {
        self.field = field
        if field.widgets.contains(where: { $0.object == field.object }) {
            head = nil
        } else {
            var head: [UInt8] = Array("<<".utf8)
            var kept = (file.dictionary(field.object.object) ?? [:]).without("V", "RV", "I", "TI")
            field.stateKind(in: &kept)
            kept.writeEntries(into: &head)
            self.head = head
        }
        let objects = field.widgets.map(\.object) + [field.object]
        let points =
            points && (field.kind == .text || field.kind == .combo)
            && objects.allSatisfy { $0.generation == 0 }
        value = points ? newReference() : nil
        let shares = points || isFlattened
        var widgets: [WidgetPlan] = []
        var emptyPictures: [PDFReference: PDFReference] = [:]
        for widget in field.widgets {
            switch field.kind {
            case .text, .combo, .list, .barcode:
                widgets.append(planner.plan(widget, of: field, picture: newReference(), shares: shares))
            case .checkBox, .radio:
                let picture = widget.needsPicture ? newReference() : nil
                let plan = planner.plan(widget, of: field, picture: picture, shares: shares)
                if let picture {
                    pictures.append(
                        (picture, BoxAppearance(plan, isRadio: field.kind == .radio, file).stream))
                    if !plan.frame.isEmpty {
                        let empty = newReference()
                        pictures.append((empty, BoxAppearance(frameOf: plan).stream))
                        emptyPictures[widget.object] = empty
                    }
                }
                widgets.append(plan)
            case .pushButton, .signature, .unknown:
                widgets.append(planner.plan(widget, of: field, picture: nil, shares: shares))
            }
        }
        self.widgets = widgets
        imageFits =
            field.kind != .pushButton
            ? []
            : field.widgets.map { widget in
                ImageFit(file, file.dictionary(file.dictionary(widget.object.object)?["MK"]) ?? [:])
            }

        barcode =
            field.kind != .barcode
            ? nil
            : field.widgets.lazy.compactMap { file.dictionary(file.dictionary($0.object.object)?["PMD"]) }
                .first.flatMap { BarcodeField(file, $0) }
        isSecret = field.flags.contains(.password) && field.kind == .text
        layout =
            if field.kind != .text {
                .line
            } else if field.flags.contains(.multiline) {
                .paragraphs
            } else if let cells = field.combCells {
                .comb(cells: cells)
            } else {
                .line
            }
        isOpen = field.lockedBy == nil && field.widgets.contains(where: \.isOnPage)
        isEmptyAnyway =
            field.value.allSatisfy(\.isEmpty) && !field.isRichText
            && widgets.allSatisfy { $0.oldPictures.isEmpty && $0.frame.isEmpty }
        (valueStart, fixed) = Self.pointing(field, value, head, widgets, planner)
        let known = Self.states(field, head, widgets, emptyPictures)
        // A value that comes from above changes when what is above is filled.
        let isInherited = file.dictionary(field.object.object)?["V"] == nil && !field.value.isEmpty
        boxStates = known.0.map { state in
            var state = state
            if isInherited { state.isOriginal = false }
            return state
        }
        boxWords = known.1
    }

    /// What a value means for a box: the state, or nil when it means none.
    func state(_ value: FieldValue) -> Int? {
        if case .text(let text) = value, let known = boxWords.first(where: { $0.word == text }) {
            return known.state
        }
        guard let choice = BoxChoice(value, for: field) else { return nil }
        let name = choice.state ?? "Off"
        return boxStates.firstIndex { $0.name == name }
    }

    private static func pointing(
        _ field: Field, _ value: PDFReference?, _ head: [UInt8]?, _ widgets: [WidgetPlan],
        _ planner: WidgetPlanner
    ) -> ([UInt8], [(reference: PDFReference, text: [UInt8])]) {
        guard let value else { return ([], []) }
        var fixed: [(reference: PDFReference, text: [UInt8])] = []
        func point(_ out: inout [UInt8]) {
            out.append(text: "/V ")
            out.append(reference: value)
        }
        if var head {
            point(&head)
            fixed.append((field.object, head + Array(">>".utf8)))
        }
        for widget in widgets {
            var text = widget.head
            if head == nil { point(&text) }
            if let picture = widget.picture {
                text.append(text: "/AP<</N ")
                text.append(reference: picture)
                text.append(text: ">>")
            }
            fixed.append((widget.object, text + Array(">>".utf8)))
            if let resources = widget.resources, let shared = planner.resources[resources] {
                fixed.append((resources, shared))
            }
        }
        var start: [UInt8] = []
        start.append(number: value.number)
        start.append(text: " 0 obj\n")
        return (start, fixed)
    }

    private static func states(
        _ field: Field, _ head: [UInt8]?, _ widgets: [WidgetPlan], _ empty: [PDFReference: PDFReference]
    ) -> ([BoxState], [(word: String, state: Int)]) {
        guard field.isBox else { return ([], []) }
        var names: [PDFName] = []
        for state in field.everyState where !names.contains(state) { names.append(state) }
        // A box that came without pictures gets its own, under the name viewers expect.
        if widgets.contains(where: { $0.picture != nil && $0.states.isEmpty }), !names.contains("Yes") {
            names.append("Yes")
        }
        names.append("Off")
        let states = names.map { state($0, field, head, widgets, empty) }
        var words: [(word: String, state: Int)] = []
        for (index, name) in names.enumerated() {
            let ways = name == "Off" ? ["", "Off", "/Off"] : [name.text, "/" + name.text]
            for word in ways where !words.contains(where: { $0.word == word }) {
                if BoxChoice(.text(word), for: field)?.state ?? "Off" == name { words.append((word, index)) }
            }
        }
        return (states, words)
    }

    private static func state(
        _ name: PDFName, _ field: Field, _ head: [UInt8]?, _ widgets: [WidgetPlan],
        _ empty: [PDFReference: PDFReference]
    ) -> BoxState {
        var state = BoxState(name: name)
        func value(_ out: inout [UInt8]) {
            out.append(text: "/V")
            out.append(name: name)
        }
        if var head {
            value(&head)
            state.objects.append((field.object, head + Array(">>".utf8)))
        }
        for widget in widgets {
            let named = widget.states.isEmpty && name != "Off" ? [name] : widget.states
            let isOn = widget.states.isEmpty ? widget.picture != nil && name != "Off" : named.contains(name)
            var text = widget.head
            if head == nil { value(&text) }
            if let picture = widget.picture {
                var pictures = named.map { ($0, picture) }
                if let frame = empty[widget.object] { pictures.append(("Off", frame)) }
                if !pictures.isEmpty { text.append(text: "/AP<</N<<") }
                for (name, picture) in pictures {
                    text.append(name: name)
                    text.append(32)
                    text.append(reference: picture)
                    state.pictures.append(picture)
                }
                if !pictures.isEmpty { text.append(text: ">>>>") }
            }
            text.append(text: "/AS")
            text.append(name: isOn ? name : "Off")
            text.append(text: ">>")
            state.objects.append((widget.object, text))
            if let picture = widget.picture {
                let matrix = [1, 0, 0, 1, widget.rectangle.left, widget.rectangle.bottom]
                let shown = isOn ? picture : empty[widget.object]
                state.shown.append(shown.map { WidgetPlan.Placed(stream: $0, matrix: matrix) })
            } else {
                state.shown.append(widget.oldPictures[isOn ? name : "Off"])
            }
        }
        let value = field.value.first ?? "Off"
        state.isOriginal =
            value == name.text && widgets.allSatisfy { $0.picture == nil }
            && widgets.allSatisfy { $0.oldState == ($0.states.contains(name) ? name : "Off") }
        return state
    }
}
