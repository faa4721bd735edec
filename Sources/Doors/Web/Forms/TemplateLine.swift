import Work

/// A form as lists show it.
struct TemplateLine: Sendable {
    var id: String
    var name: String
    var folder: String = ""
    var pageCount: Int
    var fieldCount: Int
    var edition = 1
    var changedAt: Moment
    var trashedAt: Moment?
    /// Nil while its first page has not been drawn.
    var picture: String?
}

/// One field of a form, in the words a person would use for it.
struct FieldLine: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case text, multiline, comb, date, number, check, radio, choice, list, image, signature, barcode,
            button
    }

    struct Place: Sendable {
        var page: Int
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// The field's full name in the file.
    var name: String
    /// What stands beside it on the paper; the name again when nothing does.
    var label: String
    var kind: Kind
    var isRequired = false
    var isReadOnly = false
    var maximumLength: Int?
    var choices: [String] = []
    /// What it holds already.
    var value: String = ""
    var places: [Place] = []
}

/// Something to know about a file, in plain words.
struct FindingLine: Sendable {
    var mood: Part.Mood
    var sentence: String
}
