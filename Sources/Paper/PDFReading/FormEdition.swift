public import PDF
public import PDFForms

/// A form as it was at one time: its fields, what they are called on the page, and the sheets they stand on.
public struct FormEdition: Sendable {
    public let form: Form
    /// In the order of the form's fields.
    public let labels: [FieldLabel]
    public let frames: [PageFrame]

    public init(form: Form, labels: [FieldLabel], frames: [PageFrame]) {
        self.form = form
        self.labels = labels
        self.frames = frames
    }

    /// Reads all of it from a file. Without a reader the labels are those the fields bring with them.
    public init(bytes: [UInt8], reader: PageReader?) throws(PDFError) {
        let file = try PDFFile(bytes: bytes)
        form = try Form(bytes: bytes)
        labels = FieldLabels(of: form, in: file, reader: reader).all
        frames = file.frames
    }
}
