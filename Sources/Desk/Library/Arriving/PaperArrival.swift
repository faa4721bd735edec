import SQL

/// The way on which a paper came to the desk, when nobody laid it there with their own hands. It stays what it is,
/// whatever becomes of the paper.
public enum PaperArrival: String, Sendable, CaseIterable {
    /// Somebody sent it by a link that asks for papers.
    case link
    /// Somebody filled in a form behind a link, and sent it back.
    case reply
    /// It was attached to a mail.
    case mail
    /// A program laid it into the network folder.
    case networkFolder = "network-folder"
    /// An app sent it as to Paperless-ngx, or a program with a token.
    case app
    /// Another app handed it over, on a phone by its share menu.
    case share
    /// It was fetched from an address of the web.
    case web
    /// It lay in the watched folder.
    case inbox
    /// It appeared in the mirror of the library.
    case mirror
    /// It was taken over from an export of Paperless-ngx.
    case paperless
}

extension Documents {
    static let arrivalTables = Migration(
        "arrivals", script: "ALTER TABLE document ADD COLUMN arrival TEXT NOT NULL DEFAULT '';")

    /// The same library, in which what is added wears that it came on this way.
    public func arriving(by way: PaperArrival?) -> Documents {
        var documents = self
        documents.arrival = way
        return documents
    }
}
