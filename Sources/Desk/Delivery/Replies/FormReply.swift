public import Access
public import Bytes
public import Filling
public import Library
import SQL
public import Storage
public import Work

/// A form that somebody filled in behind a link, signed by hand perhaps, and sent back. The paper it became lies in the library;
/// this says by which link it came, for whom that was, and what it was when it came.
public struct FormReply: Sendable, Equatable {
    public let id: ID<FormReply>
    public let link: ID<ShareLink>
    /// What the link led to: `packet/018f…` or `document/018f…`.
    public let subject: String
    public let batch: ID<Batch>?
    public let document: ID<Document>
    /// What came, before anybody changed it.
    public let digest: String
    /// For whom the link was; empty when nobody said.
    public let sentFor: String
    /// In how many places it was signed by hand.
    public let signed: Int
    public let sentAt: Moment

    init(_ row: Row) throws {
        id = try row.id("id")
        link = try row.id("link")
        subject = try row.text("subject")
        batch = try row.optionalID("batch")
        document = try row.id("document")
        digest = try row.text("digest")
        sentFor = try row.text("sent_for")
        signed = try row.int("signed")
        sentAt = try row.moment("sent_at")
    }

    public var json: JSON {
        [
            "id": .string(id.text), "share": .string(link.text), "of": .string(subject),
            "batch": .optional(batch?.text), "document": .string(document.text), "digest": .string(digest),
            "sentFor": .string(sentFor), "signed": .int(signed), "sentAt": .string(sentAt.iso8601),
        ]
    }
}
