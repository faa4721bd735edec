import Mappings
import PDF
import PDFForms
import PDFReading
import Work

/// What is known about the fields of a form, the words printed beside them included.
enum FormFacts {
    static func all(_ form: Form, bytes: [UInt8], password: String?) -> [FieldFacts] {
        // Words of the form's own are enough; pages are only looked at for fields that have none.
        let lacksWords = form.fields.contains { ($0.alternateName ?? "").isEmpty && $0.kind != .pushButton }
        guard lacksWords, PageReader.isReady, let file = try? PDFFile(bytes: bytes, password: password) else {
            return form.fields.map { FieldFacts($0) }
        }
        let labels = FieldLabels(of: form, in: file, reader: PageReader(jail: .detect()))
        return zip(form.fields, labels.all).map { field, label in
            guard label.source != .name, label.source != .tooltip else { return FieldFacts(field) }
            var facts = FieldFacts(field, nearby: label.text)
            facts.part = label.part
            return facts
        }
    }
}
