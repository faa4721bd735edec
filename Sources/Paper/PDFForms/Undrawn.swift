import PDF

/// Fields that the template leaves to the viewer to draw: with a value but without a picture of it, or with a picture
/// that the form itself asks to be made anew (NeedAppearances). A filled copy does not ask any more, so it must bring
/// these pictures along, whether their fields are filled or not.
enum Undrawn {
    /// False when a look at the fields tells already that nothing is missing.
    static func mightBe(in form: Form, _ file: PDFFile) -> Bool {
        form.asksForAppearances
            || form.fields.contains { field in
                guard [.text, .combo, .list, .checkBox, .radio].contains(field.kind) else { return false }
                let isEmpty = field.value.allSatisfy { $0.isEmpty || $0 == "Off" }
                return field.widgets.contains { widget in
                    let dictionary = file.dictionary(widget.object.object) ?? [:]
                    if !widget.needsPicture, file.dictionary(dictionary["AP"])?["N"] != nil { return false }
                    let style = file.dictionary(dictionary["MK"]) ?? [:]
                    return !isEmpty || field.kind == .list || style["BG"] != nil || style["BC"] != nil
                }
            }
    }

    /// What the field is to be filled with again, so that it is drawn as it stands; nil when nothing is missing.
    static func value(_ plan: FieldPlan, asksForAppearances asks: Bool, _ file: PDFFile) -> FieldValue? {
        let field = plan.field
        let shown = plan.widgets.filter { $0.page != nil && !$0.isHidden && $0.width > 1 && $0.height > 1 }
        guard !shown.isEmpty, !field.isRichText else { return nil }
        let isEmpty = field.value.allSatisfy(\.isEmpty)
        switch field.kind {
        case .text, .combo, .list:
            // A password is not shown, and what the field does not take is better left than changed.
            guard !field.flags.contains(.password),
                field.maximumLength.map({ field.value.joined().utf16.count <= $0 }) ?? true
            else { return nil }
            let isMissing = shown.contains { widget in
                widget.oldPictures.isEmpty && !(isEmpty && widget.frame.isEmpty && field.kind != .list)
            }
            let isStale = asks && shown.contains { Self.letters(in: $0, file) != Self.letters(of: field) }
            guard isMissing || isStale else { return nil }
            if field.kind == .list { return .texts(field.value) }
            return .text(field.value.first ?? "")
        case .checkBox, .radio:
            let missing = shown.filter { $0.picture != nil }
            guard let state = field.value.first, state != "Off", !state.isEmpty else {
                return missing.contains { !$0.frame.isEmpty } ? .text("Off") : nil
            }
            return missing.isEmpty ? nil : .text(state)
        case .pushButton, .signature, .barcode, .unknown: return nil
        }
    }

    /// The plain letters of what the field is to show, and of what its picture shows; of other letters a picture's
    /// bytes tell nothing without its fonts, and then it counts as old.
    private static func letters(of field: Field) -> [UInt8] {
        let text = field.value.first ?? ""
        let shown = field.options.first { $0.export == text }?.display ?? text
        return ShownValue.text(shown, format: field.format).utf8.filter { $0 > 32 }
    }

    private static func letters(in widget: WidgetPlan, _ file: PDFFile) -> [UInt8] {
        guard let picture = widget.oldPictures[nil],
            let content = file.stream(picture.stream, limit: 4 << 20)
        else { return [] }
        var letters: [UInt8] = []
        var at = 0
        while at < content.count {
            guard content[at] == UInt8(ascii: "(") else {
                at += 1
                continue
            }
            var end = at + 1
            while end < content.count, content[end] != UInt8(ascii: ")") {
                end += content[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            let string = PDFObject(parsing: Array(content[at..<min(end + 1, content.count)])).bytes ?? []
            letters += string.filter { $0 > 32 }
            at = end + 1
        }
        return letters
    }
}
