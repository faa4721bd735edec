import Making
import Mappings
import PDF
import PDFForms
import PDFReading
import Work

/// What is known about the fields of a form, the words printed beside them included.
enum FormFacts {
    static func all(_ form: Form, bytes: [UInt8], password: String?) -> [FieldFacts] {
        guard PageReader.isReady, let file = try? PDFFile(bytes: bytes, password: password) else {
            return form.fields.map { FieldFacts($0) }
        }
        let labels = FieldLabels(of: form, in: file, reader: PageReader(jail: .detect()))
        return FieldFacts.all(form.fields, labels.all)
    }
}
