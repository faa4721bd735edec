public import Access
import PDF
import PDFForms
public import Storage

extension Templates {
    /// The fields of an edition in the form's order, with what to call them and where they stand.
    public func fields(
        _ id: ID<Template>, edition: Int? = nil, by caller: Caller
    ) throws -> [TemplateField] {
        let found = try self.edition(id, edition, by: caller)
        return try form(of: found.blob.digest).fields.map { TemplateField($0) }
    }

    /// The form itself, as it is in the file.
    func form(of digest: Digest) throws -> Form {
        let bytes = try store.blobs.read(digest, atMost: Self.longestFile)
        return try Self.explained { try Form(bytes: bytes) }
    }
}
