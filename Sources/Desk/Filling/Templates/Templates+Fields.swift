public import Access
import Bytes
import Making
import Mappings
import PDF
import PDFForms
public import PDFReading
import SQL
public import Storage

extension Templates {
    /// The fields of an edition in the form's order, with what to call them and where they stand.
    public func fields(
        _ id: ID<Template>, edition: Int? = nil, by caller: Caller
    ) throws -> [TemplateField] {
        let found = try self.edition(id, edition, by: caller)
        let form = try form(of: found.blob.digest)
        let labels = try labels(of: id, edition: found.number, form)
        return zip(form.fields, labels).map(TemplateField.init)
    }

    /// How large each page is, in points and the way it is shown, for laying fields over its picture.
    public func pages(_ id: ID<Template>, edition: Int? = nil, by caller: Caller) throws -> [PageFrame] {
        let found = try self.edition(id, edition, by: caller)
        let bytes = try store.blobs.read(found.blob.digest, atMost: Self.longestFile)
        return try Self.explained { try Sheets(bytes: bytes).frames }
    }

    /// The form itself, as it is in the file.
    func form(of digest: Digest) throws -> Form {
        let bytes = try store.blobs.read(digest, atMost: Self.longestFile)
        return try Self.explained { try Form(bytes: bytes) }
    }

    /// As they were found when the edition was taken in; a form read differently by now falls back on its own words.
    func labels(of id: ID<Template>, edition: Int, _ form: Form) throws -> [FieldLabel] {
        let kept = try store.read { desk in
            try desk.row(
                "SELECT labels FROM template_edition WHERE template = \(id) AND number = \(edition)")?
                .json("labels").array?.compactMap(FieldLabel.init(kept:))
        }
        if let kept, kept.count == form.fields.count { return kept }
        return FieldLabels(form, texts: []).all
    }
}

extension Templates {
    /// The fields as mapping wants to know them, with the words found near them.
    func facts(of template: Template) throws -> [FieldFacts] { try known(of: template).facts }

    /// The same with the fields as people see them, out of one reading of the form.
    func known(of template: Template) throws -> (fields: [TemplateField], facts: [FieldFacts]) {
        let form = try form(of: template.edition.blob.digest)
        let labels = try labels(of: template.id, edition: template.edition.number, form)
        return (zip(form.fields, labels).map(TemplateField.init), FieldFacts.all(form.fields, labels))
    }
}
