/// What a browser's form sent: text fields, and files that lie in the spool.
public struct Form: Sendable, Equatable {
    public var fields: Fields
    public var files: [FormFile]

    public init(fields: Fields = Fields(), files: [FormFile] = []) {
        self.fields = fields
        self.files = files
    }

    public subscript(name: String) -> String? { fields.first(name) }
}

/// A file that came in a form. It is removed once the answer is sent: move it or copy it.
public struct FormFile: Sendable, Equatable {
    /// The form field it came in.
    public var name: String
    /// What the sender calls it: never a path of ours, only the last component, for showing.
    public var fileName: String
    /// What the sender says it is; look at the bytes before believing it.
    public var mediaType: MediaType
    public var path: String
    public var byteCount: Int64

    public init(name: String, fileName: String, mediaType: MediaType, path: String, byteCount: Int64) {
        self.name = name
        self.fileName = fileName
        self.mediaType = mediaType
        self.path = path
        self.byteCount = byteCount
    }
}

extension Request {
    /// The form in the body, whichever way it was encoded; empty when there is no body.
    public var form: Form {
        get throws(Refusal) {
            switch body {
            case .none: return Form()
            case .form(let form): return form
            case .bytes(let bytes):
                guard let mediaType, mediaType.isSameKind(as: .urlEncoded) else {
                    throw Refusal(.unsupportedMediaType, "A form was expected here.")
                }
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw Refusal(.badRequest, "The form is not UTF-8 text.")
                }
                return Form(fields: try Fields(urlEncoded: text))
            case .file: throw Refusal(.unsupportedMediaType, "A form was expected here.")
            }
        }
    }
}
