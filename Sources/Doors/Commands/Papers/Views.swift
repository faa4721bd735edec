import Bytes

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
        switch mediaType {
        case "application/pdf": "PDF"
        case "text/csv": "table"
        case "text/plain", "text/markdown": "text"
        case let type where type.hasPrefix("image/"): "picture"
        case let type where type.contains("spreadsheet") || type.contains("excel"): "table"
        case let type where type.contains("word") || type.contains("opendocument.text"): "text"
        case let type where type.contains("zip"): "archive"
        case "", "application/octet-stream": "file"
        default: mediaType
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
