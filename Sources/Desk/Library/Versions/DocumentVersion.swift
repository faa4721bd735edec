import SQL
public import Storage
public import Work

/// One state of a paper. The newest is what the paper is; the others stay as they were.
public struct DocumentVersion: Sendable, Equatable {
    /// From 1.
    public var number: Int
    public var blob: Blob
    public var madeAt: Moment
    /// As the journal names them.
    public var madeBy: String
    /// What they were called at the time.
    public var madeByName: String
    /// What changed, in somebody's words; empty when nobody said.
    public var note = ""

    public init(
        number: Int, blob: Blob, madeAt: Moment, madeBy: String, madeByName: String, note: String = ""
    ) {
        self.number = number
        self.blob = blob
        self.madeAt = madeAt
        self.madeBy = madeBy
        self.madeByName = madeByName
        self.note = note
    }
}

extension DocumentVersion {
    init(_ row: Row) throws {
        number = try row.int("number")
        blob = Blob(
            digest: try row.digest("digest"), byteCount: try row.integer("byte_count"),
            mediaType: try row.text("media_type"))
        madeAt = try row.moment("made_at")
        madeBy = try row.text("made_by")
        madeByName = try row.text("made_by_name")
        note = try row.text("note")
    }

    /// What a paper is before anybody changed it.
    init(first document: Document) {
        self.init(
            number: 1, blob: document.blob, madeAt: document.addedAt, madeBy: document.addedBy,
            madeByName: document.addedByName)
    }
}

extension Document {
    /// The same paper as it was then.
    public func at(_ version: DocumentVersion) -> Document {
        var document = self
        document.blob = version.blob
        document.version = version.number
        return document
    }
}
