public import PDF

/// One field of a form, as a person or a table sees it.
public struct Field: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case text, checkBox, radio, pushButton, combo, list, signature, barcode, unknown
    }

    /// The fully qualified name: partial names joined by dots (ISO 32000-2 §12.7.4.2).
    public var name: String
    public var kind: Kind
    public var flags: FieldFlags
    /// What is in it now: one text, several for a list, the state's name for boxes; empty when nothing.
    public var value: [String]
    public var defaultValue: [String]
    public var options: [FieldOption]
    public var maximumLength: Int?
    /// The name meant for people (TU), and the one meant for export (TM).
    public var alternateName: String?
    public var mappingName: String?
    public var format: FieldFormat?
    public var calculation: FieldCalculation?
    public var validation: FieldValidation?
    /// The form computes it with a script of its own, which is not run.
    public var isComputedByScript: Bool
    public var isRichText: Bool
    public var widgets: [FieldWidget]
    /// False when only a page's annotations know the field, not the form's own list.
    public var isListed: Bool
    /// The signature that forbids changing the field; nil when none does.
    public var lockedBy: String?
    /// States of boxes in other dictionaries of the same name: by the standard they are one field.
    var twinStates: [PDFName] = []
    /// The field at the head of its branch: itself when none is above it.
    var top: PDFReference
    var object: PDFReference
    /// Attributes after inheritance, as the file spells them.
    var appearance: TextAttributes

    /// Names of the states its boxes can be in, other than off, in the order of the file.
    public var states: [String] {
        var seen: [String] = []
        for widget in widgets {
            for state in widget.states where !seen.contains(state.text) { seen.append(state.text) }
        }
        return seen
    }

    /// How many cells the field is divided into; nil when it is no comb (table 228, bit 25).
    var combCells: Int? {
        let hindrances: FieldFlags = [.multiline, .password, .fileSelect]
        guard kind == .text, flags.contains(.comb), flags.isDisjoint(with: hindrances) else { return nil }
        return maximumLength
    }

    /// The states any box of this name can be in.
    var everyState: [PDFName] { widgets.flatMap(\.states) + twinStates }
}

public struct FieldOption: Sendable, Equatable {
    /// What is stored, and what is shown; most often the same.
    public var export: String
    public var display: String

    public init(export: String, display: String) {
        self.export = export
        self.display = display
    }
}

/// One place of a field on a page.
public struct FieldWidget: Sendable, Equatable {
    var object: PDFReference
    /// Counted from 0; nil when no page shows it.
    public var page: Int?
    public var rectangle: PDFRectangle
    public var states: [PDFName]
    public var isHidden: Bool
    /// False when the page it names does not have it among its annotations: then no program shows it.
    public var isOnPage: Bool
    /// True for a box without any picture of its ticked state.
    var needsPicture: Bool
}

struct TextAttributes: Sendable, Equatable {
    var defaultAppearance: String?
    var alignment: Int?
}

/// Field flags (ISO 32000-2 tables 227-233). Which bit means what depends on the kind.
public struct FieldFlags: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    private static func bit(_ position: Int) -> FieldFlags { FieldFlags(rawValue: 1 << (position - 1)) }
    public static let readOnly = bit(1)
    public static let required = bit(2)
    public static let noExport = bit(3)
    public static let multiline = bit(13)
    public static let password = bit(14)
    public static let noToggleToOff = bit(15)
    public static let radio = bit(16)
    public static let pushButton = bit(17)
    public static let combo = bit(18)
    public static let editable = bit(19)
    public static let sorted = bit(20)
    public static let fileSelect = bit(21)
    public static let multiSelect = bit(22)
    public static let doNotSpellCheck = bit(23)
    public static let doNotScroll = bit(24)
    public static let comb = bit(25)
    public static let richText = bit(26)
    public static let radiosInUnison = bit(26)
    public static let commitOnChange = bit(27)

    private static func names(_ kind: Field.Kind) -> [(FieldFlags, String)] {
        let every: [(FieldFlags, String)] = [
            (.readOnly, "readOnly"), (.required, "required"), (.noExport, "noExport"),
        ]
        switch kind {
        case .text:
            return every + [
                (.multiline, "multiline"), (.password, "password"), (.fileSelect, "fileSelect"),
                (.doNotSpellCheck, "doNotSpellCheck"), (.doNotScroll, "doNotScroll"), (.comb, "comb"),
                (.richText, "richText"),
            ]
        case .checkBox, .radio:
            return every + [(.noToggleToOff, "noToggleToOff"), (.radiosInUnison, "radiosInUnison")]
        case .combo, .list:
            return every + [
                (.editable, "editable"), (.sorted, "sorted"), (.multiSelect, "multiSelect"),
                (.doNotSpellCheck, "doNotSpellCheck"), (.commitOnChange, "commitOnChange"),
            ]
        case .pushButton, .signature, .barcode, .unknown: return every
        }
    }

    /// The words for the bits that are set and mean something for this kind.
    public func words(for kind: Field.Kind) -> [String] {
        Self.names(kind).filter { contains($0.0) }.map(\.1)
    }
}
