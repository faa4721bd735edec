public import Bytes
public import PDF
public import PDFForms
public import PDFReading

/// A field of a template as a person sees it in the list beside the pages.
public struct TemplateField: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case text, multiline, comb, date, number, checkBox, radio, dropDown, list, image, signature, barcode
        case button, unknown
    }

    /// Where a field stands; pages are counted from 0.
    public struct Place: Sendable, Equatable {
        public var page: Int
        public var rectangle: PDFRectangle
        /// Of a box or one of several buttons: the state that a mark in this place means.
        public var state: String?
    }

    public var name: String
    public var label: String
    /// How the label was found out, and how surely, from 0 to 1.
    public var labelSource: FieldLabel.Source
    public var labelConfidence: Double
    /// Of boxes to tick: what stands beside each of its places, in their order.
    public var choices: [String]
    public var kind: Kind
    public var isRequired: Bool
    public var isReadOnly: Bool
    public var isHidden: Bool
    public var maximumLength: Int?
    /// What can be chosen, as stored and as shown.
    public var options: [FieldOption]
    /// The names of the states that boxes can be in.
    public var states: [String]
    /// How the form wants it written: `date`, `phone`, …
    public var format: String?
    /// The order of a date or a time: `mm/dd/yyyy`.
    public var pattern: String?
    /// What it seems to be for.
    public var meaning: FieldMeaning?
    /// What is in it already.
    public var value: [String]
    public var places: [Place]
    /// Words that are none of the choices are taken, too.
    public var takesOwnWords: Bool
    public var takesSeveral: Bool

    public var canBeFilled: Bool {
        switch kind {
        case .button, .signature, .unknown: false
        default: true
        }
    }
}

extension TemplateField {
    /// Somebody is meant to sign here by hand: a field for signatures, or one for a picture or words that is called so.
    public var isSigningPlace: Bool {
        guard !isHidden, !isReadOnly, !places.isEmpty, value.allSatisfy(\.isEmpty) else { return false }
        switch kind {
        case .signature: return true
        case .image, .button, .text, .multiline:
            return Self.speaksOfSigning(label) || Self.speaksOfSigning(name)
        default: return false
        }
    }

    private static func speaksOfSigning(_ words: String) -> Bool {
        let words = words.lowercased()
        return ["signature", "sign here", "firma"].contains(where: words.contains)
            && !["date", "fecha", "name", "nombre", "nom ", "title", "print"].contains(where: words.contains)
    }
}

extension TemplateField.Kind {
    init(_ field: Field) {
        switch field.kind {
        case .text:
            switch field.format {
            case .date, .time: self = .date
            case .number, .percent: self = .number
            default:
                self =
                    field.flags.contains(.comb) && field.maximumLength != nil
                    ? .comb : field.flags.contains(.multiline) ? .multiline : .text
            }
        case .checkBox: self = .checkBox
        case .radio: self = .radio
        case .combo: self = .dropDown
        case .list: self = .list
        case .signature: self = .signature
        case .barcode: self = .barcode
        // Forms ask for a picture with a push button; Acrobat's own image fields are buttons so named.
        case .pushButton: self = field.name.lowercased().contains("image") ? .image : .button
        case .unknown: self = .unknown
        }
    }
}

extension TemplateField {
    init(_ field: Field, _ label: FieldLabel) {
        name = field.name
        self.label = label.text
        labelSource = label.source
        labelConfidence = label.confidence
        choices = label.choices
        kind = Kind(field)
        isRequired = field.flags.contains(.required)
        isReadOnly = field.flags.contains(.readOnly)
        isHidden = !field.widgets.isEmpty && field.widgets.allSatisfy(\.isHidden)
        maximumLength = field.maximumLength
        options = field.options
        states = field.states
        format = field.format?.word
        pattern = field.format?.pattern
        meaning = field.meaning
        value = field.value
        places = field.widgets.compactMap { widget in
            widget.page.map {
                Place(page: $0, rectangle: widget.rectangle, state: widget.states.first?.text)
            }
        }
        takesOwnWords = kind == .dropDown && field.flags.contains(.editable)
        takesSeveral = kind == .list && field.flags.contains(.multiSelect)
    }

    public var json: JSON {
        [
            "name": .string(name), "label": .string(label), "labelSource": .string(labelSource.rawValue),
            "labelConfidence": .number(labelConfidence), "choices": .array(choices.map(JSON.string)),
            "kind": .string(kind.rawValue), "required": .bool(isRequired), "readOnly": .bool(isReadOnly),
            "hidden": .bool(isHidden), "canBeFilled": .bool(canBeFilled),
            "maximumLength": .optional(maximumLength),
            "options": .array(
                options.map { ["value": .string($0.export), "label": .string($0.display)] }),
            "states": .array(states.map(JSON.string)), "format": .optional(format),
            "pattern": .optional(pattern),
            "takesOwnWords": .bool(takesOwnWords), "takesSeveral": .bool(takesSeveral),
            "meaning": .optional(meaning?.rawValue), "value": .array(value.map(JSON.string)),
            "places": .array(
                places.map {
                    [
                        "page": .int($0.page + 1),
                        "rectangle": .array($0.rectangle.numbers.map(JSON.number)),
                        "state": .optional($0.state),
                    ]
                }),
        ]
    }
}

extension FieldLabel {
    /// Few letters, as a form may have thousands of fields.
    var kept: JSON {
        [
            .string(text), .string(source.rawValue), .number(confidence), .optional(part), .optional(row),
            .array(choices.map(JSON.string)), .optional(section),
        ]
    }

    init?(kept json: JSON) {
        guard let text = json[0]?.string, let source = json[1]?.string.flatMap(Source.init) else {
            return nil
        }
        self.init(
            text, source: source, confidence: json[2]?.number ?? 0, part: json[3]?.int, row: json[4]?.int,
            choices: (json[5]?.array ?? []).compactMap(\.string), section: json[6]?.string)
    }
}
