public import PDF

/// Only the fields of a form, for whoever wants to know what was filled in and nothing else.
///
///     let shelf = SoundFile.Shelf()
///     for path in paths { let form = try FormFields(path: path, shelf: shelf) }
///
/// Most forms that come back are sound files, and copies of one another: those are read without qpdf, and what they have in
/// common is read once. All others are read as `Form` reads them; the fields are the same either way.
public struct FormFields: Sendable {
    public let fields: [Field]
    /// False when the file had to be repaired, or unlocked, first.
    public let wasSound: Bool

    public init(path: String, password: String? = nil, shelf: SoundFile.Shelf) throws(PDFError) {
        try self.init(bytes: PDFFile.read(path), password: password, shelf: shelf)
    }

    public init(bytes: [UInt8], password: String? = nil, shelf: SoundFile.Shelf) throws(PDFError) {
        if let fields = Self.plain(bytes, shelf) {
            self.fields = fields
            wasSound = true
        } else {
            fields = try Form(bytes: bytes, password: password).fields
            wasSound = false
        }
    }

    private static func plain(_ bytes: [UInt8], _ shelf: SoundFile.Shelf) -> [Field]? {
        guard let file = SoundFile(bytes, shelf) else { return nil }
        let tree = FieldTree(file)
        return file.isSound && !tree.hasLooseFields ? tree.fields : nil
    }
}
