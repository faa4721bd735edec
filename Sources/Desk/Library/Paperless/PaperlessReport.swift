public import Bytes
import Storage

/// What came of an import from Paperless-ngx. Nothing is left out without being named here.
public struct PaperlessReport: Sendable, Equatable {
    public var addedCount = 0
    /// Papers that an import brought before, or whose bytes the library had.
    public var knownCount = 0
    /// Of those the library had by other ways: what was written on them in Paperless was added.
    public var labelledCount = 0
    /// Papers of which Paperless had made an archive version, which is their second version here.
    public var archiveCount = 0
    public var searchCount = 0
    /// Papers that were not taken, and why.
    public var left: [Documents.Left] = []
    /// What Quire has no place for: "mail rules", and how many.
    public var others: [(what: String, count: Int)] = []

    public static func == (a: PaperlessReport, b: PaperlessReport) -> Bool { a.json == b.json }

    public var json: JSON {
        [
            "added": .int(addedCount), "alreadyThere": .int(knownCount), "labelled": .int(labelledCount),
            "archives": .int(archiveCount), "searches": .int(searchCount),
            "left": .array(left.map { ["name": .string($0.name), "reason": .string($0.reason)] }),
            "others": .array(others.map { ["what": .string($0.what), "count": .int($0.count)] }),
        ]
    }
}
