import PDF
public import PDFForms

/// What mapping wants to know about a field.
public struct FieldFacts: Sendable, Equatable {
    public struct Place: Sendable, Equatable {
        /// Counted from 0; nil when no page shows it.
        public var page: Int?
        public var left: Double
        public var bottom: Double
        public var right: Double
        public var top: Double

        public init(page: Int?, left: Double, bottom: Double, right: Double, top: Double) {
            self.page = page
            self.left = left
            self.bottom = bottom
            self.right = right
            self.top = top
        }
    }

    public struct StateWord: Sendable, Equatable {
        public var state: String
        public var word: String

        public init(state: String, word: String) {
            self.state = state
            self.word = word
        }
    }

    public var name: String
    public var kind: Field.Kind
    /// The form's own words for people, if it has any.
    public var label: String?
    /// The words printed near the field, if somebody has read the page.
    public var nearby: String?
    /// Counted from 1, when those words belong to several fields side by side.
    public var part: Int?
    /// Counted from 1, when it is one of several below the same heading of a table.
    public var row: Int?
    /// The heading over the field, which may say that it is about somebody else.
    public var section: String?
    public var meaning: FieldMeaning?
    public var format: FieldFormat?
    public var maximumLength: Int?
    public var isComb = false
    public var isMultiline = false
    public var isRequired = false
    public var isReadOnly = false
    public var isEditable = false
    public var isMultiSelect = false
    public var options: [FieldOption] = []
    public var states: [String] = []
    /// Of boxes of one group: what is printed beside each, if somebody has read the page.
    public var stateWords: [StateWord] = []
    public var value: [String] = []
    public var places: [Place] = []

    public init(name: String, kind: Field.Kind = .text, label: String? = nil, maximumLength: Int? = nil) {
        self.name = name
        self.kind = kind
        self.label = label
        self.maximumLength = maximumLength
    }

    public init(_ field: Field, nearby: String? = nil) {
        name = field.name
        kind = field.kind
        label = field.alternateName
        self.nearby = nearby
        meaning = field.meaning
        format = field.format
        maximumLength = field.maximumLength
        let isText = field.kind == .text
        isComb = isText && field.flags.contains(.comb)
        isMultiline = isText && field.flags.contains(.multiline)
        isRequired = field.flags.contains(.required)
        isReadOnly = field.flags.contains(.readOnly)
        isEditable = field.kind == .combo && field.flags.contains(.editable)
        isMultiSelect = field.kind == .list && field.flags.contains(.multiSelect)
        options = field.options
        states = field.states
        value = field.value
        places = field.widgets.map {
            let numbers = $0.rectangle.numbers
            guard numbers.count == 4 else {
                return Place(page: $0.page, left: 0, bottom: 0, right: 0, top: 0)
            }
            return Place(
                page: $0.page, left: numbers[0], bottom: numbers[1], right: numbers[2], top: numbers[3])
        }
    }

    /// Whether a value can be put into it.
    public var takesValues: Bool {
        switch kind {
        case .text, .checkBox, .radio, .combo, .list, .barcode: true
        case .pushButton, .signature, .unknown: false
        }
    }

    var isBox: Bool { kind == .checkBox || kind == .radio }
}
