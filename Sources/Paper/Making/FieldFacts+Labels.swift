import PDF
public import Mappings
public import PDFForms
public import PDFReading

extension FieldFacts {
    /// What mapping wants to know of each field, with the words that were found near them on the page.
    public static func all(_ fields: [Field], _ labels: [FieldLabel]) -> [FieldFacts] {
        zip(fields, labels).map { field, label in
            let isSeen = label.source != .name && label.source != .tooltip
            var facts = FieldFacts(field, nearby: isSeen ? label.text : nil)
            facts.part = isSeen ? label.part : nil
            facts.row = isSeen ? label.row : nil
            facts.section = label.section
            if label.choices.count == field.widgets.count {
                facts.stateWords = zip(field.widgets, label.choices).compactMap { widget, word in
                    widget.states.first.map { .init(state: $0.text, word: word) }
                }
            }
            return facts
        }
    }
}
