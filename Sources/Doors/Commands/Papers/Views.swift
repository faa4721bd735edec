import Bytes
import Library

/// A document as the API shows it.
struct DocumentView: Sendable {
    let json: JSON
    let id: String
    let name: String
    let mediaType: String
    let byteCount: Int64

    init?(_ json: JSON) {
        guard let id = json["id"]?.string, let name = json["name"]?.string else { return nil }
        self.json = json
        self.id = id
        self.name = name
        mediaType = json["mediaType"]?.string ?? ""
        byteCount = json["byteCount"]?.integer ?? 0
    }

    var addedAt: String { Words.time(json["addedAt"]?.string) }
    var tags: [String] { (json["tags"]?.array ?? []).compactMap(\.string) }
    var isTrashed: Bool { json["trashedAt"]?.string != nil }

    /// A word for people, by the family of the media type.
    var kind: String {
        switch FileKind(mediaType: mediaType) {
        case .pdf: "PDF"
        case .image: "picture"
        case .webPage: "web page"
        case .office: "office file"
        case let kind?: kind.rawValue
        case nil: mediaType
        }
    }
}

/// What became of an uploaded file.
struct UploadView {
    let document: DocumentView
    let isNew: Bool

    private init?(_ entry: JSON) {
        guard let document = DocumentView(entry) else { return nil }
        self.document = document
        isNew = (entry["duplicateOf"] ?? .null).isNull
    }

    /// Of one file many papers may have come.
    static func all(_ json: JSON) -> [UploadView] {
        (json["documents"]?.array ?? []).compactMap(UploadView.init)
    }
}
