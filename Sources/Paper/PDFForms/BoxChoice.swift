import PDF

/// Which state of a check box or radio group a value means. State names are whatever the form's author typed, so
/// several ways of saying it are understood, the most exact first.
struct BoxChoice {
    /// Nil means off.
    var state: PDFName?

    init?(_ value: FieldValue, for field: Field) {
        guard let meant = Self.state(value, field) else { return nil }
        state = meant
    }

    /// Nil when the value means nothing here; some nil when it means off.
    private static func state(_ value: FieldValue, _ field: Field) -> PDFName?? {
        let states = field.everyState
        // A box that came without pictures gets its own, under the name viewers expect.
        let first = states.first ?? "Yes"
        let isSingle = Set(states).count <= 1
        switch value {
        case .flag(true): return isSingle ? .some(first) : nil
        case .flag(false): return .some(nil)
        case .texts(let texts): return texts.count == 1 ? state(.text(texts[0]), field) : nil
        case .text(let text):
            let bare = text.hasPrefix("/") ? String(text.dropFirst()) : text
            if let exact = states.first(where: { $0.text == text })
                ?? states.first(where: { $0.text == bare })
            {
                return exact
            }
            if bare == "Off" || text.isEmpty { return .some(nil) }
            // Some programs escape the name of a state twice; people mean what it says (§7.3.5).
            if let escaped = states.first(where: { $0.unescapedAgain == bare }) { return escaped }
            // Opt names the states by position (§12.7.5.2.3).
            if let index = field.options.firstIndex(where: { $0.export == text || $0.display == text }),
                field.widgets.indices.contains(index), let named = field.widgets[index].states.first
            {
                return named
            }
            let lower = bare.lowercased()
            if let loose = states.first(where: { $0.text.lowercased() == lower }) { return loose }
            if isSingle, BoxWords.yes.contains(lower) { return first }
            return BoxWords.no.contains(lower) ? .some(nil) : nil
        }
    }
}

/// What a box understands by itself, whatever its states are called.
public enum BoxWords {
    fileprivate static let yes: Set<String> = [
        "true", "yes", "y", "1", "x", "on", "checked", "ja", "oui", "sí", "si", "✓", "✔", "☒", "☑",
    ]
    fileprivate static let no: Set<String> = [
        "false", "no", "n", "0", "off", "unchecked", "nein", "non", "", "☐",
    ]

    public static func isKnown(_ text: String) -> Bool { yes.contains(text.lowercased()) || isOff(text) }
    public static func isOff(_ text: String) -> Bool { no.contains(text.lowercased()) }
}

extension PDFName {
    /// What the name says once its signs like #20 are read a second time; nil when there are none.
    fileprivate var unescapedAgain: String? {
        let bytes = bytes
        guard bytes.contains(UInt8(ascii: "#")) else { return nil }
        var read: [UInt8] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "#"), at + 2 < bytes.count,
                let code = UInt8(String(decoding: bytes[at + 1...at + 2], as: UTF8.self), radix: 16)
            {
                read.append(code)
                at += 3
            } else {
                read.append(bytes[at])
                at += 1
            }
        }
        return PDFName(bytes: read).text
    }
}
